"""A package with a plug-in of each kind is installed and used."""

from __future__ import annotations

import json
import logging
from contextlib import aclosing
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.conftest import install

from antiphon import Registry, ToolCall
from antiphon.app import Application, KnowledgeOptions, load_tools
from antiphon.app.tools import ToolBuildError
from antiphon.cli import main
from antiphon.config import ConfigError, Settings, load_settings
from antiphon.orchestrator.replay import replay
from antiphon.plugins import Plugins

pytestmark = pytest.mark.usefixtures("acme")

CHOICES = {
    "ANTIPHON_AGENT__BACKEND": "acme",
    "ANTIPHON_KNOWLEDGE__EMBEDDER": "letters",
    "ANTIPHON_CALENDAR__SERVICE": "office",
    "ANTIPHON_CALENDAR__TIME_ZONE": "UTC",
    "ANTIPHON_SPEECH__SYNTHESIZER": "beep",
    "ANTIPHON_PROVIDERS__ACME__API_KEY": "acme-key",
}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools").mkdir()
    return load_settings(
        environment={
            **CHOICES,
            "ANTIPHON_DATA": str(tmp_path / "data"),
            "ANTIPHON_TOOLS__FOLDERS": str(tmp_path / "tools"),
        }
    ).settings


@pytest.fixture
def registry(settings: Settings) -> Registry:
    return load_tools(settings)


def application(settings: Settings, registry: Registry, **options: Any) -> Application:
    return Application(settings, registry, knowledge=KnowledgeOptions(samples=False), **options)


async def test_its_provider_answers_a_text_turn(settings: Settings, registry: Registry) -> None:
    async with application(settings, registry) as app:
        turn = await app.text_agent.open("hello acme")
        async with aclosing(turn.events()) as events:
            said = [event async for event in events]
        [status] = [each for each in await app.backends.status() if each["name"] == "acme"]
    assert "HELLO ACME" in str(said)
    assert (status["label"], status["configured"]) == ("Acme", True)
    assert status["model"] == "acme-capitals-1"


async def test_its_tool_runs_and_its_rules_refuse_and_ask(
    settings: Settings, registry: Registry
) -> None:
    async with application(settings, registry) as app:
        text, voice = app.orchestrator.session("text"), app.orchestrator.session("voice")
        run = await text.dispatch(ToolCall("call_11111111", "shout", {"text": "hey"}))
        assert run["data"] == {"text": "HEY"}
        refused = await voice.dispatch(ToolCall("call_22222222", "shout", {"text": "hey"}))
        assert refused["error"]["message"] == "Nobody shouts in a conversation."
        asked = await text.dispatch(ToolCall("call_33333333", "shout", {"text": "payroll"}))
        assert asked["error"]["type"] == "CONFIRMATION_REQUIRED"
        [request] = [m for m in text.drain_messages() if m["type"] == "confirmation_required"]
        assert request["rule"] == "acme.payroll"
        done = await text.confirm(request["id"], request["token"], True)
        assert done["data"] == {"text": "PAYROLL"}
        await app.store.flush()
        lines = [line.data for line in await app.store.audit_lines()]
    decided = [(each["decision"], each["rule"]) for each in lines if each.get("rule")]
    assert decided == [
        ("run", "run"),
        ("refuse", "acme.quiet"),
        ("confirm", "acme.payroll"),
        ("run", "run"),
    ]
    report = replay(lines, registry.snapshot())
    assert report.differences == []  # what it decided is taken as it was
    assert (report.assumed["acme.quiet"], report.assumed["acme.payroll"]) == (1, 1)


def test_its_rules_are_told_with_the_others_and_the_way_of_a_call_leads_past_them() -> None:
    from antiphon.app.rules import further_rules
    from antiphon.policy import RuleSet
    from antiphon.server.routes.rules import passages

    rules = RuleSet(further_rules(Plugins()))
    ids = [rule.id for rule in rules.rules]
    assert ids[ids.index("mode") + 1] == "acme.quiet"
    assert ids[ids.index("arguments") + 1] == "acme.payroll"
    line = {"decision": "confirm", "rule": "acme.payroll"}
    way = {passage.id: passage.outcome for passage in passages(line, None, rules)}
    assert way["acme.quiet"] == way["budget"] == "passed"
    assert (way["acme.payroll"], way["confirmation"]) == ("asked", "not_reached")


async def test_a_profile_may_name_its_provider(settings: Settings, registry: Registry) -> None:
    settings.profiles.folder.mkdir()
    text = '[text]\nbackend = "acme"\nmodel = "acme-capitals-2"\n'
    (settings.profiles.folder / "loud.toml").write_text(text)
    async with application(settings, registry) as app:
        assert app.profile("loud").text.backend == "acme"


async def test_its_embedder_embeds(settings: Settings, registry: Registry) -> None:
    async with application(settings, registry) as app:
        base = app.knowledge.base()
        assert base.embedder is not None
        assert base.embedder.name == "acme-letters-1"
        assert base.embedder.embed(["abc"]).shape == (1, 27)


async def test_its_voice_speaks(settings: Settings) -> None:
    from antiphon.speech import synthesizer_for

    chosen = settings.speech_engines
    voice = synthesizer_for(chosen["synthesizer"], {"samples": 3})
    assert b"".join(voice.speak("hello")) == b"\x00\x10" * 3


async def test_its_calendar_gives_free_time(settings: Settings, registry: Registry) -> None:
    async with application(settings, registry) as app:
        found = await app.calendar.availability(
            "ada",
            "2026-03-02T10:00:00Z",
            "2026-03-02T15:00:00Z",
            now=datetime(2026, 3, 1, tzinfo=UTC),
        )
    text = json.dumps(found)
    assert "2026-03-02T10:00:00" in text
    assert "2026-03-02T13:00:00" in text


