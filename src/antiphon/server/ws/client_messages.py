"""Client messages of `/ws/vox`: parsed and validated, or refused in words."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Collection
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Annotated, Any, Literal, get_args

import orjson
from pybase64 import b64decode
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    Strict,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
)

from antiphon.contracts.json_depth import MAX_DEPTH, is_deeper, may_be_deeper
from antiphon.orchestrator.grants import GrantScope
from antiphon.plugins import TABLE

MAX_TEXT_BYTES = 256 * 1024
MAX_AUDIO_BYTES = 64 * 1024
# What the transport takes at all; more than this closes the socket with 1009.
MAX_FRAME_BYTES = 1024 * 1024

MAX_PENDING_REQUEST = 200
MAX_PROMPT = 16_000
MAX_NAME = 200
MAX_TOKEN = 600
MAX_MS = 24 * 3600 * 1000

SAMPLE_BYTES = 2
_MAX_BASE64 = 4 * ((MAX_AUDIO_BYTES + 2) // 3)

Framing = Literal["json", "binary"]


class ProtocolError(Exception):
    """A message that cannot be taken. The words are for whoever wrote the client; `about` is the
    type of the message, when it has one."""

    def __init__(self, words: str, about: str | None = None) -> None:
        super().__init__(words)
        self.about = about


def _or(default: Any) -> BeforeValidator:
    """Null and empty text are the same as left out."""
    return BeforeValidator(lambda value: default if value is None or value == "" else value)


def _whole(value: Any) -> Any:
    """JavaScript knows no whole numbers: 120.0 is one."""
    return int(value) if type(value) is float and value.is_integer() else value


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("blank")
    return value


def _known_backend(value: str | None, info: ValidationInfo) -> str | None:
    if value is not None and value not in (info.context or ()):
        raise ValueError("unknown")
    return value


# The description of a field says what it must be, in the words of a refusal.
def _text(limit: int, further: str = "or null") -> Any:
    words = f"text of at most {limit} characters, {further}"
    return Field(max_length=limit, description=words)


def _number(limit: int) -> Any:
    return Field(ge=0, le=limit, description=f"a whole number from 0 to {limit}")


def _one_of(choices: Any) -> Any:
    return Field(description=f"one of {', '.join(get_args(choices))}")


Name = Annotated[str | None, _text(MAX_NAME), _or(None)]
RequiredName = Annotated[str, _text(MAX_NAME, "and not empty"), AfterValidator(_not_blank)]
RequiredText = Annotated[str, _text(MAX_TEXT_BYTES, "and not empty"), AfterValidator(_not_blank)]
Flag = Annotated[bool, Strict(), Field(description="true or false")]


@dataclass(frozen=True, slots=True)
class ClientStart:
    """Begin, or take up again. None: as the profile and the settings say."""

    mode: Annotated[Name, AfterValidator(_known_backend)] = None
    model: Name = None
    voice: Name = None
    system_prompt: Annotated[str, _text(MAX_PROMPT), _or(""), Field(alias="systemPrompt")] = ""
    session_token: Annotated[str | None, _text(MAX_TOKEN), _or(None)] = None
    audio: Annotated[Framing, _one_of(Framing), _or("json")] = "json"
    pending_request: Annotated[str | None, _text(MAX_PENDING_REQUEST), _or(None)] = None
    conversation: Name = None
    profile: Name = None
    language: Name = None
    push_to_talk: Flag = False
    user: Name = None
    time_zone: Annotated[str | None, _text(64), _or(None)] = None
    greeting: Flag = True  # the agent may open the conversation
    speak: Flag = True  # else answers are only written, until the person speaks
    ignored: tuple[str, ...] = ()  # fields that nobody knows


@dataclass(slots=True)  # to freeze it would double its cost, fifty times a second
class ClientAudio:
    """A piece of the person's speech: PCM16 mono at 16 kHz."""

    pcm: bytes


@dataclass(frozen=True, slots=True)
class ClientAudioEnd:
    """The microphone is off."""


@dataclass(frozen=True, slots=True)
class ClientActivity:
    """The talk button is held, or let go of."""

    active: Flag


@dataclass(frozen=True, slots=True)
class ClientText:
    """What the person wrote; `spoken`: what their own end heard them say. Without `speak` the
    answer is only written."""

    text: RequiredText
    spoken: Flag = False
    speak: Flag = True


@dataclass(frozen=True, slots=True)
class ClientFunctionResult:
    """What came of a function that ran in the browser."""

    id: Annotated[RequiredName, Field(alias="fn_call_id")]
    result: Annotated[Any, Field(description="what came of the function, any JSON")]
    name: Name = None


@dataclass(frozen=True, slots=True)
class ClientInterrupt:
    """The person cuts in by a deliberate act."""


@dataclass(frozen=True, slots=True)
class ClientPlayback:
    """How much of a turn's speech has been played."""

    turn_id: Annotated[int, Strict(), _number(2**31), BeforeValidator(_whole)]
    played_ms: Annotated[int, Strict(), _number(MAX_MS), BeforeValidator(_whole)]


@dataclass(frozen=True, slots=True)
class ClientConfirmation:
    """The person's answer to a request; with `remember` it holds for further calls, with `args` the
    call runs with these."""

    id: RequiredName
    token: RequiredName
    approve: Flag
    remember: Annotated[GrantScope | None, _one_of(GrantScope), _or(None)] = None
    args: Annotated[
        dict[str, Any] | None,
        Field(description="an object: the arguments to run it with"),
        _or(None),
    ] = None


@dataclass(frozen=True, slots=True)
class ClientEnd:
    """The person hangs up."""


