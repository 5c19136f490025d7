"""Language of a piece of code: the caller's word, else detection by its look."""

from __future__ import annotations

import ast
import re
import warnings

from .texts import invalid

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
    try:
        tree(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def tree(code: str) -> ast.Module:
    with warnings.catch_warnings():
        # What the code would warn of when compiled is its author's business.
        warnings.simplefilter("ignore")
        return ast.parse(code)
