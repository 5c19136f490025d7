"""Hybrid search: words, meaning and neighbours, fused into one score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiphon.knowledge.analysis import query_words
from antiphon.knowledge.bm25 import Counted, Weights, count
from antiphon.knowledge.edges import EdgeStore
from antiphon.knowledge.indexes import Indexes
from antiphon.knowledge.records import MAX_ID, Evidence, Filters, Record
from antiphon.knowledge.snippets import Glance, Seen
from antiphon.knowledge.store import RecordStore
from antiphon.knowledge.text_index import DamagedIndexError

# What the parts are worth, chosen on the queries over the sample knowledge.
LEXICAL = 0.6
HALF = 6.0  # the BM25 score that is worth half of the most that it can add
GRAPH = 0.05
# Without an embedding the words have to do: all of them together are worth this much.
LEXICAL_ALONE = 0.9
# Some more than are wanted are looked at closely, as estimates err and duplicates drop out; when
# the order is still open after so many rounds, the rest is taken for what it seems.
SPARE = 4
ROUNDS = 2
# What adds less than this to a value need not be known exactly.
SMALL = 0.02
# Links are followed from so many of the best, if they score so high, to so many records each.
SEEDS = 3
SEED_SCORE = 0.4
NEIGHBOURS = 16
# Fused values up to the first are no connection at all, from the second on a very close one.
NOTHING = 0.12
EVERYTHING = 0.75
NAMED = 3.0  # what the query names by its id comes before all else
# Scores above this draw near to 1 ever more slowly, so that the best stay apart.
BEND = 0.8
# So many candidates from either side, and more when more results are wanted.
POOL = 64


@dataclass(slots=True, eq=False)
class Candidate:
    """A row on its way to become evidence."""

    row: int
    cosine: float | None = None
    bm25: float = 0.0
    covered: float = 0.0  # which part of the query its words are
    exact: bool = False  # whether these two have been counted; until then they are the most likely
    named: bool = False  # the query is its id
    graph: float = 0.0
    via: list[tuple[int, str]] = field(default_factory=list)
    value: float = 0.0


Pool = dict[int, Candidate]


class Search:
    """One search over one database."""

    def __init__(
        self,
        indexes: Indexes,
        records: RecordStore,
        edges: EdgeStore,
        *,
        query: str,
        vector: NDArray[np.float32] | None,
        filters: Filters | None,
        k: int,
    ) -> None:
        self._indexes = indexes
        self._records = records
        self._edges = edges
        self._query = query
        self._words = query_words(query)
        self._vector = vector
        self._filters = filters
        self._k = k
        # Known once it runs: the rows that may be found, what the words are worth, whether every
        # record that has any of them is a candidate, and if not the BM25 that others may have.
        self._allowed: NDArray[np.bool_] | None = None
        self._weights: Weights
        self._glance: Glance
        self._complete = True
        self._guess = 0.0

    def run(self, *, explain: bool = False, full_text: bool = False) -> list[Evidence]:
        """The best `k`. What another process changes while it runs is looked at again."""
        indexes = self._indexes
        indexes.refresh()
        tries = 3
        while True:
            tries -= 1
            try:
                with indexes.lock.read():
                    chosen, current = self._run()
                    found = self._evidence(chosen, explain=explain, full_text=full_text)
            except DamagedIndexError as error:
                if not tries:
                    raise
                indexes.repair(error)
                continue
            if current or not tries:
                return found
            indexes.catch_up()

    def _run(self) -> tuple[list[tuple[Candidate, Record]], bool]:
        columns = self._indexes.columns
        share = 1.0
        if self._filters is not None:
            self._allowed, some = columns.allowed(self._filters)
            if not some:
                return [], True
            share = some / columns.count
        self._weights = self._indexes.text.weights(self._words)
        pool = self._best(share)
        self._add_named(pool)
        if not self._query.strip():
            self._add_newest(pool)
        self._add_neighbours(pool)
        return self._choose(pool)

    # -- candidates

    def _best(self, share: float) -> Pool:
        """The best by words and the best by meaning, and of these the best by both.

        All at once in arrays, as most of them come to nothing.
        """
        limit = max(POOL, 4 * self._k)
        by_words, self._complete = self._indexes.text.search(
            self._weights, limit, self._allowed, self._filters, share
        )
        # Those that are not among the best by words may have some of them still.
        self._guess = 0.0 if self._complete else min(by_words.values()) / 2
        rows = np.fromiter(by_words, np.int64, len(by_words))
        bm25 = np.fromiter(by_words.values(), np.float64, len(by_words))
        cosines = np.full(len(rows), np.nan, np.float32)
        vectors = self._indexes.vectors
        if self._vector is not None and vectors is not None:
            near, near_cosines = vectors.search(self._vector, limit, self._allowed)
            cosines = vectors.cosines(rows, self._vector)
            new = [at for at, row in enumerate(near.tolist()) if row not in by_words]
            rows = np.concatenate([rows, near[new]])
            bm25 = np.concatenate([bm25, np.full(len(new), self._guess)])
            cosines = np.concatenate([cosines, near_cosines[new]])
        covered = np.minimum(1.0, bm25 / max(self._weights.total, 1e-9))
        strength = self._weights.telling * (0.5 + 0.5 * bm25 / (bm25 + HALF))
        values = np.where(
            np.isnan(cosines),
            LEXICAL_ALONE * covered**2 * strength,
            cosines + LEXICAL * covered**3 * strength,
        )
        kept = min(len(rows), 4 * (self._k + SPARE))
        if kept < len(rows):
            top = np.zeros(len(rows), np.bool_)
            top[np.argpartition(-values, kept)[:kept]] = True
            top[np.argsort(-bm25, kind="stable")[:SPARE]] = True
            rows, bm25, cosines = rows[top], bm25[top], cosines[top]
            covered, values = covered[top], values[top]
        return {
            row: Candidate(
                row,
                None if cosine != cosine else cosine,  # NaN: not embedded yet
                score,
                part,
                exact=self._complete and row not in by_words,
                value=value,
            )
            for row, cosine, score, part, value in zip(
                rows.tolist(),
                cosines.tolist(),
                bm25.tolist(),
                covered.tolist(),
                values.tolist(),
                strict=True,
            )
        }

    def _add_named(self, pool: Pool) -> None:
        name = self._query.strip()
        if name and len(name) <= MAX_ID:
            row = self._records.row_of(name)
            if row is not None and self._may_be_found(row):
                self._candidate(pool, row).named = True
                self._fill_cosines({row: pool[row]})
                self._value([pool[row]])

    def _add_newest(self, pool: Pool) -> None:
        """For a query that asks nothing: what was changed last."""
        for place, row in enumerate(self._indexes.columns.newest(2 * self._k, self._allowed)):
            self._candidate(pool, row).value = -float(place)

    def _add_neighbours(self, pool: Pool) -> None:
        """Records that are linked to strong hits come in, or move up a little."""
        best = sorted(pool.values(), key=_order)[:SEEDS]
        strong = {one.row: one for one in best if calibrated(one.value) >= SEED_SCORE}
        if not strong:
            return
        linked: Pool = {}
        for seed, row, relation, weight in self._edges.neighbours(list(strong), NEIGHBOURS):
            if self._may_be_found(row):
                one = linked[row] = self._candidate(pool, row)
                boost = GRAPH * calibrated(strong[seed].value) * min(1.0, weight)
                one.graph = max(one.graph, boost)
                one.via.append((seed, relation))
        self._fill_cosines(linked)
        self._value(linked.values())

    def _candidate(self, pool: Pool, row: int) -> Candidate:
        found = pool.get(row)
        if found is None:
            found = pool[row] = Candidate(
                row,
                bm25=self._guess,
                covered=self._weights.share(self._guess),
                exact=self._complete,  # then it has none of the words
            )
        return found

    def _may_be_found(self, row: int) -> bool:
        fits = self._indexes.columns.alive if self._allowed is None else self._allowed
        return row < len(fits) and bool(fits[row])

    def _fill_cosines(self, pool: Pool) -> None:
        vectors = self._indexes.vectors
        without = [row for row, one in pool.items() if one.cosine is None]
        if self._vector is None or vectors is None or not without:
            return
        cosines = vectors.cosines(np.array(without, np.int64), self._vector).tolist()
        for row, cosine in zip(without, cosines, strict=True):
            if cosine == cosine:  # else it is NaN: not embedded yet
                pool[row].cosine = cosine

    # -- scores

    def _value(self, candidates: Iterable[Candidate]) -> None:
        for one in candidates:
            one.value = fused(one.cosine, one.bm25, one.covered, self._weights.telling) + one.graph
            if one.named:
                one.value = max(one.value, NAMED)

    # -- evidence

    def _choose(self, pool: Pool) -> tuple[list[tuple[Candidate, Record]], bool]:
        """The best with their records, and whether these are what the indexes have seen."""
        revision = self._indexes.revision
        self._glance = Glance(self._weights)
        chosen: list[tuple[Candidate, Record]] = []
        seen = Seen()
        found: dict[int, tuple[int, Record]] = {}
        waiting = sorted(pool.values(), key=_order)
        rounds = 0
        while waiting and len(chosen) < self._k:
            size = self._k - len(chosen) + SPARE
            batch, waiting = waiting[:size], waiting[size:]
            if not rounds:
                # How much of the query the words are can only be guessed before, and the guess is
                # low for long texts: so the best by words are looked at too.
                by_words = sorted(waiting, key=lambda one: -one.bm25)[:SPARE]
                batch += [one for one in by_words if one.bm25 and not one.exact]
                waiting = [one for one in waiting if one not in batch]
            found |= self._records.rows([one.row for one in batch if one.row not in found])
            rounds += 1
            for one in batch:
                if not one.exact and one.row in found and rounds <= ROUNDS:
                    self._look_closely(one, found[one.row][1])
            batch.sort(key=_order)
            while batch and len(chosen) < self._k:
                if waiting and batch[0].value < waiting[0].value and rounds < ROUNDS:
                    waiting = sorted((*batch, *waiting), key=_order)
                    break
                one = batch.pop(0)
                if one.row in found and seen.add(found[one.row][1]):
                    chosen.append((one, found[one.row][1]))
        current = all(at <= revision for at, _ in found.values())
        return chosen, current

    def _look_closely(self, one: Candidate, record: Record) -> None:
        """Works out what its words are worth."""
        one.covered = self._glance.covered(record)
        if LEXICAL * one.covered**3 > SMALL or one.cosine is None:
            counted = _counted(record)
            one.bm25 = self._weights.score(counted)
            one.covered = self._weights.covered(counted)
        one.exact = True
        self._value([one])

    def _evidence(
        self, chosen: list[tuple[Candidate, Record]], *, explain: bool, full_text: bool
    ) -> list[Evidence]:
        if not chosen:
            return []
        names: dict[int, str] = {}
        if explain:
            seeds = {seed for one, _ in chosen for seed, _ in one.via}
            found = self._records.rows(list(seeds))
            names = {row: record.id for row, (_, record) in found.items()}
        return [
            Evidence(
                record.id,
                record.type,
                record.title or record.id,
                self._glance.snippet(record),
                round(calibrated(one.value), 4),
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
        matched = self._weights.parts(_counted(record))
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


def fused(cosine: float | None, bm25: float, covered: float, telling: float) -> float:
    """One value for meaning and words. `covered` is the part of the query that the words are.

    A word or two in common says little and counts for little; all of them count in full. So a
    question in other words is answered by meaning, and a name or a code by the letter.
    """
    strength = telling * (0.5 + 0.5 * bm25 / (bm25 + HALF))
    if cosine is None:
        return LEXICAL_ALONE * covered * covered * strength
    return cosine + LEXICAL * covered**3 * strength


def calibrated(value: float) -> float:
    """The score from 0 to 1 that people and programs see."""
    score = max(0.0, (value - NOTHING) / (EVERYTHING - NOTHING))
    room = 1.0 - BEND
    return score if score <= BEND else 1.0 - room * math.exp((BEND - score) / room)


def _order(one: Candidate) -> tuple[float, int]:
    return -one.value, one.row


def _counted(record: Record) -> Counted:
    body = f"{record.text}\n{' '.join(record.tags)}" if record.tags else record.text
    return count(record.title, body)
