"""Sources of values: what the person said and what earlier calls returned in a session."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import orjson

from antiphon.contracts.events import SYSTEM_NOTE, AnswersTurn, UserTurn, turn_from_dict
from antiphon.contracts.person_messages import ValueOrigin
from antiphon.orchestrator.preview.origins import EarlierResult, find_origins
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.pending_confirmation import PendingConfirmation
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

MAX_TURNS = 100
_OF_MODELS = ("agent", "voice")
_OF_CALLS = ("tool",)


async def trace_origins(
    session: Session, pending: PendingConfirmation, source: str
) -> dict[str, ValueOrigin]:
    """Where each value of a call comes from; empty for a call that a person or a program made."""
    if source not in _OF_MODELS + _OF_CALLS:
        return {}
    try:
        store = session.orchestrator.store
        rows = await store.turns(session.conversation_id, limit=MAX_TURNS)
        turns = [turn_from_dict(json.loads(row.turn)) for row in rows]
    except (StoreError, ValueError, KeyError, TypeError) as error:
        logger.warning("where values of %s come from is not known: %s", pending.row.tool_id, error)
        return {}
    said = [
        turn.text
        for turn in turns
        if isinstance(turn, UserTurn) and not turn.text.startswith(SYSTEM_NOTE)
    ]
    results = [
        EarlierResult(answer.name, answer.envelope.get("data"))
        for turn in turns
        if isinstance(turn, AnswersTurn)
        for answer in turn.answers
        if answer.envelope.get("ok")
    ]
    results += [
        EarlierResult(record.name, record.envelope["data"])
        for record in session.recent.values()
        if record.envelope is not None and record.envelope["ok"]
    ]
    given: Any = orjson.loads(pending.frozen.canonical or b"{}")
    by_model = source in _OF_MODELS and bool(said)
    return find_origins(pending.args, given, said, results, session.zone, by_model=by_model)
