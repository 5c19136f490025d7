"""The vocabulary: one meaning for each class name; modules described by noun phrases."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("src/antiphon", "bench", "examples")

# A first line that begins with one of these is a clause and no noun phrase. Words that are nouns
# as often as verbs (run, call, record, write, search) are not among them.
NO_NOUN = set(
    """
    what how who whom where when why which whose whether if it they he she we you this that these
    those there of for from to in on at by with without as after before while until into over
    under between through against about everything nothing anything somebody nobody whoever
    whatever wherever both and or but not
    runs gives makes keeps takes says tells reads writes turns puts finds looks does has is are was
    were gets sets sends holds brings checks starts stops opens closes asks answers knows shows lets
    goes comes sees hears speaks draws counts builds loads saves parses renders converts computes
    decides fills cuts splits joins waits watches serves picks chooses removes adds drops
    sorts serializes returns raises applies compiles handles wraps maps measures plays
    give make keep take say tell turn put find do have get hold bring ask know show let go come
    see hear speak draw compute decide choose remove add
    said told heard asked made done kept given taken seen held left sent brought
    """.split()  # noqa: SIM905
)


def modules(*folders: str) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if not {"__pycache__", ".venvs"} & set(path.parts)  # bench/peers installs there
    )


def test_no_public_class_name_has_two_meanings() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in modules(*SOURCES):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    assert not twice, "\n".join(f"{name}: {', '.join(places)}" for name, places in twice.items())


def complaint(text: str) -> str | None:
    """What is wrong with the first line of a module, or None."""
    if not text.strip():
        return None  # an empty package
    line = (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
    if not line:
        return "has no docstring"
    word = line.replace("'", " ").split()[0].strip('`"“,.:;').lower()
    if word in NO_NOUN:
        return f"begins with a clause instead of a noun phrase: {line}"
    return None if line.rstrip().endswith((".", ":")) else f"has half a sentence in line 1: {line}"


def test_every_module_begins_with_a_noun_phrase() -> None:
    found = [
        f"{path.relative_to(ROOT)} {problem}"
        for path in modules("src/antiphon")
        if (problem := complaint(path.read_text("utf-8")))
    ]
    assert not found, "\n".join(found)


def test_the_glossary_leads_to_what_it_explains() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    glossary = text.partition("## Glossary")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:4] for line in glossary.splitlines() if line.startswith("| ")][1:]
    terms = [term.strip() for term, _, _ in rows]
    assert len(terms) == len(set(terms)) >= 60
    places = [name for _, _, where in rows for name in re.findall(r"`([^`]+)`", where)]
    missing = [name for name in places if not (ROOT / "src" / "antiphon" / name).exists()]
    assert not missing


@pytest.mark.parametrize(
    "line",
    [
        "What a macro is made of.",
        "Runs a coroutine as a test.",
        "How hot the device is.",
        "Of the model.",
        "Standing grants: calls that a person allowed,",
    ],
)
def test_a_clause_is_recognized(line: str) -> None:
    assert complaint(f'"""{line}"""')
    assert complaint('"""Standing grants: calls that a person allowed for a session."""') is None
