"""The text agent over HTTP: events, documents, problems, and clients that go away."""

from __future__ import annotations

import http.client
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from tests.agents.chatting import EMULATED, VENDORS, calls, says, step
from tests.contracts.wire import check_text

from antiphon.agents.text import RefusalKind
from antiphon.contracts.events import FaultKind
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.server.routes import chat as route
from antiphon.server.routes.chat import ChatAnswer
from antiphon.server.services import StreamTimeouts
from antiphon.storage import Block, Store

each_vendor = pytest.mark.parametrize("vendor", VENDORS)


class Talk:
    """A running server whose agent talks to an emulated provider."""

    def __init__(self, client: Any, emulator: Emulator, app: FastAPI) -> None:
        self.client = client
        self.emulator = emulator
        self.app = app
        self.session_id: str | None = None

    def _body(self, message: str | None, body: dict[str, Any]) -> dict[str, Any]:
        said = {} if message is None else {"message": message}
        kept = {} if self.session_id is None else {"session_id": self.session_id}
        return {**said, **kept, **body}

    def say(self, message: str | None, **body: Any) -> list[dict[str, Any]]:
        """The events of one turn."""
        reply = self.client.post("/api/chat", self._body(message, body))
        assert (reply.status, reply.media_type) == (200, "text/event-stream"), reply.body
        events = parsed(reply.body)
        self.session_id = events[0]["session_id"]
        return events

    def ask(self, message: str | None, **body: Any) -> Any:
        return self.client.post("/api/chat", self._body(message, body), accept="application/json")


def parsed(stream: bytes) -> list[dict[str, Any]]:
    events = []
    for block in stream.decode().split("\n\n"):
        if not block or block.startswith(":"):
            continue
        name, data = block.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert name == f"event: {event['type']}"
        check_text(event)
        events.append(event)
    return events


def only(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == kind]


@pytest.fixture
def talking(workshop: Any, tmp_path: Path) -> Any:
    folder = tmp_path / "profiles"
    folder.mkdir()
    (folder / "assistant.toml").write_text('description = "Every tool."\n')

    @contextmanager
    def start(
        script: Any,
        vendor: str = "claude",
        *,
        check: bool = True,
        patience: StreamTimeouts | None = None,
        **settings: Any,
    ) -> Iterator[Talk]:
        with emulate(EMULATED[vendor], script, check=check) as emulator:
            access = {
                "api_key": "test-key",
                "base_url": emulator.base_url,
                "ca_file": emulator.ca_file,
            }
            app = workshop.app(
                **{
                    "agent": {"backend": vendor},
                    "providers": {vendor: access},
                    "profiles": {"folder": folder},
                    **settings,
                }
            )
            app.services.stream_timeouts = patience or StreamTimeouts()
            with workshop.running(app) as client:
                yield Talk(client, emulator, app)

    return start


# -- events ----------------------------------------------------------------------------------


@each_vendor
def test_a_message_is_answered_with_events_and_the_session_goes_on(
    talking: Any, vendor: str
) -> None:
    script = [
        step("text", calls(("find", {"query": "ada"}), text="Let me look."), text="Who is Ada?"),
        step("results", says("A mathematician."), ok=True),
        step("text", says("As I said."), text="Sure?"),
    ]
    with talking(script, vendor) as talk:
        events = talk.say("Who is Ada?")
        assert events[0]["type"] == "session"
        assert events[-1]["type"] == "done"
        assert [e["decision"]["outcome"] for e in only(events, "tool_call")] == ["run"]
        assert [e["envelope"]["ok"] for e in only(events, "tool_result")] == [True]
        said = "".join(e["delta"] for e in only(events, "text"))
        assert said == events[-1]["message"] == "Let me look.\n\nA mathematician."
        again = talk.say("Sure?")
        assert again[-1]["turn"] == 2
        assert "A mathematician." in json.dumps(talk.emulator.received[-1])
        detail = talk.client.get(f"/api/sessions/{talk.session_id}").json
        assert (detail["provider"], detail["profile"], detail["turn"]) == (vendor, "assistant", 3)
        assert detail["user"] == "local"
        lines = talk.client.get("/api/audit?event=turn_completed").json["lines"]
        used = next(line["details"]["budget"] for line in lines if line["turnId"] == 1)
        assert used["totalCalls"] == {"used": 1, "limit": 20}
        assert used["retrievalCalls"]["limit"] == 5
        assert used["toolMs"]["used"] > 0


