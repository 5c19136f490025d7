"""Language detection of a text by its script and its commonest words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Any

from antiphon import ok

from .languages import BY_SCRIPT, COMMON, NAMES

WORD = re.compile(r"[^\W\d_]+")
READ = 20_000


def execute(args: dict[str, Any], context: Any) -> Any:
    text = unicodedata.normalize("NFC", args["text"][:READ])
    scripts = Counter(script_of(char) for char in text if char.isalpha())
    letters = sum(scripts.values())
    main = max(scripts, key=lambda one: (scripts[one], one)) if scripts else ""
    # Japanese writes most of its words in Han; only kana tell it from Chinese.
    if main == "CJK" and scripts["HIRAGANA"] + scripts["KATAKANA"] > 0.1 * letters:
        main = "HIRAGANA"
    if main in BY_SCRIPT:
        found = [(BY_SCRIPT[main], scripts[main] / letters)]
        if main == "HIRAGANA":
            found = [("ja", 1.0)]
    else:
        found = by_words(text)
    candidates = [
        {"language": code, "name": NAMES[code], "score": round(score, 3)} for code, score in found
    ]
    best = candidates[0] if is_certain(found) else None
    return ok(
        {
            "language": best["language"] if best else "unknown",
            "name": best["name"] if best else "unknown",
            "confidence": confidence(found) if best else "none",
            "candidates": candidates[:3],
            "letters": letters,
        }
    )


def script_of(char: str) -> str:
    return unicodedata.name(char, "?").partition(" ")[0]


def by_words(text: str) -> list[tuple[str, float]]:
    """Rank languages by the share of the words that are among their commonest."""
    words = [word.lower() for word in WORD.findall(text)]
    if not words:
        return []
    counts = Counter(words)
    scores = {
        code: sum(counts[word] for word in common) / len(words) for code, common in COMMON.items()
    }
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return [(code, score) for code, score in ranked if score > 0]


def is_certain(found: list[tuple[str, float]]) -> bool:
    if not found or found[0][1] < 0.08:
        return False
    return len(found) == 1 or found[0][1] > found[1][1]


def confidence(found: list[tuple[str, float]]) -> str:
    best = found[0][1]
    ahead = best - (found[1][1] if len(found) > 1 else 0)
    if best >= 0.2 and ahead >= 0.12:
        return "high"
    return "medium" if ahead >= 0.05 else "low"
