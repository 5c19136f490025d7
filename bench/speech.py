"""Hearing and speaking with the embedded engines on one core: cost, delay and word errors."""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import time
import wave
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antiphon.speech import SpeechBegan, SpeechEngines, Utterance, speech_for
from antiphon.speech.audio import from_pcm, resample, to_pcm
from antiphon.speech.ports import INPUT_RATE, OUTPUT_RATE
from common import arguments, result, table, verdict

SENTENCES = (
    "Search the knowledge base for the analytical engine.",
    "Create a calendar event for tomorrow at nine.",
    "Who leads the design project?",
    "Show me the notes of the last meeting.",
    "Open the settings page.",
    "What is the weather like in London today?",
    "Delete the third item of the list.",
    "Tell me more about the history of computers.",
    "Which documents mention the budget of the studio?",
    "Remind me to call the office on Monday morning.",
    "Start the weekly report and send it to the team.",
    "Who wrote the first program for a machine?",
    "Close this window and go back to the project.",
    "How many people work in the studio?",
    "Find everything about the roadmap and read it to me.",
    "What did we decide about the new building?",
    "Add a task for the design review.",
    "Yes, please do that.",
    "No, stop. That is wrong.",
    "Thank you, that is all for today.",
)
# Recordings of people that come with the recogniser's package, and what they read.
CLIPS = {
    "beckett.wav": "Ever tried. Ever failed. No matter. Try again. Fail again. Fail better.",
    "two_cities.wav": (
        "It was the best of times, it was the worst of times, it was the age of wisdom, it was the "
        "age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was "
        "the season of light, it was the season of darkness, it was the spring of hope, it was the "
        "winter of despair, we had everything before us, we had nothing before us, we were all "
        "going direct to heaven, we were all going direct the other way. In short, the period was "
        "so far like the present period that some of its noisiest authorities insisted on its "
        "being received, for good or for evil, in the superlative degree of comparison only."
    ),
}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SPOKEN_NUMBERS = dict(enumerate(NUMBERS))

Sound = NDArray[np.float32]


def words(text: str) -> list[str]:
    found = re.sub(r"[^a-z0-9' ]", " ", text.casefold()).split()
    return [SPOKEN_NUMBERS.get(int(w), w) if w.isdigit() else w for w in found]


def word_errors(said: str, heard: str) -> tuple[int, int]:
    """Words that are wrong, and words that were said."""
    a, b = words(said), words(heard)
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row = row, [i]
        for j, right in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (left != right)))
    return row[-1], len(a)


def rate(errors: list[tuple[int, int]]) -> float:
    return sum(wrong for wrong, _ in errors) / max(1, sum(said for _, said in errors))


def cpu(work: Any) -> float:
    """Seconds of processor time; others on the machine do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def spoken(speech: SpeechEngines, text: str) -> Sound:
    pcm = b"".join(speech.synthesizer.speak(text))
    return resample(from_pcm(pcm), OUTPUT_RATE, INPUT_RATE)


def clip(name: str) -> Sound:
    spec = find_spec("moonshine_voice")
    assert spec
    assert spec.submodule_search_locations
    file = Path(spec.submodule_search_locations[0]) / "assets" / name
    with wave.open(str(file)) as opened:
        pcm = opened.readframes(opened.getnframes())
        return resample(from_pcm(pcm), opened.getframerate(), INPUT_RATE)


async def understood(speech: SpeechEngines, sound: Sound) -> list[Utterance]:
    """Through voice activity, turns and recognition, in frames of 20 ms."""
    listener = speech.listener()
    found: list[Utterance] = []

    async def read() -> None:
        async for event in listener.events():
            if isinstance(event, SpeechBegan) and event.goes_on:
                found.pop()
            elif isinstance(event, Utterance):
                found.append(event)

    pcm = to_pcm(np.concatenate((sound, np.zeros(INPUT_RATE, np.float32))))
    async with asyncio.TaskGroup() as group:
        group.create_task(read())
        for at in range(0, len(pcm), 640):
            await listener.feed(pcm[at : at + 640])
        listener.close()
    return found


def memory() -> float:
    """Resident memory in MB, where the system tells."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0.0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


