"""Terminal side of `antiphon talk`: playback of a file's turns, or a live conversation."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from collections import deque
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Protocol

from antiphon.contracts.events import INPUT_RATE, OUTPUT_RATE

if TYPE_CHECKING:
    from antiphon.cli.audio_devices import Devices
    from antiphon.cli.talk_client import TalkClient

FRAME_MS = 40
_FRAME = 2 * INPUT_RATE * FRAME_MS // 1000
# A file is said faster than a person would; what is heard has its own time.
SPEED = 4
# Frames that may wait for the server: it should not be far behind when somebody is answered.
_MOST_WAITING = 4
TAIL = bytes(2 * INPUT_RATE)  # a second of silence behind what was said
# After the end of a file: who has said nothing for so long says nothing any more. A model at the
# other end of a network takes longer to begin.
QUIET_SECONDS, PATIENT_SECONDS = 1.0, 6.0
REPORT_SECONDS = 0.25
BROWSER_VOICE = "browser"


class Screen(Protocol):
    @property
    def asks(self) -> bool:
        """Whether a person can be asked here."""

    def show(self, message: dict[str, Any]) -> None: ...

    def note(self, text: str) -> None: ...


class Talking:
    """Base of both kinds of talk: shows messages, asks for approvals, notices the end."""

    def __init__(self, line: TalkClient, screen: Screen) -> None:
        self._line = line
        self._screen = screen
        self._loop = asyncio.get_running_loop()
        self._ready = asyncio.Event()
        self._news = asyncio.Event()
        self._open: deque[dict[str, Any]] = deque()  # what waits for approval
        self._asking = screen.asks and sys.stdin.isatty()
        self.failed = False

    async def run(self, start: dict[str, Any]) -> int:
        """Talk until it is over; return the exit status."""
        self._line.say("start", audio="binary", **start)
        if self._asking:
            _read_lines(self._loop, self._typed)
        reading = asyncio.create_task(self._read(), name="messages")
        doing = asyncio.create_task(self._do(), name="person")
        try:
            await asyncio.wait([reading, doing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, doing):
                task.cancel()
            results = await asyncio.gather(reading, doing, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result
        for request in self._open:
            self._screen.note(f"Not done without your approval: {request['preview']}")
        return int(self.failed)

    async def _read(self) -> None:
        async with aclosing(self._line.messages()) as messages:  # type: ignore[type-var]
            async for message in messages:
                if isinstance(message, tuple):
                    self._audio(*message)
                else:
                    self._screen.show(message)
                    self._message(message)
                self._news.set()

    def _message(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "setup_complete":
                if message["voice"] == BROWSER_VOICE:
                    words = f"{message['mode']} neither hears nor speaks; use antiphon chat."
                    self._screen.note(words)
                    self.failed = True
                    self._line.say("end")
                    return
                self._ready.set()
            case "confirmation_required":
                self._open.append(message)
                if self._asking:
                    self._screen.note("Approve? y or n, or say it where that is enough.")
            case "confirmation_resolved":
                self._open = deque(each for each in self._open if each["id"] != message["id"])
            case "error":
                if message.get("fatal") or not self._ready.is_set():
                    self.failed = True
                    self._line.say("end")

    def _typed(self, text: str | None) -> None:
        """A line of the terminal; None: there are no more."""
        if text is None:
            return
        words = text.strip().lower()
        if self._open and words in ("y", "yes", "n", "no"):
            request = self._open.popleft()
            self._line.say(
                "confirmation_response",
                id=request["id"],
                token=request["token"],
                approve=words in ("y", "yes"),
            )
            self._news.set()
        elif words:
            self._line.say("text", text=text.strip())

    def _audio(self, turn: int, pcm: bytes) -> None:
        raise NotImplementedError

    async def _do(self) -> None:
        raise NotImplementedError


class FileTalk(Talking):
    """Says what is in a recording, and lets the agent finish each answer before it goes on.

    `patient`: the model is at the other end of a network, and has to be listened to in real time.
    """

    def __init__(
        self, line: TalkClient, screen: Screen, pcm: bytes, *, patient: bool = False
    ) -> None:
        super().__init__(line, screen)
        self.spoken = bytearray()
        self._pcm = pcm
        self._patient = patient
        self._answering = False
        self._heard = False
        self._plays_until = 0.0

    def _audio(self, turn: int, pcm: bytes) -> None:
        del turn
        self.spoken += pcm
        start = max(self._loop.time(), self._plays_until)
        self._plays_until = start + len(pcm) / (2 * OUTPUT_RATE)

    def _message(self, message: dict[str, Any]) -> None:
        super()._message(message)
        match message["type"]:
            case "transcript" if message["role"] == "user" and message["final"]:
                self._heard = self._answering = True
            case "turn_complete":
                self._answering = False
            case "confirmation_resolved":
                self._answering = True  # what came of it is told
            case "interrupted":
                self._plays_until = 0.0

    def _waits(self) -> bool:
        """Whether the file has to wait: it is not its turn."""
        return self._answering or bool(self._open and self._asking)

    async def _do(self) -> None:
        await self._ready.wait()
        frames = self._pcm + TAIL
        due = self._loop.time()
        for at in range(0, len(frames), _FRAME):
            while self._waits() or self._line.waiting >= _MOST_WAITING:
                await self._change(0.05)
                due = self._loop.time()
            if self._patient or self._open:
                # Whoever is spoken to listens; a yes counts only after the question was heard.
                due = max(due, self._plays_until)
            await asyncio.sleep(due - self._loop.time())
            self._line.audio(frames[at : at + _FRAME])
            due += FRAME_MS / 1000 / SPEED
        self._line.say("audio_end")
        quiet = self._loop.time()
        patience = PATIENT_SECONDS if self._patient else QUIET_SECONDS
        while self._waits() or self._loop.time() - quiet < patience:
            if await self._change(0.1):
                quiet = self._loop.time()
        if not self._heard:
            self._screen.note("No words were heard.")
            self.failed = True

    async def _change(self, seconds: float) -> bool:
        """Wait for a message for so many seconds; False when none came."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
                return True
        return False


