"""Descriptions come out of docstrings in the three styles that people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon.registry.functions.docstring import parse_docstring

GOOGLE = """Look up the weather of a city
    in any country.

    It knows the sky only.

    Args:
        city (str): The city: its
            name, in any language.
        days (dict[str, int], optional): How many.
        *rest: More cities.

    Returns:
        dict: The sky
            in words.

    Raises:
        ValueError: When it rains.

    Phrases:
        - "Weather in {{city}}"
    """
NUMPY = """Look up the weather of a city in any country.

    It knows the sky only.

    Parameters
    ----------
    city : str
        The city: its name,
        in any language.
    days, rest : int, optional
        How many.

    Returns
    -------
    dict
        The sky in words.

    Phrases
    -------
    - "Weather in {{city}}"
    """
SPHINX = """Look up the weather of a city in any country.

    It knows the sky only.

    :param str city: The city: its name,
        in any language.
    :param days: How many.
    :type days: int
    :keyword rest: More cities.
    :returns: The sky in words.
    :raises ValueError: When it rains.
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX], ids=["google", "numpy", "sphinx"])
def test_the_three_styles_say_the_same(text: str) -> None:
    parsed = parse_docstring(text)
    assert parsed.summary == "Look up the weather of a city in any country."
    assert parsed.body == "It knows the sky only."
    assert parsed.returns == "The sky in words."
    assert list(parsed.parameters) == ["city", "days", "rest"]
    assert parsed.parameters["city"] == "The city: its name, in any language."
    assert parsed.parameters["days"] == "How many."
    if text is not SPHINX:
        assert parsed.sections == [("Phrases", '- "Weather in {{city}}"')]


def test_prose_stays_prose() -> None:
    parsed = parse_docstring("Tell: what it is.\n\n    Note: this has no block below it.\n")
    assert parsed.summary == "Tell: what it is."
    assert parsed.body == "Note: this has no block below it."
    assert parsed.parameters == {}
    assert parse_docstring(None).summary == ""


@given(st.text(st.sampled_from("ab:\n -*()Args.Returns")))
def test_whatever_is_written_is_read(text: str) -> None:
    parse_docstring(f"Args:\n{text}")
    parse_docstring(text)
