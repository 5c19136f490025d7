"""Front matter of Markdown files: the part of YAML that notes use, and JSON."""

from __future__ import annotations

import re
from typing import Any

import orjson

from antiphon.knowledge.errors import KnowledgeError

_KEY = re.compile(r"([A-Za-z0-9_](?:[\w .-]*[\w.-])?)[ \t]*+:(?:[ \t]++(.*))?")
_PLAIN = re.compile(r"[A-Za-z_/][\w /.,()-]*(?::(?=[\w/])[\w /.,()-]*)*")
_LIKE_OTHERS = {"true", "false", "null", "yes", "no", "on", "off", "nan", "inf", "infinity"}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")


def split(text: str) -> tuple[str | None, str, int]:
    """Front matter (None when there is none), body, and the line the body begins on."""
    opening = re.match(r"---[ \t]*\r?\n", text)
    if opening is None:
        return None, text, 1
    closing = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE).search(
        text, opening.end()
    )
    if closing is None:
        raise KnowledgeError("the front matter that begins in line 1 has no closing ---")
    head = text[opening.end() : closing.start()]
    return head, text[closing.end() :], text.count("\n", 0, closing.end()) + 1


def read(head: str) -> dict[str, Any]:
    """Keys and values. Raises KnowledgeError with the line for YAML beyond this part."""
    found: dict[str, Any] = {}
    key: str | None = None
    for number, raw in enumerate(re.split(r"\r?\n", head), 2):
        line = raw.rstrip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        item = re.fullmatch(r"[ \t]*+-(?:[ \t]++(.*))?", line)
        if item is not None and key is not None:
            if found[key] is None:
                found[key] = []
            if not isinstance(found[key], list):
                raise KnowledgeError(f"line {number}: {key} has a value and a list")
            found[key].append(_value(item[1] or "", number))
            continue
        match = _KEY.fullmatch(line)
        if match is None or line[0] in " \t":
            raise KnowledgeError(
                f"line {number}: front matter has 'name: value' lines and lists; write nested "
                f"values as JSON on one line: {line[:60]!r}"
            )
        if match[1] in found:
            raise KnowledgeError(f"line {number}: {match[1]} is there twice")
        key = match[1]
        text = (match[2] or "").strip()
        found[key] = _value(text, number) if text else None
    return found


def write(values: dict[str, Any]) -> str:
    """As text between two `---` lines; a list of objects gets one line for each."""
    lines = ["---"]
    for key, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines.append(f"{key}:")
            lines += [f"  - {orjson.dumps(item).decode()}" for item in value]
        elif isinstance(value, str) and _is_plain(value):
            lines.append(f"{key}: {value}")
        else:
            lines.append(f"{key}: {orjson.dumps(value).decode()}")
    return "\n".join([*lines, "---", ""])


def _is_plain(text: str) -> bool:
    return bool(
        text.isascii()
        and _PLAIN.fullmatch(text)
        and text == text.strip()
        and text.lower() not in _LIKE_OTHERS
    )


def _value(text: str, number: int) -> Any:
    if text[:1] in ('"', "{") or (text[:1] == "[" and text[:2] != "[["):
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError as error:
            if text[0] == "[" and text[-1] == "]" and not set(text[1:-1]) & set('[]{}"'):
                return [
                    _value(part.strip(), number) for part in text[1:-1].split(",") if part.strip()
                ]
            if text[0] == '"' and text.count('"') > 2:
                return text
            raise KnowledgeError(f"line {number}: {error.msg}: {text[:60]!r}") from error
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] in ("|", ">", "&", "*", "!"):
        raise KnowledgeError(
            f"line {number}: {text[:1]} is YAML that is not read here; quote the value or write "
            "it as JSON"
        )
    plain = re.split(r"(?<!\s)\s+#", text, maxsplit=1)[0]
    if plain in ("null", "~", ""):
        return None
    if plain in ("true", "false"):
        return plain == "true"
    if _NUMBER.fullmatch(plain):
        return float(plain) if set(plain) & set(".eE") else int(plain)
    return plain
