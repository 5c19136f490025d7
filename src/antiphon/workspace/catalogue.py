"""Tool catalogue: the tools that the workspace runs by name, as a session has them."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.orchestrator.context import SessionView


class CatalogueTools:
    """The tools of the catalogue, under `context.workspace.catalogue`.

    A tool belongs to it when its `schema.json` says so with `catalogue`; nothing is listed here.
    """

    def tools(self, session: SessionView) -> list[dict[str, str]]:
        """Return id, name, category and summary of every tool that this session may run, by
        category."""
        found = [_described(entry) for entry in session.tools() if "catalogue" in entry]
        return sorted(found, key=lambda one: (one["category"], one["id"]))

    def find(self, session: SessionView, name: str) -> dict[str, str]:
        """Return the tool with this id, or with this name as people say it ("security scanner").

        Raises ToolError NOT_FOUND with the nearest ids. Whether it may run is left to the gates.
        """
        tool_id = "_".join(name.casefold().replace("-", " ").replace("_", " ").split())
        entry = session.tool(tool_id)
        if entry is not None and "catalogue" in entry:
            return _described(entry)
        known = [one["id"] for one in self.tools(session)]
        near = get_close_matches(tool_id, known, n=3)
        near += [one for one in known if tool_id and tool_id in one and one not in near][:3]
        hint = f" Did you mean {', '.join(near)}?" if near else " list_tools lists what there is."
        raise ToolError(
            ErrorType.NOT_FOUND,
            f"The catalogue has no tool {name[:80]!r}.{hint}",
            nearest=near,
        )


def _described(entry: dict[str, Any]) -> dict[str, str]:
    tool_id: str = entry["toolId"]
    return {
        "id": tool_id,
        "name": tool_id.replace("_", " ").capitalize(),
        "category": entry["catalogue"],
        "summary": entry["summary"],
    }
