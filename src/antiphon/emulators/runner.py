"""Emulators in a thread of their own: for tests, and for any program that uses the real SDKs."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from antiphon.emulators.base import KEY, Emulator
from antiphon.emulators.script import Script

CATCH_UP = 1.0
# The class of each emulator, imported when it is made: each brings its protocol along.
_CLASSES = {
    "gemini": "antiphon.emulators.gemini:GeminiEmulator",
    "openai": "antiphon.emulators.openai:OpenAIEmulator",
    "anthropic": "antiphon.emulators.anthropic:AnthropicEmulator",
}
APIS = tuple(_CLASSES)


def make(api: str, script: Any = None, **options: Any) -> Emulator:
    """The emulator of one provider. `script`: a Script, a path of YAML, or the data itself.

    Raises ScriptError for a script that cannot be used, ValueError for an unknown provider.
    """
    if isinstance(script, str | Path):
        script = Script.load(script)
    elif script is not None and not isinstance(script, Script):
        script = Script.parse(script)
    if api not in _CLASSES:
        raise ValueError(f"there is no emulator of {api!r}; there are {', '.join(APIS)}")
    emulator: Emulator = resolve_name(_CLASSES[api])(script, **options)
    return emulator


@contextmanager
def emulate(
    api: str, script: Any = None, *, check: bool = True, key: str | None = KEY, **options: Any
) -> Iterator[Emulator]:
    """A running emulator, in a thread, until the block ends.

    A block that ends well fails all the same with AssertionError when the conversation did not go
    as the script says; `check=False` leaves that to the caller.
    """
    emulator = make(api, script, key=key, **options)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name=f"{api} emulator", daemon=True)
    thread.start()

    def there(work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, loop).result(timeout=15)

    try:
        there(emulator.start())
        try:
            yield emulator
            if check:
                _catch_up(emulator)
        finally:
            there(emulator.stop())
        if check:
            emulator.check()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=15)
        loop.close()


def _catch_up(emulator: Emulator) -> None:
    """Wait until the last messages of the client have arrived."""
    deadline = time.monotonic() + CATCH_UP
    while emulator.playback.unfinished() and time.monotonic() < deadline:
        time.sleep(0.005)
