"""Playbooks: how files are read, and an index that follows them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.scenarios import run_in

from antiphon import ErrorType, ToolError
from antiphon.workspace.definitions import BadDefinition
from antiphon.workspace.errors import NotThere
from antiphon.workspace.playbooks import Playbooks, read_playbook

pytestmark = pytest.mark.real_time

TEXT = "---\ntitle: {}\nsummary: {}\ntags: one, two\n---\n\n## Steps\n\n1. Do this.\n2. Do that.\n"


@asynccontextmanager
async def within(folder: Path) -> AsyncIterator[Any]:

    (folder / "files").mkdir(exist_ok=True)
    playbooks = Playbooks(folder / "index", [folder / "files"])
    try:
        yield playbooks
    finally:
        await asyncio.to_thread(playbooks.close)


def write(folder: Path, name: str, title: str, summary: str = "Something.") -> None:
    (folder / "files" / f"{name}.md").write_text(TEXT.format(title, summary), "utf-8")


def test_front_matter_and_steps_are_read() -> None:
    read = read_playbook("bread", TEXT.format("Bake bread", "For everybody."))
    assert (read.title, read.summary, read.tags) == ("Bake bread", "For everybody.", ("one", "two"))
    assert read.steps == ["Do this.", "Do that."]
    assert read.path == "playbooks/bread.md"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# Bread\n", "does not begin with front matter"),
        ("---\nauthor: me\n---\ntext\n", "it has 'author', which is none of summary, tags, title"),
        ("---\ntitle:\n---\ntext\n", "it has no `title`"),
        ("---\ntitle: Bread\n---\n\n", "it has no text"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, words: str) -> None:
    with pytest.raises(BadDefinition) as refused:
        read_playbook("bread", text)
    assert words in str(refused.value)


def test_the_index_follows_the_files(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(playbooks: Playbooks) -> None:
        assert await playbooks.search("bread") == []
        write(tmp_path, "first", "Bake bread")
        (tmp_path / "files" / "broken.md").write_text("no front matter")
        assert [each["id"] for each in await playbooks.search("bread")] == ["first"]
        write(tmp_path, "first", "Repair a bicycle", "Wheels and chains.")
        assert await playbooks.search("bread") == []
        assert [each["title"] for each in await playbooks.search("bicycle")] == ["Repair a bicycle"]
        (tmp_path / "files" / "first.md").unlink()
        assert await playbooks.search("bicycle") == []

    with caplog.at_level(logging.ERROR):
        run_in(within(tmp_path), scenario)
    assert "broken.md is left out" in caplog.text


def test_a_later_start_finds_what_was_indexed_and_what_changed_meanwhile(tmp_path: Path) -> None:
    async def first(playbooks: Playbooks) -> None:
        write(tmp_path, "bread", "Bake bread")
        write(tmp_path, "bicycle", "Repair a bicycle")
        assert len(await playbooks.search("bread")) == 1

    async def second(playbooks: Playbooks) -> None:
        (tmp_path / "files" / "bread.md").unlink()
        assert await playbooks.search("bread") == []
        assert len(await playbooks.search("bicycle")) == 1

    run_in(within(tmp_path), first)
    run_in(within(tmp_path), second)


async def test_one_is_found_by_id_path_and_title(tmp_path: Path) -> None:
    write_to = tmp_path / "files"
    write_to.mkdir()
    write(tmp_path, "bread", "Bake bread")

    async with within(tmp_path) as playbooks:
        for wanted in ("bread", "playbooks/bread.md", "the Bake bread playbook"):
            assert (await playbooks.get(wanted)).id == "bread"
        with pytest.raises(NotThere, match="There is no playbook 'cake'"):
            await playbooks.get("cake")


async def test_a_closed_one_says_that_the_server_is_stopping(tmp_path: Path) -> None:
    async with within(tmp_path) as playbooks:
        await asyncio.to_thread(playbooks.close)
        with pytest.raises(ToolError, match="stopping") as refused:
            await playbooks.search("bread")
        assert refused.value.type is ErrorType.TRANSIENT
