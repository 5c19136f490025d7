"""GET /api/images/{id}, and the calendar and images as the running server puts them together."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.conftest import Client, Serve


def made(client: Client, **args: Any) -> dict[str, Any]:
    reply = client.call("image_generate", {"prompt": "A lighthouse <at> dawn", **args})
    assert reply.status == 200, reply.json
    found: dict[str, Any] = reply.json["data"]
    return found


def test_a_card_is_served_as_an_svg_that_can_do_nothing(client: Client) -> None:
    image = made(client)
    assert image["placeholder"] is True
    reply = client.get(image["url"])
    assert reply.status == 200
    assert reply.media_type == "image/svg+xml"
    policies = reply.headers.get_all("content-security-policy")
    assert "default-src 'none'; sandbox" in policies
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert b"PLACEHOLDER" in reply.body
    assert b"&lt;at&gt;" in reply.body


def test_the_same_request_again_is_the_same_image(client: Client) -> None:
    args = {"prompt": "A fox"}
    first = client.call("image_generate", args, key="one-key-for-both")
    again = client.call("image_generate", args, key="one-key-for-both")
    assert first.json["data"] == again.json["data"]


@pytest.mark.parametrize(
    "id", ["img_" + "0" * 32, ".secret", "..%2f..%2fantiphon.db", "img_x.json", "%00"]
)
def test_what_is_no_image_is_not_found(client: Client, id: str) -> None:
    made(client)
    reply = client.get(f"/api/images/{id}")
    assert reply.status == 404
    assert reply.media_type == "application/problem+json"


def test_the_server_has_a_calendar_of_its_own(client: Client) -> None:
    args = {"start_date": "2026-01-13", "end_date": "2026-01-13"}
    reply = client.call("calendar_get_availability", args)
    assert reply.status == 200, reply.json
    assert reply.json["data"]["existing_events"] == []


def test_settings_that_cannot_be_used_are_said_by_every_call(serve: Serve) -> None:
    app = serve.app(calendar={"service": "caldav"})
    with serve.running(app) as client:
        args = {"start_date": "2026-01-13", "end_date": "2026-01-13"}
        reply = client.call("calendar_get_availability", args)
        assert reply.json["error"]["type"] == "PERMANENT"
        assert "`calendar.url` of the settings" in reply.json["error"]["message"]


def test_an_event_is_created_when_the_person_approves(client: Client) -> None:
    args = {
        "title": "Review",
        "start_time": "2099-01-13T14:00:00Z",
        "end_time": "2099-01-13T15:00:00Z",
        "attendees": ["ana@example.com"],
    }
    error = client.call("calendar_create_event", args).json["error"]
    assert error["type"] == "CONFIRMATION_REQUIRED"
    asked = error["confirmation_request"]["id"]
    token = client.get(f"/api/confirmations/{asked}?session_id=rest-text").json["token"]
    reply = client.post(f"/api/confirmations/{asked}", {"token": token, "approve": True})
    assert reply.status == 200, reply.json
    day = {"start_date": "2099-01-13", "end_date": "2099-01-13", "time_zone": "UTC"}
    found = client.call("calendar_get_availability", {**day, "include_details": True}).json
    (event,) = found["data"]["existing_events"]
    assert (event["title"], event["start"]) == ("Review", "2099-01-13T14:00:00Z")
