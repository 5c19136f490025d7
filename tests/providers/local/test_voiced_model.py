"""The built-in model by voice: turns, cutting in, the talk button, and what happens to faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from tests.providers.local.world import provider

from antiphon.app.speech import SpeechService
from antiphon.contracts import ToolCall, make_meta, success
from antiphon.contracts.events import (
    Activity,
    Audio,
    AudioEnded,
    CallAnswer,
    Event,
    Fault,
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
from antiphon.providers.local.speech_port import FloorFree, Heard, UnclearName
from antiphon.providers.local.spoken_connection import SpokenConnection
from antiphon.providers.local.voiced_model import LocalVoice
from antiphon.providers.port import Capabilities, NoTools, ProviderFault, Setup
from antiphon.providers.text import ModelAnswer, TextConnection

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)

SECOND = bytes(48_000)
CALL = ToolCall("call_00000001", "look_up", {})


# -- a stage: ears that are told what they hear, a mouth whose speech is as long as one likes --


class Ears:
    def __init__(self, hints: Sequence[str]) -> None:
        self._hints = hints
        self.fed = b""
        self.changed = asyncio.Event()  # it was told of an end of our speech, or of other names
        self.told_of: list[str] = []  # what it was told that we say
        self.finished = 0
        self._heard: asyncio.Queue[Heard | None] = asyncio.Queue()

    @property
    def hints(self) -> Sequence[str]:
        return self._hints

    @hints.setter
    def hints(self, hints: Sequence[str]) -> None:
        self._hints = hints
        self.changed.set()

    async def feed(self, pcm: bytes) -> None:
        self.fed += pcm

    def speaking(self, text: str) -> None:
        self.told_of.append(text)
        if not text:
            self.changed.set()

    def finish_utterance(self) -> None:
        self.finished += 1

    def close(self) -> None:
        self._heard.put_nowait(None)

    async def events(self) -> AsyncIterator[Heard]:
        while (event := await self._heard.get()) is not None:
            yield event

    # -- for tests

    def hear(self, *events: Heard) -> None:
        for event in events:
            self._heard.put_nowait(event)

    def utterance(self, text: str, *, barge_in: bool = False) -> None:
        began = [SpeechStarted(), *([Interrupted()] if barge_in else [])]
        self.hear(*began, SpeechStopped(), Transcript("user", text, final=True))

    def tentative(self, text: str, *, goes_on: bool = False) -> None:
        """An utterance that the person may go on with."""
        began = [SpeechStarted(), *([Interrupted(goes_on=True)] if goes_on else [])]
        said = Transcript("user", text, final=True, tentative=True)
        self.hear(*began, SpeechStopped(), said)


class Mouth:
    """Each text that it is given is one sentence; `stuck` ones never come to an end."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    def say(self, text: str) -> None:
        self._texts.put_nowait(text)

    def finish(self) -> None:
        self._texts.put_nowait(None)

    def stop(self) -> None:
        self.finish()

    async def pieces(self) -> AsyncIterator[tuple[bytes, str]]:
        while (text := await self._texts.get()) is not None:
            if "unspeakable" in text:
                raise ProviderFault(Fault("missing_sdk", "The voice is gone."))
            yield self._stage.speech, text.strip()
            if "stuck" in text:
                await asyncio.Event().wait()


class Stage:
    def __init__(self, speech: bytes = SECOND) -> None:
        self.speech = speech
        self.trouble: Fault | None = None
        self.ears_made: list[Ears] = []

    async def warm(self) -> None:
        if self.trouble is not None:
            raise ProviderFault(self.trouble)

    def ears(self, hints: Sequence[str], *, echo_cancelled: bool) -> Ears:
        del echo_cancelled
        self.ears_made.append(Ears(hints))
        return self.ears_made[-1]

    def mouth(self) -> Mouth:
        return Mouth(self)


