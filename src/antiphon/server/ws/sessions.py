"""Voice session registry of this process: ownership, limits and resumption."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from antiphon.agents.conversation import Conversation
from antiphon.agents.notes import results_note
from antiphon.agents.setup import instructions, note_start
from antiphon.agents.voice.selection import VoiceSelection
from antiphon.contracts import Envelope, ErrorType, Principal, ToolCall
from antiphon.contracts.events import AnswersTurn, CallAnswer, ModelTurn, UserTurn
from antiphon.contracts.session_events import CallFinished
from antiphon.contracts.voice_stream import encode
from antiphon.orchestrator import Orchestrator, Session
from antiphon.orchestrator.tokens import signature
from antiphon.server.ws.outlet import DEADLINE
from antiphon.server.ws.setups import apply, session_options
from antiphon.storage import StoreError

logger = logging.getLogger(__name__)

SECRET_NAME = "voice sessions"  # noqa: S105 - the name of it
VIA = "voice"


@dataclass(frozen=True, slots=True)
class VoiceLimits:
    """Limits of a voice client: rates, counts and deadlines."""

    # Conversations with somebody at the other end.
    live: int = 300
    # Those that nobody holds, for how long they are kept, and how many: in all and of one user.
    # Beyond that the one that was left first ends first.
    resumable_seconds: float = 600.0
    left: int = 1000
    left_per_user: int = 100
    send_deadline: float = DEADLINE
    # So long may a socket be open without a conversation.
    start_seconds: float = 60.0
    # The person's speech is 32 KB a second, and a third more as base64.
    bytes_per_second: int = 256 * 1024
    burst_bytes: int = 2 * 1024 * 1024
    errors: int = 100
    error_seconds: float = 10.0


class Holder(Protocol):
    """The socket at which a conversation is held."""

    async def give_up(self) -> None:
        """Somebody else takes the conversation: stop, and say so. Returns when it is let go."""

    def go_away(self) -> None:
        """The server is about to stop."""


class NotResumable(Exception):
    """The words say why a token does not lead to a conversation. `forged`: it is none of ours."""

    def __init__(self, words: str, *, forged: bool = False) -> None:
        super().__init__(words)
        self.forged = forged


class TooManyTalks(Exception):
    """The words say that no further conversation can be held at this server for now."""


class Talk:
    """One spoken conversation. It may outlive its socket; it has one holder at a time."""

    def __init__(
        self, session: Session, conversation: Conversation, choice: VoiceSelection
    ) -> None:
        self.session = session
        self.conversation = conversation
        self.choice = choice
        self.handle: str | None = None  # the provider's, for its next connection
        self.left_off: str | None = None  # what the person did not hear, or was not answered
        self.holder: Holder | None = None
        self.taking = asyncio.Lock()
        self.expiry: asyncio.TimerHandle | None = None


Choose = Callable[[VoiceSelection | None, tuple[str, str]], VoiceSelection]


class VoiceSessions:
    """Begins conversations, keeps those whose socket was lost, and hands them over."""

    def __init__(self, orchestrator: Orchestrator, limits: VoiceLimits | None = None) -> None:
        self.orchestrator = orchestrator
        self.limits = limits or VoiceLimits()
        self.stopping = False
        self._secret = orchestrator.store.secret(SECRET_NAME)
        self._talks: dict[str, Talk] = {}
        self._finding = asyncio.Lock()  # two sockets at once must not resume a session twice

    def __len__(self) -> int:
        return len(self._talks)

    @property
    def held(self) -> int:
        """The number of conversations with a connected client."""
        return sum(talk.holder is not None for talk in self._talks.values())

    def held_by(self, user: str | None) -> int:
        """The number of conversations of a user with a connected client; None: of everybody."""
        talks = [talk for talk in self._talks.values() if talk.holder is not None]
        return sum(user in (None, talk.session.user) for talk in talks)

    @property
    def conversations(self) -> set[str]:
        """The conversations with a connected client, by their ids."""
        talks = self._talks.values()
        return {talk.conversation.session_id for talk in talks if talk.holder is not None}

    # -- tokens --------------------------------------------------------------------------------

    def token(self, talk: Talk) -> str:
        """The resumption token of a conversation: `<session id>.<signature>`, and
        between them the conversation where that is another session's."""
        own, kept = talk.session.id, talk.conversation.session_id
        subject = own if own == kept else f"{own}~{kept}"
        return f"{subject}.{self._signature(subject)}"

    def _signature(self, subject: str) -> str:
        return signature(self._secret, b"antiphon voice v1\0" + subject.encode())

    def _read(self, token: str) -> tuple[str, str]:
        subject, dot, given = token.rpartition(".")
        expected = self._signature(subject).encode() if dot and subject.isprintable() else b""
        if not expected or not hmac.compare_digest(expected, given.encode()):
            raise _not_given_out()
        session_id, _, conversation_id = subject.partition("~")
        return session_id, conversation_id or session_id

    # -- beginning and taking up ---------------------------------------------------------------

    async def begin(
        self,
        holder: Holder,
        choice: VoiceSelection,
        user: str,
        conversation_id: str | None,
        principal: Principal | None = None,
    ) -> Talk:
        """A new conversation, or the further course of one that was held in writing. `principal` is
        whose it is, where that is known.

        Raises TooManyTalks, and LimitRefused for somebody who has too many open sessions.
        """
        self._make_sure_of_room()
        orchestrator = self.orchestrator
        options = session_options(choice, orchestrator)
        session = orchestrator.session("voice", user, principal=principal, **options)
        session.conversation_id = conversation_id or session.id
        session.set_privacy(choice.profile.privacy)
        try:
            conversation = await Conversation.of(session)
            note_start(
                session,
                instructions(session, choice.profile, extra=choice.system_prompt),
                choice.model,
                via=VIA,
                conversation=conversation.session_id,
            )
            await orchestrator.save(session)
        except BaseException:
            orchestrator.sessions.pop(session.id, None)
            raise
        talk = self._talks[session.id] = Talk(session, conversation, choice)
        talk.holder = holder
        return talk

    async def take_up(
        self,
        holder: Holder,
        token: str,
        user: str | None,
        choose: Choose,
        principal: Principal | None = None,
    ) -> Talk:
        """The conversation of a token, from whoever holds it now, or from the store.

        Raises NotResumable, TooManyTalks, and what `choose` raises. Of several that come at once
        each takes it from the one before; the last one keeps it.
        """
        session_id, conversation_id = self._read(token)
        async with self._finding:
            talk = self._talks.get(session_id)
            if talk is None:
                talk = await self._from_store(session_id, conversation_id, user, choose)
        if user is not None and user != talk.session.user:
            raise _not_given_out()
        choice = choose(talk.choice, ("", ""))
        if talk.holder is None:
            self._make_sure_of_room()
        async with talk.taking:
            if talk.holder is not None:
                await talk.holder.give_up()
            if not talk.session.view.active or self._talks.get(session_id) is not talk:
                raise NotResumable("That conversation has ended.")
            talk.holder = holder
        await self._catch_up(talk)
        if talk.expiry is not None:
            talk.expiry.cancel()
            talk.expiry = None
        if choice.backend != talk.choice.backend or choice.model != talk.choice.model:
            talk.handle = None  # means nothing to another model; it is told what was said
        talk.choice = choice
        if principal is not None:
            talk.session.set_principal(principal)
        apply(choice, talk.session)
        talk.session.append_audit(
            "session_resumed", details={"via": VIA, "backend": choice.backend}
        )
        return talk

    async def _catch_up(self, talk: Talk) -> None:
        """Take in what was said in writing since: the model's own memory ends before it."""
        known = talk.conversation
        try:
            await known.flush()
            now = await Conversation.load(
                self.orchestrator.store, known.session_id, known.now, talk.session.privacy
            )
        except StoreError as error:
            logger.error("session %s goes on as it was: %s", talk.session.id, error)
            return
        now.note_read(talk.session)
        if [each.at for each in now.entries[-1:]] > [each.at for each in known.entries[-1:]]:
            talk.conversation = now
            talk.handle = talk.left_off = None

    def _make_sure_of_room(self) -> None:
        if self.held >= self.limits.live:
            raise TooManyTalks(
                f"{self.limits.live} conversations are being held at this server, and it takes no "
                "more at once. Try again later."
            )

    async def _from_store(
        self, session_id: str, conversation_id: str, user: str | None, choose: Choose
    ) -> Talk:
        orchestrator = self.orchestrator
        row = await orchestrator.store.session(session_id)
        if row is not None and user is not None and user != row.user:
            raise _not_given_out()
        if row is None or row.ended_at is not None or row.mode != "voice":
            raise NotResumable("That conversation has ended.")
        if row.updated_at + self.limits.resumable_seconds < orchestrator.now():
            raise NotResumable("That conversation was left too long ago.")
        choice = choose(None, (row.profile, row.provider))
        session = await orchestrator.resume(session_id, **session_options(choice, orchestrator))
        if session is None or not session.view.active:
            raise NotResumable("That conversation has ended.")
        session.set_privacy(choice.profile.privacy)
        conversation = await Conversation.load(
            orchestrator.store, conversation_id, orchestrator.now, session.privacy
        )
        conversation.note_read(session)
        talk = self._talks[session_id] = Talk(session, conversation, choice)
        talk.left_off = _left_off(session, conversation)
        self._wait_for_next(talk)
        return talk

    # -- leaving and ending --------------------------------------------------------------------

    def leave(self, talk: Talk, holder: Holder) -> None:
        """The socket is gone, or the line to the model is: the conversation waits for the next."""
        if talk.holder is not holder:
            return
        talk.holder = None
        self.orchestrator.spawn(self._save(talk.session), "voice session saved")
        self._wait_for_next(talk)

    def _wait_for_next(self, talk: Talk) -> None:
        loop = asyncio.get_running_loop()
        talk.expiry = loop.call_later(self.limits.resumable_seconds, self.expire, talk)
        left = [each for each in self._talks.values() if each.expiry is not None]
        own = [each for each in left if each.session.user == talk.session.user]
        if len(own) > self.limits.left_per_user:
            self.expire(min(own, key=_left_first))
        elif len(left) > self.limits.left:
            self.expire(min(left, key=_left_first))

    async def finish(self, talk: Talk, reason: str) -> None:
        """The conversation is over, for good."""
        if self._talks.get(talk.session.id) is talk:
            del self._talks[talk.session.id]
        talk.holder = None
        if talk.expiry is not None:
            talk.expiry.cancel()
            talk.expiry = None
        try:
            await talk.session.end(reason)
        except StoreError as error:
            logger.error("the end of session %s was not written down: %s", talk.session.id, error)

    async def drop(self, conversation_id: str) -> None:
        """End those of a conversation that is no more and that nobody holds."""
        for talk in list(self._talks.values()):
            if talk.conversation.session_id == conversation_id and talk.holder is None:
                await self.finish(talk, "deleted")

    def expire(self, talk: Talk) -> None:
        """End it, apart from whoever says so."""
        if talk.expiry is not None:
            talk.expiry.cancel()
            talk.expiry = None
        self.orchestrator.spawn(self.finish(talk, "left"), "voice session expired")

    async def _save(self, session: Session) -> None:
        if not session.view.active:
            return
        try:
            await self.orchestrator.save(session)
        except StoreError as error:
            logger.error("session %s was not written down: %s", session.id, error)

    # -- the server stops ----------------------------------------------------------------------

    def go_away(self) -> None:
        """Tell everybody that the server stops, and how they come back."""
        self.stopping = True
        for talk in list(self._talks.values()):
            if talk.holder is not None:
                talk.holder.go_away()

    def close(self) -> None:
        """Stop the clocks. What was left can be taken up again from the store."""
        self.stopping = True
        for talk in self._talks.values():
            if talk.expiry is not None:
                talk.expiry.cancel()


