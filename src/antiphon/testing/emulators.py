"""A pytest fixture: providers on loopback that stop, and are checked, at the end of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate

__all__ = ["EmulatorStarter", "emulators"]


class EmulatorStarter:
    """Starts emulators for one test, any number of them. `api` is the one that is started, and
    `announce` is told each that runs."""

    def __init__(self, api: str, announce: Callable[[Emulator], None]) -> None:
        self._api = api
        self._announce = announce
        self._stack = ExitStack()
        self._checked: list[Emulator] = []

    def __call__(self, script: Any = None, *, check: bool = True, **options: Any) -> Emulator:
        """Start an emulator. Takes what `antiphon.emulators.emulate` does; `check=False` leaves it
        to the test whether everything went as scripted."""
        return self.start(self._api, script, check=check, **options)

    def start(
        self, api: str, script: Any = None, *, check: bool = True, **options: Any
    ) -> Emulator:
        """Start the emulator of any provider."""
        emulator = self._stack.enter_context(emulate(api, script, check=False, **options))
        if check:
            self._checked.append(emulator)
        self._announce(emulator)
        return emulator

    def stop(self) -> None:
        """Stop all of them. May be called twice."""
        self._stack.close()

    def finish(self) -> None:
        """Stop all of them, and fail the test for what did not go as scripted."""
        self.stop()
        found = []
        for emulator in self._checked:
            try:
                emulator.check()
            except AssertionError as error:
                found.append(f"{emulator.api}: {error}")
        if found:
            pytest.fail("\n".join(found), pytrace=False)


@pytest.fixture
def emulators() -> Iterator[Callable[..., Emulator]]:
    """`emulators("gemini", script)` starts one and returns it; any number may be started.

    Takes what `antiphon.emulators.emulate` does. Steps that nobody reached, and whatever the
    script did not foresee, fail the test; `check=False` leaves that to you.
    """
    starter = EmulatorStarter("", lambda _: None)
    try:
        yield starter.start
    finally:
        starter.stop()
    starter.finish()
