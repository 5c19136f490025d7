"""Where handlers run: inline, in threads of their own pool, in worker processes with limits."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.orchestrator.helpers import PURE, READ, WRITE, contract

from antiphon import Orchestrator, Registry, ToolCall, ToolError
from antiphon.contracts import ErrorType, envelope_problems
from antiphon.orchestrator.session import Session
from antiphon.registry.builder import build
from antiphon.testing import Clock, tool_session
from antiphon.workers import WorkerPool

pytestmark = pytest.mark.real_time

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="walls that only Linux has")

HEAD = "import asyncio, os, time\nfrom antiphon import ErrorType, ToolError, fail, ok\n\n\n"
ASYNC = HEAD + "async def execute(args, context):\n"
PLAIN = HEAD + "def execute(args, context):\n"


def tool(folder: Path, tool_id: str, handler: str, **changes: Any) -> Path:
    directory = folder / "tools" / tool_id.replace("_", "-")
    directory.mkdir(parents=True)
    schema = contract(tool_id, **{"isolation": "process", "latencyBudgetMs": 3000, **changes})
    (directory / "schema.json").write_text(json.dumps(schema))
    (directory / "guide.md").write_text(f"# {tool_id}\nDoes what the test says.\n")
    (directory / "handler.py").write_text(handler)
    return directory


def built(folder: Path) -> Registry:
    report = build([folder / "tools"], folder / "tool_registry.json")
    assert report.ok, [(f.rule, f.message) for f in report.findings]
    return Registry.load(folder / "tool_registry.json")


def within(folder: Path, scenario: Callable[[Session, Orchestrator], Any], **options: Any) -> Any:
    async def running() -> Any:
        async with Orchestrator(built(folder), **options) as orchestrator:
            return await scenario(orchestrator.session("text", "ada"), orchestrator)

    return asyncio.run(running())


async def call(session: Session, tool_id: str, **args: Any) -> dict[str, Any]:
    envelope = await session.dispatch(ToolCall(None, tool_id, args))
    assert envelope_problems(envelope) == []
    session.end_turn()
    return envelope


async def until(condition: Callable[[], Any]) -> None:
    for _ in range(5000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("it has not come to that")


# -- the contract ----------------------------------------------------------------------------------


def findings(folder: Path) -> list[tuple[str, str, str]]:
    report = build([folder / "tools"], folder / "tool_registry.json")
    return [(f.severity, f.rule, f.pointer) for f in report.findings]


@pytest.mark.parametrize(
    ("handler", "changes", "expected"),
    [
        (PLAIN, {"isolation": "inline"}, [("error", "isolation", "/isolation")]),
        (ASYNC, {"isolation": "thread"}, [("error", "isolation", "/isolation")]),
        (ASYNC, {"isolation": "proces"}, [("error", "isolation", "/isolation")]),
        (PLAIN, {"isolation": "thread", "network": True}, [("error", "network", "/network")]),
        (PLAIN, {"network": "yes"}, [("error", "flag", "/network")]),
        (ASYNC, {"execution": "client"}, [("warning", "isolation-unused", "/isolation")]),
        (PLAIN, {"network": True}, []),
        (ASYNC, {"isolation": "inline"}, []),
    ],
)
def test_lint_says_what_does_not_fit(
    tmp_path: Path, handler: str, changes: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    tool(tmp_path, "try_it", handler + "    return ok({})\n", **changes)
    assert findings(tmp_path) == expected


def test_the_artifact_says_where_each_handler_runs(tmp_path: Path) -> None:
    for name, handler in (("plain", PLAIN), ("waits", ASYNC)):
        directory = tool(tmp_path, name, handler + "    return ok({})\n")
        schema = json.loads((directory / "schema.json").read_text())
        del schema["isolation"]
        (directory / "schema.json").write_text(json.dumps(schema))
    tool(tmp_path, "apart", PLAIN + "    return ok({})\n", network=True)
    registry = built(tmp_path)
    told = {name: registry.metadata(name)["isolation"] for name in registry.tool_ids()}
    assert told == {"apart": "process", "plain": "thread", "waits": "inline"}
    assert registry.entry("apart")["isolation"] == "process"
    assert registry.entry("apart")["network"] is True
    assert registry.entry("plain")["isolation"] == "thread"
    # The kind of a handler that has not changed is known from the last build.
    schema = json.loads((tmp_path / "tools" / "plain" / "schema.json").read_text())
    (tmp_path / "tools" / "plain" / "schema.json").write_text(
        json.dumps({**schema, "isolation": "inline"})
    )
    assert findings(tmp_path) == [("error", "isolation", "/isolation")]


# -- processes -------------------------------------------------------------------------------------


def test_handlers_of_every_kind_run_in_a_worker(tmp_path: Path) -> None:
    answer = "    return ok({'pid': os.getpid(), 'args': args})\n"
    tool(tmp_path, "plain", PLAIN + answer)
    tool(tmp_path, "waits", ASYNC + "    await asyncio.sleep(0)\n" + answer)
    steps = ASYNC + "    yield {'message': 'one'}\n    yield 'two'\n    yield ok({'pid': 0})\n"
    tool(tmp_path, "steps", steps)

    async def scenario(session: Session, orchestrator: Orchestrator) -> None:
        assert orchestrator.workers.pids == []
        told: list[dict[str, Any]] = []
        orchestrator.progress_listeners.subscribe(lambda _, event: told.append(event))
        plain = await call(session, "plain", text="x")
        waits = await call(session, "waits", text="y")
        assert plain["data"] == {"pid": orchestrator.workers.pids[0], "args": {"text": "x"}}
        assert waits["data"] == {"pid": orchestrator.workers.pids[0], "args": {"text": "y"}}
        assert (await call(session, "steps"))["ok"]
        assert [event["message"] for event in told] == ["one", "two"]

    within(tmp_path, scenario)


def test_the_context_works_across_the_wall(tmp_path: Path) -> None:
    tool(tmp_path, "inner", ASYNC + "    return ok({'got': args['text']})\n", isolation="inline")
    tool(tmp_path, "apart", ASYNC + "    return ok({'pid': os.getpid()})\n")
    tool(
        tmp_path,
        "outer",
        ASYNC
        + """
    one, two, far = await asyncio.gather(
        context.call_tool("inner", {"text": "a"}),
        context.workspace.shelf.find("b", limit=2),
        context.call_tool("apart"),
    )
    context.progress("half", 0.5, more=[1])
    context.audit.log("looked", {"n": 1})
    await context.messaging.send({"type": "note"})
    try:
        await context.workspace.shelf.refuse()
    except ToolError as error:
        refused = error.body["retryAfter"]
    try:
        context.calendar
    except ToolError as error:
        missing = error.message
    return ok({
        "inner": one["data"]["got"], "found": two, "far": far["data"]["pid"] != os.getpid(),
        "refused": refused, "missing": missing, "plain": context.workspace.shelf.plain(b"\\x00"),
        "user": context.session.user, "mode": context.mode, "key": context.idempotency_key,
        "session": context.workspace.shelf.whose(context.session), "turn": context.session.turn,
        "year": context.now().year, "may": context.session.may_call("inner"),
    }, intents=[context.audio.suppress()])
