"""Users: names, passwords, the last administrator, and that a change is whole or not there."""

from __future__ import annotations

import json
from base64 import b64decode, urlsafe_b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from tests.access.conftest import PASSWORD, Node

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import looked_up_name, name_key, user_name
from antiphon.contracts.rights import PERMISSIONS, RightsError
from antiphon.storage.tables import users


async def error_of(awaited: Any, kind: str) -> str:
    """What is said where a change cannot be made."""
    with pytest.raises(AccessError) as error:
        await awaited
    assert error.value.kind == kind
    assert error.value.message.endswith(".")
    return error.value.message


async def test_names_that_nobody_can_have(node: Node) -> None:
    wrong = ["", " ", "a b", "ann\n", "\u200bann", "a\u202enn", "x" * 65, "x" * 300, "@ann", "-x"]
    wrong += ["ann!", "аnn", "αnn", "a\u3164b", "a\ufe0fb", "\ud800", "a\0b", "(operator)", "a/b"]
    for name in wrong:
        await error_of(node.directory.create_user(name, by="root"), "invalid")
        assert looked_up_name(name) == ""
        assert await node.directory.user(name) is None
        assert await node.directory.check_password(name, PASSWORD) is None


async def test_a_name_that_looks_like_another_is_taken(node: Node) -> None:
    for name in ("paul", "moon", "wolf", "rosa", "straße"):
        await node.directory.create_user(name, by="root")
    alike = ["Ann", "ＡＮＮ", "pauI", "pau1", "rnoon", "m00n", "vvolf", "гоѕа", "strasse", "ROSA"]
    for name in alike:
        said = await error_of(node.directory.create_user(name, by="root"), "conflict")
        assert said.startswith("The user name ")
    assert len(await node.directory.users()) == 7


@given(st.text(max_size=30))
def test_a_name_is_kept_in_one_form_that_is_found_again(text: str) -> None:
    try:
        name = user_name(text)
    except AccessError:
        return
    assert user_name(name) == name == looked_up_name(text) == looked_up_name(name.upper())
    assert name_key(name) == name_key(text)
    assert name.isprintable()
    assert " " not in name


async def test_names_are_found_however_they_are_typed(node: Node) -> None:
    await node.directory.create_user("Zoë.Quinn@example.org", by="root", password=PASSWORD)
    found = await node.directory.user("ZOË.QUINN@EXAMPLE.ORG")
    assert found is not None
    assert found.name == "zoë.quinn@example.org"
    signed = await node.directory.check_password("Zoe\u0308.Quinn@example.org", PASSWORD)
    assert signed == found


async def test_the_first_user_is_an_administrator_of_the_first_organisation(empty: Node) -> None:
    directory = empty.directory
    said = await error_of(directory.create_user("ann", by="test"), "conflict")
    assert "administrator" in said
    assert await directory.users() == []
    await directory.create_user("root", roles=["admin"], by="test")
    await directory.create_user("ann", by="root")
    assert [user.name for user in await directory.users()] == ["ann", "root"]


async def test_the_last_administrator_stays_one(node: Node) -> None:
    directory = node.directory

    async def stays() -> None:
        for change in (
            directory.change_user("root", roles=["member"], by="root"),
            directory.change_user("root", roles=[], by="root"),
            directory.change_user("root", disabled=True, by="root"),
            directory.remove_user("root", by="root"),
        ):
            assert "without an administrator" in await error_of(change, "conflict")

    await stays()
    # Neither one of another organisation, nor a disabled one, nor one by a group counts.
    await directory.create_organisation("north", "North", "root")
    await directory.create_user("nora", organisation="north", roles=["admin"], by="root")
    await stays()
    await directory.change_user("ann", roles=["admin"], by="root")
    await directory.change_user("ann", disabled=True, by="root")
    await stays()
    await directory.set_group("", "admins", roles=["admin"], members=["ann"], by="root")
    await directory.change_user("ann", roles=["member"], disabled=False, by="root")
    await stays()
    root = await directory.user("root")
    assert root is not None
    assert (root.roles, root.disabled) == (("admin",), False)
    await directory.change_user("ann", roles=["admin"], by="root")
    await directory.remove_user("root", by="ann")


