"""Talking with the built-in model: how much is understood aloud, how soon it answers, how large.

    python bench/talk.py [--quick] [--wrong]

The test set of the built-in model is spoken by the embedded voice, heard by the embedded recogniser
and judged as in bench/local.py, beside the same lines typed. Then a real
server is spoken to over `/ws/vox` at the speed of speech, by one client and by two at once. The
last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from websockets.asyncio.client import ClientConnection, connect

from antiphon.app.speech import hints_of
from antiphon.speech import SpeechBegan, SpeechEngines, Utterance, speech_for
from antiphon.speech.audio import from_pcm, resample, to_pcm
from antiphon.speech.ports import INPUT_RATE, OUTPUT_RATE
from common import result, table, verdict
from local import Tally, converse, judge, judge_answer, lines
from local_world import World, world

SET = "fresh"
QUICK = 20  # every so many-th line
SHARE, P50_MS, P95_MS, RSS_MB = 0.80, 650.0, 1500.0, 900.0
QUESTIONS = (
    "Who leads Harbor Light?",
    "What is the budget of Atlas?",
    "Who is the finance manager?",
    "How many days of holiday do we have?",
    "What does idempotent mean?",
    "Who are you?",
)
FRAME_MS = 20
FRAME = 2 * INPUT_RATE * FRAME_MS // 1000
LOUD = 0.02  # what is below at the end of a recording is no speech any more
START_SECONDS = 60.0
RUN = "import sys; from antiphon.cli import main; sys.exit(main())"


# -- how much is understood --------------------------------------------------------------------


class Spoken:
    """Says a line aloud and gives what is understood of it."""

    def __init__(self, speech: SpeechEngines, hints: list[str]) -> None:
        self._speech = speech
        self._hints = hints

    async def __call__(self, text: str) -> str:
        audio = await said(self._speech, text)
        listener = self._speech.listener(self._hints, longest_s=120)
        heard: list[str] = []

        async def read() -> None:
            async for event in listener.events():
                if isinstance(event, SpeechBegan) and event.goes_on:
                    heard.pop()
                elif isinstance(event, Utterance) and event.text:
                    heard.append(event.text)

        async with asyncio.TaskGroup() as group:
            group.create_task(read())
            await listener.feed(to_pcm(audio) + bytes(2 * INPUT_RATE))
            listener.close()
        return " ".join(heard)


async def said(speech: SpeechEngines, text: str) -> NDArray[np.float32]:
    speaker = speech.speaker()
    speaker.say(text)
    speaker.finish()
    pcm = b"".join([piece.audio async for piece in speaker.pieces()])
    return resample(from_pcm(pcm), OUTPUT_RATE, INPUT_RATE)


async def understood(speech: SpeechEngines, every: int, show: bool) -> dict[str, float]:
    """The share of lines that are right when typed, and when spoken."""
    async with world() as place:
        aloud = Spoken(speech, list(hints_of(place.names())))
        return await _compare(place, aloud, every, show)


async def _compare(place: World, aloud: Spoken, every: int, show: bool) -> dict[str, float]:
    right = {"typed": 0, "spoken": 0}
    tallies = {way: Tally() for way in right}
    of = 0
    for part in ("questions", "requests", "dialogues"):
        for number, line in enumerate(lines(SET, part, every)):
            of += 1
            typed = line["turns"] if part == "dialogues" else [line.get("ask") or line["say"]]
            for way in right:
                texts = typed if way == "typed" else [await aloud(each) for each in typed]
                mode = line.get("mode", "text")
                turn = await converse(place, mode, texts, f"{part}{number}{way}")
                judged = judge_answer if part == "questions" else judge
                wrong = judged(line, turn, place.writes, tallies[way])
                right[way] += not wrong
                if show and wrong:
                    print(f"{way} {typed!r} heard {texts!r}: {wrong}")
    return {
        "lines": of,
        "typed": right["typed"] / of,
        "spoken": right["spoken"] / of,
        "spoken_share": right["spoken"] / max(1, right["typed"]),
        "spoken_dangerous": tallies["spoken"].wrong_writes,
    }


# -- how soon it answers -----------------------------------------------------------------------


class Caller:
    """A client that speaks at the speed of speech."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.gaps: list[float] = []  # ms in which speech was due and had not come

    async def start(self) -> None:
        start = {"type": "start", "mode": "local", "profile": "assistant", "greeting": False}
        await self._socket.send(json.dumps(start))
        while (await self.message())["type"] != "setup_complete":
            pass

    async def message(self) -> Any:
        """The next message of the server."""
        return json.loads(await self._socket.recv())

    async def ask(self, pcm: bytes, speech_s: float) -> float:
        """Milliseconds from the end of speech to the first sound of the answer."""
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            began = time.perf_counter()
            feeding = group.create_task(self.feed(pcm, began))
            first, until = 0.0, 0.0
            while True:
                message = await self.message()
                now = time.perf_counter()
                if message["type"] == "audio":
                    if not first:
                        first = until = now
                    elif now > until:
                        self.gaps.append((now - until) * 1000)
                    size = len(base64.b64decode(message["data"]))
                    until = max(until, now) + size / (2 * OUTPUT_RATE)
                elif message["type"] == "turn_complete" and first:
                    break
            await feeding
            await asyncio.sleep(max(0.0, until - time.perf_counter()))
        return (first - began - speech_s) * 1000

    async def feed(self, pcm: bytes, began: float) -> None:
        for number, at in enumerate(range(0, len(pcm), FRAME)):
            due = began + number * FRAME_MS / 1000
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            data = base64.b64encode(pcm[at : at + FRAME]).decode()
            await self._socket.send(json.dumps({"type": "audio", "data": data}))


