"""iCalendar import: the events of a file by UID, and a report that names the broken ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.workspace.calendar.ics_text import EventBlock, IcsProblem, split_components
from antiphon.workspace.calendar.series import Series, build_series
from antiphon.workspace.calendar.times import zone_named


@dataclass(slots=True)
class IcsImportReport:
    """The result of an import. `skipped` are events with a problem, left out on request.

    `others` counts entries that are no events (tasks, journals), which a calendar does not hold.
    """

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: list[IcsProblem] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            **asdict(self),
            "skipped": [problem.to_dict() for problem in self.skipped],
        }


class IcsImportError(ToolError):
    """An import that was refused as a whole; `problems` names each thing that is wrong."""

    def __init__(self, problems: Sequence[IcsProblem]) -> None:
        self.problems = list(problems)
        shown = "; ".join(str(problem) for problem in self.problems[:5])
        more = f"; and {len(self.problems) - 5} more" if len(self.problems) > 5 else ""
        super().__init__(
            ErrorType.VALIDATION,
            f"Nothing was imported: {shown}{more}. Correct the file, or ask for the broken events "
            "to be skipped.",
            events=[problem.to_dict() for problem in self.problems],
        )


def parse_ics(data: bytes) -> tuple[list[Series], str, IcsImportReport]:
    """The events of a file, the zone that its times without one are meant in (empty: it does not
    say), and a report that names the broken ones."""
    file = split_components(data)
    report = IcsImportReport(skipped=list(file.problems), others=dict(file.others))
    groups: dict[str, list[EventBlock]] = {}
    for block in file.events:
        # Without a UID the same text is the same event, so that importing twice adds it once.
        written = hashlib.sha256(block.text.encode()).hexdigest()[:40]
        groups.setdefault(block.value("UID").strip() or f"{written}@antiphon", []).append(block)
    zone = ""
    if file.zone:
        try:
            zone = getattr(zone_named(file.zone), "key", "UTC")
        except ToolError:
            zone = ""  # a name of another program's; the calendar's own zone is meant
    found: list[Series] = []
    for uid, blocks in groups.items():
        distinct = list({block.text: block for block in blocks}.values())
        twice = [block for block in distinct if not block.value("RECURRENCE-ID")][1:]
        problems = [
            IcsProblem(b.line, uid, b.title, "UID", "another event of the file has the same one")
            for b in twice
        ]
        if not problems:
            series, problems = build_series(uid, distinct, file.zones)
            if series is not None:
                found.append(series)
        report.skipped += problems
    report.skipped.sort(key=lambda problem: problem.line)
    return found, zone, report
