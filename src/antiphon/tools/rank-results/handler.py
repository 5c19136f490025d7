"""Deterministic ranking by relevance, score, recency, tags and type."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from typing import Any

from antiphon import ErrorType, ToolError, ok
from antiphon.toolkit.language import FUNCTION_WORDS

COMPONENTS = ("relevance", "score", "recency", "tag_match")
READ_CHARACTERS = 4000
TITLE_WEIGHT = 2.5
K1, B = 1.2, 0.75
NEAR_EQUAL = 0.9
# Final scores are compared as they are shown, so that rounding never hides a tie.
DIGITS = 6

# Letters and digits of any script, with the combining marks that `\w` leaves out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u1031-\u103e"
)
TOKEN = re.compile(rf"(?:[^\W_]|[{_MARKS}])+")
# Scripts written without spaces are compared by pairs of characters.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)
LATIN_ACCENTS = re.compile("[\u0300-\u036f]")


def execute(args: dict[str, Any], context: Any) -> Any:
    items = args["items"]
    notes: list[str] = []
    now = reference_time(args.get("now"), context)
    query = query_terms(args.get("query", ""))
    if args.get("query") and not query:
        notes.append("The query has no words to compare, so relevance does not count.")
    documents = [read_document(item) for item in items]
    relevance = bm25(query, documents)
    if query and not any(relevance):
        notes.append("No item matches the query.")
    scores, score_known = given_scores(items, notes)
    recency, ages = recencies(items, now, args["half_life_days"], notes)
    tag_match, tag_reasons = tag_matches(
        items, args.get("boost_tags", []), args.get("prefer_types", [])
    )
    values = {
        "relevance": relevance if any(relevance) else None,
        "score": scores,
        "recency": recency,
        "tag_match": tag_match,
    }
    weights = weights_in_force(args["weights"], values)
    if not weights:
        notes.append("Nothing tells the items apart: the given order is kept.")

    finals = []
    parts: list[dict[str, float]] = []
    for position in range(len(items)):
        part = {name: round(values[name][position], DIGITS) for name in weights}
        total = math.fsum(weights[name] * part[name] for name in weights)
        parts.append(part)
        finals.append(round(min(1.0, max(0.0, total)), DIGITS))
    order = sorted(range(len(items)), key=lambda position: (-finals[position], position))
    duplicates: list[dict[str, Any]] = []
    if args["dedupe"]:
        order, duplicates = without_duplicates(order, items, documents)

    ranked = []
    for rank, position in enumerate(order[: args.get("top_k")], 1):
        reasons = []
        if "relevance" in weights:
            reasons.append(match_reason(query, documents[position]))
        if "score" in weights:
            known = score_known[position]
            reasons.append(f"score {scores[position]:.2f}" if known else "no usable score")
        if "recency" in weights:
            reasons.append(age_reason(ages[position]))
        if "tag_match" in weights:
            reasons.append(tag_reasons[position])
        entry = {
            "rank": rank,
            "id": items[position]["id"],
            "score": finals[position],
            "components": parts[position],
            "reason": "; ".join(reasons) or "given order",
        }
        if args["include_items"]:
            entry["item"] = items[position]
        ranked.append(entry)
    return ok(
        {
            "ranked": ranked,
            "total": len(items),
            "returned": len(ranked),
            "weights": {name: round(weight, DIGITS) for name, weight in weights.items()},
            "duplicates": duplicates,
            "notes": notes,
        }
    )


def reference_time(given: str | None, context: Any) -> datetime:
    if given is None:
        clock = getattr(context, "now", None)
        return clock() if callable(clock) else datetime.now(UTC)
    moment = parse_moment(given)
    if moment is None:
        raise ToolError(
            ErrorType.VALIDATION,
            f"/now: {given!r} is not a time that can be used; give years 0001 to 9999 and seconds "
            "00 to 59.",
            pointer="/now",
        )
    return moment


def parse_moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip().upper())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def weights_in_force(
    given: dict[str, float], values: dict[str, list[float] | None]
) -> dict[str, float]:
    """Return the weights of the components that have data, scaled to sum to 1."""
    defaults = {"relevance": 0.5, "score": 0.3, "recency": 0.1, "tag_match": 0.1}
    live = {
        name: given.get(name, defaults[name]) for name in COMPONENTS if values[name] is not None
    }
    total = math.fsum(live.values())
    # A sum too small to divide by carries no preference anybody could have meant.
    if total < 1e-9:
        return {}
    return {name: weight / total for name, weight in live.items() if weight > 0}


# Relevance


def fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = LATIN_ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKC", decomposed).casefold()


def tokens(text: str) -> list[str]:
    found: list[str] = []
    for token in TOKEN.findall(fold(text)):
        if token.isascii():
            found.append(singular(token))
            continue
        end = 0
        for run in UNSPACED.finditer(token):
            if run.start() > end:
                found.append(token[end : run.start()])
            characters = run[0]
            found += [characters[i : i + 2] for i in range(max(1, len(characters) - 1))]
            end = run.end()
        if end < len(token):
            found.append(token[end:])
    return found


def singular(word: str) -> str:
    """Strip English plural endings only; cutting longer endings joins unlike words."""
    if len(word) < 4 or word[-1] != "s" or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return word[:-2]
    return word[:-1]


def query_terms(query: str) -> list[str]:
    found = list(dict.fromkeys(tokens(query)))
    return [term for term in found if term not in FUNCTION_WORDS] or found


Document = tuple[Counter[str], Counter[str]]


def read_document(item: dict[str, Any]) -> Document:
    """Count the terms of the title and of the text."""
    title = Counter(tokens(item.get("title") or ""))
    snippet, text = item.get("snippet") or "", item.get("text") or ""
    # A snippet is often cut from the text; reading it twice would count its words double.
    body = text if snippet and snippet in text else f"{snippet}\n{text}"
    return title, Counter(tokens(body[:READ_CHARACTERS]))


def bm25(query: list[str], documents: list[Document]) -> list[float]:
    """Return BM25 with weighted fields, as a share of the best item's score."""
    if not query:
        return [0.0] * len(documents)
    lengths = [TITLE_WEIGHT * title.total() + body.total() for title, body in documents]
    average = math.fsum(lengths) / len(lengths) or 1.0
    totals = [0.0] * len(documents)
    for term in query:
        counts = [TITLE_WEIGHT * title[term] + body[term] for title, body in documents]
        having = sum(count > 0 for count in counts)
        rarity = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
        for position, count in enumerate(counts):
            if count:
                norm = K1 * (1 - B + B * lengths[position] / average)
                totals[position] += rarity * count * (K1 + 1) / (count + norm)
    best = max(totals)
    return [total / best for total in totals] if best else totals


