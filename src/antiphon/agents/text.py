"""Text agent: the conversation, profile and model for what a person writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from antiphon.agents.conversation import Conversation, stored_entry
from antiphon.agents.notes import is_note
from antiphon.agents.private_connection import private_provider
from antiphon.agents.profiles import Profile, ProfileError
from antiphon.agents.prompt import SystemPrompt
from antiphon.agents.setup import (
    apply_profile,
    awareness_of,
    instructions,
    model_setup,
    note_start,
    open_session,
)
from antiphon.agents.text_turn import TextTurn
from antiphon.agents.turn_tools import tools_of_turn
from antiphon.contracts import Principal
from antiphon.contracts.events import Fault, ModelTurn, UserTurn
from antiphon.contracts.session_data import session_data
from antiphon.contracts.session_events import TextTurnOpened
from antiphon.orchestrator import Orchestrator, Session
from antiphon.providers.backends import Backend, Backends
from antiphon.providers.port import Deadlines, Provider, ProviderFault
from antiphon.storage import TurnRow

HISTORY_TOKENS = 8000

RefusalKind = Literal[
    "empty",  # there is nothing to answer
    "busy",  # the session is answering something else
    "blocked",  # the user is kept out for a while; `timeoutUntil` says until when
    "unknown",  # no such session
    "ended",  # the session is over
    "mismatch",  # the session belongs to somebody else, or has another profile
    "profile",  # no such profile, or it is not usable
]


class TurnRefused(Exception):
    """A turn that does not begin. The message says why and what to do; `details` say more."""

    def __init__(self, kind: RefusalKind, words: str, /, **details: Any) -> None:
        super().__init__(words)
        self.kind: RefusalKind = kind
        self.message = words
        self.details = details


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A session to be gone on with, and the conversation that it is of. `text` is None where there
    is no session in text to do so in."""

    id: str
    user: str
    profile: str | None
    conversation_id: str
    text: Session | None


@dataclass(frozen=True, slots=True)
class _Line:
    """The backend, provider and model that answer a turn."""

    backend: Backend
    model: str
    provider: Provider