@each_vendor
def test_the_model_is_told_the_time_where_the_person_is(talking: Any, vendor: str) -> None:
    script = [step("text", says("Good evening."), text="Hello")] * 3
    with talking(script, vendor, calendar={"time_zone": "Europe/Berlin"}) as talk:
        assert talk.say("Hello")[0]["time_zone"] == "Europe/Berlin"
        assert "(Europe/Berlin)" in json.dumps(talk.emulator.received[-1])
        assert talk.say("Hello", time_zone="Asia/Tokyo")[0]["time_zone"] == "Asia/Tokyo"
        # The session keeps it, and what nobody here knows changes nothing.
        assert talk.say("Hello", time_zone="Moon/Base")[0]["time_zone"] == "Asia/Tokyo"
        assert "+09:00 (Asia/Tokyo)" in json.dumps(talk.emulator.received[-1])


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        ("", "text/event-stream"),
        ("*/*", "text/event-stream"),
        ("text/event-stream", "text/event-stream"),
        ("application/json", "application/json"),
        ("application/json, text/event-stream;q=0.5", "application/json"),
    ],
)
def test_accept_chooses_the_form_of_the_answer(talking: Any, accept: str, media_type: str) -> None:
    with talking([step("text", says("Hello."))]) as talk:
        reply = talk.client.post("/api/chat", {"message": "Hello?"}, accept=accept)
        assert (reply.status, reply.media_type) == (200, media_type)
        if media_type == "text/event-stream":
            assert reply.headers["cache-control"] == "no-store"


