"""Tool calls of a spoken conversation: dispatch, results, withdrawal, late results, filler."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

from antiphon.agents.notes import message_note, results_note
from antiphon.agents.profiles.profile import FIND_TOOLS
from antiphon.agents.voice.answer_watch import AnswerWatch
from antiphon.agents.voice.farewell import Farewell, Say
from antiphon.agents.voice.resilient_connection import ResilientConnection
from antiphon.agents.voice.scope import ConversationScope
from antiphon.agents.voice.turn_taking import TurnTaking
from antiphon.contracts import (
    Envelope,
    ErrorType,
    ToolCall,
    error_body,
    failure,
    make_meta,
)
from antiphon.contracts.definition import ToolDefinition
from antiphon.contracts.events import AnswersTurn, CallAnswer, ModelTurn, Prompt
from antiphon.contracts.session_events import CallDecision, CallFinished, CallStarted, ModelText
from antiphon.orchestrator import Session
from antiphon.policy import Verdict

# So long after a cut the model may take a call back before it is answered.
TAKE_BACK_SECONDS = 1.0


class VoiceCalls:
    """Tool calls of one spoken conversation. `filler` is what the person reads, and hears if
    somebody can `say` it, while a tool takes longer than it should."""

    def __init__(
        self,
        scope: ConversationScope,
        turns: TurnTaking,
        farewell: Farewell,
        connection: ResilientConnection,
        watch: AnswerWatch,
        *,
        filler: str,
        say: Say | None,
    ) -> None:
        self._scope = scope
        self._session = scope.session
        self._conversation = scope.conversation
        self._turns = turns
        self._farewell = farewell
        self._connection = connection
        self._watch = watch
        self._filler = filler
        self._say = say
        self._filled_turn = 0
        # Each as the model made it and as it is dispatched, by identity: ids may come twice.
        self.under_way: dict[int, tuple[ToolCall, ToolCall]] = {}
        self._withdrawn: set[int] = set()
        self._held: set[int] = set()  # until it is known whether the person goes on
        self._forgotten: set[int] = set()  # they did: it never was
        # What the model was given, or is to be given, since it last went on; of these the first
        # `seeded` are part of the history that the connection under way began with.
        self.results: list[tuple[ToolCall, Envelope]] = []
        self.seeded = 0
        self.ready = False  # the person's end takes results

    @property
    def quiet(self) -> bool:
        """Whether nobody speaks, no call is under way and nothing is owed."""
        return not (self._turns.busy or self.under_way or self.results)

    @property
    def writing(self) -> bool:
        """Whether a call with side effects is under way."""
        begun = [call for call, _ in self.under_way.values() if id(call) not in self._held]
        contracts = [self._contract(call) for call in begun]
        return any(contract is not None and contract.writes for contract in contracts)

    @property
    def awaited(self) -> bool:
        """Whether the model does nothing but wait for its calls."""
        return bool(self.under_way) and self._turns.playback.waits

    # -- under way -----------------------------------------------------------------------------

    def start(self, calls: tuple[ToolCall, ...]) -> None:
        """Dispatch the calls of one message, each in a task of its own."""
        if not self.under_way:
            self.results.clear()  # it asks for more: what it was given before, it has taken in
        self._turns.playback.note_call()
        for call in calls:
            own = self._session.with_unique_id(call)
            self.under_way[id(call)] = call, own
            self._scope.spawn(self._call(call, own), f"call {call.name}")

    async def _call(self, call: ToolCall, own: ToolCall) -> None:
        """Make a call: one that changes something once the person is done with what they say."""
        if self._changes(call):
            self._held.add(id(call))
            try:
                settled = await self._turns.settlement.wait()
            finally:
                self._held.discard(id(call))
            if not settled or id(call) in self._withdrawn:
                self._withdrawn.discard(id(call))
                self._forgotten.discard(id(call))
                self.under_way.pop(id(call), None)
                return
        await self._make(call, own)

    async def _make(self, call: ToolCall, own: ToolCall) -> None:
        session, conversation = self._session, self._conversation
        patience, turn = self._patience(call), session.view.turn.number
        filler = self._scope.loop.call_later(patience, self._bridge, turn)
        try:
            try:
                envelope = await session.dispatch(own, source="voice")
            except asyncio.CancelledError:
                contract = self._contract(call)
                if contract is None or not contract.writes:  # else its outcome comes late
                    self._result(own, _stopped(session, call))
                raise
            finally:
                filler.cancel()
            self._result(own, envelope)
            if _cut_short(envelope) and self._connection.cancels_calls:
                # A model that was cut short takes its calls back, and wants no answer to them.
                await asyncio.sleep(TAKE_BACK_SECONDS)
        finally:
            self.under_way.pop(id(call), None)
        if id(call) in self._forgotten:
            self._forgotten.discard(id(call))
            self._withdrawn.discard(id(call))
            return
        self._farewell.note_result(self._turns.playback)
        conversation.add(ModelTurn("", (session.shown_call(own),)), channel="voice")
        answer = CallAnswer(own.id, call.name, envelope)
        conversation.add(AnswersTurn((answer,)), channel="voice")
        if id(call) in self._withdrawn:
            self._withdrawn.discard(id(call))
            if session.is_undelivered(own):
                session.queue_late_result(own, envelope)
            return
        self.results.append((call, envelope))
        await self._connection.send_answer(call, envelope)
        if call.name == FIND_TOOLS and envelope["ok"]:
            self._connection.renew()  # what was found is declared by the next one
        if not self.under_way:
            self._watch.expect("answer")

    def withdraw(self, ids: tuple[str, ...]) -> None:
        """Cancel calls that the model takes back."""
        for call, own in list(self.under_way.values()):
            if call.id in ids:
                self._withdrawn.add(id(call))
                self._session.cancel(str(own.id))

    def forget(self) -> None:
        """Forget the calls of an answer that is taken back: the person had not said all of it."""
        self._forgotten.update(self.under_way)
        self.results.clear()

    def on_decision(self, call: ToolCall, verdict: Verdict) -> None:
        """Report a decided call to the client."""
        self._session.unreported[id(call)] = verdict
        contract = self._contract(call)
        if contract is not None and contract.execution == "client" and verdict.outcome == "run":
            return  # the browser is asked with the checked arguments
        self._scope.send(
            CallStarted(call.id, call.name, call.args, _decision(verdict), self._scope.now())
        )

    def _result(self, call: ToolCall, envelope: Envelope) -> None:
        verdict = self._session.unreported.pop(id(call), None)
        self._scope.send(CallFinished(call.id, call.name, envelope, _decision(verdict)))

    def _contract(self, call: ToolCall) -> ToolDefinition | None:
        tool = self._session.snapshot.tools.get(call.name) if isinstance(call.name, str) else None
        return tool.definition if tool else None

    def _changes(self, call: ToolCall) -> bool:
        """Tell whether a call changes something, be it only what the person sees."""
        contract = self._contract(call)
        return contract is not None and (contract.writes or contract.execution == "client")

    # -- what is heard meanwhile ---------------------------------------------------------------

    def _patience(self, call: ToolCall) -> float:
        contract = self._contract(call)
        return (contract.latency_budget_ms if contract else 1000) / 1000

    def _bridge(self, turn: int) -> None:
        """Bridge a tool that takes longer than it should, once a turn."""
        if turn == self._session.view.turn.number and self._filled_turn != turn:
            self._filled_turn = turn
            playback, playing = self._turns.playback, self._turns.playing
            sounding = playback.unplayed_ms or (playing and playing.unplayed_ms)
            if not sounding and not playback.muted:
                self._scope.send(ModelText(self._filler, filler=True))
                if self._say is not None and not playback.silent:
                    self._scope.spawn(self._say_meanwhile(self._say, turn), "filler")

    async def _say_meanwhile(self, say: Say, turn: int) -> None:
        """Speak the filler as long as the model has nothing to say itself."""
        playback = self._turns.playback
        async with aclosing(say(self._filler)) as pieces:
            async for pcm in pieces:
                waiting = self.under_way and turn == self._session.view.turn.number
                silent = playback.muted or self._session.state.get("should_suppress_audio")
                if not waiting or silent or playback.unplayed_ms:
                    return
                playback.add_filler(pcm)
                await self._scope.outlet.send_audio(pcm, turn)

    # -- results that come later ---------------------------------------------------------------

    def on_late_result(self, call: ToolCall, envelope: Envelope) -> None:
        """Take a result that came late: to the client, and to the model when nothing else is under
        way."""
        if not self.ready:
            return  # `flush_late_results` and the first words to the model will have it
        self._send_late_result(call, envelope)
        if not (self.under_way or self.results):
            self._scope.spawn(self.send_notes(), "late result")

    def flush_late_results(self) -> None:
        """Send the client the results that came while nobody was there."""
        self.ready = True
        for call, envelope, _ in self._session.late:
            self._send_late_result(call, envelope)

    def _send_late_result(self, call: ToolCall, envelope: Envelope) -> None:
        if id(call) in self._session.unreported and not _cut_short(envelope):
            self._result(call, envelope)

    async def send_notes(self, left_off: str | None = None, *, before_more: bool = False) -> None:
        """Send the model what came late. It answers at once, unless the person is speaking, or
        something of theirs follows (`before_more`).

        While it is at an answer, or owes one, the notes are kept: they would cut it short.
        """
        turns = self._turns
        if not before_more and left_off is None and (turns.playback.generating or turns.owed):
            return
        late = [each for each in self._session.drain_late_results() if not _cut_short(each[1])]
        parts = [left_off] if left_off else []
        message = self._session.take_pending_message()
        if message:
            parts.append(message_note(message))
        if late:
            parts.append(results_note(late))
            # What the model has read is read in the conversation, whoever goes on with it.
            answers = (CallAnswer(call.id, call.name, envelope) for call, envelope in late)
            self._conversation.add(AnswersTurn(tuple(answers)), channel="voice")
        if not parts:
            return
        note = "\n\n".join(parts)
        if before_more or turns.speaking:
            await self._connection.send(Prompt(note, answer=False))
        else:
            await self._connection.send(turns.prompt(note))
            self._watch.expect("answer")


def _decision(verdict: Verdict | None) -> CallDecision | None:
    return None if verdict is None else CallDecision(verdict.outcome, verdict.rule)


def _cut_short(envelope: Envelope) -> bool:
    """Tell whether a call was stopped because they cut in. A request that they refused has an
    outcome."""
    error = {} if envelope["ok"] else envelope["error"]
    return error.get("type") == ErrorType.CANCELLED and "outcome" not in error


def _stopped(session: Session, call: ToolCall) -> Envelope:
    words = "The conversation was interrupted before this was done."
    name = call.name if isinstance(call.name, str) else ""
    body = error_body(ErrorType.CANCELLED, words)
    return failure(body, make_meta(name, None, session.snapshot.version, 0))
