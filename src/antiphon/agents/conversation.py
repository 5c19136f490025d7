"""Conversation history: turns of every channel of a session, in order and durable."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, cast

from antiphon.agents.masked_turns import kept_turn
from antiphon.agents.notes import is_note, results_in
from antiphon.contracts import ErrorType, ToolCall, error_body, failure, make_meta
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    HistoryTurn,
    ModelTurn,
    UserTurn,
    turn_from_dict,
)
from antiphon.orchestrator.metrics import estimate_tokens
from antiphon.orchestrator.reading import note_answer
from antiphon.orchestrator.session import Session
from antiphon.secrecy.privacy import ConversationPrivacy
from antiphon.storage import Store, StoreError, TurnRow

logger = logging.getLogger(__name__)

Channel = Literal["text", "voice"]

# No model is shown more; the store keeps the rest.
MAX_ENTRIES = 1000
# Between texts of the same speaker that become one turn.
PARAGRAPH = "\n\n"


@dataclass(frozen=True, slots=True)
class ConversationEntry:
    """One turn of the history, with its channel and the time at which it began."""

    at: float
    channel: Channel
    turn: HistoryTurn


@dataclass(frozen=True, slots=True)
class _Unsaved:
    """A turn on its way to the store: what was said in it, and by whom. `before` is what the store
    has in its place; with `removed` it is to have it no longer."""

    row: TurnRow
    role: str
    text: str
    before: str | None = None
    removed: bool = False


class Conversation:
    """What was said in a chain of sessions, over every channel, in the order in which it began.
    Durable, under the id of the first of them.

    Belongs to the event loop that it is used on. Without a store it lives as long as the object.
    """

    def __init__(
        self,
        session_id: str,
        store: Store | None,
        now: Callable[[], float] = time.time,
        entries: Iterable[ConversationEntry] = (),
        privacy: ConversationPrivacy | None = None,
    ) -> None:
        """`privacy` says what is personal in the turns and is not to be kept."""
        self._privacy = privacy if privacy is not None and privacy.hides_from_store else None
        self.session_id = session_id
        self.entries: list[ConversationEntry] = sorted(entries, key=_began)[-MAX_ENTRIES:]
        self._store = store
        self.now = now
        self._saving: dict[asyncio.Future[None], _Unsaved] = {}
        self._unsaved: list[_Unsaved] = []
        self._problem = ""

    @classmethod
    async def load(
        cls,
        store: Store,
        session_id: str,
        now: Callable[[], float] = time.time,
        privacy: ConversationPrivacy | None = None,
    ) -> Conversation:
        """Return the conversation that began with a session, as the store has it, empty if nothing
        was said yet. Raises StoreError when it cannot be read."""
        rows = await store.turns(session_id, limit=MAX_ENTRIES)
        return cls(session_id, store, now, [stored_entry(row) for row in rows], privacy)

    @classmethod
    async def of(cls, session: Session) -> Conversation:
        """Return the conversation that a session is of. What its model can read in there counts as
        read in the session. Raises StoreError when it cannot be read."""
        orchestrator = session.orchestrator
        conversation = await cls.load(
            orchestrator.store, session.conversation_id, orchestrator.now, session.privacy
        )
        conversation.note_read(session)
        return conversation

    def note_read(self, session: Session) -> None:
        """Note in a session what was read in the conversation, in whatever session that was."""
        for number, entry in enumerate(self.entries):
            match entry.turn:
                case AnswersTurn(answers):
                    for each in answers:
                        note_answer(session, each.name, each.envelope, number)
                case UserTurn(text) if is_note(text):
                    for name, envelope in results_in(text):
                        note_answer(session, name, envelope, number)

    def add(self, turn: HistoryTurn, *, channel: str, at: float | None = None) -> ConversationEntry:
        """Adds what was said. Never waits: the store gets it soon, `flush` says when it has it.

        `at` is when it began. What is told late, such as the transcript of an utterance whose
        answer is here already, finds its place by it.
        """
        if channel not in ("text", "voice"):
            raise ValueError(f"a conversation is held by text or voice, not by {channel!r}")
        entries = self.entries
        if at is None:
            # It begins now, so it comes last, even when the clock was set back meanwhile.
            at = max(self.now(), entries[-1].at) if entries else self.now()
        entry = ConversationEntry(at, cast(Channel, channel), turn)
        entries.insert(bisect_right(entries, at, key=_began), entry)
        del entries[:-MAX_ENTRIES]
        if self._store is not None:
            kept = self._kept(turn)
            row = TurnRow(self.session_id, at, channel, _json(kept))
            self._save(_Unsaved(row, *_message(kept)))
        return entry

    def amend(self, entry: ConversationEntry, turn: ModelTurn) -> None:
        """Put another turn in the place of one that was added, such as one whose speech was stopped
        after it was complete."""
        for place, each in enumerate(self.entries):
            if each is entry:
                self.entries[place] = replace(entry, turn=turn)
        if self._store is not None:
            row = TurnRow(self.session_id, entry.at, entry.channel, _json(self._kept(turn)))
            self._save(_Unsaved(row, "", "", before=_json(self._kept(entry.turn))))

    def remove_from(self, entry: ConversationEntry) -> None:
        """Remove a turn and what follows it, as if nothing of it had been said."""
        entries = self.entries
        place = next((n for n, each in enumerate(entries) if each is entry), len(entries))
        removed = entries[place:]
        del entries[place:]
        if self._store is not None:
            for each in removed:
                kept = self._kept(each.turn)
                row = TurnRow(self.session_id, each.at, each.channel, _json(kept))
                self._save(_Unsaved(row, *_message(kept), removed=True))

    def _kept(self, turn: HistoryTurn) -> HistoryTurn:
        return turn if self._privacy is None else kept_turn(turn, self._privacy)

    def history(self, max_tokens: int = 8000) -> list[HistoryTurn]:
        """The newest turns that fit, as a model is to be given them.

        It starts with the person. A model's turn with calls is followed by all their answers; where
        such an exchange does not fit, only its words are given. Texts of the same speaker in a row
        are one turn.
        """
        left, exchanges_fit = max_tokens, True
        chosen: list[tuple[HistoryTurn, ...]] = []
        for unit in reversed(_units(self.entries)):
            cost = sum(map(_tokens, unit))
            if len(unit) > 1 and not (exchanges_fit and cost <= left):
                exchanges_fit = False  # an older one would be shown without what followed from it
                text = cast(ModelTurn, unit[0]).text
                if not text:
                    continue
                unit = (ModelTurn(text),)
                cost = _tokens(unit[0])
            if cost > left:
                break
            left -= cost
            chosen.append(unit)
        turns = [turn for unit in reversed(chosen) for turn in unit]
        start = next((n for n, turn in enumerate(turns) if isinstance(turn, UserTurn)), len(turns))
        return _merged(turns[start:])

    async def flush(self) -> None:
        """Wait until everything added so far is durable. What the store did not take is tried
        again.

        Raises StoreError when that fails too; it then stays to be tried again.
        """
        again, self._unsaved = self._unsaved, []
        for each in again:
            self._save(each)
        if self._saving:
            await asyncio.wait(tuple(self._saving))
        if self._unsaved:
            raise StoreError(f"The conversation was not written down. {self._problem}")

    def _save(self, each: _Unsaved) -> None:
        assert self._store is not None
        try:
            if each.removed:
                future = self._store.remove_turn(each.row, role=each.role, text=each.text)
            elif each.before is None:
                future = self._store.add_turn(each.row, role=each.role, text=each.text)
            else:
                future = self._store.amend_turn(each.row, before=each.before)
        except StoreError as error:
            self._keep(each, error)
            return
        self._saving[future] = each
        future.add_done_callback(self._saved)

    def _saved(self, future: asyncio.Future[None]) -> None:
        each = self._saving.pop(future)
        error = future.exception()
        if error is not None:
            self._keep(each, error)

    def _keep(self, each: _Unsaved, error: BaseException) -> None:
        logger.error("a turn of session %s was not written down: %s", self.session_id, error)
        self._problem = str(error)
        self._unsaved.append(each)
        del self._unsaved[:-MAX_ENTRIES]


def _began(entry: ConversationEntry) -> float:
    return entry.at


# -- the form in the store -------------------------------------------------------------------


def _json(turn: HistoryTurn) -> str:
    # Escaped throughout, so that any text that a model or a person sends can be kept: a lone
    # surrogate, or the zero byte that PostgreSQL takes in no text.
    try:
        return json.dumps(turn.to_dict())
    except (TypeError, ValueError):
        if not isinstance(turn, ModelTurn) or turn.native is None:
            raise
        logger.warning("what %s wants back of its turn is no JSON and is not kept", turn.api)
        return json.dumps(replace(turn, native=None, api=None).to_dict())


def _message(turn: HistoryTurn) -> tuple[str, str]:
    """Who said something in a turn, and what: notes and calls are nobody's words."""
    match turn:
        case UserTurn(text) if not is_note(text):
            return "user", text.strip()
        case ModelTurn(text):
            return "model", text.strip()
    return "", ""


