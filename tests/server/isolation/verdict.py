"""What gives away that something is there: secret words, ids, and answers that differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from tests.server.isolation.attempts import MAKES, Attempt, rank
from tests.server.isolation.exchange import Answer, Request
from tests.server.isolation.world import Things

from antiphon.server.security import EVERY_ANSWER

_WORD = re.compile(rb"zq[bcdfghjklmnprstvw]{12}")
# Made anew for each answer: ids, times, and what is counted or measured.
_MADE = re.compile(
    r"""
    \d{4}-\d\d-\d\d[T\ ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?
    | v\d\.\d+\.[\w-]+\.[\w-]+
    | \b\d+\.\d+(e-?\d+)?\b
    | \b[0-9a-f]{8,}\b
    | \bt[0-9a-f]{16}\b
    | anti_\w[\w-]+
    | "(secret|url|token|session_token|share|version|display_name)":"[^"]*"
    | \b\d{9,}\b
    | "(updated_at|created_at|started_at|finished_at|next_at|at|duration)":-?[\d.]+
    | "(seq|visit_id|error_id)":\d+
    | "(hash|prev)":"[^"]*"
    """,
    re.VERBOSE,
)
# What one has oneself, listed by how much it is like what was asked for.
_HINTS = re.compile(
    r"""Did\ you\ mean\ [^"]*\?  | There\ are:?\ [^"]*?\.(?=["\ ])  | None\ is\ saved\ yet\.
    | There\ is\ (none|none\ yet|only\ [^"]*?)\.
    | "nearest":\[[^\]]*\] | "(overlaps|warnings)":\[[^\]]*\]""",
    re.VERBOSE,
)
SHORTENED = 20
_PASSING = {"date", "content-length", *(name.decode() for name, _ in EVERY_ANSWER)}


class Verdict:
    """Judges the answers of one person who should see nothing of the things."""

    def __init__(
        self, things: Things, who: str, stored: set[bytes], shown: Iterable[str] = ()
    ) -> None:
        """`shown` are the words and ids that they may see, `stored` those that people of their
        organisation have stored themselves."""
        self.who = who
        self.tries = self.throttled = 0
        self.statuses: Counter[int] = Counter()
        self.leaks: list[str] = []
        self._shown = {each.encode() for each in shown}
        self._ids = [
            thing.encode()
            for each in things.ids.values()
            for thing in each
            if not thing.isdigit() and thing.encode() not in self._shown
        ]
        self.stored = stored

    def judge(self, attempt: Attempt, answer: Answer, asked: Request, control: Answer) -> None:
        """Note what the answer of an attempt gives away; `control` answers `asked`, which has ids
        that nobody has."""
        if rank(*attempt.operation) >= MAKES:
            self.stored |= {each.encode() for each in attempt.request.sent}
        where = " ".join((*attempt.operation, attempt.place))
        self.compare(where, attempt.request, answer, asked, control, exactly=attempt.exactly)

    def compare(
        self,
        where: str,
        request: Request,
        answer: Answer,
        asked: Request,
        control: Answer,
        *,
        exactly: bool = True,
    ) -> None:
        """Note what an answer gives away by itself, or by being another one than the control."""
        self.look(where, request, answer)
        if 429 in (answer.status, control.status):
            self.throttled += 1
            return
        mine, other = plain(answer, request), plain(control, asked)
        if answer.status != control.status or (exactly and mine != other):
            self.leaks.append(
                f"{self.who}: {where}: an id of others is answered unlike one of nobody\n"
                f"  {request.path} {request.body!r}\n  {mine[:2000]}\n"
                f"  {asked.path} {asked.body!r}\n  {other[:2000]}"
            )
        if answer.status >= 500:
            self.leaks.append(f"{self.who}: {where}: {answer.status} {answer.body!r}")

    def look(self, where: str, request: Request, answer: Answer) -> None:
        """Note what an answer gives away by itself."""
        self.tries += 1
        self.statuses[answer.status] += 1
        self.note_secrets(where, request, answer)

    def note_secrets(self, where: str, request: Request, answer: Answer) -> None:
        """Note secret words and ids in an answer that the request did not have."""
        head = "\n".join(f"{name}: {value}" for name, value in answer.headers).encode()
        for text in (head, answer.body):
            if not (found := self.secrets_in(text) - self.stored):
                continue
            left = without(text.decode("utf-8", "replace"), request.sent, "").encode()
            if found := self.secrets_in(left) - self.stored:
                self.leaks.append(f"{self.who}: {where} gives away {found} in {text[:3000]!r}")

    def secrets_in(self, text: bytes) -> set[bytes]:
        """The words and ids of others in a text."""
        found = set(_WORD.findall(text)) - self._shown
        return found | {thing for thing in self._ids if thing in text}


def plain(answer: Answer, request: Request) -> str:
    """An answer without what was sent, and without what is made anew each time."""
    head = [f"{name}: {value}" for name, value in answer.headers if name not in _PASSING]
    text = f"{answer.status}\n" + "\n".join(head) + "\n" + answer.body.decode("utf-8", "replace")
    return _HINTS.sub("HINT", _MADE.sub("MADE", without(text, request.sent, "SENT")))


def without(text: str, sent: Iterable[str], mark: str) -> str:
    """A text without what was sent, also where it is cut short or in small letters."""
    for each in sorted(sent, key=len, reverse=True):
        for form in {each, each.lower()}:
            text = re.sub(rf"(?<![0-9A-Za-z]){re.escape(form)}(?![0-9A-Za-z])", mark, text)
            if len(form) > SHORTENED and form[:SHORTENED] in text:
                text = re.sub(
                    rf"{re.escape(form[:SHORTENED])}[\w-]*(\.[\w-]+)*(\\\\u2026|\\u2026|…)?",
                    mark,
                    text,
                )
    return text
