"""`antiphon talk`: a recording is answered aloud, and what cannot be used is said in words."""

from __future__ import annotations

import asyncio
import json
import os
import struct
import wave
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.server.ws.local_calls import understood, write_knowledge, write_tools
from tests.speech.helpers import said, silence

from antiphon.cli import main
from antiphon.cli.audio_devices import SoundError, read_wav
from antiphon.cli.talk_client import TalkClient
from antiphon.cli.talk_session import FileTalk, LiveTalk
from antiphon.speech.audio import from_pcm, resample, to_pcm
from antiphon.testing import run_real


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory of its own, and none of this machine's settings."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ANTIPHON_", "GEMINI_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    return tmp_path


def talk(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    found = main(["talk", *arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert found == status, captured.err
    return captured.out, captured.err


def record(path: Path, *parts: Any) -> Path:
    """As a phone might: 44.1 kHz, in stereo."""
    mono = resample(np.concatenate(parts), 16_000, 44_100)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(44_100)
        file.writeframes(to_pcm(np.repeat(mono, 2)))
    return path


@pytest.fixture
def studio(folder: Path) -> Path:
    """A few tools and records, and a profile that has all of them."""
    write_tools(folder)
    write_knowledge(folder / ".antiphon")
    (folder / "profiles").mkdir()
    (folder / "profiles" / "assistant.toml").write_text('description = "Every tool."\n')
    (folder / "antiphon.toml").write_text('[tools]\nfolders = ["tools"]\n')
    return folder


def test_a_recording_is_answered_aloud_and_in_writing(
    studio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = record(studio / "in.wav", silence(0.2), said("Who leads Harbor Light?"))
    out, err = talk(capsys, "--wav", str(question), "--out", "out.wav")
    you, agent = out.splitlines()
    assert you.lower() == "you: who leads harbor light?"
    assert agent.startswith("Agent: ")
    assert "Harbor Light" in agent
    assert "Kenji Okuhara" in agent
    assert "kb_search {" in err
    assert ": run (run)" in err
    assert "kb_search: ok" in err
    with wave.open("out.wav") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        assert "harbor light" in understood(file.readframes(file.getnframes())).lower()


def test_a_backend_without_a_key_is_told_as_json_too(
    studio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet = record(studio / "in.wav", silence(0.1))
    out, _ = talk(capsys, "--wav", str(quiet), "--backend", "gemini", "--json", status=1)
    (message,) = [json.loads(line) for line in out.splitlines()]
    assert message["type"] == "error"
    assert "GEMINI_API_KEY" in message["message"]


def test_what_is_no_recording_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "text.wav").write_text("hello")
    for name, words in (("text.wav", "does not begin as one"), ("none.wav", "No such file")):
        _, err = talk(capsys, "--wav", name, status=1)
        assert words in err
    _, err = talk(capsys, "--wav", "text.wav", "--out", "nowhere/out.wav", status=1)
    assert "there is no folder nowhere" in err
    assert not (folder / ".antiphon").exists()


def test_wrong_usage_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "needs --wav" in talk(capsys, "--out", "out.wav", status=2)[1]
    assert "must be one of local" in talk(capsys, "--backend", "gemni", status=2)[1]


def test_without_a_microphone_it_says_what_else_there_is(
    studio: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        if any(d["max_input_channels"] for d in import_module("sounddevice").query_devices()):
            pytest.skip("there is a microphone here")
    except (ImportError, OSError):
        pass
    _, err = talk(capsys, status=1)
    assert "microphone" in err
    assert "--wav in.wav" in err


# -- a file at a line --------------------------------------------------------------------------


class Shown:
    """A screen that only remembers."""

    asks = False

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def show(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def note(self, text: str) -> None:
        self.notes.append(text)


class Server:
    """The other side of a line. `seconds` of the person's sound were taken so far."""

    def __init__(self, line: TalkClient) -> None:
        self._line = line
        self.seconds = 0.0

    async def say(self, type: str, **fields: Any) -> None:
        await self._line.send(
            {"type": "websocket.send", "text": json.dumps({"type": type, **fields})}
        )

    async def speak(self, milliseconds: int) -> None:
        pcm = bytes(4) + bytes(48 * milliseconds)
        await self._line.send({"type": "websocket.send", "bytes": pcm})

    async def message(self) -> dict[str, Any] | None:
        """The next message; None for sound, and for the end of the line."""
        event = await self._line.receive()
        if event.get("text") is not None:
            found: dict[str, Any] = json.loads(event["text"])
            return found
        self.seconds += len(event.get("bytes", b"")) / 32_000
        return None

    async def idle(self, seconds: float) -> None:
        """Takes whatever comes for so long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    await self.message()

    async def until(self, type: str) -> dict[str, Any]:
        while True:
            message = await self.message()
            if message is not None and message["type"] == type:
                return message


def at_a_line(pcm: bytes, serving: Callable[[Server], Any]) -> tuple[int, FileTalk, Shown]:
    async def main() -> tuple[int, FileTalk, Shown]:
        line, shown = TalkClient(), Shown()
        talking, server = FileTalk(line, shown, pcm), Server(line)
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(serving(server))
            status = await talking.run({"mode": "local"})
        return status, talking, shown

    return run_real(main())


def test_the_file_waits_while_it_is_answered() -> None:
    async def serving(server: Server) -> None:
        start = await server.until("start")
        assert (start["mode"], start["audio"]) == ("local", "binary")
        await server.say("setup_complete", voice="built-in", mode="local")
        while server.seconds < 0.5:
            await server.message()
        await server.say("transcript", role="user", text="Well?", final=True)
        await server.speak(20)
        taken = server.seconds
        await server.idle(0.3)  # what was on its way comes, and no more
        assert server.seconds - taken < 0.5
        await server.say("turn_complete", turn=1, reason="complete")
        await server.until("audio_end")
        assert server.seconds == pytest.approx(3.0, abs=0.05)  # with the silence behind it

    status, talking, shown = at_a_line(bytes(64_000), serving)
    assert (status, shown.notes) == (0, [])
    assert len(talking.spoken) == 48 * 20


def test_a_file_without_words_and_what_was_not_approved_are_told() -> None:
    async def serving(server: Server) -> None:
        await server.until("start")
        await server.say("setup_complete", voice="built-in", mode="local")
        await server.say("confirmation_required", id="1", token="t", preview="Send it.")
        await server.until("audio_end")

    status, _, shown = at_a_line(bytes(640), serving)
    assert status == 1
    assert shown.notes == ["No words were heard.", "Not done without your approval: Send it."]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"type": "error", "message": "No."}, []),
        (
            {"type": "setup_complete", "voice": "browser", "mode": "claude"},
            ["claude neither hears nor speaks; use antiphon chat."],
        ),
    ],
)
def test_a_conversation_that_cannot_begin_is_an_error(
    answer: dict[str, Any], words: list[str]
) -> None:
    async def serving(server: Server) -> None:
        await server.until("start")
        await server.say(**answer)
        await server.until("end")
        await server._line.send({"type": "websocket.close", "code": 1000})

    status, _, shown = at_a_line(bytes(640), serving)
    assert (status, shown.notes) == (1, words)


class StandIn:
    """A microphone and a loudspeaker that are none."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[bytes] = asyncio.Queue()
        self.waiting: list[tuple[int, bytes]] = []

    def play(self, pcm: bytes, turn: int) -> None:
        self.waiting.append((turn, pcm))

    def flush(self) -> None:
        self.waiting.clear()

    def played(self) -> dict[int, int]:
        return {turn: len(pcm) // 48 for turn, pcm in self.waiting}


@pytest.mark.real_time
async def test_the_microphone_is_heard_and_speech_is_played_until_somebody_cuts_in() -> None:
    line, shown, devices = TalkClient(), Shown(), StandIn()
    server = Server(line)

    async def serving() -> None:
        await server.until("start")
        await server.say("setup_complete", voice="built-in", mode="local")
        devices.heard.put_nowait(bytes(3_200))
        while not server.seconds:
            await server.message()
        await server.speak(40)
        assert await server.until("playback") == {
            "type": "playback",
            "turn_id": 0,
            "played_ms": 40,
        }
        await server.say("interrupted", turn_id=0)
        await server.say("voice_session_end", reason="user_requested")
        await line.send({"type": "websocket.close", "code": 1000})

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(serving())
        status = await LiveTalk(line, shown, devices).run({"mode": "local"})  # type: ignore[arg-type]
    assert (status, devices.waiting) == (0, [])
    assert shown.messages[-1]["type"] == "voice_session_end"


# -- files -------------------------------------------------------------------------------------

TONE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(8_000) / 16_000)).astype(np.float32)


def riff(kind: int, bits: int, data: bytes, channels: int = 1, extra: bytes = b"") -> bytes:
    size = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, 16_000, 16_000 * size, size, bits) + extra
    body = b"WAVE" + b"junk" + struct.pack("<I", 3) + b"abc\0"
    body += b"fmt " + struct.pack("<I", len(form)) + form
    body += b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _24_bits(samples: Any) -> bytes:
    return b"".join(int(s).to_bytes(3, "little", signed=True) for s in np.rint(samples * 2**23))


@pytest.mark.parametrize(
    "content",
    [
        riff(1, 8, (TONE * 127 + 128).astype(np.uint8).tobytes()),
        riff(1, 16, to_pcm(TONE)),
        riff(1, 24, _24_bits(TONE)),
        riff(1, 32, (TONE * (2**31 - 1)).astype("<i4").tobytes()),
        riff(3, 32, TONE.astype("<f4").tobytes()),
        riff(3, 64, TONE.astype("<f8").tobytes()),
        riff(1, 16, to_pcm(np.repeat(TONE, 2)), channels=2),
        riff(0xFFFE, 16, to_pcm(TONE), extra=bytes(8) + struct.pack("<H", 1) + bytes(14)),
    ],
    ids=["8", "16", "24", "32", "float", "double", "stereo", "extensible"],
)
def test_every_usual_kind_of_wav_is_read(folder: Path, content: bytes) -> None:
    (folder / "in.wav").write_bytes(content)
    assert np.abs(from_pcm(read_wav(folder / "in.wav")) - TONE).max() < 0.02


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"RIFF\0\0\0\0WAVE",
        riff(85, 16, b"mp3"),
        riff(1, 16, b"", channels=0),
        riff(1, 0, b"abcd"),
        riff(1, 16, to_pcm(TONE))[:30],
    ],
)
def test_a_wav_that_makes_no_sense_is_refused_in_words(folder: Path, content: bytes) -> None:
    (folder / "in.wav").write_bytes(content)
    with pytest.raises(SoundError, match="no WAV file that can be used"):
        read_wav(folder / "in.wav")
