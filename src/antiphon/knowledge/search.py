"""Hybrid search: words, meaning and neighbours, fused into one score."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from antiphon.knowledge.analysis import query_words
from antiphon.knowledge.bm25 import Matches, Weights, count_record
from antiphon.knowledge.records import MAX_ID, Evidence, Record
from antiphon.knowledge.snippets import DuplicateFilter, SnippetPicker

# What the parts are worth, chosen on the queries over the sample knowledge and on judged sets.
LEXICAL = 0.6
HALF = 6.0  # the BM25 score that is worth half of the most that it can add
GRAPH = 0.05
# Without an embedding the words have to do. The value grows with BM25 and nothing else, so the
# order is that of BM25; a record that has all words once is worth about three quarters of this.
LEXICAL_ALONE = 0.9
HALF_ALONE = 0.2
# Links are followed from so many of the best, if they score so high, to so many records each.
SEEDS = 3
SEED_SCORE = 0.4
NEIGHBOURS = 16
# Fused values up to the first are no connection at all, from the second on a very close one.
NOTHING = 0.12
EVERYTHING = 0.75
NAMED = 3.0  # what the query names by its id comes before all else
# The relevance cut-off: what scores less and has none of the query's words is no answer.
RELEVANT = 0.08
_RELEVANT_VALUE = NOTHING + RELEVANT * (EVERYTHING - NOTHING)
# Scores above this draw near to 1 ever more slowly, so that the best stay apart.
BEND = 0.8
# So many candidates from either side give as many results, however many are wanted: so the best are
# the same, in the same order, for every k. Further ones come from so many times as many candidates.
POOL = 64
DEEPER = 4
# Some more records than are wanted are read at once, as duplicates drop out.
SPARE = 4


@dataclass(slots=True, eq=False)
class Candidate:
    """Row that may become a result, with the parts of its score."""

    row: int
    value: float
    cosine: float | None = None  # None when it is not embedded yet
    bm25: float = 0.0
    covered: float = 0.0  # which part of the query its words are
    named: bool = False  # the query is its id
    graph: float = 0.0
    via: tuple[tuple[int, str], ...] = ()


Pool = dict[int, Candidate]
EMPTY: Mapping[int, float] = {}
Floats = NDArray[np.float64]


class SearchSource(Protocol):
    """One database through one filter, as an engine offers it to a search. Rows are integers.

    What the filter does not let through is never returned.
    """

    @property
    def revision(self) -> int:
        """The revision of the database that the source is true of."""

    @property
    def empty(self) -> bool:
        """Whether the filter lets nothing through."""

    @property
    def has_vectors(self) -> bool:
        """Whether there are vectors of the query's model."""

    def weights(self, words: Iterable[str]) -> Weights:
        """BM25 weights of the query's words; of many only the rarest."""

    def match(self, weights: Weights, limit: int, *, parts: bool) -> Matches:
        """The best `limit` rows by BM25, and with `parts` the part of the query each covers."""

    def nearest(
        self, vector: NDArray[np.float32], limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The nearest `limit` rows, nearest first, and their cosines."""

    def cosines(self, rows: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each row; NaN for what is not embedded yet."""

    def newest(self, limit: int) -> list[int]:
        """Rows by their date, latest first; those without one come last."""

    def row_of(self, id: str) -> int | None:
        """The row of the record with this id; None when there is none."""

    def records(self, rows: Sequence[int]) -> dict[int, tuple[int, Record]]:
        """Revision and record of each row that is there."""

    def neighbours(self, rows: Sequence[int], limit: int) -> list[tuple[int, int, str, float]]:
        """(row, neighbour, relation, weight) of the heaviest `limit` edges at each row."""


class Search:
    """One search over one database."""

    def __init__(
        self,
        source: SearchSource,
        *,
        query: str,
        vector: NDArray[np.float32] | None,
        k: int,
    ) -> None:
        self._source = source
        self._query = query
        self._words = query_words(query)
        self._vector = vector if source.has_vectors else None
        self._k = k
        self._cut_off = True
        # False once it has read a record that is newer than the source.
        self.current = True
        self._weights: Weights
        self._matches: Matches
        self._glance: SnippetPicker

    def run(
        self, *, explain: bool = False, full_text: bool = False, cut_off: bool = True
    ) -> list[Evidence]:
        """The best `k` as evidence, best first; with `cut_off` the best `k` that are relevant."""
        if self._source.empty:
            return []
        self._cut_off = cut_off and bool(self._query.strip())  # who asks nothing sees what is new
        self._weights = self._source.weights(self._words)
        self._glance = SnippetPicker(self._weights)
        depth = POOL
        pool, complete = self._tier(depth)
        self._add_named(pool)
        if not self._query.strip():
            self._add_newest(pool)
            complete = True
        self._add_neighbours(pool)
        chosen = _Chosen(self._source, self._k, self._is_relevant if self._cut_off else None)
        chosen.add(pool.values(), None if complete else depth)
        while not complete and not chosen.full:
            depth *= DEEPER
            deeper, complete = self._tier(depth)
            pool = deeper | pool
            chosen.add(pool.values(), None if complete else depth)
        self.current = chosen.current
        return self._evidence(chosen.found, explain=explain, full_text=full_text)

    # -- candidates

    def _tier(self, depth: int) -> tuple[Pool, bool]:
        """The best `depth` candidates by words and by meaning, and whether there are no others."""
        self._matches = self._source.match(self._weights, depth, parts=self._vector is not None)
        complete = self._matches.complete
        rows = list(self._matches.scores)
        if self._vector is None:
            return self._candidates(rows), complete
        near, cosines = self._source.nearest(self._vector, depth)
        # Farther ones are not relevant by their meaning, and those with words are known.
        enough = self._cut_off and len(near) > 0 and score_of(float(cosines[-1])) < RELEVANT
        complete = complete and (enough or len(near) < depth)
        known = dict(zip(near.tolist(), cosines.tolist(), strict=True))
        return self._candidates(list(dict.fromkeys((*rows, *known))), known), complete

    def _candidates(self, rows: list[int], known: Mapping[int, float] = EMPTY) -> Pool:
        """Candidates for rows, scored by words and meaning; `known` has cosines computed before."""
        scores, parts = self._matches.scores_of(rows)
        cosines = np.array([known.get(row, np.nan) for row in rows], np.float64)
        if self._vector is not None and len(known) < len(rows):
            others = [at for at, row in enumerate(rows) if row not in known]
            wanted = np.array([rows[at] for at in others], np.int64)
            cosines[others] = self._source.cosines(wanted, self._vector)
        values = fused(cosines, np.array(scores), np.array(parts), self._weights)
        return {
            row: Candidate(row, value, None if cosine != cosine else cosine, score, part)
            for row, value, cosine, score, part in zip(
                rows,
                values.tolist(),
                cosines.tolist(),
                scores,
                parts,
                strict=True,
            )
        }

    def _add_named(self, pool: Pool) -> None:
        """Add the record whose id is the query, before all others."""
        name = self._query.strip()
        if name and len(name) <= MAX_ID:
            row = self._source.row_of(name)
            if row is not None:
                if row not in pool:
                    pool.update(self._candidates([row]))
                pool[row].named = True
                pool[row].value = max(pool[row].value, NAMED)

    def _add_newest(self, pool: Pool) -> None:
        """Add what was changed last, for a query that asks nothing."""
        for place, row in enumerate(self._source.newest(2 * self._k)):
            pool[row] = Candidate(row, -float(place))

    def _add_neighbours(self, pool: Pool) -> None:
        """Add records linked to strong hits, or move them up a little."""
        best = heapq.nsmallest(SEEDS, pool.values(), key=_order)
        strong = {one.row: calibrated(one.value) for one in best}
        strong = {row: score for row, score in strong.items() if score >= SEED_SCORE}
        if not strong:
            return
        linked = self._source.neighbours(list(strong), NEIGHBOURS)
        if new := sorted({row for _, row, _, _ in linked} - pool.keys()):
            pool.update(self._candidates(new))
        for seed, row, relation, weight in linked:
            one = pool[row]
            boost = GRAPH * strong[seed] * min(1.0, weight)
            if boost > one.graph:
                one.value += 0.0 if one.named else boost - one.graph
                one.graph = boost
            one.via += ((seed, relation),)

    # -- evidence

    def _is_relevant(self, one: Candidate, record: Record | None) -> bool:
        """Whether a candidate passes the cut-off; without its record, whether it may."""
        if one.value >= _RELEVANT_VALUE or one.named or score_of(one.value) >= RELEVANT:
            return True
        if record is None:
            return one.bm25 > 0.0 or one.covered > 0.0
        return any(self._weights.parts(count_record(record)))

    def _evidence(
        self, chosen: list[tuple[Candidate, Record]], *, explain: bool, full_text: bool
    ) -> list[Evidence]:
        if not chosen:
            return []
        names: dict[int, str] = {}
        if explain:
            seeds = {seed for one, _ in chosen for seed, _ in one.via}
            found = self._source.records(list(seeds))
            names = {row: record.id for row, (_, record) in found.items()}
        return [
            Evidence(
                record.id,
                record.type,
                record.title or record.id,
                self._glance.snippet(record),
                score_of(one.value),
                record.source_type,
                record.last_updated,
                record.url,
                record.metadata,
                record.text if full_text else None,
                self._explain(one, record, names) if explain else None,
            )
            for one, record in chosen
        ]

    def _explain(self, one: Candidate, record: Record, names: dict[int, str]) -> dict[str, Any]:
        matched = self._weights.parts(count_record(record))
        return {
            "cosine": None if one.cosine is None else round(one.cosine, 4),
            "bm25": round(one.bm25, 4),
            "covered": round(one.covered, 4),
            "graph": round(one.graph, 4),
            "fused": round(one.value, 4),
            "named": one.named,
            "matched": {word: round(value, 4) for word, value in matched},
            "neighbours": [
                {"id": names[row], "relation": relation}
                for row, relation in one.via
                if row in names
            ],
        }


class _Chosen:
    """Results so far with their records, without duplicates of better ones.

    `relevant` is asked about each, with its record once that is read.
    """

    def __init__(
        self,
        source: SearchSource,
        k: int,
        relevant: Callable[[Candidate, Record | None], bool] | None,
    ) -> None:
        self._relevant = relevant
        self._source = source
        self._revision = source.revision
        self._k = k
        self._seen = DuplicateFilter()
        self._done: set[int] = set()
        self.found: list[tuple[Candidate, Record]] = []
        self.current = True  # whether no record is newer than the indexes

    @property
    def full(self) -> bool:
        return len(self.found) >= self._k

    def add(self, candidates: Iterable[Candidate], upto: int | None) -> None:
        """Append the best of these candidates until there are `upto` results in all."""
        wanted = self._k if upto is None else min(self._k, upto)
        waiting = sorted((one for one in candidates if one.row not in self._done), key=_order)
        at = 0
        while at < len(waiting) and len(self.found) < wanted:
            batch = waiting[at : at + wanted - len(self.found) + SPARE]
            at += len(batch)
            if self._relevant is not None:
                batch = [one for one in batch if self._relevant(one, None)]
                if not batch:
                    continue
            read = self._source.records([one.row for one in batch])
            for one in batch:
                if len(self.found) == wanted:
                    return
                self._done.add(one.row)
                if one.row not in read:
                    continue
                revision, record = read[one.row]
                self.current = self.current and revision <= self._revision
                # What was found deeper stays behind what was found before it.
                one.value = min([one.value, *(last.value for last, _ in self.found[-1:])])
                relevant = self._relevant is None or self._relevant(one, record)
                if relevant and self._seen.add(record):
                    self.found.append((one, record))


def fused(cosines: Floats, bm25: Floats, covered: Floats, weights: Weights) -> Floats:
    """Fused value of meaning and words. `covered` is the part of the query that matched.

    A word or two in common says little and counts for little; all of them count in full. So a
    question in other words is answered by meaning, and a name or a code by the letter.
    """
    strength = weights.telling * (0.5 + 0.5 * bm25 / (bm25 + HALF))
    squared = (bm25 / max(weights.total, 1e-9)) ** 2
    alone = LEXICAL_ALONE * weights.telling * squared / (squared + HALF_ALONE)
    whole: Floats = np.where(np.isnan(cosines), alone, cosines + LEXICAL * covered**3 * strength)
    return whole


def calibrated(value: float) -> float:
    """Score from 0 to 1 of a fused value, comparable between queries."""
    score = max(0.0, (value - NOTHING) / (EVERYTHING - NOTHING))
    room = 1.0 - BEND
    return score if score <= BEND else 1.0 - room * math.exp((BEND - score) / room)


def score_of(value: float) -> float:
    """Score of a fused value as results show it."""
    return round(calibrated(value), 4)


def _order(one: Candidate) -> tuple[float, int]:
    return -one.value, one.row
