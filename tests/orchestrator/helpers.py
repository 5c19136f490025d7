"""A house to test in: real tools on disk, a real store, an orchestrator, and virtual time.

The handlers of the tools do what the test says: they call `context.workspace`, a `Workshop` that
also counts every effect. It outlives orchestrators, as the world outside does.
"""

from __future__ import annotations

import asyncio
import atexit
import inspect
import json
import tempfile
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from antiphon import Orchestrator, Registry, ToolCall, ok
from antiphon.contracts import Envelope, envelope_problems
from antiphon.orchestrator.session import Session
from antiphon.registry.builder import build
from antiphon.storage import AuditLine, LedgerRow, Store
from antiphon.testing import Clock, VirtualTimeLoop, run

T = TypeVar("T")
Script = Callable[..., Any]

SCRIPTED = """\
async def execute(args, context):
    return await context.workspace.perform({tool!r}, args, context)
"""
SYNC = """\
def execute(args, context):
    return context.workspace.perform_now({tool!r}, args, context)
"""
STEPS = """\
from antiphon import ok


async def execute(args, context):
    yield {{"message": "one", "done": 1}}
    yield "two"
    yield ok({{"steps": 2}})
"""
VARIANT = """\
from antiphon import ok


async def execute(args, context):
    return ok({{"by": {name!r}}})
"""
# Asks a file what became of a call, because `reconcile` gets the key and nothing else.
RECONCILING = """\
import json
from pathlib import Path

from antiphon import ok


async def execute(args, context):
    return await context.workspace.perform({tool!r}, args, context)


def reconcile(key):
    known = json.loads(Path({file!r}).read_text())
    return ok(known[key]) if key in known else None
"""

TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "description": "Any text."}},
    "additionalProperties": False,
}
QUERY = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to look for."},
        "top_k": {"type": "integer", "minimum": 1, "maximum": 50, "default": 5},
    },
    "required": ["query"],
    "additionalProperties": False,
}
MAIL = {
    "type": "object",
    "properties": {
        "to": {"type": "array", "items": {"type": "string"}, "description": "Who gets it."},
        "subject": {"type": "string", "default": "Hello", "description": "Its first line."},
    },
    "required": ["to"],
    "additionalProperties": False,
}
LOGIN = {
    "type": "object",
    "properties": {"user": {"type": "string"}, "password": {"type": "string"}},
    "additionalProperties": False,
}

READ = {"category": "retrieval", "sideEffects": "read_only", "idempotent": True}
WRITE = {"category": "action", "sideEffects": "writes", "idempotent": False}
PURE = {"category": "utility", "sideEffects": "none", "idempotent": True}
ASKED = {**WRITE, "requiresConfirmation": True}


def contract(tool_id: str, **changes: Any) -> dict[str, Any]:
    return {
        "toolId": tool_id,
        "version": "1.2.3",
        "description": "Does what the test says.",
        "origin": "trusted",
        "outside": False,
        **PURE,
        "requiresConfirmation": False,
        "allowedModes": ["text", "voice"],
        "latencyBudgetMs": 500,
        "parameters": TEXT,
        **changes,
    }


def write_tool(
    folder: Path,
    tool_id: str,
    *,
    handler: str = SCRIPTED,
    files: dict[str, str] | None = None,
    **changes: Any,
) -> Path:
    """A tool directory; `{tool!r}` in the handler is the tool's id, `changes` its contract."""
    directory = folder / tool_id.replace("_", "-")
    directory.mkdir(parents=True, exist_ok=True)
    contents = {
        "schema.json": json.dumps(contract(tool_id, **changes)),
        "guide.md": f"# {tool_id}\n\nDoes what the test says.\n",
        "handler.py": handler.format(tool=tool_id),
        **(files or {}),
    }
    for name, text in contents.items():
        (directory / name).write_text(text, "utf-8")
    return directory


