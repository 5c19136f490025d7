"""Every backend, in both modes, with every kind of tool: same gates, same envelopes, same audit."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.agents.chatting import VENDORS, chat, only
from tests.agents.spoken import spoken
from tests.orchestrator.helpers import Workshop, toolbox

from antiphon import Orchestrator, ToolCall
from antiphon.contracts import Envelope

pytestmark = pytest.mark.real_time

# What a model asks for in one breath, and the errors (or none) that it must get, in text and voice.
KINDS: dict[str, list[tuple[str, Any]]] = {
    "a read": [("look_up", {"query": "a"})],
    "a default is filled in": [("look_up", {"query": "b", "top_k": 2})],
    "a number above the limit of the mode": [("look_up", {"query": "c", "top_k": 50})],
    "a write": [("save_note", {"text": "x"})],
    "a plain function": [("plain", {"text": "y"})],
    "secrets": [("sign_in", {"user": "ada", "password": "hunter2"})],
    "an unknown tool": [("look_upp", {"query": "a"})],
    "a tool of the other mode": [("text_only", {}), ("voice_only", {})],
    "a tool for others": [("for_admins", {})],
    "wrong arguments": [("look_up", {"top_k": "many", "zone": 1})],
    "a confirmation": [("send_mail", {"to": ["bo@example.org"]})],
    "a confirmation with a token of the model's": [
        ("send_mail", {"to": ["bo@example.org"], "confirmationToken": "x"})
    ],
    "a tool in a browser that is not there": [("in_browser", {})],
    "too often": [("limited", {"text": str(n)}) for n in range(3)],
    "the same once more": [("compute", {"text": "same"})] * 2,
    "too many lookups": [("look_up", {"query": str(n)}) for n in range(3)],
    "too many calls": [("compute", {"text": str(n)}) for n in range(4)],
}
AUDITED = (
    *("event", "user", "mode", "turnId", "toolId", "toolVersion", "registryVersion", "category"),
    *("callId", "idempotencyKey", "args", "decision", "rule", "ok", "errorType", "intents"),
)


def script_of(calls: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    listed = [
        {"id": f"call_{number:010d}", "name": name, "args": args}
        for number, (name, args) in enumerate(calls)
    ]
    return [
        {"on": "text", "reply": [{"calls": listed}]},
        {"on": "results", "with": {"count": len(calls)}, "reply": [{"say": "Done."}]},
    ]


def plain(envelope: Envelope) -> Envelope:
    """Without what differs from one run to the next: times, and names of requests."""
    body = json.loads(json.dumps(envelope))
    if body.get("error", {}).get("type") == "RATE_LIMIT":
        body["error"]["retryAfter"] = round(body["error"]["retryAfter"])
        body["error"]["message"] = re.sub(r"in [\d.]+ s\.$", "soon.", body["error"]["message"])
    body["meta"].pop("duration")
    body["meta"].pop("budget", None)
    request = body.get("error", {}).get("confirmation_request")
    if request:
        request["id"] = request["expires_at"] = None
    return body


async def audit(orchestrator: Orchestrator) -> list[dict[str, Any]]:
    await orchestrator.store.flush()
    lines = [json.loads(row.line) for row in await orchestrator.store.audit_lines()]
    return [
        {name: line.get(name) for name in AUDITED}
        for line in lines
        if line["event"] in ("tool_decision", "tool_execution", "tool_replay")
    ]


async def dispatched(
    mode: str, calls: list[tuple[str, Any]]
) -> tuple[list[Envelope], list[dict[str, Any]], list[Any]]:
    """The measure of all: the same calls, given to dispatch by hand."""
    work = Workshop()
    async with Orchestrator(
        toolbox(), capabilities={"workspace": work}, environment={}
    ) as orchestrator:
        session = orchestrator.session(mode, "ada")  # type: ignore[arg-type]
        session.begin_round()
        envelopes = [
            plain(await session.dispatch(ToolCall(f"call_{number:010d}", name, args)))
            for number, (name, args) in enumerate(calls)
        ]
        return envelopes, await audit(orchestrator), work.effects


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("vendor", VENDORS)
async def test_in_text(vendor: str, kind: str) -> None:
    calls = KINDS[kind]
    wanted, lines, effects = await dispatched("text", calls)
    async with chat(vendor, script_of(calls)) as c:
        events = await c.say("Please.", user="ada")
        results = {event["id"]: event for event in only(events, "tool_result")}
        got = [plain(results[f"call_{n:010d}"]["envelope"]) for n in range(len(calls))]
        assert got == wanted
        assert await audit(c.orchestrator) == lines
        assert c.work.effects == effects
        assert events[-1]["finish"] == "complete"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("vendor", VENDORS)
async def test_in_voice(vendor: str, kind: str) -> None:
    calls = KINDS[kind]
    wanted, lines, effects = await dispatched("voice", calls)
    async with spoken(vendor, script_of(calls)) as s:
        await s.engine.send_text("Please.")
        await s.got("turn_complete")
        answers = {
            answer.id: plain(answer.envelope)
            for entry in s.engine.conversation.entries
            for answer in getattr(entry.turn, "answers", ())
        }
        assert [answers[f"call_{n:010d}"] for n in range(len(calls))] == wanted
        assert await audit(s.orchestrator) == lines
        assert s.work.effects == effects
