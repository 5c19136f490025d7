"""Servers on loopback that speak the providers' wire protocols, with faults on demand."""

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.emulators.base import Emulator
    from antiphon.emulators.runner import emulate, make
    from antiphon.emulators.script import Script, ScriptError

__all__ = ["Emulator", "Script", "ScriptError", "emulate", "make"]

__getattr__ = lazy(
    __name__,
    {
        "Emulator": "antiphon.emulators.base",
        "Script": "antiphon.emulators.script",
        "ScriptError": "antiphon.emulators.script",
        "emulate": "antiphon.emulators.runner",
        "make": "antiphon.emulators.runner",
    },
    globals(),
)
