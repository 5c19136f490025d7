"""Listening with the embedded models: what is understood, when a turn ends, what is ignored."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tests.speech.helpers import (
    embedded,
    heard,
    listened,
    moonshine,
    noise,
    said,
    silence,
    silero,
    together,
    tones,
    utterances,
    word_errors,
    words,
)

from antiphon.speech import (
    FloorYielded,
    ListenerEvent,
    PartialTranscript,
    RecognitionFailed,
    SpeechBegan,
    SpeechEngines,
    SpeechError,
    TurnRules,
    Utterance,
    UtteranceSettled,
)
from antiphon.speech.ports import Recognition
from antiphon.speech.recognition import SegmentedRecognition
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time

SENTENCES = (
    "Search the knowledge base for the analytical engine.",
    "Create a calendar event for tomorrow at nine.",
    "Who leads the design project?",
    "Show me the notes of the last meeting.",
    "Open the settings page.",
    "What is the weather like in London today?",
    "Delete the third item of the list.",
    "Yes, please go on.",
    "Tell me more about the history of computers.",
    "Thank you, that is all.",
)
STORY = (
    "The old harbour lies at the northern end of the bay. In the morning the boats come home, and "
    "the people of the village carry baskets of fish to the market. Later the children run down "
    "to the water and look for shells. In the evening the lamps are lit, one after the other, "
    "until the whole street shines. An old man tells stories about the sea, and everybody listens "
    "until it is late. Then the wind turns, the doors are closed, and the night is very quiet."
)


def test_ten_sentences_are_understood_one_by_one() -> None:
    parts = [part for text in SENTENCES for part in (said(text), silence(1.0))]
    found = utterances(run_real(heard(together(silence(0.3), *parts))))
    assert len(found) == len(SENTENCES)
    errors = [word_errors(a, b.text) for a, b in zip(SENTENCES, found, strict=True)]
    assert sum(errors) / len(errors) <= 0.05, [utterance.text for utterance in found]


@pytest.mark.parametrize(
    "sound",
    [
        silence(3.0),
        noise(3.0, 0.003),
        noise(3.0, 0.1),
        tones(3.0, 440.0),
        tones(3.0, 261.6, 329.6, 392.0),
    ],
    ids=["silence", "a quiet room", "white noise", "a tone", "a chord"],
)
def test_what_is_not_speech_gives_no_words(sound: np.ndarray) -> None:
    events = run_real(heard(together(sound, silence(1.0))))
    assert [event.text for event in utterances(events) if event.text] == []
    assert not [event for event in events if isinstance(event, PartialTranscript)]


def test_speech_is_understood_in_a_noisy_room() -> None:
    speech = np.concatenate((silence(0.5), said(SENTENCES[0]), silence(1.0)))
    found = utterances(run_real(heard(together(speech + noise(len(speech) / 16000, 0.01)))))
    assert len(found) == 1
    assert word_errors(SENTENCES[0], found[0].text) <= 0.2


def test_half_a_minute_of_talking_without_a_pause_is_one_utterance() -> None:
    """Pauses are cut out, so that it is longer than what the recogniser takes at a time."""
    story = said(STORY)
    story = story[: len(story) // 100 * 100]
    loud = np.abs(story).reshape(-1, 100)
    quiet = np.convolve(loud.max(axis=1) < 0.01, np.ones(30), "same") >= 30
    talk = story.reshape(-1, 100)[~quiet].reshape(-1)
    assert len(talk) / 16000 > 22
    found = utterances(run_real(heard(together(talk, silence(1.0)))))
    assert word_errors(STORY, " ".join(one.text for one in found)) <= 0.12
    assert max(one.duration_ms for one in found) > 18_000


def test_two_people_at_once_are_some_words_and_no_more() -> None:
    first, second = said(SENTENCES[0]), said(SENTENCES[5])
    mixed = np.zeros(max(len(first), len(second)), np.float32)
    mixed[: len(first)] += first
    mixed[: len(second)] += second
    found = utterances(run_real(heard(together(mixed, silence(1.0)))))
    assert 1 <= len(found) <= 2
    assert sum(len(words(one.text)) for one in found) <= 20


def test_words_grow_while_the_person_speaks() -> None:
    events = run_real(heard(together(said(SENTENCES[0]), silence(1.0))))
    kinds = [type(event) for event in events]
    assert kinds[0] is SpeechBegan
    assert kinds[-3:] == [Utterance, FloorYielded, UtteranceSettled]
    partial = [len(words(event.text)) for event in events if isinstance(event, PartialTranscript)]
    assert len(partial) >= 2
    assert partial == sorted(partial)
    assert partial[0] < partial[-1]


def test_what_is_heard_does_not_depend_on_the_frames() -> None:
    pcm = together(said(SENTENCES[2]), silence(0.6), said("And who pays for it?"), silence(1.0))

    def told(frame: int) -> list[ListenerEvent]:
        return [e for e in run_real(heard(pcm, frame)) if not isinstance(e, PartialTranscript)]

    assert told(333) == told(640) == told(len(pcm))


def test_a_sentence_that_is_not_finished_is_waited_for() -> None:
    pcm = together(
        said("Open the settings page and"), silence(0.15), said("close it."), silence(1.0)
    )
    found = utterances(run_real(heard(pcm)))
    assert len(found) == 1
    assert words(found[0].text)[-2:] == ["close", "it"]


def test_the_wait_for_the_rest_of_a_sentence_ends() -> None:
    (done,) = utterances(run_real(heard(together(said("Open the settings page."), silence(2.0)))))
    (open_end,) = utterances(run_real(heard(together(said("Send the report to"), silence(2.0)))))
    assert done.silence_ms < 500
    assert 1_100 <= open_end.silence_ms < 1_200
    assert done.duration_ms == pytest.approx(1_100, abs=400)


def test_speech_that_goes_on_after_a_pause_is_joined_to_what_was_heard_before() -> None:
    first, rest = said("Show me the notes."), said("Of the last meeting.")
    pcm = together(first, silence(0.5), rest, silence(1.5), said("Who are you?"), silence(1.5))
    events = [e for e in run_real(heard(pcm)) if not isinstance(e, PartialTranscript)]
    before, whole, other = utterances(events)
    assert word_errors("Show me the notes", before.text) == 0
    assert word_errors("Show me the notes of the last meeting", whole.text) <= 0.15
    assert whole.duration_ms > before.duration_ms + 1_000
    assert words(other.text) == ["who", "are", "you"]
    began = [event.goes_on for event in events if isinstance(event, SpeechBegan)]
    assert began == [False, True, False]
    order = [type(event) for event in events[events.index(whole) :]]
    assert order == [
        *(Utterance, FloorYielded, UtteranceSettled),
        *(SpeechBegan, Utterance, FloorYielded, UtteranceSettled),
    ]
    yielded, settled = events[-2:]
    assert isinstance(yielded, FloorYielded)
    assert isinstance(settled, UtteranceSettled)
    assert other.at_ms < yielded.at_ms < settled.at_ms


def test_a_known_name_that_is_not_complete_is_waited_for() -> None:
    pcm = together(said("Who leads the Harbor?"), silence(2.5))
    plain, hinted = (
        utterances(run_real(heard(pcm, hints=hints)))[0] for hints in ((), ("Harbor Light",))
    )
    assert plain.silence_ms < 500
    assert hinted.silence_ms >= 1_100


def test_names_are_corrected_by_hints() -> None:
    pcm = together(said("What do we know about Kestrell?"), silence(1.0))
    (found,) = utterances(run_real(heard(pcm, hints=["Kestrel", "Aurora"])))
    assert "Kestrel?" in found.text or "Kestrel." in found.text


def test_an_utterance_without_an_end_is_ended() -> None:
    pcm = together(said(STORY)[: 12 * 16_000], silence(1.0))
    rules = {"longest_s": 5}
    found = utterances(run_real(heard(pcm, **rules)))
    assert len(found) >= 3
    assert all(one.duration_ms <= 5_032 for one in found)


def test_a_microphone_that_is_turned_off_ends_the_utterance() -> None:
    async def main() -> list[ListenerEvent]:
        async with embedded() as speech:
            listener = speech.listener()
            events = listener.events()
            found: list[ListenerEvent] = []
            await listener.feed(together(said(SENTENCES[4])[:-4_000]))
            listener.finish_utterance()
            async with asyncio.timeout(60):
                async for event in events:
                    found.append(event)
                    if isinstance(event, Utterance):
                        listener.close()
            return found

    (found,) = utterances(run_real(main()))
    assert word_errors(SENTENCES[4], found.text) <= 0.25


def test_an_utterance_ends_when_no_more_audio_comes() -> None:
    async def main() -> Utterance:
        async with embedded() as speech:
            listener = speech.listener(stalled_s=0.2)
            events = listener.events()
            await listener.feed(together(said(SENTENCES[4])[:-4_000]))
            try:
                async with asyncio.timeout(60):
                    async for event in events:
                        if isinstance(event, Utterance):
                            return event
            finally:
                await events.aclose()
            raise AssertionError("no utterance")

    assert run_real(main()).text


# -- while we speak


async def with_us_speaking(ours: str, pcm: bytes, *, echo_cancelled: bool) -> list[ListenerEvent]:
    async with embedded() as speech:
        listener = speech.listener(echo_cancelled=echo_cancelled)
        listener.set_playback(ours)
        return await listened(listener, pcm)


OURS = "The analytical engine was designed by Charles Babbage, and the notes are by Ada Lovelace."


def test_a_person_who_cuts_in_is_heard_at_once() -> None:
    pcm = together(silence(0.3), said("Stop, I want something else."), silence(1.0))
    events = run_real(with_us_speaking(OURS, pcm, echo_cancelled=True))
    assert isinstance(events[0], SpeechBegan)
    assert events[0].barge_in
    (found,) = utterances(events)
    assert found.barge_in
    assert "stop" in words(found.text)


def test_a_short_sound_does_not_interrupt_us() -> None:
    syllable = said("Stop.")
    begin = int(np.argmax(np.abs(syllable) > 0.05))
    cough = syllable[begin : begin + 16 * 130]
    burst = noise(0.3, 0.3) * np.exp(-np.arange(4_800) / 1_200).astype(np.float32)
    pcm = together(silence(0.5), cough, silence(0.8), burst, silence(1.0))
    assert run_real(with_us_speaking(OURS, pcm, echo_cancelled=True)) == []


def mumbled() -> np.ndarray:
    """Two hums with a closed mouth, the second one higher: "mm-hm"."""
    hums = []
    for pitch, seconds in ((120, 0.18), (150, 0.28)):
        at = np.arange(round(seconds * 16_000)) / 16_000
        tones_above = sum(np.sin(2 * np.pi * pitch * k * at) / k**1.5 for k in range(1, 12))
        hums += [0.25 * tones_above * np.hanning(len(at)), silence(0.05)]
    return np.concatenate(hums).astype(np.float32)


@pytest.mark.parametrize(
    "sound",
    [mumbled, lambda: said("Mm-hmm."), lambda: said("Uh-huh."), lambda: said("Right.")]
    + [lambda: said("Okay."), lambda: said("I see."), lambda: 0.06 * said("Stop it, please.")],
    ids=["hums", "mm-hmm", "uh-huh", "right", "okay", "I see", "a faint voice"],
)
def test_signs_of_listening_and_faint_voices_do_not_interrupt_us(sound: Any) -> None:
    pcm = together(silence(0.3), sound(), silence(1.0))
    assert run_real(with_us_speaking(OURS, pcm, echo_cancelled=True)) == []


@pytest.mark.parametrize("words", ["Stop.", "Wait.", "No.", "Right, but tell me about Atlas."])
def test_words_that_want_the_floor_interrupt_us_soon(words: str) -> None:
    pcm = together(silence(0.3), said(words), silence(1.2))
    events = run_real(with_us_speaking(OURS, pcm, echo_cancelled=True))
    assert isinstance(events[0], SpeechBegan)
    assert events[0].barge_in


def test_an_okay_to_a_question_is_heard_while_we_ask() -> None:
    pcm = together(silence(0.3), said("Okay."), silence(1.2))
    asking = "Shall I send it to everybody who works there?"
    (found,) = utterances(run_real(with_us_speaking(asking, pcm, echo_cancelled=True)))
    assert found.barge_in


def test_a_voice_that_is_fainter_than_the_persons_does_not_interrupt_us() -> None:
    async def main(faint: np.ndarray) -> list[ListenerEvent]:
        async with embedded() as speech:
            listener = speech.listener(echo_cancelled=True)
            events: list[ListenerEvent] = []
            sound = (said("Who are you?"), silence(1.5), faint, silence(1.5))

            async def read() -> None:
                async for event in listener.events():
                    events.append(event)
                    if isinstance(event, UtteranceSettled):
                        listener.set_playback(OURS)

            async with asyncio.TaskGroup() as group:
                group.create_task(read())
                pcm = together(*sound)
                for at in range(0, len(pcm), 640):
                    await listener.feed(pcm[at : at + 640])
                    await asyncio.sleep(0)
                listener.close()
            return events

    voice = said("Stop it, please.")
    assert len(utterances(run_real(main(0.15 * voice)))) == 1
    assert len(utterances(run_real(main(voice)))) == 2


def test_our_own_words_in_the_microphone_do_not_interrupt_us() -> None:
    pcm = together(silence(0.2), 0.5 * said(OURS), silence(0.5))
    assert run_real(with_us_speaking(OURS, pcm, echo_cancelled=False)) == []


def test_a_person_is_heard_without_echo_cancellation_too() -> None:
    pcm = together(silence(0.2), said("Please stop and open the calendar."), silence(1.0))
    events = run_real(with_us_speaking(OURS, pcm, echo_cancelled=False))
    assert any(isinstance(event, SpeechBegan) and event.barge_in for event in events)
    assert "calendar" in words(utterances(events)[-1].text)


def test_after_we_spoke_everything_counts_again() -> None:
    async def main() -> list[ListenerEvent]:
        async with embedded() as speech:
            listener = speech.listener(echo_cancelled=True)
            listener.set_playback(OURS)
            listener.set_playback("")
            return await listened(listener, together(said("Yes."), silence(1.2)))

    events = run_real(main())
    assert isinstance(events[0], SpeechBegan)
    assert not events[0].barge_in


# -- several at once, and trouble


def test_two_conversations_at_once_are_both_understood() -> None:
    async def main() -> list[list[ListenerEvent]]:
        async with embedded() as speech, asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(listened(speech.listener(), together(said(text), silence(1.0))))
                for text in SENTENCES[:2]
            ]
            return [await task for task in tasks]

    for text, events in zip(SENTENCES, run_real(main()), strict=False):
        (found,) = utterances(events)
        assert word_errors(text, found.text) <= 0.2


class Broken:
    """A recogniser whose service is away."""

    parallel = 1
    partials = True

    def warm(self) -> None: ...

    def recognition(self, hints: object = ()) -> Recognition:
        return self  # type: ignore[return-value]

    def feed(self, pcm: bytes) -> None: ...

    def partial(self) -> str:
        raise SpeechError("The service is away.")

    finish = partial


def test_a_recognizer_that_fails_is_told_and_listening_goes_on() -> None:
    async def main() -> list[ListenerEvent]:
        async with SpeechEngines(silero(), Broken()) as speech:
            pcm = together(said(SENTENCES[4]), silence(1.0), said("Yes."), silence(1.0))
            return list(await listened(speech.listener(), pcm))

    events = run_real(main())
    assert [type(event) for event in events] == [SpeechBegan, RecognitionFailed] * 2
    assert isinstance(events[1], RecognitionFailed)
    assert "away" in str(events[1].error)


async def test_a_reader_may_leave_in_the_middle() -> None:
    async with embedded() as speech:
        listener = speech.listener()
        await listener.feed(together(said(SENTENCES[0]))[:48_000])
        events = listener.events()
        assert isinstance(await anext(events), SpeechBegan)
        await events.aclose()
        await listener.feed(bytes(200_000))  # nobody listens, so it does not wait


async def test_wrong_options_are_refused() -> None:
    async with embedded() as speech:
        with pytest.raises(SpeechError, match="longest_s"):
            speech.listener(longest_s=0)
        with pytest.raises(SpeechError, match="stalled_s"):
            speech.listener(stalled_s="soon")
    with pytest.raises(SpeechError, match="wait_ms"):
        TurnRules(end_ms=900, wait_ms=400)


class OnlyAtPauses:
    """The embedded recogniser, as if every look cost money."""

    parallel = 1
    partials = False

    def __init__(self) -> None:
        self.looks = 0

    def warm(self) -> None: ...

    def recognition(self, hints: Sequence[str] = ()) -> Recognition:
        def transcribe(pcm: bytes) -> str:
            self.looks += 1
            return moonshine().transcribe(pcm)

        return SegmentedRecognition(transcribe, hints)


def test_a_recognizer_without_partials_is_asked_once_for_a_sentence() -> None:
    recognizer = OnlyAtPauses()

    async def main() -> list[ListenerEvent]:
        async with SpeechEngines(silero(), recognizer) as speech:
            return await listened(speech.listener(), together(said(SENTENCES[0]), silence(1.0)))

    (found,) = utterances(run_real(main()))
    assert word_errors(SENTENCES[0], found.text) <= 0.2
    assert recognizer.looks == 1
