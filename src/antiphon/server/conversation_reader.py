"""Conversation reader: conversations of the store as one principal may see them."""

from __future__ import annotations

import copy
import json
from typing import Annotated, Any

from fastapi import Depends

from antiphon.orchestrator.audit import redacted
from antiphon.server.conversation_entries import Entries, EntryAssembly
from antiphon.server.dependencies import HttpSessionsDep, ServicesDep
from antiphon.server.http_sessions import HttpSessions
from antiphon.server.problems import ProblemError
from antiphon.server.routes.images import IMAGE_SENT, ImageShown, image_shown
from antiphon.server.schemas.conversations import ConversationDocument, ConversationSummary
from antiphon.server.services import ServerServices
from antiphon.storage import ConversationRow, SessionRow
from antiphon.storage.conversations import ConversationIndex
from antiphon.storage.messages import search_form, shortened

MAX_IMAGES = 200
MAX_SESSIONS = 100  # of which pictures are looked for
AROUND = 60  # letters before the place that was found
SHOWN = 160


class ConversationReader:
    """Finds conversations for one request, and shows them."""

    def __init__(self, services: ServerServices, http_sessions: HttpSessions) -> None:
        self._services = services
        self._orchestrator = services.application.orchestrator
        self.http_sessions = http_sessions
        self.store = self._orchestrator.store
        self.index = ConversationIndex(self.store)

    async def find(self, id: str) -> ConversationRow:
        """The conversation of that id, or of the session of that id. Raises a 404 problem."""
        row = await self.index.find(id)
        if row is None or not self.http_sessions.scope.owns(row.user):
            raise ProblemError(404, f"There is no conversation `{id[:200]}`.")
        return row

    def turn_number(self, row: ConversationRow, turn: str) -> int:
        """The number of a turn as the store has it. Raises a 404 problem for what is none."""
        if not (turn.isascii() and turn.isdigit() and len(turn) < 19):
            raise self.no_turn(row, turn)
        return int(turn)

    def no_turn(self, row: ConversationRow, turn: str) -> ProblemError:
        return ProblemError(
            404,
            f"There is no turn `{turn[:40]}` in this conversation. `turn` is that of an entry of "
            f"GET /api/conversations/{row.id}.",
        )

    @property
    def active(self) -> set[str]:
        """The conversations that are being held right now."""
        text = self._services.application.text_agent.conversations
        return text | self._services.voice.conversations

    def summary(self, row: ConversationRow, active: set[str]) -> ConversationSummary:
        return ConversationSummary(**_members(row, active))

    async def previews(self, rows: list[ConversationRow], query: str) -> dict[str, str]:
        """Where in each conversation the words of a query stand."""
        found = await self.index.snippets([row.id for row in rows], query)
        words = search_form(query).split()
        return {key: _around(str(json.loads(turn)["text"]), words) for key, turn in found.items()}

    async def document(
        self, row: ConversationRow, *, limit: int, before: str | None, after: str | None
    ) -> ConversationDocument:
        """The conversation with its newest entries."""
        sessions = await self.store.sessions_of(row.id)
        entries, older = await self.entries(row, sessions, limit=limit, before=before, after=after)
        return ConversationDocument(
            **_members(row, self.active),
            sessions=[each.id for each in reversed(sessions)],
            entries=entries,
            next=older,
        )

    async def entries(
        self,
        row: ConversationRow,
        sessions: list[SessionRow],
        *,
        limit: int,
        before: str | None = None,
        after: str | None = None,
        answers: bool = True,
    ) -> tuple[Entries, str | None]:
        """The entries of so many turns, and the turn before which there are more."""
        places = {
            name: self.turn_number(row, turn)
            for name, turn in (("before", before), ("after", after))
            if turn is not None
        }
        try:
            rows = await self.index.messages(row.id, limit=limit + 1, **places)
        except LookupError:
            raise self.no_turn(row, str(before or after)) from None
        older = str(rows[1].id) if len(rows) > limit else None
        rows = rows[-limit:]
        since = rows[0].turn.at if older or after else 0.0
        until = rows[-1].turn.at if before and rows else None
        images = [
            (at, image)
            for at, image in await self._images(sessions)
            if rows and at >= since and (until is None or at <= until)
        ]
        assembly = EntryAssembly(self._hide if answers else self._hide_more, answers=answers)
        return assembly.entries(rows, images), older

    async def _images(self, sessions: list[SessionRow]) -> list[tuple[float, ImageShown]]:
        await self.store.flush()
        found: list[tuple[float, ImageShown]] = []
        for session in sessions[:MAX_SESSIONS]:
            for line in await self.store.audit_lines(
                session_id=session.id, event=IMAGE_SENT, limit=MAX_IMAGES, newest_first=True
            ):
                image = image_shown(line.data)
                if image is not None:
                    found.append((line.at, image))
        return found

    def _hide(self, tool: str, args: Any) -> Any:
        known = self._orchestrator.registry_snapshot().tools.get(tool)
        pointers = known.definition.redact if known is not None else ()
        return redacted(copy.deepcopy(args), pointers) if pointers else args

    def _hide_more(self, tool: str, args: Any) -> Any:
        """For others: nobody knows what a tool that is gone wanted hidden."""
        gone = tool not in self._orchestrator.registry_snapshot().tools
        return None if gone else self._hide(tool, args)


def _members(row: ConversationRow, active: set[str]) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title or row.preview,
        "folder": row.folder,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
        "turns": row.messages,
        "spoken": row.spoken,
        "active": row.id in active,
        "preview": row.preview,
        "shared": row.share_token is not None,
        "version": row.version,
    }


def _around(text: str, words: list[str]) -> str:
    """The part of a text in which the first of the words stands."""
    line = " ".join(text.split())
    low = line.casefold()
    place = min((at for word in words if (at := low.find(word)) >= 0), default=0)
    start = line.rfind(" ", 0, max(0, place - AROUND)) + 1 if place > AROUND else 0
    return ("…" if start else "") + shortened(line[start:], SHOWN)


async def conversation_reader(
    services: ServicesDep, http_sessions: HttpSessionsDep
) -> ConversationReader:
    """The conversations, as the principal of this request may see them."""
    return ConversationReader(services, http_sessions)


ReaderDep = Annotated[ConversationReader, Depends(conversation_reader)]
