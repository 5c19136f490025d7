"""Marks of results: what a call brings to the model, for its session and in words for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope
from antiphon.contracts.provenance import Marks, ReadSource, mark_meta, marks_in
from antiphon.orchestrator.preview.sanitize import clean

if TYPE_CHECKING:
    from antiphon.orchestrator.governed_call import GovernedCall
    from antiphon.orchestrator.session import Session
    from antiphon.registry.registry import Tool

MAX_WORDS = 120  # characters that name one source
_NAMED = 3  # sources that a result names
# Of a tool that is gone nothing is known any more.
_OF_UNKNOWN = Marks("untrusted", "private")


def note_result(governed: GovernedCall, meta: dict[str, Any]) -> None:
    """Note what a result brings in the session, and tell it in the `meta` of its envelope. For
    results of tools, and of handlers, that say so: of untrusted text, of secrets."""
    session, tool, name = governed.session, governed.tool, governed.record.name
    turn, marks, read = governed.turn.number, tool.marks, governed.read
    exposure = session.view.exposure
    if read is None:
        mark_meta(meta, marks, tool.source)
        last = exposure.sources[-1] if exposure.sources else None
        if last is None or (last.tool, last.words, last.turn) != (name, tool.source, turn):
            exposure.add(ReadSource(name, tool.source, marks, turn))
        return
    sources = list(read.sources)
    if not any(each.tool == name for each in sources):
        # The handler has not said it in better words.
        sources.append(ReadSource(name, tool.source, marks, turn))
    for each in sources:
        exposure.add(each)
        marks = marks.join(each.marks)
    if marks.told:
        told = [each for each in sources if each.marks.told]
        mark_meta(meta, marks, said_together([each.words for each in told]))
        if not tool.told and all(each.by_item and each.tool == name for each in told):
            meta["byItem"] = True


def note_private(session: Session, tool: Tool, name: str) -> None:
    """Note the first private data of the house that a session reads."""
    turn = session.view.turn.number
    session.view.exposure.add(ReadSource(name, tool.source, tool.marks, turn))


def note_searched(session: Session, words: str) -> None:
    """Note text of others that the model's provider has searched for by itself."""
    turn = session.view.turn.number
    session.view.exposure.add(ReadSource("", words, Marks("untrusted", "public"), turn))


def note_answer(session: Session, name: str, envelope: Envelope, turn: int | None = None) -> None:
    """Note an answer that the model is given now, or was given in an earlier turn."""
    marks, words = answer_marks(session.snapshot.tools, name, envelope)
    exposure = session.view.exposure
    if marks is None or (not marks.told and marks.join(exposure.marks) == exposure.marks):
        return
    number = session.view.turn.number if turn is None else turn
    exposure.add(ReadSource(name, words, marks, number))


def answer_marks(
    tools: Mapping[str, Tool], name: str, envelope: Envelope
) -> tuple[Marks | None, str]:
    """The marks of an answer and what it is in words; None for the words of the house about a call
    that brought nothing. What the answer says of itself makes its marks stricter, never milder."""
    meta = envelope.get("meta") or {}
    own, tool = marks_in(meta), tools.get(name)
    words = str(meta.get("source") or (name if tool is None else tool.source))
    if tool is None:
        # A tool that never was has no version: the house said that there is none.
        if own is None and meta.get("toolVersion") is None:
            return None, words
        return _OF_UNKNOWN if own is None else own.join(_OF_UNKNOWN), words
    if own is not None:
        return own.join(tool.marks), words
    # An error of the tool itself would have its marks.
    return (tool.marks, words) if envelope["ok"] else (None, words)


def noted_source(
    tool: Tool, name: str, words: str, marks: Marks, turn: int, by_item: bool = False
) -> ReadSource:
    """Something that the handler of a tool says it has read, as strict as all that it returns."""
    words = clean(words, MAX_WORDS) or tool.source
    return ReadSource(name, words, marks.join(tool.marks), turn, by_item)


def said_together(words: Sequence[str]) -> str:
    """Several sources in words for a person, the latest first."""
    told = list(dict.fromkeys(reversed(words)))
    more = len(told) - _NAMED
    return ", ".join(told[:_NAMED]) + (f" and {more} more" if more > 0 else "")
