"""Session timeline over HTTP: turns, calls with their gates, and waits."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from antiphon.agents.notes import is_note
from antiphon.agents.turn_metrics import TURN_COMPLETED
from antiphon.contracts.events import AnswersTurn, ModelTurn, UserTurn, turn_from_dict
from antiphon.server.dependencies import HttpSessionsDep, OrchestratorDep
from antiphon.server.problems import ProblemError, documented
from antiphon.server.routes.images import ImageShown, image_shown
from antiphon.server.routes.rules import Passage, passages
from antiphon.server.routes.sessions import SessionId
from antiphon.storage import SessionRow, Store, TurnRow

router = APIRouter(prefix="/api/sessions", tags=["sessions"])

LINES = 500
MAX_LINES = 1000
MAX_WORDS = 1000  # no conversation gives a model more
MAX_ANSWER_CHARS = 16_000
CALLS = frozenset(
    {"tool_decision", "tool_execution", "tool_replayed", "tool_detached", "tool_reconciled"}
)


class Said(BaseModel):
    kind: Literal["said"] = "said"
    at: float
    role: Literal["user", "assistant", "system"] = Field(
        description="`system`: a note to the model, such as what came of a call meanwhile."
    )
    channel: Literal["text", "voice"] = Field(
        description="`text` too for what was typed in a session by voice."
    )
    text: str = Field(description="All that was written, whatever was heard of it.")
    heard: int | None = Field(
        default=None,
        description="How many characters of it were heard where the speech was stopped; null: all.",
    )
    interrupted: bool = Field(
        default=False, description="The person cut in before it was complete."
    )


class CallOriginsTold(BaseModel):
    """Where the values of a call came from, of one that text of others, or private data, might have
    led to. Places are JSON pointers into its arguments."""

    values: dict[str, Literal["said", "result", "untrusted", "default", "model"]]
    read: str | None = Field(default=None, description="The text of others that was read before.")
    planned: bool | None = Field(
        default=None, description="Whether the person's own request needed the tool."
    )
    new: list[str] = Field(default=[], description="Where nothing went before.")
    private: list[str] = Field(default=[], description="What had private data in it.")
    secret: list[str] = Field(default=[], description="What had a secret in it.")


class TimelineCall(BaseModel):
    """A call, as its line of audit has it, with the answer where the conversation kept it."""

    kind: Literal["call"] = "call"
    seq: int = Field(description="Its line of the audit.")
    at: float = Field(description="When it was decided on.")
    event: str
    tool: str
    tool_version: str | None
    call_id: str | None
    args: Any
    decision: str | None
    rule: str | None
    gates: list[Passage]
    ok: bool | None
    error_type: str | None
    duration: float | None = Field(description="Milliseconds.")
    source: str | None
    origins: CallOriginsTold | None = Field(
        default=None, description="Null where nothing was read that might have led to it."
    )
    replayed: bool
    detached: bool = Field(description="It was answered before it was done.")
    answer: dict[str, Any] | None = Field(description="The envelope; null when it was not kept.")
    answer_chars: int | None = Field(
        description="How long the envelope is. A long one is left out here."
    )


class Shown(ImageShown):
    """A picture that was shown to the person."""

    kind: Literal["image"] = "image"
    seq: int = Field(description="Its line of the audit.")
    at: float


class Noted(BaseModel):
    """Anything else that the audit has: the session began, a person answered, a line broke."""

    kind: Literal["note"] = "note"
    seq: int
    at: float
    event: str
    tool: str | None
    details: dict[str, Any]


Entry = Annotated[Said | TimelineCall | Shown | Noted, Field(discriminator="kind")]


class TokensTaken(BaseModel):
    input: int
    output: int
    cached: int


class TurnTaken(BaseModel):
    number: int
    started_at: float
    ended_at: float | None = Field(description="Null while it goes on, or where nobody said so.")
    finish: str | None = Field(examples=["complete"])
    marks: dict[str, float] = Field(
        description="Milliseconds that somebody waited.",
        examples=[{"time_to_first_audio": 412.5, "turn_gap": 80.0}],
    )
    tokens: TokensTaken | None
    entries: list[Entry]


class Timeline(BaseModel):
    session_id: str
    conversation: str = Field(description="The first session of the whole conversation.")
    continued_from: str | None = Field(description="The session that this one goes on with.")
    turns: list[TurnTaken] = Field(description="Oldest first.")
    next_before: int | None = Field(
        description="Ask with this as `before` for what is older; null when there is nothing."
    )


@router.get(
    "/{session_id}/timeline",
    summary="A session turn by turn",
    responses=documented(404, 422, 503),
)
async def get_timeline(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    session_id: SessionId,
    limit: Annotated[
        int, Query(ge=1, le=MAX_LINES, description="At most so many lines of audit.")
    ] = LINES,
    before: Annotated[
        int | None, Query(ge=1, le=2**62, description="`next_before` of the page before.")
    ] = None,
) -> Timeline:
    store = orchestrator.store
    row = await store.session(session_id)
    if row is None or not await http_sessions.scope.includes(row.user, "others.read"):
        raise ProblemError(404, f"There is no session `{session_id}`.")
    await store.flush()
    lines = await store.audit_lines(
        session_id=session_id, before_seq=before, limit=limit + 1, newest_first=True
    )
    more = len(lines) > limit
    lines = lines[:limit][::-1]
    start = await _started(store, session_id)
    conversation = row.conversation_id or session_id
    words = _Words(
        await store.turns(conversation, limit=MAX_WORDS),
        row,
        since=lines[0].at if more else row.created_at,
        until=None if before is None else await _time_of(store, session_id, before),
        chain=await store.sessions_of(conversation),
    )
    session = orchestrator.sessions.get(session_id)
    number = session.view.turn.number if session else int(row.state.get("turn", 1))
    snapshot = session.snapshot if session else orchestrator.registry_snapshot()
    tools = snapshot.tools
    entries = _Turns(number if before is None else None)
    recorded = [line.data for line in lines]
    finished = {_once(data) for data in recorded if data["event"] == "tool_execution"}
    for data in recorded:
        if data["event"] == TURN_COMPLETED:
            entries.end(data)
        elif (image := image_shown(data)) is not None:
            entries.add(
                Shown(seq=data["seq"], at=data["at"], **image.model_dump()), data.get("turnId")
            )
        elif data["event"] not in CALLS:
            entries.add(_noted(data), data.get("turnId"))
        elif data["event"] != "tool_detached" or _once(data) not in finished:
            tool = tools.get(data.get("toolId") or "")
            gates = passages(data, tool.definition if tool else None, orchestrator.rules)
            detached = data["event"] == "tool_detached"
            answer = words.answer(data)
            entries.add(_call(data, gates, answer, detached=detached), data.get("turnId"))
    for said in words.said:
        entries.say(said)
    return Timeline(
        session_id=session_id,
        conversation=conversation,
        continued_from=start.get("continuedFrom"),
        turns=entries.turns(),
        next_before=lines[0].seq if more else None,
    )


async def _started(store: Store, session_id: str) -> dict[str, Any]:
    """The audit line of the session's start."""
    lines = await store.audit_lines(session_id=session_id, event="session_started", limit=1)
    return dict(lines[0].data["details"]) if lines else {}


