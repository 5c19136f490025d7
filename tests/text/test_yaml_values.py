"""YAML of others: its value, or what is wrong with it; never more than so much of it."""

from __future__ import annotations

import pytest

from antiphon.text.yaml_values import YamlRefused, load_yaml


def test_aliases_are_followed() -> None:
    text = "usual: &usual {a: 1, b: [2]}\none: *usual\ntwo: {<<: *usual, a: 3}\n"
    assert load_yaml(text)["two"] == {"a": 3, "b": [2]}


def laughs(levels: int, merged: str) -> str:
    lines = ["a0: &a0 {x: 1}"]
    for n in range(levels):
        many = ", ".join([f"*a{n}"] * 10)
        body = f"{{<<: [{many}]}}" if merged else f"[{many}]"
        lines.append(f"a{n + 1}: &a{n + 1} {body}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [", "line"),
        ("when: 2001-99-99", "not of the type"),
        ("when: !!timestamp soon", "not of the type"),
        ("is: !!bool perhaps", "not of the type"),
        ("many: !!int 'x'", "not of the type"),
        ("x: !!python/object:os.system y", "could not determine a constructor"),
        ("[" * 2_000, "nested too deeply"),
        ("a: &a [*a]", r"\*a is inside of what it stands for \(line 1\)"),
        ("a: *b", "undefined alias"),
        (laughs(12, ""), r"unfolds to more than 100,000 values \(line"),
        (laughs(12, "merged"), r"unfolds to more than 100,000 values \(line"),
        ("a: 1\n---\nb: 2", "another document"),
        ("a: \0", "special characters"),
    ],
    ids=lambda text: text[:12],
)
def test_what_cannot_be_read_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(YamlRefused, match=words):
        load_yaml(text)
