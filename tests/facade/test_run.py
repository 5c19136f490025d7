"""The façade in text: a run, its events, its calls, its questions, its life."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.facade.helpers import Replies, calls, says
from tests.orchestrator.helpers import ASKED, write_tool

import antiphon
from antiphon import Antiphon, RunError
from antiphon.agents.profiles import load_profile
from antiphon.agents.text import TextAgent
from antiphon.config import ConfigError
from antiphon.contracts.events import Fault
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    ModelText,
    TextTurnEnded,
    TextTurnOpened,
)
from antiphon.facade import ConfirmationQuestion
from antiphon.facade.recent_sessions import RecentSessions
from antiphon.policy import Rule, RuleError, refuse
from antiphon.providers import Backends
from antiphon.registry import RegistryError

ECHO = """\
from antiphon import ok

ran = []


async def execute(args, context):
    ran.append(args)
    return ok({{"said": args.get("text", ""), "times": len(ran)}})
"""
pytestmark = pytest.mark.real_time


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> antiphon.Registry:
    """`echo` reads, `send` has to be approved."""
    folder = tmp_path_factory.mktemp("tools")
    write_tool(folder, "echo", handler=ECHO)
    write_tool(folder, "send", handler=ECHO, **ASKED)
    return Antiphon(tools=[folder]).registry


def app_of(tools: antiphon.Registry, *replies: Any, **options: Any) -> tuple[Antiphon, Replies]:
    model = Replies(*replies)
    return Antiphon(tools=tools, model=model, **options), model


async def test_a_run_has_text_calls_usage_and_session(tools: antiphon.Registry) -> None:
    app, model = app_of(
        tools,
        calls(("echo", {"text": "hi"})),
        says("It said hi."),
        says("Yes."),
        instructions="Be brief.",
    )
    async with app:
        result = await app.run("Say hi", user="ada")
        assert (result.text, str(result), result.finish) == (
            "It said hi.",
            "It said hi.",
            "complete",
        )
        (call,) = result.calls
        assert (call.name, dict(call.args), call.ok) == ("echo", {"text": "hi"}, True)
        assert call.data["said"] == "hi"
        assert (call.outcome, call.error) == ("run", None)
        assert (result.usage.input_tokens, result.usage.output_tokens) == (7, 3)
        assert result.confirmations == ()
        again = await app.run("Sure?", session=result.session_id, user="ada")
        assert again.session_id == result.session_id
        assert "It said hi." in str(model.connections[-1].setup.history)
        assert "Be brief." in model.connections[0].setup.instructions


async def test_a_stream_has_typed_events_in_order(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools, calls(("echo", {})), says("Done."))
    async with app:
        events = [event async for event in app.stream("Go")]
    kinds = [type(event) for event in events]
    assert kinds == [TextTurnOpened, CallStarted, CallFinished, ModelText, TextTurnEnded]


async def test_a_session_of_somebody_else_is_refused_in_words(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools, says("Hello."))
    async with app:
        result = await app.run("Hello", user="ada")
        with pytest.raises(RunError, match="belongs to another user") as refused:
            await app.run("Me too", session=result.session_id, user="bob")
        assert refused.value.kind == "mismatch"
        with pytest.raises(RunError, match="does not exist"):
            await app.run("Hello", session="nothing")


async def test_a_model_that_fails_raises_what_is_wrong(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools, [Fault("overloaded", "Too busy.", retryable=True, fatal=True)])
    async with app:
        with pytest.raises(RunError, match="Too busy") as failed:
            await app.run("Hello")
    assert (failed.value.kind, failed.value.retryable) == ("overloaded", True)
    assert failed.value.result is not None


# -- calls that a person has to approve ------------------------------------------------------


async def test_without_an_answer_nothing_runs_and_the_question_waits(
    tools: antiphon.Registry,
) -> None:
    app, _ = app_of(tools, calls(("send", {"text": "a"})), says("I asked."), says("Sent."))
    async with app:
        result = await app.run("Send a")
        (call,) = result.calls
        assert (call.ok, call.outcome) == (False, "confirm")
        assert call.error is not None
        assert call.error["type"] == "CONFIRMATION_REQUIRED"
        (question,) = result.confirmations
        assert (question.tool, question.session_id) == ("send", result.session_id)
        done = await app.confirm(question.id, approve=True)
        assert (done.ok, done.name, done.data["said"]) == (True, "send", "a")
        told = await app.run(session=result.session_id)
        assert (told.text, told.confirmations) == ("Sent.", ())
        with pytest.raises(RunError, match="No question"):
            await app.confirm(question.id, approve=True)


@pytest.mark.parametrize("form", ["sync", "async"])
async def test_the_callback_approves_and_the_model_is_told(
    tools: antiphon.Registry, form: str
) -> None:
    asked: list[ConfirmationQuestion] = []

    def yes(question: ConfirmationQuestion) -> bool:
        asked.append(question)
        return True

    async def yes_later(question: ConfirmationQuestion) -> bool:
        return yes(question)

    app, model = app_of(
        tools,
        calls(("send", {"text": "b"})),
        says("I asked."),
        says("It is sent."),
        on_confirm=yes if form == "sync" else yes_later,
    )
    async with app:
        result = await app.run("Send b")
    assert [question.tool for question in asked] == ["send"]
    assert result.text == "I asked.\n\nIt is sent."
    (call,) = result.calls
    assert call.ok
    assert len(model.prompts) == 2


@pytest.mark.parametrize("answer", ["no", "raises", "truthy"])
async def test_whatever_is_no_plain_yes_is_a_no(
    tools: antiphon.Registry, answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    def on_confirm(question: ConfirmationQuestion) -> Any:
        if answer == "raises":
            raise RuntimeError(f"no screen for {question.tool}")
        return "certainly not" if answer == "truthy" else False

    app, _ = app_of(
        tools, calls(("send", {})), says("I asked."), says("No."), on_confirm=on_confirm
    )
    with caplog.at_level(logging.CRITICAL, "antiphon"):
        async with app:
            result = await app.run("Send it")
    (call,) = result.calls
    assert not call.ok
    assert result.confirmations == ()


# -- calls without a model -------------------------------------------------------------------


async def test_a_call_goes_through_the_rules(tools: antiphon.Registry) -> None:
    never = Rule(
        "never_x",
        "No x",
        "x is not said.",
        lambda case, tool, view: (
            None
            if case.args.get("text") != "x"
            else refuse("never_x", antiphon.ErrorType.PERMANENT, "Not x.")
        ),
    )
    app, _ = app_of(tools, rules=[never])
    async with app:
        assert (await app.call("echo", {"text": "y"})).ok
        refused = await app.call("echo", {"text": "x"})
        assert (refused.outcome, refused.rule) == ("refuse", "never_x")
        assert not (await app.call("nothing")).ok
        session = await app.session(user="ada")
        first = await app.call("echo", {"text": "k"}, session=session, key="one")
        again = await app.call("echo", {"text": "k"}, session=session.id, key="one")
        assert again.data == first.data
        assert again.outcome == "replay"


async def test_a_call_that_has_to_be_approved_asks_the_callback(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools, on_confirm=lambda question: question.tool == "send")
    async with app:
        assert (await app.call("send", {"text": "c"})).ok
    app, _ = app_of(tools)
    async with app:
        assert not (await app.call("send", {"text": "c"})).ok


# -- its life --------------------------------------------------------------------------------


async def test_it_opens_by_itself_once_for_runs_at_the_same_time(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools, says("One."), says("Two."))
    results = await asyncio.gather(app.run("a"), app.run("b"))
    assert {result.text for result in results} == {"One.", "Two."}
    await app.close()
    await app.close()


def test_it_is_closed_with_the_event_loop_and_opened_again_on_the_next(
    tools: antiphon.Registry,
) -> None:
    app, _ = app_of(tools, says("One."), says("Two."))
    assert asyncio.run(app.run("a")).text == "One."
    assert asyncio.run(app.run("b")).text == "Two."


async def test_it_is_not_entered_twice(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools)
    async with app:
        with pytest.raises(RuntimeError, match="open already"):
            await app.__aenter__()


async def test_a_store_keeps_the_conversation_for_the_next_opening(
    tools: antiphon.Registry, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/agent.db"
    app, _ = app_of(tools, says("Hello Ada."), store=url)
    async with app:
        first = await app.run("I am Ada")
    app, model = app_of(tools, says("You are Ada."), store=url)
    async with app:
        await app.run("Who am I?", session=first.session_id)
        assert "Hello Ada." in str(model.connections[0].setup.history)


async def test_old_sessions_leave_the_memory_and_come_back_from_the_store(
    tools: antiphon.Registry,
) -> None:
    app, _ = app_of(tools)
    async with app:
        first = await app.session(user="ada", data={"tenant": "acme"})
        second, third = await app.session(), await app.session()
        orchestrator = first.orchestrator
        agent = TextAgent(orchestrator, Backends(object()), load_profile)
        recent = RecentSessions(2)
        await app.call("send", {"text": "a"}, session=second)
        for session in (first, second, third):
            await recent.use(session, agent)
        assert first.id not in orchestrator.sessions
        again = await app.session(id=first.id)
        assert (again.user, again.data) == ("ada", {"tenant": "acme"})
        await recent.use(again, agent)
        assert second.id in orchestrator.sessions  # a question of it is open


# -- what is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("opnai:gpt-4.1", "Did you mean 'openai'"),
        ("openai:", "behind the colon is missing"),
        ("local:big", "no variants"),
    ],
)
def test_a_model_that_there_is_not_is_named(model: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Antiphon(model=model)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"tools": 3}, TypeError, "functions, folders or a Registry, not int"),
        ({"tools": ["nowhere"]}, RegistryError, "there is no such folder"),
        ({"settings": {"nope": 1}}, ConfigError, "there is no setting `nope`"),
        ({"settings": {"server": {"port": "x"}}}, ConfigError, "`server.port`"),
        ({"settings": "nowhere.toml"}, ConfigError, "nowhere.toml"),
        ({"rules": [3]}, RuleError, "no antiphon.policy.Rule"),
    ],
)
def test_what_cannot_be_used_is_named_at_once(
    options: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Antiphon(**options)


async def test_what_is_no_message_and_no_arguments_is_named(tools: antiphon.Registry) -> None:
    app, _ = app_of(tools)
    async with app:
        with pytest.raises(TypeError, match="A message is text, not int"):
            await app.run(5)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="are a mapping, not list"):
            await app.call("echo", [1])  # type: ignore[arg-type]
        with pytest.raises(RunError, match="the message is empty"):
            await app.run("  ")
        with pytest.raises(ValueError, match="/when is a object"):
            await app.run("Hello", data={"when": object()})
        with pytest.raises(RunError, match="does not exist"):
            await app.session(id="nothing")


def test_something_that_is_no_model_is_named() -> None:
    with pytest.raises(TypeError, match="not int"):
        Antiphon(model=3)  # type: ignore[arg-type]


async def test_a_key_that_is_missing_is_named(
    tools: antiphon.Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    async with Antiphon(tools=tools, model="openai:gpt-4.1") as app:
        with pytest.raises(RunError, match="OPENAI_API_KEY") as failed:
            await app.run("Hello")
    assert failed.value.kind == "not_configured"


async def test_an_extra_that_is_not_installed_is_named(
    tools: antiphon.Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-any")
    monkeypatch.setitem(sys.modules, "anthropic", None)
    async with Antiphon(tools=tools, model="anthropic") as app:
        with pytest.raises(RunError, match=r"pip install 'antiphon\[claude\]'"):
            await app.run("Hello")
