"""The emulated Realtime API, by OpenAI's own SDK: it answers and refuses as the service does."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import orjson
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.testing import run_real

SECOND = base64.b64encode(b"\x01\x00" * 24_000).decode()
SILENCE = base64.b64encode(bytes(48_000)).decode()
AUDIO = {"input": {"transcription": {"model": "gpt-transcribe"}}}


class Client:
    """One session by the SDK, which reads with a limit to its patience."""

    def __init__(self, sdk: Any) -> None:
        self.sdk = sdk
        self.seen: list[Any] = []

    async def send(self, type: str, **fields: Any) -> None:
        await self.sdk.send({"type": type, **fields})

    async def until(self, type: str) -> Any:
        """The next event of this type; those before it are in `seen`."""
        async with asyncio.timeout(60):
            while True:
                event = await self.sdk.recv()
                self.seen.append(event)
                if event.type == type:
                    return event

    async def setup(self, **session: Any) -> Any:
        await self.send("session.update", session={"type": "realtime", **session})
        return await self.until("session.updated")

    async def write(self, text: str) -> None:
        content = [{"type": "input_text", "text": text}]
        item = {"type": "message", "role": "user", "content": content}
        await self.send("conversation.item.create", item=item)

    async def ask(self, text: str) -> Any:
        await self.write(text)
        await self.send("response.create")
        return (await self.until("response.done")).response

    async def refused(self, type: str, **fields: Any) -> Any:
        await self.send(type, event_id="mine", **fields)
        return (await self.until("error")).error

    def types(self) -> list[str]:
        return [event.type for event in self.seen]

    def joined(self, type: str) -> str:
        return "".join(event.delta for event in self.seen if event.type == type)


@asynccontextmanager
async def session(
    emulator: Emulator, key: str = "test-key", model: str = "gpt-realtime-2", **options: Any
) -> AsyncIterator[Client]:
    from openai import AsyncOpenAI

    # What is left unread when a test is done would make the SDK wait for its close.
    patience: Any = {"close_timeout": 0.2}
    async with (
        AsyncOpenAI(api_key=key, base_url=emulator.base_url, max_retries=0) as client,
        client.realtime.connect(
            model=model, websocket_connection_options=patience, **options
        ) as connection,
    ):
        yield Client(connection)


def talk(
    script: Any, main: Callable[[Client], Awaitable[None]], *, problems: list[str] | None = None
) -> Emulator:
    """Hold one conversation; it must go as the script says, but for these problems."""
    with emulate("openai", script, check=problems is None) as emulator:

        async def held() -> None:
            async with session(emulator) as client:
                await main(client)

        run_real(held())
    if problems is not None:
        found = emulator.playback.problems
        assert len(found) == len(problems), found
        for wanted, problem in zip(problems, found, strict=True):
            assert wanted in problem
    return emulator


# -- the session


def test_a_session_begins_with_what_it_is_and_when_it_ends() -> None:
    async def main(client: Client) -> None:
        first = await client.until("session.created")
        assert first.session.model == "gpt-realtime-2"
        assert first.session.audio.output.voice == "alloy"
        assert first.session.expires_at > 1_700_000_000
        updated = await client.setup(instructions="Be brief.", output_modalities=["text"])
        assert updated.session.instructions == "Be brief."
        assert updated.session.output_modalities == ["text"]

    talk([{"on": "connect", "with": {"instructions": "brief", "model": "gpt-realtime-2"}}], main)


@pytest.mark.parametrize(
    ("session", "code", "words"),
    [
        ({"instructions": "x"}, "missing_required_parameter", "'session.type'"),
        ({"type": "realtime", "voice": "marin"}, "unknown_parameter", "'session.voice'"),
        (
            {"type": "realtime", "tools": [{"type": "function", "name": "f", "strict": True}]},
            "unknown_parameter",
            "'session.tools[0].strict'",
        ),
        (
            {"type": "realtime", "output_modalities": ["audio", "text"]},
            "invalid_value",
            "Invalid modalities",
        ),
        (
            {
                "type": "realtime",
                "audio": {"input": {"format": {"type": "audio/pcm", "rate": 16000}}},
            },
            "invalid_value",
            "expected 24000",
        ),
        ({"type": "realtime", "audio": {"output": {"voice": "Kore"}}}, "invalid_value", "'marin'"),
        ({"type": "realtime", "max_output_tokens": 5000}, "invalid_value", "4096"),
        ({"type": "realtime", "instructions": 7}, "invalid_type", "expected a string"),
    ],
)
def test_settings_that_the_service_does_not_take_are_refused(
    session: dict[str, Any], code: str, words: str
) -> None:
    async def main(client: Client) -> None:
        error = await client.refused("session.update", session=session)
        assert (error.type, error.code, error.event_id) == ("invalid_request_error", code, "mine")
        assert words in error.message

    talk(None, main, problems=["refused"])


def test_the_voice_stays_after_it_was_heard() -> None:
    async def main(client: Client) -> None:
        await client.setup(audio={"output": {"voice": "marin"}})
        await client.setup(audio={"output": {"voice": "cedar"}})
        await client.ask("Hello")
        error = await client.refused(
            "session.update",
            session={"type": "realtime", "audio": {"output": {"voice": "marin"}}},
        )
        assert error.code == "cannot_update_voice"
        await client.setup(audio={"output": {"voice": "cedar"}})

    steps = [{"on": "connect"}, {"on": "update"}, {"on": "text", "reply": [{"say": "Hi."}]}]
    talk(steps, main, problems=["voice"])


def test_garbage_and_unknown_events_are_refused_and_the_line_lives_on() -> None:
    async def main(client: Client) -> None:
        await client.sdk.send_raw('{"type": "sess')
        assert (await client.until("error")).error.code == "invalid_json"
        assert "'session.update'" in (await client.refused("session.updte")).message
        assert (await client.refused("response.create", respose={})).param == "respose"
        await client.setup()

    talk(None, main, problems=["refused", "refused", "refused"])


def test_a_session_has_its_end_and_says_so_only_then() -> None:
    async def main(client: Client) -> None:
        error = (await client.until("error")).error
        assert error.code == "session_expired"
        with pytest.raises(ConnectionClosed) as closed:
            await client.until("never")
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, "60 minutes" in closed.value.rcvd.reason) == (1001, True)

    talk({"options": {"expires_in": 0.05}}, main)


# -- who is let in


def test_a_wrong_key_and_an_unknown_model_get_an_error_and_a_close() -> None:
    with emulate("openai", {"options": {"models": ["gpt-realtime-2"]}}) as emulator:

        async def main() -> None:
            for options, close, code in (
                ({"key": "sk-wrong-wrong-wrong"}, 3000, "invalid_api_key"),
                ({"model": "gpt-nothing"}, 4000, "model_not_found"),
            ):
                async with session(emulator, **options) as client:
                    error = (await client.until("error")).error
                    assert error.code == code
                    assert "wrong-wrong" not in error.message
                    with pytest.raises(ConnectionClosed) as closed:
                        await client.until("never")
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == close

        run_real(main())


def test_the_beta_header_is_refused() -> None:
    """Trap: the Beta shape is disabled, with close 4000."""
    with emulate("openai", check=False) as emulator:

        async def main() -> None:
            beta = {"OpenAI-Beta": "realtime=v1"}
            async with session(emulator, extra_headers=beta) as client:
                assert (await client.until("error")).error.code == "beta_api_shape_disabled"
                with pytest.raises(ConnectionClosed) as closed:
                    await client.until("never")
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 4000

        run_real(main())
    assert "OpenAI-Beta" in emulator.playback.problems[0]


def test_a_script_may_refuse_the_upgrade() -> None:
    steps = [{"on": "connect", "reply": [{"status": 429, "retry_after": 7, "message": "slow"}]}]
    with emulate("openai", steps) as emulator:

        async def main() -> None:
            with pytest.raises(InvalidStatus) as refused:
                async with session(emulator):
                    pass
            response = refused.value.response
            assert response.status_code == 429
            assert response.headers["retry-after"] == "7"
            assert b"slow" in (response.body or b"")

        run_real(main())


# -- answers


def test_a_spoken_answer_has_every_event_in_the_order_of_the_service() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        client.seen.clear()
        response = await client.ask("Hello")
        assert client.types() == [
            "conversation.item.added",
            "conversation.item.done",
            "response.created",
            "rate_limits.updated",
            "response.output_item.added",
            "conversation.item.added",
            "response.content_part.added",
            "response.output_audio_transcript.delta",
            "response.output_audio.delta",
            "response.output_audio_transcript.delta",
            "response.output_audio.delta",
            "response.output_audio.delta",
            "response.output_audio.done",
            "response.output_audio_transcript.done",
            "response.content_part.done",
            "conversation.item.done",
            "response.output_item.done",
            "response.done",
        ]
        assert client.joined("response.output_audio_transcript.delta") == "Good day."
        sound = [e.delta for e in client.seen if e.type == "response.output_audio.delta"]
        assert sum(len(base64.b64decode(delta)) for delta in sound) == 120 * 48
        assert response.status == "completed"
        assert response.output[0].content[0].transcript == "Good day."
        assert (response.usage.input_tokens, response.usage.output_tokens) == (9, 4)
        assert response.usage.input_token_details.cached_tokens == 3

    reply = [{"say": "Good day.", "ms": 120}, {"usage": {"input": 9, "output": 4, "cached": 3}}]
    talk([{"on": "connect"}, {"on": "text", "with": {"text": "Hello"}, "reply": reply}], main)


def test_in_text_mode_everything_is_text() -> None:
    async def main(client: Client) -> None:
        await client.setup(output_modalities=["text"])
        response = await client.ask("Hello")
        assert client.joined("response.output_text.delta") == "Good day. Sir."
        assert "response.output_audio.delta" not in client.types()
        assert response.output[0].content[0].text == "Good day. Sir."

    talk([{"on": "text", "reply": [{"say": "Good day."}, {"text": " Sir."}]}], main)


CALLS = {
    "calls": [
        {"id": "call_a", "name": "weather", "args": {"city": "Seoul", "days": 3}},
        {"id": "call_b", "name": "time", "args": {}},
    ]
}


async def answer(client: Client, call_id: str, ok: bool = True) -> None:
    output = orjson.dumps({"ok": ok, "data": {"from": call_id}}).decode()
    item = {"type": "function_call_output", "call_id": call_id, "output": output}
    await client.send("conversation.item.create", item=item)


def test_parallel_calls_are_answered_together_and_only_on_request() -> None:
    """Trap: an output alone triggers nothing; response.create does, once."""

    async def main(client: Client) -> None:
        await client.setup()
        response = await client.ask("Weather and time?")
        found = [(i.call_id, i.name, orjson.loads(i.arguments)) for i in response.output]
        assert found == [
            ("call_a", "weather", {"city": "Seoul", "days": 3}),
            ("call_b", "time", {}),
        ]
        done = [e for e in client.seen if e.type == "response.function_call_arguments.done"]
        assert [e.name for e in done] == ["weather", "time"]
        assert client.joined("response.function_call_arguments.delta") == (
            '{"city":"Seoul","days":3}{}'
        )
        for name in ("call_b", "call_a"):
            await answer(client, name)
            await client.until("conversation.item.done")
        client.seen.clear()
        await client.send("response.create")
        await client.until("response.done")
        assert client.joined("response.output_audio_transcript.delta") == "Sunny."

    facts = {
        "count": 2,
        "ok": True,
        "names": ["weather", "time"],
        "results": [{"id": "call_a", "envelope": {"data": {"from": "call_a"}}}],
    }
    steps = [
        {"on": "text", "reply": [CALLS]},
        {"on": "results", "with": facts, "reply": [{"say": "Sunny."}]},
    ]
    talk(steps, main)


def test_compatible_servers_leave_out_names_and_deltas() -> None:
    """Trap: arguments.done without a name, and no deltas; response.done has it all."""

    async def main(client: Client) -> None:
        await client.setup()
        response = await client.ask("Time?")
        types = client.types()
        assert "response.function_call_arguments.delta" not in types
        done = client.seen[types.index("response.function_call_arguments.done")]
        assert done.name is None
        assert response.output[0].name == "weather"

    steps = [{"on": "text", "reply": [CALLS]}]
    talk({"steps": steps, "options": {"omit_name": True, "omit_deltas": True}}, main)


def test_a_cancelled_response_finishes_its_arguments_all_the_same() -> None:
    """Trap: arguments.done also fires for a response that is then cancelled."""

    async def main(client: Client) -> None:
        await client.setup()
        response = await client.ask("Time?")
        assert "response.function_call_arguments.done" in client.types()
        assert (response.status, response.status_details.reason) == ("cancelled", "turn_detected")

    talk([{"on": "text", "reply": [CALLS, {"cancel": ["call_a", "call_b"]}]}], main)


@pytest.mark.parametrize(
    ("how", "status", "reason"),
    [
        ("max_tokens", "incomplete", "max_output_tokens"),
        ("refused", "incomplete", "content_filter"),
        ("failed", "failed", None),
        ("turn_detected", "cancelled", "turn_detected"),
    ],
)
def test_a_response_ends_as_the_script_says(how: str, status: str, reason: str | None) -> None:
    async def main(client: Client) -> None:
        await client.setup()
        response = await client.ask("Go")
        assert response.status == status
        assert response.status_details.reason == reason
        assert (response.status_details.error is not None) == (status == "failed")

    talk([{"on": "text", "reply": [{"say": "Well"}, {"complete": how}]}], main)


# -- one response at a time


def test_a_second_response_is_refused_while_one_is_active() -> None:
    """Trap: conversation_already_has_active_response, with event_id null."""

    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Go")
        await client.send("response.create")
        error = await client.refused("response.create")
        assert error.code == "conversation_already_has_active_response"
        assert error.event_id is None
        await client.send("response.cancel")
        response = (await client.until("response.done")).response
        assert (response.status, response.status_details.reason) == (
            "cancelled",
            "client_cancelled",
        )

    steps = [
        {"on": "text", "reply": [{"say": "Well"}, {"wait": 30}, {"say": " yes."}]},
        {"on": "interrupt"},
    ]
    talk(steps, main, problems=["already has an active response"])


def test_a_cancel_right_behind_the_request_is_not_lost() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Go")
        await client.send("response.create")
        await client.send("response.cancel")
        assert (await client.until("response.done")).response.status == "cancelled"
        assert "response.created" in client.types()

    talk([{"on": "text", "reply": [{"say": "Well"}, {"wait": 30}]}, {"on": "interrupt"}], main)


def test_a_cancel_with_nothing_to_cancel_is_an_error_that_does_no_harm() -> None:
    """Trap: response_cancel_not_active; it is safe to call, so it is no problem either."""

    async def main(client: Client) -> None:
        error = await client.refused("response.cancel")
        assert (error.code, error.event_id) == ("response_cancel_not_active", "mine")

    talk(None, main)


# -- items


def test_an_output_for_a_call_that_nobody_made_is_refused() -> None:
    """Trap: invalid_tool_call_id."""

    async def main(client: Client) -> None:
        item = {"type": "function_call_output", "call_id": "call_x", "output": "{}"}
        error = await client.refused("conversation.item.create", item=item)
        assert (error.code, error.message) == (
            "invalid_tool_call_id",
            "Tool call ID 'call_x' not found in conversation.",
        )

    talk(None, main, problems=["call_x"])


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"type": "message", "role": "user", "content": [{"type": "text", "text": "x"}]}, "'text'"),
        ({"type": "message", "role": "user"}, "'item.content'"),
        ({"type": "thing"}, "'thing'"),
        ({"type": "message", "role": "user", "content": [], "txt": 1}, "'item.txt'"),
        ({"type": "function_call_output", "call_id": "c" * 33, "output": ""}, "maximum length 32"),
    ],
)
def test_items_that_are_none_are_refused(item: dict[str, Any], words: str) -> None:
    async def main(client: Client) -> None:
        await client.sdk.send_raw(
            orjson.dumps({"type": "conversation.item.create", "item": item}).decode()
        )
        assert words in (await client.until("error")).error.message

    talk(None, main, problems=["refused"])


def test_only_as_much_as_there_is_can_be_truncated() -> None:
    """Trap: invalid_value, "Audio content of X ms is already shorter than Y ms"."""

    async def main(client: Client) -> None:
        await client.setup()
        item = (await client.ask("Go")).output[0].id
        cut = {"item_id": item, "content_index": 0}
        error = await client.refused("conversation.item.truncate", **cut, audio_end_ms=301)
        assert (error.code, error.message) == (
            "invalid_value",
            "Audio content of 300ms is already shorter than 301ms",
        )
        await client.send("conversation.item.truncate", **cut, audio_end_ms=120)
        assert (await client.until("conversation.item.truncated")).audio_end_ms == 120
        error = await client.refused("conversation.item.truncate", **cut, audio_end_ms=200)
        assert "of 120ms" in error.message
        cut["item_id"] = "item_x"
        error = await client.refused("conversation.item.truncate", **cut, audio_end_ms=0)
        assert error.code == "item_truncate_invalid_item_id"

    steps = [
        {"on": "text", "reply": [{"say": "Well", "ms": 300}]},
        {"on": "truncate", "with": {"ms": 120}},
    ]
    talk(steps, main, problems=["300ms", "120ms", "item_x"])


def test_items_can_be_retrieved_and_deleted() -> None:
    async def main(client: Client) -> None:
        await client.write("Hello")
        item = (await client.until("conversation.item.done")).item
        await client.send("conversation.item.retrieve", item_id=item.id)
        assert (await client.until("conversation.item.retrieved")).item.id == item.id
        await client.send("conversation.item.delete", item_id=item.id)
        await client.until("conversation.item.deleted")
        error = await client.refused("conversation.item.retrieve", item_id=item.id)
        assert error.code == "item_retrieve_invalid_item_id"

    talk(None, main, problems=["does not exist"])


def test_what_was_said_before_the_setup_is_history_and_a_note_asks_for_nothing() -> None:
    async def main(client: Client) -> None:
        await client.write("I am Ada.")
        content = [{"type": "output_text", "text": "Hello Ada."}]
        item = {"type": "message", "role": "assistant", "content": content}
        await client.send("conversation.item.create", item=item)
        await client.setup()
        await client.write("The door is open.")
        await client.ask("Who am I?")

    history = ["I am Ada.", "Hello Ada."]
    text = {"text": "Who", "history": [*history, "The door is open."]}
    steps = [
        {"on": "connect", "with": {"history": history}},
        {"on": "note", "with": {"text": "door"}},
        {"on": "text", "with": text, "reply": [{"say": "Ada."}]},
    ]
    talk(steps, main)


# -- speech


def test_speech_is_heard_committed_answered_and_written_down_in_the_end() -> None:
    """Trap: the transcript of what was said may come after the answer."""

    async def main(client: Client) -> None:
        await client.setup(audio=AUDIO)
        client.seen.clear()
        await client.send("input_audio_buffer.append", audio=SECOND)
        done = await client.until("conversation.item.input_audio_transcription.completed")
        types = client.types()
        order = [
            "input_audio_buffer.speech_started",
            "input_audio_buffer.speech_stopped",
            "input_audio_buffer.committed",
            "conversation.item.added",
            "conversation.item.done",
            "response.created",
            "response.done",
            "conversation.item.input_audio_transcription.delta",
            "conversation.item.input_audio_transcription.completed",
        ]
        assert [t for t in types if t in order and t not in order[3:5]] == [*order[:3], *order[5:]]
        started = client.seen[types.index(order[0])]
        stopped = client.seen[types.index(order[1])]
        assert (started.audio_start_ms, stopped.audio_end_ms) == (0, 1000)
        assert done.item_id == started.item_id == stopped.item_id
        assert done.transcript == "Hello?"

    reply = [{"say": "Hi."}, {"complete": True}, {"hear": "Hello?"}]
    talk([{"on": "audio", "with": {"ms": 1000}, "reply": reply}], main)


def test_speech_that_starts_while_a_response_runs_cancels_it() -> None:
    """Trap: speech_started, then response.done cancelled by turn_detected."""

    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Go")
        await client.send("response.create")
        await client.until("response.output_audio.delta")
        await client.send("input_audio_buffer.append", audio=SECOND)
        response = (await client.until("response.done")).response
        assert (response.status, response.status_details.reason) == ("cancelled", "turn_detected")
        assert client.types().index("input_audio_buffer.speech_started") < len(client.seen) - 1
        await client.until("input_audio_buffer.committed")

    steps = [
        {"on": "text", "reply": [{"say": "Well"}, {"wait": 30}, {"say": "never"}]},
        {"on": "audio", "reply": [{"speech": "started"}, {"speech": "stopped"}]},
    ]
    talk(steps, main)


def test_silence_is_the_end_of_speech() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.send("input_audio_buffer.append", audio=SECOND)
        await client.send("input_audio_buffer.append", audio=SILENCE)
        await client.until("response.done")

    talk([{"on": "audio_end", "reply": [{"say": "Yes?"}]}], main)


def test_without_turn_detection_the_client_hands_in_what_was_said() -> None:
    async def main(client: Client) -> None:
        await client.setup(audio={"input": {"turn_detection": None}})
        await client.send("input_audio_buffer.clear")
        await client.until("input_audio_buffer.cleared")
        await client.send("input_audio_buffer.append", audio=SECOND)
        await client.send("input_audio_buffer.commit")
        await client.until("input_audio_buffer.committed")
        await client.send("response.create")
        await client.until("response.done")
        assert "input_audio_buffer.speech_started" not in client.types()

    steps = [
        {"on": "activity", "with": {"active": True}},
        {"on": "activity", "with": {"active": False}, "reply": [{"say": "Yes?"}]},
    ]
    talk(steps, main)


def test_too_little_speech_cannot_be_handed_in() -> None:
    """Trap: a commit of less than 100 ms is input_audio_buffer_commit_empty."""

    async def main(client: Client) -> None:
        audio = base64.b64encode(bytes(99 * 48)).decode()
        await client.send("input_audio_buffer.append", audio=audio)
        error = await client.refused("input_audio_buffer.commit")
        assert error.code == "input_audio_buffer_commit_empty"
        assert "only has 99.00ms" in error.message

    talk(None, main, problems=["99.00ms"])


def test_audio_in_another_alphabet_is_refused() -> None:
    async def main(client: Client) -> None:
        error = await client.refused("input_audio_buffer.append", audio="-_-_")
        assert "PCM16" in error.message

    talk(None, main, problems=["PCM16"])


# -- faults, and scripts that do not fit


def test_duplicates_big_messages_and_garbage_are_sent_as_asked() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Go")
        await client.send("response.create")
        await client.until("response.output_audio.done")
        deltas = [e for e in client.seen if e.type == "response.output_audio.delta"]
        assert [e.event_id for e in deltas[-3:]] == [deltas[-1].event_id] * 3
        big = [e for e in client.seen if e.type == "rate_limits.updated"][-1]
        assert len(big.padding) == 2_000_000
        assert client.seen[-2].type == "x.new"
        await client.until("response.done")

    reply = [
        {"say": "Well"},
        {"duplicate": 2},
        {"oversized": 2_000_000},
        {"raw": {"type": "x.new", "event_id": "e"}},
    ]
    talk([{"on": "text", "reply": reply}], main)


@pytest.mark.parametrize("fault", [{"close": 1011, "reason": "boom"}, {"drop": True}])
def test_a_line_breaks_in_the_middle_of_a_call(fault: dict[str, Any]) -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Go")
        await client.send("response.create")
        with pytest.raises(ConnectionClosed) as closed:
            await client.until("response.done")
        assert (closed.value.rcvd.code if closed.value.rcvd else None) == fault.get("close")
        assert "response.function_call_arguments.done" in client.types()

    talk([{"on": "text", "reply": [{**CALLS, "done": False}, fault]}], main)


def test_an_error_in_an_answer_fails_it_and_one_instead_of_it_names_the_request() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        response = await client.ask("Go")
        assert response.status == "failed"
        assert response.status_details.error.code == "server_error"
        await client.write("Again")
        error = await client.refused("response.create")
        assert (error.code, error.event_id) == ("rate_limit_exceeded", "mine")

    error = {"type": "server_error", "code": "server_error", "message": "boom"}
    steps = [
        {"on": "text", "reply": [{"say": "Well"}, {"error": error}]},
        {"on": "text", "reply": [{"error": {"code": "rate_limit_exceeded", "message": "slow"}}]},
    ]
    talk(steps, main)


def test_what_the_script_does_not_foresee_ends_the_line_with_the_reason() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.write("Something else")
        error = await client.refused("response.create")
        assert error.message.startswith("emulator: unexpected text")
        with pytest.raises(ConnectionClosed) as closed:
            await client.until("never")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason.startswith("emulator: ")

    talk([], main, problems=["unexpected text"])


def test_an_answer_before_every_call_has_its_output_is_a_problem() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.ask("Go")
        await answer(client, "call_a")
        assert "call_b" in (await client.refused("response.create")).message

    steps = [{"on": "text", "reply": [CALLS]}]
    talk(steps, main, problems=["response.create while calls wait for their output: call_b"])


@pytest.mark.parametrize(
    ("beat", "words"),
    [
        ({"resumption": {"handle": "h"}}, "OpenAI Realtime has no resumption"),
        ({"go_away": 5}, "OpenAI Realtime has no go_away"),
        ({"status": 500}, "cannot be sent on an open WebSocket"),
        ({"hear": "Hello"}, "asked for no transcription"),
        ({"complete": "whenever"}, "no way to end"),
        ({"speech": "stopped"}, "without `speech: started`"),
    ],
)
def test_a_beat_that_the_service_does_not_have_is_a_problem(
    beat: dict[str, Any], words: str
) -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.ask("Go")

    talk([{"on": "text", "reply": [beat, {"say": "Well"}, "complete"]}], main, problems=[words])


def test_the_end_of_the_line_is_part_of_the_script() -> None:
    async def main(client: Client) -> None:
        await client.setup()
        await client.sdk.close(code=1001)

    talk([{"on": "close", "with": {"code": 1001}}], main)
