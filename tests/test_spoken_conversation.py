"""Whole conversations from a plain client, with the server and the model as separate processes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
import wave
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.effort import thorough

from antiphon.cli import main
from antiphon.emulators.base import Emulator, speech
from antiphon.emulators.runner import emulate
from antiphon.emulators.script import Script

EXAMPLES = Path(__file__).parents[1] / "examples"
SCRIPT = EXAMPLES / "emulate" / "conversation.yaml"
CLIENT = EXAMPLES / "voice_client.py"
WAIT = 90
CUT_IN_MS = 300
BYTES_PER_MS = 48
API = {"gemini": "gemini", "openai": "openai", "claude": "anthropic"}


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    # The built-in model is not asked here; to load it takes longer than all the rest.
    monkeypatch.setenv("ANTIPHON_SERVER__WARM_UP", "false")


def run(*command: str | Path, folder: Path, status: int = 0) -> str:
    """A program to its end, which leaves no process behind; what it printed."""
    program = subprocess.Popen(
        [sys.executable, "-W", "error", *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        start_new_session=True,
    )
    try:
        printed, _ = program.communicate(timeout=WAIT)
    finally:
        left = _end_group(program.pid)
    assert program.returncode == status, printed
    assert not left, f"it left processes behind: {printed}"
    return printed


def _end_group(group: int) -> bool:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def lines(folder: Path) -> list[tuple[str, str]]:
    """Who said what, from the transcript."""
    text = (folder / "transcript.md").read_text("utf-8")
    return re.findall(r"^\*\*(.+?):\*\* (.*)$", text, re.MULTILINE)


def said_by(who: str, transcript: list[tuple[str, str]]) -> list[str]:
    return [text for name, text in transcript if name == who]


def heard(folder: Path) -> bytes:
    with wave.open(str(folder / "answer.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 24_000)
        return file.readframes(file.getnframes())


# -- the conversation of the examples ----------------------------------------------------------


@pytest.mark.parametrize(
    ("backend", "approve"),
    [("gemini", True), ("openai", False), pytest.param("claude", True, marks=thorough)],
)
def test_a_whole_conversation_is_held_and_kept(
    backend: str, approve: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [] if approve else ["--no"]
    run(EXAMPLES / "conversation.py", backend, "--out", "talk", *options, folder=tmp_path)
    folder = tmp_path / "talk"

    transcript = lines(folder)
    beats = [beat for step in Script.load(SCRIPT).steps for beat in step.reply]
    words = [beat.value for beat in beats if beat.kind == "say"]
    unsaid = words.pop(2)  # the person cuts in before it
    said = said_by("Model", transcript)
    if backend == "claude":  # it writes word by word, and may be cut off in the midst of the line
        begun, words[1] = words[1], said[1]
        assert said[1]
        assert begun.startswith(said[1])
    assert said == words
    assert unsaid not in str(transcript)
    person = said_by("You", transcript)
    assert [text for text in person if text != "(cut in)"] == [
        beat.value for beat in beats if beat.kind == "hear"
    ]
    assert person.count("(cut in)") == 1
    assert said_by("Answered", transcript) == ["approved" if approve else "denied"]
    assert said_by("Over", transcript) == ["conversation_complete"]
    assert "linkedin.com" in said_by("In writing", transcript)[0]
    (search,) = said_by("kb_search", transcript)
    assert re.search(r"run \(rule run\), [\d.]+ ms: done$", search)
    asked, *ran = said_by("take_message", transcript)
    assert "confirm (rule confirmation)" in asked
    assert len(ran) == approve
    assert all(re.search(r"run \(rule run\), [\d.]+ ms: done$", text) for text in ran)

    spoken = [speech(beat) for beat in beats if beat.kind == "say"]
    greeting, cut, _, *rest = spoken
    after = b"".join(rest)
    found = heard(folder)
    if backend == "claude":  # it writes, and the browser would speak
        assert found == b""
    else:
        part = len(found) - len(greeting) - len(after)
        assert found == greeting + cut[:part] + after
        assert CUT_IN_MS * BYTES_PER_MS <= part <= len(cut)

    query = ["audit", "query", "--event", "tool_execution", "--json"]
    assert main([*query, "--data", str(folder / "data")]) == 0
    calls = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    once = ["kb_search", *(["take_message"] if approve else []), "end_voice_session"]
    assert [call["toolId"] for call in calls] == once
    messages = folder / "messages.jsonl"
    assert (messages.read_text("utf-8").count("\n") if messages.exists() else 0) == approve
    assert main(["audit", "verify", "--data", str(folder / "data")]) == 0


def test_what_cannot_be_said_is_told_before_anybody_is_called(tmp_path: Path) -> None:
    (tmp_path / "noise.wav").write_bytes(b"RIFF")
    printed = run(CLIENT, "--say", "noise.wav", folder=tmp_path, status=1)
    assert printed == "Problem: noise.wav cannot be read as WAV: it is no sound\n"


# -- a server, and whoever talks to it ------------------------------------------------------------


@contextmanager
def serving(folder: Path, *emulators: Emulator, host: str | None = None) -> Iterator[int]:
    """`antiphon serve` with the studio's reception, in a process of its own; its port. It answers
    under a further `host`."""
    settings = {} if host is None else {"ANTIPHON_SERVER__HOSTS": host}
    for each in emulators:
        backend = next(name for name, api in API.items() if api == each.api)
        prefix = f"ANTIPHON_PROVIDERS__{backend.upper()}__"
        settings |= {f"{prefix}API_KEY": each.key or "", f"{prefix}BASE_URL": each.base_url}
        settings |= {f"{prefix}CA_FILE": str(each.ca_file or "")}
    begin = "from antiphon.cli import main; raise SystemExit(main())"
    config = str(EXAMPLES / "studio" / "antiphon.toml")
    command = [sys.executable, "-c", begin, "serve", "--port", "0"]
    server = subprocess.Popen(
        [*command, "--config", config, "--data", str(folder / "data")],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, **settings},
    )
    try:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+) ", server.stdout.readline())
        assert found, "it did not start"
        yield int(found[1])
        server.terminate()
        server.communicate(timeout=WAIT)
        assert server.returncode == 0
    finally:
        server.kill()
        server.communicate()


def chat(port: int, **body: Any) -> dict[str, Any]:
    asked = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/chat",
        json.dumps({"profile": "reception", **body}).encode(),
        {"content-type": "application/json", "accept": "application/json"},
    )
    with urllib.request.urlopen(asked, timeout=WAIT) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


@pytest.mark.parametrize(
    ("written", "spoken"),
    [("claude", "gemini"), pytest.param("openai", "openai", marks=thorough)],
)
def test_a_written_conversation_goes_on_by_voice_and_then_in_writing(
    written: str, spoken: str, tmp_path: Path
) -> None:
    request = "who leads North Window"
    by_text: list[Any] = [
        {
            "on": "text",
            "with": {"text": "rather talk", "tools": ["start_voice_session"]},
            "reply": [
                {"call": {"name": "start_voice_session", "args": {"pending_request": request}}}
            ],
        },
        {"on": "results", "with": {"ok": True}, "reply": ["complete"]},
    ]
    by_voice: list[Any] = [
        {"on": "text", "with": {"text": request}, "reply": [{"say": "Dario Vescovelli does."}]},
        {
            "on": "text",
            "with": {"text": "Thank you"},
            "reply": [{"call": {"name": "end_voice_session", "args": {"text_response": "Dario."}}}],
        },
        {"on": "results", "with": {"ok": True}, "reply": [{"say": "Until then."}]},
    ]
    back = [{"on": "text", "with": {"text": "Who was it?"}, "reply": [{"say": "Dario, I said."}]}]
    if written == spoken:
        scripts = {written: by_text + by_voice + back}
    else:
        scripts = {written: by_text + back, spoken: by_voice}
    with ExitStack() as stack:
        models = {
            name: stack.enter_context(emulate(API[name], script))
            for name, script in scripts.items()
        }
        port = stack.enter_context(serving(tmp_path, *models.values()))
        first = chat(port, message="I would rather talk", backend=written)
        assert first["startVoiceSession"] is True
        assert first["pendingRequest"] == request
        run(
            *(CLIENT, "--url", f"ws://127.0.0.1:{port}/ws/vox", "--mode", spoken, "--fast"),
            *("--pending-request", first["pendingRequest"], "--conversation", first["session_id"]),
            *("--profile", "reception", "--listen", "--type", "Thank you", "--out", "talk"),
            folder=tmp_path,
        )
        transcript = lines(tmp_path / "talk")
        assert said_by("Model", transcript) == ["Dario Vescovelli does.", "Until then."]
        assert said_by("In writing", transcript) == ["Dario."]
        last = chat(port, message="Who was it?", backend=written, session_id=first["session_id"])
        assert last["message"] == "Dario, I said."
        told = json.dumps(models[written].received[-1])
        for words in (request, "Dario Vescovelli does.", "Thank you", "Until then."):
            assert words in told


# -- a line that is lost ---------------------------------------------------------------------------


class Cut:
    """A way to a server that is cut once, when certain words have come over it."""

    def __init__(self, words: bytes) -> None:
        self._server = 0
        self._words = words
        self._done = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.port = self._listener.getsockname()[1]

    def __enter__(self) -> Cut:
        return self

    def lead_to(self, port: int) -> None:
        """Let everybody through to a server."""
        self._server = port
        self._begin(self._accept)

    def __exit__(self, *error: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._sockets:
            _shut(each)
        for thread in self._threads:
            thread.join(WAIT)
        for each in self._sockets:
            each.close()

    def _begin(self, work: Any, *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server), WAIT)
            self._sockets += [client, server]
            self._begin(self._pass, client, server, None)
            self._begin(self._pass, server, client, self._words)

    def _pass(self, source: socket.socket, target: socket.socket, words: bytes | None) -> None:
        seen = b""
        try:
            while data := source.recv(65536):
                target.sendall(data)
                seen = seen[-1000:] + data
                if words is not None and words in seen and not self._done:
                    self._done = True
                    break
        except OSError:
            pass  # the other way was cut
        _shut(source)
        _shut(target)


def _shut(each: socket.socket) -> None:
    with suppress(OSError):  # it is closed already
        each.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("backend", [pytest.param("gemini", marks=thorough), "claude"])
def test_what_was_not_heard_is_said_when_the_line_is_there_again(
    backend: str, tmp_path: Path
) -> None:
    script = [
        {"on": "text", "with": {"text": "Greet"}, "reply": [{"say": "Hello."}]},
        {
            "on": "text",
            "with": {"text": "Tell me a story"},
            "reply": [{"say": "Once upon a midnight", "ms": 20_000}, {"wait": 120}],
        },
        {
            "on": "text",
            "with": {"text": "/Go on from there|Tell me a story/"},
            "reply": [{"say": "and so it ended."}],
        },
    ]
    with (
        emulate(API[backend], script) as model,
        Cut(b"midnight") as way,
        serving(tmp_path, model, host=f"127.0.0.1:{way.port}") as port,
    ):
        way.lead_to(port)
        run(
            *(CLIENT, "--url", f"ws://127.0.0.1:{way.port}/ws/vox", "--mode", backend, "--fast"),
            *("--profile", "reception", "--listen", "--type", "Tell me a story", "--out", "talk"),
            folder=tmp_path,
        )
    transcript = lines(tmp_path / "talk")
    sessions = said_by("Session", transcript)
    assert [text.rpartition(", ")[2] for text in sessions] == ["new)", "again)"]
    assert len({text.split()[0] for text in sessions}) == 1
    assert len(said_by("Line", transcript)) == 1
    assert said_by("Model", transcript)[-1] == "and so it ended."
