"""The audit chain: order, filters, and that no change to it goes unnoticed."""

from __future__ import annotations

import asyncio
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import text
from tests.storage.helpers import Clock, call, child, end, heard, kill

from antiphon.storage import AuditReport, Store, StoreError

pytestmark = pytest.mark.real_time


def seal(record: dict[str, Any]) -> str:
    """The hash of a line, as anybody can work it out from its JSON."""
    body = orjson.dumps({key: value for key, value in record.items() if key != "hash"})
    return sha256(record["prev"].encode() + body).hexdigest()


async def events(store: Store, **filters: Any) -> list[str]:
    return [line.data["event"] for line in await store.audit_lines(**filters)]


async def test_lines_are_numbered_and_chained(store_url: str) -> None:
    clock = Clock()

    async with Store.open(store_url, now=clock) as store:
        assert await store.verify_audit() == AuditReport(ok=True, count=0)
        store.append_audit({"event": "decision", "at": 12.5, "toolId": "kb_search"})
        store.append_audit({"event": "execution", "ok": True})
        await store.flush()
        first, second = await store.audit_lines()
        assert (first.seq, first.at) == (1, 12.5)
        assert (second.seq, second.at) == (2, clock.now)
        assert first.data["prev"] == "0" * 64
        assert second.data["prev"] == first.data["hash"]
        for line in (first, second):
            assert line.data["hash"] == seal(line.data)
        assert await store.verify_audit() == AuditReport(ok=True, count=2)


async def test_lines_keep_the_order_in_which_things_happened(store_url: str) -> None:
    async with Store.open(store_url) as store:
        store.append_audit({"event": "1 before begin"})
        beginning = asyncio.create_task(store.begin(call(), [{"event": "2 begin"}]))
        await asyncio.sleep(0)
        store.append_audit({"event": "3 after begin"})
        finishing = asyncio.create_task(store.finish("s1", "k1", b"", [{"event": "4 finish"}]))
        await asyncio.sleep(0)
        store.append_audit({"event": "5 after finish"})
        await asyncio.gather(beginning, finishing, store.flush())
        assert await events(store) == [
            "1 before begin",
            "2 begin",
            "3 after begin",
            "4 finish",
            "5 after finish",
        ]


