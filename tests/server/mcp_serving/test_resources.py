"""Guides and knowledge as resources, playbooks as prompts, and values to complete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference
from tests.server.conftest import Client
from tests.server.mcp_serving.conftest import ADA, PLAYBOOK
from tests.server.mcp_serving_helpers import CLIENT_LEAKS, ERAS, mcp_client, modern

pytestmark = pytest.mark.real_time(ignore=CLIENT_LEAKS)

each_era = pytest.mark.parametrize("era", ERAS)


@each_era
async def test_guides_and_knowledge_are_read(served: Client, era: str) -> None:
    async with mcp_client(served.port, era) as client:
        listed = {each.uri: each for each in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
        guide = (await client.read_resource("antiphon://guides/kb_search")).contents[0]
        record = (await client.read_resource(ADA)).contents[0]
        database = (await client.read_resource("antiphon://knowledge/people")).contents[0]
    assert {"antiphon://guides/kb_search", "antiphon://knowledge/people"} <= listed.keys()
    assert listed["antiphon://knowledge/people"].description == "Who is who."
    assert "antiphon://knowledge/{database}/{record}" in [each.uri_template for each in templates]
    assert (guide.mime_type, guide.text[:11]) == ("text/markdown", "# kb_search")  # type: ignore[union-attr]
    assert json.loads(record.text)["title"] == "Ada Lovelace"  # type: ignore[union-attr]
    assert json.loads(database.text)["records"] == 2  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "uri",
    [
        "antiphon://guides/nothing",
        "antiphon://knowledge/nothing",
        "antiphon://knowledge/../people",
        "antiphon://knowledge/people/person%3Anobody",
        "file:///etc/passwd",
        "antiphon://knowledge/" + "x" * 3000,
    ],
)
def test_what_is_not_there_is_told_in_words(served: Client, uri: str) -> None:
    body, headers = modern("resources/read", uri=uri)
    error = served.post("/mcp", body, **headers).json["error"]
    assert error["code"] == -32602
    assert error["data"]["uri"] == uri[:2000]
    assert any(words in error["message"] for words in ("There is no", "The id of a database"))


def test_lists_come_in_pages_that_fit_together(served: Client) -> None:
    """More playbooks than go on one page, and a cursor that is none."""
    folder = Path(served.get("/api/playbooks").json["folder"])
    made = [folder / f"many-{number:03}.md" for number in range(300)]
    for file in made:
        file.write_text(PLAYBOOK)
    names, cursor = [], None
    try:
        while True:
            body, headers = modern("prompts/list", **({"cursor": cursor} if cursor else {}))
            page = served.post("/mcp", body, **headers).json["result"]
            names.append([each["name"] for each in page["prompts"]])
            cursor = page.get("nextCursor")
            if cursor is None:
                break
    finally:
        for file in made:
            file.unlink()
    every = [name for page in names for name in page]
    assert len(names) == 2
    assert len(every) == len(set(every)) > 300
    for wrong in ("made-up", "x" * 9000):
        body, headers = modern("prompts/list", cursor=wrong)
        assert "The cursor" in served.post("/mcp", body, **headers).json["error"]["message"]


@each_era
async def test_playbooks_are_prompts_with_their_arguments(served: Client, era: str) -> None:
    async with mcp_client(served.port, era) as client:
        prompts = {each.name: each for each in (await client.list_prompts()).prompts}
        given = {"customer": "Ada", "style": "kind"}
        text = (await client.get_prompt("greet", given)).messages[0].content.text  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="needs style"):
            await client.get_prompt("greet", {"customer": "Ada"})
        with pytest.raises(MCPError, match="no prompt"):
            await client.get_prompt("nothing")
    assert prompts["greet"].title == "Greet a customer"
    assert [each.name for each in prompts["greet"].arguments or []] == ["customer", "style"]
    assert not prompts["hot-device"].arguments
    assert text.splitlines() == ["1. Say hello to Ada.", "2. Use kind words."]


@each_era
async def test_values_are_completed(served: Client, era: str) -> None:
    template: Any = ResourceTemplateReference(
        type="ref/resource", uri="antiphon://knowledge/{database}/{record}"
    )
    prompt = PromptReference(type="ref/prompt", name="greet")
    async with mcp_client(served.port, era) as client:

        async def values(ref: Any, name: str, value: str, **known: str) -> list[str]:
            argument = {"name": name, "value": value}
            return list((await client.complete(ref, argument, known)).completion.values)

        assert await values(template, "database", "peo") == ["people"]
        found = await values(template, "record", "person:a", database="people")
        assert found == ["person:ada", "person:alan"]
        assert await values(template, "record", "person:a", database="nothing") == []
        assert "medium" in await values(prompt, "style", "m")  # a parameter of format_datetime
        assert await values(prompt, "customer", "a") == []


@each_era
async def test_results_have_the_schema_that_their_tool_declares(served: Client, era: str) -> None:
    """The official client checks them by it."""
    async with mcp_client(served.port, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        found = await client.call_tool("format_datetime", {"value": "2026-03-01T09:30:00Z"})
        wrong = await client.call_tool("format_datetime", {"value": "no time"})
    assert "iso" in (tools["format_datetime"].output_schema or {})["required"]
    assert found.structured_content["iso"] == "2026-03-01T09:30:00+00:00"
    assert wrong.is_error
