"""What outlives the server: keys, sessions, turns, the audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antiphon.storage import StoreError


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
    workshop: Any, tmp_path: Path
) -> None:
    from antiphon.config import Settings
    from antiphon.server import open_store

    (tmp_path / "antiphon.db").write_text("this is no database, whatever its name says" * 100)
    with pytest.raises(StoreError, match=r"antiphon\.db"):
        open_store(Settings(data=tmp_path))