async def test_a_call_that_was_not_entered_leaves_no_audit_of_a_beginning(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.begin(call(), [{"event": "begin"}])
        assert await store.begin(call(), [{"event": "begin again"}]) is not None
        assert await events(store) == ["begin"]


async def test_a_full_load_of_lines_is_written_without_being_asked_for(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:
        for number in range(2000):
            store.append_audit({"event": str(number)})
        lines = await store.audit_lines(limit=5000)
        while len(lines) < 2000:  # the rest comes with the clock
            lines = await store.audit_lines(limit=5000)
        assert [line.data["event"] for line in lines] == [str(n) for n in range(2000)]


def test_lines_are_written_when_no_event_loop_runs(sqlite_url: str) -> None:
    store = Store.open(sqlite_url)
    store.append_audit({"event": "alone"})

    async def main() -> None:
        while not await store.audit_lines():
            pass
        await store.close()

    asyncio.run(main())


async def test_lines_from_many_threads_are_all_there_and_each_thread_in_its_order(
    sqlite_url: str,
) -> None:
    async with Store.open(sqlite_url) as store:

        def append(thread: int) -> None:
            for number in range(1500):
                store.append_audit({"event": "x", "thread": thread, "number": number})

        threads = [threading.Thread(target=append, args=(n,)) for n in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            await asyncio.to_thread(thread.join)
        await store.flush()
        lines = [line.data for line in await store.audit_lines(limit=5000)]
        for thread_number in range(3):
            mine = [line["number"] for line in lines if line["thread"] == thread_number]
            assert mine == list(range(1500))
        assert (await store.verify_audit()).ok


async def test_an_entry_renders_itself_but_not_on_the_callers_thread(sqlite_url: str) -> None:
    rendered_on: list[int] = []

    class Entry:
        def __init__(self, event: str) -> None:
            self.event = event

        def render(self) -> tuple[float, str | None, str]:
            rendered_on.append(threading.get_ident())
            return 5.0, None, f'{{"event":"{self.event}","at":5.0,"toolId":"kb_get"'

    async with Store.open(sqlite_url) as store:
        store.append_audit(Entry("execution"))
        await store.begin(call(), [Entry("begin")])
        assert await events(store, tool_id="kb_get") == ["execution", "begin"]
        assert len(rendered_on) == 2
        assert threading.get_ident() not in rendered_on
        assert (await store.verify_audit()).ok


async def test_what_the_chain_gives_cannot_be_forged_by_a_payload(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:
        store.append_audit({"event": "x", "hash": "forged", "seq": 77, "prev": "forged"})
        await store.flush()
        [line] = await store.audit_lines()
        assert line.data["seq"] == line.seq == 1
        assert line.line.count(b"forged") == 0
        assert (await store.verify_audit()).ok


async def test_a_payload_that_cannot_be_rendered_leaves_a_line_that_says_so(store_url: str) -> None:
    async with Store.open(store_url) as store:
        store.append_audit({"event": "before"})
        store.append_audit({"event": "bad", "secret": object()})
        store.append_audit(42)
        store.append_audit({"event": "lone surrogate \ud800"})
        store.append_audit({"event": "after"})
        await store.flush()
        lines = [line.data for line in await store.audit_lines()]
        assert [line["event"] for line in lines] == [
            "before",
            *["audit_unrenderable"] * 3,
            "after",
        ]
        assert all("secret" not in line for line in lines)
        assert (await store.verify_audit()).ok


async def test_odd_values_are_kept_and_do_not_break_the_chain(store_url: str) -> None:
    odd: list[dict[str, Any]] = [
        {"event": "nul \x00 inside", "toolId": "x" * 5000, "ok": "yes", "at": "noon"},
        {"event": 7, "sessionId": ["s"], "decision": None, "at": True},
        {"event": "unicode ü 🙂", "deep": {"b": [1.5, 1e300, -0.0], "a": None}, "at": 0},
        {"at": 1e400},
    ]

    async with Store.open(store_url) as store:
        for payload in odd:
            store.append_audit(payload)
        await store.flush()
        lines = await store.audit_lines()
        assert lines[0].data["event"] == "nul \x00 inside"
        assert lines[0].data["at"] == "noon"
        assert len(await store.audit_lines(event="nul \x00 inside")) == 1
        assert len(await store.audit_lines(tool_id="x" * 5000)) == 1
        assert await store.verify_audit() == AuditReport(ok=True, count=len(odd))


async def test_lines_are_filtered_and_paged(store_url: str) -> None:
    payloads: list[dict[str, Any]] = [
        {"event": "a", "sessionId": "s1", "toolId": "t1", "at": 1, "decision": "allow"},
        {"event": "b", "sessionId": "s1", "toolId": "t2", "at": 2, "decision": "deny", "rule": "r"},
        {"event": "c", "sessionId": "s2", "toolId": "t1", "at": 3, "ok": True},
        {"event": "d", "sessionId": "s2", "toolId": "t2", "at": 4, "ok": False},
    ]

    async with Store.open(store_url) as store:
        for payload in payloads:
            store.append_audit(payload)
        await store.flush()
        assert await events(store) == ["a", "b", "c", "d"]
        assert await events(store, limit=2) == ["a", "b"]
        assert await events(store, after_seq=2) == ["c", "d"]
        assert await events(store, newest_first=True, limit=2) == ["d", "c"]
        assert await events(store, newest_first=True, before_seq=3) == ["b", "a"]
        assert await events(store, session_id="s1") == ["a", "b"]
        assert await events(store, tool_id="t1") == ["a", "c"]
        assert await events(store, event="c") == ["c"]
        assert await events(store, decision="deny") == ["b"]
        assert await events(store, rule="r") == ["b"]
        assert await events(store, ok=True) == ["c"]
        assert await events(store, ok=False) == ["d"]
        assert await events(store, since=2, until=4) == ["b", "c"]
        assert await events(store, session_id="s2", tool_id="t1", ok=False) == []


async def test_the_filters_find_whatever_was_written_and_nothing_else(store_url: str) -> None:
    """What a filter looks for may stand in another member, or be written with escapes."""
    odd = 'say "hi" \\ ü'
    payloads: list[dict[str, Any]] = [
        {"event": "a", "toolId": "t", "note": {"event": "b"}},
        {"event": "b", "toolId": odd, "note": '"event":"a"'},
        {"event": odd, "ok": True, "args": {"ok": False}},
        {"event": "c", "ok": False},
    ]
    async with Store.open(store_url) as store:
        for _ in range(300):  # more than a page
            for payload in payloads:
                store.append_audit(payload)
        await store.flush()
        assert await events(store, event="a", limit=5000) == ["a"] * 300
        assert await events(store, event=odd, limit=5000) == [odd] * 300
        assert await events(store, tool_id=odd, newest_first=True, limit=2) == ["b", "b"]
        assert await events(store, ok=False, limit=5000) == ["c"] * 300
        newest = await store.audit_lines(event="a", newest_first=True, limit=299)
        assert [line.seq for line in newest] == list(range(1197, 1, -4))[:299]
        assert await events(store, event="a", before_seq=5, newest_first=True) == ["a"]


SWAP = (
    "UPDATE audit SET seq = -3 WHERE seq = 3",
    "UPDATE audit SET seq = 3 WHERE seq = 4",
    "UPDATE audit SET seq = 4 WHERE seq = -3",
)


@pytest.mark.parametrize(
    ("statements", "seq", "problem"),
    [
        (
            ["UPDATE audit SET line = replace(line, 'name3', 'name8') WHERE seq = 3"],
            3,
            "was changed",
        ),
        (["UPDATE audit SET line = line || ' ' WHERE seq = 3"], 3, "was changed"),
        (["UPDATE audit SET line = '{' WHERE seq = 3"], 3, "not JSON"),
        (["UPDATE audit SET line = '[]' WHERE seq = 3"], 3, "not an object"),
        (["UPDATE audit SET session_id = 'other' WHERE seq = 3"], 3, "filed wrongly"),
        (["UPDATE audit SET at = 0 WHERE seq = 3"], 3, "filed wrongly"),
        (["DELETE FROM audit WHERE seq = 3"], 3, "line 3 is missing"),
        (["DELETE FROM audit WHERE seq < 4"], 1, "lines 1 to 3 are missing"),
        (["DELETE FROM audit WHERE seq > 4"], 5, "cut off after line 4: it had 6"),
        (["DELETE FROM audit"], 1, "cut off after line 0: it had 6"),
        (["UPDATE audit SET line = replace(line, 'prev', 'next') WHERE seq = 3"], 3, "was changed"),
        (["INSERT INTO audit (seq, at, line) VALUES (-5, 0, '{}')"], -5, "does not belong"),
        (["INSERT INTO audit (seq, at, line) VALUES (7, 0, '{\"seq\":7}')"], 7, "was changed"),
        (SWAP, 3, "was moved: it says it is line 4"),
        (["DELETE FROM audit WHERE seq = 6", "UPDATE audit_head SET seq = 5"], 5, "head"),
        (["UPDATE audit_head SET seq = 4"], 5, "head of the chain was changed"),
        (["DELETE FROM audit_head"], 1, "head of the chain is missing"),
    ],
)
async def test_tampering_is_found(
    store_url: str, statements: list[str], seq: int, problem: str
) -> None:
    async with Store.open(store_url) as store:
        for number in range(1, 7):
            store.append_audit({"event": f"name{number}"})
        await store.flush()
        assert (await store.verify_audit()).ok

        def tamper(connection: Any) -> None:
            for statement in statements:
                connection.exec_driver_sql(statement)

        await store.run(tamper)
        report = await store.verify_audit()
        assert not report.ok
        assert report.first_bad_seq == seq
        assert report.problem is not None
        assert problem in report.problem


async def test_a_line_that_was_sealed_anew_does_not_fit_the_next(store_url: str) -> None:
    async with Store.open(store_url) as store:
        for number in range(1, 4):
            store.append_audit({"event": f"e{number}", "user": "ada"})
        await store.flush()
        forged = (await store.audit_lines())[1].data
        forged["user"] = forged["user"].upper()
        forged["hash"] = seal(forged)
        line = orjson.dumps(forged).decode()
        await store.run(
            lambda to: to.execute(
                text("UPDATE audit SET line = :line WHERE seq = 2"), {"line": line}
            )
        )
        assert await store.verify_audit() == AuditReport(
            ok=False, count=2, first_bad_seq=3, problem="line 3 does not follow line 2"
        )


async def test_a_long_chain_is_verified_in_pages(sqlite_url: str) -> None:
    async with Store.open(sqlite_url) as store:
        for number in range(1000):
            store.append_audit({"event": str(number)})
        await store.flush()
        assert await store.verify_audit() == AuditReport(ok=True, count=1000)
        await store.run(lambda to: to.execute(text("DELETE FROM audit WHERE seq = 777")))
        report = await store.verify_audit()
        assert (report.ok, report.count, report.first_bad_seq) == (False, 776, 777)


async def test_a_chain_without_a_head_takes_no_more_lines(store_url: str) -> None:
    async with Store.open(store_url) as store:
        await store.run(lambda to: to.execute(text("DELETE FROM audit_head")))
        with pytest.raises(StoreError, match="lost its head"):
            await store.begin(call(), [{"event": "begin"}])
        assert await store.find("s1", "k1") is None
        assert await store.begin(call()) is None


async def test_processes_that_open_an_empty_store_at_once_share_one_chain(empty_url: str) -> None:
    code = """
async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    async with Store.open(url) as store:
        for number in range(60):
            store.append_audit({"event": arguments[0], "number": number})
            await store.begin(call(f"{arguments[0]} {number}"), [{"event": "begin"}])
asyncio.run(main())
"""
    processes = [child(code, empty_url, name) for name in ("one", "two")]
    for process in processes:
        assert heard(process) == "ready"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [end(process) for process in processes] == [0, 0]

    async with Store.open(empty_url) as store:
        assert await store.verify_audit() == AuditReport(ok=True, count=240)
        for name in ("one", "two"):
            lines = await store.audit_lines(event=name)
            assert [line.data["number"] for line in lines] == list(range(60))
        assert len(await store.ledger("s1")) == 120


async def test_lines_that_were_flushed_survive_a_kill(store_url: str) -> None:
    code = """
async def main():
    store = Store.open(url)
    for number in range(50):
        store.append_audit({"event": str(number)})
    await store.flush()
    print("durable", flush=True)
    sys.stdin.read()
asyncio.run(main())
"""
    process = child(code, store_url)
    assert heard(process) == "durable"
    kill(process)

    async with Store.open(store_url) as store:
        assert await events(store) == [str(number) for number in range(50)]
        store.append_audit({"event": "after"})
        await store.flush()
        assert await store.verify_audit() == AuditReport(ok=True, count=51)


async def test_old_lines_are_pruned_and_the_rest_is_still_a_chain(
    store_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "audit.jsonl"

    def written() -> list[int]:
        return [orjson.loads(line)["seq"] for line in file.read_bytes().splitlines()]

    async with Store.open(store_url, now=Clock(), audit_file=file) as store:
        for n in range(1, 11):
            store.append_audit({"event": f"event {n}", "at": float(n)})
        assert await store.prune_audit(0.5) == 0
        last = (await store.audit_lines())[3].data["hash"]
        assert await store.prune_audit(5.0) == 4
        kept = await store.audit_lines()
        assert [line.seq for line in kept] == [5, 6, 7, 8, 9, 10, 11]
        note = kept[-1].data
        assert (note["event"], note["through"], note["count"]) == ("audit_pruned", 4, 4)
        assert note["hashOfLast"] == last
        assert await store.verify_audit() == AuditReport(ok=True, count=7, pruned=4)
        assert written() == [5, 6, 7, 8, 9, 10, 11]
        store.append_audit({"event": "later", "at": 12.0})
        assert await store.prune_audit(9.0) == 4  # without the line that told of the first
        assert await store.verify_audit() == AuditReport(ok=True, count=5, pruned=8)
    async with Store.open(store_url, now=Clock(), audit_file=file) as store:
        store.append_audit({"event": "after a restart"})
        await store.flush()
        assert written() == [9, 10, 11, 12, 13, 14]
        # Whoever deletes one more is found out, and so is who changes what is left.
        await store.run(lambda to: to.execute(text("DELETE FROM audit WHERE seq = 9")))
        report = await store.verify_audit()
        assert (report.ok, report.problem) == (False, "lines 1 to 9 are missing")


async def test_everything_may_be_old_but_the_newest_line_stays(store_url: str) -> None:
    async with Store.open(store_url, now=Clock()) as store:
        assert await store.prune_audit(1e12) == 0
        for n in range(3):
            store.append_audit({"event": f"event {n}", "at": 1.0})
        assert await store.prune_audit(1e12) == 2
        assert await events(store) == ["event 2", "audit_pruned"]
        assert (await store.verify_audit()).ok
