"""BM25 over the words of all records: a tantivy index on disk, and what is newer in memory."""

from __future__ import annotations

import json
import logging
import math
import shutil
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from antiphon.contracts import ErrorType
from antiphon.knowledge.analysis import analyzer, spaced
from antiphon.knowledge.bm25 import Matches, TextDoc, Weights, weigh
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.locks import FileLock
from antiphon.knowledge.memtable import Memtable
from antiphon.knowledge.records import Filters
from antiphon.knowledge.text_fields import (
    TOKENIZER,
    both_queries,
    document,
    filter_query,
    presence_query,
    schema,
    words_query,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tantivy import Index, IndexWriter, Query, Schema, Searcher

log = logging.getLogger(__name__)
T = TypeVar("T")

# Up to so many records are kept in memory before they are written to disk together.
MEMTABLE_LIMIT = 1_024
_HEAP = 48_000_000
# A filter that lets this part through is cheaper to apply to a longer list of hits.
_BROAD = 0.1
# Among so many records, a word that one in sixteen has is slow to look up and tells little. Beside
# vectors it finds none if rarer ones find enough; it still counts in the part of the query covered.
_MANY = 50_000
_TELLING = math.log(16.0)


class DamagedIndexError(KnowledgeError):
    """The files of the index cannot be used; it is rebuilt from the records."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The text index cannot be used: {why}.", ErrorType.TRANSIENT)


class UnwrittenIndexError(KnowledgeError):
    """A write of the index failed; what is on disk is unchanged."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The text index cannot be written: {why}.", ErrorType.TRANSIENT)


@dataclass(frozen=True, slots=True)
class _State:
    """Kept in the index itself, so that it is true of exactly what was committed."""

    revision: int = 0
    documents: int = 0
    title_words: int = 0
    all_words: int = 0  # titles included
    last_row: int = -1


class _Among(NamedTuple):
    """How many rows to find, which may be found (as marks and as a filter), what part of all."""

    limit: int
    allowed: NDArray[np.bool_] | None
    filters: Filters | None
    share: float


