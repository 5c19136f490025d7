"""The pattern parser: a regular expression as a tree of repetitions, choices and characters."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, log2

from antiphon.registry.regexes.characters import (
    DIGITS,
    EVERYTHING,
    LAST,
    NEWLINES,
    SPACE,
    WORD,
    Ranges,
    any_case,
    complement,
    merge,
    property_ranges,
)
from antiphon.registry.regexes.work_budget import (
    MAX_COPIED_STATES,
    MAX_COPIES,
    MAX_DEPTH,
    MAX_STEPS,
    TooComplicated,
    WorkBudget,
)

_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}


class Unreadable(Exception):
    """The pattern is not a regular expression; the message says why."""


@dataclass(slots=True, eq=False)
class PatternNode:
    """A node of the tree. `ways`: how many ways lead through it over all texts; `size`: how many
    states it needs."""

    ways: float = 1
    size: int = 0


@dataclass(slots=True, eq=False)
class Chars(PatternNode):
    """One character of a set."""

    ranges: Ranges = ()


@dataclass(slots=True, eq=False)
class Sequence(PatternNode):
    """One after the other."""

    items: list[PatternNode] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Alternation(PatternNode):
    """One of several."""

    items: list[PatternNode] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Repeat(PatternNode):
    """A repetition, from `low` to `high` times; `span` is its place in the pattern."""

    item: PatternNode = field(default_factory=PatternNode)
    low: int = 0
    high: float = inf
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True, eq=False)
class Lookaround(PatternNode):
    """A lookahead or lookbehind."""

    item: PatternNode = field(default_factory=PatternNode)


def _repeat(item: PatternNode, low: int, high: float, span: tuple[int, int]) -> PatternNode:
    if high == 0:
        return PatternNode()
    if item.ways == 1:
        ways = high - low + 1
    else:
        # Past the harmless number of ways the exact one does not matter (and may overflow).
        ways = item.ways**high if high * log2(item.ways) < 100 else inf
    copies = min(low, MAX_COPIES) + (high - low if high - low <= MAX_COPIES else 1)
    size = min(item.size * int(copies), MAX_COPIED_STATES * 2)
    return Repeat(ways, size, item, low, high, span)


class PatternParser:
    """A parser of ECMA-262 syntax with the lenient rules of its Annex B."""

    def __init__(self, pattern: str, budget: WorkBudget) -> None:
        self.text = pattern
        self.budget = budget
        self.at = 0
        self.depth = 0
        self.group_count = 0
        self.groups: dict[int | str, PatternNode] = {}
        self.can_fail_at_end = False
        self.ignore_case = False
        self.dot_all = False

    def parse(self) -> PatternNode:
        """Parse the whole pattern. Raises Unreadable, and TooComplicated."""
        node = self.choice()
        if self.at < len(self.text):
            raise Unreadable(f"`)` at character {self.at + 1} closes nothing")
        return node

    def take(self, literal: str) -> bool:
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def choice(self) -> PatternNode:
        branches = [self.sequence()]
        while self.take("|"):
            branches.append(self.sequence())
        if len(branches) == 1:
            return branches[0]
        ways, size = sum(b.ways for b in branches), sum(b.size for b in branches)
        return Alternation(ways, size, branches)

    def sequence(self) -> PatternNode:
        items: list[PatternNode] = []
        ways, size = 1.0, 0
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            start = self.at
            item = self.repeated(self.atom(), start)
            ways, size = ways * item.ways, size + item.size
            items.append(item)
        # References let the size double with every group, so it is kept from growing without end.
        return items[0] if len(items) == 1 else Sequence(ways, min(size, MAX_STEPS), items)

    def repeated(self, item: PatternNode, start: int) -> PatternNode:
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
            raise Unreadable(f"the counts of `{{{low},{high}}}` are in the wrong order")
        self.at = end + 1
        return least, most

    def atom(self) -> PatternNode:
        char = self.text[self.at]
        self.at += 1
        if char == "(":
            return self.group()
        if char == "[":
            return self.chars(self.character_class())
        if char == "\\":
            return self.escape()
        if char == ".":
            return self.chars(EVERYTHING if self.dot_all else complement(NEWLINES))
        if char in "^$":
            self.can_fail_at_end |= char == "$"
            return PatternNode()
        if char in "*+?":
            raise Unreadable(f"`{char}` at character {self.at} has nothing to repeat")
        return self.chars(((ord(char), ord(char)),))

    def chars(self, ranges: Ranges) -> PatternNode:
        if self.ignore_case:
            self.budget.spend_on_ranges(len(ranges))
            ranges = any_case(ranges)
        return Chars(1, 1, ranges)

    def group(self) -> PatternNode:
        start = self.at
        name: str | None = None
        captures = lookaround = False
        if self.take("?#"):
            end = self.text.find(")", self.at)
            if end < 0:
                raise Unreadable(f"the comment at character {start} is not closed")
            self.at = end + 1
            return PatternNode()
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
                return PatternNode()
        else:
            captures = True
        number = self.group_count = self.group_count + captures
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooComplicated
        body = self.choice()
        self.depth -= 1
        if not self.take(")"):
            raise Unreadable(f"the group at character {start} is not closed")
        if captures:
            self.groups[number] = body
            if name is not None:
                self.groups[name] = body
        return Lookaround(item=body) if lookaround else body

    def reference(self, group: int | str) -> PatternNode:
        """A group not closed yet, or unknown, matches nothing; else its tree stands in for it."""
        return self.groups.get(group, PatternNode())

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
        raise Unreadable(f"`(?` at character {start} starts a group of unknown kind")

    def name(self, closing: str) -> str:
        end = self.text.find(closing, self.at)
        if end <= self.at:
            raise Unreadable(f"a group name is missing or not closed at character {self.at}")
        name = self.text[self.at : end]
        self.at = end + 1
        return name

    def escape(self) -> PatternNode:
        if self.at == len(self.text):
            raise Unreadable("it ends in a lone backslash")
        char = self.text[self.at]
        if char in "bBAzZ":
            self.at += 1
            self.can_fail_at_end |= char != "A"
            return PatternNode()
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
            ranges = {"d": DIGITS, "w": WORD, "s": SPACE}[char.lower()]
            return ranges if char.islower() else complement(ranges)
        if char in "pP":
            if not self.take("{"):
                return ((ord(char), ord(char)),)
            return property_ranges(self.name("}"), negated=char == "P")
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
        return min(int(digits[-7:], 16), LAST)

    def character_class(self) -> Ranges:
        start = self.at
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        while True:
            if self.at == len(self.text):
                raise Unreadable(f"the character class at character {start} is not closed")
            if self.take("]"):
                self.budget.spend_on_ranges(len(ranges))
                merged = merge(ranges)
                if self.ignore_case and negated:
                    merged = any_case(merged)
                return complement(merged) if negated else merged
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
                    raise Unreadable(
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
            raise Unreadable("it ends in a lone backslash")
        return ((8, 8),) if self.take("b") else self.escaped_ranges()
