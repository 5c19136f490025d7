"""Sources of an answer: the records that it cites or rests on, out of what its calls returned."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, Field

_ID = r"[a-z][a-z0-9_]*:[a-z0-9][a-z0-9_.-]*"
_CITED = re.compile(rf"\(({_ID}(?:[ \t]{{0,4}}[,;][ \t]{{0,4}}{_ID})*)\)", re.IGNORECASE)
_NO_RECORD = re.compile(r"(?:https?|mailto|tel|ftp|data|file):", re.IGNORECASE)
_RECORD_ID = re.compile(r"[a-z][a-z0-9_]*:[^\s()]+")
_HOMES = ("database_id", "database", "namespace")
_DEEP = 4
_SNIPPET = 24  # so many letters of a record's own words are no accident


class AnswerSource(BaseModel):
    """A record that an answer rests on."""

    id: str = Field(examples=["project:harbor_light"])
    title: str = Field(examples=["Harbor Light"])
    snippet: str
    database: str | None = Field(examples=["studio"])


def found_sources(result: Any, args: Any = None) -> dict[str, AnswerSource]:
    """Return the records in what a tool returned, by id, in the order in which they stand there."""
    found: dict[str, AnswerSource] = {}
    _collect(result, _home(args), found, 0)
    return found


def answer_sources(
    text: str, known: Mapping[str, AnswerSource], evidence: Iterable[str]
) -> list[AnswerSource]:
    """Return the records that a text rests on, each once, in the order in which it names them:
    those that it cites, else those of its `evidence` whose titles or words it has."""
    cited = [
        id_
        for match in _CITED.finditer(text)
        for id_ in map(str.strip, re.split(r"[,;]", match[1]))
        if not _NO_RECORD.match(id_)
    ]
    if cited:
        return [known.get(id_) or _unknown(id_) for id_ in dict.fromkeys(cited)]
    low = text.lower()
    named = [
        (place, known[id_])
        for id_ in dict.fromkeys(evidence)
        if id_ in known and (place := _place(low, known[id_])) >= 0
    ]
    return [source for _, source in sorted(named, key=lambda each: each[0])]


def _place(low: str, source: AnswerSource) -> int:
    """Where a text first names a record, or says what stands in it; -1 if it does not."""
    said = source.snippet.lower()[:_SNIPPET]
    places = [low.find(source.title.lower())] if source.title else []
    if len(said) == _SNIPPET:
        places.append(low.find(said))
    return min((place for place in places if place >= 0), default=-1)


def _unknown(id_: str) -> AnswerSource:
    name = re.sub(r"[_-]+", " ", id_.partition(":")[2])
    return AnswerSource(id=id_, title=name[:1].upper() + name[1:], snippet="", database=None)


def _home(fields: Any) -> str | None:
    named = next((fields[key] for key in _HOMES if key in fields), None) if _is(fields) else None
    return named if isinstance(named, str) else None


def _is(value: Any) -> bool:
    return isinstance(value, dict)


def _collect(value: Any, home: str | None, into: dict[str, AnswerSource], depth: int) -> None:
    if depth > _DEEP:
        return
    if isinstance(value, list):
        for each in value:
            _collect(each, home, into, depth + 1)
    if not _is(value):
        return
    home = _home(value) or home
    id_, title = value.get("id"), value.get("title")
    if isinstance(id_, str) and isinstance(title, str) and _RECORD_ID.fullmatch(id_):
        snippet = value.get("snippet")
        into[id_] = AnswerSource(
            id=id_,
            title=title,
            snippet=snippet if isinstance(snippet, str) else "",
            database=home,
        )
    for each in value.values():
        _collect(each, home, into, depth + 1)
