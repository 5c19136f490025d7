"""Decides whether a JSON Schema `pattern` can blow up a backtracking regex engine.

Our own validator matches in linear time, but clients and other validators that read the same
schema backtrack. The pattern is read as ECMA-262 (with the few spellings that Python and Rust add)
by a parser of our own: `re` merges `a|a` into one class and so hides the very thing looked for.

The judgement is made on the position automaton (one state for each character class of the
pattern), where an edge keeps how many ways lead along it without reading a character:

- exponential: from one state, two different ways over the same text back to that state;
- polynomial: a chain of loops, each of which can hand over to the next in the middle of a text
  that both accept. Reported from the third power on; `.*foo.*` stays fine.

Approximations, all of which lean towards "unsafe" for odd patterns: anchors and `\\b` match
anywhere; a lookaround is judged on its own; a backreference counts as a copy of its group; large
counted repetitions count as loops where they leave room for choice, and shortened where not.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, log2

MAX_LENGTH = 5_000
MAX_DEPTH = 40
MAX_STEPS = 50_000
# A counted repetition with at most this many ways through it is harmless whatever it repeats.
HARMLESS_WAYS = 1_000_000
# Up to this many copies, counted repetitions are written out; beyond, they are approximated.
MAX_COPIES = 32
MAX_COPIED_STATES = 160
# A repetition of something unbounded is written out up to here, to find its exact power.
MAX_UNBOUNDED_COPIES = 4
REPORTED_POWER = 3

_LAST = 0x10FFFF

Ranges = tuple[tuple[int, int], ...]

_DIGITS: Ranges = ((48, 57),)
_WORD: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE: Ranges = (
    (9, 13),
    (32, 32),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_NEWLINES: Ranges = ((10, 10), (13, 13), (0x2028, 0x2029))
_EVERYTHING: Ranges = ((0, _LAST),)
_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}


class _TooComplicated(Exception):
    """The work needed to judge the pattern is past the cap."""


class _Unreadable(Exception):
    """The pattern is not a regular expression; the message says why."""


def unsafe_reason(pattern: str) -> str | None:
    """Say in one sentence why `pattern` is unsafe for a backtracking engine; None when it is safe.

    Never raises and does a bounded amount of work, whatever the text.
    """
    if len(pattern) > MAX_LENGTH:
        return (
            f"the pattern is too complicated to judge: it is {len(pattern)} characters long and "
            f"{MAX_LENGTH} is the most that is checked; rewrite it simpler"
        )
    try:
        budget = _Budget()
        parser = _Parser(pattern, budget)
        roots = [parser.parse()]
        judged: set[int] = set()
        while roots:
            automaton = _Automaton(roots.pop(), budget)
            for look in automaton.lookarounds:
                if id(look) not in judged:
                    judged.add(id(look))
                    roots.append(look)
            reason = _exponential(automaton, pattern) or _polynomial(
                automaton, pattern, parser.can_fail_at_end
            )
            if reason:
                return reason
    except _Unreadable as error:
        return f"the pattern cannot be read as a regular expression: {error}; correct it"
    except _TooComplicated:
        return (
            "the pattern is too complicated to judge whether it can blow up; "
            "rewrite it simpler, with fewer repetitions and alternatives inside one another"
        )
    return None


@dataclass(slots=True)
class _Budget:
    steps: int = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _TooComplicated

    def spend_on_ranges(self, count: int) -> None:
        """Sorting and merging ranges is cheap until Unicode properties bring in hundreds."""
        if count > 16:
            self.spend(count)


# --- the pattern as a tree -----------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Node:
    """`ways`: how many ways lead through it over all texts; `size`: how many states it needs."""

    ways: float = 1
    size: int = 0


@dataclass(slots=True, eq=False)
class _Chars(_Node):
    ranges: Ranges = ()


@dataclass(slots=True, eq=False)
class _Sequence(_Node):
    items: list[_Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Choice(_Node):
    items: list[_Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _Repeat(_Node):
    item: _Node = field(default_factory=_Node)
    low: int = 0
    high: float = inf
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True, eq=False)
class _Lookaround(_Node):
    item: _Node = field(default_factory=_Node)


def _repeat(item: _Node, low: int, high: float, span: tuple[int, int]) -> _Node:
    if high == 0:
        return _Node()
    if item.ways == 1:
        ways = high - low + 1
    else:
        # Past the harmless number of ways the exact one does not matter (and may overflow).
        ways = item.ways**high if high * log2(item.ways) < 100 else inf
    copies = min(low, MAX_COPIES) + (high - low if high - low <= MAX_COPIES else 1)
    size = min(item.size * int(copies), MAX_COPIED_STATES * 2)
    return _Repeat(ways, size, item, low, high, span)


class _Parser:
    """Reads ECMA-262 syntax with the lenient rules of its Annex B."""

    def __init__(self, pattern: str, budget: _Budget) -> None:
        self.text = pattern
        self.budget = budget
        self.at = 0
        self.depth = 0
        self.group_count = 0
        self.groups: dict[int | str, _Node] = {}
        self.can_fail_at_end = False
        self.ignore_case = False
        self.dot_all = False

    def parse(self) -> _Node:
        node = self.choice()
        if self.at < len(self.text):
            raise _Unreadable(f"`)` at character {self.at + 1} closes nothing")
        return node

    def take(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def choice(self) -> _Node:
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        if len(branches) == 1:
            return branches[0]
        ways, size = sum(b.ways for b in branches), sum(b.size for b in branches)
        return _Choice(ways, size, branches)

    def sequence(self) -> _Node:
        items: list[_Node] = []
        ways, size = 1.0, 0
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            start = self.at
            item = self.repeated(self.atom(), start)
            ways, size = ways * item.ways, size + item.size
            items.append(item)
        # References let the size double with every group, so it is kept from growing without end.
        return items[0] if len(items) == 1 else _Sequence(ways, min(size, MAX_STEPS), items)

    def repeated(self, item: _Node, start: int) -> _Node:
        while True:
            if self.take("*"):
                low, high = 0, inf
            elif self.take("+"):
                low, high = 1, inf
            elif self.take("?"):
                low, high = 0, 1
            elif not (counts := self.counts()):
                return item
            else:
                low, high = counts
            # Lazy and possessive repetitions are judged like greedy ones.
            if not self.take("?"):
                self.take("+")
            item = _repeat(item, low, high, (start, self.at))

    def counts(self) -> tuple[int, float] | None:
        """Read `{m}`, `{m,}` or `{m,n}`; anything else that starts with a brace is plain text."""
        if not self.text.startswith("{", self.at):
            return None
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : max(end, self.at)].partition(",")
        if not ((low + high).isascii() and low.isdecimal() and (not high or high.isdecimal())):
            return None
        # Counts of more digits than this are all the same to us, and slow to convert.
        least = int(low[-9:]) if len(low) <= 9 else 10**9
        most: float = least
        if comma:
            most = inf if not high or len(high) > 9 else int(high)
        if most < least:
            raise _Unreadable(f"the counts of `{{{low},{high}}}` are in the wrong order")
        self.at = end + 1
        return least, most

    def atom(self) -> _Node:
        char = self.text[self.at]
        self.at += 1
        if char == "(":
            return self.group()
        if char == "[":
            return self.chars(self.character_class())
        if char == "\\":
            return self.escape()
        if char == ".":
            return self.chars(_EVERYTHING if self.dot_all else _complement(_NEWLINES))
        if char in "^$":
            self.can_fail_at_end |= char == "$"
            return _Node()
        if char in "*+?":
            raise _Unreadable(f"`{char}` at character {self.at} has nothing to repeat")
        return self.chars(((ord(char), ord(char)),))

    def chars(self, ranges: Ranges) -> _Node:
        if self.ignore_case:
            self.budget.spend_on_ranges(len(ranges))
            ranges = _any_case(ranges)
        return _Chars(1, 1, ranges)

    def group(self) -> _Node:
        start = self.at
        name: str | None = None
        captures = lookaround = False
        if self.take("?#"):
            end = self.text.find(")", self.at)
            if end < 0:
                raise _Unreadable(f"the comment at character {start} is not closed")
            self.at = end + 1
            return _Node()
        if self.take("?P="):
            return self.reference(self.name(")"))
        if self.take("?=") or self.take("?!") or self.take("?<=") or self.take("?<!"):
            lookaround = self.can_fail_at_end = True
        elif self.take("?<") or self.take("?P<"):
            name, captures = self.name(">"), True
        elif self.take("?>"):
            pass
        elif self.take("?"):
            if self.flags(start):
                return _Node()
        else:
            captures = True
        number = self.group_count = self.group_count + captures
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _TooComplicated
        body = self.choice()
        self.depth -= 1
        if not self.take(")"):
            raise _Unreadable(f"the group at character {start} is not closed")
        if captures:
            self.groups[number] = body
            if name is not None:
                self.groups[name] = body
        return _Lookaround(item=body) if lookaround else body

    def reference(self, group: int | str) -> _Node:
        """A group not closed yet, or unknown, matches nothing; else its tree stands in for it."""
        return self.groups.get(group, _Node())

    def flags(self, start: int) -> bool:
        """Read `?:`, `?i:` or `?i)`; true when the flags stand alone."""
        while self.at < len(self.text) and self.text[self.at] in "aimsuxLU-^":
            self.ignore_case |= self.text[self.at] == "i"
            self.dot_all |= self.text[self.at] == "s"
            self.at += 1
        if self.take(":"):
            return False
        if self.take(")"):
            return True
        raise _Unreadable(f"`(?` at character {start} starts a group of unknown kind")

    def name(self, closing: str) -> str:
        end = self.text.find(closing, self.at)
        if end <= self.at:
            raise _Unreadable(f"a group name is missing or not closed at character {self.at}")
        name = self.text[self.at : end]
        self.at = end + 1
        return name

    def escape(self) -> _Node:
        if self.at == len(self.text):
            raise _Unreadable("it ends in a lone backslash")
        char = self.text[self.at]
        if char in "bBAzZ":
            self.at += 1
            self.can_fail_at_end |= char != "A"
            return _Node()
        if char in "123456789":
            end = self.at + 1
            while end < min(self.at + 4, len(self.text)) and self.text[end] in "0123456789":
                end += 1
            number = int(self.text[self.at : end])
            self.at = end
            return self.reference(number)
        if self.take("k<"):
            return self.reference(self.name(">"))
        return self.chars(self.escaped_ranges())

    def escaped_ranges(self) -> Ranges:
        """Read what follows a backslash, in a class or outside, as a set of characters."""
        char = self.text[self.at]
        self.at += 1
        if char.lower() in "dws" and char.isascii():
            ranges = {"d": _DIGITS, "w": _WORD, "s": _SPACE}[char.lower()]
            return ranges if char.islower() else _complement(ranges)
        if char in "pP":
            if not self.take("{"):
                return ((ord(char), ord(char)),)
            return _property(self.name("}"), negated=char == "P")
        if char in _CONTROLS:
            code = _CONTROLS[char]
        elif char == "c" and self.text[self.at : self.at + 1].isalpha():
            code = ord(self.text[self.at]) % 32
            self.at += 1
        elif char == "u" and self.take("{"):
            code = self.hexadecimal(self.name("}"), ord(char))
        elif char in "xu":
            digits = self.text[self.at : self.at + (2 if char == "x" else 4)]
            code = self.hexadecimal(digits, -1)
            if len(digits) < 2 or code < 0:
                code = ord(char)
            else:
                self.at += len(digits)
        else:
            code = ord(char)
        return ((code, code),)

    def hexadecimal(self, digits: str, otherwise: int) -> int:
        if not digits or not all(d in "0123456789abcdefABCDEF" for d in digits):
            return otherwise
        return min(int(digits[-7:], 16), _LAST)

    def character_class(self) -> Ranges:
        start = self.at
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        while True:
            if self.at == len(self.text):
                raise _Unreadable(f"the character class at character {start} is not closed")
            if self.take("]"):
                self.budget.spend_on_ranges(len(ranges))
                merged = _merged(ranges)
                if self.ignore_case and negated:
                    merged = _any_case(merged)
                return _complement(merged) if negated else merged
            low = self.class_member()
            is_range = (
                self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] != "]"
            )
            if not is_range or self.at + 1 == len(self.text):
                ranges.extend(low)
                continue
            self.at += 1
            high = self.class_member()
            if len(low) == len(high) == 1 and low[0][0] == low[0][1] and high[0][0] == high[0][1]:
                if high[0][0] < low[0][0]:
                    raise _Unreadable(
                        f"a range of the character class at character {start} is reversed"
                    )
                ranges.append((low[0][0], high[0][0]))
            else:
                ranges.extend((*low, *high, (45, 45)))

    def class_member(self) -> Ranges:
        char = self.text[self.at]
        self.at += 1
        if char != "\\":
            return ((ord(char), ord(char)),)
        if self.at == len(self.text):
            raise _Unreadable("it ends in a lone backslash")
        return ((8, 8),) if self.take("b") else self.escaped_ranges()


def _merged(ranges: Iterable[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def _complement(ranges: Ranges) -> Ranges:
    gaps: list[tuple[int, int]] = []
    free = 0
    for low, high in ranges:
        if low > free:
            gaps.append((free, low - 1))
        free = high + 1
    if free <= _LAST:
        gaps.append((free, _LAST))
    return tuple(gaps)


def _any_case(ranges: Ranges) -> Ranges:
    """Add the other case of ASCII letters: enough to see overlaps people write."""
    added = list(ranges)
    for first, shift in ((65, 32), (97, -32)):
        for low, high in ranges:
            inside = max(low, first), min(high, first + 25)
            if inside[0] <= inside[1]:
                added.append((inside[0] + shift, inside[1] + shift))
    return _merged(added)


@lru_cache(maxsize=64)
def _property(name: str, *, negated: bool) -> Ranges:
    r"""Characters of `\p{name}`: exact for general categories, broad for everything else."""
    short = {"Letter": "L", "Alphabetic": "L", "Alpha": "L", "Number": "N", "Mark": "M"}
    short |= {"Punctuation": "P", "Symbol": "S", "Separator": "Z", "Uppercase": "Lu"}
    short |= {"Lowercase": "Ll", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll"}
    short |= {"Decimal_Number": "Nd", "Other": "C"}
    key, _, value = name.partition("=")
    if key in ("Script", "sc", "Script_Extensions", "scx"):
        wanted = "L"
    else:
        wanted = short.get(value or key, value or key)
    found = [r for c, ranges in _categories().items() if c.startswith(wanted) for r in ranges]
    # Of what is not known, the complement is not known either.
    ranges = _merged(found) if found else _EVERYTHING
    return _complement(ranges) if negated and found else ranges


@lru_cache(maxsize=1)
def _categories() -> dict[str, list[tuple[int, int]]]:
    """General category to ranges. Planes from the third on are ideographs or unused: letters."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    scanned = 0x20000
    previous, start = unicodedata.category("\0"), 0
    for code, category in enumerate(map(unicodedata.category, map(chr, range(scanned)))):
        if category != previous:
            found[previous].append((start, code - 1))
            previous, start = category, code
    found[previous].append((start, scanned - 1))
    found["Lo"].append((scanned, _LAST))
    return found


