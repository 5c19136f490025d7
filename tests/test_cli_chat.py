"""`antiphon chat`: one question, pipes, JSON lines, and a conversation at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import EMULATED, VENDORS, calls, says, step
from tests.server.conftest import write_workshop
from tests.tasks.world import write_file_tools

from antiphon.cli import main
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate

KEYED = '    words += [os.environ["WORD_LIST_KEY"], os.environ["WORD_LIST_REGION"]]\n'
RUN = "import sys; from antiphon.cli import main; sys.exit(main())"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with tools and a profile, and none of this machine's settings."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ANTIPHON_", "GEMINI_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    write_workshop(tmp_path / "tools")
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles" / "assistant.toml").write_text('description = "Every tool."\n')
    return tmp_path


@contextmanager
def talking(script: Any, vendor: str = "claude", *, check: bool = True) -> Iterator[Emulator]:
    """The settings of the working directory lead to an emulated provider."""
    with emulate(EMULATED[vendor], script, check=check) as emulator:
        lines = [
            "[tools]",
            'folders = ["tools"]',
            "[agent]",
            f'backend = "{vendor}"',
            f"[providers.{vendor}]",
            'api_key = "test-key"',
            f'base_url = "{emulator.base_url}"',
        ]
        if emulator.ca_file:
            lines.append(f'ca_file = "{emulator.ca_file}"')
        Path("antiphon.toml").write_text("\n".join(lines))
        yield emulator


def chat(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[str, str]:
    found = main(["chat", *arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert found == status, captured.err
    return captured.out, captured.err


def piped(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, "chat", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
    )


# -- one question ------------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", VENDORS)
def test_one_question_is_answered_with_its_calls_beside_it(
    vendor: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = [
        step("text", calls(("find", {"query": "ada"}), text="Let me look."), text="Who is Ada?"),
        step("results", says("A mathematician."), ok=True),
    ]
    with talking(script, vendor):
        out, err = chat(capsys, "--message", "Who is Ada?")
    # What is said, and nothing else, is what a pipeline gets.
    assert out == "Let me look.\n\nA mathematician.\n"
    assert 'find {"query":"ada"}: run (run)' in err
    assert re.search(r"find: ok, [\d.]+ ms", err)


def test_a_tool_of_ones_own_is_offered_at_once_and_has_its_key_from_dotenv(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(folder / "profiles")
    monkeypatch.setenv("WORD_LIST_KEY", "")
    monkeypatch.setenv("WORD_LIST_REGION", "here")
    assert main(["new-tool", "word-list", "--folder", "own"]) == 0
    handler = folder / "own" / "word-list" / "handler.py"
    text = handler.read_text().replace("    if not words:\n", KEYED + "    if not words:\n")
    handler.write_text(f"import os\n{text.replace('from __future__ import annotations', '')}")
    Path(".env").write_text("WORD_LIST_KEY=zz-from-dotenv\nWORD_LIST_REGION=elsewhere\n")
    Path("antiphon.toml").write_text('[tools]\nfolders = ["own"]\n')
    capsys.readouterr()
    out, err = chat(capsys, "-m", "List the words of this text: call and response")
    for word in ("and", "call", "response", "zz-from-dotenv", "here"):
        assert word in out
    assert "elsewhere" not in out
    assert "word_list" in err
    assert "zz-from-dotenv" not in err


def test_a_session_is_gone_on_with_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    script = [
        step("text", says("Hello Ada."), text="I am Ada"),
        step("text", says("Ada."), text="Who am I?"),
    ]
    with talking(script) as emulator:
        _, err = chat(capsys, "-m", "I am Ada")
        session = re.search(r"antiphon chat --session (\w+)", err)
        assert session is not None
        assert chat(capsys, "-m", "Who am I?", "--session", session[1])[0] == "Ada.\n"
        assert "Hello Ada." in json.dumps(emulator.received[-1])


def test_events_are_one_json_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    script = [step("text", calls(("find", {"query": "a"}))), step("results", says("Found."))]
    with talking(script):
        out, err = chat(capsys, "-m", "Find a", "--json")
    events = [json.loads(line) for line in out.splitlines()]
    assert [e["type"] for e in events if e["type"] != "text"] == [
        "session",
        "tool_call",
        "tool_result",
        "done",
    ]
    assert events[-1]["message"] == "Found."
    assert err == ""


def test_one_question_waits_for_the_tasks_that_it_started(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_file_tools(folder / "tools")
    (folder / "work").mkdir()
    (folder / "work" / "gate").touch()
    script = [
        step("text", calls(("safe_on_files", {"folder": str(folder / "work")}))),
        step("results", says("Begun.")),
        step("text", says("It is kept."), text="/tool_result[^§]*safe_on_files/"),
    ]
    with talking(script):
        said, aside = chat(capsys, "--message", "Keep it")
    assert said.split() == ["Begun.", "It", "is", "kept."]
    assert "safe_on_files: started, task " in aside


def test_a_question_may_come_through_a_pipe() -> None:
    with talking([step("text", says("Hello."), text="Hello?")]):
        done = piped("Hello?\n")
        assert (done.returncode, done.stdout) == (0, "Hello.\n"), done.stderr
    assert "empty" in piped("  \n").stderr
    assert piped("").returncode == 2
    assert "at most 32,000 characters" in piped("x" * 40_000).stderr


def test_what_would_drive_the_terminal_is_made_visible(capsys: pytest.CaptureFixture[str]) -> None:
    with talking([step("text", says("Red: \x1b[31m and a bell \x07"))]):
        out, _ = chat(capsys, "-m", "Colours")
    assert out == "Red: \\x1b[31m and a bell \\x07\n"


def test_what_needs_approval_is_not_done_when_nobody_can_be_asked(tmp_path: Path) -> None:
    line = {"file": str(tmp_path / "lines"), "text": "hello"}
    script = [step("text", calls(("ask_first", line))), step("results", says("Please confirm."))]
    with talking(script):
        done = piped("Write it")
    assert done.returncode == 0
    assert "Not done without your approval" in done.stderr
    assert "antiphon chat --session" in done.stderr
    assert not (tmp_path / "lines").exists()


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--backend", "eliza"], 2, "must be one of local, gemini, openai, claude"),
        (["--backend", "gemini"], 1, "GEMINI_API_KEY"),
        (["--session", "nowhere"], 1, "does not exist"),
        (["--profile", "nobody"], 1, "no profile 'nobody'"),
        (["--config", "nowhere.toml"], 1, "nowhere.toml"),
    ],
)
def test_what_cannot_begin_is_said_in_a_sentence(
    arguments: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with talking([]):
        _, err = chat(capsys, "-m", "Hello", *arguments, status=status)
    assert words in err


def test_a_fault_of_the_provider_is_said_and_is_status_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with talking([step("text", [{"status": 401}]), step("text", [{"status": 401}])]):
        _, err = chat(capsys, "-m", "Hello", status=1)
        assert "does not accept the key" in err
        out, _ = chat(capsys, "-m", "Hello", "--json", status=1)
    kinds = [json.loads(line).get("kind") for line in out.splitlines()]
    assert "auth" in kinds


def test_a_store_that_cannot_be_opened_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / ".antiphon").mkdir()
    (tmp_path / ".antiphon" / "antiphon.db").write_bytes(b"just some text\n" * 100)
    with talking([]):
        _, err = chat(capsys, "-m", "Hello", status=1)
    assert "not an SQLite database" in err


# -- at a terminal -----------------------------------------------------------------------------


class Terminal:
    """The command on a terminal of its own; what it writes, and keys for it."""

    def __init__(self, *arguments: str) -> None:
        self._keys, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN, "chat", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={**os.environ, "TERM": "dumb"},
        )
        os.close(theirs)
        self.seen = ""

    def until(self, words: str) -> str:
        """Everything up to these words, which are waited for."""
        deadline = time.monotonic() + 60
        while words not in self.seen:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._keys], [], [], max(0, left))
            assert ready, f"{words!r} never came: {self.seen!r}"
            self.seen += self._read()
        before, _, self.seen = self.seen.partition(words)
        return before

    def _read(self) -> str:
        try:
            return os.read(self._keys, 65536).decode("utf-8", "replace")
        except OSError:  # the other end is closed
            raise AssertionError(f"the command ended: {self.seen!r}") from None

    def type(self, keys: str) -> None:
        os.write(self._keys, keys.encode())

    def waits(self) -> None:
        """Returns when the command waits for keys: a signal between the prompt and that is seen
        only with the next key."""
        state = Path(f"/proc/{self.process.pid}/stat")
        for _ in range(6000):
            if state.read_text().rpartition(")")[2].split()[0] == "S":
                return
            select.select([], [], [], 0.01)
        raise AssertionError("the command never waits")

    def ended(self) -> int:
        status = self.process.wait(60)
        os.close(self._keys)
        return status


def _take_terminal() -> None:
    """Makes the terminal the one whose Ctrl+C reaches this process."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(*arguments: str) -> Iterator[Terminal]:
    made = Terminal(*arguments)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.ended()


