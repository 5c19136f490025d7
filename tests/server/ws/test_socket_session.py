"""Spoken conversations over `/ws/vox`, from a plain WebSocket client and with emulated models."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.server.ws.phone import RULES, Phone, VoiceServe, eventually
from websockets.exceptions import ConnectionClosed, InvalidStatus

from antiphon.emulators.runner import emulate
from antiphon.server.ws.sessions import VoiceLimits

SPEECH = base64.b64encode(bytes(640)).decode()  # 20 ms


# -- a conversation -----------------------------------------------------------------------------


@pytest.mark.parametrize("api", ["gemini", "openai", "anthropic"])
def test_a_conversation_is_held_with_every_backend(voice_serve: VoiceServe, api: str) -> None:
    mode = {"anthropic": "claude"}.get(api, api)
    with voice_serve.talking(api) as (client, emulator, _), Phone(client.port) as phone:
        ready = phone.start(mode)
        assert ready["mode"] == mode
        assert ready["resumed"] is False
        assert ready["sessionId"]
        assert ready["session_token"].startswith(ready["sessionId"])
        phone.say("text", text="find analytical")
        asked = phone.until("function_call")
        assert (asked["name"], asked["args"]) == ("find", {"query": "analytical"})
        assert asked["server_handled"] is True
        assert asked["decision"] == {"outcome": "run", "rule": "run"}
        result = phone.until("function_result")
        assert result["result"] == {"results": ["analytical"], "success": True}
        assert result["fn_call_id"] == asked["fn_call_id"]
        done = phone.until("turn_complete")
        assert done["turn"] == done["turn_id"]
        said = "".join(
            m["text"] for m in phone.heard if m["type"] == "text" or m.get("role") == "assistant"
        )
        assert said == "It is done."
        assert any(m["type"] == "audio" for m in phone.heard) == (mode != "claude")
        phone.say("text", text="open tools")
        asked = phone.until("function_call")
        assert asked["server_handled"] is False
        real = {"success": True, "navigated_to": "/tools/4711"}
        phone.say("browser_function_result", fn_call_id=asked["fn_call_id"], result=real)
        phone.until("turn_complete")
        assert "/tools/4711" in str(emulator.received)  # the model has the browser's own answer
        phone.say("end")
        over = phone.until("voice_session_end")
        assert over["reason"] == "user_requested"
        assert phone.closed()[0] == 1000
        numbers = [message["seq"] for message in phone.heard]
        assert numbers == list(range(1, len(numbers) + 1))


def test_the_start_of_a_spoken_session_says_what_its_context_begins_with(
    phone: Phone, house: Any
) -> None:
    client, _, _ = house
    session_id = phone.start()["sessionId"]
    lines = client.get(f"/api/sessions/{session_id}").json["audit"]
    (start,) = [line for line in lines if line["event"] == "session_started"]
    tokens = start["details"]["tokens"]
    assert tokens["sessionInitTokens"] == tokens["systemPromptTokens"] + tokens["toolDeclTokens"]
    context = client.get("/metrics").json["context"]
    # The largest are shown, and other tests' sessions may be among them.
    assert context["currentTokens"] >= tokens["sessionInitTokens"] > 0
    for each in context["sessions"]:
        assert each["window"] is not None
        assert each["peakTokens"] >= each["initTokens"] > 0


def test_speech_goes_both_ways(phone: Phone, house: Any) -> None:
    ready = phone.start()
    assert ready["audio"] == {"framing": "json", "input_rate": 16_000, "output_rate": 24_000}
    for _ in range(10):
        phone.say("audio", data=SPEECH)
    phone.say("audio_end")
    assert phone.until("transcript", role="user")["text"] == "hello"
    piece = phone.until("audio")
    assert len(base64.b64decode(piece["data"])) % 2 == 0
    assert piece["turn_id"] == phone.until("turn_complete")["turn"]
    sent = [m for m in house[1].received if "realtime_input" in str(m) or "realtimeInput" in str(m)]
    assert sent


def test_binary_frames_carry_the_same_speech(phone: Phone) -> None:
    assert phone.start(audio="binary")["audio"]["framing"] == "binary"
    phone.socket.send(bytes(640))
    phone.say("audio_end")
    turn = phone.until("turn_complete")["turn"]
    frames = [m for m in phone.heard if isinstance(m, bytes)]
    assert frames
    assert {struct.unpack_from("<I", frame)[0] for frame in frames} == {turn}
    assert all(len(frame) % 2 == 0 for frame in frames)
    assert not any(m["type"] == "audio" for m in phone.heard if isinstance(m, dict))


def test_a_person_who_holds_a_button_is_answered_when_they_let_go(phone: Phone) -> None:
    phone.start(push_to_talk=True)
    phone.say("activity", active=True)
    phone.say("audio", data=SPEECH)
    phone.say("activity", active=False)
    assert phone.until("transcript", role="assistant")
    phone.until("turn_complete")


def test_a_conversation_that_the_model_ends_is_over_for_good(house: Any) -> None:
    with Phone(house[0].port) as phone:
        ready = phone.start()
        phone.say("text", text="goodbye")
        over = phone.until("voice_session_end")
        assert over["textResponse"] == "See you."
        assert phone.closed()[0] == 1000
    assert house[0].get(f"/api/sessions/{ready['sessionId']}").json["active"] is False


def test_fields_that_nobody_knows_are_named_in_the_answer(phone: Phone) -> None:
    assert phone.start(sesion_token="x")["ignored"] == ["sesion_token"]


def test_the_model_is_told_the_time_where_the_person_is(voice_serve: VoiceServe) -> None:
    with voice_serve.talking() as (client, emulator, _):
        with Phone(client.port) as phone:
            ready = phone.start(time_zone="Asia/Tokyo")
            assert ready["time_zone"] == "Asia/Tokyo"
            assert "ignored" not in ready
            token = ready["session_token"]
        assert "+09:00 (Asia/Tokyo)" in str(emulator.received)
        with Phone(client.port) as phone:
            # What nobody here knows is said, and the conversation is where it was.
            again = phone.start(session_token=token, time_zone="Moon/Base")
            assert (again["ignored"], again["time_zone"]) == (["time_zone"], "Asia/Tokyo")


def test_what_was_asked_before_the_conversation_is_answered_first(phone: Phone) -> None:
    phone.start(pending_request="what is new")
    words = "".join(phone.until("transcript", role="assistant")["text"] for _ in range(3))
    assert "You said" in words


def test_a_deliberate_interruption_silences_the_model_at_once(phone: Phone) -> None:
    phone.start()
    phone.say("text", text="go on")
    turn = phone.until("audio")["turn_id"]
    phone.say("playback", turn_id=turn, played_ms=20)
    phone.say("interrupt")
    assert phone.until("interrupted")["turn_id"] == turn


def test_a_written_conversation_goes_on_by_voice(house: Any) -> None:
    client, emulator, _ = house
    written = client.post("/api/sessions", {"mode": "text"}).json["id"]
    with Phone(client.port) as first:
        ready = first.start(conversation=written)
        assert ready["conversation"] == written
        first.works("my name is Ada")
        first.say("end")
        first.until("voice_session_end")
    with Phone(client.port) as second:
        second.start(conversation=written)
        second.works()
        connected = [m for m in emulator.received if "my name is Ada" in str(m)]
        assert len(connected) >= 2  # once as it was said, once as what the model has to know
    with Phone(client.port) as third:
        third.say("start", mode="gemini", profile="plain", conversation="nobody")
        assert "There is no conversation `nobody`" in third.error()
        third.start()


# -- functions in the browser -------------------------------------------------------------------


def test_a_function_of_the_browser_gets_its_real_result(phone: Phone) -> None:
    phone.start()
    phone.say("text", text="open tools")
    asked = phone.until("function_call")
    assert asked["server_handled"] is False
    assert (asked["name"], asked["args"]) == ("open_page", {"path": "/tools"})
    assert asked["decision"] == {"outcome": "run", "rule": "run"}
    result = {"success": True, "navigated_to": "/tools"}
    answer = {"name": "open_page", "result": result, "fn_call_id": asked["fn_call_id"]}
    phone.say("browser_function_result", **answer)
    told = phone.until("function_result")
    assert (told["result"], told["fn_call_id"]) == (result, asked["fn_call_id"])
    phone.say("browser_function_result", **answer)
    assert "not used" in phone.until("error")["message"]
    phone.works()


def test_a_function_that_failed_in_the_browser_has_failed(phone: Phone) -> None:
    phone.start()
    phone.say("text", text="open tools")
    asked = phone.until("function_call")
    phone.say(
        "browser_function_result",
        result={"success": False, "error": "no such page"},
        fn_call_id=asked["fn_call_id"],
    )
    result = phone.until("function_result")["result"]
    assert (result["success"], result["error_type"]) == (False, "PERMANENT")
    assert "no such page" in result["error"]


@pytest.mark.parametrize("words", ["glance at it", "paint it"])
def test_a_browser_that_never_answers_is_a_transient_failure(phone: Phone, words: str) -> None:
    phone.start()
    phone.say("text", text=words)
    asked = phone.until("function_call")
    result = phone.until("function_result")["result"]
    assert (result["success"], result["error_type"]) == (False, "TRANSIENT")
    late = {"name": asked["name"], "result": {}, "fn_call_id": asked["fn_call_id"]}
    phone.say("browser_function_result", **late)
    assert "its time is over" in phone.until("error")["message"]
    phone.works()


def test_results_of_calls_that_nobody_made_are_refused(phone: Phone) -> None:
    phone.start()
    phone.say("browser_function_result", name="open_page", result={}, fn_call_id="fc_1")
    assert "`fc_1` is not known here" in phone.error()
    phone.say("text", text="open tools")
    asked = phone.until("function_call")
    phone.say("browser_function_result", name="other", result={}, fn_call_id=asked["fn_call_id"])
    assert "is one of `open_page`, not of `other`" in phone.error()
    phone.say("browser_function_result", result={}, fn_call_id=asked["fn_call_id"])
    assert phone.until("function_result")["result"] == {"success": True}


# -- confirmations ------------------------------------------------------------------------------


def test_a_person_approves_on_their_own_channel(phone: Phone, tmp_path: Path) -> None:
    phone.start()
    phone.say("text", text=f"write {tmp_path / 'lines'}")
    asked = phone.until("confirmation_required")
    answer = {"id": asked["id"], "token": asked["token"], "approve": True}
    phone.say("confirmation_response", **{**answer, "token": "v1.1.a.b"})
    assert "refused" in phone.until("error")["message"]
    assert not (tmp_path / "lines").exists()
    phone.say("confirmation_response", **answer, args={**asked["args"], "text": 7})
    refused = phone.until("error")
    assert (refused["id"], [each["pointer"] for each in refused["errors"]]) == (
        asked["id"],
        ["/text"],
    )
    phone.say("confirmation_response", **answer, args={**asked["args"], "text": "changed"})
    resolved = phone.until("confirmation_resolved")
    assert (resolved["outcome"], resolved["result"]["ok"]) == ("approved", True)
    assert list(resolved["result"]["meta"]["changed"]) == ["text"]
    assert (tmp_path / "lines").read_text() == "changed\n"
    phone.say("confirmation_response", **answer)
    assert "no such open request" in phone.until("error")["message"]
    phone.works()


def test_what_is_asked_while_nobody_is_there_is_asked_when_they_come_back(
    house: Any, tmp_path: Path
) -> None:
    client = house[0]
    with Phone(client.port) as first:
        token = first.start()["session_token"]
        first.say("text", text=f"write {tmp_path / 'lines'}")
        asked = first.until("confirmation_required")
    with Phone(client.port) as second:
        assert second.start(session_token=token)["resumed"] is True
        again = second.until("confirmation_required")
        assert again["id"] == asked["id"]
        second.say("confirmation_response", id=again["id"], token=again["token"], approve=False)
        assert second.until("confirmation_resolved")["outcome"] == "denied"
    assert not (tmp_path / "lines").exists()


# -- coming back --------------------------------------------------------------------------------


def test_a_conversation_is_taken_up_where_the_socket_was_lost(house: Any) -> None:
    client, emulator, app = house
    with Phone(client.port) as first:
        ready = first.start()
        first.works("remember the number 4711")
    eventually(lambda: app.services.voice.held == 0)
    before = len(emulator.received)
    with Phone(client.port) as second:
        again = second.start(session_token=ready["session_token"])
        assert again["resumed"] is True
        assert again["sessionId"] == ready["sessionId"]
        assert again["turn_id"] > ready["turn_id"]
        second.works()
        # The provider remembers by its handle, or is told what was said.
        told = str(emulator.received[before:])
        assert "handle" in told or "4711" in told


def test_the_newest_socket_wins_a_conversation(house: Any) -> None:
    client, _, app = house
    with Phone(client.port) as first:
        token = first.start()["session_token"]
        held = (
            app.services.voice.held
        )  # those of other tests, too, for as long as they may come back
        with Phone(client.port) as second, Phone(client.port) as third:
            second.say("start", session_token=token)
            third.say("start", session_token=token)
            assert first.closed()[0] == 4001
            assert "taken up at another place" in first.heard[-1]["message"]
            # Which of the two came last is not ours to say, but one of them has it.
            ends = sorted(_end_or_talk(phone) for phone in (second, third))
            assert ends == ["4001", "talks"]
            assert app.services.voice.held == held


def _end_or_talk(phone: Phone) -> str:
    try:
        phone.say("text", text="hello")
        phone.until("turn_complete")
    except ConnectionClosed as over:
        return str(over.rcvd and over.rcvd.code)
    return "talks"


def test_a_conversation_can_go_on_with_another_model(voice_serve: VoiceServe) -> None:
    with (
        emulate("gemini", RULES, check=False) as gemini,
        emulate("anthropic", RULES, check=False) as claude,
        voice_serve.running(voice_serve.voice_app(gemini, claude)) as client,
    ):
        with Phone(client.port) as first:
            ready = first.start("gemini")
            first.works("my name is Ada")
        with Phone(client.port) as second:
            again = second.start("claude", session_token=ready["session_token"])
            assert (again["resumed"], again["mode"]) == (True, "claude")
            assert again["sessionId"] == ready["sessionId"]
            second.say("text", text="hello")
            second.until("turn_complete", reason="complete")
            assert "my name is Ada" in str(claude.received)


@pytest.mark.parametrize("change", ["", "x", "other"])
def test_a_token_that_was_not_given_out_is_refused(phone: Phone, change: str) -> None:
    token = phone.start()["session_token"]
    phone.say("end")
    phone.closed()
    forged = {"": "a.b", "x": f"{token}x", "other": f"x{token}"}[change]
    with Phone(phone.port) as other:
        other.say("start", mode="gemini", session_token=forged)
        assert "not one that this server has given out" in other.error()
        other.start()


def test_a_conversation_that_has_ended_begins_anew_and_says_so(house: Any) -> None:
    with Phone(house[0].port) as first:
        ready = first.start()
        first.say("end")
        first.closed()
    with Phone(house[0].port) as second:
        again = second.start(session_token=ready["session_token"])
        assert again["resumed"] is False
        assert again["resume_problem"] == "That conversation has ended."
        assert again["sessionId"] != ready["sessionId"]


def test_a_conversation_that_was_left_too_long_ends(voice_serve: VoiceServe) -> None:
    limits = VoiceLimits(resumable_seconds=0.05)
    with voice_serve.talking(limits=limits) as (client, _, app):
        with Phone(client.port) as first:
            ready = first.start()
        eventually(lambda: len(app.services.voice) == 0)
        path = f"/api/sessions/{ready['sessionId']}"
        eventually(lambda: client.get(path).json["active"] is False)
        with Phone(client.port) as second:
            assert second.start(session_token=ready["session_token"])["resumed"] is False


def test_no_more_conversations_are_held_or_kept_than_there_is_room_for(
    voice_serve: VoiceServe,
) -> None:
    limits = VoiceLimits(live=2, left=10, left_per_user=3)
    with voice_serve.talking(limits=limits) as (client, _, app):
        with Phone(client.port) as first, Phone(client.port) as second, Phone(client.port) as third:
            ready = [first.start()]
            second.start()
            assert client.get("/api/vox/status").json["active_sessions"] == 2
            third.say("start", mode="gemini")
            refused = third.until("error")
            assert refused["about"] == "start"
            assert "2 conversations are being held at this server" in refused["message"]
            first.cut()
            eventually(lambda: app.services.voice.held == 1)
            ready.append(third.start())
        eventually(lambda: app.services.voice.held == 0)
        for _ in range(3):
            with Phone(client.port) as phone:
                ready.append(phone.start())
            eventually(lambda: app.services.voice.held == 0)
        eventually(lambda: len(app.services.voice) == 3)
        with Phone(client.port) as phone:
            assert phone.start(session_token=ready[0]["session_token"])["resumed"] is False
        with Phone(client.port) as phone:
            assert phone.start(session_token=ready[-1]["session_token"])["resumed"] is True
        eventually(lambda: client.get("/api/vox/status").json["active_sessions"] == 0)


def test_a_conversation_outlives_the_server(voice_serve: VoiceServe, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with voice_serve.talking(data=data) as (client, _, _), Phone(client.port) as first:
        ready = first.start()
        first.works("remember the number 4711")
    with voice_serve.talking(data=data) as (client, emulator, _), Phone(client.port) as second:
        again = second.start(mode=None, session_token=ready["session_token"])
        assert (again["resumed"], again["sessionId"]) == (True, ready["sessionId"])
        second.works()
        assert "4711" in str(emulator.received)


def test_what_was_asked_before_the_server_stopped_is_answered_by_the_next(
    voice_serve: VoiceServe, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    silent = {"rules": [{"on": "text", "reply": ["silent"]}]}
    with (
        voice_serve.talking(script=silent, data=data) as (client, emulator, _),
        Phone(client.port) as first,
    ):
        ready = first.start()
        first.say("text", text="remember the number 4711")
        eventually(lambda: "4711" in str(emulator.received))
    with voice_serve.talking(data=data) as (client, _, _), Phone(client.port) as second:
        second.start(mode=None, session_token=ready["session_token"])
        second.until("turn_complete", reason="complete")
        pieces = [m for m in second.heard if isinstance(m, dict) and m["type"] == "transcript"]
        assert "4711" in "".join(m["text"] for m in pieces if m["role"] == "assistant")
        second.works()


def test_a_server_that_stops_says_so_and_how_to_come_back(
    voice_serve: VoiceServe, tmp_path: Path
) -> None:
    with emulate("gemini", RULES, check=False) as emulator:
        settings = {
            "ANTIPHON_PROVIDERS__GEMINI__API_KEY": emulator.key or "",
            "ANTIPHON_PROVIDERS__GEMINI__BASE_URL": emulator.base_url,
            "ANTIPHON_PROVIDERS__GEMINI__CA_FILE": str(emulator.ca_file),
            "ANTIPHON_PROFILES__FOLDER": str(voice_serve.profiles),
            "ANTIPHON_DATA": str(tmp_path / "data"),
        }
        with process(settings, tmp_path) as (first, port), Phone(port) as phone:
            ready = phone.start()
            first.send_signal(signal.SIGTERM)
            told = phone.until("go_away")
            assert told["session_token"] == ready["session_token"]
            assert "session_token" in told["message"]
            assert phone.closed()[0] == 1012
            assert first.wait(60) == 0
        with process(settings, tmp_path) as (_, port), Phone(port) as phone:
            again = phone.start(session_token=told["session_token"])
            assert (again["resumed"], again["sessionId"]) == (True, ready["sessionId"])


_HOLD = """\
import asyncio
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    Path(args["file"]).write_text("begun")
    await asyncio.sleep(60)
    return ok({})
