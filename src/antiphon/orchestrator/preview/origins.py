"""Origins of values: what the person said, results had, the schema gave or the model chose.

Pure, and no more than a hint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from antiphon.contracts.person_messages import ValueOrigin
from antiphon.orchestrator.preview.sanitize import clean
from antiphon.text.calendar_names import MONTHS, WEEKDAYS

MAX_QUOTE = 60
MAX_WORDS = 20_000  # characters of one utterance or text that are looked through
MAX_NODES = 5000  # of all results together
_SMALL = 10  # a number below it is in every result by chance
_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve"),
)
_NAMES = ("title", "name", "label", "subject", "id")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d.*)?", re.A)
_RANK = ("model", "default", "result", "said")  # from the weakest claim to the strongest


@dataclass(frozen=True, slots=True)
class EarlierResult:
    """The data of an earlier call that the model has seen."""

    tool: str
    data: Any


def find_origins(
    args: Mapping[str, Any],
    given: Mapping[str, Any],
    said: Sequence[str],
    results: Sequence[EarlierResult],
    zone: tzinfo,
    *,
    by_model: bool = True,
) -> dict[str, ValueOrigin]:
    """The origin of each argument by its name, `parent.child` for members of an object. `given` are
    the arguments before defaults; `said` and `results` are oldest first. What nothing explains was
    chosen by the model, unless the call is not the model's."""
    search = _Search(said, results, zone)
    found: dict[str, ValueOrigin] = {}
    for name, value in args.items():
        own = given.get(name) if name in given else None
        members = value if isinstance(value, dict) and value else None
        pairs = (
            [(name, value)] if members is None else [(f"{name}.{k}", v) for k, v in value.items()]
        )
        for path, each in pairs:
            if each is None or each == "" or each == []:
                continue
            key = path.partition(".")[2]
            missing = name not in given or (isinstance(own, dict) and key not in own)
            origin = ValueOrigin(kind="default", text="") if missing else search.trace(each)
            if origin["kind"] != "model" or by_model:
                found[path] = origin
    for name, origin in found.items():
        if origin["kind"] == "model" and (length := search.trace_length(args, name)) is not None:
            found[name] = length
    return found


class _Search:
    def __init__(self, said: Sequence[str], results: Sequence[EarlierResult], zone: tzinfo) -> None:
        self._said = [text[-MAX_WORDS:] for text in reversed(said)]
        self._results = list(reversed(results))
        self._zone = zone

    def trace(self, value: Any) -> ValueOrigin:
        """The origin of one value. A list is as sure as its least sure item."""
        if isinstance(value, list) and value:
            each = [self.trace(item) for item in value[:50]]
            return min(each, key=lambda origin: _RANK.index(origin["kind"]))
        if isinstance(value, bool | dict) or value is None:
            return ValueOrigin(kind="model", text="")
        for pattern in _spoken_forms(value, self._zone):
            for text in self._said:
                if match := pattern.search(text):
                    return ValueOrigin(kind="said", text=clean(match[0].strip(), MAX_QUOTE))
        for text in self._said:
            if _has_all_words(value, text):
                return ValueOrigin(kind="said", text=clean(text, MAX_QUOTE))
        left = MAX_NODES
        for result in self._results:
            for name, leaf in _leaves(result.data):
                left -= 1
                if left < 0:
                    break
                if _is_same(value, leaf):
                    words = f"{result.tool}: {name}" if name else result.tool
                    return ValueOrigin(kind="result", text=clean(words, MAX_QUOTE + 30))
        return ValueOrigin(kind="model", text="")

    def trace_length(self, args: Mapping[str, Any], name: str) -> ValueOrigin | None:
        """The origin of a time of which the person said how long after another it is."""
        end = _moment(args.get(name))
        starts = [] if end is None else [_moment(each) for each in args.values()]
        for start in starts:
            if start is None or end is None or (start.tzinfo is None) != (end.tzinfo is None):
                continue
            minutes = round((end - start).total_seconds() / 60)
            for pattern in length_forms(minutes) if minutes > 0 else ():
                for text in self._said:
                    if match := pattern.search(text):
                        return ValueOrigin(kind="said", text=clean(match[0].strip(), MAX_QUOTE))
        return None


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str) or len(value) <= 10 or not _MOMENT.fullmatch(value):
        return None
    try:
        return datetime.fromisoformat(value.upper().replace(" ", "T"))
    except ValueError:
        return None