def built(folder: Path) -> Registry:
    """The registry of the tools in a folder, beside which the artifact is written."""
    report = build([folder], folder.parent / "tool_registry.json", use_cache=False)
    assert report.ok, [finding.message for finding in report.findings]
    return Registry.load(folder.parent / "tool_registry.json")


@cache
def toolbox() -> Registry:
    """One tool of each kind, built once for all tests."""
    home = tempfile.TemporaryDirectory(prefix="antiphon-tools-")
    atexit.register(home.cleanup)
    folder = Path(home.name) / "tools"
    limit = {"calls": 2, "windowMs": 10_000}
    tools: dict[str, dict[str, Any]] = {
        "look_up": {**READ, "parameters": QUERY},
        "compute": PURE,
        "flaky_pure": {**PURE, "idempotent": False},
        "plain": {**PURE, "handler": SYNC},
        "steps": {**PURE, "handler": STEPS},
        "shaped": {
            **PURE,
            "output": {"type": "object", "properties": {"n": {"type": "integer"}}},
        },
        "save_note": WRITE,
        "put_note": {**WRITE, "idempotent": True},
        "sign_in": {**WRITE, "parameters": LOGIN, "redact": ["/password"]},
        "send_mail": {**ASKED, "parameters": MAIL},
        "dim_lights": {**ASKED, "risk": "low", "idempotent": True},
        "burn_note": {**ASKED, "risk": "low"},
        "limited": {**PURE, "rateLimit": limit},
        "limited_write": {**WRITE, "rateLimit": limit},
        "text_only": {**PURE, "allowedModes": ["text"]},
        "voice_only": {**PURE, "allowedModes": ["voice"]},
        "for_admins": {**PURE, "availability": {"roles": ["admin"]}},
        "with_plan": {**PURE, "availability": {"when": "plan.tier == 'pro'"}},
        "read_page": {**READ, "origin": "untrusted", "parameters": TEXT},
        "read_keys": {**READ, "sensitivity": "secret", "parameters": TEXT},
        "read_diary": {**READ, "parameters": TEXT},
        "in_browser": {**PURE, "execution": "client"},
        "in_background": {**PURE, "execution": "background"},
        "outer": PURE,
        "middle": PURE,
        "inner": PURE,
    }
    for how in ("cancel", "finish", "detach"):
        tools[f"read_{how}"] = {**PURE, "interruption": how}
        tools[f"write_{how}"] = {**WRITE, "interruption": how}
    for tool_id, changes in tools.items():
        write_tool(folder, tool_id, **changes)
    write_tool(
        folder,
        "varied",
        variants=[
            {"name": "a", "weight": 3, "handler": "a.py"},
            {"name": "b", "weight": 1, "handler": "b.py"},
        ],
        files={"a.py": VARIANT.format(name="a"), "b.py": VARIANT.format(name="b")},
    )
    return built(folder)


class Workshop:
    """What handlers do and what they have done. A script gets the arguments and the context."""

    def __init__(self) -> None:
        self.scripts: dict[str, Script] = {}
        self.started: list[str] = []
        self.effects: list[tuple[str, dict[str, Any]]] = []
        self.keys: list[str] = []

    def does(self, tool_id: str, script: Script) -> None:
        """From now on a tool does this; a value instead of a function is what it answers."""
        self.scripts[tool_id] = script

    def happen(self, tool_id: str, args: dict[str, Any]) -> int:
        """The effect of a write; how many of its kind there have been."""
        self.effects.append((tool_id, dict(args)))
        return self.count(tool_id)

    def count(self, tool_id: str) -> int:
        return sum(tool == tool_id for tool, _ in self.effects)

    def perform_now(self, tool_id: str, args: dict[str, Any], context: Any) -> Any:
        self.started.append(tool_id)
        self.keys.append(context.idempotency_key)
        script = self.scripts.get(tool_id)
        if script is not None:
            return script(args, context)
        return ok({"effect": self.happen(tool_id, args), "args": args})

    async def perform(self, tool_id: str, args: dict[str, Any], context: Any) -> Any:
        answer = self.perform_now(tool_id, args, context)
        return await answer if inspect.isawaitable(answer) else answer


