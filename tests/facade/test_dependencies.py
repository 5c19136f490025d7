"""What a program provides for its handlers: made with the application, closed in reverse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest
from tests.facade.helpers import Replies

from antiphon import Antiphon, Context, tool
from antiphon.facade.dependencies import DependencyError

pytestmark = pytest.mark.real_time

LIFE: list[str] = []


@pytest.fixture(autouse=True)
def _new_life() -> None:
    LIFE.clear()


class Crm:
    """A customer directory."""

    def __init__(self, kind: str = "plain") -> None:
        self.kind = kind

    def name_of(self, number: int) -> str:
        return f"customer {number} of {self.kind}"


class ShopContext(Context):
    """The context of the shop's tools, for type checkers and for the check at the start."""

    crm: Crm


@tool(side_effects="read_only", origin="trusted", outside=False)
async def customer(number: int, context: ShopContext) -> str:
    """Tell the name of a customer."""
    return context.crm.name_of(number)


async def make_later() -> Crm:
    return Crm("awaited")


@contextmanager
def managed() -> Iterator[Crm]:
    LIFE.append("open crm")
    yield Crm("managed")
    LIFE.append("close crm")


@asynccontextmanager
async def managed_later() -> AsyncIterator[Crm]:
    LIFE.append("open crm")
    yield Crm("managed later")
    LIFE.append("close crm")


@asynccontextmanager
async def cache() -> AsyncIterator[dict[str, Any]]:
    LIFE.append("open cache")
    yield {}
    LIFE.append("close cache")


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (Crm, "plain"),
        (Crm("ready"), "ready"),
        (make_later, "awaited"),
        (managed, "managed"),
        (managed_later, "managed later"),
    ],
)
async def test_a_handler_finds_it_in_its_context(given: Any, kind: str) -> None:
    async with Antiphon(tools=[customer], model=Replies(), provide={"crm": given}) as app:
        found = await app.call("customer", {"number": 7})
        assert found.data == {"result": f"customer 7 of {kind}"}


async def test_they_are_closed_in_reverse_and_made_anew_for_the_next_opening() -> None:
    app = Antiphon(tools=[customer], model=Replies(), provide={"crm": managed, "cache": cache})
    for _ in range(2):
        async with app:
            assert LIFE == ["open crm", "open cache"]
        assert LIFE == ["open crm", "open cache", "close cache", "close crm"]
        LIFE.clear()


async def test_one_that_cannot_be_made_is_named_and_the_others_are_closed() -> None:
    def broken() -> Crm:
        raise ConnectionError("the directory does not answer")

    app = Antiphon(
        tools=[customer], model=Replies(), provide={"crm": managed, "cache": cache, "more": broken}
    )
    with pytest.raises(DependencyError, match=r"provide\['more'\].*does not answer"):
        await app.call("customer", {"number": 1})
    assert LIFE == ["open crm", "open cache", "close cache", "close crm"]


def generator() -> Iterator[Crm]:
    yield Crm()


async def async_generator() -> AsyncIterator[Crm]:
    yield Crm()


@pytest.mark.parametrize(
    ("provide", "error", "words"),
    [
        ({"session": Crm}, ValueError, "context.session is taken"),
        ({"c r m": Crm}, ValueError, "cannot be called 'c r m'"),
        ({"_crm": Crm}, ValueError, "cannot be called '_crm'"),
        ({"crm": generator}, TypeError, "contextlib.contextmanager"),
        ({"crm": async_generator}, TypeError, "contextlib.asynccontextmanager"),
        ({}, ValueError, "The tool customer expects `context.crm`"),
    ],
)
def test_what_cannot_be_provided_is_named_at_once(
    provide: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Antiphon(tools=[customer], model=Replies(), provide=provide)
