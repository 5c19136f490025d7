"""Test support for tools: virtual time, leak checks, emulators and pytest fixtures."""

from antiphon.testing.clock import Clock, VirtualTimeLoop
from antiphon.testing.leaks import LeakError, no_leaks
from antiphon.testing.reports import DeadlockError, HangError
from antiphon.testing.running import run, run_real
from antiphon.testing.tools import ToolSession, tool_session

__all__ = [
    "ToolSession",
    "Clock",
    "DeadlockError",
    "HangError",
    "LeakError",
    "VirtualTimeLoop",
    "no_leaks",
    "run",
    "run_real",
    "tool_session",
]
