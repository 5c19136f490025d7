"""Searches of the knowledge base: which tool answers questions, and where it is to look."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from antiphon.providers.local import small_talk
from antiphon.providers.local.answers import WHERE, AnswerEvidence
from antiphon.providers.local.catalogue import DeclaredTool, DeclaredTools, Parameter
from antiphon.providers.local.names import NameBook
from antiphon.providers.local.values import ChoiceValue, choices

# What the turn of a spoken conversation allows; in text there is room for more.
_PLACES = {True: 2, False: 4}
_RESULTS = {True: 3, False: 5}
_OWN = re.compile(r"\b(?:my|mine|i|i'm|i've|me|myself)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
# The tools that search, the best for questions first.
_PREFERRED = ("kb_search", "cross_kg_search", "search_kg")
# The namespace that stands for every database.
EVERYWHERE = "all"
_NEAR = 0.3

Call = tuple[str, dict[str, Any]]


def is_search(tool: DeclaredTool) -> bool:
    """A tool that looks for records by a query alone, in one of several places."""
    required = [parameter.name for parameter in tool.required]
    return tool.category == "retrieval" and required == ["query"] and _place(tool) is not None


def lookups(catalogue: DeclaredTools, question: str, book: NameBook, spoken: bool) -> list[Call]:
    """The calls that look for an answer. None when no declared tool can."""
    for name in _PREFERRED:
        tool = catalogue.get(name)
        if tool is None or tool.execution == "background":
            continue
        query = tool.parameter("query")
        most = query.schema.get("maxLength", 200) if query is not None else 200
        args: dict[str, Any] = {"query": question[:most]}
        if tool.parameter("database_id") is not None:
            where = _order(list(book.databases), question, book, spoken)
            limit = {"limit": _RESULTS[spoken]} if tool.parameter("limit") is not None else {}
            return [(tool.name, {**args, **limit, "database_id": each}) for each in where]
        calls = everywhere(tool, args, book, question, spoken)
        if spoken or WHERE.search(question.lower()):
            return _with_records(catalogue, calls, question, book)
        return _with_people(tool, calls, question, book)
    return []


def _with_people(
    tool: DeclaredTool, calls: list[Call], question: str, book: NameBook
) -> list[Call]:
    """Who is asked for and not named may be described in few words: people are looked through
    once more by themselves."""
    filters = tool.parameter("filters")
    types = (filters.schema.get("properties") or {}).get("type", {}) if filters else {}
    if (
        not _WHO.search(question)
        or book.mentions(question)
        or "person" not in types.get("enum", ())
    ):
        return calls
    name, args = calls[0]
    return [*calls, (name, {**args, "filters": {"type": "person"}})]


def _with_records(
    catalogue: DeclaredTools, calls: list[Call], question: str, book: NameBook
) -> list[Call]:
    """Searches that return no whole texts, and the texts of what the question names instead of
    the second search."""
    named = list(dict.fromkeys(mention.name.id for mention in book.mentions(question)))[:3]
    tool = catalogue.get("kb_get")
    if tool is None or not named or tool.parameter("ids") is None:
        return calls
    return [*calls[:1], (tool.name, {"ids": named})]


def everywhere(
    tool: DeclaredTool, args: dict[str, Any], book: NameBook, text: str, spoken: bool
) -> list[Call]:
    """One call for each place in which the tool can look, unless a place was named."""
    args = dict(args)
    fields = tool.parameter("return_fields")
    allowed = fields.schema.get("items", {}).get("enum", ()) if fields is not None else ()
    if not spoken and "full_text" in allowed and "return_fields" not in args:
        args["return_fields"] = ["snippet", "full_text", "url"]
    if tool.parameter("top_k") is not None:
        args.setdefault("top_k", _RESULTS[spoken])
    elif tool.parameter("limit") is not None:
        args.setdefault("limit", 2 * _RESULTS[spoken])
    place = _place(tool)
    if place is None or place.name in args:
        return [(tool.name, args)]
    places = [str(value) for value in place.choices]
    where = _order([one for one in places if one != EVERYWHERE], text, book, spoken)
    if EVERYWHERE in places and any(one not in places for one in book.databases):
        # Databases that people made have no namespace of their own.
        where = [EVERYWHERE, *where][: _PLACES[spoken]]
    return [(tool.name, {**args, place.name: each}) for each in where]


def _place(tool: DeclaredTool) -> Parameter | None:
    return tool.parameter("namespace")


def _order(places: list[str], text: str, book: NameBook, spoken: bool) -> list[str]:
    """The places to look in, those that were named or hold what was named first."""
    there = [place for place in places if place in book.databases] or places
    named = [c.value for c in choices(text, [ChoiceValue(p, (p,)) for p in there], True)]
    if named:
        return list(dict.fromkeys(named))[: _PLACES[spoken]]
    holding = [m.name.database for m in book.mentions(text) if m.name.database in there]
    own = ["personal"] if _OWN.search(text) and "personal" in there else []
    rest = [place for place in there if place != "personal"] + ["personal"] * ("personal" in there)
    return list(dict.fromkeys([*holding, *own, *rest]))[: _PLACES[spoken]]


def nothing(question: str, found: Sequence[AnswerEvidence], spoken: bool) -> str:
    """Nothing that was found answers. The nearest is named where it is not far off."""
    del question
    near = [one for one in found if one.score >= _NEAR][:1]
    if spoken:
        hint = f" The nearest is {near[0].title}." if near else ""
        return f"I found nothing about that.{hint}"
    hint = f" The nearest is {near[0].title} ({near[0].id})." if near else ""
    return (
        f"I found nothing in the knowledge base that answers this.{hint} I know only what is in "
        f"it; a {small_talk.LARGER} can answer more."
    )
