"""Provider port: connect, send, read events, close; the interface to every model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self

from antiphon.contracts import Envelope, ToolCall
from antiphon.contracts.events import Audio, CallAnswer, Event, Fault, HistoryTurn, Input
from antiphon.contracts.metering import Meter
from antiphon.providers.models import ModelCatalogue, shipped
from antiphon.secrecy.redaction import REDACTOR

if TYPE_CHECKING:
    from antiphon.providers.voice_slices import VoiceSlices

Api = str  # of a provider, such as gemini-live; see ProviderSpec.apis


class ProviderFault(Exception):
    """A fault as an exception: raised by `connect`, by `probe`, and by `send` on a dead
    connection."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Access:
    """Credentials and address of a provider. `base_url` and `ca_file` are for other addresses than
    its own. `saved_key`: it was set at run time, and counts before that of the settings."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    ca_file: Path | None = None
    saved_key: bool = False
    models: ModelCatalogue | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        REDACTOR.hide(self.api_key)

    @property
    def catalogue(self) -> ModelCatalogue:
        """What is known of models by name."""
        return self.models or shipped()


@dataclass(frozen=True, slots=True)
class Deadlines:
    """Seconds, ours whatever the SDK would do: to connect, to send one message, from a request to
    the first sign of an answer, between two pieces of it (where an answer is one request; on a
    live line the model may well be silent while its speech is played), and for all of it with
    every retry."""

    connect: float = 10.0
    send: float = 5.0
    answer: float = 30.0
    gap: float = 30.0
    request: float = 120.0


class ToolDeclarations(Protocol):
    """Tools of one session, declared in any provider's form."""

    def declared(self, form: str) -> list[dict[str, Any]]:
        """Return the declarations. `form` is one of the registry's, such as `geminiNative` or
        `openaiResponses`."""

    def arguments(self, form: str, name: str, args: Any) -> Any:
        """Return what a model meant by arguments that it wrote in this form."""

    def written(self, form: str, name: str, args: Any) -> Any:
        """Return arguments as a model would have written them in this form."""


class NoTools:
    """Declarations of a session without tools."""

    def declared(self, form: str) -> list[dict[str, Any]]:
        del form
        return []

    def arguments(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


@dataclass(frozen=True, slots=True)
class Setup:
    """Setup of a connection. Immutable: one setup may open any number of connections."""

    model: str
    instructions: str = ""
    tools: ToolDeclarations = field(default_factory=NoTools)
    # What the person has in the other mode; for models that are not told of it in the instructions.
    elsewhere: ToolDeclarations = field(default_factory=NoTools)
    history: Sequence[HistoryTurn] = ()
    resume: str | None = None  # a handle of Resumption; history is then not sent
    output: Literal["audio", "text"] = "audio"  # live connections only
    voice: str | None = None
    language: str | None = None
    zone: tzinfo | None = None  # where the person is; for models that are not told in words
    search: bool = False  # the provider's own web search beside the tools, where it has one
    manual_activity: bool = False  # the person holds a button; the provider does not listen for it
    max_tokens: int = 4096
    retries: int = 2  # of requests that failed before any of the answer came; voice wants 0
    deadlines: Deadlines = Deadlines()
    organisation: str = ""  # whose records may be named; for models that look them up
    # Tools that the person may not use in any mode or profile; for models that know of them.
    unusable: frozenset[str] = frozenset()
    # Sets money aside for every request; without one nothing is counted.
    meter: Meter | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capabilities of a provider's model."""

    audio: bool = False  # hears and speaks; else text only
    transcripts: bool = False
    cancellation: bool = False  # takes calls back by itself (ToolCallsCancelled)
    hears_interruption: bool = False  # notices that the person cuts in, and says so
    truncation: bool = False  # can be told how much was heard
    resumption: bool = False
    go_away: bool = False
    search: bool = False
    max_session: float | None = None  # seconds until the provider ends a connection
    voices: tuple[str, ...] = ()


class AudioSink(Protocol):
    """Receiver of the model's speech on the fast path (`antiphon.fastpath`)."""

    @property
    def writable(self) -> bool:
        """Whether `on_audio` may be called now: nothing is queued before it."""

    def on_audio(self, event: Audio) -> None:
        """Take a piece of the model's speech synchronously. Never raises."""


class Connection(ABC):
    """One conversation with a model. One reader; any task may send."""

    capabilities: Capabilities
    # Speech that comes while the reader waits for the next event may go here instead.
    audio_sink: AudioSink | None = None
    on_closed: Callable[[], Awaitable[None]] | None = None  # for whoever leased the connection
    slices: VoiceSlices | None = None  # what pays for a live connection, where it is counted

    @abstractmethod
    def events(self) -> AsyncIterator[Event]:
        """Yield what the model does, Ready first. Ends after a fatal Fault, or when we close.

        Of one message from the provider the order is: tool calls, cancellations, interruption,
        audio, text, transcripts, usage, resumption, go-away, turn end. Never raises for what a
        provider does. A second reader at the same time is a RuntimeError.
        """

    @abstractmethod
    async def send(self, event: Input) -> None:
        """Send an event. Raises ProviderFault when the connection is dead or does not take it
        within the deadline."""

    def try_send_audio(self, pcm: bytes) -> bool:
        """Send a piece of the person's speech synchronously; return False if that is not possible
        here or now, in which case nothing was sent and `send` is to be used."""
        del pcm
        return False

    @abstractmethod
    async def close(self) -> None:
        """Close the connection, within a second or so, and leave nothing behind. May be called
        twice."""

    @abstractmethod
    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        """Return the complete tool calls in one message of the provider, as its SDK hands it
        over."""

    @property
    @abstractmethod
    def pending(self) -> frozenset[str]:
        """The ids of the calls whose answer the model waits for."""

    async def _notify_closed(self) -> None:
        """Call `on_closed`, once, at the end of `close`."""
        told, self.on_closed = self.on_closed, None
        if told is not None:
            await told()

    async def send_tool_result(self, *, id: str | None, name: str, result: Envelope) -> None:
        """Send the whole envelope of a call, never only its data."""
        await self.send(CallAnswer(id, name, result))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class Provider(ABC):
    """One API of one provider, with one key. Made by `Backends`; the SDK is imported on first use.

    A changed key makes a new provider; connections of the old one go on until they are closed.
    """

    api: Api
    # Whether its connections are live ones, which cost money as long as they are open.
    is_live: bool = False

    def __init__(self, access: Access) -> None:
        self.access = access

    @abstractmethod
    def capabilities(self, model: str) -> Capabilities:
        """Return what a model of this provider can do."""

    @abstractmethod
    async def connect(self, setup: Setup) -> Connection:
        """Open a connection. Raises ProviderFault; never waits longer than
        `setup.deadlines.connect`."""

    @abstractmethod
    async def probe(self, seconds: float) -> None:
        """Ask the provider something cheap that needs the key. Raises ProviderFault."""

    async def close(self) -> None:
        """Close what connections share."""
        return
