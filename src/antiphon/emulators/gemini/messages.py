"""The messages with which Gemini Live does what a script says, as data."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, TypeVar

from antiphon.emulators.base import RATE, chunks, pieces, speech
from antiphon.emulators.gemini.request import error_body
from antiphon.emulators.gemini.setup import LiveSetup
from antiphon.emulators.script import Beat

Message = dict[str, Any]
_T = TypeVar("_T")

# The neutral words of scripts for why a turn ended; others are sent as they are.
_REASONS = {"refused": "RESPONSE_REJECTED", "failed": "MALFORMED_FUNCTION_CALL"}
_MIME = f"audio/pcm;rate={RATE}"


def content(**fields: Any) -> Message:
    return {"serverContent": fields}


def turn_complete(beat: Beat | None = None) -> Message:
    fields: Message = {"turnComplete": True}
    if beat is not None:
        if isinstance(beat.value, str) and beat.value != "max_tokens":
            fields["turnCompleteReason"] = _REASONS.get(beat.value, beat.value)
        if status := beat.options.get("interactionStatus"):
            fields["interactionStatus"] = status
    return {"serverContent": fields}


def of_beat(beat: Beat, setup: LiveSetup, number: int) -> list[Message]:
    """The messages of a beat that only says something; `number` makes ids that are missing."""
    match beat.kind:
        case "say":
            found = list(_said(beat, setup))
        case "text":
            found = [_part(text=piece) for piece in pieces(beat.value)]
        case "audio":
            found = [_audio(chunk) for chunk in chunks(speech(beat))]
        case "hear":
            found = list(_transcript("inputTranscription", beat.value)) if setup.hears else []
        case "speech":
            kind = "ACTIVITY_START" if beat.value == "started" else "ACTIVITY_END"
            found = [{"voiceActivity": {"type": kind}}]
        case "thinking":
            found = [_part(text=beat.value, thought=True)]
        case "calls":
            calls = [_call(c, f"fc-{number + n}") for n, c in enumerate(beat.value)]
            found = [{"toolCall": {"functionCalls": calls}}]
        case "cancel":
            found = [{"toolCallCancellation": {"ids": [str(id_) for id_ in beat.value]}}]
        case "interrupted":
            found = [content(interrupted=True)]
        case "usage":
            found = [{"usageMetadata": _usage(beat.value, setup)}]
        case "go_away":
            found = [{"goAway": {"timeLeft": f"{beat.value:g}s"}}]
        case "error":
            code = beat.value.get("code", 500)
            body = error_body(code, str(beat.value.get("message", "Internal error encountered.")))
            found = [{"error": body["error"] | beat.value}]
        case "oversized":
            found = [_audio(bytes(beat.value + beat.value % 2))]
        case _:
            raise ValueError(f"{beat.kind} is more than messages")
    return _combined(found, beat.options.get("with"))


def _combined(found: list[Message], more: Message | None) -> list[Message]:
    """The messages with the fields of `with` of a beat in the last one."""
    return [*found[:-1], merged(found[-1], more)] if found and more else found


def merged(message: Message, more: Message) -> Message:
    result = dict(message)
    for name, value in more.items():
        old = result.get(name)
        both = isinstance(old, dict) and isinstance(value, dict)
        result[name] = merged(old, value) if both else value  # type: ignore[arg-type]
    return result


def inside(message: Message, name: str, field: str, kind: type[_T]) -> _T:
    """A field of a part of a message; an empty value when it is missing or of another type."""
    part = message.get(name)
    value = part.get(field) if isinstance(part, dict) else None
    return value if isinstance(value, kind) else kind()


def said_in(message: Message) -> str:
    """The text of the model in a message, written or transcribed."""
    turn = inside(message, "serverContent", "modelTurn", dict)
    parts = [part for part in inside({"turn": turn}, "turn", "parts", list) if _is_word(part)]
    aloud = inside(message, "serverContent", "outputTranscription", dict)
    return "".join(part["text"] for part in parts) + str(aloud.get("text") or "")


def _is_word(part: Any) -> bool:
    return isinstance(part, dict) and bool(part.get("text")) and not part.get("thought")


def _said(beat: Beat, setup: LiveSetup) -> Iterator[Message]:
    if setup.output == "TEXT":
        yield from (_part(text=piece) for piece in pieces(beat.value))
        return
    words = pieces(beat.value) if setup.reads else iter(())
    for chunk in chunks(speech(beat)):
        yield _audio(chunk)
        if (word := next(words, None)) is not None:
            yield content(outputTranscription={"text": word})
    for word in words:
        yield content(outputTranscription={"text": word})


def _transcript(field: str, text: str) -> Iterator[Message]:
    found = list(pieces(text))
    for number, piece in enumerate(found, 1):
        last = {"finished": True} if number == len(found) else {}
        yield {"serverContent": {field: {"text": piece, **last}}}


def _part(**fields: Any) -> Message:
    return content(modelTurn={"role": "model", "parts": [fields]})


def _audio(pcm: bytes) -> Message:
    return _part(inlineData={"mimeType": _MIME, "data": base64.b64encode(pcm).decode()})


def _call(call: dict[str, Any], id_: str) -> Message:
    body: Message = {"id": id_, "name": call.get("name"), "args": call.get("args", {})}
    if "id" in call:
        body["id"] = call["id"]
    if "arguments" in call:  # the raw string of other APIs: here it is data, or no object at all
        try:
            body["args"] = json.loads(call["arguments"])
        except ValueError:
            body["args"] = call["arguments"]
    return {key: value for key, value in body.items() if value is not None}


def _usage(counts: dict[str, Any], setup: LiveSetup) -> Message:
    given, made = int(counts.get("input", 0)), int(counts.get("output", 0))
    body: Message = {
        "promptTokenCount": given,
        "responseTokenCount": made,
        "totalTokenCount": given + made,
        "responseTokensDetails": [{"modality": setup.output, "tokenCount": made}],
    }
    if counts.get("cached"):
        body["cachedContentTokenCount"] = int(counts["cached"])
    return body
