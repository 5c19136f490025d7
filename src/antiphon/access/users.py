"""Users of the directory: made, changed, disabled and removed, and their passwords."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from antiphon.access.book import (
    AccessBook,
    Change,
    from_json,
    store_is_away,
    to_json,
    user_of,
)
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.groups import join_groups
from antiphon.access.names import label, name_key, shown, user_name
from antiphon.access.passwords import check_length
from antiphon.access.roles import resolved
from antiphon.access.rows import User
from antiphon.contracts.principal import Principal
from antiphon.storage import StoreError
from antiphon.storage.tables import (
    browser_sessions,
    passkeys,
    service_tokens,
    single_use,
    users,
)

ADMIN = "admin"
MAX_EMAIL = 254
_UNCHANGED: Any = object()


class UserBook(AccessBook):
    """The users. Their names are unique on the server, those of removed ones included."""

    async def create_user(
        self,
        name: str,
        *,
        organisation: str = "",
        display_name: str = "",
        email: str = "",
        roles: Iterable[str] = ("member",),
        groups: Iterable[str] = (),
        password: str | None = None,
        identity: tuple[str, str] | None = None,
        by: str,
    ) -> User:
        """Make a user. The first one must be an `admin` of the first organisation. Raises
        AccessError, RightsError for a role that is not there."""
        hashed = None if password is None else await self._passwords.hash(password)
        values = new_user(
            name,
            organisation=organisation,
            display_name=display_name,
            email=email,
            roles=tuple(dict.fromkeys(roles)),
            password=hashed,
            identity=identity,
        )
        joined = tuple(groups)
        return await self._change(lambda at: self._create(at, values, by, joined))

    def _create(
        self, at: Change, values: dict[str, Any], by: str, groups: Iterable[str] = ()
    ) -> User:
        name, organisation = values["name"], values["organisation"]
        self._check_organisation(at, organisation)
        self._check_roles(at, organisation, values["roles"])
        self._check_free(at, name, organisation)
        if organisation or ADMIN not in values["roles"]:
            self._check_admin_left(at)
        at.connection.execute(
            insert(users).values(
                **{
                    **values,
                    "roles": to_json(values["roles"]),
                    "identity": self._free_identity(at, name, values["identity"]),
                },
                name_key=name_key(name),
                disabled=False,
                created_at=at.now,
                updated_at=at.now,
            )
        )
        made = self._user_row(at, name)
        at.record(
            "user_created",
            by=by,
            user=name,
            organisation=organisation,
            details={
                "roles": list(values["roles"]),
                "groups": join_groups(at, made, groups),
                "password": values["password"] is not None,
            },
        )
        return user_of(made)

    async def has_users(self) -> bool:
        """Whether there is a user, or was one, as it was half a second ago at most. Raises
        AccessRefused when the store does not answer."""
        known = self._users.find("")
        if known is None:
            looked_at = self._monotonic()
            try:
                known = await self._read(has_users)
            except StoreError as error:
                raise store_is_away(error) from error
            self._users.keep("", known, looked_at)
        return known

    async def user(self, name: str) -> User | None:
        """The user of that name, in whatever case it is written; None: there is none."""

        def work(at: Change) -> User | None:
            row = self._find_user(at, name)
            return None if row is None else user_of(row)

        return await self._read(work)

    async def users(self, organisation: str | None = None) -> list[User]:
        """The users of an organisation, or all of them, by name."""
        statement = select(users).where(users.c.removed_at.is_(None)).order_by(users.c.name)
        if organisation is not None:
            statement = statement.where(users.c.organisation == organisation)
        return await self._read(
            lambda at: [user_of(row) for row in at.connection.execute(statement)]
        )

    async def user_of_identity(self, issuer: str, subject: str) -> User | None:
        """The user whom an identity provider knows by that subject."""
        wanted = select(users).where(
            users.c.identity == to_json([issuer, subject]), users.c.removed_at.is_(None)
        )

        def work(at: Change) -> User | None:
            row = at.connection.execute(wanted).one_or_none()
            return None if row is None else user_of(row)

        return await self._read(work)

    async def change_user(
        self,
        name: str,
        *,
        by: str,
        display_name: str | None = None,
        email: str | None = None,
        roles: Iterable[str] | None = None,
        groups: Iterable[str] | None = None,
        disabled: bool | None = None,
        identity: tuple[str, str] | None = _UNCHANGED,
    ) -> User:
        """Change what is given. Disabling ends all browser sessions. Raises AccessError also for
        the last administrator, who must stay one; RightsError for a role that is not there."""
        values: dict[str, Any] = {}
        if display_name is not None:
            values["display_name"] = label(display_name, "The display name", "display_name")
        if email is not None:
            values["email"] = label(email, "The e-mail address", "email", limit=MAX_EMAIL)
        if roles is not None:
            values["roles"] = to_json(list(dict.fromkeys(roles)))
        if disabled is not None:
            values["disabled"] = bool(disabled)
        joined = None if groups is None else tuple(groups)

        def work(at: Change) -> User:
            row = self._user_row(at, name)
            if roles is not None:
                self._check_roles(at, row.organisation, from_json(values["roles"]))
            if identity is not _UNCHANGED:
                values["identity"] = self._free_identity(at, row.name, identity)
            if not values and joined is None:
                return user_of(row)
            now_in = None if joined is None else join_groups(at, row, joined)
            at.connection.execute(
                update(users).where(users.c.name == row.name).values(**values, updated_at=at.now)
            )
            changed = self._user_row(at, row.name)
            if _is_admin(row) and not _is_admin(changed):
                self._check_admin_left(at, "disabled" if changed.disabled else "roles")
            if changed.disabled:
                self._end_everything(at, row.name)
            self._record_change(at, row, changed, by, now_in)
            return user_of(changed)

        return await self._change(work)

    def _record_change(
        self, at: Change, before: Row[Any], after: Row[Any], by: str, groups: list[str] | None
    ) -> None:
        shown_fields = ("display_name", "email", "roles", "disabled", "identity")
        changed = [each for each in shown_fields if getattr(before, each) != getattr(after, each)]
        details: dict[str, Any] = {"fields": changed}
        if "roles" in changed:
            details["roles"] = from_json(after.roles)
        if "disabled" in changed:
            details["disabled"] = after.disabled
        if groups is not None:
            details["groups"] = groups
        at.record(
            "user_changed",
            by=by,
            user=after.name,
            organisation=after.organisation,
            details=details,
        )

    async def remove_user(self, name: str, by: str) -> None:
        """Remove a user, their credentials and memberships. The name stays taken: what they made
        is still theirs, and must not become somebody else's."""

        def work(at: Change) -> None:
            row = self._user_row(at, name)
            at.connection.execute(
                update(users)
                .where(users.c.name == row.name)
                .values(
                    removed_at=at.now,
                    updated_at=at.now,
                    disabled=True,
                    roles="[]",
                    display_name="",
                    email="",
                    password=None,
                    identity=None,
                )
            )
            if _is_admin(row):
                self._check_admin_left(at, "")
            self._end_everything(at, row.name)
            join_groups(at, row, ())
            at.connection.execute(delete(passkeys).where(passkeys.c.user == row.name))
            at.connection.execute(
                update(service_tokens)
                .where(service_tokens.c.user == row.name, service_tokens.c.revoked_at.is_(None))
                .values(revoked_at=at.now)
            )
            at.record("user_removed", by=by, user=row.name, organisation=row.organisation)

        await self._change(work)

    # -- passwords

    async def set_password(self, name: str, password: str, by: str) -> None:
        """Set a user's password; all their browser sessions and links end. Raises AccessError."""
        hashed = await self._passwords.hash(password)
        await self._change(lambda at: self._keep_password(at, name, hashed, by))

    def _keep_password(
        self, at: Change, name: str, hashed: str, by: str, session: str = ""
    ) -> None:
        row = self._user_row(at, name)
        at.connection.execute(
            update(users).where(users.c.name == row.name).values(password=hashed, updated_at=at.now)
        )
        self._end_everything(at, row.name, session)
        at.record("password_set", by=by, user=row.name, organisation=row.organisation)

    async def check_password(self, name: str, password: str) -> User | None:
        """The user if the password is theirs and they may sign in; None otherwise, after the same
        work whether there is such a user or not. A refusal is in the audit."""
        row = await self._read(lambda at: self._find_user(at, name))
        kept = None if row is None else row.password
        fits = await self._passwords.verify(kept, password)
        if row is None or kept is None or not fits or row.disabled:
            self._store.append_audit(
                {
                    "event": "sign_in_refused",
                    # What is no name may be a password that was typed in the wrong place.
                    "by": "" if row is None else row.name,
                    "user": "" if row is None else row.name,
                    "details": {"way": "password", "code": _refusal(row, fits)},
                }
            )
            return None
        if self._passwords.is_outdated(kept):
            await self._rehash(row.name, kept, password)
        return user_of(row)

    async def _rehash(self, name: str, kept: str, password: str) -> None:
        try:
            check_length(password)
        except AccessError:
            return
        hashed = await self._passwords.hash(password)
        same = (users.c.name == name) & (users.c.password == kept)
        statement = update(users).where(same).values(password=hashed)
        await self._store.run(lambda connection: connection.execute(statement))

    # -- principals

    async def principal(
        self,
        name: str,
        *,
        credential: str = "",
        permissions: tuple[str, ...] | None = None,
        tools: tuple[str, ...] | None = None,
    ) -> Principal:
        """The principal of a user, with the roles of the user and of their groups; `permissions`
        and `tools` bound it. Raises AccessRefused."""
        bounds = {"permissions": permissions, "tools": tools}

        def work(at: Change) -> Principal:
            row = self._find_user(at, name)
            if row is None:
                raise AccessRefused(f"There is no user {shown(name)}.", "unknown")
            return self._resolve(at, row, credential, bounds)

        return await self._read(work)

    # -- checks

    def _check_roles(self, at: Change, organisation: str, names: Iterable[str]) -> None:
        resolved(names, self._roles_of(at, organisation))

    def _check_free(self, at: Change, name: str, organisation: str) -> None:
        taken = at.connection.execute(
            select(users).where(users.c.name_key == name_key(name))
        ).one_or_none()
        if taken is None:
            return
        if taken.removed_at is not None:
            said = "was the name of a user who was removed, or looks like it"
        elif taken.name == name:
            said = "is taken"
        elif taken.organisation != organisation:
            said = "looks like that of a user of another organisation"
        else:
            said = f"looks like {shown(taken.name)}, which is taken"
        raise AccessError(
            f"The user name {shown(name)} {said}. Choose another one.", "conflict", field="name"
        )

    def _free_identity(self, at: Change, name: str, identity: tuple[str, str] | None) -> str | None:
        if identity is None:
            return None
        kept = to_json(list(identity))
        owner = at.connection.execute(
            select(users.c.name).where(users.c.identity == kept, users.c.name != name)
        ).scalar()
        if owner is not None:
            raise AccessError(
                f"This identity belongs to the user {shown(owner)} already.", "conflict"
            )
        return kept

    def _check_admin_left(self, at: Change, field: str = "roles") -> None:
        """Raise AccessError, about `field`, unless there is an administrator of the first
        organisation."""
        rows = at.connection.execute(
            select(users).where(
                users.c.organisation == "",
                users.c.disabled.is_(False),
                users.c.removed_at.is_(None),
            )
        )
        if not any(_is_admin(row) for row in rows):
            raise AccessError(
                "The server would be left without an administrator. Make another user of the first "
                "organisation an `admin` first.",
                "conflict",
                field=field,
            )

    def _end_everything(self, at: Change, name: str, session: str = "") -> None:
        """End the browser sessions of a user but that one, and what was issued to them for one
        use."""
        at.connection.execute(
            update(browser_sessions)
            .where(
                browser_sessions.c.user == name,
                browser_sessions.c.ended_at.is_(None),
                browser_sessions.c.id != session,
            )
            .values(ended_at=at.now)
        )
        at.connection.execute(
            delete(single_use).where(single_use.c.user == name, single_use.c.used_at.is_(None))
        )


def new_user(
    name: str,
    *,
    organisation: str = "",
    display_name: str = "",
    email: str = "",
    roles: tuple[str, ...],
    password: str | None,
    identity: tuple[str, str] | None = None,
) -> dict[str, Any]:
    """What is kept of a new user; `password` is its hash. Raises AccessError."""
    return {
        "name": user_name(name),
        "organisation": organisation,
        "display_name": label(display_name, "The display name", "display_name"),
        "email": label(email, "The e-mail address", "email", limit=MAX_EMAIL),
        "roles": roles,
        "password": password,
        "identity": identity,
    }


def has_users(at: Change) -> bool:
    """Whether there is a user, or was one: names stay taken."""
    return at.connection.execute(select(users.c.name).limit(1)).first() is not None


def _is_admin(row: Row[Any]) -> bool:
    """Whether a user by themselves is an active administrator of the first organisation."""
    return (
        not row.organisation
        and not row.disabled
        and row.removed_at is None
        and ADMIN in from_json(row.roles)
    )


def _refusal(row: Row[Any] | None, fits: bool) -> str:
    if row is None:
        return "unknown"
    if row.password is None:
        return "no_password"
    return "disabled" if fits else "wrong"
