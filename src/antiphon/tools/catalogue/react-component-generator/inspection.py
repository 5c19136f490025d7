"""Inspection of the structure of a component that somebody else wrote."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|(?<![:\w/])//[^\n]*")
_REGEX = re.compile(
    r"(?<=[=(,:\[!&|?])(\s*+)/(?![/*])"
    r"(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}+\]){1,300}+/[a-z]*"
)
# An apostrophe within a word is part of a text.
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<!\w)\'(?:[^\'\\\n]|\\.)*\'')
_TAG = re.compile(r"(?:(?<![\w.])<|<(?=/))(/?)([a-z][a-z0-9]*)\b([^<>]*)>")
_CLOSING = {")": "(", "]": "[", "}": "{"}


def problem_in(code: str, name: str) -> str:
    """Return what is wrong: brackets or tags that do not close, a missing export; else empty."""
    exported = rf"export\s+(?:default\s+)?(?:async\s+)?(?:function|const|class)\s+{name}\b"
    listed = rf"export\s*\{{[^}}]*\b{name}\b[^}}]*\}}"
    if not re.search(rf"{exported}|{listed}", code):
        return f"it exports no `{name}`"
    plain = _COMMENT.sub(" ", code)
    plain = _REGEX.sub(r"\g<1>0", plain)
    plain = _STRING.sub('""', plain)
    stack: list[str] = []
    for letter in plain:
        if letter in "([{":
            stack.append(letter)
        elif letter in _CLOSING and (not stack or stack.pop() != _CLOSING[letter]):
            return f"`{letter}` closes nothing"
    if stack:
        return f"`{stack[-1]}` is not closed"
    return _tag_problem(_without_values(plain))


def _without_values(code: str) -> str:
    """Remove the values of attributes, in which < and > may stand."""
    kept, place = [], 0
    while (start := code.find("={", place)) >= 0:
        kept.append(code[place:start])
        place, depth = start + 2, 1
        while depth:
            depth += {"{": 1, "}": -1}.get(code[place], 0)
            place += 1
    return "".join([*kept, code[place:]]).replace("=>", "")


def _tag_problem(markup: str) -> str:
    open_tags: list[str] = []
    for end, tag, rest in _TAG.findall(markup):
        if end:
            if not open_tags or open_tags.pop() != tag:
                return f"`</{tag}>` closes nothing"
        elif not rest.rstrip().endswith("/"):
            open_tags.append(tag)
    return f"`<{open_tags[-1]}>` is not closed" if open_tags else ""
