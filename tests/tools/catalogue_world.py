"""Runs tools of the catalogue the way people do: `run_tool` through every gate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from tests import shared_workers
from tests.shipped import shipped_registry

from antiphon import Orchestrator, ToolCall
from antiphon.contracts import Envelope, envelope_problems
from antiphon.workspace import TextModel
from antiphon.workspace.catalogue import CatalogueTools


def within(
    scenario: Callable[[Callable[..., Awaitable[Envelope]]], Awaitable[Any]],
    *,
    mode: Any = "text",
    toolset: frozenset[str] | None = None,
    **services: Any,
) -> Any:
    """Runs `scenario(call)` in a session of its own; `services` are more of the workspace."""

    async def running() -> Any:
        workspace = SimpleNamespace(
            **{"catalogue": CatalogueTools(), "model": TextModel(), **services}
        )
        async with Orchestrator(
            shipped_registry(),
            "sqlite://",
            capabilities={"workspace": workspace},
            workers=shared_workers.pool(),
        ) as orchestrator:
            session = orchestrator.session(mode, "ada", toolset=toolset)

            async def call(tool: str, /, **args: Any) -> Envelope:
                envelope = await session.dispatch(ToolCall(None, tool, args))
                assert envelope_problems(envelope) == []
                session.end_turn()  # what one turn may spend is not the matter here
                return envelope

            return await scenario(call)

    return shared_workers.run(running())


def call(tool: str, /, mode: Any = "text", services: Any = None, **args: Any) -> Envelope:
    """The envelope of one call of any shipped tool."""
    return within(lambda call: call(tool, **args), mode=mode, **(services or {}))


def run(tool_id: str, /, mode: Any = "text", services: Any = None, **params: Any) -> Envelope:
    """The envelope of `run_tool` with this tool of the catalogue."""
    return call("run_tool", mode, services, tool_id=tool_id, params=params)


def data(tool_id: str, /, **params: Any) -> dict[str, Any]:
    """What a tool of the catalogue returned, which must have worked."""
    envelope = run(tool_id, **params)
    assert envelope["ok"], envelope["error"]
    found: dict[str, Any] = envelope["data"]["result"]
    return found


def error(tool_id: str, /, **params: Any) -> dict[str, Any]:
    """The error of a tool of the catalogue, which must have failed."""
    envelope = run(tool_id, **params)
    assert not envelope["ok"], envelope["data"]
    found: dict[str, Any] = envelope["error"]
    return found