def ends_at(samples: NDArray[np.float32]) -> float:
    """Seconds until the last sound that is speech."""
    loud = np.flatnonzero(np.abs(samples) > LOUD * np.abs(samples).max())
    return float(loud[-1] + 1) / INPUT_RATE


async def answered(port: int, recordings: list[tuple[bytes, float]], clients: int) -> Any:
    """Delays of all answers, and the gaps in them."""

    async def one(shift: int) -> Caller:
        async with connect(f"ws://127.0.0.1:{port}/ws/vox", max_size=None) as socket:
            caller = Caller(socket)
            await caller.start()
            for number in range(len(recordings)):
                pcm, end = recordings[(number + shift) % len(recordings)]
                delays.append(await caller.ask(pcm, end))
            return caller

    delays: list[float] = []
    callers = await asyncio.gather(*(one(shift) for shift in range(clients)))
    return delays, [gap for caller in callers for gap in caller.gaps]


async def timed(speech: SpeechEngines, rounds: int) -> dict[str, float]:
    recordings = []
    for text in QUESTIONS:
        samples = await said(speech, text)
        recordings.append((to_pcm(samples) + bytes(3 * INPUT_RATE), ends_at(samples)))
    async with served() as (pid, port):
        await answered(port, recordings[:2], 1)  # what is loaded on first use
        one: list[float] = []
        two: list[float] = []
        gaps: list[float] = []
        for _ in range(rounds):
            one += (await answered(port, recordings, 1))[0]
            delays, found = await answered(port, recordings, 2)
            two += delays
            gaps += found
        rss = _rss(pid)
    return {
        "first_audio_p50_ms": statistics.median(one),
        "first_audio_p95_ms": _p95(one),
        "two_p50_ms": statistics.median(two),
        "two_p95_ms": _p95(two),
        "two_gaps": len(gaps),
        "rss_mb": rss,
    }


@asynccontextmanager
async def served() -> AsyncIterator[tuple[int, int]]:
    """A server of its own that has answered once: its process and its port."""
    with tempfile.TemporaryDirectory(prefix="antiphon-talk-") as folder:
        server, port = await asyncio.to_thread(_served, folder)
        try:
            await asyncio.to_thread(_warm, port)
            yield server.pid, port
        finally:
            server.terminate()
            await asyncio.to_thread(server.wait, 20)


def _served(folder: str) -> tuple[subprocess.Popen[str], int]:
    server = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", "--port", "0", "--data", f"{folder}/data"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
    )
    assert server.stdout is not None
    ready = server.stdout.readline()
    if "127.0.0.1:" not in ready:
        server.kill()
        raise SystemExit(f"the server did not start: {ready}")
    return server, int(ready.split("127.0.0.1:")[1].split()[0])


def _warm(port: int) -> None:
    """Until a question in writing is answered: everything that it needs is loaded then."""
    deadline = time.monotonic() + START_SECONDS
    body = json.dumps({"message": QUESTIONS[0]}).encode()
    headers = {"content-type": "application/json", "accept": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/chat", body, headers)
    with urllib.request.urlopen(request, timeout=deadline - time.monotonic()) as answer:
        answer.read()


def _rss(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise SystemExit("the memory of the server cannot be told")


def _p95(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


# -- the run -----------------------------------------------------------------------------------


async def measure(quick: bool, show: bool) -> dict[str, float]:
    async with speech_for() as speech:
        await speech.warm()
        share = await understood(speech, QUICK if quick else 1, show)
        return {**share, **await timed(speech, 1 if quick else 4)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th line, one round")
    parser.add_argument("--wrong", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    found = asyncio.run(measure(options.quick, options.wrong))
    goals = {
        "spoken_share": found["spoken_share"] >= SHARE,
        "first_audio_p50_ms": found["first_audio_p50_ms"] <= P50_MS,
        "first_audio_p95_ms": found["first_audio_p95_ms"] <= P95_MS,
        "rss_mb": found["rss_mb"] <= RSS_MB,
    }
    table(
        f"Talking with the built-in model ({os.cpu_count()} cores)",
        [
            ("right when typed", f"{found['typed']:.1%}", ""),
            ("right when spoken", f"{found['spoken']:.1%}", ""),
            (
                "spoken, of the typed score",
                f"{found['spoken_share']:.1%}",
                verdict(goals["spoken_share"], f">= {SHARE:.0%}"),
            ),
            ("wrong writes when spoken", f"{found['spoken_dangerous']:.0f}", ""),
            (
                "end of speech to first sound, p50",
                f"{found['first_audio_p50_ms']:.0f} ms",
                verdict(goals["first_audio_p50_ms"], f"<= {P50_MS:.0f} ms"),
            ),
            (
                "end of speech to first sound, p95",
                f"{found['first_audio_p95_ms']:.0f} ms",
                verdict(goals["first_audio_p95_ms"], f"<= {P95_MS:.0f} ms"),
            ),
            (
                "two at once, p50 and p95",
                f"{found['two_p50_ms']:.0f} ms, {found['two_p95_ms']:.0f} ms",
                f"{found['two_gaps']:.0f} gaps in the speech",
            ),
            (
                "memory of the server",
                f"{found['rss_mb']:.0f} MB",
                verdict(goals["rss_mb"], f"<= {RSS_MB:.0f} MB"),
            ),
        ],
    )
    result(found)
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
