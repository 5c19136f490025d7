"""Language detection of source code, and the file ending by which lizard knows it."""

from __future__ import annotations

import re

from antiphon import ToolError
from antiphon.toolkit import invalid
from antiphon.toolkit.python_source import parse_python

SUFFIXES = {
    "python": "py", "javascript": "js", "typescript": "ts", "java": "java", "csharp": "cs",
    "c": "c", "cpp": "cpp", "go": "go", "rust": "rs", "ruby": "rb", "php": "php",
    "swift": "swift", "kotlin": "kt", "scala": "scala", "lua": "lua",
}  # fmt: skip
ALIASES = {
    "py": "python", "python3": "python", "js": "javascript", "jsx": "javascript",
    "node": "javascript", "ts": "typescript", "tsx": "typescript", "c#": "csharp", "cs": "csharp",
    "c++": "cpp", "cc": "cpp", "h": "c", "golang": "go", "rs": "rust", "rb": "ruby",
    "kt": "kotlin",
}  # fmt: skip
# Each is looked for in code that nobody has read yet: none may take more than a pass through it.
SIGNS = tuple(
    (language, re.compile(pattern, re.MULTILINE))
    for language, pattern in (
        ("go", r"^package \w+|\bfunc (?:\(\w+ \*?\w+\) )?\w+\("),
        ("rust", r"\bfn \w+(?:<[^>\n]{0,80}>)?\(|\blet mut \w+"),
        ("php", r"<\?php"),
        ("csharp", r"^[ \t]*+using System|\bnamespace \w[\w.]*+\s*+[{;]"),
        ("java", r"\bpublic (?:static |final ){0,4}(?:class|void|int|String)\b"),
        ("kotlin", r"\bfun \w++\([^)\n]{0,300}+\)[^{=\n]{0,200}+[{=]"),
        ("swift", r"\bfunc \w++\([^{\n]{0,300}+\{"),
        ("cpp", r"#include\s*+<(?:iostream|vector|string|memory)>|\bstd::"),
        ("c", r"#include\s*+[<\"]\w+\.h[>\"]"),
        (
            "typescript",
            r"^[ \t]*+(?:export )?(?:interface|type|enum) \w+|[\w)]\s*+:\s*+(?:string|number)\b",
        ),
        ("javascript", r"\b(?:const|let|var|function)\s++[\w$]|=>|==="),
        ("ruby", r"^[ \t]*+def \w++[?!]?.*+\n(?:.*+\n){0,200}?[ \t]*+end\b"),
        (
            "lua",
            r"\blocal function \w|"
            r"\bfunction \w++\([^)\n]{0,200}+\).*+\n(?:.*+\n){0,200}?[ \t]*+end\b",
        ),
    )
)


def language_of(code: str, named: str | None) -> tuple[str, str]:
    """Return the name of the language and its file ending."""
    if named is not None:
        wanted = named.strip().casefold()
        language = ALIASES.get(wanted, wanted)
        if language not in SUFFIXES:
            known = ", ".join(SUFFIXES)
            raise invalid("/language", f"{wanted[:40]!r} cannot be measured; use one of {known}.")
        return language, SUFFIXES[language]
    try:
        parse_python(code)
    except ToolError:
        head = code[:20_000]
        for language, pattern in SIGNS:
            if pattern.search(head):
                return language, SUFFIXES[language]
    return "python", "py"
