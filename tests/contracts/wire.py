"""Checks of what clients get against the types that the console's are generated from."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from pydantic import TypeAdapter

from antiphon.contracts.text_stream import TextStreamEvent
from antiphon.contracts.voice_stream import VoiceMessage

# A tool may add fields of its own to these.
OPEN = ("progress", "async_task_progress")


def _by_type(union: Any) -> dict[str, TypeAdapter[Any]]:
    return {
        get_args(get_type_hints(kind)["type"])[0]: TypeAdapter(kind) for kind in get_args(union)
    }


_VOICE, _TEXT = _by_type(VoiceMessage), _by_type(TextStreamEvent)


def check_voice(message: dict[str, Any]) -> None:
    """Fail for a message of the socket that is not of its type. Those of tools' own are skipped."""
    _check(_VOICE, {name: value for name, value in message.items() if name != "seq"})


def check_text(event: dict[str, Any]) -> None:
    """Fail for an event of the stream of a chat that is not of its type."""
    assert event["type"] in _TEXT, f"an event of an unknown type: {event}"
    _check(_TEXT, event)


def _check(kinds: dict[str, TypeAdapter[Any]], message: dict[str, Any]) -> None:
    adapter = kinds.get(message["type"])
    if adapter is None:
        return
    known = adapter.validate_python(message, strict=True)
    unknown = message.keys() - known.keys()
    assert not unknown or message["type"] in OPEN, f"{sorted(unknown)} of {message} is in no type"
