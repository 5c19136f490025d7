"""`antiphon audit`: what was written down, read, checked, taken elsewhere and replayed."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.shipped import build_shipped, shipped_artifact

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.cli import main
from antiphon.storage import Store

RUN = "import sys; from antiphon.cli import main; sys.exit(main())"
NOON = 1_767_268_800.0  # 2026-01-01T12:00:00Z


@pytest.fixture(scope="session")
def artifact() -> Path:
    return shipped_artifact()


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, artifact: Path) -> Path:
    """A data folder whose store has an audit of six lines."""
    folder: Path = tmp_path_factory.mktemp("data")
    registry = Registry.load(artifact)
    seconds = itertools.count(NOON)

    async def calls() -> None:
        async with Orchestrator(
            registry, f"sqlite:///{folder}/antiphon.db", now=lambda: next(seconds)
        ) as orchestrator:
            text = orchestrator.session("text", "ada", id="first")
            voice = orchestrator.session("voice", "ada", id="second")
            for session in (text, voice):
                await session.dispatch(ToolCall(None, "format_datetime", {"value": "2026-01-01"}))
            await text.dispatch(ToolCall(None, "end_voice_session", {}))
            await text.dispatch(ToolCall(None, "extract_contacts", {"text": 5}))
            await text.dispatch(ToolCall(None, "nobody", {}))
            await voice.dispatch(ToolCall(None, "format_datetime", {"value": "2026-01-02"}))

    asyncio.run(calls())
    return folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: Path) -> Path:
    """A working directory with that data in it, and none of this machine's settings."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    shutil.copytree(data, tmp_path / ".antiphon")
    return tmp_path


def audit(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    found = main(["audit", *arguments])
    captured = capsys.readouterr()
    assert found == status, captured.err
    return captured.out if status == 0 else captured.out + captured.err


def seqs(text: str) -> list[int]:
    return [json.loads(line)["seq"] for line in text.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), [1, 2, 3, 4, 5, 6]),
        (("--event", "tool_decision"), [3, 4, 5]),
        (("--session", "second"), [2, 6]),
        (("--tool", "format_datetime"), [1, 2, 6]),
        (("--decision", "refuse", "--tool", "nobody"), [5]),
        (("--rule", "arguments"), [4]),
        (("--ok",), [1, 2, 6]),
        (("--failed",), [3, 4, 5]),
        (("--after-seq", "4"), [5, 6]),
        (("--limit", "2"), [1, 2]),
        (("--limit", "2", "--newest-first"), [6, 5]),
        (("--since", "2026-01-01"), [1, 2, 3, 4, 5, 6]),
        (("--since", "2026-01-01T13:00:00+01:00", "--until", "2100-01-01"), [1, 2, 3, 4, 5, 6]),
        (("--until", str(NOON)), []),
    ],
)
def test_query_filters(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: list[int]
) -> None:
    assert seqs(audit(capsys, "query", "--json", *arguments)) == expected


def test_query_in_words_names_time_tool_rule_and_session(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = audit(capsys, "query", "--rule", "mode")
    assert "2026-01-01T12:" in line
    for said in ("tool_decision", "end_voice_session", "refuse (mode)", "MODE_RESTRICTED", "first"):
        assert said in line
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [("query", "--since", "noonish"), ("query", "--limit", "0"), ("tail", "-n", "-1"), ("erase",)],
)
def test_wrong_usage_is_status_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    assert "Error" in audit(capsys, *arguments, status=2)


def test_tail_prints_the_last_lines_oldest_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert seqs(audit(capsys, "tail", "-n", "2", "--json")) == [5, 6]
    assert seqs(audit(capsys, "tail", "--json")) == [1, 2, 3, 4, 5, 6]
    assert seqs(audit(capsys, "tail", "-n", "1", "--session", "first", "--json")) == [5]
    assert len(audit(capsys, "tail", "-n", "3").splitlines()) == 3