"""


def test_a_write_that_was_cut_off_by_a_crash_is_told_as_unknown(
    voice_serve: VoiceServe, tmp_path: Path
) -> None:
    contract = {
        "toolId": "hold",
        "version": "1.0.0",
        "description": "Takes long.",
        "category": "action",
        "sideEffects": "writes",
        "origin": "trusted",
        "outside": False,
        "idempotent": False,
        "requiresConfirmation": False,
        "allowedModes": ["voice"],
        "latencyBudgetMs": 1000,
        "timeoutMs": 60_000,
        "parameters": {
            "type": "object",
            "additionalProperties": False,
            "required": ["file"],
            "properties": {"file": {"type": "string"}},
        },
    }
    folder = tmp_path / "tools" / "hold"
    folder.mkdir(parents=True)
    (folder / "schema.json").write_text(json.dumps(contract))
    (folder / "guide.md").write_text("# hold\n\nTakes long.\n")
    (folder / "handler.py").write_text(_HOLD)
    begun = tmp_path / "begun"
    held = {"id": "call_0000000001", "name": "hold", "args": {"file": str(begun)}}
    script = {
        "rules": [
            {"on": "text", "with": {"text": "OUTCOME_UNKNOWN"}, "reply": [{"say": "Who knows."}]},
            {"on": "text", "with": {"text": "please"}, "reply": [{"calls": [held]}]},
            {"on": "results", "reply": [{"say": "It takes a while."}]},
            {"on": "text", "reply": [{"say": "Yes."}]},
        ]
    }
    with emulate("gemini", script, check=False) as emulator:
        settings = {
            "ANTIPHON_PROVIDERS__GEMINI__API_KEY": emulator.key or "",
            "ANTIPHON_PROVIDERS__GEMINI__BASE_URL": emulator.base_url,
            "ANTIPHON_PROVIDERS__GEMINI__CA_FILE": str(emulator.ca_file),
            "ANTIPHON_PROFILES__FOLDER": str(voice_serve.profiles),
            "ANTIPHON_TOOLS__FOLDERS": str(tmp_path / "tools"),
            "ANTIPHON_DATA": str(tmp_path / "data"),
        }
        with process(settings, tmp_path) as (first, port), Phone(port) as phone:
            ready = phone.start()
            phone.say("text", text="Hold on, please")
            phone.until("function_call")
            eventually(begun.exists)
            first.kill()
            first.wait(60)
        before = len(emulator.received)
        for time in ("first", "second"):
            app = voice_serve.voice_app(emulator, data=tmp_path / "data")
            with voice_serve.running(app) as client, Phone(client.port) as phone:
                assert phone.start(session_token=ready["session_token"])["resumed"] is True
                if time == "second":  # it was told, and is not told again
                    phone.works()
                    assert not any(m["type"] == "function_result" for m in phone.heard)
                    break
                assert [m["type"] for m in phone.heard] == ["setup_complete"]
                lost = phone.until("function_result")
                assert lost["fn_call_id"] == held["id"]
                assert lost["result"]["error_type"] == "OUTCOME_UNKNOWN"
                assert "may have happened" in lost["result"]["error"]
                phone.until("turn_complete")
                said = [m["text"] for m in phone.heard if m.get("role") == "assistant"]
                assert "".join(said) == "Who knows."
        asked = str(emulator.received[before:])
        assert asked.count("A note from the system") == 1


@contextmanager
def process(settings: dict[str, str], folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`antiphon serve` in a process of its own, and its port."""
    run = "from antiphon.cli import main; raise SystemExit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", run, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, **settings},
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+) ", server.stdout.readline())
        assert found, "it did not start"
        yield server, int(found[1])
    finally:
        server.kill()
        server.communicate()


