"""Gemini Live behind the port, through Google's own SDK and the emulator."""

from __future__ import annotations

import asyncio
import base64
import gc
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.providers.talking import unhurried

from antiphon.contracts.events import (
    Activity,
    AnswersTurn,
    Audio,
    AudioEnded,
    CallAnswer,
    Event,
    Fault,
    GoAway,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    Resumption,
    SendAudio,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.emulators.base import Emulator, tone
from antiphon.emulators.runner import emulate, make
from antiphon.emulators.wire.tls import TestAuthority
from antiphon.providers.gemini.live import GeminiLive
from antiphon.providers.port import Access, Connection, Deadlines, ProviderFault, Setup
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time(timeout=60)

OLD = "gemini-2.5-flash-native-audio-preview-12-2025"
REALTIME = "gemini-3.1-flash-live-preview"
NEW = "gemini-3.8-live"
BRIEF = Deadlines(connect=0.3, send=0.3, answer=0.3)
LOUD = tone(100, 16_000)
WEATHER = {"id": "w1", "name": "get_weather", "args": {"city": "Seoul"}}
CLOCK = {"id": "c1", "name": "get_time", "args": {}}
OK = {"ok": True, "data": {"temperature": 21}, "error": None, "intents": [], "meta": {"d": 1}}


class Tools:
    """Two tools, and what a model of each form is told of them."""

    def declared(self, form: str) -> list[dict[str, Any]]:
        key, kind = {
            "geminiNative": ("parameters", "OBJECT"),
            "geminiJson": ("parametersJsonSchema", "object"),
        }[form]
        return [
            {"name": name, "description": f"{name}.", key: {"type": kind, "properties": {}}}
            for name in ("get_weather", "get_time")
        ]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        return args | {"form": form} if name == "get_time" else args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


def run(main: Coroutine[Any, Any, Any]) -> Any:
    # The emulator's own sockets are in the same process, and end in their own time.
    return run_real(main, timeout=60)


def access(emulator: Emulator, **changes: Any) -> Access:
    found = Access(api_key="test-key", base_url=emulator.base_url, ca_file=emulator.ca_file)
    return replace(found, **changes)


@asynccontextmanager
async def provided(emulator: Emulator, **changes: Any) -> AsyncIterator[GeminiLive]:
    provider = GeminiLive(access(emulator, **changes))
    try:
        yield provider
    finally:
        await provider.close()


@asynccontextmanager
async def connected(emulator: Emulator, model: str = OLD, **setup: Any) -> AsyncIterator[Talk]:
    async with (
        provided(emulator) as provider,
        await provider.connect(Setup(model, tools=Tools(), **setup)) as connection,
        aclosing(connection.events()) as events,
    ):
        yield Talk(connection, events)


class Talk:
    """One conversation: what is said, and the events in order."""

    def __init__(self, connection: Connection, events: Any) -> None:
        self.connection = connection
        self.events = events
        self.send = connection.send

    async def until(self, *kinds: type) -> list[Event]:
        """The events up to the first of one of these kinds, or to the end."""
        found: list[Event] = []
        async for event in self.events:
            found.append(event)
            if isinstance(event, kinds):
                break
        return found

    async def turn(self) -> list[Event]:
        return await self.until(TurnEnded)

    async def rest(self) -> list[Event]:
        return await self.until()


def of(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def names(events: list[Event]) -> list[str]:
    """The kinds of events, one name for a run of the same."""
    found = [type(event).__name__ for event in events]
    return [name for n, name in enumerate(found) if n == 0 or found[n - 1] != name]


async def fault_of(emulator: Emulator, setup: Setup, **changes: Any) -> Fault:
    async with provided(emulator, **changes) as provider:
        with pytest.raises(ProviderFault) as failed:
            await provider.connect(setup)
    return failed.value.fault


# -- setting up ----------------------------------------------------------------------------


async def test_everything_of_a_setup_reaches_the_service() -> None:
    wanted = {
        "model": OLD,
        "voice": "Kore",
        "language": "de-DE",
        "instructions": "Be brief.",
        "tools": ["get_weather", "get_time"],
        "search": True,
    }
    with emulate("gemini", [{"on": "connect", "with": wanted}]) as emulator:
        async with connected(
            emulator,
            instructions="Be brief.",
            voice="Kore",
            language="de-DE",
            search=True,
            manual_activity=True,
        ) as talk:
            (ready,) = await talk.until(Ready)
            assert ready.session_id
            assert not ready.resumed
        setup = emulator.received[0]["setup"]
        assert setup["generationConfig"]["responseModalities"] == ["AUDIO"]
        assert {"googleSearch": {}} in setup["tools"]
        assert setup["sessionResumption"] == {}
        assert setup["inputAudioTranscription"] == setup["outputAudioTranscription"] == {}
        assert "sliding_window" in setup["contextWindowCompression"]
        assert setup["realtimeInputConfig"] == {"automatic_activity_detection": {"disabled": True}}


@pytest.mark.parametrize(
    ("model", "form", "behavior"),
    [
        (OLD, "parameters", None),
        (REALTIME, "parameters_json_schema", None),
        (NEW, "parameters_json_schema", "BLOCKING"),
    ],
)
async def test_tools_are_declared_as_each_model_takes_them(
    model: str, form: str, behavior: str | None
) -> None:
    """Trap: old models ignore JSON Schema, and gemini-3.8 does not wait for calls by itself."""

    with emulate("gemini") as emulator:
        async with connected(emulator, model):
            pass
        (tool,) = emulator.received[0]["setup"]["tools"]
        for declared in tool["functionDeclarations"]:
            assert form in declared
            assert declared.get("behavior") == behavior


async def test_one_setup_opens_any_number_of_connections() -> None:
    """Trap: the SDK changes the configuration that it is given."""

    with emulate("gemini") as emulator:
        setup = Setup(OLD, instructions="Be brief.", tools=Tools())
        async with provided(emulator) as provider:
            for _ in range(2):
                async with await provider.connect(setup):
                    pass
        first, second = emulator.received
        assert first == second


async def test_a_session_does_not_hold_on_to_what_it_was_set_up_with() -> None:
    """Trap: the SDK does, as long as its own context is open: all declarations, and what it made
    of them."""

    with emulate("gemini", [{"on": "text", "reply": [{"text": "Hi."}]}]) as emulator:
        async with connected(emulator, instructions="Of this session alone.") as talk:
            await talk.until(Ready)
            from google.genai import types

            configs = [c for c in gc.get_objects() if type(c) is types.LiveConnectConfig]
            assert "Of this session alone." not in repr(configs)
            await talk.send(Prompt("Hello."))
            assert Text("Hi.") in await talk.until(TurnEnded)


async def test_a_slash_at_the_end_of_the_address_does_no_harm() -> None:
    with emulate("gemini") as emulator:
        async with (
            provided(emulator, base_url=f"{emulator.base_url}/") as provider,
            await provider.connect(Setup(OLD)),
        ):
            pass


PAST = [
    UserTurn("I am Ada."),
    ModelTurn("One moment."),
    AnswersTurn((CallAnswer("x", "lookup", {"ok": True}),)),
    ModelTurn("Hello Ada."),
]


@pytest.mark.parametrize("model", [OLD, REALTIME, NEW])
async def test_a_history_is_told_before_anything_else(model: str) -> None:
    told = ["I am Ada.", "One moment.", 'Result of lookup: {"ok": true}', "Hello Ada."]
    script = [
        {"on": "connect", "with": {"history": told}},
        {"on": "text", "with": {"text": "Who am I?"}, "reply": [{"say": "Ada."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, model, history=PAST) as talk:
            await talk.send(Prompt("Who am I?"))
            assert of(await talk.turn(), TurnEnded) == [TurnEnded()]


async def test_a_resumed_session_is_not_told_its_history() -> None:
    """Trap: the handle comes after the turn; and only one that is resumable counts."""
    script = [
        {"on": "text", "reply": [{"say": "Hello Ada."}]},
        {"on": "connect", "with": {"resume": "handle-1"}},
        {
            "on": "text",
            "with": {"history": ["I am Ada.", "Hello Ada."]},
            "reply": [{"resumption": {"resumable": False}}, {"say": "Ada."}],
        },
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("I am Ada."))
            await talk.turn()
            (given,) = await talk.until(Resumption)
            assert given == Resumption("handle-1")
        async with connected(emulator, resume="handle-1", history=PAST) as talk:
            await talk.send(Prompt("Who am I?"))
            events = await talk.turn()
            assert events[0].resumed
            assert of(events, Resumption) == [Resumption(None)]
        assert [next(iter(m)) for m in emulator.received].count("client_content") == 2


# -- a connection that does not come about -------------------------------------------------


async def test_no_key_names_the_variable() -> None:
    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD), api_key=None)
        assert fault.kind == "not_configured"
        assert "GEMINI_API_KEY" in fault.message


async def test_a_wrong_key_names_the_variable_and_is_not_told() -> None:
    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD), api_key="sk-secret-1")
        assert (fault.kind, fault.code) == ("auth", 1007)
        assert "GEMINI_API_KEY" in fault.message
        assert "secret" not in fault.message + fault.detail
        async with provided(emulator, api_key="sk-secret-1") as provider:
            with pytest.raises(ProviderFault) as failed:
                await provider.probe(5)
        assert failed.value.fault.kind == "auth"
        assert "secret" not in failed.value.fault.detail


@pytest.mark.parametrize(
    ("beat", "kind"),
    [
        ({"status": 503}, "overloaded"),
        ({"status": 429, "retry_after": 7}, "rate_limited"),
        ({"status": 404}, "not_found"),
        ({"status": 403}, "auth"),
        ({"close": 1011}, "overloaded"),
        ({"close": 1008, "reason": "Operation is not implemented."}, "bad_request"),
        ({"close": 1007}, "bad_request"),
        ({"close": 1000}, "closed"),
        ({"drop": True}, "closed"),
        ({"error": {"code": 503, "message": "busy"}}, "overloaded"),
        ({"error": {"code": 400, "message": "no"}}, "bad_request"),
        ({"raw": "nonsense"}, "protocol"),
        ({"raw": {"goAway": {"timeLeft": "1s"}}}, "protocol"),
        ({"raw": [1]}, "protocol"),
    ],
)
async def test_anything_but_a_completed_setup_is_a_fault(beat: dict[str, Any], kind: str) -> None:
    """Trap: connect() of the SDK does not check the first answer."""

    with emulate("gemini", [{"on": "connect", "reply": [beat]}]) as emulator:
        fault = await fault_of(emulator, Setup(OLD))
        assert fault.kind == kind, fault
        assert fault.fatal
        assert fault.detail
        assert fault.retry_after == beat.get("retry_after")


async def test_a_stale_handle_is_refused() -> None:
    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD, resume="stale"))
        assert (fault.kind, fault.code) == ("bad_request", 1007)