def match_reason(query: list[str], document: Document) -> str:
    title, body = document
    matched = [term for term in query if title[term] or body[term]]
    if not matched:
        return "matches no query term"
    where = " (title)" if any(title[term] for term in matched) else ""
    return f"matches {len(matched)} of {len(query)} query terms{where}"


# Score, recency, tags


def given_scores(
    items: list[dict[str, Any]], notes: list[str]
) -> tuple[list[float] | None, list[bool]]:
    usable = [usable_score(item.get("score")) for item in items]
    known = [score for score in usable if score is not None]
    if not known:
        if any(item.get("score") is not None for item in items):
            notes.append("No score is a finite number, so score does not count.")
        return None, []
    missing = len(items) - len(known)
    if missing:
        notes.append(f"{missing} of {len(items)} items have no usable score; it counts as 0.")
    low, high = min(known), max(known)
    if low < 0 or high > 1:
        notes.append(f"Scores from {low:g} to {high:g} were rescaled to 0 to 1.")
        # Halved, because the span of two finite floats may not be finite.
        span = high / 2 - low / 2
        scale = lambda s: (s / 2 - low / 2) / span if span else 1.0  # noqa: E731
    else:
        scale = float
    return [0.0 if s is None else scale(s) for s in usable], [s is not None for s in usable]


