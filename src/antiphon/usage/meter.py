"""Meters: reservations for requests to models and for calls of priced tools."""

from __future__ import annotations

from collections.abc import Callable

from antiphon.contracts.events import Usage
from antiphon.contracts.metering import (
    Meter,
    PaidRequest,
    Payer,
    Reservation,
    Spending,
    SpendingRefused,
)
from antiphon.usage.ledger import COUNTED, ESTIMATED, RELEASED, Ending, PaidItem, UsageLedger, Warn
from antiphon.usage.prices import FREE, ModelPrice


class ModelMeter(Meter):
    """Meter of the requests of one payer to one model. `payer` is asked for each of them."""

    def __init__(
        self, ledger: UsageLedger, backend: str, model: str, payer: Callable[[], Payer], warn: Warn
    ) -> None:
        self._ledger = ledger
        self._item = PaidItem(backend, model)
        self._payer = payer
        self._warn = warn

    async def reserve(self, request: Callable[[], PaidRequest]) -> Reservation:
        item, payer = self._item, self._payer()
        price = self._ledger.prices.price(item.backend, item.model)
        if price is None:
            raise SpendingRefused(
                f"Not done: nobody has said what the model {item.model} of {item.backend} costs, "
                "and such models are refused. An administrator has to add it to the file of "
                "prices (`[usage] prices`).",
                "unknown_model",
            )
        if price.is_free:
            return FreeReservation(self._ledger, item, payer)
        estimate = price.at_most(request())
        made = await self._ledger.reserve(item, payer, estimate, self._warn)
        assert made is not None
        return PaidReservation(self._ledger, item, made, price, estimate, self._warn)


class PaidReservation(Reservation):
    """A reservation in the ledger."""

    def __init__(
        self,
        ledger: UsageLedger,
        item: PaidItem,
        id: str,
        price: ModelPrice,
        estimate: int,
        warn: Warn,
    ) -> None:
        self._ledger = ledger
        self._item = item
        self._id = id
        self._price = price
        self._estimate = estimate
        self._warn = warn
        self._open = True

    def is_exceeded(self, usage: Usage) -> bool:
        return self._price.of(usage) >= self._estimate > 0

    def settle(self, usage: Usage, *, seconds: float = 0.0, uncounted: float = 0.0) -> None:
        price = self._price
        cost = price.of(usage) + price.of_voice(seconds)
        if price.minute is None:
            cost += price.of_voice(uncounted, estimated=True)
        self._end(Ending(COUNTED, cost, usage, round(seconds * 1000)))

    def charge(self) -> None:
        self._end(Ending(ESTIMATED, self._estimate))

    def release(self) -> None:
        self._end(Ending(RELEASED))

    def _end(self, ending: Ending) -> None:
        if self._open:
            self._open = False
            self._ledger.end(self._id, self._item, ending, self._warn)


class CallReservation(PaidReservation):
    """The price of a call, which is known beforehand."""

    def charge(self) -> None:
        self._end(Ending(COUNTED, self._estimate))


class FreeReservation(Reservation):
    """What costs nothing: only its tokens are written down."""

    def __init__(self, ledger: UsageLedger, item: PaidItem, payer: Payer) -> None:
        self._ledger = ledger
        self._item = item
        self._payer = payer

    def is_exceeded(self, usage: Usage) -> bool:
        del usage
        return False

    def settle(self, usage: Usage, *, seconds: float = 0.0, uncounted: float = 0.0) -> None:
        del seconds, uncounted
        self._ledger.note(self._item, self._payer, usage)

    def charge(self) -> None:
        return

    def release(self) -> None:
        return


class UsageMeters(Spending):
    """Meters over one ledger."""

    def __init__(self, ledger: UsageLedger) -> None:
        self.ledger = ledger
        self._tools = frozenset(ledger.prices.tools)

    @property
    def priced_tools(self) -> frozenset[str]:
        return self._tools

    def meter(self, backend: str, model: str, payer: Callable[[], Payer], warn: Warn) -> Meter:
        return ModelMeter(self.ledger, backend, model, payer, warn)

    async def reserve_call(
        self, tool_id: str, payer: Payer, key: str | None, warn: Warn
    ) -> Reservation | None:
        item, cost = PaidItem(tool=tool_id), self.ledger.prices.tools[tool_id]
        made = await self.ledger.reserve(item, payer, cost, warn, key=key)
        if made is None:
            return None
        return CallReservation(self.ledger, item, made, FREE, cost, warn)