# -- who may talk -------------------------------------------------------------------------------


def test_a_backend_without_a_key_is_named_and_another_may_be_chosen(phone: Phone) -> None:
    phone.say("start", mode="openai")
    assert "OPENAI_API_KEY" in phone.error()
    phone.say("start", mode="claude")
    assert "ANTHROPIC_API_KEY" in phone.error()
    phone.start()
    phone.works()


def test_a_key_that_is_refused_ends_the_start_with_words(voice_serve: VoiceServe) -> None:
    with emulate("gemini", RULES, check=False) as emulator:
        emulator.key, right = "another", emulator.key
        app = voice_serve.voice_app(emulator)
        emulator.key = right
        with voice_serve.running(app) as client, Phone(client.port) as phone:
            for _ in range(20):  # each in the moment in which the one before has failed
                phone.say("start", mode="gemini", profile="plain")
                assert "GEMINI_API_KEY" in phone.until("error")["message"]
            eventually(lambda: len(app.services.voice) == 0)


def test_a_model_is_waited_for_as_long_as_the_settings_say(voice_serve: VoiceServe) -> None:
    silent = {"rules": [{"on": "text", "reply": ["silent"]}]}
    hasty = {"first_word_seconds": 0.3}
    with (
        voice_serve.talking(script=silent, provider=hasty) as (client, _, _),
        Phone(client.port) as phone,
    ):
        token = phone.start()["session_token"]
        phone.say("text", text="hello")
        error = phone.until("error")
        assert (error["kind"], error["fatal"]) == ("timeout", True)
        # The conversation is still there, on the same socket.
        phone.say("start", session_token=token, profile="plain")
        assert phone.until("setup_complete")["resumed"] is True


