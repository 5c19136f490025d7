"""Text for speech synthesis: written text without addresses, code, emoji and Markdown."""

from __future__ import annotations

import html
import re
import unicodedata

from antiphon.speech.ports import CannotSpeakError

MOST_CHARACTERS = 20_000

_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]\[]{0,300})\]\([^)]{0,1000}\)")
_LINK = re.compile(r"\[([^\]\[]{1,300})\]\([^)]{0,1000}\)")
_CITATION = re.compile(
    r" ?[\[(](?:\d{1,3}|[a-z_]+:[\w-]+)(?:[,;] ?(?:\d{1,3}|[a-z_]+:[\w-]+)){0,8}[\])]"
)
_BREAK = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|table|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_URL = re.compile(
    r"<?(?:https?|ftp|wss?|file)://[^\s<>]*|(?<![a-z0-9])www\.[^\s<>]+", re.IGNORECASE
)
_MAIL = re.compile(r"\b([\w.+-]{1,64})@([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})\b")
_INLINE = re.compile(r"`([^`\n]*)`")
_TABLE_RULE = re.compile(r"^[ \t|]*:?-{2,}[ \t|:-]*$", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t]*\|(.+?)\|?[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$", re.MULTILINE)
_LINE_START = re.compile(r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?)+", re.M)
_ITEM = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]+", re.MULTILINE)
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|~~)(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{8}([0-9a-f]{4})\b", re.IGNORECASE)
_HEX = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}([0-9a-f]{4})\b", re.IGNORECASE)
_RECORD = re.compile(r"\b[a-z][a-z_]{1,30}:([A-Za-z][\w-]*)")
_MOMENT = re.compile(r"\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")
_SNAKE = re.compile(r"(?<=[A-Za-z0-9])_+(?=[A-Za-z0-9])")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_HASH = re.compile(r"(?<!\w)#(?=\d)")
_SHARP = re.compile(r"\b([A-G])#")
_LONG_NUMBER = re.compile(r"(?<![\w.,])\+?\d{7,}(?![\w.,]*\d)")
_ARROW = re.compile(r" ?(?:->|=>|→|⇒) ?")
_SPACES = re.compile(r"[^\S\n]+")
_PICTURES = ("So", "Sk", "Cf", "Cs", "Co", "Cn", "Me", "Cc")
_MARKS = str.maketrans(dict.fromkeys("*`~|\\^{}<>_#", " "))
_LOOSE = re.compile(r" ([.,;:!?])(?!\w)")
_LEADING = re.compile(r"^(?:[-+=,;:.!?]+ )+")
_LETTERS = re.compile(r"[^\W\d_]+")

# A text with more of another script than this is not worth the attempt.
_MOST_FOREIGN = 0.34


def speakable(text: str) -> str:
    """Speakable form of a text: lines of plain words; empty when nothing is left."""
    text = unicodedata.normalize("NFC", html.unescape(text[:MOST_CHARACTERS]))
    text = _SPACES.sub(" ", "".join(map(_seen, text)))
    text = _FENCED.sub("\n", text)
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _URL.sub(_link, text)
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _CITATION.sub("", text)
    text = _MAIL.sub(
        lambda m: f"{m[1].replace('.', ' dot ')} at {m[2].replace('.', ' dot ')}", text
    )
    text = _INLINE.sub(r"\1", text)
    text = _RULE.sub("", _TABLE_RULE.sub("", text))
    text = _TABLE_ROW.sub(
        lambda m: ", ".join(c.strip() for c in m[1].split("|") if c.strip()), text
    )
    text = _LINE_START.sub("", text)
    text = _ITEM.sub(r"\1, ", text)
    for _ in range(2):  # bold inside italics
        text = _EMPHASIS.sub(r"\2", text)
    text = _said(text)
    text = text.translate(_MARKS)
    lines = (_line(line) for line in text.splitlines())
    return "\n".join(_closed(line) for line in lines if any(c.isalnum() for c in line))


def _link(match: re.Match[str]) -> str:
    # The full stop behind an address ends the sentence, not the address.
    tail = match[0][len(match[0].rstrip(".,;:!?)")) :]
    return f" the link{tail} "


def _said(text: str) -> str:
    """Ids, names of code and numbers in a form that can be followed by ear."""
    text = _UUID.sub(lambda m: f"id ending in {' '.join(m[1])}", text)
    text = _HEX.sub(lambda m: f"id ending in {' '.join(m[1])}", text)
    text = _MOMENT.sub(r"\1 at \2", text)
    text = _RECORD.sub(r"\1", text)
    text = _CAMEL.sub(" ", _SNAKE.sub(" ", text))
    text = _SHARP.sub(r"\1 sharp", _HASH.sub("number ", text))
    text = _LONG_NUMBER.sub(lambda m: " ".join(m[0]).replace("+", "plus"), text)
    return _ARROW.sub(", ", text)


def _seen(c: str) -> str:
    """A character, or nothing for emoji, variation selectors and invisible characters."""
    if c in "\n\t`^\u00b0" or unicodedata.category(c) not in _PICTURES:
        return c
    return " "


def _line(text: str) -> str:
    text = _LOOSE.sub(r"\1", _SPACES.sub(" ", text)).strip()
    return _LEADING.sub("", text)


def _closed(line: str) -> str:
    """Heading or item of a list, ended like a sentence so that the voice falls."""
    return line if line[-1] in ".!?…:;,\"'”\u2019)" else f"{line}."


def script(letter: str) -> str:
    """Script of a letter, as Unicode names it: LATIN, CYRILLIC, CJK …"""
    return unicodedata.name(letter, "UNKNOWN").partition(" ")[0]


def latin(text: str, voice: str) -> str:
    """Text for a voice of Latin letters alone; a word in another script is named as such.

    Raises CannotSpeakError when most of the text is.
    """
    letters = [c for c in text if c.isalpha()]
    foreign = [
        c for c in letters if script(c) not in ("LATIN", "FULLWIDTH", "FEMININE", "MASCULINE")
    ]
    if not foreign:
        return text
    if len(foreign) > _MOST_FOREIGN * len(letters):
        names = sorted({script(c).capitalize() for c in foreign})
        raise CannotSpeakError(
            f"The voice {voice} speaks English and cannot say text in this script "
            f"({', '.join(names)}); choose another synthesizer for it."
        )
    return _LETTERS.sub(
        lambda m: m[0] if all(script(c) == "LATIN" for c in m[0]) else "a word in another script",
        text,
    )