""",
    )

    class Shelf:
        async def find(self, query: str, limit: int) -> list[str]:
            await asyncio.sleep(0)
            return [query] * limit

        async def refuse(self) -> None:
            raise ToolError(ErrorType.RATE_LIMIT, "Later.", retry_after=3)

        def plain(self, value: bytes) -> int:
            return len(value)

        def whose(self, session: Any) -> str:
            return str(session.user)

    async def scenario(session: Session, orchestrator: Orchestrator) -> None:
        told: list[dict[str, Any]] = []
        sent: list[dict[str, Any]] = []
        orchestrator.progress_listeners.subscribe(lambda _, event: told.append(event))
        session.channel = sent.append
        envelope = await call(session, "outer")
        assert envelope["ok"], envelope
        found = envelope["data"]
        assert found.pop("key").startswith(session.id)
        assert found == {
            "inner": "a",
            "found": ["b", "b"],
            "far": True,
            "refused": 3,
            "missing": "this server has no calendar",
            "plain": 1,
            "user": "ada",
            "mode": "text",
            "session": "ada",
            "turn": 1,
            "may": True,
            "year": time.gmtime(orchestrator.now()).tm_year,
        }
        assert envelope["intents"] == [{"type": "SUPPRESS_AUDIO", "value": True}]
        assert told[0]["message"] == "half"
        assert sent == [{"type": "note"}]
        await orchestrator.store.flush()
        lines = await orchestrator.store.audit_lines()
        assert "looked" in [line.data["event"] for line in lines]

    within(tmp_path, scenario, capabilities={"workspace": SimpleNamespace(shelf=Shelf())})


@pytest.mark.parametrize(
    "path", [["session", "_session"], ["workspace", "__class__"], ["_session"], ["orchestrator"]]
)
def test_what_is_private_cannot_be_asked_for(tmp_path: Path, path: list[str]) -> None:
    """Also not by code that has taken over the worker and writes to its socket."""
    body = f"    answer = context._channel.request({{'op': 'get', 'path': {path!r}}})[1]\n"
    tool(tmp_path, "try_it", PLAIN + body + "    return ok({'kind': answer[0]})\n")

    async def scenario(session: Session, _: Orchestrator) -> None:
        assert (await call(session, "try_it"))["data"] == {"kind": "tool_error"}

    within(tmp_path, scenario, capabilities={"workspace": SimpleNamespace()})


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("    raise ToolError(ErrorType.CONFLICT, 'Taken.', by='you')", "CONFLICT", "Taken."),
        ("    return fail(ErrorType.AUTH, 'No.')", "AUTH", "No."),
        ("    return 5", "INTERNAL", "no proper result"),
        ("    return ok({'a': object()})", "INTERNAL", "Internal error"),
        ("    raise KeyError('secret')", "INTERNAL", "Internal error"),
        ("    os.abort()", "PERMANENT", "crashed (SIGABRT)"),
        ("    raise SystemExit(3)", "INTERNAL", "Internal error"),
        pytest.param(
            "    return ok({'n': len(bytearray(3_000_000_000))})",
            *("PERMANENT", "more than 512 MB"),
            marks=linux_only,
        ),
    ],
)
def test_what_goes_wrong_is_told_as_anywhere(
    tmp_path: Path, body: str, kind: str, words: str
) -> None:
    tool(tmp_path, "try_it", PLAIN + body + "\n")
    tool(tmp_path, "plain", PLAIN + "    return ok({'fine': True})\n")

    async def scenario(session: Session, _: Orchestrator) -> None:
        error = (await call(session, "try_it"))["error"]
        assert error["type"] == kind
        assert words in error["message"]
        assert "secret" not in error["message"]
        assert (await call(session, "plain"))["ok"]

    within(tmp_path, scenario)


FOREVER = "    import re\n    re.match('(?:a|.|[^b]|\\\\w)*b', 'a' * 25)\n    return ok({})\n"


def test_a_read_that_does_not_end_is_killed_at_its_timeout(tmp_path: Path) -> None:
    tool(tmp_path, "slow", PLAIN + FOREVER, timeoutMs=400, latencyBudgetMs=300, idempotent=False)

    async def scenario(session: Session, orchestrator: Orchestrator) -> None:
        error = (await call(session, "slow"))["error"]
        assert (error["type"], error["retryable"]) == ("TRANSIENT", True)
        assert "did not answer in time" in error["message"]
        assert orchestrator.workers.pids == []

    within(tmp_path, scenario)


def test_an_interruption_kills_the_worker_of_a_read(tmp_path: Path) -> None:
    tool(tmp_path, "slow", PLAIN + FOREVER, **READ)

    async def scenario(session: Session, orchestrator: Orchestrator) -> None:
        running = asyncio.create_task(session.dispatch(ToolCall(None, "slow", {})))
        await until(lambda: orchestrator.workers.pids and session.running)
        session.interrupt()
        assert (await running)["error"]["type"] == "CANCELLED"
        assert orchestrator.workers.pids == []

    within(tmp_path, scenario)


def test_a_write_goes_on_for_a_while_and_then_its_outcome_is_unknown(tmp_path: Path) -> None:
    """It keeps its worker for ten timeouts. A second try is not made."""
    body = "    open(args['text'], 'a').write('x')\n" + FOREVER
    tool(tmp_path, "slow", PLAIN + body, **WRITE, timeoutMs=200, latencyBudgetMs=100)
    tool(tmp_path, "quick", PLAIN + "    return ok({})\n", **READ)
    mark = tmp_path / "mark"

    async def scenario(session: Session, orchestrator: Orchestrator) -> None:
        late: list[Any] = []
        # Its worker is there already: a slow start must not use up the time of the write.
        assert (await call(session, "quick"))["ok"]
        first = await session.dispatch(ToolCall("call_0123456789", "slow", {"text": str(mark)}))
        assert first["error"]["type"] == "IN_PROGRESS"
        assert len(orchestrator.workers.pids) == 1
        await until(lambda: late or late.extend(session.drain_late_results()))
        assert late[0][1]["error"]["type"] == "OUTCOME_UNKNOWN"
        assert orchestrator.workers.pids == []
        again = await session.dispatch(ToolCall("call_0123456789", "slow", {"text": str(mark)}))
        assert again["error"]["type"] == "OUTCOME_UNKNOWN"
        assert mark.read_text() == "x"
        (row,) = await orchestrator.store.ledger(session.id)
        assert row.state == "unknown"

    within(tmp_path, scenario)


def test_a_write_whose_worker_dies_has_an_unknown_outcome(tmp_path: Path) -> None:
    tool(tmp_path, "dies", PLAIN + "    os.kill(os.getpid(), 9)\n", **WRITE)

    async def scenario(session: Session, _: Orchestrator) -> None:
        error = (await call(session, "dies"))["error"]
        assert (error["type"], error["partialSideEffects"]) == ("OUTCOME_UNKNOWN", True)

    within(tmp_path, scenario)


async def test_calls_within_calls_do_not_wait_for_their_own_callers(tmp_path: Path) -> None:
    tool(tmp_path, "inner", ASYNC + "    return ok({'inner': True})\n")
    outer = "    return ok((await context.call_tool('inner', {'text': args['text']}))['data'])\n"
    tool(tmp_path, "outer", ASYNC + outer)

    pool = WorkerPool(1)
    try:
        async with Orchestrator(built(tmp_path), workers=pool) as orchestrator:
            sessions = [orchestrator.session("text", f"u{i}") for i in range(2)]
            done = await asyncio.gather(*(call(s, "outer", text="x") for s in sessions))
            assert [each["data"] for each in done] == [{"inner": True}] * 2
        assert pool.pids  # it is the caller's, and still open
    finally:
        await pool.close()


def test_variables_that_a_tool_names_reach_its_worker_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_KEY", "k1")
    monkeypatch.setenv("OTHER_KEY", "k2")
    answer = "    return ok({'seen': [os.getenv('SHOP_KEY'), os.getenv('OTHER_KEY')]})\n"
    tool(tmp_path, "names", PLAIN + answer, availability={"env": ["SHOP_KEY"]})
    tool(tmp_path, "silent", PLAIN + answer)

    async def scenario(session: Session, _: Orchestrator) -> None:
        assert (await call(session, "names"))["data"]["seen"] == ["k1", None]
        assert (await call(session, "silent"))["data"]["seen"] == [None, None]

    within(tmp_path, scenario)


@linux_only
def test_only_a_tool_that_says_so_has_the_network(tmp_path: Path) -> None:
    body = (
        "    import socket\n    try:\n        socket.socket(socket.AF_INET).close()\n"
        "    except OSError as error:\n        return ok({'can': False})\n"
        "    return ok({'can': True})\n"
    )
    tool(tmp_path, "open", PLAIN + body, network=True)
    tool(tmp_path, "closed", PLAIN + body)

    async def scenario(session: Session, _: Orchestrator) -> None:
        assert (await call(session, "closed"))["data"] == {"can": False}
        assert (await call(session, "open"))["data"] == {"can": True}
        assert (await call(session, "closed", text="2"))["data"] == {"can": False}

    within(tmp_path, scenario)


def test_a_tool_session_runs_a_process_tool_in_a_worker_or_in_place(tmp_path: Path) -> None:
    directory = tool(tmp_path, "where", PLAIN + "    return ok({'pid': os.getpid()})\n")

    async def pid(**how: Any) -> int:
        async with tool_session(directory, **how) as tried:
            return int((await tried.call())["data"]["pid"])

    assert asyncio.run(pid()) != os.getpid()
    assert asyncio.run(pid(isolate=False)) == os.getpid()


async def test_a_background_tool_runs_in_a_worker_and_is_killed_when_it_is_cancelled(
    tmp_path: Path,
) -> None:
    more: dict[str, Any] = {"execution": "background", "interruption": "cancel"}
    directory = tool(tmp_path, "quick", PLAIN + "    return ok({'pid': os.getpid()})\n", **more)
    tool(tmp_path, "slow", PLAIN + FOREVER, **more)

    async with tool_session(directory) as tried:
        orchestrator = tried.session.orchestrator
        done = await tried.outcome(await tried.call())
        assert done["data"]["pid"] == orchestrator.workers.pids[0]
        begun = await tried.session.dispatch(ToolCall(None, "slow", {}))
        await until(lambda: orchestrator.workers.working)
        assert orchestrator.background is not None
        await orchestrator.background.backend.cancel(begun["data"]["task_id"])
        assert (await tried.outcome(begun))["error"]["type"] == "CANCELLED"
        await until(lambda: not orchestrator.workers.pids)


def test_variants_run_in_workers_too(tmp_path: Path) -> None:
    variants = [{"name": name, "weight": 1, "handler": f"{name}.py"} for name in ("a", "b")]
    directory = tool(tmp_path, "ab", PLAIN + "    return ok({})\n", variants=variants)
    (directory / "a.py").write_text(PLAIN + "    return ok({'by': 'a', 'pid': os.getpid()})\n")
    (directory / "b.py").write_text(ASYNC + "    return ok({'by': 'b', 'pid': os.getpid()})\n")

    async def scenario(_: Session, orchestrator: Orchestrator) -> None:
        sessions = [orchestrator.session("text", id=f"s{number}") for number in range(8)]
        found = [await call(session, "ab") for session in sessions]
        assert {each["data"]["by"] for each in found} == {"a", "b"}
        assert all(each["data"]["by"] == each["meta"]["variant"] for each in found)
        assert {each["data"]["pid"] for each in found} == set(orchestrator.workers.pids)

    within(tmp_path, scenario)


@pytest.mark.virtual_time
async def test_virtual_time_stands_still_while_a_worker_is_at_work(tmp_path: Path) -> None:
    body = "    time.sleep(0.3)\n    return ok({})\n"
    tool(tmp_path, "works", PLAIN + body, latencyBudgetMs=50, timeoutMs=100)
    clock = Clock()

    async with Orchestrator(
        built(tmp_path), now=clock.now, monotonic=clock.monotonic
    ) as orchestrator:
        assert (await call(orchestrator.session("text", "ada"), "works"))["ok"]


# -- threads ---------------------------------------------------------------------------------------


def test_slow_tools_in_threads_leave_the_servers_own_threads_alone(tmp_path: Path) -> None:
    """The pool of tools is full of calls that do not end; everything else goes on."""
    blocked = threading.Event()
    schema = {**PURE, "isolation": "thread", "timeoutMs": 300, "latencyBudgetMs": 200}
    tool(tmp_path, "hangs", PLAIN + "    context.workspace.wait()\n    return ok({})\n", **schema)
    quick = ASYNC + "    return ok({'n': await asyncio.to_thread(sum, [1, 2])})\n"
    tool(tmp_path, "quick", quick, isolation="inline")

    async def scenario(_: Session, orchestrator: Orchestrator) -> None:
        try:
            sessions = [orchestrator.session("voice", f"u{i}") for i in range(3)]
            hung = await asyncio.gather(*(call(s, "hangs") for s in sessions))
            messages = sorted(each["error"]["message"] for each in hung)
            assert {each["error"]["type"] for each in hung} == {"TRANSIENT"}
            assert "did not answer in time" in messages[0]
            assert "not started: the server is busy" in messages[2]
            assert (await call(sessions[0], "quick"))["data"] == {"n": 3}
        finally:
            blocked.set()
        await until(lambda: orchestrator.threads._busy == 0)
        free = await call(orchestrator.session("voice", "later"), "hangs")
        assert free["ok"]

    workspace = SimpleNamespace(wait=lambda: blocked.wait(30))
    within(tmp_path, scenario, capabilities={"workspace": workspace}, threads=2)


def test_a_handler_that_never_returns_does_not_keep_the_process_alive(tmp_path: Path) -> None:
    schema = {**PURE, "isolation": "thread", "timeoutMs": 200, "latencyBudgetMs": 100}
    tool(tmp_path, "hangs", PLAIN + "    time.sleep(600)\n    return ok({})\n", **schema)
    built(tmp_path)
    script = (
        "import asyncio\n"
        "from antiphon import Orchestrator, Registry, ToolCall\n"
        "async def main():\n"
        f"    registry = Registry.load({str(tmp_path / 'tool_registry.json')!r})\n"
        "    async with Orchestrator(registry) as orchestrator:\n"
        "        session = orchestrator.session('voice', 'ada')\n"
        "        envelope = await session.dispatch(ToolCall(None, 'hangs', {}))\n"
        "        print(envelope['error']['type'])\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "TRANSIENT\n"
