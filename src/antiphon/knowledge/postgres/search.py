"""Search source of the PostgreSQL engine: full text and vectors, filtered on the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from antiphon.knowledge.bm25 import TITLE_BOOST, Matches, Weights, WordCounts, weigh
from antiphon.knowledge.errors import KnowledgeError
from antiphon.knowledge.postgres.embeddings import EmbeddingModel, indexed
from antiphon.knowledge.postgres.schema import Abilities
from antiphon.knowledge.postgres.session import PostgresSession
from antiphon.knowledge.postgres.tables import statements
from antiphon.knowledge.postgres.terms import lexeme, quoted
from antiphon.knowledge.records import Filters, Record, check_id
from antiphon.knowledge.search import POOL
from antiphon.knowledge.sql.records import records_by_number

# Rare words are looked up first; common ones join in as long as so few records have them, or when
# the rare ones find too little. So many are ranked beside vectors, which find what matters among
# the records with a common word; the second number, where words are all there is.
FEW_RECORDS = 4_000
MOST_RECORDS = 50_000
MAX_EF = 1_000  # pgvector's own limit
MOST_MET = 10_000  # half of what pgvector looks at before it gives up

# The server's rank of a word is saturated by its frequency much as BM25 is; lengths are left out,
# so more than are needed are fetched, with what their true score is made of.
_BY_WORDS = """
WITH hits AS (
  SELECT r.number, r.words FROM records r
  WHERE r.words @@ %(any)s::tsquery AND {fits} LIMIT %(most)s
), best AS (
  SELECT h.number FROM hits h ORDER BY {rank} DESC, h.number LIMIT %(limit)s
)
SELECT r.number, r.title_words, r.body_words, array_agg(w.lexeme),
  array_agg((SELECT count(*) FROM unnest(w.weights) p WHERE p = 'A')),
  array_agg((SELECT count(*) FROM unnest(w.weights) p WHERE p = 'D'))
