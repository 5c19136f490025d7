"""Extractive summary: the sentences that carry a text's most frequent words."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from antiphon import ErrorType, fail, ok
from antiphon.toolkit.language import split_sentences

from .words import STOP_WORDS

WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")


def execute(args: dict[str, Any], context: Any) -> Any:
    sentences = split(args["text"])
    if not any(content(sentence) for sentence in sentences):
        return fail(
            ErrorType.VALIDATION,
            "/text: there are no sentences to choose from; give running text.",
            pointer="/text",
        )
    chosen = choose(sentences, args["sentences"])
    counts = Counter(word for sentence in sentences for word in content(sentence))
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    picked = [{"position": at + 1, "text": sentences[at]} for at in chosen]
    return ok(
        {
            "summary": " ".join(sentences[at] for at in chosen),
            "sentences": picked,
            "total_sentences": len(sentences),
            "keywords": [word for word, _ in ranked[: args["keywords"]]],
        }
    )


def split(text: str) -> list[str]:
    """Split into sentences that have a word, each on one line."""
    found = (" ".join(sentence.text.split()) for sentence in split_sentences(text))
    return [sentence for sentence in found if WORD.search(sentence)]


def content(sentence: str) -> list[str]:
    words = (word.casefold() for word in WORD.findall(sentence))
    return [word for word in words if len(word) > 2 and word not in STOP_WORDS]


def choose(sentences: list[str], most: int) -> list[int]:
    """Choose sentences by mean weight of their words; words already covered weigh less."""
    bags = [content(sentence) for sentence in sentences]
    counts = Counter(word for bag in bags for word in bag)
    total = sum(counts.values())
    weight = {word: count / total for word, count in counts.items()}
    left = [index for index, bag in enumerate(bags) if bag]
    chosen: list[int] = []
    while left and len(chosen) < most:
        best = max(left, key=lambda index: (score(index, bags[index], weight), -index))
        chosen.append(best)
        left.remove(best)
        for word in set(bags[best]):
            weight[word] **= 2
    return sorted(chosen)


def score(index: int, bag: list[str], weight: dict[str, float]) -> float:
    # Below five words of content a sentence says too little; the first one sets the topic.
    mean = sum(weight[word] for word in bag) / max(len(bag), 5)
    return mean * (1.2 if index == 0 else 1.0)