async def test_a_silent_service_is_a_timeout() -> None:
    with emulate("gemini", [{"on": "connect", "reply": ["silent"]}]) as emulator:
        fault = await fault_of(emulator, Setup(OLD, deadlines=BRIEF))
        assert fault.kind == "timeout"


async def test_a_peer_that_takes_no_part_in_closing_does_not_hold_us_up(tmp_path: Path) -> None:
    """A TLS server that answers the upgrade and then nothing at all, not even a close."""
    from websockets.http11 import Request
    from websockets.server import ServerProtocol

    authority = TestAuthority.saved(tmp_path)

    async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        protocol = ServerProtocol()
        while not (events := protocol.events_received()):
            protocol.receive_data(await reader.read(65536))
        assert isinstance(events[0], Request)
        protocol.send_response(protocol.accept(events[0]))
        writer.writelines(protocol.data_to_send())
        await reader.read()
        writer.close()
        ended.set()

    ended = asyncio.Event()
    context = authority.server_context()
    server = await asyncio.start_server(deaf, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    where = Access("key", f"https://127.0.0.1:{port}", tmp_path / "ca.pem")
    provider = GeminiLive(where)
    async with asyncio.timeout(5):  # far less than the SDK would wait for the close
        with pytest.raises(ProviderFault) as failed:
            await provider.connect(Setup(OLD, deadlines=BRIEF))
        await ended.wait()
    assert failed.value.fault.kind == "timeout"
    await provider.close()
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("url", ["https://127.0.0.1:1", "https://no-such-host.invalid"])
async def test_an_address_where_nobody_is_is_unreachable(url: str) -> None:
    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD), base_url=url)
        assert fault.kind == "unreachable"
        assert url in fault.message