class LiveTalk(Talking):
    """Somebody at the microphone."""

    def __init__(self, line: TalkClient, screen: Screen, devices: Devices) -> None:
        super().__init__(line, screen)
        self._devices = devices

    def _audio(self, turn: int, pcm: bytes) -> None:
        self._devices.play(pcm, turn)

    def _message(self, message: dict[str, Any]) -> None:
        super()._message(message)
        if message["type"] == "interrupted":
            self._devices.flush()
        elif message["type"] == "setup_complete":
            self._screen.note("Speak. Ctrl+C hangs up.")

    async def _do(self) -> None:
        await self._ready.wait()
        with suppress(NotImplementedError):  # on Windows, where Ctrl+C ends the command at once
            self._loop.add_signal_handler(signal.SIGINT, self._line.say, "end")
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._report())
                while True:
                    self._line.audio(await self._devices.heard.get())
        finally:
            with suppress(NotImplementedError):
                self._loop.remove_signal_handler(signal.SIGINT)

    async def _report(self) -> None:
        told: dict[int, int] = {}
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            for turn, played in self._devices.played().items():
                if told.get(turn) != played:
                    told = {turn: played}
                    self._line.say("playback", turn_id=turn, played_ms=played)


def _read_lines(loop: asyncio.AbstractEventLoop, take: Any) -> None:
    """Read lines in a daemon thread, as waiting for a key cannot be cancelled."""

    def read() -> None:
        for line in sys.stdin:
            with suppress(RuntimeError):  # the loop is closed: the conversation is over
                loop.call_soon_threadsafe(take, line)
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(take, None)

    threading.Thread(target=read, name="terminal", daemon=True).start()