def test_a_voice_that_nobody_has_is_refused_with_those_that_there_are(phone: Phone) -> None:
    phone.say("start", mode="gemini", voice="Nobody", profile="plain")
    said = phone.error()
    assert "'Nobody'" in said
    assert "Puck" in said
    assert phone.start(voice="Kore")["voice"] == "Kore"


def test_who_has_no_choice_of_voices_passes_over_geminis_and_refuses_others(
    voice_serve: VoiceServe,
) -> None:
    with emulate("anthropic", RULES, check=False) as emulator:
        app = voice_serve.voice_app(emulator)
        with voice_serve.running(app) as client, Phone(client.port) as phone:
            phone.say("start", mode="claude", voice="Nobody", profile="plain")
            assert "browser, built-in" in phone.error()
            phone.say("start", mode="local", voice="Nobody", profile="plain")
            assert "built-in" in phone.error()
            phone.say("start", mode="local", model="gpt-9", profile="plain")
            assert "no model 'gpt-9'" in phone.error()
            phone.say("start", mode="claude", voice="Puck", profile="plain")
            assert phone.until("setup_complete")["voice"] == "browser"


def test_a_request_that_the_provider_refuses_is_told_with_its_reason(
    voice_serve: VoiceServe,
) -> None:
    script = {"steps": [{"on": "connect", "reply": [{"status": 400, "message": "No such thing."}]}]}
    with emulate("openai", script, check=False) as emulator:
        app = voice_serve.voice_app(emulator)
        with voice_serve.running(app) as client, Phone(client.port) as phone:
            phone.say("start", mode="openai", profile="plain")
            assert "No such thing." in phone.until("error")["message"]


