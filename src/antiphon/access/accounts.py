"""Accounts of the directory: one's own password, and tickets for one's sockets."""

from __future__ import annotations

from sqlalchemy import update

from antiphon.access.book import Change, hash_of
from antiphon.access.browser_sessions import SessionBook, new_secret
from antiphon.access.single_use import TICKET_SECONDS, SingleUseBook
from antiphon.contracts.principal import Principal
from antiphon.storage.tables import browser_sessions


class AccountBook(SessionBook, SingleUseBook):
    """What users do for themselves. A ticket is good as long as the credential that it was issued
    for."""

    async def change_password(self, user: str, password: str, *, session: str) -> str:
        """Set one's own password and return the new secret of the browser session; links and all
        other sessions end. Raises AccessError."""
        hashed = await self._passwords.hash(password)
        secret = new_secret(session)

        def work(at: Change) -> None:
            self._keep_password(at, user, hashed, user, session)
            at.connection.execute(
                update(browser_sessions)
                .where(browser_sessions.c.id == session)
                .values(hash=hash_of(secret), previous_hash=None, rotated_at=at.now, used_at=at.now)
            )

        await self._change(work)
        return secret

    async def issue_ticket(self, principal: Principal | None) -> str:
        """The secret of a ticket; None: of nobody, where nobody is asked to sign in."""
        user, own_id = ("", "") if principal is None else (principal.user, principal.credential)
        return await self.issue("ticket", user, TICKET_SECONDS, {"credential": own_id})

    async def principal_of_ticket(self, secret: str, address: str) -> Principal | None:
        """Use a ticket: the principal as of now whose credential it was issued for, at an address
        where that is good; None: nobody's. Raises AccessRefused."""

        def work(at: Change) -> Principal | None:
            own_id = self._redeem(at, "ticket", secret).content["credential"]
            return self._of_credential(at, own_id, address) if own_id else None

        return await self._redeeming(self._write(work), "ticket")
