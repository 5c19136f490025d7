"""A macro whose server is killed goes on in the next life, and nothing happens twice."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.workspace.macro_life import CALL, SESSION, life, make

from antiphon.registry.builder import build

pytestmark = pytest.mark.real_time

ROOT = Path(__file__).parents[2]


def killed(folder: Path) -> None:
    """A macro is run by a process that dies in its second step."""
    program = [sys.executable, "-m", "tests.workspace.macro_life", str(folder)]
    first = subprocess.run(program, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert first.returncode == -signal.SIGKILL, first.stderr.decode()
    assert (folder / "notes").read_text() == "one\n"


def the_same_call(folder: Path) -> dict[str, Any]:
    """What the next life answers to the call that was cut short, twice."""

    async def scenario() -> dict[str, Any]:
        async with life(folder) as (orchestrator, _):
            session = await orchestrator.resume(SESSION)
            assert session is not None
            envelope: dict[str, Any] = await session.dispatch(CALL)
            assert envelope["ok"], envelope["error"]
            again = await session.dispatch(CALL)
            assert again["meta"]["replayed"]
            assert again["data"] == envelope["data"]
            found: dict[str, Any] = envelope["data"]
            return found

    return asyncio.run(scenario())


@pytest.mark.parametrize("nested", [False, True])
def test_a_killed_macro_goes_on_and_its_writes_happen_once(tmp_path: Path, nested: bool) -> None:
    make(tmp_path)
    if nested:
        (tmp_path / "nested").touch()
    killed(tmp_path)
    done = the_same_call(tmp_path)
    assert done["success"]
    results = done["results"][0]["result"]["results"] if nested else done["results"]
    assert [each["result"] for each in results] == [
        {"text": "one"},
        {"stood": True},
        {"text": "one"},
    ]
    assert (tmp_path / "notes").read_text() == "one\none\n"


def test_a_write_that_was_cut_short_is_not_repeated(tmp_path: Path) -> None:
    """Nobody knows whether it happened: its step fails, and the macro says so."""
    make(tmp_path)
    stumble = tmp_path / "tools" / "stumble" / "schema.json"
    contract = stumble.read_text().replace("read_only", "writes")
    contract = contract.replace('"idempotent": true', '"idempotent": false')
    stumble.write_text(contract.replace('"utility"', '"action"'))
    assert build([tmp_path / "tools"], tmp_path / "tool_registry.json").ok
    killed(tmp_path)
    done = the_same_call(tmp_path)
    assert [each["success"] for each in done["results"]] == [True, False]
    assert done["results"][1]["error_type"] == "OUTCOME_UNKNOWN"
    assert "stopped at step 2 of 3" in done["summary"]
    assert (tmp_path / "notes").read_text() == "one\n"


async def test_the_next_life_goes_on_by_itself_and_tells_the_session(tmp_path: Path) -> None:
    """Nobody makes the call again; who does is answered from the ledger."""
    make(tmp_path)
    killed(tmp_path)

    async with life(tmp_path, resumes=True) as (orchestrator, _):
        assert orchestrator.background is not None
        tasks = orchestrator.background.backend
        (task,) = await tasks.list()
        done = await tasks.result(task.id, 30.0)
        assert done is not None
        assert (done.tool_id, done.status, done.user) == ("run_macro", "succeeded", "ada")
        session = await orchestrator.resume(SESSION)
        assert session is not None
        assert session.unknown_outcomes() == []
        ((call, envelope),) = session.drain_late_results()
        assert (call.id, call.name) == (CALL.id, "run_macro")
        assert envelope["data"]["success"]
        again = await session.dispatch(CALL)
        assert again["meta"]["replayed"]
        assert again["data"] == envelope["data"]
    assert (tmp_path / "notes").read_text() == "one\none\n"
    async with life(tmp_path, resumes=True) as (orchestrator, _):
        assert orchestrator.background is not None
        assert len(await orchestrator.background.backend.list()) == 1
    assert (tmp_path / "notes").read_text() == "one\none\n"


async def test_a_macro_goes_on_with_the_steps_that_it_was_begun_with(tmp_path: Path) -> None:
    make(tmp_path)
    (tmp_path / "nested").touch()
    killed(tmp_path)

    async with life(tmp_path) as (orchestrator, workspace):
        note = {"function": "note", "args": {"file": str(tmp_path / "notes"), "text": "other"}}
        await workspace.macros.delete("ada", "fall and rise")
        inside = await workspace.macros.find("ada", "inside")
        await workspace.macros.save("ada", "Inside", "inside", [note], id=inside.id)
        session = await orchestrator.resume(SESSION)
        assert session is not None
        envelope = await session.dispatch(CALL)
        assert envelope["data"]["success"]
    assert (tmp_path / "notes").read_text() == "one\none\n"
