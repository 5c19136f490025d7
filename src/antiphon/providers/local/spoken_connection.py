"""The spoken connection: recognition before a text model, synthesis behind it, turn taking."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    Activity,
    AudioEnded,
    CallAnswer,
    EndReason,
    Event,
    Fault,
    Input,
    Interrupt,
    Interrupted,
    Prompt,
    Ready,
    SendAudio,
    Settled,
    SpeechStarted,
    SpeechStopped,
    Text,
    ToolCalls,
    Transcript,
    TurnEnded,
)
from antiphon.providers.faults import fault
from antiphon.providers.local.name_question import NameQuestion
from antiphon.providers.local.speech_port import Ears, FloorFree, Heard, Sound, UnclearName
from antiphon.providers.local.spoken_answer import SpokenAnswer
from antiphon.providers.local.spoken_turn import Outbox
from antiphon.providers.port import Capabilities, Connection, ProviderFault, Setup

logger = logging.getLogger(__name__)


class SpokenConnection(Connection):
    """`core` is asked what the person says, and what it answers is spoken.

    Sentences are spoken as they are made, `lead` seconds ahead of the person's ear at most. While
    the person speaks nothing begins to be said; when they cut in, everything stops. When they go on
    with what they had said, its answer is taken back and the whole is asked. Without a `lead`
    nobody plays the speech: it is recorded, and can be spoken into at any time.
    """

    def __init__(
        self,
        core: Connection,
        sound: Sound,
        setup: Setup,
        capabilities: Capabilities,
        ready: Ready,
        *,
        hints: Sequence[str] = (),
        refresh: Callable[[], Sequence[str]] | None = None,
        echo_cancelled: bool = True,
        lead: float | None = 3.0,
    ) -> None:
        """`refresh` reads the hints anew, in a thread."""
        self.setup = setup
        self.capabilities = capabilities
        self._core = core
        self._sound = sound
        self._hints = hints
        self._refresh = refresh
        self._echo_cancelled = echo_cancelled
        self._loop = asyncio.get_running_loop()
        self._out = Outbox()
        self._out.put(ready)
        self._read = False
        self._closed = False
        self._over: Fault | None = None

        self._turning = asyncio.Lock()  # one turn is begun or ended at a time
        self._open = False  # the reader is owed the end of a turn
        self._thinking = False  # the core has not ended its turn
        self._void = 0  # turns of the core whose rest is not wanted
        self._silent = False  # the answer is for somebody who reads

        self._quiet = asyncio.Event()  # the person does not speak, and waits for us
        self._quiet.set()
        self._answer = SpokenAnswer(
            sound,
            self._out,
            quiet=self._quiet,
            lead=lead,
            told=self._tell_ears,
            ended=self._turn_over,
        )
        self._asked = ""  # what they said and may yet go on with
        self._resumed = ""  # what they are going on with
        self._prompted = False  # the core was asked that
        self._unclear: UnclearName | None = None  # in what they are about to have said
        self._question: NameQuestion | None = None  # which we have asked them
        self._replied_to: NameQuestion | None = None  # what they said last may answer it
        self._ears: Ears | None = None
        self._refreshing: asyncio.Task[None] | None = None
        if not setup.manual_activity:
            self._ears = self._new_ears()
        self._group: asyncio.TaskGroup | None = None
        self._lives = asyncio.Event()
        self._living = asyncio.create_task(self._live(), name="spoken conversation")

    # -- the port

    async def events(self) -> AsyncIterator[Event]:
        if self._read:
            raise RuntimeError("a connection has one reader")
        self._read = True
        try:
            while not self._closed:
                while self._out.events:
                    event = self._out.events.popleft()
                    yield event
                    if isinstance(event, Fault) and event.fatal:
                        return
                self._out.news.clear()
                await self._out.news.wait()
        finally:
            self._read = False

    async def send(self, event: Input) -> None:
        if self._over is not None:
            raise ProviderFault(self._over)
        if self._closed:
            raise ProviderFault(fault("local", "closed", "the connection was closed by us"))
        match event:
            case SendAudio(data):
                if self._ears is not None:
                    await self._ears.feed(data)
            case Prompt(answer=answer):
                if answer:
                    self._asked = self._resumed = ""  # another question came between
                    self._question = self._replied_to = None
                await self._ask(event)
            case CallAnswer():
                await self._core.send(event)
            case Interrupt():
                await self._cut_in(told=True)
            case Activity(active):
                await (self._press() if active else self._release())
            case AudioEnded():
                await self._release()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._out.news.set()
        self._living.cancel()
        await asyncio.gather(self._living, return_exceptions=True)
        self._answer.playing.forget()
        await self._core.close()
        await self._notify_closed()

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return self._core.receive_tool_calls(message)

    @property
    def pending(self) -> frozenset[str]:
        return self._core.pending

    # -- its life

    async def _live(self) -> None:
        try:
            async with asyncio.TaskGroup() as self._group:
                self._lives.set()
                self._group.create_task(self._think(), name="thinking")
                self._group.create_task(self._answer.run(self._group), name="speaking")
                if self._ears is not None:
                    self._group.create_task(self._listen(self._ears), name="listening")
        except* Exception as errors:
            first = errors.exceptions[0]
            logger.error("a spoken conversation failed", exc_info=first)
            self._fail(fault("local", "protocol", f"{type(first).__name__}: {first}"))
        finally:
            self._group = None

    def _fail(self, what: Fault) -> None:
        self._over = self._over or what
        self._out.put(what)

    def _spawn(self, work: Any, name: str) -> asyncio.Task[None] | None:
        if self._group is None:
            work.close()
            return None
        return self._group.create_task(work, name=name)

    # -- turns

    async def _ask(self, prompt: Prompt) -> None:
        """What the model is to answer, or only to know."""
        async with self._turning:
            if prompt.answer:
                # Who reads our events may answer an Interrupted with an Interrupt, which must not
                # meet the new turn: it is said only of what is being played.
                await self._end_turn(Interrupted() if self._answer.playing.goes_on else None)
                self._open = self._thinking = True
                self._silent = not prompt.speech
            await self._core.send(prompt)

    async def _cut_in(self, *, told: bool) -> None:
        """The person cuts in. `told`: our side has noticed by itself, and flushed what it had."""
        playing = self._answer.playing.goes_on
        self._answer.hush()
        async with self._turning:
            if not await self._end_turn(Interrupted()) and playing and not told:
                self._out.put(Interrupted())

    async def _take_back(self) -> None:
        """The person goes on with what they had said: its answer was never given."""
        self._asked, self._resumed = "", self._asked
        self._question = None
        self._answer.hush()
        async with self._turning:
            if not await self._end_turn(Interrupted(goes_on=True)):
                self._out.put(Interrupted(goes_on=True))

    async def _end_turn(self, why: Interrupted | None) -> bool:
        """What is under way is void. Whether there was anything."""
        if not self._open:
            return False
        self._open = False
        self._answer.hush()
        if self._thinking:
            self._thinking = False
            self._void += 1
            await self._core.send(Interrupt())
        if why is not None:
            self._out.put(why)
        self._out.put(TurnEnded("interrupted"))
        return True

    # -- thinking

    async def _think(self) -> None:
        async with aclosing(self._core.events()) as events:  # type: ignore[type-var]
            async for event in events:
                self._thought(event)

    def _thought(self, event: Event) -> None:
        match event:
            case TurnEnded(reason):
                if self._void:
                    self._void -= 1
                    return
                self._thinking = False
                self._answer.complete(reason)
            case Ready() | Interrupted():
                return  # we say so ourselves
            case ToolCalls() | Text() if self._void:
                return
            case ToolCalls():
                self._answer.complete_part()
                self._out.put(event)
            case Text(text):
                self._write(text)
            case Fault(fatal=True):
                self._fail(event)
            case _:
                self._out.put(event)

    def _write(self, text: str) -> None:
        if self._silent or self.setup.output == "text":
            self._out.put(Text(text))
            return
        self._answer.write(text)

    def _turn_over(self, reason: EndReason) -> None:
        self._open = False
        self._out.put(TurnEnded(reason))

    def _tell_ears(self, sentence: str) -> None:
        if self._ears is not None:
            self._ears.speaking(sentence)

    # -- listening

    def _new_ears(self) -> Ears:
        return self._sound.ears(self._hints, echo_cancelled=self._echo_cancelled)

    async def _listen(self, ears: Ears) -> None:
        async with aclosing(ears.events()) as events:  # type: ignore[type-var]
            async for event in events:
                await self._heard(event)

    async def _heard(self, event: Heard) -> None:
        match event:
            case SpeechStarted():
                self._quiet.clear()
                self._out.put(event)
            case Interrupted(goes_on=True) if self._asked:
                await self._take_back()
            case Interrupted(goes_on):
                if self._answer.playing.goes_on or not goes_on:
                    await self._cut_in(told=False)
            case Fault(fatal=True):
                self._fail(event)
            case UnclearName():
                self._unclear = self._unclear or event
            case Transcript(final=True):
                await self._understood(event)
            case FloorFree():
                self._quiet.set()
            case Settled():
                self._asked = ""
                self._out.put(event)
            case _:
                self._out.put(event)

    async def _understood(self, said: Transcript) -> None:
        """What the person said is to be answered: all of it, where they went on after a pause."""
        before, self._resumed = self._resumed, ""
        text = said.text or before  # the rest may have been lost
        self._out.put(replace(said, text=text, replaces=before))
        if text:
            await self._respond(text, instead=bool(before))
        if said.tentative:
            self._asked = text
        else:
            self._quiet.set()
        self._read_hints()

    async def _respond(self, text: str, *, instead: bool = False) -> None:
        """Have the core answer, or ask which name was meant. `instead`: of what it was asked last,
        if that was part of this."""
        if not instead:
            self._replied_to, self._question = self._question, None
        unclear, self._unclear = self._unclear, None
        meant = self._replied_to.resolve(text) if self._replied_to else None
        if meant is None and unclear is not None:
            question = self._replied_to or NameQuestion(text, unclear)
            await self._ask_for_name(question)
        else:
            await self._ask(Prompt(meant or text, instead=instead and self._prompted))
        self._prompted = meant is not None or unclear is None

    async def _ask_for_name(self, question: NameQuestion) -> None:
        async with self._turning:
            await self._end_turn(Interrupted() if self._answer.playing.goes_on else None)
            self._open, self._silent = True, False
            self._question = question
            self._write(question.text)
            self._answer.complete("complete")

    # -- the talk button

    async def _press(self) -> None:
        """The person holds the button: what they say until they let go is one utterance."""
        if not self.setup.manual_activity or self._ears is not None:
            return
        await self._lives.wait()
        await self._cut_in(told=True)
        self._quiet.clear()
        self._ears = self._new_ears()
        self._spawn(self._listen_held(self._ears), "listening while the button is held")

    async def _release(self) -> None:
        if self._ears is None:
            return
        if self.setup.manual_activity:
            ears, self._ears = self._ears, None
            ears.close()
        else:
            self._ears.finish_utterance()

    async def _listen_held(self, ears: Ears) -> None:
        said: list[str] = []
        try:
            async with aclosing(ears.events()) as events:  # type: ignore[type-var]
                async for event in events:
                    match event:
                        case UnclearName():
                            self._unclear = self._unclear or event
                        case Interrupted(goes_on=True):
                            del said[-1:]  # it comes again, with the rest
                        case Transcript(text=text, final=True):
                            said += [text] if text else []
                        case Transcript(text=text):
                            whole = " ".join([*said, text])
                            self._out.put(Transcript("user", whole, interim=True))
                        case Fault():
                            self._out.put(event)
            words = " ".join(said)
            self._out.put(SpeechStopped(), Transcript("user", words, final=True))
            if words:
                await self._respond(words)
        finally:
            self._quiet.set()
        self._read_hints()

    # -- names

    def _read_hints(self) -> None:
        """Somebody may have added names since the last utterance."""
        if self._refresh is not None and (self._refreshing is None or self._refreshing.done()):
            self._refreshing = self._spawn(self._new_hints(self._refresh), "names")

    async def _new_hints(self, refresh: Callable[[], Sequence[str]]) -> None:
        self._hints = await asyncio.to_thread(refresh)
        if self._ears is not None:
            self._ears.hints = self._hints
