"""Page awareness: visits, errors and working context that the console reports, kept for a day."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import orjson
from pydantic import Field

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.errors import NotThere, field_error, from_store, invalid
from antiphon.workspace.pages import PAGES, Pages
from antiphon.workspace.validation import StrictModel, checked

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

KEPT_SECONDS = 24 * 3600.0
# A page that was open for this long was left alone: whoever goes on after that has begun anew.
BREAK_SECONDS = 2 * 3600.0
# More of one person are not kept: a page that reports without end must not fill the store.
MAX_VISITS = 500
MAX_ERRORS = 100
MAX_KEYS = 50

MAX_TYPE = 100
MAX_MESSAGE = 500
MAX_KEY = 64
MAX_VALUE = 500
MAX_DETAILS_BYTES = 2000
MAX_PAGE = 60

# Under which names the console may tell what is in hand.
PROJECT = ("active_project", "project")
GRAPH = ("active_graph", "graph", "active_kg", "database_id")
# The project that the person chose on the server. Pages cannot set it: its name may be in a prompt.
CHOSEN = "chosen project"
# The id of a database has no words in it that a model could obey.
_DATABASE_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")

_NOT_IN_NAMES = re.compile(r"[^\w ./:-]")
WRONG = "Invalid parameters"
_TITLES = {page.id: page.title for page in PAGES}


class _ErrorReport(StrictModel):
    error_type: str = Field(
        min_length=1, json_schema_extra={"wrong": "is empty", "expected": "the kind of error"}
    )
    message: str = Field(
        min_length=1, json_schema_extra={"wrong": "is empty", "expected": "what went wrong"}
    )


class _ContextEntry(StrictModel):
    key: str = Field(
        min_length=1,
        max_length=MAX_KEY,
        json_schema_extra={"wrong": "is no name", "expected": f"1 to {MAX_KEY} characters"},
    )
    value: str = Field(
        max_length=MAX_VALUE,
        json_schema_extra={"wrong": "is too long", "expected": f"at most {MAX_VALUE} characters"},
    )


class Awareness:
    """The page awareness of every user, each apart from the others. All methods raise ToolError
    and nothing else."""

    def __init__(self, store: Store, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now
        self._pages = Pages()

    # -- what is told --------------------------------------------------------------------------

    async def record_visit(
        self, user: str, page: str, details: dict[str, Any] | None = None
    ) -> int:
        """Record that the person is on a page now, which ends the visit before it. Return the
        visit's id, the same as before where they have not left the page.

        A page that the workspace does not have is kept under the name it was reported by. Raises
        NotThere for a name without letters.
        """
        page = self._named(page)
        kept = _json(details)
        now = self._now()

        def work(connection: Connection) -> int:
            from sqlalchemy import insert, select, update

            from antiphon.storage.tables import page_visits as visits

            _prune(connection, user, now)
            last = connection.execute(
                select(visits.c.id, visits.c.page, visits.c.at)
                .where(visits.c.user == user, visits.c.seconds.is_(None))
                .order_by(visits.c.at.desc(), visits.c.id.desc())
            ).first()
            if last is not None and last.page == page:
                return int(last.id)
            if last is not None:
                connection.execute(
                    update(visits)
                    .where(visits.c.id == last.id)
                    .values(seconds=max(0.0, now - last.at))
                )
            row = {"user": user, "page": page, "at": now, "details": kept}
            return _inserted(connection, insert(visits).values(row))

        return await from_store(self._store.run(work))

    async def record_error(self, user: str, error_type: str, message: str, page: str = "") -> int:
        """Record that something went wrong on a page and return the error's id. The same error
        again is counted, not added."""
        error_type, message = _line(error_type), _line(message)
        checked(_ErrorReport, {"error_type": error_type, "message": message}, WRONG)
        place = self._named(page) if page.strip() else ""
        now = self._now()
        row = {
            "user": user,
            "error_type": error_type[:MAX_TYPE],
            "message": message[:MAX_MESSAGE],
            "page": place,
        }

        def work(connection: Connection) -> int:
            from sqlalchemy import insert, select, update

            from antiphon.storage.tables import page_errors as errors

            _prune(connection, user, now)
            same = [errors.c[name] == value for name, value in row.items()]
            known = connection.execute(
                select(errors.c.id).where(*same, errors.c.resolved_at.is_(None))
            ).scalar()
            if known is None:
                return _inserted(connection, insert(errors).values(**row, at=now, times=1))
            connection.execute(
                update(errors).where(errors.c.id == known).values(at=now, times=errors.c.times + 1)
            )
            return int(known)

        return await from_store(self._store.run(work))

    def _named(self, page: str) -> str:
        try:
            return self._pages.resolve(page, "/page")
        except NotThere:
            # Other clients have other pages. The name is told to models: a name and no more.
            name = " ".join(_NOT_IN_NAMES.sub(" ", page).split())[:MAX_PAGE].strip()
            if not any(letter.isalnum() for letter in name):
                raise
            return name

    async def resolve_error(self, user: str, error_id: int) -> None:
        """Mark an error as dealt with. Raises NotThere where the user has no such error."""
        now = self._now()

        def work(connection: Connection) -> bool:
            from sqlalchemy import update

            from antiphon.storage.tables import page_errors as errors

            done = connection.execute(
                update(errors)
                .where(errors.c.id == error_id, errors.c.user == user)
                .values(resolved_at=now)
            )
            return done.rowcount == 1

        if not await from_store(self._store.run(work)):
            raise NotThere(f"There is no error {error_id}.")

    async def set_context(self, user: str, key: str, value: str) -> None:
        """Set what the person has in hand: `active_project`, `active_graph`, or anything else
        that the agent should know. An empty value removes it."""
        key, value = _line(key), _line(value)
        checked(_ContextEntry, {"key": key, "value": value}, WRONG)
        if key == CHOSEN:
            raise invalid([field_error("/key", "is the server's own", "another name")])
        await self._set_context(user, key, value)

    async def choose_project(self, user: str, name: str) -> None:
        """Set the project that the person chose; an empty name: none."""
        for key in PROJECT[1:]:  # another name for the same thing must not contradict it
            await self._set_context(user, key, "")
        for key in (PROJECT[0], CHOSEN):
            await self._set_context(user, key, _line(name))

    async def _set_context(self, user: str, key: str, value: str) -> None:
        now = self._now()

        def work(connection: Connection) -> None:
            from sqlalchemy import delete, func, select

            from antiphon.storage.tables import inserting
            from antiphon.storage.tables import page_context as context

            _prune(connection, user, now)
            own = context.c.user == user
            if not value:
                connection.execute(delete(context).where(own, context.c.key == key))
                return
            others = select(func.count()).where(own, context.c.key != key)
            if connection.execute(others).scalar_one() >= MAX_KEYS:
                raise ToolError(
                    ErrorType.CONFLICT,
                    f"There are {MAX_KEYS} other values already. Take one back first.",
                )
            row = {"user": user, "key": key, "value": value, "at": now}
            connection.execute(
                inserting(connection.dialect.name, context)
                .values(row)
                .on_conflict_do_update(
                    index_elements=["user", "key"], set_={"value": value, "at": now}
                )
            )

        await from_store(self._store.run(work))

    # -- what is known -------------------------------------------------------------------------

    async def recent_activity(self, user: str) -> dict[str, Any]:
        """Return everything of the last day: `visits` and `errors` (unresolved), newest first,
        `context`, and the `project` that the person chose. A visit that lasts has the seconds
        until now."""
        now = self._now()
        since = now - KEPT_SECONDS

        def work(connection: Connection) -> dict[str, Any]:
            from sqlalchemy import select

            from antiphon.storage.tables import page_context, page_errors, page_visits

            def rows(table: Table, *more: Any) -> list[dict[str, Any]]:
                found = connection.execute(
                    select(table)
                    .where(table.c.user == user, table.c.at > since, *more)
                    .order_by(table.c.at.desc(), *(c.desc() for c in table.primary_key))
                )
                return [dict(row._mapping) for row in found]

            context = {row["key"]: row["value"] for row in reversed(rows(page_context))}
            return {
                "project": context.pop(CHOSEN, ""),
                "visits": [_visit(row, now) for row in rows(page_visits)],
                "errors": [
                    _error(row) for row in rows(page_errors, page_errors.c.resolved_at.is_(None))
                ],
                "context": context,
            }

        return await from_store(self._store.run(work, writes=False))

    async def current_page(self, user: str) -> str | None:
        """Return the page that the person is on, as far as the console has reported; else None."""
        visits = (await self.recent_activity(user))["visits"]
        return visits[0]["page"] if visits and visits[0]["current"] else None

    async def report(self, user: str, pages: int = 5, errors: int = 3) -> dict[str, Any]:
        """Return `prompt`, `reports`, `recent_pages`, `unresolved_errors`, `page_stats` and
        `context`."""
        known = await self.recent_activity(user)
        return {
            "prompt": _prompt(known, self._now()),
            "reports": _reports(known, self._now()),
            "recent_pages": known["visits"][:pages],
            "unresolved_errors": known["errors"][:errors],
            "page_stats": _stats(known["visits"]),
            "context": known["context"],
        }

    async def prompt(self, user: str) -> str:
        """Return the section of a prompt that says what the person is doing: where they are and
        were in the workspace. Empty where nothing was reported."""
        return _prompt(await self.recent_activity(user), self._now())

    async def reports(self, user: str) -> str:
        """Return what pages have reported in words of their own: text of others, for no prompt."""
        return _reports(await self.recent_activity(user), self._now())


# -- rows ------------------------------------------------------------------------------------------


def _prune(connection: Connection, user: str, now: float) -> None:
    """Delete what is older than a day, of everybody, and what is too much of this user."""
    from sqlalchemy import delete, select

    from antiphon.storage.tables import page_context, page_errors, page_visits

    for table in (page_visits, page_errors, page_context):
        connection.execute(delete(table).where(table.c.at <= now - KEPT_SECONDS))
    for table, most in ((page_visits, MAX_VISITS), (page_errors, MAX_ERRORS)):
        # One more comes: the newest that have no place any more, and all before them.
        over = connection.execute(
            select(table.c.id)
            .where(table.c.user == user)
            .order_by(table.c.id.desc())
            .offset(most - 1)
            .limit(1)
        ).scalar()
        if over is not None:
            connection.execute(delete(table).where(table.c.user == user, table.c.id <= over))


def _inserted(connection: Connection, statement: Any) -> int:
    key = connection.execute(statement).inserted_primary_key
    assert key is not None
    return int(key[0])


def _visit(row: dict[str, Any], now: float) -> dict[str, Any]:
    lasts = row["seconds"] is None
    return {
        "id": row["id"],
        "page": row["page"],
        "at": row["at"],
        "seconds": round(max(0.0, now - row["at"]) if lasts else row["seconds"], 1),
        "current": lasts,
        "metadata": orjson.loads(row["details"]),
    }


def _error(row: dict[str, Any]) -> dict[str, Any]:
    names = ("id", "error_type", "message", "page", "at", "times")
    return {name: row[name] for name in names}


def _stats(visits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return `page`, `visits` and `seconds` of each page, the most visited first."""
    found: dict[str, dict[str, Any]] = {}
    for visit in visits:
        page = found.setdefault(visit["page"], {"page": visit["page"], "visits": 0, "seconds": 0.0})
        page["visits"] += 1
        page["seconds"] = round(page["seconds"] + visit["seconds"], 1)
    return sorted(found.values(), key=lambda each: (-each["visits"], -each["seconds"]))


