"""Terms of records on the server: a tsvector column to match, and document frequencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from antiphon.knowledge.bm25 import WordCounts
from antiphon.knowledge.postgres.connections import Connection

# A column of words holds 1 MB; of the few texts that have more, the first words are found.
_ROOM = 900_000
# More repetitions than these change no score.
_TITLE_TIMES = 50
_BODY_TIMES = 150


def lexeme(database: int, word: str) -> str:
    """Word as the tsvector column holds it: with the number of its database."""
    return f"{database}.{word}"


def quoted(text: str) -> str:
    """Text quoted for tsvector and tsquery."""
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def column(database: int, counted: WordCounts) -> tuple[str, list[str], list[str]]:
    """Value of the tsvector column, and the words of title and text that are in it."""
    parts: list[str] = []
    title: list[str] = []
    body: list[str] = []
    room = _ROOM
    for word in dict.fromkeys((*counted.title, *counted.body)):
        in_title = min(counted.title.get(word, 0), _TITLE_TIMES)
        in_body = min(counted.body.get(word, 0), _BODY_TIMES)
        name = lexeme(database, word)
        room -= len(name.encode()) + 2 * (in_title + in_body) + 4
        if room < 0:
            break
        places = [f"{at}A" for at in range(1, in_title + 1)]
        places += [str(in_title + at) for at in range(1, in_body + 1)]
        parts.append(f"{quoted(name)}:{','.join(places)}")
        if in_title:
            title.append(word)
        if in_body:
            body.append(word)
    return " ".join(parts), title, body


class Terms:
    """Changes of a write to the document frequencies of a database's words."""

    def __init__(self, database: int) -> None:
        self._database = database
        self._title: Counter[str] = Counter()
        self._body: Counter[str] = Counter()

    def add(self, title: Iterable[str], body: Iterable[str]) -> None:
        """Count the words of a record that is written."""
        self._title.update(title)
        self._body.update(body)

    def remove(self, connection: Connection, records: list[int]) -> None:
        """Subtract the words of these records, before they are changed or deleted."""
        if not records:
            return
        skipped = len(lexeme(self._database, ""))
        for name, title, body in connection.execute(
            "SELECT w.lexeme, count(*) FILTER (WHERE 'A' = ANY(w.weights)), "
            "count(*) FILTER (WHERE 'D' = ANY(w.weights)) "
            "FROM records r, unnest(r.words) w WHERE r.number = ANY(%s) GROUP BY 1",
            (records,),
        ):
            self._title[name[skipped:]] -= title
            self._body[name[skipped:]] -= body

    def write(self, connection: Connection) -> None:
        """Apply the changes to the table of terms."""
        words = [
            word
            for word in sorted(self._title.keys() | self._body.keys())
            if self._title[word] or self._body[word]
        ]
        if not words:
            return
        connection.execute(
            "INSERT INTO terms SELECT %s, * FROM unnest(%s::text[], %s::integer[], %s::integer[]) "
            "ON CONFLICT (database, word) DO UPDATE "
            "SET title = terms.title + excluded.title, body = terms.body + excluded.body",
            (
                self._database,
                words,
                [self._title[word] for word in words],
                [self._body[word] for word in words],
            ),
        )
        connection.execute(
            "DELETE FROM terms WHERE database = %s AND word = ANY(%s) AND title <= 0 AND body <= 0",
            (self._database, words),
        )
