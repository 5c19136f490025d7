"""Cap book: the caps that were set for users, agents and organisations, and how they stand."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, delete, select

from antiphon.contracts.metering import CapScope
from antiphon.storage.tables import inserting, usage_caps, usage_sums
from antiphon.storage.writer import Transaction
from antiphon.usage.caps import CapState, SpendingCap
from antiphon.usage.ledger import UsageLedger
from antiphon.usage.money import decimal
from antiphon.usage.periods import PERIODS, day_of, period_names, resets_at

_KEY = ("organisation", "scope", "subject")


class CapBook:
    """The caps in the store, beside the usual ones of the settings. All methods raise
    StoreError."""

    def __init__(self, ledger: UsageLedger) -> None:
        self._ledger = ledger
        self.usual = ledger.usual_caps
        self.currency = ledger.prices.currency

    async def caps(self, organisation: str) -> list[SpendingCap]:
        """Return what was set in an organisation."""
        table = usage_caps.c
        statement = (
            select(usage_caps)
            .where(table.organisation == organisation)
            .order_by(table.scope, table.subject)
        )
        return await self._ledger.store.run(
            lambda to: [SpendingCap(*row) for row in to.execute(statement)], writes=False
        )

    async def set(self, cap: SpendingCap) -> SpendingCap:
        """Set the caps of one subject, in place of those that were set."""

        def work(to: Transaction) -> SpendingCap:
            connection = to.connection
            made = replace(cap, updated_at=self._ledger.now(connection))
            values = {name: getattr(made, name) for name in made.__slots__}
            kept = {name: value for name, value in values.items() if name not in _KEY}
            statement = inserting(connection.dialect.name, usage_caps).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=_KEY, set_=kept))
            to.lines.append(_line("cap_set", made, made.updated_by))
            return made

        return await self._ledger.store.transact(work)

    async def remove(self, cap: SpendingCap, by: str) -> bool:
        """Give a subject the usual caps again; return False where none were set."""
        table = usage_caps.c
        statement = delete(usage_caps).where(
            table.organisation == cap.organisation,
            table.scope == cap.scope,
            table.subject == cap.subject,
        )

        def work(to: Transaction) -> bool:
            removed = to.connection.execute(statement).rowcount > 0
            if removed:
                to.lines.append(_line("cap_removed", cap, by))
            return removed

        return await self._ledger.store.transact(work)

    async def states(self, organisation: str, subjects: dict[CapScope, str]) -> list[CapState]:
        """Return the caps in force for some subjects, and what is spent of each."""
        set_here = {(each.scope, each.subject): each for each in await self.caps(organisation)}

        def work(connection: Connection) -> list[CapState]:
            now = self._ledger.now(connection)
            found = []
            for scope, subject in subjects.items():
                own = set_here.get((scope, subject))
                for span, name in period_names(day_of(now)).items():
                    most = None if own is None else own.of(span)
                    cap = self.usual.of(scope, span) if most is None else most
                    if cap is None:
                        continue
                    row = connection.execute(
                        select(usage_sums.c.spent, usage_sums.c.reserved).filter_by(
                            currency=self.currency,
                            organisation=organisation,
                            scope=scope,
                            subject=subject,
                            period=name,
                        )
                    ).one_or_none()
                    spent, reserved = (0, 0) if row is None else row
                    end = resets_at(span, now)
                    usual = most is None
                    found.append(
                        CapState(
                            organisation, scope, subject, span, cap, spent, reserved, end, usual
                        )
                    )
            return found

        return await self._ledger.store.run(work, writes=False)


def _line(event: str, cap: SpendingCap, by: str) -> dict[str, object]:
    details: dict[str, object] = {
        "scope": cap.scope,
        "subject": cap.subject,
        "currency": cap.currency,
    }
    for span in PERIODS:
        most = cap.of(span)
        details[span] = None if most is None else decimal(most)
    return {"event": event, "by": by, "organisation": cap.organisation, "details": details}
