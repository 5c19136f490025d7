"""JavaScript text with comments and the insides of strings blanked, every line's length kept."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<string> "(?:[^"\\\n]|\\.)*"? | '(?:[^'\\\n]|\\.)*'? | `(?:[^`\\]|\\.)*`? )
    """,
    re.DOTALL | re.VERBOSE,
)
VISIBLE = re.compile(r"[^\n]")


def without_comments(code: str) -> str:
    def replaced(found: re.Match[str]) -> str:
        return VISIBLE.sub(" ", found[0]) if found["comment"] else found[0]

    return TOKEN.sub(replaced, code)


def without_strings(code: str) -> str:
    """Blank the insides of strings; quotes stay, so that a rule sees that a string is there."""

    def replaced(found: re.Match[str]) -> str:
        text = found[0]
        if found["comment"] or len(text) < 2:
            return text
        return text[0] + VISIBLE.sub(" ", text[1:-1]) + text[-1]

    return TOKEN.sub(replaced, code)
