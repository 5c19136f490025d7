"""Lint findings: one for each defect of a tool, with its place and what to do about it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One defect of a tool. `file` is relative to the tool folder's parent; `pointer` is a JSON
    pointer, or empty."""

    severity: Severity
    rule: str
    file: str
    pointer: str
    message: str
    fix: str

    def to_dict(self) -> dict[str, str]:
        return {
            "severity": self.severity,
            "rule": self.rule,
            "file": self.file,
            "pointer": self.pointer,
            "message": self.message,
            "fix": self.fix,
        }


@dataclass(slots=True)
class FindingList:
    """The findings of one file while rules run over it."""

    file: str
    found: list[LintFinding] = field(default_factory=list)

    def error(self, rule: str, pointer: str, message: str, fix: str) -> None:
        """Add an error."""
        self.found.append(LintFinding("error", rule, self.file, pointer, message, fix))

    def warning(self, rule: str, pointer: str, message: str, fix: str) -> None:
        """Add a warning."""
        self.found.append(LintFinding("warning", rule, self.file, pointer, message, fix))

    @property
    def has_errors(self) -> bool:
        return has_errors(self.found)


def has_errors(findings: Iterable[LintFinding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def in_reading_order(findings: Iterable[LintFinding]) -> list[LintFinding]:
    """Sort findings by file and line, errors before warnings, then by place: the same input gives
    the same list."""

    def place(finding: LintFinding) -> tuple[object, ...]:
        file, _, line = finding.file.rpartition(":")
        whole = (file, int(line)) if line.isdecimal() else (finding.file, 0)
        return (*whole, finding.severity, finding.pointer, finding.rule, finding.message)

    return sorted(findings, key=place)


def finding_line(finding: LintFinding) -> str:
    """Return a finding on one line, nothing wrapped and nothing cut."""
    at = f" {finding.pointer}" if finding.pointer else ""
    line = f"{finding.severity}: {finding.file}{at}: {finding.message}. {finding.fix}"
    return f"{plain(line)} [{finding.rule}]"


def finding_lines(findings: Iterable[LintFinding]) -> str:
    """Return the errors among findings, a line each."""
    errors = (finding for finding in in_reading_order(findings) if finding.severity == "error")
    return "\n".join(f"  {finding_line(finding)}" for finding in errors)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was most likely meant, or None when nothing is close."""
    # The cut-off is low enough for case and underscore slips such as `tool_id` for `toolId`.
    by_folded = {_folded(candidate): candidate for candidate in known}
    matches = difflib.get_close_matches(_folded(name[:100]), by_folded, n=1, cutoff=0.7)
    return by_folded[matches[0]] if matches else None


def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def pointer_to(*parts: str | int) -> str:
    """Return the JSON pointer (RFC 6901) to the member reached by `parts`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def shown(value: object, limit: int = 60) -> str:
    """Return a value as it may appear in a message: one line, bounded, printable."""
    # Slicing first keeps a megabyte string from being escaped only to be thrown away.
    text = repr(value[: limit + 1] if isinstance(value, str | bytes) else value)
    return text if len(text) <= limit else text[:limit] + "…"


def plain(text: str) -> str:
    """Return text from outside with control characters and unencodable bytes made visible."""
    readable = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if readable.isprintable():
        return readable
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in readable
    )