async def _time_of(store: Store, session_id: str, seq: int) -> float | None:
    lines = await store.audit_lines(
        session_id=session_id, after_seq=seq - 1, before_seq=seq + 1, limit=1
    )
    return lines[0].at if lines else None


def _once(data: dict[str, Any]) -> tuple[Any, Any]:
    return data.get("idempotencyKey"), data.get("at")


def _noted(data: dict[str, Any]) -> Noted:
    return Noted(
        seq=data["seq"],
        at=data["at"],
        event=data["event"],
        tool=data.get("toolId"),
        details=data.get("details") or {},
    )


def _call(
    data: dict[str, Any], gates: list[Passage], answer: dict[str, Any] | None, *, detached: bool
) -> TimelineCall:
    chars = None if answer is None else len(orjson.dumps(answer))
    return TimelineCall(
        seq=data["seq"],
        at=data["at"],
        event=data["event"],
        tool=data.get("toolId") or "",
        tool_version=data.get("toolVersion"),
        call_id=data.get("callId") if isinstance(data.get("callId"), str) else None,
        args=data.get("args"),
        decision=data.get("decision"),
        rule=data.get("rule"),
        gates=gates,
        ok=data.get("ok"),
        error_type=data.get("errorType"),
        duration=data.get("duration"),
        source=data.get("source"),
        origins=data.get("origins"),
        replayed=data["event"] == "tool_replayed",
        detached=detached,
        answer=answer if chars is not None and chars <= MAX_ANSWER_CHARS else None,
        answer_chars=chars,
    )