def test_one_document_holds_all_of_a_turn(talking: Any, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    line = {"file": str(file), "text": "hello"}
    script = [
        step("text", calls(("find", {"query": "ada"}), ("ask_first", line))),
        step("results", says("Please confirm.")),
        step("text", says("It is done."), text="tool_result"),
    ]
    with talking(script) as talk:
        reply = talk.ask("Go")
        assert reply.status == 200
        answer = ChatAnswer.model_validate(reply.json)
        assert answer.message == "Please confirm."
        assert answer.finish == "complete"
        assert [(c.name, c.decision.outcome) for c in answer.calls] == [
            ("find", "run"),
            ("ask_first", "confirm"),
        ]
        assert "startVoiceSession" not in reply.json
        assert answer.usage.input_tokens > 0
        (asked,) = answer.confirmations
        approved = talk.client.post(
            f"/api/confirmations/{asked['id']}", {"token": asked["token"], "approve": True}
        )
        assert approved.json["outcome"] == "approved"
        assert file.read_text() == "hello\n"
        # Without a message the agent goes on with what came of it.
        talk.session_id = answer.session_id
        assert talk.ask(None).json["message"] == "It is done."


def test_the_hand_over_to_voice_has_the_fields_of_the_contract(serve: Any, tmp_path: Path) -> None:
    made = {
        "id": "call_0123456789",
        "name": "start_voice_session",
        "args": {"pending_request": "tell a joke"},
    }
    script = [step("text", calls(made)), step("results", ["complete"], ok=True)]
    with emulate("anthropic", script) as emulator:
        access = {"api_key": "test-key", "base_url": emulator.base_url}
        app = serve.app(
            agent={"backend": "claude"},
            providers={"claude": access},
            profiles={"folder": tmp_path},
        )
        with serve.running(app) as client:
            reply = client.post(
                "/api/chat", {"message": "Let's talk"}, accept="application/json"
            ).json
    assert reply["message"] == "Let's switch to voice mode."
    assert reply["startVoiceSession"] is True
    assert reply["pendingRequest"] == "tell a joke"


def test_a_silent_turn_is_kept_open_by_comments(talking: Any, tmp_path: Path) -> None:
    file = tmp_path / "there"
    script = [
        step("text", calls(("wait_until_there", {"file": str(file)}))),
        step("results", says("It is there.")),
    ]
    impatient = StreamTimeouts(silence=0.01)
    with talking(script, patience=impatient) as talk, stream(talk, "Wait for it") as answer:
        while answer.readline() != b": idle\n":
            pass
        file.write_text("")
        rest = answer.read()
    assert b"event: done\n" in rest


# -- what a model may do in one turn ---------------------------------------------------------


def test_one_message_of_the_model_does_not_change_or_ask_without_end(
    talking: Any, tmp_path: Path
) -> None:
    """A model that obeys what it read may ask for hundreds of calls at once."""
    file = str(tmp_path / "lines")
    writes = [("append_line", {"file": file, "text": str(number)}) for number in range(25)]
    questions = [("ask_first", {"file": file, "text": str(number)}) for number in range(7)]
    script = [
        step("text", calls(*writes)),
        step("results", says("Eight of them.")),
        step("text", calls(*questions)),
        step("results", says("Five of them.")),
        step("text", calls(("ask_first", {"file": file, "text": "more"}))),
        step("results", says("None of them.")),
    ]
    with talking(script) as talk:
        results = only(talk.say("All of it"), "tool_result")
        done = [each["envelope"]["ok"] for each in results]
        assert done.count(True) == 8
        refused = [each["envelope"]["error"] for each in results if not each["envelope"]["ok"]]
        assert {error["type"] for error in refused} == {"BUDGET_EXCEEDED"}
        assert "ask whether to go on" in refused[0]["message"]
        assert refused[0]["left"]["writes"] == 0
        assert len(Path(file).read_text().splitlines()) == 8

        events = talk.say("And these")
        kinds = [each["envelope"]["error"]["type"] for each in only(events, "tool_result")]
        assert sorted(kinds) == ["BUDGET_EXCEEDED"] * 2 + ["CONFIRMATION_REQUIRED"] * 5
        asked = only(events, "confirmation_required")
        assert len(asked) == 5
        # They are still open: nothing more is asked in the next turn either.
        events = talk.say("Go on")
        assert only(events, "confirmation_required") == []
        rules = {each["decision"]["rule"] for each in only(events, "tool_call")}
        assert rules == {"budget.questions"}


# -- what cannot begin -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({}, 422, "no message"),
        ({"message": ""}, 422, "message"),
        ({"message": "   "}, 422, "the message is empty"),
        ({"message": "x" * 32_001}, 422, "message"),
        ({"message": 5}, 422, "message"),
        ({"message": "Hi", "colour": "red"}, 422, "colour"),
        ({"message": "Hi", "backend": "eliza"}, 422, "backend"),
        ({"message": "Hi", "session_id": "nowhere"}, 404, "does not exist"),
        ({"message": "Hi", "session_id": "rest-text"}, 409, "Leave session_id out"),
        ({"message": "Hi", "profile": "nobody"}, 422, "no profile 'nobody'"),
        ({"message": "Hi", "profile": "../../etc/passwd"}, 422, "no profile"),
        ({"message": "Hi", "backend": "gemini"}, 503, "GEMINI_API_KEY"),
    ],
)
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_what_cannot_begin_is_a_problem_in_words(
    talking: Any, body: dict[str, Any], status: int, words: str, accept: str
) -> None:
    with talking([]) as talk:
        reply = talk.client.post("/api/chat", body, accept=accept)
        assert (reply.status, reply.media_type) == (status, "application/problem+json")
        assert words in reply.json["detail"]
        assert talk.client.get("/api/sessions").json["sessions"] == []


