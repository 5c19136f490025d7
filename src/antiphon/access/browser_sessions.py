"""Browser sessions of the directory: begun, renewed, ended, and the principals behind them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hmac import compare_digest
from math import inf, nextafter
from typing import Any

from sqlalchemy import Row, insert, select, update

from antiphon.access.book import Change, hash_of, store_is_away
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import shown
from antiphon.access.rows import BrowserSession
from antiphon.access.service_tokens import ID_PREFIX as TOKEN_PREFIX
from antiphon.access.service_tokens import (
    TOUCH_SECONDS,
    TokenBook,
    check_clock,
    check_network,
    find_token,
    shown_id,
)
from antiphon.contracts.principal import Principal
from antiphon.storage import StoreError
from antiphon.storage.tables import browser_sessions, users

ID_PREFIX = "b"
MAX_AGENT = 200
_AGAIN = "Sign in again."


@dataclass(frozen=True, slots=True)
class SessionLifetimes:
    """Seconds: without a request, in all, until the secret is renewed, and for how long the one
    before is taken then."""

    idle: float = 12 * 3600.0
    absolute: float = 14 * 86_400.0
    rotation: float = 15 * 60.0
    grace: float = 30.0


class SessionBook(TokenBook):
    """The browser sessions. Their secret changes now and then; of it only the hash is kept."""

    lifetimes = SessionLifetimes()

    async def begin_session(
        self, user: str, way: str, agent: str = ""
    ) -> tuple[BrowserSession, str]:
        """Begin a session of a user who has shown who they are; return it with its secret. Raises
        AccessRefused for a user who is disabled or not there."""
        own_id = ID_PREFIX + secrets.token_hex(16)
        secret = new_secret(own_id)

        def work(at: Change) -> BrowserSession:
            row = self._find_user(at, user)
            if row is None:
                raise AccessRefused(f"There is no user {shown(user)}.", "unknown")
            self._resolve(at, row, own_id, {})
            at.connection.execute(
                insert(browser_sessions).values(
                    id=own_id,
                    hash=hash_of(secret),
                    user=row.name,
                    way=way,
                    agent="".join(each for each in agent[:MAX_AGENT] if each.isprintable()),
                    created_at=at.now,
                    used_at=at.now,
                    rotated_at=at.now,
                    expires_at=at.now + self.lifetimes.absolute,
                )
            )
            at.connection.execute(
                update(users).where(users.c.name == row.name).values(signed_in_at=at.now)
            )
            at.record(
                "signed_in",
                by=row.name,
                user=row.name,
                organisation=row.organisation,
                details={"way": way, "session": own_id},
            )
            return _session_of(_row(at, own_id))

        return await self._write(work), secret

    async def principal_of_session(self, secret: str) -> tuple[Principal, str | None]:
        """The principal behind a secret, and the secret to use from now on where it was renewed.
        Raises AccessRefused. An old secret that comes back late ends the session once the new one
        was used: somebody else may have it. If nobody has, the answer with it was lost."""
        own_id = shown_id(secret, ".")
        digest = hash_of(secret)
        renewed: list[str] = []

        async def look() -> Principal:
            def work(at: Change) -> tuple[Row[Any], Principal, float]:
                row = _find(at, own_id)
                current = row is not None and compare_digest(row.hash, digest)
                if row is None or not (current or _is_previous(row, digest)):
                    raise AccessRefused(f"This session is not known here. {_AGAIN}", "unknown")
                return row, self._session_principal(at, row), at.now

            row, principal, now = await self._read(work)
            is_new_used = row.used_at != row.rotated_at
            if not compare_digest(row.hash, digest):
                if now - row.rotated_at > self.lifetimes.grace:
                    if is_new_used:
                        await self._end_stolen(row)
                        raise AccessRefused(
                            f"This session was ended, as an old secret of it was used. {_AGAIN}",
                            "used",
                        )
                    renewed.extend(await self._write(lambda at: self._rotate(at, row, digest)))
            elif now - row.rotated_at >= self.lifetimes.rotation:
                renewed.extend(await self._write(lambda at: self._rotate(at, row, digest)))
            elif abs(now - row.used_at) >= TOUCH_SECONDS or not is_new_used:
                await self._write(
                    lambda at: at.connection.execute(
                        update(browser_sessions)
                        .where(browser_sessions.c.id == own_id)
                        .values(used_at=max(at.now, nextafter(row.rotated_at, inf)))
                    )
                )
            return principal

        principal = await self._looked_up(digest, own_id, look)
        return principal, renewed[0] if renewed else None

    async def recheck(self, principal: Principal) -> Principal:
        """The same principal as of now, for a socket or stream that is open: with today's rights.
        Raises AccessRefused once its token or session is over."""
        own_id = principal.credential

        async def look() -> Principal:
            return await self._read(lambda at: self._of_credential(at, own_id))

        return await self._looked_up(f"id {own_id}", own_id, look)

    async def recheck_all(
        self, credentials: Iterable[str]
    ) -> Mapping[str, Principal | AccessRefused]:
        """The same for many credentials by their ids, past what was found a moment ago. Raises
        AccessRefused when the store does not answer."""
        asked = list(credentials)

        def work(at: Change) -> dict[str, Principal | AccessRefused]:
            found: dict[str, Principal | AccessRefused] = {}
            for own_id in asked:
                try:
                    found[own_id] = self._of_credential(at, own_id)
                except AccessRefused as refused:
                    found[own_id] = refused
            return found

        try:
            outcomes = await self._read(work)
        except StoreError as error:
            raise store_is_away(error) from error
        for own_id, outcome in outcomes.items():
            if isinstance(outcome, AccessRefused):
                self._record_refusal(outcome, own_id)
                self._cache.clear()  # it may have been in force there
        return outcomes

    async def session(self, id: str) -> BrowserSession:
        """The session of that id. Raises AccessError."""
        return await self._read(lambda at: _session_of(_row(at, id)))

    async def sessions_of(self, user: str) -> list[BrowserSession]:
        """The sessions of a user that are not over, the newest first."""

        def work(at: Change) -> list[BrowserSession]:
            wanted = (
                select(browser_sessions)
                .where(
                    browser_sessions.c.user == self._user_row(at, user).name,
                    browser_sessions.c.ended_at.is_(None),
                    browser_sessions.c.expires_at > at.now,
                    browser_sessions.c.used_at > at.now - self.lifetimes.idle,
                )
                .order_by(browser_sessions.c.created_at.desc(), browser_sessions.c.id)
            )
            return [_session_of(row) for row in at.connection.execute(wanted)]

        return await self._read(work)

    async def end_sessions(self, user: str, *, but: str, by: str) -> int:
        """End all sessions of a user but one; return how many there were."""

        def work(at: Change) -> int:
            statement = (
                update(browser_sessions)
                .where(
                    browser_sessions.c.user == user,
                    browser_sessions.c.ended_at.is_(None),
                    browser_sessions.c.id != but,
                )
                .values(ended_at=at.now)
            )
            ended = at.connection.execute(statement).rowcount
            if ended:
                at.record("signed_out", by=by, user=user, details={"others": ended})
            return ended

        return await self._change(work)

    async def end_session(self, id: str, by: str) -> None:
        """End a session; one that is over stays so. Raises AccessError."""

        def work(at: Change) -> None:
            row = _row(at, id)
            if row.ended_at is None:
                _end(at, id)
                at.record("signed_out", by=by, user=row.user, details={"session": id})

        await self._change(work)

    def _of_credential(self, at: Change, id: str, address: str | None = None) -> Principal:
        """The principal of a token or session that is in force, by its id; with an address a token
        must be good there. Raises AccessRefused."""
        if id.startswith(TOKEN_PREFIX) and (token := find_token(at, id)) is not None:
            if address is not None:
                check_network(token, address)
            return self._token_principal(at, token)
        if id.startswith(ID_PREFIX) and (row := _find(at, id)) is not None:
            return self._session_principal(at, row)
        raise AccessRefused(f"This credential is not known here. {_AGAIN}", "unknown")

    def _session_principal(self, at: Change, row: Row[Any]) -> Principal:
        """The principal of a session that is in force. Raises AccessRefused."""
        if row.ended_at is not None:
            raise AccessRefused(f"This session was ended. {_AGAIN}", "revoked")
        if at.now >= min(row.expires_at, row.used_at + self.lifetimes.idle):
            raise AccessRefused(f"This session has expired. {_AGAIN}", "expired")
        check_clock(max(row.created_at, row.used_at), at.now)
        user = self._find_user(at, row.user)
        if user is None:
            raise AccessRefused("The user of this session was removed.", "revoked")
        return self._resolve(at, user, row.id, {})

    def _rotate(self, at: Change, row: Row[Any], shown: str) -> list[str]:
        """A new secret after the one whose hash was shown, unless another request was quicker."""
        secret = new_secret(row.id)
        changed = at.connection.execute(
            update(browser_sessions)
            .where(browser_sessions.c.id == row.id, browser_sessions.c.hash == row.hash)
            .values(hash=hash_of(secret), previous_hash=shown, rotated_at=at.now, used_at=at.now)
        )
        return [secret] if changed.rowcount else []

    async def _end_stolen(self, row: Row[Any]) -> None:
        def work(at: Change) -> None:
            _end(at, row.id)
            at.record("session_secret_reused", by="", user=row.user, details={"session": row.id})

        await self._change(work)


def new_secret(id: str) -> str:
    return f"{id}.{secrets.token_urlsafe(32)}"


def _is_previous(row: Row[Any], digest: str) -> bool:
    return row.previous_hash is not None and compare_digest(row.previous_hash, digest)


def _end(at: Change, id: str) -> None:
    at.connection.execute(
        update(browser_sessions).where(browser_sessions.c.id == id).values(ended_at=at.now)
    )


def _find(at: Change, id: str) -> Row[Any] | None:
    return at.connection.execute(select(browser_sessions).filter_by(id=id)).one_or_none()


def _row(at: Change, id: str) -> Row[Any]:
    row = _find(at, id)
    if row is None:
        raise AccessError(f"There is no browser session {shown(id)}.", "missing")
    return row


def _session_of(row: Row[Any]) -> BrowserSession:
    return BrowserSession(
        id=row.id,
        user=row.user,
        way=row.way,
        agent=row.agent,
        created_at=row.created_at,
        used_at=row.used_at,
        expires_at=row.expires_at,
        ended_at=row.ended_at,
    )
