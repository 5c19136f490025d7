"""A plain client of `/ws/vox`: speaks WAV files or types, keeps what was said and what was heard.

python examples/voice_client.py --mode gemini --say question.wav --type "And tomorrow?" --yes

It needs `websockets` and nothing else. What the model says is played into `answer.wav`.
"""

# ruff: noqa: T201 - it is here to print
from __future__ import annotations

import argparse
import asyncio
import base64
import json
import time
import wave
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

RATE_IN, RATE_OUT = 16_000, 24_000
PIECE_MS = 40
CUT_IN_MS = 300  # of the model's speech is listened to before somebody cuts in
OVER, TAKEN_OVER = 1000, 4001  # after these codes nobody comes back
FIELDS = ("mode", "profile", "voice", "user", "pending_request", "conversation", "session_token")


class Problem(Exception):
    """Why there is no conversation, or no longer."""


class Client:
    """One conversation, over as many sockets as it takes."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.start = {name: getattr(args, name) for name in FIELDS}
        self.turns = deque(args.turns)
        self.ready = False  # the model listens
        self.owed = int(args.listen)  # answers that are still to come
        self.over = False
        self.failed = False
        self.asked: list[dict[str, Any]] = []  # approvals that are waited for
        self.news = asyncio.Event()
        self.pieces: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()  # came, not yet played
        self.playing = False
        self.heard = 0.0  # milliseconds since the person last said something
        self.played: dict[int, float] = {}  # milliseconds of each turn
        self.speech = bytearray()
        self.entries: list[dict[str, Any]] = []  # of the transcript
        self.open: dict[tuple[str, Any], dict[str, Any]] = {}  # those that may go on
        self.shown = 0

    async def run(self) -> int:
        for attempt in range(self.args.attempts):
            await asyncio.sleep(0.3 * attempt)
            try:
                async with connect(self.args.url, max_size=None) as socket:
                    code = await self.hold(socket)
            except (OSError, WebSocketException) as error:
                if self.start["session_token"] is None:
                    raise Problem(f"no line to {self.args.url}: {error}") from None
                code = 1006
            if code == OVER:
                return int(self.failed)
            if code == TAKEN_OVER or self.start["session_token"] is None:
                raise Problem(f"the server closed the line with {code}")
            self.note("Line", f"lost ({code}); taking the conversation up again")
            self.ready = False
            self.hush()
            self.open.clear()
            self.played.clear()  # the server counts anew
        raise Problem(f"the line was lost {self.args.attempts} times")

    async def hold(self, socket: Any) -> int:
        """One socket, to its end: the code with which it was closed."""
        with suppress(ConnectionClosed):
            await say(socket, "start", **self.start)
        try:
            async with asyncio.TaskGroup() as group:
                for work in (self.listen, self.play, self.talk):
                    group.create_task(work(socket))
        except* ConnectionClosed:
            pass
        return socket.close_code or 1006

    # -- the person

    async def talk(self, socket: Any) -> None:
        while True:
            kind, value = self.turns[0] if self.turns else ("end", "")
            await self.until(self.can_cut_in if kind == "cut-in" else self.can_speak)
            if kind != "cut-in" and self.asked:
                await self.answer(socket, self.asked.pop(0))
                continue
            self.heard, self.owed = 0.0, 1
            if kind == "end":
                await say(socket, "end")
                return
            self.turns.popleft()
            if value.lower().endswith(".wav"):
                await self.speak(socket, read_wav(value))
            else:
                self.note("You", value)
                await say(socket, "text", text=value)

    async def until(self, holds: Any) -> None:
        """Wait for it as long as anything happens at all."""
        while not holds():
            self.news.clear()
            try:
                await asyncio.wait_for(self.news.wait(), self.args.patience)
            except TimeoutError:
                raise Problem(f"nothing came for {self.args.patience:g} seconds") from None

    def can_speak(self) -> bool:
        """The model has said what it had to say, and that was heard to its end."""
        quiet = not (self.owed or self.playing or self.pieces.qsize() or self.over)
        return self.ready and quiet

    def can_cut_in(self) -> bool:
        return self.ready and self.heard >= CUT_IN_MS

    async def speak(self, socket: Any, samples: bytes) -> None:
        size = RATE_IN * 2 * PIECE_MS // 1000
        for at in range(0, len(samples), size):
            piece = base64.b64encode(samples[at : at + size]).decode()
            await say(socket, "audio", data=piece)
            # A server takes 256 KiB a second: six times as fast as anybody speaks.
            await asyncio.sleep(PIECE_MS / 1000 / (5 if self.args.fast else 1))
        await say(socket, "audio_end")

    async def answer(self, socket: Any, request: dict[str, Any]) -> None:
        if self.args.approve is None:
            self.note("Left open", f"{request['title']} (--yes or --no answers it)")
            return
        self.owed = 1
        answer = {"id": request["id"], "token": request["token"], "approve": self.args.approve}
        await say(socket, "confirmation_response", **answer)

    # -- the model

    async def listen(self, socket: Any) -> None:
        while True:
            self.take(json.loads(await socket.recv()))
            self.news.set()

    def take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "setup_complete":
                self.ready, self.start["session_token"] = True, message["session_token"]
                how = message.get("resume_problem") or ("again" if message["resumed"] else "new")
                known = " ".join(message[name] for name in ("mode", "model", "profile"))
                self.note("Session", f"{message['sessionId']} ({known}, {how})")
            case "audio":
                self.pieces.put_nowait((message["turn_id"], base64.b64decode(message["data"])))
            case "transcript" if message["role"] == "user":
                self.words("You", message)
            case "transcript" | "text":
                self.words("Server" if message.get("filler") else "Model", message)
                if message["type"] == "text" and not message.get("filler"):
                    self.heard = CUT_IN_MS  # read at a glance
            case "interrupted":
                self.hush()
                self.note("You", "(cut in)")
            case "turn_complete":
                if message["reason"] != "interrupted":
                    self.owed = max(0, self.owed - 1)
                self.show()
            case "function_call":
                self.open.clear()  # what is said after it is said after it
                decision = message["decision"]
                text = f"`{json.dumps(message['args'], ensure_ascii=False)}` {decision['outcome']}"
                text += f" (rule {decision['rule']})"
                self.words(message["name"], {**message, "text": text}, message["fn_call_id"])
            case "function_result":
                result, took = message["result"], message["meta"]["duration"]
                text = "done" if result["success"] else f"{result['error_type']} {result['error']}"
                text = f", {took:g} ms: {text}"
                self.words(message["name"], {**message, "text": text}, message["fn_call_id"])
                if message["name"] == "end_voice_session" and result["success"]:
                    self.over = True  # the model says goodbye, and the server ends it
            case "confirmation_required":
                self.asked.append(message)
                self.note("Asked", f"{message['title']}: {message['preview']}")
            case "confirmation_resolved":
                self.note("Answered", message["outcome"])
            case "voice_session_end":
                self.over = True
                if message["textResponse"]:
                    self.note("In writing", message["textResponse"])
                self.note("Over", message["reason"])
            case "go_away":
                self.note("Server", message["message"])
            case "waiting":
                self.note("Waiting", message["message"])
            case "timeout":
                raise Problem(message["message"])
            case "error" if message.get("fatal") or message.get("about") == "start":
                raise Problem(message["message"])
            case "error":
                self.failed = True
                self.note("Error", message["message"])

    async def play(self, socket: Any) -> None:
        """Play what came, and say how much of it was heard."""
        while True:
            turn, samples = await self.pieces.get()
            self.playing = True
            length = len(samples) * 1000 / (RATE_OUT * 2)
            await asyncio.sleep(length / 1000 / (20 if self.args.fast else 1))
            self.playing = False
            self.speech += samples
            self.heard += length
            self.played[turn] = self.played.get(turn, 0.0) + length
            await say(socket, "playback", turn_id=turn, played_ms=int(self.played[turn]))
            self.news.set()

    def hush(self) -> None:
        while not self.pieces.empty():
            self.pieces.get_nowait()

    # -- what is kept

    def note(self, who: str, text: str, at: float | None = None) -> dict[str, Any]:
        entry = {"at": at or time.time(), "who": who, "text": text}
        self.entries.append(entry)
        return entry

    def words(self, who: str, message: dict[str, Any], key: Any = None) -> None:
        """A piece of something that comes in pieces."""
        entry = self.open.get((who, key or message["turn_id"]))
        if entry is None:
            entry = self.note(who, "", message.get("started_at"))
            self.open[who, key or message["turn_id"]] = entry
        entry["text"] += message["text"]

    def show(self) -> None:
        for entry in sorted(self.entries[self.shown :], key=lambda entry: entry["at"]):
            print(f"{entry['who']}: {entry['text'].strip()}", flush=True)
        self.shown = len(self.entries)

    def keep(self, folder: Path) -> None:
        self.show()
        folder.mkdir(parents=True, exist_ok=True)
        entries = sorted(self.entries, key=lambda entry: entry["at"])
        lines = [f"**{entry['who']}:** {entry['text'].strip()}\n" for entry in entries]
        (folder / "transcript.md").write_text("\n".join(lines), "utf-8")
        with wave.open(str(folder / "answer.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE_OUT)
            file.writeframes(bytes(self.speech))


async def say(socket: Any, type: str, **fields: Any) -> None:
    await socket.send(json.dumps({"type": type, **fields}))


def read_wav(name: str) -> bytes:
    try:
        with wave.open(name) as file:
            shape = (file.getnchannels(), file.getsampwidth() * 8, file.getframerate())
            samples = file.readframes(file.getnframes())
    except (OSError, EOFError, wave.Error) as error:
        raise Problem(f"{name} cannot be read as WAV: {str(error) or 'it is no sound'}") from None
    if shape != (1, 16, RATE_IN):
        raise Problem(
            f"{name} has {shape[0]} channels of {shape[1]} bits at {shape[2]} Hz; it must be mono, "
            f"16 bit, {RATE_IN} Hz: ffmpeg -i {name} -ac 1 -ar {RATE_IN} -sample_fmt s16 new.wav"
        )
    return samples


def arguments() -> argparse.ArgumentParser:
    words, text = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]), str
    add = words.add_argument
    for name, what in (
        ("say", "speak this WAV file (mono, 16 bit, 16 kHz)"),
        ("type", "write this"),
        ("cut-in", "the same, a WAV file or a text, while the model still speaks"),
    ):
        kind = lambda value, name=name: (name, value)  # noqa: E731
        add(f"--{name}", dest="turns", action="append", type=kind, default=[], help=what)
    add("--url", default="ws://127.0.0.1:8080/ws/vox")
    for name in FIELDS:
        add(f"--{name.replace('_', '-')}", type=text, help=f"`{name}` of `start`")
    add("--yes", dest="approve", action="store_true", default=None, help="approve what is asked")
    add("--no", dest="approve", action="store_false", help="refuse what is asked")
    add("--listen", action="store_true", help="let the model speak first")
    add("--fast", action="store_true", help="faster than real time")
    add("--out", type=Path, default=Path("conversation"), help="folder of what is kept")
    add("--patience", type=float, default=30.0, help="seconds to wait for anything at all")
    add("--attempts", type=int, default=5, help="how many sockets one conversation may take")
    return words


def main() -> int:
    words = arguments()
    args = words.parse_args()
    if not args.turns and not args.listen:
        words.print_help()
        return 0
    client, status = Client(args), 1
    try:
        for _, value in args.turns:
            if value.lower().endswith(".wav"):
                read_wav(value)  # what cannot be said is known before anybody is called
        status = asyncio.run(client.run())
    except* Problem as problems:
        client.note("Problem", str(problems.exceptions[0]))
    except* KeyboardInterrupt:
        client.note("Over", "stopped by hand")
    client.keep(args.out)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
