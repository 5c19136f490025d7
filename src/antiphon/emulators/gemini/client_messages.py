"""Client messages of Gemini Live: parsing, and what the service refuses in them."""

from __future__ import annotations

import base64
import binascii
import re
import sys
from array import array
from dataclasses import dataclass, field
from typing import Any, Literal

from antiphon.emulators.gemini.setup import INVALID, LiveRefusal, camel, get, text_of, unknown

LiveMessageKind = Literal[
    "setup", "content", "text", "audio", "video", "audio_end", "activity", "answers", "update"
]

_RATE = 16_000  # when the mime type says nothing
_LOUD = 500  # of 32768: louder than the noise of a room
_ALPHABET = str.maketrans("-_", "+/")


@dataclass(slots=True)
class LiveClientMessage:
    """One message of the client, parsed: its kind and the fields that this kind has."""

    kind: LiveMessageKind
    body: Any = None
    text: str = ""
    turns: list[tuple[str, str]] = field(default_factory=list)  # role and text
    complete: bool = False
    ms: float = 0.0
    loud: bool = False
    active: bool = False
    answers: list[dict[str, Any]] = field(default_factory=list)


def read(body: Any) -> LiveClientMessage:
    """Parse one message. Raises LiveRefusal for what the service does not take."""
    if not isinstance(body, dict) or len(body) != 1:
        raise LiveRefusal(
            1007, INVALID, mistake=f"a message has exactly one kind, not {_names(body)}"
        )
    ((name, inner),) = body.items()
    if not isinstance(inner, dict):
        raise LiveRefusal(1007, f"Invalid value at '{name}'")
    match camel(name):
        case "setup":
            return LiveClientMessage("setup", inner)
        case "clientContent":
            return _content(inner)
        case "realtimeInput":
            return _realtime(inner)
        case "toolResponse":
            answers = get(inner, "functionResponses")
            if not isinstance(answers, list) or not all(isinstance(a, dict) for a in answers):
                raise LiveRefusal(1007, INVALID, mistake="functionResponses is no list of answers")
            return LiveClientMessage("answers", answers=answers)
        case "contextUpdate":
            return LiveClientMessage("update", inner)
    raise unknown(name)


def _content(body: dict[str, Any]) -> LiveClientMessage:
    turns = body.get("turns") or []
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise LiveRefusal(1007, "Invalid value at 'client_content.turns'")
    said = [(str(turn.get("role") or "user"), text_of(turn)) for turn in turns]
    return LiveClientMessage("content", turns=said, complete=bool(get(body, "turnComplete")))


def _realtime(body: dict[str, Any]) -> LiveClientMessage:
    if len(body) != 1:
        raise LiveRefusal(1007, INVALID, mistake=f"realtime_input has one kind, not {_names(body)}")
    ((name, value),) = body.items()
    match camel(name):
        case "audio":
            return _audio(value)
        case "video":
            return LiveClientMessage("video")
        case "text":
            return LiveClientMessage("text", text=str(value))
        case "audioStreamEnd":
            return LiveClientMessage("audio_end")
        case "activityStart":
            return LiveClientMessage("activity", active=True)
        case "activityEnd":
            return LiveClientMessage("activity", active=False)
        case "mediaChunks":
            raise LiveRefusal(
                1007,
                "realtime_input.media_chunks is deprecated. Use audio, video, or text instead.",
            )
    raise unknown(name, "realtime_input")


def _audio(blob: Any) -> LiveClientMessage:
    mime = get(blob, "mimeType") if isinstance(blob, dict) else None
    if not isinstance(mime, str) or not mime.startswith("audio/pcm"):
        raise LiveRefusal(1007, INVALID, mistake=f"audio is audio/pcm;rate=…, not {mime!r}")
    found = re.search(r"rate=(\d+)", mime)
    rate = int(found[1]) if found else _RATE
    try:
        # Both alphabets of base64 are taken; the SDK sends the one for URLs.
        pcm = base64.b64decode(str(blob.get("data")).translate(_ALPHABET), validate=True)
    except binascii.Error as error:
        raise LiveRefusal(
            1007, "Invalid value at 'audio.data' (Base64)", mistake=str(error)
        ) from None
    samples = array("h", pcm[: len(pcm) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    loud = bool(samples) and max(max(samples), -min(samples)) >= _LOUD
    return LiveClientMessage("audio", ms=len(samples) * 1000 / rate, loud=loud)


def _names(body: Any) -> str:
    return ", ".join(body) or "none" if isinstance(body, dict) else type(body).__name__
