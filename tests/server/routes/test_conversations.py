"""Conversations over HTTP: one transcript over text and voice, with titles, folders and search."""

from __future__ import annotations

import json
from typing import Any

from tests.agents.chatting import calls, says, step
from tests.server.routes.test_chat import talking  # noqa: F401 - a fixture
from tests.server.ws.conftest import voice_serve  # noqa: F401 - a fixture
from tests.server.ws.phone import Phone, VoiceServe

PROBLEM = "application/problem+json"


def patch(client: Any, id: str, body: Any, **headers: str) -> Any:
    sent = {"Content-Type": "application/json", **headers}
    return client.send("PATCH", f"/api/conversations/{id}", sent, json.dumps(body).encode())


def listed(client: Any, query: str = "") -> Any:
    reply = client.get(f"/api/conversations?{query}")
    assert reply.status == 200, reply.body
    return reply.json


def whole(client: Any, id: str, query: str = "") -> Any:
    reply = client.get(f"/api/conversations/{id}?{query}")
    assert reply.status == 200, reply.body
    return reply.json


def told(entries: list[Any]) -> list[Any]:
    return [
        (entry["role"], entry["text"]) if entry["kind"] == "said" else entry["tool"]
        for entry in entries
    ]


def test_a_conversation_is_listed_read_renamed_and_filed(talking: Any) -> None:  # noqa: F811
    script = [
        step("text", calls(("find", {"query": "ada"}), text="Let me look."), text="Who is Ada?"),
        step("results", says("A mathematician.")),
        step("text", says("Yes."), text="Sure?"),
        step("text", says("Hello."), text="Hi"),
    ]
    with talking(script) as talk:
        client = talk.client
        talk.say("Who is Ada?")
        first = talk.session_id
        events = client.post("/api/chat", {"message": "Sure?", "conversation": first})
        assert f'"session_id":"{first}"' in events.body.decode()
        talk.session_id = None
        talk.say("Hi")
        page = listed(client)
        assert [each["title"] for each in page["conversations"]] == ["Hi", "Who is Ada?"]
        one = page["conversations"][1]
        assert (one["turns"], one["preview"], one["spoken"]) == (5, "Yes.", False)
        assert (one["active"], one["folder"], one["version"]) == (False, "", 1)
        found = whole(client, first)
        assert told(found["entries"]) == [
            ("user", "Who is Ada?"),
            ("assistant", "Let me look."),
            "find",
            ("assistant", "A mathematician."),
            ("user", "Sure?"),
            ("assistant", "Yes."),
        ]
        call = found["entries"][2]
        assert (call["ok"], call["args"], call["answer"]["data"]) == (
            True,
            {"query": "ada"},
            {"results": ["ada"]},
        )
        last = found["entries"][-2]["turn"]
        assert told(whole(client, first, f"after={last}")["entries"]) == [("assistant", "Yes.")]
        newest = whole(client, first, "limit=2")
        assert told(newest["entries"]) == [("user", "Sure?"), ("assistant", "Yes.")]
        older = whole(client, first, f"before={newest['next']}")
        assert told(older["entries"] + newest["entries"]) == told(found["entries"])
        assert older["next"] is None
        renamed = patch(client, first, {"title": "Ada", "folder": "People"}, **{"If-Match": '"1"'})
        assert (renamed.status, renamed.headers["etag"]) == (200, '"2"')
        clash = patch(client, first, {"title": "Lovelace"}, **{"If-Match": '"1"'})
        assert (clash.status, clash.media_type) == (409, PROBLEM)
        assert clash.json["detail"].endswith("Load it again, then make your change.")
        assert clash.json["current"]["title"] == "Ada"
        assert listed(client)["folders"] == [{"name": "People", "count": 1}]
        assert [each["id"] for each in listed(client, "folder=People")["conversations"]] == [first]
        [hit] = listed(client, "query=mathematician")["conversations"]
        assert (hit["id"], hit["preview"]) == (first, "A mathematician.")
        paged = listed(client, "limit=1")
        assert [c["title"] for c in listed(client, f"before={paged['next']}")["conversations"]] == [
            "Ada"
        ]


def test_what_is_wrong_is_said_in_one_sentence(client: Any) -> None:
    missing = client.get("/api/conversations/none")
    assert (missing.status, missing.json["detail"]) == (404, "There is no conversation `none`.")
    assert patch(client, "none", {"title": "x"}).status == 404
    assert client.get("/api/conversations?before=none").status == 422
    assert client.get("/api/conversations?limit=0").status == 422
    unknown = client.post("/api/chat", {"message": "Hi", "conversation": "none"})
    assert unknown.status == 404
    assert "There is no conversation `none`" in unknown.json["detail"]
    both = client.post("/api/chat", {"message": "Hi", "conversation": "a", "session_id": "b"})
    assert both.status == 422


def test_voice_and_text_are_one_conversation(voice_serve: VoiceServe) -> None:  # noqa: F811
    with voice_serve.talking() as (client, _, _):
        with Phone(client.port) as phone:
            spoken = phone.start()["sessionId"]
            phone.works("hello")
            assert listed(client)["conversations"][0]["active"]
        body = {"message": "find ada", "conversation": spoken, "backend": "gemini"}
        reply = client.post("/api/chat", body, accept="application/json")
        written = reply.json["session_id"]
        with Phone(client.port) as phone:
            again = phone.start(conversation=written)
            phone.works("hello")
        assert again["conversation"] == spoken
        [one] = listed(client)["conversations"]
        found = whole(client, written)
        assert (one["id"], one["spoken"], found["id"]) == (spoken, True, spoken)
        assert found["sessions"] == [spoken, written, again["sessionId"]]
        channels = [entry["channel"] for entry in found["entries"] if entry["kind"] == "said"]
        assert channels[:2] == ["text", "voice"]  # it was typed there, and answered aloud
