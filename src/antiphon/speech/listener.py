"""Listener: audio of one person in, events of speech, partial transcripts and utterances out."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

from antiphon.speech.listener_events import (
    FloorYielded,
    ListenerEvent,
    PartialTranscript,
    RecognitionFailed,
    SpeechBegan,
    Utterance,
    UtteranceSettled,
)
from antiphon.speech.names import NameCandidates, checked_hints, names_for
from antiphon.speech.onset import Onset, SpeechOnset
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

# Once somebody speaks, a window needs less to count as speech.
_STAYS = 0.15
# After so much silence the words so far are looked at, so that they are there when the silence is
# long enough to end the utterance.
_PAUSE_MS = 128
_PAUSE_END_MS = 256
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
    """State of the utterance under way, or of the last one until it is settled."""

    recognition: Recognition
    hints: tuple[str, ...]
    began_ms: int
    barge_in: bool
    end_ms: int  # of the last speech
    # Windows that the recognition has not got. The worker takes them from the left.
    unfed: deque[bytes] = field(default_factory=deque)
    # The end of a pause that may be inside.
    pause: deque[bytes] = field(default_factory=lambda: deque(maxlen=_PAUSE_END_MS // WINDOW_MS))
    unseen_ms: int = 0  # speech since the last look
    silence_ms: int = 0
    text: str = ""
    complete: bool = False  # the person may have said all that they want to say
    partial: asyncio.Future[tuple[str, bool]] | None = None
    at_pause: bool = False  # the last look was at this very pause
    failed: bool = False  # the recognizer failed; the rest is waited out
    yielded: bool = False  # it is over, and an answer may be heard


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
        self._onset = SpeechOnset(turns, recognizer, recognizer_lane, echo_cancelled=echo_cancelled)
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
        self._speech: _UtteranceState | None = None
        self._last: _UtteranceState | None = None  # over, but the person may go on with it

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
        self._onset.echo.set_playback(text, self._now_ms)

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
                    self._onset.drop()
                    await self._end()
                    self._settle()
                elif self._closed:
                    return
                elif not self._out and not await self._wait():
                    await self._end()
                    self._settle()
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
        """Wait for audio or a partial transcript; False when it has stalled."""
        waker = self._waker = asyncio.get_running_loop().create_future()
        waiting: list[asyncio.Future[None] | asyncio.Future[tuple[str, bool]]] = [waker]
        if self._speech and self._speech.partial:
            waiting.append(self._speech.partial)
        try:
            done, _ = await asyncio.wait(
                waiting,
                timeout=self._stalled if self._speech or self._last else None,
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
        if self._speech is not None:
            await self._extend_utterance(self._speech, window, likely)
            return
        try:
            onset = await self._onset.hear(window, likely, self._now_ms)
        except SpeechError as error:
            self._onset.drop()
            self._out.append(RecognitionFailed(error))
            return
        if onset is not None:
            self._begin(onset)
        elif self._last is not None and not self._onset.pending:
            self._wait_for_more(self._last)

    def _wait_for_more(self, last: _UtteranceState) -> None:
        """Tell what the silence after an utterance means by now."""
        silence = self._now_ms - last.end_ms
        if not last.yielded and self._turns.yields(silence, last.complete):
            self._yield_floor(last)
        if self._turns.settles(silence, last.complete):
            self._settle()

    def _yield_floor(self, last: _UtteranceState) -> None:
        if not last.yielded:
            last.yielded = True
            self._out.append(FloorYielded(self._now_ms))

    def _settle(self) -> None:
        """Nothing is joined to the last utterance any more."""
        last, self._last = self._last, None
        if last is not None:
            self._yield_floor(last)
            self._out.append(UtteranceSettled(self._now_ms))

    def _begin(self, onset: Onset) -> None:
        began = self._now_ms - onset.length_ms
        if self._last is not None and self._now_ms - self._last.began_ms >= self._longest_ms:
            self._settle()
        speech, self._last = self._last, None
        goes_on = speech is not None
        if speech is None:
            hints = checked_hints(self.hints)
            recognition = self._recognizer.recognition(hints)
            speech = _UtteranceState(recognition, hints, began, onset.barge_in, self._now_ms)
        speech.end_ms = self._now_ms
        speech.unseen_ms = onset.length_ms
        speech.silence_ms = 0
        speech.at_pause = speech.yielded = False
        speech.unfed.extend(onset.windows)
        self._speech = speech
        self._out.append(SpeechBegan(began, onset.barge_in, goes_on))

    async def _extend_utterance(
        self, speech: _UtteranceState, window: bytes, likely: float
    ) -> None:
        """Process a window of the utterance under way, and end it when the turn is over."""
        if likely >= self._turns.threshold(False) - _STAYS:
            # A pause inside stays with the words; of a long one, its beginning and its end.
            speech.unfed.extend((*speech.pause, window))
            speech.pause.clear()
            self._onset.loudness.learn(window)
            speech.silence_ms = 0
            speech.at_pause = False
            speech.end_ms = self._now_ms
            speech.unseen_ms += WINDOW_MS
        else:
            speech.silence_ms += WINDOW_MS
            (speech.unfed if speech.silence_ms <= _PAUSE_MS else speech.pause).append(window)
        length = self._now_ms - speech.began_ms
        if length >= self._longest_ms:
            await self._end()
            self._settle()
            return
        # Whether it is over depends on the words, so from here on the next window waits for them:
        # a moment, and only if the processor is late.
        if speech.silence_ms >= self._turns.earliest_ms:
            while not speech.failed and (speech.partial or not speech.at_pause):
                self._start_partial(speech, length)
                await self._collect_partial(wait=True)
            if speech.failed or self._turns.ends(speech.silence_ms, speech.complete):
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
        recognition, unfed, hints = speech.recognition, speech.unfed, speech.hints

        def look() -> tuple[str, bool]:
            while unfed:
                recognition.feed(unfed.popleft())
            text = recognition.partial()
            return text, self._turns.is_complete(text) and not names_for(hints).cut_short(text)

        speech.unseen_ms = 0
        speech.partial = self._lane.start(look)

    async def _collect_partial(self, *, wait: bool = False) -> None:
        """Report the partial transcript under way, if it is ready; with `wait`, when it is."""
        speech = self._speech
        if speech is None or speech.partial is None or not (wait or speech.partial.done()):
            return
        partial, speech.partial = speech.partial, None
        try:
            text, speech.complete = await partial
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

        self._onset.add_silence(speech.pause)
        speech.pause.clear()

        def finish() -> tuple[str, tuple[NameCandidates, ...]]:
            while speech.unfed:
                speech.recognition.feed(speech.unfed.popleft())
            text = speech.recognition.finish()
            return text, getattr(speech.recognition, "unclear_names", ())

        try:
            text, unclear = await self._lane.run(finish)
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
                unclear_names=unclear,
            )
        )
        self._last = speech
        if not text:
            self._settle()  # there is nothing to go on with
