"""Conversational turn taking: words of both sides, barge-in, and the end of turns."""

from __future__ import annotations

from dataclasses import replace

from antiphon.agents.answer_links import AnswerLinks
from antiphon.agents.conversation import ConversationEntry
from antiphon.agents.voice.consent_questions import ConsentQuestions
from antiphon.agents.voice.playback import TurnPlayback
from antiphon.agents.voice.scope import ConversationScope
from antiphon.agents.voice.settlement import Settlement
from antiphon.contracts.events import Audio, Prompt, Transcript, UserTurn
from antiphon.contracts.session_events import (
    InterimText,
    ModelText,
    PlaybackStopped,
    Role,
    SpokenText,
    VoiceTurnEnded,
)


class TurnTaking:
    """State of the turns of a conversation, and sink of the model's speech.

    The connection hands over speech on the fast path (`writable`, `on_audio`); the engine, which
    reads the other events, hands over the rest.
    """

    def __init__(
        self, scope: ConversationScope, questions: ConsentQuestions, *, silent: bool = False
    ) -> None:
        self._scope = scope
        self._questions = questions
        self._session = scope.session
        self._outlet = scope.outlet
        self._conversation = scope.conversation
        self._links = AnswerLinks(scope.session, scope.conversation)
        self._time = scope.loop.time
        self._now = scope.now
        self.playback = TurnPlayback(self._time, self._session.view.turn.number, silent=silent)
        self.playing: TurnPlayback | None = (
            None  # a turn that is over, but not yet heard to its end
        )
        # The turn that is kept already, though its speech may yet be cut short.
        self._kept: tuple[TurnPlayback, ConversationEntry] | None = None
        self.owed: str | None = None  # what the person said last, until the model answers it
        self._silent = silent  # they typed last, and want to read the answer
        self._heard: list[str] = []  # the words of the utterance that the person is in
        self._said_last: ConversationEntry | None = None  # which they may yet go on with
        self.settlement = Settlement()
        self._speaking_since: float | None = None
        self._stopped_at: float | None = None
        self._spoke_from: float | None = None  # when they began to say what is to be answered
        self._asked_at: float | None = None  # when they had said it, or typed it
        self._answered_at = 0.0  # when the last turn was over that nobody cut short

    @property
    def speaking(self) -> bool:
        """Whether the person is in an utterance."""
        return self._speaking_since is not None

    @property
    def busy(self) -> bool:
        """Whether somebody speaks, or the person is owed an answer."""
        return self.playback.generating or self.speaking or self.owed is not None

    # -- the model's speech --------------------------------------------------------------------

    # The fast path (`AudioSink`): the connection asks `writable` first, for a message that it has
    # taken apart it cannot put back.

    @property
    def writable(self) -> bool:
        """Whether speech can go to the client synchronously, with nothing queued before it."""
        return self._outlet.writable

    def on_audio(self, event: Audio) -> None:
        """Send the model's speech to the client synchronously. Only while `writable`; an error
        ends the conversation and is never raised to the connection."""
        try:
            if self._accept_audio(event):
                self._outlet.send_audio_now(event.data, self._session.view.turn.number)
        except Exception as error:  # noqa: BLE001 - it ends the conversation, not the connection
            self._scope.fail(error)

    async def send_audio(self, event: Audio) -> None:
        """Send the model's speech to the client, waiting while too much of it is queued."""
        if self._accept_audio(event):
            await self._outlet.send_audio(event.data, self._session.view.turn.number)

    def _accept_audio(self, event: Audio) -> bool:
        """Count a piece of speech; return False if it is not for the person to hear."""
        playback = self.playback
        if playback.muted or playback.silent:
            return False
        if not playback.spoken and self._stopped_at is not None:
            waited = (self._time() - self._stopped_at) * 1000
            self._scope.marks.spoken("time_to_first_audio", waited)
            self._stopped_at = None
        self.begin_answer()
        if self._session.state.get("should_suppress_audio"):
            return False
        if not playback.spoken:
            self._scope.marks.moment("first_audio")
        playback.add_speech(event.data, event.item)
        if self._scope.recorder is not None:
            self._scope.recorder.say(event.data)
        self._session.state.count("audio_chunk_counter")
        return True

    def begin_answer(self) -> None:
        """Note that the model begins to answer: the person's words before it are complete."""
        playback = self.playback
        if not playback.generating:
            playback.generating = True
            self._session.state.set("is_model_generating", True)
            self.owed = None
            self._mark_answer()
            self._questions.on_model_speech(answers=self._speaking_since is None)

    def _mark_answer(self) -> None:
        """Record when the person asked what this turn answers, and that the answer begins."""
        marks, recorder = self._scope.marks, self._scope.recorder
        heard = None if recorder is None else recorder.take_speech_start()
        if (began := self._spoke_from or heard) is not None:  # not every provider tells
            marks.moment("speech_started", began)
        if self._asked_at is not None:
            marks.moment("asked", self._asked_at)
        marks.moment("answer_began")
        self._spoke_from = self._asked_at = None

    @property
    def silenced(self) -> bool:
        """Whether a tool asked that nothing more of this turn reaches the person, neither as sound
        nor in writing: then it was not said."""
        state = self._session.state
        return bool(state.get("should_suppress_audio") and state.get("should_suppress_transcript"))

    # -- words ---------------------------------------------------------------------------------

    def add_model_text(self, text: str, replaces: str = "") -> None:
        """Add words of the model, in place of those that it said last where `replaces` has them."""
        self.begin_answer()
        self._scope.marks.moment("first_text")
        playback = self.playback
        if replaces and (said := "".join(playback.said)).endswith(replaces):
            playback.said[:] = [said.removesuffix(replaces)]
        if playback.said_at is None:
            playback.said_at = self._now()
        playback.said.append(text)

    def shown_text(self, text: str, *, ended: bool = False) -> str:
        """The words of the model as they may be shown, as far as that can be told by now."""
        shown = self._links.feed(text)
        return shown + self._links.finish() if ended else shown

    def add_rest(self) -> None:
        """Add what was held back of the model's words: it says no more."""
        if rest := self._links.finish():
            self.add_model_text(rest)
            if not self._session.state.get("should_suppress_transcript"):
                self._scope.send(ModelText(rest))

    def add_transcript(self, event: Transcript) -> str:
        """Take a transcript; return the person's whole utterance if it ends one, else an empty
        text."""
        shown = not self._session.state.get("should_suppress_transcript")
        role: Role = "assistant" if event.role == "model" else "user"
        if event.interim:
            if shown:
                text = event.text if event.role == "user" else self._links.whole(event.text)
                self._scope.send(InterimText(role, text))
            return ""
        text, replaces = event.text, event.replaces
        if event.role == "model":
            if self.silenced:
                self.begin_answer()
                return ""
            if replaces:
                text, replaces = self._links.whole(text), self._links.whole(replaces)
            else:
                text = self.shown_text(text, ended=event.final)
            if text:
                self.add_model_text(text, replaces)
        else:
            self._set_reply_mode(silent=False)
            if self._speaking_since is None:
                self._speaking_since = self._now()
                self._questions.on_user_words()
            self._heard.append(event.text)
        if text and shown:
            started = self.playback.said_at if event.role == "model" else self._speaking_since
            self._scope.send(SpokenText(role, text, event.final, started, replaces))
        if event.role != "user" or not event.final:
            return ""
        if event.tentative:
            self.settlement.open()
        return self.commit_user_utterance()

    def speech_started(self) -> None:
        """Note that the person begins to speak."""
        self._set_reply_mode(silent=False)
        self._questions.on_user_speech()
        if self._spoke_from is None or self._asked_at is not None:
            self._spoke_from, self._asked_at = self._now(), None
        if self._speaking_since is None or not self._heard:
            self._speaking_since = self._now()

    def speech_stopped(self) -> None:
        """Note that the person stops speaking."""
        self._stopped_at = self._time()
        self._asked_at = self._now()
        self._speaking_since = self._speaking_since or self._now()

    def add_request(self, request: str, *, typed: bool = False, relayed: bool = False) -> None:
        """Add a request of the person. `relayed`: it was made before or elsewhere, and told by
        somebody who may have put it in words of their own, such as the model that hands over."""
        self.settlement.close(settled=True)
        self._said_last = None
        self._conversation.add(UserTurn(request, typed, relayed), channel="voice")
        if not relayed:
            self._session.hear(request)
        self.owed = request
        self._questions.discard()

    def add_typed_text(self, text: str, *, typed: bool, silent: bool) -> None:
        """Add what the person typed; `silent`: they want to read the answer."""
        self._set_reply_mode(silent=silent)
        self.add_request(text, typed=typed)
        self._stopped_at = None if silent else self._time()
        self._spoke_from, self._asked_at = None, self._now()
        if self._scope.recorder is not None:
            self._scope.recorder.take_speech_start()

    def _set_reply_mode(self, *, silent: bool) -> None:
        """Set how the person is answered from now on: an answer under way stays as it is."""
        self._silent = silent
        if not self.playback.generating:
            self.playback.silent = silent

    def prompt(self, text: str) -> Prompt:
        """Return a prompt that the model answers in the way in which the person was in touch
        last."""
        self._set_reply_mode(silent=self._silent)
        self._questions.discard()
        return Prompt(text, speech=not self._silent)

    def commit_user_utterance(self) -> str:
        """Add the person's complete utterance to the conversation, where they began to speak;
        return it."""
        words = "".join(self._heard).strip()
        self._heard.clear()
        since, self._speaking_since = self._speaking_since, None
        if words:
            self._asked_at = self._asked_at or self._now()
            self._said_last = self._conversation.add(UserTurn(words), channel="voice", at=since)
            self._session.hear(words)
            late = since is not None and since < self._answered_at  # the answer was faster
            if not self.playback.generating and not late:
                self.owed = words
        return words

    def commit_model_turn(self) -> None:
        """Add the model's words of this turn to the conversation."""
        self.add_rest()
        turn = self.playback.model_turn()
        if turn.text:
            entry = self._conversation.add(turn, channel="voice", at=self.playback.said_at)
            self._kept = self.playback, entry

    def take_back(self) -> None:
        """Take back what the person said last, and all that came of it: they go on with it, and
        will have said the whole."""
        self.settlement.close(settled=False)
        said, self._said_last = self._said_last, None
        if said is None:
            return
        self._conversation.remove_from(said)
        self._speaking_since = said.at
        self._kept = self.owed = None
        self.playback.said.clear()

    # -- cutting in ----------------------------------------------------------------------------

    @property
    def audible(self) -> TurnPlayback | None:
        """The playback that the person hears, or is about to hear; None if they have cut in
        already."""
        playback = self.playback
        if not playback.muted and (playback.generating or playback.unplayed_ms):
            return playback
        playing = self.playing
        if playing is not None and playing.unplayed_ms and not playing.muted:
            return playing
        return None

    def barge_in(self, playback: TurnPlayback, *, typed: bool = False) -> None:
        """Barge in: silence first, everything else after. Who types the next question has read what
        there was: an answer that is complete is not interrupted by it."""
        began = self._time()
        self._questions.discard()
        self.stop(playback, cut_in=playback.generating or not typed)
        self._session.interrupt()
        self._scope.marks.spoken("barge_in_stop", (self._time() - began) * 1000)

    def stop(self, playback: TurnPlayback, *, cut_in: bool) -> None:
        """Stop a playback. `cut_in`: because the person interrupted an answer; else because it is
        complete on their screen, or has become pointless."""
        self._outlet.flush()
        if self._scope.recorder is not None:
            self._scope.recorder.cut()
        self._outlet.send(PlaybackStopped(playback.turn, cut_in), playback.turn)
        playback.stop()
        playback.interrupted = cut_in
        if cut_in and self._kept is not None and self._kept[0] is playback:
            # All was said before they cut in, and a part was heard. Who types has read it.
            self._conversation.amend(
                self._kept[1], replace(playback.model_turn(), interrupted=False)
            )
            self._kept = None
        self._session.state.set("interruption_sent", True)

    def report_playback(self, turn_id: int, played_ms: int) -> None:
        """Take the position of the person's player in a turn's speech."""
        for playback in (self.playback, self.playing):
            if playback is not None and playback.turn == turn_id:
                playback.report_played(played_ms)

    # -- the end of a turn ---------------------------------------------------------------------

    def end(self, reason: str) -> int:
        """End the turn and begin the next; return the milliseconds for which it is still to be
        heard."""
        session, playback, marks = self._session, self.playback, self._scope.marks
        if reason == "interrupted" and playback.muted and not playback.interrupted:
            reason = "complete"  # it was stopped, but nobody cut in
        silent = self._silent and reason != "complete"  # what cut it off waits for its answer
        session.state.set("is_model_generating", False)
        session.state.set("audio_chunk_counter", 0)
        session.state.set("interruption_sent", False)
        self._scope.send(VoiceTurnEnded(session.view.turn.number, reason))
        playback.generating = False
        unplayed = playback.unplayed_ms
        if not playback.muted and playback.spoken and self._stopped_at is None:
            marks.spoken("turn_gap", float(unplayed))
        if playback.spoken:
            marks.moment("heard_until", self._now() + (0 if playback.muted else unplayed / 1000))
        marks.completed(reason)
        session.end_turn()
        if reason != "interrupted":
            self._answered_at = self._now()
        # What is still being played may yet be cut short.
        self.playing = None if playback.muted else playback
        after = 0.0 if playback.muted else playback.ends_at
        self.playback = TurnPlayback(
            self._time, session.view.turn.number, silent=silent, after=after
        )
        return unplayed