class Core(TextConnection):
    """Says what it was asked, or what `replies` has for it: texts and calls."""

    def __init__(self, setup: Setup, replies: dict[str, list[Any]]) -> None:
        super().__init__("local", setup, Capabilities())
        self.replies = replies

    async def _stream(self) -> AsyncIterator[Text | Usage | ModelAnswer]:
        last = self.history[-1]
        asked = last.text if isinstance(last, UserTurn) else "results"
        reply = self.replies.get(asked, [f"You said {asked}"])
        calls = tuple(each for each in reply if isinstance(each, ToolCall))
        for each in reply:
            if isinstance(each, str):
                yield Text(each)
        if asked == "think":
            await asyncio.Event().wait()
        yield ModelAnswer(ModelTurn("".join(e for e in reply if isinstance(e, str)), calls))

    def receive_tool_calls(self, message: Any) -> list[ToolCall]:
        return []

    def _fault(self, error: Exception) -> Fault:
        raise AssertionError from error


class Person:
    """Reads what the connection says."""

    def __init__(self, connection: SpokenConnection, stage: Stage, core: Core) -> None:
        self.connection = connection
        self.stage = stage
        self.core = core
        self.seen: list[Event] = []
        self.events = connection.events()

    @property
    def ears(self) -> Ears:
        return self.stage.ears_made[-1]

    async def until(self, *kinds: type[Any] | Callable[[Event], bool]) -> list[Event]:
        """The events up to one of each kind, in that order."""
        found: list[Event] = []
        async with asyncio.timeout(60):
            for kind in kinds:
                while True:
                    event = await anext(self.events)
                    found.append(event)
                    self.seen.append(event)
                    if isinstance(event, kind) if isinstance(kind, type) else kind(event):
                        break
        return found

    async def says_nothing_more(self) -> None:
        """Whatever is under way had its chance; a marker comes before anything else."""
        for _ in range(20):
            await asyncio.sleep(0)
        marker = Fault("protocol", "marker", fatal=False)
        self.ears.hear(marker)
        assert await self.until(Fault) == [marker]


@asynccontextmanager
async def conversing(
    replies: dict[str, list[Any]] | None = None,
    *,
    speech: bytes = SECOND,
    lead: float | None = 100.0,
    **setup: Any,
) -> AsyncIterator[Person]:
    made = Setup("local", tools=NoTools(), **setup)
    stage, core = Stage(speech), Core(made, replies or {})
    names = iter([("Ada",), ("Ada", "Grace")])
    connection = SpokenConnection(
        core,
        stage,
        made,
        Capabilities(audio=True),
        Ready(),
        hints=next(names),
        refresh=lambda: next(names, ()),
        lead=lead,
    )
    person = Person(connection, stage, core)
    async with aclosing(person.events), connection:  # type: ignore[type-var]
        assert await person.until(Ready) == [Ready()]
        yield person


def said(events: Sequence[Event]) -> str:
    return "".join(e.text for e in events if isinstance(e, Transcript) and e.role == "model")


# -- a turn ------------------------------------------------------------------------------------


async def test_what_is_heard_is_told_answered_aloud_and_written_down() -> None:
    async with conversing() as person:
        person.ears.utterance("hello")
        assert await person.until(TurnEnded) == [
            SpeechStarted(),
            SpeechStopped(),
            Transcript("user", "hello", final=True),
            Audio(SECOND),
            Transcript("model", "You said hello"),
            Transcript("model", "", final=True),
            TurnEnded("complete"),
        ]


async def test_words_so_far_are_told_as_such() -> None:
    async with conversing() as person:
        partial = Transcript("user", "who", interim=True)
        person.ears.hear(SpeechStarted(), partial)
        assert await person.until(Transcript) == [SpeechStarted(), partial]


async def test_the_first_sentence_is_spoken_before_the_answer_is_complete() -> None:
    async with conversing({"think": ["One moment. "]}) as person:
        person.ears.utterance("think")
        assert said(await person.until(Audio, Transcript)) == "One moment."


