"""Password strength: guessing work from common words, sequences, repeats, dates, keyboard runs."""

from __future__ import annotations

import math
import re
from typing import Any

from antiphon import ok

WORDS = (
    "password passwort letmein welcome dragon monkey football baseball superman batman sunshine "
    "princess master shadow qwerty qwertz azerty iloveyou admin login abc123 trustno1 starwars "
    "summer winter spring autumn monday friday january february march april june july august "
    "september october november december hello secret freedom whatever pokemon charlie michael "
    "jordan jennifer thomas hunter buster soccer hockey george andrew daniel ashley jessica "
    "computer internet google default changeme test guest root user love money flower cheese"
)
COMMON = tuple(WORDS.split())
RUNS = (
    "abcdefghijklmnopqrstuvwxyz", "0123456789", "qwertyuiop", "asdfghjkl", "zxcvbnm",
    "qwertzuiop", "yxcvbnm", "azertyuiop", "1q2w3e4r5t6y7u8i9o0p",
)  # fmt: skip
LEET = str.maketrans("430157$@!", "aeoisTsai".lower())
RATINGS = ("very weak", "weak", "fair", "strong", "very strong")
LIMITS = (28, 40, 60, 80)
GUESSES = 1e10
UNITS = (
    ("year", 31_557_600), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
)  # fmt: skip
YEAR = re.compile(r"(?:19|20)\d\d")
REPEAT = re.compile(r"(.)\1{2,}")
WORD = re.compile(r"[A-Za-z]{3,}")
BLOCK = re.compile(r"(.{2,32}?)\1+")


def execute(args: dict[str, Any], context: Any) -> Any:
    password: str = args["password"]
    problems, rest = find_patterns(password)
    pool = alphabet_size(password)
    words = WORD.findall(rest)
    alone = len(rest)
    if len(words) >= 3:
        # Several words are guessed word by word: each counts as one out of some eight thousand.
        alone -= sum(map(len, words))
    else:
        words = []
    # A pattern is worth one guess out of a thousand, however long it is.
    bits = alone * math.log2(pool) * (0.25 if words else 1) + 13 * len(words) + 10 * len(problems)
    bits = min(bits, len(password) * math.log2(pool))
    score = sum(bits >= limit for limit in LIMITS)
    return ok(
        {
            "score": score,
            "rating": RATINGS[score],
            "bits": round(bits, 1),
            "length": len(password),
            "crack_time": duration(2 ** min(bits, 400) / 2 / GUESSES),
            "problems": problems or (["is short"] if len(password) < 10 else []),
            "advice": advice(password, problems, score),
        }
    )


def find_patterns(password: str) -> tuple[list[str], str]:
    """Return the guessable patterns of a password and the characters left beside them."""
    problems: list[str] = []
    rest = password
    plain = password.lower().translate(LEET)
    for word in sorted(COMMON, key=len, reverse=True):
        at = plain.find(word)
        if at >= 0 and len(plain) == len(rest):
            problems.append(f"holds the common word {word}")
            rest = rest[:at] + rest[at + len(word) :]
            plain = plain[:at] + plain[at + len(word) :]
    for run in find_runs(rest):
        problems.append(f"holds the sequence {run}")
        rest = rest.replace(run, "", 1)
    if YEAR.search(rest):
        problems.append("holds a year")
        rest = YEAR.sub("", rest, count=1)
    if REPEAT.search(rest):
        problems.append("repeats a character")
        rest = REPEAT.sub(r"\1", rest)
    if BLOCK.search(rest):
        problems.append("repeats a part of itself")
        rest = BLOCK.sub(r"\1", rest)
    return problems, rest


def find_runs(text: str) -> list[str]:
    """Find runs of four or more along the alphabet or the keyboard, either way."""
    found: list[str] = []
    lower = text.lower()
    start = 0
    while start + 4 <= len(lower):
        end = start + 4
        if not any(lower[start:end] in line or lower[start:end] in line[::-1] for line in RUNS):
            start += 1
            continue
        while end < len(lower) and any(
            lower[start : end + 1] in line or lower[start : end + 1] in line[::-1] for line in RUNS
        ):
            end += 1
        found.append(text[start:end])
        start = end
    return found


def alphabet_size(password: str) -> int:
    size = 26 * any("a" <= c <= "z" for c in password)
    size += 26 * any("A" <= c <= "Z" for c in password)
    size += 10 * any("0" <= c <= "9" for c in password)
    size += 33 * any(c.isascii() and not c.isalnum() for c in password)
    return size + 100 * any(not c.isascii() for c in password)


def duration(seconds: float) -> str:
    if seconds < 1:
        return "less than a second"
    if seconds > 100 * 31_557_600:
        return "more than a century"
    name, length = next(unit for unit in UNITS if seconds >= unit[1])
    count = round(seconds / length)
    return f"{count} {name}{'' if count == 1 else 's'}"


def advice(password: str, problems: list[str], score: int) -> list[str]:
    steps = []
    if len(password) < 12:
        steps.append("Use 12 characters or more; length helps most.")
    if problems:
        steps.append("Use four or more random words, or let a password manager make it.")
    if score < 3:
        steps.append("Do not use it anywhere else, and turn on a second factor.")
    return steps
