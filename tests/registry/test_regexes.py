"""Patterns that can blow up a backtracking engine are told from those that cannot."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.effort import examples

from antiphon.registry.regexes import unsafe_reason

EXPONENTIAL = [
    r"^(a+)+$",
    r"^(a*)*$",
    r"^(a|a)*$",
    r"^(a|ab|b)*c$",
    r"^(\w+\s?)*$",
    r"(x+x+)+y",
    r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$",
    r"^(.*)*$",
    r"(\d+|\d+\.)+",
    r"^(?:(?:a|b)*|c)*$",
    r"^(a?b?)*$",
    r"^((a?)+)*$",
    r"^(a(|)b)*$",
    r"^(a{1,50}){1,50}$",
    r"^(a{1,9}){1,9}$",
    r"(a?){50}a{50}",
    r"^(a+){1,30}$",
    r"^(a{2,}){2,}$",
    r"^([a-z]{2,10}[0-9]{0,5})*$",
    r"^(a{9}|a{300})*b$",
    r"^(?=(a+)+b)x$",
    r"^(?!x(y|y)*z)",
    r"(?<!(a+)+)b",
    r"^((a+)\2)+$",
    r"^((?<run>a+)\k<run>)+$",
    r"(?i)^(a|A)*$",
    r"^(\p{L}+\p{Ll}*)*$",
    r"^(\p{Lu}|\u{41})*$",
    r"^(\x61|\u0061)*$",
    r"^(\/|[/])*$",
    r"^(\D|[^0])*$",
    r"^([\s\S]|\n)*$",
    r"^(?:a+?)+?$",
]

POLYNOMIAL = [
    r"^\d*\d*\d*\d*x$",
    r"\d*\d*\d*\d*x",
    r"^.*a.*b.*c.*d$",
    r"^(a+){4}$",
    r"^\w{0,500}\w{0,500}\w{0,500}\w{0,500}!$",
    r"^(ab)*(ab)*(ab)*(ab)*c$",
]

SAFE = [
    r"",
    r".*",
    r"^[a-z0-9]+(-[a-z0-9]+)*$",
    r"^[a-z][a-z0-9_]{0,63}$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^(\d{1,3}\.){3}\d{1,3}$",
    r"^#[0-9a-fA-F]{6}$",
    r"^(?=.*\d)(?=.*[a-z]).{8,}$",
    r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
    r"^([A-Z]{2}\d{2})( ?[A-Z0-9]{4}){2,7}$",
    r"^https?://[^\s/$.?#].[^\s]*$",
    r"^(a|b)*$",
    r"^(ab|cd)+$",
    r"^[a-z]{1,500}$",
    r"^.{0,65535}$",
    r"^(a{2000}b)*$",
    r"^([a-z]{3})*$",
    r"^(a{1,3}){1,3}$",
    r"^(a+b){1,30}$",
    r"^.*foo.*bar.*$",
    r".*a.*b.*c.*",
    r"^a*b*c*d*e*f*$",
    r"^[a-c]*-[a-c]*-[a-c]*-[a-c]*-[a-c]*$",
    r"^(\p{L}+\p{N}+)*$",
    r"^(\p{Lu}\P{Lu})*$",
    r"^(?<year>\d{4})-\k<year>$",
    r"""^(["']).*?\1$""",
    r"^(\d)\1*$",
    r"^(\1a)*$",
    r"^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$",
    r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$",
    r"^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    r"^P(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$",
    r"^(?:/(?:[^~/]|~0|~1)*)*$",
    r'^"(?:[^"\\]|\\.)*"$',
    r"^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$",
    r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)"
    r"(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
    r"(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$",
    r"^((?!--)[a-z-])*$",
    r"[^]",
    r"^[]$",
    r"a{",
    r"x{,3}]}",
    r"^(?:" + "|".join(f"word{n}" for n in range(300)) + ")$",
    r"^(?:" + "|".join(f"{chr(97 + n)}x" for n in range(26)) + ")*$",
]

UNREADABLE = [
    "(",
    ")",
    "a)",
    "[a",
    "*",
    "a|+",
    "\\",
    "[\\",
    "[z-a]",
    "a{2,1}",
    "(?<n",
    "(?@a)",
    "(?#",
]


@pytest.mark.parametrize("pattern", EXPONENTIAL)
def test_exponential_patterns_are_refused(pattern: str) -> None:
    reason = unsafe_reason(pattern)
    assert reason is not None
    assert "exponentially many ways" in reason


@pytest.mark.parametrize("pattern", POLYNOMIAL)
def test_chains_of_overlapping_repetitions_are_refused(pattern: str) -> None:
    reason = unsafe_reason(pattern)
    assert reason is not None
    assert "power 4" in reason


@pytest.mark.parametrize("pattern", SAFE)
def test_ordinary_patterns_pass(pattern: str) -> None:
    assert unsafe_reason(pattern) is None


@pytest.mark.parametrize("pattern", UNREADABLE)
def test_what_is_no_regular_expression_is_refused_as_such(pattern: str) -> None:
    assert "cannot be read as a regular expression" in (unsafe_reason(pattern) or "")


def test_the_reason_quotes_the_part_to_change_and_a_text_that_shows_it() -> None:
    reason = unsafe_reason(r"^id-(?:x|[0-9]+(?:[a-f]+)+y)$") or ""
    assert "`(?:[a-f]+)+`" in reason
    assert 'repeats of "a"' in reason


def test_the_reason_is_printable_whatever_the_pattern_holds() -> None:
    reason = unsafe_reason("^(\x07|\x07|\ud800)*$") or ""
    assert "exponentially many ways" in reason
    assert reason.isprintable()


@pytest.mark.parametrize(
    "pattern",
    [
        "a" * 10_000,
        "(" * 2_000 + ")" * 2_000,
        "(ab)*c" * 800,
        "a?" * 2_000,
        "(" + "|".join(f"w{n}" for n in range(900)) + ")*",
        "(a)" + "".join(f"(\\{n}\\{n})" for n in range(1, 300)),
        "".join(f"[^\\p{{Lu}}{chr(9000 + n)}]" for n in range(400)),
    ],
    ids=["long", "deep", "loops", "options", "words", "references", "properties"],
)
def test_work_is_capped_and_the_reason_says_so(pattern: str) -> None:
    reason = unsafe_reason(pattern) or ""
    assert "too complicated to judge" in reason
    assert "rewrite it simpler" in reason


SNIPPETS = st.sampled_from(
    ["(", ")", "(?:", "(?=", "(?<n>", "|", "*", "+", "?", "{2,9}", "{3}", "{1,}", "[a-c]", "[^b]"]
    + ["[", "]", "\\", "\\d", "\\1", "\\k<n>", "\\p{L}", "\\u{61}", ".", "^", "$", "a", "b", "-"]
)


@given(st.text(max_size=200) | st.lists(SNIPPETS, max_size=60).map("".join))
@settings(max_examples=examples(300), deadline=None)
def test_any_text_gets_a_verdict(pattern: str) -> None:
    reason = unsafe_reason(pattern)
    assert reason is None or (reason and "\n" not in reason)


# --- the verdict against a backtracking matcher that counts its steps ----------------------------

Tree = tuple  # (kind, children…)

TREES = st.recursive(
    st.sampled_from([("a",), ("b",), ("empty",)]),
    lambda inner: (
        st.tuples(st.sampled_from(["then", "or"]), inner, inner)
        | st.tuples(st.sampled_from(["*", "+", "?"]), inner)
    ),
    max_leaves=6,
)


def spell(tree: Tree) -> str:
    match tree:
        case ("empty",):
            return "(?:)"
        case ("then", left, right):
            return spell(left) + spell(right)
        case ("or", left, right):
            return f"(?:{spell(left)}|{spell(right)})"
        case (suffix, body):
            return f"(?:{spell(body)}){suffix}"
    return tree[0]


class OutOfSteps(Exception):
    pass


class Backtracker:
    """Tries every way, as ECMA-262 prescribes, and counts."""

    LIMIT = 60_000

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = 0

    def ends(self, tree: Tree, at: int) -> Iterator[int]:
        self.steps += 1
        if self.steps > self.LIMIT:
            raise OutOfSteps
        match tree:
            case ("empty",):
                yield at
            case ("then", left, right):
                for middle in self.ends(left, at):
                    yield from self.ends(right, middle)
            case ("or", left, right):
                yield from self.ends(left, at)
                yield from self.ends(right, at)
            case ("?", body):
                yield from (end for end in self.ends(body, at) if end != at)
                yield at
            case ("*", body):
                yield from self.rounds(body, at)
            case ("+", body):
                for end in self.ends(body, at):
                    yield from self.rounds(body, end)
            case (char,):
                if self.text.startswith(char, at):
                    yield at + 1

    def rounds(self, body: Tree, at: int) -> Iterator[int]:
        for end in self.ends(body, at):
            if end != at:
                yield from self.rounds(body, end)
        yield at


def steps_to_refuse(tree: Tree, text: str) -> int:
    backtracker = Backtracker(text + "!")
    try:
        for _ in backtracker.ends(tree, 0):
            pass
    except OutOfSteps:
        return Backtracker.LIMIT
    return backtracker.steps


def words(longest: int) -> list[str]:
    return [
        "".join(letters)
        for length in range(longest + 1)
        for letters in itertools.product("ab", repeat=length)
    ]


@given(TREES)
@settings(max_examples=examples(150), deadline=None)
def test_the_verdict_agrees_with_a_backtracking_matcher(tree: Tree) -> None:
    """Exponential: twice the named text squares the steps. Safe: no short text does."""
    reason = unsafe_reason(f"^{spell(tree)}$")

    def squares(prefix: str, pump: str) -> bool:
        few = steps_to_refuse(tree, prefix + pump * 6)
        many = steps_to_refuse(tree, prefix + pump * 12)
        return many >= Backtracker.LIMIT or many > 30 * few

    if reason is None:
        assert not any(squares(prefix, pump) for prefix in ("", "a", "b") for pump in words(3)[1:])
    elif "exponentially" in reason:
        found = re.search(r'repeats of "([ab]+)"', reason)
        assert found
        assert any(squares(prefix, found[1]) for prefix in words(4))
