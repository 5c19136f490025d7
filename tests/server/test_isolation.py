"""Nothing that a caller sends stops the server: bad calls over HTTP, and who asks beside them."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.orchestrator.helpers import contract
from tests.server.ws.phone import eventually

from antiphon.registry import Registry
from antiphon.registry.builder import build
from antiphon.registry.sources import CATALOGUE_TOOLS, SHIPPED_TOOLS

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="walls that only Linux has")

ENDLESS = "import re\n    re.match('(?:a|.|[^b]|\\\\w)*b', 'a' * 25)\n"
SLOW = "import time\n    time.sleep(20)\n"
HANDLER = "from antiphon import ok\n\n\ndef execute(args, context):\n    {}    return ok({{}})\n"
PRODUCT = ("(?:a|.|[^b]|\\\\w)*b", "a" * 25)


def own_tool(folder: Path, tool_id: str, body: str, **changes: Any) -> None:
    directory = folder / tool_id.replace("_", "-")
    directory.mkdir()
    times = {"latencyBudgetMs": 500, "timeoutMs": 1500}
    (directory / "schema.json").write_text(json.dumps(contract(tool_id, **times, **changes)))
    (directory / "guide.md").write_text(f"# {tool_id}\nNever ends.\n")
    (directory / "handler.py").write_text(HANDLER.format(body))


@pytest.fixture(scope="module")
def app(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("own")
    own_tool(folder, "never_ends", ENDLESS, isolation="process", idempotent=False)
    own_tool(folder, "sleeps", SLOW, isolation="thread", idempotent=False)
    out = tmp_path_factory.mktemp("own-registry") / "tool_registry.json"
    report = build([SHIPPED_TOOLS, CATALOGUE_TOOLS, folder], out)
    assert report.ok, report.findings
    own = type(serve)(Registry.load(out).lock(), tmp_path_factory.mktemp("own-data"))
    made = own.app(tools={"threads": 6})
    made.state.serve = own
    return made


@pytest.fixture(scope="module")
def client(app: Any) -> Iterator[Any]:
    with app.state.serve.running(app) as client:
        assert client.call("kb_search", {"query": "founder"}).status == 200
        yield client


def beside(client: Any, tool_id: str, args: dict[str, Any]) -> tuple[Any, int]:
    """The answer of a call, and how often the server said meanwhile that it is well."""
    with ThreadPoolExecutor(1) as other:
        answer = other.submit(client.call, tool_id, args)
        well = 0
        while not answer.done():
            assert client.get("/healthz").status == 200
            well += 1
        return answer.result(), well


def resident() -> int:
    """Bytes of memory that this process, in which the server runs, has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_a_pattern_that_never_ends_holds_nobody_up(client: Any) -> None:
    pattern, text = PRODUCT
    code = (
        "import re\n\ndef f(n: int) -> bool:\n"
        f'    return re.match("{pattern}", "{text}") is None\n\n\n'
        "def g(n: int) -> int:\n    return n\n"
    )
    answer, well = beside(client, "generate_tests", {"code": code})
    assert answer.status == 200, answer.body
    assert answer.json["data"]["covered"] == ["g"]
    assert "does not end" in answer.json["data"]["skipped"][0]["reason"]
    assert well > 3


@linux_only
@pytest.mark.parametrize(
    "body",
    [
        "x = [0]\n    for i in range(40):\n        x.extend(x)\n    return 1",
        "return len(b'a' * 1000000000)",
    ],
)
def test_code_that_takes_all_memory_takes_none_of_the_servers(client: Any, body: str) -> None:
    before = resident()
    answer, _ = beside(client, "generate_tests", {"code": f"def f(n: int) -> int:\n    {body}\n"})
    assert answer.status == 422, answer.body
    words = ("it needs too much memory", "does not end", "no time left")
    assert any(each in answer.json["error"]["message"] for each in words)
    assert resident() - before < 600 * 1024 * 1024  # of several gigabytes that it asks for
    assert client.get("/healthz").status == 200


@pytest.mark.parametrize(
    ("tool_id", "code"),
    [
        ("scan_code_security", "\n" * 20_000 + "!"),
        ("analyze_code_complexity", "\n" * 2_000 + "def a" + "\n" * 2_000 + "!"),
        ("run_tool", "a=" * 1_000 + "1"),
    ],
)
def test_text_that_is_hard_to_read_is_read_apart(client: Any, tool_id: str, code: str) -> None:
    args: dict[str, Any] = {"code": code}
    if tool_id == "run_tool":
        args = {"tool_id": "code_outline", "params": args}
    answer, well = beside(client, tool_id, args)
    assert answer.json["meta"]["toolId"] == tool_id
    assert well > 0


def test_a_call_that_times_out_gives_its_process_back(client: Any, app: Any) -> None:
    client.call("word_count", {"text": "warm"})
    before = set(app.services.application.workers.pids)
    with ThreadPoolExecutor(6) as callers:
        bad = [callers.submit(client.call, "never_ends", {}) for _ in range(6)]
        well = 0
        while not all(each.done() for each in bad):
            assert client.get("/healthz").status == 200
            well += 1
    assert [each.result().status for each in bad] == [503] * 6
    messages = {each.result().json["error"]["message"] for each in bad}
    assert any("did not answer in time and was stopped" in message for message in messages)
    assert well > 3
    eventually(lambda: not app.services.application.workers.working)
    assert (
        not before & set(app.services.application.workers.pids)
        or app.services.application.workers.working == 0
    )
    assert client.call("word_count", {"text": "still there"}).json["data"]["words"] == 2


def test_six_slow_threads_leave_the_knowledge_base_alone(client: Any) -> None:
    with ThreadPoolExecutor(6) as callers:
        slow = list(callers.map(lambda _: client.call("sleeps", {}), range(6)))
    assert {each.status for each in slow} == {503}
    # Their threads are still asleep: those of the server itself are others.
    asleep = [t for t in threading.enumerate() if t.name.startswith("antiphon-tool-")]
    assert len(asleep) == 6
    found = client.call("kb_search", {"query": "founder"})
    assert found.status == 200, found.body
    busy = client.call("sleeps", {"text": "again"})
    assert busy.status == 503
    assert "busy with other calls" in busy.json["error"]["message"]


def test_metrics_and_the_artifact_tell_of_it(client: Any) -> None:
    assert client.get("/metrics").json["loopHeld"] == {}
    assert client.get("/api/tools/generate_tests").json["isolation"] == "inline"
    assert client.get("/api/tools/pytest_generator").json["isolation"] == "process"
    begun = time.monotonic()
    assert client.get("/healthz").status == 200
    assert time.monotonic() - begun < 30
