"""A session with one tool of the examples, `leave_note`, which a person has to approve."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from antiphon.contracts.definition import Mode
from antiphon.orchestrator.session import Session
from antiphon.testing import tool_session

LEAVE_NOTE = Path(__file__).parents[2] / "examples" / "tools" / "leave-note"
DOCUMENT = Path(__file__).parents[2] / "docs" / "adapters.md"
NOTE = {"to": "Grace", "text": "The build is green."}
BAD_NOTE = {"to": "Grace", "text": "Hm.", "colour": "blue"}


class Desk:
    """The session, the notes that were left, and what the audit says of the calls."""

    def __init__(self, session: Session, notes: dict[str, Any]) -> None:
        self.session = session
        self._notes = notes

    @property
    def notes(self) -> list[str]:
        return [note["text"] for note in self._notes.values()]

    @property
    def turn(self) -> int:
        return self.session.view.turn.number

    async def reach_turn(self, number: int) -> None:
        """Wait for a turn that the framework ends in a task of its own."""
        async with asyncio.timeout(60):
            while self.turn < number:  # noqa: ASYNC110 there is no event for it
                await asyncio.sleep(0)
        assert self.turn == number

    async def audit(self) -> list[tuple[str, str, str, str]]:
        """Event, call id, decision and rule of every call, in order."""
        store = self.session.orchestrator.store
        await store.flush()
        bodies = [line.data for line in await store.audit_lines(tool_id="leave_note")]
        return [
            (body["event"], body["callId"], body["decision"], body["rule"])
            for body in bodies
            if "decision" in body
        ]

    async def answers(self) -> list[str]:
        """How each confirmation was resolved, as the audit says."""
        store = self.session.orchestrator.store
        await store.flush()
        lines = await store.audit_lines(event="confirmation_resolved")
        return [line.data["details"]["outcome"] for line in lines]


async def run_snippet(title: str, session: Session, model: Any) -> dict[str, Any]:
    """Run the first snippet under a heading of docs/adapters.md, with a person who approves
    everything; return the names that it leaves, and in `asked` what the person was shown."""
    text = DOCUMENT.read_text("utf-8").partition(f"\n## {title}\n")[2]
    code = text.partition("```python\n")[2].partition("```")[0]
    assert code, f"there is no snippet under {title!r}"
    asked: list[str] = []

    def ask(request: dict[str, Any]) -> bool:
        asked.append(request["preview"])
        return True

    names = {"session": session, "model": model, "ask": ask, "asked": asked}
    running = eval(  # the document is ours
        compile(code, str(DOCUMENT), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True),
        names,
    )
    if running is not None:
        await running
    return names


@asynccontextmanager
async def open_desk(mode: Mode = "text") -> AsyncIterator[Desk]:
    notes: dict[str, Any] = {}
    async with tool_session(LEAVE_NOTE, mode=mode, workspace=SimpleNamespace(notes=notes)) as tool:
        yield Desk(tool.session, notes)