def test_tail_follows_while_another_process_writes(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "audit", "tail", "-n", "1", "--follow", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["seq"] == 6

        async def write() -> None:
            async with Store.open("sqlite:///.antiphon/antiphon.db") as store:
                store.append_audit({"event": "noted"})
                await store.flush()

        asyncio.run(write())
        assert json.loads(process.stdout.readline())["event"] == "noted"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, "")
    finally:
        process.kill()
        process.communicate()


def test_verify_finds_a_whole_chain_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit(capsys, "verify") == "6 lines, every one in its place.\n"
    report = json.loads(audit(capsys, "verify", "--json"))
    assert report == {"ok": True, "count": 6, "first_bad_seq": None, "problem": None, "pruned": 0}


def test_verify_says_where_a_chain_is_broken(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    store = sqlite3.connect(folder / ".antiphon" / "antiphon.db")
    with store:
        store.execute("UPDATE audit SET line = replace(line, 'MODE', 'MOOD') WHERE seq = 3")
    store.close()
    said = audit(capsys, "verify", status=1)
    assert "broken at line 3" in said
    assert "2 lines before it are in order" in said
    report = json.loads(audit(capsys, "verify", "--json", status=1))
    assert (report["ok"], report["first_bad_seq"]) == (False, 3)


def test_export_writes_json_lines_for_the_owner_alone(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "out.jsonl").write_text("an older one\n")
    report = json.loads(audit(capsys, "export", "out.jsonl", "--json"))
    assert report == {"file": "out.jsonl", "lines": 6}
    assert seqs((folder / "out.jsonl").read_text()) == [1, 2, 3, 4, 5, 6]
    assert stat.S_IMODE((folder / "out.jsonl").stat().st_mode) == 0o600
    assert sorted(p.name for p in folder.iterdir()) == [".antiphon", "out.jsonl"]
    done = subprocess.run(
        [sys.executable, "-c", RUN, "audit", "export", "-", "--tool", "nobody"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, seqs(done.stdout)) == (0, [5])
    assert done.stderr == "1 line exported.\n"


def test_export_leaves_nothing_where_it_cannot_write(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    said = audit(capsys, "export", "missing/out.jsonl", status=1)
    assert "missing/out.jsonl cannot be written: No such file or directory" in said
    said = audit(capsys, "export", ".antiphon", status=1)
    assert ".antiphon cannot be written" in said
    assert [p.name for p in folder.iterdir()] == [".antiphon"]


def test_the_store_can_be_named_in_every_way(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / ".antiphon").rename(folder / "state")
    (folder / "my.toml").write_text("data = 'state'\n")
    for place in (
        ("--data", "state"),
        ("--config", "my.toml"),
        ("--store", "sqlite:///state/antiphon.db"),
        ("--store", f"sqlite:///{folder}/state/antiphon.db"),
    ):
        assert json.loads(audit(capsys, "verify", "--json", *place))["count"] == 6


@pytest.mark.parametrize("command", ["tail", "query", "verify", "export", "replay"])
def test_a_store_that_is_not_there_is_said_and_not_made(
    capsys: pytest.CaptureFixture[str], folder: Path, artifact: Path, command: str
) -> None:
    more = {"export": ("-",), "replay": ("--registry", str(artifact))}.get(command, ())
    said = audit(capsys, command, *more, "--data", "nowhere", status=1)
    assert f"antiphon audit {command}: there is no store at nowhere/antiphon.db" in said
    assert not (folder / "nowhere").exists()


def test_a_store_that_is_none_is_said_in_a_sentence(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    (folder / "text.db").write_text("no database, whatever its name says " * 100)
    assert "text.db" in audit(capsys, "verify", "--store", "sqlite:///text.db", status=1)
    assert "store" in audit(capsys, "verify", "--store", "ftp://example.org/x", status=1)


# -- replay ---------------------------------------------------------------------------------------


def test_replay_against_the_same_tools_shows_no_difference(
    capsys: pytest.CaptureFixture[str], artifact: Path
) -> None:
    said = audit(capsys, "replay", "--registry", str(artifact))
    assert "6 decisions of 2 sessions" in said
    assert said.endswith("none would be different.\n")
    report = json.loads(audit(capsys, "replay", "--registry", str(artifact), "--json"))
    assert (report["compared"], report["different"], report["differences"]) == (6, 0, [])
    assert report["registryVersion"] == Registry.load(artifact).version


def test_replay_takes_the_tools_of_the_data_folder(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    said = audit(capsys, "replay", status=1)
    assert ".antiphon/tool_registry.json" in said
    build_shipped(folder / ".antiphon" / "tool_registry.json")
    assert "none would be different" in audit(capsys, "replay")


def test_replay_reads_an_export(
    capsys: pytest.CaptureFixture[str], folder: Path, artifact: Path
) -> None:
    audit(capsys, "export", "log.jsonl")
    (folder / ".antiphon" / "antiphon.db").unlink()
    said = audit(capsys, "replay", "log.jsonl", "--registry", str(artifact))
    assert "none would be different" in said
    done = subprocess.run(
        [sys.executable, "-c", RUN, "audit", "replay", "-", "--registry", str(artifact), "--json"],
        input=(folder / "log.jsonl").read_text(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, json.loads(done.stdout)["compared"]) == (0, 6), done.stderr


def test_replay_shows_what_another_budget_would_change(
    capsys: pytest.CaptureFixture[str], artifact: Path
) -> None:
    arguments = ("replay", "--registry", str(artifact), "--budget", "voice.total_calls=1")
    said = audit(capsys, *arguments, status=1)
    assert "run (run)" in said
    assert "refuse (budget.calls)" in said
    assert "1 would be different." in said
    report = json.loads(audit(capsys, *arguments, "--json", status=1))
    [difference] = report["differences"]
    assert (difference["seq"], difference["sessionId"]) == (6, "second")
    assert difference["now"]["rule"] == "budget.calls"
    assert report["changes"] == [{"recorded": "run", "now": "budget.calls", "count": 1}]
    audit(capsys, *arguments, "--budget", "voice.total_calls=none")


@pytest.mark.parametrize(
    "change",
    ["voice", "voice.calls=1", "voice.total_calls=x", "nested_depth=none", "text.rounds=", "=1"],
)
def test_a_budget_that_is_none_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], artifact: Path, change: str
) -> None:
    said = audit(capsys, "replay", "--registry", str(artifact), "--budget", change, status=2)
    assert "--budget" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}\nnonsense\n", "log.jsonl:2: is no JSON"),
        ("[]\n", "log.jsonl:1: is no line of an audit"),
        ('{"event": "tool_decision"}\n', "line 1 is no line of this audit: its 'at' is missing"),
    ],
)
def test_a_log_that_cannot_be_replayed_names_the_line(
    capsys: pytest.CaptureFixture[str], folder: Path, artifact: Path, content: str, said: str
) -> None:
    (folder / "log.jsonl").write_text(content)
    registry = ("--registry", str(artifact))
    assert said in audit(capsys, "replay", "log.jsonl", *registry, status=1)
    assert "cannot be read" in audit(capsys, "replay", "gone.jsonl", *registry, status=1)


def test_every_command_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    said: Any = audit(capsys, "--help")
    for command in ("tail", "query", "verify", "export", "replay"):
        assert f"  {command} " in said


def test_prune_deletes_old_lines_and_verify_says_so(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied = tmp_path / "data"
    shutil.copytree(data, copied)
    assert main(["audit", "prune", "--before", str(NOON + 100), "--data", str(copied)]) == 0
    said = capsys.readouterr().out
    pruned = int(said.split()[0])
    assert pruned > 0
    assert main(["audit", "verify", "--data", str(copied)]) == 0
    assert f"{pruned} line" in capsys.readouterr().out
    assert main(["audit", "prune", "--before", "tomorrow", "--data", str(copied)]) == 2
