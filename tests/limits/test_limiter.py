"""The limiter over a real store: whose limits hold, what is counted, and what a refusal says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.storage.helpers import Clock

from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessError
from antiphon.contracts.limits import LimitReached, LimitRefused, LimitsAway, LimitSubject
from antiphon.limits.book import DAY, LimitBook
from antiphon.limits.limiter import Limiter
from antiphon.storage import Store

ANN = LimitSubject("ann", "", ("member",))
BEN = LimitSubject("ben", "", ("member", "batch"))
WIDE: Mapping[str, float | None] = {"calls_per_minute": 5, "sockets": 2, "uploads_per_day": 3}
WHOLE: Mapping[str, float | None] = {"calls_per_minute": 8, "sockets": 3, "uploads_per_day": 4}


class LimitNode:
    """A node: a limiter over a store of its own, with clocks that stand still."""

    def __init__(self, url: str) -> None:
        self.clock, self.monotonic = Clock(20_000.0 * DAY + 100), Clock(0.0)
        self.store = Store.open(url, now=self.clock)
        self.limiter = Limiter(
            LimitBook(self.store, clock=self.clock),
            user=WIDE,
            organisation=WHOLE,
            record=self.store.append_audit,
            monotonic=self.monotonic,
        )

    async def events(self, event: str) -> list[dict[str, Any]]:
        await self.store.flush()
        return [json.loads(line.line) for line in await self.store.audit_lines(event=event)]


async def populated(url: str) -> LimitNode:
    node = LimitNode(url)
    directory = AccessDirectory(node.store, clock=node.clock)
    await directory.create_user("root", roles=["admin"], by="test")
    await directory.create_user("ann", by="test")
    await directory.create_user("ben", by="test")
    return node


async def refused(awaited: Any) -> LimitReached:
    with pytest.raises(LimitRefused) as error:
        await awaited
    assert str(error.value).endswith(".")
    return error.value.reached


async def test_a_refusal_names_the_limit_and_is_in_the_audit_once(sqlite_url: str) -> None:
    node = LimitNode(sqlite_url)
    try:
        limiter = node.limiter
        for _ in range(5):
            assert await limiter.take_call(ANN) is None
        reached = await limiter.take_call(ANN)
        assert reached is not None
        assert (reached.limit, reached.scope, reached.most, reached.used) == (
            *("calls_per_minute", "user"),
            *(5, 5),
        )
        assert reached.wait is not None
        assert 59 <= reached.wait <= 61
        assert "5 tool calls a minute" in reached.message
        assert f"Try again in {reached.retry_after} s." in reached.message
        for _ in range(20):
            assert await limiter.take_call(ANN) is not None
        assert [line["details"]["limit"] for line in await node.events("limit_reached")] == [
            "calls_per_minute"
        ]
        node.monotonic.now += reached.wait
        assert await limiter.take_call(ANN) is None
        for _ in range(5):
            await limiter.take_call(ANN)
        assert len(await node.events("limit_reached")) == 2
    finally:
        await node.store.close()


async def test_everybody_in_an_organisation_has_its_limit_together(sqlite_url: str) -> None:
    node = LimitNode(sqlite_url)
    try:
        for subject in (ANN, ANN, ANN, ANN, BEN, BEN, BEN, BEN):
            assert await node.limiter.take_call(subject) is None
        reached = await node.limiter.take_call(BEN)
        assert reached is not None
        assert (reached.scope, reached.most) == ("organisation", 8)
        assert "Your organisation has" in reached.message
        # Another organisation is another one, also where a user has the same name.
        assert await node.limiter.take_call(LimitSubject("zoe", "shop")) is None
        # What the organisation refused was not counted for the user.
        assert (await node.limiter.take_call(ANN)) == reached
    finally:
        await node.store.close()


async def test_what_is_set_for_a_user_counts_before_roles_and_settings(sqlite_url: str) -> None:
    node = await populated(sqlite_url)
    try:
        limiter, book = node.limiter, node.limiter.book

        def most(subject: LimitSubject, name: str) -> float | None:
            return limiter.amounts(subject)["user"].get(name)

        assert most(BEN, "sockets") == 2
        await book.set_override("", "role", "member", {"sockets": 1}, "root")
        await book.set_override("", "role", "operator", {"sockets": 3}, "root")
        await limiter.load()
        assert most(ANN, "sockets") == 1
        both = LimitSubject("ben", "", ("member", "operator"))
        assert most(both, "sockets") == 3  # the widest of the roles
        await book.set_override("", "user", "ben", {"sockets": 0}, "root")
        await limiter.load()
        assert most(both, "sockets") == 0
        assert most(both, "calls_per_minute") == 5
        await book.set_override("", "user", "ben", {"sockets": None}, "root")
        await limiter.load()
        assert most(both, "sockets") is None
        await book.remove_override("", "user", "ben", "root")
        await limiter.load()
        assert most(both, "sockets") == 3
        with pytest.raises(AccessError, match="No limits are set"):
            await book.remove_override("", "user", "ben", "root")
        for kind, name in (("user", "nobody"), ("role", "nothing")):
            with pytest.raises(AccessError, match="There is no"):
                await book.set_override("", kind, name, {}, "root")  # type: ignore[arg-type]
        with pytest.raises(AccessError, match="no organisation"):
            await book.set_override("gone", "organisation", "*", {}, "root")
        assert len(await node.events("limits_changed")) == 5
    finally:
        await node.store.close()


async def test_what_is_open_is_given_back_whatever_happens(sqlite_url: str) -> None:
    node = LimitNode(sqlite_url)
    try:
        limiter = node.limiter
        with limiter.held(ANN, "sockets"), limiter.held(ANN, "sockets"):
            with (
                pytest.raises(LimitRefused, match="2 sockets at once"),
                limiter.held(ANN, "sockets"),
            ):
                pass
            with limiter.held(BEN, "sockets"):
                with (
                    pytest.raises(LimitRefused, match="Your organisation"),
                    limiter.held(BEN, "sockets"),
                ):
                    pass
        with pytest.raises(KeyError), limiter.held(ANN, "sockets"):
            raise KeyError
        with limiter.held(ANN, "sockets"), limiter.held(ANN, "sockets"):
            pass
        with limiter.held(None, "sockets"):
            pass
    finally:
        await node.store.close()


async def test_a_day_is_counted_in_the_store_for_all_nodes(store_url: str) -> None:
    node, other = LimitNode(store_url), LimitNode(store_url)
    try:
        one_file = {"uploads_per_day": 1.0}
        await node.limiter.take_today(ANN, one_file)
        await other.limiter.take_today(ANN, one_file)
        await node.limiter.take_today(ANN, one_file)
        reached = await refused(other.limiter.take_today(ANN, one_file))
        assert (reached.limit, reached.scope, reached.used) == ("uploads_per_day", "user", 3)
        assert reached.wait == DAY - 100
        # The organisation has one more; two at once are refused whole, for the user as well.
        reached = await refused(node.limiter.take_today(BEN, {"uploads_per_day": 2.0}))
        assert (reached.scope, reached.used) == ("organisation", 3)
        await node.limiter.take_today(BEN, one_file)
        await node.limiter.give_back(ANN, "uploads_per_day", 10.0)
        standing = {(each.limit, each.scope): each for each in await node.limiter.standing(ANN, {})}
        assert standing["uploads_per_day", "user"].used == 0
        assert standing["uploads_per_day", "organisation"].used == 0
        assert standing["uploads_per_day", "user"].resets_in == DAY - 100
        # Part of it is taken where not all is left.
        assert await node.limiter.take_up_to(ANN, "uploads_per_day", 5.0, 1.0) == 3.0
        for ask in (node, other):
            reached = await refused(ask.limiter.take_up_to(ANN, "uploads_per_day", 5.0, 1.0))
            assert (reached.used, reached.scope) == (3, "user")
        for each in (node, other):
            each.clock.now += DAY
        await other.limiter.take_today(ANN, one_file)
        for each in (node, other):
            each.clock.now += 3 * DAY
        await node.limiter.book.purge()
        await other.limiter.take_today(ANN, {"uploads_per_day": 3.0})
    finally:
        await node.store.close()
        await other.store.close()


async def test_limits_that_another_node_sets_hold_after_a_look(store_url: str) -> None:
    node, other = await populated(store_url), LimitNode(store_url)
    try:
        await node.limiter.book.set_override("", "user", "ann", {"calls_per_minute": 0}, "root")
        assert await other.limiter.take_call(ANN) is None
        await other.limiter.load()
        assert await other.limiter.take_call(ANN) is not None
    finally:
        await node.store.close()
        await other.store.close()


async def test_a_store_that_is_away_lets_nothing_through(sqlite_url: str) -> None:
    node = LimitNode(sqlite_url)
    await node.store.close()
    with pytest.raises(LimitsAway, match="cannot be counted"):
        await node.limiter.take_today(ANN, {"uploads_per_day": 1.0})
    with pytest.raises(LimitsAway, match="cannot be counted"):
        await node.limiter.take_up_to(ANN, "uploads_per_day", 1.0, 1.0)
    # What is counted in memory goes on.
    assert await node.limiter.take_call(ANN) is None


async def test_what_is_too_large_is_refused_and_what_has_no_limit_is_not(sqlite_url: str) -> None:
    node = LimitNode(sqlite_url)
    try:
        limiter = Limiter(
            node.limiter.book,
            user={"upload_bytes": 10},
            organisation={},
            record=node.store.append_audit,
            monotonic=node.monotonic,
        )
        limiter.check_size(ANN, "upload_bytes", 10)
        with pytest.raises(LimitRefused, match="10 bytes in one file"):
            limiter.check_size(ANN, "upload_bytes", 11)
        await limiter.take_request(ANN)
        await limiter.take_today(ANN, {"uploads_per_day": 1e9})
        assert await limiter.take_call(ANN) is None
    finally:
        await node.store.close()
