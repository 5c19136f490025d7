"""Conversation tests, as users write them: what was called and said, and what a failure shows."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.testing.projects import run_project

from antiphon import Antiphon
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.scaffold import new_tool
from antiphon.testing import AnswerScript, ConversationDriver, call, conversation


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`word_list` reads, `keep_words` asks first."""
    folder = tmp_path_factory.mktemp("project") / "tools"
    new_tool("word-list", folder)
    new_tool("keep-words", folder, category="action")
    return folder


@pytest.fixture(scope="module")
def registry(tools: Path) -> Registry:
    artifact = tools.parent / "tool_registry.json"
    assert build([tools], artifact).ok
    return Registry.load(artifact)


@pytest.fixture
def model() -> AnswerScript:
    return AnswerScript()


@pytest.fixture
async def talk(registry: Registry, model: AnswerScript) -> AsyncIterator[ConversationDriver]:
    async with conversation(registry, model, user="ada", data={"tenant": "north"}) as talk:
        yield talk


async def test_calls_and_words_are_checked_in_their_order(
    talk: ConversationDriver, model: AnswerScript
) -> None:
    model.answers(
        ["Let me see. ", call("word_list", text="call and response", limit=2)],
        lambda asked: f"{asked.data['total']} words: {', '.join(asked.data['words'])}.",
    )
    turn = await talk.says("Which words?")
    turn.called("word_list", limit=2).then_said("3 words").said("let me see")
    turn.then_said("let me see").called("word_list").then_said(re.compile(r"\band, call\b"))
    assert turn.text.endswith("3 words: and, call.")
    assert [(made.name, made.ran) for made in turn.calls] == [("word_list", True)]
    assert [request.text for request in model.requests] == ["Which words?"] * 2
    assert talk.session.user == "ada"
    assert talk.session.data["tenant"] == "north"


async def test_two_calls_of_one_answer_run_and_both_are_found(
    talk: ConversationDriver, model: AnswerScript
) -> None:
    model.answers([call("word_list", text="a"), call("word_list", text="b")], "Done.")
    turn = await talk.says("Both.")
    turn.called("word_list", text="a").called("word_list", text="b").then_said("done")


async def test_refusals_and_failures_are_checked_by_rule_and_type(
    talk: ConversationDriver, model: AnswerScript
) -> None:
    model.answers(call("word_lst"), call("word_list", text="123"), "Sorry.")
    turn = await talk.says("Count.")
    turn.refused("word_lst", rule="known").failed("word_list", "PERMANENT").then_said("sorry")
    with pytest.raises(AssertionError, match=r"a call refused by budget: word_lst\(\)"):
        turn.refused("word_lst", rule="budget")
    with pytest.raises(AssertionError, match=r"a failed call \(TRANSIENT\)"):
        turn.failed("word_list", "TRANSIENT")


async def test_nothing_runs_before_a_yes(talk: ConversationDriver, model: AnswerScript) -> None:
    model.answers(call("keep_words", text="one two"), "Shall I?", "Kept.")
    turn = await talk.says("Keep these.")
    question = turn.asked_to_confirm("keep_words", text="one two")
    assert "one two" in question.preview
    turn.then_said("shall I")
    with pytest.raises(AssertionError, match="a successful call: keep_words"):
        turn.called("keep_words")
    turn = await question.approve()
    turn.called("keep_words", text="one two").then_said("kept")
    turn.called_nothing()
    with pytest.raises(AssertionError, match="not open any more"):
        await question.approve()


async def test_a_no_is_told_to_the_model(talk: ConversationDriver, model: AnswerScript) -> None:
    model.answers(call("keep_words", text="one"), "Shall I?", "All right, I will not.")
    turn = await (await talk.says("Keep it.")).asked_to_confirm("keep_words").deny()
    turn.failed("keep_words", "CANCELLED").then_said("will not")


async def test_a_failed_check_shows_the_whole_turn(
    talk: ConversationDriver, model: AnswerScript
) -> None:
    model.answers(call("word_list", text="x y"), call("keep_words", text="x"), "Two words.")
    turn = await talk.says("Count x y.")
    with pytest.raises(AssertionError) as failed:
        turn.called("word_list").then_said("three words")
    assert str(failed.value) == (
        "Expected the model to say 'three words', after what was checked before it. "
        "This was the turn:\n"
        "  person: Count x y.\n"
        "  call:   word_list(text='x y') -> ok {'words': ['x', 'y'], 'total': 2}\n"
        "  call:   keep_words(text='x') -> CONFIRMATION_REQUIRED by the rule confirmation: This "
        "action needs the user's confirmation. They have been asked; their answer will be given to "
        "you.\n"
        "  model:  Two words."
    )
    with pytest.raises(AssertionError, match="Expected no call"):
        turn.called_nothing()
    with pytest.raises(AssertionError, match=r"successful call: word_list\(text='z'\)"):
        turn.called("word_list", text="z")
    with pytest.raises(AssertionError, match="to say 'three'"):
        turn.said("three")


async def test_a_script_that_ends_too_soon_says_so(
    talk: ConversationDriver, model: AnswerScript
) -> None:
    model.answers(call("word_list", text="x"))
    with pytest.raises(AssertionError) as failed:
        await talk.says("Count.")
    assert "asked for answer 2, but its script ends after 1" in str(failed.value)
    assert "call:   word_list(text='x') -> ok" in str(failed.value)


