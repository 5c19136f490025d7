"""Extractive answers of experts: the best sentences of found records, each with its node id."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from antiphon.knowledge.analysis import query_words, words
from antiphon.text.sentences import quick_sentences
from antiphon.workspace.name_matching import normalize_name

MOST_SENTENCES = 3
MOST_LINKS = 8
# A sentence that has less of the question than this share of the best one is left out.
LEAST_SHARE = 0.6
MAX_SENTENCE = 600
MAX_TEXT = 3000

# What the scores of a search mean: from the one on the connection is clear, below the other it is a
# guess.
CLEAR = 0.5
ALIKE = 0.4
GUESS = 0.2

_BACK = frozenset(
    {
        *("he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "hers"),
        *("there", "that", "this", "these", "those", "one", "more", "else"),
    }
)
# What kind of record a question is about, by the word that asks.
_ASKED = {"who": "person", "whom": "person", "whose": "person", "where": "place"}
# Words that ask for the same thing.
_ALIKE = (frozenset(words("cost price fee charge expensive euro")),)
# Words of a question that a record need not have to answer it.
_GENERIC = frozenset(
    words(
        "remember explain tell know plain word words describe mean means work use need should help "
        "find show give thing long much many often please overview detail details info information"
    )
)
# Other words for what a record is.
_TYPES = {
    "person": words("person people colleague employee team member staff somebody job"),
    "place": words("place office location address"),
    "process": words("process procedure rule steps"),
    "project": words("project work"),
    "client": words("client customer account"),
    "offering": words("offering offer service product"),
    "term": words("term word meaning definition"),
}
# What the fields of a record say, by the words that ask for it.
_FIELDS = (
    (frozenset({"where"}), ("location", "city", "country")),
    (frozenset(words("job role position")), ("role",)),
    (frozenset(words("join joined")), ("joined",)),
)
_SUPERLATIVE = re.compile(r"\b(?:most|least|best|worst|\w{3,}est)\b")
_NO_SUPERLATIVES = frozenset(
    {
        *("request", "interest", "test", "guest", "forest", "invest", "suggest", "honest"),
        *("contest", "harvest", "latest", "almost", "modest", "digest", "protest", "budapest"),
    }
)
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][\w-]+")
_CITED = re.compile(r"\s?\[([^\[\]]{1,200})\]")


def refers_back(message: str, found: Sequence[dict[str, Any]]) -> bool:
    """Say whether a message goes on about what was said before: it says so, or it says too
    little for what was `found` for it alone to be meant."""
    if _BACK & set(normalize_name(message).split()):
        return True
    return len(query_words(message)) < 2 and not any(each["score"] >= CLEAR for each in found)


def relevant_records(
    question: str, found: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return those of the found records that are about the question: they have each of its words
    that says something. There are none where it names somebody or something that no record has."""
    wanted = _specific(question)
    having = {
        record["id"]: set(words(f"{record['title']} {record_text(record)}")) for record in found
    }
    saying = {record["id"]: having[record["id"]] | _said_besides(record, links) for record in found}
    asked = _fields_asked(question)
    superlatives = _superlatives(question)
    if not _has_names(question, having.values()):
        return []

    def fits(record: dict[str, Any]) -> bool:
        title = set(words(record["title"]))
        if _is_named(record, wanted) and any((record.get("metadata") or {}).get(k) for k in asked):
            return True
        text = set(normalize_name(f"{record['title']} {record_text(record)}").split())
        if superlatives and not superlatives & text:
            return False  # to compare them all is more than any of them says
        if not all(_has(saying[record["id"]], word) for word in wanted):
            # One word may be meant by another: "speech" by "voice".
            return len(wanted) == 1 and record["score"] >= ALIKE
        if record["score"] >= CLEAR or (title and title <= wanted):
            return bool(wanted & having[record["id"]])
        return record["score"] >= GUESS and 2 * len(wanted & having[record["id"]]) >= len(wanted)

    return [record for record in found if fits(record)]


def can_be_told(question: str, found: Sequence[dict[str, Any]]) -> bool:
    """Say whether one record alone may answer: the found ones have the names of the question, and
    it does not ask to compare them all."""
    having = [set(words(f"{record['title']} {record_text(record)}")) for record in found]
    return not _superlatives(question) and _has_names(question, having)


def _superlatives(question: str) -> set[str]:
    return set(_SUPERLATIVE.findall(normalize_name(question))) - _NO_SUPERLATIVES


