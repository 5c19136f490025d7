"""Listener: audio of one person in, events of speech, partial transcripts and utterances out."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from antiphon.speech.echo import Echo
from antiphon.speech.listener_events import (
    ListenerEvent,
    PartialTranscript,
    RecognitionFailed,
    SpeechBegan,
    Utterance,
)
from antiphon.speech.ports import (
    INPUT_RATE,
    WINDOW,
    WINDOW_MS,
    Recognition,
    Recognizer,
    SpeechError,
    TurnDetector,
    Vad,
    number,
    whole_number,
)
from antiphon.speech.recognition import SEGMENT_S
from antiphon.speech.workers import Lane

# Sound before the first window of speech that belongs to it: soft first consonants.
_BEFORE_MS = 256
# What is compared with our own words, if it may be them: a short piece would be misheard.
_COMPARED_MS = 2_000
# A dip of likelihood inside the first word does not make it another attempt.
_DIP_MS = 96
# Once somebody speaks, a window needs less to count as speech.
_STAYS = 0.15
# After so much silence the words so far are looked at, so that they are there when the silence is
# long enough to end the utterance.
_PAUSE_MS = 128
# New speech between two looks at the words so far: at least this, and more for long segments,
# which take longer to look at.
_PARTIAL_MS = 700
_PARTIAL_SHARE = 0.15

_WINDOW_BYTES = 2 * WINDOW
# Windows whose likelihoods are asked for at once.
_MOST_WINDOWS = 16
# What may wait to be listened to; who feeds faster than that is held back.
_BUFFER = 2 * 2 * INPUT_RATE


@dataclass(slots=True)
class _UtteranceState:
    """State of the utterance under way."""

    recognition: Recognition
    began_ms: int
    barge_in: bool
    end_ms: int  # of the last speech
    # Windows that the recognition has not got. The worker takes them from the left.
    unfed: deque[bytes] = field(default_factory=deque)
    unseen_ms: int = 0  # speech since the last look
    silence_ms: int = 0
    text: str = ""
    partial: asyncio.Future[str] | None = None
    at_pause: bool = False  # the last look was at this very pause
    failed: bool = False  # the recognizer failed; the rest is waited out


class Listener:
    """Listens to one person. Feed it audio in one task and read its events in another.

    The time of turns is that of the audio, so it does not matter how fast it is fed. While we
    speak (`set_playback`), only longer and clearer speech counts, and without `echo_cancelled` it
    must not be our own words that the microphone picks up.
    """

    def __init__(
        self,
        vad: Vad,
        turns: TurnDetector,
        recognizer: Recognizer,
        *,
        vad_lane: Lane,
        recognizer_lane: Lane,
        hints: Sequence[str] = (),
        echo_cancelled: bool = False,
        longest_s: int = 60,
        stalled_s: float = 2.0,
    ) -> None:
        """`hints` are names that may be said; they may be replaced at any time.

        `longest_s` ends an utterance that has no end. `stalled_s` without any audio end one too,
        as when a browser sends nothing while the microphone is mute.
        """
        self.hints = hints
        self._turns = turns
        self._recognizer = recognizer
        self._stream = vad.stream()
        self._vad_lane = vad_lane
        self._lane = recognizer_lane
        self._echo = Echo(echo_cancelled)
        self._longest_ms = 1000 * whole_number("longest_s", longest_s, 5, 600)
        self._stalled = number("stalled_s", stalled_s, 0.2, 60.0)

        self._audio = bytearray()
        self._room = asyncio.Event()
        self._room.set()
        self._waker: asyncio.Future[None] | None = None
        self._flush = False
        self._closed = False

        self._out: deque[ListenerEvent] = deque()
        self._now_ms = 0
        self._before: deque[bytes] = deque(maxlen=_BEFORE_MS // WINDOW_MS)
        self._recent: deque[bytes] = deque(maxlen=_COMPARED_MS // WINDOW_MS)  # while we speak
        self._attempt: list[bytes] = []  # windows that may be the beginning of speech
        self._attempt_ms = 0  # of speech in it
        self._dip_ms = 0
        self._speech: _UtteranceState | None = None

    # -- what others call

    async def feed(self, pcm: bytes) -> None:
        """Feed PCM16 at 16 kHz in frames of any size; waits while the buffer is full."""
        for at in range(0, len(pcm), _BUFFER):
            await self._room.wait()
            if self._closed:
                return
            self._audio += pcm[at : at + _BUFFER]
            if len(self._audio) >= _BUFFER:
                self._room.clear()
            self._wake()

    def set_playback(self, text: str) -> None:
        """Set what we are saying now; empty once the person has heard the end of it."""
        self._echo.set_playback(text, self._now_ms)

    def finish_utterance(self) -> None:
        """End the utterance with what was said so far, as when the microphone is muted."""
        self._flush = True
        self._wake()

    def close(self) -> None:
        """End the audio. The events end once everything that was heard is reported."""
        self._closed = True
        self._room.set()
        self.finish_utterance()

    async def events(self) -> AsyncIterator[ListenerEvent]:
        """Events until `close`, for one reader.

        Raises SpeechError when voice activity detection fails; a failed recognition is an event.
        """
        try:
            while True:
                await self._collect_partial()
                if len(self._audio) >= _WINDOW_BYTES:
                    for window, likely in await self._windows():
                        await self._process_window(window, likely)
                        while self._out:
                            yield self._out.popleft()
                elif self._flush:
                    self._flush = False
                    self._drop_attempt()
                    await self._end()
                elif self._closed:
                    return
                elif not self._out and not await self._wait():
                    await self._end()
                while self._out:
                    yield self._out.popleft()
        finally:
            # Nobody listens any more: who feeds must not wait for it.
            self._closed = True
            self._room.set()
            if self._speech and self._speech.partial:
                self._speech.partial.cancel()

    # -- waiting

    def _wake(self) -> None:
        if self._waker is not None and not self._waker.done():
            self._waker.set_result(None)

    async def _wait(self) -> bool:
        """Wait for audio or a partial transcript; False when an utterance has stalled."""
        waker = self._waker = asyncio.get_running_loop().create_future()
        waiting: list[asyncio.Future[None] | asyncio.Future[str]] = [waker]
        if self._speech and self._speech.partial:
            waiting.append(self._speech.partial)
        try:
            done, _ = await asyncio.wait(
                waiting,
                timeout=self._stalled if self._speech else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
        finally:
            self._waker = None
            waker.cancel()
        return bool(done)

    # -- windows

    async def _windows(self) -> list[tuple[bytes, float]]:
        """Take waiting windows of audio, with the likelihood of speech in each."""
        size = min(len(self._audio) // _WINDOW_BYTES, _MOST_WINDOWS) * _WINDOW_BYTES
        chunk = bytes(self._audio[:size])
        likelihoods = await self._vad_lane.run(lambda: self._stream.feed(chunk))
        del self._audio[:size]
        self._room.set()
        cuts = range(0, size, _WINDOW_BYTES)
        return [
            (chunk[at : at + _WINDOW_BYTES], likely)
            for at, likely in zip(cuts, likelihoods, strict=True)
        ]

    async def _process_window(self, window: bytes, likely: float) -> None:
        """Process one window of audio."""
        self._now_ms += WINDOW_MS
        if self._speech is None:
            await self._await_speech(window, likely)
        else:
            await self._extend_utterance(self._speech, window, likely)

    async def _await_speech(self, window: bytes, likely: float) -> None:
        """Process a window while nobody has begun to speak."""
        speaking = self._echo.active(self._now_ms)
        if speaking:
            self._recent.append(window)
        elif self._recent:
            self._recent.clear()
        if likely < self._turns.threshold(speaking):
            if self._attempt:
                self._attempt.append(window)
                self._dip_ms += WINDOW_MS
                if self._dip_ms >= _DIP_MS:
                    self._drop_attempt()
            else:
                self._before.append(window)
            return
        self._attempt.append(window)
        self._attempt_ms += WINDOW_MS
        self._dip_ms = 0
        extra = self._echo.extra_ms if speaking else 0
        if not self._turns.begins(self._attempt_ms - extra, speaking):
            return
        if speaking and self._echo.doubtful and await self._is_own_echo():
            self._drop_attempt()
        else:
            self._begin(barge_in=speaking)

    async def _is_own_echo(self) -> bool:
        """Whether the attempt, with the moment before it, is our own voice."""
        recognition = self._recognizer.recognition()
        audio = b"".join(self._recent)

        def look() -> str:
            recognition.feed(audio)
            return recognition.finish()

        try:
            return self._echo.is_own_speech(await self._lane.run(look))
        except SpeechError as error:
            self._out.append(RecognitionFailed(error))
            return True

    def _drop_attempt(self) -> None:
        self._before.extend(self._attempt)
        self._attempt.clear()
        self._attempt_ms = self._dip_ms = 0

    def _begin(self, *, barge_in: bool) -> None:
        length = len(self._attempt) * WINDOW_MS
        speech = _UtteranceState(
            self._recognizer.recognition(self.hints),
            began_ms=self._now_ms - length,
            barge_in=barge_in,
            end_ms=self._now_ms,
            unseen_ms=length,
        )
        speech.unfed.extend((*self._before, *self._attempt))
        self._drop_attempt()
        self._before.clear()
        self._recent.clear()
        self._speech = speech
        self._out.append(SpeechBegan(speech.began_ms, barge_in))

    async def _extend_utterance(
        self, speech: _UtteranceState, window: bytes, likely: float
    ) -> None:
        """Process a window of the utterance under way, and end it when the turn is over."""
        if likely >= self._turns.threshold(False) - _STAYS:
            # A pause inside stays with the words; of a long one, its beginning and its end.
            speech.unfed.extend((*self._before, window))
            self._before.clear()
            speech.silence_ms = 0
            speech.at_pause = False
            speech.end_ms = self._now_ms
            speech.unseen_ms += WINDOW_MS
        else:
            speech.silence_ms += WINDOW_MS
            (speech.unfed if speech.silence_ms <= _PAUSE_MS else self._before).append(window)
        length = self._now_ms - speech.began_ms
        if length >= self._longest_ms:
            await self._end()
            return
        # Whether it is over depends on the words, so from here on the next window waits for them:
        # a moment, and only if the processor is late.
        if speech.silence_ms >= self._turns.earliest_ms:
            while not speech.failed and (speech.partial or not speech.at_pause):
                self._start_partial(speech, length)
                await self._collect_partial(wait=True)
            if speech.failed or self._turns.ends(speech.silence_ms, speech.text):
                await self._end()
            return
        await self._collect_partial()
        self._start_partial(speech, length)

    # -- words

    def _start_partial(self, speech: _UtteranceState, length_ms: int) -> None:
        """Start the recognition of a partial transcript, when one is due."""
        if speech.partial or speech.failed:
            return
        segment_ms = min(length_ms, SEGMENT_S * 1000)
        if speech.silence_ms >= _PAUSE_MS:
            if speech.at_pause:
                return
            speech.at_pause = True
        elif (
            speech.silence_ms
            or not self._recognizer.partials
            or speech.unseen_ms < max(_PARTIAL_MS, _PARTIAL_SHARE * segment_ms)
        ):
            return
        recognition, unfed = speech.recognition, speech.unfed

        def look() -> str:
            while unfed:
                recognition.feed(unfed.popleft())
            return recognition.partial()

        speech.unseen_ms = 0
        speech.partial = self._lane.start(look)

    async def _collect_partial(self, *, wait: bool = False) -> None:
        """Report the partial transcript under way, if it is ready; with `wait`, when it is."""
        speech = self._speech
        if speech is None or speech.partial is None or not (wait or speech.partial.done()):
            return
        partial, speech.partial = speech.partial, None
        try:
            text = await partial
        except SpeechError as error:
            speech.failed = True
            self._out.append(RecognitionFailed(error))
            return
        if text and text != speech.text:
            self._out.append(PartialTranscript(text))
        speech.text = text

    async def _end(self) -> None:
        """End the utterance under way and report it."""
        await self._collect_partial(wait=True)
        speech, self._speech = self._speech, None
        if speech is None or speech.failed:
            return

        def finish() -> str:
            while speech.unfed:
                speech.recognition.feed(speech.unfed.popleft())
            return speech.recognition.finish()

        try:
            text = await self._lane.run(finish)
        except SpeechError as error:
            self._out.append(RecognitionFailed(error))
            return
        self._out.append(
            Utterance(
                text,
                duration_ms=speech.end_ms - speech.began_ms,
                silence_ms=speech.silence_ms,
                at_ms=self._now_ms,
                barge_in=speech.barge_in,
            )
        )
