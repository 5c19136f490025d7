"""Calling tools over HTTP: envelopes, statuses, keys, and turns of their own."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from antiphon.contracts import ErrorType, envelope_problems
from antiphon.server.problems import STATUS
from antiphon.server.routes import calls
from antiphon.server.routes.calls import FailureEnvelope, SuccessEnvelope


def succeeded(reply: Any) -> dict[str, Any]:
    assert reply.status == 200, reply.body
    assert reply.media_type == "application/json"
    assert envelope_problems(reply.json) == []
    SuccessEnvelope.model_validate(reply.json)
    return reply.json["data"]


def failed(reply: Any, type: str) -> dict[str, Any]:
    assert reply.status == STATUS[ErrorType(type)], reply.body
    assert reply.media_type == "application/json"
    assert envelope_problems(reply.json) == []
    FailureEnvelope.model_validate(reply.json)
    assert reply.json["error"]["type"] == type
    return reply.json["error"]


def refused(reply: Any, status: int) -> str:
    assert (reply.status, reply.media_type) == (status, "application/problem+json"), reply.body
    return reply.json["detail"]


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_every_error_type_has_the_status_that_the_documentation_says() -> None:
    table = dict(re.findall(r"`([A-Z_]+)` \| (\d+)", calls.__doc__ or ""))
    assert table == {kind: str(status) for kind, status in STATUS.items()}
    assert set(STATUS) == set(ErrorType)


def test_a_shipped_tool_answers_with_its_envelope(client: Any) -> None:
    reply = client.call("extract_contacts", {"text": "Write to ada@example.org."})
    assert "ada@example.org" in json.dumps(succeeded(reply))
    assert reply.json["meta"]["toolId"] == "extract_contacts"


@pytest.mark.parametrize(
    ("type", "status"),
    [
        ("TRANSIENT", 503),
        ("PERMANENT", 400),
        ("CONFLICT", 409),
        ("AUTH", 403),
        ("RATE_LIMIT", 429),
        ("SESSION_INACTIVE", 409),
        ("INTERNAL", 500),
    ],
)
def test_the_status_mirrors_what_the_tool_reports(shop: Any, type: str, status: int) -> None:
    reply = shop.call("failing", {"type": type}, mode="voice")
    failed(reply, type)
    assert reply.status == status


def test_retry_after_is_a_header_too_in_whole_seconds(shop: Any) -> None:
    reply = shop.call("failing", {"type": "RATE_LIMIT", "after": 1.2})
    assert failed(reply, "RATE_LIMIT")["retryAfter"] == 1.2
    assert reply.headers["retry-after"] == "2"


def test_an_exception_in_a_handler_gives_nothing_away(shop: Any) -> None:
    reply = shop.call("failing", {"type": "RAISE"})
    assert failed(reply, "INTERNAL")["partialSideEffects"] is True
    assert b"hunter2" not in reply.body


def test_wrong_arguments_name_every_field(shop: Any) -> None:
    error = failed(shop.call("find", {"query": 5, "more": 1}), "VALIDATION")
    assert {e["pointer"] for e in error["errors"]} == {"/query", "/more"}


def test_an_unknown_tool_is_an_envelope_with_the_nearest_names(shop: Any) -> None:
    assert "find" in failed(shop.call("fnid", {}), "NOT_FOUND")["nearest"]


def test_the_mode_of_a_call_is_its_own(shop: Any) -> None:
    failed(shop.call("for_voice", {"query": "x"}), "MODE_RESTRICTED")
    succeeded(shop.call("for_voice", {"query": "x"}, mode="voice"))


def test_a_farewell_without_a_session_is_that_of_its_own_request(client: Any) -> None:
    """Requests without a session share one, which no request ends for the next."""
    for words in ("Goodbye.", "See you on Monday."):
        args = {"reason": "user_requested", "closing_message": words}
        data = succeeded(client.call("end_voice_session", args, mode="voice"))
        assert data["finalMessage"] == words


def test_a_tool_that_is_not_there_for_this_session_is_refused(shop: Any) -> None:
    failed(shop.call("for_admins", {"query": "x"}), "UNAVAILABLE")


def test_a_rate_limit_holds_across_requests(shop: Any) -> None:
    succeeded(shop.call("limited", {"query": "x"}))
    reply = shop.call("limited", {"query": "y"})
    after = failed(reply, "RATE_LIMIT")["retryAfter"]
    assert 0 <= int(reply.headers["retry-after"]) - after < 1


def test_every_request_has_the_budget_of_a_turn(shop: Any) -> None:
    """Far more than a turn may have, all alike, one after the other and side by side."""
    for _ in range(8):
        succeeded(shop.call("find", {"query": "nothing"}, mode="voice"))
    with ThreadPoolExecutor(8) as pool:
        replies = pool.map(
            lambda _: shop.call("find", {"query": "nothing"}, mode="voice"), [0] * 16
        )
    for reply in replies:
        succeeded(reply)
        assert "replayed" not in reply.json["meta"]


def test_requests_without_a_key_are_calls_of_their_own(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    for count in (1, 2, 3, 4):
        args = {"file": str(file), "text": "same"}
        assert succeeded(shop.call("append_line", args)) == {"count": count}


def test_the_same_key_does_it_once_however_long_ago(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    args = {"file": str(file), "text": "once"}
    first = shop.call("append_line", args, key="a key, once")
    for _ in range(8):  # more turns than a session looks back on
        succeeded(shop.call("find", {"query": "x"}))
    again = shop.call("append_line", args, key="a key, once")
    assert succeeded(again) == succeeded(first) == {"count": 1}
    assert again.json["meta"]["replayed"] is True
    assert lines(file) == ["once"]


def test_the_same_key_side_by_side_does_it_once(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    args = {"file": str(file), "text": "once"}
    with ThreadPoolExecutor(8) as pool:
        replies = pool.map(lambda _: shop.call("append_line", args, key="side by side"), [0] * 8)
    assert {succeeded(reply)["count"] for reply in replies} == {1}
    assert lines(file) == ["once"]


def test_the_same_key_with_another_call_is_a_conflict(shop: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    succeeded(shop.call("append_line", {"file": str(file), "text": "one"}, key="used"))
    failed(shop.call("append_line", {"file": str(file), "text": "two"}, key="used"), "CONFLICT")
    assert lines(file) == ["one"]


def test_a_write_that_takes_too_long_is_accepted_and_its_key_tells_how_it_went(
    shop: Any, tmp_path: Path
) -> None:
    file = tmp_path / "signal"
    failed(shop.call("wait_for", {"file": str(file)}, key="slow"), "IN_PROGRESS")
    file.touch()
    while (reply := shop.call("wait_for", {"file": str(file)}, key="slow")).status == 202:
        pass
    assert succeeded(reply) == {"seen": True}
    assert reply.json["meta"]["replayed"] is True


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{", "is no JSON"),
        (b"\xff", "is no JSON"),
        (b'{"args": {"x": NaN}}', "is no JSON"),
        (b'{"args": "\\ud800"}', "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"", "Field required"),
        (b"[]", "dictionary"),
        (b'{"args": []}', "body `args`"),
        (b'{"args": null}', "body `args`"),
        (b'{"arguments": {}}', "body `arguments`"),
        (b'{"mode": "smoke"}', "body `mode`"),
        (b'{"session_id": 5}', "body `session_id`"),
        (b'{"session_id": ""}', "body `session_id`"),
    ],
)
def test_a_wrong_body_is_a_problem_that_says_what_and_where(
    shop: Any, body: bytes, said: str
) -> None:
    headers = {"Content-Type": "application/json"}
    reply = shop.send("POST", "/api/tools/find/call", headers, body)
    assert said in refused(reply, 422)


def test_a_body_that_does_not_say_it_is_json_is_told_to(shop: Any) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    reply = shop.send("POST", "/api/tools/find/call", headers, b'{"args": {}}')
    assert "Content-Type: application/json" in refused(reply, 422)


@pytest.mark.parametrize("key", ["k" * 201, "schl\u00fcssel"])
def test_an_unusable_key_is_a_problem(shop: Any, key: str) -> None:
    assert "idempotency-key" in refused(shop.call("find", {"query": "x"}, key=key), 422)


def test_arguments_beyond_what_json_numbers_hold_are_answered(shop: Any) -> None:
    headers = {"Content-Type": "application/json"}
    body = b'{"args": {"query": 1' + b"0" * 400 + b"}}"
    reply = shop.send("POST", "/api/tools/find/call", headers, body)
    assert reply.status == 422


def test_refusals_and_calls_are_in_the_metrics(workshop: Any) -> None:
    with workshop.running(workshop.app()) as shop:
        succeeded(shop.call("find", {"query": "x"}))
        failed(shop.call("for_voice", {"query": "x"}), "MODE_RESTRICTED")
        body = shop.get("/metrics").json
        text = shop.get("/metrics/prometheus").body.decode()
    assert body["calls"] == {"find": {"ok": 1}}
    assert body["refusals"] == {"MODE_RESTRICTED": 1}
    assert body["sessions"]["active"] == 1
    assert 'antiphon_tool_calls_total{tool="find",outcome="ok"} 1\n' in text
    assert 'antiphon_refusals_total{type="MODE_RESTRICTED"} 1\n' in text


def test_a_reloaded_registry_is_used_by_the_next_request(workshop: Any, tmp_path: Path) -> None:
    from antiphon.registry import Registry
    from antiphon.registry.builder import build

    source = workshop.registry.path.parent / "tools" / "find"
    tool = tmp_path / "tools" / "find"
    tool.mkdir(parents=True)
    for file in source.glob("*.*"):
        (tool / file.name).write_text(file.read_text())
    artifact = tmp_path / "tool_registry.json"
    build([tmp_path / "tools"], artifact, use_cache=False)
    registry = Registry.load(artifact)
    own = type(workshop)(registry, tmp_path / "data")
    with own.running(own.app()) as shop:
        before = shop.call("find", {"query": "x"}).json["meta"]["registryVersion"]
        (tool / "guide.md").write_text("# find\n\nFinds even more.\n")
        build([tmp_path / "tools"], artifact, use_cache=False)
        registry.reload()
        reply = shop.call("find", {"query": "x"})
        succeeded(reply)
        assert reply.json["meta"]["registryVersion"] == registry.version != before
        assert shop.get("/metrics").json["sessions"]["active"] == 1
