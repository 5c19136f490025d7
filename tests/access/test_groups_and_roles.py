"""Groups and roles: what they give, and what a role cannot be made of."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.access.conftest import Node

from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.role_content import role_content, role_of
from antiphon.access.roles import BUILT_IN, Role
from antiphon.contracts.rights import PERMISSIONS, RightsError, ToolRule


async def permissions(node: Node, user: str = "ann") -> frozenset[str]:
    rights = (await node.directory.principal(user)).rights
    assert rights is not None
    return rights.permissions


async def test_members_have_the_roles_of_their_groups_until_they_leave(node: Node) -> None:
    directory = node.directory
    own = await permissions(node)
    await directory.set_group("", "watch", roles=["operator"], members=["ANN"], by="root")
    assert "others.manage" in await permissions(node)
    assert (await directory.groups())[0].members == ("ann",)
    await directory.set_group("", "watch", roles=["operator"], by="root")
    assert await permissions(node) == own
    await directory.change_user("ann", groups=["watch"], by="root")
    assert "others.manage" in await permissions(node)
    await directory.remove_group("", "watch", "root")
    assert await permissions(node) == own
    events = [json.loads(line)["details"] for line in await node.events("group_changed")]
    assert [each.get("removed") for each in events] == [None, None, "watch"]


async def test_groups_that_cannot_be(node: Node) -> None:
    directory = node.directory
    await directory.create_organisation("north", "North", "root")
    await directory.create_user("nora", organisation="north", by="root")
    for change, error in (
        (directory.set_group("", "a b", by="root"), AccessError),
        (directory.set_group("", "", by="root"), AccessError),
        (directory.set_group("nowhere", "a", by="root"), AccessError),
        (directory.set_group("", "a", members=["nora"], by="root"), AccessError),
        (directory.set_group("", "a", members=["bob"], by="root"), AccessError),
        (directory.set_group("", "a", roles=["nobody"], by="root"), RightsError),
        (directory.remove_group("", "a", "root"), AccessError),
        (directory.change_user("nora", groups=["a"], by="root"), AccessError),
    ):
        with pytest.raises(error):
            await change
    assert await directory.groups() == []
    assert await node.events("group_changed") == []


async def test_a_role_gives_what_it_includes_and_changes_hold_at_once(node: Node) -> None:
    directory = node.directory
    await directory.set_role("", role_of("lead", {"includes": ["member"]}), "root")
    await directory.change_user("ann", roles=["lead"], by="root")
    before = await permissions(node)
    content = {"includes": ["member"], "permissions": ["usage.read"]}
    await directory.set_role("", role_of("lead", content), "root")
    assert await permissions(node) == before | {"usage.read"}
    assert (await directory.principal("ann")).roles == ("member", "lead")
    line = json.loads((await node.events("role_changed"))[-1])
    assert line["details"]["permissions"] == ["usage.read"]


async def test_a_role_that_includes_itself_is_refused_however_long_the_way(node: Node) -> None:
    directory = node.directory
    with pytest.raises(RightsError, match="includes itself: a → a"):
        await directory.set_role("", Role("a", includes=("a",)), "root")
    await directory.set_role("", Role("a"), "root")
    await directory.set_role("", Role("b", includes=("a",)), "root")
    await directory.set_role("", Role("c", includes=("b",)), "root")
    with pytest.raises(RightsError, match="includes itself"):
        await directory.set_role("", Role("a", includes=("c",)), "root")
    assert [role.includes for role in await directory.roles() if role.name == "a"] == [()]


async def test_roles_that_are_too_deep_are_refused(node: Node) -> None:
    directory = node.directory
    await directory.set_role("", Role("r0"), "root")
    for at in range(1, 8):
        await directory.set_role("", Role(f"r{at}", includes=(f"r{at - 1}",)), "root")
    with pytest.raises(RightsError, match="more than 8 deep"):
        await directory.set_role("", Role("r8", includes=("r7",)), "root")
    # Nor does one become too deep from below.
    with pytest.raises(RightsError, match="more than 8 deep"):
        await directory.set_role("", Role("r0", includes=("member",)), "root")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "must be an object"),
        ({"permission": []}, "no field 'permission'"),
        ({"permissions": "tools.call"}, "`permissions` must be a list"),
        ({"permissions": ["fly"]}, "fly"),
        ({"permissions": [5]}, "`permissions`"),
        ({"includes": ["x"] * 201}, "`includes`"),
        ({"rules": {}}, "`rules` must be a list"),
        ({"rules": [5]}, "`rules[0]` must be an object"),
        ({"rules": [{}]}, "`rules[0]`: a rule names its tools"),
        ({"rules": [{"tools": ["a"]}, {"tools": [""]}]}, "`rules[1].tools`"),
        ({"rules": [{"tools": ["a"], "effect": "maybe"}]}, "`rules[0]`: the effect"),
        ({"rules": [{"tools": ["a"], "modes": ["smell"]}]}, "`rules[0]`: a mode is"),
        ({"rules": [{"tools": ["a"], "writes": 1}]}, "`rules[0].writes`"),
        ({"rules": [{"tools": ["a"], "when": "x" * 2001}]}, "`rules[0].when`"),
        ({"rules": [{"tools": ["a"], "when": "args.amount >"}]}, "`rules[0]`: `when`"),
        ({"rules": [{"tools": ["a"], "when": "__import__('os')"}]}, "`rules[0]`: `when`"),
        ({"rules": [{"tools": ["a"], "also": 1}]}, "`rules[0]` has no field"),
    ],
)
def test_what_no_role_can_be_made_of_is_told_with_its_place(content: Any, said: str) -> None:
    with pytest.raises(RightsError) as error:
        role_of("wrong", content)
    assert said in str(error.value)


def test_a_role_is_read_as_it_is_written() -> None:
    rule = ToolRule(("pay_*",), "ask", ("voice",), True, "args.amount > 100")
    role = Role("r", frozenset({"tools.call"}), (rule,), ("member",), ("group:sales",))
    assert role_of("r", json.loads(json.dumps(role_content(role)))) == role


async def test_built_in_roles_and_those_in_use_stay(node: Node) -> None:
    directory = node.directory
    for name in BUILT_IN:
        with pytest.raises(RightsError, match="built in"):
            await directory.set_role("", Role(name), "root")
        with pytest.raises(RightsError, match="built in"):
            await directory.remove_role("", name, "root")
    await directory.set_role("", Role("a"), "root")
    await directory.set_role("", Role("b", includes=("a",)), "root")
    await directory.set_group("", "sales", roles=["b"], by="root")
    for name, said in (("a", "'b' includes it"), ("b", "group 'sales' has it")):
        with pytest.raises(AccessError, match=said):
            await directory.remove_role("", name, "root")
    await directory.remove_group("", "sales", "root")
    await directory.change_user("ann", roles=["b"], by="root")
    with pytest.raises(AccessError, match="user 'ann' has it"):
        await directory.remove_role("", "b", "root")
    await directory.change_user("ann", roles=["member"], by="root")
    await directory.remove_role("", "b", "root")
    with pytest.raises(AccessError, match="no role 'b'"):
        await directory.remove_role("", "b", "root")
    with pytest.raises(AccessError):
        await directory.set_role("", Role("Not A Name"), "root")


async def test_roles_are_those_of_an_organisation(node: Node) -> None:
    directory = node.directory
    await directory.create_organisation("north", "North", "root")
    await directory.set_role("", Role("lead", frozenset({"usage.read"})), "root")
    assert "lead" not in {role.name for role in await directory.roles("north")}
    with pytest.raises(RightsError, match="no role 'lead'"):
        await directory.create_user("nora", organisation="north", roles=["lead"], by="root")
    with pytest.raises(RightsError, match="first organisation alone"):
        await directory.set_role("north", Role("x", frozenset({"organisations.manage"})), "root")
    assert set(BUILT_IN["admin"].permissions) == set(PERMISSIONS)


async def test_somebody_whose_roles_cannot_be_used_is_refused(node: Node) -> None:
    """Whatever comes into the tables beside the directory, nobody is let in by it."""
    from sqlalchemy import update

    from antiphon.storage.tables import users

    await node.store.run(
        lambda at: at.execute(update(users).where(users.c.name == "ann").values(roles='["gone"]'))
    )
    with pytest.raises(AccessRefused) as refused:
        await node.directory.principal("ann")
    assert refused.value.code == "forbidden"