async def test_calls_are_made_at_once_and_their_results_answered_aloud() -> None:
    replies = {"find it": ["Let me see.", CALL], "results": ["It is here."]}
    async with conversing(replies) as person:
        person.ears.utterance("find it")
        await person.until(ToolCalls, Audio)
        assert person.connection.pending == {CALL.id}
        envelope = success({}, [], make_meta("look_up", "1.0.0", "r1", 1))
        await person.connection.send(CallAnswer(CALL.id, CALL.name, envelope))
        await person.until(TurnEnded)
        assert said(person.seen) == "Let me see.It is here."
        assert [e for e in person.seen if isinstance(e, TurnEnded)] == [TurnEnded("complete")]


async def test_an_utterance_without_words_asks_nothing() -> None:
    async with conversing() as person:
        person.ears.utterance("")
        await person.until(Transcript)
        await person.says_nothing_more()
        assert person.core.history == []


async def test_the_model_is_told_what_is_only_to_be_known() -> None:
    async with conversing() as person:
        await person.connection.send(Prompt("It rains.", answer=False))
        await person.says_nothing_more()
        person.ears.utterance("hello")
        await person.until(TurnEnded)
        assert person.core.history[0] == UserTurn("It rains.\n\nhello")


async def test_text_is_written_where_no_speech_is_wanted() -> None:
    async with conversing(output="text") as person:
        person.ears.utterance("hello")
        events = await person.until(TurnEnded)
        assert Text("You said hello") in events
        assert not any(isinstance(event, Audio) for event in events)


async def test_speech_is_given_out_only_so_far_ahead_of_the_ear() -> None:
    async with conversing({"count": ["one ", "two ", "three "]}, lead=0.5) as person:
        person.ears.utterance("count")
        await person.until(Audio, Transcript)
        await person.says_nothing_more()  # the second would be a second ahead


# -- cutting in --------------------------------------------------------------------------------


async def test_who_cuts_in_ends_the_turn_and_no_sound_of_it_follows() -> None:
    async with conversing({"talk": ["This gets stuck"]}) as person:
        person.ears.utterance("talk")
        await person.until(Audio)
        person.ears.utterance("stop it", barge_in=True)
        events = await person.until(TurnEnded)
        assert events[-2:] == [Interrupted(), TurnEnded("interrupted")]
        after = await person.until(TurnEnded)
        assert said(after) == "You said stop it"
        assert after[-1] == TurnEnded("complete")


async def test_a_turn_that_is_over_but_still_played_is_only_silenced() -> None:
    async with conversing() as person:
        person.ears.utterance("hello")
        await person.until(TurnEnded)
        person.ears.hear(SpeechStarted(), Interrupted())
        assert await person.until(Interrupted) == [SpeechStarted(), Interrupted()]
        # What its reader answers to that concerns nothing any more.
        await person.connection.send(Interrupt(100))
        await person.says_nothing_more()


async def test_the_ears_know_what_we_say_and_that_it_was_cut_short() -> None:
    async with conversing() as person:
        person.ears.utterance("hello")
        await person.until(TurnEnded)
        assert person.ears.told_of == ["You said hello"]
        person.ears.hear(SpeechStarted(), Interrupted())
        await person.until(Interrupted)
        assert person.ears.told_of[-1] == ""


async def test_the_ears_are_told_when_the_speech_was_played() -> None:
    async with conversing(speech=bytes(480)) as person, asyncio.timeout(60):
        await person.connection.send(Prompt("hello"))
        await person.ears.changed.wait()
        assert person.ears.told_of == ["You said hello", ""]


@pytest.mark.parametrize("stop", [Interrupt(10), Prompt("another")])
async def test_a_stop_from_our_side_is_a_stop_at_once(stop: Any) -> None:
    async with conversing({"talk": ["This gets stuck"]}) as person:
        person.ears.utterance("talk")
        await person.until(Audio)
        await person.connection.send(stop)
        events = await person.until(TurnEnded)
        assert events[-1] == TurnEnded("interrupted")
        assert not any(isinstance(event, Audio) for event in events)
        if isinstance(stop, Prompt):
            assert said(await person.until(TurnEnded)) == "You said another"
        else:
            await person.says_nothing_more()