def test_an_unknown_profile_is_refused_with_those_that_there_are(phone: Phone) -> None:
    phone.say("start", mode="gemini", profile="plan")
    assert "plain" in phone.error()


def test_a_person_who_is_kept_out_is_told_until_when(house: Any) -> None:
    client, _, app = house
    orchestrator = app.services.application.orchestrator
    asyncio.run_coroutine_threadsafe(
        orchestrator.block("mallory", 600, "rude"), orchestrator._loop
    ).result(10)
    with Phone(client.port) as phone:
        phone.say("start", mode="gemini", profile="plain", user="mallory")
        message = phone.next()
        assert message["type"] == "timeout"
        assert message["timeoutUntil"] == round(orchestrator.blocked_until("mallory") * 1000)
        assert "10 minutes" in message["message"]
        phone.start(user="ada")


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}],
)
def test_pages_of_other_origins_get_no_socket(house: Any, headers: dict[str, str]) -> None:
    client = house[0]
    request = [
        "GET /ws/vox HTTP/1.1",
        f"Host: {headers.get('Host', f'127.0.0.1:{client.port}')}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *(f"{name}: {value}" for name, value in headers.items() if name != "Host"),
    ]
    answer = client.raw("\r\n".join([*request, "", ""]).encode())
    assert answer.split(b" ")[1] == b"403"


