"""Farewell: the ending that a tool asked for, once the goodbye has been played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from antiphon.agents.voice.playback import TurnPlayback
from antiphon.agents.voice.resilient_connection import ResilientConnection
from antiphon.agents.voice.scope import ConversationScope
from antiphon.agents.voice.turn_taking import TurnTaking
from antiphon.contracts.events import ModelTurn
from antiphon.contracts.metering import SPENDING_RULE
from antiphon.contracts.session_events import VoiceEnded

# Speaks words as pieces of PCM, without the model.
Say = Callable[[str], AsyncGenerator[bytes, None]]

FAREWELL_SECONDS = 20.0  # a model that does not come to an end by itself is ended
PLAYOUT_GRACE = 0.5


class Farewell:
    """Ending that a tool asked for: it waits until the goodbye was said and played."""

    def __init__(
        self, scope: ConversationScope, turns: TurnTaking, connection: ResilientConnection
    ) -> None:
        self._scope = scope
        self._turns = turns
        self._state = scope.session.state
        self._connection = connection
        self._asked = False
        self._unsaid: str | None = None  # a farewell that nobody has heard yet
        self._before: tuple[int, int] | None = None  # what was said before the end was asked for

    @property
    def pending(self) -> bool:
        """Whether a tool has asked for the end of the conversation."""
        return self._state.get("pending_end_voice_session") is not None

    def take_back(self) -> None:
        """Forget an ending that was asked for: the person had not said all of it."""
        self._state.clear_effects()
        self._asked, self._unsaid, self._before = False, None, None

    def note_result(self, playback: TurnPlayback) -> None:
        """Remember how much was said when a call's result asked for the end of the conversation."""
        if self.pending and self._before is None:
            self._before = playback.amount

    async def on_turn_ended(self, playback: TurnPlayback, unplayed_ms: int) -> None:
        """Act on the end of the turn in which the end was asked for, or the goodbye was said: have
        the model say it, or finish once it is played."""
        loop = self._scope.loop
        closing = self._state.get("pending_end_voice_session")["closingMessage"]
        # What the model said before it asked for the end was no goodbye, unless it was this one.
        since, self._before = self._before, None
        spoken = playback.amount != (since or (0, 0)) or _within(closing or "", playback.said)
        self._unsaid = closing if not spoken else None
        if closing and not spoken and not self._asked:
            self._asked = True
            self._scope.spawn(self._ask(closing, unplayed_ms), "farewell")
            return
        # Long enough for the last words to be heard.
        wait = (unplayed_ms / 1000 + PLAYOUT_GRACE) if unplayed_ms else 0
        loop.call_later(wait, self._finish)

    async def _ask(self, closing: str, unplayed_ms: int) -> None:
        """Have the model say goodbye once its words before are played: so much is known to wait for
        at the end."""
        await asyncio.sleep(unplayed_ms / 1000)
        self._scope.loop.call_later(FAREWELL_SECONDS, self._finish)
        await self._connection.send(
            self._turns.prompt(f"(Say goodbye now, in these words: {closing!r})")
        )

    async def end_unpaid(self, words: str, say: Say | None) -> None:
        """End the conversation politely where the model may not be paid any more: the words are
        said by whoever else can, while somebody listens, and are there to be read."""
        scope = self._scope
        if say is not None and not self._turns.playback.silent:
            turn = scope.session.view.turn.number
            async with aclosing(say(words)) as pieces:
                async for pcm in pieces:
                    await scope.outlet.send_audio(pcm, turn)
        scope.send(VoiceEnded(SPENDING_RULE, words))
        scope.conversation.add(ModelTurn(words), channel="text")
        scope.end(SPENDING_RULE)

    def _finish(self) -> None:
        scope = self._scope
        if scope.group is None or scope.ending is not None or not self.pending:
            return
        pending = self._state.get("pending_end_voice_session")
        reason = pending.get("reason") or "user_requested"
        written = pending.get("textResponse") or self._unsaid
        scope.send(VoiceEnded(reason, written))
        if written:
            scope.conversation.add(ModelTurn(written), channel="text")
        scope.end(reason)


def _within(closing: str, said: list[str]) -> bool:
    """Tell whether these words are among what was said, however they are written."""
    wanted, found = (
        "".join(char for char in text.casefold() if char.isalnum())
        for text in (closing, "".join(said))
    )
    return bool(wanted) and wanted in found
