"""Origins of a call: what was said and read before it, compared with its values, for the rules.

Prepared only where it counts: for calls that change something or talk to the outside, once the
model has read text of others, and for calls that talk to the outside once it has read private data.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.events import (
    SYSTEM_NOTE,
    AnswersTurn,
    HistoryTurn,
    ModelTurn,
    UserTurn,
    turn_from_dict,
)
from antiphon.contracts.provenance import Exposure, Marks
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.destinations import comparable, destinations_in, digest
from antiphon.orchestrator.item_marks import parts_of
from antiphon.orchestrator.leaks import as_sensitive_as_read, leaked
from antiphon.orchestrator.reading import answer_marks
from antiphon.orchestrator.value_sources import (
    ReadResult,
    SaidText,
    ValueSources,
    leaves,
)
from antiphon.policy import CallOrigins
from antiphon.policy.view import SETTLED
from antiphon.registry.registry import Snapshot, Tool
from antiphon.storage import StoreError

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)

MAX_TURNS = 200  # of the conversation that are looked through
_STRICTEST = Marks("untrusted", "private")


def concerns(tool: Tool, read: Marks) -> bool:
    """Whether text with such marks that was read may matter to a call of this tool."""
    definition = tool.definition
    if definition.outside and read.sensitivity != "public":
        return True
    return read.origin == "untrusted" and (definition.writes or definition.outside)


async def trace_call(
    session: Session, call: ToolCall, tool: Tool, frame: CallFrame | None
) -> CallOrigins | None:
    """Trace the values of a call that `concerns` says matters; None for what is no call at all,
    which other rules refuse."""
    if not isinstance(call.args, dict):
        return None
    exposure, definition = session.view.exposure, tool.definition
    sources, results = await conversation_sources(session)
    values = sources.origins(call.args, definition.parameters)
    doubtful = [at for at, origin in values.items() if origin["kind"] not in SETTLED]
    private, secret = [], []
    if definition.outside and exposure.marks.sensitivity != "public":
        results = as_sensitive_as_read(results)
        for at, value in leaves(call.args):
            if at in values and values[at]["kind"] in ("said", "default"):
                continue
            match leaked(value, results):
                case "secret":
                    secret.append(at)
                case "private":
                    private.append(at)
    if not exposure.untrusted:
        return CallOrigins(values=values, private=private, secret=secret)
    planned = session.plan().tools
    return CallOrigins(
        read=_last_read(exposure),
        reaches=_reaches_private(session),
        # What the person asked for may make calls of its own.
        planned=call.name in planned or (frame is not None and frame.path[0] in planned),
        values=values,
        doubtful=doubtful,
        new=await _new_destinations(session, sources, call.args, tool),
        private=private,
        secret=secret,
    )


def _last_read(exposure: Exposure) -> str:
    """The words of the untrusted text that was read last."""
    for source in reversed(exposure.sources):
        if source.marks.origin == "untrusted":
            return source.words or source.tool
    return "text of others"


def _reaches_private(session: Session) -> bool:
    """Whether the conversation has read private data, or has a tool that would bring it some."""
    if session.view.exposure.marks.sensitivity != "public":
        return True
    tools = session.snapshot.tools
    names = tools if session.toolset is None else session.toolset
    return any(
        tools[name].definition.sensitivity != "public" and session.may_use(name)
        for name in names
        if name in tools
    )


async def _new_destinations(
    session: Session, sources: ValueSources, args: Mapping[str, Any], tool: Tool
) -> list[str]:
    """Where a call would send something that the person has not named, nor used before."""
    unnamed = {
        at: value
        for at, value in destinations_in(args, tool.definition.parameters).items()
        if sources.said(value) is None and sources.said(comparable(value)) is None
    }
    if not unnamed:
        return []
    digests = {at: digest(session.user, value) for at, value in unnamed.items()}
    try:
        known = await session.orchestrator.store.known_destinations(
            session.user, frozenset(digests.values())
        )
    except StoreError as error:
        logger.warning("what %s has used before is not known: %s", session.user, error)
        known = frozenset()
    return [at for at, own in digests.items() if own not in known]


async def note_destinations(session: Session, tool: Tool, args: Mapping[str, Any]) -> None:
    """Note where a call goes that a person has approved: from now on it is known."""
    found = destinations_in(args, tool.definition.parameters)
    if not found or session.user.startswith("anonymous:"):
        return
    try:
        await session.orchestrator.store.add_destinations(
            session.user, frozenset(digest(session.user, each) for each in found.values())
        )
    except StoreError as error:
        logger.warning("where %s went was not written down: %s", tool.definition.tool_id, error)


# -- what was said and read --------------------------------------------------------------------


async def conversation_sources(session: Session) -> tuple[ValueSources, list[ReadResult]]:
    """What the conversation has said and read, as far as it is kept; without the store, what this
    process knows of it."""
    return sources_of(session, await _kept_turns(session))


def sources_of(
    session: Session, turns: Iterable[HistoryTurn]
) -> tuple[ValueSources, list[ReadResult]]:
    """What those turns have said and read, and the calls of the session that are remembered."""
    recent = [each for each in session.recent.values() if each.envelope is not None]
    here = {record.call.id for record in recent}
    said: list[SaidText] = []
    results: list[ReadResult] = []
    for turn, made in _paired(turns):
        if isinstance(turn, UserTurn):
            if not turn.relayed and not turn.text.startswith(SYSTEM_NOTE):
                said.append(SaidText(turn.text))
        elif isinstance(turn, AnswersTurn):
            results += [
                read
                for each in turn.answers
                if each.id not in here
                for read in _read(session.snapshot, each.name, made.get(each.id), each.envelope)
            ]
    results += [
        read
        for each in recent
        if each.envelope is not None
        for read in _read(session.snapshot, each.name, each.call.args, each.envelope)
    ]
    return ValueSources([*said, *session.said], results, session.zone), results


async def _kept_turns(session: Session) -> list[HistoryTurn]:
    try:
        rows = await session.orchestrator.store.turns(session.conversation_id, limit=MAX_TURNS)
        return [turn_from_dict(json.loads(row.turn)) for row in rows]
    except (StoreError, ValueError, KeyError, TypeError) as error:
        logger.warning("what session %s has said is not known: %s", session.id, error)
        return []


def _paired(turns: Iterable[HistoryTurn]) -> Iterator[tuple[HistoryTurn, dict[str | None, Any]]]:
    """Each turn with the arguments of the calls made so far, by id."""
    made: dict[str | None, Any] = {}
    for turn in turns:
        if isinstance(turn, ModelTurn):
            made |= {call.id: call.args for call in turn.calls}
        yield turn, made


def _read(snapshot: Snapshot, name: str, args: Any, envelope: Envelope) -> list[ReadResult]:
    """What an answer brought; each part of it that has marks of its own by itself."""
    marks, words = marks_of(snapshot, name, envelope)
    if not envelope.get("ok"):
        return [ReadResult(name, args, envelope.get("error"), marks, words)]
    data, tool = envelope.get("data"), snapshot.tools.get(name)
    if tool is None or not (envelope.get("meta") or {}).get("byItem"):
        return [ReadResult(name, args, data, marks, words)]
    parts = parts_of(data, tool.definition.output, marks, tool.marks)
    return [ReadResult(name, args, leaves, each, words) for each, leaves in parts]


def marks_of(snapshot: Snapshot, name: str, envelope: Envelope) -> tuple[Marks, str]:
    """The marks of an answer, and what it is in words. What the house says of a call that brought
    nothing may quote anybody."""
    marks, words = answer_marks(snapshot.tools, name, envelope)
    if marks is None:
        tool = snapshot.tools.get(name)
        marks = _STRICTEST if tool is None else tool.marks
    return marks, words
