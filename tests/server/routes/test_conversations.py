"""Conversations over HTTP: one transcript over text and voice, with titles, folders and search."""

from __future__ import annotations

import json
from typing import Any

from tests.agents.chatting import calls, says, step
from tests.server.routes.test_chat import talking  # noqa: F401 - a fixture
from tests.server.ws.conftest import voice_serve  # noqa: F401 - a fixture
from tests.server.ws.phone import Phone, VoiceServe, eventually

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
        groups = client.get("/api/search?q=mathematician").json["groups"]
        items = next(group["items"] for group in groups if group["kind"] == "conversation")
        assert [(item["title"], item["address"]) for item in items] == [("Ada", f"#/chat/{first}")]
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
        about = {s["id"]: s["about"] for s in client.get("/api/sessions").json["sessions"]}
        assert {about[each] for each in found["sessions"]} == {"hello"}
        channels = [entry["channel"] for entry in found["entries"] if entry["kind"] == "said"]
        assert channels[:2] == ["text", "voice"]  # it was typed there, and answered aloud


def test_what_was_written_meanwhile_is_known_when_voice_goes_on(
    voice_serve: VoiceServe,  # noqa: F811
) -> None:
    with voice_serve.talking() as (client, emulator, _):
        with Phone(client.port) as phone:
            ready = phone.start()
            phone.works("hello")
        body = {"message": "find ada", "conversation": ready["sessionId"], "backend": "gemini"}
        assert client.post("/api/chat", body, accept="application/json").status == 200
        before = len(emulator.received)
        with Phone(client.port) as phone:
            again = phone.start(session_token=ready["session_token"])
            phone.works("hello")
        assert (again["sessionId"], again["resumed"]) == (ready["sessionId"], True)
        assert "find ada" in str(emulator.received[before:])


def test_answers_are_judged_branched_shared_exported_and_deleted(talking: Any) -> None:  # noqa: F811
    script = [
        step("text", calls(("keep_secret", {"query": "s3cret"})), text="Look."),
        step("results", says("It is (project:harbor_light).")),
        step("text", says("Because."), text="Why?"),
        step("text", says("Another."), text="Why not?"),
    ]
    with talking(script) as talk:
        client = talk.client
        talk.say("Look.")
        talk.say("Why?")
        key = talk.session_id
        path = f"/api/conversations/{key}"
        entries = whole(client, key)["entries"]
        asked, called, answered, why, because = entries
        assert called["args"] == {"query": "[redacted]"}
        assert [source["id"] for source in answered["sources"]] == ["project:harbor_light"]

        # Feedback belongs to an answer, and can be taken back.
        def judge(turn: str, body: Any) -> Any:
            sent = {"Content-Type": "application/json"}
            place = f"{path}/turns/{turn}/feedback"
            return client.send("PUT", place, sent, json.dumps(body).encode())

        assert judge(answered["turn"], {"value": "down", "comment": "Too short."}).status == 204
        assert judge(because["turn"], {"value": "up"}).status == 204
        assert judge(because["turn"], {"value": None}).status == 204
        assert judge(asked["turn"], {"value": "up"}).status == 404
        assert judge("x", {"value": "up"}).json["detail"].startswith("There is no turn `x`")
        assert judge(answered["turn"], {"value": "good"}).status == 422
        judged = [e.get("feedback") for e in whole(client, key)["entries"]]
        assert judged == [None, None, {"value": "down", "comment": "Too short."}, None, None]

        written = client.get(f"{path}/export?format=md")
        assert written.media_type == "text/markdown"
        assert written.headers["content-disposition"].startswith('attachment; filename="Look.md"')
        assert "1. Harbor light (`project:harbor_light`)" in written.body.decode()
        odd = {"title": '../"x"; y=\u202eÜ'}
        sent = {"Content-Type": "application/json"}
        assert client.send("PATCH", path, sent, json.dumps(odd).encode()).status == 200
        named = client.get(f"{path}/export?format=md").headers["content-disposition"]
        assert named == (
            'attachment; filename="x-y.md"; '
            "filename*=UTF-8''..%2F%22x%22%3B%20y%3D%E2%80%AE%C3%9C.md"
        )
        data = client.get(f"{path}/export?format=json").json
        assert [e.get("feedback") for e in data["entries"]] == judged
        assert client.get(f"{path}/export?format=pdf").status == 422

        # A branch knows what was said before, and goes on by itself.
        made = client.post(f"{path}/branch", {"turn": why["turn"]})
        assert made.status == 201
        branch = made.json["id"]
        client.post("/api/chat", {"message": "Why not?", "conversation": branch})
        assert "harbor_light" in json.dumps(talk.emulator.received[-1])
        assert "Because." not in json.dumps(talk.emulator.received[-1])
        assert told(whole(client, branch)["entries"])[-2:] == [
            ("user", "Why not?"),
            ("assistant", "Another."),
        ]
        assert [each["id"] for each in listed(client)["conversations"]] == [branch, key]
        through = client.post(f"{path}/branch", {"turn": why["turn"], "include": True}).json["id"]
        assert told(whole(client, through)["entries"]) == told(entries[:4])
        assert client.post(f"{path}/branch", {"turn": "999999"}).status == 404
        assert len(told(whole(client, key)["entries"])) == 5

        # Whoever has the token reads, until it is revoked, and sees no results of tools.
        token = client.post(f"{path}/share").json["token"]
        shared = client.get(f"/api/shared/{token}")
        assert told(shared.json["entries"]) == told(entries)
        assert b"s3cret" not in shared.body
        assert shared.json["entries"][1]["answer"] is None
        assert whole(client, key)["shared"]
        assert client.send("DELETE", f"{path}/share").status == 204
        gone = client.get(f"/api/shared/{token}")
        assert (gone.status, gone.media_type) == (404, PROBLEM)

        assert client.send("DELETE", path).status == 204
        assert client.get(path).status == 404
        assert key not in [each["id"] for each in listed(client)["conversations"]]
        assert client.get(f"/api/sessions/{key}").json["active"] is False
        events = [line["event"] for line in client.get("/api/audit?limit=200").json["lines"]]
        assert "tool_execution" in events  # the audit stays


def test_what_was_heard_of_an_answer_is_kept_beside_all_of_it(voice_serve: VoiceServe) -> None:  # noqa: F811
    story = "Once there was a lighthouse keeper who counted every ship that passed by."
    script = {
        "rules": [
            {
                "on": "text",
                "with": {"text": "story"},
                "reply": [{"say": story}, {"audio": 8_000}, "complete"],
            },
            {"on": "text", "reply": [{"say": "Good."}, "complete"]},
        ]
    }
    for api in ("gemini", "openai"):
        with voice_serve.talking(api, script) as (client, _, _app), Phone(client.port) as phone:
            session = phone.start(api)["sessionId"]
            phone.say("text", text="Tell me a story")
            turn = phone.until("turn_complete")["turn_id"]  # all is said, and still being played
            phone.say("playback", turn_id=turn, played_ms=700)
            phone.say("interrupt")
            phone.until("interrupted", turn_id=turn)
            phone.works("And now?")

            def heard(at: Any = client, of: str = session) -> int:
                entries = whole(at, of)["entries"]
                found = [each["heard"] for each in entries if each["text"] == story]
                return (found and found[0]) or 0

            # It is written a moment after the person was told.
            eventually(lambda: 0 < heard() < len(story))
