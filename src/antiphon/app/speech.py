"""Speech engines of an application: recognition and synthesis behind the provider port."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from antiphon.contracts import ErrorType
from antiphon.contracts.events import (
    Fault,
    FaultKind,
    Interrupted,
    Settled,
    SpeechStarted,
    SpeechStopped,
    Transcript,
)
from antiphon.extras import MissingExtra, naming_extras
from antiphon.providers.local.speech_port import Ears, FloorFree, Heard, Manner, Mouth, UnclearName
from antiphon.providers.port import Provider, ProviderFault

if TYPE_CHECKING:
    from antiphon.providers.local import Name
    from antiphon.speech import Listener, Speaker, SpeechEngines, SpeechError

logger = logging.getLogger(__name__)

MOST_ORGANISATIONS = 8  # whose hints are kept at hand

# Titles of more words are those of documents, which nobody names in full.
_MOST_WORDS = 3
_KINDS: Mapping[ErrorType, FaultKind] = {
    ErrorType.VALIDATION: "not_configured",
    ErrorType.NOT_FOUND: "not_configured",
    ErrorType.AUTH: "auth",
    ErrorType.RATE_LIMIT: "rate_limited",
    ErrorType.TRANSIENT: "overloaded",
    ErrorType.PERMANENT: "missing_sdk",
}


class SpeechService:
    """The speech engines of an application; nothing is loaded before they are warmed.

    `engines` are the parameters of `speech_for`. Close it when all conversations are over."""

    def __init__(self, engines: Mapping[str, Any]) -> None:
        self._engines = dict(engines)
        self._speech: SpeechEngines | None = None
        self._is_warm = False
        self._warming = asyncio.Lock()

    async def warm(self) -> None:
        if self._is_warm:
            return
        from antiphon.speech import SpeechError

        async with self._warming:
            try:
                with naming_extras():
                    if self._speech is None:
                        self._speech = await asyncio.to_thread(self._open)
                    if not self._is_warm:
                        await self._speech.warm()
            except SpeechError as error:
                raise ProviderFault(_fault(error, fatal=True)) from error
            except MissingExtra as error:
                raise ProviderFault(Fault("missing_sdk", str(error), fatal=True)) from error
            self._is_warm = True

    def _open(self) -> SpeechEngines:
        from antiphon.speech import speech_for

        return speech_for(**self._engines)

    def ears(self, hints: Sequence[str], *, echo_cancelled: bool) -> Ears:
        return _Ears(self._opened.listener(hints, echo_cancelled=echo_cancelled))

    def mouth(self) -> Mouth:
        return _Mouth(self._opened.speaker())

    async def said_if_warm(self, text: str) -> AsyncGenerator[bytes, None]:
        """The text as speech; nothing when that would have to be loaded first, or fails."""
        if not self._is_warm:
            return
        mouth = self.mouth()
        mouth.say(text)
        mouth.finish()
        try:
            async with aclosing(mouth.pieces()) as pieces:  # type: ignore[type-var]
                async for pcm, _ in pieces:
                    yield pcm
        except ProviderFault as failed:
            logger.warning("%r was not said aloud: %s", text, failed.fault.message)

    @property
    def _opened(self) -> SpeechEngines:
        if self._speech is None:
            raise RuntimeError("the engines of speech are not warmed")
        return self._speech

    async def close(self) -> None:
        speech, self._speech = self._speech, None
        self._is_warm = False
        if speech is not None:
            await speech.close()


class _Ears:
    """A listener that tells what it hears as the events of a model."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.feed = listener.feed
        self.speaking = listener.set_playback
        self.finish_utterance = listener.finish_utterance
        self.close = listener.close

    @property
    def hints(self) -> Sequence[str]:
        return self._listener.hints

    @hints.setter
    def hints(self, hints: Sequence[str]) -> None:
        self._listener.hints = hints

    async def events(self) -> AsyncIterator[Heard]:
        from antiphon.speech import (
            FloorYielded,
            PartialTranscript,
            RecognitionFailed,
            SpeechBegan,
            SpeechError,
            Utterance,
            UtteranceSettled,
        )

        try:
            async with aclosing(self._listener.events()) as events:  # type: ignore[type-var]
                async for event in events:
                    match event:
                        case SpeechBegan(barge_in=barge_in, goes_on=goes_on):
                            yield SpeechStarted()
                            if barge_in or goes_on:
                                yield Interrupted(goes_on)
                        case PartialTranscript(text):
                            yield Transcript("user", text, interim=True)
                        case Utterance(text, unclear_names=unclear):
                            yield SpeechStopped()
                            for each in unclear:
                                yield UnclearName(each.heard, each.names)
                            yield Transcript("user", text, final=True, tentative=bool(text))
                        case FloorYielded():
                            yield FloorFree()
                        case UtteranceSettled():
                            yield Settled()
                        case RecognitionFailed(error):
                            yield _fault(error, fatal=False)
                            yield SpeechStopped()
                            yield Transcript("user", "", final=True)
        except SpeechError as error:
            yield _fault(error, fatal=True)


