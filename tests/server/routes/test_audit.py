"""The audit over HTTP: filters, pages, JSON lines, and the check of its chain."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.ws.phone import eventually

from antiphon.server.routes.audit import AuditLineInFull
from antiphon.storage import Store


@pytest.fixture(scope="module")
def logged(workshop: Any) -> Iterator[Any]:
    """A server with a few calls behind it."""
    with workshop.running(workshop.app()) as shop:
        for query in "abc":
            shop.call("find", {"query": query})
        shop.call("find", {"query": 5})
        shop.call("for_voice", {"query": "x"})
        shop.call("for_voice", {"query": "x"}, mode="voice")
        shop.call("keep_secret", {"query": "hunter2"})
        yield shop


def audit(shop: Any, query: str = "") -> dict[str, Any]:
    reply = shop.get(f"/api/audit?{query}")
    assert (reply.status, reply.media_type) == (200, "application/json"), reply.body
    return reply.json


def seqs(body: dict[str, Any]) -> list[int]:
    return [line["seq"] for line in body["lines"]]


def test_a_call_that_was_answered_is_in_the_audit(logged: Any) -> None:
    lines = audit(logged)["lines"]
    assert [(x["toolId"], x["decision"], x["rule"], x["ok"]) for x in lines] == [
        ("find", "run", "run", True),
        ("find", "run", "run", True),
        ("find", "run", "run", True),
        ("find", "refuse", "arguments", False),
        ("for_voice", "refuse", "mode", False),
        ("for_voice", "run", "run", True),
        ("keep_secret", "run", "run", True),
    ]
    assert {x["source"] for x in lines} == {"rest"}
    assert [x["sessionId"] for x in lines[4:6]] == ["rest-text", "rest-voice"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("event=tool_decision", [4, 5]),
        ("event=nothing", []),
        ("session=rest-voice", [6]),
        ("tool=find", [1, 2, 3, 4]),
        ("decision=refuse", [4, 5]),
        ("rule=mode", [5]),
        ("ok=false", [4, 5]),
        ("ok=true&tool=find", [1, 2, 3]),
        ("after_seq=5", [6, 7]),
        ("before_seq=3", [1, 2]),
        ("newest_first=true&limit=2", [7, 6]),
        ("since=2000-01-01", [1, 2, 3, 4, 5, 6, 7]),
        ("until=2000-01-01T00:00:00Z", []),
        ("since=4102444800", []),
    ],
)
def test_lines_are_filtered(logged: Any, query: str, expected: list[int]) -> None:
    assert seqs(audit(logged, query)) == expected


def test_lines_are_paged(logged: Any) -> None:
    pages, after = [], 0
    while after is not None:
        body = audit(logged, f"limit=3&after_seq={after}")
        pages.append(seqs(body))
        after = body["next"]
    assert pages == [[1, 2, 3], [4, 5, 6], [7]]
    backward = audit(logged, "limit=4&newest_first=true")
    assert (seqs(backward), backward["next"]) == ([7, 6, 5, 4], 4)


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=x", "after_seq=-1", "since=yesterday", "ok=perhaps", "format=xml"],
)
def test_a_filter_that_makes_no_sense_is_a_problem_that_names_it(logged: Any, query: str) -> None:
    reply = logged.get(f"/api/audit?{query}")
    assert (reply.status, reply.media_type) == (422, "application/problem+json")
    assert reply.json["errors"][0]["name"] == query.partition("=")[0]


def test_one_line_is_shown_with_its_way_through_the_gates(logged: Any) -> None:
    found = AuditLineInFull.model_validate(logged.get("/api/audit/5").json)
    assert found.line == audit(logged, "rule=mode")["lines"][0]
    assert [gate.id for gate in found.gates if gate.outcome == "stopped"] == ["mode"]
    assert found.newest == 7
    for path, status in (("8", 404), ("0", 422), ("x", 404)):
        reply = logged.get(f"/api/audit/{path}")
        assert (reply.status, reply.media_type) == (status, "application/problem+json")


def test_all_of_it_is_exported_as_json_lines(logged: Any) -> None:
    by_accept = logged.get("/api/audit", accept="application/x-ndjson")
    by_format = logged.get("/api/audit?format=jsonl")
    assert by_accept.media_type == by_format.media_type == "application/x-ndjson"
    assert by_accept.body == by_format.body
    exported = [json.loads(line) for line in by_format.body.splitlines()]
    assert exported == audit(logged)["lines"]
    assert b"hunter2" not in by_format.body
    some = logged.get("/api/audit?format=jsonl&tool=find&limit=2&after_seq=1").body
    assert [json.loads(line)["seq"] for line in some.splitlines()] == [2, 3]
    assert logged.get("/api/audit?format=json", accept="application/x-ndjson").json["lines"]


def test_an_export_goes_on_past_a_page(workshop: Any) -> None:
    app = workshop.app()
    with workshop.running(app) as shop:
        shop.call("find", {"query": "x"})
        for number in range(2500):
            app.services.application.orchestrator.store.append_audit(
                {"event": "noted", "number": number}
            )
        body = shop.get("/api/audit?format=jsonl").body
        limited = shop.get("/api/audit?format=jsonl&limit=1500").body
        assert len(seqs(audit(shop, "limit=5000"))) == 1000
    assert [json.loads(line)["seq"] for line in body.splitlines()] == list(range(1, 2502))
    assert limited == b"".join(body.splitlines(keepends=True)[:1500])


def test_the_chain_is_checked_and_tampering_found(workshop: Any, tmp_path: Path) -> None:
    with workshop.running(workshop.app(data=tmp_path)) as shop:
        for query in "abc":
            shop.call("find", {"query": query})
        report = shop.get("/api/audit/verify")
        assert (report.status, report.json["ok"], report.json["count"]) == (200, True, 3)
        with sqlite3.connect(tmp_path / "antiphon.db") as store:
            store.execute("UPDATE audit SET line = replace(line, '\"b\"', '\"z\"') WHERE seq = 2")
        store.close()
        report = shop.get("/api/audit/verify").json
    assert (report["ok"], report["first_bad_seq"]) == (False, 2)
    assert "line 2 was changed" in report["problem"]


def test_the_audit_lies_beside_the_store_as_json_lines(workshop: Any, tmp_path: Path) -> None:
    with workshop.running(workshop.app(data=tmp_path)) as shop:
        shop.call("find", {"query": "x"})
        exported = shop.get("/api/audit?format=jsonl").body
    assert (tmp_path / "audit.jsonl").read_bytes() == exported


@pytest.mark.parametrize(
    ("tool", "args", "written"),
    [
        ("find", {"query": "a", "passwd": "hunter2"}, {"query": "a", "passwd": "[redacted]"}),
        ("find", {"passwd": {"of": "hunter2"}}, {"passwd": "[redacted]"}),
        ("no_such_tool", {"password": "hunter2"}, {"password": "[redacted]"}),
    ],
)
def test_values_of_unknown_parameters_are_not_written_down(
    workshop: Any, tmp_path: Path, tool: str, args: Any, written: Any
) -> None:
    data = tmp_path / "data"
    with workshop.running(workshop.app(data=data)) as shop:
        assert shop.call(tool, args).status in (404, 422)
        eventually(lambda: shop.get(f"/api/audit?tool_id={tool}").json["lines"] != [])
        (line,) = shop.get(f"/api/audit?tool_id={tool}").json["lines"]
        assert line["args"] == written
    for file in data.rglob("*"):
        if file.is_file():
            assert b"hunter2" not in file.read_bytes(), file
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


@pytest.mark.real_time
async def test_lines_older_than_the_setting_go_by_themselves(workshop: Any, tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path}/antiphon.db") as store:
        for n in range(5):
            store.append_audit({"event": "long ago", "at": float(n)})
    with workshop.running(workshop.app(data=tmp_path, audit={"keep_days": 30})) as shop:
        eventually(lambda: shop.get("/api/audit/verify").json["pruned"] > 0)
        assert shop.get("/api/audit/verify").json["ok"] is True
