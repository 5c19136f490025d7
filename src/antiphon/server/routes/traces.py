"""Traces of turns over HTTP: spans of time, from the question to the last sound."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Header, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from antiphon.agents.notes import is_note
from antiphon.agents.turn_metrics import TURN_COMPLETED
from antiphon.server.dependencies import ApplicationDep, HttpSessionsDep, OrchestratorDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError, documented
from antiphon.server.recorded_sound import wav
from antiphon.server.routes.sessions import SessionId
from antiphon.server.routes.timeline import (
    MAX_LINES,
    Noted,
    Said,
    TimelineCall,
    TokensTaken,
    TurnTaken,
    get_timeline,
)
from antiphon.storage import AuditLine, Store

router = APIRouter(prefix="/api/traces", tags=["traces"])

PAGE = 200
MAX_SCANNED = 5000  # lines that one request looks through for slow turns
LATER_LINES = 200  # what came of a turn's calls may stand so many lines after its end
ABOUT_CHARS = 160
# What somebody waits for, the first one that there is.
_WAITS = ("time_to_first_audio", "time_to_first_text", "duration")


TurnNumber = Annotated[int, Path(ge=1, le=2**31)]


class TraceSummary(BaseModel):
    """Times are seconds of the epoch, durations milliseconds."""

    session_id: str
    turn: int
    user: str
    mode: str | None
    asked: str | None = Field(
        description="What the person said, cut short; null where the agent began.",
        examples=["Who runs the payroll?"],
    )
    started_at: float
    duration_ms: float = Field(description="From the person's first sound or message to the end.")
    wait_ms: float | None = Field(
        description="How long the person waited for the first sound or the first words."
    )
    finish: str | None = Field(examples=["complete"])
    calls: int
    tools_ms: float = Field(description="Time in tools; those that ran side by side count each.")
    marks: dict[str, float] = Field(examples=[{"time_to_first_audio": 412.5}])


class TracePage(BaseModel):
    traces: list[TraceSummary] = Field(description="Newest first.")
    next_before: int | None = Field(
        description="Ask with this as `before` for those that are older; null when there are none."
    )


class Span(BaseModel):
    kind: Literal["speech", "model", "tool", "approval", "sound"] = Field(
        description="`speech`: the person speaks. `model`: it was asked and answers. `approval`: a "
        "person was asked. `sound`: the answer is heard."
    )
    name: str = Field(description="The tool, for its calls and approvals.", examples=["kb_search"])
    start_ms: float = Field(description="From the start of the trace.")
    end_ms: float
    first_ms: float | None = Field(default=None, description="When the model gave its first token.")
    seq: int | None = Field(default=None, description="The call, by its line of the audit.")


class Point(BaseModel):
    name: Literal["asked", "first_token", "first_text", "first_audio", "done"]
    at_ms: float


class Trace(TraceSummary):
    recorded: bool = Field(description="There is sound of it: `GET …/sound`.")
    answer: str | None
    tokens: TokensTaken | None
    points: list[Point] = Field(description="In the order in which they happened.")
    spans: list[Span] = Field(description="By their start.")
    entries: list[TimelineCall] = Field(description="The calls, each with its gates.")


@router.get("", summary="List turns by how long they took", responses=documented(422, 503))
async def list_traces(
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    session: Annotated[str | None, Query(max_length=200, description="Id of a session.")] = None,
    slower_than: Annotated[
        float | None,
        Query(ge=0, le=86_400_000, description="Only where the person waited longer, in ms."),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[
        int | None, Query(ge=1, le=2**62, description="`next_before` of the page before.")
    ] = None,
) -> TracePage:
    store = orchestrator.store
    await store.flush()
    found: list[AuditLine] = []
    scanned, more = 0, True
    while more and len(found) <= limit and scanned < MAX_SCANNED:
        lines = await store.audit_lines(
            owners=http_sessions.scope.owners("others.read"),
            event=TURN_COMPLETED,
            session_id=session,
            before_seq=before,
            limit=PAGE,
            newest_first=True,
        )
        scanned, more = scanned + len(lines), len(lines) == PAGE
        before = lines[-1].seq if lines else before
        found += [
            line
            for line in lines
            if slower_than is None or (_wait(line.data["details"]) or 0) > slower_than
        ]
    page = found[:limit]
    words = _Questions(store)
    traces = [await _summary(line.data, words) for line in page]
    if len(found) > limit:
        before = page[-1].seq
    return TracePage(traces=traces, next_before=before if more or len(found) > limit else None)


@router.get(
    "/{session_id}/{turn}", summary="One turn as a waterfall", responses=documented(404, 422, 503)
)
async def get_trace(
    application: ApplicationDep,
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    session_id: SessionId,
    turn: TurnNumber,
) -> Trace:
    store = orchestrator.store
    line = await _turn_end(store, http_sessions, session_id, turn)
    timeline = await get_timeline(
        orchestrator, http_sessions, session_id, MAX_LINES, line.seq + 1 + LATER_LINES
    )
    taken = next((each for each in timeline.turns if each.number == turn), None)
    entries = taken.entries if taken else []
    said = [each.text for each in entries if isinstance(each, Said) and each.role == "assistant"]
    summary = await _summary(line.data, _Questions(store))
    start = summary.started_at
    return Trace(
        **summary.model_dump(),
        recorded=application.recordings.has(session_id),
        answer="\n\n".join(said) or None,
        tokens=taken.tokens if taken else None,
        points=sorted(_points(line.data, start), key=lambda point: point.at_ms),
        spans=sorted(_spans(line.data, taken, start), key=lambda span: span.start_ms),
        entries=[each for each in entries if isinstance(each, TimelineCall)],
    )


_WAV = {"audio/wav": {"schema": {"type": "string", "format": "binary"}}}


@router.get(
    "/{session_id}/{turn}/sound",
    summary="The recorded sound of a turn",
    description="From the start of the trace to its end: the person left, the agent right. Takes "
    "`Range`, so that a player can seek.",
    response_class=Response,
    responses={
        200: {"content": _WAV, "description": "All of it."},
        206: {"content": _WAV, "description": "The part that was asked for."},
        **documented(404, 416, 422, 503),
    },
)
async def get_trace_sound(
    application: ApplicationDep,
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    session_id: SessionId,
    turn: TurnNumber,
    wanted: Annotated[str | None, Header(alias="range", max_length=200)] = None,
) -> Response:
    line = await _turn_end(orchestrator.store, http_sessions, session_id, turn)
    recordings = application.recordings
    if not recordings.has(session_id):
        raise ProblemError(
            404,
            "There is no recording of this session. Sound is recorded where the setting "
            f"`voice.record` is on, and kept for {recordings.days} days.",
        )
    start, end = turn_times(line.data)
    sound = await asyncio.to_thread(lambda: wav(recordings.pieces(session_id), start, end))
    headers = {"accept-ranges": "bytes", "cache-control": "private, no-store"}
    if wanted is None:
        return Response(sound, media_type="audio/wav", headers=headers)
    first, last = _range(wanted, len(sound))
    headers["content-range"] = f"bytes {first}-{last}/{len(sound)}"
    part = sound[first : last + 1]
    return Response(part, status_code=206, media_type="audio/wav", headers=headers)


def _range(wanted: str, size: int) -> tuple[int, int]:
    """Return the first and the last byte that a `Range` header asks for."""
    found = re.fullmatch(r"bytes=(\d{0,15})-(\d{0,15})", wanted.strip())
    first, last = found.groups() if found else ("", "")
    if first:
        span = int(first), min(int(last or size - 1), size - 1)
    else:
        span = max(0, size - int(last or 0)), size - 1
    if span[0] > span[1]:
        raise ProblemError(416, f"`Range: {wanted}` names no part of {size} bytes.")
    return span


async def _turn_end(
    store: Store, http_sessions: HttpSessions, session_id: str, turn: int
) -> AuditLine:
    """Return the audit line that ends a turn."""
    row = await store.session(session_id)
    if row is None or not await http_sessions.scope.includes(row.user, "others.read"):
        raise ProblemError(404, f"There is no session `{session_id}`.")
    await store.flush()
    before: int | None = None
    while True:
        lines = await store.audit_lines(
            session_id=session_id,
            event=TURN_COMPLETED,
            before_seq=before,
            limit=PAGE,
            newest_first=True,
        )
        for line in lines:
            if line.data.get("turnId") == turn:
                return line
        if len(lines) < PAGE:
            raise ProblemError(
                404,
                f"There is no trace of turn {turn}: it is under way, had no answer of a model, or "
                "its line of the audit was deleted.",
            )
        before = lines[-1].seq


def turn_times(data: dict[str, Any]) -> tuple[float, float]:
    """Return when a turn began and was over, by the audit line of its end."""
    details = data["details"]
    moments: dict[str, float] = details.get("moments") or {}
    rounds = [each["start"] for each in details.get("rounds") or ()]
    # Lines from before moments were recorded know no more than how long it took.
    waited = (details.get("marks") or {}).get("duration", 0) / 1000
    start = min([*moments.values(), *rounds, data["at"] - waited])
    return start, max(data["at"], moments.get("heard_until", 0))


def _wait(details: dict[str, Any]) -> float | None:
    marks: dict[str, float] = details.get("marks") or {}
    return next((marks[name] for name in _WAITS if name in marks), None)


async def _summary(data: dict[str, Any], words: _Questions) -> TraceSummary:
    details = data["details"]
    start, end = turn_times(data)
    budget = details.get("budget") or {}
    moments = details.get("moments") or {}
    answered = moments.get("answer_began") or moments.get("first_text") or data["at"]
    return TraceSummary(
        session_id=data["sessionId"],
        turn=data["turnId"],
        user=data.get("user") or "",
        mode=data.get("mode"),
        asked=await words.before(data["sessionId"], start, answered),
        started_at=start,
        duration_ms=_ms(end - start),
        wait_ms=_wait(details),
        finish=details.get("finish"),
        calls=int(budget.get("totalCalls", {}).get("used", 0)),
        tools_ms=float(budget.get("toolMs", {}).get("used", 0)),
        marks=details.get("marks") or {},
    )


class _Questions:
    """What people said before they were answered, session by session."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._said: dict[str, list[tuple[float, str]]] = {}

    async def before(self, session_id: str, since: float, until: float) -> str | None:
        """Return the last that was said in that time. Clocks are read at different places, so a
        second before counts, too."""
        if session_id not in self._said:
            self._said[session_id] = await self._read(session_id)
        said = [text for at, text in self._said[session_id] if since - 1 <= at <= until]
        return said[-1][:ABOUT_CHARS] if said else None

    async def _read(self, session_id: str) -> list[tuple[float, str]]:
        lines = await self._store.audit_lines(
            session_id=session_id, event="session_started", limit=1
        )
        details = lines[0].data["details"] if lines else {}
        found: list[tuple[float, str]] = []
        for row in await self._store.turns(str(details.get("conversation") or session_id)):
            body = json.loads(row.turn)
            text = " ".join(str(body.get("text") or "").split())
            if body["role"] == "user" and text and not is_note(text):
                found.append((row.at, text))
        return found