def stored_entry(row: TurnRow) -> ConversationEntry:
    """Return the turn of a row. Raises StoreError for one that cannot be read."""
    try:
        turn = turn_from_dict(json.loads(row.turn))
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(
            f"A turn of session {row.session_id!r} in the store cannot be read: {error}."
        ) from None
    return ConversationEntry(row.at, cast(Channel, row.channel), turn)


# -- the form for a model --------------------------------------------------------------------


def _units(entries: list[ConversationEntry]) -> list[tuple[HistoryTurn, ...]]:
    """Split the turns into units that can be shown or left out by themselves: a text, or calls with
    their answers."""
    units: list[tuple[HistoryTurn, ...]] = []
    for number, entry in enumerate(entries):
        turn = entry.turn
        match turn:
            case UserTurn(text):
                if text:
                    units.append((turn,))
            case ModelTurn(calls=(), heard=int()):
                if turn.heard_text:
                    units.append((ModelTurn(turn.heard_text),))
            case ModelTurn(calls=()):
                if turn.text:
                    units.append((turn,))
            case ModelTurn():
                units.append((turn, _answers(turn, entries[number + 1 :])))
            case AnswersTurn():
                pass  # is found by its calls
    return units


def _answers(turn: ModelTurn, following: list[ConversationEntry]) -> AnswersTurn:
    """Return an answer to each call: one may stand further on, and after a crash there may be
    none."""
    missing = {call.id: call for call in turn.calls}
    found: dict[str | None, CallAnswer] = {}
    for entry in following:
        match entry.turn:
            case ModelTurn(calls=calls):
                for call in calls:  # made-up ids come again; from here on they are another's
                    missing.pop(call.id, None)
            case AnswersTurn(answers):
                for answer in answers:
                    if missing.pop(answer.id, None) is not None:
                        found[answer.id] = answer
        if not missing:
            break
    return AnswersTurn(tuple(found.get(call.id) or _unanswered(call) for call in turn.calls))


