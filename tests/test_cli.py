"""The command line: exit statuses, what is printed, and a server that starts and stops."""

from __future__ import annotations

import http.client
import io
import json
import os
import pty
import re
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer

from antiphon import __version__
from antiphon.cli import app, main
from antiphon.emulators.runner import emulate

RUN = "import sys; from antiphon.cli import main; sys.exit(main())"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and none of the settings that this machine may have."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ANTIPHON_", "GEMINI_", "OPENAI_", "ANTHROPIC_")):
            monkeypatch.delenv(name)
    return tmp_path


def run(*arguments: str, code: str = RUN, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


# -- the frame ------------------------------------------------------------------------------------


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"antiphon {__version__}\n"


def test_help_names_the_commands_and_the_completion(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("serve", "build", "new-tool", "tools", "doctor"):
        assert re.search(rf"^ +{command}\b", out, re.MULTILINE), command
    assert "--install-completion" in out
    assert "--show-completion" in out


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["serve", "--nonsense"], ["serve", "--port", "65536"], ["serve", "--port", "x"]],
)
def test_wrong_usage_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Error" in captured.err
    assert "Traceback" not in captured.err


COMMAND = (
    "import sys; from antiphon.cli import app, main\n"
    "@app.command('explode')\n"
    "def explode(): raise {}\n"
    "sys.exit(main(['explode']))"
)


def test_an_unexpected_error_is_one_line_and_says_how_to_see_more() -> None:
    done = run(code=COMMAND.format("RuntimeError('boom\\nbang')"))
    assert done.returncode == 1
    assert done.stderr == "antiphon: RuntimeError: boom bang (ANTIPHON_DEBUG=1 shows where)\n"


def test_debugging_shows_the_traceback() -> None:
    done = run(code=COMMAND.format("RuntimeError('boom')"), ANTIPHON_DEBUG="1")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


def test_an_interrupt_is_quiet() -> None:
    done = run(code=COMMAND.format("KeyboardInterrupt"))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


# -- doctor ---------------------------------------------------------------------------------------


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:
    status = main(["doctor", "--json", *arguments])
    return status, json.loads(capsys.readouterr().out)


def test_doctor_finds_nothing_wrong_in_an_empty_folder(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    status, report = doctor(capsys)
    assert (status, report["ok"], report["problems"]) == (0, True, [])
    assert report["settings"]["server.port"] == {"value": 8080, "origin": "default"}
    assert list(folder.iterdir()) == []


def test_doctor_prints_each_setting_with_its_origin_and_masks_secrets(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "antiphon.toml").write_text("[server]\nport = 9000\n")
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^server\.port +9000 +antiphon\.toml:2$", out, re.MULTILINE)
    assert re.search(
        r"^providers\.openai\.api_key +\*+ +environment OPENAI_API_KEY$", out, re.MULTILINE
    )
    assert "hunter2" not in out
    assert out.endswith("Nothing wrong found.\n")


def test_doctor_reports_everything_wrong_at_once(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "file").touch()
    (folder / "empty.pem").touch()
    (folder / "antiphon.toml").write_text(
        "data = 'file/data'\n"
        "[server]\nport = 65536\nhots = 'x'\nhost = '0.0.0.0'\n"
        "[tools]\nfolders = ['missing']\nfunctions = ['nowhere:tool']\n"
        "[profiles]\nfolder = 'nowhere'\n"
        "[providers.gemini]\nca_file = 'absent.pem'\n"
        "[providers.openai]\nca_file = 'empty.pem'\n"
        "[calendar.meeting]\nkind = 'zoom'\naccount_id = 'a'\n"
        "[access]\nsign_in = 'off'\n"
    )
    status, report = doctor(capsys)
    assert (status, report["ok"]) == (1, False)
    for said in (
        "antiphon.toml:3: `server.port` must be a whole number",
        "antiphon.toml:4: unknown setting `server.hots`. Did you mean `server.hosts`?",
        "antiphon.toml:5: `server.host` is 0.0.0.0",
        "antiphon.toml:7: `tools.folders` names missing",
        "antiphon.toml:8: `tools.functions` names nowhere:tool: there is no module 'nowhere' here",
        "antiphon.toml:10: `profiles.folder` names nowhere",
        "antiphon.toml:12: `providers.gemini.ca_file` absent.pem cannot be read: No such file",
        "antiphon.toml:14: `providers.openai.ca_file` empty.pem holds no certificate",
        "antiphon.toml:1: `data` file/data cannot be made: file is a file",
        "antiphon.toml:16: `calendar.meeting.kind` is zoom: Zoom needs `client_id`, `client_sec",
    ):
        assert any(problem.startswith(said) for problem in report["problems"]), said
    assert len(report["problems"]) == 10


def test_doctor_accepts_a_real_certificate_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = ssl.get_default_verify_paths().cafile
    if bundle is None:
        pytest.skip("this machine has no file of certificates")
    monkeypatch.setenv("ANTIPHON_PROVIDERS__CLAUDE__CA_FILE", bundle)
    assert doctor(capsys)[0] == 0


def test_doctor_names_the_line_of_a_broken_file(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "other.toml").write_text("[server]\nport = = 1\n")
    status, report = doctor(capsys, "--config", "other.toml")
    assert status == 1
    assert "other.toml: not valid TOML" in report["problems"][0]
    assert "line 2" in report["problems"][0]


def test_doctor_says_which_backends_are_configured_without_asking_anybody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "hunter2")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^claude +configured; not asked \(--probe asks\)$", out, re.MULTILINE)
    assert re.search(r"^gemini +not configured\. .*Set GEMINI_API_KEY", out, re.MULTILINE)
    status, report = doctor(capsys)
    backends = {backend["name"]: backend for backend in report["backends"]}
    assert status == 0
    assert backends["claude"]["configured"] is True
    assert backends["claude"]["reachable"] is None
    assert backends["gemini"]["configured"] is False


