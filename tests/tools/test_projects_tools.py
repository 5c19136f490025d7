"""list_projects and create_project, through dispatch."""

from __future__ import annotations

import pytest
from tests.tools.services_world import error, within

from antiphon import ToolCall

pytestmark = pytest.mark.real_time(ignore=("*.db*", "*.bin", "*.lock"))


async def test_a_project_that_was_made_is_listed() -> None:
    async with within() as world:
        made = await world.data("create_project", name="  Lisbon   move ", description="Office.")
        project = made["project"]
        assert project["name"] == "Lisbon move"
        assert project["status"] == "active"
        listed = await world.data("list_projects")
        assert listed == {"projects": [project], "count": 1}


async def test_without_any_project_the_list_is_empty() -> None:
    async with within() as world:
        assert await world.data("list_projects") == {"projects": [], "count": 0}


async def test_a_name_that_is_taken_is_a_conflict_that_names_the_other() -> None:
    async with within() as world:
        first = (await world.data("create_project", name="Lisbon move"))["project"]
        refused = await world.error("create_project", name="LISBON MOVE")
        assert refused["type"] == "CONFLICT"
        assert refused["project_id"] == first["id"]
        assert "'Lisbon move'" in refused["message"]


async def test_projects_are_the_users_own() -> None:
    async with within() as world:
        await world.data("create_project", name="Lisbon move")
        other = world.session.orchestrator.session("text", "grace")
        call = ToolCall("call_of_another_user", "list_projects", {})
        assert (await other.dispatch(call))["data"]["count"] == 0
        same_name = ToolCall("call_of_another_name", "create_project", {"name": "Lisbon move"})
        assert (await other.dispatch(same_name))["ok"]


async def test_a_call_that_is_sent_again_makes_no_second_project() -> None:
    async with within() as world:
        call = ToolCall("call_sent_twice", "create_project", {"name": "Lisbon move"})
        first, second = [await world.session.dispatch(call) for _ in range(2)]
        assert first["data"] == second["data"]
        assert (await world.data("list_projects"))["count"] == 1


def test_a_blank_name_is_refused_by_its_field() -> None:
    refused = error("create_project", name="   ")
    assert refused["type"] == "VALIDATION"
    assert [each["pointer"] for each in refused["errors"]] == ["/name"]


def test_a_name_that_is_too_long_is_refused() -> None:
    assert error("create_project", name="x" * 101)["type"] == "VALIDATION"
    assert error("create_project", name="x", description="y" * 2001)["type"] == "VALIDATION"
