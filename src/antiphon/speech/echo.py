"""Our own voice in the person's microphone: how much to doubt what is heard while we speak."""

from __future__ import annotations

from antiphon.speech.names import plain

# Speech that a microphone without echo cancellation must hear, beyond what a barge-in needs: our
# own voice is broken up by the person's room, theirs is not.
_EXTRA_MS = 320
# Sound that is still in the room, or in the browser's buffers, after we stop.
_TAIL_MS = 320
# What is heard often begins or ends within a word, so letters are compared: how much of them, from
# 0 to 100, must be found in one place of what we say. Short words are found anywhere, and must be
# words of ours.
_ALIKE = 70.0
_SHORT = 8
_REMEMBERED = 80  # words


class Echo:
    """Our own playback, in the time of the microphone's audio."""

    def __init__(self, cancelled: bool) -> None:
        self._cancelled = cancelled
        self._words: list[str] = []
        self._speaking = self._asks = False
        self._until_ms = 0

    def set_playback(self, text: str, now_ms: int) -> None:
        """Set the text that is played from now on; empty when playback has ended."""
        if text:
            self._words = [*self._words, *_words(text)][-_REMEMBERED:]
            self._speaking = True
            self._asks = text.rstrip(" \"')").endswith("?")
        elif self._speaking:
            self._speaking = False
            self._until_ms = now_ms + (0 if self._cancelled else _TAIL_MS)

    def active(self, now_ms: int) -> bool:
        """Whether our playback can be heard at this time."""
        if self._speaking or now_ms < self._until_ms:
            return True
        self._words.clear()
        return False

    @property
    def asks(self) -> bool:
        """Whether what is played last is a question."""
        return self._asks

    @property
    def doubtful(self) -> bool:
        """Whether speech during playback may be our own."""
        return not self._cancelled

    @property
    def extra_ms(self) -> int:
        """Additional speech that a barge-in needs without echo cancellation."""
        return 0 if self._cancelled else _EXTRA_MS

    def is_own_speech(self, text: str) -> bool:
        """Whether a transcript is our own words. Sound without words is no barge-in."""
        from rapidfuzz import fuzz

        heard = _words(text)
        letters = "".join(heard)
        if len(letters) < _SHORT:
            return all(word in self._words for word in heard)
        return fuzz.partial_ratio(letters, "".join(self._words)) >= _ALIKE


def _words(text: str) -> list[str]:
    return [word for word in map(plain, text.split()) if word]
