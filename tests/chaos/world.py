"""The world that a killed process leaves behind: tools, the file of their effects, the journal.

A journal line is written before a call is made and after its answer has been received, so what it
says has left the process. An effect is one line of a file of its own. Both outlive any crash.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from antiphon.registry.builder import build

Send = dict[str, Any]
Envelope = dict[str, Any]

HANDLER = """\
import asyncio
import os
import time

from antiphon import ErrorType, ToolError, fail, ok

EFFECTS = {effects!r}


def happen(args, context):
    life = context.workspace["life"]
    line = f"{{life}} {tool} {{args['n']}} {{context.idempotency_key}}\\n"
    file = os.open(EFFECTS, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(file, line.encode())
        os.fsync(file)
    finally:
        os.close(file)
    return ok({{"n": args["n"], "life": life}})


{execute}
"""
AT_ONCE = """\
async def execute(args, context):
    return happen(args, context)
"""
WAITING = """\
async def execute(args, context):
    await asyncio.sleep(0.002)
    done = happen(args, context)
    await asyncio.sleep(0.002)
    return done
"""
IN_A_THREAD = """\
def execute(args, context):
    time.sleep(0.004)
    done = happen(args, context)
    time.sleep(0.004)
    return done
"""
RAISING = """\
async def execute(args, context):
    if args["n"].endswith("0"):
        raise ToolError(ErrorType.TRANSIENT, "not now")
    done = happen(args, context)
    if args["n"].endswith("1"):
        raise RuntimeError("after the effect")
    return done
"""
RECONCILING = (
    WAITING
    + """

def reconcile(key):
    with open(EFFECTS) as effects:
        for line in effects:
            life, _, n, found = line.split()
            if found == key:
                return ok({"n": n, "life": int(life)})
    return fail(ErrorType.PERMANENT, "It did not happen.")
"""
)
# Tool, its handler, whether it is idempotent.
TOOLS = {
    "append_once": (AT_ONCE, False),
    "put_value": (WAITING, True),
    "book_seat": (RECONCILING, False),
    "raise_at_times": (RAISING, False),
    "write_slowly": (IN_A_THREAD, False),
}


@dataclass(frozen=True, slots=True)
class World:
    """Where everything is. `store` is the URL of the store under test."""

    folder: Path
    store: str

    @property
    def registry(self) -> Path:
        return self.folder / "tool_registry.json"

    @property
    def effects(self) -> Path:
        return self.folder / "effects"

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    @classmethod
    def make(cls, folder: Path, store: str | None = None) -> World:
        world = cls(folder, store or f"sqlite:///{folder / 'store.db'}")
        world.effects.touch()
        world.journal.touch()
        for tool, (execute, idempotent) in TOOLS.items():
            world._write_tool(tool, execute, idempotent)
        report = build([folder / "tools"], world.registry, use_cache=False)
        if not report.ok:
            raise SystemExit("\n".join(finding.message for finding in report.findings))
        return world

    def _write_tool(self, tool: str, execute: str, idempotent: bool) -> None:
        directory = self.folder / "tools" / tool.replace("_", "-")
        directory.mkdir(parents=True)
        contract = {
            "toolId": tool,
            "version": "1.0.0",
            "description": "Appends a line to the file of effects.",
            "category": "action",
            "sideEffects": "writes",
            "origin": "trusted",
            "outside": False,
            "idempotent": idempotent,
            "requiresConfirmation": False,
            "allowedModes": ["text", "voice"],
            # Duplicates wait this long for the first one; nothing here may take as long.
            "latencyBudgetMs": 10_000,
            "parameters": {
                "type": "object",
                "properties": {"n": {"type": "string", "description": "Which effect this is."}},
                "required": ["n"],
                "additionalProperties": False,
            },
        }
        handler = HANDLER.format(effects=str(self.effects), tool=tool, execute=execute)
        (directory / "schema.json").write_text(json.dumps(contract))
        (directory / "guide.md").write_text(f"# {tool}\n\nAppends a line.\n")
        (directory / "handler.py").write_text(handler)

    def read_effects(self) -> list[tuple[int, str, str, str]]:
        """Every effect: the life it happened in, the tool, which one, the key."""
        lines = self.effects.read_text().splitlines()
        return [
            (int(life), tool, n, key)
            for life, tool, n, key in (line.split(maxsplit=3) for line in lines)
        ]


def outcome(envelope: Envelope) -> str:
    """`ok`, or the type of the error."""
    return "ok" if envelope["ok"] else str(envelope["error"]["type"])


class Journal:
    """The worker's end of the journal."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)

    def write(self, **line: Any) -> None:
        os.write(self._file, orjson.dumps(line) + b"\n")
        os.fsync(self._file)


@dataclass
class Conversation:
    """A session as the journal tells it."""

    id: str
    lane: int
    saved: bool
    sends: list[str] = field(default_factory=list)
    ending: bool = False  # its end was begun
    left: bool = False  # the lane went on to another one


@dataclass
class Past:
    """What the journal says up to now. Read by the parent; a worker is born with it."""

    conversations: dict[str, Conversation] = field(default_factory=dict)
    sends: dict[str, Send] = field(default_factory=dict)
    answers: dict[str, Envelope] = field(default_factory=dict)
    resent: int = 0
    ready: int = 0
    read: int = 0

    def catch_up(self, path: Path) -> None:
        """Read on from where the last reading ended."""
        with path.open("rb") as file:
            file.seek(self.read)
            text = file.read()
        self.read += len(text)
        for line in text.splitlines():
            self._take(orjson.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        what = line["do"]
        if what == "open":
            self.conversations[line["session"]] = Conversation(
                line["session"], line["lane"], line["saved"]
            )
        elif what == "call":
            self.sends[line["send"]] = line
            self.conversations[line["session"]].sends.append(line["send"])
        elif what == "answer":
            self.answers[line["send"]] = line["envelope"]
        elif what == "resend":
            self.resent += 1
        elif what == "ready":
            self.ready += 1
        elif what == "ending":
            self.conversations[line["session"]].ending = True
        elif what == "left":
            self.conversations[line["session"]].left = True

    def unanswered(self, conversation: Conversation) -> list[Send]:
        """In the order in which they were made."""
        return [self.sends[send] for send in conversation.sends if send not in self.answers]


def cut_half_line(path: Path) -> None:
    """A kill may tear the line that was being written: whoever writes next needs a fresh one."""
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        start = max(0, size - 65536)
        file.seek(start)
        tail = file.read()
        if tail and not tail.endswith(b"\n"):
            file.truncate(start + tail.rfind(b"\n") + 1)
