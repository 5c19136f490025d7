"""The sound of spoken sessions: recorded only where that is on, played turn by turn, deleted."""

from __future__ import annotations

import base64
import io
import os
import wave
from array import array
from pathlib import Path
from typing import Any

from tests.server.ws.conftest import voice_serve  # noqa: F401 - a fixture
from tests.server.ws.phone import Phone, VoiceServe, eventually

from antiphon.agents.voice.recording import Recordings
from antiphon.server.recorded_sound import wav

LOUD = array("h", [12_000, -12_000] * 1600).tobytes()  # a fifth of a second of the person


def spoken(client: Any, phone: Phone) -> tuple[dict[str, Any], str]:
    """Says something aloud, hears the answer, hangs up."""
    ready = phone.start()
    phone.say("audio", data=base64.b64encode(LOUD).decode())
    phone.say("audio_end")
    phone.until("turn_complete")
    phone.say("end")
    phone.closed()
    session = ready["sessionId"]
    eventually(lambda: client.get(f"/api/sessions/{session}").json["ended_at"] is not None)
    return ready, session


def loudest(sound: bytes) -> list[int]:
    """The highest sample of the person's side and of the agent's."""
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, 16_000)
        samples = array("h", file.readframes(file.getnframes()))
    return [max(map(abs, samples[side::2])) for side in (0, 1)]


def test_nothing_is_recorded_unless_that_is_on(voice_serve: VoiceServe) -> None:  # noqa: F811
    with voice_serve.talking() as (client, _, app), Phone(client.port) as phone:
        ready, session = spoken(client, phone)
        reply = client.get(f"/api/traces/{session}/1/sound")
        assert client.get(f"/api/traces/{session}/1").json["recorded"] is False
        data = app.services.application.settings.data
    assert "recorded_days" not in ready
    assert (reply.status, reply.media_type) == (404, "application/problem+json")
    assert "voice.record" in reply.json["detail"]
    assert not (data / "recordings").exists()


def test_both_sides_are_heard_in_step_with_the_trace_until_the_conversation_is_deleted(
    voice_serve: VoiceServe,  # noqa: F811
) -> None:
    recorded = {"record": True, "record_days": 7}
    with voice_serve.talking(voice=recorded) as (client, _, app), Phone(client.port) as phone:
        ready, session = spoken(client, phone)
        assert ready["recorded_days"] == 7
        trace = client.get(f"/api/traces/{session}/1").json
        path = f"/api/traces/{session}/1/sound"
        sound = client.get(path)
        part = client.get(path, range="bytes=0-3")
        beyond = client.get(path, range="bytes=999999999-")
        [file] = (app.services.application.settings.data / "recordings").iterdir()
        mode = file.stat().st_mode & 0o777
        deleted = client.send("DELETE", f"/api/conversations/{session}")
        gone = client.get(path)
    assert trace["recorded"] is True
    assert (sound.status, sound.media_type) == (200, "audio/wav")
    person, agent = loudest(sound.body)
    assert trace["spans"][0]["kind"] == "speech"
    assert person > 11_000
    assert agent > 0
    seconds = (len(sound.body) - 44) / 4 / 16_000
    assert abs(seconds * 1000 - trace["duration_ms"]) < 2
    assert (part.status, part.body, part.headers["content-range"][:10]) == (
        206,
        b"RIFF",
        "bytes 0-3/",
    )
    assert beyond.status == 416
    assert (mode, deleted.status, gone.status, file.exists()) == (0o600, 204, 404, False)


async def test_what_was_cut_short_is_silent_and_what_is_quiet_is_not_kept(tmp_path: Path) -> None:
    clock = [1000.0]
    recordings = Recordings(tmp_path / "recordings", on=True, days=1)
    recorder = recordings.recorder("s1", lambda: clock[0])
    assert recorder is not None
    recorder.hear(array("h", [40] * 320).tobytes())
    recorder.say(array("h", [9000] * 24_000).tobytes())  # a second, sent at once
    clock[0] = 1000.25
    recorder.cut()
    await recorder.close()
    assert [piece.side for piece in recordings.pieces("s1")] == [b"a", b"c"]
    with wave.open(io.BytesIO(wav(recordings.pieces("s1"), 1000.0, 1001.0))) as file:
        agent = array("h", file.readframes(file.getnframes()))[1::2]
    assert min(agent[200:3800]) > 8000
    assert max(map(abs, agent[4200:])) == 0


async def test_old_recordings_go_and_a_torn_one_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    recordings = Recordings(tmp_path, on=True, days=1)
    for name in ("old", "new"):
        recorder = recordings.recorder(name, lambda: 1000.0)
        assert recorder is not None
        recorder.say(b"\1\2" * 480)
        recorder.say(b"\1\2" * 480)
        await recorder.close()
    os.utime(tmp_path / "old.sound", (0, 0))
    assert recordings.prune((tmp_path / "new.sound").stat().st_mtime) == 1
    assert [recordings.has(name) for name in ("old", "new", "../new", "")] == [False, True] + [
        False
    ] * 2
    torn = (tmp_path / "new.sound").read_bytes()[:-1]
    (tmp_path / "new.sound").write_bytes(torn)
    assert len(list(recordings.pieces("new"))) == 1
