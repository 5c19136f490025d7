"""Kills a process that adds texts to knowledge graphs in the background, and looks at what is left.

`python -m tests.chaos.tasks --kills 100`. The last line is JSON; the status is 1 when a promise was
broken, and then the files stay where the report says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antiphon import Orchestrator, Registry, ToolCall
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.capability import Knowledge
from antiphon.knowledge.exchange import export_file
from antiphon.knowledge.ingestion import ingest
from antiphon.registry.builder import build
from antiphon.registry.sources import SHIPPED_TOOLS
from antiphon.storage import Store
from antiphon.tasks import TaskRunner

TOOL = "ingest_to_kg"
SESSION = "chaos"
AT_ONCE = 3
CHARACTERS = (2_000, 30_000)
# A life is killed so soon after it is ready; the longest ones finish a text or two.
LIFE_SECONDS = (0.0, 1.5)
READY_SECONDS = 60
LAST_LIFE_SECONDS = 600

FIRST = ("Greta", "Mikkel", "Ada", "Tobias", "Noor", "Idris", "Joana", "Wanda", "Sorin", "Vlad")
LAST = ("Lindqvall", "Thorsager", "Wennergren", "Eldamaty", "Belkacem", "Sequeira", "Szymik")


def written(seed: int, number: int) -> str:
    """The text of a document, the same whenever it is asked for."""
    rng = random.Random(f"{seed}/{number}")
    wanted, parts, length = rng.randint(*CHARACTERS), [f"Document {number}."], 0
    while length < wanted:
        person, other = (f"{rng.choice(FIRST)} {rng.choice(LAST)}" for _ in range(2))
        firm = f"{rng.choice(LAST)} Labs"
        sentence = rng.choice(
            (
                f"{person} works for {firm}.",
                f"{person} leads Project {rng.choice(LAST)}.",
                f"{firm} is based in Oslo.",
                f"{person} reports to {other}.",
            )
        )
        parts.append(sentence)
        length += len(sentence) + 1
    return " ".join(parts)


@dataclass(frozen=True)
class World:
    """What outlives a life."""

    folder: Path
    seed: int
    store: str

    @property
    def journal(self) -> Path:
        return self.folder / "journal"

    @property
    def graphs(self) -> Path:
        return self.folder / "graphs"

    @property
    def registry(self) -> Path:
        return self.folder / "tool_registry.json"

    def events(self) -> Iterator[dict[str, Any]]:
        for line in self.journal.read_text("utf-8").splitlines():
            if line.endswith("}"):  # the last one of a life may be cut short
                yield json.loads(line)


# -- one life --------------------------------------------------------------------------------------


class Life:
    def __init__(self, world: World, orchestrator: Orchestrator, base: KnowledgeBase) -> None:
        self._world = world
        self._orchestrator = orchestrator
        self._base = base
        events = list(world.events())
        self._called = {event["doc"] for event in events if event["do"] == "call"}
        self._answered = {event["doc"] for event in events if event["do"] == "answer"}
        self._journal = world.journal.open("a", encoding="utf-8")
        self._over = asyncio.Event()

    def _write(self, **event: Any) -> None:
        # The new line comes first, so that a line that was cut short spoils no other.
        self._journal.write("\n" + json.dumps(event))
        self._journal.flush()

    async def live(self, *, last: bool) -> None:
        orchestrator = self._orchestrator
        session = await orchestrator.resume(SESSION)
        if session is None:
            session = orchestrator.session("text", "ada", id=SESSION)
            await orchestrator.save(session)
        for message in session.drain_messages():
            self._told(message)
        session.channel = self._told

        def late(*_: Any) -> None:
            for _call, envelope in session.drain_late_results():
                self._write(do="told", whom="model", task=envelope["meta"]["taskId"])

        session.late_listeners.subscribe(late)
        late()
        self._write(do="ready", pid=os.getpid())
        for number in sorted(self._called - self._answered):
            await self._add(session, number)
        while not last:
            tasks = orchestrator.background.backend  # type: ignore[union-attr]
            unfinished = [*await tasks.list(status="queued"), *await tasks.list(status="running")]
            if len(unfinished) < AT_ONCE:
                await self._add(session, len(self._called))
            await asyncio.sleep(0.005)
        await self._settled()

    async def _add(self, session: Any, number: int) -> None:
        if f"d{number}" not in self._base.ids():
            self._base.create(f"d{number}")
        self._called.add(number)
        self._write(do="call", doc=number)
        session.end_turn()
        args = {"database_id": f"d{number}", "text": written(self._world.seed, number)}
        envelope = await session.dispatch(ToolCall(None, TOOL, args, f"doc-{number}"))
        if not envelope["ok"]:
            raise RuntimeError(f"document {number}: {envelope['error']}")
        self._write(do="answer", doc=number, task=envelope["data"]["task_id"])

    def _told(self, message: dict[str, Any]) -> None:
        if message["type"] == "async_task_complete":
            self._write(do="told", whom="client", task=message["task_id"])

    async def _settled(self) -> None:
        """Until nothing runs, and everything is noted as told."""
        tasks = self._orchestrator.background.backend  # type: ignore[union-attr]
        while True:
            found = await tasks.list(limit=100_000)
            if all(task.finished and task.client_told and task.model_told for task in found):
                return
            await asyncio.sleep(0.02)


async def _live(world: World, *, last: bool) -> None:
    with KnowledgeBase.open(world.graphs) as base:
        async with Orchestrator(
            Registry.load(world.registry),
            world.store,
            capabilities={"knowledge": Knowledge(base)},
            tasks=TaskRunner,
        ) as orchestrator:
            await Life(world, orchestrator, base).live(last=last)


def spawn(world: World, *, last: bool = False) -> int:
    """A new process, forked so that it begins at once. This one must have no threads."""
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        logging.basicConfig(filename=world.folder / "log", format="%(message)s")
        asyncio.run(_live(world, last=last))
        status = 0
    except BaseException:
        logging.exception("the life failed")
    finally:
        os._exit(status)


# -- all of them -----------------------------------------------------------------------------------


def run(world: World, kills: int) -> str | None:
    """What went wrong, if a life did not end as it was to."""
    rng = random.Random(world.seed)
    world.journal.touch()
    for number in range(kills):
        pid = spawn(world)
        deadline = time.monotonic() + READY_SECONDS
        while not _under_way(world, pid):
            if os.waitpid(pid, os.WNOHANG)[0] or time.monotonic() > deadline:
                return f"life {number} did not begin"
            time.sleep(0.002)
        time.sleep(rng.uniform(*LIFE_SECONDS))
        if os.waitpid(pid, os.WNOHANG)[0]:
            return f"life {number} ended by itself"
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    pid = spawn(world, last=True)
    deadline = time.monotonic() + LAST_LIFE_SECONDS
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return None if status == 0 else "the last life failed"
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return "the last life did not come to its end"
        time.sleep(0.01)


def _under_way(world: World, pid: int) -> bool:
    """This life has begun, and there is something that a kill can interrupt."""
    events = list(world.events())
    began = any(event["do"] == "ready" and event["pid"] == pid for event in events)
    return began and sum(event["do"] == "call" for event in events) >= AT_ONCE


async def examine(world: World) -> tuple[dict[str, Any], list[str]]:
    """Numbers, and each promise that was broken, in words."""
    wrong: list[str] = []
    events = list(world.events())
    answers: dict[int, set[str]] = {}
    for event in events:
        if event["do"] == "answer":
            answers.setdefault(event["doc"], set()).add(event["task"])
    called = {event["doc"] for event in events if event["do"] == "call"}
    told = {
        whom: Counter(e["task"] for e in events if e["do"] == "told" and e["whom"] == whom)
        for whom in ("client", "model")
    }
    async with await asyncio.to_thread(Store.open, world.store) as store:
        tasks = {task.id: task for task in await TaskRunner(store).list(limit=100_000)}
        report = await store.verify_audit()
        if not report.ok:
            wrong.append(f"the audit is broken: {report.problem}")
    wrong += [f"document {n} has no answer" for n in called - answers.keys()]
    wrong += [f"document {n} has tasks {ids}" for n, ids in answers.items() if len(ids) != 1]
    if len(tasks) != len(called):
        wrong.append(f"{len(called)} documents have {len(tasks)} tasks")
    for task in tasks.values():
        if task.status != "succeeded":
            wrong.append(f"task {task.id} is {task.status}: {task.envelope}")
        for whom, heard in told.items():
            if not heard[task.id]:
                wrong.append(f"task {task.id} was not told to the {whom}")
    with KnowledgeBase.open(world.graphs) as base:
        for number in sorted(called):
            if _content(base, f"d{number}", world.folder) != _clean(world, number):
                wrong.append(f"the graph of document {number} differs from one made at once")
    return {
        "documents": len(called),
        "taken_up_again": sum(task.attempts > 1 for task in tasks.values()),
        "most_attempts": max((task.attempts for task in tasks.values()), default=0),
        "told_again": sum(count - 1 for heard in told.values() for count in heard.values()),
    }, wrong


def _clean(world: World, number: int) -> list[str]:
    """What the graph of a document is when nothing disturbs its making."""
    with (
        tempfile.TemporaryDirectory() as folder,
        KnowledgeBase.open(Path(folder) / "graphs") as base,
    ):
        graph = base.create("one")
        ingest(
            graph,
            written(world.seed, number),
            source="conversation",
            last_updated="2026-01-01T00:00:00+00:00",
        )
        return _content(base, "one", Path(folder))


def _content(base: KnowledgeBase, name: str, folder: Path) -> list[str]:
    """Records and edges without the time at which they were made."""
    path = folder / f"{name}.jsonl"
    export_file(base.database(name), path)
    found = []
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        entry.pop("last_updated", None)
        found.append(json.dumps(entry, sort_keys=True))
    path.unlink()
    return sorted(found)


def make(folder: Path, seed: int, store: str | None) -> World:
    world = World(folder, seed, store or f"sqlite:///{folder / 'store.db'}")
    tools = folder / "tools"
    tools.mkdir()
    shutil.copytree(SHIPPED_TOOLS / "ingest-to-kg", tools / "ingest-to-kg")
    report = build([tools], world.registry)
    assert report.ok, report.findings
    return world


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often (100)")
    parser.add_argument("--seed", type=int, help="of texts and moments; drawn and told if left out")
    parser.add_argument("--store", help="URL of an empty store (an SQLite file of its own)")
    options = parser.parse_args()
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    folder = Path(tempfile.mkdtemp(prefix="antiphon-chaos-tasks-"))
    started = time.monotonic()
    world = make(folder, seed, options.store)
    problem = run(world, options.kills)
    numbers, wrong = ({}, [problem]) if problem else asyncio.run(examine(world))
    for each in wrong:
        print(each)
    if wrong:
        log = folder / "log"
        print(log.read_text()[-4000:] if log.exists() else "")
        print(f"seed {seed}; its files are in {folder}")
    else:
        shutil.rmtree(folder)
    seconds = round(time.monotonic() - started, 1)
    print(json.dumps({"kills": options.kills, "seed": seed, "seconds": seconds, **numbers}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
