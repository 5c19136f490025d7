"""A spoken conversation: the person's end, the model's line, and the governed path between them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from antiphon.agents.conversation import Conversation
from antiphon.agents.flat import flat_result
from antiphon.agents.notes import results_note
from antiphon.agents.turn_marks import TurnMarks
from antiphon.agents.voice.floor import Floor
from antiphon.agents.voice.line import Line, Rejoined
from antiphon.agents.voice.outlet import Outlet
from antiphon.contracts import Envelope, ErrorType, ToolCall
from antiphon.contracts.definition import ToolDefinition
from antiphon.contracts.events import (
    Activity,
    AnswersTurn,
    Audio,
    AudioEnded,
    CallAnswer,
    Event,
    Fault,
    HistoryTurn,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    SendAudio,
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
from antiphon.orchestrator import Session
from antiphon.policy import Verdict
from antiphon.providers.port import Provider, Setup

logger = logging.getLogger(__name__)

FILLER = "One moment, I am still on it."
FAREWELL_SECONDS = 20.0  # a model that does not come to an end by itself is ended
PLAYOUT_GRACE = 0.5
_GO_ON = (
    "(The line was interrupted while you were saying: {said!r}. Go on from there. Do not greet "
    "again and do not mention the interruption.)"
)
_SAY_AGAIN = "(The line was interrupted before the person heard your last answer. Say it again.)"

# The call for which the person's end is asked, and why it may run: for whoever asks it.
asked_of_client: ContextVar[tuple[ToolCall, Verdict] | None] = ContextVar(
    "asked_of_client", default=None
)


@dataclass(slots=True)
class VoiceOptions:
    """What one session wants; the rest is the profile's."""

    greeting: str | None = None  # what the model is asked to open with, once
    pending_request: str | None = None  # what the person wanted before they began to talk
    resume: str | None = None  # a handle of the provider from an earlier connection
    left_off: str | None = None  # what the model is told of where an earlier life broke off
    filler: str = FILLER
    attempts: int = 3
    backoff: float = 0.25
    on_ready: Callable[[], None] | None = None  # the model listens for the first time


class Ended(Exception):
    """The conversation is over; the session's tasks end with it."""


