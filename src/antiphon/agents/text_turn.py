"""Text turn: the model's answer and its calls as a stream of events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, cast

from antiphon.agents.answer_links import AnswerLinks
from antiphon.agents.conversation import PARAGRAPH, Conversation
from antiphon.agents.notes import message_note, results_note
from antiphon.agents.turn_metrics import TurnMetrics
from antiphon.agents.turn_tools import TurnTools
from antiphon.contracts import Envelope, ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    Fault,
    Grounded,
    ModelTurn,
    Prompt,
    Ready,
    Text,
    ToolCalls,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.contracts.session_events import (
    CallDecision,
    CallFinished,
    CallStarted,
    ConversationError,
    LateCallResult,
    ModelText,
    PersonMessage,
    RoundsUsedUp,
    TextEvent,
    TextTurnEnded,
    TextTurnOpened,
    ToolProgress,
    WaitingForModel,
)
from antiphon.contracts.text_stream import encode
from antiphon.orchestrator import Session
from antiphon.orchestrator.reading import note_searched
from antiphon.policy import Verdict
from antiphon.providers.port import Connection, ProviderFault
from antiphon.providers.text import TextConnection
from antiphon.storage import StoreError

logger = logging.getLogger(__name__)

# An event as it is written to the stream (`contracts.text_stream`).
Event = dict[str, Any]

# A call that was told to stop gets this long to say how it ended.
STOP_SECONDS = 1.0
# For profiles without a limit of their own: nobody waits for more.
MOST_ROUNDS = 50
# How often results that come during a turn are given to the model before the turn ends.
MOST_NOTES = 3

WAITING_SECONDS = 5.0
WAITING_MESSAGE = "The model has not answered yet. Still waiting."
VOICE_MESSAGE = "Let's switch to voice mode."
ROUNDS_MESSAGE = (
    "I stopped here: I have used up the tool calls of this turn. Ask me to go on if you want more."
)


class TextTurn:
    """One turn of a text conversation, opened by `TextAgent.open`. Read `events`, or the typed
    `session_events`, once, to the end or not; then `close`."""

    def __init__(
        self,
        session: Session,
        connection: Connection,
        conversation: Conversation,
        text: str | None,
        opening: TextTurnOpened,
        released: Callable[[Session], None],
        *,
        is_kept: bool = False,
        tools: TurnTools | None = None,
    ) -> None:
        self.session = session
        self._tools = tools
        self._is_kept = is_kept  # the text is in the conversation already, without an answer
        self._connection = connection
        self._conversation = conversation
        self._text = text
        self._opening = opening
        self._released = released
        self._out: asyncio.Queue[TextEvent | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self._open = True
        self._stopping = False
        self._links = AnswerLinks(session, conversation)
        self._said: list[str] = []  # since the model last called tools or was told something
        self._message: list[str] = []
        self._calls: dict[int, Verdict | None] = {}  # under way, by identity: ids may come twice
        self._marks = TurnMetrics(session)
        self._usage = self._marks.usage
        self._began = session.orchestrator.monotonic()
        self._marks.moment("asked")
        self._errors = 0
        self._patience: asyncio.TimerHandle | None = None  # while the model owes an answer
        self._finish = "failed"
        self._voice: dict[str, Any] = {}
        self._timeout: Event | None = None  # what somebody was told who was blocked in this turn

    # -- whoever listens -----------------------------------------------------------------------

    async def events(self, idle: float | None = None) -> AsyncGenerator[Event, None]:
        """Yield the events of the turn as they happen; `done` is the last. To stop reading ends the
        turn.

        With `idle`, an event of that type comes after so many seconds in which nothing happened.
        """
        self._begin()
        try:
            while (event := await self._next(idle)) is not None:
                yield event
        finally:
            await self.close()

    async def session_events(self) -> AsyncGenerator[TextEvent, None]:
        """Yield the same events as objects; `TextTurnEnded` is the last."""
        self._begin()
        try:
            while (event := await self._out.get()) is not None:
                yield event
        finally:
            await self.close()

    def _begin(self) -> None:
        if self._task is not None or not self._open:
            raise RuntimeError("a turn has one reader, once")
        work = self._run()
        self._task = self.session.orchestrator.spawn(work, f"text turn {self.session.id}")

    async def _next(self, idle: float | None) -> Event | None:
        try:
            async with asyncio.timeout(idle):
                event = await self._out.get()
        except TimeoutError:
            return {"type": "idle"}
        return None if event is None else cast(Event, encode(event))

    async def close(self) -> None:
        """End the turn if it is under way: calls do what their `interruption` says, and what was
        said and done until now stays in the conversation. May be called twice."""
        task = self._task
        if task is not None:
            if not self._stopping:
                self._stopping = True
                task.cancel()
            await asyncio.wait({task})
        elif self._open:
            self._open = False
            self._released(self.session)
            await self._connection.close()

    # -- the turn ------------------------------------------------------------------------------

    async def _run(self) -> None:
        session = self.session
        channel, session.channel = session.channel, self._to_person
        unsubscribe = session.decision_listeners.subscribe(self._decided)
        session.state.set("is_model_generating", True)
        number = session.view.turn.number
        self._opening.turn = number
        self._emit(self._opening)
        try:
            await self._talk()
        except asyncio.CancelledError:
            self._finish = "interrupted"
            session.interrupt()
        except ProviderFault as failed:
            self._failed(failed.fault)
        except Exception as error:
            logger.error("a turn of session %s failed", session.id, exc_info=error)
            self._error("internal", "Something unexpected went wrong. The server's log says what.")
        finally:
            self._answered()
            if self._voice and not self._message:
                self._say(VOICE_MESSAGE)
            self._commit()
            session.channel = channel
            unsubscribe()
            session.state.set("is_model_generating", False)
            self._marks.mark("duration", self._waited_ms())
            self._marks.completed(self._finish)
            session.end_turn()
            try:
                await self._keep()
            finally:
                self._open = False
                self._released(self.session)
                self._done(number)

    async def _keep(self) -> None:
        try:
            await self._conversation.flush()
            if self.session.view.active:  # one that was ended meanwhile is saved as ended
                await self.session.orchestrator.save(self.session)
        except StoreError as error:
            logger.error("a turn of session %s was not kept: %s", self.session.id, error)
            self._error("store", f"This turn may be forgotten after a restart. {error}")
        finally:
            await self._connection.close()

    async def _talk(self) -> None:
        for message in self.session.drain_messages():
            self._to_person(message)
        parts = [note for note in (self._late(), self._queued()) if note]
        if self._text is not None:
            if not self._is_kept:
                self._conversation.add(UserTurn(self._text), channel="text")
            parts.append(self._text)
        await self._tell(Prompt(PARAGRAPH.join(parts)))
        notes = 0
        async with aclosing(self._connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                if not isinstance(event, Ready):
                    self._answered()
                    self._marks.model_answers()
                match event:
                    case Text(text):
                        self._say(self._links.feed(text))
                    case Usage():
                        self._marks.used(event)
                    case Grounded(words):
                        note_searched(self.session, words)
                    case ToolCalls(calls):
                        self._marks.model_done()
                        answers = await self._round(calls)
                        if self._sent_away() or self._rounds_used_up():
                            return
                        for answer in answers:
                            await self._tell(answer)
                    case Fault():
                        self._failed(event)
                        if event.fatal:
                            return
                    case TurnEnded(reason):
                        self._marks.model_done()
                        self._commit()
                        # What a person has approved meanwhile is told before the turn ends.
                        note = self._late() if reason == "complete" and notes < MOST_NOTES else ""
                        if not note:
                            self._finish = reason
                            if reason == "failed" and not self._errors:
                                self._error("protocol", "The model gave no usable answer.", True)
                            return
                        notes += 1
                        await self._tell(Prompt(note))
        self._error("closed", "The connection to the model ended before its answer did.")

    async def _tell(self, event: Prompt | CallAnswer) -> None:
        """Send an event to the model, and start the timer that tells the client of a slow
        answer."""
        self._answered()
        self._marks.asked_model()
        loop = asyncio.get_running_loop()
        waiting = WaitingForModel("answer", WAITING_MESSAGE, WAITING_SECONDS)
        self._patience = loop.call_later(WAITING_SECONDS, self._emit, waiting)
        await self._connection.send(event)

    def _answered(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _late(self) -> str:
        """Drain results of earlier calls: to the client, into the conversation, and as a note for
        the model."""
        late = self.session.drain_late_results()
        if not late:
            return ""
        for call, envelope in late:
            self._emit(LateCallResult(call.id, call.name, envelope))
        note = results_note(late)
        self._conversation.add(UserTurn(note), channel="text")
        return note

    def _queued(self) -> str:
        """Return a note with the message that a tool left in an earlier turn; empty if there is
        none."""
        message = self.session.take_pending_message()
        if not message:
            return ""
        note = message_note(message)
        self._conversation.add(UserTurn(note), channel="text")
        return note

    def _sent_away(self) -> bool:
        """Tell whether the person was blocked with a farewell, and make that the last they read,
        whatever the model would add to it."""
        farewell = (self._timeout or {}).get("message")
        if not farewell or self.session.orchestrator.blocked_until(self.session.user) is None:
            return False
        self._say(farewell)
        self._finish = "complete"
        return True

    def _rounds_used_up(self) -> bool:
        """Tell whether the model asks for tools after it was told that there are no more rounds."""
        rounds = self.session.view.budget.rounds
        if self.session.view.turn.rounds <= (MOST_ROUNDS if rounds is None else rounds) + 1:
            return False
        self._emit(RoundsUsedUp(ROUNDS_MESSAGE))
        self._say(ROUNDS_MESSAGE)
        self._finish = "rounds"
        return True

    # -- calls ---------------------------------------------------------------------------------

    async def _round(self, calls: tuple[ToolCall, ...]) -> list[CallAnswer]:
        """Dispatch all calls at the same time. Whatever happens, each has its answer in the
        conversation."""
        self.session.begin_round()
        self._commit(calls)
        answers: dict[int, CallAnswer] = {}
        own = [self.session.with_unique_id(call) for call in calls]
        tasks = [
            asyncio.create_task(self._call(call, number, answers), name=f"call {call.name}")
            for number, call in enumerate(own)
        ]
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            await self._stop(own, tasks)
            raise
        finally:
            found = [
                CallAnswer(call.id, call.name, answers[number].envelope)
                for number, call in enumerate(calls)
            ]
            self._conversation.add(AnswersTurn(tuple(found)), channel="text")
        return found

    async def _call(self, call: ToolCall, number: int, answers: dict[int, CallAnswer]) -> None:
        self._calls[id(call)] = None
        try:
            envelope = await self.session.dispatch(call)
        except asyncio.CancelledError:
            envelope = _cancelled(call, self.session.snapshot.version)
        if self._calls.pop(id(call)) is None:  # nothing was decided: the server is stopping
            self._called(call, "refuse", "closed")
        answers[number] = CallAnswer(call.id, call.name, envelope)
        if self._tools is not None:
            self._tools.add_found(call.name, envelope)
        self._emit(CallFinished(call.id, call.name, envelope))
        if call.name == "start_voice_session" and envelope["ok"]:
            request = envelope["data"].get("pending_request")
            self._voice = {"pendingRequest": request}

    async def _stop(self, calls: list[ToolCall], tasks: list[asyncio.Task[None]]) -> None:
        """Stop the calls of a turn that ends: reads are cancelled, writes go on, and their results
        are told in the next turn."""
        self.session.interrupt()
        for record in tuple(self.session.running.values()):
            if any(record.call is call for call in calls):
                record.release()
        _, left = await asyncio.wait(tasks, timeout=STOP_SECONDS)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)

    def _decided(self, call: ToolCall, verdict: Verdict) -> None:
        if id(call) in self._calls:  # not one that came another way into the same session
            self._calls[id(call)] = verdict
            self._called(call, verdict.outcome, verdict.rule)

    def _called(self, call: ToolCall, outcome: str, rule: str) -> None:
        decision, now = CallDecision(outcome, rule), self.session.orchestrator.now()
        self._emit(CallStarted(call.id, call.name, self._shown(call), decision, now))

    def _shown(self, call: ToolCall) -> Any:
        """Return the arguments of a call with redacted fields removed."""
        return self.session.shown_call(call).args

    # -- what was said -------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if not text:
            return  # it is held back until it is known what it is
        if not self._message:
            self._marks.mark("time_to_first_text", self._waited_ms())
            self._marks.moment("first_text")
        if not self._said and self._message:
            text = PARAGRAPH + text
        self._said.append(text)
        self._message.append(text)
        self._emit(ModelText(text))

    def _waited_ms(self) -> float:
        return (self.session.orchestrator.monotonic() - self._began) * 1000

    def _commit(self, calls: tuple[ToolCall, ...] = ()) -> None:
        """Add what the model has said, and what it asks for, to the conversation."""
        self._say(self._links.finish())
        text = "".join(self._said).removeprefix(PARAGRAPH)
        self._said.clear()
        if not text and not calls:
            return
        kept = tuple(map(self.session.shown_call, calls))
        turn = ModelTurn(text, kept)
        hidden = any(a.args is not b.args for a, b in zip(calls, kept, strict=True))
        connection = self._connection
        if isinstance(connection, TextConnection) and connection.history and not hidden:
            last = connection.history[-1]
            if isinstance(last, ModelTurn) and (last.text, last.calls) == (text, calls):
                turn = last  # in the provider's own form as well
        self._conversation.add(turn, channel="text")

    # -- events --------------------------------------------------------------------------------

    def progressed(self, event: dict[str, Any]) -> None:
        """Emit how far a tool is."""
        told = {k: v for k, v in event.items() if k not in ("toolId", "key", "type", "name")}
        self._emit(ToolProgress(event["toolId"], told))

    def ask_client(self, call: CallStarted, turn: int) -> None:
        """Emit that the client is to run a function itself."""
        del turn  # a stream is of one turn
        self._emit(call)

    def _to_person(self, message: dict[str, Any]) -> None:
        if message.get("type") == "timeout":
            self._timeout = message
        self._emit(PersonMessage(message))

    def _failed(self, fault: Fault) -> None:
        session = self.session
        logger.warning("session %s: %s (%s)", session.id, fault.message, fault.detail)
        session.append_audit("provider_fault", details={"kind": fault.kind, "detail": fault.detail})
        self._error(fault.kind, fault.message, fault.retryable, fault.retry_after)

    def _error(
        self, kind: str, message: str, retryable: bool = False, retry_after: float | None = None
    ) -> None:
        self._errors += 1
        self._emit(ConversationError(kind, message, retryable, retry_after))

    def _done(self, turn: int) -> None:
        said, id_ = "".join(self._message), self.session.id
        self._emit(
            TextTurnEnded(said, id_, turn, self._finish, self._usage, self._voice, self._timeout)
        )
        self._out.put_nowait(None)

    def _emit(self, event: TextEvent) -> None:
        self._out.put_nowait(event)


def _cancelled(call: ToolCall, version: str) -> Envelope:
    body = error_body(ErrorType.CANCELLED, f"{call.name} was cancelled: the person went away.")
    return failure(body, make_meta(str(call.name), None, version, 0))