def _json(details: dict[str, Any] | None) -> str:
    try:
        text = orjson.dumps(details or {})
    except (TypeError, ValueError) as error:
        raise invalid([field_error("/metadata", f"is no JSON: {error}", "JSON")]) from None
    if len(text) > MAX_DETAILS_BYTES:
        expected = f"at most {MAX_DETAILS_BYTES} bytes"
        raise invalid([field_error("/metadata", f"has {len(text)} bytes", expected)])
    return text.decode()


def _line(text: str) -> str:
    """Return a text on one line, without characters that would not be seen."""
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split())).strip()


# -- words -----------------------------------------------------------------------------------------


def _prompt(known: dict[str, Any], now: float) -> str:
    visits = [visit for visit in known["visits"] if visit["page"] in _TITLES]
    lines = []
    if visits and visits[0]["current"]:
        here = visits[0]
        lines.append(f"- They are on the page {_page(here)}, for {_span(here['seconds'])}.")
    earlier = list(dict.fromkeys(_page(v) for v in visits if not v["current"]))[:5]
    if earlier:
        lines.append(f"- Before that: {', '.join(earlier)}.")
    if visits:
        lines.append(f"- This visit to the workspace has lasted {_span(_session(visits, now))}.")
        most = [f"{e['page']} ({e['visits']})" for e in _stats(visits)[:3]]
        lines.append(f"- Most visited today: {', '.join(most)}.")
    project, graph = _in_hand(known)
    if project and project == known["project"]:
        lines.append(f"- Active project: {_quoted(project)}.")
    if _DATABASE_ID.fullmatch(graph):
        lines.append(f"- Active knowledge graph: {graph}.")
    if not lines:
        return ""
    told = "As the console reports it. Use this where it helps; do not recite it."
    return "\n".join(["## What the person is doing", "", told, "", *lines])


