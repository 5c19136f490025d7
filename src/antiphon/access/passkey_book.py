"""Passkeys of the directory: public keys by which users sign in, added, used and removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, delete, func, insert, select, update

from antiphon.access.book import AccessBook, Change
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import label, shown
from antiphon.access.rows import Passkey
from antiphon.storage.tables import passkeys

MAX_PASSKEYS = 20


@dataclass(frozen=True, slots=True)
class PasskeyMaterial:
    """What a signature by a passkey is checked with."""

    user: str
    public_key: bytes


class PasskeyBook(AccessBook):
    """The passkeys. Of each the store has the public key alone."""

    async def passkeys(self, user: str) -> list[Passkey]:
        """The passkeys of a user, oldest first. Raises AccessError."""

        def work(at: Change) -> list[Passkey]:
            wanted = (
                select(passkeys)
                .where(passkeys.c.user == self._user_row(at, user).name)
                .order_by(passkeys.c.created_at, passkeys.c.id)
            )
            return [_passkey_of(row) for row in at.connection.execute(wanted)]

        return await self._read(work)

    async def passkey_material(self, id: str) -> PasskeyMaterial | None:
        """What to check a signature with; None: there is no such passkey."""

        def work(at: Change) -> PasskeyMaterial | None:
            row = _find(at, id)
            return None if row is None else PasskeyMaterial(row.user, row.public_key)

        return await self._read(work)

    async def add_passkey(
        self, user: str, name: str, *, id: str, public_key: bytes, sign_count: int
    ) -> Passkey:
        """Add a passkey that its user has just made. Raises AccessError."""
        given = label(name, "The name of a passkey", "name", empty=False)

        def work(at: Change) -> Passkey:
            row = self._user_row(at, user)
            if _find(at, id) is not None:
                raise AccessError("This passkey is registered already.", "conflict")
            owned = select(func.count()).select_from(passkeys).where(passkeys.c.user == row.name)
            if (at.connection.execute(owned).scalar() or 0) >= MAX_PASSKEYS:
                raise AccessError(
                    f"A user has at most {MAX_PASSKEYS} passkeys. Remove one first.", "conflict"
                )
            at.connection.execute(
                insert(passkeys).values(
                    id=id,
                    user=row.name,
                    name=given,
                    public_key=public_key,
                    sign_count=sign_count,
                    created_at=at.now,
                )
            )
            at.record(
                "passkey_added",
                by=row.name,
                user=row.name,
                organisation=row.organisation,
                details={"passkey": id, "name": given},
            )
            return Passkey(id, row.name, given, at.now, None)

        return await self._change(work)

    async def use_passkey(self, id: str, sign_count: int) -> str:
        """Note that a passkey has signed, for so many times by its own count; return its user.
        Raises AccessRefused where the count does not go on: there may be a copy of it."""

        def work(at: Change) -> str | None:
            row = _find(at, id)
            if row is None:
                raise AccessRefused("This passkey was removed.", "revoked")
            # Passkeys that are kept on several devices do not count, and say 0.
            goes_on = sign_count > row.sign_count or sign_count == row.sign_count == 0
            if not goes_on:
                at.record(
                    "passkey_reused",
                    by="",
                    user=row.user,
                    details={"passkey": id, "count": sign_count, "expected": row.sign_count + 1},
                )
                return None
            at.connection.execute(
                update(passkeys)
                .where(passkeys.c.id == id)
                .values(sign_count=sign_count, used_at=at.now)
            )
            user: str = row.user
            return user

        user = await self._change(work)
        if user is None:
            raise AccessRefused(
                "This passkey may have been copied, so it signs nobody in. Sign in another way, "
                "remove it and add a new one.",
                "used",
            )
        return user

    async def remove_passkey(self, user: str, id: str, by: str) -> None:
        """Remove a passkey of a user. Raises AccessError."""

        def work(at: Change) -> None:
            owner = self._user_row(at, user)
            mine = (passkeys.c.id == id) & (passkeys.c.user == owner.name)
            if not at.connection.execute(delete(passkeys).where(mine)).rowcount:
                raise AccessError(f"There is no passkey {shown(id)}.", "missing")
            at.record(
                "passkey_removed",
                by=by,
                user=owner.name,
                organisation=owner.organisation,
                details={"passkey": id},
            )

        await self._change(work)


def _find(at: Change, id: str) -> Row[Any] | None:
    return at.connection.execute(select(passkeys).filter_by(id=id)).one_or_none()


def _passkey_of(row: Row[Any]) -> Passkey:
    return Passkey(row.id, row.user, row.name, row.created_at, row.used_at)
