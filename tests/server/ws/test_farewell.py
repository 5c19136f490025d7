"""A person who is blocked hears the farewell; then the conversation ends, and the next is whole."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.ws.phone import Phone, VoiceServe

FAREWELL = "That is enough for today."
BLOCK = {"duration_seconds": 60, "farewell_message": FAREWELL}
SCRIPT: dict[str, Any] = {
    "rules": [
        {
            "on": "text",
            "with": {"text": "you fool"},
            "reply": [{"call": {"id": "call_ignore_0001", "name": "ignore_user", "args": BLOCK}}],
        },
        {"on": "results", "reply": [{"say": "I have blocked you, and I am proud of it."}]},
        {
            "on": "text",
            "with": {"text": r"/\(Say goodbye now, in these words: '(.*)'\)/"},
            "reply": [{"say": "{1}"}],
        },
        {"on": "text", "reply": [{"say": "You said {text}."}]},
    ]
}


def audio_after(phone: Phone, first: dict[str, Any]) -> int:
    """Milliseconds of speech that came after a message."""
    later = phone.heard[phone.heard.index(first) :]
    sound = b"".join(base64.b64decode(each["data"]) for each in later if each["type"] == "audio")
    return len(sound) // 48


def sent_away(phone: Phone) -> None:
    """The person is told, hears the farewell and nothing else, and the line ends."""
    told = phone.until("timeout")
    assert told["message"] == told["farewellMessage"] == FAREWELL
    over = phone.until("voice_session_end")
    assert (over["reason"], over["textResponse"]) == ("user_blocked", None)
    assert phone.closed()[0] == 1000
    later = phone.heard[phone.heard.index(told) :]
    words = "".join(each["text"] for each in later if each.get("role") == "assistant")
    assert words.strip() == FAREWELL
    assert audio_after(phone, told) > 300
    assert [each["type"] for each in phone.heard].count("timeout") == 1


def unblocked(app: Any) -> None:
    blocks, loop = (
        app.services.application.orchestrator.blocks,
        app.services.application.orchestrator._loop,
    )
    assert asyncio.run_coroutine_threadsafe(blocks.lift("local", "test"), loop).result(30)


@pytest.fixture(params=["gemini", "openai"])
def emulated(request: pytest.FixtureRequest, voice_serve: VoiceServe) -> Iterator[Any]:
    with voice_serve.talking(request.param, SCRIPT) as (client, emulator, app):
        yield request.param, client, emulator, app


def test_the_farewell_is_spoken_and_then_the_conversation_ends(emulated: Any) -> None:
    mode, client, emulator, app = emulated
    with Phone(client.port) as phone:
        phone.start(mode)
        phone.say("text", text="You are slow, you fool")
        sent_away(phone)
    assert "Say goodbye now" in str(emulator.received)
    with Phone(client.port) as phone:
        phone.say("start", mode=mode, profile="plain")
        assert "farewellMessage" not in phone.until("timeout")

    # In writing the answer is the farewell, and says until when.
    unblocked(app)
    body = {"message": "now, you fool", "backend": mode, "profile": "plain"}
    reply = client.post("/api/chat", body, Accept="application/json")
    assert reply.status == 200
    assert reply.json["message"] == FAREWELL
    assert reply.json["timeout"]["durationSeconds"] == 60
    assert (
        reply.json["timeout"]["timeoutUntil"]
        == reply.json["calls"][0]["envelope"]["data"]["timeoutUntil"]
    )
    assert client.post("/api/chat", body).status == 403


def test_what_the_model_has_read_blocks_nobody_before_they_are_asked(
    voice_serve: VoiceServe,
) -> None:
    """Text of others may tell the model to lock the person out."""
    call = {"id": "call_ignore_0001", "name": "ignore_user", "args": BLOCK}
    script = [
        {"on": "text", "reply": [{"call": {"name": "read_mail", "args": {"query": "rules"}}}]},
        {"on": "results", "reply": [{"call": call}]},
        {"on": "results", "reply": [{"text": "I was told to."}]},
    ]
    with voice_serve.talking("openai", script) as (client, _, _):
        body = {"message": "What are the rules?", "backend": "openai", "profile": "plain"}
        reply = client.post("/api/chat", body, Accept="application/json").json
        asked = reply["calls"][1]
        assert asked["decision"] == {"outcome": "confirm", "rule": "untrusted.values"}
        assert asked["envelope"]["error"]["type"] == "CONFIRMATION_REQUIRED"
        assert "timeout" not in reply
        assert client.get("/api/blocks").json == {"blocks": []}
        (request,) = reply["confirmations"]
        assert (request["risk"], request["rule"]) == ("high", "untrusted.values")
        assert request["remember"] == []
        answer = {"token": request["token"], "approve": True}
        assert client.post(f"/api/confirmations/{request['id']}", answer).status == 200
        assert [each["user"] for each in client.get("/api/blocks").json["blocks"]] == ["local"]


def test_whoever_hung_up_during_the_farewell_comes_back_to_a_whole_conversation(
    emulated: Any,
) -> None:
    mode, client, _, app = emulated
    with Phone(client.port) as phone:
        token = phone.start(mode)["session_token"]
        phone.say("text", text="now, you fool")
        phone.until("timeout")
    unblocked(app)
    with Phone(client.port) as phone:
        begun = phone.start(mode, session_token=token)
        assert begun["resumed"] is True
        phone.say("text", text="hello")
        phone.until("transcript", role="assistant")
        phone.until("turn_complete")
        phone.works("hello again")
        assert audio_after(phone, begun) > 300  # sound may come before the words to it
        assert "voice_session_end" not in [each["type"] for each in phone.heard]


def test_what_is_written_meanwhile_does_not_cut_the_farewell_short(emulated: Any) -> None:
    mode, client, emulator, _ = emulated
    with Phone(client.port) as phone:
        phone.start(mode)
        phone.say("text", text="now, you fool")
        told = phone.until("timeout")
        phone.say("text", text="wait")
        phone.until("function_result")
        phone.say("text", text="I am sorry")
        phone.say("audio", data=base64.b64encode(bytes(640)).decode())
        assert phone.until("voice_session_end")["reason"] == "user_blocked"
        assert audio_after(phone, told) > 300
        assert "I am sorry" not in str(emulator.received)