def _reports(known: dict[str, Any], now: float) -> str:
    errors, context = known["errors"], known["context"]
    others = [visit for visit in known["visits"] if visit["page"] not in _TITLES]
    lines = []
    if others and others[0]["current"]:
        here = others[0]
        lines.append(f"- They are on a page {_quoted(here['page'])}, {_span(here['seconds'])}.")
    earlier = list(dict.fromkeys(_quoted(v["page"]) for v in others if not v["current"]))[:5]
    if earlier:
        lines.append(f"- Before that: {', '.join(earlier)}.")
    for error in errors[:3]:
        times = f", {error['times']} times" if error["times"] > 1 else ""
        where = f" on {error['page']}" if error["page"] else ""
        kind, words = _quoted(error["error_type"]), _quoted(error["message"])
        ago = _span(now - error["at"])
        lines.append(f"- Not solved yet: {kind}{where}, {ago} ago{times}: {words}.")
    project, graph = _in_hand(known)
    if project and project != known["project"]:
        lines.append(f"- Active project: {_quoted(project)}.")
    if graph and not _DATABASE_ID.fullmatch(graph):
        lines.append(f"- Active knowledge graph: {_quoted(graph)}.")
    for key, value in context.items():
        if key not in (*PROJECT, *GRAPH):
            lines.append(f"- {_quoted(key)}: {_quoted(value)}.")
    return "\n".join(lines)