def usable_score(score: Any) -> float | None:
    if score is None or isinstance(score, bool):
        return None
    try:
        number = float(score)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def recencies(
    items: list[dict[str, Any]], now: datetime, half_life: float, notes: list[str]
) -> tuple[list[float] | None, list[float | None]]:
    ages: list[float | None] = []
    unreadable = future = 0
    for item in items:
        text = item.get("last_updated")
        moment = parse_moment(text) if text else None
        unreadable += bool(text) and moment is None
        age = None if moment is None else (now - moment).total_seconds() / 86400
        future += age is not None and age < 0
        ages.append(None if age is None else max(0.0, age))
    if unreadable:
        notes.append(f"last_updated of {unreadable} items is not an ISO 8601 date; recency 0.")
    if future:
        notes.append(f"last_updated of {future} items is in the future; counted as now.")
    known = sum(age is not None for age in ages)
    if not known:
        return None, ages
    if known + unreadable < len(items):
        notes.append(f"{len(items) - known - unreadable} items have no last_updated; recency 0.")
    return [0.0 if age is None else 0.5 ** (age / half_life) for age in ages], ages


def age_reason(age: float | None) -> str:
    if age is None:
        return "date unknown"
    days = int(age)
    if days == 0:
        return "updated within a day"
    return f"updated {days} day{'' if days == 1 else 's'} ago"


def tag_matches(
    items: list[dict[str, Any]], boost: list[str], prefer: list[str]
) -> tuple[list[float] | None, list[str]]:
    wanted = {tag.strip().casefold(): tag for tag in boost}
    places: dict[str, int] = {}
    for name in prefer:
        places.setdefault(name.strip().casefold(), len(places))
    if not wanted and not places:
        return None, []
    values, reasons = [], []
    for item in items:
        has = {tag.strip().casefold() for tag in item.get("tags") or ()}
        hits = [tag for key, tag in wanted.items() if key in has]
        place = places.get((item.get("type") or "").strip().casefold())
        shares = [len(hits) / len(wanted)] if wanted else []
        if places:
            shares.append(0.0 if place is None else 1 - place / len(places))
        values.append(math.fsum(shares) / len(shares))
        said = [f"tags {', '.join(hits)}"] if hits else []
        said += [] if place is None else [f"type {item['type']}"]
        reasons.append(", ".join(said) or "no preferred tag or type")
    return values, reasons


# Duplicates


def without_duplicates(
    order: list[int], items: list[dict[str, Any]], documents: list[Document]
) -> tuple[list[int], list[dict[str, Any]]]:
    """Keep the best of equal items; return the order, and what was dropped for which."""
    kept: list[int] = []
    dropped: list[dict[str, Any]] = []
    by_id: dict[Any, int] = {}
    titles: list[tuple[Any, frozenset[str], int]] = []
    for position in order:
        item = items[position]
        twin = by_id.get(item["id"])
        why = "same id"
        terms = frozenset(documents[position][0])
        if twin is None and terms:
            kind = item.get("type")
            twin = next((p for k, t, p in titles if k == kind and near_equal(terms, t)), None)
            why = "nearly equal title"
        if twin is not None:
            dropped.append({"id": item["id"], "kept_id": items[twin]["id"], "why": why})
            continue
        kept.append(position)
        by_id[item["id"]] = position
        titles.append((item.get("type"), terms, position))
    return kept, dropped


def near_equal(one: frozenset[str], other: frozenset[str]) -> bool:
    if one == other:
        return True
    difference = one ^ other
    # "Report 2023" and "Report 2024" are two reports however long the title is.
    if any(character.isdigit() for term in difference for character in term):
        return False
    return len(one & other) >= NEAR_EQUAL * len(one | other)