async def test_answers_that_nobody_asked_for_are_named(registry: Registry) -> None:
    script = AnswerScript("Hello.", call("word_list", text="x"), ["a", call("b")])
    with pytest.raises(AssertionError) as failed:
        async with conversation(registry, script) as talk:
            (await talk.says("Hi.")).called_nothing().then_said("hello")
    assert str(failed.value) == (
        "The script of the model has 2 unused answers:\n  call word_list(text='x')\n  'a', call b()"
    )


async def test_an_app_of_ones_own_is_opened_and_closed(registry: Registry) -> None:
    app = Antiphon(registry, AnswerScript("Hello."))
    async with conversation(app) as talk:
        (await talk.says("Hi.")).said("hello")
        assert app.is_open
    assert not app.is_open


# -- the fixtures, in a project of somebody else ---------------------------------------------------

CONFTEST = """
from pathlib import Path
import pytest

@pytest.fixture
def antiphon_tools():
    return [Path({tools!r})]
"""
TESTS = """
import asyncio
from antiphon import Antiphon, ToolCall
from antiphon.testing import call, conversation

async def test_talk(antiphon_talk, antiphon_model):
    antiphon_model.answers(call("word_list", text="x"), "One.")
    turn = await antiphon_talk.says("Count.")
    turn.called("word_list", text="x").then_said("one")
    assert type(asyncio.get_running_loop()).__name__ == "VirtualTimeLoop"

async def test_session(antiphon_session):
    envelope = await antiphon_session.dispatch(ToolCall(name="word_list", args={"text": "x"}))
    assert envelope["data"]["total"] == 1

async def test_app(antiphon_app):
    assert (await antiphon_app.call("word_list", {"text": "x"})).ok

async def test_unused(antiphon_talk, antiphon_model):
    antiphon_model.answers("Never said.")

async def test_wrong(antiphon_talk, antiphon_model):
    antiphon_model.answers("No.")
    (await antiphon_talk.says("Count.")).called("word_list")

async def test_a_vendor(openai_emulator, antiphon_tools, antiphon_session):
    called = {"calls": [{"name": "word_list", "args": {"text": "x"}}]}
    service = openai_emulator([
        {"on": "text", "reply": [called, "complete"]},
        {"on": "results", "reply": [{"text": "One word."}, "complete"]},
    ])
    async with conversation(antiphon_tools, "openai:gpt-4.1") as talk:
        (await talk.says("Count x.")).called("word_list", text="x").then_said("one word")
    assert service.received[0]["model"] == "gpt-4.1"
    assert type(asyncio.get_running_loop()).__name__ != "VirtualTimeLoop"

def test_plain(antiphon_app):
    pass
"""


@pytest.fixture(scope="module")
def project(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], str]:
    folder = tmp_path_factory.mktemp("theirs")
    return run_project(folder, TESTS, conftest_py=CONFTEST.format(tools=str(tools)))


def test_the_fixtures_need_no_setting(project: tuple[dict[str, str], str]) -> None:
    outcomes, text = project
    passed = {name for name, outcome in outcomes.items() if outcome == "passed"}
    assert passed == {"test_talk", "test_session", "test_app", "test_a_vendor"}, text


def test_what_fails_is_told_in_words(project: tuple[dict[str, str], str]) -> None:
    outcomes, text = project
    assert {outcomes[name] for name in ("test_unused", "test_wrong", "test_plain")} == {"failed"}
    assert "The script of the model has 1 unused answer:" in text
    assert "Expected a successful call: word_list()" in text
    assert "test_plain is no async test, but uses the async fixture 'antiphon_app'" in text
    assert "turn_checks.py" not in text.replace("\n", " ").partition("short test summary")[0]


def test_a_project_that_names_no_tools_is_told_to(tmp_path: Path) -> None:
    outcomes, text = run_project(tmp_path, "async def test_it(antiphon_app):\n    pass\n")
    assert outcomes == {"test_it": "error"}
    assert "Define a fixture `antiphon_tools`" in text


RATED = """
import asyncio

import pytest

from antiphon import tool
from antiphon.testing import Clock, call


@tool(side_effects="none", rate="1/minute")
def lookup(word: str) -> dict[str, str]:
    \"\"\"Look up a word.

    Args:
        word: The word.
    \"\"\"
    return {"meaning": word}


@tool(side_effects="writes", confirm=True)
def order(article: str) -> dict[str, str]:
    \"\"\"Order an article.

    Args:
        article: The article.
    \"\"\"
    return {"order": article}


@pytest.fixture
def antiphon_tools():
    return [lookup, order]


async def test_a_rate_is_over_after_its_minute(antiphon_talk, antiphon_model):
    antiphon_model.answers(call("lookup", word="a"), call("lookup", word="b"), "Wait.")
    turn = await antiphon_talk.says("Look up a and b.")
    turn.called("lookup", word="a").refused("lookup", rule="rate").then_said("wait")
    await Clock().advance(61)
    antiphon_model.answers(call("lookup", word="b"), "There.")
    (await antiphon_talk.says("And now?")).called("lookup", word="b")


async def test_a_question_that_nobody_answers_expires(antiphon_talk, antiphon_model):
    antiphon_model.answers(call("order", article="tea"), "Shall I?", "It is too late.")
    question = (await antiphon_talk.says("Order tea.")).asked_to_confirm("order")
    await Clock().advance(3600)
    with pytest.raises(AssertionError, match="not open any more"):
        await question.approve()
    turn = await antiphon_talk.says("Well?")
    turn.failed("order").then_said("too late")
"""


def test_the_time_of_an_app_is_that_of_the_test(tmp_path: Path) -> None:
    outcomes, text = run_project(tmp_path, RATED)
    assert len(outcomes) == 2, text
    assert set(outcomes.values()) == {"passed"}, text
