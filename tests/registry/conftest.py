"""Tool folders to build from: each test writes the tools it needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HANDLER = """\
from antiphon import ok


async def execute(args, context):
    return ok({"echo": args})
"""

PARAMETERS = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "What to look for."}},
    "required": ["query"],
    "additionalProperties": False,
}


def contract(tool_id: str, **changes: Any) -> dict[str, Any]:
    """A `schema.json` without findings; a change to None leaves the field out."""
    schema: dict[str, Any] = {
        "toolId": tool_id,
        "version": "1.0.0",
        "description": "Look for something.",
        "category": "retrieval",
        "sideEffects": "read_only",
        "idempotent": True,
        "requiresConfirmation": False,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 500,
        "parameters": PARAMETERS,
        **changes,
    }
    return {name: value for name, value in schema.items() if value is not None}


WriteTool = Callable[..., Path]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    return folder


@pytest.fixture
def write_tool(tools: Path) -> WriteTool:
    """Write a tool directory; files given as None are left out, `changes` go into its contract."""

    def write(
        name: str = "kb-search",
        *,
        folder: Path | None = None,
        schema: str | bytes | None = "",
        guide: str | bytes | None = "",
        handler: str | bytes | None = HANDLER,
        files: dict[str, str] | None = None,
        **changes: Any,
    ) -> Path:
        directory = (folder or tools) / name
        directory.mkdir(parents=True, exist_ok=True)
        tool_id = name.replace("-", "_")
        if schema == "":
            schema = json.dumps(contract(tool_id, **changes))
        if guide == "":
            guide = f"# {tool_id}\n\nLooks for something.\n"
        contents = {"schema.json": schema, "guide.md": guide, "handler.py": handler}
        for file, content in {**contents, **(files or {})}.items():
            if content is not None:
                raw = content.encode() if isinstance(content, str) else content
                (directory / file).write_bytes(raw)
        return directory

    return write


@pytest.fixture
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
