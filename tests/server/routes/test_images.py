"""GET /api/images/{id}, and the calendar and images as the running server puts them together."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import calls, says, step
from tests.server.conftest import Client, Serve
from tests.server.routes.test_chat import parsed
from tests.server.ws.phone import Phone
from tests.tools.test_image_generate import png

from antiphon.emulators.runner import emulate

PICTURE = png()


def made(client: Client, **args: Any) -> dict[str, Any]:
    reply = client.call("image_generate", {"prompt": "A lighthouse <at> dawn", **args})
    assert reply.status == 200, reply.json
    found: dict[str, Any] = reply.json["data"]
    return found


def test_a_drawing_is_served_as_an_svg_that_can_do_nothing(client: Client) -> None:
    image = made(client)
    assert image["provider"] == "built-in"
    reply = client.get(image["url"])
    assert reply.status == 200
    assert reply.media_type == "image/svg+xml"
    policies = reply.headers.get_all("content-security-policy")
    assert "default-src 'none'; sandbox" in policies
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert b"<path" in reply.body
    assert b"&lt;at&gt;" in reply.body


def test_the_same_request_again_is_the_same_image(client: Client) -> None:
    args = {"prompt": "A cat"}
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


# -- shown to the person ----------------------------------------------------------------------


@contextmanager
def pictures() -> Iterator[str]:
    """A web server with one picture; gives its host and port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")  # what it is called does not matter
            self.send_header("content-length", str(len(PICTURE)))
            self.end_headers()
            self.wfile.write(PICTURE)

        def log_message(self, *args: object) -> None:
            del args

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def sends(host: str, caption: str) -> list[Any]:
    args = {"image_url": f"http://{host}/cat.png", "caption": caption}
    return [
        step("text", calls(("send_image", args), text="Here she is.")),
        step("results", says("That was Mia."), ok=True),
    ]


def test_an_image_reaches_the_chat_and_is_there_after_a_restart(
    serve: Serve, tmp_path: Path
) -> None:
    with (
        pictures() as host,
        emulate("anthropic", [*sends(host, "Mia"), *sends(host, "Her again")]) as emulator,
    ):
        settings: dict[str, Any] = {
            "data": tmp_path / "data",
            "egress": {"allowed": [host]},
            "agent": {"backend": "claude"},
            "providers": {"claude": {"api_key": "test-key", "base_url": emulator.base_url}},
        }
        with serve.running(serve.app(**settings)) as client:
            events = parsed(client.post("/api/chat", {"message": "Show me Mia"}).body)
            (event,) = (each for each in events if each["type"] == "image")
            session_id = events[-1]["session_id"]
            more = {"message": "Once more", "session_id": session_id}
            answer = client.post("/api/chat", more, accept="application/json").json
            (again,) = answer["images"]
        assert "placeholder" not in event
        assert event.pop("type") == "image"
        assert (event["caption"], event["mediaType"]) == ("Mia", "image/png")
        assert (event["width"], event["height"]) == (3, 2)
        assert again["id"] != event["id"]
    with serve.running(serve.app(data=tmp_path / "data")) as client:
        assert client.get(f"/api/sessions/{session_id}").json["images"] == [event, again]
        turns = client.get(f"/api/sessions/{session_id}/timeline").json["turns"]
        first = turns[0]["entries"]
        kinds = [entry["kind"] for entry in first if entry["kind"] != "note"]
        assert kinds == ["said", "said", "call", "image", "said"]
        (shown,) = (entry for entry in first if entry["kind"] == "image")
        assert event.items() <= shown.items()
        served = client.get(event["url"])
        assert (served.body, served.media_type) == (PICTURE, "image/png")
        assert served.headers["x-content-type-options"] == "nosniff"


def test_an_image_reaches_the_voice_socket(serve: Serve, tmp_path: Path) -> None:
    script = {
        "rules": [
            {
                "on": "text",
                "with": {"text": r"/send (\S+)/"},
                "reply": [
                    {"call": {"id": "c1", "name": "send_image", "args": {"image_url": "{1}"}}}
                ],
            },
            {"on": "results", "reply": [{"say": "There."}, "complete"]},
            {"on": "text", "reply": [{"say": "Hello."}, "complete"]},
        ]
    }
    with pictures() as host, emulate("gemini", script, check=False) as emulator:
        access = {"api_key": emulator.key, "base_url": emulator.base_url}
        app = serve.app(
            egress={"allowed": [host]},
            providers={"gemini": {**access, "ca_file": emulator.ca_file}},
        )
        with serve.running(app) as client, Phone(client.port) as phone:
            ready = phone.start("gemini", profile="assistant")
            phone.say("text", text=f"send http://{host}/cat.png")
            shown = phone.until("image")
            assert client.get(shown["url"]).body == PICTURE
            phone.until("turn_complete")
            (kept,) = client.get(f"/api/sessions/{ready['sessionId']}").json["images"]
            assert kept.items() <= shown.items()


def test_a_private_address_is_refused_unless_the_settings_allow_it(client: Client) -> None:
    with pictures() as host:
        reply = client.call("send_image", {"image_url": f"http://{host}/cat.png"})
    assert reply.json["error"]["type"] == "PERMANENT"
    assert "not a public address" in reply.json["error"]["message"]


def test_a_setting_makes_image_generate_ask_first(serve: Serve) -> None:
    app = serve.app(tools={"ask_first": ["image_generate"]})
    with serve.running(app) as client:
        error = client.call("image_generate", {"prompt": "A cat"}).json["error"]
        assert error["type"] == "CONFIRMATION_REQUIRED"
        asked = error["confirmation_request"]["id"]
        found = client.get(f"/api/confirmations/{asked}?session_id=rest-text").json
        body = {"token": found["token"], "approve": True}
        reply = client.post(f"/api/confirmations/{asked}", body)
        assert reply.status == 200, reply.json
        assert "/api/images/img_" in reply.body.decode()
        assert client.call("list_tools", {}).status == 200  # what nobody named asks nobody
