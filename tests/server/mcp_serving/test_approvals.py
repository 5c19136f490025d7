"""Calls that a person has to approve: asked through MCP, and not to be cheated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import Client, Serve
from tests.server.mcp_serving_helpers import CLIENT_LEAKS, ERAS, KEY, answering, calling, mcp_client
from tests.server.sign_in_helpers import as_operator, events, make_user, signing_in

pytestmark = pytest.mark.real_time(ignore=CLIENT_LEAKS)

each_era = pytest.mark.parametrize("era", ERAS)
FORM = {"elicitation": {"form": {}}}
YES = {"approval": {"action": "accept", "content": {"approve": True}}}


@pytest.fixture(autouse=True)
def nothing_open(shop: Client) -> Iterator[None]:
    """A session has only so many open questions."""
    yield
    asked = [
        each["id"] for each in shop.get("/api/confirmations?status=pending").json["confirmations"]
    ]
    if asked:
        shop.post("/api/confirmations/deny", {"ids": asked})


@pytest.fixture
def line(tmp_path: Path) -> dict[str, str]:
    return {"file": str(tmp_path / "lines"), "text": "hello"}


def written(line: dict[str, str]) -> list[str]:
    file = Path(line["file"])
    return file.read_text().splitlines() if file.exists() else []


def error_of(answer: Any) -> dict[str, Any]:
    content = answer["result"]["content"] if isinstance(answer, dict) else answer.content
    text = content[0]["text"] if isinstance(content[0], dict) else content[0].text
    found: dict[str, Any] = json.loads(text)["error"]
    return found


@each_era
async def test_a_person_is_asked_by_the_client_and_approves(
    shop: Client, era: str, line: dict[str, str]
) -> None:
    asked: list[str] = []
    async with mcp_client(shop.port, era, ask=answering(asked)) as client:
        result = await client.call_tool("ask_first", line)
    assert result.structured_content == {"count": 1}
    assert written(line) == ["hello"]
    # The person has seen every value.
    assert all(value in asked[0] for value in line.values())


@each_era
@pytest.mark.parametrize("answer", [("decline", {}), ("accept", {"approve": False})])
async def test_a_no_is_a_no(
    shop: Client, era: str, answer: tuple[str, dict[str, Any]], line: dict[str, str]
) -> None:
    action, content = answer
    async with mcp_client(shop.port, era, ask=answering([], action, **content)) as client:
        result = await client.call_tool("ask_first", line)
    assert error_of(result)["type"] == "CANCELLED"
    assert written(line) == []


@each_era
async def test_who_cannot_ask_is_told_where_a_person_approves(
    shop: Client, era: str, line: dict[str, str]
) -> None:
    """The same call again, without any key, gets the outcome."""
    async with mcp_client(shop.port, era) as client:
        error = error_of(await client.call_tool("ask_first", line))
        assert error["type"] == "CONFIRMATION_REQUIRED"
        assert "token" not in json.dumps(error)
        assert f"http://127.0.0.1:{shop.port}/" in error["approve_at"]
        still = error_of(await client.call_tool("ask_first", line))
        asked = still["confirmation_request"]["id"]
        assert asked == error["confirmation_request"]["id"]
        waiting = shop.get(f"/api/confirmations/{asked}?session_id=mcp-text").json
        answer = {"token": waiting["token"], "approve": True}
        assert shop.post(f"/api/confirmations/{asked}", answer).json["outcome"] == "approved"
        outcome = await client.call_tool("ask_first", line)
        assert outcome.structured_content == {"count": 1}
        # That was told: from now on it is another call.
        assert error_of(await client.call_tool("ask_first", line))["type"] == (
            "CONFIRMATION_REQUIRED"
        )
    assert written(line) == ["hello"]


async def test_a_person_who_says_no_in_the_console_is_not_asked_again(
    shop: Client, line: dict[str, str]
) -> None:
    async with mcp_client(shop.port) as client:
        error = error_of(await client.call_tool("ask_first", line))
        asked = error["confirmation_request"]["id"]
        assert shop.post("/api/confirmations/deny", {"ids": [asked]}).json["denied"] == 1
        assert error_of(await client.call_tool("ask_first", line))["type"] == "CANCELLED"
    assert written(line) == []


def test_nothing_in_a_call_approves_it(shop: Client, line: dict[str, str]) -> None:
    for more in ({"confirmationToken": "v1.1.x.y"}, {"approve": True}):
        answer = calling(shop, "ask_first", {**line, **more})
        assert error_of(answer)["type"] in ("VALIDATION", "AUTH")
    # An answer without the state of a question is none.
    answer = calling(shop, "ask_first", line, capabilities=FORM, inputResponses=YES)
    assert answer["result"]["resultType"] == "input_required"
    assert written(line) == []


def test_a_state_is_good_for_its_call_and_its_person_once(
    workshop: Serve, line: dict[str, str]
) -> None:
    with signing_in(workshop) as client:
        tokens = {}
        for name in ("ann", "bob"):
            make_user(client, name)
            made = as_operator(client, "POST", "/api/tokens", {"user": name, "name": "mcp"})
            tokens[name] = made["secret"]
        ann, bob = tokens["ann"], tokens["bob"]
        call: dict[str, Any] = {"capabilities": FORM, "token": ann}
        asked = calling(client, "ask_first", line, **call)["result"]
        state = asked["requestState"]
        # A client cannot read what it carries.
        assert asked["inputRequests"]["approval"]["method"] == "elicitation/create"
        given = {**call, "inputResponses": YES}
        other_line = {**line, "text": "goodbye"}
        wrong = [
            (other_line, {**given, "requestState": state}, "other arguments"),
            (line, {**given, "requestState": state, "token": bob}, "another user's call"),
            (line, {**given, "requestState": f"{state}A"}, "was changed"),
            (line, {**given, "requestState": "v1.AAAA"}, "was changed"),
            (line, {**given, "requestState": "x" * 9000}, "was changed"),
        ]
        for args, sent, words in wrong:
            error = calling(client, "ask_first", args, **sent)["error"]
            assert error["code"] == -32602
            assert words in error["message"]
        assert written(line) == []
        # A client that brings no answer is asked once more.
        again = calling(client, "ask_first", line, **{**call, "requestState": state})["result"]
        assert again["resultType"] == "input_required"
        done = calling(client, "ask_first", line, **{**given, "requestState": state})["result"]
        assert done["structuredContent"] == {"count": 1}
        replay = calling(client, "ask_first", line, **{**given, "requestState": state})
        assert error_of(replay)["type"] in ("NOT_FOUND", "CONFLICT")
        assert written(line) == ["hello"]
        refused = events(client, "confirmation_refused")
        assert len(refused) == len(wrong) + 1
        assert all(each["details"]["reason"] for each in refused)


@pytest.fixture(scope="module")
def strict(workshop: Serve) -> Iterator[Client]:
    app = workshop.app(mcp={"high_risk_approvals": "console"})
    with workshop.running(app) as client:
        yield client


@each_era
async def test_high_risk_is_approved_in_the_console_where_the_operator_wants_that(
    strict: Client, era: str, line: dict[str, str]
) -> None:
    asked: list[str] = []
    meta: Any = {KEY: f"strict-{era}"}
    async with mcp_client(strict.port, era, ask=answering(asked)) as client:
        high = await client.call_tool("ask_first", line, meta=meta)
        low = await client.call_tool("ask_lightly", line, meta={KEY: f"low-{era}"})  # type: ignore[typeddict-unknown-key]
    assert error_of(high)["type"] == "CONFIRMATION_REQUIRED"
    assert low.structured_content == {"count": 1}
    assert len(asked) == 1


@each_era
async def test_two_people_are_two_people(shop: Client, era: str, line: dict[str, str]) -> None:
    async with mcp_client(shop.port, era, ask=answering([])) as client:
        error = error_of(await client.call_tool("ask_two", line))
    assert error["type"] == "CONFIRMATION_REQUIRED"
    assert "second person" in error["message"]
    assert written(line) == []
