"""Error mapping of workspace services: tool errors as problem documents, audit notes."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, TypeVar

from antiphon.contracts import ToolError
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import STATUS, ProblemError
from antiphon.workspace.errors import NotThere

Result = TypeVar("Result")

# What an error says beside its words, as members of the problem document.
_MEMBERS = ("errors", "nearest", "project_id", "overlaps", "events")


async def answered(work: Awaitable[Result]) -> Result:
    """Await a service; its ToolError becomes a problem document."""
    try:
        return await work
    except ToolError as error:
        raise problem_of(error) from None


def problem_of(error: ToolError) -> ProblemError:
    status = 404 if isinstance(error, NotThere) else STATUS[error.type]
    members = {name: value for name, value in error.body.items() if name in _MEMBERS}
    return ProblemError(status, error.message, **members)


async def note(http_sessions: HttpSessions, event: str, /, **details: Any) -> None:
    """Append a line to the audit, in the session that requests without one share."""
    session = await http_sessions.shared("text")
    session.append_audit(event, details=details)