async def test_a_removed_name_stays_taken_and_its_credentials_are_over(node: Node) -> None:
    directory = node.directory
    token, secret = await directory.create_token("ann", "ci", by="root")
    session, cookie = await directory.begin_session("ann", "password")
    link = await directory.make_link("ann", by="root")
    await directory.set_group("", "sales", members=["ann"], by="root")
    await directory.change_user("ann", identity=("https://id.example.org", "7"), by="root")
    await directory.remove_user("ann", "root")
    assert await directory.user("ann") is None
    assert await directory.check_password("ann", PASSWORD) is None
    assert await directory.user_of_identity("https://id.example.org", "7") is None
    assert (await directory.groups())[0].members == ()
    for shown in (
        directory.principal_of_token(secret, "127.0.0.1"),
        directory.principal_of_session(cookie),
        directory.peek("link", link),
        directory.principal("ann"),
        directory.begin_session("ann", "password"),
    ):
        with pytest.raises(AccessRefused):
            await shown
    for name in ("ann", "Ann", "αηη"):
        assert "was removed" in await error_of(directory.create_user(name, by="root"), "conflict")
    await error_of(directory.remove_user("ann", "root"), "missing")


async def test_a_change_that_fails_leaves_nothing(node: Node) -> None:
    directory = node.directory
    before = await directory.user("ann")
    await directory.set_group("", "sales", by="root")
    lines = len(await node.store.audit_lines(limit=1000))
    for change, error in (
        (directory.create_user("bob", roles=["nobody"], by="root"), RightsError),
        (directory.create_user("bob", groups=["nowhere"], by="root"), AccessError),
        (directory.create_user("bob", organisation="nowhere", by="root"), AccessError),
        (directory.create_user("bob", password="short", by="root"), AccessError),
        (directory.create_user("bob", password="x" * 1024 * 1024, by="root"), AccessError),
        (directory.create_user("bob", display_name="x" * 500, by="root"), AccessError),
        (directory.create_user("bob", email="a\nb", by="root"), AccessError),
        (
            directory.change_user("ann", groups=["sales"], roles=["nobody"], by="root"),
            RightsError,
        ),
        (
            directory.change_user("ann", roles=["viewer"], groups=["sales", "x"], by="root"),
            AccessError,
        ),
        (directory.set_password("ann", "short", by="root"), AccessError),
        (directory.set_password("bob", PASSWORD, by="root"), AccessError),
    ):
        with pytest.raises(error):
            await change
    assert await directory.user("bob") is None
    assert await directory.user("ann") == before
    assert (await directory.groups())[0].members == ()
    await node.store.flush()
    assert len(await node.store.audit_lines(limit=1000)) == lines


async def test_a_password_is_checked_with_the_same_work_and_refusals_are_in_the_audit(
    node: Node,
) -> None:
    directory = node.directory
    await directory.create_user("bob", by="root")
    assert await directory.check_password("bob", PASSWORD) is None
    assert await directory.check_password("ann", PASSWORD + "x") is None
    assert await directory.check_password("nobody", PASSWORD) is None
    assert await directory.check_password("ann", "x" * 1024 * 1024) is None
    assert await directory.check_password("ann", "\ud800" * 10) is None
    await directory.change_user("ann", disabled=True, by="root")
    assert await directory.check_password("ann", PASSWORD) is None
    lines = [json.loads(line) for line in await node.events("sign_in_refused")]
    assert [line["details"]["code"] for line in lines] == [
        *("no_password", "wrong", "unknown", "wrong", "wrong", "disabled")
    ]
    assert PASSWORD not in json.dumps(lines)


async def test_a_new_password_ends_sessions_and_links(node: Node) -> None:
    directory = node.directory
    _, cookie = await directory.begin_session("ann", "password")
    link = await directory.make_link("ann", by="root")
    await directory.set_password("ann", PASSWORD + "!", by="ann")
    for shown in (directory.principal_of_session(cookie), directory.peek("link", link)):
        with pytest.raises(AccessRefused):
            await shown
    assert await directory.check_password("ann", PASSWORD) is None
    assert await directory.check_password("ann", PASSWORD + "!") is not None


