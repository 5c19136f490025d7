"""Filter columns held in memory as arrays: type, source, tags and date of each row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiphon.knowledge.records import Filters

_KEPT = 16  # filters whose rows are remembered until something changes


class Columns:
    """Filter columns by row. Not synchronised: nobody may read while it changes."""

    def __init__(self) -> None:
        self.size = 0  # rows up to the last one that was ever used
        self.count = 0
        self._alive = np.zeros(0, np.bool_)
        self._type = np.zeros(0, np.int32)
        self._source = np.zeros(0, np.int32)
        self._tags = np.zeros(0, np.int32)
        self._stamp = np.zeros(0, np.float64)
        self._types: dict[str, int] = {}
        self._sources: dict[str, int] = {}
        # Many records share their tags, so a row has the number of its set of tags.
        self._sets: dict[tuple[str, ...], int] = {}
        self._sets_with: dict[str, set[int]] = {}
        self._known: dict[Filters, tuple[NDArray[np.bool_], int]] = {}

    @property
    def alive(self) -> NDArray[np.bool_]:
        return self._alive[: self.size]

    def put(
        self, row: int, type: str, source_type: str, tags: Iterable[str], stamp: float | None
    ) -> None:
        self._reach(row)
        self.count += not self._alive[row]
        self._alive[row] = True
        self._type[row] = self._types.setdefault(type, len(self._types))
        self._source[row] = self._sources.setdefault(source_type, len(self._sources))
        self._tags[row] = self._set(tuple(sorted(tags)))
        self._stamp[row] = np.nan if stamp is None else stamp
        self._known.clear()

    def drop(self, row: int) -> None:
        if row < self.size and self._alive[row]:
            self._alive[row] = False
            self.count -= 1
        self._known.clear()

    def allowed(self, filters: Filters) -> tuple[NDArray[np.bool_], int]:
        """Mask of the rows that the filters let through, and their number."""
        known = self._known.get(filters)
        if known is None:
            mask = self._allowed(filters)
            known = mask, int(np.count_nonzero(mask))
            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[filters] = known
        return known

    def newest(self, limit: int, allowed: NDArray[np.bool_] | None) -> list[int]:
        """Rows by their date, latest first; those without one come last."""
        rows = np.flatnonzero(self.alive if allowed is None else allowed)
        stamps = np.nan_to_num(self._stamp[rows], nan=-np.inf)
        order = np.lexsort((rows, -stamps))[:limit]
        found: list[int] = rows[order].tolist()
        return found

    def _allowed(self, filters: Filters) -> NDArray[np.bool_]:
        size = self.size
        mask: NDArray[np.bool_] = self._alive[:size].copy()
        for values, numbers, column in (
            (filters.types, self._types, self._type),
            (filters.source_types, self._sources, self._source),
        ):
            if values:
                wanted = [numbers[value] for value in dict.fromkeys(values) if value in numbers]
                if not wanted:
                    return np.zeros(size, np.bool_)
                any_of = column[:size] == wanted[0]
                for number in wanted[1:]:
                    any_of |= column[:size] == number
                mask &= any_of
        since, until = filters.range()
        if since is not None:
            mask &= self._stamp[:size] >= since  # without a date it is NaN, which never is
        if until is not None:
            mask &= self._stamp[:size] <= until
        if filters.tags:
            sets = set.intersection(*(self._sets_with.get(tag, set()) for tag in filters.tags))
            has = np.zeros(len(self._sets), np.bool_)
            has[list(sets)] = True
            rows = np.flatnonzero(mask)
            mask[rows] = has[self._tags[rows]]
        return mask

    def _set(self, tags: tuple[str, ...]) -> int:
        number = self._sets.get(tags)
        if number is None:
            number = self._sets[tags] = len(self._sets)
            for tag in tags:
                self._sets_with.setdefault(tag, set()).add(number)
        return number

    def _reach(self, row: int) -> None:
        if row < self.size:
            return
        self.size = row + 1
        room = len(self._alive)
        if self.size > room:
            more = max(256, self.size + self.size // 2) - room
            for name in ("_alive", "_type", "_source", "_tags", "_stamp"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.zeros(more, old.dtype)]))

    # -- for the snapshot

    def dump(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        words = {
            "types": list(self._types),
            "sources": list(self._sources),
            "tag_sets": [list(tags) for tags in self._sets],
        }
        arrays = {
            name: getattr(self, f"_{name}")[: self.size]
            for name in ("alive", "type", "source", "tags", "stamp")
        }
        return words, arrays

    @classmethod
    def load(cls, words: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Columns:
        """Restore what `dump` saved. Raises LookupError or ValueError for anything else."""
        columns = cls()
        columns._alive = arrays["alive"]
        columns._type = arrays["type"]
        columns._source = arrays["source"]
        columns._tags = arrays["tags"]
        columns._stamp = arrays["stamp"]
        columns.size = len(columns._alive)
        columns.count = int(np.count_nonzero(columns._alive))
        columns._types = {name: number for number, name in enumerate(words["types"])}
        columns._sources = {name: number for number, name in enumerate(words["sources"])}
        for tags in words["tag_sets"]:
            columns._set(tuple(tags))
        for array, names in (
            (columns._type, columns._types),
            (columns._source, columns._sources),
            (columns._tags, columns._sets),
        ):
            if columns.size and not 0 <= int(array.min()) <= int(array.max()) < max(1, len(names)):
                raise ValueError("a number stands for no word")
        return columns
