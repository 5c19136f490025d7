"""Test support: virtual time, leak checks, conversations with a scripted model, emulators."""

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.testing.clock import Clock, VirtualTimeLoop
    from antiphon.testing.conversations import ConversationDriver, conversation
    from antiphon.testing.leaks import LeakError, no_leaks
    from antiphon.testing.reports import DeadlockError, HangError
    from antiphon.testing.running import run, run_real
    from antiphon.testing.scripted_answers import AnswerScript, ModelRequest, call
    from antiphon.testing.tools import ToolSession, tool_session
    from antiphon.testing.turn_checks import CheckedCall, CheckedTurn, OpenQuestion

__all__ = [
    "AnswerScript",
    "CheckedCall",
    "CheckedTurn",
    "Clock",
    "ConversationDriver",
    "DeadlockError",
    "HangError",
    "LeakError",
    "ModelRequest",
    "OpenQuestion",
    "ToolSession",
    "VirtualTimeLoop",
    "call",
    "conversation",
    "no_leaks",
    "run",
    "run_real",
    "tool_session",
]

# pytest imports this package at its start, wherever Antiphon is installed.
__getattr__ = lazy(
    __name__,
    {
        "AnswerScript": "antiphon.testing.scripted_answers",
        "CheckedCall": "antiphon.testing.turn_checks",
        "CheckedTurn": "antiphon.testing.turn_checks",
        "Clock": "antiphon.testing.clock",
        "ConversationDriver": "antiphon.testing.conversations",
        "DeadlockError": "antiphon.testing.reports",
        "HangError": "antiphon.testing.reports",
        "LeakError": "antiphon.testing.leaks",
        "ModelRequest": "antiphon.testing.scripted_answers",
        "OpenQuestion": "antiphon.testing.turn_checks",
        "ToolSession": "antiphon.testing.tools",
        "VirtualTimeLoop": "antiphon.testing.clock",
        "call": "antiphon.testing.scripted_answers",
        "conversation": "antiphon.testing.conversations",
        "no_leaks": "antiphon.testing.leaks",
        "run": "antiphon.testing.running",
        "run_real": "antiphon.testing.running",
        "tool_session": "antiphon.testing.tools",
    },
    globals(),
)