def test_a_second_message_during_an_answer_is_refused(talking: Any, tmp_path: Path) -> None:
    file = tmp_path / "there"
    script = [
        step("text", says("Hello.")),
        step("text", calls(("wait_until_there", {"file": str(file)}))),
        step("results", says("It is there.")),
    ]
    with talking(script) as talk:
        talk.say("Hello?")
        with stream(talk, "Wait") as answer:
            while b"tool_call" not in answer.readline():
                pass
            reply = talk.ask("And this?")
            assert (reply.status, reply.json["kind"]) == (409, "busy")
            assert "still answering" in reply.json["detail"]
            file.write_text("")
            assert b"event: done\n" in answer.read()


@pytest.mark.real_time
async def test_a_blocked_user_is_refused_and_told_until_when(talking: Any, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with talking([step("text", says("Hello."))], data=data) as talk:
        talk.say("Hello?")
        kept = talk.session_id

    async with Store.open(f"sqlite:///{data / 'antiphon.db'}") as store:
        await store.block(Block("local", time.time() + 600, "rude"))
    with talking([], data=data) as talk:
        for session_id in (kept, None):
            talk.session_id = session_id
            reply = talk.ask("Still there?")
            assert (reply.status, reply.media_type) == (403, "application/problem+json")
            assert reply.json["timeout"]["timeoutUntil"] > time.time() * 1000
            assert 0 < int(reply.headers["retry-after"]) <= 600


def test_a_session_that_was_ended_is_not_gone_on_with(talking: Any) -> None:
    with talking([step("text", says("Hello."))]) as talk:
        talk.say("Hello?")
        talk.client.send("DELETE", f"/api/sessions/{talk.session_id}")
        reply = talk.ask("Still there?")
        assert (reply.status, reply.json["kind"]) == (409, "ended")


def test_every_kind_of_refusal_and_fault_has_a_status() -> None:
    assert set(get_args(RefusalKind)) == route.REFUSALS.keys()
    assert {*get_args(FaultKind), "internal", "store"} == route.FAULTS.keys()


# -- what goes wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "kind", "status", "after"),
    [
        ([{"status": 429, "retry_after": 3600}], "rate_limited", 503, "3600"),
        ([{"status": 401}], "auth", 502, None),
        ([{"text": "One two"}, {"drop": True}], "closed", 502, None),
    ],
)
@each_vendor
def test_a_fault_is_an_event_or_a_problem(
    talking: Any, vendor: str, reply: list[Any], kind: str, status: int, after: str | None
) -> None:
    with talking([step("text", reply), step("text", reply)], vendor) as talk:
        events = talk.say("Hello?")
        (error,) = only(events, "error")
        assert error["kind"] == kind
        assert events[-1]["finish"] == "failed"
        document = talk.ask("Hello?")
        assert (document.status, document.media_type) == (status, "application/problem+json")
        assert document.json["kind"] == kind
        assert document.json["session_id"] == talk.session_id
        assert document.headers["retry-after"] == after


def test_calls_that_ran_before_a_fault_are_in_the_problem(talking: Any) -> None:
    script = [step("text", calls(("find", {"query": "x"}))), step("results", [{"status": 400}])]
    with talking(script) as talk:
        reply = talk.ask("Go")
        assert reply.status == 502
        assert [call["name"] for call in reply.json["calls"]] == ["find"]


# -- clients that go away ------------------------------------------------------------------------


@contextmanager
def stream(
    talk: Talk, message: str, accept: str = "*/*", **more: Any
) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", talk.client.port, timeout=60)
    try:
        body = json.dumps(talk._body(message, more))
        headers = {"content-type": "application/json", "accept": accept}
        connection.request("POST", "/api/chat", body, headers)
        yield connection.getresponse()
    finally:
        connection.close()


