"""Speech engines: the factory by name and options, and the set that serves one process."""

from __future__ import annotations

import asyncio
import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from antiphon.contracts import ErrorType
from antiphon.plugins import PluginError, Plugins, UnknownPlugin
from antiphon.speech.listener import Listener
from antiphon.speech.ports import Recognizer, SpeechError, Synthesizer, TurnDetector, Vad
from antiphon.speech.speaker import Speaker
from antiphon.speech.turn_detection import TurnRules
from antiphon.speech.workers import Worker

Options = Mapping[str, Any]

VAD = "silero"
RECOGNIZER = "moonshine"
SYNTHESIZER = "hibari"


def vad_for(name: str = VAD, options: Options | None = None, plugins: Plugins | None = None) -> Vad:
    """A voice activity detector by name; see `recognizer_for`."""
    vad: Vad = _engine("vad", name, options, plugins)
    return vad


def recognizer_for(
    name: str = RECOGNIZER, options: Options | None = None, plugins: Plugins | None = None
) -> Recognizer:
    """A recognizer by its name among the plug-ins; the options are the parameters of its class.

    Nothing is loaded or asked before `warm` or the first utterance. Raises SpeechError for
    unknown names and options.
    """
    recognizer: Recognizer = _engine("recognizer", name, options, plugins)
    return recognizer


def synthesizer_for(
    name: str = SYNTHESIZER, options: Options | None = None, plugins: Plugins | None = None
) -> Synthesizer:
    """A synthesizer by name; see `recognizer_for`."""
    synthesizer: Synthesizer = _engine("synthesizer", name, options, plugins)
    return synthesizer


def turns_for(options: Options | None = None) -> TurnDetector:
    """Turn detector by rules; the options are the parameters of TurnRules."""
    turns: TurnDetector = _made("turn detector", TurnRules, "rules", options)
    return turns


def _engine(kind: str, name: str, options: Options | None, plugins: Plugins | None) -> Any:
    registry = plugins or Plugins()
    try:
        engine = registry.find("speech", f"{kind}.{name}").load()
    except UnknownPlugin:
        known = registry.names("speech", kind)
        raise SpeechError(
            f"There is no {kind} {name!r}; choose one of {', '.join(known)}.",
            ErrorType.NOT_FOUND,
            nearest=tuple(difflib.get_close_matches(str(name), known)),
        ) from None
    except PluginError as error:
        raise SpeechError(str(error), ErrorType.PERMANENT) from error
    return _made(kind, engine, name, options)


def _made(kind: str, engine: Callable[..., Any], name: str, options: Options | None) -> Any:
    parameters = inspect.signature(engine).parameters
    given = dict(options or {})
    unknown = [key for key in given if key not in parameters]
    if unknown:
        raise SpeechError(
            f"The {kind} {name} has no option {', '.join(unknown)}; it has "
            f"{', '.join(parameters)}.",
            ErrorType.VALIDATION,
        )
    needed = [
        key
        for key, parameter in parameters.items()
        if parameter.default is parameter.empty and given.get(key) is None
    ]
    if needed:
        raise SpeechError(
            f"The {kind} {name} needs the option {', '.join(needed)}.", ErrorType.VALIDATION
        )
    return engine(**given)


class SpeechEngines:
    """Engines of one process and their workers, for any number of conversations.

    Use it as an async context manager: at its end the workers are gone.
    """

    def __init__(
        self,
        vad: Vad | None = None,
        recognizer: Recognizer | None = None,
        synthesizer: Synthesizer | None = None,
        turns: TurnDetector | None = None,
    ) -> None:
        """An engine that is None is the embedded one."""
        self.vad = vad or vad_for()
        self.recognizer = recognizer or recognizer_for()
        self.synthesizer = synthesizer or synthesizer_for()
        self.turns = turns or TurnRules()
        self._hears = Worker("voice activity detector")
        self._recognizes = Worker("speech recognizer", self.recognizer.parallel)
        self._speaks = Worker("voice", self.synthesizer.parallel)

    async def warm(self) -> None:
        """Load every model, each in its worker. Raises SpeechError for the first that fails."""
        await asyncio.gather(
            self._hears.lane().run(self.vad.warm),
            self._recognizes.lane().run(self.recognizer.warm),
            self._speaks.lane().run(self.synthesizer.warm),
        )

    def listener(self, hints: Sequence[str] = (), **options: Any) -> Listener:
        """Create the listener of one person in one conversation, with the options of Listener."""
        return Listener(
            self.vad,
            self.turns,
            self.recognizer,
            vad_lane=self._hears.lane(),
            recognizer_lane=self._recognizes.lane(),
            hints=hints,
            **options,
        )

    def speaker(self) -> Speaker:
        """Create the speaker of one answer."""
        return Speaker(self.synthesizer, self._speaks.lane())

    async def close(self) -> None:
        """Stop the workers, once their jobs under way are done."""
        for worker in (self._hears, self._recognizes, self._speaks):
            await asyncio.to_thread(worker.close)
        for engine in (self.recognizer, self.synthesizer):
            release = getattr(engine, "close", None)
            if release is not None:
                await asyncio.to_thread(release)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def speech_for(
    *,
    vad: str = VAD,
    recognizer: str = RECOGNIZER,
    synthesizer: str = SYNTHESIZER,
    vad_options: Options | None = None,
    recognizer_options: Options | None = None,
    synthesizer_options: Options | None = None,
    turn_options: Options | None = None,
    plugins: Plugins | None = None,
) -> SpeechEngines:
    """Create engines by name and options, without loading them. Raises SpeechError."""
    return SpeechEngines(
        vad_for(vad, vad_options, plugins),
        recognizer_for(recognizer, recognizer_options, plugins),
        synthesizer_for(synthesizer, synthesizer_options, plugins),
        turns_for(turn_options),
    )