def test_a_page_of_this_server_gets_one(house: Any) -> None:
    port = house[0].port
    with Phone(port, origin=f"http://127.0.0.1:{port}") as phone:
        phone.start()
    with pytest.raises(InvalidStatus):
        Phone(port, origin="https://evil.example")


# -- what clients do wrong ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {"type": "audio", "data": SPEECH},
        {"type": "audio_end"},
        {"type": "text", "text": "hi"},
        {"type": "interrupt"},
        {"type": "playback", "turn_id": 1, "played_ms": 5},
        {"type": "activity", "active": True},
        {"type": "browser_function_result", "fn_call_id": "a", "result": 1},
        {"type": "confirmation_response", "id": "a", "token": "b", "approve": True},
    ],
    ids=lambda message: message["type"],
)
def test_what_comes_before_start_is_refused_and_start_still_works(
    phone: Phone, message: dict[str, Any]
) -> None:
    phone.say(**message)
    assert f"`{message['type']}` comes after `start`" in phone.error()
    assert phone.heard[-1]["about"] == message["type"]
    phone.start()


def test_a_second_start_is_refused_and_the_first_goes_on(phone: Phone) -> None:
    phone.start()
    phone.say("start", mode="gemini")
    assert "under way" in phone.error()
    phone.works()


def test_two_starts_in_one_breath_make_one_conversation(house: Any) -> None:
    client, _, app = house
    with Phone(client.port) as phone:
        eventually(lambda: app.services.voice.held == 0)
        phone.say("start", mode="gemini", profile="plain")
        phone.say("start", mode="gemini", profile="plain")
        found = {phone.next()["type"], phone.next()["type"]}
        assert found == {"error", "setup_complete"}
        assert app.services.voice.held == 1
        phone.works()


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("{", "no JSON"),
        ("[]", "JSON object"),
        ('{"type":"adio"}', "Did you mean `audio`?"),
        ('{"type":"text"}', "`text`"),
        ('{"type":"audio","data":"!!!"}', "base64"),
        ('{"type":"audio","data":"YWJj"}', "odd"),
        (b"\x00\x00", "not agreed upon"),
        (json.dumps({"type": "text", "text": "x" * 1_000_000}), "at most 262144 bytes"),
        (json.dumps({"type": "audio", "data": "A" * 100_000}), "at most 65536 bytes"),
        ('{"type":"playback","turn_id":-1,"played_ms":0}', "`turn_id`"),
    ],
    ids=["json", "list", "type", "field", "base64", "odd", "binary", "long", "audio", "number"],
)
def test_what_makes_no_sense_is_refused_and_the_conversation_goes_on(
    phone: Phone, raw: str | bytes, said: str
) -> None:
    phone.start()
    phone.socket.send(raw)
    assert said in phone.error()
    phone.works()