def test_a_client_that_closes_the_stream_stops_the_turn(talking: Any) -> None:
    script = [
        step("text", says("Hello."), text="Hello?"),
        step("text", [{"text": "Once upon a time"}, {"silent": True}], text="Tell me"),
        step("text", says("there was."), text="Go on"),
    ]
    with talking(script) as talk:
        talk.say("Hello?")
        with stream(talk, "Tell me") as answer:
            while b" time" not in answer.readline():
                pass
        # The turn is over soon, and the next one knows what was heard until then.
        reply = until_free(talk, "Go on")
        assert reply.json["message"] == "there was."
        assert "Once upon a time" in json.dumps(talk.emulator.received[-1])


def test_a_question_whose_stream_was_closed_is_answered_when_asked_for(talking: Any) -> None:
    script = [
        step("text", says("Hello."), text="Hello?"),
        step("text", [{"silent": True}], text="Who"),
        step("text", says("Ada."), text="Who"),
    ]
    with talking(script) as talk:
        talk.say("Hello?")
        with stream(talk, "Who are you?") as answer:
            while b"session" not in answer.readline():
                pass
        assert until_free(talk, None).json["message"] == "Ada."
        assert json.dumps(talk.emulator.received[-1]).count("Who are you?") == 1
        # There is nothing more to be answered then.
        assert talk.ask(None).status == 422
        said = talk.client.get(f"/api/sessions/{talk.session_id}/timeline").json
        words = [e["text"] for t in said["turns"] for e in t["entries"] if e["kind"] == "said"]
        assert words == ["Hello?", "Hello.", "Who are you?", "Ada."]


def test_a_client_runs_its_own_functions(serve: Any, tmp_path: Path) -> None:
    script = [
        step("text", calls(("navigate_page", {"path": "audit log"}))),
        step("results", says("It is open."), ok=True),
        step("text", calls(("navigate_page", {"path": "tools"}))),
        step("results", says("It is not."), ok=False),
    ]
    with emulate("anthropic", script) as emulator:
        access = {"api_key": "test-key", "base_url": emulator.base_url}
        app = serve.app(agent={"backend": "claude"}, providers={"claude": access})
        with serve.running(app) as client:
            talk = Talk(client, emulator, app)
            body = {"profile": "workspace", "client_functions": True}
            refused = talk.ask("Open the audit", **body)
            assert (refused.status, "text/event-stream" in refused.json["detail"]) == (422, True)
            with stream(talk, "Open the audit", **body) as answer:
                events = reading(answer)
                talk.session_id = next(events)["session_id"]
                asked = next(each for each in events if each["type"] == "client_call")
                assert (asked["name"], asked["args"]) == ("navigate_page", {"path": "audit"})
                results = f"/api/chat/{talk.session_id}/results"
                taken = {"id": asked["id"], "result": {"navigated_to": "audit"}}
                assert client.post(results, {**taken, "id": "nobody"}).status == 409
                assert client.post(results, taken).status == 204
                assert [e["envelope"]["data"] for e in events if e["type"] == "tool_result"] == [
                    {"navigated_to": "audit"}
                ]
            # Who does not offer it is not asked, and nobody waits for an answer.
            assert client.post(results, taken).status in (404, 409)  # the turn may just be ending
            assert only(talk.say("And the tools"), "client_call") == []


def test_a_client_that_does_not_wait_for_its_document_stops_the_turn(talking: Any) -> None:
    script = [
        step("text", says("Hello."), text="Hello?"),
        step("text", [{"silent": True}], text="Tell me"),
        step("text", says("Here."), text="Go on"),
    ]
    with talking(script) as talk:
        talk.say("Hello?")
        with socket.create_connection(("127.0.0.1", talk.client.port), timeout=60) as client:
            client.sendall(request(talk, "Tell me", "application/json"))
            asked = threading.Event()
            while not asked.wait(0.005):
                if "Tell me" in json.dumps(talk.emulator.received):
                    asked.set()
        assert until_free(talk, "Go on").json["message"] == "Here."


