"""Search over records, conversations, tools, automations, projects, settings and events."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, Field

from antiphon.app import Application
from antiphon.contracts import ToolError
from antiphon.knowledge import KnowledgeBase, KnowledgeError
from antiphon.server.http_sessions import HttpSessions
from antiphon.storage.conversations import ConversationIndex
from antiphon.storage.messages import search_form
from antiphon.workspace import Workspace
from antiphon.workspace.calendar import Calendar

EVENTS_BACK = timedelta(days=31)
EVENTS_AHEAD = timedelta(days=92)
CALENDAR_SECONDS = 1.0  # one that is elsewhere may take longer; the rest does not wait for it

Kind = Literal["record", "conversation", "tool", "automation", "project", "setting", "event"]

# The parts of the Settings page, and what people call them.
SETTINGS = (
    ("backend", "Models", "API keys, providers, Gemini, OpenAI, Claude, built-in model"),
    ("voice", "Voice and sound", "microphone, speaker, speech, sounds, devices"),
    ("theme", "Appearance", "theme, dark, light, high contrast, text size, language"),
    ("budgets", "Budgets", "limits of calls, time and tokens for each turn"),
    ("approvals", "Standing approvals", "tools that run without asking, permissions"),
    ("blocks", "Blocked users", "people who are kept out"),
)


class FoundItem(BaseModel):
    id: str
    title: str
    detail: str = Field(description="What it is, in a few words; may be empty.")
    address: str = Field(description="Its page in the console.", examples=["#/tools/calculator"])


class FoundGroup(BaseModel):
    kind: Kind
    items: list[FoundItem] = Field(description="The best first.")


class FoundEverywhere(BaseModel):
    groups: list[FoundGroup] = Field(description="Those in which something was found.")
    problems: list[str] = Field(description="What could not be searched, and why.")


class EverythingSearch:
    """Searches of one person. A part that cannot be searched is told, and the others are found."""

    def __init__(self, application: Application, http_sessions: HttpSessions) -> None:
        self._application = application
        self._user = http_sessions.user
        self._scope = http_sessions.scope
        self._problems: list[str] = []

    async def find(self, query: str, limit: int) -> FoundEverywhere:
        """Return at most so many of each kind."""
        words = search_form(query).split()
        if not words:
            return FoundEverywhere(groups=[], problems=[])
        application = self._application
        organisation = self._scope.organisation
        workspace = application.workspaces.chosen(organisation)
        calendar = application.calendars.chosen(organisation)
        parts: dict[Kind, Awaitable[list[FoundItem]]] = {
            "record": self._records(query, words, limit),
            "conversation": self._conversations(query, limit),
            "tool": _ready(self._tools(), words, limit),
            "automation": self._automations(workspace, words, limit),
            "project": self._projects(workspace, words, limit),
            "setting": _ready(_settings(), words, limit),
            "event": _events(calendar, self._user, words, limit),
        }
        found = await asyncio.gather(*(self._part(kind, work) for kind, work in parts.items()))
        return FoundEverywhere(
            groups=[group for group in found if group.items], problems=self._problems
        )

    async def _part(self, kind: Kind, work: Awaitable[list[FoundItem]]) -> FoundGroup:
        try:
            return FoundGroup(kind=kind, items=await work)
        except (ToolError, KnowledgeError) as error:
            self._problems.append(f"{kind}: {error.message}")
        except TimeoutError:
            self._problems.append(f"{kind}: the calendar took too long to answer.")
        return FoundGroup(kind=kind, items=[])

    async def _records(self, query: str, words: list[str], limit: int) -> list[FoundItem]:
        if not self._scope.may("knowledge.read"):
            return []

        def work() -> list[FoundItem]:
            with self._application.organisation_knowledge.base(self._scope.organisation) as base:
                return _records(base, query, words, limit)

        return await asyncio.to_thread(work)

    async def _conversations(self, query: str, limit: int) -> list[FoundItem]:
        index = ConversationIndex(self._application.orchestrator.store)
        return [
            _item(row.id, row.title or row.preview, row.folder or row.preview, "chat", row.id)
            for row in await index.page(self._user, query=query, limit=limit)
        ]

    def _tools(self) -> list[FoundItem]:
        tools = self._application.registry.snapshot().tools
        return [
            _item(id_, _spaced(id_), tool.entry["summary"], "tools", id_)
            for id_, tool in tools.items()
            if self._scope.may_use(tool.definition)
        ]

    async def _automations(
        self, workspace: Workspace, words: list[str], limit: int
    ) -> list[FoundItem]:
        found = [
            _item(one.id, one.name, f"Macro: {one.trigger_phrase}", "macros", one.id)
            for one in await workspace.macros.all(self._user)
        ]
        for one in await workspace.workflows.all():
            detail = f"Workflow: {one.description}"
            found.append(_item(one.name, one.title, detail, "workflows", one.name))
        for one in await workspace.agents.all():
            found.append(
                _item(one.name, one.title, f"Agent: {one.description}", "agents", one.name)
            )
        for expert in await workspace.experts.all():
            detail = f"Expert: {expert.description}"
            found.append(_item(expert.id, expert.name, detail, "experts", expert.id))
        for book in await workspace.playbooks.all():
            found.append(
                _item(book.id, book.title, f"Playbook: {book.summary}", "playbooks", book.id)
            )
        return _matching(found, words, limit)

    async def _projects(
        self, workspace: Workspace, words: list[str], limit: int
    ) -> list[FoundItem]:
        found = await workspace.projects.all(self._user)
        items = [_item(one.id, one.name, one.description, "projects", one.id) for one in found]
        return _matching(items, words, limit)


def _records(base: KnowledgeBase, query: str, words: list[str], limit: int) -> list[FoundItem]:
    """By title as it is typed, then by words of the text."""
    titled: list[FoundItem] = []
    scored: list[tuple[float, FoundItem]] = []
    for info in base.databases():
        database = base.database(info.id)
        titled += [
            _item(one.id, one.title, f"{one.type}, {info.title}", *_place(info.id, one.id))
            for one in database.titled(words, limit)
        ]
        for one in database.search(query, k=limit, meaning=False):
            item = _item(one.id, one.title, one.snippet or info.title, *_place(info.id, one.id))
            scored.append((one.score, item))
    scored.sort(key=lambda each: -each[0])
    ordered = [*sorted(titled, key=lambda item: len(item.title)), *(item for _, item in scored)]
    return list({item.address: item for item in reversed(ordered)}.values())[::-1][:limit]


def _place(database: str, record: str) -> tuple[str, ...]:
    return "kg-studio", database, "record", record


async def _events(calendar: Calendar, user: str, words: list[str], limit: int) -> list[FoundItem]:
    now = datetime.now(UTC)
    async with asyncio.timeout(CALENDAR_SECONDS):
        found = await calendar.occurrences(user, now - EVENTS_BACK, now + EVENTS_AHEAD)
    items = []
    for one in found:
        start = one.start.astimezone(calendar.zone)
        day = start.date().isoformat()
        detail = day if one.all_day else f"{day} {start:%H:%M}"
        items.append(_item(one.uid, one.title, detail, "calendar", "week", day))
    return _matching(items, words, limit)


def _settings() -> list[FoundItem]:
    return [_item(part, title, detail, "settings", part) for part, title, detail in SETTINGS]


async def _ready(items: list[FoundItem], words: list[str], limit: int) -> list[FoundItem]:
    return _matching(items, words, limit)


def _matching(items: Iterable[FoundItem], words: list[str], limit: int) -> list[FoundItem]:
    """Those with all the words; first those whose titles begin with them, then have them."""
    ranked = []
    for place, item in enumerate(items):
        title = search_form(item.title)
        whole = f"{title} {search_form(item.detail)} {item.id.casefold()}"
        if all(word in whole for word in words):
            begins = title.startswith(" ".join(words))
            ranked.append((not begins, not all(word in title for word in words), place, item))
    return [item for *_, item in sorted(ranked, key=lambda each: each[:3])[:limit]]


def _item(id_: str, title: str, detail: str, page: str, *path: str) -> FoundItem:
    address = "/".join([page, *(quote(part, safe="") for part in path)])
    return FoundItem(id=id_, title=title, detail=detail, address=f"#/{address}")


def _spaced(id_: str) -> str:
    words = id_.replace("_", " ")
    return words[:1].upper() + words[1:]
