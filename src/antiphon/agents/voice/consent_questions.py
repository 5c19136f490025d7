"""Consent by voice: confirmation questions asked word for word, and heard to their end."""

from __future__ import annotations

from antiphon.agents.voice.playback import TurnPlayback
from antiphon.orchestrator import Session


class ConsentQuestions:
    """A spoken yes counts only if the last that the model said ended with the very question of a
    request, the person heard it to its end, and the yes is the next that they say.

    Nobody can know what a model means by its own words, so the words are the server's: they are
    given to the model with the answer to its call, and compared with what it said.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._confirmations = session.orchestrator.confirmations
        self._asked: tuple[str, TurnPlayback] | None = None  # the request, and the speech that asks
        self._answering: str | None = None  # the request that the person's words may answer
        self._in_this_turn = False  # these words come before the model's turn ends, or never
        self._requested: set[str] = set()  # what the model was told to ask aloud, once each

    def void(self) -> None:
        """Something else came between: the request stays open, on the screen."""
        self._asked = self._answering = None

    def person_speaks(self) -> None:
        """The person begins to speak: now is when they have heard the question, or not."""
        self._answering, self._in_this_turn = self._heard(), False

    def words_come(self) -> None:
        """The same, where their words are the first that is known of their speech."""
        if not self._in_this_turn or self._answering is None:
            self.person_speaks()

    def model_speaks(self, *, answers: bool) -> None:
        """The model begins another turn. `answers`: nobody told that the person spoke, so it may
        be the answer to words whose transcript is yet to come."""
        if answers:
            self._answering, self._in_this_turn = self._heard(), True
        self._asked = None

    def answered(self) -> None:
        """The person's words are complete: tell the orchestrator which question came before."""
        if self._answering is not None:
            self._confirmations.prompted(self._session, self._answering)
        self.void()

    def turn_ended(self, playback: TurnPlayback) -> None:
        """Look whether the model has asked one of the open questions with its last words."""
        if self._in_this_turn:
            self._answering = None
        self._asked = None
        if playback.muted or not playback.spoken:
            return
        said = _letters("".join(playback.said))
        for request, (question, _) in self._confirmations.questions(self._session).items():
            if said.endswith(_letters(question)):
                self._asked = request, playback

    def to_ask(self, playback: TurnPlayback) -> str | None:
        """What the model is to be told after a turn in which it opened a request and spoke, but
        did not ask with the words of the question."""
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
    """The words alone, however they are written."""
    return "".join(char for char in text.casefold() if char.isalnum())
