"""Changelog from conventional commit messages, with the next semantic version."""

from __future__ import annotations

import re
from typing import Any

from antiphon import ErrorType, ToolError, ok

CONVENTIONAL = re.compile(
    r"(?P<type>[a-zA-Z]{2,20})(?:\((?P<scope>[^()]{1,60})\))?(?P<mark>!?):\s+(?P<text>.+)"
)
HASH = re.compile(r"^(?:[*-]\s+)?(?:[0-9a-f]{7,40}\s+)?")
MERGE = re.compile(r"(?i)merge (?:branch|pull request|remote)|^wip\b|^fixup!|^squash!")
SECTIONS = {
    "feat": "Features", "feature": "Features", "fix": "Fixes", "bugfix": "Fixes",
    "perf": "Performance", "docs": "Documentation", "doc": "Documentation",
    "refactor": "Changes", "change": "Changes", "revert": "Reverted", "security": "Security",
    "deprecate": "Deprecated", "remove": "Removed",
}  # fmt: skip
WORDS = (
    ("Features", r"add|introduc|implement|support|allow|creat"),
    ("Fixes", r"fix|correct|repair|resolv"),
    ("Removed", r"remov|delet|drop"), ("Documentation", r"document|readme"),
    ("Performance", r"speed|faster|optimi[sz]"),
)  # fmt: skip
ORDER = (
    "Breaking changes", "Security", "Features", "Changes", "Fixes", "Performance", "Deprecated",
    "Removed", "Documentation", "Reverted",
)  # fmt: skip
QUIET = {"chore", "ci", "build", "test", "tests", "style"}
VERSION = re.compile(r"v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?")


def execute(args: dict[str, Any], context: Any) -> Any:
    sections: dict[str, list[str]] = {}
    breaking: list[str] = []
    skipped = 0
    seen: set[str] = set()
    for line in args["commits"].splitlines():
        text = HASH.sub("", line.strip(), count=1)[:500]
        if not text:
            continue
        section, entry, breaks = classify_commit(text)
        if entry in seen or (section is None and not breaks):
            skipped += 1
            continue
        seen.add(entry)
        if breaks:
            breaking.append(entry)
            section = "Breaking changes"
        sections.setdefault(section or "Changes", []).append(entry)
    bump = step(sections)
    body: dict[str, Any] = {
        "bump": bump,
        "counts": {name: len(sections[name]) for name in ORDER if name in sections},
        "breaking": breaking,
        "skipped": skipped,
    }
    title = "Unreleased"
    if "version" in args:
        body["next_version"] = title = next_version(args["version"], bump)
    body["markdown"] = markdown(title, args.get("date"), sections)
    return ok(body)


def classify_commit(text: str) -> tuple[str | None, str, bool]:
    """Return a commit's section (None: left out), its entry, and whether it breaks callers."""
    if MERGE.search(text):
        return None, text, False
    found = CONVENTIONAL.fullmatch(text)
    breaks = "BREAKING CHANGE" in text
    if found and (found["type"].lower() in SECTIONS or found["type"].lower() in QUIET):
        said = found["text"].strip()
        entry = f"**{found['scope']}:** {said}" if found["scope"] else said
        return SECTIONS.get(found["type"].lower()), entry, breaks or bool(found["mark"])
    first = text.split()[0].lower()
    section = next((name for name, words in WORDS if re.match(words, first)), "Changes")
    return section, text, breaks


def step(sections: dict[str, list[str]]) -> str:
    if "Breaking changes" in sections:
        return "major"
    if sections.keys() & {"Features", "Deprecated", "Removed"}:
        return "minor"
    return "patch" if sections else "none"


def next_version(version: str, bump: str) -> str:
    found = VERSION.fullmatch(version.strip())
    if not found:
        message = f"/version: {version.strip()[:40]!r} is no version; write it like 1.4.2."
        raise ToolError(ErrorType.VALIDATION, message, pointer="/version")
    major, minor, patch = map(int, found.groups())
    # Before 1.0 nothing is promised yet: what breaks raises the minor number.
    if bump == "major" and major == 0:
        bump = "minor"
    return {
        "major": f"{major + 1}.0.0",
        "minor": f"{major}.{minor + 1}.0",
        "patch": f"{major}.{minor}.{patch + 1}",
        "none": f"{major}.{minor}.{patch}",
    }[bump]


def markdown(title: str, date: str | None, sections: dict[str, list[str]]) -> str:
    parts = [f"## {title} ({date})" if date else f"## {title}"]
    for name in ORDER:
        if name in sections:
            parts.append(f"### {name}")
            parts.append("\n".join(f"- {entry}" for entry in sections[name]))
    if len(parts) == 1:
        parts.append("Nothing that users would notice.")
    return "\n\n".join(parts) + "\n"