def test_a_conversation_at_a_terminal_asks_before_it_acts(tmp_path: Path) -> None:
    whole = " ".join(f"word{number}" for number in range(200))
    yes, no = (
        {"file": str(tmp_path / "lines"), "text": f"approved {whole}"},
        {"file": str(tmp_path / "lines"), "text": "denied"},
    )
    script = [
        step("text", calls(("ask_first", yes)), text="Write it"),
        step("results", says("Please confirm.")),
        step("text", says("It is written."), text="tool_result"),
        step("text", calls(("ask_first", no)), text="Once more"),
        step("results", says("Please confirm again.")),
        step("text", says("Then not."), text="did not approve"),
    ]
    with talking(script), terminal() as screen:
        screen.until("> ")
        screen.type("Write it\n")
        screen.until("confirm (confirmation)")
        shown = screen.until("[y/N]")
        assert "Please confirm." in shown
        assert whole in shown.replace("\r\n", "\n")  # nothing of it is left out
        assert not (tmp_path / "lines").exists()
        screen.type("y\n")
        screen.until("ask_first: ok")
        screen.until("It is written.")
        screen.type("Once more\n")
        screen.until("[y/N]")
        screen.type("\n")
        screen.until("ask_first: not done.")
        screen.until("Then not.")
        screen.until("> ")
        screen.type("\x04")
        screen.until("antiphon chat --session ")
        assert screen.ended() == 0
    assert (tmp_path / "lines").read_text() == f"approved {whole}\n"


def test_ctrl_c_stops_an_answer_and_twice_leaves() -> None:
    script = [
        step("text", [{"text": "Once upon a time"}, {"silent": True}], text="Tell me"),
        step("text", says("there was."), text="Go on"),
    ]
    with talking(script) as emulator, terminal() as screen:
        screen.until("> ")
        screen.type("Tell me\n")
        screen.until("Once upon a time")
        screen.type("\x03")
        screen.until("Stopped. Ctrl+C once more leaves.")
        screen.until("> ")
        screen.type("Go on\n")
        screen.until("there was.")
        screen.until("> ")
        assert "Once upon a time" in json.dumps(emulator.received[-1])
        screen.waits()
        screen.type("\x03")
        screen.until("Stopped.")
        screen.until("> ")
        screen.waits()
        screen.type("\x03")
        screen.until("antiphon chat --session ")
        assert screen.ended() == 130


def test_a_conversation_without_a_model_ends_with_what_to_do() -> None:
    with talking([]), terminal("--backend", "gemini") as screen:
        screen.until("> ")
        screen.type("Hello?\n")
        screen.until("GEMINI_API_KEY")
        assert screen.ended() == 1
