"""Organisations: made, renamed and removed, and never a second time under the same id."""

from __future__ import annotations

import pytest
from tests.access.conftest import Node

from antiphon.access.errors import AccessError
from antiphon.access.roles import Role


async def test_organisations_are_made_renamed_and_removed_with_their_groups_and_roles(
    node: Node,
) -> None:
    directory = node.directory
    made = await directory.create_organisation("north-wing", " North ", "root")
    assert (made.id, made.name) == ("north-wing", "North")
    await directory.create_organisation("east", "East", "root")
    assert [each.id for each in await directory.organisations()] == ["east", "north-wing"]
    assert (await directory.rename_organisation("east", "Far east", "root")).name == "Far east"
    await directory.set_group("east", "sales", by="root")
    await directory.set_role("east", Role("lead"), "root")
    await directory.remove_organisation("east", "root")
    await directory.create_organisation("east", "East again", "root")
    assert await directory.groups("east") == []
    assert "lead" not in {role.name for role in await directory.roles("east")}
    assert len(await node.events("organisation_changed")) == 5


async def test_an_organisation_with_users_stays_and_its_id_is_not_given_again(node: Node) -> None:
    directory = node.directory
    await directory.create_organisation("east", "East", "root")
    await directory.create_user("eve", organisation="east", by="root")
    with pytest.raises(AccessError, match="has 1 user"):
        await directory.remove_organisation("east", "root")
    await directory.remove_user("eve", "root")
    await directory.remove_organisation("east", "root")
    with pytest.raises(AccessError, match="whose things are still there"):
        await directory.create_organisation("east", "East", "root")


@pytest.mark.parametrize("id", ["", "-a", "A", "a b", "a/b", "x" * 41, "..", "é", "a_b"])
async def test_ids_that_no_organisation_can_have(node: Node, id: str) -> None:
    with pytest.raises(AccessError):
        await node.directory.create_organisation(id, "Name", "root")
    with pytest.raises(AccessError):
        await node.directory.rename_organisation(id, "Name", "root")
    with pytest.raises(AccessError):
        await node.directory.remove_organisation(id, "root")
    assert await node.events("organisation_changed") == []


async def test_names_and_ids_that_are_taken_or_empty_are_refused(node: Node) -> None:
    directory = node.directory
    await directory.create_organisation("east", "East", "root")
    for own_id, name in (("east", "Other"), ("west", ""), ("west", "x" * 200), ("west", "a\0b")):
        with pytest.raises(AccessError):
            await directory.create_organisation(own_id, name, "root")
    assert [each.name for each in await directory.organisations()] == ["East"]