def _ms(seconds: float) -> float:
    return round(max(0.0, seconds) * 1000, 1)


def _points(data: dict[str, Any], start: float) -> Iterator[Point]:
    details = data["details"]
    moments: dict[str, float] = details.get("moments") or {}
    firsts = [each["first"] for each in details.get("rounds") or () if "first" in each]
    first = moments.get("answer_began") or min(firsts, default=None)
    if first is not None:
        yield Point(name="first_token", at_ms=_ms(first - start))
    if "asked" in moments:
        yield Point(name="asked", at_ms=_ms(moments["asked"] - start))
    if "first_text" in moments:
        yield Point(name="first_text", at_ms=_ms(moments["first_text"] - start))
    if "first_audio" in moments:
        yield Point(name="first_audio", at_ms=_ms(moments["first_audio"] - start))
    yield Point(name="done", at_ms=_ms(data["at"] - start))


def _spans(data: dict[str, Any], taken: TurnTaken | None, start: float) -> Iterator[Span]:
    details, end = data["details"], data["at"]
    moments: dict[str, float] = details.get("moments") or {}

    def span(kind: Any, name: str, since: float, until: float, **more: Any) -> Span:
        since = max(since, start)
        return Span(
            kind=kind, name=name, start_ms=_ms(since - start), end_ms=_ms(until - start), **more
        )

    if "speech_started" in moments and "asked" in moments:
        yield span("speech", "speech", moments["speech_started"], moments["asked"])
    if rounds := details.get("rounds"):
        for each in rounds:
            first = _ms(each["first"] - start) if "first" in each else None
            yield span("model", "model", each["start"], each.get("end", end), first_ms=first)
    elif began := moments.get("answer_began"):
        asked = moments.get("asked", began)
        yield span("model", "model", min(asked, began), end, first_ms=_ms(began - start))
    if "first_audio" in moments:
        until = moments.get("heard_until", end)
        yield span("sound", "sound", moments["first_audio"], until)
    entries = taken.entries if taken else []
    for entry in entries:
        if not isinstance(entry, TimelineCall):
            continue
        if entry.decision == "confirm":
            answered = (
                note.at
                for note in entries
                if isinstance(note, Noted)
                and (note.event, note.tool) == ("confirmation_resolved", entry.tool)
                and note.at >= entry.at
            )
            yield span("approval", entry.tool, entry.at, next(answered, end), seq=entry.seq)
        else:
            until = entry.at + (entry.duration or 0) / 1000
            yield span("tool", entry.tool, entry.at, until, seq=entry.seq)
