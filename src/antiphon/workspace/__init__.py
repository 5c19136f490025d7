"""Workspace services: one attribute for each thing that people drive by voice."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType, ToolError

if TYPE_CHECKING:
    from pathlib import Path

    from antiphon.contracts.metering import Payer
    from antiphon.net.egress import Egress
    from antiphon.storage import Store
    from antiphon.workspace.playbooks import Playbooks
    from antiphon.workspace.runs.steps import Tools
    from antiphon.workspace.runs.text_steps import Ask

# Tools that journal their steps: a call that a crash cut short goes on by itself.
RESUMABLE_TOOLS = frozenset({"run_macro"})

SERVICES = frozenset(
    {
        *("pages", "macros", "tours", "awareness", "thermal"),
        *(
            "catalogue",
            "egress",
            "images",
            "model",
            "projects",
            "playbooks",
            "workflows",
            "agents",
            "experts",
            "schedules",
        ),
    }
)


class TextModel:
    """The text model that is configured, asked one question at a time."""

    def __init__(self, ask: Ask | None = None) -> None:
        self._ask = ask

    async def ask(self, instructions: str, text: str, payer: Payer) -> str | None:
        """Send instructions and a text to the model, on somebody's account, and return its whole
        answer; None where no model but the built-in one is configured. Raises ToolError TRANSIENT
        when the model does not answer, BUDGET_EXCEEDED when nothing more may be spent on it."""
        return None if self._ask is None else await self._ask(instructions, text, payer)


class Workspace:
    """The services that handlers reach under `context.workspace`: `workspace.macros`,
    `workspace.tours`, …

    A service that this server was not given raises ToolError PERMANENT when it is asked for.
    """

    def __init__(self, **services: Any) -> None:
        unknown = services.keys() - SERVICES
        if unknown:
            raise TypeError(f"a workspace has no {', '.join(sorted(unknown))}")
        self.__dict__.update(services)

    def __getattr__(self, name: str) -> Any:
        if name in SERVICES:
            raise ToolError(ErrorType.PERMANENT, f"This server has no {name}.")
        raise AttributeError(name)


def shipped_workspace(
    whole: Workspace, store: Store, ask: Ask | None, playbooks: Playbooks
) -> Workspace:
    """The same workspace without the files that people of the first organisation added: workflows,
    agents, experts and playbooks are those that ship."""
    from antiphon.workspace import agents, experts, workflows

    journal = whole.workflows.journal
    others = {
        "playbooks": playbooks,
        "workflows": workflows.Workflows(journal, ask),
        "agents": agents.Agents(journal, ask),
        "experts": experts.Experts(store, ask),
    }
    return Workspace(**{**vars(whole), **others})


def open_workspace(
    store: Store,
    tools: Callable[[], Tools],
    *,
    now: Callable[[], float] = time.time,
    ask: Ask | None = None,
    files: Path | None = None,
    egress: Egress | None = None,
    **others: Any,
) -> Workspace:
    """Assemble the workspace over a store.

    `tools` gives the tools that steps of macros may call, a registry's `snapshot`; `ask` sends a
    question to the model that is configured; `files` is the folder in which people keep
    `workflows`, `agents` and `experts` of their own, each kind in a folder of its name; `egress`
    fetches from the web; `others` are further services, by name.
    """
    from antiphon.net.egress import Egress as PublicEgress
    from antiphon.workspace import agents, experts, workflows
    from antiphon.workspace.awareness import Awareness
    from antiphon.workspace.catalogue import CatalogueTools
    from antiphon.workspace.macros import Macros
    from antiphon.workspace.pages import Pages
    from antiphon.workspace.projects import Projects
    from antiphon.workspace.runs.journal import RunJournal
    from antiphon.workspace.schedules import Schedules
    from antiphon.workspace.thermal import Thermal
    from antiphon.workspace.tours import Tours

    def folders(kind: Any) -> tuple[Path, ...]:
        return (kind.SHIPPED,) if files is None else (kind.SHIPPED, files / kind.OWN)

    journal = RunJournal(store, now=now)
    return Workspace(
        pages=Pages(),
        macros=Macros(store, tools, journal, now=now),
        tours=Tours(),
        awareness=Awareness(store, now=now),
        thermal=Thermal(),
        catalogue=CatalogueTools(),
        egress=egress or PublicEgress(),
        model=TextModel(ask),
        projects=Projects(store, now=now),
        workflows=workflows.Workflows(journal, ask, folders(workflows)),
        agents=agents.Agents(journal, ask, folders(agents)),
        experts=experts.Experts(store, ask, folders(experts), now=now),
        schedules=Schedules(store, now=now),
        **others,
    )
