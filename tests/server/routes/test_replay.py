"""Recorded calls decided anew over HTTP: by today's rules, and by other numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from antiphon.server.routes.replay import Replay


@pytest.fixture(scope="module")
def logged(workshop: Any) -> Iterator[Any]:
    """A server that has refused the third retrieval call of a spoken turn."""
    with workshop.running(workshop.app()) as shop:
        session = shop.post("/api/sessions", {"mode": "voice"}).json["id"]
        for query in "abc":
            shop.call("find", {"query": query}, session_id=session)
        shop.session = session
        yield shop


def replayed(shop: Any, **body: Any) -> Replay:
    reply = shop.post("/api/audit/replay", body)
    assert reply.status == 200, reply.body
    return Replay.model_validate(reply.json)


def test_today_nothing_is_decided_differently(logged: Any) -> None:
    found = replayed(logged)
    assert (found.compared, found.different, found.sessions) == (3, 0, 1)
    assert (found.from_seq, found.to_seq) == (1, 4)
    assert found.registry_version == logged.get("/metrics").json["registry"]["version"]


def test_other_numbers_show_what_they_would_change(logged: Any) -> None:
    found = replayed(logged, policy={"voice.retrieval_calls": 3})
    [change] = found.changes
    assert (change.recorded, change.now, change.count) == ("budget.retrieval", "run", 1)
    [difference] = found.differences
    assert (difference.toolId, difference.seq) == ("find", 4)
    assert difference.recorded.errorType == "BUDGET_EXCEEDED"
    tight = replayed(logged, policy={"voice.retrieval_calls": 1, "voice.total_calls": None})
    assert [each.seq for each in tight.differences] == [3]
    assert tight.differences[0].now.message


def test_lines_before_the_last_ones_set_the_scene(logged: Any) -> None:
    """The refusal is by calls that are not compared; without them it would look like a change."""
    found = replayed(logged, last=1)
    assert (found.from_seq, found.compared, found.different) == (4, 1, 0)


def test_one_session_is_replayed_alone(logged: Any) -> None:
    assert replayed(logged, session=logged.session).compared == 3
    nothing = replayed(logged, session="nobody")
    assert (nothing.compared, nothing.from_seq, nothing.to_seq) == (0, None, None)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"last": 0}, "last"),
        ({"last": 20_001}, "last"),
        ({"lines": 5}, "lines"),
        ({"policy": {"voice.calls": 5}}, "policy.voice.calls"),
        ({"policy": {"same_call_limit": None}}, "policy.same_call_limit"),
        ({"policy": {"voice.total_calls": -1}}, "policy.voice.total_calls"),
    ],
)
def test_what_cannot_be_replayed_is_named(logged: Any, body: Any, name: str) -> None:
    reply = logged.post("/api/audit/replay", body)
    assert (reply.status, reply.media_type) == (422, "application/problem+json")
    assert reply.json["errors"][0]["name"] == name
