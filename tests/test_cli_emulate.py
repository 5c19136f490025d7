"""`antiphon emulate` as a process: what it prints, how it ends, and the vendors' own clients."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from antiphon.cli import main

RUN = "import sys; from antiphon.cli import main; sys.exit(main())"
EXAMPLES = Path(__file__).parents[1] / "examples" / "emulate"
WEATHER = str(EXAMPLES / "weather.yaml")
PATIENCE = 60


def clean() -> dict[str, str]:
    """The environment without any settings of this machine."""
    ours = ("ANTIPHON_", "GEMINI_", "GOOGLE_", "OPENAI_", "ANTHROPIC_", "SSL_")
    return {name: text for name, text in os.environ.items() if not name.startswith(ours)}


@dataclass
class Running:
    process: subprocess.Popen[str]
    head: list[str] = field(default_factory=list)

    @property
    def variables(self) -> dict[str, str]:
        return dict(re.findall(r"^  export (\w+)=(.*)$", "\n".join(self.head), re.MULTILINE))

    def end(self, number: int | None = signal.SIGINT) -> tuple[int, str, str]:
        """The exit status, and all that was printed; without a signal it is to end by itself."""
        if number is not None:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@contextmanager
def emulating(*arguments: str, lines: int = 3) -> Iterator[Running]:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "emulate", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean(),
    )
    running = Running(process)
    try:
        assert process.stdout is not None
        for _ in range(lines):
            line = process.stdout.readline()
            if not line:
                pytest.fail(f"it ended: {process.communicate()[1]}")
            running.head.append(line.rstrip("\n"))
        yield running
    finally:
        process.kill()
        process.communicate()


def client(name: str, variables: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"client_{name}.py")],
        env=clean() | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("api", "lines", "path"),
    [("anthropic", 3, "/v1/messages"), ("openai", 3, "/v1/chat/completions"), ("gemini", 4, "/ws")],
)
def test_the_vendors_own_client_cannot_tell(api: str, lines: int, path: str) -> None:
    with emulating(api, "--script", WEATHER, "--once", lines=lines) as running:
        assert api in running.head[0]
        assert "2 steps" in running.head[0]
        variables = running.variables
        assert "test-key" in variables.values()
        assert ("SSL_CERT_FILE" in variables) is (api == "gemini")
        assert client(api, variables) == "It is sunny in Seoul."
        status, out, err = running.end(None)
    assert (status, err) == (0, "")
    assert path in out
    assert re.search(r"^\d+ <- .*weather", out, re.MULTILINE)
    assert re.search(r"^\d+ -> .*get_weather", out, re.MULTILINE)
    assert "test-key" not in out


def ask(variables: dict[str, str], text: str, **options: Any) -> str:
    """What the emulated model says, or the error that comes instead."""
    import anthropic

    http = None
    if ca := variables.get("SSL_CERT_FILE"):
        import ssl

        http = anthropic.DefaultHttpxClient(verify=ssl.create_default_context(cafile=ca))
    options = {"api_key": variables["ANTHROPIC_API_KEY"], **options}
    with anthropic.Anthropic(
        base_url=variables["ANTHROPIC_BASE_URL"], max_retries=0, http_client=http, **options
    ) as sdk:
        try:
            answer = sdk.messages.create(
                model="claude-sonnet-4-6",
                max_tokens=9,
                messages=[{"role": "user", "content": text}],
            )
        except anthropic.APIStatusError as error:
            return str(error)
    block = answer.content[0]
    return block.text if block.type == "text" else f"{block.name} {json.dumps(block.input)}"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_without_a_script_it_does_as_it_is_told_until_it_is_stopped(number: int) -> None:
    with emulating("anthropic") as running:
        variables = running.variables
        assert ask(variables, "Hello") == "You said: Hello"
        assert ask(variables, 'call find {"x": 1}') == 'find {"x": 1}'
        assert "authentication_error" in ask(variables, "Hello", api_key="wrong")
        status, _, err = running.end(number)
    assert (status, err) == (0, "")


def test_a_script_that_was_not_followed_is_status_1_and_says_why() -> None:
    with emulating("anthropic", "--script", WEATHER) as running:
        status, _, err = running.end()
    assert status == 1
    assert "step 1: never reached: text {'text': 'weather', 'tools': ['get_weather']}" in err
    with emulating("anthropic", "--script", WEATHER, "--once") as running:
        assert "emulator: unexpected text" in ask(running.variables, "Hello")
        status, _, err = running.end(None)  # something went wrong, so there is an end to it
    assert status == 1
    assert "unexpected text" in err


def test_json_lines_are_for_programs() -> None:
    with emulating("anthropic", "--json", lines=1) as running:
        head = json.loads(running.head[0])
        assert head["api"] == "anthropic"
        assert head["environment"]["ANTHROPIC_BASE_URL"] == head["url"]
        assert (head["key"], head["ca_file"], head["steps"]) == ("test-key", None, 0)
        ask(head["environment"], "Hello")
        status, out, _ = running.end()
    assert status == 0
    request, answer, body, *_, end = [json.loads(line) for line in out.splitlines()]
    assert (request["way"], request["method"], request["path"]) == ("in", "POST", "/v1/messages")
    assert request["body"]["messages"][0]["content"] == "Hello"
    assert (answer["way"], answer["status"]) == ("out", 200)
    assert body["data"]["content"][0]["text"] == "You said: Hello"
    assert end == {"ok": True, "problems": [], "unfinished": []}


def test_a_stream_is_shown_event_by_event() -> None:
    import anthropic

    with emulating("anthropic", "--key", "") as running:
        url = running.variables["ANTHROPIC_BASE_URL"]
        with anthropic.Anthropic(api_key="any one", base_url=url) as sdk:
            said = [{"role": "user", "content": "Hello " + "x" * 2000}]
            with sdk.messages.create(
                model="claude-sonnet-4-6", max_tokens=9, messages=said, stream=True
            ) as events:
                assert list(events)
        _, out, _ = running.end()
    lines = out.splitlines()
    assert any(re.match(r"1 -> event: message_start data: \{", line) for line in lines)
    assert any(re.match(r"1 <- POST .* … \(\d+ characters\)$", line) for line in lines)
    assert max(map(len, lines)) < 500


def test_the_ca_is_kept_in_a_folder_or_its_certificate_written_to_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "ca"
    with emulating("anthropic", "--ca", str(folder), lines=4) as running:
        first = (folder / "ca.pem").read_text()
        assert running.variables["SSL_CERT_FILE"] == str(folder / "ca.pem")
        assert ask(running.variables, "Hello") == "You said: Hello"
        assert running.end()[0] == 0
    with emulating("anthropic", "--tls", "--ca", str(folder), lines=4) as running:
        assert (folder / "ca.pem").read_text() == first
        assert running.end()[0] == 0
    file = tmp_path / "only.pem"
    with emulating("anthropic", "--ca", str(file), lines=4) as running:
        assert running.variables["SSL_CERT_FILE"] == str(file)
        assert ask(running.variables, "Hello") == "You said: Hello"
        assert running.end()[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ca", "only.pem"]


# -- wrong usage --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mistral"], "'mistral' is none of gemini, openai, anthropic"),
        ([], "Missing argument"),
        (["openai", "--host", "0.0.0.0"], "is not an IPv4 address of this machine"),
        (["openai", "--host", "::1"], "is not an IPv4 address of this machine"),
        (["openai", "--port", "70000"], "--port"),
        (["openai", "--no-tls", "--ca", "x"], "there is no CA without TLS"),
    ],
)
def test_wrong_usage_is_status_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["emulate", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in " ".join(captured.err.replace("│", " ").split())
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("steps: [{on: text, reply: [dropp]}]", "step 1, beat 1: 'dropp' is no beat; did you mean"),
        ("steps: [", "is not YAML"),
        ("steps: [{on: text, reply: [{say: Hi, wav: hi.wav}]}]", "hi.wav cannot be read as WAV"),
        ("options: {models: 3}", "options: models: must be a list of names"),
    ],
)
def test_a_bad_script_is_status_1_with_the_place(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    assert main(["emulate", "anthropic", "--script", str(path)]) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["emulate", "openai", "--port", str(port)]) == 1
    assert "--port (0 takes a free one)" in capsys.readouterr().err


def test_a_ca_of_no_use_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ca-key.pem").write_text("nonsense")
    assert main(["emulate", "openai", "--ca", str(tmp_path)]) == 1
    assert "does not hold a key" in capsys.readouterr().err
    assert main(["emulate", "openai", "--ca", str(tmp_path / "no" / "ca.pem")]) == 1
    assert "cannot write" in capsys.readouterr().err
