"""Replaying an audit log: nothing changes by itself, and every change of tools or policy shows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antiphon import Orchestrator, Policy, Registry, ToolCall
from antiphon.orchestrator.replay import ReplayError, replay
from antiphon.orchestrator.replay_report import ReplayReport
from antiphon.registry.builder import build
from antiphon.registry.registry import Snapshot
from antiphon.storage import Store

Lines = list[dict[str, Any]]

FIND = """\
from antiphon import ok


async def execute(args, context):
    return ok({"results": [] if args.get("query") == "nothing" else [1]})
"""
FAIL = """\
from antiphon import ErrorType, fail


async def execute(args, context):
    if args.get("query") == "raise":
        raise RuntimeError("boom")
    return fail(ErrorType.TRANSIENT, "Not now.")
"""
COMPOSE = """\
from antiphon import ok


async def execute(args, context):
    answers = []
    for tool_id in args["tools"]:
        answers.append((await context.call_tool(tool_id, {"query": "inner"}))["ok"])
    return ok({"answers": answers})
"""
NESTED = """\
from antiphon import ok


async def execute(args, context):
    inner = await context.call_tool("compose", {"tools": ["find", "nested"]})
    return ok({"inner": inner["ok"]})
"""
WAIT = """\
import asyncio

from antiphon import ok


async def execute(args, context):
    for _ in range(5):
        await asyncio.sleep(0)
    return ok({"done": True})
