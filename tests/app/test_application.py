"""The application: assembled from the settings, opened as far as it is needed, closed in full."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from antiphon import Registry, ToolCall
from antiphon.app import Application, KnowledgeOptions, ToolBuildError, load_tools
from antiphon.app.key_files import KeyFileError, write_keys
from antiphon.app.local_model import PHRASES
from antiphon.config import Settings
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.storage import Store

pytestmark = pytest.mark.real_time

KEY = "sk-set-at-run-time"


def settings(data: Path, **more: Any) -> Settings:
    return Settings.model_validate({"data": data / "data", **more})


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The registry of one shipped tool."""
    folder = tmp_path_factory.mktemp("tools")
    shutil.copytree(SHIPPED_TOOLS / "format-datetime", folder / "tools" / "format-datetime")
    return load_tools(settings(folder, tools={"folders": [folder / "tools"]}))


async def test_with_a_registry_a_governed_call_runs_and_the_audit_has_it(
    tmp_path: Path, tools: Registry
) -> None:
    async with Application(settings(tmp_path), tools) as application:
        session = application.orchestrator.session("text", "ada")
        args = {"value": "2026-03-01T09:30:00Z"}
        envelope = await session.dispatch(ToolCall(None, "format_datetime", args, "one"))
        assert envelope["ok"], envelope
        await application.store.flush()
        lines = await application.store.audit_lines()
        assert "format_datetime" in {line.data.get("toolId") for line in lines}


async def test_without_a_registry_nothing_is_opened_before_it_is_asked_for(tmp_path: Path) -> None:
    given = settings(tmp_path)
    async with Application(given) as application:
        assert not given.data.exists()
        with pytest.raises(RuntimeError, match="no registry"):
            _ = application.registry
        store = await application.open_store()
        assert await application.open_store() is store
        assert given.data.is_dir()
        assert application.calendar.source is not None


@pytest.mark.virtual_time
async def test_without_a_warm_up_nothing_is_loaded_before_somebody_asks(
    tmp_path: Path, tools: Registry
) -> None:
    given = settings(tmp_path, server={"warm_up": False})
    async with Application(given, tools) as application, application.maintained():
        await asyncio.sleep(60)
        assert not (given.data / PHRASES).exists()
        assert not (given.data / "knowledge").exists()


async def test_knowledge_alone_loads_neither_speech_nor_a_provider(tmp_path: Path) -> None:
    """In a process of its own: what other tests have imported is not counted."""
    program = f"""
import asyncio, sys
from pathlib import Path
from antiphon.app import Application, KnowledgeOptions
from antiphon.config import Settings

async def main():
    options = KnowledgeOptions(embeds=False, samples=False)
    async with Application(Settings(data=Path({str(tmp_path)!r})), knowledge=options) as opened:
        assert opened.knowledge.base().ids() == []

asyncio.run(main())
heavy = ("antiphon.speech", "antiphon.providers", "antiphon.server", "sqlalchemy", "onnxruntime")
found = [name for name in heavy if name in sys.modules]
assert not found, found
"""

    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", program), stderr=asyncio.subprocess.PIPE
    )
    _, said = await child.communicate()
    assert child.returncode == 0, said.decode()


def test_samples_are_imported_unless_they_are_not_wanted(tmp_path: Path) -> None:
    async def databases(samples: bool) -> list[str]:
        options = KnowledgeOptions(embeds=False, samples=samples)
        given = settings(tmp_path / str(samples))
        async with Application(given, knowledge=options) as application:
            return application.knowledge.base().ids()

    assert asyncio.run(databases(False)) == []
    assert asyncio.run(databases(True))


async def test_a_store_of_ones_own_is_used_and_closed(tmp_path: Path, tools: Registry) -> None:
    """Its thread is among the leaks that every test is checked for."""

    store = await asyncio.to_thread(Store.open, "sqlite://")
    async with Application(settings(tmp_path), tools, store=store) as application:
        assert application.store is store
        assert application.orchestrator.store is store


async def test_keys_that_were_set_at_run_time_count_before_the_settings(tmp_path: Path) -> None:
    given = settings(tmp_path, providers={"openai": {"api_key": "of-the-settings"}})
    write_keys(given, {"openai": KEY})
    async with Application(given) as application:
        assert application.backends.provider(("openai", "text")).access.api_key == KEY


def test_keys_that_cannot_be_read_stop_a_command_and_not_a_server(
    tmp_path: Path, tools: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    given = settings(tmp_path)
    given.data.mkdir()
    (given.data / "keys.json").write_text("no keys")

    async def main(required: bool) -> None:
        async with Application(given, tools, keys_required=required) as application:
            assert application.orchestrator.sessions == {}

    with pytest.raises(KeyFileError, match="does not hold keys"):
        asyncio.run(main(True))
    asyncio.run(main(False))
    assert "are not in force" in caplog.text


def test_tools_with_defects_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "tools" / "broken"
    broken.mkdir(parents=True)
    (broken / "schema.json").write_text("{")
    given = settings(tmp_path, tools={"folders": [tmp_path / "tools"]})
    with pytest.raises(ToolBuildError, match="nothing was started") as caught:
        load_tools(given)
    assert any("broken" in str(finding.file) for finding in caught.value.findings)
