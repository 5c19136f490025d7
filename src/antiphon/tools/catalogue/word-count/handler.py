"""Word, sentence and character counts of a text, and the readability of English."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from antiphon import ok

WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
# Runs are taken whole and from their start only, or a million full stops would take for ever.
SENTENCE_END = re.compile(
    r"(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019)\]]*+(?=\s|$)|[\u3002\uff01\uff1f]"
)
VOWELS = re.compile(r"[aeiouy]+")
LEVELS = (
    (90, "very easy"),
    (80, "easy"),
    (70, "fairly easy"),
    (60, "plain"),
    (50, "fairly hard"),
    (30, "hard"),
)


def execute(args: dict[str, Any], context: Any) -> Any:
    text = args["text"]
    words = WORD.findall(text)
    sentences = count_sentences(text)
    lengths = sum(len(word) for word in words)
    data: dict[str, Any] = {
        "words": len(words),
        "unique_words": len({word.casefold() for word in words}),
        "characters": len(text),
        "characters_without_spaces": sum(not char.isspace() for char in text),
        "sentences": sentences,
        "paragraphs": paragraphs(text),
        "lines": len(text.splitlines()),
        "average_word_length": round(lengths / len(words), 1) if words else 0,
        "average_sentence_words": round(len(words) / sentences, 1) if sentences else 0,
        "reading_minutes": round(len(words) / args["words_per_minute"], 1),
        "speaking_minutes": round(len(words) / 140, 1),
        "top_words": top_words(words, args["top"]),
    }
    if words and latin(words):
        data["readability"] = readability(words, sentences)
    return ok(data)


def count_sentences(text: str) -> int:
    """Count pieces between ends of sentences that have a word in them."""
    count, start = 0, 0
    for end in [found.end() for found in SENTENCE_END.finditer(text)] + [len(text)]:
        count += WORD.search(text, start, end) is not None
        start = end
    return count


def paragraphs(text: str) -> int:
    count, inside = 0, False
    for line in text.splitlines():
        filled = bool(line.strip())
        count += filled and not inside
        inside = filled
    return count


def top_words(words: list[str], most: int) -> list[dict[str, Any]]:
    counts = Counter(word.casefold() for word in words if len(word) > 3)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [{"word": word, "count": count} for word, count in ranked[:most]]


def latin(words: list[str]) -> bool:
    """Return whether the text is in Latin script; the formula counts the vowels of English."""
    return sum(word.isascii() for word in words) >= 0.8 * len(words)


def readability(words: list[str], sentences: int) -> dict[str, Any]:
    per_sentence = len(words) / sentences
    per_word = sum(syllables(word.lower()) for word in words) / len(words)
    ease = round(206.835 - 1.015 * per_sentence - 84.6 * per_word, 1)
    grade = round(0.39 * per_sentence + 11.8 * per_word - 15.59, 1)
    level = next((name for least, name in LEVELS if ease >= least), "very hard")
    return {"reading_ease": ease, "grade": grade, "level": level}


def syllables(word: str) -> int:
    count = len(VOWELS.findall(word))
    if word.endswith("e") and not word.endswith(("le", "ee")) and count > 1:
        count -= 1
    return max(count, 1)
