"""Single use: secrets of the directory that are good once, and the links that set a password."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Mapping
from typing import Any, Literal, TypeVar

from sqlalchemy import Row, delete, insert, select, update

from antiphon.access.book import Change, from_json, hash_of, store_is_away, to_json, user_of
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import shown
from antiphon.access.rows import SingleUse, User
from antiphon.access.service_tokens import check_clock
from antiphon.access.users import ADMIN, UserBook, has_users, new_user
from antiphon.storage import StoreError
from antiphon.storage.owners import names_in
from antiphon.storage.tables import single_use

Purpose = Literal["ticket", "link", "oidc", "passkey"]
TICKET_SECONDS = 30.0
LINK_SECONDS = 24 * 3600.0
_NEW = "Ask for a new one."
_WORDS: Mapping[str, str] = {
    "ticket": "ticket",
    "link": "link",
    "oidc": "sign-in",
    "passkey": "sign-in",
}

Result = TypeVar("Result")


class SingleUseBook(UserBook):
    """What is good for one use. Of a secret only its hash is kept."""

    async def issue(
        self,
        purpose: Purpose,
        user: str,
        seconds: float,
        content: Mapping[str, Any] | None = None,
    ) -> str:
        """Issue a secret for one use within so many seconds; `user` is whose it is, '' nobody's."""
        return await self._write(lambda at: _issue(at, purpose, user, seconds, content or {}))

    async def peek(self, purpose: Purpose, secret: str) -> SingleUse:
        """What a secret would be used for; it stays good. Raises AccessRefused."""
        return await self._redeeming(
            self._read(lambda at: self._valid(at, purpose, secret)), purpose
        )

    async def redeem(self, purpose: Purpose, secret: str) -> SingleUse:
        """Use a secret, once. Raises AccessRefused."""
        return await self._redeeming(
            self._write(lambda at: self._redeem(at, purpose, secret)), purpose
        )

    async def make_link(self, user: str, *, by: str, seconds: float = LINK_SECONDS) -> str:
        """The secret of a link by which a user sets a password; earlier ones are over. Raises
        AccessError."""

        def work(at: Change) -> str:
            row = self._user_row(at, user)
            if row.disabled:
                raise AccessError(
                    f"The user {row.name!r} is disabled. Enable it first.", "conflict"
                )
            _end_links(at, row.name)
            at.record("sign_in_link_made", by=by, user=row.name, organisation=row.organisation)
            return _issue(at, "link", row.name, seconds, {"does": "password"})

        return await self._change(work)

    async def links(self, organisation: str | None = None) -> list[SingleUse]:
        """The links that were made for users and are still good, oldest first."""

        def work(at: Change) -> list[SingleUse]:
            wanted = select(single_use).where(
                single_use.c.purpose == "link",
                single_use.c.user != "",
                single_use.c.used_at.is_(None),
                single_use.c.expires_at > at.now,
            )
            if organisation is not None:
                wanted = wanted.where(single_use.c.user.in_(names_in(organisation)))
            rows = at.connection.execute(wanted.order_by(single_use.c.created_at))
            return [_single_use_of(row) for row in rows]

        return await self._read(work)

    async def withdraw_link(self, user: str, by: str) -> None:
        """End the link of a user. Raises AccessError where there is none."""

        def work(at: Change) -> None:
            row = self._user_row(at, user)
            if not _end_links(at, row.name):
                raise AccessError(f"There is no link for {shown(row.name)}.", "missing")
            at.record("sign_in_link_withdrawn", by=by, user=row.name, organisation=row.organisation)

        await self._change(work)

    async def make_first_link(self, *, by: str, seconds: float = LINK_SECONDS) -> str | None:
        """The secret of a link that makes the first administrator; earlier ones are over. None:
        there are users."""

        def work(at: Change) -> str | None:
            if has_users(at):
                return None
            _end_links(at, "")
            at.record("sign_in_link_made", by=by, user="", details={"for": "first administrator"})
            return _issue(at, "link", "", seconds, {"does": "first_admin"})

        return await self._change(work)

    async def accept_link(self, secret: str, password: str, *, name: str | None = None) -> User:
        """Use a link: set the password of its user, or make the first administrator of that
        `name`. Raises AccessRefused, and AccessError for a name or password that cannot be taken:
        the link is still good then."""
        hashed = await self._passwords.hash(password)

        def work(at: Change) -> User:
            used = self._redeem(at, "link", secret)
            if used.content.get("does") != "first_admin":
                self._keep_password(at, used.user, hashed, used.user)
                return user_of(self._user_row(at, used.user))
            if name is None:
                raise AccessError("The first administrator needs a user name.", field="user")
            if has_users(at):
                raise AccessRefused("There is an administrator already. Sign in.", "used")
            return self._create(at, new_user(name, roles=(ADMIN,), password=hashed), "link")

        return await self._redeeming(self._change(work), "link")

    async def _redeeming(self, use: Awaitable[Result], purpose: Purpose) -> Result:
        try:
            return await use
        except AccessRefused as refused:
            self._record_refusal(refused, purpose)
            raise
        except StoreError as error:
            raise store_is_away(error) from error

    def _redeem(self, at: Change, purpose: Purpose, secret: str) -> SingleUse:
        found = self._valid(at, purpose, secret)
        used = at.connection.execute(
            update(single_use)
            .where(single_use.c.hash == hash_of(secret), single_use.c.used_at.is_(None))
            .values(used_at=at.now)
        )
        if not used.rowcount:
            raise _is_used(purpose)
        return found

    def _valid(self, at: Change, purpose: Purpose, secret: str) -> SingleUse:
        row = at.connection.execute(
            select(single_use).where(single_use.c.hash == hash_of(secret))
        ).one_or_none()
        if row is None:
            raise AccessRefused(f"This {_WORDS[purpose]} is not known here. {_NEW}", "unknown")
        if row.purpose != purpose:
            raise AccessRefused(f"This is no {_WORDS[purpose]}. {_NEW}", "foreign")
        if row.used_at is not None:
            raise _is_used(purpose)
        if at.now >= row.expires_at:
            raise AccessRefused(f"This {_WORDS[purpose]} has expired. {_NEW}", "expired")
        check_clock(row.created_at, at.now)
        if row.user:
            owner = self._find_user(at, row.user)
            if owner is None or owner.disabled:
                raise AccessRefused(
                    f"The user of this {_WORDS[purpose]} may not sign in any more.", "disabled"
                )
        return _single_use_of(row)


