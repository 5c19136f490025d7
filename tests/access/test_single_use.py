"""Single use: links, tickets and halves of a sign-in are good once, for a time and a purpose."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.access.conftest import PASSWORD, Node, open_node, populate

from antiphon.access.errors import AccessError, AccessRefused


@pytest.fixture
async def nodes(store_url: str) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes over one database, of each kind."""
    first, second = open_node(store_url), open_node(store_url)
    await populate(first.directory)
    yield first, second
    for node in (first, second):
        await node.store.close()


async def code_of(awaited: object) -> str:
    with pytest.raises(AccessRefused) as refused:
        await awaited  # type: ignore[misc]
    return refused.value.code


@pytest.mark.real_time
async def test_a_secret_is_good_once_even_when_many_come_at_once(
    nodes: tuple[Node, Node],
) -> None:
    first, second = nodes
    for _ in range(3):
        ticket = await first.directory.issue("ticket", "ann", 30.0, {"session": "b1"})
        shown = [node.directory.redeem("ticket", ticket) for node in (first, second) * 4]
        found = await asyncio.gather(*shown, return_exceptions=True)
        used = [each for each in found if not isinstance(each, BaseException)]
        assert [(each.user, each.content) for each in used] == [("ann", {"session": "b1"})]
        codes = {each.code for each in found if isinstance(each, AccessRefused)}
        assert codes == {"used"}


@pytest.mark.real_time
async def test_two_who_accept_a_link_at_once_do_not_both_set_a_password(
    nodes: tuple[Node, Node],
) -> None:
    first, second = nodes
    link = await first.directory.make_link("ann", by="root")
    passwords = [f"{PASSWORD} {at}" for at in range(4)]
    found = await asyncio.gather(
        *(
            node.directory.accept_link(link, password)
            for node, password in zip((first, second) * 2, passwords, strict=True)
        ),
        return_exceptions=True,
    )
    done = [at for at, each in enumerate(found) if not isinstance(each, BaseException)]
    assert len(done) == 1
    assert await second.directory.check_password("ann", passwords[done[0]]) is not None
    assert len(await first.events("password_set")) == 1


@pytest.mark.real_time
async def test_two_administrators_who_leave_at_once_do_not_both_go(
    nodes: tuple[Node, Node],
) -> None:
    first, second = nodes
    await first.directory.change_user("ann", roles=["admin"], by="root")
    found = await asyncio.gather(
        first.directory.change_user("root", roles=["member"], by="ann"),
        second.directory.change_user("ann", disabled=True, by="root"),
        return_exceptions=True,
    )
    assert [type(each) for each in found].count(AccessError) == 1


@pytest.mark.real_time
async def test_names_and_identities_are_given_once_on_all_nodes(nodes: tuple[Node, Node]) -> None:
    found = await asyncio.gather(
        *(
            node.directory.create_user(name, identity=("https://id.example.org", "7"), by="root")
            for node, name in zip(nodes * 2, ("bob", "Bob", "b0b", "carl"), strict=True)
        ),
        return_exceptions=True,
    )
    assert [type(each) for each in found].count(AccessError) == 3


@pytest.mark.real_time
async def test_what_one_node_revokes_the_other_refuses_within_a_second(
    nodes: tuple[Node, Node],
) -> None:
    first, second = nodes
    token, secret = await first.directory.create_token("ann", "ci", by="root")
    cookie = (await first.directory.begin_session("ann", "password"))[1]
    principal = await second.directory.principal_of_token(secret, "127.0.0.1")
    await second.directory.principal_of_session(cookie)
    await first.directory.revoke_token(token.id, "root")
    await first.directory.end_session(cookie.partition(".")[0], "root")
    await first.directory.change_user("ann", roles=["viewer"], by="root")
    second.pass_time(0.999)
    first.pass_time(0.999)
    assert await code_of(second.directory.principal_of_token(secret, "127.0.0.1")) == "revoked"
    assert await code_of(second.directory.principal_of_session(cookie)) == "revoked"
    assert await code_of(second.directory.recheck(principal)) == "revoked"
    assert not (await second.directory.principal("ann")).may("workspace.write")


