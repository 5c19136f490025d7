"""What an expert says: the best sentences of the records that were found, each with its node id."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from antiphon.knowledge.analysis import query_words, words
from antiphon.knowledge.snippets import sentences
from antiphon.workspace.naming import plain

MOST_SENTENCES = 3
MOST_LINKS = 3
# A sentence that has less of the question than this share of the best one is left out.
LEAST_SHARE = 0.6
MAX_SENTENCE = 600
MAX_TEXT = 3000

_BACK = frozenset(
    {
        *("he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "hers"),
        *("there", "that", "this", "these", "those", "one", "more", "else", "why", "when"),
    }
)
_CITED = re.compile(r"\s?\[([^\[\]]{1,200})\]")


def refers_back(message: str) -> bool:
    """Whether a message says too little by itself: it goes on about what was said before."""
    said = plain(message).split()
    return bool(_BACK & set(said)) or len(query_words(message)) < 2


def extracted(
    question: str, found: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]]
) -> tuple[str, list[str]]:
    """An answer made of what the records say, and the ids that it cites, first ones first.

    `links` are edges with the titles of their ends.
    """
    wanted = set(query_words(question))
    said = [
        (f"{link['source_title']} {_relation(link)} {link['target_title']}", link["ids"])
        for link in links
        if _speaks_of(wanted, link)
    ][:MOST_LINKS]
    parts = [f"{text}. {_marks(ids)}" for text, ids in said]
    cited = [name for _, ids in said for name in ids]
    room = max(1, MOST_SENTENCES - len(parts))
    for text, name in _best(wanted, found)[:room]:
        parts.append(f"{text} [{name}]")
        cited.append(name)
    return " ".join(parts), list(dict.fromkeys(cited))


def _best(wanted: set[str], found: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Sentences with the rarest words of the question, in the order of their worth."""
    found = _meant(wanted, found)
    if not found:
        return []
    candidates = []
    for place, record in enumerate(found):
        title = set(words(record["title"]))
        for number, sentence in enumerate(sentences(_text(record))):
            stems = set(words(sentence))
            candidates.append((record, place, number, sentence, stems, title))
    having = Counter(word for *_, stems, _ in candidates for word in stems & wanted)
    scored = []
    for record, place, number, sentence, stems, title in candidates:
        # What the record is called counts for each of its sentences, but less.
        worth = sum(
            math.log(1 + len(candidates) / having[word]) if word in stems else 0.5
            for word in wanted
            if word in stems or word in title
        )
        # Whoever names a record whole asks about that one.
        worth *= 1 + len(title & wanted) / (len(title) or 1)
        # Among equals the better record, and in it what comes first, says more.
        scored.append((worth * (0.5 + record["score"]), -place, -number, record, sentence))
    scored.sort(key=lambda each: each[:3], reverse=True)
    _, _, first, record, sentence = scored[0]
    if not wanted & set(words(sentence)):
        # The record is what was asked for, and no sentence of it stands out: how it begins.
        told = sentences(_text(record))[-first:]
        return [(_said(record, " ".join(told[:MOST_SENTENCES])), record["id"])]
    least = scored[0][0] * LEAST_SHARE
    return [
        (_said(record, sentence), record["id"])
        for worth, _, _, record, sentence in scored
        if worth >= least
    ]


def _meant(wanted: set[str], found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without the siblings of what the question names whole: who asks about one project does not
    ask about another."""
    titles = {record["id"]: set(words(record["title"])) for record in found}
    named = {name for name, title in titles.items() if title and title <= wanted}
    types = {record["type"] for record in found if record["id"] in named}
    return [record for record in found if record["id"] in named or record["type"] not in types]


def _text(record: Mapping[str, Any]) -> str:
    return str(record.get("text") or record["snippet"])


def _said(record: Mapping[str, Any], sentence: str) -> str:
    if len(sentence) > MAX_SENTENCE:
        sentence = sentence[:MAX_SENTENCE].rsplit(" ", 1)[0] + "…"
    title = record["title"]
    named = not title or any(word in words(sentence) for word in words(title))
    return sentence if named else f"{title}: {sentence}"


def _relation(link: Mapping[str, Any]) -> str:
    return str(link["relation"]).replace("_", " ")


def _speaks_of(wanted: set[str], link: Mapping[str, Any]) -> bool:
    """Whether the question names one end whole, and speaks of the relation besides."""
    relation = set(words(_relation(link)))
    ends = (set(words(link["source_title"])), set(words(link["target_title"])))
    return any(end and end <= wanted and bool((wanted - end) & relation) for end in ends)


def _marks(ids: Sequence[str]) -> str:
    return " ".join(f"[{name}]" for name in ids)


def material(found: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]]) -> str:
    """What a model is given to answer from."""
    parts = [
        f"[{record['id']}] {record['title']} ({record['type']})\n{_text(record)[:MAX_TEXT]}"
        for record in found
    ]
    lines = [
        f"{link['source_title']} {_relation(link)} {link['target_title']} {_marks(link['ids'])}"
        for link in links
    ]
    return "\n\n".join([*parts, "\n".join(lines)]) if lines else "\n\n".join(parts)


def checked(answer: str, known: Sequence[str]) -> tuple[str, list[str]]:
    """A model's answer without citations of nodes that it was not given, and those that are left.

    Brackets around something that is no id of the graph's kind are the model's own words.
    """
    cited: list[str] = []

    def kept(mark: re.Match[str]) -> str:
        names = [name.strip() for name in mark[1].split(",")]
        good = [name for name in names if name in known]
        cited.extend(good)
        if good:
            return " " + _marks(good)
        return "" if all(":" in name for name in names) else mark[0]

    text = _CITED.sub(kept, answer).strip()
    return text, list(dict.fromkeys(cited))
