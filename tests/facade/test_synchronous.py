"""The façade without `await`: scripts, notebooks, the terminal, and the hello world."""

from __future__ import annotations

import runpy
import threading
from pathlib import Path

import pytest
from tests.facade.helpers import Replies, calls, says

from antiphon import Antiphon, RunError, tool
from antiphon.contracts.session_events import ModelText, TextTurnEnded
from antiphon.facade import ConfirmationQuestion

HELLO = Path(__file__).parents[2] / "examples" / "hello.py"


@tool(side_effects="read_only", origin="trusted", outside=False)
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"It is sunny in {city}."


@tool
async def book(city: str) -> str:
    """Book a trip to a city."""
    return f"Booked: {city}."


def test_the_hello_world_calls_its_tool_by_the_built_in_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(HELLO), run_name="__main__")
    assert capsys.readouterr().out == "It is sunny in Oslo.\n"
    lines = [line for line in HELLO.read_text("utf-8").splitlines()[2:] if line.strip()]
    assert len(lines) <= 8


def test_within_a_block_a_conversation_goes_on() -> None:
    model = Replies(calls(("weather", {"city": "Oslo"})), says("Sunny."), says("Still sunny."))
    with Antiphon(tools=[weather], model=model).sync as sync:
        first = sync.run("The weather in Oslo?")
        assert (first.text, first.calls[0].data) == ("Sunny.", {"result": "It is sunny in Oslo."})
        assert sync.run("And now?", session=first.session_id).text == "Still sunny."
        assert sync.call("weather", {"city": "Rome"}).ok


def test_outside_of_a_block_each_run_stands_alone() -> None:
    app = Antiphon(tools=[weather], model=Replies(says("One."), says("Two.")))
    first = app.run_sync("a")
    with pytest.raises(RunError, match="does not exist"):
        app.run_sync("b", session=first.session_id)
    assert app.run_sync("b").text == "Two."
    assert not [each for each in threading.enumerate() if each.name == "antiphon"]


async def test_it_works_where_an_event_loop_is_running() -> None:
    assert Antiphon(tools=[weather], model=Replies(says("Hi."))).run_sync("Hello").text == "Hi."


test_it_works_where_an_event_loop_is_running = pytest.mark.real_time(
    test_it_works_where_an_event_loop_is_running
)


def test_a_stream_is_read_to_its_end_or_stopped() -> None:
    app = Antiphon(tools=[weather], model=Replies(says("One."), says("Two.")))
    with app.sync as sync:
        events = list(sync.stream("a"))
        assert isinstance(events[-1], TextTurnEnded)
        stopped = sync.stream("b")
        assert any(isinstance(event, ModelText) for event in stopped)
        stopped.close()


def test_questions_are_answered_by_callback_or_afterwards() -> None:
    def yes(question: ConfirmationQuestion) -> bool:
        return question.tool == "book"

    replies = (calls(("book", {"city": "Rome"})), says("I asked."), says("It is booked."))
    done = Antiphon(tools=[book], model=Replies(*replies), on_confirm=yes).run_sync("Book Rome")
    assert done.calls[0].data == {"result": "Booked: Rome."}
    with Antiphon(tools=[book], model=Replies(*replies)).sync as sync:
        (question,) = sync.run("Book Rome").confirmations
        assert sync.confirm(question.id, approve=True).ok


def test_what_cannot_be_opened_is_raised() -> None:
    app = Antiphon(tools=[weather], model=Replies(), store="sqlite:////nowhere/at/all.db")
    with pytest.raises(Exception, match="nowhere"):
        app.run_sync("Hello")
    sync = Antiphon(tools=[weather], model=Replies()).sync
    with sync, pytest.raises(RuntimeError, match="open already"):
        sync.open()
    sync.close()


def test_the_terminal_asks_and_prints(capsys: pytest.CaptureFixture[str]) -> None:
    model = Replies(calls(("weather", {"city": "Oslo"})), says("It is sunny."))
    assert Antiphon(tools=[weather], model=model).chat("The weather in Oslo?") == 0
    printed = capsys.readouterr()
    assert printed.out == "It is sunny.\n"
    assert "weather: ok" in printed.err
    assert "antiphon chat" not in printed.err
