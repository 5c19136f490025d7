"""A plain client of `/ws/vox`: speaks WAV files or types, keeps what was said and what was heard.

python examples/voice_client.py --mode gemini --say question.wav --type "And tomorrow?" --yes

It needs `websockets` and nothing else. What the model says is played to `answer.wav`.
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
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

RATE_IN, RATE_OUT = 16_000, 24_000
PIECE_MS = 40
CUT_IN_MS = 300  # of the model's speech that somebody listens to before they cut in
OVER, TAKEN_OVER = 1000, 4001  # codes after which nobody comes back
LINE_LOST = 5  # times that the line is made again


class Problem(Exception):
    """Why there is no conversation, or no longer."""


class Client:
    """One conversation, over as many sockets as it takes."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.turns = deque(args.turns)
        self.token: str | None = args.token
        self.entries: list[dict[str, Any]] = []  # of the transcript
        self.facts: dict[str, Any] = {}  # of setup_complete
        self.speech = bytearray()  # as it was heard
        self.waiting: deque[tuple[int, bytes]] = deque()  # came, but is not played yet
        self.played: dict[int, float] = {}  # milliseconds of each turn
        self.asked: list[dict[str, Any]] = []  # confirmations to be answered
        self.changed = asyncio.Event()
        self.owed = 1 if args.listen else 0  # answers that are still to come
        self.leaving = False  # the model ends the conversation
        self.failed = False

    async def run(self) -> int:
        lost = 0
        while True:
            try:
                async with connect(self.args.url, max_size=None) as socket:
                    await self.converse(socket)
                    return 1 if self.failed else 0
            except ConnectionClosed as closed:
                code, why = (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "cut")
                if code == OVER:
                    return 1 if self.failed else 0
                if code == TAKEN_OVER or self.token is None:
                    raise Problem(f"the server closed the line: {code} {why}") from None
            except (OSError, WebSocketException) as error:
                if self.token is None or not self.facts:
                    raise Problem(f"{self.args.url} cannot be reached: {error}") from None
                why = str(error)
            if (lost := lost + 1) > LINE_LOST:
                raise Problem(f"the line was lost {LINE_LOST} times: {why}")
            print(f"(the line was lost: {why}; taking the conversation up again)")
            self.waiting.clear()
            await asyncio.sleep(0.2 * lost)

    async def converse(self, socket: Any) -> None:
        """From `start` to the end, or to the loss of this socket."""
        wanted = ("mode", "profile", "voice", "user", "pending_request", "conversation")
        fields = {name: getattr(self.args, name) for name in wanted}
        if self.token is not None:
            fields = {"session_token": self.token}
        self.facts = {}
        await say(socket, "start", **fields)
        async with asyncio.TaskGroup() as group:
            player = group.create_task(self.play(socket))
            talker = group.create_task(self.talk(socket))
            try:
                async for raw in socket:
                    self.take(json.loads(raw))
                    self.changed.set()
            finally:
                player.cancel()
                talker.cancel()
        if not self.leaving:  # closed in good order, but not at the end of the conversation
            raise ConnectionClosed(socket.protocol.close_rcvd, None)

    # -- the person

    async def talk(self, socket: Any) -> None:
        while not self.facts:
            await self.news()
        while True:
            kind, value = self.turns[0] if self.turns else ("", "")
            while not (self.cut_in_now() if kind == "cut-in" else self.silent()):
                await self.news()
            if self.asked:
                await self.decide(socket, self.asked.pop(0))
            elif not kind:
                break
            else:
                self.turns.popleft()
                self.owed = 1
                await (self.speak if value.endswith(".wav") else self.write)(socket, value)
        self.leaving = True
        await say(socket, "end")

    async def news(self) -> None:
        """Wait until something happens."""
        self.changed.clear()
        try:
            await asyncio.wait_for(self.changed.wait(), self.args.patience)
        except TimeoutError:
            raise Problem(f"nothing came for {self.args.patience:g} seconds") from None

    def silent(self) -> bool:
        """The model has said what it had to say, and it was heard to its end."""
        return not (self.waiting or self.owed or self.leaving)

    def cut_in_now(self) -> bool:
        turn = max(self.played, default=0)
        return bool(self.owed) and self.played.get(turn, 0) >= CUT_IN_MS

    async def speak(self, socket: Any, name: str) -> None:
        pause = PIECE_MS / 1000 / (5 if self.args.fast else 1)  # the server takes no more than that
        samples = read_wav(Path(name))
        size = RATE_IN * 2 * PIECE_MS // 1000
        for at in range(0, len(samples), size):
            data = base64.b64encode(samples[at : at + size]).decode()
            await say(socket, "audio", data=data)
            await asyncio.sleep(pause)
        await say(socket, "audio_end")

    async def write(self, socket: Any, text: str) -> None:
        self.entry("You", time.time(), text)
        await say(socket, "text", text=text)

    async def decide(self, socket: Any, request: dict[str, Any]) -> None:
        if self.args.approve is None:
            print("  (left open; --yes or --no answers it)")
            return
        self.owed = 1
        answer = {"id": request["id"], "token": request["token"], "approve": self.args.approve}
        await say(socket, "confirmation_response", **answer)

    # -- the model

    def take(self, message: dict[str, Any]) -> None:
        match message["type"]:
            case "setup_complete":
                self.facts, self.token = message, message["session_token"]
                again = ", taken up again" if message["resumed"] else ""
                print(f"({message['mode']}, {message['model']}, {message['profile']}{again})")
                if "resume_problem" in message:
                    print(f"  ({message['resume_problem']})")
            case "audio":
                self.waiting.append((message["turn_id"], base64.b64decode(message["data"])))
            case "text" | "transcript":
                who = "You" if message.get("role") == "user" else "Model"
                if message.get("filler"):
                    who = "Server"
                self.words(who, message)
            case "interrupted":
                self.waiting.clear()
                self.entry("*", time.time(), "*(you cut in)*")
            case "turn_complete" if message["reason"] != "interrupted":
                self.owed = max(0, self.owed - 1)
            case "function_call" | "function_result":
                self.call(message)
            case "confirmation_required":
                self.entry("Asked", time.time(), f"{message['title']}: {message['preview']}")
                self.asked.append(message)
            case "confirmation_resolved":
                self.entry("Answered", time.time(), message["outcome"])
            case "voice_session_end":
                self.leaving = True
                if message["textResponse"]:
                    self.entry("Left in writing", time.time(), message["textResponse"])
                print(f"(the conversation is over: {message['reason']})")
            case "go_away":
                print(f"  {message['message']}")
            case "timeout":
                raise Problem(message["message"])
            case "error":
                self.error(message)

    def words(self, who: str, message: dict[str, Any]) -> None:
        turn, last = message["turn_id"], next(reversed(self.entries), {})
        for entry in reversed(self.entries):
            if (entry["who"], entry.get("turn")) == (who, turn) and who == last.get("who", who):
                entry["text"] += message["text"]
                return
        self.entry(who, message.get("started_at") or time.time(), message["text"], turn)
        if message["type"] == "text":
            self.played.setdefault(turn, CUT_IN_MS)  # read at a glance

    def call(self, message: dict[str, Any]) -> None:
        if message["type"] == "function_call":
            decision = message["decision"]
            decided = f"{decision['outcome']} ({decision['rule']})"
            text = f"{json.dumps(message['args'], ensure_ascii=False)}: {decided}"
            self.entry(message["name"], message["started_at"], text, message["fn_call_id"])
            return
        result, took = message["result"], message["meta"]["duration"]
        outcome = "done" if result["success"] else f"{result['error_type']}: {result['error']}"
        for entry in self.entries:
            if entry.get("turn") == message["fn_call_id"]:
                entry["text"] += f", {took:g} ms, {outcome}"
                print(f"  [{entry['who']} {entry['text']}]")
        if message["name"] == "end_voice_session" and result["success"]:
            self.owed += 1  # the farewell

    def error(self, message: dict[str, Any]) -> None:
        if message.get("about") == "start" or message.get("fatal"):
            raise Problem(message["message"])
        self.failed = True
        self.entry("Error", time.time(), message["message"])

    async def play(self, socket: Any) -> None:
        """Plays what waits, and says how much of it was heard."""
        speed = 20 if self.args.fast else 1
        while True:
            while not self.waiting:
                await self.changed_soon()
            turn, samples = self.waiting.popleft()
            length = len(samples) * 1000 / (RATE_OUT * 2)
            await asyncio.sleep(length / 1000 / speed)
            self.speech += samples
            self.played[turn] = self.played.get(turn, 0) + length
            await say(socket, "playback", turn_id=turn, played_ms=int(self.played[turn]))
            self.changed.set()

    async def changed_soon(self) -> None:
        await asyncio.sleep(0.005)

    # -- what is kept

    def entry(self, who: str, at: float, text: str, turn: Any = None) -> None:
        self.entries.append({"who": who, "at": at, "text": text, "turn": turn})

    def keep(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"**{e['who']}:** {e['text'].strip()}\n" for e in sorted(self.entries, key=began)]
        (folder / "transcript.md").write_text("\n".join(["# Conversation\n", *lines]), "utf-8")
        with wave.open(str(folder / "answer.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE_OUT)
            file.writeframes(bytes(self.speech))
