"""Noise: text as people type it in a hurry and as recognisers write it down, with its spans kept."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

FILLERS = (
    "um", "uh", "er", "well", "so", "like", "okay so", "right", "hey", "listen", "you know", "i mean",
    "hmm", "ah", "oh", "basically", "actually", "yeah", "so um", "uh well", "alright",
)  # fmt: skip
OPENINGS = (
    "please", "hey", "hi", "could you", "can you", "hello", "hey there", "ok", "quick one:", "morning,",
    "one thing:", "would you mind:", "if you have a second,", "sorry,", "listen,", "i was wondering,",
)  # fmt: skip
CLOSINGS = (
    "please",
    "thanks",
    "thx",
    "cheers",
    "if you can",
    "pls",
    "would you",
    "asap",
    "thank you",
    "ok?",
)
NEAR = {
    "a": "qws", "b": "vgn", "c": "xdv", "d": "sfe", "e": "wrd", "f": "dgr", "g": "fht", "h": "gjy", "i": "uok",
    "j": "hku", "k": "jli", "l": "kop", "m": "nk", "n": "bmh", "o": "ipl", "p": "ol", "q": "wa", "r": "etf",
    "s": "adw", "t": "ryg", "u": "yij", "v": "cbf", "w": "qes", "x": "zcs", "y": "tuh", "z": "xas",
}  # fmt: skip
SHORT = {
    "you": "u",
    "are": "r",
    "please": "pls",
    "tomorrow": "tmrw",
    "what": "wat",
    "for": "4",
    "to": "2",
    "and": "n",
    "because": "cuz",
    "people": "ppl",
    "minutes": "mins",
    "thanks": "thx",
    "the": "teh",
}
NUMBERS = {
    "1": "one",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
    "11": "eleven",
    "12": "twelve",
    "15": "fifteen",
    "20": "twenty",
    "30": "thirty",
    "45": "forty five",
    "50": "fifty",
    "100": "one hundred",
}

Letters = list[tuple[str, int]]  # each letter, and where it stood (-1: it is new)
Places = Sequence[tuple[int, int]]


def noisy(
    text: str, spans: Places, rng: random.Random, strength: float = 1.0
) -> tuple[str, list[tuple[int, int]]]:
    """The text with some noise, and where the spans stand in it now."""
    letters: Letters = [(letter, at) for at, letter in enumerate(text)]
    if rng.random() < 0.45 * strength:
        letters = [(letter.lower(), at) for letter, at in letters]
    if rng.random() < 0.30 * strength:
        letters = _plain_end(letters)
    if rng.random() < 0.30 * strength:
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            letters = _typo(letters, rng)
    if rng.random() < 0.06 * strength:
        letters = _replaced(letters, SHORT, rng)
    if rng.random() < 0.16 * strength:
        letters = _spoken(letters, rng)
    roll = rng.random()
    if roll < 0.08 * strength:
        letters = _new(rng.choice(OPENINGS) + " ") + letters
    elif roll < 0.14 * strength:
        letters = _plain_end(letters) + _new(
            (" " if rng.random() < 0.5 else ", ") + rng.choice(CLOSINGS)
        )
    return "".join(letter for letter, _ in letters), _moved(letters, spans)


def _new(text: str) -> Letters:
    return [(letter, -1) for letter in text]


def _plain_end(letters: Letters) -> Letters:
    while letters and letters[-1][0] in ".?! ":
        letters = letters[:-1]
    return letters


def _typo(letters: Letters, rng: random.Random) -> Letters:
    words = list(re.finditer(r"[^\W\d_]{4,}", "".join(letter for letter, _ in letters)))
    if not words:
        return letters
    word = rng.choice(words)
    at = rng.randrange(word.start() + 1, word.end() - 1)
    letter, origin = letters[at]
    out = list(letters)
    match rng.randrange(5):
        case 0:
            del out[at]
        case 1:
            out[at], out[at + 1] = out[at + 1], out[at]
        case 2:
            out.insert(at, (letter, origin))
        case 3:
            out[at] = rng.choice(NEAR.get(letter.lower(), letter)), origin
        case _:
            out.insert(at, (rng.choice(NEAR.get(letter.lower(), letter)), origin))
    return out


def _replaced(letters: Letters, table: dict[str, str], rng: random.Random) -> Letters:
    text = "".join(letter for letter, _ in letters)
    found = [m for m in re.finditer(r"[\w]+", text) if m.group().lower() in table]
    if not found:
        return letters
    word = rng.choice(found)
    origin = [at for _, at in letters[word.start() : word.end()]]
    new = table[word.group().lower()]
    fresh = [(letter, origin[min(at, len(origin) - 1)]) for at, letter in enumerate(new)]
    return letters[: word.start()] + fresh + letters[word.end() :]


def _spoken(letters: Letters, rng: random.Random) -> Letters:
    """As a recogniser writes it: no capitals and marks, numbers in words, fillers, repeated words."""
    out = [(letter.lower(), at) for letter, at in letters]
    for _ in range(4):
        before = out
        out = _replaced(out, NUMBERS, rng)
        if out == before:
            break
    out = [each for each in out if each[0] not in ',?!;"']
    out = _plain_end(out)
    for _ in range(rng.choice((0, 1, 1, 2))):
        text = "".join(letter for letter, _ in out)
        gaps = [0, *(m.end() for m in re.finditer(r" ", text))]
        at = rng.choice(gaps)
        if rng.random() < 0.75:
            out = out[:at] + _new(rng.choice(FILLERS) + " ") + out[at:]
        else:
            word = re.match(r"\w+ ", text[at:])
            if word:
                out = out[:at] + _new(word.group()) + out[at:]
    return out


def _moved(letters: Letters, spans: Places) -> list[tuple[int, int]]:
    moved = []
    for start, end in spans:
        inside = [place for place, (_, at) in enumerate(letters) if start <= at < end]
        moved.append((inside[0], inside[-1] + 1) if inside else (0, 0))
    return moved