# --- the automaton -------------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    """How a piece connects: ways to match nothing, and ways to its first and last states.

    Ways are counted 0, 1 or 2 (meaning two or more).
    """

    empty: int
    first: dict[int, int]
    last: dict[int, int]


@dataclass(slots=True)
class _Loop:
    """States `start` up to `stop` repeat; `doubled` is an edge that can be taken in two ways."""

    start: int
    stop: int
    span: tuple[int, int]
    doubled: tuple[int, int] | None


class _Automaton:
    """One state for each character class; `after[p][q]` counts the ways from p to q."""

    def __init__(self, root: _Node, budget: _Budget) -> None:
        self.budget = budget
        self.classes: list[Ranges] = []
        self.after: list[dict[int, int]] = []
        self.loops: list[_Loop] = []
        self.lookarounds: list[_Node] = []
        self.depth = 0
        self.whole = self.build(root)
        self.alphabet = _Alphabet(self.classes, budget)

    def build(self, node: _Node) -> _Part:
        if isinstance(node, _Chars):
            self.budget.spend()
            state = len(self.classes)
            self.classes.append(node.ranges)
            self.after.append({})
            return _Part(0, {state: 1}, {state: 1})
        self.budget.spend(2)
        self.depth += 1
        if self.depth > MAX_DEPTH * 4:
            raise _TooComplicated
        try:
            if isinstance(node, _Sequence):
                return self.chain(self.build(item) for item in node.items)
            if isinstance(node, _Choice):
                return self.either([self.build(item) for item in node.items])
            if isinstance(node, _Repeat):
                return self.repeat(node)
            if isinstance(node, _Lookaround):
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

    def repeat(self, node: _Repeat) -> _Part:
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

    def loop(self, node: _Repeat, low: int) -> _Part:
        """States that repeat. Rounds may be empty only as long as `low` demands rounds."""
        start = len(self.classes)
        part = self.build(node.item)
        doubled = self.connect(part.last, part.first, 1 + part.empty if low > 1 else 1)
        self.loops.append(_Loop(start, len(self.classes), node.span, doubled))
        first = part.first
        if low and part.empty:
            first = dict.fromkeys(first, 2)
        return _Part(part.empty if low else 1, first, part.last)

    def outermost(self) -> list[_Loop]:
        """Loops inside no other, in order: exactly the strongly connected parts of the graph."""
        found: list[_Loop] = []
        for loop in sorted(self.loops, key=lambda loop: (loop.start, -loop.stop)):
            if loop.start < loop.stop and (not found or loop.start >= found[-1].stop):
                found.append(loop)
        return found


class _Alphabet:
    """Character classes as bit sets over the blocks that no class of the pattern divides."""

    _PREFERRED = "a0Ax_- .,/\\\"'"

    def __init__(self, classes: list[Ranges], budget: _Budget) -> None:
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


# --- the judgement -------------------------------------------------------------------------------


def _exponential(automaton: _Automaton, pattern: str) -> str | None:
    for loop in automaton.loops:
        if loop.doubled:
            p, q = loop.doubled
            return (
                f"nested repetition {_quote(pattern, loop)} can match the same text (repeats of "
                f"{_show(_round(automaton, loop, p, q))}) in exponentially many ways; repeat in "
                "one place only, or let every round begin with a character that the inner "
                "repetition cannot match"
            )
    for loop in automaton.outermost():
        found = _doubled_edge(automaton, loop) or _two_ways(automaton, loop)
        if found:
            states, text = found
            around = [x for x in automaton.loops if x.start <= min(states) and max(states) < x.stop]
            inner = min(around, key=lambda x: x.stop - x.start)
            return (
                f"the repetition {_quote(pattern, inner)} can match the same text (repeats of "
                f"{_show(text)}) in exponentially many ways; make its alternatives start with "
                "different characters, or drop the part that overlaps"
            )
    return None


def _doubled_edge(automaton: _Automaton, loop: _Loop) -> tuple[set[int], str] | None:
    """Two ways to go on without reading a character, as in `(a(|)b)*`."""
    for p in range(loop.start, loop.stop):
        for q, ways in automaton.after[p].items():
            if ways == 2 and loop.start <= q < loop.stop and automaton.classes[q]:
                return {p, q}, _round(automaton, loop, p, q)
    return None


def _two_ways(automaton: _Automaton, loop: _Loop) -> tuple[set[int], str] | None:
    """Search pairs of states for two ways that part at one state and meet again at one."""
    after, sets = automaton.after, automaton.alphabet
    inside = range(loop.start, loop.stop)
    follows = {p: tuple(q for q in after[p] if q in inside) for p in inside}
    # States that go on alike, such as the ends of all alternatives, are looked at once.
    alike: dict[tuple[int, ...], int] = {}
    kind = {p: alike.setdefault(following, p) for p, following in follows.items()}
    done: set[tuple[int, int, bool]] = set()
    came: dict[tuple[int, int], tuple[int, int]] = {}
    queue: list[tuple[int, int]] = [(p, p) for p in inside]
    for pair in queue:
        p, q = pair
        if (kind[p], kind[q], p == q) in done:
            continue
        done.add((kind[p], kind[q], p == q))
        automaton.budget.spend(1 + len(follows[p]) * len(follows[q]))
        for p_next in follows[p]:
            p_set = sets.of(p_next)
            for q_next in follows[q]:
                if not p_set & sets.of(q_next):
                    continue
                if p_next == q_next:
                    if p != q:
                        return _meeting(automaton, loop, came, pair, p_next)
                    continue
                # Both orders of a pair are the same finding.
                following = (p_next, q_next) if p_next < q_next else (q_next, p_next)
                if following not in came:
                    came[following] = pair
                    queue.append(following)
    return None


def _meeting(
    automaton: _Automaton,
    loop: _Loop,
    came: dict[tuple[int, int], tuple[int, int]],
    pair: tuple[int, int],
    end: int,
) -> tuple[set[int], str]:
    """The states on the two ways, and the text that leads round once."""
    sets = automaton.alphabet
    chars = [sets.example(sets.of(end))]
    states = {end}
    while pair[0] != pair[1]:
        states.update(pair)
        chars.append(sets.example(sets.of(pair[0]) & sets.of(pair[1])))
        pair = came[pair]
    states.add(pair[0])
    return states, "".join(reversed(chars)) + _path(automaton, loop, end, pair[0])


def _round(automaton: _Automaton, loop: _Loop, p: int, q: int) -> str:
    """The text that leads from p to q and back to p."""
    sets = automaton.alphabet
    return sets.example(sets.of(q)) + _path(automaton, loop, q, p)


def _path(automaton: _Automaton, loop: _Loop, start: int, end: int) -> str:
    """The shortest text from one state of a loop to another; empty when they are the same."""
    came = {start: start}
    queue = [start]
    for state in queue:
        if state == end:
            break
        for following in automaton.after[state]:
            automaton.budget.spend()
            if loop.start <= following < loop.stop and following not in came:
                came[following] = state
                queue.append(following)
    chars: list[str] = []
    sets = automaton.alphabet
    while end != start:
        chars.append(sets.example(sets.of(end)) if sets.of(end) else "")
        end = came[end]
    return "".join(reversed(chars))


def _polynomial(automaton: _Automaton, pattern: str, can_fail_at_end: bool) -> str | None:
    """Find the longest chain of loops that hand over to each other within one text."""
    loops = automaton.outermost()
    if len(loops) <= REPORTED_POWER:
        return None
    automaton.budget.spend(len(loops) * len(loops) // 4)
    reached = _reachable(automaton, loops)
    if max(_longest(reached)) < REPORTED_POWER:
        return None
    # Nothing can fail after a loop that may end the match, so its length is never tried again.
    harmless = set() if can_fail_at_end else set(automaton.whole.last)
    chains: list[list[int]] = [[number] for number in range(len(loops))]
    for here, loop in enumerate(loops):
        for there in _numbers(reached[here]):
            automaton.budget.spend()
            chain = chains[here]
            after = loops[there]
            if not harmless.intersection(range(after.start, after.stop)) and _hands_over(
                automaton, loop, after
            ):
                chain = [*chain, there]
                if len(chain) > REPORTED_POWER:
                    parts = ", ".join(_quote(pattern, loops[number]) for number in chain)
                    return (
                        f"the repetitions {parts} can share out the same text in many ways, so "
                        f"the time to refuse a text grows with the power {len(chain)} of its "
                        "length; merge them, or separate them by something they cannot match"
                    )
            if len(chain) > len(chains[there]):
                chains[there] = chain
    return None


def _reachable(automaton: _Automaton, loops: list[_Loop]) -> list[int]:
    """For every loop the set (as bits) of other loops behind it. Edges between loops go forward."""
    owner = [-1] * len(automaton.after)
    for number, loop in enumerate(loops):
        owner[loop.start : loop.stop] = [number] * (loop.stop - loop.start)
    ahead = [0] * len(automaton.after)
    reached = [0] * len(loops)
    state = len(automaton.after) - 1
    while state >= 0:
        number = owner[state]
        block = range(state, state + 1)
        if number >= 0:
            block = range(loops[number].start, loops[number].stop)
        bits = 0
        for member in block:
            for following in automaton.after[member]:
                if following not in block:
                    bits |= ahead[following]
        if number >= 0:
            reached[number] = bits
            bits |= 1 << number
        for member in block:
            ahead[member] = bits
        state = block.start - 1
    return reached


def _longest(reached: list[int]) -> list[int]:
    """For every loop, how many more loops a single way can pass through behind it."""
    longest = [0] * len(reached)
    for here in range(len(reached) - 1, -1, -1):
        behind = [longest[there] for there in _numbers(reached[here])]
        longest[here] = 1 + max(behind) if behind else 0
    return longest


def _numbers(bits: int) -> Iterator[int]:
    number = 0
    while bits:
        if bits & 1:
            yield number
        bits >>= 1
        number += 1


def _hands_over(automaton: _Automaton, before: _Loop, behind: _Loop) -> bool:
    """Whether some text leads from p to p, from p to q and from q to q, p in one, q in the other.

    Walks triples: p stays in the first loop, q in the second, and the middle goes from p to q.
    """
    after, sets, budget = automaton.after, automaton.alphabet, automaton.budget
    first, second = range(before.start, before.stop), range(behind.start, behind.stop)
    edges: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for p in first:
        for q in second:
            budget.spend(1 + len(after[p]) * len(after[q]))
            edges[p, q] = [
                (p_next, q_next, sets.of(p_next) & sets.of(q_next))
                for p_next in after[p]
                for q_next in after[q]
                if p_next in first and q_next in second and sets.of(p_next) & sets.of(q_next)
            ]
    component = _components(edges, budget)
    seen = {(p, q, p) for p, q in edges}
    queue = list(seen)
    for p, q, middle in queue:
        for p_next, q_next, both in edges[p, q]:
            # Only within one component can the pair come back to where it was.
            if component[p, q] != component[p_next, q_next]:
                continue
            budget.spend(1 + len(after[middle]))
            for middle_next in after[middle]:
                if not both & sets.of(middle_next):
                    continue
                if middle_next == q_next:
                    return True
                triple = (p_next, q_next, middle_next)
                if middle_next < second.stop and triple not in seen:
                    seen.add(triple)
                    queue.append(triple)
    return False


def _components(
    edges: dict[tuple[int, int], list[tuple[int, int, int]]], budget: _Budget
) -> dict[tuple[int, int], int]:
    """Number the strongly connected components (Kosaraju, without recursion)."""
    order: list[tuple[int, int]] = []
    seen: set[tuple[int, int]] = set()
    backward: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for root in edges:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, rest = stack[-1]
            for p, q, _ in rest:
                budget.spend()
                backward[p, q].append(node)
                if (p, q) not in seen:
                    seen.add((p, q))
                    stack.append(((p, q), iter(edges[p, q])))
                    break
            else:
                order.append(node)
                stack.pop()
    component: dict[tuple[int, int], int] = {}
    for root in reversed(order):
        if root in component:
            continue
        component[root] = len(component)
        waiting = [root]
        while waiting:
            node = waiting.pop()
            for previous in backward[node]:
                if previous not in component:
                    component[previous] = component[root]
                    waiting.append(previous)
    return component


def _quote(pattern: str, loop: _Loop) -> str:
    text = pattern[loop.span[0] : loop.span[1]]
    if len(text) > 60:
        text = text[:40] + "…" + text[-15:]
    # A pattern may hold control characters or lone surrogates; a message may not.
    return "`" + "".join(c if c.isprintable() else f"\\u{{{ord(c):x}}}" for c in text) + "`"


def _show(text: str) -> str:
    shown = ascii(text if len(text) <= 40 else text[:40])[1:-1].replace('"', '\\"')
    return f'"{shown}"' if len(text) <= 40 else f'"{shown}…"'