def request(talk: Talk, message: str, accept: str) -> bytes:
    body = json.dumps(talk._body(message, {}))
    lines = (
        "POST /api/chat HTTP/1.1",
        f"Host: 127.0.0.1:{talk.client.port}",
        f"Accept: {accept}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join((*lines, "", body)).encode()


def reading(answer: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """The events of a stream as they come."""
    while line := answer.readline():
        if line.startswith(b"data: "):
            yield json.loads(line.removeprefix(b"data: "))


def until_free(talk: Talk, message: str | None) -> Any:
    """What is answered once the session is not busy any more."""
    pause = threading.Event()
    for _ in range(1000):
        reply = talk.ask(message)
        if reply.status != 409:
            return reply
        pause.wait(0.01)
    raise AssertionError("the turn never ended")


def test_a_client_that_reads_nothing_is_let_go(talking: Any) -> None:
    """More is said than fits into any buffer on the way; the turn ends, and the session lives."""
    script = [
        step("text", says("Hello."), text="Hello?"),
        step("text", [{"text": " ".join(["x" * 100_000] * 80)}, {"silent": True}], text="A lot"),
        step("text", says("Here."), text="Go on"),
    ]
    with talking(script, patience=StreamTimeouts(sending=0.2)) as talk:
        talk.say("Hello?")
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", talk.client.port))
            client.sendall(request(talk, "A lot", "text/event-stream"))
            assert client.recv(5) == b"HTTP/"
            assert until_free(talk, "Go on").json["message"] == "Here."


# -- a restart -------------------------------------------------------------------------------------


def test_a_conversation_goes_on_after_a_restart(talking: Any, tmp_path: Path) -> None:
    data = tmp_path / "data"
    with talking([step("text", says("Hello Ada."))], data=data) as talk:
        talk.say("I am Ada")
        kept = talk.session_id
    with talking([step("text", says("Ada."), text="Who am I?")], data=data) as talk:
        talk.session_id = kept
        events = talk.say("Who am I?")
        assert events[0]["session_id"] == kept
        assert "Hello Ada." in json.dumps(talk.emulator.received[-1])


def test_the_context_of_a_conversation_is_measured(talking: Any, caplog: Any) -> None:
    with (
        caplog.at_level("INFO"),
        talking([step("text", says("Hello.")), step("text", says("Bye."))]) as talk,
    ):
        talk.say("Hi")
        session_id = talk.session_id
        talk.say("And again")
        context = talk.client.get("/metrics").json["context"]
        (own,) = [each for each in context["sessions"] if each["sessionId"] == session_id]
        assert own["window"] == 200_000
        assert own["initTokens"] > 100
        assert context["peakTokens"] >= own["peakTokens"] >= own["currentTokens"] > 0
        page = talk.client.get("/metrics", accept="text/plain").body.decode()
        assert 'antiphon_context_session_tokens{kind="peak"}' in page
        lines = talk.client.get(f"/api/sessions/{session_id}").json["audit"]
        (start,) = [line for line in lines if line["event"] == "session_started"]
        assert start["details"]["tokens"]["sessionInitTokens"] == own["initTokens"]
    assert any(f"[Context] session {session_id} starts with ~" in each for each in caplog.messages)


# -- what is written about it -------------------------------------------------------------------


def test_the_document_and_the_description_name_the_same_events() -> None:
    written = Path(__file__).parents[3].joinpath("docs", "chat.md").read_text("utf-8")
    _, _, after = written.partition("\n| event | members |\n")
    in_words = re.findall(r"^\| `(\w+)`", after.partition("\n\n")[0], re.MULTILINE)
    told = description()
    assert in_words == re.findall(r"^\| `(\w+)`", told, re.MULTILINE)
    assert {"session", "text", "tool_call", "tool_result", "done", "error"} <= set(in_words)


def description() -> str:
    (described,) = (
        each for each in route.router.routes if getattr(each, "path", "") == "/api/chat"
    )
    return str(getattr(described, "description", ""))
