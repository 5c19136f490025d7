"""The text agent over HTTP: a person's message in, events or one JSON document out."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from contextlib import aclosing
from functools import partial
from math import ceil
from typing import Any, Literal

import orjson
from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from antiphon.agents.text import RefusalKind, TextAgent, TurnRefused
from antiphon.agents.text_turn import Event, TextTurn
from antiphon.providers.port import ProviderFault
from antiphon.server.bodies import Body, StrictRoute, preferred
from antiphon.server.dependencies import (
    ApplicationDep,
    HttpSessionsDep,
    OrchestratorDep,
    ServicesDep,
)
from antiphon.server.http_sessions import is_shared
from antiphon.server.problems import ProblemError, check_backend, documented, problem
from antiphon.server.routes.images import ImageShown
from antiphon.server.routes.sessions import SessionId
from antiphon.server.scope import LOCAL_USER
from antiphon.server.services import StreamTimeouts
from antiphon.server.ws.client_calls import ClientCalls
from antiphon.server.ws.client_messages import ClientFunctionResult, ProtocolError

router = APIRouter(prefix="/api/chat", tags=["chat"], route_class=StrictRoute)

logger = logging.getLogger(__name__)

EVENTS, JSON = "text/event-stream", "application/json"
MAX_MESSAGE = 32_000

REFUSALS: dict[RefusalKind, int] = {
    "empty": 422,
    "busy": 409,
    "blocked": 403,
    "unknown": 404,
    "ended": 409,
    "mismatch": 409,
    "profile": 422,
}
# By kind of fault; the last two are ours.
FAULTS: dict[str, int] = {
    "not_configured": 503,
    "missing_sdk": 503,
    "auth": 502,
    "not_found": 502,
    "bad_request": 502,
    "rate_limited": 503,
    "overloaded": 503,
    "unreachable": 502,
    "timeout": 504,
    "closed": 502,
    "protocol": 502,
    "truncated": 502,
    "refused": 502,
    "spending_cap": 429,
    "internal": 500,
    "store": 503,
}


class ChatBody(Body):
    model_config = ConfigDict(
        json_schema_extra={"example": {"message": "Who founded the studio, and when?"}}
    )

    message: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_MESSAGE,
        description="What the person says. Leave it out to have the agent go on with what came of "
        "earlier calls since, such as one that was confirmed, or answer what was asked last and "
        "has no answer because its stream was closed.",
    )
    session_id: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="The session that this belongs to; without one a new one begins. One of voice "
        "goes on in one in text, which knows all that was said.",
    )
    conversation: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Instead of `session_id`: the conversation, by the id of any of its sessions. "
        "It goes on in its last session in text that is open, else in a new one.",
    )
    user: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Who speaks. A session has its user, whom this must not contradict.",
        examples=["ada"],
    )
    profile: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="Who answers: its instructions, tools and budgets. A session keeps its own.",
        examples=["assistant"],
    )
    backend: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        examples=["gemini"],
        description="Else the one that the session had last, the profile names, or the settings.",
    )
    model: str | None = Field(
        default=None, min_length=1, max_length=200, examples=["gemini-2.5-flash"]
    )
    time_zone: str | None = Field(
        default=None,
        min_length=1,
        max_length=64,
        description="Where the person is, by an IANA name: what they call tomorrow at ten is meant "
        "there. A session keeps it. `time_zone` of the event `session` is the one in force; a name "
        "that this server does not know changes nothing.",
        examples=["Europe/Berlin"],
    )
    client_functions: bool = Field(
        default=False,
        description="True: the client runs functions such as `navigate_page` itself. It is asked "
        "by the event `client_call`, and answers at POST /api/chat/{session_id}/results. Needs the "
        "stream.",
    )


class ClientResultBody(Body):
    """What came of a function that the client ran."""

    id: str = Field(min_length=1, max_length=200, description="Of the event `client_call`.")
    result: Any = Field(
        description="Any JSON. An object with `success: false` says in `error` why it failed."
    )


class TokenCounts(BaseModel):
    """Tokens of all the model's answers in this turn, as the provider counts them."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int


