"""Voice engine: client, model connection, and the governed path between them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from antiphon.agents.conversation import Conversation
from antiphon.agents.notes import results_note
from antiphon.agents.private_connection import private_provider
from antiphon.agents.voice.answer_watch import AnswerWatch
from antiphon.agents.voice.client_outlet import ClientOutlet
from antiphon.agents.voice.consent_questions import ConsentQuestions
from antiphon.agents.voice.farewell import Farewell, Say
from antiphon.agents.voice.playback import TurnPlayback
from antiphon.agents.voice.recording import SessionRecorder
from antiphon.agents.voice.resilient_connection import (
    Change,
    Reconnecting,
    Rejoined,
    ResilientConnection,
)
from antiphon.agents.voice.scope import ConversationScope, Ended
from antiphon.agents.voice.turn_taking import TurnTaking
from antiphon.agents.voice.voice_calls import VoiceCalls
from antiphon.contracts.events import (
    Activity,
    Audio,
    AudioEnded,
    Event,
    Fault,
    Grounded,
    HistoryTurn,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    SendAudio,
    Settled,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.contracts.session_events import ConversationError, ModelText, VoiceProblem
from antiphon.orchestrator import Session
from antiphon.orchestrator.reading import note_searched
from antiphon.providers.port import Provider, Setup

logger = logging.getLogger(__name__)

FILLER = "One moment, I am still on it."
DEAF = (
    "Nobody hears sound in this conversation: the model takes text, and the browser is to "
    'recognize what is said. Start with "voice": "built-in" to have the server listen.'
)
_GO_ON = (
    "(The line was interrupted while you were saying: {said!r}. Go on from there. Do not greet "
    "again and do not mention the interruption.)"
)
_UNHEARD = "(Of that answer they have not heard: {rest!r}. Say it now.)"
_SAY_AGAIN = "(The line was interrupted before the person heard your last answer. Say it again.)"


@dataclass(slots=True)
class VoiceOptions:
    """Options of one spoken conversation; the rest is the profile's."""

    greeting: str | None = None  # what the model is asked to open with, once
    pending_request: str | None = None  # what the person wanted before they began to talk
    resume: str | None = None  # a handle of the provider from an earlier connection
    left_off: str | None = None  # what the model is told of where an earlier life broke off
    speak: bool = True  # else the person reads, until they speak
    filler: str = FILLER
    # Says it aloud while the model cannot; without it the person reads it.
    say: Say | None = None
    attempts: int = 3
    backoff: float = 0.25
    on_ready: Callable[[], None] | None = None  # the model listens for the first time
    recorder: SessionRecorder | None = None  # keeps the sound, where that is on