def test_half_a_sample_in_a_binary_frame_is_refused(phone: Phone) -> None:
    phone.start(audio="binary")
    phone.socket.send(b"abc")
    assert "odd" in phone.error()


def test_a_frame_beyond_what_the_transport_takes_closes_the_socket(
    phone: Phone, house: Any
) -> None:
    phone.start()
    phone.socket.send("x" * (1024 * 1024 + 1))
    assert phone.closed()[0] == 1009
    eventually(lambda: house[2].services.voice.held == 0)


def test_a_client_that_is_wrong_all_the_time_is_closed(phone: Phone) -> None:
    for _ in range(100):
        phone.socket.send("{")
    assert phone.closed() == (1008, "too many messages that could not be taken")
    assert [m["type"] for m in phone.heard] == ["error"] * 100


def test_more_than_may_come_in_a_second_is_refused(voice_serve: VoiceServe) -> None:
    limits = VoiceLimits(bytes_per_second=1000, burst_bytes=4000)
    with voice_serve.talking(limits=limits) as (client, _, _), Phone(client.port) as phone:
        phone.start()
        for _ in range(10):
            phone.say("audio", data=SPEECH)
        assert "Too much at once: 1000 bytes" in phone.until("error")["message"]


def test_a_client_that_reads_nothing_is_cut_off_and_costs_nothing_more(
    voice_serve: VoiceServe,
) -> None:
    limits = VoiceLimits(send_deadline=0.2)
    with voice_serve.talking(limits=limits) as (client, _, app):
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        narrow.connect(("127.0.0.1", client.port))
        phone = Phone(client.port, sock=narrow, max_queue=1, close_timeout=0.1)
        with phone:
            phone.start()
            phone.say("text", text="flood")
            eventually(lambda: app.services.voice.held == 0)
        with Phone(client.port) as other:
            other.start()
            other.works()


@pytest.mark.parametrize("at", ["connected", "starting", "started", "speaking", "asked"])
@pytest.mark.parametrize("how", ["close", "cut"])
def test_a_client_may_go_at_any_moment(house: Any, at: str, how: str) -> None:
    client, _, app = house
    phone = Phone(client.port)
    if at != "connected":
        phone.say("start", mode="gemini", profile="plain")
    if at not in ("connected", "starting"):
        phone.until("setup_complete")
    if at == "speaking":
        phone.say("text", text="go on")
        phone.until("audio")
    if at == "asked":
        phone.say("text", text="open tools")
        phone.until("function_call")
    if how == "cut":
        phone.cut()
    phone.socket.close()
    eventually(lambda: app.services.voice.held == 0)
    with Phone(client.port) as next_one:
        next_one.start()
        next_one.works()
