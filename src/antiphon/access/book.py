"""Access book: reads and audited changes of the access tables, the base of the directory."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, Select, select, text

from antiphon.access.credential_cache import CredentialCache
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import looked_up_name, shown
from antiphon.access.passwords import PasswordCost, Passwords
from antiphon.access.role_content import role_of
from antiphon.access.roles import BUILT_IN, Role, resolved, rights_of
from antiphon.access.rows import User
from antiphon.contracts.principal import Principal
from antiphon.contracts.rights import RightsError
from antiphon.storage import Store, StoreError
from antiphon.storage.clock import database_time
from antiphon.storage.tables import organisations, roles, user_groups, users
from antiphon.storage.writer import Transaction

Result = TypeVar("Result")

# Whoever changes users, groups or roles holds this until the change is committed.
_LOCK = 0x61636365
SERVER_WIDE = "organisations.manage"
# Whoever guesses tokens must not fill the audit.
REFUSALS_A_MINUTE = 100
GROUP_MARK = "group:"

log = logging.getLogger(__name__)


class Change:
    """An open transaction at a moment, and the audit lines that are committed with it."""

    __slots__ = ("connection", "lines", "now")

    def __init__(self, connection: Connection, lines: list[Any], now: float) -> None:
        self.connection = connection
        self.lines = lines
        self.now = now

    def record(self, event: str, *, by: str, **members: Any) -> None:
        """Add an audit line."""
        self.lines.append({"event": event, "by": by, **members})


class AccessBook:
    """The tables behind the directory.

    Without a `clock` times are those of the database, which is one clock for all nodes.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        cost: PasswordCost | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._passwords = Passwords(cost)
        self._cache: CredentialCache[Principal | AccessRefused] = CredentialCache(monotonic)
        self._users: CredentialCache[bool] = CredentialCache(monotonic)
        self._counted_from = monotonic()
        self._refusals = self._unrecorded = 0

    # -- transactions

    async def _read(self, work: Callable[[Change], Result]) -> Result:
        return await self._store.run(
            lambda connection: work(Change(connection, [], self._now(connection))), writes=False
        )

    async def _change(self, work: Callable[[Change], Result]) -> Result:
        """Carry out a change, alone among all nodes, with its audit lines, or nothing of it."""

        def alone(transaction: Transaction) -> Result:
            connection = transaction.connection
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            return work(Change(connection, transaction.lines, self._now(connection)))

        done = await self._store.transact(alone)
        self._cache.clear()
        self._users.clear()
        return done

    async def _write(self, work: Callable[[Change], Result]) -> Result:
        """Carry out a change of one row that does not depend on others."""
        return await self._store.transact(
            lambda to: work(Change(to.connection, to.lines, self._now(to.connection)))
        )

    async def _looked_up(
        self, key: str, credential: str, look: Callable[[], Awaitable[Principal]]
    ) -> Principal:
        """The principal that `look` finds, or found half a second ago. Raises AccessRefused, also
        when the store does not answer."""
        found = self._cache.find(key)
        if found is None:
            looked_at = self._monotonic()
            try:
                found = await look()
            except AccessRefused as refused:
                found = refused
                self._record_refusal(refused, credential)
            except StoreError as error:
                raise store_is_away(error) from error
            self._cache.keep(key, found, looked_at)
        if isinstance(found, AccessRefused):
            raise AccessRefused(found.reason, found.code)
        return found

    def _record_refusal(self, refused: AccessRefused, credential: str) -> None:
        """Add an audit line; of very many the rest is a number in a later one."""
        now = self._monotonic()
        if now - self._counted_from >= 60.0:
            self._counted_from, self._refusals = now, 0
        self._refusals += 1
        if self._refusals > REFUSALS_A_MINUTE:
            self._unrecorded += 1
            return
        details: dict[str, Any] = {"credential": credential[:40], "code": refused.code}
        if self._unrecorded:
            details["unrecorded"], self._unrecorded = self._unrecorded, 0
        self._store.append_audit({"event": "credential_refused", "by": "", "details": details})

    def record_refused_sign_in(self, way: str, refused: AccessRefused, **details: str) -> None:
        """Add an audit line of somebody who was not let in."""
        told = {"way": way, "code": refused.code, "reason": refused.reason[:300], **details}
        self._store.append_audit({"event": "sign_in_refused", "by": "", "details": told})

    def _now(self, connection: Connection) -> float:
        return database_time(connection) if self._clock is None else self._clock()

    # -- what several parts look up

    def _find_user(self, at: Change, name: str) -> Row[Any] | None:
        """The row of a user that was not removed."""
        return at.connection.execute(
            _present(select(users)).where(users.c.name == looked_up_name(name))
        ).one_or_none()

    def _user_row(self, at: Change, name: str) -> Row[Any]:
        """The same; raises AccessError where there is none."""
        row = self._find_user(at, name)
        if row is None:
            raise AccessError(f"There is no user {shown(name)}.", "missing")
        return row

    def _check_organisation(self, at: Change, id: str) -> None:
        if id and not at.connection.execute(select(organisations).filter_by(id=id)).first():
            raise AccessError(f"There is no organisation {shown(id)}.", "missing")

    def _roles_of(self, at: Change, organisation: str) -> dict[str, Role]:
        """The built-in roles and those of an organisation, by name."""
        own = at.connection.execute(select(roles).filter_by(organisation=organisation))
        return {**BUILT_IN, **{row.name: role_of(row.name, from_json(row.content)) for row in own}}

    def _group_roles(self, at: Change, user: Row[Any]) -> list[str]:
        groups = at.connection.execute(
            select(user_groups).filter_by(organisation=user.organisation).order_by("name")
        )
        return [
            name
            for group in groups
            if user.name in from_json(group.members)
            for name in from_json(group.roles)
        ]

    def _people(self, at: Change, organisation: str, approves: Iterable[str]) -> frozenset[str]:
        """The users that `approves` of roles means, groups as they are now; or `*`."""
        named = set(approves)
        if "*" in named:
            return frozenset("*")
        members = {
            GROUP_MARK + row.name: from_json(row.members)
            for row in at.connection.execute(
                select(user_groups).filter_by(organisation=organisation)
            )
        }
        found = {looked_up_name(each) for each in named if not each.startswith(GROUP_MARK)} - {""}
        return frozenset(found.union(*(members.get(each, ()) for each in named)))

    def _resolve(
        self,
        at: Change,
        user: Row[Any],
        credential: str,
        bounds: Mapping[str, tuple[str, ...] | None],
    ) -> Principal:
        """The principal of a user who may act. Raises AccessRefused."""
        if user.disabled:
            raise AccessRefused(
                f"The user {shown(user.name)} is disabled. An administrator can enable it again.",
                "disabled",
            )
        names = [*from_json(user.roles), *self._group_roles(at, user)]
        try:
            found = resolved(names, self._roles_of(at, user.organisation))
            rights = rights_of(found, **bounds)
        except RightsError as error:
            raise AccessRefused(
                f"The roles of {shown(user.name)} cannot be used: {error}", "forbidden"
            ) from None
        withheld = {SERVER_WIDE} if user.organisation else set()
        rights = replace(
            rights,
            permissions=rights.permissions - withheld,
            approves=self._people(at, user.organisation, rights.approves),
        )
        return Principal(
            user.name,
            organisation=user.organisation,
            roles=tuple(role.name for role in found),
            rights=rights,
            credential=credential,
        )


def user_of(row: Row[Any]) -> User:
    """A user as they are shown: without the hash of the password."""
    return User(
        name=row.name,
        organisation=row.organisation,
        display_name=row.display_name,
        email=row.email,
        roles=tuple(from_json(row.roles)),
        has_password=row.password is not None,
        identity=None if row.identity is None else tuple(from_json(row.identity)),
        disabled=row.disabled,
        created_at=row.created_at,
        updated_at=row.updated_at,
        signed_in_at=row.signed_in_at,
    )


def store_is_away(error: StoreError) -> AccessRefused:
    """The refusal while nobody can be looked up."""
    log.error("nobody can be let in: %s", error)
    return AccessRefused(
        "The server cannot look up who you are right now. Try again in a moment.", "unavailable"
    )


def _present(statement: Select[Any]) -> Select[Any]:
    return statement.where(users.c.removed_at.is_(None))


def hash_of(secret: str) -> str:
    """What is kept of a secret: its SHA-256. It is random, so that nothing slower is needed."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def from_json(text: str) -> Any:
    return json.loads(text)
