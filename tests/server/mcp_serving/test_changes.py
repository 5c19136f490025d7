"""Clients that are told when lists and resources change."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from mcp.client.subscriptions import ResourceUpdated
from tests.server.conftest import Client, Serve
from tests.server.mcp_serving.conftest import ADA, PLAYBOOK, put_person
from tests.server.mcp_serving_helpers import CLIENT_LEAKS, mcp_client

from antiphon.registry import Registry
from antiphon.registry.builder import build

pytestmark = pytest.mark.real_time(ignore=CLIENT_LEAKS)

SHOUT = Path(__file__).parents[2] / "plugins" / "acme" / "acme_plugins" / "tools" / "shout"


async def test_who_listens_is_told_of_changes(served: Client, data: Path) -> None:
    async with mcp_client(served.port) as client:
        async with client.listen(
            prompts_list_changed=True, resource_subscriptions=[ADA]
        ) as subscription:
            put_person(served, "ada", "Ada Lovelace", "She wrote the first program.")
            (data / "playbooks" / "new.md").write_text(PLAYBOOK)
            kinds = set()
            async with asyncio.timeout(30):
                async for event in subscription:
                    kinds.add(type(event).__name__)
                    if isinstance(event, ResourceUpdated):
                        assert str(event.uri) == ADA
                    if len(kinds) == 2:
                        break
    assert kinds == {"ResourceUpdated", "PromptsListChanged"}


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
async def test_an_older_client_is_told_on_its_connection(served: Client) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()

    async def heard(message: Any) -> None:
        if hasattr(message, "method"):
            await told.put(message.method)

    async with mcp_client(served.port, "legacy", message_handler=heard) as client:
        await client.session.subscribe_resource(ADA)
        put_person(served, "ada", "Ada Lovelace", "She wrote about the analytical engine.")
        async with asyncio.timeout(30):
            while await told.get() != "notifications/resources/updated":
                pass
        await client.session.unsubscribe_resource(ADA)


async def test_a_registry_that_is_reloaded_is_told(tmp_path: Path) -> None:
    def made(description: str) -> None:
        folder = tmp_path / "tools" / "shout"
        folder.mkdir(parents=True, exist_ok=True)
        for file in SHOUT.iterdir():
            if file.is_file():
                (folder / file.name).write_bytes(file.read_bytes())
        schema = json.loads((SHOUT / "schema.json").read_text())
        (folder / "schema.json").write_text(json.dumps({**schema, "description": description}))
        report = build([tmp_path / "tools"], tmp_path / "tools.json")
        assert report.ok, report.findings

    made("Says a text in capitals.")
    registry = Registry.load(tmp_path / "tools.json")
    serve = Serve(registry, tmp_path / "data")
    with serve.running(serve.app()) as server:
        async with mcp_client(server.port) as client:
            async with client.listen(tools_list_changed=True) as subscription:
                made("Says a text in large letters.")
                registry.reload()
                async with asyncio.timeout(30):
                    event = await anext(aiter(subscription))
            listed = (await client.list_tools()).tools
    assert type(event).__name__ == "ToolsListChanged"
    assert [tool.description for tool in listed] == ["Says a text in large letters."]