def _not_given_out() -> NotResumable:
    """The same for a token of somebody else: whose it is, is nobody else's business."""
    return NotResumable(
        "`session_token` is not one that this server has given out. Leave it out to begin anew.",
        forged=True,
    )


def _left_off(session: Session, conversation: Conversation) -> str | None:
    """The note for the model after the server stopped in the middle of the conversation:
    what came of its calls, as far as anybody knows, else what the person was not answered."""
    last = conversation.entries[-1].turn if conversation.entries else None
    done = [] if isinstance(last, ModelTurn) else list(session.by_hash.values())
    results = [(each.call, each.envelope) for each in done if each.envelope is not None]
    results += _tell_lost(session, conversation)
    if results:
        return results_note(results)
    return last.text if isinstance(last, UserTurn) else None


def _tell_lost(session: Session, conversation: Conversation) -> list[tuple[ToolCall, Envelope]]:
    """Calls whose outcome nobody knows, for the client and in the conversation, each once."""
    known = {
        answer.id
        for entry in conversation.entries
        if isinstance(entry.turn, AnswersTurn)
        for answer in entry.turn.answers
        if answer.envelope["ok"] or answer.envelope["error"]["type"] != ErrorType.IN_PROGRESS
    }
    found = [
        (call, envelope) for call, envelope in session.unknown_outcomes() if call.id not in known
    ]
    for call, envelope in found:
        answer = CallAnswer(call.id, call.name, envelope)
        conversation.add(ModelTurn("", (call,)), channel="voice")
        conversation.add(AnswersTurn((answer,)), channel="voice")
        lost = CallFinished(call.id, call.name, envelope)
        message = encode(lost, session.view.turn.number)
        session.queue_message(cast("dict[str, Any]", message))
    return found


def _left_first(talk: Talk) -> float:
    assert talk.expiry is not None
    return talk.expiry.when()


def waiting_messages(session: Session) -> list[dict[str, Any]]:
    """Messages queued while no client was connected, and confirmations that are still open."""
    kept = [each for each in session.drain_messages() if each["type"] != "confirmation_required"]
    return [*kept, *session.orchestrator.confirmations.waiting(session)]
