"""`antiphon prompt show`: the instructions, their parts and their cost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from antiphon.cli import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("ANTIPHON_"):
            monkeypatch.delenv(name)
    return tmp_path


def test_the_text_goes_out_and_the_estimate_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "show", "--mode", "voice"]) == 0
    shown = capsys.readouterr()
    assert "You are speaking" in shown.out
    assert "**end_voice_session**" in shown.out
    assert "**start_voice_session**" not in shown.out
    assert "Session init: ~" in shown.err


def test_json_has_the_tokens_of_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "show", "--json"]) == 0
    body = json.loads(capsys.readouterr().out)
    assert (body["profile"], body["mode"]) == ("assistant", "text")
    assert body["systemPromptTokens"] == sum(body["parts"].values())
    assert set(body["text"]) == set(body["parts"])


def test_one_part_and_one_profile_can_be_chosen(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "profiles").mkdir()
    (folder / "profiles" / "mine.toml").write_text('instructions = "Only mine."\n')
    assert main(["prompt", "show", "--profile", "mine", "--part", "profile"]) == 0
    assert capsys.readouterr().out == "Only mine.\n"


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--mode", "song"], "must be text or voice", 2),
        (["--part", "nothing"], "there are core, behavior", 2),
        (["--profile", "nobody"], "there are assistant, vox", 1),
    ],
)
def test_what_cannot_be_shown_is_said_in_words(
    arguments: list[str], said: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["prompt", "show", *arguments]) == status
    assert said in capsys.readouterr().err.replace("\n", " ")
