"""The end of a conversation that the model was asked to end: after its goodbye, and heard."""

from __future__ import annotations

from antiphon.agents.voice.exchange import Exchange
from antiphon.agents.voice.floor import Floor
from antiphon.agents.voice.line import Line
from antiphon.agents.voice.turns import Turns
from antiphon.contracts.events import ModelTurn

FAREWELL_SECONDS = 20.0  # a model that does not come to an end by itself is ended
PLAYOUT_GRACE = 0.5


class Farewell:
    def __init__(self, exchange: Exchange, turns: Turns, line: Line) -> None:
        self._exchange = exchange
        self._turns = turns
        self._state = exchange.session.state
        self._line = line
        self._asked = False
        self._before: tuple[int, int] | None = None  # what was said before the end was asked for

    @property
    def pending(self) -> bool:
        return self._state.get("pending_end_voice_session") is not None

    def look(self, floor: Floor) -> None:
        """A call has its result: it may have been the one that ends the conversation."""
        if self.pending and self._before is None:
            self._before = floor.amount

    async def after(self, floor: Floor, unplayed_ms: int) -> None:
        """The turn is over in which the end was asked for, or the goodbye was said."""
        loop = self._exchange.loop
        closing = self._state.get("pending_end_voice_session")["closingMessage"]
        # What the model said before it asked for the end was no goodbye, unless it was this one.
        since, self._before = self._before, None
        spoken = floor.amount != (since or (0, 0)) or _within(closing or "", floor.said)
        if closing and not spoken and not self._asked:
            self._asked = True
            loop.call_later(FAREWELL_SECONDS, self._finish)
            await self._line.send(
                self._turns.prompt(f"(Say goodbye now, in these words: {closing!r})")
            )
            return
        # Long enough for the last words to be heard.
        wait = (unplayed_ms / 1000 + PLAYOUT_GRACE) if unplayed_ms else 0
        loop.call_later(wait, self._finish)

    def _finish(self) -> None:
        exchange = self._exchange
        if exchange.group is None or exchange.ending is not None:
            return
        pending = self._state.get("pending_end_voice_session") or {}
        reason = pending.get("reason") or "user_requested"
        exchange.send("voice_session_end", reason=reason, textResponse=pending.get("textResponse"))
        if pending.get("textResponse"):
            exchange.conversation.add(ModelTurn(pending["textResponse"]), channel="text")
        exchange.over(reason)


def _within(closing: str, said: list[str]) -> bool:
    """Whether these words are among what was said, however they are written."""
    wanted, found = (
        "".join(char for char in text.casefold() if char.isalnum())
        for text in (closing, "".join(said))
    )
    return bool(wanted) and wanted in found
