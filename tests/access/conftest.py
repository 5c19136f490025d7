"""Directories to test with, over stores of each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from tests.storage.conftest import (  # noqa: F401 - fixtures
    postgres,
    postgres_database,
    postgres_url,
    sqlite_template,
    sqlite_url,
    store_url,
)
from tests.storage.helpers import Clock

from antiphon.access.directory import AccessDirectory
from antiphon.access.passwords import PasswordCost
from antiphon.storage import Store

CHEAP = PasswordCost(memory=8, passes=1)
PASSWORD = "correct horse battery"


@dataclass
class Node:
    """One node: a directory over a store of its own, with a clock that stands still."""

    directory: AccessDirectory
    store: Store
    clock: Clock
    monotonic: Clock

    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds
        self.monotonic.now += seconds

    async def events(self, event: str) -> list[bytes]:
        await self.store.flush()
        return [line.line for line in await self.store.audit_lines(event=event)]


def open_node(url: str) -> Node:
    clock, monotonic = Clock(), Clock(0.0)
    store = Store.open(url, now=clock)
    directory = AccessDirectory(store, cost=CHEAP, clock=clock, monotonic=monotonic)
    return Node(directory, store, clock, monotonic)


@pytest.fixture
async def empty(sqlite_url: str) -> AsyncIterator[Node]:  # noqa: F811
    """A node without users."""
    made = open_node(sqlite_url)
    yield made
    await made.store.close()


@pytest.fixture
async def node(sqlite_url: str) -> AsyncIterator[Node]:  # noqa: F811
    """A node with the administrator `root` and the member `ann`."""
    made = open_node(sqlite_url)
    await populate(made.directory)
    yield made
    await made.store.close()


async def populate(directory: AccessDirectory) -> None:
    await directory.create_user("root", roles=["admin"], password=PASSWORD, by="test")
    await directory.create_user("ann", password=PASSWORD, by="root")
