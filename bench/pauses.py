"""Sentences with a pause inside, spoken to the built-in model: cut in two, talked over, how many.

    python bench/pauses.py [--quick] [--pause 0.6]

Each sentence is spoken by the embedded voice in two halves, with a pause between them, over
`/ws/vox` of a real server at the speed of speech, by several callers at once. It is cut in two when
its halves stay two turns, and talked over when an answer sounds before it is over. The last line is
JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from websockets.asyncio.client import connect

from antiphon.speech import SpeechEngines, speech_for
from antiphon.speech.audio import to_pcm
from antiphon.speech.ports import INPUT_RATE
from common import result, table, verdict
from talk import Caller, ends_at, said, served

PAUSES = (0.3, 0.6, 0.9)
QUICK = 5  # every so many-th sentence
CALLERS = 3
AFTER = 2.5  # seconds that are waited for the rest
CUT, OVER = 0.05, 0.5  # shares at most
SENTENCES = (
    "Who leads | Harbor Light?",
    "What is the budget | of Atlas?",
    "How many days of holiday | do we have?",
    "Who is the | finance manager?",
    "Show me the notes | of the last meeting.",
    "Search for the | analytical engine.",
    "Create an event | tomorrow at nine.",
    "Where does Kenji | work?",
    "What did we decide | about the new building?",
    "Tell me more about | the kitchen rules.",
    "Open | the settings page.",
    "Is there anything | about the printer?",
    "Who wrote | the travel policy?",
    "What does the word | idempotent mean?",
    "Find everything about the roadmap and | read it to me.",
    "Which projects | are late?",
    "Do we have a rule | for remote work?",
    "When is the | next board meeting?",
    "How do I get | a new laptop?",
    "Add a task for | the design review.",
    "Remind me to call | the office on Monday.",
    "Can you tell me | who owns Harbor Light?",
    "What happens if | I lose my badge?",
    "Who do I ask | about my salary?",
    "Delete the macro | called morning.",
    "I want to know | how Atlas is going.",
    "Give me a summary of | the onboarding guide.",
    "Where can I find | the coffee machine?",
    "How much did we spend | on travel last year?",
    "Please change | the theme to dark.",
    "Start the weekly report | and send it to the team.",
    "What time is it | in Tokyo?",
    "Is Marta | in Lisbon?",
    "List the people | who work in Bergen.",
    "Why was the launch | moved to May?",
    "Let me hear the | newest decisions.",
    "Put a meeting with Kenji | in my calendar.",
    "The wireless network | in the kitchen is slow.",
    "Which customers | use Harbor Light?",
    "Thank you | for your help.",
)


@dataclass(slots=True)
class SplitSentence:
    """A sentence as it is sent, and when it is over, in seconds."""

    text: str
    pcm: bytes
    end: float


async def spoken(speech: SpeechEngines, sentence: str, pause: float) -> SplitSentence:
    first, second = [trimmed(await said(speech, half.strip())) for half in sentence.split("|")]
    whole = np.concatenate((first, np.zeros(round(pause * INPUT_RATE), np.float32), second))
    tail = bytes(2 * round(AFTER * INPUT_RATE))
    return SplitSentence(sentence, to_pcm(whole) + tail, len(whole) / INPUT_RATE)


def trimmed(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Without the silence before and after the words."""
    loud = np.flatnonzero(np.abs(samples) > 0.02 * np.abs(samples).max())
    return samples[loud[0] : round(ends_at(samples) * INPUT_RATE)]


async def heard(caller: Caller, one: SplitSentence) -> tuple[bool, bool]:
    """Whether a sentence was cut in two, and whether it was talked over."""
    turns: list[str] = []
    over = False
    began = time.perf_counter()

    async def read() -> None:
        nonlocal over
        while True:
            message = await caller.message()
            if message["type"] == "audio":
                over = over or time.perf_counter() < began + one.end
            elif message["type"] == "transcript" and message["role"] == "user" and message["text"]:
                if turns and turns[-1] == message.get("replaces"):
                    turns.pop()
                turns.append(message["text"])

    reading = asyncio.create_task(read())
    try:
        await caller.feed(one.pcm, began)
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    return len(turns) > 1, over


async def measure(pauses: list[float], every: int, show: bool) -> dict[str, float]:
    found: dict[str, float] = {}
    async with speech_for() as speech:
        await speech.warm()
        async with served() as (_, port):
            for pause in pauses:
                lines = [await spoken(speech, each, pause) for each in SENTENCES[::every]]
                if not found:
                    await _counted(port, lines[:1], False)  # what is loaded on first use
                for key, value in (await _counted(port, lines, show)).items():
                    found[f"{key}_{pause:g}"] = value
    return found


async def _counted(port: int, lines: list[SplitSentence], show: bool) -> dict[str, float]:
    counts = {"sentences": len(lines), "cut": 0, "over": 0}
    waiting = list(reversed(lines))

    async def one() -> None:
        while waiting:
            line = waiting.pop()
            async with connect(f"ws://127.0.0.1:{port}/ws/vox", max_size=None) as socket:
                caller = Caller(socket)
                await caller.start()
                cut, over = await heard(caller, line)
            counts["cut"] += cut
            counts["over"] += over
            if show and (cut or over):
                print(f"{line.text}{' CUT' if cut else ''}{' OVER' if over else ''}")

    await asyncio.gather(*(one() for _ in range(CALLERS)))
    return dict(counts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th sentence")
    parser.add_argument("--pause", type=float, action="append", help="seconds; may be repeated")
    parser.add_argument("--wrong", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    pauses = options.pause or list(PAUSES)
    found = asyncio.run(measure(pauses, QUICK if options.quick else 1, options.wrong))
    rows, met = [], True
    for pause in pauses:
        of, cut, over = (found[f"{key}_{pause:g}"] for key in ("sentences", "cut", "over"))
        good = cut <= CUT * of and over <= OVER * of
        met = met and good
        goal = f"at most {CUT:.0%} cut, {OVER:.0%} talked over"
        rows.append(
            (
                f"pause of {pause:g} s",
                f"{cut:.0f} cut in two, {over:.0f} talked over of {of:.0f}",
                verdict(good, goal),
            )
        )
    table("Sentences with a pause inside", rows)
    result(found)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