async def test_a_secret_is_for_one_purpose_and_time(node: Node) -> None:
    directory = node.directory
    ticket = await directory.issue("ticket", "ann", 30.0)
    assert await code_of(directory.redeem("link", ticket)) == "foreign"
    assert await code_of(directory.peek("oidc", ticket)) == "foreign"
    assert (await directory.peek("ticket", ticket)).user == "ann"
    node.pass_time(-121)
    assert await code_of(directory.redeem("ticket", ticket)) == "clock"
    node.pass_time(121 + 30)
    assert await code_of(directory.redeem("ticket", ticket)) == "expired"
    for wrong in ("", "x", ticket[:-1], "\ud800", "a" * 100_000):
        assert await code_of(directory.redeem("ticket", wrong)) == "unknown"
    mine = await directory.issue("ticket", "ann", 30.0)
    await directory.change_user("ann", disabled=True, by="root")
    assert await code_of(directory.redeem("ticket", mine)) in ("unknown", "disabled")
    assert len(await node.events("credential_refused")) == 10


async def test_a_link_sets_a_password_once_and_survives_a_bad_one(node: Node) -> None:
    directory = node.directory
    first = await directory.make_link("ann", by="root")
    link = await directory.make_link("ann", by="root")
    assert await code_of(directory.peek("link", first)) == "unknown"
    assert [each.user for each in await directory.links()] == ["ann"]
    with pytest.raises(AccessError):
        await directory.accept_link(link, "short")
    assert (await directory.accept_link(link, PASSWORD + "!")).name == "ann"
    assert await code_of(directory.accept_link(link, PASSWORD + "?")) in ("used", "unknown")
    assert await directory.check_password("ann", PASSWORD + "!") is not None
    assert await directory.links() == []
    ended = await directory.make_link("ann", by="root")
    await directory.withdraw_link("ann", "root")
    assert await code_of(directory.peek("link", ended)) == "unknown"
    with pytest.raises(AccessError):
        await directory.withdraw_link("ann", "root")
    await directory.change_user("ann", disabled=True, by="root")
    with pytest.raises(AccessError, match="disabled"):
        await directory.make_link("ann", by="root")
    assert len(await node.events("sign_in_link_made")) == 3
    assert len(await node.events("sign_in_link_withdrawn")) == 1


async def test_the_first_administrator_is_made_by_a_link_once(empty: Node) -> None:
    directory = empty.directory
    one = await directory.make_first_link(by="server")
    two = await directory.make_first_link(by="server")
    assert one is not None
    assert two is not None
    assert await code_of(directory.accept_link(one, PASSWORD, name="root")) == "unknown"
    with pytest.raises(AccessError, match="needs a user name"):
        await directory.accept_link(two, PASSWORD)
    with pytest.raises(AccessError):
        await directory.accept_link(two, PASSWORD, name="not a name")
    made = await directory.accept_link(two, PASSWORD, name="Root")
    assert (made.name, made.roles, made.organisation) == ("root", ("admin",), "")
    assert await code_of(directory.accept_link(two, PASSWORD, name="another")) == "used"
    assert await directory.make_first_link(by="server") is None
    assert [user.name for user in await directory.users()] == ["root"]


async def test_what_is_long_over_is_deleted_and_the_rest_is_kept(
    nodes: tuple[Node, Node],
) -> None:
    node, _ = nodes
    directory = node.directory
    ticket = await directory.issue("ticket", "ann", 30.0)
    link = await directory.make_link("ann", by="root", seconds=60.0)
    node.pass_time(61)
    good = await directory.issue("ticket", "ann", 7200.0)
    await directory.purge()
    assert await code_of(directory.peek("ticket", ticket)) == "expired"
    node.pass_time(3600)
    await directory.purge()
    assert await code_of(directory.peek("ticket", ticket)) == "unknown"
    assert await code_of(directory.peek("link", link)) == "expired"
    assert (await directory.peek("ticket", good)).user == "ann"
    session, _ = await directory.begin_session("ann", "password")
    node.pass_time(14 * 86_400 + 1)
    await directory.purge()
    assert (await directory.session(session.id)).user == "ann"
    node.pass_time(30 * 86_400)
    await directory.purge()
    assert await code_of(directory.peek("link", link)) == "unknown"
    with pytest.raises(AccessError, match="no browser session"):
        await directory.session(session.id)
