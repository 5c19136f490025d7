"""Consent by voice: confirmation questions asked word for word, and heard to their end."""

from __future__ import annotations

from antiphon.agents.voice.playback import TurnPlayback
from antiphon.orchestrator import Session


class ConsentQuestions:
    """Tracker of the confirmation question that a spoken yes may answer.

    A yes counts only if the last that the model said ended with the very question of a request, the
    person heard it to its end, and the yes is the next that they say. Nobody can know what a model
    means by its own words, so the words are the server's: they are given to the model with the
    answer to its call, and compared with what it said.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._confirmations = session.orchestrator.confirmations
        self._asked: tuple[str, TurnPlayback] | None = None  # the request, and the speech that asks
        self._answering: str | None = None  # the request that the person's words may answer
        self._in_this_turn = False  # these words come before the model's turn ends, or never
        self._requested: set[str] = set()  # what the model was told to ask aloud, once each

    def discard(self) -> None:
        """Forget the question: something else came between. The request stays open, on the
        screen."""
        self._asked = self._answering = None

    def on_user_speech(self) -> None:
        """Note that the person begins to speak: now it is settled whether they heard the
        question."""
        self._answering, self._in_this_turn = self._heard(), False

    def on_user_words(self) -> None:
        """Note the person's first words, where nothing told before that they speak."""
        if not self._in_this_turn or self._answering is None:
            self.on_user_speech()

    def on_model_speech(self, *, answers: bool) -> None:
        """Note that the model begins another turn. `answers`: nobody told that the person spoke, so
        it may be the answer to words whose transcript is yet to come."""
        if answers:
            self._answering, self._in_this_turn = self._heard(), True
        self._asked = None

    def on_user_utterance(self) -> None:
        """Report the question that came before the person's complete words to the orchestrator."""
        if self._answering is not None:
            self._confirmations.mark_prompted(self._session, self._answering)
        self.discard()

    def on_turn_ended(self, playback: TurnPlayback) -> None:
        """Compare the model's last words with the open questions."""
        if self._in_this_turn:
            self._answering = None
        self._asked = None
        if playback.muted or not playback.spoken:
            return
        said = _letters("".join(playback.said))
        for request, (question, _) in self._confirmations.questions(self._session).items():
            if said.endswith(_letters(question)):
                self._asked = request, playback

    def pending_prompt(self, playback: TurnPlayback) -> str | None:
        """Return what to tell a model that opened a request and spoke, but did not ask with the
        words of the question; None otherwise."""
        if self._asked is not None or playback.muted or not playback.spoken:
            return None
        for request, (question, turn) in self._confirmations.questions(self._session).items():
            if turn == playback.turn and request not in self._requested:
                self._requested.add(request)
                return f"(Ask the person now, in these words: {question!r})"
        return None

    def _heard(self) -> str | None:
        if self._asked is None:
            return None
        request, playback = self._asked
        return request if playback.played_out else None


def _letters(text: str) -> str:
    """Return the letters and digits alone, in lower case."""
    return "".join(char for char in text.casefold() if char.isalnum())
