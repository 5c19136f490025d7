"""run_tool and list_tools: the catalogue as the registry has it, run through the gates."""

from __future__ import annotations

from typing import Any

from tests.shipped import shipped_registry
from tests.tools.catalogue_world import call, run, within


def test_every_listed_tool_is_one_that_says_so_in_its_schema() -> None:
    listed = call("list_tools")["data"]
    entries = shipped_registry().tools.values()
    expected = {t.definition.tool_id for t in entries if t.definition.catalogue is not None}
    assert {tool["id"] for tool in listed["tools"]} == expected
    assert listed["count"] == len(expected) == sum(listed["categories"].values())
    assert all(tool["name"] and tool["summary"] for tool in listed["tools"])


def test_the_result_of_the_tool_is_returned() -> None:
    envelope = run("semver_compare", version="1.10.0", other="1.9.3")
    assert envelope["data"]["tool_id"] == "semver_compare"
    assert envelope["data"]["category"] == "developer"
    assert envelope["data"]["result"]["order"] == "newer"


def test_a_tool_is_found_by_its_name_in_words() -> None:
    assert run("Semver compare", version="1.0.0", other="1.0.0")["data"]["tool_id"] == (
        "semver_compare"
    )


def test_wrong_parameters_are_refused_by_the_tools_own_schema() -> None:
    error = run("semver_compare", version=3, speed=1)["error"]
    assert error["type"] == "VALIDATION"
    assert "semver_compare" in error["message"]
    assert {"/version", "/speed"} <= {one["pointer"] for one in error["errors"]}


def test_an_unknown_tool_is_not_found_and_the_nearest_are_named() -> None:
    error = run("semver_compere")["error"]
    assert (error["type"], error["nearest"][0]) == ("NOT_FOUND", "semver_compare")
    assert "list_tools" in run("zzzz")["error"]["message"]


def test_tools_outside_the_catalogue_cannot_be_reached_through_it() -> None:
    assert run("ignore_user", reason="spam")["error"]["type"] == "NOT_FOUND"
    assert run("run_tool", tool_id="semver_compare")["error"]["type"] == "NOT_FOUND"


def test_a_profile_that_does_not_declare_a_tool_can_still_run_it_here() -> None:
    async def scenario(call: Any) -> tuple[Any, Any]:
        params = {"version": "1.0.0", "other": "2.0.0"}
        direct = await call("semver_compare", **params)
        return direct, await call("run_tool", tool_id="semver_compare", params=params)

    direct, through = within(scenario, toolset=frozenset({"run_tool"}))
    assert direct["error"]["type"] in ("NOT_FOUND", "UNAVAILABLE")
    assert through["ok"]


def test_the_tools_of_the_catalogue_never_write() -> None:
    tools = shipped_registry().tools.values()
    assert not [t.definition.tool_id for t in tools if t.definition.catalogue and t.writes]
