"""One server with an emulated Gemini for the tests that need no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.ws.phone import Phone, VoiceServe


@pytest.fixture(scope="session")
def voice_serve(tmp_path_factory: pytest.TempPathFactory) -> VoiceServe:
    return VoiceServe(tmp_path_factory.mktemp("voice"))


@pytest.fixture(scope="module")
def house(voice_serve: VoiceServe) -> Iterator[Any]:
    """A running server: its client, its emulator and its application."""
    with voice_serve.talking() as found:
        yield found


@pytest.fixture
def phone(house: Any) -> Iterator[Phone]:
    """A socket at which nothing was said yet."""
    with Phone(house[0].port) as one:
        yield one