ClientMessage = (
    ClientStart
    | ClientAudio
    | ClientAudioEnd
    | ClientActivity
    | ClientText
    | ClientFunctionResult
    | ClientInterrupt
    | ClientPlayback
    | ClientConfirmation
    | ClientEnd
)


def speech(data: bytes, text: bool) -> bytes | None:
    """The samples in a message that is a piece of speech as it should be, and nothing else.

    None: whatever it is, `parse` and `parse_binary` know it, or how to refuse it. It is the short
    way for what comes fifty times a second.
    """
    pcm = data
    if text:
        try:
            body = orjson.loads(data)
            if body["type"] != "audio":
                return None
            pcm = b64decode(body["data"], validate=True)
        except (KeyError, TypeError, ValueError):
            return None
    return None if len(pcm) > MAX_AUDIO_BYTES or len(pcm) % SAMPLE_BYTES else pcm


def parse(
    text: str, backends: Collection[str] = tuple(TABLE["providers"]), depth: int = MAX_DEPTH
) -> ClientMessage:
    """The message in a text frame, nested no deeper than `depth`; a `start` may name one of these
    backends. Raises ProtocolError."""
    # No character is more than four bytes, and nearly every message is far below the limit.
    if len(text) * 4 > MAX_TEXT_BYTES and len(text.encode()) > MAX_TEXT_BYTES:
        raise ProtocolError(
            f"A text message may have at most {MAX_TEXT_BYTES} bytes; this one has "
            f"{len(text.encode())}. Shorten it, or add the text to a knowledge database and ask "
            "about it."
        )
    try:
        body = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ProtocolError(f"This is no JSON: {error}.") from None
    if type(body) is not dict:
        raise ProtocolError('A message is a JSON object with a "type", like {"type": "start"}.')
    kind = body.get("type")
    if kind == "audio":  # fifty a second
        return ClientAudio(_base64(body))
    if may_be_deeper(text, depth) and is_deeper(body, depth):
        raise ProtocolError(f"This is nested more than {depth} deep. Send something flatter.")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise _unknown(kind)
    return reader.read(body, backends)


def parse_binary(data: bytes) -> ClientAudio:
    """The message in a binary frame: nothing but samples. Raises ProtocolError."""
    return ClientAudio(_samples(data))


def _base64(body: dict[str, Any]) -> bytes:
    data = body.get("data")
    if type(data) is not str:
        raise ProtocolError("`data` must be base64 of PCM16 samples.", "audio")
    if len(data) > _MAX_BASE64:
        raise _too_much(len(data) * 3 // 4)
    try:
        return _samples(b64decode(data, validate=True))
    except ValueError:
        pass  # slower, but it knows what is wrong with it
    try:
        return _samples(a2b_base64(data, strict_mode=True))
    except ValueError as error:
        raise ProtocolError(f"`data` is no base64: {error}.", "audio") from None


def _samples(pcm: bytes) -> bytes:
    if len(pcm) > MAX_AUDIO_BYTES:
        raise _too_much(len(pcm))
    if len(pcm) % SAMPLE_BYTES:
        raise ProtocolError(
            f"The audio has {len(pcm)} bytes, an odd number: a sample of PCM16 has two. None of it "
            "was taken.",
            "audio",
        )
    return pcm


def _too_much(size: int) -> ProtocolError:
    return ProtocolError(
        f"One message may carry at most {MAX_AUDIO_BYTES} bytes of audio; this one has {size}. "
        "Send pieces of 20 to 100 ms.",
        "audio",
    )


def _unknown(kind: object) -> ProtocolError:
    known = ["audio", *_READERS]
    if not isinstance(kind, str):
        return ProtocolError(f'A message needs a "type", one of {", ".join(known)}.')
    close = get_close_matches(kind, known, n=1)
    hint = f"Did you mean `{close[0]}`?" if close else f"There are {', '.join(known)}."
    return ProtocolError(f"There is no message of type `{_short(kind)}`. {hint}", _short(kind))


def _short(text: str) -> str:
    return text if len(text) <= 64 else f"{text[:64]}…"


class _Reader:
    """Validation of the messages of one type, with refusals in words."""

    def __init__(self, kind: str, model: type) -> None:
        self._kind = kind
        self._adapter: TypeAdapter[Any] = TypeAdapter(model)
        properties = self._adapter.json_schema().get("properties", {})
        self._must = {name: each.get("description", "") for name, each in properties.items()}
        self._must.pop("ignored", None)

    def read(self, body: dict[str, Any], backends: Collection[str]) -> ClientMessage:
        """Return the message. Raises ProtocolError that names the first field that is wrong."""
        known = {name: value for name, value in body.items() if name in self._must}
        try:
            found: ClientMessage = self._adapter.validate_python(known, context=backends)
        except ValidationError as error:
            name = str(error.errors(include_url=False, include_input=False)[0]["loc"][0])
            must = f"one of {', '.join(backends)}" if name == "mode" else self._must[name]
            missing = "" if name in body else "; it is missing"
            raise ProtocolError(
                f"`{name}` of `{self._kind}` must be {must}{missing}.", self._kind
            ) from None
        if isinstance(found, ClientStart):
            unknown = sorted(_short(name) for name in body.keys() - known.keys() - {"type"})
            return replace(found, ignored=tuple(unknown[:20]))
        return found


_MODELS: dict[str, type] = {
    "start": ClientStart,
    "text": ClientText,
    "browser_function_result": ClientFunctionResult,
    "interrupt": ClientInterrupt,
    "playback": ClientPlayback,
    "confirmation_response": ClientConfirmation,
    "audio_end": ClientAudioEnd,
    "activity": ClientActivity,
    "end": ClientEnd,
}
_READERS = {kind: _Reader(kind, model) for kind, model in _MODELS.items()}
