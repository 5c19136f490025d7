"""Docstrings in Google, NumPy and Sphinx style: summary, parameters and further sections."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

# Sections that describe parameters, and those that a model has no use for.
_PARAMETERS = frozenset(
    {"args", "arguments", "attributes", "parameters", "params", "other parameters"}
)
_RESULTS = frozenset({"returns", "return", "yields", "yield"})
_DROPPED = frozenset({"raises", "raise", "warns", "receives"})
_TITLES = (
    *(_PARAMETERS | _RESULTS | _DROPPED),
    *("example", "examples", "note", "notes", "phrases", "warning", "warnings", "watch out"),
    *("see also", "references", "todo", "keyword args", "keyword arguments"),
)
_GOOGLE = re.compile(rf"(?P<title>{'|'.join(map(re.escape, _TITLES))}):\s*", re.IGNORECASE)
_RULE = re.compile(r"[-=~]{3,}\s*")
# `name (type): text` of Google; the type may hold brackets of its own.
_NAMES = r"(?P<names>\*{0,2}\w++(?:\s*+,\s*+\*{0,2}\w++)*+)"
_ITEM = re.compile(rf"^{_NAMES}\s*+(?:\(.*?\))?\s*:(?:\s++|$)(?P<text>.*)")
# `name : type` of NumPy; the text stands below it.
_NUMPY_ITEM = re.compile(rf"{_NAMES}\s*(?::.*)?")
_SPHINX = re.compile(r"^:(?P<role>\w++)(?:\s++(?P<what>[^:]*+))?:(?:\s++(?P<text>.*)|$)")
_SPHINX_PARAMETERS = frozenset(
    {"param", "parameter", "arg", "argument", "key", "keyword", "ivar", "var", "cvar"}
)
_SPHINX_RESULTS = frozenset({"return", "returns", "yield", "yields"})


@dataclass(slots=True)
class Docstring:
    """The parts of a docstring. `summary` is its first paragraph on one line, `body` the prose
    below it, `sections` what stands under other headings."""

    summary: str = ""
    body: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""
    sections: list[tuple[str, str]] = field(default_factory=list)


def parse_docstring(text: str | None) -> Docstring:
    """Read a docstring. What is written in none of the three styles is prose."""
    parsed = Docstring()
    prose: list[str] = []
    lines = _without_sphinx(inspect.cleandoc(text or "").splitlines(), parsed)
    at = 0
    while at < len(lines):
        numpy = at + 1 < len(lines) and lines[at].strip() and _RULE.fullmatch(lines[at + 1])
        google = _GOOGLE.fullmatch(lines[at])
        if numpy:
            end = _end_of_numpy(lines, at + 2)
            _add_section(parsed, lines[at].strip(), lines[at + 2 : end], numpy=True)
            at = end
        elif google and (end := _end_of_google(lines, at + 1)) > at + 1:
            _add_section(parsed, google["title"], lines[at + 1 : end], numpy=False)
            at = end
        else:
            prose.append(lines[at])
            at += 1
    summary, _, body = "\n".join(prose).strip().partition("\n\n")
    parsed.summary = " ".join(summary.split())
    parsed.body = body.strip()
    return parsed


def _end_of_google(lines: list[str], at: int) -> int:
    """Return the line after an indented block."""
    while at < len(lines) and (not lines[at].strip() or lines[at][0].isspace()):
        at += 1
    return at


def _end_of_numpy(lines: list[str], at: int) -> int:
    """Return the line of the next underlined heading, or the end."""
    while at < len(lines):
        if at + 1 < len(lines) and lines[at].strip() and _RULE.fullmatch(lines[at + 1]):
            break
        at += 1
    return at


def _add_section(parsed: Docstring, title: str, lines: list[str], *, numpy: bool) -> None:
    text = inspect.cleandoc("\n" + "\n".join(lines)).strip()
    kind = title.lower()
    if kind in _PARAMETERS or kind.startswith("keyword "):
        parsed.parameters.update(_items(text.splitlines(), numpy=numpy))
    elif kind in _RESULTS:
        parsed.returns = _result_text(text, numpy=numpy)
    elif kind not in _DROPPED and text:
        parsed.sections.append((title[:1].upper() + title[1:], text))


def _items(lines: list[str], *, numpy: bool) -> dict[str, str]:
    """Return the descriptions of parameters by name."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in lines:
        item = None
        if line and not line[0].isspace():
            item = (_NUMPY_ITEM if numpy else _ITEM).fullmatch(line)
        if item is None:
            current.append(line.strip())
            continue
        current = [] if numpy else [item["text"].strip()]
        for name in item["names"].split(","):
            found[name.strip().lstrip("*")] = current
    return {name: _joined(words) for name, words in found.items()}


def _result_text(text: str, *, numpy: bool) -> str:
    lines = text.splitlines()
    if numpy:  # the type stands above, its meaning below it
        below = [line.strip() for line in lines if line[:1].isspace()]
        return _joined(below or lines)
    first, colon, rest = text.partition(":")
    typed = colon and re.fullmatch(r"[\w.\[\], |]+", first) and " " not in first.replace(", ", "")
    return _joined((rest if typed else text).splitlines())


def _without_sphinx(lines: list[str], parsed: Docstring) -> list[str]:
    """Take the fields of Sphinx (`:param city: …`) out of the text."""
    kept: list[str] = []
    current: list[str] | None = None
    fields: list[tuple[str, str, list[str]]] = []
    for line in lines:
        found = _SPHINX.fullmatch(line)
        if found:
            current = [found["text"] or ""]
            fields.append((found["role"], (found["what"] or "").strip(), current))
        elif current is not None and line[:1].isspace():
            current.append(line)
        else:
            current = None
            kept.append(line)
    for role, what, words in fields:
        if role in _SPHINX_PARAMETERS and what:
            parsed.parameters[what.split()[-1].lstrip("*")] = _joined(words)
        elif role in _SPHINX_RESULTS:
            parsed.returns = _joined(words)
    return kept


def _joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())