async def test_calls_of_a_turn_that_was_cut_short_are_taken_back() -> None:
    async with conversing({"find it": [CALL]}) as person:
        person.ears.utterance("find it")
        await person.until(ToolCalls)
        person.ears.utterance("never mind")
        events = await person.until(TurnEnded, TurnEnded)
        assert ToolCallsCancelled((str(CALL.id),)) in events
        assert person.connection.pending == frozenset()
        assert said(events) == "You said never mind"
        # Nothing was played, so there is nothing to silence.
        assert Interrupted() not in events


async def test_nobody_is_talked_over() -> None:
    async with conversing() as person:
        person.ears.hear(SpeechStarted())
        await person.until(SpeechStarted)
        await person.connection.send(Prompt("news"))
        await person.says_nothing_more()
        person.ears.hear(SpeechStopped(), Transcript("user", "", final=True))
        assert said(await person.until(TurnEnded)) == "You said news"


# -- pauses ------------------------------------------------------------------------------------


async def test_an_answer_is_heard_only_when_the_person_leaves_it_the_floor() -> None:
    async with conversing() as person:
        person.ears.tentative("hello")
        await person.until(Transcript)
        await person.says_nothing_more()
        person.ears.hear(FloorFree(), Settled())
        events = await person.until(TurnEnded)
        assert Audio(SECOND) in events
        assert Settled() in events


@pytest.mark.parametrize("heard", ["nothing", "a part", "all"])
async def test_who_goes_on_after_a_pause_has_said_one_thing_and_its_first_answer_is_void(
    heard: str,
) -> None:
    replies = {"show me the notes": ["This gets stuck" if heard == "a part" else "Which ones?"]}
    async with conversing(replies) as person:
        await person.connection.send(Prompt("It rains.", answer=False))
        person.ears.tentative("show me the notes")
        if heard == "nothing":
            await person.until(Transcript)
        else:
            person.ears.hear(FloorFree())
            await person.until(Audio if heard == "a part" else TurnEnded)
        person.ears.tentative("show me the notes of Monday", goes_on=True)
        whole = Transcript(
            "user",
            "show me the notes of Monday",
            final=True,
            tentative=True,
            replaces="show me the notes",
        )
        events = await person.until(lambda event: event == whole)
        assert Interrupted(goes_on=True) in events
        assert (TurnEnded("interrupted") in events) == (heard != "all")
        assert not any(isinstance(event, Audio) for event in events)
        person.ears.hear(FloorFree(), Settled())
        assert said(await person.until(TurnEnded)) == "You said It rains.\n\n" + whole.text
        assert person.core.history == [
            UserTurn("It rains.\n\nshow me the notes of Monday"),
            ModelTurn("You said It rains.\n\nshow me the notes of Monday"),
        ]


async def test_calls_that_half_a_sentence_asked_for_are_taken_back() -> None:
    async with conversing({"find it": [CALL]}) as person:
        person.ears.tentative("find it")
        await person.until(ToolCalls)
        person.ears.tentative("find it tomorrow", goes_on=True)
        person.ears.hear(FloorFree(), Settled())
        events = await person.until(Settled, TurnEnded)
        assert ToolCallsCancelled((str(CALL.id),)) in events
        assert person.core.history[0] == UserTurn("find it tomorrow")
        assert person.connection.pending == frozenset()


async def test_what_was_asked_between_the_halves_stays() -> None:
    async with conversing() as person:
        person.ears.tentative("one")
        await person.until(Transcript)
        await person.connection.send(Prompt("typed"))
        person.ears.tentative("one and two", goes_on=True)
        person.ears.hear(FloorFree(), Settled())
        await person.until(Settled)
        asked = [turn.text for turn in person.core.history if isinstance(turn, UserTurn)]
        assert asked[-2:] == ["typed", "one and two"]


# -- names that were heard unclearly -----------------------------------------------------------