FROM best b JOIN records r ON r.number = b.number CROSS JOIN LATERAL unnest(r.words) w
WHERE w.lexeme = ANY(%(lexemes)s) GROUP BY r.number
"""
_RANK = "%(worth{at})s::float8 * ts_rank(%(parts)s::real[], h.words, %(query{at})s::tsquery)"
_NEIGHBOURS = """
SELECT s.seed, n.other, n.relation, n.weight
FROM unnest(%(seeds)s::bigint[]) WITH ORDINALITY AS s (seed, place) CROSS JOIN LATERAL (
  SELECT target AS other, relation, weight FROM edges
  WHERE database = %(database)s AND source = s.seed
  UNION ALL
  SELECT source, relation, weight FROM edges WHERE database = %(database)s AND target = s.seed
  ORDER BY weight DESC, other, relation LIMIT %(limit)s
) n JOIN records r ON r.number = n.other WHERE {fits}
ORDER BY s.place, n.weight DESC, n.other, n.relation
"""
_NEAREST_OF_ALL = """
SELECT e.record, e.embedding <#> %(vector)s::{type} AS distance FROM embeddings e
WHERE e.model = {model} AND e.embedding IS NOT NULL ORDER BY distance LIMIT %(limit)s
"""
_NEAREST_THAT_FIT = """
SELECT e.record, e.embedding <#> %(vector)s::{type} AS distance
FROM records r JOIN embeddings e ON e.record = r.number AND e.model = {model}
WHERE {fits} AND e.embedding IS NOT NULL ORDER BY distance LIMIT %(limit)s
"""
_NEAREST_OF_FEW = """
SELECT e.record, e.embedding <#> %(vector)s::{type} AS distance FROM embeddings e
WHERE e.model = {model} AND e.record = ANY(%(few)s) AND e.embedding IS NOT NULL
ORDER BY distance LIMIT %(limit)s
"""
# Only this expression is in the index.
_NEAREST_BY_INDEX = """
SELECT e.record, (e.embedding::{type}({dims})) <#> %(vector)s::{type}({dims}) AS distance
FROM embeddings e {join}
WHERE e.model = {model} AND e.embedding IS NOT NULL AND {fits} ORDER BY distance LIMIT %(limit)s
"""
_COSINES = """
SELECT record, embedding <#> %(vector)s::{type} FROM embeddings
WHERE model = %(model)s AND record = ANY(%(records)s) AND embedding IS NOT NULL
"""


class PostgresSearchSource:
    """Search source of one database at one moment, through one filter.

    Rows are the numbers of records. What the filter does not let through is never returned, so
    the search has nothing left to sort out.
    """

    def __init__(
        self,
        session: PostgresSession,
        filters: Filters | None,
        model: EmbeddingModel | None,
        abilities: Abilities,
        *,
        few: int,
    ) -> None:
        """When a filter leaves fewer than `few`, all their vectors are compared."""
        self._session = session
        self._connection = session.connection
        self._database = session.database
        self._filters = filters
        self._model = model
        self._type = sql.SQL(abilities.vectors)
        self._iterative = abilities.iterative
        self._few = few
        self._fits, self._values = fitting(self._database, filters)
        # What the server would rather do here costs more, whatever it estimates: reading whole
        # tables, and sorting all distances instead of asking the index.
        settings = {"enable_seqscan": "off", "hnsw.iterative_scan": "strict_order"}
        if not abilities.iterative:
            del settings["hnsw.iterative_scan"]
        row = self._connection.execute(
            sql.SQL(
                "SELECT revision, records, title_words, body_words, {} FROM databases "
                "WHERE number = %s"
            ).format(_set_locally(settings)),
            (self._database,),
        ).fetchone()
        assert row is not None
        self.revision, self._records, self._title_words, self._body_words = row[:4]
        self._narrow: list[int] | None = None
        if filters is not None:
            self._narrow = self._rows_if_few()

    @property
    def empty(self) -> bool:
        """False: what the filter lets through is known only by looking for it."""
        return False

    @property
    def has_vectors(self) -> bool:
        return self._model is not None

    # -- words

    def weights(self, words: Iterable[str]) -> Weights:
        """BM25 weights of the query's words; of many only the rarest."""
        having = dict.fromkeys(words, (0, 0))
        for word, title, body in self._connection.execute(
            "SELECT word, title, body FROM terms WHERE database = %s AND word = ANY(%s)",
            (self._database, list(having)),
        ):
            having[word] = (title, body)
        records = max(1, self._records)
        self._having = having
        # Most records that have a word in the title have it in the text as well.
        return weigh(
            {word: max(counts) for word, counts in having.items()},
            records,
            self._title_words / records,
            (self._title_words + self._body_words) / records,
        )

    def match(self, weights: Weights, limit: int, *, parts: bool) -> Matches:
        """The best `limit` rows by BM25, and which part of the query each covers."""
        del parts  # they cost nothing more here
        words = sorted(weights.words, key=lambda word: sum(self._having[word]))
        if not words:
            return Matches(weights, {}, {}, complete=True)
        wanted = 2 * limit
        used = 1 if self._narrow is None else len(words)
        while used < len(words) and self._reach(words[: used + 1]) <= FEW_RECORDS:
            used += 1
        found = self._by_words(weights, words[:used], wanted)
        while len(found) < wanted and used < len(words):
            used += 1
            found = self._by_words(weights, words[:used], wanted)
        scores = {row: weights.score(counted) for row, counted in found.items()}
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return Matches(
            weights,
            dict(best),
            {row: weights.matched_weight(counted) for row, counted in found.items()},
            complete=len(found) < wanted and len(found) <= limit,
        )

    def _reach(self, words: Sequence[str]) -> int:
        return sum(max(self._having[word]) for word in words)

    def _by_words(
        self, weights: Weights, words: Sequence[str], limit: int
    ) -> dict[int, WordCounts]:
        rank = [sql.SQL(_RANK.replace("{at}", str(at))) for at in range(len(weights.words))]
        values: dict[str, Any]
        if self._narrow is not None:
            fits, values = [sql.SQL("r.number = ANY(%(few)s)")], {"few": self._narrow}
        else:
            # The words say which database it is; to say it again would only mislead the planner.
            fits, values = conditions(self._filters)
        for at, word in enumerate(weights.words):
            values[f"worth{at}"] = weights.worth[word]
            values[f"query{at}"] = quoted(lexeme(self._database, word))
        statement = sql.SQL(_BY_WORDS).format(
            fits=sql.SQL(" AND ").join(fits or [sql.SQL("true")]),
            rank=sql.SQL(" + ").join(rank),
        )
        values.update(
            {
                "any": " | ".join(quoted(lexeme(self._database, word)) for word in words),
                "most": MOST_RECORDS if self._model is None else FEW_RECORDS,
                # What a word counts in the text, at two places that are not used, in the title.
                "parts": [1 / (1 + TITLE_BOOST), 0.0, 0.0, 1.0],
                "limit": limit,
                "lexemes": [lexeme(self._database, word) for word in weights.words],
            }
        )
        rows = self._connection.execute(statement, values).fetchall()
        skipped = len(lexeme(self._database, ""))
        found: dict[int, WordCounts] = {}
        for number, title_words, body_words, lexemes, in_title, in_body in rows:
            names = [name[skipped:] for name in lexemes]
            found[number] = WordCounts(
                dict(zip(names, in_title, strict=True)),
                title_words,
                dict(zip(names, in_body, strict=True)),
                body_words,
            )
        return found

    # -- meaning

    def nearest(
        self, vector: NDArray[np.float32], limit: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The nearest `limit` rows, nearest first, and their cosines."""
        near = [] if self._model is None else self._nearest(self._model, vector, limit)
        return (
            np.array([row for row, _ in near], np.int64),
            np.array([cosine for _, cosine in near], np.float32),
        )

    def _nearest(
        self, model: EmbeddingModel, vector: NDArray[np.float32], limit: int
    ) -> list[tuple[int, float]]:
        parts: dict[str, sql.Composable] = {
            "type": self._type,
            "model": sql.Literal(model.number),
            "dims": sql.Literal(model.dims),
            "fits": self._fits,
        }
        values = {**self._values, "vector": literal(vector), "limit": limit}
        if self._narrow is not None:
            statement = sql.SQL(_NEAREST_OF_FEW).format(**parts)
            rows = self._connection.execute(statement, {**values, "few": self._narrow})
            return [(number, -distance) for number, distance in rows]
        if self._use_index(model):
            join = sql.SQL("JOIN records r ON r.number = e.record" if self._filters else "")
            fits = self._fits if self._filters else sql.SQL("true")
            statement = sql.SQL(_NEAREST_BY_INDEX).format(**{**parts, "fits": fits, "join": join})
            near = self._by_index(statement, values)
            if len(near) == limit:
                return near  # else the index gave up before it had enough that fit
        statement = sql.SQL(_NEAREST_THAT_FIT if self._filters else _NEAREST_OF_ALL).format(**parts)
        rows = self._connection.execute(statement, values)
        return [(number, -distance) for number, distance in rows]

    def _by_index(self, statement: sql.Composed, values: dict[str, Any]) -> list[tuple[int, float]]:
        steps = min(MAX_EF, max(100, 2 * int(values["limit"])))
        ways = {"hnsw.ef_search": str(steps), "enable_sort": "off"}
        self._connection.execute(sql.SQL("SELECT {}").format(_set_locally(ways)))
        # Not prepared: the index is for one model, which the plan must know.
        rows = self._connection.execute(statement, values, prepare=False).fetchall()
        self._connection.execute("SET LOCAL enable_sort = on")
        return [(number, -distance) for number, distance in rows]

    def _rows_if_few(self) -> list[int] | None:
        """The rows that the filter lets through; None: so many that an index is better at them.

        An index of vectors meets as many that do not fit as there are; it must not meet too many.
        """
        enough = max(self._few, POOL * self._records // MOST_MET)
        rows = self._connection.execute(
            sql.SQL("SELECT r.number FROM records r WHERE {} LIMIT %(most)s").format(self._fits),
            {**self._values, "most": enough},
        ).fetchall()
        return [number for (number,) in rows] if len(rows) < enough else None

    def _use_index(self, model: EmbeddingModel) -> bool:
        # Without iteration the index would stop before enough are found that fit.
        return (self._filters is None or self._iterative) and indexed(self._connection, model)

    def cosines(self, rows: NDArray[np.int64], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """The cosine of each row; NaN for what is not embedded yet."""
        assert self._model is not None
        found = self._connection.execute(
            sql.SQL(_COSINES).format(type=self._type),
            {"vector": literal(vector), "model": self._model.number, "records": rows.tolist()},
        )
        known = {number: -distance for number, distance in found}
        return np.array([known.get(row, np.nan) for row in rows.tolist()], np.float32)

    # -- records

    def newest(self, limit: int) -> list[int]:
        """Rows by their date, latest first; those without one come last."""
        rows = self._connection.execute(
            sql.SQL(
                "SELECT r.number FROM records r WHERE {} "
                "ORDER BY r.stamp DESC NULLS LAST, r.number LIMIT %(limit)s"
            ).format(self._fits),
            {**self._values, "limit": limit},
        )
        return [number for (number,) in rows]

    def row_of(self, id: str) -> int | None:
        """The row of the record with this id, if the filter lets it through."""
        try:
            check_id(id)
        except KnowledgeError:
            return None  # no record could be called that
        row = self._connection.execute(
            sql.SQL("SELECT r.number FROM records r WHERE r.id = %(id)s AND {}").format(self._fits),
            {**self._values, "id": id},
        ).fetchone()
        return None if row is None else int(row[0])

    def records(self, rows: Sequence[int]) -> dict[int, tuple[int, Record]]:
        """Revision and record of each row that is there."""
        return records_by_number(self._session, statements(), rows)

    def neighbours(self, rows: Sequence[int], limit: int) -> list[tuple[int, int, str, float]]:
        """(row, neighbour, relation, weight) of the heaviest `limit` edges at each row."""
        found = self._connection.execute(
            sql.SQL(_NEIGHBOURS).format(fits=self._fits),
            {**self._values, "seeds": list(rows), "limit": limit},
        )
        return [(row[0], row[1], row[2], row[3]) for row in found]


def _set_locally(settings: Mapping[str, str]) -> sql.Composed:
    """Calls that set these until the end of the transaction."""
    calls = [
        sql.SQL("set_config({}, {}, true)").format(sql.Literal(name), sql.Literal(value))
        for name, value in settings.items()
    ]
    return sql.SQL(", ").join(calls)


def fitting(database: int, filters: Filters | None) -> tuple[sql.Composable, dict[str, Any]]:
    """SQL condition, with its values, that a record `r` is in the database and fits the filters."""
    parts, values = conditions(filters)
    parts = [sql.SQL("r.database = %(database)s"), *parts]
    return sql.SQL(" AND ").join(parts), {**values, "database": database}


def conditions(filters: Filters | None) -> tuple[list[sql.SQL], dict[str, Any]]:
    """SQL conditions of the filters on a record `r`, with their values."""
    if filters is None:
        return [], {}
    since, until = filters.range()
    asked: tuple[tuple[str, sql.SQL, Any], ...] = (
        ("types", sql.SQL("r.type = ANY(%(types)s)"), list(filters.types) or None),
        (
            "sources",
            sql.SQL("r.source_type = ANY(%(sources)s)"),
            list(filters.source_types) or None,
        ),
        ("tags", sql.SQL("r.tags @> %(tags)s::text[]"), list(filters.tags) or None),
        ("since", sql.SQL("r.stamp >= %(since)s"), since),
        ("until", sql.SQL("r.stamp <= %(until)s"), until),
    )
    given = [(name, part, value) for name, part, value in asked if value is not None]
    return [part for _, part, _ in given], {name: value for name, _, value in given}


def literal(vector: NDArray[np.float32]) -> str:
    """Vector as a literal of pgvector."""
    return f"[{','.join(f'{value:.7g}' for value in vector.tolist())}]"
