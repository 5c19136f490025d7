"""Browser sessions: rotation, grace, secrets that come back late, and the two ends."""

from __future__ import annotations

import json

import pytest
from tests.access.conftest import Node

from antiphon.access.browser_sessions import SessionLifetimes
from antiphon.access.errors import AccessError, AccessRefused

LIFETIMES = SessionLifetimes(idle=3600, absolute=10_000, rotation=900, grace=30)


async def refusal(node: Node, secret: str) -> str:
    with pytest.raises(AccessRefused) as refused:
        await node.directory.principal_of_session(secret)
    return refused.value.code


async def begun(node: Node, user: str = "ann") -> str:
    node.directory.lifetimes = LIFETIMES
    return (await node.directory.begin_session(user, "password", "A browser\x1b[31m"))[1]


async def test_a_session_is_begun_shown_and_ended(node: Node) -> None:
    directory = node.directory
    secret = await begun(node)
    principal, renewed = await directory.principal_of_session(secret)
    assert (principal.user, renewed) == ("ann", None)
    assert principal.may("tools.call")
    assert not principal.may("users.manage")
    shown = (await directory.sessions_of("ann"))[0]
    assert (shown.id, shown.way, shown.agent) == (principal.credential, "password", "A browser[31m")
    assert (await directory.user("ann")).signed_in_at == node.clock.now  # type: ignore[union-attr]
    await directory.end_session(shown.id, "ann")
    await directory.end_session(shown.id, "ann")
    assert await refusal(node, secret) == "revoked"
    assert await directory.sessions_of("ann") == []
    with pytest.raises(AccessError):
        await directory.end_session("b0", "ann")
    assert len(await node.events("signed_out")) == 1
    line = (await node.events("signed_in"))[0]
    assert json.loads(line)["details"] == {"way": "password", "session": shown.id}
    assert secret.partition(".")[2].encode() not in line


async def test_who_may_not_come_in_begins_no_session(node: Node) -> None:
    await node.directory.change_user("ann", disabled=True, by="root")
    for name, code in (("ann", "disabled"), ("nobody", "unknown")):
        with pytest.raises(AccessRefused) as refused:
            await node.directory.begin_session(name, "password")
        assert refused.value.code == code
    assert await node.events("signed_in") == []


async def test_what_is_no_secret_of_a_session_is_refused(node: Node) -> None:
    secret = await begun(node)
    own_id, _, rest = secret.partition(".")
    wrong = ("", ".", own_id, f"{own_id}.", secret + "x", f"b0.{rest}", "\0", "é.\ud800", "b" * 999)
    for text in wrong:
        assert await refusal(node, text) == "unknown"
    assert (await node.directory.principal_of_session(secret))[0].user == "ann"


async def test_the_secret_is_renewed_and_the_one_before_is_taken_for_a_moment(node: Node) -> None:
    directory = node.directory
    first = await begun(node)
    node.pass_time(899)
    assert (await directory.principal_of_session(first))[1] is None
    node.pass_time(1)
    principal, second = await directory.principal_of_session(first)
    assert second is not None
    assert second.partition(".")[0] == first.partition(".")[0]
    # A page that had asked for several things at once has the old secret still.
    node.pass_time(30)
    assert (await directory.principal_of_session(first)) == (principal, None)
    assert (await directory.principal_of_session(second)) == (principal, None)


async def test_an_old_secret_that_comes_back_late_ends_the_session(node: Node) -> None:
    directory = node.directory
    first = await begun(node)
    node.pass_time(900)
    second = (await directory.principal_of_session(first))[1]
    assert second is not None
    await directory.principal_of_session(second)
    node.pass_time(31)
    assert await refusal(node, first) == "used"
    assert await refusal(node, second) == "revoked"
    lines = [json.loads(line) for line in await node.events("session_secret_reused")]
    assert [line["user"] for line in lines] == ["ann"]


async def test_a_browser_that_never_got_its_new_secret_gets_another_one(node: Node) -> None:
    directory = node.directory
    first = await begun(node)
    node.pass_time(900)
    lost = (await directory.principal_of_session(first))[1]
    assert lost is not None
    node.pass_time(31)
    again = (await directory.principal_of_session(first))[1]
    assert again is not None
    assert (await directory.principal_of_session(again))[0].user == "ann"
    assert await refusal(node, lost) == "unknown"


async def test_a_secret_older_than_the_one_before_is_not_known(node: Node) -> None:
    first = await begun(node)
    secrets = [first]
    for _ in range(2):
        node.pass_time(900)
        secrets.append((await node.directory.principal_of_session(secrets[-1]))[1] or "")
    assert all(secrets)
    assert await refusal(node, first) == "unknown"
    assert (await node.directory.principal_of_session(secrets[-1]))[0].user == "ann"


async def test_a_session_ends_without_requests_and_in_any_case(node: Node) -> None:
    directory = node.directory
    idle, busy = await begun(node), await begun(node)
    node.pass_time(3599)
    busy = (await directory.principal_of_session(busy))[1] or busy
    node.pass_time(1)
    assert await refusal(node, idle) == "expired"
    assert len(await directory.sessions_of("ann")) == 1
    for _ in range(2):
        node.pass_time(3000)
        busy = (await directory.principal_of_session(busy))[1] or busy
    node.pass_time(400)
    assert await refusal(node, busy) == "expired"
    assert await directory.sessions_of("ann") == []


async def test_a_session_of_the_future_is_refused(node: Node) -> None:
    secret = await begun(node)
    node.pass_time(-121)
    assert await refusal(node, secret) == "clock"
    node.pass_time(121)
    assert (await node.directory.principal_of_session(secret))[0].user == "ann"


async def test_open_sockets_are_checked_again_with_todays_rights(node: Node) -> None:
    directory = node.directory
    principal, _ = await directory.principal_of_session(await begun(node))
    _, secret = await directory.create_token("ann", "ci", tools=["kb_*"], by="root")
    by_token = await directory.principal_of_token(secret, "127.0.0.1")
    await directory.change_user("ann", roles=["viewer"], by="root")
    assert not (await directory.recheck(principal)).may("workspace.write")
    again = await directory.recheck(by_token)
    assert again.rights is not None
    assert again.rights.within == ("kb_*",)
    await directory.change_user("ann", disabled=True, by="root")
    for each in (principal, by_token):
        with pytest.raises(AccessRefused):
            await directory.recheck(each)
    node.pass_time(1)
    await directory.change_user("ann", disabled=False, by="root")
    with pytest.raises(AccessRefused):
        await directory.recheck(principal)
    assert (await directory.recheck(by_token)).user == "ann"


async def test_a_store_that_is_away_lets_nobody_in(node: Node) -> None:
    secret = await begun(node)
    _, token = await node.directory.create_token("ann", "ci", by="root")
    principal, _ = await node.directory.principal_of_session(secret)
    await node.store.close()
    node.pass_time(1)
    assert await refusal(node, secret) == "unavailable"
    for shown in (
        node.directory.principal_of_token(token, "127.0.0.1"),
        node.directory.recheck(principal),
        node.directory.peek("link", "x"),
        node.directory.redeem("ticket", "x"),
    ):
        with pytest.raises(AccessRefused) as refused:
            await shown
        assert (refused.value.code, refused.value.status) == ("unavailable", 503)
