"""A pytest fixture: providers on loopback that stop, and are checked, at the end of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate

__all__ = ["emulators"]


@pytest.fixture
def emulators() -> Iterator[Callable[..., Emulator]]:
    """`emulators("gemini", script)` starts one and returns it; any number may be started.

    Takes what `antiphon.emulators.emulate` does. Steps that nobody reached, and whatever the
    script did not foresee, fail the test; `check=False` leaves that to you.
    """
    started: list[Emulator] = []
    with ExitStack() as stack:

        def start(api: str, script: Any = None, *, check: bool = True, **options: Any) -> Emulator:
            emulator = stack.enter_context(emulate(api, script, check=False, **options))
            if check:
                started.append(emulator)
            return emulator

        yield start
    found = []
    for emulator in started:
        try:
            emulator.check()
        except AssertionError as error:
            found.append(f"{emulator.api}: {error}")
    if found:
        pytest.fail("\n".join(found), pytrace=False)
