"""HTML tokens: what they keep of a page, and what they leave out."""

from __future__ import annotations

import pytest

from antiphon.text.html import HtmlTag, html_tokens


def texts(markup: str) -> list[str]:
    return [token for token in html_tokens(markup) if isinstance(token, str)]


def test_tags_and_texts_come_in_their_order() -> None:
    assert list(html_tokens("a<B class='x'>b &amp; c</b>")) == [
        "a",
        HtmlTag("b", " class='x'", False),
        "b & c",
        HtmlTag("b", "", True),
    ]


@pytest.mark.parametrize(
    "markup",
    [
        "a<!-- <p>no</p> -->b",
        "a<!DOCTYPE html>b",
        "a<?xml version='1.0'?>b",
        "a<script>if (x < y) { '<p>' }</script>b",
        "a<svg><title>no</title></svg>b",
        "a<style/>b",
    ],
)
def test_what_no_reader_sees_is_left_out(markup: str) -> None:
    assert texts(markup) == ["a", "b"]


@pytest.mark.parametrize("markup", ["a<!-- b", "a<script>b", "a<!b"])
def test_what_has_no_end_runs_to_the_end(markup: str) -> None:
    assert texts(markup) == ["a"]


def test_a_sign_for_less_than_is_text() -> None:
    assert "".join(texts("1 < 2 <3")) == "1 < 2 <3"


@pytest.mark.parametrize(
    ("attributes", "value"),
    [
        ('href="/a?b=1&amp;c=2"', "/a?b=1&c=2"),
        ("class=x HREF='/a'", "/a"),
        ("href=/a", "/a"),
        ('data-href="/b"', ""),
        ("", ""),
    ],
)
def test_an_attribute_is_found_by_its_name(attributes: str, value: str) -> None:
    (tag,) = html_tokens(f"<a {attributes}>")
    assert isinstance(tag, HtmlTag)
    assert tag.attribute("href") == value
