"""The port for extraction by a model, and the checks on what it says. It is never trusted."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from antiphon.knowledge.ingestion.mentions import NAMED, EntityMention, Relation

# A piece of a document, which a model reads in one go: so many sentences, and characters.
BATCH = 40
PIECE = 4_000
MAX_FOUND = 2_000  # entities and relations in one answer
MAX_NAME = 200
MAX_CONFIDENCE = 0.9
_RELATION = re.compile(r"[a-z][a-z0-9_]{0,49}")
_TYPES = {
    "organisation": "org", "organization": "org", "company": "org", "location": "place",
    "city": "place", "country": "place", "people": "person", "concept": "term",
    "product": "term", "technology": "term", "programme": "project", "other": "entity",
}  # fmt: skip


class Extractor(Protocol):
    """Finds entities and relations in sentences, such as by asking a language model.

    `extract` gets sentences and returns
    `{"entities": [{"sentence": 0, "name": "Ada", "type": "person", "confidence": 0.8}],
    "relations": [{"sentence": 0, "source": "Ada", "relation": "leads", "target": "Acme"}]}`,
    where `sentence` counts from 0 and names are as they stand in it; an entity without `sentence`
    is looked for in all of them. It raises KnowledgeError when it cannot answer; then the rules
    alone are used for these sentences, and the report says so.
    """

    name: str

    def extract(self, sentences: Sequence[str]) -> Mapping[str, Any]: ...


def checked(
    answer: Any, sentences: Sequence[str], skipped: Counter[str]
) -> tuple[dict[int, list[EntityMention]], dict[int, list[tuple[str, str, Relation]]]]:
    """Validate a model's answer: mentions and relations by sentence.

    What does not hold against the text is skipped and counted by reason.
    """
    mentions: dict[int, list[EntityMention]] = {}
    stated: dict[int, list[tuple[str, str, Relation]]] = {}
    if not isinstance(answer, Mapping):
        skipped["model: the answer is not an object"] += 1
        return mentions, stated
    for item in _items(answer, "entities", skipped):
        if "sentence" in item:
            number = _sentence(item, sentences, skipped)
            if number is None:
                continue
            places, where = [number], "sentence"
        else:
            places, where = list(range(len(sentences))), "text"
        there = [(one, _mention(sentences[one], item.get("name"), item)) for one in places]
        if not any(found for _, found in there):
            skipped[f"model: the name is not in the {where}"] += 1
        for place, found in there:
            if found is not None:
                mentions.setdefault(place, []).append(found)
    for item in _items(answer, "relations", skipped):
        at = _sentence(item, sentences, skipped)
        if at is None:
            continue
        relation = item.get("relation")
        relation = (
            re.sub(r"[\s-]+", "_", relation.strip().lower()) if isinstance(relation, str) else ""
        )
        if not _RELATION.fullmatch(relation):
            skipped["model: no such relation can be kept"] += 1
            continue
        ends = [_mention(sentences[at], item.get(end), {}) for end in ("source", "target")]
        source, target = ends
        if source is None or target is None or source.name == target.name:
            skipped["model: the name is not in the sentence"] += 1
            continue
        mentions.setdefault(at, []).extend((source, target))
        confidence = _confidence(item.get("confidence"))
        stated.setdefault(at, []).append(
            (source.name, target.name, Relation(0, 0, relation, "model", confidence))
        )
    return mentions, stated


def _items(answer: Mapping[str, Any], name: str, skipped: Counter[str]) -> list[Mapping[str, Any]]:
    found = answer.get(name, [])
    if not isinstance(found, list | tuple):
        skipped[f"model: {name} is not a list"] += 1
        return []
    good = [item for item in found if isinstance(item, Mapping)]
    if len(good) < len(found):
        skipped[f"model: one of {name} is not an object"] += len(found) - len(good)
    if len(good) > MAX_FOUND:
        skipped[f"model: more than {MAX_FOUND:,} {name}"] += len(good) - MAX_FOUND
    return good[:MAX_FOUND]


def _sentence(
    item: Mapping[str, Any], sentences: Sequence[str], skipped: Counter[str]
) -> int | None:
    at = item.get("sentence")
    if isinstance(at, int) and not isinstance(at, bool) and 0 <= at < len(sentences):
        return at
    skipped["model: no such sentence"] += 1
    return None


def _mention(sentence: str, name: Any, item: Mapping[str, Any]) -> EntityMention | None:
    if not isinstance(name, str) or not 1 < len(name.strip()) <= MAX_NAME:
        return None
    # A name may go on behind the end of a line.
    words = r"\s+".join(map(re.escape, name.split()))
    found = re.search(rf"(?<!\w){words}(?!\w)", sentence, re.IGNORECASE)
    if found is None or not any(char.isalpha() for char in name):
        return None
    said = item.get("type")
    said = said.strip().lower() if isinstance(said, str) else ""
    kind = _TYPES.get(said, said)
    if kind not in NAMED:
        kind = "entity"
    confidence = _confidence(item.get("confidence"))
    return EntityMention(" ".join(found[0].split()), kind, *found.span(), "model", confidence)


def _confidence(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 0.6
    return round(min(max(float(value), 0.0), MAX_CONFIDENCE), 3)
