"""What a program knows of a session: read by rules and handlers, kept with it, never changed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import orjson
import pytest
from tests.facade.helpers import Replies, calls, says
from tests.orchestrator.helpers import write_tool

from antiphon import Antiphon, ErrorType, Registry
from antiphon.contracts.session_data import SessionData, session_data
from antiphon.policy import Case, PolicyView, Rule, ToolView, Verdict, refuse

TENANT = """\
from antiphon import ok


async def execute(args, context):
    return ok({{"tenant": context.session.data.get("tenant"), "data": context.session.data}})
"""
pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    folder = tmp_path_factory.mktemp("tools")
    write_tool(folder, "whose", handler=TENANT)
    write_tool(folder, "elsewhere", handler=TENANT, isolation="process")
    write_tool(folder, "only_acme", handler=TENANT, availability={"when": "data.tenant == 'acme'"})
    return Antiphon(tools=[folder]).registry


def not_for_evil(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    del case, tool
    if view.data.get("tenant") != "evil":
        return None
    return refuse("tenant", ErrorType.PERMANENT, "Not for this tenant.")


RULE = Rule("tenant", "Tenant", "The tenant may do that.", not_for_evil)


async def test_rules_and_handlers_read_it(tools: Registry) -> None:
    model = Replies(calls(("whose", {})), says("Acme."))
    async with Antiphon(tools=tools, model=model, rules=[RULE]) as app:
        result = await app.run("Whose?", data={"tenant": "acme", "roles": ["a", {"b": 1.5}]})
        assert result.calls[0].data["tenant"] == "acme"
        assert result.calls[0].data["data"]["roles"] == ("a", {"b": 1.5})
        refused = await app.call("whose", data={"tenant": "evil"})
        assert (refused.rule, refused.outcome) == ("tenant", "refuse")
        assert (await app.call("only_acme", data={"tenant": "acme"})).ok
        assert (await app.call("only_acme", data={"tenant": "other"})).rule == "availability"
        assert (await app.call("whose")).data["tenant"] is None


async def test_a_handler_in_a_worker_process_reads_it(tools: Registry) -> None:
    async with Antiphon(tools=tools, model=Replies()) as app:
        found = await app.call("elsewhere", data={"tenant": "acme", "more": {"a": [1]}})
        assert found.data == {"tenant": "acme", "data": {"tenant": "acme", "more": {"a": [1]}}}


async def test_it_is_kept_with_the_session_until_it_is_replaced(
    tools: Registry, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/agent.db"
    async with Antiphon(tools=tools, model=Replies(says("Hi.")), store=url) as app:
        kept = (await app.run("Hi", data={"tenant": "acme", "tags": ["x"]})).session_id
    async with Antiphon(tools=tools, model=Replies(says("Hi.")), store=url) as app:
        session = await app.session(id=kept)
        assert session.data == {"tenant": "acme", "tags": ("x",)}
        assert (await app.call("whose", session=session)).data["tenant"] == "acme"
        await app.run("Hi", session=kept, data={"tenant": "other"})
        assert (await app.call("whose", session=kept)).data["tenant"] == "other"


def test_it_cannot_be_changed() -> None:
    data = session_data({"tenant": "acme", "more": {"a": [1]}})
    with pytest.raises(TypeError, match="read-only"):
        data["tenant"] = "evil"
    with pytest.raises(TypeError, match="read-only"):
        data["more"].update(a=2)
    with pytest.raises(TypeError, match="read-only"):
        data |= {"tenant": "evil"}
    with pytest.raises(TypeError, match="read-only"):
        data.pop("tenant")
    assert type(pickle.loads(pickle.dumps(data))) is dict
    assert orjson.loads(orjson.dumps(data)) == {"tenant": "acme", "more": {"a": [1]}}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"when": object()}, "/when is a object"),
        ({"a": {"b": [1, float("nan")]}}, "/a/b/1 is a float"),
        ({1: 2}, "has the key 1"),
        ([1], "has to be a mapping, not list"),
    ],
)
def test_what_is_no_json_is_named(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        session_data(given)


def test_what_is_nested_without_end_is_refused() -> None:
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    with pytest.raises(ValueError, match="nested more than"):
        session_data(ring)
    assert session_data(None) == SessionData()
