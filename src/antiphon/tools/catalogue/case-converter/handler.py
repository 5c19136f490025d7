"""Case conversion of text: identifiers in code, titles and URL slugs."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from antiphon import ok

RUN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
APOSTROPHES = str.maketrans("", "", "'\u2019")
# What Unicode does not take apart into a letter and its mark.
LETTERS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ł": "l",
        "Ł": "L",
        "\u0131": "i",
    }
)
SMALL_WORDS = "a an and as at but by for in nor of on or the to up via with"
SMALL = frozenset(SMALL_WORDS.split())
JOINED = {"snake": "_", "kebab": "-", "constant": "_", "dot": "."}


def execute(args: dict[str, Any], context: Any) -> Any:
    lines = args["text"].split("\n")
    written = [convert(line, args["style"], args["max_length"]) for line in lines]
    return ok({"result": "\n".join(written), "style": args["style"], "lines": len(lines)})


def convert(line: str, style: str, longest: int) -> str:
    match style:
        case "lower":
            return line.lower()
        case "upper":
            return line.upper()
        case "sentence":
            return sentence(line)
        case "title":
            return title(line)
        case "slug":
            return slug(line, longest)
    words = split(line)
    if style in ("camel", "pascal"):
        text = "".join(word[:1].upper() + word[1:] for word in words)
        return text if style == "pascal" else text[:1].lower() + text[1:]
    joined = JOINED[style].join(words)
    return joined.upper() if style == "constant" else joined


def split(text: str) -> list[str]:
    """Split into lower-case words: `HTTPServer2Config` gives http, server2 and config."""
    words: list[str] = []
    for run in RUN.finditer(text):
        part = run[0].translate(APOSTROPHES)
        start = 0
        for at in range(1, len(part)):
            before, here, after = part[at - 1], part[at], part[at + 1 : at + 2]
            ends_acronym = before.isupper() and after.islower()
            if here.isupper() and (not before.isupper() or ends_acronym):
                words.append(part[start:at].lower())
                start = at
        words.append(part[start:].lower())
    return words


def sentence(line: str) -> str:
    lowered = line.lower()
    return re.sub(r"(^\W*|[.!?]\s+)([^\W\d_])", lambda found: found[1] + found[2].upper(), lowered)


def title(line: str) -> str:
    """Write in title case: small words stay small but at both ends, inner capitals stay."""
    found = list(RUN.finditer(line))
    pieces, end = [], 0
    for index, word in enumerate(found):
        pieces.append(line[end : word.start()])
        pieces.append(titled(word[0], index in (0, len(found) - 1)))
        end = word.end()
    return "".join(pieces) + line[end:]


def titled(word: str, at_end: bool) -> str:
    if not at_end and word.lower() in SMALL:
        return word.lower()
    return word if any(char.isupper() for char in word[1:]) else word[:1].upper() + word[1:]


def slug(line: str, longest: int) -> str:
    """Return an ASCII slug, cut between words if it is too long."""
    plain = unicodedata.normalize("NFKD", line.translate(LETTERS))
    words = re.findall(
        "[a-z0-9]+", plain.encode("ascii", "ignore").decode().lower().replace("'", "")
    )
    text = ""
    for word in words:
        longer = f"{text}-{word}" if text else word[:longest]
        if len(longer) > longest:
            break
        text = longer
    return text
