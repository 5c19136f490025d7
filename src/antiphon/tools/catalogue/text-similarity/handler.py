"""Text similarity: by letters and by words."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ok

WORD = re.compile(r"[^\W_]+")


def execute(args: dict[str, Any], context: Any) -> Any:
    from rapidfuzz import fuzz
    from rapidfuzz.distance import Levenshtein

    first, second = args["text"], args["other"]
    if args["ignore_case"]:
        first, second = first.casefold(), second.casefold()
    words, others = WORD.findall(first), WORD.findall(second)
    one, two = set(words), set(others)
    together = one | two
    distance = Levenshtein.distance(first, second)
    longest = max(len(first), len(second))
    similarity = 1 - distance / longest if longest else 1.0
    shared = len(one & two) / len(together) if together else float(first == second)
    ordered = fuzz.ratio(" ".join(sorted(words)), " ".join(sorted(others))) / 100
    return ok(
        {
            "similarity": round(similarity, 4),
            "edits": distance,
            "same_words": round(shared, 4),
            "any_order": round(ordered if together else shared, 4),
            "identical": first == second,
            "verdict": verdict(first == second, max(similarity, ordered if together else 0)),
            "only_in_text": sorted(one - two)[:50],
            "only_in_other": sorted(two - one)[:50],
        }
    )


def verdict(same: bool, best: float) -> str:
    if same:
        return "identical"
    if best >= 0.9:
        return "nearly the same"
    if best >= 0.6:
        return "similar"
    return "loosely related" if best >= 0.35 else "different"