def _has_names(question: str, having: Iterable[set[str]]) -> bool:
    """Say whether each name in a question is in one of the records."""
    every = list(having)
    return all(any(set(words(name)) & stems for stems in every) for name in _NAME.findall(question))


def extract_answer(
    question: str, found: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]]
) -> tuple[str, list[str]]:
    """Return an answer made of what the records say, and the ids that it cites, first ones first;
    empty where they do not say it.

    `links` are edges with the titles of their ends.
    """
    asked = words(question)
    wanted = _specific(question)
    if fact := _field(question, wanted, found):
        return fact
    speaking = [link for link in links if _speaks_of(wanted, link)]
    directed = [link for link in speaking if _in_direction(asked, link)]
    if speaking and not directed:
        # The graph knows the relation the other way round only: that is no answer.
        return "", []
    said = [
        (f"{link['source_title']} {_relation(link)} {link['target_title']}", link["ids"])
        for link in directed
    ][:MOST_LINKS]
    kind = next((_ASKED[word] for word in asked if word in _ASKED), "")
    parts = [f"{text}. {_marks(ids)}" for text, ids in said]
    cited = [name for _, ids in said for name in ids]
    # Several links are the answer by themselves.
    room = MOST_SENTENCES - len(parts) if len(parts) < 2 else 0
    for text, name in _best(wanted, found, kind)[:room]:
        parts.append(f"{text} [{name}]")
        cited.append(name)
    return " ".join(parts), list(dict.fromkeys(cited))


def _specific(question: str) -> set[str]:
    """Return the words of a question that say what it is about; all of them where none does."""
    every = set(query_words(question))
    return every - _GENERIC or every


def _said_besides(record: Mapping[str, Any], links: Sequence[dict[str, Any]]) -> set[str]:
    """Return the words that are known of a record beside its text: its type, fields and
    relations."""
    found = set(words(str(record["type"]))) | set(_TYPES.get(record["type"], ()))
    for key, value in (record.get("metadata") or {}).items():
        found |= set(words(f"{key} {value}"))
    for link in links:
        if record["id"] in link["ids"]:
            found |= set(words(_relation(link)))
    return found


def _is_named(record: Mapping[str, Any], wanted: set[str]) -> bool:
    """Say whether a question names a record, and not just what kind of thing it is."""
    return bool(wanted & (set(words(record["title"])) - set(_TYPES.get(record["type"], ()))))


def _fields_asked(question: str) -> tuple[str, ...]:
    asked = {*normalize_name(question).split(), *words(question)}
    return tuple(key for signs, keys in _FIELDS if signs & asked for key in keys)


def _field(
    question: str, wanted: set[str], found: Sequence[dict[str, Any]]
) -> tuple[str, list[str]] | None:
    """Return what a field says of the record that the question names best: where somebody is,
    and the like; None where no field is asked for."""
    named = [record for record in found if _is_named(record, wanted)]
    if not named:
        return None
    record = max(named, key=lambda each: len(wanted & set(words(each["title"]))))
    for key in _fields_asked(question):
        value = (record.get("metadata") or {}).get(key)
        if value:
            return f"{record['title']}: {key} {value}. [{record['id']}]", [record["id"]]
    return None


def _best(wanted: set[str], found: Sequence[dict[str, Any]], kind: str) -> list[tuple[str, str]]:
    """Sentences with the rarest words of the question, in the order of their worth. Those of
    records of the `kind` that is asked for come first, and are told with how the record begins: it
    says who or where that is."""
    found = _meant(wanted, found)
    if not found:
        return []
    candidates = []
    for place, record in enumerate(found):
        title = set(words(record["title"]))
        for number, sentence in enumerate(quick_sentences(record_text(record))):
            stems = set(words(sentence))
            candidates.append((record, place, number, sentence, stems, title))
    having = {
        word: max(1, sum(_has(stems, word) for *_, stems, _ in candidates)) for word in wanted
    }
    scored = []
    for record, place, number, sentence, stems, title in candidates:
        # What the record is called counts for each of its sentences, but less.
        worths = [
            math.log(1 + len(candidates) / having[word]) * (1 if _has(stems, word) else 0.6)
            for word in wanted
            if _has(stems, word) or word in title
        ]
        # Whoever says all that was asked for answers, not whoever has one rare word of it.
        worth = sum(worths) * len(worths) / (len(wanted) or 1)
        if kind and record["type"] == kind:
            worth *= 1.5
        # Whoever names a record whole asks about that one.
        worth *= 1 + len(title & wanted) / (len(title) or 1)
        # Among equals the better record, and in it what comes first, says more.
        scored.append((worth * (0.5 + record["score"]), -place, -number, record, sentence))
    scored.sort(key=lambda each: each[:3], reverse=True)
    least = scored[0][0] * LEAST_SHARE
    _, _, first, record, sentence = scored[0]
    title, stems = set(words(record["title"])), set(words(sentence))
    if not any(_has(stems, word) for word in wanted - title):
        # The record is what was asked for, and no sentence of it stands out: how it begins.
        several = {
            each["id"]: each
            for worth, *_, each, _ in scored
            if kind and each["type"] == kind and worth >= least
        }
        if len(several) > 1:
            told = [(quick_sentences(record_text(each))[0], each) for each in several.values()]
            return [(told_sentence(each, text), each["id"]) for text, each in told]
        told_here = quick_sentences(record_text(record))[-first:]
        return [(told_sentence(record, " ".join(told_here[:MOST_SENTENCES])), record["id"])]
    said: list[tuple[str, str]] = []
    introduced: set[str] = set()
    for worth, _, number, record, sentence in scored:
        if worth < least:
            break
        if any(sentence in text for text, _ in said):
            continue
        text = sentence
        if kind and record["type"] == kind and number and record["id"] not in introduced:
            text = f"{quick_sentences(record_text(record))[0]} {sentence}"
        introduced.add(record["id"])
        said.append((told_sentence(record, text), record["id"]))
    return said