def length_forms(minutes: int) -> Iterator[re.Pattern[str]]:
    """The forms in which a person may have said how long something takes."""
    yield re.compile(rf"(?<![\w.,:]){minutes}[ -]?min(?:ute)?s?\b", re.IGNORECASE)
    if minutes == 30:
        yield _whole("half an hour")
    if minutes % 60:
        return
    hours = minutes // 60
    said = {str(hours), _NUMBERS[hours] if hours < len(_NUMBERS) else str(hours)}
    said |= {"an", "a full"} if hours == 1 else set()
    many = "|".join(sorted(said))
    yield re.compile(rf"(?<![\w.,:])(?:{many})[ -]?(?:hours?|h)\b", re.IGNORECASE)


def _whole(text: str) -> re.Pattern[str]:
    spaced = r"\s+".join(re.escape(part) for part in text.split())
    return re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)


def _spoken_forms(value: Any, zone: tzinfo) -> Iterator[re.Pattern[str]]:
    """The forms in which a person may have said a value."""
    if isinstance(value, int | float):
        plain = f"{value:g}" if isinstance(value, float) else str(value)
        yield re.compile(rf"(?<![\w.,:]){re.escape(plain)}(?![\w:]|[.,]\d)")
        if value in range(len(_NUMBERS)):
            yield _whole(_NUMBERS[int(value)])
        return
    text = str(value).strip()
    if not text or len(text) > MAX_WORDS:
        return
    yield _whole(text)
    if _MOMENT.fullmatch(text):
        try:
            moment = datetime.fromisoformat(text.upper().replace(" ", "T"))
        except ValueError:
            return
        if moment.tzinfo is not None:
            moment = moment.astimezone(zone)
        yield from clock_forms(moment) if len(text) > 10 else _day_forms(moment)


def clock_forms(moment: datetime) -> Iterator[re.Pattern[str]]:
    hour, minute = moment.hour, moment.minute
    yield re.compile(rf"(?<![\d:.])0?{hour}[:.h]{minute:02}(?!\d)(?!\s*[ap]\.?m)", re.IGNORECASE)
    half, twelve = ("p" if hour >= 12 else "a"), hour % 12 or 12
    tail = r"" if minute == 0 else rf"[:.]{minute:02}"
    yield re.compile(
        rf"(?<![\d:.])(?:{twelve}|{_NUMBERS[twelve]}){tail}(?:[:.]00)?\s*{half}\.?\s?m\b\.?",
        re.IGNORECASE,
    )
    if minute == 0:
        yield from (_whole(word) for word, at in (("noon", 12), ("midnight", 0)) if hour == at)
        either = rf"(?:{twelve}|{hour}|{_NUMBERS[twelve]})"
        yield re.compile(rf"(?<!\w){either}\s+o.?clock", re.IGNORECASE)
        before = r"(?:at|from|to|until|till|and|-|\u2013)"
        yield re.compile(rf"(?<!\w){before}\s*{either}(?![\w:.]|\s*[ap]\.?\s?m\b)", re.IGNORECASE)


def _day_forms(moment: datetime) -> Iterator[re.Pattern[str]]:
    day, month = moment.day, MONTHS[moment.month - 1]
    yield re.compile(rf"(?<!\d){day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{month}", re.IGNORECASE)
    yield re.compile(rf"{month}\s+{day}(?!\d)", re.IGNORECASE)
    yield _whole(WEEKDAYS[moment.weekday()])


def _has_all_words(value: Any, text: str) -> bool:
    """Whether all of several words were said in one utterance, in whatever order."""
    if not isinstance(value, str) or len(value) > 500:
        return False
    words = {word.casefold() for word in re.findall(r"\w{2,}", value)}
    return len(words) > 1 and words <= {word.casefold() for word in re.findall(r"\w{2,}", text)}


def _leaves(node: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value below a node, with the name of the object that it belongs to."""
    if depth > 12:
        return
    if isinstance(node, dict):
        name = _name_of(node) or name
        for value in node.values():
            yield from _leaves(value, name, depth + 1)
    elif isinstance(node, list):
        for item in node:
            yield from _leaves(item, name, depth + 1)
    else:
        yield name, node


def _name_of(node: Mapping[str, Any]) -> str:
    for key in _NAMES:
        name = node.get(key)
        if isinstance(name, str) and name.strip():
            kind = node.get("type")
            return f"{kind} {name}" if isinstance(kind, str) and kind else name
    return ""


def _is_same(value: Any, leaf: Any) -> bool:
    if isinstance(leaf, bool) or leaf is None:
        return False
    if isinstance(value, int | float):
        return isinstance(leaf, int | float) and abs(value) >= _SMALL and leaf == value
    if not isinstance(leaf, str) or len(str(value)) < 3:
        return False
    return leaf.casefold() == str(value).casefold() or (
        len(leaf) <= MAX_WORDS and bool(_whole(str(value)).search(leaf))
    )
