"""The model's calls in a spoken conversation: under way, answered, and answered late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from contextvars import ContextVar

from antiphon.agents.flat import flat_result
from antiphon.agents.notes import results_note
from antiphon.agents.voice.exchange import Exchange
from antiphon.agents.voice.farewell import Farewell
from antiphon.agents.voice.line import Line
from antiphon.agents.voice.turns import Turns
from antiphon.contracts import Envelope, ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.contracts.definition import ToolDefinition
from antiphon.contracts.events import AnswersTurn, CallAnswer, ModelTurn
from antiphon.orchestrator import Session
from antiphon.policy import Verdict

Say = Callable[[str], AsyncGenerator[bytes, None]]

# The call for which the person's end is asked, and why it may run: for whoever asks it.
asked_of_client: ContextVar[tuple[ToolCall, Verdict] | None] = ContextVar(
    "asked_of_client", default=None
)


class Calls:
    """`filler` is what the person reads, and hears if somebody can `say` it, while a tool takes
    longer than it should."""

    def __init__(
        self,
        exchange: Exchange,
        turns: Turns,
        farewell: Farewell,
        line: Line,
        *,
        filler: str,
        say: Say | None,
    ) -> None:
        self._exchange = exchange
        self._session = exchange.session
        self._conversation = exchange.conversation
        self._turns = turns
        self._farewell = farewell
        self._line = line
        self._filler = filler
        self._say = say
        self._filled_turn = 0
        self.under_way: dict[int, ToolCall] = {}  # by identity: ids may come twice
        self._withdrawn: set[int] = set()
        # What the model was given, or is to be given, since it last went on; of these the first
        # `seeded` are part of the history that the connection under way began with.
        self.results: list[tuple[ToolCall, Envelope]] = []
        self.seeded = 0
        self.notes: list[tuple[ToolCall, Envelope]] = []  # what came late, until it is told

    @property
    def quiet(self) -> bool:
        """Nobody speaks, nothing is under way and nothing is owed."""
        return not (self._turns.busy or self.under_way or self.results)

    @property
    def writing(self) -> bool:
        contracts = map(self._contract, self.under_way.values())
        return any(contract is not None and contract.writes for contract in contracts)

    # -- under way -----------------------------------------------------------------------------

    def start(self, calls: tuple[ToolCall, ...]) -> None:
        if not self.under_way:
            self.results.clear()  # it asks for more: what it was given before, it has taken in
        for call in calls:
            self.under_way[id(call)] = call
            self._exchange.spawn(self._call(call), f"call {call.name}")

    async def _call(self, call: ToolCall) -> None:
        session, conversation = self._session, self._conversation
        patience, turn = self._patience(call), session.view.turn.number
        filler = self._exchange.loop.call_later(patience, self._fill, turn)
        try:
            envelope = await session.dispatch(call, source="voice")
        except asyncio.CancelledError:
            contract = self._contract(call)
            if contract is None or not contract.writes:  # else its outcome comes late
                self._result(call, _stopped(session, call))
            raise
        finally:
            filler.cancel()
            self.under_way.pop(id(call), None)
        self._result(call, envelope)
        self._farewell.look(self._turns.floor)
        conversation.add(ModelTurn("", (call,)), channel="voice")
        answer = CallAnswer(call.id, call.name, envelope)
        conversation.add(AnswersTurn((answer,)), channel="voice")
        if id(call) in self._withdrawn:
            self._withdrawn.discard(id(call))
            return
        self.results.append((call, envelope))
        await self._line.answer(call, envelope)

    def withdraw(self, ids: tuple[str, ...]) -> None:
        """The model does not want them any more."""
        for call in list(self.under_way.values()):
            if call.id in ids:
                self._withdrawn.add(id(call))
                self._session.cancel(str(call.id))

    def decided(self, call: ToolCall, verdict: Verdict) -> None:
        """The person's end is told, or asked to run it."""
        self._session.untold[id(call)] = verdict
        contract = self._contract(call)
        if contract is not None and contract.execution == "client" and verdict.outcome == "run":
            asked_of_client.set((call, verdict))
            return  # the browser is asked with the checked arguments
        self._exchange.send(
            "function_call",
            name=call.name,
            args=call.args,
            fn_call_id=call.id,
            server_handled=True,
            started_at=self._exchange.now(),
            decision={"outcome": verdict.outcome, "rule": verdict.rule},
        )

    def _result(self, call: ToolCall, envelope: Envelope) -> None:
        verdict = self._session.untold.pop(id(call), None)
        self._exchange.send(
            "function_result",
            name=call.name,
            fn_call_id=call.id,
            result=flat_result(envelope),
            meta=envelope["meta"],
            decision={"outcome": verdict.outcome, "rule": verdict.rule} if verdict else None,
        )

    def _contract(self, call: ToolCall) -> ToolDefinition | None:
        tool = self._session.snapshot.tools.get(call.name) if isinstance(call.name, str) else None
        return tool.definition if tool else None

    # -- what is heard meanwhile ---------------------------------------------------------------

    def _patience(self, call: ToolCall) -> float:
        contract = self._contract(call)
        return (contract.latency_budget_ms if contract else 1000) / 1000

    def _fill(self, turn: int) -> None:
        """A tool takes longer than it should: the person hears that it goes on, once a turn."""
        if turn == self._session.view.turn.number and self._filled_turn != turn:
            self._filled_turn = turn
            floor, playing = self._turns.floor, self._turns.playing
            sounding = floor.unplayed_ms or (playing and playing.unplayed_ms)
            if not sounding and not floor.muted:
                self._exchange.send("text", text=self._filler, filler=True)
                if self._say is not None and not floor.silent:
                    self._exchange.spawn(self._say_meanwhile(self._say, turn), "filler")

    async def _say_meanwhile(self, say: Say, turn: int) -> None:
        """As long as the model has nothing to say itself."""
        floor = self._turns.floor
        async with aclosing(say(self._filler)) as pieces:
            async for pcm in pieces:
                waiting = self.under_way and turn == self._session.view.turn.number
                silent = floor.muted or self._session.state.get("should_suppress_audio")
                if not waiting or silent or floor.unplayed_ms:
                    return
                floor.fill(pcm)
                await self._exchange.outlet.audio(pcm, turn)

    # -- results that come later ---------------------------------------------------------------

    def came_late(self, call: ToolCall, envelope: Envelope) -> None:
        self._session.take_late()
        error = {} if envelope["ok"] else envelope["error"]
        if error.get("type") == ErrorType.CANCELLED and "outcome" not in error:
            return  # it was stopped because they cut in; a request that they refused has an outcome
        self.notes.append((call, envelope))
        if id(call) in self._session.untold:  # nobody waited for it any more
            self._result(call, envelope)
        if self._exchange.group is not None and self.quiet:
            self._exchange.spawn(self.tell_notes(), "late result")

    async def tell_notes(self, left_off: str | None = None) -> None:
        notes, self.notes = self.notes, []
        parts = [left_off] if left_off else []
        if notes:
            parts.append(results_note(notes))
        if parts:
            await self._line.send(self._turns.prompt("\n\n".join(parts)))


def _stopped(session: Session, call: ToolCall) -> Envelope:
    words = "The conversation was interrupted before this was done."
    name = call.name if isinstance(call.name, str) else ""
    body = error_body(ErrorType.CANCELLED, words)
    return failure(body, make_meta(name, None, session.snapshot.version, 0))