def _unanswered(call: ToolCall) -> CallAnswer:
    body = error_body(
        ErrorType.OUTCOME_UNKNOWN,
        f"The answer to {call.name} was lost when the server stopped. It may have happened.",
        partial_side_effects=True,
    )
    return CallAnswer(call.id, call.name, failure(body, make_meta(call.name, None, "", 0)))


def _merged(turns: list[HistoryTurn]) -> list[HistoryTurn]:
    merged: list[HistoryTurn] = []
    for turn in turns:
        match (merged[-1] if merged else None), turn:
            case UserTurn(before), UserTurn(text):
                merged[-1] = UserTurn(before + PARAGRAPH + text)
            case ModelTurn(before, calls=()), ModelTurn(text, calls=()):
                # What a provider wants back of one of them is not true of both.
                merged[-1] = ModelTurn(before + PARAGRAPH + text)
            case _:
                merged.append(turn)
    return merged


def _tokens(turn: HistoryTurn) -> int:
    """Estimate the tokens of a turn, without its provider's own form, which says the same again."""
    match turn:
        case UserTurn(text) | ModelTurn(text, calls=()):
            return estimate_tokens(len(text) + len(PARAGRAPH))
        case ModelTurn():
            return estimate_tokens(len(_json(replace(turn, native=None, api=None))))
        case AnswersTurn():
            return estimate_tokens(len(_json(turn)))
