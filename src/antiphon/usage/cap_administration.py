"""Cap administration: caps of users, agents and organisations, as somebody may set them."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

from antiphon.access.administration import Administration
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.contracts.metering import CapPeriod, CapScope
from antiphon.usage.cap_book import CapBook
from antiphon.usage.caps import SpendingCap
from antiphon.usage.money import decimal, nano
from antiphon.usage.periods import PERIODS


class CapAdministration:
    """The caps as a principal may set them: within one organisation, nobody's own, and none above
    the usual ones; administrators of the whole server may do that, and set those of organisations.

    Everything raises AccessError, AccessRefused and StoreError.
    """

    def __init__(self, book: CapBook, administration: Administration) -> None:
        self.book = book
        self._administration = administration

    def organisation(self, asked: str | None) -> str:
        """The organisation that is meant: the one asked for, or one's own."""
        return self._administration.organisation(asked)

    async def set(
        self,
        scope: CapScope,
        subject: str,
        amounts: Mapping[CapPeriod, str | None],
        organisation: str | None = None,
    ) -> SpendingCap:
        """Set caps in place of those that were set; None leaves the usual one."""
        own, subject = await self._target(scope, subject, organisation)
        most = {span: _most(span, each) for span, each in amounts.items()}
        if not self._administration.is_server_wide:
            for span in PERIODS:
                usual, wanted = self.book.usual.of(scope, span), most.get(span)
                if usual is not None and wanted is not None and wanted > usual:
                    raise AccessError(
                        f"`{span}` may be at most {decimal(usual)} {self.book.currency}, which is "
                        "the cap of the settings.",
                        field=span,
                    )
        return await self.book.set(
            SpendingCap(
                own,
                scope,
                subject,
                self.book.currency,
                most.get("day"),
                most.get("month"),
                updated_by=self._administration.by,
            )
        )

    async def remove(self, scope: CapScope, subject: str, organisation: str | None = None) -> None:
        """Give back the usual caps."""
        own, subject = await self._target(scope, subject, organisation)
        cap = SpendingCap(own, scope, subject, self.book.currency, None, None)
        if not await self.book.remove(cap, self._administration.by):
            raise AccessError("No cap was set there.", "missing")

    async def _target(
        self, scope: CapScope, subject: str, organisation: str | None
    ) -> tuple[str, str]:
        if scope == "user":
            user, _ = await self._administration.user(subject)
            if self._administration.is_self(user.name):
                raise AccessRefused(
                    "Nobody sets their own caps. Ask another administrator.", "forbidden"
                )
            return user.organisation, user.name
        if scope == "organisation" and not self._administration.is_server_wide:
            raise AccessRefused(
                "The caps of an organisation are set by administrators of the whole server. You "
                "can set those of its users and agents.",
                "forbidden",
            )
        return self.organisation(organisation), subject


def _most(span: CapPeriod, amount: str | None) -> int | None:
    try:
        return None if amount is None else nano(Decimal(amount))
    except (InvalidOperation, ValueError) as error:
        words = "is no number" if isinstance(error, InvalidOperation) else str(error)
        raise AccessError(f"`{span}` {words}.", field=span) from None