def link_address(base: str, secret: str) -> str:
    """The address of a link, under that of the server. The secret is behind the `#`: a browser
    does not send it, so that no log and no other site has it."""
    return f"{base.rstrip('/')}/#/link/{secret}"


def _is_used(purpose: Purpose) -> AccessRefused:
    return AccessRefused(f"This {_WORDS[purpose]} was used already. {_NEW}", "used")


def _single_use_of(row: Row[Any]) -> SingleUse:
    return SingleUse(row.purpose, row.user, row.created_at, row.expires_at, from_json(row.content))


def _end_links(at: Change, user: str) -> int:
    """Forget the links of a user that were not used; return how many there were."""
    return at.connection.execute(
        delete(single_use).where(
            single_use.c.user == user,
            single_use.c.purpose == "link",
            single_use.c.used_at.is_(None),
        )
    ).rowcount


def _issue(
    at: Change, purpose: Purpose, user: str, seconds: float, content: Mapping[str, Any]
) -> str:
    secret = secrets.token_urlsafe(32)
    at.connection.execute(
        insert(single_use).values(
            hash=hash_of(secret),
            purpose=purpose,
            user=user,
            content=to_json(dict(content)),
            created_at=at.now,
            expires_at=at.now + seconds,
        )
    )
    return secret
