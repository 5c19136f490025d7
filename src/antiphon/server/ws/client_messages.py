"""Client messages of `/ws/vox`: parsed and validated, or refused in words."""

from __future__ import annotations

from binascii import a2b_base64
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, cast, get_args

import orjson
from pybase64 import b64decode

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


@dataclass(frozen=True, slots=True)
class ClientStart:
    """Begin, or take up again. None: as the profile and the settings say."""

    mode: str | None = None
    model: str | None = None
    voice: str | None = None
    system_prompt: str = ""
    session_token: str | None = None
    audio: Framing = "json"
    pending_request: str | None = None
    conversation: str | None = None
    profile: str | None = None
    language: str | None = None
    push_to_talk: bool = False
    user: str | None = None
    time_zone: str | None = None
    greeting: bool = True  # the agent may open the conversation
    speak: bool = True  # else answers are only written, until the person speaks
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

    active: bool


@dataclass(frozen=True, slots=True)
class ClientText:
    """What the person wrote; `spoken`: what their own end heard them say. Without `speak` the
    answer is only written."""

    text: str
    spoken: bool = False
    speak: bool = True


@dataclass(frozen=True, slots=True)
class ClientFunctionResult:
    """What came of a function that ran in the browser."""

    id: str
    name: str | None
    result: Any


@dataclass(frozen=True, slots=True)
class ClientInterrupt:
    """The person cuts in by a deliberate act."""


@dataclass(frozen=True, slots=True)
class ClientPlayback:
    """How much of a turn's speech has been played."""

    turn_id: int
    played_ms: int


@dataclass(frozen=True, slots=True)
class ClientConfirmation:
    id: str
    token: str
    approve: bool
    remember: GrantScope | None = None


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


def parse(text: str, backends: Collection[str] = tuple(TABLE["providers"])) -> ClientMessage:
    """The message in a text frame; a `start` may name one of these backends. Raises
    ProtocolError."""
    # No character is more than four bytes, and nearly every message is far below the limit.
    if len(text) * 4 > MAX_TEXT_BYTES and len(text.encode()) > MAX_TEXT_BYTES:
        raise ProtocolError(
            f"A text message may have at most {MAX_TEXT_BYTES} bytes; this one has "
            f"{len(text.encode())}."
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
    read = _READERS.get(kind) if isinstance(kind, str) else None
    if read is None:
        raise _unknown(kind)
    return read(_Fields(cast(str, kind), body, backends))


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


class _Fields:
    """The fields of one message. What is missing or of another kind is refused by name."""

    def __init__(self, kind: str, body: dict[str, Any], backends: Collection[str]) -> None:
        self.backends = backends
        self.kind = kind
        self.body = body

    def wrong(self, name: str, must: str) -> ProtocolError:
        missing = "" if name in self.body else "; it is missing"
        return ProtocolError(f"`{name}` of `{self.kind}` must be {must}{missing}.", self.kind)

    def text(self, name: str, limit: int = MAX_NAME) -> str:
        value = self.body.get(name)
        if type(value) is not str or not value.strip() or len(value) > limit:
            raise self.wrong(name, f"text of at most {limit} characters, and not empty")
        return value

    def maybe(self, name: str, limit: int = MAX_NAME) -> str | None:
        """Empty and null are the same as left out."""
        value = self.body.get(name)
        if value is None or value == "":
            return None
        if type(value) is not str or len(value) > limit:
            raise self.wrong(name, f"text of at most {limit} characters, or null")
        return value

    def choice(self, name: str, choices: Collection[str]) -> str | None:
        value = self.body.get(name)
        if value is None or value == "":
            return None
        if type(value) is not str or value not in choices:
            raise self.wrong(name, f"one of {', '.join(choices)}")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self.body.get(name, default)
        if type(value) is not bool:
            raise self.wrong(name, "true or false")
        return value

    def number(self, name: str, limit: int) -> int:
        value = self.body.get(name)
        if type(value) is float and value.is_integer():
            value = int(value)  # JavaScript knows no other numbers
        if type(value) is not int or not 0 <= value <= limit:
            raise self.wrong(name, f"a whole number from 0 to {limit}")
        return value


_START = frozenset(
    (
        *("type", "mode", "model", "voice", "systemPrompt", "session_token", "audio"),
        *("pending_request", "conversation", "profile", "language", "push_to_talk", "user"),
        *("greeting", "speak", "time_zone"),
    )
)


def _start(fields: _Fields) -> ClientStart:
    return ClientStart(
        mode=fields.choice("mode", fields.backends),
        model=fields.maybe("model"),
        voice=fields.maybe("voice"),
        system_prompt=fields.maybe("systemPrompt", MAX_PROMPT) or "",
        session_token=fields.maybe("session_token", MAX_TOKEN),
        audio=cast(Framing, fields.choice("audio", get_args(Framing)) or "json"),
        pending_request=fields.maybe("pending_request", MAX_PENDING_REQUEST),
        conversation=fields.maybe("conversation"),
        profile=fields.maybe("profile"),
        language=fields.maybe("language"),
        push_to_talk=fields.flag("push_to_talk", default=False),
        user=fields.maybe("user"),
        time_zone=fields.maybe("time_zone", 64),
        greeting=fields.flag("greeting", default=True),
        speak=fields.flag("speak", default=True),
        ignored=tuple(sorted(_short(name) for name in fields.body.keys() - _START))[:20],
    )


def _result(fields: _Fields) -> ClientFunctionResult:
    if "result" not in fields.body:
        raise fields.wrong("result", "what came of the function, any JSON")
    return ClientFunctionResult(
        fields.text("fn_call_id"), fields.maybe("name"), fields.body["result"]
    )


def _confirmation(fields: _Fields) -> ClientConfirmation:
    return ClientConfirmation(
        fields.text("id"),
        fields.text("token"),
        fields.flag("approve"),
        cast("GrantScope | None", fields.choice("remember", get_args(GrantScope))),
    )


_READERS: dict[str, Callable[[_Fields], ClientMessage]] = {
    "start": _start,
    "text": lambda fields: ClientText(
        fields.text("text", MAX_TEXT_BYTES),
        fields.flag("spoken", default=False),
        fields.flag("speak", default=True),
    ),
    "browser_function_result": _result,
    "interrupt": lambda _: ClientInterrupt(),
    "playback": lambda fields: ClientPlayback(
        fields.number("turn_id", 2**31), fields.number("played_ms", MAX_MS)
    ),
    "confirmation_response": _confirmation,
    "audio_end": lambda _: ClientAudioEnd(),
    "activity": lambda fields: ClientActivity(fields.flag("active")),
    "end": lambda _: ClientEnd(),
}