class _Words:
    """Transcript of a time range: utterances, and the results of tools."""

    def __init__(
        self,
        rows: Iterable[TurnRow],
        row: SessionRow,
        *,
        since: float,
        until: float | None,
        chain: list[SessionRow],
    ) -> None:
        self.said: list[Said] = []
        self._answers: dict[tuple[Any, Any], deque[tuple[float, dict[str, Any]]]]
        self._answers = defaultdict(deque)
        alone = len(chain) == 1
        later = [each.created_at for each in chain if each.created_at > row.created_at]
        same = [each.created_at for each in chain if each.mode == row.mode]
        ends = [at for at in (until, row.ended_at if later else None) if at is not None]
        ends += [at for at in same if at > row.created_at]
        for each in rows:
            if each.at < since or any(each.at >= end for end in ends):
                continue
            if not alone and each.channel != row.mode:
                continue  # it was said in another session of the conversation
            self._take(each)

    def _take(self, row: TurnRow) -> None:
        channel: Any = row.channel
        match turn_from_dict(json.loads(row.turn)):
            case UserTurn(text, typed) if text.strip():
                role: Any = "system" if is_note(text) else "user"
                channel = "text" if typed else channel
                self.said.append(Said(at=row.at, role=role, channel=channel, text=text))
            case ModelTurn(text) as turn if text.strip():
                self.said.append(
                    Said(
                        at=row.at,
                        role="assistant",
                        channel="text" if turn.typed else channel,
                        text=text,
                        heard=turn.heard,
                        interrupted=turn.interrupted,
                    )
                )
            case AnswersTurn(answers):
                for answer in answers:
                    self._answers[answer.id, answer.name].append((row.at, answer.envelope))

    def answer(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a call, each given once: ids that were made up come again."""
        if data.get("source") in ("tool", "confirmation"):
            return None  # those have another call's id
        waiting = self._answers.get((data.get("callId"), data.get("toolId")))
        while waiting:
            at, envelope = waiting.popleft()
            if at >= data["at"]:
                return envelope
        return None


@dataclass(slots=True)
class _End:
    turn: int
    at: float
    details: dict[str, Any]


class _Turns:
    """Puts entries into turns: calls say theirs, words belong to the turn that ended next."""

    def __init__(self, under_way: int | None) -> None:
        self._under_way = under_way
        self._entries: dict[int, list[Said | TimelineCall | Shown | Noted]] = defaultdict(list)
        self._ends: list[_End] = []
        self._answered: set[int] = set()

    def add(self, entry: TimelineCall | Shown | Noted, turn: Any) -> None:
        self._entries[turn if isinstance(turn, int) else self._at(entry.at)].append(entry)

    def end(self, data: dict[str, Any]) -> None:
        self._ends.append(_End(data["turnId"], data["at"], data["details"]))

    def say(self, said: Said) -> None:
        """Append an utterance, in the order in which it was said."""
        turn = self._at(said.at)
        if said.role == "assistant":
            self._answered.add(turn)
        elif turn in self._answered and any(end.turn == turn for end in self._ends):
            turn += 1  # they cut in: with these words the next turn begins
        self._entries[turn].append(said)

    def _at(self, at: float) -> int:
        for end in self._ends:
            if end.at >= at:
                return end.turn
        if self._under_way is not None:
            return self._under_way
        return self._ends[-1].turn + 1 if self._ends else 1

    def turns(self) -> list[TurnTaken]:
        ends = {end.turn: end for end in self._ends}
        return [_turn(number, self._entries[number], ends.get(number)) for number in self._numbers]

    @property
    def _numbers(self) -> list[int]:
        return sorted(number for number, entries in self._entries.items() if entries)


def _turn(
    number: int, entries: list[Said | TimelineCall | Shown | Noted], end: _End | None
) -> TurnTaken:
    entries.sort(key=lambda entry: entry.at)
    details = end.details if end else {}
    tokens = details.get("tokens")
    return TurnTaken(
        number=number,
        started_at=entries[0].at,
        ended_at=end.at if end else None,
        finish=details.get("finish"),
        marks=details.get("marks") or {},
        tokens=TokensTaken(**tokens) if tokens and any(tokens.values()) else None,
        entries=entries,
    )