class VoiceEngine:
    """One spoken conversation between a client and a model. `run` holds it; the other methods take
    what the person does.

    `setup` returns the setup of a connection for a resumption handle and the history that it has to
    know.
    """

    def __init__(
        self,
        session: Session,
        provider: Callable[[], Provider],
        setup: Callable[[str | None, list[HistoryTurn]], Setup],
        outlet: ClientOutlet,
        conversation: Conversation,
        options: VoiceOptions | None = None,
    ) -> None:
        self.session = session
        self.conversation = conversation
        self.options = options or VoiceOptions()
        self.usage = Usage()
        self.left_off: str | None = None  # for whoever takes the conversation up again
        self._setup = setup
        self._scope = ConversationScope(session, outlet, conversation, self.options.recorder)
        self._questions = ConsentQuestions(session)
        self._turns = TurnTaking(self._scope, self._questions, silent=not self.options.speak)
        self._connection = ResilientConnection(
            lambda: private_provider(provider(), session),
            self,
            audio_sink=self._turns,
            resume=self.options.resume,
            attempts=self.options.attempts,
            backoff=self.options.backoff,
        )
        self._farewell = Farewell(self._scope, self._turns, self._connection)
        self._watch = AnswerWatch(self._scope, self._turns)
        self._calls = VoiceCalls(
            self._scope,
            self._turns,
            self._farewell,
            self._connection,
            self._watch,
            filler=self.options.filler,
            say=self.options.say,
        )
        self._nonsense: Fault | None = None
        self._deaf_told = False
        self._ended_early = False  # we said that a turn is over; the model may say so yet

    # -- its life ----------------------------------------------------------------------------

    async def run(self) -> str:
        """Hold the conversation until it is over, and return the reason. Never raises for what the
        model does."""
        session, turns, calls = self.session, self._turns, self._calls
        session.state.clear_effects()  # of a connection that was lost before they were over
        unsubscribe = (
            session.decision_listeners.subscribe(calls.on_decision),
            session.late_listeners.subscribe(calls.on_late_result),
            # The model is to know of other tools now, and to forget those that are gone.
            session.rights_listeners.subscribe(self._connection.renew),
        )
        if turns.owed is None:  # else the person has said something new already
            turns.owed = self.options.left_off
        reason = "ended"
        try:
            async with asyncio.TaskGroup() as group:
                self._scope.group = group
                self._watch.connecting()
                group.create_task(self._converse(), name="voice")
        except* Ended as over:
            reason = str(over.exceptions[0])
            if reason == "provider_failed":
                self.leave()
        finally:
            self._scope.group = None
            for each in unsubscribe:
                each()
            self._watch.stop()
            await self._connection.close()
            turns.commit_user_utterance()
            turns.commit_model_turn()
            if self._scope.recorder is not None:
                await self._scope.recorder.close()
            await self.conversation.flush()
        return reason

    @property
    def ending(self) -> bool:
        """Whether it is over, and only the rest of its work is left to be done."""
        return self._scope.ending is not None

    @property
    def handle(self) -> str | None:
        """The resumption handle with which a later connection knows this conversation."""
        return self._connection.handle

    def end(self, reason: str = "user_requested") -> None:
        """End the conversation: the person hangs up."""
        self._scope.end(reason)

    def leave(self) -> None:
        """Note that the client is lost: what the person did not hear was not said, and is kept as
        `left_off`, as is what they were not answered."""
        turns, calls = self._turns, self._calls
        playback = turns.audible
        if playback is not None:
            playback.stop()
        if calls.writing:
            return  # what comes of it is told when it is there; to go on now might do it twice
        turn = playback.model_turn() if playback is not None else ModelTurn()
        last = self.conversation.entries[-1].turn if self.conversation.entries else None
        if turn.heard_text:
            self.left_off = _go_on(turn)
        elif playback is not None and playback is turns.playing:
            self.left_off = _SAY_AGAIN
        elif calls.results:
            self.left_off = results_note(calls.results)
        elif turns.owed is not None:
            self.left_off = turns.owed
        elif playback is not None and isinstance(last, UserTurn):
            self.left_off = last.text

    # -- the person --------------------------------------------------------------------------

    @property
    def _dismissed(self) -> bool:
        """Whether the person was sent away and hears the farewell: the model is told nothing more
        of them, so that they cannot talk over it."""
        blocks = self.session.orchestrator.blocks
        return self._farewell.pending and blocks.until(self.session.user) is not None

    async def send_audio(self, pcm: bytes) -> None:
        """Send a piece of the person's speech to the model, or tell them that nobody hears it."""
        if self._dismissed:
            return
        capabilities = self._connection.capabilities
        if capabilities is None or capabilities.audio:
            self.session.state.count("user_audio_chunk_count")
            if self._scope.recorder is not None:
                self._scope.recorder.hear(pcm)
            await self._connection.send(SendAudio(pcm))
        elif not self._deaf_told:
            self._deaf_told = True
            self._scope.send(VoiceProblem("no_audio", DEAF, fatal=False, about="audio"))

    def try_send_audio(self, pcm: bytes) -> bool:
        """Send a piece of the person's speech synchronously; return False if that is not possible
        now, in which case nothing was sent."""
        if self._dismissed:
            return True
        sent = self._connection.try_send_audio(pcm)
        if sent and self._scope.recorder is not None:
            self._scope.recorder.hear(pcm)
        return sent

    async def end_audio(self) -> None:
        """Tell the model that the microphone is off."""
        await self._connection.send(AudioEnded())

    async def set_activity(self, active: bool) -> None:
        """Press or release the talk button."""
        if self._dismissed:
            return
        if active:
            self._turns.speech_started()
            await self.interrupt()
        await self._connection.send(Activity(active))
        if not active:
            self._watch.expect("answer")

    async def send_text(self, text: str, *, typed: bool = True, speak: bool = True) -> None:
        """Send the model what the person typed, or what their own device recognized. Without
        `speak` they want to read the answer."""
        turns = self._turns
        if self._scope.end_if_blocked():
            return
        turns.commit_user_utterance()
        if (playback := turns.audible) is not None:
            self._barge_in(playback, typed=typed)
        await self._calls.send_notes(before_more=True)
        turns.add_typed_text(text, typed=typed, silent=not speak)
        await self._connection.send(Prompt(text, speech=speak))
        self._watch.expect("answer")

    async def interrupt(self) -> None:
        """Barge in by a deliberate act of the person, and tell the model how much was heard."""
        if (playback := self._turns.audible) is not None:
            played, item = playback.played_ms, playback.item
            self._barge_in(playback)
            await self._connection.send(Interrupt(played, item))

    def _barge_in(self, playback: TurnPlayback, *, typed: bool = False) -> None:
        """Barge in. Where the model only waits for its calls its turn is over, too: nothing more
        comes of it that had to be kept from the person, and what comes next is to be heard."""
        over = playback is self._turns.playback and self._calls.awaited
        self._turns.barge_in(playback, typed=typed)
        if over:
            self._ended_early = True
            self._finish_turn("interrupted")
            # Apart: what they cut in with is to reach the model before answers to its calls do.
            self._scope.spawn(self.session.orchestrator.save(self.session), "turn saved")

    async def confirmation_answered(self) -> None:
        """Stop reading out a question that the person has answered on the screen."""
        playback = self._turns.audible
        if playback is None or self._calls.under_way:
            return
        played, item = playback.played_ms, playback.item
        self._turns.stop(playback, cut_in=False)
        await self._connection.send(Interrupt(played, item))

    def report_playback(self, turn_id: int, played_ms: int) -> None:
        """Take the position of the person's player in a turn's speech."""
        self._turns.report_playback(turn_id, played_ms)

    # -- the connection's questions ------------------------------------------------------------

    def setup(self, resume: str | None) -> Setup:
        """Return the setup of the next connection (`ConnectionOwner`)."""
        calls, owed = self._calls, self._turns.owed
        if resume:
            calls.seeded = 0
            return self._setup(resume, [])
        calls.seeded = len(calls.results)
        history = self.conversation.history()
        last = history[-1] if history else None
        if owed is not None and isinstance(last, UserTurn):
            # It will be said anew, as what the model is to answer.
            before = last.text.removesuffix(owed).rstrip()
            if before != last.text:
                history[-1:] = [UserTurn(before)] if before else []
        return self._setup(None, history)

    def quiet(self) -> bool:
        """Tell whether nobody speaks and nothing is owed (`ConnectionOwner`)."""
        return self._calls.quiet

    def unfinished_note(self, resumed: bool) -> str | None:
        """Return what the model is told to go on after a break (`ConnectionOwner`)."""
        calls, turns = self._calls, self._turns
        known = 0 if resumed else calls.seeded
        new = calls.results[known:]
        parts = [results_note(new)] if new else []
        turn = turns.playback.model_turn()
        if turn.heard_text:
            parts.append(_go_on(turn))
        elif known and not parts:
            parts.append(
                "(The line was interrupted. The results of your calls are above. Tell the person "
                "what came of them. Do not greet again and do not mention the interruption.)"
            )
        elif turns.owed is not None and not parts:
            parts.append(turns.owed)
        return "\n\n".join(parts) or None

    # -- the model ---------------------------------------------------------------------------

    async def _converse(self) -> None:
        async with aclosing(self._connection.events()) as events:  # type: ignore[type-var]
            async for event in events:
                await self._handle(event)
        raise Ended(self._scope.ending or "provider_failed")

    async def _handle(self, event: Event | Change) -> None:
        # The commonest first; a connection has put the events of one message in order already.
        turns = self._turns
        if type(event) is Audio:
            await turns.send_audio(event)
            return
        match event:
            case ToolCalls(calls):
                turns.begin_answer()
                turns.add_rest()
                self._calls.start(calls)
                # They are decided on, and told, before whatever came with them: a turn that ends
                # in the same message is the one in which they were made.
                await asyncio.sleep(0)
            case ToolCallsCancelled(ids):
                self._calls.withdraw(ids)
            case Interrupted(goes_on):
                await self._provider_interrupted(goes_on)
            case Settled():
                turns.settlement.close(settled=True)
            case Text(text):
                if turns.silenced:
                    turns.begin_answer()
                    return
                if shown := turns.shown_text(text):
                    turns.add_model_text(shown)
                    self._scope.send(ModelText(shown))
            case Transcript():
                await self._transcript(event)
            case SpeechStarted():
                turns.speech_started()
            case SpeechStopped():
                turns.speech_stopped()
                self._watch.expect("answer")
            case Usage():
                self.usage.input_tokens += event.input_tokens
                self.usage.output_tokens += event.output_tokens
                self.usage.cached_tokens += event.cached_tokens
                self._scope.marks.used(event)
            case Grounded(words):
                note_searched(self.session, words)
            case TurnEnded(reason):
                await self._turn_ended(reason)
            case Fault(kind="spending_cap"):
                self._log_fault(event)
                await self._farewell.end_unpaid(event.message, self.options.say)
            case Fault():
                self._fault(event)
            case Ready():
                self._watch.connected()
                if self.options.on_ready is not None:
                    self.options.on_ready()
                self._calls.flush_late_results()
                await self._open()
            case Reconnecting():
                turns.settlement.close(settled=True)  # who went on meanwhile was not heard
                self._watch.connecting()
            case Rejoined(resumed):
                self._watch.connected()
                self.session.append_audit("line_changed", details={"resumed": resumed})

    async def _open(self) -> None:
        """Send the first words: what the person already asked for, else the greeting."""
        options, state, turns = self.options, self.session.state, self._turns
        request = options.pending_request
        if request:
            turns.add_request(request, relayed=True)
            await self._connection.send(
                turns.prompt(f"(The person asked this just before they began to talk.) {request}")
            )
            self._watch.expect("answer")
        elif turns.owed is not None and turns.owed != options.left_off:
            pass  # they were quicker: what they said waits for this connection already
        elif self.session.late or options.left_off or state.get("pending_message"):
            await self._calls.send_notes(options.left_off)
        elif options.greeting:
            await self._connection.send(turns.prompt(options.greeting))
            self._watch.expect("answer")

    async def _transcript(self, event: Transcript) -> None:
        words = self._turns.add_transcript(event)
        if words and self._turns.owed == words:
            self._watch.expect("answer")
        if words:
            self._questions.on_user_utterance()
        if words and event.tentative:
            self._scope.spawn(self._consent(words), "spoken consent")
        elif words:
            await self._consent(words)

    async def _consent(self, words: str) -> None:
        """Take the person's words for a yes or no, if they are one and no more follows."""
        if not await self._turns.settlement.wait():
            return
        if await self.session.confirm_spoken(words) is not None:
            self._turns.owed = None  # the outcome is all that is left to answer
            if self.quiet():
                await self._calls.send_notes()

    async def _provider_interrupted(self, goes_on: bool) -> None:
        playback = self._turns.audible
        if goes_on:
            self._turns.take_back()
            self._calls.forget()
            self._farewell.take_back()
        if playback is None:
            return
        played, item = playback.played_ms, playback.item
        self._barge_in(playback)
        if goes_on:
            return  # it knows what it has taken back
        self._turns.speech_started()  # else nothing would have cut in; not every provider says so
        if playback.spoken:
            await self._connection.send(Interrupt(played, item))

    async def _turn_ended(self, reason: str) -> None:
        early, self._ended_early = self._ended_early, False
        playback = self._turns.playback
        if early and reason == "interrupted" and playback.untouched:
            self._calls.results.clear()  # of the turn that is over already
            unplayed = 0
        else:
            unplayed = self._finish_turn(reason)
            await self.session.orchestrator.save(self.session)
        if self._farewell.pending:
            await self._farewell.on_turn_ended(playback, unplayed)
            return
        if self._scope.end_if_blocked():
            return
        asking = (
            self._questions.pending_prompt(playback)
            if reason == "complete" and self.quiet()
            else None
        )
        if asking is not None:
            await self._connection.send(self._turns.prompt(asking))
            self._watch.expect("answer")
        else:
            await self._calls.send_notes()
        self._connection.change_if_quiet()

    def _finish_turn(self, reason: str) -> int:
        """End the model's turn; return the milliseconds for which it is still to be heard."""
        turns = self._turns
        playback = turns.playback
        # What they said since they cut in is not answered by the end of what they cut short, nor
        # what they wrote while the end of an answer was on its way.
        if reason not in ("failed", "interrupted") and not playback.generating:
            turns.owed = None
        elif reason == "failed" and self._nonsense is not None:
            self._tell_fault(self._nonsense)
        self._nonsense = None
        self._calls.results.clear()
        turns.commit_model_turn()
        self._questions.on_turn_ended(playback)
        return turns.end(reason)

    def _log_fault(self, fault: Fault) -> None:
        logger.warning("%s: %s (%s)", self.session.id, fault.message, fault.detail)
        self.session.append_audit(
            "provider_fault", details={"kind": fault.kind, "detail": fault.detail}
        )

    def _fault(self, fault: Fault) -> None:
        self._log_fault(fault)
        if fault.kind == "protocol" and not fault.fatal:
            # One message that made no sense. The person is told if the answer ends with it.
            self._nonsense = fault
            return
        self._tell_fault(fault)
        if fault.fatal:
            self._scope.end("provider_failed")

    def _tell_fault(self, fault: Fault) -> None:
        self._scope.send(
            ConversationError(
                fault.kind, fault.message, fault.retryable, fault.retry_after, fault.fatal
            )
        )


def _go_on(turn: ModelTurn) -> str:
    """Return what the model is told of an answer that broke off: what was heard, and what it had
    said beyond that, which is not in the history that it is given."""
    words = _GO_ON.format(said=turn.heard_text)
    rest = "" if turn.heard is None else turn.text[turn.heard :].strip()
    return f"{words} {_UNHEARD.format(rest=rest)}" if rest else words