def test_doctor_says_what_limits_worker_processes(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "antiphon.toml").write_text("[tools]\nworkers = 3\nworker_memory_mb = 200\n")
    status, report = doctor(capsys)
    assert status == 0
    workers = report["workers"]
    assert workers["most"] == 3
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "Worker processes of tools\nat most 3, each with 256 open files" in out
    if sys.platform == "linux":
        assert (workers["memory_mb"], workers["network"]) == (200, False)
        assert "memory: 200 MB\nnetwork: none, unless a tool asks for it\n" in out


def test_doctor_imports_no_sdk_unless_it_asks_that_provider() -> None:
    code = "import sys; from antiphon.cli import main; main(['doctor']); print(*sys.modules)"
    done = run(code=code, ANTHROPIC_API_KEY="k", OPENAI_API_KEY="k", GEMINI_API_KEY="k")
    imported = set(done.stdout.splitlines()[-1].split())
    assert "antiphon.providers.backends" in imported
    assert not imported & {"google.genai", "openai", "anthropic"}


def test_doctor_asks_the_configured_providers_and_them_alone(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    with emulate("anthropic", key="hunter2") as emulator:
        (folder / "antiphon.toml").write_text(
            "[agent]\nbackend = 'claude'\n"
            f"[providers.claude]\napi_key = 'hunter2'\nbase_url = '{emulator.base_url}'\n"
        )
        status, report = doctor(capsys, "--probe")
        backends = {backend["name"]: backend for backend in report["backends"]}
        assert (status, report["problems"], report["backend"]) == (0, [], "claude")
        assert backends["claude"]["reachable"] is True
        assert main(["doctor", "--probe"]) == 0
        out = capsys.readouterr().out
        assert re.search(r"^claude \(chosen\) +configured, reachable$", out, re.MULTILINE)
        emulator.key = "another"
        status, report = doctor(capsys, "--probe")
        assert status == 1
        (problem,) = report["problems"]
        assert problem.startswith("antiphon.toml:4: `providers.claude`: Claude does not accept")
        assert "ANTHROPIC_API_KEY" in problem
        assert main(["doctor", "--probe"]) == 1
        out = capsys.readouterr().out
        assert re.search(r"^claude \(chosen\) +out of reach\. Claude does not", out, re.MULTILINE)
        assert "hunter2" not in out


def test_doctor_says_that_the_chosen_backend_has_no_key(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "antiphon.toml").write_text("[agent]\nbackend = 'gemini'\n")
    status, report = doctor(capsys)
    assert status == 1
    (problem,) = report["problems"]
    assert problem.startswith("antiphon.toml:2: `agent.backend` is gemini: Gemini has no key.")


def test_doctor_reports_a_broken_file_of_models(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / ".antiphon").mkdir()
    (folder / ".antiphon" / "models.toml").write_text("[gemini.default]\nreasoning = 1\n")
    status, report = doctor(capsys)
    assert status == 1
    (problem,) = report["problems"]
    assert problem.endswith("models.toml:2: `reasoning` must be true or false, not 1.")


# -- serve ----------------------------------------------------------------------------------------


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """A server process, the lines it printed, and its port; it never outlives the test."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--port", "0", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+) ", line)
        if not found:
            process.kill()
            pytest.fail(f"no address in {line!r}: {process.communicate()[1]}")
        yield process, line + process.stdout.readline(), int(found[1])
    finally:
        process.kill()
        process.communicate()


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()


def post(port: int, path: str, body: Any) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        headers = {"content-type": "application/json"}
        connection.request("POST", path, json.dumps(body), headers)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_serve_builds_answers_and_stops_when_asked(folder: Path, sent: signal.Signals) -> None:
    with serving() as (process, lines, port):
        status, body = get(port, "/api/tools")
        assert status == 200
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=60) as reply:
            assert not {"server", "x-powered-by"} & {name.lower() for name in reply.headers}
        catalogue = json.loads(body)
        assert catalogue["count"] >= 3
        artifact = json.loads((folder / ".antiphon" / "tool_registry.json").read_text())
        commit = artifact["gitCommit"]
        of = f" of commit {commit}" if commit else ""
        assert f"registry {catalogue['registryVersion']}{of}, development" in lines
        # An idle connection must not hold up the end.
        with socket.create_connection(("127.0.0.1", port)):
            process.send_signal(sent)
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


def test_serve_takes_its_data_folder_and_its_mode_from_flags_and_file(folder: Path) -> None:
    (folder / "my.toml").write_text("mode = 'production'\nlog_level = 'debug'\n")
    with serving("--config", "my.toml", "--data", "state") as (process, lines, port):
        assert ", production" in lines
        assert b"<title>Antiphon</title>" in get(port, "/")[1]
        assert (folder / "state" / "tool_registry.json").is_file()
        assert not (folder / ".antiphon").exists()
        assert post(port, "/api/tools/format_datetime/call", {"args": {"value": "now"}}) == 200
        process.terminate()
        err = process.communicate(timeout=60)[1]
    assert "DEBUG antiphon.orchestrator.outcome: format_datetime: defaults applied for" in err


def failed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", *arguments]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_serve_refuses_to_listen_beyond_this_machine_without_sign_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("ANTIPHON_ACCESS__SIGN_IN", "off")
    err = failed(capsys, "--host", host)
    assert f"`server.host` is {host}, which others than this machine reach" in err
    assert 'Set `access.sign_in` to "auto"' in err


def test_serve_says_that_a_port_is_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        err = failed(capsys, "--port", str(port))
    assert f"cannot listen on 127.0.0.1 port {port}: Address already in use" in err
    assert "--port" in err


def test_serve_prints_what_is_wrong_with_the_tools(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    tool = folder / "tools" / "broken"
    tool.mkdir(parents=True)
    (tool / "schema.json").write_text("{")
    err = failed(capsys, "--port", "0")
    assert re.search(r"^error: .*broken.*schema\.json", err, re.MULTILINE)
    assert "nothing was started" in err


def test_serve_prints_one_message_for_each_wrong_setting(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "antiphon.toml").write_text("mode = 'x'\n[server]\nport = 'y'\n")
    lines = failed(capsys).splitlines()
    assert [line.split(":")[0] for line in lines] == ["antiphon", "antiphon"]
    assert sorted(line.split(":")[2] for line in lines) == ["1", "3"]


def test_serve_says_that_its_data_folder_cannot_be_made(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "file").touch()
    err = failed(capsys, "--port", "0", "--data", "file/data")
    assert "cannot write to the data folder file/data" in err
    assert "--data" in err


# -- one table of exit status ---------------------------------------------------------------------


def commands() -> list[list[str]]:
    """Every command, with those of groups."""
    found: list[list[str]] = []
    waiting: list[tuple[list[str], Any]] = [([], typer.main.get_command(app))]
    while waiting:
        path, command = waiting.pop(0)
        inner = getattr(command, "commands", None)
        if inner is None:
            found.append(path)
        else:
            waiting += [([*path, name], child) for name, child in inner.items()]
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_answers_wrong_usage_with_status_2(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--no-such-option"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "No such option" in captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["tools", "call"],
        ["tools", "call", "kb_search", "{"],
        ["tools", "call", "kb_search", "[1]"],
        ["tools", "call", "kb_search", "{}", "--mode", "song"],
        ["tools", "project", "--provider", "nobody"],
        ["prompt", "show", "--mode", "song"],
        ["new-tool", "A B"],
        ["new-tool", "fine", "--category", "nothing"],
        ["emulate", "nobody"],
        ["chat", "--backend", "nobody"],
        ["talk", "--backend", "nobody"],
        ["build", "--check", "--watch"],
        ["audit", "replay", "--budget", "x"],
        ["kb", "ingest", "studio", "--kind", "nothing", "x"],
    ],
    ids=" ".join,
)
def test_values_that_no_command_takes_are_wrong_usage(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["chat", "-m", "Hello"],
        ["talk"],
        ["build"],
        ["tools", "call", "kb_search"],
        ["prompt", "show"],
        ["doctor"],
        ["kb", "list"],
        ["audit", "tail"],
        ["blocks", "list"],
    ],
    ids=" ".join,
)
def test_settings_that_are_wrong_are_status_1_everywhere(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("antiphon.toml").write_text("[server]\nprot = 1\n")
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert "server.prot" in captured.err + captured.out
    assert "Traceback" not in captured.err


# -- completion ------------------------------------------------------------------------------


def completed(line: str) -> list[str]:
    """What a shell is offered after this line."""
    words = line.split(" ")
    done = subprocess.run(
        [sys.executable, "-c", "from antiphon.cli import main; main()"],
        env={
            **os.environ,
            "_ANTIPHON_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split()


def test_tools_databases_and_profiles_complete() -> None:
    Path("tools/word-list").mkdir(parents=True)
    Path("tools/word-list/schema.json").write_text("{}")
    Path(".antiphon/knowledge/studio").mkdir(parents=True)
    assert completed("antiphon tools call word_l") == ["word_list"]
    assert completed("antiphon tools call word-l") == ["word-list"]
    assert "kb_search" in completed("antiphon tools show kb_s")
    assert completed("antiphon kb search st") == ["studio"]
    assert completed("antiphon chat --profile vo") == ["vox"]


# -- one call --------------------------------------------------------------------------------


def one_tool(category: str = "utility", **changes: Any) -> None:
    assert main(["new-tool", "word-list", "--category", category]) == 0
    schema = json.loads(Path("tools/word-list/schema.json").read_text()) | changes
    Path("tools/word-list/schema.json").write_text(json.dumps(schema))
    Path("antiphon.toml").write_text('[tools]\nfolders = ["tools"]\n')


def test_a_tool_is_called_through_every_gate_from_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one_tool()
    capsys.readouterr()
    assert main(["tools", "call", "word-list", '{"text": "call and response", "limit": 2}']) == 0
    assert json.loads(capsys.readouterr().out) == {"words": ["and", "call"], "total": 3}

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "b a"}')))
    assert main(["tools", "call", "word_list", "-", "--mode", "voice", "--json"]) == 0
    envelope = json.loads(capsys.readouterr().out)
    assert envelope["data"]["words"] == ["a", "b"]
    assert envelope["meta"]["toolId"] == "word_list"

    assert main(["tools", "call", "word_list", '{"limit": 0}']) == 1
    said = capsys.readouterr().err
    assert "VALIDATION" in said
    assert "/limit" in said
    assert main(["tools", "call", "wordlist", "{}"]) == 1
    assert "Did you mean word_list?" in capsys.readouterr().err
    assert main(["tools", "call", "word_list", "{}", "--session", "nothing"]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert main(["audit", "tail", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "cli" in {line.get("source") for line in lines}
    assert "session_ended" in {line["event"] for line in lines}


def test_a_background_tool_is_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    one_tool(execution="background")
    capsys.readouterr()
    assert main(["tools", "call", "word_list", '{"text": "b a"}']) == 0
    assert json.loads(capsys.readouterr().out) == {"words": ["a", "b"], "total": 2}


def test_an_approval_is_asked_for_at_a_terminal_and_nowhere_else() -> None:
    one_tool("action")
    command = [sys.executable, "-c", "import sys; from antiphon.cli import main; sys.exit(main())"]
    command += ["tools", "call", "word_list", '{"text": "b a"}']
    piped = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert piped.returncode == 1
    assert "CONFIRMATION_REQUIRED" in piped.stderr
    assert "call it at a terminal" in piped.stderr
    for answer, status in ((b"y\n", 0), (b"\n", 1)):
        screen, terminal = pty.openpty()
        try:
            os.write(screen, answer)
            done = subprocess.run(
                command, stdin=terminal, capture_output=True, text=True, check=False
            )
        finally:
            os.close(screen)
            os.close(terminal)
        assert done.returncode == status, done.stderr
        assert "Approve? [y/N]" in done.stderr
        assert ("total" in done.stdout) is (status == 0)
