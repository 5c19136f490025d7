"""Handler context: the capabilities a handler gets, never sockets or provider SDKs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from antiphon.contracts import Envelope, ErrorType, Intent, Principal, ToolCall, ToolError
from antiphon.contracts.capabilities import (
    CalendarCapability,
    HandlerContext,
    KnowledgeCapability,
    PerSession,
)
from antiphon.contracts.metering import Payer
from antiphon.contracts.provenance import SENSITIVITIES, Marks, ReadSource, Sensitivity, ToolOrigin
from antiphon.orchestrator.call_frame import CallFrame, nested_key, outside_key
from antiphon.orchestrator.reading import answer_marks, noted_source
from antiphon.orchestrator.session_activity import activity_of

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

logger = logging.getLogger(__name__)


def session_capability(session: Session, capability: Any) -> Any:
    """A capability as the session has it."""
    if isinstance(capability, PerSession):
        return capability.of(session.view.fields)
    return capability


class SessionView:
    """A read-only view of a session."""

    __slots__ = ("_note", "_session")

    def __init__(self, session: Session, note: Callable[..., None] | None = None) -> None:
        self._session = session
        self._note = note  # takes what the handler has read of the conversation

    @property
    def id(self) -> str:
        return self._session.id

    @property
    def user(self) -> str:
        return self._session.user

    @property
    def payer(self) -> Payer:
        """On whose account the requests of the session are made."""
        return self._session.payer

    @property
    def mode(self) -> str:
        return self._session.mode

    @property
    def provider(self) -> str | None:
        return self._session.provider

    @property
    def time_zone(self) -> str | None:
        """The person's time zone, by its IANA name; None if their client has not said."""
        return self._session.time_zone

    @property
    def data(self) -> Mapping[str, Any]:
        """What the program knows of the session (tenant, locale), read-only."""
        return self._session.data

    @property
    def is_active(self) -> bool:
        return self._session.view.active

    @property
    def turn(self) -> int:
        return self._session.view.turn.number

    @property
    def tools_version(self) -> str:
        return self._session.snapshot.version

    @property
    def state(self) -> dict[str, Any]:
        return self._session.state.snapshot()

    async def activity(self) -> dict[str, Any]:
        """Return what was said, called, decided and left open so far, from the store. It is as
        strict as all that the conversation has read: what was said may be made of that."""
        found = await activity_of(self._session)
        read = self._session.view.exposure.marks
        if self._note is not None and read.told:
            self._note("what was said in this conversation", read, by_item=False)
        return found

    def may_call(self, tool_id: str) -> bool:
        """Whether the agent of this session may call that tool by itself. A tool that lets the
        agent choose what it calls has to ask: composition alone may call any."""
        session = self._session
        chosen = session.toolset is None or tool_id in session.toolset
        return chosen and (session.view.rights is None or session.may_use(tool_id))

    def tools(self) -> list[dict[str, Any]]:
        """The artifact's entries of all tools that may run here, also of those that only another
        tool may call. Not to be changed."""
        view = self._session.view
        there = self._session.snapshot.declarations(
            self._session.mode, view.fields, None, view.modes, view.rights
        )
        return there.declared("local")

    def tool(self, tool_id: str) -> dict[str, Any] | None:
        """The artifact's entry of one tool that the person may use, whether or not it may run
        here."""
        session = self._session
        return session.snapshot.entry(tool_id) if session.may_use(tool_id) else None


class MessagingCapability:
    """Messages to the person's own channel, queued for them while there is none."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message. Raises ToolError TRANSIENT when the channel does not take it."""
        try:
            await self._session.send(message)
        except Exception as error:
            # Channels fail in ways of their own; to a handler all of them mean "not delivered".
            logger.info("a message did not reach session %s: %r", self._session.id, error)
            raise ToolError(ErrorType.TRANSIENT, "The message could not be delivered.") from error


class VoiceCapability:
    """State of the voice channel; changes of it are asked for by intents."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    def is_active(self) -> bool:
        return self._session.mode == "voice" and self._session.view.active

    def end_session(self, after: str = "current_turn") -> dict[str, Any]:
        return Intent.end_voice_session(after)  # type: ignore[arg-type]


class AudioCapability:
    __slots__ = ()

    def suppress(self, value: bool = True) -> dict[str, Any]:
        return Intent.suppress_audio(value)


class AuditCapability:
    __slots__ = ("_session", "_tool_id")

    def __init__(self, session: Session, tool_id: str) -> None:
        self._session = session
        self._tool_id = tool_id

    def log(self, event: str, data: dict[str, Any] | None = None) -> None:
        """Append an audit line, beside the one that every call gets."""
        self._session.append_audit(event, tool_id=self._tool_id, details=data or {})


class UsersCapability:
    """Moderation: blocking the session's user."""

    __slots__ = ("_session",)

    def __init__(self, session: Session) -> None:
        self._session = session

    async def block(self, seconds: float, reason: str) -> float:
        """Block this session's user, durably; return until when, in epoch seconds."""
        return await self._session.orchestrator.block(self._session.user, seconds, reason)


