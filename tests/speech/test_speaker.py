"""Speaking with the embedded voice: sentence by sentence, and silence at once when told so."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest
from tests.speech.helpers import embedded, hibari, moonshine, silero

from antiphon.speech import CannotSpeakError, SpeechEngines, SpeechError, SpokenPiece
from antiphon.speech.audio import from_pcm
from antiphon.speech.ports import OUTPUT_RATE
from antiphon.testing import run_real


async def answered(*texts: str) -> list[SpokenPiece]:
    async with embedded() as speech:
        speaker = speech.speaker()
        for text in texts:
            speaker.say(text)
        speaker.finish()
        return [piece async for piece in speaker.pieces()]


def test_an_answer_is_spoken_sentence_by_sentence() -> None:
    pieces = run_real(answered("There are two not", "es. The first is by A", "da Lovelace"))
    assert [piece.text for piece in pieces if piece.text] == [
        "There are two notes.",
        "The first is by Ada Lovelace",
    ]
    assert all(0 < piece.duration_ms <= 200 for piece in pieces)
    assert 2_000 < sum(piece.duration_ms for piece in pieces) < 6_000


def test_the_first_sentence_is_spoken_before_the_answer_is_complete() -> None:
    async def main() -> str:
        async with embedded() as speech:
            speaker = speech.speaker()
            speaker.say("Here it is. And now for")
            pieces = speaker.pieces()
            first = await anext(pieces)
            await pieces.aclose()
            return first.text

    assert run_real(main()) == "Here it is."


def test_text_may_come_while_nothing_is_left_to_say() -> None:
    async def main() -> list[str]:
        async with embedded() as speech:
            speaker = speech.speaker()
            texts = []

            async def read() -> None:
                async for piece in speaker.pieces():
                    if piece.text:
                        texts.append(piece.text)
                        speaker.say("This is the second. ")
                        speaker.finish()

            async with asyncio.TaskGroup() as group:
                group.create_task(read())
                await asyncio.sleep(0)
                speaker.say("This is the first. ")
            return texts

    assert run_real(main()) == ["This is the first.", "This is the second."]


def test_nothing_follows_a_stop() -> None:
    async def main() -> int:
        async with embedded() as speech:
            speaker = speech.speaker()
            speaker.say("One sentence. Another sentence. And a third one. ")
            count = 0
            async for _ in speaker.pieces():
                count += 1
                speaker.stop()
            speaker.say("Too late. ")
            speaker.finish()
            return count

    assert run_real(main()) == 1


def test_a_stop_ends_the_wait_for_a_piece_that_is_being_made() -> None:
    async def main() -> list[SpokenPiece]:
        async with embedded() as speech:
            speaker = speech.speaker()
            found: list[SpokenPiece] = []

            async def read() -> None:
                async for piece in speaker.pieces():
                    found.append(piece)

            async with asyncio.TaskGroup() as group:
                reader = group.create_task(read())
                speaker.say("A sentence that takes a moment to be made, as it is rather long. ")
                await asyncio.sleep(0)
                speaker.stop()
                await asyncio.wait_for(reader, 10)
            return found

    assert run_real(main()) == []


def test_another_script_is_said_to_be_unspeakable_once_in_an_answer() -> None:
    pieces = run_real(answered("Привет, как дела? ", "你好。 ", "That is all. "))
    assert [piece.text for piece in pieces if piece.text] == ["Привет, как дела?", "That is all."]
    spoken = b"".join(piece.audio for piece in pieces)
    heard = moonshine().transcribe(_for_the_ear(spoken)).casefold()
    assert "cannot say" in heard
    assert "that is all" in heard


def test_what_nobody_says_aloud_gives_no_sound() -> None:
    assert run_real(answered("```python\nprint('x')\n```\n", " \n", "***\n")) == []


def test_the_voice_alone_refuses_what_it_cannot_say() -> None:
    with pytest.raises(CannotSpeakError, match="Cyrillic"):
        list(hibari().speak("Привет, как дела?"))
    with pytest.raises(SpeechError, match="text"):
        list(hibari().speak(7))  # type: ignore[arg-type]
    assert list(hibari().speak("")) == []
    assert list(hibari().speak("🙂 👍")) == []


def test_a_word_in_another_script_does_not_make_the_sentence_unspeakable() -> None:
    audio = b"".join(hibari().speak("The Russian word for hello is привет, as everybody knows."))
    heard = moonshine().transcribe(_for_the_ear(audio)).casefold()
    assert "another script" in heard


def test_speech_is_as_loud_as_it_should_be_and_ends_softly() -> None:
    for piece in hibari().speak("Stop! This is a long sentence about nothing in particular."):
        sound = from_pcm(piece)
        assert 0.2 < float(np.abs(sound).max()) < 0.98
        assert abs(float(sound[0])) < 0.01
        assert abs(float(sound[-1])) < 0.01


def test_a_long_sentence_comes_in_several_pieces() -> None:
    text = "one of the many things that were found, " * 12 + "and no more."
    pieces = list(hibari().speak(text))
    assert len(pieces) > 2
    assert len(pieces[0]) < 2 * OUTPUT_RATE * 15


def test_the_same_text_sounds_the_same() -> None:
    assert list(hibari().speak("Hello there.")) == list(hibari().speak("Hello there."))


def test_two_answers_at_once_are_both_spoken() -> None:
    async def main() -> list[int]:
        async with embedded() as speech:

            async def speak(text: str) -> int:
                speaker = speech.speaker()
                speaker.say(text)
                speaker.finish()
                return sum([len(piece.audio) async for piece in speaker.pieces()])

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(speak(f"Answer {n}. It is good.")) for n in (1, 2)]
            return [task.result() for task in tasks]

    assert all(size > OUTPUT_RATE for size in run_real(main()))


class Failing:
    """A voice that breaks in the second sentence."""

    parallel = 1

    def warm(self) -> None: ...

    def speak(self, text: str) -> Iterator[bytes]:
        yield bytes(480)
        if "second" in text:
            raise SpeechError("The voice is hoarse.")


def test_a_voice_that_fails_is_told_to_who_plays() -> None:
    async def main() -> list[str]:
        async with SpeechEngines(silero(), moonshine(), Failing()) as speech:
            speaker = speech.speaker()
            speaker.say("The first. The second. ")
            speaker.finish()
            texts = []

            async def play() -> None:
                async for piece in speaker.pieces():
                    texts.append(piece.text)

            with pytest.raises(SpeechError, match="hoarse"):
                await play()
            return texts

    assert run_real(main()) == ["The first.", "The second."]


def _for_the_ear(pcm: bytes) -> bytes:
    from antiphon.speech.audio import resample, to_pcm

    return to_pcm(resample(from_pcm(pcm), OUTPUT_RATE, 16_000))
