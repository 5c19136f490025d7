"""The OpenAI Agents SDK's own runners and scripted models on the tools of a session."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import Any

import pytest
from agents.realtime import RealtimeAgent, RealtimeRunner
from agents.realtime.model_events import (
    RealtimeModelToolCallEvent,
    RealtimeModelTurnEndedEvent,
    RealtimeModelTurnStartedEvent,
)
from agents.realtime.model_inputs import RealtimeModelSendToolOutput, RealtimeModelSendUserInput
from agents.realtime.testing import ScriptedRealtimeModel
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tracing import set_tracing_disabled
from tests.adapters.desk import BAD_NOTE, NOTE, open_desk, run_snippet

from agents import (
    Agent,
    MaxTurnsExceeded,
    RunConfig,
    Runner,
    RunResult,
    RunState,
    ToolCallOutputItem,
)
from antiphon.adapters.openai_agents import SessionHooks

pytestmark = pytest.mark.real_time
set_tracing_disabled(True)


def agent(hooks: SessionHooks, *steps: Any) -> Agent[Any]:
    return Agent(name="desk", model=ScriptedModel(steps), tools=hooks.tools)


def outputs(result: RunResult) -> list[dict[str, Any]]:
    """What the model was answered to its calls."""
    answers = [item for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    return [json.loads(item.output) for item in answers]


def call(id: str, args: dict[str, Any]) -> list[Any]:
    return [function_call("leave_note", args, call_id=id)]


async def test_a_refused_call_is_answered_with_the_envelope() -> None:
    async with open_desk() as desk:
        hooks = SessionHooks(desk.session)
        helper = agent(hooks, call("call-refused", BAD_NOTE), [assistant_message("I could not.")])
        result = await Runner.run(helper, "Go", hooks=hooks)
        [answer] = outputs(result)
        assert (answer["ok"], answer["error"]["type"]) == (False, "VALIDATION")
        assert (desk.notes, desk.turn) == ([], 2)
        assert await desk.audit() == [("tool_decision", "call-refused", "refuse", "arguments")]


async def test_an_approved_call_runs_when_the_run_goes_on_and_is_replayed_after() -> None:
    async with open_desk() as desk:
        hooks = SessionHooks(desk.session)
        helper = agent(hooks, call("call-approved", NOTE), *[[assistant_message("Done.")]] * 2)
        asked = await Runner.run(helper, "Go", hooks=hooks)
        [interruption] = asked.interruptions
        assert interruption.name == "leave_note"
        request = hooks.bridge.request("call-approved")
        assert request is not None
        assert request["preview"]
        assert (desk.notes, desk.turn) == ([], 1)

        paused = asked.to_state().to_json()
        for _ in range(2):  # the second time as after a crash of the program between the two
            state = await RunState.from_json(helper, paused)
            [waiting] = state.get_interruptions()
            state.approve(waiting)
            done = await Runner.run(helper, state, hooks=hooks)
            [answer] = outputs(done)
            assert answer["data"] == {"note_id": "note-1"}
        assert answer["meta"]["replayed"] is True
        assert desk.notes == [NOTE["text"]]
        assert hooks.bridge.note() == "", "the model has the outcome already"
        assert await desk.audit() == [
            ("tool_decision", "call-approved", "confirm", "confirmation"),
            ("tool_execution", "call-approved", "run", "run"),
            ("tool_replayed", "call-approved", "replay", "duplicate"),
        ]
        assert await desk.answers() == ["approved"]


async def test_a_rejected_call_is_denied_in_the_audit_too() -> None:
    async with open_desk() as desk:
        hooks = SessionHooks(desk.session)
        helper = agent(hooks, call("call-rejected", NOTE), [assistant_message("All right.")])
        asked = await Runner.run(helper, "Go", hooks=hooks)
        state = asked.to_state()
        state.reject(asked.interruptions[0])
        done = await Runner.run(helper, state, hooks=hooks)
        assert done.final_output == "All right."
        assert (desk.notes, await desk.answers()) == ([], ["denied"])


async def test_a_late_outcome_is_told_with_the_next_request() -> None:
    async with open_desk() as desk:
        session = desk.session
        asking = SessionHooks(session)
        await Runner.run(agent(asking, call("call-elsewhere", NOTE)), "Go", hooks=asking)
        [request] = session.orchestrator.confirmations.waiting(session)
        await session.confirm(request["id"], request["token"], approve=True)

        hooks = SessionHooks(session)
        model = ScriptedModel([[assistant_message("Fine.")]])
        config = RunConfig(call_model_input_filter=hooks.add_note)
        later = Agent(name="desk", model=model, tools=hooks.tools)
        await Runner.run(later, "And now?", hooks=hooks, run_config=config)
        assert "note-1" in str(model.calls[0].input)
        assert session.drain_late_results() == []


async def test_the_run_after_one_that_failed_is_another_turn() -> None:
    async with open_desk() as desk:
        hooks = SessionHooks(desk.session)
        helper = agent(hooks, call("call-refused", BAD_NOTE), [assistant_message("Hello.")])
        with pytest.raises(MaxTurnsExceeded):
            await Runner.run(helper, "Go", hooks=hooks, max_turns=1)
        await Runner.run(helper, "Go on", hooks=hooks)
        assert desk.turn == 3


class Line:
    """A realtime session on a scripted model, in which the test plays the model's side."""

    def __init__(self, model: ScriptedRealtimeModel, realtime: Any) -> None:
        self.model = model
        self.realtime = realtime

    async def respond(self, *calls: RealtimeModelToolCallEvent) -> None:
        """One response of the model: with these calls, or with words only."""
        await self.model.emit(RealtimeModelTurnStartedEvent())
        for each in calls:
            await self.model.emit(each)
        await self.model.emit(RealtimeModelTurnEndedEvent())

    async def until(self, kind: str) -> Any:
        async with aclosing(aiter(self.realtime)) as events:
            async for event in events:
                if event.type == kind:
                    return event
        raise AssertionError(f"the session ended without {kind}")

    def sent(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.model.sent_events if isinstance(event, kind)]


