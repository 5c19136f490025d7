"""Service tokens of the directory: made, shown once, revoked, and the principals behind them."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterable
from hmac import compare_digest
from typing import Any

from sqlalchemy import Row, insert, select, update

from antiphon.access.book import AccessBook, Change, from_json, hash_of, to_json
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import label, shown
from antiphon.access.rows import ServiceToken
from antiphon.contracts.principal import Principal
from antiphon.contracts.rights import PERMISSIONS, RightsError
from antiphon.storage.owners import names_in
from antiphon.storage.tables import service_tokens

PREFIX = "anti_"
ID_PREFIX = "t"
MAX_ITEMS = 200
# The time of the last use is kept this roughly.
TOUCH_SECONDS = 60.0
# A moment that lies further ahead than this is a sign of a clock that went back.
CLOCK_SECONDS = 120.0


class TokenBook(AccessBook):
    """The service tokens. Of a secret only its hash is kept."""

    async def create_token(
        self,
        user: str,
        name: str,
        *,
        permissions: Iterable[str] | None = None,
        tools: Iterable[str] | None = None,
        networks: Iterable[str] | None = None,
        expires_at: float | None = None,
        by: str,
    ) -> tuple[ServiceToken, str]:
        """Make a token that acts in a user's name, within `permissions`, `tools` (ids or patterns)
        and from `networks`; return it with its secret, which nobody can be told again. Raises
        AccessError, RightsError for a permission that is not there."""
        given = label(name, "The name of a token", "name", empty=False)
        bounds = {
            "permissions": _permissions(permissions),
            "tools": _texts(tools, "tools"),
            "networks": _networks(networks),
        }
        own_id = ID_PREFIX + secrets.token_hex(8)
        secret = f"{PREFIX}{own_id}_{secrets.token_urlsafe(32)}"

        def work(at: Change) -> ServiceToken:
            owner = self._user_row(at, user)
            if expires_at is not None and not expires_at > at.now:
                raise AccessError(
                    "The token would have expired already. Choose a later time.", field="expires_at"
                )
            at.connection.execute(
                insert(service_tokens).values(
                    id=own_id,
                    hash=hash_of(secret),
                    user=owner.name,
                    name=given,
                    **{field: to_json(value) for field, value in bounds.items()},
                    created_at=at.now,
                    created_by=by,
                    expires_at=expires_at,
                )
            )
            at.record(
                "token_created",
                by=by,
                user=owner.name,
                organisation=owner.organisation,
                details={"token": own_id, "name": given, **bounds, "expiresAt": expires_at},
            )
            return _token_of(_row(at, own_id))

        return await self._change(work), secret

    async def tokens(
        self, user: str | None = None, *, organisation: str | None = None
    ) -> list[ServiceToken]:
        """The tokens of a user, of everybody in an organisation, or all of them, revoked ones too,
        oldest first."""
        statement = select(service_tokens).order_by(
            service_tokens.c.created_at, service_tokens.c.id
        )

        def work(at: Change) -> list[ServiceToken]:
            wanted = statement
            if user is not None:
                wanted = wanted.where(service_tokens.c.user == self._user_row(at, user).name)
            if organisation is not None:
                wanted = wanted.where(service_tokens.c.user.in_(names_in(organisation)))
            return [_token_of(row) for row in at.connection.execute(wanted)]

        return await self._read(work)

    async def token(self, id: str) -> ServiceToken | None:
        """The token of that id; None: there is none."""

        def work(at: Change) -> ServiceToken | None:
            row = find_token(at, id)
            return None if row is None else _token_of(row)

        return await self._read(work)

    async def revoke_token(self, id: str, by: str) -> ServiceToken:
        """Revoke a token; one that is revoked stays so. Raises AccessError."""

        def work(at: Change) -> ServiceToken:
            row = _row(at, id)
            if row.revoked_at is None:
                at.connection.execute(
                    update(service_tokens)
                    .where(service_tokens.c.id == id)
                    .values(revoked_at=at.now)
                )
                at.record("token_revoked", by=by, user=row.user, details={"token": id})
            return _token_of(_row(at, id))

        return await self._change(work)

    async def principal_of_token(self, secret: str, address: str) -> Principal:
        """The principal behind a token that was shown from an address. Raises AccessRefused."""
        own_id = shown_id(secret.removeprefix(PREFIX), "_") if secret.startswith(PREFIX) else ""
        digest = hash_of(secret)

        async def look() -> Principal:
            def work(at: Change) -> tuple[Row[Any], Principal, float]:
                row = find_token(at, own_id)
                if row is None or not compare_digest(row.hash, digest):
                    raise AccessRefused(
                        "This token is not known here. Check that it was copied whole, or make a "
                        "new one.",
                        "unknown",
                    )
                principal = self._token_principal(at, row)
                check_network(row, address)
                return row, principal, at.now

            row, principal, now = await self._read(work)
            if row.used_at is None or abs(now - row.used_at) >= TOUCH_SECONDS:
                await self._write(
                    lambda at: at.connection.execute(
                        update(service_tokens)
                        .where(service_tokens.c.id == own_id)
                        .values(used_at=at.now)
                    )
                )
            return principal

        return await self._looked_up(f"{digest} {address}", own_id, look)

    def _token_principal(self, at: Change, row: Row[Any]) -> Principal:
        """The principal of a token that is in force. Raises AccessRefused."""
        if row.revoked_at is not None:
            raise AccessRefused("This token was revoked. Ask for a new one.", "revoked")
        if row.expires_at is not None and at.now >= row.expires_at:
            raise AccessRefused("This token has expired. Ask for a new one.", "expired")
        check_clock(row.created_at, at.now)
        owner = self._find_user(at, row.user)
        if owner is None:
            raise AccessRefused("The user of this token was removed.", "revoked")
        bounds = {name: _listed(getattr(row, name)) for name in ("permissions", "tools")}
        return self._resolve(at, owner, row.id, bounds)


def shown_id(secret: str, mark: str) -> str:
    """The id before the mark in what was shown; '' for what cannot be one. Without a mark all of it
    may be secret."""
    found, there, _ = secret[:80].partition(mark)
    return found if there and found.isascii() and found.isalnum() else ""


def check_clock(created_at: float, now: float) -> None:
    """Raise AccessRefused for what was made in the future: its end cannot be told."""
    if created_at > now + CLOCK_SECONDS:
        raise AccessRefused(
            "This was issued in the future by the clock of the server. Set the clocks of the "
            "server and its database, then sign in again.",
            "clock",
        )


def check_network(row: Row[Any], address: str) -> None:
    networks = from_json(row.networks)
    if networks is None:
        return
    try:
        asked = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        asked = None
    mapped = getattr(asked, "ipv4_mapped", None)
    if asked is None or not any((mapped or asked) in ipaddress.ip_network(n) for n in networks):
        raise AccessRefused(
            f"This token may not be used from the address {shown(address)}.", "foreign"
        )


def _permissions(names: Iterable[str] | None) -> list[str] | None:
    given = _texts(names, "permissions")
    for name in given or ():
        if name not in PERMISSIONS:
            raise RightsError(
                f"there is no permission {shown(name)}. There are: {', '.join(PERMISSIONS)}.",
                "permissions",
            )
    return given


def _networks(names: Iterable[str] | None) -> list[str] | None:
    given = _texts(names, "networks")
    try:
        return None if given is None else [str(ipaddress.ip_network(each)) for each in given]
    except ValueError as error:
        raise AccessError(
            f"A network is written like 10.1.0.0/16 or 2001:db8::/32: {error}.", field="networks"
        ) from None


def _texts(values: Iterable[str] | None, what: str) -> list[str] | None:
    if values is None:
        return None
    given = [values] if isinstance(values, str) else list(values)
    texts = [label(each, f"One of `{what}`", what, limit=200, empty=False) for each in given]
    if not 1 <= len(texts) <= MAX_ITEMS:
        raise AccessError(
            f"`{what}` has 1 to {MAX_ITEMS} entries, or is left out for no bound.", field=what
        )
    return texts


def find_token(at: Change, id: str) -> Row[Any] | None:
    return at.connection.execute(select(service_tokens).filter_by(id=id)).one_or_none()


def _row(at: Change, id: str) -> Row[Any]:
    row = find_token(at, id)
    if row is None:
        raise AccessError(f"There is no token {shown(id)}.", "missing")
    return row


def _token_of(row: Row[Any]) -> ServiceToken:
    return ServiceToken(
        id=row.id,
        user=row.user,
        name=row.name,
        permissions=_listed(row.permissions),
        tools=_listed(row.tools),
        networks=_listed(row.networks),
        created_at=row.created_at,
        created_by=row.created_by,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        used_at=row.used_at,
    )


def _listed(text: str) -> tuple[str, ...] | None:
    value = from_json(text)
    return None if value is None else tuple(value)
