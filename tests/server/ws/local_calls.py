"""Servers that speak by themselves, over a few tools and records, and somebody who calls them."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path
from typing import Any

from tests.server.conftest import Serve
from tests.server.ws.phone import PROFILE, Phone, VoiceServe
from tests.speech.helpers import moonshine, said, silence, together

from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.embedding import default_embedder
from antiphon.knowledge.exchange import import_file
from antiphon.knowledge.samples import MARK
from antiphon.knowledge.service import FOLDER
from antiphon.providers.local.speech_port import Manner
from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.speech.audio import from_pcm, resample, to_pcm

FRAME = 1280
RECORDS = [
    ("project:harbor_light", "project", "Harbor Light", "Kenji Okuhara leads Harbor Light."),
    ("person:kenji_okuhara", "person", "Kenji Okuhara", "Kenji Okuhara works in Bergen."),
    (
        "person:marta_quaresma",
        "person",
        "Marta Quaresma",
        "Marta Quaresma works in Lisbon, and keeps the kitchen rules.",
    ),
    (
        "process:kitchen",
        "process",
        "Kitchen rules",
        "The kitchen is cleaned every evening by whoever leaves last. Cups go into the machine, "
        "and plates as well. The coffee machine is switched off at seven, and the windows are "
        "closed. On Fridays the fridge is emptied, and what has no name on it is thrown away.",
    ),
]
SHIPPED = (
    *("kb-search", "kb-get", "end-voice-session", "ignore-user"),
    *("calendar-get-availability", "calendar-create-event", "image-generate"),
)
NOTE = {
    "toolId": "leave_note",
    "version": "1.0.0",
    "description": "Leave a note at the reception.",
    "category": "action",
    "sideEffects": "writes",
    "origin": "trusted",
    "outside": False,
    "idempotent": False,
    "requiresConfirmation": True,
    "risk": "low",
    "allowedModes": ["voice"],
    "latencyBudgetMs": 2000,
    "parameters": {
        "type": "object",
        "additionalProperties": False,
        "required": ["text"],
        "properties": {"text": {"type": "string", "description": "The note.", "maxLength": 200}},
    },
}
NOTE_GUIDE = """# leave_note

Leave a note at the reception. Use it when the user wants to leave a note there.

## Examples

"Leave a note that the printer is broken":

```json
{"text": "the printer is broken"}
```

## Phrases

- "Leave a note at the reception that {text}"
- "Leave a note that {text}"
"""
NOTE_HANDLER = """\
from antiphon import ok

async def execute(args, context):
    return ok({"left": args["text"]})
"""


def write_tools(folder: Path) -> Path:
    tools = folder / "tools"
    for name in SHIPPED:
        shutil.copytree(SHIPPED_TOOLS / name, tools / name)
    note = tools / "leave-note"
    note.mkdir()
    (note / "schema.json").write_text(json.dumps(NOTE))
    (note / "guide.md").write_text(NOTE_GUIDE)
    (note / "handler.py").write_text(NOTE_HANDLER)
    return tools


def write_knowledge(data: Path) -> None:
    """A knowledge base that counts as begun, so that the samples stay out."""
    home = data / FOLDER
    home.mkdir(parents=True)
    lines = [
        json.dumps({"kind": "record", "id": i, "type": t, "title": n, "text": x})
        for i, t, n, x in RECORDS
    ]
    (data / "studio.jsonl").write_text("\n".join(lines))
    with KnowledgeBase.open(home, embedder=default_embedder()) as base:
        import_file(base.create("studio", "Studio", "All of it."), data / "studio.jsonl")
    (home / MARK).write_text(json.dumps({"databases": ["studio"], "complete": True}))


# The calendar by voice, as the console's profile has it.
MODES = """
[modes]
calendar_get_availability = ["voice"]
calendar_create_event = ["voice"]
"""


class LocalServe(VoiceServe):
    """Servers over a few tools and a few records, and no key."""

    def __init__(self, folder: Path) -> None:
        tools = write_tools(folder)
        report = build([tools], folder / "tool_registry.json")
        assert report.ok, report.findings
        self.profiles = folder / "profiles"
        self.profiles.mkdir()
        (self.profiles / "plain.toml").write_text(PROFILE + MODES)
        registry = Registry.load(folder / "tool_registry.json").lock()
        Serve.__init__(self, registry, folder / "data")
        self._folder = folder

    def spoken_app(self, manner: Manner, **settings: Any) -> Any:
        self._made += 1
        data = self._folder / f"data-{self._made}"
        write_knowledge(data)
        app = self.app(data=data, profiles={"folder": self.profiles}, **settings)
        app.services.application.manner = manner
        return app


class Caller(Phone):
    """Speaks with recordings, as fast as they are taken."""

    def call(self, **fields: Any) -> None:
        self.start("local", audio="binary", greeting=False, **fields)

    def send(self, pcm: bytes) -> None:
        for at in range(0, len(pcm), FRAME):
            self.socket.send(pcm[at : at + FRAME])

    def speak(self, text: str) -> None:
        self.send(together(silence(0.2), said(text), silence(1.0)))

    def listen(self, seconds: float) -> None:
        """Silent, for as long as an answer is played."""
        pause = threading.Event()
        for _ in range(round(seconds / 0.1)):
            self.send(together(silence(0.1)))
            pause.wait(0.1)

    def answered(self, reason: str = "complete") -> str:
        """What is written of the next turn. Its sound is in `spoken` meanwhile."""
        self.heard.clear()
        self.until("turn_complete", reason=reason)
        return self.transcript("assistant")

    def transcript(self, role: str) -> str:
        return "".join(
            each["text"]
            for each in self.heard
            if isinstance(each, dict) and each["type"] == "transcript" and each["role"] == role
        )

    @property
    def spoken(self) -> bytes:
        return b"".join(each[4:] for each in self.heard if isinstance(each, bytes))

    def calls(self) -> list[str]:
        return [
            each["name"]
            for each in self.heard
            if isinstance(each, dict) and each["type"] == "function_call"
        ]


def understood(pcm: bytes) -> str:
    """What somebody would hear in this speech."""
    recognition = moonshine().recognition()
    recognition.feed(to_pcm(resample(from_pcm(pcm), 24_000, 16_000)))
    return recognition.finish()
