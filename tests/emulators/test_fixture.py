"""The pytest fixture that users import: emulators that are checked when the test ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anthropic
import pytest
from tests.testing.projects import run_project

from antiphon.emulators import Emulator
from antiphon.testing.emulators import emulators as _emulators

emulators = _emulators  # a fixture is found by the name it has here

SAID = {"model": "claude-sonnet-4-6", "max_tokens": 9}
TESTS = """
import anthropic
from antiphon.testing.emulators import emulators

STEPS = [{"on": "text", "reply": [{"say": "Hi."}]}]


def ask(emulator):
    with anthropic.Anthropic(
        api_key="test-key", base_url=emulator.base_url, max_retries=0
    ) as client:
        said = [{"role": "user", "content": "Hello"}]
        client.messages.create(model="claude-sonnet-4-6", max_tokens=9, messages=said)


def test_good(emulators):
    ask(emulators("anthropic", STEPS))


def test_not_reached(emulators):
    emulators("anthropic", STEPS)


def test_unexpected(emulators):
    emulator = emulators("anthropic", STEPS)
    ask(emulator)
    try:
        ask(emulator)
    except anthropic.BadRequestError:
        pass


def test_left_alone(emulators):
    emulators("anthropic", STEPS, check=False)


def test_two(emulators):
    ask(emulators("anthropic", STEPS))
    emulators("openai", STEPS)
"""


def test_it_gives_a_running_emulator(emulators: Callable[..., Emulator]) -> None:
    emulator = emulators("anthropic", [{"on": "text", "reply": [{"say": "Hi."}]}], key="other")
    with anthropic.Anthropic(api_key="other", base_url=emulator.base_url) as client:
        answer = client.messages.create(messages=[{"role": "user", "content": "Hello"}], **SAID)
    assert answer.content[0].text == "Hi."
    assert emulator.received[0]["model"] == SAID["model"]


def test_bad_scripts_and_unknown_providers_are_said_at_once(
    emulators: Callable[..., Emulator],
) -> None:
    with pytest.raises(ValueError, match="did you mean 'say'"):
        emulators("gemini", [{"on": "text", "reply": [{"sai": "Hi."}]}])
    with pytest.raises(ValueError, match="there are gemini, openai, anthropic"):
        emulators("mistral")


def test_what_did_not_go_as_scripted_fails_the_test_that_did_it(tmp_path: Path) -> None:
    outcomes, text = run_project(tmp_path, TESTS, plugins=())
    wrong = {name for name, outcome in outcomes.items() if outcome != "passed"}
    assert wrong == {"test_not_reached", "test_unexpected", "test_two"}, text
    assert "script: step 1: never reached: text" in text
    assert "unexpected text" in text
    assert "no step is left" in text
    assert "openai: the emulated conversation went wrong" in text
