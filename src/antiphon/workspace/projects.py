"""Projects: what a person works on, each under a name that is theirs alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal
from uuid import uuid4

from pydantic import AfterValidator, Field

from antiphon.contracts import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.errors import from_store
from antiphon.workspace.name_matching import match_name
from antiphon.workspace.validation import FieldProblem, Line, StrictModel, checked

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

MAX_PROJECTS = 500
MAX_NAME = 100
MAX_DESCRIPTION = 2000
ProjectStatus = Literal["active", "paused", "done"]
_FILLER = ("the", "my", "a", "project", "called", "named")


@dataclass(frozen=True, slots=True)
class Project:
    """A project of a person. Times are epoch seconds."""

    id: str
    name: str
    description: str
    status: str
    created_at: float
    updated_at: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Projects:
    """The projects of every user, each apart from the others. All methods raise ToolError and
    nothing else."""

    def __init__(self, store: Store, *, now: Callable[[], float] = time.time) -> None:
        self._store = store
        self._now = now

    async def all(self, user: str) -> list[Project]:
        """Return the projects of a user, the one that was changed last first."""
        return await from_store(self._store.run(lambda to: _all(to, user), writes=False))

    async def find(self, user: str, wanted: str) -> Project:
        """Return the project of that id or name. Raises NotThere with the nearest names."""
        return _find(await self.all(user), wanted)

    async def create(
        self, user: str, name: str, description: str = "", *, key: str | None = None
    ) -> Project:
        """Create a project. Raises VALIDATION, or CONFLICT where a project of that name is there
        already.

        With `key`, creating the same project again gives the one that was created.
        """
        name, description = " ".join(name.split()), description.strip()
        _check(name, description)
        made = sha256((key or uuid4().hex).encode()).hexdigest()[:12]
        now = self._now()

        def work(connection: Connection) -> Project:
            from antiphon.storage.tables import inserting, projects

            there = _all(connection, user)
            for other in there:
                if _name_key(other.name) == _name_key(name):
                    return _same_or_taken(other, made)
            if len(there) >= MAX_PROJECTS:
                raise ToolError(
                    ErrorType.CONFLICT,
                    f"There are {MAX_PROJECTS} projects already. Delete one first.",
                )
            project = Project(made, name, description, "active", now, now)
            row = {**asdict(project), "user": user, "name_key": _name_key(name)}
            statement = inserting(connection.dialect.name, projects).values(row)
            entered = statement.on_conflict_do_nothing().returning(projects.c.id)
            if connection.execute(entered).first() is None:  # another node was quicker
                return _same_or_taken(_find(_all(connection, user), name), made)
            return project

        return await from_store(self._store.run(work))

    async def update(
        self,
        user: str,
        wanted: str,
        *,
        name: str | None = None,
        description: str | None = None,
        status: str | None = None,
    ) -> Project:
        """Change what is given of a project. Raises NotThere, VALIDATION, or CONFLICT for a name
        in use."""
        now = self._now()

        def work(connection: Connection) -> Project:
            from sqlalchemy import update

            from antiphon.storage.tables import projects

            there = _all(connection, user)
            old = _find(there, wanted)
            changed = Project(
                old.id,
                old.name if name is None else " ".join(name.split()),
                old.description if description is None else description.strip(),
                old.status if status is None else status,
                old.created_at,
                now,
            )
            _check(changed.name, changed.description, changed.status)
            for other in there:
                if other.id != old.id and _name_key(other.name) == _name_key(changed.name):
                    raise _taken(other)
            values = {**asdict(changed), "name_key": _name_key(changed.name)}
            connection.execute(update(projects).where(projects.c.id == old.id).values(values))
            return changed

        return await from_store(self._store.run(work))

    async def delete(self, user: str, wanted: str) -> Project:
        """Delete a project and return it. Raises NotThere."""

        def work(connection: Connection) -> Project:
            from sqlalchemy import delete

            from antiphon.storage.tables import projects

            old = _find(_all(connection, user), wanted)
            connection.execute(delete(projects).where(projects.c.id == old.id))
            return old

        return await from_store(self._store.run(work))


def _all(connection: Connection, user: str) -> list[Project]:
    from sqlalchemy import select

    from antiphon.storage.tables import projects

    rows = connection.execute(
        select(projects)
        .where(projects.c.user == user)
        .order_by(projects.c.updated_at.desc(), projects.c.name)
    )
    return [_project(row) for row in rows]


def _project(row: Row[Any]) -> Project:
    return Project(row.id, row.name, row.description, row.status, row.created_at, row.updated_at)


def _find(there: list[Project], wanted: str) -> Project:
    by_id = {project.id: project for project in there}
    if wanted.strip() in by_id:
        return by_id[wanted.strip()]
    # By name, as the nearest are to be names that people know.
    by_name = {project.name: project for project in there}
    return by_name[match_name(wanted, dict.fromkeys(by_name, ()), "project", "/project", _FILLER)]


def _name_key(name: str) -> str:
    return name.casefold()


def _same_or_taken(other: Project, made: str) -> Project:
    """Return the project of that name if it was made by the same call. Raises CONFLICT
    otherwise."""
    if other.id != made:
        raise _taken(other)
    return other


def _taken(other: Project) -> ToolError:
    return ToolError(
        ErrorType.CONFLICT,
        f"There is a project {other.name!r} already ({other.id}). Choose another name, or go on "
        "with that one.",
        project_id=other.id,
    )


def _no_null(text: str) -> str:
    if "\0" in text:
        raise FieldProblem("has a null character", "plain text")
    return text


class _ProjectFields(StrictModel):
    name: Line = Field(max_length=MAX_NAME)
    description: Annotated[str, AfterValidator(_no_null)] = Field(max_length=MAX_DESCRIPTION)
    status: ProjectStatus = "active"


def _check(name: str, description: str, status: str = "active") -> None:
    fields = {"name": name, "description": description, "status": status}
    checked(_ProjectFields, fields, "The project was not saved")