class VoiceEngine:
    """Run it with `run`; tell it what the person does with the other methods.

    `setup` gives the setup of a connection for a handle and the history that it has to know.
    """

    def __init__(
        self,
        session: Session,
        provider: Callable[[], Provider],
        setup: Callable[[str | None, list[HistoryTurn]], Setup],
        outlet: Outlet,
        conversation: Conversation,
        options: VoiceOptions | None = None,
    ) -> None:
        self.session = session
        self.conversation = conversation
        self.options = options or VoiceOptions()
        self.usage = Usage()
        self.left_off: str | None = None  # for whoever takes the conversation up again
        self._setup = setup
        self._outlet = outlet
        self._now = session.orchestrator.now
        self._loop = asyncio.get_running_loop()
        self._line = Line(
            provider,
            self,
            speech=self,
            resume=self.options.resume,
            attempts=self.options.attempts,
            backoff=self.options.backoff,
        )
        self._group: asyncio.TaskGroup | None = None
        self._floor = Floor(self._loop.time, session.view.turn.number)
        self._playing: Floor | None = None  # a turn that is over, but not yet heard to its end
        self._calls: dict[int, ToolCall] = {}  # under way, by identity: ids may come twice
        self._decided: dict[int, Verdict] = {}
        # What the model was given, or is to be given, since it last went on; of these the first
        # `_seeded` are part of the history that the connection under way began with.
        self._results: list[tuple[ToolCall, Envelope]] = []
        self._seeded = 0
        self._withdrawn: set[int] = set()
        self._notes: list[tuple[ToolCall, Envelope]] = []  # what came late, until it is told
        self._heard: list[str] = []  # the words of the utterance that the person is in
        self._speaking_since: float | None = None
        self._stopped_at: float | None = None
        self._owed: str | None = None  # what the person said last, until the model answers it
        self._nonsense: Fault | None = None
        self._farewell_asked = False
        self._ending: str | None = None
        self._filled_turn = 0
        self._marks = TurnMarks(session)

    # -- its life ----------------------------------------------------------------------------

    async def run(self) -> str:
        """Talk until it is over; the reason why it is. Never raises for what the model does."""
        session = self.session
        session.on_decision, session.on_late = self._decision, self._came_late
        for call, envelope in session.take_late():  # of an earlier life of this conversation
            self._came_late(call, envelope)
        self._owed = self.options.left_off
        reason = "ended"
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                group.create_task(self._converse(), name="voice")
        except* Ended as over:
            reason = str(over.exceptions[0])
            if reason == "provider_failed":
                self.leave()
        finally:
            self._group = None
            session.on_decision = session.on_late = None
            for call, envelope in self._notes:  # for the next conversation of this session
                session.came_late(call, envelope)
            await self._line.close()
            self._commit_heard()
            self._commit_said()
            await self.conversation.flush()
        return reason

    @property
    def handle(self) -> str | None:
        """With which a later connection to the same provider knows this conversation."""
        return self._line.handle

    def end(self, reason: str = "user_requested") -> None:
        """The person hangs up."""
        self._over(reason)

    def leave(self) -> None:
        """The person's end is lost: what they did not hear was not said, and is kept as
        `left_off`, as is what they were not answered."""
        floor = self._audible()
        if floor is not None:
            floor.stop()
        contracts = map(self._contract, self._calls.values())
        if any(contract is not None and contract.writes for contract in contracts):
            return  # what comes of it is told when it is there; to go on now might do it twice
        said = floor.heard_text() if floor is not None else ""
        last = self.conversation.entries[-1].turn if self.conversation.entries else None
        if said.strip(" …"):
            self.left_off = _GO_ON.format(said=said)
        elif floor is not None and floor is self._playing:
            self.left_off = _SAY_AGAIN
        elif self._results:
            self.left_off = results_note(self._results)
        elif self._owed is not None:
            self.left_off = self._owed
        elif floor is not None and isinstance(last, UserTurn):
            self.left_off = last.text

    def _over(self, reason: str) -> None:
        if self._ending is None:
            self._ending = reason
            self._spawn(_raised(Ended(reason)), "end")

    def _spawn(self, work: Any, name: str) -> None:
        if self._group is None:
            work.close()
        else:
            self._group.create_task(work, name=f"voice {name}")

    # -- the person --------------------------------------------------------------------------

    async def audio(self, pcm: bytes) -> None:
        await self._line.send(SendAudio(pcm))

    def hear(self, pcm: bytes) -> bool:
        """The same within this call. False: it cannot be done, and nothing was."""
        return self._line.hear(pcm)

    async def audio_ended(self) -> None:
        await self._line.send(AudioEnded())

    async def activity(self, active: bool) -> None:
        """The talk button."""
        if active:
            self._speech_started()
            await self.interrupt()
        await self._line.send(Activity(active))

    async def text(self, text: str) -> None:
        """The person writes."""
        if self._blocked():
            return
        self._commit_heard()
        if (floor := self._audible()) is not None:
            self._cut_in(floor)
        self.conversation.add(UserTurn(text), channel="voice")
        self._owed = text
        self._stopped_at = self._loop.time()
        await self._line.send(Prompt(text))

    async def interrupt(self) -> None:
        """The person cuts in by a deliberate act. The model is told how much was heard."""
        if (floor := self._audible()) is not None:
            played, item = floor.played_ms, floor.item
            self._cut_in(floor)
            await self._line.send(Interrupt(played, item))

    def playback(self, turn_id: int, played_ms: int) -> None:
        """What the person's player says of a turn's speech."""
        for floor in (self._floor, self._playing):
            if floor is not None and floor.turn == turn_id:
                floor.report(played_ms)

    # -- the line's questions ------------------------------------------------------------------

    def setup(self, resume: str | None) -> Setup:
        if resume:
            self._seeded = 0
            return self._setup(resume, [])
        self._seeded = len(self._results)
        history = self.conversation.history()
        last = history[-1] if history else None
        if self._owed is not None and isinstance(last, UserTurn):
            # It will be said anew, as what the model is to answer.
            before = last.text.removesuffix(self._owed).rstrip()
            if before != last.text:
                history[-1:] = [UserTurn(before)] if before else []
        return self._setup(None, history)

    def quiet(self) -> bool:
        return not (
            self._floor.generating
            or self._calls
            or self._speaking_since is not None
            or self._owed is not None
            or self._results
        )

    def unfinished(self, resumed: bool) -> str | None:
        known = 0 if resumed else self._seeded
        new = self._results[known:]
        parts = [results_note(new)] if new else []
        said = self._floor.heard_text()
        if said:
            parts.append(_GO_ON.format(said=said))
        elif known and not parts:
            parts.append(
                "(The line was interrupted. The results of your calls are above. Tell the person "
                "what came of them. Do not greet again and do not mention the interruption.)"
            )
        elif self._owed is not None and not parts:
            parts.append(self._owed)
        return "\n\n".join(parts) or None

    # -- the model ---------------------------------------------------------------------------

    async def _converse(self) -> None:
        async with aclosing(self._line.events()) as events:  # type: ignore[type-var]
            async for event in events:
                await self._handle(event)
        raise Ended(self._ending or "provider_failed")

    async def _handle(self, event: Event | Rejoined) -> None:
        # The commonest first; a connection has put the events of one message in order already.
        if type(event) is Audio:
            await self._speak(event)
            return
        match event:
            case ToolCalls(calls):
                self._take_floor()
                self._start_calls(calls)
            case ToolCallsCancelled(ids):
                self._withdraw(ids)
            case Interrupted():
                await self._provider_interrupted()
            case Text(text):
                self._say(text)
                self._send("text", text=text)
            case Transcript():
                await self._transcript(event)
            case SpeechStarted():
                self._speech_started()
            case SpeechStopped():
                self._stopped_at = self._loop.time()
                self._speaking_since = self._speaking_since or self._now()
            case Usage():
                self.usage.input_tokens += event.input_tokens
                self.usage.output_tokens += event.output_tokens
                self.usage.cached_tokens += event.cached_tokens
                self._marks.used(event)
            case TurnEnded(reason):
                await self._turn_ended(reason)
            case Fault():
                self._fault(event)
            case Ready():
                if self.options.on_ready is not None:
                    self.options.on_ready()
                await self._open()
            case Rejoined(resumed):
                self.session.note("line_changed", details={"resumed": resumed})

    async def _open(self) -> None:
        """The first words: what the person already asked for, else the greeting."""
        options, state = self.options, self.session.state
        request = options.pending_request or state.get("pending_message")
        if request:
            state.set("pending_message", None)
            self.conversation.add(UserTurn(request), channel="voice")
            self._owed = request
            await self._line.send(
                Prompt(f"(The person asked this just before they began to talk.) {request}")
            )
        elif self._notes or options.left_off:
            await self._tell_notes(options.left_off)
        elif options.greeting:
            await self._line.send(Prompt(options.greeting))

    def _take_floor(self) -> None:
        """The model begins to answer: the person's words before it are complete."""
        floor = self._floor
        if not floor.generating:
            floor.generating = True
            self.session.state.set("is_model_generating", True)
            self._owed = None

    # What the model says reaches the person within the call that brings it, if nothing waits
    # before it. The connection asks first, for then there is no way back.

    @property
    def free(self) -> bool:
        return self._outlet.free

    def speak(self, event: Audio) -> None:
        try:
            if self._is_heard(event):
                self._outlet.speak(event.data, self.session.view.turn.number)
        except Exception as error:  # noqa: BLE001 - it ends the conversation, not the connection
            self._spawn(_raised(error), "speech")

    async def _speak(self, event: Audio) -> None:
        if self._is_heard(event):
            await self._outlet.audio(event.data, self.session.view.turn.number)

    def _is_heard(self, event: Audio) -> bool:
        floor = self._floor
        if floor.muted:
            return False
        if not floor.spoken and self._stopped_at is not None:
            waited = (self._loop.time() - self._stopped_at) * 1000
            self._marks.spoken("time_to_first_audio", waited)
            self._stopped_at = None
        self._take_floor()
        floor.hear(event.data, event.item)
        return not self.session.state.get("should_suppress_audio")

    def _say(self, text: str) -> None:
        self._take_floor()
        floor = self._floor
        if floor.said_at is None:
            floor.said_at = self._now()
        floor.said.append(text)

    async def _transcript(self, event: Transcript) -> None:
        if event.interim:
            if not self.session.state.get("should_suppress_transcript"):
                role = "assistant" if event.role == "model" else "user"
                self._send("partial_transcript", role=role, text=event.text)
            return
        if event.role == "model":
            if event.text:
                self._say(event.text)
        else:
            if self._speaking_since is None:
                self._speaking_since = self._now()
            self._heard.append(event.text)
        if event.text and not self.session.state.get("should_suppress_transcript"):
            started = self._floor.said_at if event.role == "model" else self._speaking_since
            self._send(
                "transcript",
                role="assistant" if event.role == "model" else "user",
                text=event.text,
                final=event.final,
                started_at=started,
            )
        if event.role == "user" and event.final:
            words = self._commit_heard()
            if words and await self.session.confirm_spoken(words) is not None:
                self._owed = None  # the outcome is all that is left to answer
                if self.quiet():
                    await self._tell_notes()

    def _speech_started(self) -> None:
        if self._speaking_since is None or not self._heard:
            self._speaking_since = self._now()

    def _commit_heard(self) -> str:
        """The person's utterance is complete: it belongs where they began to speak."""
        words = "".join(self._heard).strip()
        self._heard.clear()
        since, self._speaking_since = self._speaking_since, None
        if words:
            self.conversation.add(UserTurn(words), channel="voice", at=since)
            if not self._floor.generating:
                self._owed = words
        return words

    def _commit_said(self) -> None:
        text = self._floor.heard_text()
        if text:
            self.conversation.add(ModelTurn(text), channel="voice", at=self._floor.said_at)

    # -- cutting in ----------------------------------------------------------------------------

    async def _provider_interrupted(self) -> None:
        floor = self._audible()
        if floor is None:
            return
        played, item = floor.played_ms, floor.item
        self._cut_in(floor)
        if floor.spoken:
            await self._line.send(Interrupt(played, item))

    def _audible(self) -> Floor | None:
        """What the person hears, or is about to hear, unless they have cut in already."""
        floor = self._floor
        if not floor.muted and (floor.generating or floor.unplayed_ms):
            return floor
        playing = self._playing
        if playing is not None and playing.unplayed_ms and not playing.muted:
            return playing
        return None

    def _cut_in(self, floor: Floor) -> None:
        """Silence first, everything else after."""
        began = self._loop.time()
        self._outlet.flush()
        self._outlet.send({"type": "interrupted", "turn_id": floor.turn})
        floor.stop()
        self.session.interrupt()
        stopped = (self._loop.time() - began) * 1000
        self._marks.spoken("barge_in_stop", stopped)

    # -- turns -----------------------------------------------------------------------------------

    async def _turn_ended(self, reason: str) -> None:
        session, floor = self.session, self._floor
        if reason != "failed":
            self._owed = None
        elif self._nonsense is not None:
            self._tell_fault(self._nonsense)
        self._nonsense = None
        self._results.clear()
        self._commit_said()
        if session.orchestrator.confirmations.waiting(session) and floor.spoken:
            # The model has asked aloud; from the end of that speech on a yes is a yes.
            self._spawn(self._prompted(floor.unplayed_ms), "confirmation prompt")
        session.state.set("is_model_generating", False)
        self._send("turn_complete", turn=session.view.turn.number, reason=reason)
        spoken, unplayed = floor.spoken or bool(floor.said), floor.unplayed_ms
        if not floor.muted and floor.spoken and self._stopped_at is None:
            self._marks.spoken("turn_gap", float(unplayed))
        self._marks.completed(reason)
        session.end_turn()
        # What is still being played may yet be cut short.
        self._playing = floor if unplayed and not floor.muted else None
        self._floor = Floor(self._loop.time, session.view.turn.number)
        await session.orchestrator.save(session)
        if self._blocked():
            return
        if session.state.get("pending_end_voice_session") is not None:
            await self._farewell(spoken, unplayed)
            return
        await self._tell_notes()
        self._line.settled()

    async def _prompted(self, unplayed_ms: int) -> None:
        await asyncio.sleep(unplayed_ms / 1000)
        session = self.session
        confirmations = session.orchestrator.confirmations
        for request in confirmations.waiting(session):
            confirmations.prompted(session, request["id"])

    async def _farewell(self, spoken: bool, unplayed_ms: int) -> None:
        pending = self.session.state.get("pending_end_voice_session")
        closing = pending["closingMessage"]
        if closing and not spoken and not self._farewell_asked:
            self._farewell_asked = True
            self._loop.call_later(FAREWELL_SECONDS, self._finish)
            await self._line.send(Prompt(f"(Say goodbye now, in these words: {closing!r})"))
            return
        # Long enough for the last words to be heard.
        wait = (unplayed_ms / 1000 + PLAYOUT_GRACE) if unplayed_ms else 0
        self._loop.call_later(wait, self._finish)

    def _finish(self) -> None:
        if self._group is None or self._ending is not None:
            return
        pending = self.session.state.get("pending_end_voice_session") or {}
        reason = pending.get("reason") or "user_requested"
        self._send("voice_session_end", reason=reason, textResponse=pending.get("textResponse"))
        if pending.get("textResponse"):
            self.conversation.add(ModelTurn(pending["textResponse"]), channel="text")
        self._over(reason)

    def _blocked(self) -> bool:
        told = self.session.orchestrator.kept_out(self.session.user)
        if told is not None:
            self._send("timeout", **told)
            self._over("blocked")
        return told is not None

    def _fault(self, fault: Fault) -> None:
        logger.warning("%s: %s (%s)", self.session.id, fault.message, fault.detail)
        self.session.note("provider_fault", details={"kind": fault.kind, "detail": fault.detail})
        if fault.kind == "protocol" and not fault.fatal:
            # One message that made no sense. The person is told if the answer ends with it.
            self._nonsense = fault
            return
        self._tell_fault(fault)
        if fault.fatal:
            self._over("provider_failed")

    def _tell_fault(self, fault: Fault) -> None:
        self._send(
            "error",
            message=fault.message,
            kind=fault.kind,
            retryable=fault.retryable,
            retry_after=fault.retry_after,
            fatal=fault.fatal,
        )

    def _send(self, type: str, **fields: Any) -> None:
        self._outlet.send({"type": type, "turn_id": self.session.view.turn.number, **fields})

    # -- calls -----------------------------------------------------------------------------------

    def _start_calls(self, calls: tuple[ToolCall, ...]) -> None:
        if not self._calls:
            self._results.clear()  # it asks for more: what it was given before, it has taken in
        for call in calls:
            self._calls[id(call)] = call
            self._spawn(self._call(call), f"call {call.name}")

    async def _call(self, call: ToolCall) -> None:
        session = self.session
        filler = self._loop.call_later(self._patience(call), self._fill, session.view.turn.number)
        try:
            envelope = await session.dispatch(call, source="voice")
        finally:
            filler.cancel()
            self._calls.pop(id(call), None)
        self._result(call, envelope)
        self.conversation.add(ModelTurn("", (call,)), channel="voice")
        answer = CallAnswer(call.id, call.name, envelope)
        self.conversation.add(AnswersTurn((answer,)), channel="voice")
        if id(call) in self._withdrawn:
            self._withdrawn.discard(id(call))
            return
        self._results.append((call, envelope))
        await self._line.answer(call, envelope)

    def _contract(self, call: ToolCall) -> ToolDefinition | None:
        tool = self.session.snapshot.tools.get(call.name) if isinstance(call.name, str) else None
        return tool.definition if tool else None

    def _patience(self, call: ToolCall) -> float:
        contract = self._contract(call)
        return (contract.latency_budget_ms if contract else 1000) / 1000

    def _fill(self, turn: int) -> None:
        """A tool takes longer than it should: the person hears that it goes on, once a turn."""
        if turn == self.session.view.turn.number and self._filled_turn != turn:
            self._filled_turn = turn
            sounding = self._floor.unplayed_ms or (self._playing and self._playing.unplayed_ms)
            if not sounding and not self._floor.muted:
                self._send("text", text=self.options.filler, filler=True)

    def _withdraw(self, ids: tuple[str, ...]) -> None:
        for call in list(self._calls.values()):
            if call.id in ids:
                self._withdrawn.add(id(call))
                self.session.cancel(str(call.id))

    def _decision(self, call: ToolCall, verdict: Verdict) -> None:
        self._decided[id(call)] = verdict
        contract = self._contract(call)
        if contract is not None and contract.execution == "client" and verdict.outcome == "run":
            asked_of_client.set((call, verdict))
            return  # the browser is asked with the checked arguments
        self._send(
            "function_call",
            name=call.name,
            args=call.args,
            fn_call_id=call.id,
            server_handled=True,
            started_at=self._now(),
            decision={"outcome": verdict.outcome, "rule": verdict.rule},
        )

    def _result(self, call: ToolCall, envelope: Envelope) -> None:
        verdict = self._decided.pop(id(call), None)
        self._send(
            "function_result",
            name=call.name,
            fn_call_id=call.id,
            result=flat_result(envelope),
            meta=envelope["meta"],
            decision={"outcome": verdict.outcome, "rule": verdict.rule} if verdict else None,
        )

    # -- results that come later -----------------------------------------------------------------

    def _came_late(self, call: ToolCall, envelope: Envelope) -> None:
        self.session.take_late()
        error = {} if envelope["ok"] else envelope["error"]
        if error.get("type") == ErrorType.CANCELLED and "outcome" not in error:
            return  # it was stopped because they cut in; a request that they refused has an outcome
        self._notes.append((call, envelope))
        if id(call) in self._decided:  # it was approved, and nobody waited for it
            self._result(call, envelope)
        if self._group is not None and self.quiet():
            self._spawn(self._tell_notes(), "late result")

    async def _tell_notes(self, left_off: str | None = None) -> None:
        notes, self._notes = self._notes, []
        parts = [results_note(notes)] if notes else []
        if left_off:
            parts.append(left_off)
        if parts:
            await self._line.send(Prompt("\n\n".join(parts)))


async def _raised(error: Exception) -> None:
    raise error