class _Mouth:
    """A speaker that fails in the words of a provider."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self.say = speaker.say
        self.finish = speaker.finish
        self.stop = speaker.stop

    async def pieces(self) -> AsyncIterator[tuple[bytes, str]]:
        from antiphon.speech import SpeechError

        try:
            async with aclosing(self._speaker.pieces()) as pieces:  # type: ignore[type-var]
                async for piece in pieces:
                    yield piece.audio, piece.text
        except SpeechError as error:
            raise ProviderFault(_fault(error, fatal=False)) from error


def _fault(error: SpeechError, *, fatal: bool) -> Fault:
    passing = error.type in (ErrorType.RATE_LIMIT, ErrorType.TRANSIENT)
    return Fault(
        _KINDS.get(error.type, "overloaded"),
        error.message,
        detail=f"{error.type}: {error.message}",
        fatal=fatal,
        retryable=passing,
    )


def voice_factories(
    engines: SpeechService,
    names: Callable[[str], Sequence[Name]] | None,
    manner: Callable[[], Manner] = Manner,
) -> dict[str, Callable[[Provider], Provider]]:
    """The factories `local_voice` and `voiced` of `Backends`: providers that hear and speak for the
    built-in model, and for any other that only reads and writes."""
    hints = None if names is None else _Hints(names)

    def local_voice(core: Provider) -> Provider:
        from antiphon.providers.gguf.voice import GgufVoice
        from antiphon.providers.local import LocalText
        from antiphon.providers.local.voiced_model import LocalVoice

        if isinstance(core, LocalText):
            return LocalVoice(core, engines, names=hints, manner=manner)
        return GgufVoice(core, engines, names=hints, manner=manner)

    def voiced(core: Provider) -> Provider:
        from antiphon.providers.local.voiced_model import Voiced

        return Voiced(core, engines, names=hints, manner=manner)

    return {"local_voice": local_voice, "voiced": voiced}


class _Hints:
    """The hints that go with the names of an organisation. The same object as long as nothing
    changed."""

    def __init__(self, names: Callable[[str], Sequence[Name]]) -> None:
        self._names = names
        self._read: dict[str, tuple[Sequence[Name], tuple[str, ...]]] = {}

    def __call__(self, organisation: str) -> Sequence[str]:
        names = self._names(organisation)
        read = self._read.pop(organisation, None)
        if read is None or read[0] is not names:
            read = names, hints_of(names)
        self._read[organisation] = read  # the last one asked for stands last
        while len(self._read) > MOST_ORGANISATIONS:
            self._read.pop(next(iter(self._read)), None)
        return read[1]


def hints_of(names: Sequence[Name]) -> tuple[str, ...]:
    """Recognition hints for names of the knowledge base: short titles, and parts of people's
    names."""
    found: list[str] = []
    for name in names:
        words = name.title.split()
        if len(words) <= _MOST_WORDS:
            found.append(name.title)
            if name.type == "person":
                found += words
    return tuple(dict.fromkeys(found))
