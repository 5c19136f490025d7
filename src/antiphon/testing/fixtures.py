"""Pytest fixtures: an app over a project's tools, a conversation with it, emulated providers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from antiphon.emulators import Emulator
    from antiphon.facade import Antiphon
    from antiphon.orchestrator import Session
    from antiphon.testing.conversations import ConversationDriver
    from antiphon.testing.emulators import EmulatorStarter
    from antiphon.testing.scripted_answers import AnswerScript


@pytest.fixture
def antiphon_tools() -> Any:
    """The tools under test. A project defines this fixture itself: functions, folders, a
    Registry."""
    pytest.fail(
        "antiphon_app needs to know your tools. Define a fixture `antiphon_tools` in conftest.py, "
        "or in the test module, that returns them: `return [weather]`.",
        pytrace=False,
    )


@pytest.fixture
def antiphon_model() -> AnswerScript:
    """The model of `antiphon_app`: it gives the answers that the test writes down, with
    `antiphon_model.answers(...)`."""
    from antiphon.testing.scripted_answers import AnswerScript

    return AnswerScript()


@pytest.fixture
async def antiphon_app(antiphon_tools: Any, antiphon_model: Any) -> AsyncIterator[Antiphon]:
    """An open app with the tools and the model of the fixtures above, and a store in memory."""
    from antiphon.facade import Antiphon

    async with Antiphon(antiphon_tools, antiphon_model) as app:
        yield app


@pytest.fixture
async def antiphon_session(antiphon_app: Antiphon) -> AsyncIterator[Session]:
    """A session of the app, for calls without a model."""
    session = await antiphon_app.session()
    yield session
    await session.end()


@pytest.fixture
async def antiphon_talk(
    antiphon_app: Antiphon, antiphon_model: Any
) -> AsyncIterator[ConversationDriver]:
    """A conversation with the app. Answers of the script that nobody asked for fail the test."""
    from antiphon.testing.conversations import conversation

    async with conversation(antiphon_app, antiphon_model) as talk:
        yield talk


def _emulator(api: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatorStarter]:
    from antiphon.testing.emulators import EmulatorStarter

    def announce(emulator: Emulator) -> None:
        for name, value in emulator.environment.items():
            monkeypatch.setenv(name, value)

    starter = EmulatorStarter(api, announce)
    try:
        yield starter
    finally:
        starter.stop()
    starter.finish()


@pytest.fixture
def gemini_emulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatorStarter]:
    """`gemini_emulator(script)` starts Gemini on loopback. Until the end of the test the
    environment names it, so that Google's SDK and `Antiphon(model="gemini")` find it; then it is
    checked."""
    yield from _emulator("gemini", monkeypatch)


@pytest.fixture
def openai_emulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatorStarter]:
    """`openai_emulator(script)` starts OpenAI on loopback, for OpenAI's SDK and
    `Antiphon(model="openai")`."""
    yield from _emulator("openai", monkeypatch)


@pytest.fixture
def anthropic_emulator(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmulatorStarter]:
    """`anthropic_emulator(script)` starts Anthropic on loopback, for Anthropic's SDK and
    `Antiphon(model="anthropic")`."""
    yield from _emulator("anthropic", monkeypatch)
