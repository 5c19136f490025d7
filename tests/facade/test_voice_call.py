"""A spoken conversation held by a program: speech and events, calls, questions, the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.facade.helpers import Replies, calls

from antiphon import Antiphon, RunError, ToolCall, tool
from antiphon.contracts.events import Audio, Event, Fault, Text, TurnEnded
from antiphon.contracts.session_events import (
    CallFinished,
    CallStarted,
    PersonMessage,
    SpokenText,
    VoiceEnded,
    VoiceReady,
    VoiceTurnEnded,
)
from antiphon.emulators.runner import emulate
from antiphon.facade import CallEvent, SpokenAudio, VoiceCall

pytestmark = pytest.mark.real_time

SECOND = bytes(32_000)
RULES: dict[str, Any] = {
    "rules": [
        {
            "on": "text",
            "with": {"text": "weather"},
            "reply": [{"call": {"id": "call_1", "name": "weather", "args": {"city": "Oslo"}}}],
        },
        {"on": "results", "reply": [{"say": "It is sunny."}, "complete"]},
        {"on": "audio_end", "reply": [{"hear": "hello"}, {"say": "I heard you."}, "complete"]},
    ]
}


@tool(side_effects="read_only", origin="trusted", outside=False)
def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"It is sunny in {city}."


@tool
async def book(city: str) -> str:
    """Book a trip to a city."""
    return f"Booked: {city}."


async def until(call: VoiceCall, kind: type[Any], seen: list[CallEvent] | None = None) -> Any:
    """The next event of a kind; what came before it is put into `seen`."""
    async for event in call:
        if seen is not None:
            seen.append(event)
        if isinstance(event, kind):
            return event
    raise AssertionError(f"no {kind.__name__} came")


def speaks(words: str) -> list[Event]:
    return [Audio(bytes(960)), Text(words), TurnEnded("complete")]


@pytest.mark.parametrize("vendor", ["gemini", "openai"])
async def test_words_and_speech_go_both_ways(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with emulate(vendor, RULES, check=False) as service:
        reach = {"API_KEY": service.key, "BASE_URL": service.base_url, "CA_FILE": service.ca_file}
        for name, value in reach.items():
            if value:
                monkeypatch.setenv(f"ANTIPHON_PROVIDERS__{vendor.upper()}__{name}", str(value))
        async with Antiphon(tools=[weather], model=vendor) as app, app.voice(user="ada") as call:
            assert (await until(call, VoiceReady)).backend == vendor
            assert (call.ready.input_rate, call.ready.output_rate) == (16_000, 24_000)
            await call.send_text("How is the weather?")
            seen: list[CallEvent] = []
            finished = await until(call, CallFinished, seen)
            assert finished.envelope["data"] == {"result": "It is sunny in Oslo."}
            assert any(isinstance(event, CallStarted) for event in seen)
            await until(call, VoiceTurnEnded, seen)
            assert any(isinstance(event, SpokenAudio) and event.pcm for event in seen)
            await call.send_audio(SECOND)
            await call.end_audio()
            said = await until(call, SpokenText)
            assert said.text
            await call.hang_up()
            ended = await until(call, VoiceEnded)
            assert ended.reason == "user_requested"
            assert [event async for event in call] == []
            assert not call.session.view.active


async def test_the_conversation_goes_on_in_writing() -> None:
    model = Replies(speaks("It is sunny."), [Text("As I said."), TurnEnded("complete")])
    async with Antiphon(tools=[weather], model=model) as app:
        async with app.voice(user="ada", data={"tenant": "acme"}) as call:
            await call.send_text("How is the weather?")
            await until(call, VoiceTurnEnded)
            assert call.session.data == {"tenant": "acme"}
            spoken = call.session.id
        result = await app.run("Again, please", session=spoken, user="ada")
        assert "It is sunny." in str(model.connections[-1].setup.history)
        assert result.text == "As I said."


async def test_what_has_to_be_approved_is_asked_of_the_program() -> None:
    def app(**options: Any) -> Antiphon:
        made = calls(("book", {"city": "Rome"}))
        return Antiphon(
            tools=[book], model=Replies(made, speaks("I asked."), speaks("Done.")), **options
        )

    asked: list[str] = []

    def yes(question: Any) -> bool:
        asked.append(question.tool)
        return True

    async with app(on_confirm=yes) as agreeing, agreeing.voice() as call:
        await call.send_text("Book Rome")
        resolved = await until_message(call, "confirmation_resolved")
        assert (asked, resolved["outcome"], resolved["result"]["ok"]) == (
            ["book"],
            "approved",
            True,
        )
    async with app() as asking, asking.voice() as call:
        await call.send_text("Book Rome")
        request = await until_message(call, "confirmation_required")
        assert not (await call.confirm(request["id"], approve=False))["ok"]
        with pytest.raises(RunError, match="No question"):
            await call.confirm(request["id"], approve=True)


async def until_message(call: VoiceCall, kind: str) -> dict[str, Any]:
    while True:
        message = await until(call, PersonMessage)
        if message.body["type"] == kind:
            body: dict[str, Any] = message.body
            return body


@pytest.mark.rule("before_call")
async def test_hooks_hold_in_voice() -> None:
    ended: list[int] = []
    over = asyncio.Event()

    def before_call(call: ToolCall, session: Any) -> str:
        return f"{call.name} is closed in {session.mode}."

    def on_turn_end(session: Any, turn: int) -> None:
        ended.append(turn)
        over.set()

    model = Replies(calls(("weather", {"city": "Oslo"})), speaks("It is closed."))
    app = Antiphon(tools=[weather], model=model, before_call=before_call, on_turn_end=on_turn_end)
    async with app, app.voice() as call:
        await call.send_text("The weather?")
        finished = await until(call, CallFinished)
        assert finished.envelope["error"]["message"] == "weather is closed in voice."
        await over.wait()
        assert ended == [1]


async def test_speech_reaches_the_model_and_half_a_sample_does_not() -> None:
    model = Replies()
    async with Antiphon(tools=[weather], model=model) as app, app.voice() as call:
        with pytest.raises(ValueError, match="even length"):
            await call.send_audio(b"abc")
        await call.send_audio(SECOND)
        assert model.connections[0].audio == SECOND


async def test_a_model_waits_while_its_speech_is_not_read() -> None:
    long = [Audio(bytes(24_000), None) for _ in range(6)]
    model = Replies([*long, TurnEnded("complete")])
    async with Antiphon(tools=[weather], model=model) as app, app.voice() as call:
        await call.send_text("Speak")
        seen: list[CallEvent] = []
        await until(call, VoiceTurnEnded, seen)
        assert sum(isinstance(event, SpokenAudio) for event in seen) == 6


async def test_closing_the_application_hangs_up() -> None:
    app = Antiphon(tools=[weather], model=Replies())
    async with app:
        call = await app.voice().__aenter__()
    assert (await until(call, VoiceEnded)).reason == "user_requested"
    assert not call.session.view.active


@pytest.mark.parametrize("wrong", ["key", "refused"])
async def test_a_call_that_cannot_begin_says_why(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    model = Refusing()
    words = "GEMINI_API_KEY" if wrong == "key" else "No such model"
    async with Antiphon(tools=[weather], model="gemini" if wrong == "key" else model) as app:
        with pytest.raises(RunError, match=words):
            async with app.voice():
                pass


class Refusing(Replies):
    async def connect(self, setup: Any) -> Any:
        from antiphon.providers.port import ProviderFault

        raise ProviderFault(Fault("bad_request", "No such model.", fatal=True))
