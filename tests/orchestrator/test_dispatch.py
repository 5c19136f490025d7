"""The one path of every call: always one valid envelope, whatever is asked and whatever happens."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import (
    PURE,
    House,
    answer,
    built,
    call,
    house,
    kind,
    settle,
    toolbox,
    valid,
    write_tool,
)

from antiphon import Budget, ErrorType, Intent, Policy, Registry, ToolCall, ToolError, fail, ok
from antiphon.contracts import ToolResult
from antiphon.orchestrator.client_call import ClientRequest

pytestmark = pytest.mark.virtual_time(patience=0.0)

SURROGATE = "\ud800"


class Odd(Exception):
    """An error that nobody planned for, with something in it that the model must not see."""


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path / 'store.db'}"


# -- answers -----------------------------------------------------------------------------------


async def test_reads_and_writes_are_answered_with_the_whole_envelope(store: str) -> None:
    async with house(store=store) as h:
        session = h.session()
        for name in ("compute", "save_note", "plain"):
            envelope = await answer(session, name, {"text": "a"})
            assert envelope["data"] == {"effect": 1, "args": {"text": "a"}}
            assert envelope["meta"] == {
                "toolId": name,
                "toolVersion": "1.2.3",
                "registryVersion": toolbox().version,
                "duration": 0.0,
                "responseSchemaVersion": "1.0.0",
            }


NO_CALLS: list[tuple[Any, Any]] = [
    ("", {}),
    (None, {}),
    (5, {}),
    (["look_up"], {}),
    ("x" * 5000, {}),
    (SURROGATE, {}),
    ("save_note", [1]),
    ("save_note", "text"),
    ("save_note", {"text": {1, 2}}),
    ("save_note", {1: "text"}),
    ("save_note", {"text": SURROGATE}),
    ("save_note", {"text": object()}),
    ("compute", {"text": math.nan}),
    ("compute", {"text": 2**80}),
]


@pytest.mark.rule("shape")
@pytest.mark.parametrize(
    "id",
    [None, "call_0123456789", "short", 77, SURROGATE * 9, object()],
    ids=["none", "stable", "short", "number", "surrogates", "object"],
)
async def test_whatever_a_call_is_made_of_it_is_answered_and_never_run(id: Any) -> None:
    async with house() as h:
        session = h.session()
        for name, args in NO_CALLS:
            assert kind(await answer(session, name, args, id=id)) in ("VALIDATION", "NOT_FOUND")
        assert h.work.started == []
        assert len(await h.lines()) == len(NO_CALLS)
        assert (await h.store.verify_audit()).ok


async def test_missing_arguments_are_no_arguments() -> None:
    async with house() as h:
        envelope = valid(await h.session().dispatch(ToolCall("call_0123456789", "compute")))
        assert envelope["data"]["args"] == {}


@pytest.mark.rule("shape")
async def test_arguments_nested_without_end_are_refused() -> None:
    args: dict[str, Any] = {}
    args["text"] = args
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    async with house() as h:
        session = h.session()
        assert kind(await answer(session, "save_note", args)) == "VALIDATION"
        assert kind(await answer(session, "save_note", {"text": deep})) == "VALIDATION"


@pytest.mark.rule("known")
async def test_an_unknown_tool_is_answered_with_the_nearest_names() -> None:
    async with house() as h:
        envelope = await answer(h.session(), "save_notes", {})
        assert kind(envelope) == "NOT_FOUND"
        assert envelope["error"]["nearest"][0] == "save_note"
        assert envelope["meta"]["toolId"] == "save_notes"
        assert envelope["meta"]["toolVersion"] is None


@pytest.mark.rule("arguments")
async def test_bad_arguments_name_every_field_and_nothing_runs() -> None:
    async with house() as h:
        envelope = await answer(h.session(), "send_mail", {"to": "ada", "cc": 1})
        assert kind(envelope) == "VALIDATION"
        assert {e["pointer"] for e in envelope["error"]["errors"]} == {"/to", "/cc"}
        assert h.work.started == []


# -- what handlers do --------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["compute", "plain", "save_note"])
@pytest.mark.parametrize("error", [Odd("secret 42"), SystemExit(3), asyncio.CancelledError()])
@pytest.mark.parametrize("waits", [False, True])
async def test_an_unexpected_exception_is_internal_and_tells_the_model_nothing(
    tool: str, error: BaseException, waits: bool, caplog: pytest.LogCaptureFixture
) -> None:
    def now(args: Any, context: Any) -> Any:
        raise error

    async def later(args: Any, context: Any) -> Any:
        await asyncio.sleep(1)
        raise error

    async with house() as h:
        h.work.does(tool, later if waits and tool != "plain" else now)
        envelope = await answer(h.session("voice"), tool, {"text": "a"})
        body = envelope["error"]
        assert (body["type"], body["retryable"]) == ("INTERNAL", False)
        assert body["partialSideEffects"] is True
        assert "secret" not in json.dumps(envelope)
        assert "Traceback" not in json.dumps(envelope)
        assert "Odd" not in json.dumps(envelope)
    assert any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("tool", ["compute", "save_note"])
@pytest.mark.parametrize(
    "result",
    [
        None,
        {"ok": True},
        "text",
        ok([1, 2]),  # type: ignore[arg-type]
        ok("text"),  # type: ignore[arg-type]
        ok({"when": object()}),
        ok({1: "x"}),  # type: ignore[dict-item]
        ok({"text": SURROGATE}),
        ok({}, intents=7),  # type: ignore[arg-type]
        ok({}, intents=[{"type": "SET_PENDING_MESSAGE", "message": "x", "more": object()}]),
        fail(ErrorType.PERMANENT, "no", detail=object()),
        fail(ErrorType.PERMANENT, ""),
        ToolResult(False, None, None, []),
    ],
)
async def test_a_result_that_is_none_is_internal(tool: str, result: Any) -> None:
    async with house() as h:
        h.work.does(tool, lambda args, context: result)
        envelope = await answer(h.session(), tool, {"text": "a"})
        assert kind(envelope) == "INTERNAL"
        assert envelope["error"]["partialSideEffects"] is True


async def test_data_of_the_wrong_shape_is_internal_and_its_place_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house() as h:
        session = h.session()
        h.work.does("shaped", lambda args, context: ok({"n": 3}))
        assert kind(await answer(session, "shaped")) == "ok"
        h.work.does("shaped", lambda args, context: ok({"n": "three"}))
        envelope = await answer(session, "shaped")
        assert kind(envelope) == "INTERNAL"
        assert envelope["error"]["partialSideEffects"] is False
    assert any("/n" in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("raised", [True, False])
@pytest.mark.parametrize("tool", ["compute", "save_note"])
async def test_a_failure_that_the_tool_reports_is_given_as_it_is(tool: str, raised: bool) -> None:
    def busy(args: Any, context: Any) -> Any:
        details = {"retry_after": 2.5, "partial_side_effects": True, "hint": "later"}
        if raised:
            raise ToolError(ErrorType.RATE_LIMIT, "Busy.", **details)
        return fail(ErrorType.RATE_LIMIT, "Busy.", **details)

    async with house() as h:
        h.work.does(tool, busy)
        assert (await answer(h.session(), tool))["error"] == {
            "type": "RATE_LIMIT",
            "message": "Busy.",
            "retryable": True,
            "partialSideEffects": True,
            "retryAfter": 2.5,
            "hint": "later",
        }


async def test_a_generator_tells_its_progress_and_answers_with_its_last_value() -> None:
    seen: list[dict[str, Any]] = []
    async with house() as h:
        h.orchestrator.progress_listeners.subscribe(lambda session, event: seen.append(event))
        assert (await answer(h.session(), "steps"))["data"] == {"steps": 2}
    assert [(e["toolId"], e["message"]) for e in seen] == [("steps", "one"), ("steps", "two")]
    assert (seen[0]["done"], seen[0]["fraction"]) == (1, None)


@pytest.mark.parametrize("tool", ["compute", "plain"])
async def test_progress_reaches_whoever_watches_and_a_watcher_that_fails_harms_nobody(
    tool: str,
) -> None:
    def script(args: Any, context: Any) -> Any:
        context.progress("half", 0.5, extra=1)
        return ok({"done": True})

    seen: list[dict[str, Any]] = []

    def watch(session: Any, event: dict[str, Any]) -> None:
        seen.append(event)
        raise Odd("watcher")

    async with house() as h:
        h.work.does(tool, script)
        session = h.session()
        assert kind(await answer(session, tool)) == "ok"
        h.orchestrator.progress_listeners.subscribe(watch)
        assert kind(await answer(session, tool)) == "ok"
        await settle()
    assert [(e["message"], e["fraction"], e["extra"]) for e in seen] == [("half", 0.5, 1)]


async def test_a_tool_in_the_browser_is_answered_by_the_browser() -> None:
    async with house() as h:
        session = h.session()
        assert kind(await answer(session, "in_browser", {"text": "a"})) == "UNAVAILABLE"

        answers: list[Any] = [{"page": "/"}, "text", object()]
        asked: list[Any] = []

        async def browser(request: ClientRequest) -> Any:
            asked.append((request.tool_id, request.args))
            await asyncio.sleep(0.1)
            return answers.pop(0)

        session.run_in_client = browser
        assert (await answer(session, "in_browser", {"text": "b"}))["data"] == {"page": "/"}
        assert (await answer(session, "in_browser", {"text": "c"}))["data"] == {"result": "text"}
        assert kind(await answer(session, "in_browser", {"text": "d"})) == "PERMANENT"
        assert asked[0] == ("in_browser", {"text": "b"})

        async def silent(request: ClientRequest) -> Any:
            await asyncio.Event().wait()

        session = h.session("voice")
        session.run_in_client = silent
        assert kind(await answer(session, "in_browser", {"text": "e"})) == "TRANSIENT"
        assert kind(await answer(session, "in_background")) == "UNAVAILABLE"


# -- retries and timeouts ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "tool", "attempts"),
    [
        ("text", "compute", 2),
        ("text", "put_note", 2),
        ("text", "plain", 2),
        ("text", "flaky_pure", 1),
        ("text", "save_note", 1),
        ("voice", "compute", 1),
        ("voice", "put_note", 1),
    ],
)
@pytest.mark.parametrize("waits", [False, True])
async def test_only_text_retries_an_idempotent_tool_and_only_once(
    mode: str, tool: str, attempts: int, waits: bool
) -> None:
    async def later(args: Any, context: Any) -> Any:
        await asyncio.sleep(0.2)
        raise ToolError(ErrorType.TRANSIENT, "not now")

    def now(args: Any, context: Any) -> Any:
        return fail(ErrorType.TRANSIENT, "not now")

    async with house() as h:
        h.work.does(tool, later if waits and tool != "plain" else now)
        envelope = await answer(h.session(mode), tool, {"text": "a"})
        assert kind(envelope) == "TRANSIENT"
        assert h.work.started == [tool] * attempts
        assert len(set(h.work.keys)) == 1


async def test_a_retry_that_works_is_the_answer() -> None:
    async with house() as h:
        answers = [fail(ErrorType.TRANSIENT, "not now"), ok({"found": 1})]
        h.work.does("compute", lambda args, context: answers.pop(0))
        envelope = await answer(h.session(), "compute")
        assert envelope["data"] == {"found": 1}
        assert 50 <= envelope["meta"]["duration"] <= 150


@pytest.mark.parametrize("error", [ErrorType.PERMANENT, ErrorType.RATE_LIMIT])
async def test_other_failures_are_not_retried(error: ErrorType) -> None:
    async with house() as h:
        h.work.does("compute", lambda args, context: fail(error, "no"))
        assert kind(await answer(h.session(), "compute")) == error
        assert h.work.started == ["compute"]


@pytest.mark.parametrize("tool", ["read_cancel", "read_finish"])
async def test_a_read_that_takes_too_long_is_cancelled_and_may_be_tried_again(tool: str) -> None:
    ended: list[str] = []

    async def endless(args: Any, context: Any) -> Any:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(tool)

    async with house() as h:
        h.work.does(tool, endless)
        session = h.session("voice")
        envelope = await answer(session, tool, id="call_timed_out")
        assert (kind(envelope), envelope["error"]["retryable"]) == ("TRANSIENT", True)
        assert envelope["meta"]["duration"] == 5000
        assert ended == [tool]
        h.work.scripts.clear()
        assert kind(await answer(session, tool, id="call_timed_out")) == "ok"


async def test_a_write_that_takes_too_long_goes_on_and_its_result_comes_late() -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(60)
        return ok({"done": 1})

    heard: list[Any] = []
    async with house() as h:
        h.work.does("save_note", slow)
        session = h.session()
        session.late_listeners.subscribe(lambda made, envelope: heard.append((made, envelope)))
        made = call("save_note", {"text": "a"})
        envelope = valid(await session.dispatch(made))
        assert (kind(envelope), envelope["meta"]["duration"]) == ("IN_PROGRESS", 5000)
        assert session.drain_late_results() == []
        await h.clock.advance(60)
        late = session.drain_late_results()
        assert [(m, e["data"]) for m, e in late] == [(made, {"done": 1})]
        assert heard == late
        assert session.drain_late_results() == []
        replayed = valid(await session.dispatch(made))
        assert replayed["data"] == {"done": 1}
        assert replayed["meta"]["replayed"] is True
        assert h.work.started == ["save_note"]


async def test_a_latency_budget_that_is_exceeded_warns_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(0.6)
        return ok({"x": 1})

    with caplog.at_level(logging.WARNING):
        async with house() as h:
            h.work.does("compute", slow)
            await answer(h.session(), "compute")
            assert h.orchestrator.metrics.snapshot()["latency"]["compute"]["overBudget"] == 1
    assert "600 ms" in caplog.text


async def test_a_caller_that_is_cancelled_leaves_nothing_behind() -> None:
    async def endless(args: Any, context: Any) -> Any:
        await asyncio.Event().wait()

    async with house() as h:
        h.work.does("compute", endless)
        session = h.session()
        task = asyncio.create_task(answer(session, "compute", id="call_cancelled"))
        duplicate = asyncio.create_task(answer(session, "compute", id="call_cancelled"))
        await settle()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert kind(await duplicate) == "CANCELLED"
        assert session.running == {}
        [line, *_] = await h.told(event="tool_execution")
        assert line["errorType"] == "CANCELLED"


# -- variants ----------------------------------------------------------------------------------


async def test_a_session_keeps_its_variant_and_the_weights_are_kept() -> None:
    async with house() as h:
        drawn: Counter[str] = Counter()
        for number in range(400):
            session = h.session(id=f"session-{number}")
            names = set()
            for text in "xy":
                envelope = await answer(session, "varied", {"text": text})
                assert envelope["meta"]["variant"] == envelope["data"]["by"]
                names.add(envelope["data"]["by"])
            assert len(names) == 1
            drawn.update(names)
        assert 260 < drawn["a"] < 340  # three of four, and the ids are always the same
        line = (await h.told(limit=1))[0]
        assert line["variant"] in ("a", "b")


# -- intents -----------------------------------------------------------------------------------


async def test_intents_change_the_state_of_the_session() -> None:
    intents = [
        Intent.suppress_audio(),
        Intent.set_pending_message("later"),
        Intent.end_voice_session("farewell_spoken"),
    ]
    async with house() as h:
        data = {"reason": "done", "finalMessage": "Bye", "textResponse": "See you"}
        h.work.does("compute", lambda args, context: ok(data, intents))
        session = h.session("voice")
        envelope = await answer(session, "compute")
        assert envelope["intents"] == intents
        assert session.state.get("should_suppress_audio") is True
        assert session.state.get("pending_message") == "later"
        assert session.state.get("pending_end_voice_session") == {
            "after": "farewell_spoken",
            "reason": "done",
            "closingMessage": "Bye",
            "textResponse": "See you",
        }
        [line] = await h.told(event="tool_execution")
        assert line["intents"] == [intent["type"] for intent in intents]


async def test_an_unknown_intent_is_refused_and_logged_and_the_call_still_succeeds() -> None:
    bad = [{"type": "FORMAT_DISK"}, "x", {"type": "SUPPRESS_AUDIO", "value": 1}]
    good = Intent.suppress_transcript()
    async with house() as h:
        h.work.does("compute", lambda args, context: ok({"x": 1}, [*bad, good]))  # type: ignore[list-item]
        session = h.session()
        envelope = await answer(session, "compute")
        assert envelope["data"] == {"x": 1}
        assert envelope["intents"] == [good]
        assert session.state.get("should_suppress_transcript") is True
        assert session.state.get("should_suppress_audio") is False
        refused = await h.told(event="intent_refused")
        assert [line["details"]["intent"] for line in refused] == [
            "FORMAT_DISK",
            "None",
            "SUPPRESS_AUDIO",
        ]


async def test_an_intent_that_does_not_fit_the_session_is_refused() -> None:
    async with house() as h:
        h.work.does("compute", lambda args, context: ok({}, [Intent.end_voice_session()]))
        session = h.session("text")
        envelope = await answer(session, "compute")
        assert (kind(envelope), envelope["intents"]) == ("ok", [])
        assert session.state.get("pending_end_voice_session") is None
        [line] = await h.told(event="intent_refused")
        assert line["details"]["reason"] == "there is no voice session to end"


# -- loops, budgets, rates ---------------------------------------------------------------------


@pytest.mark.rule("loop.empty")
@pytest.mark.parametrize("data", [{}, {"results": []}, {"results": [], "total": 0}])
async def test_two_empty_results_end_a_search_until_the_next_turn(data: dict[str, Any]) -> None:
    async with house() as h:
        h.work.does("look_up", lambda args, context: ok(data))
        session = h.session()
        kinds = [kind(await answer(session, "look_up", {"query": q})) for q in "abc"]
        assert kinds == ["ok", "ok", "LOOP_DETECTED"]
        assert len(h.work.started) == 2
        assert kind(await answer(session, "compute")) == "ok"
        session.end_turn()
        assert kind(await answer(session, "look_up", {"query": "c"})) == "ok"


async def test_results_with_something_in_them_are_not_empty() -> None:
    async with house() as h:
        h.work.does("compute", lambda args, context: ok({"results": [], "near": ["x"]}))
        h.work.does("save_note", lambda args, context: ok({}))
        session = h.session()
        for text in "abcd":
            assert kind(await answer(session, "compute", {"text": text})) == "ok"
            assert kind(await answer(session, "save_note", {"text": text})) == "ok"


@pytest.mark.rule("loop.repeat")
async def test_the_third_identical_call_of_a_turn_is_a_loop_whatever_its_id() -> None:
    async with house() as h:
        session = h.session()
        kinds = [kind(await answer(session, "compute", {"text": "a"})) for _ in range(4)]
        assert kinds == ["ok", "ok", "LOOP_DETECTED", "LOOP_DETECTED"]
        assert len(h.work.started) == 2
        assert kind(await answer(session, "compute", {"text": "b"})) == "ok"
        session.end_turn()
        assert kind(await answer(session, "compute", {"text": "a"})) == "ok"


@pytest.mark.rule("loop.repeat")
@pytest.mark.parametrize("tool", ["compute", "save_note"])
async def test_a_replay_found_by_hash_counts_as_a_call(tool: str) -> None:
    async with house() as h:
        session = h.session()
        envelopes = [await answer(session, tool, {"text": "a"}, id=None) for _ in range(3)]
        assert [kind(e) for e in envelopes] == ["ok", "ok", "LOOP_DETECTED"]
        assert envelopes[1]["meta"]["replayed"] is True
        assert len(h.work.started) == 1


@pytest.mark.rule("loop.repeat")
@pytest.mark.parametrize("tool", ["compute", "save_note"])
async def test_a_replay_found_by_its_id_is_no_call(tool: str) -> None:
    async with house() as h:
        session = h.session("voice")
        for _ in range(9):
            assert kind(await answer(session, tool, {"text": "a"}, id="call_resent")) == "ok"
        assert len(h.work.started) == 1
        assert session.view.turn.total == 1


@pytest.mark.rule("budget.calls")
async def test_a_voice_turn_has_three_calls() -> None:
    async with house() as h:
        session = h.session("voice")
        envelopes = [await answer(session, "compute", {"text": t}) for t in "abcd"]
        assert [kind(e) for e in envelopes] == ["ok"] * 3 + ["BUDGET_EXCEEDED"]
        assert envelopes[3]["error"]["left"] == {"calls": 0, "retrieval": 2}
        assert h.orchestrator.metrics.snapshot()["budgetRefusals"] == 1
        session.end_turn()
        assert kind(await answer(session, "compute", {"text": "d"})) == "ok"


@pytest.mark.rule("budget.calls")
async def test_calls_at_the_same_time_share_the_budget() -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(0.1)
        return ok({"x": 1})

    async with house() as h:
        for tool in ("compute", "save_note"):
            h.work.does(tool, slow)
            session = h.session("voice")
            calls = (answer(session, tool, {"text": t}) for t in "abcdef")
            kinds = Counter(kind(e) for e in await asyncio.gather(*calls))
            assert kinds == {"ok": 3, "BUDGET_EXCEEDED": 3}


@pytest.mark.rule("budget.rounds")
async def test_a_text_turn_has_five_rounds_of_any_number_of_calls() -> None:
    async with house() as h:
        session = h.session("text")
        for number in range(6):
            session.begin_round()
            for text in "ab":
                envelope = await answer(session, "compute", {"text": f"{number}{text}"})
                assert kind(envelope) == ("ok" if number < 5 else "BUDGET_EXCEEDED")


@pytest.mark.rule("budget.retrieval")
async def test_a_policy_of_ones_own_is_in_force() -> None:
    policy = Policy(text=Budget(1, 2, None, 1, 100))
    async with house(policy=policy) as h:
        session = h.session("text")
        envelope = await answer(session, "look_up", {"query": "a"})
        assert envelope["data"]["args"] == {"query": "a", "top_k": 1}
        assert envelope["meta"]["budget"] == {"clamped": {"top_k": {"asked": 5, "used": 1}}}
        await h.store.flush()
        (noted,) = await h.store.audit_lines(event="top_k_clamped")
        assert noted.data["details"] == {"asked": 5, "used": 1}
        assert noted.data["toolId"] == envelope["meta"]["toolId"]
        envelope = await answer(session, "look_up", {"query": "b"})
        assert envelope["error"]["left"] == {"calls": 1, "retrieval": 0}


@pytest.mark.rule("budget.calls")
@pytest.mark.rule("arguments")
async def test_what_is_refused_by_a_gate_before_the_budget_does_not_use_it_up() -> None:
    async with house() as h:
        session = h.session("voice")
        for number in range(9):
            await answer(session, "nobody", {"text": str(number)})
            await answer(session, "text_only", {"text": str(number)})
            await answer(session, "for_admins", {"text": str(number)})
        assert session.view.turn.total == 0
        await answer(session, "compute", {"wrong": 1})
        assert session.view.turn.total == 1


async def test_a_voice_turn_that_has_spent_its_time_is_warned_from_then_on() -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(0.9)
        return ok({"x": 1})

    async with house() as h:
        h.work.does("compute", slow)
        session = h.session("voice")
        metas = [(await answer(session, "compute", {"text": t}))["meta"] for t in "abc"]
        assert "budget" not in metas[0]
        assert [m["budget"]["toolTimeMs"] for m in metas[1:]] == [1800, 2700]
        assert "1500 ms" in metas[1]["budget"]["warning"]
        session.end_turn()
        assert "budget" not in (await answer(session, "compute", {"text": "d"}))["meta"]


@pytest.mark.rule("rate")
@pytest.mark.parametrize("tool", ["limited", "limited_write"])
async def test_a_rate_limit_says_when_and_lets_through_again_then(tool: str) -> None:
    async with house() as h:
        session = h.session()
        assert kind(await answer(session, tool, {"text": "a"})) == "ok"
        await h.clock.advance(4)
        assert kind(await answer(session, tool, {"text": "b"})) == "ok"
        envelope = await answer(session, tool, {"text": "c"})
        assert (kind(envelope), envelope["error"]["retryAfter"]) == ("RATE_LIMIT", 6)
        assert kind(await answer(h.session(), tool, {"text": "c"})) == "ok"  # its own window
        await h.clock.advance(6.001)
        assert kind(await answer(session, tool, {"text": "c"})) == "ok"


@pytest.mark.rule("rate")
@pytest.mark.parametrize("tool", ["limited", "limited_write"])
async def test_calls_at_the_same_time_share_the_rate(tool: str) -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(1)
        return ok({"x": 1})

    async with house() as h:
        h.work.does(tool, slow)
        session = h.session()
        calls = (answer(session, tool, {"text": t}) for t in "abcdef")
        kinds = Counter(kind(e) for e in await asyncio.gather(*calls))
        assert kinds == {"ok": 2, "RATE_LIMIT": 4}


@pytest.mark.rule("rate")
async def test_a_rate_window_survives_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        session = h.session(id="one")
        await h.orchestrator.save(session)
        for text in "ab":
            await answer(session, "limited", {"text": text})
    async with house(store=store) as h:
        session = await h.orchestrator.resume("one")
        assert session is not None
        assert kind(await answer(session, "limited", {"text": "c"})) == "RATE_LIMIT"


# -- gates of the session ----------------------------------------------------------------------


@pytest.mark.rule("mode")
@pytest.mark.rule("availability")
async def test_mode_and_availability_are_checked_for_each_session() -> None:
    async with house() as h:
        assert kind(await answer(h.session("text"), "voice_only")) == "MODE_RESTRICTED"
        assert kind(await answer(h.session("voice"), "text_only")) == "MODE_RESTRICTED"
        assert kind(await answer(h.session(), "for_admins")) == "UNAVAILABLE"
        assert kind(await answer(h.session(roles=["admin"]), "for_admins")) == "ok"
        pro = h.session(fields={"plan": {"tier": "pro"}})
        assert kind(await answer(pro, "with_plan")) == "ok"


@pytest.mark.rule("blocked")
async def test_a_blocked_user_is_refused_everywhere_until_the_time_is_over(tmp_path: Path) -> None:
    async def block(args: Any, context: Any) -> Any:
        return ok({"until": await context.users.block(60, "rude")})

    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        h.work.does("compute", block)
        before, other = h.session(user="bob"), h.session(user="eve")
        until = (await answer(before, "compute"))["data"]["until"]
        assert until == h.clock.now() + 60
        for session in (before, h.session(user="bob")):
            envelope = await answer(session, "plain")
            assert kind(envelope) == "UNAVAILABLE"
            assert envelope["error"]["timeoutUntil"] == until * 1000
        assert kind(await answer(other, "plain")) == "ok"
        assert await h.orchestrator.block("bob", 1, "shorter") == until
    async with house(store=store) as h:  # the same instant, another process
        h.clock.jump(30)
        assert kind(await answer(h.session(user="bob"), "plain")) == "UNAVAILABLE"
        h.clock.jump(31)
        assert h.orchestrator.blocked_until("bob") is None
        assert kind(await answer(h.session(user="bob"), "plain")) == "ok"


@pytest.mark.rule("active")
async def test_nothing_runs_after_the_end_of_a_session() -> None:
    async with house() as h:
        session = h.session()
        await session.end("done")
        assert kind(await answer(session, "compute")) == "SESSION_INACTIVE"
        assert session.state.get("is_active") is False
        assert await h.orchestrator.resume(session.id) is None
        [line] = await h.told(event="session_ended")
        assert line["details"] == {"reason": "done", "calls": 0}


# -- reloads -----------------------------------------------------------------------------------


def two_versions(folder: Path) -> Registry:
    """A registry whose tools on disk have changed; `reload` takes the new ones."""
    write_tool(folder / "tools", "changing", **PURE)
    registry = built(folder / "tools")
    write_tool(folder / "tools", "changing", version="2.0.0", **PURE)
    write_tool(folder / "tools", "added", **PURE)
    built(folder / "tools")
    return registry


@pytest.mark.rule("registry.version")
async def test_in_production_a_session_goes_on_with_its_own_tools(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    registry = two_versions(tmp_path)
    async with house(registry, mode="production") as h:
        session = h.session()
        old = session.snapshot.version
        registry.reload()
        for text in "ab":
            envelope = await answer(session, "changing", {"text": text})
            assert envelope["meta"]["toolVersion"] == "1.2.3"
            assert envelope["meta"]["registryVersion"] == old
        assert kind(await answer(session, "added")) == "NOT_FOUND"
        assert (await answer(h.session(), "changing"))["meta"]["toolVersion"] == "2.0.0"
        assert len(await h.lines(event="registry_mismatch")) == 1
    assert "the tools changed" in caplog.text


@pytest.mark.rule("registry.version")
async def test_in_development_a_changed_registry_ends_the_session(tmp_path: Path) -> None:
    registry = two_versions(tmp_path)
    async with house(registry, mode="development") as h:
        session = h.session()
        registry.reload()
        for text in "ab":
            envelope = await answer(session, "changing", {"text": text})
            assert kind(envelope) == "UNAVAILABLE"
            assert "Start a new one" in envelope["error"]["message"]
        assert h.work.started == []
        assert session.state.get("is_active") is False
        [line, _] = await h.told(event="tool_decision")
        assert line["rule"] == "registry.version"
        assert kind(await answer(h.session(), "changing")) == "ok"


# -- audit and metrics -------------------------------------------------------------------------


async def test_every_decision_and_execution_has_its_line_with_every_field() -> None:
    async with house() as h:
        session = h.session("voice", id="the-session")
        made = call("save_note", {"text": "a"})
        await session.dispatch(made, source="rest")
        await session.dispatch(made)
        session.end_turn()
        await session.dispatch(call("text_only"))
        ran, replayed, refused = await h.told()
        common = {
            "sessionId": "the-session",
            "user": "ada",
            "mode": "voice",
            "registryVersion": toolbox().version,
            "toolVersion": "1.2.3",
            "variant": None,
            "intents": [],
            "duration": 0.0,
        }
        assert (
            ran.items()
            >= {
                **common,
                "event": "tool_execution",
                "toolId": "save_note",
                "category": "action",
                "turnId": 1,
                "callId": made.id,
                "idempotencyKey": f"provider:{made.id}",
                "args": {"text": "a"},
                "decision": "run",
                "rule": "run",
                "ok": True,
                "errorType": None,
                "source": "rest",
                "seq": 1,
            }.items()
        )
        assert (
            replayed.items()
            >= {
                **common,
                "event": "tool_replayed",
                "decision": "replay",
                "rule": "duplicate",
                "ok": True,
                "seq": 2,
            }.items()
        )
        assert (
            refused.items()
            >= {
                **common,
                "event": "tool_decision",
                "toolId": "text_only",
                "category": "utility",
                "turnId": 2,
                "decision": "refuse",
                "rule": "mode",
                "ok": False,
                "errorType": "MODE_RESTRICTED",
                "source": "agent",
                "seq": 3,
            }.items()
        )
        report = await h.store.verify_audit()
        assert (report.ok, report.count) == (True, 3)


@pytest.mark.parametrize("store_kind", ["memory", "file"])
async def test_what_is_to_be_hidden_is_written_nowhere(store_kind: str, tmp_path: Path) -> None:
    url = "sqlite://" if store_kind == "memory" else f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=url) as h:
        session = h.session(id="s")
        args = {"user": "ada", "password": "hunter2"}
        envelope = await answer(session, "sign_in", args)
        assert h.work.effects == [("sign_in", args)]
        assert envelope["ok"]
        await answer(session, "sign_in", {**args, "password": 5})
        lines = await h.told()
        assert [line["args"] for line in lines] == [{"user": "ada", "password": "[redacted]"}] * 2
        [row] = await h.store.ledger("s")
        assert json.loads(row.args) == {"user": "ada", "password": "[redacted]"}


async def test_a_tool_may_add_lines_of_its_own_and_nothing_in_them_breaks_the_chain() -> None:
    def script(args: Any, context: Any) -> Any:
        context.audit.log("looked", {"at": "the sky"})
        context.audit.log("odd", {"thing": object(), "text": SURROGATE})
        return ok({"x": 1})

    async with house() as h:
        h.work.does("compute", script)
        await answer(h.session(), "compute")
        lines = await h.told()
        assert (lines[0]["event"], lines[0]["details"]) == ("looked", {"at": "the sky"})
        assert lines[0]["toolId"] == "compute"
        assert lines[-1]["event"] == "tool_execution"
        assert (await h.store.verify_audit()).ok


async def test_numbers_are_kept_of_what_ran_and_of_what_was_refused() -> None:
    before = toolbox().metrics()["compute"]
    async with house() as h:
        session = h.session()
        await answer(session, "compute", {"text": "a"})
        h.work.does("compute", lambda args, context: fail(ErrorType.PERMANENT, "no"))
        await answer(session, "compute", {"text": "b"})
        await answer(session, "nobody")
        numbers = h.orchestrator.metrics.snapshot()
        assert numbers["calls"] == {"compute": {"PERMANENT": 1, "ok": 1}}
        assert numbers["refusals"] == {"NOT_FOUND": 1}
        after = toolbox().metrics()["compute"]
        assert after["calls"] - before["calls"] == 2
        assert after["errors"] - before["errors"] == 1


async def test_a_call_that_was_detached_is_counted_once() -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(60)
        return ok({"x": 1})

    async with house() as h:
        h.work.does("save_note", slow)
        session = h.session("voice")
        made = call("save_note", {"text": "a"})
        assert kind(await session.dispatch(made)) == "IN_PROGRESS"
        assert kind(await session.dispatch(made)) == "IN_PROGRESS"
        await h.clock.advance(60)
        assert h.orchestrator.metrics.snapshot()["calls"] == {"save_note": {"ok": 1}}
        events = [(line["event"], line["decision"]) for line in await h.told()]
        assert events == [
            ("tool_detached", "run"),
            ("tool_decision", "wait"),
            ("tool_execution", "run"),
        ]


# -- a store that fails ------------------------------------------------------------------------


async def broken(h: House) -> None:
    """From now on the store takes nothing; reading still works."""
    await h.store.run(lambda c: c.exec_driver_sql("PRAGMA query_only = ON"), writes=False)


async def mended(h: House) -> None:
    await h.store.run(lambda c: c.exec_driver_sql("PRAGMA query_only = OFF"), writes=False)


async def test_a_write_that_cannot_be_written_down_is_not_run() -> None:
    async with house() as h:
        session = h.session()
        await broken(h)
        made = call("save_note", {"text": "a"})
        envelope = valid(await session.dispatch(made))
        assert (kind(envelope), envelope["error"]["partialSideEffects"]) == ("TRANSIENT", False)
        assert "not run" in envelope["error"]["message"]
        assert h.work.effects == []
        assert kind(await answer(session, "compute", {"text": "a"})) == "ok"
        await mended(h)
        assert kind(await session.dispatch(made)) == "ok"
        assert h.work.count("save_note") == 1


async def test_a_write_whose_result_cannot_be_written_down_is_unknown_and_not_repeated() -> None:
    async with house() as h:

        async def breaks(args: Any, context: Any) -> Any:
            await broken(h)
            return ok({"n": h.work.happen("save_note", args)})

        h.work.does("save_note", breaks)
        session = h.session()
        for _ in range(2):
            envelope = await answer(session, "save_note", {"text": "a"}, id="call_lost_result")
            assert kind(envelope) == "OUTCOME_UNKNOWN"
        assert h.work.count("save_note") == 1
        await mended(h)


@pytest.mark.rule("confirmation")
async def test_a_question_that_cannot_be_kept_is_not_asked() -> None:
    async with house() as h:
        session = h.session()
        await broken(h)
        envelope = await answer(session, "send_mail", {"to": ["ada"]})
        assert kind(envelope) == "TRANSIENT"
        assert session.drain_messages() == []
        await mended(h)
        envelope = await answer(session, "send_mail", {"to": ["ada"]})
        assert kind(envelope) == "CONFIRMATION_REQUIRED"
        assert len(session.drain_messages()) == 1


# -- a server that stops -----------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["read_cancel", "read_finish", "read_detach"])
async def test_reads_under_way_are_answered_and_written_down_when_the_server_stops(
    tool: str, tmp_path: Path
) -> None:
    async def endless(args: Any, context: Any) -> Any:
        await asyncio.Event().wait()

    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with house(store=store) as h:
        h.work.does(tool, endless)
        session = h.session()
        task = asyncio.create_task(answer(session, tool))
        await settle()
    envelope = await task
    assert kind(envelope) in ("CANCELLED", "IN_PROGRESS")
    assert kind(await answer(session, "compute")) == "UNAVAILABLE"
    async with house(store=store) as h:
        lines = await h.told(tool_id=tool)
        assert lines[-1]["errorType"] == "CANCELLED"


@pytest.mark.parametrize("tool", ["compute", "save_note"])
async def test_a_duplicate_that_waits_while_the_server_stops_is_answered(tool: str) -> None:
    async def slow(args: Any, context: Any) -> Any:
        await asyncio.sleep(60)
        return ok({"x": 1})

    async with house() as h:
        h.work.does(tool, slow)
        session = h.session()
        made = call(tool, {"text": "a"})
        tasks = [asyncio.create_task(session.dispatch(made)) for _ in range(3)]
        await settle()
    kinds = {kind(valid(await task)) for task in tasks}
    assert kinds <= {"CANCELLED", "IN_PROGRESS", "OUTCOME_UNKNOWN", "UNAVAILABLE"}
