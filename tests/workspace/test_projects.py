"""Projects, as the console changes them."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from antiphon import ErrorType, ToolError
from antiphon.storage import Store
from antiphon.workspace.errors import NotThere
from antiphon.workspace.projects import MAX_PROJECTS, Projects


@asynccontextmanager
async def within() -> AsyncIterator[Any]:
    seconds = itertools.count(1000.0)
    async with Store.open("sqlite://") as store:
        yield Projects(store, now=lambda: next(seconds))


@pytest.mark.real_time
async def test_the_one_that_was_changed_last_comes_first() -> None:
    async with within() as projects:
        for name in ("One", "Two"):
            await projects.create("ada", name)
        changed = await projects.update("ada", "one", description="New.", status="paused")
        assert (changed.name, changed.description, changed.status) == ("One", "New.", "paused")
        assert changed.updated_at > changed.created_at
        assert [each.name for each in await projects.all("ada")] == ["One", "Two"]


@pytest.mark.real_time
async def test_it_is_found_by_id_and_by_a_name_with_a_slip_in_it() -> None:
    async with within() as projects:
        made = await projects.create("ada", "Lisbon move")
        assert await projects.find("ada", made.id) == made
        assert await projects.find("ada", "the lisbon-move project") == made
        assert await projects.find("ada", "lisbon moves") == made
        with pytest.raises(NotThere, match="Did you mean Lisbon move") as missing:
            await projects.find("ada", "lisbon")
        assert missing.value.nearest == ("Lisbon move",)
        with pytest.raises(NotThere, match="There is none"):
            await projects.find("grace", "Lisbon move")


@pytest.mark.real_time
async def test_a_new_name_must_be_free_and_a_status_known() -> None:
    async with within() as projects:
        await projects.create("ada", "One")
        await projects.create("ada", "Two")
        with pytest.raises(ToolError, match="There is a project 'One' already") as taken:
            await projects.update("ada", "Two", name="ONE")
        assert taken.value.type is ErrorType.CONFLICT
        with pytest.raises(ToolError, match="/status is not known"):
            await projects.update("ada", "Two", status="lost")
        assert {each.name for each in await projects.all("ada")} == {"One", "Two"}


@pytest.mark.real_time
async def test_a_deleted_one_is_gone_and_its_name_free() -> None:
    async with within() as projects:
        first = await projects.create("ada", "One")
        assert await projects.delete("ada", "One") == first
        assert await projects.all("ada") == []
        assert (await projects.create("ada", "One")).id != first.id


@pytest.mark.real_time
async def test_there_is_an_end_to_them() -> None:
    async with within() as projects:
        for number in range(MAX_PROJECTS):
            await projects.create("ada", f"Number {number}")
        with pytest.raises(ToolError, match="Delete one first") as full:
            await projects.create("ada", "One more")
        assert full.value.type is ErrorType.CONFLICT


@pytest.mark.real_time
async def test_a_store_that_is_closed_may_be_back_later() -> None:
    store = Store.open("sqlite://")
    await store.close()
    with pytest.raises(ToolError, match="The store is not there") as away:
        await Projects(store).all("ada")
    assert away.value.type is ErrorType.TRANSIENT
