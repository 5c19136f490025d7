"""`antiphon build` and `antiphon new-tool`: what people and scripts see."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from antiphon.cli import main

WriteTool = Callable[..., Path]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_tool_can_be_built_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-tool", "kb-search", "--category", "retrieval"]) == 0
    assert main(["build", "tools"]) == 0
    assert main(["build", "tools", "--check"]) == 0
    said = capsys.readouterr().out
    assert "Made tools/kb-search." in said
    assert "Built tool_registry.json: 1 tool, version 1.0." in said
    assert "tool_registry.json is up to date" in said


def test_findings_are_printed_one_a_line_and_fail_the_build(
    write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool(version="1", description="One. Two.")
    assert main(["build", "tools"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("error: tools/kb-search/schema.json /version: ")
    assert lines[1].startswith("warning: tools/kb-search/schema.json /description: ")
    assert lines[2] == "Failed: 1 tool, 1 error, 1 warning; tool_registry.json was left as it was."
    assert not Path("tool_registry.json").exists()


def test_warnings_alone_do_not_fail_the_build(write_tool: WriteTool) -> None:
    write_tool(description="One. Two.")
    assert main(["build", "tools"]) == 0


def test_the_report_is_there_as_json(
    write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool(version="1")
    assert main(["build", "tools", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["written"], report["errors"]) == (False, False, 1)
    [finding] = report["findings"]
    assert finding["file"] == "tools/kb-search/schema.json"
    assert finding["pointer"] == "/version"
    assert finding["message"]
    assert finding["fix"]


def test_several_folders_and_another_place(write_tool: WriteTool, here: Path) -> None:
    write_tool()
    write_tool("other-tool", folder=here / "more")
    assert main(["build", "tools", "more", "--out", "out.json", "--no-cache"]) == 0
    assert len(json.loads(Path("out.json").read_text())["tools"]) == 2
    assert not list(here.glob(".*.cache"))


def test_a_stale_artifact_fails_the_check(
    write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool()
    assert main(["build", "tools", "--check"]) == 1
    assert "antiphon build tools --out tool_registry.json" in capsys.readouterr().out


def test_folders_come_from_the_settings_when_none_is_named(
    write_tool: WriteTool, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool(folder=here / "mine")
    Path("antiphon.toml").write_text('[tools]\nfolders = ["mine"]\n')
    assert main(["build"]) == 0
    assert "1 tool" in capsys.readouterr().out


def test_settings_that_cannot_be_read_are_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("antiphon.toml").write_text("[tools\n")
    assert main(["build"]) == 1
    assert "antiphon.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["build", "--check", "--watch"], ["build", "--nonsense"], ["new-tool"], ["new-tool", "A B"]],
)
def test_wrong_usage_is_status_two(arguments: list[str]) -> None:
    assert main(arguments) == 2


def test_control_characters_in_names_do_not_reach_the_terminal(
    write_tool: WriteTool, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tool("kb\x1b[31m\nsearch", schema='{"toolId": "\\u001b[31m"}')
    assert main(["build", "tools"]) == 1
    assert "\x1b" not in capsys.readouterr().out


def test_watching_ends_cleanly_on_an_interrupt(write_tool: WriteTool, here: Path) -> None:
    write_tool()
    command = "import sys; from antiphon.cli import main; sys.exit(main(sys.argv[1:]))"
    with subprocess.Popen(
        [sys.executable, "-c", command, "build", "tools", "--watch"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout
        assert process.stderr
        assert b"Built tool_registry.json" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
        assert b"Traceback" not in process.stderr.read()


def test_watching_a_missing_folder_ends_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "nowhere", "--watch"]) == 1
    assert "no such folder" in capsys.readouterr().out
