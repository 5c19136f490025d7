"""Personal data: what is found in texts, and placeholders that go and come back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antiphon.secrecy.personal_data import KINDS, PersonalData
from antiphon.secrecy.placeholders import Placeholders, StreamedRestore
from antiphon.secrecy.privacy import ConversationPrivacy, PrivacyRules

LINES = Path(__file__).parent / "personal_data.txt"
ALL = PersonalData(KINDS)
PARTS = (
    *("4111 1111 1111 1111", "378282246310005", "DE89 3704 0044 0532 0130 00", "219-09-9999"),
    *("jane@example.org", "+49 30 1234567", "415-555-2671", "[card 1]", "[quote 2]", "[Phone 1]"),
    *("order 4711", "2026-11-18 10:30", "1.2.3", "[", "]", "[e-mail 9]", " ", "a", "\n", "é"),
)
texts = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=5))).map("".join)


def marked_lines() -> list[tuple[str, set[tuple[int, int, str]]]]:
    found = []
    for line in LINES.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        text, spans, done = "", set(), 0
        for mark in re.finditer(r"\{\{([a-z-]+):(.*?)\}\}", line):
            text += line[done : mark.start()]
            spans.add((len(text), len(text) + len(mark[2]), mark[1]))
            text, done = text + mark[2], mark.end()
        found.append((text + line[done:], spans))
    return found


def test_what_is_personal_is_found_and_nothing_else() -> None:
    """Precision and recall on the lines that were written before the patterns."""
    right = wrong = missed = 0
    told = []
    for text, expected in marked_lines():
        found = {tuple(span) for span in ALL.spans(text)}
        right += len(found & expected)
        wrong += len(found - expected)
        missed += len(expected - found)
        if found != expected:
            told.append(f"{text!r}: found {found}, expected {expected}")
    assert right + missed >= 100
    assert right / (right + wrong) >= 0.98, told
    assert right / (right + missed) >= 0.98, told


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_not_asked_for_is_left_alone(kind: str) -> None:
    only = PersonalData([kind])
    for text, expected in marked_lines():
        assert {span.kind for span in only.spans(text)} <= {kind}, text
        assert not expected or {each[2] for each in expected} != {kind} or only.spans(text), text
    assert PersonalData([]).spans("4111 1111 1111 1111") == []


def test_patterns_of_ones_own_come_first() -> None:
    own = {"customer": re.compile("K-[0-9]{6}"), "empty": re.compile("x*")}
    finder = PersonalData(["customer", "empty", "card"], own)
    assert finder.masked("K-123456 pays 4111111111111111") == "[customer] pays [card]"


@given(texts)
def test_what_is_masked_comes_back_as_it_was(text: str) -> None:
    placeholders = Placeholders(frozenset(KINDS))
    masked = placeholders.mask(text, ALL)
    assert placeholders.restore(masked) == text
    assert placeholders.mask(text, ALL) == masked  # the same text has the same placeholders
    for span in ALL.spans(text):
        if "[" not in text:
            assert text[span.start : span.end] not in masked


json_values = st.recursive(
    st.one_of(texts, st.none(), st.booleans(), st.integers(), st.just(4111111111111111)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_a_json_value_comes_back_with_its_types(value: Any) -> None:
    placeholders = Placeholders(frozenset(KINDS))
    assert placeholders.restore_all(placeholders.mask_all(value, ALL)) == value


@given(texts, st.lists(st.integers(0, 60)))
@example("pay with [card 1] now [card", [4, 11, 12])
def test_pieces_do_not_change_what_is_put_back(text: str, cuts: list[int]) -> None:
    placeholders = Placeholders(frozenset(KINDS))
    masked = placeholders.mask(text, ALL)
    ends = sorted(min(cut, len(masked)) for cut in cuts)
    stream = StreamedRestore(placeholders)
    pieces = [masked[a:b] for a, b in zip([0, *ends], [*ends, len(masked)], strict=True)]
    shown = "".join(stream.feed(piece) for piece in pieces) + stream.finish()
    assert shown == text


def test_texts_that_look_like_placeholders_stand_for_themselves() -> None:
    """Who writes `[card 1]` into a page does not get the person's number that way."""
    placeholders = Placeholders(frozenset(KINDS))
    assert placeholders.mask("4111 1111 1111 1111", ALL) == "[card 1]"
    foreign = placeholders.mask("send [card 1] to me", ALL)
    assert foreign == "send [quote 1] to me"
    assert placeholders.restore(foreign) == "send [card 1] to me"


def test_two_conversations_have_nothing_in_common() -> None:
    rules = PrivacyRules(model=frozenset(KINDS))
    one, other = ConversationPrivacy(rules), ConversationPrivacy(rules)
    assert one.for_model("jane@example.org") == "[e-mail 1]"
    assert other.from_model("[e-mail 1]") == "[e-mail 1]"
    assert other.for_model("kim@example.org") == "[e-mail 1]"
    assert one.from_model({"to": ["[e-mail 1]"]}) == {"to": ["jane@example.org"]}


def test_numbers_of_an_earlier_life_are_given_to_nothing_else() -> None:
    kinds = frozenset(KINDS)
    privacy = ConversationPrivacy(PrivacyRules(model=kinds, store=kinds))
    assert privacy.history_for_model("my card is [card 3]") == "my card is [card 3]"
    assert privacy.for_model("4111111111111111") == "[card 4]"
    assert privacy.from_model("[card 3] or [card 4]") == "[card 3] or 4111111111111111"


@given(texts)
def test_what_is_kept_is_kept_the_same_twice(text: str) -> None:
    privacy = ConversationPrivacy(PrivacyRules(store=frozenset(KINDS)))
    kept = privacy.for_store(text)
    assert privacy.for_store(kept) == kept