MARIEN = UnclearName("Marien", ("Marion", "Marian", "Maryam"))
WHICH = "Did you mean Marion, Marian or Maryam?"


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        ("Marian.", "ask Marian to come"),
        ("I mean Maryam, please.", "ask Maryam to come"),
        ("The second one.", "ask Marian to come"),
        ("Never mind.", "Never mind."),
        ("Marion or Marian.", "Marion or Marian."),
    ],
)
async def test_which_of_two_near_names_was_meant_is_asked(answer: str, asked: str) -> None:
    async with conversing() as person:
        person.ears.hear(MARIEN)
        person.ears.utterance("ask Marien to come")
        events = await person.until(TurnEnded)
        assert said(events) == WHICH
        assert events[-1] == TurnEnded("complete")
        assert person.core.history == []
        person.ears.utterance(answer)
        assert said(await person.until(TurnEnded)) == f"You said {asked}"


async def test_an_answer_that_is_unclear_again_is_asked_for_again() -> None:
    async with conversing() as person:
        for words in ("ask Marien to come", "Marien."):
            person.ears.hear(MARIEN)
            person.ears.utterance(words)
            assert said(await person.until(TurnEnded)) == WHICH
        person.ears.utterance("Marion.")
        assert said(await person.until(TurnEnded)) == "You said ask Marion to come"


async def test_a_question_for_a_name_is_taken_back_when_the_person_goes_on() -> None:
    async with conversing() as person:
        person.ears.utterance("hello")
        await person.until(TurnEnded)
        person.ears.hear(MARIEN)
        person.ears.tentative("ask Marien")
        person.ears.hear(FloorFree())
        await person.until(Audio)
        person.ears.tentative("ask Mary and John", goes_on=True)
        person.ears.hear(FloorFree(), Settled())
        events = await person.until(Settled, TurnEnded)
        assert Interrupted(goes_on=True) in events
        asked = [turn.text for turn in person.core.history if isinstance(turn, UserTurn)]
        assert asked == ["hello", "ask Mary and John"]


# -- the microphone ----------------------------------------------------------------------------


async def test_audio_goes_to_the_ears_and_its_end_finishes_the_utterance() -> None:
    async with conversing() as person:
        await person.connection.send(SendAudio(b"\1\2"))
        await person.connection.send(AudioEnded())
        assert (person.ears.fed, person.ears.finished) == (b"\1\2", 1)


async def test_all_that_is_said_while_the_button_is_held_is_one_utterance() -> None:
    async with conversing(manual_activity=True) as person:
        await person.connection.send(SendAudio(b"\7\7"))  # nobody listens yet
        await person.connection.send(Activity(True))
        await person.connection.send(SendAudio(b"\1\2"))
        assert person.ears.fed == b"\1\2"
        person.ears.tentative("who")
        person.ears.tentative("who leads", goes_on=True)
        person.ears.hear(Transcript("user", "this", interim=True))
        assert (await person.until(Transcript))[-1] == Transcript(
            "user", "who leads this", interim=True
        )
        person.ears.hear(Transcript("user", "this project", final=True))
        await person.connection.send(Activity(False))
        events = await person.until(TurnEnded)
        assert events[:2] == [
            SpeechStopped(),
            Transcript("user", "who leads this project", final=True),
        ]
        assert said(events) == "You said who leads this project"

        await person.connection.send(Activity(True))
        await person.connection.send(Activity(False))
        assert await person.until(Transcript) == [
            SpeechStopped(),
            Transcript("user", "", final=True),
        ]


async def test_names_are_hints_and_read_again_after_an_utterance() -> None:
    async with conversing() as person:
        assert person.ears.hints == ("Ada",)
        person.ears.utterance("")
        async with asyncio.timeout(60):
            await person.ears.changed.wait()
        assert person.ears.hints == ("Ada", "Grace")


# -- trouble -----------------------------------------------------------------------------------


async def test_an_utterance_that_was_lost_is_told_and_listening_goes_on() -> None:
    async with conversing() as person:
        lost = Fault("overloaded", "It was lost.", fatal=False)
        person.ears.hear(SpeechStarted(), lost, Transcript("user", "", final=True))
        assert lost in await person.until(Transcript)
        person.ears.utterance("again")
        assert said(await person.until(TurnEnded)) == "You said again"


