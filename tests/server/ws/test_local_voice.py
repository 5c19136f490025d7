"""Recordings spoken to `/ws/vox` with the built-in model, by a plain client, and its answers heard.

What the person says is spoken by the embedded voice; what comes back is understood by the embedded
recogniser. Nothing is between them but the socket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from tests.server.conftest import Client
from tests.server.ws.local_calls import Caller, LocalServe, understood
from tests.server.ws.phone import Phone
from tests.speech.helpers import noise, said, silence, together

from antiphon.providers.local.speech_port import Manner

# Where it is between noon and one now: "tomorrow" is the same day to the end of a test.
NOON = ZoneInfo(f"Etc/GMT{datetime.now(UTC).hour - 12:+d}")


@pytest.fixture(scope="module")
def serve_local(tmp_path_factory: pytest.TempPathFactory) -> LocalServe:
    return LocalServe(tmp_path_factory.mktemp("local-voice"))


@pytest.fixture(scope="module")
def app(serve_local: LocalServe) -> Any:
    """Nobody there has to wait for speech to be played."""
    return serve_local.spoken_app(Manner(lead=None), calendar={"time_zone": NOON.key})


@pytest.fixture(scope="module")
def server(serve_local: LocalServe, app: Any) -> Iterator[int]:
    with serve_local.running(app) as client:
        with Caller(client.port) as warm:  # so that no thread is begun by a test
            warm.call()
            warm.speak("Who leads Harbor Light?")
            warm.answered()
        yield client.port


@pytest.fixture
def caller(server: int) -> Iterator[Caller]:
    with Caller(server) as one:
        one.call()
        yield one


def test_a_question_is_answered_aloud_with_the_record_that_says_so(caller: Caller) -> None:
    caller.speak("Who leads Harbor Light?")
    answer = caller.answered()
    assert re.search("harbor light", caller.transcript("user"), re.IGNORECASE)
    assert "kb_search" in caller.calls()
    assert "Kenji Okuhara" in answer
    assert "Harbor Light" in answer  # the record that it is taken from
    (result,) = [
        each["result"]
        for each in caller.heard
        if isinstance(each, dict) and each["type"] == "function_result" and "kb_search" in str(each)
    ]
    assert result["results"][0]["id"] == "project:harbor_light"
    assert "harbor light" in understood(caller.spoken).lower()


def test_a_follow_up_is_about_what_was_spoken_of(caller: Caller) -> None:
    caller.speak("Who leads Harbor Light?")
    caller.answered()
    caller.speak("And where does he work?")
    assert "Bergen" in caller.answered()
    assert "bergen" in understood(caller.spoken).lower()


def test_a_spoken_yes_approves_what_was_asked_aloud(caller: Caller) -> None:
    caller.speak("Leave a note that the coffee is cold.")
    asked = caller.until("confirmation_required")
    assert asked["fields"]
    caller.until("turn_complete")
    prompt = caller.spoken
    assert "note" in understood(prompt).lower()
    caller.listen(len(prompt) / 48_000 + 0.2)
    caller.speak("Yes, please.")
    resolved = caller.until("confirmation_resolved")
    assert resolved["outcome"] == "approved"
    assert "coffee" in str(resolved["result"])
    caller.heard.clear()
    caller.until("transcript", role="assistant")
    caller.until("turn_complete", reason="complete")


def test_a_pause_inside_a_question_does_not_make_two_of_it(caller: Caller) -> None:
    first, rest = said("What do you know?"), said("About Harbor Light.")
    caller.send(together(silence(0.2), first, silence(0.1), rest, silence(1.5)))
    caller.until("turn_complete", reason="complete")
    spoken = [
        each
        for each in caller.heard
        if isinstance(each, dict) and each["type"] == "transcript" and each["role"] == "user"
    ]
    before, whole = spoken
    assert whole["replaces"] == before["text"]
    assert re.search("what do you know.*harbor light", whole["text"], re.IGNORECASE)
    assert "Kenji Okuhara" in caller.transcript("assistant")


def test_the_session_ends_when_it_is_asked_to(caller: Caller) -> None:
    caller.speak("Please end the voice session.")
    assert caller.until("voice_session_end")["reason"] == "user_requested"
    assert "bye" in understood(caller.spoken).lower()
    assert caller.closed()[0] == 1000


def test_whoever_is_blocked_hears_the_farewell_before_the_line_ends(server: int) -> None:
    with Caller(server) as caller:
        caller.call(user="mallory")
        caller.speak("Block me for sixty seconds.")
        while (told := caller.until("timeout")).get("farewellMessage") is None:
            pass
        caller.heard.clear()
        over = caller.until("voice_session_end")
        assert (over["reason"], over["textResponse"]) == ("user_blocked", None)
        assert caller.transcript("assistant").strip() == told["message"] == told["farewellMessage"]
        heard = re.findall(r"[a-z]+", understood(caller.spoken).lower())
        assert set(heard) & set(re.findall(r"[a-z]+", told["message"].lower()))
        assert caller.closed()[0] == 1000


def test_words_are_told_while_they_are_spoken(caller: Caller) -> None:
    caller.send(together(silence(0.2), said("Where does Kenji Okuhara work in the summer?")))
    assert caller.until("partial_transcript", role="user")["text"]
    caller.say("audio_end")
    caller.until("transcript", role="user", final=True)


def test_what_is_typed_is_answered_aloud(caller: Caller) -> None:
    caller.say("text", text="hello")
    assert caller.answered() == "Hello. What can I do for you?"
    assert "hello" in understood(caller.spoken).lower()


def test_what_is_typed_is_answered_without_a_sound_where_nobody_wants_to_hear_it(
    server: int,
) -> None:
    with Caller(server) as caller:
        session = caller.start("local", audio="binary", greeting=False)["sessionId"]
        caller.say("text", text="Who leads Harbor Light?", speak=False)
        caller.until("turn_complete")
        assert caller.spoken == b""
        written = [e["text"] for e in caller.heard if isinstance(e, dict) and e["type"] == "text"]
        assert "Kenji Okuhara" in "".join(written)
        caller.say("text", text="hello", speak=True)
        assert caller.answered() == "Hello. What can I do for you?"
        assert caller.spoken
    channels = [(each["role"], each["channel"]) for each in _said(server, session)]
    assert channels[-4:] == [
        ("user", "text"),
        ("assistant", "text"),
        ("user", "text"),
        ("assistant", "voice"),
    ]


def _said(server: int, session: str) -> list[dict[str, Any]]:
    turns = Client(server).get(f"/api/sessions/{session}/timeline").json["turns"]
    return [entry for turn in turns for entry in turn["entries"] if entry["kind"] == "said"]


def test_the_talk_button_says_where_an_utterance_ends(server: int) -> None:
    with Caller(server) as caller:
        caller.call(push_to_talk=True)
        caller.send(together(said("This is not heard by anybody."), silence(1.0)))
        caller.say("activity", active=True)
        caller.send(together(said("Who leads"), silence(1.5), said("Harbor Light?")))
        caller.say("activity", active=False)
        assert "Kenji" in caller.answered()
        assert "Who leads" in caller.transcript("user")


def test_a_conversation_goes_on_after_the_socket_was_lost(server: int) -> None:
    with Caller(server) as first:
        first.say("start", mode="local", profile="plain", greeting=False)
        token = first.until("setup_complete")["session_token"]
        first.say("text", text="Who leads Harbor Light?")
        turn = first.until("turn_complete")["turn_id"]
        # Heard to its end; else it would be said once more.
        first.say("playback", turn_id=turn, played_ms=60_000)
    with Caller(server) as second:
        second.say("start", session_token=token, audio="binary")
        assert second.until("setup_complete")["resumed"]
        second.speak("And where does he work?")
        assert "Bergen" in second.answered()


def test_whoever_was_spoken_of_is_meant_after_the_socket_was_lost(server: int) -> None:
    """Trap: what was found last is not what was spoken of, and names somebody else."""
    with Caller(server) as first:
        first.say("start", mode="local", profile="plain", greeting=False)
        token = first.until("setup_complete")["session_token"]
        for question in ("Who leads Harbor Light?", "When is the coffee machine switched off?"):
            first.say("text", text=question)
            turn = first.until("turn_complete")["turn_id"]
            first.say("playback", turn_id=turn, played_ms=60_000)
    with Caller(server) as second:
        second.say("start", session_token=token, audio="binary")
        assert second.until("setup_complete")["resumed"]
        second.say("text", text="And where does he work?")
        answer = second.answered()
        assert "Bergen" in answer
        assert "Lisbon" not in answer


def test_it_is_listed_as_there(serve_local: LocalServe) -> None:
    with serve_local.running(serve_local.app()) as client:
        status = client.get("/api/vox/status").json
    assert status["local_available"] is True
    assert status["backends"][0]["why"] is None


# -- whatever else a microphone hears ----------------------------------------------------------


def _voices(first: str, second: str) -> Any:
    one, two = said(first), said(second)
    size = max(len(one), len(two))
    return np.pad(one, (0, size - len(one))) + 0.8 * np.pad(two, (0, size - len(two)))


def _song(seconds: float) -> Any:
    """A tune with overtones over a drum, which is nearer to a voice than a chord is."""
    tune, beat = np.random.default_rng(7), 4000
    at = np.arange(beat) / 16_000
    drum = 0.4 * np.exp(-30 * at) * np.sin(2 * np.pi * 60 * at)
    bars = []
    for pitch in tune.choice([220.0, 246.9, 261.6, 293.7, 329.6, 392.0], round(4 * seconds)):
        notes = sum(np.sin(2 * np.pi * pitch * n * at) / n for n in range(1, 8))
        hiss = 0.15 * np.exp(-60 * at) * tune.standard_normal(beat)
        bars.append(0.2 * np.exp(-3 * at) * notes + drum + hiss)
    return np.concatenate(bars).astype(np.float32)


@pytest.mark.parametrize(
    "sound",
    [
        lambda: silence(4.0),
        lambda: noise(4.0, 0.05),
        lambda: _song(4.0),
    ],
    ids=["silence", "noise", "music"],
)
def test_what_is_no_speech_is_not_answered(caller: Caller, sound: Any) -> None:
    caller.send(together(sound(), silence(1.0)))
    caller.speak("Who leads Harbor Light?")
    assert "Kenji" in caller.answered()
    before = caller.heard[: caller.heard.index(caller.heard[-1])]
    finals = [e for e in before if isinstance(e, dict) and e.get("final") and e["role"] == "user"]
    assert len(finals) == 1


def test_half_a_minute_of_talking_is_one_turn(caller: Caller) -> None:
    story = said(
        "I was in the harbor this morning and the ferry was late again because of the fog, "
        "and then the whole crew went to the kitchen to drink some coffee"
    )
    pieces = [piece for _ in range(4) for piece in (story, silence(0.2))]
    assert sum(map(len, pieces)) >= 30 * 16_000
    caller.send(together(*pieces, silence(1.0)))
    caller.answered()
    assert len(caller.transcript("user").split()) > 60
    caller.speak("Who leads Harbor Light?")
    assert "Kenji" in caller.answered()


def test_two_people_at_once_get_one_answer(caller: Caller) -> None:
    both = _voices("Who leads Harbor Light?", "I would like some coffee with milk and sugar.")
    caller.send(together(silence(0.2), both, silence(1.2)))
    caller.answered()
    assert caller.transcript("user")
    caller.speak("Who leads Harbor Light?")
    assert "Kenji" in caller.answered()


# -- cutting in --------------------------------------------------------------------------------


@pytest.fixture
def played(app: Any) -> Iterator[None]:
    """What the agent says is played, and takes its time."""
    manner, app.services.application.manner = app.services.application.manner, Manner(lead=0.3)
    yield
    app.services.application.manner = manner


@pytest.mark.usefixtures("played")
def test_who_cuts_in_is_listened_to_and_the_answer_stops(server: int) -> None:
    with Caller(server) as caller:
        caller.call()
        caller.speak("What are the kitchen rules?")
        while not isinstance(caller.next(), bytes):
            pass
        caller.send(together(said("Who leads Harbor Light?"), silence(1.0)))
        cut = caller.until("interrupted")
        # Of the answer that was cut short nothing more comes: not one piece of its sound.
        caller.heard.clear()
        assert "Kenji" in caller.answered()
        turns = [int.from_bytes(e[:4], "little") for e in caller.heard if isinstance(e, bytes)]
        assert turns
        assert min(turns) > cut["turn_id"]


@pytest.mark.usefixtures("played")
def test_an_answer_is_kept_as_it_was_shown_when_the_socket_is_lost_in_its_midst(
    server: int,
) -> None:
    with Caller(server) as caller:
        ready = caller.start("local", audio="binary", greeting=False)
        session, token = ready["sessionId"], ready["session_token"]
        caller.say("text", text="What are the kitchen rules?")
        caller.until("transcript", role="assistant")
        shown = caller.until("transcript", role="assistant")["text"]
    with Caller(server) as caller:
        caller.say("start", session_token=token, audio="binary")
        assert caller.until("setup_complete")["resumed"]
        assert caller.answered().strip(" …"), "the rest is said, and nothing that says nothing"
    answer, *_ = [each for each in _said(server, session) if each["role"] == "assistant"]
    assert answer["text"].endswith(shown.strip())
    assert 0 <= answer["heard"] < len(answer["text"])
    assert not answer["interrupted"], "nobody cut in"
    assert "…" not in str(_said(server, session))


def test_what_can_be_done_in_writing_only_goes_on_in_the_chat(server: int) -> None:
    with Caller(server) as caller:
        session = caller.start("local", audio="binary", greeting=False)["sessionId"]
        caller.speak("Draw a lighthouse at night.")
        assert "in writing only" in caller.answered()
        assert "image_generate" not in caller.calls()
        caller.speak("Yes, please.")
        ended = caller.until("voice_session_end")
        assert ended["reason"] == "switch_to_text"
        assert "lighthouse at night" in ended["textResponse"]
    body = {"message": "Yes", "session_id": session, "profile": "plain"}
    answer = Client(server).post("/api/chat", body, accept="application/json").json
    (call,) = answer["calls"]
    assert call["name"] == "image_generate"
    assert "lighthouse at night" in call["args"]["prompt"]


# -- all of it ---------------------------------------------------------------------------------


def test_a_conversation_finds_goes_on_makes_an_event_that_is_approved_and_ends(
    server: int,
) -> None:
    tomorrow = datetime.now(NOON) + timedelta(days=1)
    with Caller(server) as caller:
        caller.call(user="ada")
        caller.speak("Who leads Harbor Light?")
        assert "Kenji Okuhara" in caller.answered()
        assert "project:harbor_light" in str(caller.heard)
        caller.speak("And where does he work?")
        assert "Bergen" in caller.answered()

        caller.speak("Schedule a design review tomorrow from 3 to 4 pm with ada@example.org.")
        asked = caller.until("confirmation_required")
        assert (asked["tool"], asked["risk"]) == ("calendar_create_event", "high")
        caller.until("turn_complete")
        caller.speak("Yes, please.")
        assert "not enough" in caller.answered()  # what is at risk is approved by a deliberate act
        caller.heard.clear()
        caller.say("confirmation_response", id=asked["id"], token=asked["token"], approve=True)
        resolved = caller.until("confirmation_resolved")
        assert resolved["outcome"] == "approved"
        caller.until("turn_complete")
        told = f"{tomorrow:%A} {tomorrow.day} {tomorrow:%B}, 15:00 to 16:00"
        assert f"Design review: {told}" in caller.transcript("assistant")
        assert "design review" in understood(caller.spoken).lower()

        caller.speak("What is in my calendar tomorrow?")
        assert f"Design review, {told}" in caller.answered()

        caller.speak("Please end the voice session.")
        assert caller.until("voice_session_end")["reason"] == "user_requested"
        assert caller.closed()[0] == 1000


def test_without_the_packages_it_says_what_to_install(serve_local: LocalServe) -> None:
    app = serve_local.spoken_app(Manner(), speech={"recognizer": "faster-whisper"})
    with serve_local.running(app) as client, Phone(client.port) as phone:
        phone.say("start", mode="local", profile="plain")
        assert "pip install faster-whisper" in phone.until("error", fatal=True)["message"]
