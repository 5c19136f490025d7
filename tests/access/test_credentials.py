"""Tokens, browser sessions and single-use secrets: who is let in, until when, and who is not."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex

import pytest
from tests.access.conftest import PASSWORD, Node

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.contracts.rights import RightsError

HERE = "127.0.0.1"


async def refusal(awaited: object) -> str:
    with pytest.raises(AccessRefused) as refused:
        await awaited  # type: ignore[misc]
    assert refused.value.reason.endswith(".")
    return refused.value.code


async def test_a_token_acts_as_its_user_within_its_bounds(node: Node) -> None:
    directory = node.directory
    token, secret = await directory.create_token(
        "root",
        "nightly",
        permissions=["tools.call", "audit.read"],
        tools=["calendar_*"],
        networks=["10.1.0.0/16"],
        by="root",
    )
    assert secret.startswith(f"anti_{token.id}_")
    principal = await directory.principal_of_token(secret, "10.1.2.3")
    assert (principal.user, principal.credential) == ("root", token.id)
    assert principal.may("audit.read")
    assert not principal.may("users.manage")
    assert principal.rights is not None
    assert principal.rights.within == ("calendar_*",)
    assert await refusal(directory.principal_of_token(secret, "10.2.0.1")) == "foreign"
    assert (await directory.principal_of_token(secret, "::ffff:10.1.9.9")).user == "root"


async def test_wrong_expired_and_revoked_tokens_are_refused_and_in_the_audit(
    node: Node,
) -> None:
    directory = node.directory
    token, secret = await directory.create_token(
        "ann", "ci", expires_at=node.clock.now + 100, by="root"
    )
    for wrong in (
        "",
        "anti_",
        secret[:-1],
        secret + "x",
        f"anti_{token.id}_",
        "Bearer",
        "\0_\ud800",
    ):
        assert await refusal(directory.principal_of_token(wrong, HERE)) == "unknown"
    assert (await directory.principal_of_token(secret, HERE)).user == "ann"
    node.pass_time(100)
    assert await refusal(directory.principal_of_token(secret, HERE)) == "expired"
    await directory.revoke_token(token.id, "root")
    assert await refusal(directory.principal_of_token(secret, HERE)) == "revoked"
    assert len(await node.events("credential_refused")) == 9
    assert secret.encode() not in b"".join(await node.events("token_created"))
    with pytest.raises(AccessError, match="expired already"):
        await directory.create_token("ann", "ci", expires_at=node.clock.now, by="root")
    with pytest.raises(RightsError, match=r"no permission 'fly'"):
        await directory.create_token("ann", "ci", permissions=["fly"], by="root")
    with pytest.raises(AccessError, match="A network is written like"):
        await directory.create_token("ann", "ci", networks=["10.1.0.0/99"], by="root")


async def test_a_token_never_has_more_than_its_user_has_today(node: Node) -> None:
    directory = node.directory
    bounds = {"permissions": ["audit.read", "tools.call"], "tools": ["kb_*"]}
    _, secret = await directory.create_token("root", "ci", **bounds, by="root")
    await directory.change_user("ann", roles=["admin"], by="root")
    await directory.change_user("root", roles=["member"], by="ann")
    principal = await directory.principal_of_token(secret, HERE)
    assert principal.rights is not None
    assert principal.rights.permissions == {"tools.call"}
    await directory.change_user("root", disabled=True, by="ann")
    assert await refusal(directory.principal_of_token(secret, HERE)) == "disabled"
    await directory.change_user("root", disabled=False, by="ann")
    await directory.remove_user("root", "ann")
    assert await refusal(directory.principal_of_token(secret, HERE)) == "revoked"


async def test_of_secrets_only_hashes_are_kept(node: Node, tmp_path: Path) -> None:
    directory = node.directory
    token, secret = await directory.create_token("ann", "ci", networks=["10.0.0.0/8"], by="root")
    _, cookie = await directory.begin_session("ann", "password")
    link = await directory.make_link("ann", by="root")
    await node.store.flush()
    kept = b"".join(each.read_bytes() for each in tmp_path.glob("store.db*") if each.is_file())
    assert token.id.encode() in kept
    for shown in (secret, secret.rpartition("_")[2], cookie.partition(".")[2], link, PASSWORD):
        assert shown.encode() not in kept
    assert b"$argon2id$" in kept


async def test_a_token_is_good_from_its_networks_alone(node: Node) -> None:
    directory = node.directory
    networks = ["10.1.0.0/16", "2001:db8::/32"]
    _, secret = await directory.create_token("ann", "ci", networks=networks, by="root")
    for address in ("10.1.255.1", "::ffff:10.1.0.1", "2001:db8::1", "2001:db8::1%eth0"):
        assert (await directory.principal_of_token(secret, address)).user == "ann"
    for address in ("10.2.0.1", "::1", "2001:db9::1", "", "unknown", "10.1.0.1, 10.1.0.2"):
        assert await refusal(directory.principal_of_token(secret, address)) == "foreign"


async def test_a_token_of_the_future_is_refused_until_the_clocks_agree(node: Node) -> None:
    directory = node.directory
    _, secret = await directory.create_token("ann", "ci", by="root")
    node.pass_time(-121)
    assert await refusal(directory.principal_of_token(secret, HERE)) == "clock"
    node.pass_time(121)
    assert (await directory.principal_of_token(secret, HERE)).user == "ann"


async def test_who_guesses_tokens_does_not_fill_the_audit(node: Node) -> None:
    async def guess(times: int) -> None:
        for _ in range(times):
            with pytest.raises(AccessRefused):
                await node.directory.principal_of_token(f"anti_{token_hex(8)}_x", "127.0.0.1")

    await guess(130)
    assert len(await node.events("credential_refused")) == 100
    node.pass_time(60)
    await guess(1)
    lines = await node.events("credential_refused")
    assert len(lines) == 101
    assert b'"unrecorded":30' in b"".join(lines)