class Decision(BaseModel):
    outcome: Literal["run", "replay", "wait", "recover", "confirm", "refuse"]
    rule: str = Field(examples=["budget.retrieval"])


class ChatCall(BaseModel):
    id: str | None
    name: str
    args: Any = Field(description="Without what the tool says must not be written down.")
    decision: Decision
    started_at: float = Field(description="Seconds of the epoch.")
    envelope: dict[str, Any]
    duration: float = Field(description="Milliseconds.")


class ChatError(BaseModel):
    kind: str = Field(examples=["truncated"])
    message: str
    retryable: bool
    retry_after: float | None = Field(description="Seconds.")


class ChatAnswer(BaseModel):
    """One turn, after it is over."""

    message: str = Field(description="All that the model said.")
    session_id: str = Field(description="Send it with the next message.")
    turn: int
    finish: Literal["complete", "max_tokens", "refused", "interrupted", "rounds"] = Field(
        description="Why the turn ended; `rounds`: the model wanted more rounds of tool use than "
        "there are."
    )
    usage: TokenCounts
    calls: list[ChatCall]
    confirmations: list[dict[str, Any]] = Field(
        description="What the person is asked before it happens, with the token to answer with at "
        "POST /api/confirmations/{id}."
    )
    images: list[ImageShown] = Field(description="What `send_image` shows, in order.")
    errors: list[ChatError] = Field(description="What went wrong without ending the turn.")
    startVoiceSession: bool | None = Field(
        default=None, description="True: open the voice socket now, with `pendingRequest`."
    )
    pendingRequest: str | None = Field(
        default=None, description="What the voice agent is to address first."
    )
    timeout: dict[str, Any] | None = Field(
        default=None,
        description="The person was blocked in this turn: `timeoutUntil` in milliseconds of the "
        "epoch, `durationSeconds`, and the farewell, which `message` ends with.",
    )


_DESCRIPTION = """\
The answer comes as server-sent events, or with `Accept: application/json` as one document when the
turn is over. To close the connection stops the turn.

| event | members |
|---|---|
| `session` | `session_id`, `turn`, `backend`, `model`, `profile`, `time_zone`, `conversation`, \
`continued_from` where it is so |
| `text` | `delta`, the next piece of the answer |
| `tool_call` | `id`, `name`, `args`, `decision {outcome, rule}`, `started_at` |
| `client_call` | `id`, `name`, `args` of a function that the client is to run, with \
`client_functions` |
| `tool_result` | `id`, `name`, `envelope`, `duration` |
| `progress` | `name`, `message`, `fraction` and what the tool adds |
| `confirmation_required` | what the person is asked, with the token to answer with |
| `confirmation_resolved` | `id`, `tool`, `outcome`, `result` |
| `late_result` | `id`, `name`, `envelope` of an earlier call, now known to the model |
| `async_task_started` | `task_id`, `function`, `fn_call_id`, `turn_id`, `started_at` |
| `async_task_progress` | `task_id`, `function`, `message`, `fraction`, and what the tool adds |
| `async_task_complete` | `task_id`, `function`, `status`, `result`, `finished_at` |
| `timeout` | the person is kept out until `timeoutUntil` |
| `voice_session_start` | a tool asks the client to change to voice |
| `image` | a picture to show: `id`, `url`, `caption`, `imageId`, `mediaType`, `width`, `height`, \
`alt` |
| `message` | `message`, anything else that a tool sends to the person |
| `notice` | `kind`, `message`, about the turn itself |
| `error` | `kind`, `message`, `retryable`, `retry_after` |
| `done` | always the last: `message`, `session_id`, `turn`, `finish`, `usage`, where voice is to \
begin `startVoiceSession` and `pendingRequest`, and where the person was blocked `timeout` |

Comments (`: …`) keep the line open."""

