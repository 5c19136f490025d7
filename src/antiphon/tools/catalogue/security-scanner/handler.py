"""Security scanner of source code, which is parsed and never run."""

from __future__ import annotations

from typing import Any

from antiphon import ok
from antiphon.toolkit.python_source import source_text

from .language import language_of
from .python_scan import scan_python
from .script_rules import scan_script

MOST = 100
RANKS = {"high": 0, "medium": 1, "low": 2}


def execute(args: dict[str, Any], context: Any) -> Any:
    code = source_text(args["code"])
    language = language_of(code, args.get("language"))
    suppressed = 0
    if language == "python":
        findings, suppressed = scan_python(code)
    else:
        findings = scan_script(code)
    findings.sort(key=lambda one: (RANKS[one["severity"]], one["line"], one["rule"]))
    counts = {rank: sum(one["severity"] == rank for one in findings) for rank in RANKS}
    return ok(
        {
            "language": language,
            "findings": findings[:MOST],
            "counts": counts,
            "suppressed": suppressed,
            "lines": sum(bool(line.strip()) for line in code.splitlines()),
            "truncated": len(findings) > MOST,
            "summary": summary(counts, language),
        }
    )


def summary(counts: dict[str, int], language: str) -> str:
    total = sum(counts.values())
    if not total:
        return f"No findings in this {language} code; rules see patterns, not everything."
    parts = ", ".join(f"{count} {rank}" for rank, count in counts.items())
    return f"{total} finding{'' if total == 1 else 's'}: {parts}."
