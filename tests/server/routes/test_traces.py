"""Each turn as spans of time: in writing, by voice, with approvals; found by how slow they were."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.agents.chatting import calls, says, step
from tests.server.routes.test_chat import talking  # noqa: F401 - a fixture
from tests.server.ws.conftest import voice_serve  # noqa: F401 - a fixture
from tests.server.ws.phone import Phone, VoiceServe

from antiphon.server.routes.traces import Trace, TracePage


def trace(client: Any, session: str, turn: int) -> Trace:
    reply = client.get(f"/api/traces/{session}/{turn}")
    assert reply.status == 200, reply.body
    return Trace.model_validate(reply.json)


def listed(client: Any, query: str = "") -> TracePage:
    reply = client.get(f"/api/traces?{query}")
    assert reply.status == 200, reply.body
    return TracePage.model_validate(reply.json)


def spans(found: Trace) -> list[tuple[str, str]]:
    return [(span.kind, span.name) for span in found.spans]


def test_a_written_turn_has_the_rounds_of_the_model_and_its_calls_in_order(talking: Any) -> None:  # noqa: F811
    ada = {"query": "ada"}
    script = [
        step("text", calls(("find", ada), ("for_voice", ada), text="Let me look."), text="Who?"),
        step("results", says("A mathematician.")),
        step("text", says("As I said."), text="Sure?"),
    ]
    with talking(script) as talk:
        talk.say("Who?")
        talk.say("Sure?")
        first, second = (trace(talk.client, talk.session_id, turn) for turn in (1, 2))
        newest = listed(talk.client, "limit=1")
        older = listed(talk.client, f"before={newest.next_before}")
        slow = listed(talk.client, "slower_than=3600000")
    kinds = [kind for kind, _ in spans(first)]
    assert (kinds[0], kinds[-1], kinds.count("model")) == ("model", "model", 2)
    assert {name for kind, name in spans(first) if kind == "tool"} == {"find", "for_voice"}
    assert spans(second) == [("model", "model")]
    assert [point.name for point in first.points] == ["asked", "first_token", "first_text", "done"]
    assert all(one.at_ms <= two.at_ms for one, two in pairwise(first.points))
    for span in first.spans:
        assert 0 <= span.start_ms <= (span.first_ms or span.start_ms) <= span.end_ms
        assert span.end_ms <= first.duration_ms + 1
    assert (first.asked, first.answer) == ("Who?", "Let me look.\n\nA mathematician.")
    assert first.calls == len(first.entries) - 1 == 1  # one was refused before it counted
    assert all(call.gates for call in first.entries)
    assert [each.asked for each in (*newest.traces, *older.traces)] == ["Sure?", "Who?"]
    assert (older.next_before, slow.traces, slow.next_before) == (None, [], None)


def test_a_spoken_turn_goes_from_the_question_to_its_last_sound(voice_serve: VoiceServe) -> None:  # noqa: F811
    with voice_serve.talking() as (client, _, _), Phone(client.port) as phone:
        session = phone.start()["sessionId"]
        phone.say("text", text="find ada")
        phone.until("turn_complete")
        found = trace(client, session, 1)
        mine = listed(client, f"session={session}")
    assert {("model", "model"), ("tool", "find"), ("sound", "sound")} == set(spans(found))
    sound = next(span for span in found.spans if span.kind == "sound")
    names = [point.name for point in found.points]
    assert names[:2] == ["asked", "first_token"]
    assert {"first_audio", "done"} <= set(names)
    assert found.wait_ms == found.marks["time_to_first_audio"]
    assert sound.end_ms == pytest.approx(found.duration_ms, abs=1)
    assert [(each.turn, each.asked, each.mode) for each in mine.traces] == [
        (1, "find ada", "voice")
    ]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nobody/1", 404),
        ("/rest-text/1", 404),
        ("/rest-text/0", 422),
        ("?slower_than=-1", 422),
        ("?limit=0", 422),
    ],
)
def test_what_is_not_there_is_a_problem(shop: Any, path: str, status: int) -> None:
    reply = shop.get(f"/api/traces{path}")
    assert (reply.status, reply.media_type) == (status, "application/problem+json")