class HeldStore(Store):
    """A store under virtual time: what its thread does takes none of it."""

    async def run(self, work: Any, *, writes: bool = True) -> Any:
        with holding():
            return await super().run(work, writes=writes)

    async def transact(self, work: Any) -> Any:
        with holding():
            return await super().transact(work)

    async def begin(self, row: LedgerRow, audit: Sequence[Any] = ()) -> LedgerRow | None:
        with holding():
            return await super().begin(row, audit)

    async def finish(
        self, session_id: str, key: str, envelope: bytes, audit: Sequence[Any] = ()
    ) -> None:
        with holding():
            await super().finish(session_id, key, envelope, audit)

    async def recover(self, audit: Callable[[LedgerRow], Any] | None = None) -> list[LedgerRow]:
        with holding():
            return await super().recover(audit)

    async def flush(self) -> None:
        with holding():
            await super().flush()


def holding() -> AbstractContextManager[None]:
    loop = asyncio.get_running_loop()
    return loop.hold() if isinstance(loop, VirtualTimeLoop) else nullcontext()


class House:
    """An orchestrator in its surroundings."""

    def __init__(self, orchestrator: Orchestrator, work: Workshop, clock: Clock) -> None:
        self.orchestrator = orchestrator
        self.store = orchestrator.store
        self.work = work
        self.clock = clock

    def session(self, mode: str = "text", user: str = "ada", **options: Any) -> Session:
        return self.orchestrator.session(mode, user, **options)  # type: ignore[arg-type]

    async def lines(self, **filters: Any) -> list[AuditLine]:
        await self.store.flush()
        return await self.store.audit_lines(**filters)

    async def told(self, **filters: Any) -> list[dict[str, Any]]:
        """The audit as plain data, oldest first."""
        return [json.loads(line.line) for line in await self.lines(**filters)]


@asynccontextmanager
async def house(
    registry: Registry | None = None,
    *,
    store: str = "sqlite://",
    work: Workshop | None = None,
    **options: Any,
) -> AsyncIterator[House]:
    clock = Clock()
    work = work or Workshop()
    opened = await asyncio.to_thread(HeldStore.open, store, now=clock.now)
    try:
        async with Orchestrator(
            registry or toolbox(),
            store=opened,
            capabilities={"workspace": work, **options.pop("capabilities", {})},
            environment=options.pop("environment", {}),
            now=clock.now,
            monotonic=clock.monotonic,
            **options,
        ) as orchestrator:
            yield House(orchestrator, work, clock)
    finally:
        await opened.close()


def play(main: Coroutine[Any, Any, T]) -> T:
    """Run under virtual time. Nothing real is waited for but what is tracked or held."""
    return run(main, patience=0.0)


_ids = iter(range(10**9))


def call(name: Any, args: Any = None, **options: Any) -> ToolCall:
    """A call with an id of its own, as providers make them; `id=None` for one without."""
    return ToolCall(options.pop("id", f"call_{next(_ids):08d}"), name, args, **options)


async def answer(session: Session, name: Any, args: Any = None, **options: Any) -> Envelope:
    """The envelope of a call, checked to be one."""
    return valid(await session.dispatch(call(name, args, **options)))


def valid(envelope: Envelope) -> Envelope:
    assert envelope_problems(envelope) == []
    json.dumps(envelope)
    return envelope


def kind(envelope: Envelope) -> str:
    """`ok`, or the type of the error."""
    return "ok" if envelope["ok"] else str(envelope["error"]["type"])


async def settle(turns: int = 30) -> None:
    """Let everything run that can run now."""
    for _ in range(turns):
        await asyncio.sleep(0)