async def test_a_password_is_taken_whole_with_any_characters(node: Node) -> None:
    directory = node.directory
    for password in (" " * 12, "aaaaaaaaaaaa", "ゔ\u0301 🦜🦜  \t\0 quiet", "x" * 64, "🦜" * 128):
        await directory.set_password("ann", password, by="ann")
        assert await directory.check_password("ann", password) is not None
        assert await directory.check_password("ann", password.strip() + "?") is None


async def test_a_password_counts_to_its_last_character(node: Node) -> None:
    directory = node.directory
    for length in (12, 72, 73, 128):
        password = "x" * (length - 1) + "y"
        await directory.set_password("ann", password, by="ann")
        assert await directory.check_password("ann", password) is not None
        assert await directory.check_password("ann", password[:-1] + "z") is None
        assert await directory.check_password("ann", password[:-1]) is None


async def test_two_who_have_the_same_password_have_different_hashes(node: Node) -> None:
    for name in ("ann", "root"):
        await node.directory.set_password(name, PASSWORD, by=name)
    statement = select(users.c.password).where(users.c.name.in_(["ann", "root"]))
    kept = await node.store.run(lambda to: [row[0] for row in to.execute(statement)])
    salts = [each.split("$")[4] for each in kept]
    assert len(set(kept)) == len(set(salts)) == 2
    assert all(len(b64decode(salt + "==")) == 16 for salt in salts)


async def test_every_secret_is_long_and_of_its_own(node: Node) -> None:
    directory = node.directory
    made: list[str] = []
    for _ in range(3):
        made.append((await directory.create_token("ann", "ci", by="root"))[1].split("_", 2)[2])
        made.append((await directory.begin_session("ann", "password"))[1].partition(".")[2])
        made.append(await directory.make_link("ann", by="root"))
        made.append(await directory.issue_ticket(None))
    assert len(set(made)) == 12
    assert all(len(urlsafe_b64decode(secret + "=")) == 32 for secret in made)


async def test_an_identity_belongs_to_one_user(node: Node) -> None:
    directory = node.directory
    identity = ("https://id.example.org", "7")
    await directory.change_user("ann", identity=identity, by="root")
    said = await error_of(directory.change_user("root", identity=identity, by="root"), "conflict")
    assert "'ann'" in said
    await error_of(directory.create_user("bob", identity=identity, by="root"), "conflict")
    found = await directory.user_of_identity(*identity)
    assert found is not None
    assert found.name == "ann"
    assert await directory.user_of_identity("https://id.example.org", "8") is None
    await directory.change_user("ann", identity=None, by="root")
    await directory.change_user("root", identity=identity, by="root")


async def test_every_change_of_a_user_is_in_the_audit_with_who_made_it(node: Node) -> None:
    directory = node.directory
    await directory.change_user("ann", roles=["viewer"], email="ann@example.org", by="root")
    await directory.change_user("ann", disabled=True, by="root")
    await directory.set_password("ann", PASSWORD, by="root")
    await directory.remove_user("ann", "root")
    await node.store.flush()
    lines = [json.loads(line.line) for line in await node.store.audit_lines(limit=1000)]
    found = [line for line in lines if line.get("user") == "ann"]
    assert [line["event"] for line in found] == [
        *("user_created", "user_changed", "user_changed", "password_set", "user_removed")
    ]
    assert {line["by"] for line in found} == {"root"}
    assert found[1]["details"] == {"fields": ["email", "roles"], "roles": ["viewer"]}
    assert found[2]["details"] == {"fields": ["disabled"], "disabled": True}
    assert "argon2" not in json.dumps(found)


async def test_permissions_of_another_organisation_are_not_those_of_the_server(node: Node) -> None:
    directory = node.directory
    await directory.create_organisation("north", "North", "root")
    await directory.create_user("nora", organisation="north", roles=["admin"], by="root")
    nora, root = await directory.principal("nora"), await directory.principal("root")
    assert root.rights is not None
    assert nora.rights is not None
    assert root.rights.permissions == set(PERMISSIONS)
    assert nora.rights.permissions == set(PERMISSIONS) - {"organisations.manage"}