"""

QUERY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "top_k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20},
    },
    "additionalProperties": False,
}
SECRET: dict[str, Any] = {
    "type": "object",
    "properties": {"pin": {"type": "integer"}},
    "required": ["pin"],
    "additionalProperties": False,
}
TOOLS: dict[str, Any] = {
    "type": "object",
    "properties": {"tools": {"type": "array", "items": {"type": "string"}}},
    "required": ["tools"],
    "additionalProperties": False,
}
READ = {
    "category": "retrieval",
    "sideEffects": "read_only",
    "origin": "trusted",
    "outside": False,
    "idempotent": True,
}
PURE = {"category": "utility", "sideEffects": "none", "idempotent": True}
WRITE = {
    "category": "action",
    "sideEffects": "writes",
    "origin": "trusted",
    "outside": False,
    "idempotent": False,
}

CONTRACTS: dict[str, tuple[str, dict[str, Any]]] = {
    "find": (FIND, READ),
    "write": (WAIT, WRITE),
    "ask": (FIND, {**WRITE, "requiresConfirmation": True}),
    "limited": (FIND, {**PURE, "rateLimit": {"calls": 2, "windowMs": 10_000}}),
    "limited_write": (WAIT, {**WRITE, "rateLimit": {"calls": 2, "windowMs": 10_000}}),
    "for_voice": (FIND, {**PURE, "allowedModes": ["voice"]}),
    "for_admins": (FIND, {**PURE, "availability": {"roles": ["admin"]}}),
    "secret": (FIND, {**PURE, "parameters": SECRET, "redact": ["/pin"]}),
    "flaky": (FAIL, PURE),
    "compose": (COMPOSE, {**PURE, "parameters": TOOLS}),
    "nested": (NESTED, PURE),
    "slow": (WAIT, {**PURE, "interruption": "detach"}),
}


def built(
    folder: Path, changes: dict[str, dict[str, Any]] | None = None, without: tuple[str, ...] = ()
) -> Registry:
    for tool_id, (handler, contract) in CONTRACTS.items():
        if tool_id in without:
            continue
        directory = folder / "tools" / tool_id.replace("_", "-")
        directory.mkdir(parents=True)
        schema = {
            "toolId": tool_id,
            "version": "1.0.0",
            "description": "For tests.",
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 1000,
            "parameters": QUERY,
            **contract,
            **(changes or {}).get(tool_id, {}),
        }
        (directory / "schema.json").write_text(json.dumps(schema))
        (directory / "guide.md").write_text(f"# {tool_id}\n\nFor tests.\n")
        (directory / "handler.py").write_text(handler)
    report = build([folder / "tools"], folder / "registry.json", use_cache=False)
    assert report.ok, report.findings
    return Registry.load(folder / "registry.json")


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    return built(tmp_path_factory.mktemp("today"))


class Clock:
    """Real enough: it moves on by itself, and jumps when told to."""

    def __init__(self) -> None:
        self.time = 1_767_225_600.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time


Drive = Callable[[Orchestrator, Clock], Coroutine[Any, Any, None]]


def recorded(registry: Registry, drive: Drive, policy: Policy | None = None) -> Lines:
    """The audit of a real orchestrator that was driven."""

    async def run() -> Lines:
        clock = Clock()
        store = Store.open("sqlite://", now=clock)
        async with store:
            async with Orchestrator(registry, store, policy=policy, now=clock) as orchestrator:
                await drive(orchestrator, clock)
            return [line.data for line in await store.audit_lines(limit=100_000)]

    return asyncio.run(run())


def same(lines: Lines, tools: Snapshot, policy: Policy | None = None) -> ReplayReport:
    report = replay(lines, tools, policy)
    assert [d.to_dict() for d in report.differences] == []
    return report


def call(tool: str, id: str | None = None, key: str | None = None, **args: Any) -> ToolCall:
    return ToolCall(id, tool, args, key)


async def everything(orchestrator: Orchestrator, clock: Clock) -> None:
    """Every rule at least once, in both modes."""
    voice = orchestrator.session("voice", "ada")
    for query in "abc":
        await voice.dispatch(call("find", query=query))  # the third: budget.retrieval
    await voice.dispatch(call("for_voice"))
    await voice.dispatch(call("for_voice", query="x"))  # budget.calls
    voice.end_turn()
    for _ in range(3):
        await voice.dispatch(call("write", query="same"))  # replay, then loop.repeat
    voice.end_turn()
    await voice.dispatch(call("write", "provider_id_1", query="same"))
    await voice.dispatch(call("write", "provider_id_1", query="same"))  # replay by id
    await voice.dispatch(call("write", "provider_id_2", query="same"))  # replay by hash
    await voice.dispatch(call("write", "provider_id_1", query="other"))  # conflict
    voice.end_turn()

    text = orchestrator.session("text", "grace")
    for top_k in (1, 2, 3):
        await text.dispatch(call("find", query="nothing", top_k=top_k))  # loop.empty
    await text.dispatch(call("for_voice"))
    await text.dispatch(call("for_admins"))
    await text.dispatch(call("fnid"))
    await text.dispatch(call("find", query=5))
    await text.dispatch(call("write", confirmationToken="mine"))
    await text.dispatch(ToolCall(None, "", {}))
    await text.dispatch(ToolCall(None, "x" * 300, {}))
    await text.dispatch(ToolCall(None, "find", [1]))
    await text.dispatch(ToolCall(None, "find", {"query": object()}))
    text.end_turn()
    for _ in range(7):
        text.begin_round()
        await text.dispatch(call("write", f"provider_id_{_}", query=str(_)))  # budget.rounds
    text.end_turn()
    for _ in range(4):
        await text.dispatch(call("limited", f"provider_id_{_}"))
        await text.dispatch(call("limited_write", key=str(_)))
    clock.time += 11
    await text.dispatch(call("limited"))
    for pin in (1, 2, 3, "no number", 3, 3):
        await text.dispatch(call("secret", pin=pin))
    text.end_turn()
    for query in ("a", "a", "a", "raise"):
        await text.dispatch(call("flaky", query=query))
    text.end_turn()
    await text.dispatch(call("nested"))
    await text.dispatch(call("compose", tools=["find"] * 25))
    await text.dispatch(call("compose", tools=["compose", "for_voice", "ask", "nobody"]))
    text.end_turn()
    await asyncio.gather(*(text.dispatch(call("slow", query="x")) for _ in range(4)))
    await asyncio.gather(*(text.dispatch(call("write", query="y")) for _ in range(4)))
    text.end_turn()

    asked = orchestrator.session("text", "linus")
    for query in "ab":
        envelope = await asked.dispatch(call("ask", query=query))
        assert envelope["error"]["type"] == "CONFIRMATION_REQUIRED"
        [request] = orchestrator.confirmations.waiting(asked)
        await asked.confirm(request["id"], request["token"], approve=query == "a")
    await orchestrator.block("linus", 3600, "rude")
    await asked.dispatch(call("find"))
    await text.end()
    await text.dispatch(call("find"))


def test_the_log_of_everything_is_decided_as_it_was(registry: Registry) -> None:
    lines = recorded(registry, everything)
    report = same(lines, registry.snapshot())
    assert {line["rule"] for line in lines if "rule" in line} >= {
        *("shape", "duplicate", "known", "blocked", "active", "mode", "availability", "rate"),
        *("nesting", "loop.empty", "loop.repeat", "budget.rounds", "budget.calls"),
        *("budget.retrieval", "confirmation.token", "arguments", "confirmation", "run"),
    }
    assert report.lines == len(lines)
    assert report.sessions == 3
    assert report.compared == sum(line["event"].startswith("tool_") for line in lines)
    assert set(report.assumed) >= {
        *("active", "blocked", "availability", "budget.rounds", "loop.empty", "arguments"),
    }


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("call"),
            st.integers(0, 1),
            st.sampled_from([*CONTRACTS, "nobody"]),
            st.sampled_from(["a", "b", "nothing", 5]),
            st.sampled_from([None, "provider_id_1", "provider_id_2", "temp_provider_id"]),
            st.sampled_from([None, None, None, "key"]),
        ),
        st.tuples(st.sampled_from(["turn", "round", "yes", "no"]), st.integers(0, 1)),
        st.tuples(st.just("clock"), st.sampled_from([1.0, 5.0, 20.0, 400.0])),
    ),
    max_size=40,
)


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_any_log_is_decided_as_it_was_by_the_same_tools_and_policy(
    registry: Registry, steps: list[Any]
) -> None:
    async def drive(orchestrator: Orchestrator, clock: Clock) -> None:
        sessions = [orchestrator.session("voice"), orchestrator.session("text")]
        for kind, *rest in steps:
            if kind == "clock":
                clock.time += rest[0]
                continue
            session = sessions[rest[0]]
            if kind == "call":
                _, tool, query, call_id, key = rest
                args: dict[str, Any] = {"query": query}
                if tool == "compose":
                    args = {"tools": ["find", "limited", str(query)]}
                elif tool == "secret":
                    args = {"pin": query}
                await session.dispatch(ToolCall(call_id, tool, args, key))
            elif kind == "turn":
                session.end_turn()
            elif kind == "round":
                session.begin_round()
            else:
                for asked in orchestrator.confirmations.waiting(session)[:1]:
                    await session.confirm(asked["id"], asked["token"], kind == "yes")

    same(recorded(registry, drive), registry.snapshot())


async def three_reads(orchestrator: Orchestrator, _clock: Clock) -> None:
    session = orchestrator.session("voice", id="one")
    for query in "abcde":
        await session.dispatch(call("find", query=query))


def changed(report: ReplayReport) -> list[tuple[int, str, str]]:
    return [(d.seq, d.recorded.rule, d.now.rule) for d in report.differences]


def test_a_larger_budget_is_used_up_by_the_calls_that_now_run(registry: Registry) -> None:
    lines = recorded(registry, three_reads)
    # Other lines, such as those about a clamped number, stand between the decisions.
    calls = [line.get("seq", n) for n, line in enumerate(lines, 1) if "rule" in line]
    policy = Policy()
    larger = replace(policy, voice=replace(policy.voice, retrieval_calls=4, total_calls=9))
    report = replay(lines, registry.snapshot(), larger)
    assert changed(report) == [(seq, "budget.retrieval", "run") for seq in calls[2:4]]
    assert report.changes == {("budget.retrieval", "run"): 2}
    smaller = replace(policy, voice=replace(policy.voice, retrieval_calls=1))
    report = replay(lines, registry.snapshot(), smaller)
    assert changed(report) == [(calls[1], "run", "budget.retrieval")]
    [difference] = report.differences
    assert difference.now.error_type == "BUDGET_EXCEEDED"
    assert "budget of 1" in (difference.now.message or "")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"allowedModes": ["text"]}, "mode"),
        ({"rateLimit": {"calls": 1, "windowMs": 60_000}}, "rate"),
        (
            {"parameters": {**QUERY, "properties": {"query": {"type": "string", "minLength": 2}}}},
            "arguments",
        ),
    ],
)
def test_a_changed_contract_shows(
    registry: Registry, tmp_path: Path, changes: dict[str, Any], rule: str
) -> None:
    today = built(tmp_path, {"find": changes})
    report = replay(recorded(registry, three_reads), today.snapshot())
    assert {now for _, then, now in changed(report) if then == "run"} == {rule}


def test_a_call_that_a_profile_let_through_in_a_further_mode_is_decided_as_it_was(
    registry: Registry,
) -> None:
    async def main(orchestrator: Orchestrator, clock: Clock) -> None:
        session = orchestrator.session("text", "ada", modes={"for_voice": ("text",)})
        session.append_audit("session_started", details=session.extra_modes())
        assert (await session.dispatch(call("for_voice")))["ok"]
        other = orchestrator.session("text", "ada")
        assert not (await other.dispatch(call("for_voice")))["ok"]

    same(recorded(registry, main), registry.snapshot())


def test_a_tool_that_needs_a_yes_now_would_ask(registry: Registry, tmp_path: Path) -> None:
    async def drive(orchestrator: Orchestrator, _clock: Clock) -> None:
        session = orchestrator.session("text")
        await session.dispatch(call("write", query="a"))
        await session.dispatch(call("write", query="a"))  # a replay of what would not have run

    today = built(tmp_path, {"write": {"requiresConfirmation": True}})
    report = replay(recorded(registry, drive), today.snapshot())
    assert changed(report) == [(1, "run", "confirmation"), (2, "duplicate", "confirmation")]
    assert report.to_dict()["differences"][0]["now"] == {
        "decision": "confirm",
        "rule": "confirmation",
        "errorType": None,
    }


def test_a_tool_that_is_gone_would_not_be_found(registry: Registry, tmp_path: Path) -> None:
    today = built(tmp_path, without=("find",))
    report = replay(recorded(registry, three_reads), today.snapshot())
    assert {now for _, _, now in changed(report)} == {"known"}
    assert len(report.differences) == 5


def test_a_looser_loop_rule_answers_from_the_record(registry: Registry) -> None:
    async def drive(orchestrator: Orchestrator, _clock: Clock) -> None:
        session = orchestrator.session("text")
        for _ in range(4):
            await session.dispatch(call("write", query="same"))

    lines = recorded(registry, drive)
    report = replay(lines, registry.snapshot(), Policy(same_call_limit=4))
    assert changed(report) == [(3, "loop.repeat", "duplicate")]
    report = replay(lines, registry.snapshot(), Policy(same_call_limit=2))
    assert changed(report) == [(2, "duplicate", "loop.repeat")]


def test_hidden_arguments_are_taken_as_they_were(registry: Registry, tmp_path: Path) -> None:
    async def drive(orchestrator: Orchestrator, _clock: Clock) -> None:
        session = orchestrator.session("text")
        await session.dispatch(call("secret", pin=1234))
        await session.dispatch(call("secret", pin="x"))

    lines = recorded(registry, drive)
    assert "1234" not in json.dumps([line.get("args") for line in lines])
    assert same(lines, registry.snapshot()).assumed == {"arguments": 2}
    today = built(tmp_path, {"secret": {"allowedModes": ["voice"]}})
    assert changed(replay(lines, today.snapshot())) == [
        (1, "run", "mode"),
        (2, "arguments", "mode"),
    ]


def test_a_restart_begins_the_turn_with_nothing(registry: Registry, tmp_path: Path) -> None:
    """Two lives of one session in the same turn: each had a budget of its own."""
    url = f"sqlite:///{tmp_path}/store.db"

    async def life() -> Lines:
        clock = Clock()
        async with Orchestrator(registry, url, now=clock) as orchestrator:
            session = await orchestrator.resume("one")
            if session is None:
                session = orchestrator.session("voice", id="one")
                await orchestrator.save(session)
            else:
                clock.time += 60
                session.append_audit("session_resumed", details={})
            for number in range(3):
                await session.dispatch(call("write", key=f"{clock.time}", query=str(number)))
            await orchestrator.store.flush()
            return [line.data for line in await orchestrator.store.audit_lines()]

    asyncio.run(life())
    lines = asyncio.run(life())
    assert [line["rule"] for line in lines if "rule" in line] == ["run"] * 6
    same(lines, registry.snapshot())
    without = [line for line in lines if line["event"] != "session_resumed"]
    assert replay(without, registry.snapshot()).differences


def test_a_line_that_says_too_little_is_named(registry: Registry) -> None:
    lines = recorded(registry, three_reads)
    del lines[1]["turnId"]
    with pytest.raises(ReplayError, match=r"line 2 .*'turnId'"):
        replay(lines, registry.snapshot())


def test_lines_about_other_things_are_counted_and_left_alone(registry: Registry) -> None:
    report = same([{"event": "session_ended"}, {"event": "noted", "rule": 5}], registry.snapshot())
    assert (report.lines, report.compared) == (2, 0)
