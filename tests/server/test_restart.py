"""What outlives the server: keys, sessions, turns, the audit."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.server.ws.phone import eventually

from antiphon.cli import main


def test_a_key_sent_again_after_a_restart_gets_its_answer(workshop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    args = {"file": str(file), "text": "once"}
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        first = shop.call("append_line", args, key="before")
        shop.call("append_line", args)
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        again = shop.call("append_line", args, key="before")
        assert (again.status, again.json["data"]) == (200, first.json["data"])
        assert again.json["meta"]["replayed"] is True
        # Without a key it is another call, in this life as in the last.
        assert shop.call("append_line", args).json["data"] == {"count": 3}
        other = {**args, "text": "another"}
        assert shop.call("append_line", other, key="before").status == 409
        assert shop.get("/api/audit/verify").json["ok"] is True
    assert file.read_text() == "once\n" * 3


def test_a_write_during_the_stop_is_answered_with_what_to_do(
    workshop: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "go"
    with ThreadPoolExecutor(1) as another:
        with workshop.running(workshop.app(data=tmp_path / "data"), patience=0) as shop:
            under_way = another.submit(shop.call, "slow_write", {"file": str(file)}, key="late")
            eventually(lambda: (tmp_path / "go.begun").exists())
            another_request = shop.get("/healthz")  # it is taken care of by now
            assert another_request.status == 200
            threading.Timer(1.0, file.touch).start()
        reply = under_way.result(60)
    assert (reply.status, reply.media_type) == (503, "application/problem+json")
    assert "same Idempotency-Key" in reply.json["detail"]
    assert not [record for record in caplog.records if record.exc_info]
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        again = shop.call("slow_write", {"file": str(file)}, key="late")
        assert (again.status, again.json["data"]) == (200, {"seen": True})


def test_an_approved_call_is_not_asked_for_again_after_a_restart(
    workshop: Any, tmp_path: Path
) -> None:
    args = {"file": str(tmp_path / "lines"), "text": "once"}
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        shop.call("ask_first", args, key="asked")
        [open_one] = shop.get("/api/confirmations?session_id=rest-text").json["confirmations"]
        answer = {"token": open_one["token"], "approve": True}
        assert shop.post(f"/api/confirmations/{open_one['id']}", answer).status == 200
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        again = shop.call("ask_first", args, key="asked")
        assert (again.status, again.json["meta"]["replayed"]) == (200, True)
    assert (tmp_path / "lines").read_text() == "once\n"


def test_what_was_asked_before_a_restart_can_be_answered_after_it(
    workshop: Any, tmp_path: Path
) -> None:
    args = {"file": str(tmp_path / "lines"), "text": "later"}
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        asked = shop.call("ask_first", args, key="later")
        confirmation = asked.json["error"]["confirmation_request"]["id"]
    with workshop.running(workshop.app(data=tmp_path / "data")) as shop:
        [waiting] = shop.get("/api/confirmations?session_id=rest-text").json["confirmations"]
        assert (waiting["id"], waiting["status"]) == (confirmation, "pending")
        answer = {"token": waiting["token"], "approve": True}
        reply = shop.post(f"/api/confirmations/{confirmation}", answer)
        assert (reply.status, reply.json["outcome"]) == (200, "approved"), reply.body
        again = shop.call("ask_first", args, key="later")
        assert (again.status, again.json["meta"]["replayed"]) == (200, True)
    assert (tmp_path / "lines").read_text() == "later\n"


def test_a_session_goes_on_in_its_turn(workshop: Any, tmp_path: Path) -> None:
    with workshop.running(workshop.app(data=tmp_path)) as shop:
        session = shop.post("/api/sessions", {"mode": "voice", "user": "ada"}).json["id"]
        shop.post(f"/api/sessions/{session}/turns")
        shop.post(f"/api/sessions/{session}/turns")
    with workshop.running(workshop.app(data=tmp_path)) as shop:
        stored = shop.get(f"/api/sessions/{session}").json
        assert (stored["live"], stored["active"], stored["turn"]) == (False, True, 3)
        assert shop.call("for_voice", {"query": "x"}, session_id=session).status == 200
        resumed = shop.get(f"/api/sessions/{session}").json
        assert (resumed["live"], resumed["user"], resumed["turn"]) == (True, "ada", 3)


def test_a_store_that_cannot_be_used_stops_the_start_with_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "antiphon.db").write_text("no database, whatever its name says " * 100)
    assert main(["serve", "--port", "0", "--data", "data"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("antiphon: ")
    assert "data/antiphon.db" in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_store_that_is_lost_is_a_problem_and_the_server_still_stops(
    workshop: Any, tmp_path: Path
) -> None:
    app = workshop.app(data=tmp_path)
    with workshop.running(app) as shop:
        assert shop.call("find", {"query": "x"}).status == 200
        asyncio.run(app.services.application.orchestrator.store.close())
        for path in ("/api/sessions", "/api/audit", "/api/audit/verify", "/api/confirmations"):
            reply = shop.get(path)
            assert (reply.status, reply.media_type) == (503, "application/problem+json")
        assert shop.get("/healthz").status == 200


def test_the_command_line_reads_the_store_of_a_running_server(
    workshop: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with workshop.running(workshop.app(data=tmp_path)) as shop:
        shop.call("find", {"query": "x"})
        exported = shop.get("/api/audit?format=jsonl").body.decode()
        assert main(["audit", "query", "--json", "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out == exported
        artifact = str(workshop.registry.path)
        assert main(["audit", "replay", "--data", str(tmp_path), "--registry", artifact]) == 0
        shop.call("find", {"query": "y"})
        assert shop.get("/api/audit/verify").json["count"] == 2