class TextAgent:
    """Answers people in text, over any backend, through the same gates as everybody else.

    `profile` gives a profile by its name, or raises ProfileError; `default` is who answers when
    nobody is named.
    """

    def __init__(
        self,
        orchestrator: Orchestrator,
        backends: Backends,
        profile: Callable[[str], Profile],
        *,
        default: str = "assistant",
        source: str = "chat",
        deadlines: Deadlines | None = None,
        retries: int = 2,
    ) -> None:
        self._orchestrator = orchestrator
        self._backends = backends
        self._profile = profile
        self._default = default
        self._source = source
        self._deadlines = deadlines
        self._retries = retries
        self._turns: dict[str, TextTurn | None] = {}  # by session; None: about to begin
        orchestrator.progress_listeners.subscribe(self._progressed)

    async def open(
        self,
        text: str | None,
        *,
        session_id: str | None = None,
        conversation: str | None = None,
        user: str | None = None,
        profile: str | None = None,
        backend: Backend | None = None,
        model: str | None = None,
        time_zone: str | None = None,
        data: Mapping[str, Any] | None = None,
        principal: Principal | None = None,
    ) -> TextTurn:
        """The turn that answers `text`, about to begin. Close it when you are done with it.

        Without a session it is the first of a new one. Without a text the agent goes on with what
        came of earlier calls since, or answers what was asked last and has no answer yet.
        `conversation` names it by any of its sessions: it goes on in the last one in text that is
        open, else in a new one, in which everything that was said is known. A session of voice goes
        on in the same way. `data` becomes the session's, in place of what it had; `principal` is
        who asks, whose rights its calls are held to.

        Raises TurnRefused; ProviderFault when there is no model to ask; StoreError; ValueError for
        data that is no JSON.
        """
        own_data = None if data is None else session_data(data)
        text = _clean(text)
        if text == "":
            raise TurnRefused("empty", "There is nothing to answer: the message is empty.")
        earlier = None
        user = user if principal is None else principal.user
        if session_id is not None:
            earlier = await self._find(session_id, profile, principal)
        elif conversation is not None:
            earlier = await self._go_on_with(conversation, profile, principal)
        if earlier is not None:
            if user is not None and earlier.user != user:
                raise TurnRefused("mismatch", "This session belongs to another user.")
            user = earlier.user
        self._check_block(user)
        own = self._chosen(profile, earlier)
        session = earlier.text if earlier is not None else None
        # From here to the reservation nothing is awaited: of two requests at once one is refused.
        if session is not None:
            self._check(session)
        elif text is None and earlier is None:
            raise TurnRefused("empty", "There is nothing to answer: no message, no conversation.")
        line = self._line(own, session, backend, model)
        is_new = session is None
        if session is None:
            session = self._start(own, user, earlier, principal)
        elif principal is not None:
            session.set_principal(principal)
        apply_profile(session, own, line.backend)
        session.set_time_zone(time_zone)
        if own_data is not None:
            session.set_data(own_data)
        self._turns[session.id] = None
        try:
            before = earlier.id if is_new and earlier is not None else None
            return await self._opened(session, own, line, text, is_new, before)
        except BaseException:
            del self._turns[session.id]
            if is_new:
                await session.end("never began")
            raise

    async def branch(
        self,
        turns: Iterable[TurnRow],
        *,
        user: str,
        profile: str | None,
        branched_from: str,
        principal: Principal | None = None,
    ) -> Session:
        """A new session in text in which what was said in those turns is known. Raises TurnRefused,
        StoreError."""
        own = self._chosen(profile, None)
        session = self._start(own, user, None, principal)
        details = {"via": self._source, "profile": session.profile, "branchedFrom": branched_from}
        session.append_audit("session_started", details=details)
        await self._orchestrator.save(session)
        session.set_privacy(own.privacy)
        conversation = Conversation(
            session.id, self._orchestrator.store, self._orchestrator.now, privacy=session.privacy
        )
        for row in turns:
            entry = stored_entry(row)
            conversation.add(entry.turn, channel=entry.channel, at=entry.at)
        conversation.note_read(session)
        await conversation.flush()
        return session

    def is_answering(self, session_id: str) -> bool:
        """Whether a turn of that session is under way or about to begin."""
        return session_id in self._turns

    def is_at_rest(self, session: Session) -> bool:
        """Whether nothing of a session is lost when it goes out of memory, and is taken from the
        store later."""
        is_busy = session.running or session.late or session.kept or session.view.open_questions
        is_held = session.channel is not None or self.is_answering(session.id)
        return session.view.active and not is_busy and not is_held

    @property
    def conversations(self) -> set[str]:
        """The conversations in which an answer is under way."""
        held = self._orchestrator.sessions
        return {held[each].conversation_id for each in self._turns if each in held}

    # -- the session ---------------------------------------------------------------------------

    async def _go_on_with(
        self, id: str, profile: str | None, principal: Principal | None
    ) -> _Earlier:
        """The conversation that a session is of, in its last session in text that is open. For a
        principal there are no sessions but their own."""
        orchestrator = self._orchestrator
        row = await orchestrator.store.session(id)
        if row is None or _is_anothers(row.user, principal):
            raise TurnRefused(
                "unknown",
                f"There is no conversation `{id[:200]}`. Leave it out to begin a new one.",
            )
        began = row.conversation_id or id
        chain = await orchestrator.store.sessions_of(began)
        for each in chain:
            if each.mode == "text" and profile in (None, each.profile):
                session = await self._resumed(each.id)
                if session is not None and session.view.active and not self._outdated(session):
                    return _Earlier(each.id, row.user, session.profile, began, session)
        last = chain[0]
        return _Earlier(last.id, row.user, last.profile or None, began, None)

    async def _resumed(self, id: str) -> Session | None:
        held = id in self._orchestrator.sessions
        session = await self._orchestrator.resume(id)
        if session is not None and not held:
            session.append_audit("session_resumed", details={"via": self._source})
        return session

    def _outdated(self, session: Session) -> bool:
        """Whether a session has tools that its server does not have any more."""
        current = self._orchestrator.registry_snapshot()
        return current.version != session.snapshot.version

    async def _find(self, id: str, profile: str | None, principal: Principal | None) -> _Earlier:
        orchestrator = self._orchestrator
        session = orchestrator.sessions.get(id)
        known = session or await orchestrator.store.session(id)
        if known is None or _is_anothers(known.user, principal):
            raise TurnRefused(
                "unknown",
                f"The session `{id[:200]}` does not exist. Leave it out to start a new one.",
            )
        if known.mode == "voice":  # whether it has ended or not: what was said is what counts
            return await self._go_on_with(id, profile, principal)
        session = session or await self._resumed(id)
        if session is None:
            raise TurnRefused(
                "ended", f"The session `{id[:200]}` has ended. Leave it out to start a new one."
            )
        return _Earlier(id, session.user, session.profile, session.conversation_id, session)

    def _start(
        self,
        profile: Profile,
        user: str | None,
        earlier: _Earlier | None,
        principal: Principal | None,
    ) -> Session:
        session = open_session(
            self._orchestrator, "text", profile, None, user=user, principal=principal
        )
        if earlier is not None:
            session.conversation_id = earlier.conversation_id
        return session

    def _check(self, session: Session) -> None:
        orchestrator = self._orchestrator
        if session.id in self._turns:
            raise TurnRefused(
                "busy",
                "This session is still answering. Wait for the end of its answer, or close the "
                "stream of it, which stops it.",
            )
        changed = (
            orchestrator.version_mismatch(session)
            if orchestrator.registry_snapshot() is not session.snapshot.base
            else None
        )
        if changed is not None and changed.error is not None:
            raise TurnRefused("ended", str(changed.error["message"]))
        if not session.view.active:
            raise TurnRefused("ended", "This session is over. Leave it out to start a new one.")

    def _check_block(self, user: str | None) -> None:
        notice = None if user is None else self._orchestrator.blocks.block_notice(user)
        if notice is not None:
            raise TurnRefused("blocked", notice.message, **notice.to_dict())

    def _chosen(self, name: str | None, earlier: _Earlier | None) -> Profile:
        kept = earlier.profile if earlier is not None else None
        is_text = earlier is not None and earlier.text is not None
        if is_text and kept is not None and name not in (None, kept):
            raise TurnRefused(
                "mismatch",
                f"This session has the profile {kept!r} and keeps it. Start a new session for "
                f"{name!r}.",
            )
        try:
            return self._profile(name or kept or self._default)
        except ProfileError as error:
            raise TurnRefused("profile", " ".join(error.problems)) from None

    def _line(
        self, profile: Profile, session: Session | None, backend: Backend | None, model: str | None
    ) -> _Line:
        side = profile.text
        usual = side.backend or self._backends.chosen
        before = session.provider if session is not None else None
        backend = backend or before or usual
        if model is None and backend == usual:
            model = side.model
        model = model or self._backends.model(backend, "text")
        if model is None:
            raise ProviderFault(
                Fault("not_configured", f"No model is set: `providers.{backend}.model`.")
            )
        return _Line(backend, model, self._backends.provider((backend, "text")))

    # -- the turn ------------------------------------------------------------------------------

    async def _opened(
        self,
        session: Session,
        profile: Profile,
        line: _Line,
        text: str | None,
        is_new: bool,
        before: str | None,
    ) -> TextTurn:
        orchestrator = self._orchestrator
        conversation = await Conversation.of(session)
        history, is_kept = conversation.history(HISTORY_TOKENS), False
        if text is None and not session.late:
            text, is_kept = _unanswered(conversation), True
            if isinstance(history[-1], UserTurn):
                history.pop()  # it is the prompt
        if text is not None and not (is_kept and _is_relayed(conversation, text)):
            session.hear(text)
        tools = await tools_of_turn(session, profile, text, history)
        doings = await awareness_of(session)
        prompt = instructions(session, profile, awareness=doings.prompt, tools=tools)
        if is_new:
            self._note_start(session, prompt, line.model, before)
            await orchestrator.save(session)
        connection = await private_provider(line.provider, session).connect(
            model_setup(
                session,
                profile,
                line.model,
                prompt,
                history=history,
                tools=tools,
                reports=doings.reports,
                window=self._backends.context_window(line.backend, line.model),
                retries=self._retries,
                deadlines=self._deadlines or self._backends.deadlines(line.backend),
            )
        )
        opening = TextTurnOpened(
            session.id,
            session.view.turn.number,
            line.backend,
            line.model,
            profile.name,
            session.time_zone or orchestrator.time_zone,
            continued_from=before,
            conversation=session.conversation_id,
        )
        turn = TextTurn(
            session,
            connection,
            conversation,
            text,
            opening,
            self._released,
            is_kept=is_kept,
            tools=tools,
        )
        self._turns[session.id] = turn
        return turn

    def _released(self, session: Session) -> None:
        del self._turns[session.id]

    def _note_start(
        self, session: Session, prompt: SystemPrompt, model: str, before: str | None
    ) -> None:
        of = session.conversation_id
        more = {} if before is None else {"continuedFrom": before, "conversation": of}
        note_start(session, prompt, model, via=self._source, profile=session.profile, **more)

    def _progressed(self, session: Session, event: dict[str, Any]) -> None:
        turn = self._turns.get(session.id)
        if turn is not None:
            turn.progressed(event)


def _is_anothers(user: str, principal: Principal | None) -> bool:
    return principal is not None and principal.user != user


def _unanswered(conversation: Conversation) -> str:
    """The last question of a conversation, where nothing was said to it: its answer was stopped,
    such as by a page that was loaded anew. Raises TurnRefused where there is none."""
    for entry in reversed(conversation.entries):
        match entry.turn:
            case UserTurn(text) if not is_note(text):
                return text
            case ModelTurn(text) if text:
                break
    raise TurnRefused("empty", "There is nothing to answer: no message, and nothing new came.")


def _is_relayed(conversation: Conversation, text: str) -> bool:
    """Whether somebody else has told of a request, and may have put it in words of their own."""
    return any(
        isinstance(entry.turn, UserTurn) and entry.turn.relayed and entry.turn.text == text
        for entry in conversation.entries
    )


def _clean(text: str | None) -> str | None:
    """Strip space around a text, and replace half characters that no provider takes."""
    return None if text is None else text.strip().encode("utf-8", "replace").decode()