_EXAMPLE = (
    'event: session\ndata: {"type":"session","session_id":"5f0c2a9e","turn":1}\n\n'
    'event: text\ndata: {"type":"text","delta":"Good day."}\n\n'
    'event: done\ndata: {"type":"done","message":"Good day.","finish":"complete"}\n\n'
)


@router.post(
    "",
    summary="Say something to the agent",
    description=_DESCRIPTION,
    response_class=Response,
    responses={
        200: {
            "description": "The turn, as it happens or when it is over.",
            "model": ChatAnswer,
            "content": {EVENTS: {"example": _EXAMPLE}},
        },
        **documented(403, 404, 409, 422, 429, 500, 502, 503, 504),
    },
)
async def chat(
    request: Request,
    application: ApplicationDep,
    services: ServicesDep,
    http_sessions: HttpSessionsDep,
    body: ChatBody,
) -> Response:
    agent: TextAgent = application.text_agent
    check_backend(body.backend, application.backends.specs)
    if body.session_id is not None and body.conversation is not None:
        raise ProblemError(422, "Send `session_id` or `conversation`, not both.")
    before = body.session_id or body.conversation
    name = "session_id" if body.session_id is not None else "conversation"
    if before is not None and is_shared(before):
        raise ProblemError(
            409,
            f"`{before}` is the session of all calls that bring none. Leave {name} out to start a "
            "conversation.",
        )
    form = preferred(request.headers.get("accept", ""), (EVENTS, JSON))
    if body.client_functions and form == JSON:
        raise ProblemError(
            422, f"`client_functions` needs the stream: send `Accept: {EVENTS}`, or leave it out."
        )
    user = http_sessions.scope.own_name(body.user)
    if user is None and before is None:
        user = LOCAL_USER
    try:
        turn = await agent.open(
            body.message,
            session_id=body.session_id,
            conversation=body.conversation,
            user=user,
            profile=body.profile,
            backend=body.backend,
            model=body.model,
            time_zone=body.time_zone,
            principal=http_sessions.scope.principal,
        )
    except TurnRefused as refused:
        raise _refusal(refused) from None
    except ProviderFault as failed:
        fault = failed.fault
        raise _fault(fault.kind, fault.message, fault.retryable, fault.retry_after) from None
    patience: StreamTimeouts = services.stream_timeouts
    if form == JSON:
        return _Documents(turn, patience)
    return _Events(turn, patience, services.client_calls if body.client_functions else None)


@router.post(
    "/{session_id}/results",
    summary="Answer a function that the client ran",
    status_code=204,
    response_class=Response,
    responses=documented(404, 409, 422),
)
async def take_client_result(
    services: ServicesDep,
    orchestrator: OrchestratorDep,
    http_sessions: HttpSessionsDep,
    session_id: SessionId,
    body: ClientResultBody,
) -> None:
    session = orchestrator.sessions.get(session_id)
    calls = services.client_calls.get(session_id)
    if session is None or calls is None or not http_sessions.scope.owns(session.user):
        raise ProblemError(
            404, f"No answer of the session `{session_id}` is under way that waits for a client."
        )
    try:
        calls.answer(ClientFunctionResult(body.id, body.result))
    except ProtocolError as error:
        raise ProblemError(409, str(error)) from None


def _refusal(refused: TurnRefused) -> ProblemError:
    members: dict[str, Any] = {"kind": refused.kind}
    if refused.kind == "blocked":
        members["timeout"] = refused.details
    if refused.kind == "profile":
        members["errors"] = [{"in": "body", "name": "profile", "message": refused.message}]
    error = ProblemError(REFUSALS[refused.kind], refused.message, **members)
    if refused.kind == "blocked":
        error.headers = {"retry-after": str(refused.details["durationSeconds"])}
    return error


def _fault(
    kind: str, message: str, retryable: bool, retry_after: float | None, /, **members: Any
) -> ProblemError:
    error = ProblemError(FAULTS[kind], message, kind=kind, retryable=retryable, **members)
    if retry_after is not None:
        error.headers = {"retry-after": str(max(1, ceil(retry_after)))}
    return error