class Context(HandlerContext):
    """The context that a handler gets beside its arguments: `async def execute(args: dict[str,
    Any], context: Context)`. Made for one call; capabilities are made on first use.

    What `Orchestrator(capabilities={"crm": …})` was given is `context.crm`, and for type checkers
    `context.capabilities["crm"]`.
    """

    __slots__ = ("_asker", "_frame", "_key", "_made", "_note", "_session", "_tool_id", "clamped")

    def __init__(
        self,
        session: Session,
        tool_id: str,
        key: str,
        frame: CallFrame | None,
        clamped: bool = False,
        asker: Principal | None = None,
        note: Callable[[ReadSource], None] | None = None,
    ) -> None:
        self._note = note  # takes what the handler has read
        self._asker = asker  # whose rights the calls of the handler are held to
        self.clamped = clamped  # more was asked for than the budget allows
        self._session = session
        self._tool_id = tool_id
        self._frame = frame
        self._made = 0
        self._key = key

    @property
    def idempotency_key(self) -> str:
        """A key that is the same for every attempt at this call, and for no other call of any
        session."""
        return outside_key(self._session.id, self._key)

    @property
    def session(self) -> SessionView:
        return SessionView(self._session, self._note_marks)

    @property
    def mode(self) -> str:
        return self._session.mode

    @property
    def messaging(self) -> MessagingCapability:
        return MessagingCapability(self._session)

    @property
    def voice(self) -> VoiceCapability:
        return VoiceCapability(self._session)

    @property
    def audio(self) -> AudioCapability:
        return AudioCapability()

    @property
    def audit(self) -> AuditCapability:
        return AuditCapability(self._session, self._tool_id)

    @property
    def users(self) -> UsersCapability:
        return UsersCapability(self._session)

    @property
    def knowledge(self) -> KnowledgeCapability:
        found: KnowledgeCapability = self._capability("knowledge")
        noting = getattr(found, "noting", None)
        return found if noting is None else noting(self._note_marks)

    @property
    def calendar(self) -> CalendarCapability:
        found: CalendarCapability = self._capability("calendar")
        return found

    @property
    def workspace(self) -> Any:
        """The workspace, with the parts of `antiphon.workspace`."""
        return self._capability("workspace")

    @property
    def capabilities(self) -> Mapping[str, Any]:
        """All capabilities that the orchestrator was given, by name."""
        given = self._session.orchestrator.capabilities
        return MappingProxyType(
            {name: session_capability(self._session, each) for name, each in given.items()}
        )

    if not TYPE_CHECKING:  # where it would hide every misspelt name

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in self._session.orchestrator.capabilities:
                given = self._session.orchestrator.capabilities[name]
                return session_capability(self._session, given)
            given = f"Orchestrator(capabilities={{{name!r}: …}})"
            raise AttributeError(f"the context has no {name!r}; {given} gives it one")

    def _capability(self, name: str) -> Any:
        capability = self._session.orchestrator.capabilities.get(name)
        if capability is None:
            raise ToolError(ErrorType.PERMANENT, f"this server has no {name}")
        return session_capability(self._session, capability)

    def confined(
        self, function: Callable[..., Any], *args: Any, seconds: float, seed: int = 0
    ) -> Iterator[Any]:
        """Run untrusted code in a confined process: for handlers in worker processes only, see
        `antiphon.orchestrator.worker_handler`. Raises ToolError here."""
        del function, args, seconds, seed
        raise ToolError(
            ErrorType.UNAVAILABLE,
            f"{self._tool_id} runs code that is not trusted, so it has to run in a worker process.",
        )

    def now(self) -> datetime:
        """The current time, by the server's clock."""
        return datetime.fromtimestamp(self._session.orchestrator.now(), UTC)

    def note_source(
        self,
        words: str,
        *,
        origin: ToolOrigin = "untrusted",
        sensitivity: Sensitivity | None = None,
    ) -> None:
        """Note that the result holds something of this source, such as "an e-mail from
        eve@example.org": the text of others unless it is `trusted`, and as sensitive as that.

        It makes the result stricter than the tool's own `origin` and `sensitivity`, never milder.
        May be called as often as there are sources.
        """
        if origin not in ("trusted", "untrusted"):
            raise ValueError(f"an origin is trusted or untrusted, not {origin!r}")
        if sensitivity not in (None, *SENSITIVITIES):
            raise ValueError(f"a sensitivity is public, private or secret, not {sensitivity!r}")
        marks = Marks("house" if origin == "trusted" else origin, sensitivity or "public")
        self._note_marks(words, marks, by_item=False)

    def _note_marks(self, words: str, marks: Marks, by_item: bool = True) -> None:
        tool = self._session.snapshot.tools.get(self._tool_id)
        if self._note is not None and tool is not None:
            turn = self._session.view.turn.number
            self._note(noted_source(tool, self._tool_id, words, marks, turn, by_item))

    def progress(self, message: str, fraction: float | None = None, **data: Any) -> None:
        """Report how far the call has come to the progress listeners. Never fails."""
        self._session.report_progress(self._tool_id, self._key, message, fraction, data)

    async def call_tool(
        self, tool_id: str, args: dict[str, Any] | None = None, *, number: int | None = None
    ) -> Envelope:
        """Run another tool through the same gates and return its envelope, whatever it says.

        `number` is for a handler that, when it runs again, leaves out calls whose answers it knows:
        the call gets the key of the call with this number.
        """
        if self._frame is None:
            self._frame = CallFrame.root(self._asker)
        # Numbered as they are made, whatever becomes of them: a handler that runs again makes the
        # same calls under the same keys.
        self._made = self._made + 1 if number is None else number
        call = ToolCall(None, tool_id, args, nested_key(self._key, self._made))
        answer = await self._session.dispatch_nested(call, self._frame.nested(self._tool_id))
        if self._note is not None:
            marks, words = answer_marks(self._session.snapshot.tools, tool_id, answer)
            if marks is not None:
                self._note(ReadSource(tool_id, words, marks, self._session.view.turn.number))
        return answer