async def main() -> None:
    quick = arguments(__doc__ or "").quick
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    before = memory()
    async with speech_for() as speech:
        start = time.perf_counter()
        await speech.warm()
        warm = time.perf_counter() - start
        sentences = SENTENCES[:6] if quick else SENTENCES
        rounds = 3 if quick else 10
        sounds = [spoken(speech, text) for text in sentences]

        pcm = to_pcm(np.concatenate(sounds))
        seconds = len(pcm) / (2 * INPUT_RATE)
        stream = speech.vad.stream()
        vad = statistics.median(
            cpu(lambda: [stream.feed(pcm[at : at + 640]) for at in range(0, len(pcm), 640)])
            for _ in range(rounds)
        )

        # Speech of two seconds, with the pause after which it is looked at.
        command = to_pcm(np.concatenate(sounds)[: 2 * INPUT_RATE])

        def recognise() -> None:
            recognition = speech.recognizer.recognition()
            recognition.feed(command)
            recognition.finish()

        stt = statistics.median(cpu(recognise) for _ in range(rounds))

        first = [
            cpu(lambda text=text: next(iter(speech.synthesizer.speak(text))))  # type: ignore[misc]
            for _ in range(rounds)
            for text in sentences
        ]
        whole = cpu(lambda: [list(speech.synthesizer.speak(text)) for text in sentences])

        found = [await understood(speech, sound) for sound in sounds]
        texts = [" ".join(one.text for one in several) for several in found]
        by_voice = [word_errors(a, b) for a, b in zip(sentences, texts, strict=True)]
        waits = [one.silence_ms for several in found for one in several[-1:]]
        by_people = []
        for name, read in list(CLIPS.items())[: 1 if quick else None]:
            several = await understood(speech, clip(name))
            by_people.append(word_errors(read, " ".join(one.text for one in several)))
    figures = {
        "vad_ms_per_s": vad / seconds * 1000,
        "stt_ms": stt * 1000,
        "stt_wer": rate(by_voice + by_people),
        "stt_wer_voice": rate(by_voice),
        "stt_wer_people": rate(by_people),
        "turn_silence_ms": statistics.median(waits),
        "tts_first_ms": statistics.median(first) * 1000,
        "tts_rtf": whole / seconds,
        "warm_s": warm,
        "rss_mb": memory(),
    }
    table(
        "Embedded speech, one core, processor time",
        [
            (
                "voice activity, a second of audio",
                f"{figures['vad_ms_per_s']:.1f} ms",
                verdict(figures["vad_ms_per_s"] <= 10, "<= 10 ms"),
            ),
            (
                "recognition of a command of 2 s",
                f"{figures['stt_ms']:.0f} ms",
                verdict(figures["stt_ms"] <= 150, "<= 150 ms"),
            ),
            (
                "word errors, embedded voice",
                f"{figures['stt_wer_voice']:.1%}",
                f"{len(by_voice)} sentences",
            ),
            ("word errors, people", f"{figures['stt_wer_people']:.1%}", f"{len(by_people)} clips"),
            (
                "silence before a turn is over",
                f"{figures['turn_silence_ms']:.0f} ms",
                "median; its words are recognised meanwhile",
            ),
            (
                "first audio of a sentence",
                f"{figures['tts_first_ms']:.0f} ms",
                verdict(figures["tts_first_ms"] <= 120, "<= 120 ms"),
            ),
            ("synthesis, share of real time", f"{figures['tts_rtf']:.4f}", ""),
            ("warming up, once", f"{figures['warm_s']:.2f} s", "wall clock"),
            (
                "memory of the process",
                f"{figures['rss_mb']:.0f} MB",
                f"{before:.0f} MB before the models",
            ),
        ],
    )
    result(figures)


if __name__ == "__main__":
    asyncio.run(main())
