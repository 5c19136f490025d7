"""MCP tasks: background tools as tasks of the extension `io.modelcontextprotocol/tasks`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    InputRequiredResult,
    RequestParams,
)
from pydantic import Field

from antiphon.contracts import Envelope, ErrorType
from antiphon.server.mcp.call_results import ENVELOPE, call_result
from antiphon.server.mcp.host import McpHost, McpRequest, invalid, is_modern
from antiphon.tasks.runner import KEPT_SECONDS

if TYPE_CHECKING:
    from mcp.server import Server

    from antiphon.contracts.tasks import Task, TaskBackend

EXTENSION = "io.modelcontextprotocol/tasks"
POLL_MS = 1000
_STATUS = {
    "queued": "working",
    "running": "working",
    "succeeded": "completed",
    "failed": "completed",
    "cancelled": "cancelled",
    "unknown": "failed",
}


class TaskIdParams(RequestParams):
    """What names a task."""

    task_id: str = Field(alias="taskId", min_length=1, max_length=200)


class McpTasks:
    """The tasks of whoever asks. No task waits for input: a person is asked before it begins."""

    def __init__(self, host: McpHost) -> None:
        self._host = host

    def install(self, server: Server[Any]) -> None:
        """Serve the extension's methods."""
        server.extensions[EXTENSION] = {}
        server.add_request_handler("tasks/get", TaskIdParams, self.get)
        server.add_request_handler("tasks/cancel", TaskIdParams, self.cancel)
        server.add_request_handler("tasks/update", TaskIdParams, self.update)

    async def answer(
        self, request: McpRequest, result: CallToolResult | InputRequiredResult
    ) -> CallToolResult | InputRequiredResult | dict[str, Any]:
        """The result of a call, or the task that it has begun, for a client that knows tasks."""
        if isinstance(result, InputRequiredResult) or result.is_error or not is_modern(request):
            return result
        data = result.structured_content
        if not isinstance(data, dict) or "task_id" not in data or not _declares(request):
            return result
        task = await self._backend.get(str(data["task_id"]))
        if task is None or task.user != (await self._host.sessions(request)).user:
            return result
        return {"resultType": "task", **_described(task), "_meta": result.meta}

    async def get(self, request: McpRequest, params: TaskIdParams) -> dict[str, Any]:
        """How a task stands, and its result where there is one."""
        task = await self._task(request, params)
        found = {"resultType": "complete", **_described(task)}
        if not task.finished or task.envelope is None:
            return found
        if found["status"] == "failed":
            error = task.envelope["error"]
            found["error"] = {
                "code": INTERNAL_ERROR,
                "message": error["message"],
                "data": {ENVELOPE: task.envelope},
            }
        elif found["status"] == "completed":
            made = call_result(task.envelope)
            found["result"] = made.model_dump(by_alias=True, mode="json", exclude_none=True)
        return found

    async def cancel(self, request: McpRequest, params: TaskIdParams) -> dict[str, Any]:
        """Stop a task, as far as its tool lets itself be stopped; one that is over stays so."""
        task = await self._task(request, params)
        if not task.finished:
            await self._backend.cancel(task.id)
        return {"resultType": "complete"}

    async def update(self, request: McpRequest, params: TaskIdParams) -> dict[str, Any]:
        """Take input for a task; as none waits for any, nothing comes of it."""
        await self._task(request, params)
        return {"resultType": "complete"}

    async def _task(self, request: McpRequest, params: TaskIdParams) -> Task:
        if not _declares(request):
            raise MCPError(
                MISSING_REQUIRED_CLIENT_CAPABILITY,
                f"Declare the extension {EXTENSION} to use tasks.",
                {"requiredCapabilities": {"extensions": {EXTENSION: {}}}},
            )
        headers = getattr(request.request, "headers", None)
        named = None if headers is None else decode_header_value(headers.get(MCP_NAME_HEADER))
        if headers is not None and is_modern(request) and named != params.task_id:
            raise MCPError(HEADER_MISMATCH, f"{MCP_NAME_HEADER} must be the `taskId` of the body.")
        task = await self._backend.get(params.task_id)
        if task is None or not (await self._host.sessions(request)).scope.owns(task.user):
            raise invalid(
                "There is no such task. Tasks are kept for a week after they are over.",
                taskId=params.task_id,
            )
        return task

    @property
    def _backend(self) -> TaskBackend:
        background = self._host.application.orchestrator.background
        assert background is not None
        return background.backend


def _declares(request: McpRequest) -> bool:
    capabilities = request.session.client_capabilities
    return capabilities is not None and EXTENSION in (capabilities.extensions or {})


def _described(task: Task) -> dict[str, Any]:
    changed = task.finished_at or task.updated_at or task.created_at
    found: dict[str, Any] = {
        "taskId": task.id,
        "status": _status(task),
        "createdAt": _time(task.created_at),
        "lastUpdatedAt": _time(changed),
        "ttlMs": int(KEPT_SECONDS * 1000),
        "pollIntervalMs": POLL_MS,
    }
    said = (task.progress or {}).get("message")
    if isinstance(said, str) and not task.finished:
        found["statusMessage"] = said
    return found


def _status(task: Task) -> str:
    return "failed" if _broke(task.envelope) else _STATUS[task.status]


def _broke(envelope: Envelope | None) -> bool:
    """Whether a call ended in a way that its tool did not mean."""
    if envelope is None or envelope["ok"]:
        return False
    return envelope["error"]["type"] in (ErrorType.INTERNAL, ErrorType.OUTCOME_UNKNOWN)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
