"""Tool search service: indexes of sets of tools, made when they are asked for and kept."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from antiphon.tool_search.encoders import EncodingStopped, ToolEncoder, ToolVectors
from antiphon.tool_search.tool_index import ToolIndex

logger = logging.getLogger(__name__)

Entries = Sequence[Mapping[str, Any]]

MOST_DECLARED = 64
_KEPT = 24  # sets of tools
# So many new texts are encoded while somebody waits; for more the search goes on without them.
_WHILE_WAITING = 64
LONGEST_REQUEST = 10_000


@dataclass(frozen=True, slots=True)
class FoundTool:
    """A tool that fits a request, and how well: more is better."""

    tool_id: str
    score: float


class ToolSearch:
    """Finds tools by what they are needed for, among the entries that it is given: those that
    somebody may use. A set of tools is indexed when it is first asked for; of a set that changes,
    such as when an MCP server comes or goes, only new tools are encoded.

    `encoders` are asked for once, in the thread that first needs them; without any the search is by
    words alone, as it is until the vectors of a large set are made. `most_declared` is how many
    tools a turn declares where the profile does not say. Called from any thread.
    """

    def __init__(
        self,
        encoders: Callable[[], Sequence[ToolEncoder]] = tuple,
        *,
        most_declared: int = MOST_DECLARED,
        on_close: Callable[[], None] | None = None,
    ) -> None:
        self.most_declared = most_declared
        self._make_encoders = encoders
        self._on_close = on_close
        self._memos: list[ToolVectors] | None = None
        self._indexes: OrderedDict[str, ToolIndex] = OrderedDict()
        self._lock = threading.Lock()  # of what is known
        self._encoding = threading.Lock()  # one text after another
        self._pool: ThreadPoolExecutor | None = None
        self._under_way: Future[None] | None = None
        self._closed = False

    async def find(self, request: str, entries: Entries, n: int) -> list[FoundTool]:
        """Return the `n` tools that fit a request best, the best first."""
        return await asyncio.to_thread(self._find, request[:LONGEST_REQUEST], entries, n)

    def find_by_words(self, request: str, entries: Entries, n: int) -> list[FoundTool]:
        """Return the `n` tools that share most with a request in words: at once, for those who
        cannot wait for an encoder."""
        return _found(self._index(entries).best_by_words(request[:LONGEST_REQUEST], n))

    def warm(self, entries: Entries) -> None:
        """Index a set of tools with all its vectors, before anybody waits for it. Blocks."""
        self._encode(self._index(entries))

    def close(self) -> None:
        """Stop what is being encoded and wait for its end."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        if self._on_close is not None:
            self._on_close()

    def _find(self, request: str, entries: Entries, n: int) -> list[FoundTool]:
        index = self._index(entries)
        if not index.is_complete and not self._closed:
            self._add_vectors(index)
        return _found(index.best(request, n))

    def _index(self, entries: Entries) -> ToolIndex:
        key = _digest(entries)
        with self._lock:
            index = self._indexes.get(key)
            if index is None:
                index = self._indexes[key] = ToolIndex(entries)
            self._indexes.move_to_end(key)
            while len(self._indexes) > _KEPT:
                self._indexes.popitem(last=False)
        return index

    def _add_vectors(self, index: ToolIndex) -> None:
        """Encode what is new at once if it is little, else beside the search."""
        if self._memos is not None:
            new = sum(len(memo.missing(index.texts_for(memo))) for memo in self._memos)
            if new <= _WHILE_WAITING:
                self._encode(index)
                return
        with self._lock:
            if self._under_way is None or self._under_way.done():
                if self._pool is None:
                    self._pool = ThreadPoolExecutor(1, "tool-search")
                self._under_way = self._pool.submit(self._encode_beside, index)

    def _encode_beside(self, index: ToolIndex) -> None:
        try:
            self._encode(index)
        except EncodingStopped:
            return
        except Exception:
            logger.exception("tools are searched by words alone: they could not be encoded")

    def _encode(self, index: ToolIndex) -> None:
        with self._encoding:
            if self._memos is None:
                self._memos = [ToolVectors(encoder) for encoder in self._make_encoders()]
            for memo in self._memos:
                memo.encode(index.texts_for(memo), lambda: self._closed)
            index.set_vectors(self._memos)


def _digest(entries: Entries) -> str:
    digest = hashlib.sha256()
    for entry in entries:
        digest.update(f"{entry['toolId']}:{entry.get('digest')}\n".encode())
    return digest.hexdigest()


def _found(best: Sequence[tuple[str, float]]) -> list[FoundTool]:
    return [FoundTool(tool_id, round(score, 4)) for tool_id, score in best]
