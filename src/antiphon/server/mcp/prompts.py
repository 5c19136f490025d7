"""MCP prompts: the playbooks, and the arguments that stand in their texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_types import (
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    PaginatedRequestParams,
    Prompt,
    PromptArgument,
    PromptMessage,
    TextContent,
)

from antiphon.contracts import ToolError
from antiphon.server.mcp.host import McpHost, McpRequest, invalid, page_of

if TYPE_CHECKING:
    from antiphon.workspace.playbooks import Playbook

# What a playbook's text has in place of an argument: {{customer}}.
_PLACE = re.compile(r"\{\{ ?([a-z][a-z0-9_]{0,63}) ?\}\}")
_READ = "knowledge.read"


class McpPrompts:
    """The playbooks of the organisation of whoever asks."""

    def __init__(self, host: McpHost) -> None:
        self._host = host

    async def all(self, request: McpRequest) -> list[Playbook]:
        """Every playbook, by id; none for who may not read them."""
        scope = (await self._host.sessions(request)).scope
        if not scope.may(_READ):
            return []
        workspace = self._host.application.workspaces.chosen(scope.organisation)
        try:
            return list(await workspace.playbooks.all())
        except ToolError as error:
            raise invalid(error.message) from None

    async def list_prompts(
        self, request: McpRequest, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        """Each playbook as a prompt."""
        found = [
            Prompt(
                name=each.id,
                title=each.title,
                description=each.summary,
                arguments=[PromptArgument(name=name, required=True) for name in arguments_of(each)],
            )
            for each in await self.all(request)
        ]
        page, following = page_of(found, lambda each: each.name, params.cursor if params else None)
        return ListPromptsResult(prompts=list(page), next_cursor=following)

    async def get(self, request: McpRequest, params: GetPromptRequestParams) -> GetPromptResult:
        """A playbook with its arguments filled in. Raises MCPError where there is none, and for
        arguments that are missing."""
        found = {each.id: each for each in await self.all(request)}.get(params.name)
        if found is None:
            raise invalid(f"There is no prompt {params.name[:200]}.", name=params.name[:200])
        given = params.arguments or {}
        missing = [name for name in arguments_of(found) if name not in given]
        if missing:
            raise invalid(f"The prompt {found.id} needs {', '.join(missing)}.", missing=missing)
        text = _PLACE.sub(lambda place: given[place[1]], found.text)
        return GetPromptResult(
            description=found.summary,
            messages=[PromptMessage(role="user", content=TextContent(type="text", text=text))],
        )


def arguments_of(playbook: Playbook) -> list[str]:
    """The arguments that a playbook's text takes, in its order."""
    return list(dict.fromkeys(_PLACE.findall(playbook.text)))