def test_the_doctor_names_each_with_its_origin_and_version(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CHOICES.items():
        monkeypatch.setenv(name, value)
    status = main(["doctor", "--json", "--data", str(settings.data)])
    body = json.loads(capsys.readouterr().out)
    found = {
        (each["kind"], each["name"])
        for each in body["plugins"]
        if (each["origin"], each["version"]) == ("acme-plugins", "1.2")
    }
    assert found == {
        ("providers", "acme"),
        ("rules", "acme.quiet"),
        ("rules", "acme.payroll"),
        ("embedders", "letters"),
        ("speech", "synthesizer.beep"),
        ("calendars", "office"),
        ("tools", "acme"),
    }
    assert (status, body["problems"]) == (0, [])
    main(["doctor", "--data", str(settings.data)])
    assert "acme.quiet, acme.payroll  (acme-plugins 1.2)" in capsys.readouterr().out


def test_a_broken_one_is_named_and_the_others_are_used(
    acme: Path,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    (acme / "broken_tools" / "bad").mkdir(parents=True)
    (acme / "broken_tools" / "__init__.py").write_text("")
    (acme / "broken_tools" / "bad" / "schema.json").write_text("{")
    points = (
        "[antiphon.rules]\nbroken = nowhere:RULE\nmisplaced = acme_plugins.rules:quiet\n"
        "[antiphon.tools]\nbroken = broken_tools\n[antiphon.providers]\nbroken = json:loads\n"
    )
    install(acme, "broken-plugins", "0.1", points)
    with caplog.at_level(logging.WARNING):
        tools = load_tools(settings).snapshot().tools
    assert list(tools) == ["shout"]
    assert "The tools of the plug-in broken (broken-plugins 0.1) are left out" in caplog.text
    assert main(["doctor", "--data", str(settings.data)]) == 1
    out = capsys.readouterr().out
    assert "wrong: The plug-in broken (rules) of broken-plugins 0.1 cannot be loaded" in out
    assert "it is no antiphon.policy.Rule. It is of the plug-in broken-plugins 0.1." in out
    assert "broken (providers) of broken-plugins 0.1 cannot be used: it is no ProviderSpec" in out


def test_functions_are_tools_of_a_plug_in_and_of_the_settings(
    acme: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    code = "from antiphon import tool\n\n" + "\n\n".join(
        f'@tool(side_effects="none")\ndef {name}() -> str:\n    """Say it."""\n    return "{name}"'
        for name in ("whisper", "hum")
    )
    code += '\n\n@tool\ndef untyped(word):\n    """Say a word."""\n'
    (acme / "voices.py").write_text(code)
    points = "[antiphon.tools]\nvoices = voices:whisper\nbroken = voices:untyped\n"
    install(acme, "voice-plugins", "0.1", points)
    settings.tools.functions.append("voices:hum")
    with caplog.at_level(logging.WARNING):
        assert load_tools(settings).tool_ids() == ["hum", "shout", "whisper"]
    assert "The tools of the plug-in broken (voice-plugins 0.1) are left out: " in caplog.text
    settings.tools.functions[:] = ["voices:mumble"]
    with pytest.raises(ToolBuildError, match="voices:mumble: voices has no 'mumble'"):
        load_tools(settings)


def test_a_name_that_nobody_has_is_answered_with_the_known_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = {name: "acmee" for name in CHOICES if name.endswith(("BACKEND", "EMBEDDER", "SERVICE"))}
    with pytest.raises(ConfigError) as raised:
        load_settings(environment=wrong)
    said = "\n".join(raised.value.problems)
    assert '`agent.backend` must be "local", "gemini", "openai", "claude" or "acme"' in said
    assert '"gemini" or "letters", not \'acmee\'' in said
    assert '`calendar.service` must be "local", "google", "caldav" or "office"' in said


async def test_arguments_do_the_same_without_being_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    acme = import_module("acme_plugins")
    plugins = Plugins(
        providers={"acme": import_module("acme_plugins.provider").ACME},
        rules=[import_module("acme_plugins.rules").QUIET],
        embedders={"letters": import_module("acme_plugins.embedder").Letters},
        speech={"synthesizer.beep": import_module("acme_plugins.speech").Beep},
        calendars={"office": import_module("acme_plugins.calendar").office_calendar},
        tools=[acme.TOOLS],
        installed=False,
    )
    (tmp_path / "tools").mkdir()
    folders = {"ANTIPHON_TOOLS__FOLDERS": str(tmp_path / "tools")}
    settings = load_settings(environment={**CHOICES, **folders}, plugins=plugins).settings
    async with application(settings, load_tools(settings, plugins), plugins=plugins) as app:
        turn = await app.text_agent.open("hello acme")
        async with aclosing(turn.events()) as events:
            assert "HELLO ACME" in str([event async for event in events])
        session = app.orchestrator.session("voice")
        refused = await session.dispatch(ToolCall("call_44444444", "shout", {"text": "hey"}))
        assert refused["error"]["message"] == "Nobody shouts in a conversation."
        embedder = app.knowledge.base().embedder
        assert embedder is not None
        assert embedder.name == "acme-letters-1"
        day = ("2026-03-02T10:00:00Z", "2026-03-02T15:00:00Z")
        now = datetime(2026, 3, 1, tzinfo=UTC)
        assert await app.calendar.availability("ada", *day, now=now)
    own = Plugins(installed=False)
    with pytest.raises(ConfigError, match=r"`agent.backend` must be"):
        load_settings(environment=CHOICES, plugins=own)