def _in_hand(known: dict[str, Any]) -> tuple[str, str]:
    """Return the project and the knowledge graph that the person has in hand; empty for none."""
    context = known["context"]
    project, graph = (
        next((str(context[name]) for name in names if name in context), "")
        for names in (PROJECT, GRAPH)
    )
    return project, graph


def _session(visits: list[dict[str, Any]], now: float) -> float:
    """Return for how many seconds the person has been here without a long break."""
    began = float(visits[0]["at"])
    for visit in visits[1:]:
        if visit["seconds"] > BREAK_SECONDS:
            break
        began = visit["at"]
    return max(0.0, now - began)


def _page(visit: dict[str, Any]) -> str:
    return f"{visit['page']} ({_TITLES.get(visit['page'], visit['page'])})"


def _quoted(text: str) -> str:
    # Without angle brackets nothing in it can end the block that it stands in.
    plain = text.replace('"', "'").replace("<", "\u2039").replace(">", "\u203a")
    return f'"{plain[:200]}"'


def _span(seconds: float) -> str:
    if seconds < 60:
        return "less than a minute"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} minute{'' if minutes == 1 else 's'}"
    hours, rest = divmod(minutes, 60)
    words = f"{hours} hour{'' if hours == 1 else 's'}"
    return words if not rest else f"{words} {rest} min"
