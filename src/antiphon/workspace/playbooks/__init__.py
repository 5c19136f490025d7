"""Playbooks, one Markdown file each: how something is done, step by step, found by hybrid search.

A playbook begins with front matter: `title`, `summary` and `tags` (with commas between them). Its
steps are the numbered lines of its text.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType, ToolError
from antiphon.knowledge.capability import Knowledge
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.records import Record, check_record
from antiphon.workspace.definitions import (
    BadDefinition,
    DefinitionFiles,
    FileCatalogue,
    validated,
)
from antiphon.workspace.errors import field_error
from antiphon.workspace.runs.text_steps import query_of
from antiphon.workspace.validation import StrictModel, Text

if TYPE_CHECKING:
    from antiphon.knowledge import KnowledgeBase

logger = logging.getLogger(__name__)

SHIPPED = Path(__file__).parent
FOLDER = "playbook-index"  # in the data folder
OWN = "playbooks"  # in the data folder: those that people put there
INDEX = "playbooks"
BEST = 5
_FRONT = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*\r?\n(.*)", re.DOTALL)
_STEP = re.compile(r"^\d{1,2}\.[ \t]+(.+)$", re.MULTILINE)
_FILLER = ("the", "my", "a", "playbook")


@dataclass(frozen=True, slots=True)
class Playbook:
    id: str
    title: str
    summary: str
    tags: tuple[str, ...]
    text: str  # Markdown, without the front matter

    @property
    def path(self) -> str:
        return f"playbooks/{self.id}.md"

    @property
    def steps(self) -> list[str]:
        return [step.strip() for step in _STEP.findall(self.text)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "path": self.path,
            "title": self.title,
            "summary": self.summary,
            "tags": list(self.tags),
            "steps": len(self.steps),
        }


class Playbooks(FileCatalogue[Playbook]):
    """The playbooks of some folders, and an index of them in a folder of its own, which may be
    deleted. All methods but `close` raise ToolError and nothing else."""

    def __init__(self, index: Path, folders: Sequence[Path] = (SHIPPED,)) -> None:
        super().__init__(
            DefinitionFiles(folders, ".md", read_playbook),
            noun="playbook",
            pointer="/id",
            title=lambda playbook: playbook.title,
            filler=_FILLER,
        )
        self._folder = index
        self._lock = threading.Lock()
        self._base: KnowledgeBase | None = None
        self._indexed = 0
        self._closed = False
        self._knowledge = Knowledge(lambda: nullcontext(self._ready()))

    async def get(self, wanted: str) -> Playbook:
        """Return the playbook of that id, path or title. Raises NotThere with the nearest ids."""
        return await self.find(wanted.strip().removeprefix("playbooks/").removesuffix(".md"))

    async def search(self, query: str, most: int = BEST) -> list[dict[str, Any]]:
        """Return the best: `id`, `path`, `title`, `summary`, `tags`, `steps`, the `snippet` that
        fits the query, `score`; of the very best the `outline` too. Raises VALIDATION for no
        words."""
        if not any(each.isalnum() for each in query):
            raise ToolError(
                ErrorType.VALIDATION,
                "The query has no words. Say what you want to do.",
                errors=[field_error("/query", "has no words", "what somebody wants to do")],
            )
        found = await self._knowledge.search(INDEX, query_of(query), k=most)
        known = await asyncio.to_thread(self.files.load)
        results: list[dict[str, Any]] = []
        for one in found:
            playbook = known.get(one["id"])
            if playbook is None:
                continue  # deleted since
            body = {**playbook.to_dict(), "snippet": one["snippet"], "score": one["score"]}
            results.append(body if results else {**body, "outline": playbook.steps})
        return results

    def warm(self) -> None:
        """Build the index, so that the first search need not wait for it. Blocks."""
        try:
            self._ready()
        except KnowledgeError as error:
            if not self._closed:
                logger.error("the index of the playbooks is not ready: %s", error)

    def close(self) -> None:
        """Close the index after what is under way. Blocks."""
        with self._lock:
            self._closed = True
            base, self._base = self._base, None
        if base is not None:
            base.close()

    def _ready(self) -> KnowledgeBase:
        """Return the index, brought up to date with the files. Raises KnowledgeError."""
        from antiphon.knowledge import KnowledgeBase
        from antiphon.knowledge.embedding import default_embedder

        playbooks, changes = self.files.load_with_version()
        with self._lock:
            if self._closed:
                raise KnowledgeError("The server is stopping.", ErrorType.TRANSIENT)
            if self._base is None:
                self._base = KnowledgeBase.open(self._folder, embedder=default_embedder())
            if self._indexed == changes:
                return self._base
            if INDEX not in self._base.ids():
                self._base.create(INDEX, "Playbooks", "An index; the files are what counts.")
            database = self._base.database(INDEX)
            gone = [each.id for each in database.all_records() if each.id not in playbooks]
            database.delete(gone)
            database.upsert(_record(each) for each in playbooks.values())
            database.flush()
            self._indexed = changes
            return self._base


class _FrontMatter(StrictModel):
    title: Text
    summary: str = ""
    tags: str = ""  # with commas between them


def read_playbook(name: str, text: str) -> Playbook:
    """Return the playbook of a file. Raises BadDefinition."""
    front = _FRONT.fullmatch(text.removeprefix("\ufeff"))
    if front is None:
        raise BadDefinition("it does not begin with front matter between two lines `---`")
    facts: dict[str, str] = {}
    for line in front[1].splitlines():
        key, colon, value = line.partition(":")
        if not colon:
            raise BadDefinition(f"{line.strip()!r} is none of title, summary and tags")
        facts[key.strip()] = value.strip()
    header = validated(_FrontMatter, facts)
    if not front[2].strip():
        raise BadDefinition("it has no text")
    tags = dict.fromkeys(tag.strip() for tag in header.tags.split(",") if tag.strip())
    playbook = Playbook(name, header.title, header.summary, tuple(tags), front[2].strip())
    try:
        check_record(_record(playbook))
    except KnowledgeError as error:  # the index could not hold it, nor any other beside it
        raise BadDefinition(f"it cannot be searched: {error}") from None
    return playbook


def _record(playbook: Playbook) -> Record:
    return Record(
        id=playbook.id,
        type="playbook",
        title=playbook.title,
        text=f"{playbook.summary}\n\n{_spoken(playbook.text)}",
        tags=playbook.tags,
        source_type="playbook",
    )


def _spoken(text: str) -> str:
    """Return Markdown without headings and marks, as snippets of it are read out."""
    text = re.sub(r"^#+[ \t].*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(?:\d{1,2}\.|[-*])[ \t]+", "", text, flags=re.MULTILINE)
    text = re.sub(r"\[([^\[\]]++)\]\([^)\[]++\)", r"\1", text)
    return text.replace("**", "").replace("`", "")
