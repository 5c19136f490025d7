"""The settings of one Realtime session: what they are at first, and which changes are refused."""

from __future__ import annotations

import re
import time
from typing import Any

MAX_SESSION = 3600.0
VOICES = (
    *("alloy", "ash", "ballad", "cedar", "coral", "echo", "marin", "sage", "shimmer", "verse"),
)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PCM = {"type": "audio/pcm", "rate": 24000}
_FORMATS = ("audio/pcm", "audio/pcmu", "audio/pcma")
_SERVER_VAD = {
    "type": "server_vad",
    "threshold": 0.5,
    "prefix_padding_ms": 300,
    "silence_duration_ms": 200,
    "idle_timeout_ms": None,
    "create_response": True,
    "interrupt_response": True,
}
_SEMANTIC_VAD = {
    "type": "semantic_vad",
    "eagerness": "auto",
    "create_response": True,
    "interrupt_response": True,
}

# What may be given, and of which types; a mapping has parameters of its own.
_NUMBER = (int, float)
_ANY = (object,)
_TOOL: dict[str, Any] = {
    "type": (str,),
    "name": (str,),
    "description": (str,),
    "parameters": (dict,),
}
_SHAPE: dict[str, Any] = {
    "type": (str,),
    "model": (str,),
    "output_modalities": (list,),
    "instructions": (str,),
    "tools": (list,),
    "tool_choice": (str, dict),
    "max_output_tokens": (int, str),
    "parallel_tool_calls": (bool,),
    "include": (list, type(None)),
    "prompt": (dict, type(None)),
    "reasoning": {"effort": (str, type(None))},
    "tracing": _ANY,
    "truncation": _ANY,
    "audio": {
        "input": {
            "format": {"type": (str,), "rate": (int,)},
            "noise_reduction": {"type": (str,), "strength": _NUMBER},
            "transcription": {
                "model": (str,),
                "language": (str,),
                "languages": (list,),
                "prompt": (str,),
                "delay": (str,),
                "keywords": (list,),
            },
            "turn_detection": {
                "type": (str,),
                "threshold": _NUMBER,
                "prefix_padding_ms": (int,),
                "silence_duration_ms": (int,),
                "idle_timeout_ms": (int, type(None)),
                "eagerness": (str,),
                "create_response": (bool,),
                "interrupt_response": (bool,),
            },
        },
        "output": {
            "format": {"type": (str,), "rate": (int,)},
            "voice": (str, dict),
            "speed": _NUMBER,
        },
    },
}
_MAY_BE_NULL = ("noise_reduction", "transcription", "turn_detection", "reasoning")
_WORDS = {
    str: "a string",
    int: "an integer",
    float: "a decimal",
    bool: "a boolean",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


class RealtimeRefusal(Exception):
    """A client event that the service does not take. `mistake`: no sound client sends it."""

    def __init__(
        self, code: str, message: str, param: str | None = None, *, mistake: bool = True
    ) -> None:
        super().__init__(message)
        self.code = code
        self.param = param
        self.mistake = mistake


class EmulatedRealtimeSession:
    """The settings of a session; `body` is what the service shows of it."""

    def __init__(self, id: str, model: str, seconds: float = MAX_SESSION) -> None:
        self.spoken = False  # whether the model was heard already
        self.body: dict[str, Any] = {
            "type": "realtime",
            "object": "realtime.session",
            "id": id,
            "model": model,
            "output_modalities": ["audio"],
            "instructions": "You are a helpful assistant.",
            "tools": [],
            "tool_choice": "auto",
            "max_output_tokens": "inf",
            "tracing": None,
            "truncation": "auto",
            "prompt": None,
            "expires_at": int(time.time() + seconds),
            "audio": {
                "input": {
                    "format": dict(_PCM),
                    "transcription": None,
                    "noise_reduction": None,
                    "turn_detection": dict(_SERVER_VAD),
                },
                "output": {"format": dict(_PCM), "voice": "alloy", "speed": 1.0},
            },
            "include": None,
        }

    @property
    def listens(self) -> dict[str, Any] | None:
        """The settings of turn detection; None where the client detects turns."""
        found: dict[str, Any] | None = self.body["audio"]["input"]["turn_detection"]
        return found

    @property
    def transcribes(self) -> bool:
        return self.body["audio"]["input"]["transcription"] is not None

    @property
    def speaks(self) -> bool:
        return "audio" in self.body["output_modalities"]

    @property
    def tools(self) -> list[str]:
        return [str(tool.get("name")) for tool in self.body["tools"]]

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that scripts match on."""
        heard = self.body["audio"]["input"]["transcription"] or {}
        return {
            "model": self.body["model"],
            "voice": self.body["audio"]["output"]["voice"],
            "instructions": self.body["instructions"],
            "tools": self.tools,
            "resume": None,
            "language": heard.get("language"),
            "search": False,
        }

    def update(self, change: Any) -> None:
        """Apply a change of settings. Raises RealtimeRefusal, and then nothing has changed."""
        if not isinstance(change, dict):
            raise RealtimeRefusal(
                "missing_required_parameter", "Missing required parameter: 'session'.", "session"
            )
        if "type" not in change:
            raise RealtimeRefusal(
                "missing_required_parameter",
                "Missing required parameter: 'session.type'.",
                "session.type",
            )
        _check(change, _SHAPE, "session")
        if change["type"] != "realtime":
            raise _invalid("session.type", change["type"], ("realtime",))
        if change.get("model", self.body["model"]) != self.body["model"]:
            raise RealtimeRefusal(
                "invalid_value", "The model of a session cannot be changed.", "session.model"
            )
        self._check_output(change)
        for n, tool in enumerate(change.get("tools", ())):
            _check_tool(tool, f"session.tools[{n}]")
        _merge(self.body, change)

    def _check_output(self, change: dict[str, Any]) -> None:
        modalities = change.get("output_modalities")
        if modalities is not None and modalities not in (["audio"], ["text"]):
            raise RealtimeRefusal(
                "invalid_value",
                f"Invalid modalities: {modalities}. Supported combinations are: ['text'] and "
                "['audio'].",
                "session.output_modalities",
            )
        limit = change.get("max_output_tokens", "inf")
        if limit != "inf" and not (isinstance(limit, int) and 1 <= limit <= 4096):
            raise RealtimeRefusal(
                "invalid_value",
                f"Invalid value: {limit!r}. Expected an integer between 1 and 4096, or 'inf'.",
                "session.max_output_tokens",
            )
        if change.get("parallel_tool_calls") is not None and "realtime-2" not in self.body["model"]:
            raise RealtimeRefusal(
                "unknown_parameter",
                "Unknown parameter: 'session.parallel_tool_calls'.",
                "session.parallel_tool_calls",
            )
        audio = change.get("audio", {})
        for side in ("input", "output"):
            found = audio.get(side, {}).get("format")
            if found is not None:
                _check_format(found, f"session.audio.{side}.format")
        detection = audio.get("input", {}).get("turn_detection")
        if detection is not None and detection.get("type") not in ("server_vad", "semantic_vad"):
            where = "session.audio.input.turn_detection.type"
            raise _invalid(where, detection.get("type"), ("server_vad", "semantic_vad"))
        voice = audio.get("output", {}).get("voice")
        if isinstance(voice, str) and voice not in VOICES:
            raise _invalid("session.audio.output.voice", voice, VOICES)
        if voice is not None and self.spoken and voice != self.body["audio"]["output"]["voice"]:
            raise RealtimeRefusal(
                "cannot_update_voice",
                "Cannot update a conversation's voice if assistant audio is present.",
            )


def _check(value: Any, shape: Any, where: str) -> None:
    if isinstance(shape, dict):
        if value is None and where.rpartition(".")[2] in _MAY_BE_NULL:
            return
        if not isinstance(value, dict):
            raise _wrong_type(where, value, (dict,))
        for name, item in value.items():
            if name not in shape:
                at = f"{where}.{name}"
                raise RealtimeRefusal("unknown_parameter", f"Unknown parameter: '{at}'.", at)
            _check(item, shape[name], f"{where}.{name}")
    elif shape is not _ANY and (
        not isinstance(value, shape) or (isinstance(value, bool) and bool not in shape)
    ):
        raise _wrong_type(where, value, shape)


def _check_tool(tool: Any, where: str) -> None:
    if isinstance(tool, dict) and tool.get("type") == "mcp":
        return
    _check(tool, _TOOL, where)
    for name in ("type", "name"):
        if name not in tool:
            at = f"{where}.{name}"
            raise RealtimeRefusal(
                "missing_required_parameter", f"Missing required parameter: '{at}'.", at
            )
    if tool["type"] != "function":
        raise _invalid(f"{where}.type", tool["type"], ("function", "mcp"))
    if not _NAME.fullmatch(tool["name"]):
        raise RealtimeRefusal(
            "invalid_value",
            f"Invalid '{where}.name': string does not match pattern '^{_NAME.pattern}$'.",
            f"{where}.name",
        )


def _check_format(found: dict[str, Any], where: str) -> None:
    if found.get("type") not in _FORMATS:
        raise _invalid(f"{where}.type", found.get("type"), _FORMATS)
    if found["type"] != "audio/pcm":
        raise RealtimeRefusal(
            "invalid_value", "emulator: only audio/pcm is emulated.", f"{where}.type"
        )
    if found.get("rate") != 24000:
        raise RealtimeRefusal(
            "invalid_value",
            f"Invalid '{where}.rate': expected 24000, but got {found.get('rate')} instead.",
            f"{where}.rate",
        )


def _merge(old: dict[str, Any], new: dict[str, Any]) -> None:
    for name, value in new.items():
        if name == "turn_detection" and value is not None:
            base = _SERVER_VAD if value["type"] == "server_vad" else _SEMANTIC_VAD
            kept = old[name] if old[name] and old[name]["type"] == value["type"] else base
            old[name] = {**kept, **value}
        elif isinstance(value, dict) and isinstance(old.get(name), dict):
            _merge(old[name], value)
        else:
            old[name] = value


def _wrong_type(where: str, value: Any, shape: tuple[type, ...]) -> RealtimeRefusal:
    wanted = " or ".join(_WORDS[kind] for kind in shape)
    got = _WORDS.get(type(value), type(value).__name__)
    return RealtimeRefusal(
        "invalid_type",
        f"Invalid type for '{where}': expected {wanted}, but got {got} instead.",
        where,
    )


def _invalid(where: str, value: Any, wanted: tuple[str, ...]) -> RealtimeRefusal:
    names = ", ".join(f"'{name}'" for name in wanted)
    return RealtimeRefusal(
        "invalid_value", f"Invalid value: '{value}'. Supported values are: {names}.", where
    )
