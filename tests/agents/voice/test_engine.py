"""A spoken conversation, with a model that does what the test says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from tests.agents.voice.stage import Stage, stage
from tests.orchestrator.helpers import call

from antiphon import ErrorType, Intent, Principal, ToolCall, ok
from antiphon.agents.voice.engine import VoiceOptions
from antiphon.contracts.events import (
    AnswersTurn,
    Audio,
    CallAnswer,
    Fault,
    GoAway,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Resumption,
    Settled,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.contracts.rights import Rights, ToolRule
from antiphon.contracts.session_events import PersonMessage
from antiphon.providers.port import Capabilities
from antiphon.testing.model import ScriptedConnection

pytestmark = pytest.mark.virtual_time(patience=0.0)

SECOND = b"\0\0" * 24_000


def said(s: Stage) -> list[tuple[str, str]]:
    """The conversation as roles and texts, without calls."""
    found = []
    for entry in s.engine.conversation.entries:
        if isinstance(entry.turn, UserTurn):
            found.append(("user", entry.turn.text))
        elif isinstance(entry.turn, ModelTurn) and entry.turn.text:
            found.append(("model", entry.turn.text))
    return found


async def test_a_spoken_turn_goes_both_ways_and_is_kept() -> None:
    async with stage() as s:
        line = await s.line()
        await s.engine.send_audio(b"\1\0" * 320)
        line.play(
            SpeechStarted(),
            Transcript("user", "Who leads "),
            Transcript("user", "Kestrel?", final=True),
            SpeechStopped(),
            Audio(SECOND),
            Transcript("model", "Mira "),
            Transcript("model", "does."),
            Usage(10, 5),
            TurnEnded(),
        )
        complete = await s.person.got("turn_complete")
        assert complete["turn"] == 1
        assert line.audio == b"\1\0" * 320
        assert s.person.heard == SECOND
        texts = [m["text"] for m in s.person.messages if m["type"] == "transcript"]
        assert texts == ["Who leads ", "Kestrel?", "Mira ", "does."]
        assert said(s) == [("user", "Who leads Kestrel?"), ("model", "Mira does.")]
        assert (s.engine.usage.input_tokens, s.engine.usage.output_tokens) == (10, 5)
        assert s.session.view.turn.number == 2


async def test_a_transcript_that_comes_after_the_answer_belongs_where_the_person_began() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(SpeechStarted())
        await asyncio.sleep(1)
        line.play(SpeechStopped(), Text("Yes."))
        await s.person.got("text")
        await asyncio.sleep(1)
        line.play(Transcript("user", "Is it open?", final=True), TurnEnded())
        message = await s.person.got("transcript", role="user")
        await s.person.got("turn_complete")
        assert said(s) == [("user", "Is it open?"), ("model", "Yes.")]
        assert message["started_at"] == s.engine.conversation.entries[0].at


async def test_calls_take_the_governed_path_and_the_whole_envelope_goes_back() -> None:
    async with stage() as s:
        line = await s.line()
        first, second = call("look_up", {"query": "a"}), call("text_only", {"text": "b"})
        line.play(ToolCalls((first, second)))
        answers = {a.id: a for a in [await line.told(CallAnswer), await line.told(CallAnswer)]}
        assert answers[first.id].envelope["ok"] is True
        assert answers[first.id].envelope["meta"]["toolId"] == "look_up"
        refused = answers[second.id].envelope
        assert refused["error"]["type"] == ErrorType.MODE_RESTRICTED
        shown = [m for m in s.person.messages if m["type"] == "function_call"]
        assert [m["decision"]["outcome"] for m in shown] == ["run", "refuse"]
        result = await s.person.got("function_result", name="text_only")
        assert result["result"]["success"] is False
        assert result["decision"] == shown[1]["decision"]
        line.play(Text("Done."), TurnEnded())
        await s.person.got("turn_complete")
        turns = [type(e.turn) for e in s.engine.conversation.entries]
        assert AnswersTurn in turns


async def test_cutting_in_silences_the_line_and_tells_how_much_was_heard() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Transcript("model", "one two three four"), Audio(SECOND * 2, "item-1"))
        await s.person.got("audio")
        s.engine.report_playback(1, 1000)
        line.play(Interrupted())
        cut = await line.told(Interrupt)
        assert (cut.played_ms, cut.item) == (1000, "item-1")
        assert s.person.flushes == 1
        await s.person.got("interrupted", turn_id=1)
        line.play(Audio(SECOND, "item-1"), TurnEnded("interrupted"))
        await s.person.got("turn_complete", reason="interrupted")
        assert s.person.heard == SECOND * 2, "what comes after the cut is not for the person"
        # Kept as it was shown; what a model is told was said is what was heard.
        assert said(s) == [("model", "one two three four")]
        (entry,) = s.engine.conversation.entries
        assert isinstance(entry.turn, ModelTurn)
        assert (entry.turn.heard_text, entry.turn.interrupted) == ("one two …", True)
        s.engine.conversation.add(UserTurn("Count."), channel="text", at=0.0)
        assert s.engine.conversation.history()[-1] == ModelTurn("one two …")


async def test_what_is_typed_is_kept_as_typed_and_read_in_silence_until_the_person_speaks() -> None:
    async with stage() as s:
        line = await s.line()
        await s.engine.send_text("Who leads Kestrel?", speak=False)
        assert await line.told(Prompt) == Prompt("Who leads Kestrel?", speech=False)
        line.play(Audio(SECOND), Transcript("model", "Mira does."), TurnEnded())
        await s.person.got("transcript", text="Mira does.")
        await s.person.got("turn_complete", reason="complete")
        assert s.person.heard == b""
        turns = [entry.turn for entry in s.engine.conversation.entries]
        assert turns == [
            UserTurn("Who leads Kestrel?", typed=True),
            ModelTurn("Mira does.", typed=True),
        ]
        line.play(
            SpeechStarted(),
            Transcript("user", "And now?", final=True),
            Audio(SECOND),
            Text("No."),
        )
        await s.person.got("text")
        assert s.person.heard == SECOND
        # The next question, typed while that is spoken, is answered in silence again.
        await s.engine.send_text("Why?", speak=False)
        line.play(TurnEnded("interrupted"), Audio(SECOND), Text("Because."), TurnEnded())
        await s.person.got("text", text="Because.")
        assert s.person.heard == SECOND


async def test_an_answer_that_was_complete_is_not_interrupted_by_the_next_question() -> None:
    async with stage() as s:
        line = await s.line()
        await s.engine.send_text("Who?")
        line.play(Audio(SECOND * 9), Transcript("model", "Mira does."), TurnEnded())
        await s.person.got("turn_complete")
        await s.engine.send_text("And who else?")
        assert (await s.person.got("interrupted"))["cut_in"] is False
        line.play(Audio(SECOND * 9), Transcript("model", "Nobody"))
        await s.person.got("transcript", text="Nobody")
        await s.engine.send_text("Are you sure?")
        assert (await s.person.got("interrupted"))["cut_in"] is True
        line.play(TurnEnded("interrupted"))
        await s.person.got("turn_complete", reason="interrupted")
        line.play(Audio(SECOND * 9), Transcript("model", "Quite."), TurnEnded())
        await s.person.got("turn_complete")
        await s.engine.interrupt()  # while it is still heard
        assert (await s.person.got("interrupted"))["cut_in"] is True
        turns = [entry.turn for entry in s.engine.conversation.entries]
        cut = [turn.interrupted for turn in turns if isinstance(turn, ModelTurn)]
        assert cut == [False, True, False]


async def test_the_state_counts_pieces_of_speech_and_knows_of_an_interruption() -> None:
    async with stage() as s:
        line, state = await s.line(), s.session.state
        for _ in range(3):
            await s.engine.send_audio(b"\1\0" * 320)
        line.play(Audio(SECOND), Audio(SECOND))
        await s.person.got("audio")
        await s.person.got("audio")
        assert state.get("user_audio_chunk_count") == 3
        assert state.get("audio_chunk_counter") == 2
        assert state.get("interruption_sent") is False
        await s.engine.interrupt()
        assert state.get("interruption_sent") is True
        line.play(TurnEnded("interrupted"))
        await s.person.got("turn_complete")
        assert state.get("interruption_sent") is False
        assert state.get("audio_chunk_counter") == 0


async def test_a_report_beyond_what_was_received_is_cut_to_it() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Audio(SECOND, "item-1"))
        await s.person.got("audio")
        s.engine.report_playback(1, 99_000)
        line.play(Interrupted())
        assert (await line.told(Interrupt)).played_ms is not None
        sent = [e for e in line.sent if isinstance(e, Interrupt)]
        assert sent[0].played_ms == 1000


async def test_the_person_may_interrupt_by_a_deliberate_act_and_reads_are_stopped() -> None:
    async with stage() as s:
        gate = asyncio.Event()

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await gate.wait()
            return ok({"late": True})

        s.house.work.does("look_up", slow)
        line = await s.line()
        asked = call("look_up", {"query": "a"})
        line.play(Audio(SECOND), ToolCalls((asked,)))
        await s.person.got("function_call")
        await s.engine.interrupt()
        answer = await line.told(CallAnswer)
        assert answer.envelope["error"]["type"] == ErrorType.CANCELLED
        await s.engine.interrupt()
        assert s.person.kinds().count("interrupted") == 1 or not s.engine.quiet()


async def test_a_call_that_the_model_takes_back_is_stopped_and_never_answered() -> None:
    async with stage() as s:
        s.house.work.does("look_up", lambda args, context: asyncio.Event().wait())
        line = await s.line()
        asked = call("look_up", {"query": "a"})
        line.play(ToolCalls((asked,)))
        await s.person.got("function_call")
        line.play(ToolCallsCancelled((str(asked.id),)))
        result = await s.person.got("function_result")
        assert result["result"]["error_type"] == ErrorType.CANCELLED
        line.play(TurnEnded())
        await s.person.got("turn_complete")
        assert not [e for e in line.sent if isinstance(e, CallAnswer)]


async def test_a_write_that_was_under_way_finishes_and_is_told_in_the_next_turn() -> None:
    async with stage() as s:
        gate = asyncio.Event()

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await gate.wait()
            return ok({"saved": s.house.work.happen("save_note", args)})

        s.house.work.does("save_note", slow)
        line = await s.line()
        line.play(Audio(SECOND), ToolCalls((call("save_note", {"text": "x"}),)))
        await s.person.got("function_call")
        line.play(Interrupted())
        first = await line.told(CallAnswer)
        assert first.envelope["ok"] is False
        line.play(TurnEnded("interrupted"))
        await s.person.got("turn_complete")
        gate.set()
        told = await line.told(Prompt)
        assert '"saved":1' in told.text
        assert "save_note" in told.text
        assert s.house.work.count("save_note") == 1


async def test_a_slow_tool_is_bridged_with_words_once_a_turn() -> None:
    async with stage() as s:

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await asyncio.sleep(2)
            return ok({})

        s.house.work.does("look_up", slow)
        line = await s.line()
        line.play(ToolCalls((call("look_up", {"query": "a"}), call("look_up", {"query": "b"}))))
        filler = await s.person.got("text")
        assert filler["filler"] is True
        await line.told(CallAnswer)
        await line.told(CallAnswer)
        assert s.person.kinds().count("text") == 1


async def test_a_slow_tool_is_bridged_aloud_where_there_is_a_voice() -> None:
    async def say(text: str) -> AsyncGenerator[bytes, None]:
        assert text == "Wait."
        yield SECOND
        yield SECOND

    async with stage(options=VoiceOptions(filler="Wait.", say=say)) as s:

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await asyncio.sleep(30)
            return ok({})

        s.house.work.does("look_up", slow)
        line = await s.line()
        line.play(ToolCalls((call("look_up", {"query": "a"}),)))
        assert (await s.person.got("text"))["filler"] is True
        await s.person.got("audio")
        await s.person.got("audio")
        await line.told(CallAnswer)
        # How much of the model's own speech was heard does not count ours.
        line.play(Audio(SECOND, "item"), Transcript("model", "Found."))
        await s.person.got("audio")
        s.engine.report_playback(1, 2_400)
        await s.engine.interrupt()
        assert await line.told(Interrupt) == Interrupt(400, "item")


async def test_sound_where_nobody_hears_it_is_told_once() -> None:
    async with stage(capabilities=Capabilities()) as s:
        line = await s.line()
        for _ in range(3):
            await s.engine.send_audio(SECOND)
        assert "built-in" in (await s.person.got("error"))["message"]
        assert s.person.kinds().count("error") == 1
        assert not line.sent


async def test_the_request_from_before_is_the_first_thing_the_model_hears() -> None:
    async with stage(options=VoiceOptions(pending_request="tell me a joke")) as s:
        line = await s.line()
        assert "tell me a joke" in (await line.told(Prompt)).text


async def test_a_greeting_is_asked_for_once_and_never_again_after_a_change_of_lines() -> None:
    async with stage(options=VoiceOptions(greeting="Greet them.")) as s:
        line = await s.line()
        assert (await line.told(Prompt)).text == "Greet them."
        line.play(Text("Hello."), TurnEnded(), Resumption("h1"))
        await s.person.got("turn_complete")
        line.play(Fault("closed", "Gone."))
        second = await s.line(1)
        assert second.setup.resume == "h1"
        second.play(Text("Still here."), TurnEnded())
        await s.person.got("turn_complete")
        assert not [e for e in second.sent if isinstance(e, Prompt)]


async def test_who_writes_before_the_model_listens_is_answered_and_not_greeted() -> None:
    writing: list[asyncio.Task[None]] = []

    def prepare(s: Stage) -> None:
        writing.append(asyncio.ensure_future(s.engine.send_text("what is up")))

    async with stage(options=VoiceOptions(greeting="Greet them."), prepare=prepare) as s:
        line = await s.line()
        assert (await line.told(Prompt)).text == "what is up"
        assert line.setup.history == []  # else the model would have it twice
        line.play(Text("Not much."), TurnEnded())
        await s.person.got("turn_complete", reason="complete")
        assert [e for e in line.sent if isinstance(e, Prompt)] == [Prompt("what is up")]
        await asyncio.gather(*writing)


async def test_calls_come_before_what_came_with_them_and_count_in_the_turn_that_made_them() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(ToolCalls((call("compute"),)), Text("Hello."), TurnEnded())
        asked = await s.person.got("function_call")
        await s.person.got("text")
        assert asked["turn_id"] == (await s.person.got("turn_complete"))["turn_id"]


async def test_a_goodbye_is_spoken_even_if_something_else_was_said_before_the_end() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute",
            lambda args, context: ok(
                {"reason": "done", "finalMessage": "Goodbye!"},
                [Intent.end_voice_session("farewell_spoken")],
            ),
        )
        line = await s.line()
        line.play(Audio(SECOND), Transcript("model", "Let me see to that."))
        line.play(ToolCalls((call("compute"),)))
        await line.told(CallAnswer)
        line.play(TurnEnded())
        assert "Goodbye!" in (await line.told(Prompt)).text
        line.play(Audio(SECOND), Transcript("model", "Goodbye!"), TurnEnded())
        assert await s.over() == "done"


async def test_a_goodbye_that_was_said_is_not_said_twice() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute",
            lambda args, context: ok(
                {"reason": "done", "finalMessage": "Goodbye, Ada!"},
                [Intent.end_voice_session("farewell_spoken")],
            ),
        )
        line = await s.line()
        line.play(Audio(SECOND), Transcript("model", "Good. Goodbye, Ada."))
        line.play(ToolCalls((call("compute"),)))
        await line.told(CallAnswer)
        line.play(TurnEnded())
        assert await s.over() == "done"
        assert not [e for e in line.sent if isinstance(e, Prompt)]


async def test_the_session_ends_after_the_farewell_was_spoken_and_played() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute",
            lambda args, context: ok(
                {"reason": "done", "finalMessage": "Goodbye!", "textResponse": "Bye."},
                [Intent.end_voice_session("farewell_spoken")],
            ),
        )
        line = await s.line()
        line.play(ToolCalls((call("compute"),)))
        await line.told(CallAnswer)
        line.play(TurnEnded())
        asked = await line.told(Prompt)
        assert "Goodbye!" in asked.text
        began = asyncio.get_running_loop().time()
        line.play(Audio(SECOND * 3), Transcript("model", "Goodbye!"), TurnEnded())
        end = await s.person.got("voice_session_end")
        assert asyncio.get_running_loop().time() - began >= 3
        assert (end["reason"], end["textResponse"]) == ("done", "Bye.")
        assert await s.over() == "done"


async def test_sound_and_transcript_can_be_held_back() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute",
            lambda args, context: ok(
                {}, [Intent.suppress_audio(True), Intent.suppress_transcript(True)]
            ),
        )
        line = await s.line()
        line.play(ToolCalls((call("compute"),)))
        await line.told(CallAnswer)
        line.play(Audio(SECOND), Transcript("model", "secret"), TurnEnded())
        await s.person.got("turn_complete")
        assert s.person.heard == b""
        assert "transcript" not in s.person.kinds()


# -- changing lines ------------------------------------------------------------------------------


async def test_a_go_away_at_a_quiet_moment_changes_the_line_at_once() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Text("Hello."), TurnEnded(), Resumption("h1"))
        await s.person.got("turn_complete")
        line.play(GoAway(60.0))
        second = await s.line(1)
        assert second.setup.resume == "h1"
        assert line.closed
        assert "error" not in s.person.kinds()
        assert "go_away" not in s.person.kinds()


async def test_other_rights_bring_a_line_that_is_set_up_anew_and_remembers_nothing_itself() -> None:
    def member(*tools: str) -> Principal:
        return Principal("ada", rights=Rights(frozenset({"tools.call"}), (ToolRule(tools),)))

    async with stage() as s:
        s.session.set_principal(member("*"))
        line = await s.line()
        line.play(Text("Hello."), TurnEnded(), Resumption("h1"))
        await s.person.got("turn_complete")
        s.session.set_principal(member("look_up"))
        second = await s.line(1)
        assert second.setup.resume is None
        assert line.closed
        assert "error" not in s.person.kinds()


async def test_a_go_away_waits_for_the_answer_and_for_the_call_under_way() -> None:
    async with stage() as s:
        gate = asyncio.Event()

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await gate.wait()
            return ok({"found": 1})

        s.house.work.does("look_up", slow)
        line = await s.line()
        line.play(Resumption("h1"), ToolCalls((call("look_up", {"query": "a"}),)))
        line.play(GoAway(20.0))
        await s.person.got("function_call")
        assert len(s.model.connections) == 1
        gate.set()
        assert (await line.told(CallAnswer)).envelope["ok"]
        line.play(Text("Found."), TurnEnded())
        await s.line(1)
        assert len([e for e in line.sent if isinstance(e, CallAnswer)]) == 1


async def test_a_go_away_without_a_quiet_moment_is_acted_on_before_the_cut() -> None:
    async with stage() as s:

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await asyncio.sleep(30)
            return ok({"found": s.house.work.happen("look_up", args)})

        s.house.work.does("read_finish", slow)
        line = await s.line()
        line.play(ToolCalls((call("read_finish", {"text": "a"}),)), GoAway(4.0))
        second = await s.line(1)
        told = await second.told(Prompt)
        assert "read_finish" in told.text
        assert len(s.house.work.effects) <= 1


async def test_a_result_that_finished_while_there_was_no_line_is_given_once() -> None:
    async with stage() as s:
        gate = asyncio.Event()

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await gate.wait()
            return ok({"saved": s.house.work.happen("save_note", args)})

        s.house.work.does("save_note", slow)
        line = await s.line()
        line.play(ToolCalls((call("save_note", {"text": "x"}),)))
        await s.person.got("function_call")
        line.play(Fault("closed", "Gone.", retryable=True))
        second = await s.line(1)
        gate.set()
        told = await second.told(Prompt)
        assert '"saved":1' in told.text
        second.play(Text("Saved."), TurnEnded())
        await s.person.got("turn_complete")
        prompts = [e for e in second.sent if isinstance(e, Prompt) and "saved" in e.text]
        assert len(prompts) == 1
        assert s.house.work.count("save_note") == 1


async def test_without_a_handle_the_new_line_knows_the_conversation_and_goes_on() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Transcript("user", "Hi.", final=True), Text("Hello."), TurnEnded())
        await s.person.got("turn_complete")
        await s.engine.send_text("What is Kestrel?")
        line.play(Transcript("model", "Kestrel is a project "), Fault("overloaded", "Busy."))
        second = await s.line(1)
        assert second.setup.resume is None
        assert second.setup.history[:2] == [UserTurn("Hi."), ModelTurn("Hello.")]
        told = await second.told(Prompt)
        assert "Kestrel is a project" in told.text
        assert "greet" in told.text


async def test_what_the_person_says_meanwhile_waits_for_the_next_line() -> None:
    async with stage() as s:
        line = await s.line()
        s.model.refusals.append(Fault("overloaded", "Busy.", retryable=True))
        line.play(Fault("closed", "Gone."))
        for _ in range(5):
            await asyncio.sleep(0)
        assert line.closed
        await s.engine.send_audio(b"\2\0" * 160)
        await s.engine.send_text("Are you there?")
        second = await s.line(1)
        assert (await second.told(Prompt)).text == "Are you there?"
        assert b"\2\0" * 160 in second.audio


async def test_a_handle_that_is_refused_is_given_up_for_our_own_memory() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Transcript("user", "Hi.", final=True), Text("Hello."), TurnEnded())
        line.play(Resumption("old"))
        await s.person.got("turn_complete")
        s.model.refusals.append(Fault("bad_request", "No such handle."))
        line.play(Fault("closed", "Gone."))
        second = await s.line(1)
        assert second.setup.resume is None
        assert second.setup.history == [UserTurn("Hi."), ModelTurn("Hello.")]


async def test_a_line_that_cannot_be_had_again_ends_in_words() -> None:
    async with stage() as s:
        line = await s.line()
        busy = Fault("overloaded", "Gemini is overloaded.", retryable=True)
        s.model.refusals.extend([busy] * 10)
        line.play(Fault("closed", "Gone."))
        error = await s.person.got("error")
        assert error["message"] == "Gemini is overloaded."
        assert await s.over() == "provider_failed"
        assert len(s.model.refusals) == 7, "three attempts, no more"


async def test_a_wrong_key_is_not_tried_again() -> None:
    def refuse(s: Stage) -> None:
        s.model.refusals.append(Fault("auth", "Check GEMINI_API_KEY."))

    async with stage(prepare=refuse) as s:
        assert (await s.person.got("error"))["message"] == "Check GEMINI_API_KEY."
        assert await s.over() == "provider_failed"
        assert s.model.connections == []


# -- pauses in what the person says ------------------------------------------------------------


def half(text: str) -> Transcript:
    return Transcript("user", text, final=True, tentative=True)


@pytest.mark.parametrize("heard", ["nothing", "a part", "all of it"])
async def test_who_goes_on_after_a_pause_was_never_answered_before(heard: str) -> None:
    async with stage() as s:
        line = await s.line()
        line.play(Transcript("user", "Hello.", final=True), Text("Hello."), TurnEnded())
        await s.person.got("turn_complete")
        line.play(SpeechStarted(), half("Show me the notes."))
        if heard != "nothing":
            line.play(ToolCalls((call("look_up", {"query": "notes"}),)))
            await line.told(CallAnswer)
            line.play(Audio(SECOND * 3), Transcript("model", "Which ones?"))
            await s.person.got("audio")
        if heard == "all of it":
            line.play(TurnEnded())
            await s.person.got("turn_complete")
        await asyncio.sleep(0.3)
        line.play(SpeechStarted(), Interrupted(goes_on=True))
        if heard != "all of it":
            line.play(TurnEnded("interrupted"))
        line.play(Transcript("user", "Show me the notes of Monday.", final=True))
        line.play(Text("Here."), TurnEnded())
        await s.person.got("text", text="Here.")
        await s.person.got("turn_complete")
        entries = s.engine.conversation.entries
        assert said(s)[2:] == [("user", "Show me the notes of Monday."), ("model", "Here.")]
        assert not any(isinstance(entry.turn, AnswersTurn) for entry in entries)
        assert s.person.flushes == (heard != "nothing")
        assert not any(isinstance(event, Interrupt) for event in line.sent)


@pytest.mark.parametrize("goes_on", [True, False])
async def test_nothing_is_changed_by_half_a_sentence(goes_on: bool) -> None:
    async with stage() as s:
        line = await s.line()
        note = call("save_note", {"text": "milk"})
        line.play(SpeechStarted(), half("Note the milk."), ToolCalls((note,)))
        await asyncio.sleep(5)
        assert s.house.work.count("save_note") == 0
        assert "function_call" not in s.person.kinds()
        if goes_on:
            line.play(SpeechStarted(), Interrupted(goes_on=True), TurnEnded("interrupted"))
            line.play(ToolCallsCancelled((str(note.id),)))
            line.play(half("Note the milk man's name."), Text("Which?"), TurnEnded(), Settled())
            await s.person.got("text", text="Which?")
            await asyncio.sleep(5)
        else:
            line.play(Settled())
            assert (await line.told(CallAnswer)).envelope["ok"]
        assert s.house.work.count("save_note") == (not goes_on)


@pytest.mark.parametrize("goes_on", [True, False])
async def test_a_yes_counts_when_nothing_follows_it(goes_on: bool) -> None:
    async with stage() as s:
        line = await s.line()
        await asked(s, line)
        await asyncio.sleep(1.5)
        line.play(SpeechStarted(), half("Yes."))
        await asyncio.sleep(5)
        assert not_approved(s)
        if goes_on:
            line.play(SpeechStarted(), Interrupted(goes_on=True))
            line.play(half("Yes, but not today."), Settled())
            await asyncio.sleep(5)
            assert not_approved(s)
        else:
            line.play(Settled())
            assert (await s.person.got("confirmation_resolved"))["outcome"] == "approved"


async def test_a_goodbye_is_none_when_the_person_goes_on() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute",
            lambda args, context: ok(
                {"reason": "done"}, [Intent.end_voice_session("farewell_spoken")]
            ),
        )
        line = await s.line()
        line.play(SpeechStarted(), half("Goodbye."), ToolCalls((call("compute"),)))
        await line.told(CallAnswer)
        line.play(Audio(SECOND), Transcript("model", "Goodbye!"), TurnEnded())
        await s.person.got("turn_complete")
        line.play(SpeechStarted(), Interrupted(goes_on=True))
        line.play(half("Goodbye is what the sign says."), Settled(), Text("I see."), TurnEnded())
        await s.person.got("text", text="I see.")
        await asyncio.sleep(30)
        assert not s.running.done()


# -- confirmations and blocks ----------------------------------------------------------------------


async def test_a_spoken_yes_counts_once_the_question_was_played_and_the_outcome_is_told() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(ToolCalls((call("dim_lights", {"text": "low"}),)))
        answer = await line.told(CallAnswer)
        assert answer.envelope["error"]["type"] == ErrorType.CONFIRMATION_REQUIRED
        await s.person.got("confirmation_required")
        line.play(Audio(SECOND), Transcript("model", question_of(answer)), TurnEnded())
        await s.person.got("turn_complete")
        await asyncio.sleep(1.5)
        line.play(SpeechStarted(), Transcript("user", "Yes, please.", final=True))
        resolved = await s.person.got("confirmation_resolved")
        assert resolved["outcome"] == "approved"
        assert s.house.work.count("dim_lights") == 1
        assert "dim_lights" in (await line.told(Prompt)).text


async def test_the_question_is_not_read_out_to_its_end_when_it_was_answered_by_a_click() -> None:
    async with stage() as s:
        line = await s.line()
        line.play(ToolCalls((call("dim_lights", {"text": "low"}),)))
        await line.told(CallAnswer)
        asked = await s.person.got("confirmation_required")
        line.play(Audio(SECOND * 18), Transcript("model", "Shall I dim the lights?"))
        await s.person.got("transcript")
        await asyncio.sleep(2)
        await s.engine.confirmation_answered()
        assert s.person.flushes == 1
        assert (await s.person.got("interrupted"))["cut_in"] is False
        assert (await line.told(Interrupt)).played_ms == 2000
        await s.session.confirm(asked["id"], asked["token"], True)
        line.play(Audio(SECOND), TurnEnded("interrupted"))
        await s.person.got("turn_complete", reason="complete")
        assert "dim_lights" in (await line.told(Prompt)).text, "the outcome, at once"
        assert s.person.heard == SECOND * 18
        assert said(s) == [("model", "Shall I dim the lights?")]


def question_of(answer: CallAnswer) -> str:
    question: str = answer.envelope["error"]["confirmation_request"]["question"]
    return question


async def asked(s: Stage, line: ScriptedConnection, words: str = "", seconds: int = 1) -> str:
    """The model has called a tool of low risk and says the question, or other words."""
    line.play(ToolCalls((call("dim_lights", {"text": "low"}),)))
    question = question_of(await line.told(CallAnswer))
    line.play(Audio(SECOND * seconds), Transcript("model", words or question), TurnEnded())
    await s.person.got("turn_complete")
    return question


def not_approved(s: Stage) -> bool:
    return not s.house.work.count("dim_lights") and "confirmation_resolved" not in s.person.kinds()


YES = (SpeechStarted(), Transcript("user", "Yes.", final=True))


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_yes_before_the_question_was_played_to_its_end_is_no_answer() -> None:
    async with stage() as s:
        line = await s.line()
        await asked(s, line)
        await asyncio.sleep(0.9)
        line.play(*YES)
        await settled()
        assert not_approved(s)


@pytest.mark.parametrize(
    "between",
    [
        (SpeechStarted(), Transcript("user", "What is the time?", final=True)),
        (Audio(SECOND), Transcript("model", "Or do you want to hear a joke?"), TurnEnded()),
        (Audio(SECOND), Transcript("model", "Or do you want to hear a joke?")),
    ],
    ids=["the person", "the model", "the model, which has not finished"],
)
async def test_a_yes_after_anything_else_was_said_is_no_answer(between: tuple[Any, ...]) -> None:
    async with stage() as s:
        line = await s.line()
        await asked(s, line)
        await asyncio.sleep(1.5)
        line.play(*between)
        await settled()
        await asyncio.sleep(1.5)
        line.play(*YES)
        await settled()
        assert not_approved(s)


async def test_a_yes_after_something_was_typed_is_no_answer() -> None:
    async with stage() as s:
        line = await s.line()
        await asked(s, line)
        await asyncio.sleep(1.5)
        await s.engine.send_text("yes")
        line.play(*YES)
        await settled()
        assert not_approved(s)


async def test_what_the_person_did_not_hear_they_have_not_answered() -> None:
    for cut in (True, False):
        async with stage() as s:
            line = await s.line()
            await asked(s, line, seconds=20)
            s.engine.report_playback(1, 200)
            if cut:
                await s.engine.interrupt()
            await asyncio.sleep(21)  # the player stood still, or was stopped
            line.play(*YES)
            await settled()
            assert not_approved(s)


async def test_a_player_that_tells_how_far_it_is_is_believed() -> None:
    async with stage() as s:
        line = await s.line()
        await asked(s, line, seconds=20)
        await asyncio.sleep(2)  # it plays faster, or began earlier
        s.engine.report_playback(1, 19_500)
        await asyncio.sleep(0.6)
        line.play(*YES)
        assert (await s.person.got("confirmation_resolved"))["outcome"] == "approved"


async def test_words_that_are_told_after_the_model_has_begun_to_answer_them_still_count() -> None:
    """Transcripts come late: the model may answer a yes before the yes is in writing."""

    for known in ((SpeechStarted(), SpeechStopped()), ()):
        async with stage() as s:
            line = await s.line()
            await asked(s, line)
            await asyncio.sleep(1.5)
            line.play(*known, Audio(SECOND), Transcript("model", "Very well."))
            await settled()
            line.play(Transcript("user", "Yes.", final=True), TurnEnded())
            assert (await s.person.got("confirmation_resolved"))["outcome"] == "approved"


async def test_a_model_that_asks_something_else_is_told_the_question_once() -> None:
    async with stage() as s:
        line = await s.line()
        question = await asked(s, line, "Would you like to hear a joke?")
        told = await line.told(Prompt)
        assert told.text == f"(Ask the person now, in these words: {question!r})"
        line.play(*YES)
        await settled()
        assert not_approved(s)
        line.play(Audio(SECOND), Transcript("model", "A joke, then?"), TurnEnded())
        await s.person.got("turn_complete")
        await asyncio.sleep(1.5)
        line.play(*YES)
        await settled()
        assert not_approved(s)
        prompts = [each.text for each in line.sent if isinstance(each, Prompt)]
        assert prompts == [told.text]


async def test_a_person_who_is_blocked_is_told_until_when_and_the_session_ends() -> None:
    async with stage() as s:
        line = await s.line()
        await s.house.orchestrator.block("ada", 120, "abuse")
        line.play(Text("That is enough."), TurnEnded())
        timeout = await s.person.got("timeout")
        assert timeout["timeoutUntil"] == (s.house.clock.now() + timeout["seconds"]) * 1000
        assert await s.over() == "blocked"


async def test_hanging_up_ends_everything_in_any_state() -> None:
    for prepare in (
        (),
        (Audio(SECOND),),
        (ToolCalls((ToolCall("call_00000000x", "look_up", {"query": "a"}),)),),
        (SpeechStarted(), Transcript("user", "well")),
    ):
        async with stage() as s:
            s.house.work.does("look_up", lambda args, context: asyncio.Event().wait())
            line = await s.line()
            line.play(*prepare)
            for _ in range(5):
                await asyncio.sleep(0)
            s.engine.end("hung up")
            assert await s.over() == "hung up"
            assert line.closed


async def test_what_a_write_came_to_after_the_person_had_gone_is_told_when_they_are_back() -> None:
    async with stage() as s:
        gate = asyncio.Event()

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await gate.wait()
            return ok({"saved": s.house.work.happen("save_note", args)})

        s.house.work.does("save_note", slow)
        line = await s.line()
        line.play(ToolCalls((call("save_note", {"text": "x"}),)))
        await s.person.got("function_call")
        s.engine.end("the line dropped")
        await s.over()
        gate.set()
        async with asyncio.timeout(60):
            while not s.session.late:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        ready = VoiceOptions(
            on_ready=lambda: s.person.send(PersonMessage({"type": "setup_complete"}))
        )
        again = s.another(ready)
        told = await (await s.line(1)).told(Prompt)
        assert '"saved":1' in told.text
        assert (await s.person.got("function_result"))["result"]["saved"] == 1
        kinds = s.person.kinds()
        assert kinds.index("setup_complete") < kinds.index("function_result")
        assert s.house.work.count("save_note") == 1
        again.end("over")


@pytest.mark.parametrize("when", ["before they write", "after it"])
async def test_a_late_result_does_not_cut_into_the_answer_to_what_was_just_written(
    when: str,
) -> None:
    async with stage() as s:
        line = await s.line()
        earlier = call("save_note", {"text": "x"})
        done = await s.session.dispatch(call("save_note", {"text": "y"}))
        line.play(Audio(SECOND * 10))
        await s.person.got("audio")
        if when == "before they write":
            s.session.queue_late_result(earlier, done)
        await s.engine.send_text("And then?")
        if when == "after it":
            s.session.queue_late_result(earlier, done)
        line.play(Interrupted(), TurnEnded("interrupted"))
        await s.person.got("turn_complete", reason="interrupted")
        await asyncio.sleep(1)
        prompts = [e for e in line.sent if isinstance(e, Prompt)]
        if when == "before they write":
            note, asked = prompts
            assert ("save_note" in note.text, note.answer) == (True, False)
        else:
            (asked,) = prompts
        assert asked.text == "And then?"
        line.play(Text("Then it was done."), TurnEnded())
        await s.person.got("turn_complete", reason="complete")
        await asyncio.sleep(1)
        notes = [e for e in line.sent if isinstance(e, Prompt) and "save_note" in e.text]
        assert len(notes) == 1


async def test_a_late_result_waits_when_the_end_of_the_turn_before_was_on_its_way() -> None:
    """The answer is complete, but its end has not been read when the person writes."""
    async with stage() as s:
        line = await s.line()
        earlier = call("save_note", {"text": "x"})
        done = await s.session.dispatch(call("save_note", {"text": "y"}))
        line.play(Text("Shall I?"))
        await s.person.got("text")
        await s.engine.send_text("And then?")
        s.session.queue_late_result(earlier, done)
        line.play(TurnEnded())
        await s.person.got("turn_complete")
        await asyncio.sleep(1)
        assert [e.text for e in line.sent if isinstance(e, Prompt)] == ["And then?"]
        assert (await line.told(Prompt)).text == "And then?"
        line.play(Text("Then it was done."), TurnEnded())
        assert "save_note" in (await line.told(Prompt)).text


async def test_a_late_result_that_comes_while_the_conversation_ends_is_kept() -> None:
    async with stage() as s:
        await s.line()
        done = await s.session.dispatch(call("save_note", {"text": "y"}))
        s.engine.end("over")
        for number in range(20):
            s.session.queue_late_result(call("save_note", {"text": str(number)}), done)
            await asyncio.sleep(0)
        assert await s.over() == "over"
        assert "19" in [each.args["text"] for each, _ in s.session.drain_late_results()]


async def test_a_read_that_ends_with_the_line_is_told_as_stopped() -> None:
    async with stage() as s:

        async def slow(args: dict[str, Any], context: Any) -> Any:
            await asyncio.Event().wait()

        s.house.work.does("look_up", slow)
        line = await s.line()
        line.play(ToolCalls((call("look_up", {"query": "a"}),)))
        await s.person.got("function_call")
        line.play(Fault("auth", "The key is wrong.", fatal=True))
        result = await s.person.got("function_result")
        assert result["result"]["error_type"] == ErrorType.CANCELLED
        assert await s.over() == "provider_failed"


async def test_a_message_that_a_tool_queued_is_given_to_the_model_after_the_turn_once() -> None:
    async with stage() as s:
        s.house.work.does(
            "compute", lambda args, context: ok({}, [Intent.set_pending_message("Mention it")])
        )
        line = await s.line()
        line.play(ToolCalls((call("compute", {"text": "a"}),)))
        await line.told(CallAnswer)
        assert not [each for each in line.sent if isinstance(each, Prompt)]
        line.play(Text("Done."), TurnEnded())
        told = await line.told(Prompt)
        assert "Mention it" in told.text
        assert "not from the person" in told.text
        line.play(Text("I mention it."), TurnEnded())
        await s.person.got("turn_complete", turn=2)
        await settled()
        assert len([each for each in line.sent if isinstance(each, Prompt)]) == 1