async def test_ears_that_fail_for_good_end_the_conversation() -> None:
    async with conversing() as person:
        deaf = Fault("missing_sdk", "It cannot hear.")
        person.ears.hear(deaf)
        await person.until(Fault)
        with pytest.raises(StopAsyncIteration):
            await anext(person.events)
        with pytest.raises(ProviderFault, match="It cannot hear"):
            await person.connection.send(Prompt("hello"))


async def test_what_cannot_be_said_aloud_can_be_read() -> None:
    async with conversing({"go": ["First. ", "An unspeakable word. ", "Last."]}) as person:
        person.ears.utterance("go")
        events = await person.until(TurnEnded)
        assert said(events) == "First. An unspeakable word. Last."
        (fault,) = [event for event in events if isinstance(event, Fault)]
        assert (fault.message, fault.fatal) == ("The voice is gone.", False)
        assert events[-1] == TurnEnded("complete")


async def test_after_the_close_nothing_is_taken_and_nothing_goes_on() -> None:
    async with conversing({"think": ["One moment. "]}) as person:
        person.ears.utterance("think")
        await person.until(Audio)
        await person.connection.close()
        await person.connection.close()
        with pytest.raises(ProviderFault, match="ended the connection"):
            await person.connection.send(SendAudio(b""))


# -- the provider ------------------------------------------------------------------------------


async def test_the_provider_says_what_it_can_do_and_speaks_with_the_built_in_model() -> None:
    core, stage = provider(names=tuple), Stage()
    voice = LocalVoice(core, stage, names=lambda organisation: () if organisation else ("Ada",))
    try:
        able = voice.capabilities("local")
        assert able.audio
        assert able.transcripts
        assert able.hears_interruption
        assert not any((able.truncation, able.resumption, able.go_away, able.search))
        async with await voice.connect(Setup("local")) as connection:
            assert stage.ears_made[0].hints == ("Ada",)
            stage.ears_made[0].utterance("What are you?")
            text = ""
            async with asyncio.timeout(60), aclosing(connection.events()) as events:  # type: ignore[type-var]
                async for event in events:
                    if isinstance(event, Transcript) and event.role == "model":
                        text += event.text
                    if isinstance(event, TurnEnded):
                        break
            assert "not a person" in text
    finally:
        await core.close()


async def test_without_the_speech_packages_it_says_what_to_install_and_text_goes_on() -> None:
    core, stage = provider(names=tuple), Stage()
    stage.trouble = Fault("missing_sdk", "install it with: pip install 'antiphon[speech]'")
    voice = LocalVoice(core, stage)
    try:
        for attempt in (voice.connect(Setup("local")), voice.probe(1.0)):
            with pytest.raises(ProviderFault, match=r"pip install 'antiphon\[speech\]'"):
                await attempt
        async with await core.connect(Setup("local")) as connection:
            await connection.send(Prompt("hello"))
            async with asyncio.timeout(60), aclosing(connection.events()) as events:  # type: ignore[type-var]
                while not isinstance(await anext(events), Text):
                    pass
    finally:
        await core.close()


@pytest.mark.parametrize(
    ("engines", "words", "kind"),
    [
        ({"recognizer": "faster-whisper"}, "pip install faster-whisper", "missing_sdk"),
        ({"synthesizer": "hibari", "synthesizer_options": {"x": 1}}, "no option x", None),
        ({"recognizer": "openai", "recognizer_options": {"base_url": "x"}}, "base_url", None),
    ],
)
async def test_engines_that_cannot_be_used_say_why(
    engines: dict[str, Any], words: str, kind: str | None
) -> None:
    made = SpeechService(engines)
    try:
        with pytest.raises(ProviderFault, match=words) as caught:
            await made.warm()
        assert caught.value.fault.kind == (kind or "not_configured")
    finally:
        await made.close()