def _has(stems: set[str], word: str) -> bool:
    """Say whether a sentence has a word of the question, or another one that asks for the same."""
    return word in stems or any(word in alike and bool(alike & stems) for alike in _ALIKE)


def _meant(wanted: set[str], found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records without siblings of what the question names whole: who asks about one
    project does not ask about another."""
    titles = {record["id"]: set(words(record["title"])) for record in found}
    named = {name for name, title in titles.items() if title and title <= wanted}
    types = {record["type"] for record in found if record["id"] in named}
    return [record for record in found if record["id"] in named or record["type"] not in types]


def record_text(record: Mapping[str, Any]) -> str:
    return str(record.get("text") or record["snippet"])


def told_sentence(record: Mapping[str, Any], sentence: str) -> str:
    if len(sentence) > MAX_SENTENCE:
        sentence = sentence[:MAX_SENTENCE].rsplit(" ", 1)[0] + "…"
    title = record["title"]
    own, told = words(title), set(words(sentence))
    # One word of several may be there by chance: "new" of "Onboarding a new colleague".
    named = 2 * sum(word in told for word in own) >= len(own)
    return sentence if named else f"{title}: {sentence}"


def _relation(link: Mapping[str, Any]) -> str:
    return str(link["relation"]).replace("_", " ")


def _speaks_of(wanted: set[str], link: Mapping[str, Any]) -> bool:
    """Say whether the question names one end of an edge whole, and speaks of the relation
    besides."""
    relation = set(words(_relation(link)))
    ends = (set(words(link["source_title"])), set(words(link["target_title"])))
    return any(end and end <= wanted and bool((wanted - end) & relation) for end in ends)


def _in_direction(asked: list[str], link: Mapping[str, Any]) -> bool:
    """Say whether the end that the question names is the one that it asks from: in "what depends
    on Atlas" Atlas is what something depends on, in "what does Atlas depend on" what depends."""
    verb = next((n for n, word in enumerate(asked) if word in words(_relation(link))), None)
    if verb is None:
        return True
    source, target = (
        [n for n, word in enumerate(asked) if word in words(link[end])]
        for end in ("source_title", "target_title")
    )
    passive = "by" in asked[verb + 1 :]
    if not source or not target:
        named_first = (source or target)[0] < verb
        if named_first and not {"do", "doe", "did"} & set(asked[:verb]) and not passive:
            return True  # "Atlas's lead": either way
        return bool(source) is (named_first is not passive)
    return True


def _marks(ids: Sequence[str]) -> str:
    return " ".join(f"[{name}]" for name in ids)


def model_material(found: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]]) -> str:
    """Return the text that a model is given to answer from."""
    parts = [
        f"[{record['id']}] {record['title']} ({record['type']})\n{record_text(record)[:MAX_TEXT]}"
        for record in found
    ]
    lines = [
        f"{link['source_title']} {_relation(link)} {link['target_title']} {_marks(link['ids'])}"
        for link in links
    ]
    return "\n\n".join([*parts, "\n".join(lines)]) if lines else "\n\n".join(parts)


def verify_citations(answer: str, known: Sequence[str]) -> tuple[str, list[str]]:
    """Return a model's answer without citations of nodes that it was not given, and the citations
    that are left.

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
