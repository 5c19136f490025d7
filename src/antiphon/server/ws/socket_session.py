"""Socket session of `/ws/vox`: one connection, its messages and its conversation."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from antiphon.access.errors import AccessRefused
from antiphon.agents.profiles import ProfileError
from antiphon.agents.setup import KnownDoings, awareness_of
from antiphon.agents.voice.engine import VoiceEngine, VoiceOptions
from antiphon.agents.voice.selection import BROWSER_VOICE, provider_of, setups
from antiphon.app import Application
from antiphon.contracts import Principal
from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE
from antiphon.contracts.limits import LimitRefused, LimitsAway, subject_of
from antiphon.contracts.session_events import (
    MessageRefused,
    ServerGoingAway,
    VoiceEnded,
    VoiceProblem,
    VoiceReady,
)
from antiphon.fastpath.server import aborter_of, protocol_of
from antiphon.providers import ProviderFault
from antiphon.server.authentication import FORBIDDEN, TRY_AGAIN_LATER, UNAUTHENTICATED, requester_of
from antiphon.server.mount_paths import route_path
from antiphon.server.problems import problem_socket
from antiphon.server.route_permissions import SOCKET, refusal
from antiphon.server.scope import LOCAL_USER
from antiphon.server.services import ServerServices
from antiphon.server.subprotocols import socket_acceptance
from antiphon.server.ws.client_calls import ClientCalls
from antiphon.server.ws.client_messages import (
    ClientActivity,
    ClientAudio,
    ClientAudioEnd,
    ClientConfirmation,
    ClientEnd,
    ClientFunctionResult,
    ClientInterrupt,
    ClientMessage,
    ClientPlayback,
    ClientStart,
    ClientText,
    ProtocolError,
    parse,
    parse_binary,
)
from antiphon.server.ws.intake import Intake
from antiphon.server.ws.metered_speech import MeteredSpeech
from antiphon.server.ws.outlet import SocketOutlet
from antiphon.server.ws.sessions import (
    NotResumable,
    Talk,
    TooManyTalks,
    VoiceSessions,
    waiting_messages,
)
from antiphon.server.ws.setups import choose
from antiphon.server.ws.throttle import Throttle
from antiphon.storage import StoreError

logger = logging.getLogger(__name__)

PATH = "/ws/vox"
NORMAL, POLICY_VIOLATION, INTERNAL_ERROR, TAKEN_OVER = 1000, 1008, 1011, 4001
# After these the conversation may go on, with another `start`.
_NOT_OVER = frozenset({"provider_failed", "blocked"})


class VoxEndpoint:
    """Takes the sockets at `/ws/vox` and leaves everything else to the application.

    It stands right behind the guard: the way of a piece of speech is short, and the transport of
    somebody who reads nothing is at hand.
    """

    def __init__(self, app: ASGIApp, services: Callable[[], ServerServices]) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and route_path(scope) == PATH:
            services, requester = self._services(), requester_of(scope)
            words = socket_refusal(requester.principal)
            if words is not None:
                await problem_socket(scope, receive, send, FORBIDDEN, words)
                return
            accept = socket_acceptance(scope, requester.renewed)
            socket = VoxSocket(
                services.application, services.voice, receive, send, requester.principal, accept
            )
            with services.credential_watch.watching(requester.watched, socket):
                await socket.run()
        else:
            await self._app(scope, receive, send)


def socket_refusal(principal: Principal | None) -> str | None:
    """Why a principal may not open the socket, in words; None: they may."""
    return None if principal is None else refusal(principal, SOCKET, PATH)


class VoxSocket:
    """One connection: its messages, its conversation and their end."""

    def __init__(
        self,
        application: Application,
        sessions: VoiceSessions,
        receive: Receive,
        send: Send,
        principal: Principal | None = None,
        accept: Message | None = None,
    ) -> None:
        """`accept` is the message that accepts the connection."""
        self._application = application
        self._accept: Message = accept or {"type": "websocket.accept"}
        self.principal = principal
        self._sessions = sessions
        limits = self._sessions.limits
        self._receive = receive
        self._asgi_send = send
        protocol = protocol_of(send)
        self._outlet = SocketOutlet(
            send,
            aborter_of(send),
            try_send=protocol.try_send if protocol is not None else None,
            deadline=limits.send_deadline,
        )
        self._throttle = Throttle(
            asyncio.get_running_loop().time,
            bytes_per_second=limits.bytes_per_second,
            burst_bytes=limits.burst_bytes,
            errors=limits.errors,
            error_seconds=limits.error_seconds,
        )
        self._intake = Intake(receive, protocol, self._outlet, self._throttle)
        self._calls = ClientCalls(self._outlet.send)
        self._subject = subject_of(principal)
        self._metered = MeteredSpeech(
            application.limiter, self._subject, sessions.orchestrator.spawn
        )
        self._waiting: asyncio.TimerHandle | None = None  # for a start
        self._talk: Talk | None = None
        self._engine: VoiceEngine | None = None
        self._talking: asyncio.Task[None] | None = None
        self._began = False  # there is something that somebody could come back to
        self._tasks: set[asyncio.Task[None]] = set()
        self._group: asyncio.TaskGroup

    async def run(self) -> None:
        """Serve it until either side closes. Nothing is left behind."""
        await self._receive()
        try:
            await self._asgi_send(self._accept)
        except OSError:
            return  # it is gone already
        try:
            async with asyncio.TaskGroup() as self._group:
                self._wait_for_start()
                await self._listen()
                await self._stop_talking()
                for task in self._tasks:
                    task.cancel()
        except Exception as error:
            logger.error("a socket failed", exc_info=error)
            self._outlet.end(INTERNAL_ERROR, "something unexpected went wrong")
            await self._outlet.drained()
        finally:
            self._intake.close()
            self._let_go()
            self._stop_waiting()
            await self._outlet.close()
            await self._metered.close()

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = self._group.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- what the client says ------------------------------------------------------------------

    async def _listen(self) -> None:
        outlet, throttle, subject = self._outlet, self._throttle, self._subject
        depth = self._application.settings.limits.json_depth
        self._intake.open()
        while (event := await self._intake.next())["type"] != "websocket.disconnect":
            if outlet.closed:
                continue  # until the other side has taken note
            try:
                text = event.get("text")
                if text is not None:
                    throttle.take(len(text))
                    message = parse(text, self._application.backends.specs, depth)
                else:
                    throttle.take(len(event["bytes"]))
                    message = self._binary(event["bytes"])
                if type(message) is ClientAudio:
                    await self._talker("audio").send_audio(message.pcm)
                    if self._intake.meter is not None:
                        self._intake.meter.add(len(message.pcm))
                else:
                    if subject is not None:
                        await self._application.limiter.take_bytes(subject, len(text or b""))
                    await self._take(message)
            except ProtocolError as error:
                self._refuse(str(error), error.about)
            except (LimitRefused, LimitsAway) as refused:
                self._refuse(str(refused), None, kind="limit")
            except StoreError as error:
                logger.error("the store did not do its part: %s", error)
                self._refuse("The store is not there right now. Try again in a moment.", None)

    def _binary(self, data: bytes) -> ClientMessage:
        if self._outlet.binary:
            return parse_binary(data)
        raise ProtocolError(
            'Binary frames were not agreed upon. Say "audio": "binary" in `start`, or send audio '
            "as JSON."
        )

    def _talker(self, about: str) -> VoiceEngine:
        if self._engine is None:
            raise ProtocolError(
                f"There is no conversation yet: `{about}` comes after `start`.", about
            )
        return self._engine

    async def _take(self, message: ClientMessage) -> None:
        match message:
            case ClientStart():
                self._stop_waiting()
                try:
                    await self._start(message)
                finally:
                    if self._talk is None and not self._outlet.closed:
                        self._wait_for_start()
            case ClientText(text, spoken, speak):
                await self._talker("text").send_text(text, typed=not spoken, speak=speak)
            case ClientInterrupt():
                await self._talker("interrupt").interrupt()
            case ClientPlayback(turn_id, played_ms):
                self._talker("playback").report_playback(turn_id, played_ms)
            case ClientAudioEnd():
                await self._talker("audio_end").end_audio()
            case ClientActivity(active):
                await self._talker("activity").set_activity(active)
            case ClientFunctionResult():
                self._talker("browser_function_result")
                self._calls.answer(message)
            case ClientConfirmation():
                self._talker("confirmation_response")
                # Apart: what is approved may need another answer of this client.
                self._spawn(self._confirm(message), "confirmation response")
            case ClientEnd():
                await self._end()

    def _refuse(
        self,
        words: str,
        about: str | None,
        *,
        kind: str | None = None,
        id: str | None = None,
        errors: list[dict[str, Any]] | None = None,
    ) -> None:
        """The client is told. One that is wrong all the time is closed."""
        self._outlet.send(MessageRefused(words, about, kind, id, errors))
        if self._throttle.wrong():
            self._outlet.end(POLICY_VIOLATION, "too many messages that could not be taken")

    # -- beginning -----------------------------------------------------------------------------

    async def _start(self, start: ClientStart) -> None:
        if self._talking is not None and self._engine is not None and self._engine.ending:
            await asyncio.wait([self._talking])  # the client knows already that it is over
            if self._outlet.closed:
                return
        if self._talk is not None:
            raise ProtocolError(
                "A conversation is under way. Send `end` before another `start`, or use another "
                "socket.",
                "start",
            )
        if self._sessions.stopping:
            raise ProtocolError("The server is about to stop. Come back in a moment.", "start")
        start = self._identified(start)
        if self._blocked(start.user or LOCAL_USER):
            return
        await self._metered.open(self._intake, self._outlet, self._used_up)
        try:
            talk, resumed, problem = await self._find(start)
        except ProviderFault as failed:
            fault = failed.fault
            self._refuse(f"Session start failed: {fault.message}", "start", kind=fault.kind)
            return
        except ProfileError as error:
            raise ProtocolError(f"Session start failed: {error}", "start") from None
        if not talk.session.set_time_zone(start.time_zone):
            start = replace(start, ignored=(*start.ignored, "time_zone"))
        doings = await awareness_of(talk.session)
        if talk.holder is not self:
            return  # somebody came after us
        if self._blocked(talk.session.user):
            self._sessions.leave(talk, self)
            return
        self._converse(talk, start, resumed, problem, doings)

    # -- waiting for a start ---------------------------------------------------------------------

    def _wait_for_start(self) -> None:
        self._stop_waiting()
        seconds = self._sessions.limits.start_seconds
        self._waiting = asyncio.get_running_loop().call_later(seconds, self._not_started)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _not_started(self) -> None:
        """Nobody who means to talk opens a socket and says nothing."""
        words = f"No conversation was begun here for {self._sessions.limits.start_seconds:g} s."
        self._outlet.send(VoiceProblem("limit", words, fatal=True))
        self._outlet.end(POLICY_VIOLATION, words)

    def _used_up(self, words: str) -> None:
        self._outlet.send(VoiceProblem("limit", words, fatal=True))
        self._outlet.end(POLICY_VIOLATION, "no more speech today")

    def _identified(self, start: ClientStart) -> ClientStart:
        """The message with the principal of this socket as its user."""
        if self.principal is None:
            return start
        if start.user not in (None, self.principal.user):
            raise ProtocolError(f"You are `{self.principal.user}` here. Leave `user` out.", "start")
        return replace(start, user=self.principal.user)

    async def _find(self, start: ClientStart) -> tuple[Talk, bool, str | None]:
        """The conversation that is to be held, whether it is one from before, and why not."""
        sessions, problem = self._sessions, None

        chosen = partial(choose, start, self._application)

        if start.session_token is not None:
            try:
                talk = await sessions.take_up(
                    self, start.session_token, start.user, chosen, self.principal
                )
                return talk, True, None
            except NotResumable as error:
                if error.forged:
                    raise ProtocolError(str(error), "start") from None
                problem = str(error)
            except TooManyTalks as error:
                raise ProtocolError(str(error), "start") from None
        choice = chosen()
        user, conversation = start.user or LOCAL_USER, start.conversation
        if start.conversation is not None:
            row = await sessions.orchestrator.store.session(start.conversation)
            if row is None or row.user != user:
                raise ProtocolError(
                    f"There is no conversation `{start.conversation}`. `conversation` is the id of "
                    "a session that is to go on by voice.",
                    "start",
                )
            conversation = row.conversation_id or row.id
        try:
            talk = await sessions.begin(self, choice, user, conversation, self.principal)
            return talk, False, problem
        except TooManyTalks as error:
            raise ProtocolError(str(error), "start") from None

    def _converse(
        self,
        talk: Talk,
        start: ClientStart,
        resumed: bool,
        problem: str | None,
        doings: KnownDoings,
    ) -> None:
        session, choice, backends = talk.session, talk.choice, self._application.backends
        ready = partial(self._ready, talk, start, resumed, problem)
        options = VoiceOptions(
            greeting=None
            if resumed or talk.conversation.entries or not start.greeting
            else choice.profile.voice.greeting,
            pending_request=start.pending_request,
            resume=talk.handle,
            left_off=talk.left_off,
            speak=start.speak,
            say=None if choice.voice == BROWSER_VOICE else self._application.speech.said_if_warm,
            on_ready=ready,
            recorder=self._application.recordings.recorder(session.id, session.orchestrator.now),
        )
        engine = VoiceEngine(
            session,
            partial(provider_of, choice, backends),
            setups(choice, session, backends, doings),
            self._outlet,
            talk.conversation,
            options,
        )
        session.channel = self._outlet.send_message
        session.run_in_client = partial(self._calls.ask, session)
        self._outlet.binary = start.audio == "binary"
        self._talk, self._engine, self._intake.engine = talk, engine, engine
        self._began = resumed
        self._talking = self._spawn(self._until_over(talk, engine), "conversation")

    def _ready(self, talk: Talk, start: ClientStart, resumed: bool, problem: str | None) -> None:
        self._began = True
        session, choice = talk.session, talk.choice
        recordings = self._application.recordings
        ready = VoiceReady(
            session_id=session.id,
            backend=choice.backend,
            resumed=resumed,
            session_token=self._sessions.token(talk),
            model=choice.model,
            voice=choice.voice,
            profile=choice.profile.name,
            time_zone=session.time_zone or session.orchestrator.time_zone,
            conversation=talk.conversation.session_id,
            framing=start.audio,
            input_rate=INPUT_RATE,
            output_rate=OUTPUT_RATE,
            started_at=session.created_at,
            resume_problem=problem,
            ignored=start.ignored,
            recorded_days=recordings.days if recordings.on else None,
        )
        self._outlet.send(ready, session.view.turn.number)
        if resumed:
            for waiting in waiting_messages(session):
                self._outlet.send_message(waiting)

    # -- its course ----------------------------------------------------------------------------

    async def _until_over(self, talk: Talk, engine: VoiceEngine) -> None:
        session, reason, over = talk.session, "failed", False
        try:
            reason = await engine.run()
            over = reason not in _NOT_OVER or not self._began
        except asyncio.CancelledError as stopped:
            # Without the way that it came, which would hold all of the conversation in a ring.
            raise stopped.with_traceback(None) from None
        except Exception as error:
            logger.error("the conversation of session %s failed", session.id, exc_info=error)
            words = "Something unexpected went wrong here. Start again with the session_token."
            self._outlet.send(VoiceProblem("internal", words, fatal=True))
        finally:
            self._let_go(leave=not over)
        if over:
            await self._sessions.finish(talk, reason)
        if over and self._began:
            self._outlet.end(NORMAL, reason)

    def _let_go(self, *, leave: bool = True) -> None:
        """The conversation is no longer held here. It waits for the next, unless it is over."""
        talk, engine = self._talk, self._engine
        if talk is None or engine is None:
            return
        self._talk = self._engine = self._intake.engine = self._talking = None
        if not self._outlet.closed:
            self._wait_for_start()
        talk.handle, talk.left_off = engine.handle, engine.left_off
        talk.session.channel = talk.session.run_in_client = None
        if leave and self._began:
            self._sessions.leave(talk, self)
        elif leave:
            self._sessions.expire(talk)  # nobody knows of it who could come back

    async def _stop_talking(self) -> None:
        if self._talking is not None and self._engine is not None:
            self._engine.leave()
            self._talking.cancel()
            await asyncio.wait([self._talking])
            self._let_go()  # a task that is stopped before it began cleans nothing up

    def _blocked(self, user: str) -> bool:
        notice = self._sessions.orchestrator.blocks.block_notice(user)
        if notice is not None:
            self._outlet.send(notice)
        return notice is not None

    async def _confirm(self, response: ClientConfirmation) -> None:
        talk, engine = self._talk, self._engine
        if talk is None or engine is None:
            return
        await engine.confirmation_answered()
        answer = await talk.session.answer_confirmation(
            response.id, response.token, response.approve, response.remember, args=response.args
        )
        if not answer.accepted:
            error = answer.envelope["error"]
            self._refuse(
                error["message"],
                "confirmation_response",
                id=response.id,
                errors=error.get("errors"),
            )

    # -- ending --------------------------------------------------------------------------------

    async def _end(self) -> None:
        talk = self._talk
        if talk is not None:
            turn = talk.session.view.turn.number
            await self._stop_talking()
            await self._sessions.finish(talk, "user_requested")
            self._outlet.send(VoiceEnded("user_requested"), turn)
        self._outlet.end(NORMAL, "ended")

    async def give_up(self) -> None:
        """Another socket takes the conversation."""
        words = "This conversation was taken up at another place, and goes on there."
        self._outlet.send(VoiceProblem("taken_over", words, fatal=True))
        self._outlet.end(TAKEN_OVER, "taken up at another place")
        await self._stop_talking()

    async def renew(self, principal: Principal) -> None:
        """Go on with the rights of today, or end where they do not suffice."""
        words = socket_refusal(principal)
        if words is not None:
            await self._end_for(FORBIDDEN, "forbidden", words)
        self.principal = principal

    async def end(self, refused: AccessRefused) -> None:
        """End the connection of somebody whose credential is over. Calls under way are finished or
        cancelled as their tools say, and no other begins."""
        code = TRY_AGAIN_LATER if refused.status == 503 else UNAUTHENTICATED
        await self._end_for(code, "signed_out", refused.reason)

    async def _end_for(self, code: int, kind: str, words: str) -> None:
        self._outlet.send(VoiceProblem(kind, words, fatal=True))
        self._outlet.end(code, words)
        await self._stop_talking()

    def go_away(self) -> None:
        """The server is about to stop."""
        if self._talk is not None:
            words = (
                "The server is about to stop. Connect again in a moment and start with this "
                "session_token; the conversation goes on where it was."
            )
            self._outlet.send(ServerGoingAway(self._sessions.token(self._talk), words))
