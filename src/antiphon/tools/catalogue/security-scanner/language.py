"""Language of a piece of code: the caller's word, else detection by its look."""

from __future__ import annotations

import re

from antiphon import ToolError
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python

ALIASES = {
    **dict.fromkeys(("python", "py", "python3"), "python"),
    **dict.fromkeys(("javascript", "js", "jsx", "node", "nodejs", "ecmascript"), "javascript"),
    **dict.fromkeys(("typescript", "ts", "tsx"), "typescript"),
}
TYPED = re.compile(
    r"^[ \t]*+(?:export\s+)?(?:interface|type|enum)\s+\w+|"
    r"[\w)]\s*:\s*(?:string|number|boolean|any)\b",
    re.MULTILINE,
)
SCRIPT = re.compile(
    r"\b(?:const|let|var|function)\s+[\w${\[]|=>|\brequire\(|"
    r"^[ \t]*+(?:import|export)\b.*[;'\"{]|===",
    re.MULTILINE,
)


def language_of(code: str, named: str | None) -> str:
    if named is not None:
        found = ALIASES.get(named.strip().casefold())
        if found is None:
            raise invalid(
                "/language",
                f"{named.strip()[:40]!r} cannot be scanned; use python, javascript or typescript.",
            )
        return found
    if parses(code):
        return "python"
    if TYPED.search(code) and SCRIPT.search(code):
        return "typescript"
    if SCRIPT.search(code):
        return "javascript"
    return "python"


def parses(code: str) -> bool:
    """Return whether the code is valid Python."""
    try:
        parse_python(code)
    except ToolError:
        return False
    return True