class TextIndex:
    """The caller sees to it that one thread changes it at a time and none searches meanwhile.

    `write` is the exception: it may run beside searches, and `adopt` makes its result visible.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = FileLock(folder.with_name(f"{folder.name}.lock"))
        self._memtable = Memtable()
        # Rows on disk that are no longer so, with the revision that changed them.
        self._stale: dict[int, int] = {}
        self._writer: IndexWriter | None = None
        self._merging = False  # the writer is on its way out and still holds the lock
        self._index: Index
        self._schema: Schema
        self._searcher: Searcher
        self._state = _State()
        try:
            self._open()
        except DamagedIndexError as error:
            self.rebuild(str(error))

    @property
    def revision(self) -> int:
        """Revision up to which the files on disk hold every change."""
        return self._state.revision

    @property
    def unwritten(self) -> int:
        """Number of rows that only memory has."""
        return len(self._stale.keys() | self._memtable.docs.keys())

    def rebuild(self, why: str) -> None:
        """Start again with an empty index, which the caller fills with all records."""
        log.warning("The text index in %s is made again: %s", self._folder, why)
        if self._lock.acquire():  # else another process is at it, and its result will do
            self._writer = None
            if self._folder.is_dir():
                shutil.rmtree(self._folder, ignore_errors=True)
            else:
                self._folder.unlink(missing_ok=True)
        self._memtable.clear()
        self._stale.clear()
        self._open()

    # -- changes in memory

    def put(self, doc: TextDoc) -> None:
        self._stale[doc.row] = doc.revision
        self._memtable.put(doc)

    def drop(self, row: int, revision: int) -> None:
        self._stale[row] = revision
        self._memtable.drop(row)

    # -- changes on disk

    def begin(self) -> bool:
        """Acquire the index writer; False when another process has it."""
        if self._writer is not None:
            return True
        if self._merging or not self._lock.acquire():
            return False
        try:
            self._catch(self._index.reload)
            state = self._read_state(self._catch(self._index.searcher))
            if state.revision != self._state.revision:  # another process has written meanwhile
                self._adopt(state)
            self._writer = self._change(lambda: self._index.writer(_HEAP, 1))
        except BaseException:
            self._lock.release()
            raise
        return True

    def write(self, docs: list[TextDoc], dropped: Iterable[int] = ()) -> None:
        """Add documents and deletions to the next commit."""
        from tantivy import Query

        writer = self._writer
        assert writer is not None
        state = self._state
        old = [*(doc.row for doc in docs if doc.row <= state.last_row), *dropped]
        if old:
            # By query: deleting by term does nothing for numbers.
            query = Query.term_set_query(self._schema, "row", old)
            self._change(writer.delete_documents_by_query, query)
        last, documents = state.last_row, state.documents
        title_words, all_words = state.title_words, state.all_words
        for doc in docs:
            title, body = spaced(doc.title), spaced(doc.body())
            self._change(writer.add_document, document(doc, title, body))
            last = max(last, doc.row)
            documents += 1
            # Near enough for an average, and far cheaper than to split the words twice.
            in_title = title.count(" ") + 1
            title_words += in_title
            all_words += in_title + body.count(" ") + 1
        self._state = _State(state.revision, documents, title_words, all_words, last)

    def commit(self, revision: int) -> Callable[[], None]:
        """Commit to disk; the function that is returned makes it visible to searches."""
        from tantivy import Document

        writer = self._writer
        assert writer is not None
        newer = list(self._memtable.docs.values())
        self.write(newer, [row for row in self._stale if row not in self._memtable.docs])
        state = _State(**{**asdict(self._state), "revision": revision})
        mark = Document()
        mark.add_text("mark", "state")
        mark.add_text("state", json.dumps(asdict(state)))
        self._change(writer.delete_documents_by_term, "mark", "state")
        self._change(writer.add_document, mark)
        self._change(writer.commit)
        self._catch(self._index.reload)
        return lambda: self._adopt(state)

    def detach(self) -> Callable[[], None]:
        """Give the writer up. The function it returns waits for merges and releases the lock."""
        writer, self._writer = self._writer, None
        if writer is None:
            return self._lock.release if not self._merging else lambda: None
        self._merging = True

        def finish() -> None:
            try:
                self._catch(writer.wait_merging_threads)
            except DamagedIndexError as error:
                log.warning("The text index in %s is not merged: %s", self._folder, error)
            finally:
                self._merging = False
                self._lock.release()

        return finish

    def abandon(self) -> None:
        """Discard what was not committed, after a write that failed."""
        self._writer = None
        self._lock.release()
        self._state = self._read_state(self._searcher)

    def follow(self) -> None:
        """Adopt what another process has committed, so that less is kept in memory."""
        self._catch(self._index.reload)
        state = self._read_state(self._catch(self._index.searcher))
        if state.revision > self._state.revision:
            self._adopt(state)

    def close(self) -> None:
        self.detach()()

    # -- search

    def weights(self, words: Iterable[str]) -> Weights:
        """BM25 weights of words; of many only the rarest."""
        searcher, newer = self._searcher, self._memtable
        documents = max(1, self._catch(lambda: searcher.num_docs) - 1 + len(newer))
        having = {word: self._catch(searcher.doc_freq, "whole", word) for word in words}
        if newer.docs:
            for word in having:
                having[word] += newer.document_frequency(word)
        state = self._state
        newer_title, newer_all = newer.lengths() if newer.docs else (0, 0)
        counted = max(1, state.documents + len(newer))
        return weigh(
            having,
            documents,
            (state.title_words + newer_title) / counted,
            (state.all_words + newer_all) / counted,
        )

    def search(
        self,
        weights: Weights,
        limit: int,
        allowed: NDArray[np.bool_] | None = None,
        filters: Filters | None = None,
        share: float = 1.0,
        *,
        parts: bool = False,
    ) -> Matches:
        """The best `limit` rows by BM25, and with `parts` by the part of the query they have.

        `allowed` marks the rows that may be found, `filters` says the same in words, and `share`
        is the part of all rows that it is. With `parts` the scores may be a little less exact: they
        leave out what titles count besides, and words that very many records have.
        """
        if not weights.words:
            return Matches(weights, {}, {}, complete=True)
        among = _Among(limit, allowed, filters, share)
        scores, complete = self._search_disk(weights, among, exact=not parts)
        having: dict[int, float] = {}
        if parts:
            having, _ = self._search_query(presence_query(self._schema, weights), among)
        newer = [
            row
            for row in self._memtable.candidates(weights.words)
            if allowed is None or allowed[row]
        ]
        if newer:
            scores.update((row, self._memtable.score(row, weights)) for row in newer)
            having.update((row, self._memtable.matched_weight(row, weights)) for row in newer)
            best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
            complete = complete and len(best) <= limit
            scores = dict(best[:limit])
        return Matches(weights, scores, having, complete=complete)

    def _search_disk(
        self, weights: Weights, among: _Among, *, exact: bool
    ) -> tuple[dict[int, float], bool]:
        if exact:
            terms = [(name, word) for word in weights.words for name in ("title", "whole")]
            return self._search_query(words_query(self._schema, terms), among)
        telling = self._telling(weights, among)
        if telling and len(telling) < len(weights.words):
            query = words_query(self._schema, (("whole", word) for word in telling))
            found, complete = self._search_query(query, among)
            if not complete:
                return found, False
        query = words_query(self._schema, (("whole", word) for word in weights.words))
        return self._search_query(query, among)

    def _telling(self, weights: Weights, among: _Among) -> list[str]:
        """Rare words to search first; none when these would hardly find so many records."""
        documents = self._state.documents
        if documents < _MANY:
            return []
        telling = [word for word in weights.words if weights.worth[word] > _TELLING]
        # From how rare a word is, how many have it.
        having = sum(documents * math.exp(-weights.worth[word]) for word in telling)
        return telling if having * among.share >= 2 * among.limit else []

    def _search_query(self, query: Query, among: _Among) -> tuple[dict[int, float], bool]:
        """Scores of the best rows for a query, and whether these are all that match."""
        limit, allowed, filters, share = among
        narrow = None if allowed is None else filter_query(self._schema, filters)
        wanted = limit
        found: dict[int, float]
        if allowed is not None and (narrow is None or share >= _BROAD):
            wanted = int(limit / max(share, 0.02) * 1.3) + 8
        else:
            query = query if narrow is None else both_queries(query, narrow)
            narrow = None
        while True:
            hits = self._catch(self._searcher.search, query, wanted, False).hits
            rows: list[Any] = self._catch(
                self._searcher.fast_field_values, "row", [address for _, address in hits]
            )
            if allowed is None and not self._stale:
                found = {row: score for (score, _), row in zip(hits, rows, strict=True)}
                return found, len(hits) < wanted
            found = {}
            for (score, _), row in zip(hits, rows, strict=True):
                if row in self._stale:
                    continue
                if allowed is None or (row < len(allowed) and allowed[row]):
                    found[row] = score
                    if len(found) == limit:
                        return found, False
            if len(hits) < wanted:
                return found, True
            if narrow is not None:  # the words and the filter rarely go together
                query = both_queries(query, narrow)
                narrow = None
            else:
                wanted *= 4

    # -- inside

    def _open(self) -> None:
        from tantivy import Index

        self._schema = schema()
        self._folder.mkdir(exist_ok=True, mode=0o700)
        self._index = self._catch(lambda: Index(self._schema, path=str(self._folder)))
        self._index.register_tokenizer(TOKENIZER, analyzer())
        # Which commit is searched must not change behind the list of stale rows.
        self._catch(lambda: self._index.config_reader("manual", 0))
        self._catch(self._index.reload)
        self._searcher = self._catch(self._index.searcher)
        self._state = self._read_state(self._searcher)

    def _adopt(self, state: _State) -> None:
        self._searcher = self._catch(self._index.searcher)
        self._state = state
        for row in [row for row, at in self._stale.items() if at <= state.revision]:
            del self._stale[row]
        for row in [
            row for row, doc in self._memtable.docs.items() if doc.revision <= state.revision
        ]:
            self._memtable.drop(row)

    def _read_state(self, searcher: Searcher) -> _State:
        from tantivy import Query

        query = Query.term_query(self._schema, "mark", "state", "basic")
        hits = self._catch(searcher.search, query, 1, False).hits
        if not hits:
            if self._catch(lambda: searcher.num_docs):
                raise DamagedIndexError("it does not say what it holds")
            return _State()
        try:
            return _State(**json.loads(self._catch(searcher.doc, hits[0][1])["state"][0]))
        except (LookupError, TypeError, ValueError) as error:
            raise DamagedIndexError(f"it does not say what it holds ({error})") from error

    def _change(self, work: Callable[..., T], *arguments: Any) -> T:
        try:
            return self._catch(work, *arguments)
        except DamagedIndexError as error:
            raise UnwrittenIndexError(str(error.__cause__)) from error

    def _catch(self, work: Callable[..., T], *arguments: Any) -> T:
        """Call the library; damaged files make it raise anything, a panic included."""
        try:
            return work(*arguments)
        except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
            raise
        except BaseException as error:
            if isinstance(error, Exception) or type(error).__name__ == "PanicException":
                raise DamagedIndexError(str(error)) from error
            raise
