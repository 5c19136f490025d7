"""The position automaton of a pattern: one state for each character class, and its loops."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from antiphon.registry.regexes.characters import Ranges
from antiphon.registry.regexes.syntax import (
    Alternation,
    Chars,
    Lookaround,
    PatternNode,
    Repeat,
    Sequence,
)
from antiphon.registry.regexes.work_budget import (
    MAX_COPIED_STATES,
    MAX_COPIES,
    MAX_DEPTH,
    TooComplicated,
    WorkBudget,
)

# A counted repetition with at most this many ways through it is harmless whatever it repeats.
HARMLESS_WAYS = 1_000_000
# A repetition of something unbounded is written out up to here, to find its exact power.
MAX_UNBOUNDED_COPIES = 4


@dataclass(slots=True)
class _Part:
    """The connections of a piece: ways to match nothing, and ways to its first and last states.
    Ways are counted 0, 1 or 2 (meaning two or more)."""

    empty: int
    first: dict[int, int]
    last: dict[int, int]


@dataclass(slots=True)
class Loop:
    """A loop: states `start` up to `stop` repeat; `doubled` is an edge that can be taken in two
    ways."""

    start: int
    stop: int
    span: tuple[int, int]
    doubled: tuple[int, int] | None


class Automaton:
    """A position automaton: one state for each character class; `after[p][q]` counts the ways from
    p to q."""

    def __init__(self, root: PatternNode, budget: WorkBudget) -> None:
        self.budget = budget
        self.classes: list[Ranges] = []
        self.after: list[dict[int, int]] = []
        self.loops: list[Loop] = []
        self.lookarounds: list[PatternNode] = []
        self.depth = 0
        self.whole = self.build(root)
        self.alphabet = _Alphabet(self.classes, budget)

    def build(self, node: PatternNode) -> _Part:
        if isinstance(node, Chars):
            self.budget.spend()
            state = len(self.classes)
            self.classes.append(node.ranges)
            self.after.append({})
            return _Part(0, {state: 1}, {state: 1})
        self.budget.spend(2)
        self.depth += 1
        if self.depth > MAX_DEPTH * 4:
            raise TooComplicated
        try:
            if isinstance(node, Sequence):
                return self.chain(self.build(item) for item in node.items)
            if isinstance(node, Alternation):
                return self.either([self.build(item) for item in node.items])
            if isinstance(node, Repeat):
                return self.repeat(node)
            if isinstance(node, Lookaround):
                self.lookarounds.append(node.item)
            return _Part(1, {}, {})
        finally:
            self.depth -= 1

    def chain(self, parts: Iterable[_Part]) -> _Part:
        whole = _Part(1, {}, {})
        for part in parts:
            self.connect(whole.last, part.first)
            if whole.empty:
                self.add(whole.first, part.first, whole.empty)
            if part.empty:
                last = dict(part.last)
                self.add(last, whole.last, part.empty)
                whole.last = last
            else:
                whole.last = part.last
            whole.empty = min(2, whole.empty * part.empty)
        return whole

    def either(self, parts: list[_Part]) -> _Part:
        whole = _Part(0, {}, {})
        for part in parts:
            whole.empty = min(2, whole.empty + part.empty)
            self.add(whole.first, part.first, 1)
            self.add(whole.last, part.last, 1)
        return whole

    def add(self, into: dict[int, int], states: dict[int, int], ways: int) -> None:
        self.budget.spend(len(states))
        for state, count in states.items():
            into[state] = min(2, into.get(state, 0) + count * ways)

    def connect(
        self, last: dict[int, int], first: dict[int, int], ways: int = 1
    ) -> tuple[int, int] | None:
        """Lead from every last to every first state; an edge that thereby gets a second way."""
        doubled = None
        self.budget.spend(len(last) * len(first))
        for p, p_ways in last.items():
            after = self.after[p]
            for q, q_ways in first.items():
                after[q] = min(2, after.get(q, 0) + p_ways * q_ways * ways)
                if after[q] == 2 and self.classes[q]:
                    doubled = doubled or (p, q)
        return doubled

    def repeat(self, node: Repeat) -> _Part:
        item, low, high = node.item, node.low, node.high
        too_many_ways = node.ways > HARMLESS_WAYS and high > MAX_UNBOUNDED_COPIES
        if high < inf and too_many_ways:
            return self.loop(node, low)
        copies = min(low, MAX_COPIES, max(2, MAX_COPIED_STATES // max(item.size, 1)))
        options = high - low
        if high == inf:
            parts = [self.build(item) for _ in range(copies - 1)]
            parts.append(self.loop(node, min(low, 1)))
        else:
            parts = [self.build(item) for _ in range(copies)]
            if options > MAX_COPIES or options * item.size > MAX_COPIED_STATES:
                parts.append(self.loop(node, 0))
            elif options:
                parts.append(self.optional([self.build(item) for _ in range(int(options))]))
        return self.chain(parts)

    def optional(self, parts: list[_Part]) -> _Part:
        """`(e(e(e)?)?)?`: engines refuse a round that matches nothing, so emptiness is one way."""
        whole = _Part(1, parts[0].first, {})
        previous: dict[int, int] = {}
        for part in parts:
            self.connect(previous, part.first)
            self.add(whole.last, part.last, 1)
            previous = part.last
        return whole

    def loop(self, node: Repeat, low: int) -> _Part:
        """States that repeat. Rounds may be empty only as long as `low` demands rounds."""
        start = len(self.classes)
        part = self.build(node.item)
        doubled = self.connect(part.last, part.first, 1 + part.empty if low > 1 else 1)
        self.loops.append(Loop(start, len(self.classes), node.span, doubled))
        first = part.first
        if low and part.empty:
            first = dict.fromkeys(first, 2)
        return _Part(part.empty if low else 1, first, part.last)

    def outermost(self) -> list[Loop]:
        """Loops inside no other, in order: exactly the strongly connected parts of the graph."""
        found: list[Loop] = []
        for loop in sorted(self.loops, key=lambda loop: (loop.start, -loop.stop)):
            if loop.start < loop.stop and (not found or loop.start >= found[-1].stop):
                found.append(loop)
        return found


class _Alphabet:
    """Character classes as bit sets over the blocks that no class of the pattern divides."""

    _PREFERRED = "a0Ax_- .,/\\\"'"

    def __init__(self, classes: list[Ranges], budget: WorkBudget) -> None:
        self.classes = classes
        self.budget = budget
        # By identity: to hash the hundreds of ranges of a Unicode property again is too slow.
        distinct = {id(ranges): ranges for ranges in classes}.values()
        budget.spend_on_ranges(sum(len(ranges) for ranges in distinct if len(ranges) > 16))
        self.cuts = sorted(
            {cut for ranges in distinct for low, high in ranges for cut in (low, high + 1)}
        )
        self.known: dict[int, int] = {}

    def of(self, state: int) -> int:
        ranges = self.classes[state]
        bits = self.known.get(id(ranges), -1)
        if bits < 0:
            self.budget.spend_on_ranges(len(ranges) * 2)
            bits = 0
            for low, high in ranges:
                block = bisect_left(self.cuts, low)
                bits |= ((1 << (bisect_left(self.cuts, high + 1) - block)) - 1) << block
            self.known[id(ranges)] = bits
        return bits

    def example(self, bits: int) -> str:
        for char in self._PREFERRED:
            block = bisect_right(self.cuts, ord(char)) - 1
            if block >= 0 and bits >> block & 1:
                return char
        return chr(self.cuts[(bits & -bits).bit_length() - 1])
