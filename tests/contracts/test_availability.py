"""Availability: the expression language, and each rule that keeps a tool away."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antiphon.contracts.availability import (
    MAX_DEPTH,
    MAX_LENGTH,
    Availability,
    ExpressionError,
    parse_expression,
)

FIELDS: dict[str, Any] = {
    "mode": "voice",
    "turn": 3,
    "user": {"name": "ada", "plan": {"tier": "pro"}, "tags": ["a", "not", "]"]},
    "roles": ["admin", "editor"],
    "blocked": False,
    "score": 0.5,
    "empty": "",
}


def holds(text: str, fields: dict[str, Any] = FIELDS) -> bool:
    return bool(parse_expression(text)(fields))


@pytest.mark.parametrize(
    "text",
    [
        "mode == 'voice'",
        'mode == "voice"',
        "mode != 'text'",
        "turn == 3",
        "turn == 3.0",
        "turn >= 3",
        "turn <= 3",
        "turn > -1",
        "turn < 3.5",
        "score == 0.5",
        "user.plan.tier == 'pro'",
        "'admin' in roles",
        "mode in ['text', 'voice']",
        "mode in ['text', 'voice',]",
        "'oi' in mode",
        "not blocked",
        "not not mode",
        "true",
        "blocked == false",
        "missing == null",
        "(mode == 'voice')",
        "((turn))",
        "roles == ['admin', 'editor']",
        "turn in [1, [2], 3, null, true]",
        "  mode\t==\n'voice'  ",
        "'b' > 'a'",
    ],
)
def test_what_the_language_can_say_and_holds(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "mode == 'text'",
        "turn",
        "empty",
        "null",
        "[]",
        "missing",
        "missing.deeper.still",
        "mode.upper",
        "user.name.first",
        "'x' in roles",
        "'x' in missing",
        "blocked",
        "turn > 3",
    ],
)
def test_what_the_language_can_say_and_does_not_hold(text: str) -> None:
    assert not holds(text, {**FIELDS, "turn": 0} if text == "turn" else FIELDS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # and binds closer than or
        ("true or false and false", True),
        ("(true or false) and false", False),
        ("false and false or true", True),
        # not binds closer than and, and looser than a comparison
        ("not true or true", True),
        ("not (true or true)", False),
        ("not turn == 4", True),
        ("not false and true", True),
    ],
)
def test_precedence(text: str, value: bool) -> None:
    assert holds(text) is value


@pytest.mark.parametrize(
    "text", ["mode in ['and', 'voice']", "'not' in user.tags", "']' in user.tags", "mode != 'or'"]
)
def test_words_and_signs_within_quotes_are_text(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize("text", ["mode 'or' mode", "mode ''", "(mode ')'", "['a' ',' 'b']"])
def test_quoted_signs_do_not_stand_for_signs(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
@pytest.mark.parametrize(
    "pair", ["'3' {} 3", "null {} 1", "roles {} 2", "user {} user", "3 {} '2'"]
)
def test_comparing_the_order_of_unlike_things_is_false_and_never_raises(
    sign: str, pair: str
) -> None:
    assert holds(pair.format(sign)) is False


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("mode ==", "ends too early"),
        ("(mode", "ends too early"),
        ("[1, 2", "ends too early"),
        ("mode and", "ends too early"),
        ("mode = 'x'", "cannot read \"= 'x'\""),
        ("mode == 'x", "cannot read"),
        ("mode == 'it\\'s'", "cannot read"),
        ("mode & turn", "cannot read '& turn'"),
        ("mode turn", "unexpected 'turn'"),
        ("1 < 2 < 3", "unexpected '<'"),
        ("== 1", "expected a value, found '=='"),
        ("mode == and", "expected a value, found 'and'"),
        ("[1 2]", "expected ',', found '2'"),
        ("(1]", "expected ')', found ']'"),
        ("[,]", "expected a value, found ','"),
        ("a." + "b" * MAX_LENGTH, f"longer than {MAX_LENGTH}"),
        ("(" * (MAX_DEPTH + 1) + "1" + ")" * (MAX_DEPTH + 1), f"deeper than {MAX_DEPTH}"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), f"deeper than {MAX_DEPTH}"),
    ],
)
def test_what_cannot_be_read_is_refused_with_words(text: str, words: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text)
    assert words in str(caught.value)


def test_only_text_is_an_expression() -> None:
    for value in (None, 1, b"true", ["true"]):
        with pytest.raises(ExpressionError):
            parse_expression(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "user.name.upper()",
        "mode()",
        "roles[0]",
        "lambda: 1",
        "lambda x: x",
        "__import__('os')",
        "a if b else c",
        "mode + mode",
        "mode; mode",
        "{'a': 1}",
        "[x for x in roles]",
        "mode := 1",
        "`id`",
        "$HOME",
        "mode.__class__()",
    ],
)
def test_there_are_no_calls_no_indexing_and_no_statements(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.mark.parametrize("text", ["__class__", "mode.__class__", "user.__class__.__mro__", "get"])
def test_names_lead_to_fields_and_never_to_attributes(text: str) -> None:
    assert parse_expression(text)(FIELDS) is None
    assert parse_expression("__class__")({"__class__": "mine"}) == "mine"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
        st.sets(st.integers() | st.text(max_size=3), max_size=3),
    ),
    max_leaves=6,
)
NAMES = st.sampled_from(["a", "b", "c", "a.b", "a.b.c", "__class__"])
ATOMS = NAMES | st.sampled_from(["1", "-2.5", "'x'", '"or"', "true", "null", "[]", "[a, 'b', [1]]"])
SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in"])
EXPRESSIONS = st.recursive(
    ATOMS | st.builds("{} {} {}".format, ATOMS, SIGNS, ATOMS),
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES))
@example("a in b", {"a": [1], "b": {1}})
def test_evaluation_never_raises_whatever_the_fields_hold(
    text: str, fields: dict[str, Any]
) -> None:
    before = repr(fields)
    bool(parse_expression(text)(fields))
    assert repr(fields) == before


@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from(["a", "or", "and", "not", "in", "(", ")", "[", "]", ",", "==", "1", "'x'"]),
        max_size=14,
    ).map(" ".join)
)
def test_any_text_is_either_read_or_refused(text: str) -> None:
    try:
        evaluate = parse_expression(text)
    except ExpressionError:
        return
    evaluate({})


SESSION = {"authenticated": True, "roles": ["editor"], "provider": "gemini", "mode": "text"}


@pytest.mark.parametrize(
    ("rules", "session", "refusal"),
    [
        ({}, {}, None),
        ({"requiresAuth": False}, {}, None),
        ({"requiresAuth": True}, SESSION, None),
        ({"requiresAuth": True}, {}, "it needs a signed-in user"),
        ({"requiresAuth": True}, {"authenticated": False}, "it needs a signed-in user"),
        ({"roles": ["admin", "editor"]}, SESSION, None),
        ({"roles": ["owner", "admin"]}, SESSION, "it is for admin or owner only"),
        ({"roles": ["admin"]}, {"roles": None}, "it is for admin only"),
        ({"providers": ["gemini"]}, SESSION, None),
        ({"providers": ["openai", "claude"]}, SESSION, "it is only there with claude or openai"),
        ({"env": ["SET"]}, {}, None),
        ({"env": ["SET", "UNSET", "BLANK"]}, {}, "UNSET, BLANK must be set in the environment"),
        ({"when": "mode == 'text'"}, SESSION, None),
        ({"when": "mode == 'voice'"}, SESSION, "its condition is not met: mode == 'voice'"),
    ],
)
def test_each_rule_refuses_with_its_own_words(
    rules: dict[str, Any], session: dict[str, Any], refusal: str | None
) -> None:
    environment = {"SET": "1", "BLANK": ""}
    assert Availability(rules).refusal(session, environment) == refusal


def test_all_rules_have_to_be_met() -> None:
    rules = {"requiresAuth": True, "roles": ["editor"], "providers": ["gemini"], "when": "mode"}
    availability = Availability(rules)
    assert availability.refusal(SESSION, {}) is None
    for name in ("authenticated", "roles", "provider", "mode"):
        assert availability.refusal({k: v for k, v in SESSION.items() if k != name}, {})


def test_an_unreadable_condition_is_refused_when_the_tool_is_loaded() -> None:
    with pytest.raises(ExpressionError):
        Availability({"when": "mode = 'text'"})
