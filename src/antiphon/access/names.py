"""Names of users: what they may consist of, and the key that two names share that look alike."""

# ruff: noqa: RUF001 - letters that look alike are what this is about
from __future__ import annotations

import re
import unicodedata

from antiphon.access.errors import AccessError

MAX_NAME = 64
MAX_LABEL = 120
_MARKS = "._-@+"
_SHOWN = 40
_ORGANISATION = re.compile(r"[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?")
_GROUP = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ROLE = re.compile(r"[a-z][a-z0-9_-]{0,39}")

# Letters and marks that are not seen.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | {
    chr(code) for code in range(0xFE00, 0xFE10)
}
# Alphabets that share shapes of letters: a name is of one of them.
_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
# Small letters and digits that look like others in common type faces. Every row is told apart from
# its first letter by nobody.
_ALIKE = (
    "aаɑα", "bЬьƅ", "cсϲᴄ", "dԁɗ", "eеєҽ", "gɡց", "hһհ", "jјϳ", "kкκ", "lіiı1|ӏιﺍﺎاוןℓɩ",
    "nпηո", "oоοօ0൦๐໐ഠσ", "pрρ", "qԛգ", "rгᴦ", "sѕꜱ", "tтτ", "uυսц", "vѵνᴠ", "wԝѡω",
    "xхχ", "yуүγʏ", "zᴢ", "fſϝẝ", "3зʒӡ", "6б",
)  # fmt: skip
_SKELETON = str.maketrans({each: row[0] for row in _ALIKE for each in row[1:]} | {"m": "rn"})


def user_name(text: str) -> str:
    """The name of a user as it is kept: NFKC, in small letters. Raises AccessError."""
    if not isinstance(text, str) or not text or len(text) > MAX_NAME * 4:
        raise AccessError(f"A user name has 1 to {MAX_NAME} characters.", field="name")
    for character in text:
        if unicodedata.category(character)[0] in "CZ" or character in _INVISIBLE:
            raise AccessError(
                f"The user name {shown(text)} has a character that cannot be seen or is a space "
                f"(U+{ord(character):04X}). Use letters, digits and {' '.join(_MARKS)}.",
                field="name",
            )
    name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if not 1 <= len(name) <= MAX_NAME:
        raise AccessError(
            f"A user name has 1 to {MAX_NAME} characters; this one has {len(name)}.", field="name"
        )
    for character in name:
        if unicodedata.category(character) not in _LETTERS and character not in _MARKS:
            raise AccessError(
                f"The user name {shown(text)} has the character {shown(character)}. Use letters, "
                f"digits and {' '.join(_MARKS)}.",
                field="name",
            )
    if not unicodedata.category(name[0]).startswith(("L", "N")):
        raise AccessError(
            f"The user name {shown(text)} must begin with a letter or a digit.", field="name"
        )
    mixed = {unicodedata.name(each, "").partition(" ")[0] for each in name} & _ALPHABETS
    if len(mixed) > 1:
        raise AccessError(
            f"The user name {shown(text)} mixes letters of several alphabets "
            f"({', '.join(sorted(each.title() for each in mixed))}). Write it in one of them.",
            field="name",
        )
    return name


_LETTERS = frozenset({"Ll", "Lo", "Lm", "Lt", "Lu", "Mn", "Mc", "Nd"})


def looked_up_name(text: str) -> str:
    """The form under which a name that somebody typed is looked for; '' for one that nobody can
    have."""
    try:
        return user_name(text)
    except AccessError:
        return ""


def name_key(name: str) -> str:
    """The same for two names that a person could take for each other."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return folded.translate(_SKELETON).replace("vv", "w")


def label(text: str, what: str, field: str, *, limit: int = MAX_LABEL, empty: bool = True) -> str:
    """A text that is shown, such as a display name, without spaces around it; `field` is where it
    was given. Raises AccessError for one that is too long or has control characters."""
    if not isinstance(text, str):
        raise AccessError(f"{what} must be a text.", field=field)
    given = text[: limit * 2].strip()
    if len(given) > limit or (not given and not empty):
        raise AccessError(f"{what} has {0 if empty else 1} to {limit} characters.", field=field)
    for character in given:
        if unicodedata.category(character)[0] == "C":
            raise AccessError(
                f"{what} has a character that cannot be shown (U+{ord(character):04X}). Take it "
                "out.",
                field=field,
            )
    return unicodedata.normalize("NFC", given)


def organisation_id(text: str) -> str:
    """The id of an organisation other than the first. Raises AccessError."""
    if not isinstance(text, str) or not _ORGANISATION.fullmatch(text):
        raise AccessError(
            f"The id of an organisation has 1 to 40 small letters, digits and hyphens, like "
            f"`north-wing`; this one is {shown(text)}.",
            field="id",
        )
    return text


def role_name(text: str) -> str:
    """The name of a role. Raises AccessError."""
    if not isinstance(text, str) or not _ROLE.fullmatch(text):
        raise AccessError(
            "The name of a role begins with a small letter and has up to 40 small letters, digits, "
            f"hyphens and underscores; this one is {shown(text)}.",
            field="name",
        )
    return text


def group_name(text: str) -> str:
    """The name of a group. Raises AccessError."""
    if not isinstance(text, str) or not _GROUP.fullmatch(text):
        raise AccessError(
            "The name of a group begins with a letter or digit and has up to 64 letters, digits, "
            f"dots, hyphens and underscores; this one is {shown(text)}.",
            field="name",
        )
    return text


def shown(text: object) -> str:
    """A text in a message: quoted, short, and with nothing that cannot be seen."""
    given = str(text)
    return ascii(given[:_SHOWN] + ("…" if len(given) > _SHOWN else ""))
