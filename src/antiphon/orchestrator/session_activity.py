"""Session activity: what was said, called, decided and left open in a session, for a handover."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

MOST_SAID = 12
MOST_CALLS = 15
MOST_DECISIONS = 10
MOST_CHARS = 300
_ROLES = {"user": "Person", "model": "Agent"}


async def activity_of(session: Session) -> dict[str, Any]:
    """Return `said`, `calls`, `decisions` and what is `open`, oldest first, from the store."""
    store = session.orchestrator.store
    await store.flush()
    said = [
        {"who": _ROLES[body["role"]], "text": _short(text)}
        for row in await store.turns(session.conversation_id, limit=4 * MOST_SAID)
        if (body := json.loads(row.turn))["role"] in _ROLES
        if (text := str(body.get("text") or "").strip()) and "<tool_result" not in text
    ]
    lines = await store.audit_lines(session_id=session.id, limit=200, newest_first=True)
    waiting = await store.confirmations(session_id=session.id, status="pending")
    recorded = [line.data for line in reversed(lines)]
    return {
        "said": said[-MOST_SAID:],
        "calls": [_call(each) for each in recorded if _is_call(each)][-MOST_CALLS:],
        "decisions": [
            {"tool": each["toolId"], "outcome": each["details"]["outcome"]}
            for each in recorded
            if each["event"] == "confirmation_resolved"
        ][-MOST_DECISIONS:],
        "open": [*_unanswered(said), *({"what": f"To approve: {row.preview}"} for row in waiting)],
    }


def _is_call(line: dict[str, Any]) -> bool:
    own = line["event"] in ("tool_execution", "tool_decision", "tool_reconciled")
    return own and line.get("source") != "tool" and bool(line.get("toolId"))


def _call(line: dict[str, Any]) -> dict[str, Any]:
    args = line.get("args")
    shown = _short(json.dumps(args, ensure_ascii=False, default=str)) if args else ""
    outcome = "done" if line.get("ok") else str(line.get("errorType") or "not done")
    return {"tool": line["toolId"], "args": shown, "outcome": outcome}


def _unanswered(said: list[dict[str, Any]]) -> list[dict[str, str]]:
    """The question that nobody has answered: the agent's, or the person's last words."""
    if not said:
        return []
    last = said[-1]
    if last["who"] == "Person":
        return [{"what": f"Not answered yet: {last['text']}"}]
    return [{"what": f"The agent asked: {last['text']}"}] if last["text"].endswith("?") else []


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= MOST_CHARS else words[:MOST_CHARS].rsplit(" ", 1)[0] + "…"
