"""Plug-ins by name: built in, by argument and by entry point."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.plugins.conftest import install

from antiphon.plugins import KINDS, PluginError, Plugins, UnknownPlugin, folder_of


def test_everything_that_is_built_in_can_be_loaded() -> None:
    plugins = Plugins()
    for kind in KINDS:
        for plugin in plugins.all(kind):
            assert plugin.origin == "built-in"
            assert plugin.load() is not None


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownPlugin) as raised:
        Plugins().find("embedders", "minilmm")
    assert "minilm, openai, openai-compatible, gemini" in str(raised.value)
    assert raised.value.nearest[0] == "minilm"


def test_an_argument_counts_before_what_is_built_in() -> None:
    plugins = Plugins(embedders={"minilm": dict, "own": list})
    assert plugins.find("embedders", "minilm").load() is dict
    assert plugins.find("embedders", "own").origin == "argument"
    assert plugins.names("embedders") == ["minilm", "openai", "openai-compatible", "gemini", "own"]


def test_an_entry_point_has_the_name_and_version_of_its_distribution(installed: Path) -> None:
    install(installed, "acme-calendar", "1.2", "[antiphon.calendars]\nacme = json:loads\n")
    plugin = Plugins().find("calendars", "acme")
    assert plugin.to_dict() == {
        "kind": "calendars",
        "name": "acme",
        "origin": "acme-calendar",
        "version": "1.2",
    }
    assert plugin.load().__name__ == "loads"


def test_sorts_of_speech_engines_are_told_apart(installed: Path) -> None:
    install(installed, "acme", "1", "[antiphon.speech]\nrecognizer.acme = json:loads\n")
    plugins = Plugins()
    assert "acme" in plugins.names("speech", "recognizer")
    assert plugins.names("speech", "vad") == ["silero"]


def test_what_is_built_in_counts_before_an_entry_point_which_is_named(installed: Path) -> None:
    install(installed, "acme", "3", "[antiphon.calendars]\nlocal = json:loads\n")
    plugins = Plugins()
    assert plugins.find("calendars", "local").origin == "built-in"
    assert plugins.problems() == [
        "The plug-in local (calendars) of acme 3 is not used: the name is that of one of built-in."
    ]


def test_of_two_entry_points_the_first_distribution_by_name_counts(installed: Path) -> None:
    install(installed, "zebra", "1", "[antiphon.calendars]\nshared = json:loads\n")
    install(installed, "acme", "2", "[antiphon.calendars]\nshared = json:dumps\n")
    plugins = Plugins()
    assert plugins.find("calendars", "shared").origin == "acme"
    [problem] = plugins.problems()
    assert "of zebra 1 is not used" in problem


def test_a_plug_in_that_cannot_be_loaded_is_named_and_left_out(
    installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (installed / "acme_broken.py").write_text("raise OSError('no licence')\n")
    install(
        installed,
        "acme",
        "2",
        "[antiphon.rules]\nbroken = acme_broken:RULE\nabsent = json:nothing\nfine = json:loads\n",
    )
    plugins = Plugins()
    [(plugin, _)] = plugins.usable("rules")
    assert plugin.name == "fine"
    assert "broken (rules) of acme 2 cannot be loaded: OSError: no licence" in caplog.text
    assert len(plugins.problems()) == 2
    with pytest.raises(PluginError, match=r"absent \(rules\) of acme 2 cannot be loaded"):
        plugins.find("rules", "absent").load()


def test_entry_points_are_not_read_for_what_is_built_in() -> None:
    code = (
        "import sys; from antiphon.plugins import Plugins; "
        "Plugins().find('calendars', 'local'); Plugins().names('rules'); "
        "raise SystemExit('importlib.metadata' in sys.modules)"
    )
    import subprocess

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_tools_are_named_by_a_folder_or_by_the_package_beside_them(tmp_path: Path) -> None:
    import json

    assert folder_of(tmp_path) == tmp_path
    assert folder_of(str(tmp_path)) == tmp_path
    assert folder_of(json) == Path(json.__file__).parent
    with pytest.raises(TypeError, match="a folder or a package"):
        folder_of(3)
