"""Voice call: a spoken conversation that a program holds, without a server in between."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE
from antiphon.contracts.session_events import (
    ConversationError,
    VoiceEnded,
    VoiceProblem,
    VoiceReady,
)
from antiphon.facade.call_outlet import CallEvent, CallOutlet
from antiphon.facade.confirmation_answers import ConfirmationAnswers, answer
from antiphon.facade.lifetime import ProgramLifetime
from antiphon.facade.results import RunError

if TYPE_CHECKING:
    from antiphon.agents.voice.engine import VoiceEngine
    from antiphon.agents.voice.selection import VoiceSelection
    from antiphon.app import Application
    from antiphon.contracts import Envelope
    from antiphon.orchestrator import Session

logger = logging.getLogger(__name__)


class VoiceCall:
    """One spoken conversation: `async with app.voice() as call`. Speech is 16-bit mono PCM, 16 kHz
    towards the model and 24 kHz from it.

    Read it as an async iterator: the model's speech comes as `SpokenAudio`, everything else as the
    typed events of `antiphon.contracts.session_events`; it ends with the conversation. Entering
    waits until the model listens, and raises RunError when it does not.
    """

    session: Session
    ready: VoiceReady

    def __init__(
        self,
        lifetime: ProgramLifetime,
        answers: ConfirmationAnswers,
        *,
        user: str | None,
        data: Mapping[str, Any] | None,
        conversation: str | None,
        voice: str | None,
        greeting: str | None,
    ) -> None:
        self._lifetime = lifetime
        self._answers = answers
        self._user = user
        self._data = data
        self._conversation = conversation
        self._voice = voice
        self._greeting = greeting
        self._outlet = CallOutlet()
        self._is_ready = asyncio.Event()
        self._engine: VoiceEngine
        self._talking: asyncio.Task[None] | None = None

    # -- its life ------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        from antiphon.providers.port import ProviderFault

        application = await self._lifetime.opened()
        try:
            choice = self._choose(application)
            await self._begin(application, choice)
        except ProviderFault as failed:
            raise RunError(failed.fault.kind, failed.fault.message) from None
        assert self._talking is not None
        waiting = asyncio.create_task(self._is_ready.wait(), name="voice call ready")
        try:
            await asyncio.wait({waiting, self._talking}, return_when=asyncio.FIRST_COMPLETED)
            if not self._is_ready.is_set():
                raise await self._not_ready()
        except BaseException:
            await self.hang_up()
            raise
        finally:
            waiting.cancel()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.hang_up()

    def _choose(self, application: Application) -> VoiceSelection:
        from antiphon.agents.voice.selection import OWN_VOICE, VoiceSelection

        profile, backends = application.profile(application.voice_profile), application.backends
        backend = profile.voice.backend or backends.chosen
        backends.provider((backend, "voice"))  # raises for a key that is missing
        voices = [voice.id for voice in backends.catalogue.voices(backend)]
        model = (
            profile.voice.model
            or backends.model(backend, "voice")
            or backends.model(backend, "text")
            or backend
        )
        known = voices or ([OWN_VOICE] if backend == "local" else [])
        if self._voice and known and self._voice not in known:
            words = f"There is no voice {self._voice!r}; there are {', '.join(known)}."
            raise RunError("bad_request", words)
        # The program has no ears of its own: a model that only reads is lent the built-in ones.
        voice = self._voice or (voices[0] if voices else OWN_VOICE)
        return VoiceSelection(profile, backend, model, voice, profile.voice.language)

    async def _begin(self, application: Application, choice: VoiceSelection) -> None:
        from antiphon.agents.conversation import Conversation
        from antiphon.agents.setup import awareness_of, instructions, note_start, open_session
        from antiphon.agents.voice.engine import VoiceEngine, VoiceOptions
        from antiphon.agents.voice.selection import provider_of, setups

        orchestrator, backends = application.orchestrator, application.backends
        session = self.session = open_session(
            orchestrator, "voice", choice.profile, choice.backend, user=self._user, data=self._data
        )
        if self._conversation is not None:
            row = await orchestrator.store.session(self._conversation)
            began = row.conversation_id if row is not None else ""
            session.conversation_id = began or self._conversation
        session.set_privacy(choice.profile.privacy)
        conversation = await Conversation.of(session)
        note_start(session, instructions(session, choice.profile), choice.model, via="program")
        await orchestrator.save(session)
        self._engine = VoiceEngine(
            session,
            partial(provider_of, choice, backends),
            setups(choice, session, backends, await awareness_of(session)),
            self._outlet,
            conversation,
            VoiceOptions(
                greeting=self._greeting,
                say=application.speech.said_if_warm,
                on_ready=partial(self._on_ready, choice),
            ),
        )
        session.channel = self._take_message
        self._lifetime.hang_ups.add(self.hang_up)
        self._talking = asyncio.create_task(self._talk(), name="voice call")

    def _on_ready(self, choice: VoiceSelection) -> None:
        session = self.session
        self.ready = VoiceReady(
            session_id=session.id,
            backend=choice.backend,
            resumed=False,
            session_token="",
            model=choice.model,
            voice=choice.voice,
            profile=choice.profile.name,
            time_zone=session.time_zone or session.orchestrator.time_zone,
            conversation=session.conversation_id,
            framing="pcm",
            input_rate=INPUT_RATE,
            output_rate=OUTPUT_RATE,
            started_at=session.created_at,
        )
        self._outlet.send(self.ready)
        self._is_ready.set()

    async def _talk(self) -> None:
        reason = "failed"
        try:
            reason = await self._engine.run()
        except Exception as error:
            logger.error("the call of session %s failed", self.session.id, exc_info=error)
            words = "Something unexpected went wrong. The log says what."
            self._outlet.send(VoiceProblem("internal", words, fatal=True))
        finally:
            self._lifetime.hang_ups.discard(self.hang_up)
            self.session.channel = None
            if not self._outlet.has_ended:
                self._outlet.send(VoiceEnded(reason))
            self._outlet.close()
            await self.session.end(reason)

    async def _not_ready(self) -> RunError:
        """Return why the model does not listen, by what it has told."""
        while (event := await self._outlet.next()) is not None:
            if isinstance(event, ConversationError | VoiceProblem):
                return RunError(event.kind, event.message)
        return RunError("failed", "The model does not listen, and has not said why.")

    async def hang_up(self) -> None:
        """End the conversation. What was told until then can still be read. Does nothing when it
        is over."""
        talking = self._talking
        if talking is not None and not talking.done():
            self._engine.end("user_requested")
            await asyncio.wait({talking})

    # -- the person ----------------------------------------------------------------------------

    async def send_audio(self, pcm: bytes) -> None:
        """Send a piece of the person's speech: 16-bit mono samples at 16 kHz. Raises ValueError for
        half a sample."""
        if len(pcm) % 2:
            raise ValueError("Speech is 16-bit samples, so a piece of it has an even length.")
        if not self._engine.try_send_audio(pcm):
            await self._engine.send_audio(pcm)

    async def end_audio(self) -> None:
        """Tell the model that the microphone is off."""
        await self._engine.end_audio()

    async def send_text(self, text: str) -> None:
        """Send the model what the person typed; it answers aloud."""
        await self._engine.send_text(text)

    async def interrupt(self) -> None:
        """Stop the model's answer, as the person would by speaking."""
        await self._engine.interrupt()

    def report_playback(self, turn: int, played_ms: int) -> None:
        """Tell how much of a turn's speech was played, so that the model knows what was heard."""
        self._engine.report_playback(turn, played_ms)

    async def confirm(self, id: str, approve: bool) -> Envelope:
        """Answer a question for the person; the model tells them what came of it. Raises RunError
        when no such question is open."""
        await self._engine.confirmation_answered()
        envelope = await answer(self.session, id, approve)
        if envelope is None:
            raise RunError("unknown", f"No question with the id `{id}` is open.")
        return envelope

    def _take_message(self, message: dict[str, Any]) -> None:
        self._outlet.send_message(message)
        if message["type"] == "confirmation_required" and self._answers.asks:
            work = self._ask_program(message["id"])
            self.session.orchestrator.spawn(work, "question to the program")

    async def _ask_program(self, id: str) -> None:
        await self._engine.confirmation_answered()
        await self._answers.ask_about(self.session, id)

    # -- what comes ----------------------------------------------------------------------------

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> CallEvent:
        event = await self._outlet.next()
        if event is None:
            raise StopAsyncIteration
        return event
