"""Destinations: the addresses, accounts and files among a call's values, and their comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from antiphon.orchestrator.value_sources import escaped
from antiphon.text.words import word_set

MAX_DEPTH = 8
_FORMATS = frozenset(
    {"email", "idn-email", "uri", "uri-reference", "iri", "url", "hostname", "path"}
)
# Names of arguments that say where something goes to.
_NAMES = word_set(
    """to cc bcc recipient recipients receiver address addresses email emails mail url uri link
    href website webpage site host hostname domain endpoint webhook callback account iban
    destination target channel phone number participants participant invitees attendees guests
    user_email share_with file filename file_name filepath file_path path folder directory
    bucket"""
)
_ENDINGS = (
    *("_to", "_email", "_url", "_uri", "_address", "_iban", "_account", "_recipient"),
    *("_recipients", "_path", "_file", "_filename", "_host", "_channel", "_phone"),
)
_SHAPES = re.compile(
    r"""[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+       # a mail address
    | (?:[a-z][a-z0-9+.-]*:)?//\S+              # an address with or without its scheme
    | (?:mailto|tel|sms|data|javascript):\S+
    | www\.\S+
    | [a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|de|eu|uk|co|info|biz|dev|app|ai|me)(?:/\S*)?
    | [a-z]{2}\d{2}[ ]?(?:[a-z0-9]{4}[ ]?){2,7}[a-z0-9]{1,4}   # an IBAN
    | \+?\d[\d ()/-]{6,}\d                      # a telephone number
    | (?:~|\.{1,2})?/[\w.~-]+(?:/[\w.~-]*)*     # a path
    """,
    re.IGNORECASE | re.VERBOSE,
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d\d[:.]\d\d.*", re.A)


def destinations_in(args: Mapping[str, Any], parameters: Mapping[str, Any]) -> dict[str, str]:
    """The values of a call that say where something goes, by JSON pointer: by the format or name of
    their argument, or by what they look like."""
    return dict(_found(args, parameters, "", "", 0))


def _found(
    node: Any, schema: Any, pointer: str, name: str, depth: int
) -> Iterator[tuple[str, str]]:
    schema = schema if isinstance(schema, dict) else {}
    if depth > MAX_DEPTH:
        return
    if isinstance(node, dict):
        known = schema.get("properties")
        known = known if isinstance(known, dict) else {}
        for key, value in node.items():
            below = f"{pointer}/{escaped(key)}"
            yield from _found(value, known.get(key), below, str(key), depth + 1)
    elif isinstance(node, list):
        for number, item in enumerate(node):
            yield from _found(item, schema.get("items"), f"{pointer}/{number}", name, depth + 1)
    elif isinstance(node, str) and node.strip() and is_destination(node, name, schema):
        yield pointer, node


def is_destination(value: str, name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a value of an argument says where something goes."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).casefold()
    if schema.get("format") in _FORMATS or plain in _NAMES or plain.endswith(_ENDINGS):
        return True
    text = value.strip()
    return _SHAPES.fullmatch(text) is not None and _DATE.fullmatch(text) is None


def comparable(destination: str) -> str:
    """A destination as it is compared: without scheme, case and a final slash."""
    plain = "".join(destination.split()).lower()
    plain = re.sub(r"^(?:https?:)?//|^mailto:", "", plain)
    return plain.removeprefix("www.").rstrip("/")


def digest(user: str, destination: str) -> str:
    """What is kept of a destination that somebody has used: it can be compared, and not read."""
    return sha256(f"{user}\0{comparable(destination)}".encode()).hexdigest()
