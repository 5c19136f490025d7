"""Written text made sayable, and cut into sentences."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.speech import speakable
from antiphon.text.sentences import MAX_SPOKEN, SentenceStream, split_clauses, spoken_sentences

MARKDOWN = st.lists(
    st.sampled_from(
        ["**bold** ", "`kb_search` ", "# Title\n", "- item\n", "| a | b |\n", "|---|---|\n"]
        + ["https://a.example/x?y=1 ", "[text](https://b.example) ", "```py\nx = 1\n``` ", "🙂 "]
        + ["word ", "3.5 ", "Mr. Jones ", "end. ", "why? ", "<b>x</b> ", "&amp; ", "```", "_", "\n"]
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("See https://a.example/b?c=1. It is there.", "See the link. It is there."),
        (
            "See <https://a.example>, <a href='https://b.example'>or this</a>.",
            "See the link, or this.",
        ),
        ("Go to www.example.org, please.", "Go to the link, please."),
        ("Read [the notes](https://a.example/n).", "Read the notes."),
        ("Write to ada.l@example.org.", "Write to ada dot l at example dot org."),
        ("It is **very** _good_ and ~~bad~~.", "It is very good and bad."),
        ("# Results\n\n- one\n- [x] two\n", "Results.\none.\ntwo."),
        ("1. First\n2. Second", "1, First.\n2, Second."),
        ("Use `kb_search` or readFile.", "Use kb search or read File."),
        ("Before.\n```python\nx = 1\n```\nAfter.", "Before.\nAfter."),
        ("Before.\n```\nnever closed", "Before."),
        ("Ada wrote it [1] (person:ada_lovelace).", "Ada wrote it."),
        ("Ask person:ada_lovelace about it.", "Ask ada lovelace about it."),
        (
            "Id 3f2a9c1e-1111-4222-8333-9d8c7b6a5f4e is new.",
            "Id id ending in 5 f 4 e is new.",
        ),
        ("Call 4930123456 now.", "Call 4 9 3 0 1 2 3 4 5 6 now."),
        ("Call +4930123456 now.", "Call plus 4 9 3 0 1 2 3 4 5 6 now."),
        ("It costs $4.50 or 1,250,000 pounds.", "It costs $4.50 or 1,250,000 pounds."),
        ("On 2026-11-15T09:30:00Z it began.", "On 2026-11-15 at 09:30 it began."),
        ("Issue #7 is open.", "Issue number 7 is open."),
        ("Great 🎉👍🏽 work!", "Great work!"),
        ("| Name | Age |\n|---|---|\n| Ada | 36 |", "Name, Age.\nAda, 36."),
        ("a &amp; b &lt; c", "a & b c."),
        ("Line<br>break and <i>tags</i>.", "Line.\nbreak and tags."),
        ("Play F# in C#.", "Play F sharp in C sharp."),
        ("A -> B => C", "A, B, C."),
        ("***\n---\n", ""),
        ("", ""),
        ("Naïve café, 20 °C.", "Naïve café, 20 °C."),
    ],
)
def test_text_is_said_as_a_person_would(written: str, said: str) -> None:
    assert speakable(written) == said


@given(MARKDOWN | st.text(max_size=200))
def test_nothing_that_cannot_be_said_is_left(text: str) -> None:
    said = speakable(text)
    assert not re.search(r"https?://|```|\*\*|[`|*<>{}]", said)
    assert all(unicodedata.category(c) not in ("So", "Cs", "Co") or c == "°" for c in said)
    assert all(line == line.strip() and line for line in said.splitlines())
    assert all(any(c.isalnum() for c in line) for line in said.splitlines())


@given(MARKDOWN)
def test_what_is_sayable_stays_as_it_is(text: str) -> None:
    once = speakable(text)
    assert speakable(once).split() == once.split()


@pytest.mark.parametrize(
    "piece", ["*a ", "_a", "[a](", "[1,", "`", "<a ", "| ", "- ", "a@b.", "\n>", " ", "a-", "!["]
)
def test_no_text_takes_long(piece: str) -> None:
    """It would run into the limit of time of all tests."""
    assert isinstance(speakable(piece * 20_000), str)


def test_a_very_long_text_is_cut() -> None:
    assert len(speakable("word " * 100_000)) < 30_000


# -- sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Mr. Jones met Dr. Who. They left.", ["Mr. Jones met Dr. Who.", "They left."]),
        ("It is 3.5 metres. Really.", ["It is 3.5 metres.", "Really."]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it."]),
        ('He said "no." Then he left.', ['He said "no."', "Then he left."]),
        ("Title\n\n1. First item\n2. Second", ["Title", "1. First item", "2. Second"]),
        ("See this:\n```py\na. b. c\n```\nDone.", ["See this:", "```py\na. b. c\n```", "Done."]),
        ("Open ```never closed. Yes.", ["Open", "```never closed. Yes."]),
        ("About 5 p.m. we left. Then", ["About 5 p.m. we left.", "Then"]),
        ("  \n ", []),
    ],
)
def test_text_is_cut_into_sentences(text: str, expected: list[str]) -> None:
    assert spoken_sentences(text) == expected


@given(MARKDOWN, st.lists(st.integers(1, 9), min_size=1, max_size=20))
def test_no_word_is_lost_however_the_text_comes(text: str, sizes: list[int]) -> None:
    stream = SentenceStream()
    found: list[str] = []
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        found += stream.push(text[at : at + size])
        at += size
        turn += 1
    found += stream.flush()
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(sentence == sentence.strip() and sentence for sentence in found)
    assert stream.flush() == []


@given(st.text("abc ,;", max_size=3_000))
def test_a_sentence_without_an_end_is_cut(text: str) -> None:
    assert all(len(sentence) <= MAX_SPOKEN for sentence in spoken_sentences(text))


@given(st.text("abc ,;:", max_size=600), st.integers(20, 200))
def test_spans_hold_every_word_and_are_short_enough(text: str, longest: int) -> None:
    parts = split_clauses(text.strip(), longest)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(0 < len(part) <= longest for part in parts)
