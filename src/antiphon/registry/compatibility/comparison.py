"""The walk over two schemas side by side that notes where one accepts what the other does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from antiphon.registry.compatibility.schema_facts import identical, possible_types, settle
from antiphon.registry.schemas import Path, SchemaDocument, json_key

MAX_DEPTH = 150
MAX_STEPS = 5_000

# What the new side accepts, against the old: less, more, the same, or not to be told.
Effect = Literal["narrower", "wider", "same", "unclear"]
Side = Literal["old", "new"]


class SchemaDifference(NamedTuple):
    """One difference of two schemas: `at` leads into the new schema; `effect` is what becomes of
    the set of accepted values."""

    at: Path
    kind: str
    effect: Effect
    message: str


class _TooMuch(Exception):
    """The schemas are too large or too deep to compare."""


class Comparison:
    """One walk through two schemas; `compare` is called for each pair of schema objects met.

    The question is whether what was valid still is; `results` turns it round.
    """

    def __init__(
        self, old: Any, new: Any, compare: Callable[[Pair], None], *, results: bool
    ) -> None:
        self.old, self.new = SchemaDocument(old), SchemaDocument(new)
        self.compare = compare
        self.results = results
        self.found: list[SchemaDifference] = []
        self.under_way: set[tuple[Path | None, Path | None, bool]] = set()
        self.seen: set[tuple[Path | None, Path | None, bool]] = set()
        self.steps = 0

    def run(self) -> list[SchemaDifference]:
        """Compare the two documents and return the differences."""
        try:
            self.walk((), (), (), filled=not self.results)
        except _TooMuch:
            message = "the schemas are too large to compare and cannot be shown compatible"
            self.found.append(SchemaDifference((), "too-large", "unclear", message))
        return list(dict.fromkeys(self.found))

    def note(self, at: Path, kind: str, effect: Effect, message: str) -> None:
        """Add a difference."""
        if effect == "unclear":
            message += "; it cannot be shown compatible"
        self.found.append(SchemaDifference(at, kind, effect, message))

    def trial(self, old: Path | None, new: Path | None) -> Effect:
        """Return the effect of one schema taking the place of the other, without noting it."""
        kept, kept_seen = self.found, self.seen
        self.found, self.seen = [], set(self.under_way)
        try:
            self.walk(old, new, (), filled=False)
            effects = {difference.effect for difference in self.found} - {"same"}
        finally:
            self.found, self.seen = kept, kept_seen
        if not effects:
            return "same"
        return effects.pop() if len(effects) == 1 else "unclear"

    def walk(self, old_path: Path | None, new_path: Path | None, at: Path, *, filled: bool) -> None:
        """Compare two places (None: anything goes). `filled`: the run time fills in defaults."""
        old_path, old = settle(self.old, old_path)
        new_path, new = settle(self.new, new_path)
        key = (old_path, new_path, filled)
        if key in self.seen:
            # Either noted already or under way further up, which then decides.
            return
        self.steps += 1
        if self.steps > MAX_STEPS or len(self.under_way) > MAX_DEPTH:
            raise _TooMuch
        self.seen.add(key)
        self.under_way.add(key)
        at = at if new_path is None else new_path
        if old is False or new is False:
            if new is False and old is not False:
                self.note(at, "forbidden", "narrower", "nothing is accepted here any more")
            elif old is False and new is not False:
                self.note(at, "allowed", "wider", "what was forbidden here is now accepted")
        else:
            self.compare(Pair(self, old_path, new_path, old, new, at, filled))
        self.under_way.discard(key)

    def differing_roots(self) -> bool:
        """Whether the two documents differ at all."""
        return bool(json_key(self.old.root) != json_key(self.new.root))


@dataclass(slots=True)
class Pair:
    """Two schema objects that take each other's place somewhere in the two documents."""

    run: Comparison
    old_path: Path | None
    new_path: Path | None
    old: dict[str, Any]
    new: dict[str, Any]
    at: Path
    filled: bool

    @property
    def names(self) -> set[str]:
        """Return the keywords that either schema has."""
        return self.old.keys() | self.new.keys()

    def note(self, kind: str, effect: Effect, message: str, *where: str | int) -> None:
        """Add a difference at this place, or at a keyword of it."""
        self.run.note((*self.at, *where), kind, effect, message)

    def differs(self, name: str) -> bool:
        """Whether the two have different values of a keyword."""
        if (name in self.old) != (name in self.new):
            return True
        return bool(json_key(self.old.get(name)) != json_key(self.new.get(name)))

    def same(self, *names: str) -> bool:
        """Whether these keywords are equal, and all that they refer to is."""
        if any(self.differs(name) for name in names):
            return False
        return all(
            identical(self.run.old, (*(self.old_path or ()), n), self.run.new, self.at + (n,))
            for n in names
            if n in self.old
        )

    def matters(self, *types: str) -> bool:
        """Whether a keyword for these types touches anything that must stay accepted."""
        return bool(possible_types(self.new if self.run.results else self.old) & set(types))

    def weigh(self, effect: Effect, *types: str) -> Effect:
        """Return the effect of a keyword for these types: none where it touches no accepted
        value."""
        return effect if self.matters(*types) else "same"

    def schema(self, side: Side) -> dict[str, Any]:
        return self.old if side == "old" else self.new

    def child(self, side: Side, *steps: str | int) -> Path:
        """Return the path of a subschema on one side."""
        path = self.old_path if side == "old" else self.new_path
        return (*(path or ()), *steps)

    def walk(self, old: Path | None, new: Path | None, *steps: str | int, filled: bool) -> None:
        """Compare two subschemas, given by their paths."""
        self.run.walk(old, new, (*self.at, *steps), filled=filled)


def kebab(name: str) -> str:
    """Return a keyword as it is spelled within the kind of a difference."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name)
