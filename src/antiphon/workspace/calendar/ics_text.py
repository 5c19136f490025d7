"""iCalendar text split into its components as written, so that nothing of an event gets lost."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from antiphon.contracts import ErrorType, ToolError

MAX_BYTES = 10 * 1024 * 1024
MAX_EVENTS = 20_000

_HEAD = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Antiphon//Calendar//EN\r\nCALSCALE:GREGORIAN\r\n"
)
_TAIL = "END:VCALENDAR\r\n"
_UNFOLD = re.compile(r"\r\n[ \t]")
_TZID_PARAMETER = re.compile(r';TZID=(?:"([^"]*)"|([^;:,]*))', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class IcsProblem:
    """A problem of one event in a file: line, UID, title, property and message."""

    line: int
    uid: str
    title: str
    property: str
    message: str

    def __str__(self) -> str:
        name = f"{self.title[:80]!r}" if self.title else (self.uid or "without a title")
        return f"line {self.line}: the event {name}: {self.property}: {self.message}"

    def to_dict(self) -> dict[str, object]:
        return {
            "line": self.line,
            "uid": self.uid,
            "title": self.title,
            "property": self.property,
            "problem": self.message,
        }


@dataclass(frozen=True, slots=True)
class EventBlock:
    """The text of one VEVENT as it is written, from BEGIN to END, and its line in the file."""

    line: int
    text: str

    def value(self, name: str) -> str:
        """The raw value of the first property of that name; empty without one."""
        depth = 0
        for line in unfold_lines(self.text):
            upper = line.upper()
            depth += upper.startswith("BEGIN:") - upper.startswith("END:")
            if depth == 1 and re.match(rf"{name}[;:]", upper):
                return _after_colon(line)
        return ""

    @property
    def title(self) -> str:
        return unescape_text(self.value("SUMMARY"))[:200]


@dataclass(slots=True)
class IcsFile:
    """The components of a file. `zones` are VTIMEZONEs by name; `others` counts all other kinds."""

    events: list[EventBlock] = field(default_factory=list)
    zones: dict[str, str] = field(default_factory=dict)
    others: Counter[str] = field(default_factory=Counter)
    zone: str = ""  # X-WR-TIMEZONE: where times without a zone are meant
    problems: list[IcsProblem] = field(default_factory=list)


def split_components(data: bytes) -> IcsFile:
    """Split a file into its components. Raises ToolError VALIDATION when it is no calendar at all.

    An event that does not end is a problem of that event.
    """
    file = IcsFile()
    stack: list[str] = []
    begun = 0
    kept: list[str] = []
    calendars = 0
    for number, line in _lines(data):
        upper = line.strip().upper()
        if upper.startswith("BEGIN:"):
            name = upper[6:]
            if not stack and name != "VCALENDAR":
                raise _no_calendar(f"line {number} begins {name} outside of a calendar")
            if stack and name in ("VCALENDAR", "VEVENT", "VTIMEZONE") and len(stack) > 1:
                _unended(file, begun, kept, f"does not end before {name} begins on line {number}")
                del stack[0 if name == "VCALENDAR" else 1 :]
            calendars += name == "VCALENDAR"
            stack.append(name)
            if len(stack) == 2:
                begun, kept = number, []
        elif not stack:
            if upper:
                raise _no_calendar(f"line {number} stands outside of a calendar")
            continue
        if len(stack) == 1 and upper.startswith(("X-WR-TIMEZONE:", "X-WR-TIMEZONE;")):
            file.zone = _after_colon(line).strip()
        if len(stack) > 1:
            kept.append(line)
        if upper.startswith("END:"):
            name = upper[4:]
            if name != stack[-1]:
                _unended(file, begun, kept, f"line {number} ends {name}, but {stack[-1]} is open")
                if name not in stack:
                    continue
                del stack[stack.index(name) + 1 :]
                kept = []
            stack.pop()
            if len(stack) == 1 and kept:
                _keep(file, name, EventBlock(begun, "".join(f"{each}\r\n" for each in kept)))
                kept = []
    if not calendars:
        raise _no_calendar("there is no BEGIN:VCALENDAR in it")
    if stack:
        _unended(file, begun, kept, "the file ends in the middle of it")
    if len(file.events) > MAX_EVENTS:
        raise ToolError(
            ErrorType.VALIDATION,
            f"The file has {len(file.events):,} events; at most {MAX_EVENTS:,} at a time. Cut it "
            "into several files.",
        )
    return file


def _lines(data: bytes) -> list[tuple[int, str]]:
    if len(data) > MAX_BYTES:
        raise ToolError(
            ErrorType.VALIDATION,
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,}. Cut it into several files.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _no_calendar(f"line {line} is not UTF-8; save the file as UTF-8") from None
    if "\0" in text:
        raise _no_calendar("it is binary")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return list(enumerate(lines, 1))


def _keep(file: IcsFile, name: str, block: EventBlock) -> None:
    if name == "VEVENT":
        file.events.append(block)
    elif name == "VTIMEZONE":
        file.zones.setdefault(block.value("TZID"), block.text)
    else:
        file.others[name] += 1


def _unended(file: IcsFile, line: int, kept: list[str], message: str) -> None:
    """Record a component that does not end, under the name by which people know it."""
    block = EventBlock(line, "".join(f"{each}\r\n" for each in kept))
    what = kept[0].strip().upper().removeprefix("BEGIN:") if kept else "VCALENDAR"
    file.problems.append(IcsProblem(line, block.value("UID"), block.title, what, message))


def _no_calendar(why: str) -> ToolError:
    return ToolError(ErrorType.VALIDATION, f"This is no iCalendar (.ics) file: {why}.")


# -- writing -----------------------------------------------------------------------------------


def wrap_calendar(events: str, zones: str = "", name: str = "") -> str:
    """A whole VCALENDAR around events and zones."""
    title = f"X-WR-CALNAME:{escape_text(name)}\r\n" if name else ""
    return f"{_HEAD}{title}{zones}{events}{_TAIL}"


def referenced_zones(text: str) -> list[str]:
    """The names of zones in TZID parameters, each once."""
    found = (match[1] or match[2] or "" for match in _TZID_PARAMETER.finditer(_joined(text)))
    return list(dict.fromkeys(name for name in found if name))


def is_iana_zone(zone: str) -> bool:
    """Whether a zone has a name of the IANA database."""
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return False
    return True


def rename_zone(text: str, zone: str, other: str) -> str:
    """The text with a zone renamed in its VTIMEZONE and in every TZID parameter."""
    text = re.sub(rf'TZID="?{re.escape(zone)}"?(?=[:;,])', lambda _: f"TZID={other}", text)
    return text.replace(f"TZID:{zone}\r\n", f"TZID:{other}\r\n")


def unfold_lines(text: str) -> list[str]:
    """The content lines of a text, unfolded."""
    return _joined(text).split("\r\n")


def _joined(text: str) -> str:
    return _UNFOLD.sub("", text)


def _after_colon(line: str) -> str:
    """The value of a content line: the text after the first colon outside of quotes."""
    quoted = False
    for place, sign in enumerate(line):
        quoted ^= sign == '"'
        if sign == ":" and not quoted:
            return line[place + 1 :]
    return ""


def escape_text(text: str) -> str:
    """A TEXT value with its special characters escaped."""
    safe = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return safe.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n")


def unescape_text(text: str) -> str:
    """A TEXT value without its escapes."""
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] in "nN" else m[1], text)
