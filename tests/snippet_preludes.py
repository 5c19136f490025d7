"""Preludes of snippets: what the pages of the documents take for granted, by page."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from antiphon.emulators import emulate
from antiphon.registry.builder import build
from antiphon.registry.scaffold import new_tool

Prelude = Callable[[Path], AbstractAsyncContextManager[dict[str, Any]]]


@asynccontextmanager
async def artifact(folder: Path) -> AsyncIterator[dict[str, Any]]:
    """An artifact, `tool_registry.json`, with one tool."""
    new_tool("word-list", folder / "tools")
    assert build([folder / "tools"], folder / "tool_registry.json").ok
    yield {}


GREETING = [{"on": "text", "reply": [{"say": "Good morning."}]}]
WEATHER = [
    {"on": "text", "reply": [{"call": {"name": "weather", "args": {"city": "Oslo"}}}]},
    {"on": "results", "reply": [{"say": "It is sunny in Oslo, 21 degrees."}]},
]


def claude(script: list[dict[str, Any]]) -> Prelude:
    """Claude, emulated, in the settings of the environment; it plays the script."""

    @asynccontextmanager
    async def serve(folder: Path) -> AsyncIterator[dict[str, Any]]:
        with emulate("anthropic", script) as service:
            settings = {"API_KEY": service.key, "BASE_URL": service.base_url}
            named = {f"ANTIPHON_PROVIDERS__CLAUDE__{name}": text for name, text in settings.items()}
            with patch.dict(os.environ, named):
                yield {}

    return serve


@asynccontextmanager
async def gemini(folder: Path) -> AsyncIterator[dict[str, Any]]:
    """A service with a test CA."""
    with emulate("gemini", tls=True, folder=folder / "ca") as service:
        yield {"service": service}


PRELUDES: Mapping[str, Prelude] = {
    "docs/emulators.md": gemini,
    "docs/knowledge.md": artifact,
    "docs/providers.md": claude(GREETING),
    "docs/registry.md": artifact,
    "docs/tasks.md": artifact,
    "docs/tutorial/models.md": claude(WEATHER),
}
