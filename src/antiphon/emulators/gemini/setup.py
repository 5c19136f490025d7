"""The setup of one Live session of Gemini: what it asks for, and what the service refuses in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from antiphon.emulators.gemini.schemas import check_tools, names_of, searches

INVALID = "Request contains an invalid argument."

_FIELDS = frozenset(
    (
        *("model", "generationConfig", "systemInstruction", "tools", "sessionResumption"),
        *("inputAudioTranscription", "outputAudioTranscription", "realtimeInputConfig"),
        *("contextWindowCompression", "proactivity", "historyConfig", "explicitVadSignal"),
        *("avatarConfig", "safetySettings", "labels"),
    )
)
# Only the beginning of the conversation may be told to these as content; the rest is realtime.
_REALTIME_ONLY = ("gemini-3.1-",)
# These go on while a call runs, unless its declaration says otherwise.
_NON_BLOCKING = ("gemini-3.8-",)


class LiveRefusal(Exception):
    """What ends a session: the close code, and the words of the service.

    `mistake` says that no sound client does this, so that it is a problem of the test.
    """

    def __init__(self, code: int, reason: str, *, mistake: str | bool = True) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.mistake = reason if mistake is True else mistake


@dataclass(slots=True)
class LiveSetup:
    """The checked setup of one session."""

    model: str
    output: str = "AUDIO"
    voice: str | None = None
    language: str | None = None
    instructions: str = ""
    tools: list[dict[str, Any]] = field(default_factory=list)
    resumption: bool = False
    handle: str | None = None
    hears: bool = False  # transcripts of the person
    reads: bool = False  # transcripts of the model
    manual: bool = False
    interruptible: bool = True
    seeded: bool = False  # the conversation begins with client content

    @property
    def tool_names(self) -> list[str]:
        return names_of(self.tools)

    @property
    def search(self) -> bool:
        return searches(self.tools)

    @property
    def realtime_only(self) -> bool:
        return self.model.startswith(_REALTIME_ONLY)

    def blocks(self, name: str) -> bool:
        """Whether the model waits for calls of this function before it goes on."""
        for tool in self.tools:
            for declared in get(tool, "functionDeclarations") or []:
                if declared.get("name") == name and declared.get("behavior"):
                    return bool(declared["behavior"] != "NON_BLOCKING")
        return not self.model.startswith(_NON_BLOCKING)


def read(body: Any, known: Iterable[str] | None) -> LiveSetup:
    """Parse the setup of a client's first message; `known` are the models. Raises LiveRefusal."""
    if not isinstance(body, dict):
        raise LiveRefusal(1007, "Invalid value at 'setup'")
    for name in body:
        if camel(name) not in _FIELDS:
            raise unknown(name, "setup")
    path = body.get("model")
    if not isinstance(path, str) or not path.startswith("models/"):
        raise LiveRefusal(1007, "setup.model: must be models/NAME")
    model = path.removeprefix("models/")
    if known is not None and model not in known:
        raise LiveRefusal(
            1008,
            f"{path} is not found for API version v1, or is not supported for bidiGenerateContent.",
            mistake=False,
        )
    setup = LiveSetup(model)
    _read_output(setup, get(body, "generationConfig") or {})
    setup.instructions = text_of(get(body, "systemInstruction") or {})
    setup.tools = read_tools(body.get("tools") or [])
    _read_resumption(setup, get(body, "sessionResumption"))
    setup.hears = get(body, "inputAudioTranscription") is not None
    setup.reads = get(body, "outputAudioTranscription") is not None
    listening = get(body, "realtimeInputConfig") or {}
    setup.manual = bool((get(listening, "automaticActivityDetection") or {}).get("disabled"))
    setup.interruptible = get(listening, "activityHandling") != "NO_INTERRUPTION"
    history = get(body, "historyConfig") or {}
    setup.seeded = bool(get(history, "initialHistoryInClientContent"))
    return setup


def _read_output(setup: LiveSetup, config: dict[str, Any]) -> None:
    kinds = get(config, "responseModalities") or ["AUDIO"]
    if len(kinds) != 1:
        raise LiveRefusal(
            1007, "At most one response modality can be specified in the setup request."
        )
    if kinds[0] not in ("AUDIO", "TEXT"):
        raise LiveRefusal(1007, INVALID, mistake=f"response modality {kinds[0]!r} is not known")
    setup.output = kinds[0]
    speech = get(config, "speechConfig") or {}
    voice = get(get(speech, "voiceConfig") or {}, "prebuiltVoiceConfig") or {}
    setup.voice = get(voice, "voiceName")
    setup.language = get(speech, "languageCode")


def _read_resumption(setup: LiveSetup, asked: Any) -> None:
    if asked is None:
        return
    setup.resumption = True
    if "handle" in asked and asked["handle"] is None:
        raise LiveRefusal(1007, INVALID, mistake="sessionResumption.handle is null; leave it out")
    setup.handle = asked.get("handle")


def read_tools(tools: Any) -> list[dict[str, Any]]:
    """Parse tools as Live takes them. Raises LiveRefusal."""
    problem = check_tools(tools)
    if problem is None:
        problem = next(_additional(tools), None)
    if problem is not None:
        raise LiveRefusal(1007, problem)
    return list(tools)


def _additional(tools: list[dict[str, Any]]) -> Iterator[str]:
    """Objections to `additionalProperties`, which Live has not, though the other API does."""
    for number, tool in enumerate(tools):
        for place, declared in enumerate(get(tool, "functionDeclarations") or []):
            if _has_additional(declared.get("parameters")):
                where = f"setup.tools[{number}].function_declarations[{place}].parameters"
                yield _unknown("additional_properties", where)


def _has_additional(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    if get(schema, "additionalProperties") is not None:
        return True
    inner = [*(schema.get("properties") or {}).values(), schema.get("items")]
    return any(map(_has_additional, [*inner, *(get(schema, "anyOf") or [])]))


def unknown(name: str, where: str = "") -> LiveRefusal:
    return LiveRefusal(1007, _unknown(name, where))


def _unknown(name: str, where: str) -> str:
    at = f" at '{where}'" if where else ""
    return f'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.'


def get(body: dict[str, Any], name: str) -> Any:
    """A field by its camelCase name; the service also takes snake_case, and SDKs mix them."""
    if name in body:
        return body[name]
    return body.get("".join(f"_{c.lower()}" if c.isupper() else c for c in name))


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def text_of(content: dict[str, Any]) -> str:
    parts = content.get("parts") or []
    return "".join(p["text"] for p in parts if isinstance(p, dict) and p.get("text"))