async def test_a_realtime_agent_is_refused_approved_and_denied_the_same_way() -> None:
    async with open_desk("voice") as desk:
        hooks = SessionHooks(desk.session)
        model = ScriptedRealtimeModel(strict=False)
        helper = RealtimeAgent(name="desk", tools=hooks.tools)
        realtime = await RealtimeRunner(helper, model=model).run()
        line = Line(model, realtime)

        def wants(id: str, args: dict[str, Any]) -> RealtimeModelToolCallEvent:
            return RealtimeModelToolCallEvent(
                name="leave_note", call_id=id, arguments=json.dumps(args)
            )

        async with realtime, hooks.watch(realtime):
            async with asyncio.timeout(60):
                await line.respond(wants("call-refused", BAD_NOTE))
                ended = await line.until("tool_end")
                assert json.loads(ended.output)["error"]["type"] == "VALIDATION"
                assert desk.turn == 1, "a response that calls is not the end of the turn"
                await line.respond()
                assert desk.turn == 2

                await line.respond(wants("call-approved", NOTE))
                asked = await line.until("tool_approval_required")
                await realtime.approve_tool_call(asked.call_id)
                ended = await line.until("tool_end")
                assert json.loads(ended.output)["data"] == {"note_id": "note-1"}

                await line.respond(wants("call-rejected", {**NOTE, "text": "Another."}))
                asked = await line.until("tool_approval_required")
                await realtime.reject_tool_call(asked.call_id)
                await line.until("tool_end")
                await line.respond()

        assert len(line.sent(RealtimeModelSendToolOutput)) == 3
        assert line.sent(RealtimeModelSendUserInput) == [], "nothing was told twice"
        assert desk.notes == [NOTE["text"]]
        assert await desk.answers() == ["approved", "denied"]
        assert [decision for _, _, decision, _ in await desk.audit()] == [
            "refuse",
            "confirm",
            "run",
            "confirm",
        ]


async def test_the_snippet_in_the_documents_runs() -> None:
    async with open_desk() as desk:
        model = ScriptedModel([call("call-documented", NOTE), [assistant_message("It is left.")]])
        names = await run_snippet("OpenAI Agents SDK", desk.session, model)
        assert names["result"].final_output == "It is left."
        assert (len(names["asked"]), desk.notes, desk.turn) == (1, [NOTE["text"]], 2)