class _Answer(Response, ABC):
    """A turn on its way to a client. It ends with the client, or when the client takes nothing."""

    def __init__(self, turn: TextTurn, patience: StreamTimeouts) -> None:
        super().__init__()
        self._turn = turn
        self._patience = patience

    @abstractmethod
    async def _tell(self, send: Send) -> None:
        """Say all of it."""

    async def _put(self, send: Send, body: bytes, *, more: bool = True) -> None:
        async with asyncio.timeout(self._patience.sending):
            await send({"type": "http.response.body", "body": body, "more_body": more})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope
        telling = asyncio.create_task(self._tell(send), name="chat answer")
        gone = asyncio.create_task(_gone(receive), name="chat client")
        try:
            await asyncio.wait({telling, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            telling.cancel()
            gone.cancel()
            results = await asyncio.gather(telling, gone, return_exceptions=True)
            await self._turn.close()
        if isinstance(results[0], TimeoutError):
            logger.info("a client of session %s took nothing any more", self._turn.session.id)
        elif isinstance(results[0], Exception):
            raise results[0]


class _Events(_Answer):
    def __init__(
        self, turn: TextTurn, patience: StreamTimeouts, clients: dict[str, ClientCalls] | None
    ) -> None:
        """`clients`: where the client can be found that runs functions itself."""
        super().__init__(turn, patience)
        self._clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._clients is None:
            await super().__call__(scope, receive, send)
            return
        session, calls = self._turn.session, ClientCalls(self._turn.ask_client)
        self._clients[session.id] = calls
        session.run_in_client = partial(calls.ask, session)
        try:
            await super().__call__(scope, receive, send)
        finally:
            session.run_in_client = None
            del self._clients[session.id]

    async def _tell(self, send: Send) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),  # proxies that collect pieces would hold them back
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with aclosing(self._turn.events(idle=self._patience.silence)) as events:
            async for event in events:
                frame = b": idle\n\n" if event["type"] == "idle" else _frame(event)
                await self._put(send, frame)
        await self._put(send, b"", more=False)


class _Documents(_Answer):
    async def _tell(self, send: Send) -> None:
        async with aclosing(self._turn.events()) as happening:
            events = [event async for event in happening]
        status, headers, body = _document(events)
        found = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": status, "headers": found})
        await self._put(send, body, more=False)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _frame(event: Event) -> bytes:
    # JSON has no line breaks of its own, so one line of data is enough.
    return b"event: %b\ndata: %b\n\n" % (event["type"].encode(), orjson.dumps(event))


def _document(events: list[Event]) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a turn that is over."""
    done = events[-1]
    errors = [_without_type(event) for event in events if event["type"] == "error"]
    results = [event for event in events if event["type"] == "tool_result"]
    members = {
        **_without_type(done),
        "calls": [_call(events, result) for result in results],
        "confirmations": [
            _without_type(event) for event in events if event["type"] == "confirmation_required"
        ],
        "images": [_without_type(event) for event in events if event["type"] == "image"],
    }
    if done["finish"] != "failed":
        return 200, {"content-type": JSON}, orjson.dumps({**members, "errors": errors})
    worst = errors[-1]
    error = _fault(
        worst["kind"], worst["message"], worst["retryable"], worst["retry_after"], **members
    )
    answer = problem(error.status_code, error.detail, dict(error.headers or {}), **error.members)
    return answer.status_code, dict(answer.headers), bytes(answer.body)


def _call(events: list[Event], result: Event) -> dict[str, Any]:
    """A result with what was said of its call; ids that were made up come again, so the last."""
    before = events[: events.index(result)]
    called = next(
        event
        for event in reversed(before)
        if event["type"] == "tool_call"
        and (event["id"], event["name"]) == (result["id"], result["name"])
    )
    return {**_without_type(called), **_without_type(result)}


def _without_type(event: Event) -> dict[str, Any]:
    return {name: value for name, value in event.items() if name != "type"}