async def test_certificates_that_nobody_vouches_for_are_unreachable() -> None:
    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD), ca_file=None)
        assert fault.kind == "unreachable"
        assert "certificate" in fault.detail.lower()


async def test_declarations_that_gemini_cannot_take_are_said_to_be_so() -> None:
    class Odd(Tools):
        def declared(self, form: str) -> list[dict[str, Any]]:
            return [{"name": "f", "parameters": {"type": "OBJECT", "oneOf": []}, "form": form}]

    with emulate("gemini") as emulator:
        fault = await fault_of(emulator, Setup(OLD, tools=Odd()))
        assert fault.kind == "bad_request"


async def test_the_probe_is_quiet_when_all_is_well() -> None:
    with emulate("gemini") as emulator:
        async with provided(emulator) as provider:
            await provider.probe(5)


# -- speech and text -----------------------------------------------------------------------


async def test_speech_goes_both_ways() -> None:
    """Trap: the SDK sends URL-safe base64; the emulator counts every byte of it."""
    script = [
        {"on": "audio", "with": {"ms": 300}, "reply": [{"hear": "Hi you"}, {"say": "Hello there."}]}
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            for _ in range(3):
                await talk.send(SendAudio(LOUD))
            events = await talk.turn()
            assert b"".join(a.data for a in of(events, Audio)) == tone(180)
            heard = [t for t in of(events, Transcript) if t.role == "user"]
            said = [t for t in of(events, Transcript) if t.role == "model"]
            assert "".join(t.text for t in heard) == "Hi you"
            assert "".join(t.text for t in said) == "Hello there."
            assert [t.final for t in heard] == [False, True]
            assert said[-1].final  # which the service does not say
            assert events[-1] == TurnEnded("complete")


def spoken(samples: bytes, *, url_safe: bool = False, **beside: Any) -> dict[str, Any]:
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    data = {"mimeType": "audio/pcm;rate=24000", "data": encode(samples).decode()}
    content = {"modelTurn": {"role": "model", "parts": [{"inlineData": data}]}}
    return {"raw": {"serverContent": content, **beside}}


async def test_speech_and_what_comes_between_keep_their_order() -> None:
    """Trap: speech does not go by way of the SDK, and everything else does."""
    words = {"raw": {"serverContent": {"outputTranscription": {"text": "Hi"}}}}
    handle = {"newHandle": "h", "resumable": True}
    odd = b"\xfb\xef\xff\xfe" * 3  # whose base64 differs between the two alphabets
    reply = [
        spoken(b"\x01\x00"),
        words,
        spoken(b"\x02\x00"),
        spoken(odd),
        spoken(odd, url_safe=True),
        spoken(b"\x03\x00", sessionResumptionUpdate=handle),
        spoken(b"\x04\x00"),
    ]

    with emulate("gemini", [{"on": "text", "reply": reply}]) as emulator:
        async with connected(emulator) as talk:
            await talk.until(Ready)
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            assert events[:8] == [
                Audio(b"\x01\x00"),
                Transcript("model", "Hi"),
                Audio(b"\x02\x00"),
                Audio(odd),
                Audio(odd),
                Audio(b"\x03\x00"),
                Resumption("h"),
                Audio(b"\x04\x00"),
            ]


async def test_text_output_is_text_and_thoughts_are_not_said() -> None:
    script = [{"on": "text", "reply": [{"thinking": "Hm."}, {"say": "Hello there."}]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, output="text") as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            assert "".join(t.text for t in of(events, Text)) == "Hello there."
            assert not of(events, Audio)
        assert "outputAudioTranscription" not in emulator.received[0]["setup"]


async def test_turn_after_turn_is_read() -> None:
    """Trap: the SDK's receive() ends at turnComplete."""

    rule = {"on": "text", "with": {"text": "/(.*)/"}, "reply": [{"say": "You said {1}."}]}
    with emulate("gemini", {"rules": [rule]}) as emulator:
        async with connected(emulator) as talk:
            for number in range(3):
                await talk.send(Prompt(f"{number}"))
                said = of(await talk.turn(), Transcript)
                assert "".join(t.text for t in said) == f"You said {number}."


async def test_what_comes_between_turns_is_read() -> None:
    """Trap: go-aways and handles arrive while nobody speaks."""
    script = [
        {"on": "connect", "reply": [{"go_away": 9.5}]},
        {"on": "text", "reply": [{"text": "Hi."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            assert (await talk.until(GoAway))[-1] == GoAway(9.5)
            await talk.send(Prompt("Hi"))
            await talk.turn()
            assert await talk.until(Resumption) == [Resumption("handle-1")]


async def test_a_frame_of_many_megabytes_is_read() -> None:
    """Trap: the default limit is 1 MiB, beyond which the session dies."""

    with emulate("gemini", [{"on": "text", "reply": [{"oversized": 3_000_000}]}]) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            (audio,) = of(await talk.turn(), Audio)
            assert len(audio.data) == 3_000_000


@pytest.mark.parametrize("model", [OLD, NEW])
async def test_a_note_is_content_of_an_incomplete_turn(model: str) -> None:
    script = [
        {"on": "note", "with": {"text": "It rains."}},
        {"on": "text", "with": {"text": "Hi", "history": ["It rains."]}, "reply": [{"say": "Hi."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, model) as talk:
            await talk.send(Prompt("It rains.", answer=False))
            await talk.send(Prompt("Hi"))
            await talk.turn()


async def test_a_note_to_a_realtime_model_goes_with_the_next_text() -> None:
    """Trap: gemini-3.1 closes the session for content in the middle of it."""
    script = [
        {"on": "text", "with": {"text": "/^Hi$/"}, "reply": [{"say": "Hi."}]},
        {"on": "text", "with": {"text": "/^It rains\\.\\n\\nAnd\\?$/"}, "reply": [{"say": "Ah."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, REALTIME) as talk:
            await talk.send(Prompt("Hi"))
            await talk.turn()
            await talk.send(Prompt("It rains.", answer=False))
            await talk.send(Prompt("And?"))
            await talk.turn()


async def test_a_note_to_a_realtime_model_goes_with_the_button() -> None:
    script = [
        {"on": "activity", "with": {"active": True}},
        {"on": "text", "with": {"text": "It rains."}, "reply": [{"hear": "?"}]},
        {"on": "activity", "with": {"active": False}, "reply": [{"say": "Ah."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, REALTIME, manual_activity=True) as talk:
            await talk.send(Prompt("It rains.", answer=False))
            await talk.send(Activity(True))
            await talk.turn()
            await talk.send(Activity(False))
            assert of(await talk.turn(), Audio)


async def test_the_end_of_the_microphone_is_told() -> None:
    with emulate("gemini", [{"on": "audio_end", "reply": [{"say": "Hi."}]}]) as emulator:
        async with connected(emulator) as talk:
            await talk.send(SendAudio(LOUD))
            await talk.send(AudioEnded())
            assert of(await talk.turn(), Audio)


async def test_with_a_button_the_end_of_the_microphone_lets_go_of_it_once() -> None:
    script = [
        {"on": "activity", "with": {"active": True}},
        {"on": "activity", "with": {"active": False}, "reply": [{"say": "Hi."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, manual_activity=True) as talk:
            await talk.send(Activity(True))
            await talk.send(Activity(True))
            await talk.send(SendAudio(LOUD))
            await talk.send(AudioEnded())
            await talk.send(Activity(False))
            assert of(await talk.turn(), Audio)
        sent = [m["realtime_input"] for m in emulator.received if "realtime_input" in m]
        assert [next(iter(m)) for m in sent] == ["activityStart", "audio", "activityEnd"]


@pytest.mark.parametrize("manual", [False, True])
def test_a_microphone_that_is_switched_off_without_a_word_needs_no_answer(manual: bool) -> None:
    script = [
        {"on": "activity" if manual else "audio_end", "reply": [{"wait": 0.4}, {"go_away": 5}]},
    ]

    async def main(emulator: Emulator) -> None:
        brief = Deadlines(answer=0.1)
        async with connected(emulator, manual_activity=manual, deadlines=brief) as talk:
            if manual:
                await talk.send(Activity(True))
            await talk.send(AudioEnded())
            assert (await talk.until(GoAway, Fault))[-1] == GoAway(5)

    unhurried("gemini", script, main)


def test_a_model_that_says_nothing_to_who_has_spoken_is_a_timeout() -> None:
    script = [{"on": "activity", "with": {"active": False}, "reply": ["silent"]}]

    async def main(emulator: Emulator) -> None:
        brief = Deadlines(answer=0.2)
        async with connected(emulator, manual_activity=True, deadlines=brief) as talk:
            await talk.send(Activity(True))
            await talk.send(SendAudio(LOUD))
            await talk.send(Activity(False))
            assert [f.kind for f in of(await talk.rest(), Fault)] == ["timeout"]

    unhurried("gemini", script, main)


async def test_a_button_without_manual_activity_is_refused_here_and_the_line_goes_on() -> None:
    with emulate("gemini", [{"on": "text", "reply": [{"say": "Hi."}]}]) as emulator:
        async with connected(emulator) as talk:
            with pytest.raises(ProviderFault) as refused:
                await talk.send(Activity(True))
            assert not refused.value.fault.fatal
            await talk.send(Prompt("Hi"))
            assert of(await talk.turn(), TurnEnded)


# -- calls ---------------------------------------------------------------------------------


async def test_calls_of_one_message_are_answered_with_whole_envelopes() -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER, CLOCK]}]},
        {"on": "results", "with": {"count": 2, "ok": True}, "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            (found,) = of(await talk.until(ToolCalls), ToolCalls)
            assert [(c.id, c.name) for c in found.calls] == [
                ("w1", "get_weather"),
                ("c1", "get_time"),
            ]
            assert found.calls[0].args == {"city": "Seoul"}
            assert found.calls[1].args == {"form": "geminiNative"}  # by way of the registry
            assert talk.connection.pending == {"w1", "c1"}
            await talk.connection.send_tool_result(id="w1", name="get_weather", result=OK)
            assert talk.connection.pending == {"c1"}
            await talk.connection.send_tool_result(id="c1", name="get_time", result=OK)
            assert of(await talk.turn(), Audio)
        answers = [m["tool_response"] for m in emulator.received if "tool_response" in m]
        assert answers[0]["functionResponses"][0]["response"] == OK


async def test_a_call_that_was_taken_back_is_not_answered() -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER, CLOCK]}, {"cancel": ["w1"]}]},
        {"on": "results", "with": {"count": 1}, "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            events = await talk.until(ToolCallsCancelled)
            assert events[-1] == ToolCallsCancelled(("w1",))
            with pytest.raises(ProviderFault) as refused:
                await talk.send(CallAnswer("w1", "get_weather", OK))
            assert not refused.value.fault.fatal
            await talk.send(CallAnswer("c1", "get_time", OK))
            await talk.turn()


@pytest.mark.parametrize("how", [Prompt("Never mind."), SendAudio(LOUD)])
async def test_the_service_takes_calls_back_when_the_person_goes_on(how: Any) -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER]}]},
        {"on": "text" if isinstance(how, Prompt) else "audio", "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, NEW) as talk:
            await talk.send(Prompt("Weather?"))
            await talk.until(ToolCalls)
            await talk.send(how)
            events = await talk.turn()
            assert names(events) == ["ToolCallsCancelled", "Interrupted", "TurnEnded"]
            assert events[-1] == TurnEnded("interrupted")
            assert not talk.connection.pending
            assert (await talk.turn())[-1] == TurnEnded("complete")


async def test_a_call_that_comes_twice_is_one_call() -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER]}, {"duplicate": 2}]},
        {"on": "results", "reply": [{"say": "Fine."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            await talk.until(ToolCalls)
            await talk.send(CallAnswer("w1", "get_weather", OK))
            assert not of(await talk.turn(), ToolCalls)


@pytest.mark.parametrize("args", ['{"city": "Seo', "[1, 2]", '"Seoul"'])
async def test_arguments_that_are_no_object_are_passed_on_to_be_refused(args: str) -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER | {"arguments": args}]}]},
        {"on": "results", "with": {"ok": False}, "reply": [{"say": "Sorry."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            (found,) = of(await talk.until(ToolCalls), ToolCalls)
            (call,) = found.calls
            assert not isinstance(call.args, dict)
            await talk.send(CallAnswer("w1", call.name, OK | {"ok": False}))
            await talk.turn()


def test_a_call_without_an_id_is_run_and_answered_by_its_name() -> None:
    script = [
        {"on": "text", "reply": [{"calls": [WEATHER | {"id": None}]}]},
        {"on": "results", "with": {"names": ["get_weather"]}, "reply": [{"text": "Sunny."}]},
    ]

    async def main(emulator: Emulator) -> None:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            (call,) = (await talk.until(ToolCalls))[-1].calls
            assert (call.name, call.args) == ("get_weather", {"city": "Seoul"})
            assert "temp" in (call.id or ""), "its key is a hash"
            assert call.id in talk.connection.pending
            await talk.send(CallAnswer(call.id, call.name, OK))
            await talk.until(TurnEnded)
            answers = [m["tool_response"] for m in emulator.received if "tool_response" in m]
            (answer,) = answers[0]["functionResponses"]
            assert "id" not in answer

    unhurried("gemini", script, main)


def test_an_id_that_comes_again_in_the_next_turn_is_a_call_of_its_own() -> None:
    asked = {"on": "text", "reply": [{"calls": [WEATHER]}, {"duplicate": True}]}
    script = [asked, {"on": "results", "reply": [{"text": "Sunny."}]}] * 2

    async def main(emulator: Emulator) -> None:
        async with connected(emulator) as talk:
            for _ in range(2):
                await talk.send(Prompt("Weather?"))
                (call,) = (await talk.until(ToolCalls))[-1].calls
                await talk.send(CallAnswer(call.id, call.name, OK))
                await talk.until(TurnEnded)

    unhurried("gemini", script, main)


def test_the_reason_of_a_refusal_is_told() -> None:
    reason = "Request contains an invalid argument: tools[0]."
    script = [{"on": "text", "reply": [{"close": 1007, "reason": reason}]}]

    async def main(emulator: Emulator) -> None:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hello"))
            fault = (await talk.until(Fault))[-1]
            assert (fault.kind, fault.code) == ("bad_request", 1007)
            assert reason in fault.message

    unhurried("gemini", script, main)


async def test_receive_tool_calls_reads_a_message_of_the_sdk() -> None:
    from google.genai import types

    with emulate("gemini") as emulator:
        async with connected(emulator) as talk:
            found = types.LiveServerMessage(tool_call={"function_calls": [WEATHER]})
            (call,) = talk.connection.receive_tool_calls(found)
            assert (call.id, call.name, call.args) == ("w1", "get_weather", {"city": "Seoul"})
            assert talk.connection.receive_tool_calls(types.LiveServerMessage()) == []


# -- interruption --------------------------------------------------------------------------

LONG = [{"say": "One.", "ms": 40}, {"wait": 10}, {"say": "Two."}]


async def test_the_person_interrupts_by_speaking() -> None:
    script = [{"on": "text", "reply": LONG}, {"on": "audio", "reply": [{"say": "Yes?"}]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Count."))
            await talk.until(Audio)
            await talk.send(SendAudio(LOUD))
            events = await talk.turn()
            assert of(events, Interrupted)
            assert not of(events, Audio)
            assert events[-1] == TurnEnded("interrupted")
            assert (await talk.turn())[-1] == TurnEnded("complete")


async def test_interrupt_presses_the_button_where_there_is_one() -> None:
    script = [{"on": "text", "reply": LONG}, {"on": "activity", "with": {"active": True}}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator, manual_activity=True) as talk:
            await talk.send(Prompt("Count."))
            await talk.until(Audio)
            await talk.send(Interrupt(played_ms=10))
            assert (await talk.turn())[-1] == TurnEnded("interrupted")


async def test_interrupt_without_a_button_sends_nothing() -> None:
    """The API has no message for it; audio that still comes is the reader's to drop."""
    script = [{"on": "text", "reply": [{"say": "One.", "ms": 40}, {"wait": 0.05}, {"say": "Two."}]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Count."))
            await talk.until(Audio)
            await talk.send(Interrupt(played_ms=10))
            events = await talk.turn()
            assert of(events, Audio)
            assert events[-1] == TurnEnded("complete")
        assert len(emulator.received) == 2


# -- messages ------------------------------------------------------------------------------

EVERYTHING = {
    "goAway": {"timeLeft": "2.5s"},
    "sessionResumptionUpdate": {"newHandle": "h", "resumable": True},
    "usageMetadata": {"promptTokenCount": 10, "responseTokenCount": 7, "thoughtsTokenCount": 3},
    "serverContent": {
        "turnComplete": True,
        "outputTranscription": {"text": "Hi", "finished": True},
        "inputTranscription": {"text": "Hey", "finished": True},
        "modelTurn": {
            "parts": [{"text": "Hi"}, {"inlineData": {"mimeType": "audio/pcm", "data": "AAA="}}]
        },
        "interrupted": True,
    },
    "voiceActivity": {"type": "ACTIVITY_START"},
    "toolCallCancellation": {"ids": ["old"]},
    "toolCall": {"functionCalls": [WEATHER]},
}


async def test_every_field_of_a_combined_message_is_an_event_in_the_promised_order() -> None:
    """Trap: any fields may share a message."""
    script = [{"on": "text", "reply": [{"raw": EVERYTHING}, {"wait": 10}]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.until(Ready)
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            calls, *rest = events
            assert isinstance(calls, ToolCalls)
            (usage,) = of(rest, Usage)
            rest.remove(usage)
            assert (usage.input_tokens, usage.output_tokens) == (10, 10)
            assert rest == [
                ToolCallsCancelled(("old",)),
                SpeechStarted(),
                Interrupted(),
                Audio(b"\x00\x00"),
                Text("Hi"),
                Transcript("user", "Hey", final=True),
                Transcript("model", "Hi", final=True),
                Resumption("h"),
                GoAway(2.5),
                TurnEnded("interrupted"),
            ]


async def test_a_turn_in_progress_has_not_ended() -> None:
    """Trap: with an interaction status, only IDLE ends the turn."""
    script = [
        {
            "on": "text",
            "reply": [
                {"speech": "stopped"},
                {"text": "Wait."},
                {"complete": True, "interactionStatus": "IN_PROGRESS"},
                {"text": " Done."},
                {"complete": True, "interactionStatus": "IDLE"},
            ],
        }
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            assert "".join(t.text for t in of(events, Text)) == "Wait. Done."
            assert of(events, SpeechStopped)


@pytest.mark.parametrize(
    ("reason", "ended"),
    [
        ("refused", "refused"),
        ("GENERATED_AUDIO_SAFETY", "refused"),
        ("failed", "failed"),
        ("NEED_MORE_INPUT", "complete"),
    ],
)
async def test_why_a_turn_ended_is_told(reason: str, ended: str) -> None:
    with emulate("gemini", [{"on": "text", "reply": [{"complete": reason}]}]) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            assert events[-1] == TurnEnded(ended)  # type: ignore[arg-type]
            assert [f.kind for f in of(events, Fault)] == ["refused"] * (ended == "refused")


async def test_usage_is_counted() -> None:
    script = [{"on": "text", "reply": [{"usage": {"input": 10, "output": 7, "cached": 2}}]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            (usage,) = of(await talk.turn(), Usage)
            assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (10, 7, 2)
            assert usage.details["total_token_count"] == 17


# -- faults --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 503, "message": "The model is overloaded."}, "overloaded"),
        ({"code": 429, "message": "You exceeded your current quota."}, "rate_limited"),
        ({"message": "?"}, "overloaded"),
    ],
)
async def test_an_error_message_ends_the_turn_but_not_the_line(
    error: dict[str, Any], kind: str
) -> None:
    """Trap: the SDK raises TypeError for it, and loses what it says."""
    script = [
        {"on": "text", "reply": [{"text": "We"}, {"error": error}]},
        {"on": "text", "reply": [{"text": "Hello."}]},
    ]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            (fault,) = of(events, Fault)
            assert (fault.kind, fault.fatal) == (kind, False)
            assert error["message"] in fault.detail
            assert events[-1] == TurnEnded("failed")
            await talk.send(Prompt("Hi"))
            assert (await talk.turn())[-1] == TurnEnded("complete")


@pytest.mark.parametrize(
    "raw",
    [
        '{"serverContent": {"modelTu',
        "",
        "[]",
        "7",
        {"serverContent": {"modelTurn": {"parts": "none"}}},
        {"serverContent": {"interrupted": "perhaps"}},
        {"toolCall": {"functionCalls": "all"}},
        {"toolCall": [1]},
        {"somethingNew": {"x": 1}},
    ],
)
async def test_garbage_is_a_fault_and_the_next_message_is_read(raw: Any) -> None:
    script = [{"on": "text", "reply": [{"raw": raw}, {"text": "Hello."}]}]
    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.turn()
            assert {f.kind for f in of(events, Fault)} <= {"protocol"}
            assert bool(of(events, Fault)) == (raw not in ("", "[]"))  # which say nothing
            assert not any(f.fatal for f in of(events, Fault))
            assert not of(events, ToolCalls)
            assert "".join(t.text for t in of(events, Text)) == "Hello."


def test_garbage_and_then_silence_is_a_timeout() -> None:
    script = [{"on": "text", "reply": [{"raw": "{"}, "silent"]}]

    async def main(emulator: Emulator) -> None:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.rest()
            assert [f.kind for f in of(events, Fault)] == ["protocol", "timeout"]

    unhurried("gemini", script, main)


@pytest.mark.parametrize(
    ("beat", "kind", "code"),
    [
        ({"close": 1000}, "closed", 1000),
        ({"close": 1007}, "bad_request", 1007),
        ({"close": 1008, "reason": "Your API key was reported as leaked."}, "auth", 1008),
        ({"close": 1008}, "closed", 1008),  # "The operation was aborted."
        ({"close": 1011}, "overloaded", 1011),
        ({"close": 4321}, "closed", 4321),
        ({"drop": True}, "closed", 1006),
        ({"status": 429}, "rate_limited", 1011),
        ({"status": 503}, "overloaded", 1011),
    ],
)
async def test_a_line_that_ends_in_the_middle_of_a_call(
    beat: dict[str, Any], kind: str, code: int
) -> None:
    script = [{"on": "text", "reply": [{"calls": [WEATHER]}, beat]}]

    with emulate("gemini", script) as emulator:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Weather?"))
            events = await talk.rest()
            assert of(events, ToolCalls)
            assert isinstance(events[-1], Fault)
            assert (events[-1].kind, events[-1].code) == (kind, code)
            assert events[-1].fatal
            with pytest.raises(ProviderFault) as dead:
                await talk.send(CallAnswer("w1", "get_weather", OK))
            assert dead.value.fault.kind == kind


def test_a_model_that_says_nothing_is_a_timeout() -> None:
    async def main(emulator: Emulator) -> None:
        async with connected(emulator) as talk:
            await talk.send(Prompt("Hi"))
            events = await talk.rest()
            assert [f.kind for f in of(events, Fault)] == ["timeout"]

    unhurried("gemini", [{"on": "text", "reply": ["silent"]}], main)


async def test_closing_ends_the_reader_quietly_and_leaves_nothing_behind() -> None:
    """Here the emulator is in the same loop, so that a socket of ours would be seen."""

    async with (
        make("gemini", [{"on": "text", "reply": LONG}]) as emulator,
        provided(emulator) as provider,
    ):
        connection = await provider.connect(Setup(OLD))
        seen: list[Event] = []

        async def read() -> None:
            async for event in connection.events():
                seen.append(event)
                if isinstance(event, Audio):
                    heard.set()

        heard = asyncio.Event()
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(read())
            await connection.send(Prompt("Count."))
            await heard.wait()
            await connection.close()
            await connection.close()
        assert not of(seen, Fault)
        with pytest.raises(ProviderFault):
            await connection.send(Prompt("?"))
