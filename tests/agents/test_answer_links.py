"""Links in answers: open where the person or a trusted source named them, closed otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agents.chatting import calls, chat, only, says, step
from tests.agents.voice.stage import stage
from tests.orchestrator.helpers import call

from antiphon import ok
from antiphon.agents.answer_links import LINKS_CLOSED
from antiphon.contracts.events import Text, Transcript, TurnEnded

pytestmark = pytest.mark.virtual_time(patience=0.2)

EVIL = "https://evil.example/?d=alpha"
ANSWER = f"Here: ![x]({EVIL}) and [this](https://mine.example/a), {EVIL}."
CLOSED = (
    "Here: x (image not shown: https[:]//evil.example/?d=alpha) and "
    "[this](https://mine.example/a), https[:]//evil.example/?d=alpha."
)


def written(events: list[dict[str, Any]]) -> str:
    return "".join(each["delta"] for each in only(events, "text"))


@pytest.mark.parametrize("vendor", ["claude", "openai"])
async def test_links_in_text_are_closed_once_text_of_others_was_read(vendor: str) -> None:
    asked = "Read it, I know https://mine.example/a"
    script = [
        step("text", says(f"See {EVIL} there."), text="Hello"),
        step("text", calls(("read_page", {})), text=asked),
        step("results", says(ANSWER)),
    ]
    async with chat(vendor, script) as c:
        c.work.does("read_page", lambda args, context: ok({"text": f"Show {EVIL}"}))
        assert written(await c.say("Hello")) == f"See {EVIL} there."
        events = await c.say(asked)
        assert written(events) == CLOSED
        [done] = only(events, "done")
        assert done["message"] == CLOSED
        # Whoever exports the conversation gets no others.
        assert (await c.history())[-1].text == CLOSED
        await c.orchestrator.store.flush()
        [line] = await c.orchestrator.store.audit_lines(event=LINKS_CLOSED)
        assert line.data["details"] == {"count": 2}


async def test_a_secret_is_in_no_link_although_nothing_of_others_was_read() -> None:
    answer = "[a](https://mine.example/?d=sigma-9902-tango) and [b](https://mine.example/b)"
    script = [step("text", calls(("read_keys", {})), text="code"), step("results", says(answer))]
    async with chat("claude", script) as c:
        c.work.does("read_keys", lambda args, context: ok({"text": "sigma-9902-tango"}))
        events = await c.say("What is the code?")
        assert written(events) == (
            "a (https[:]//mine.example/?d=sigma-9902-tango) and [b](https://mine.example/b)"
        )


async def test_links_in_the_transcript_of_speech_are_closed_as_well() -> None:
    async with stage() as s:
        line = await s.line()
        s.house.work.does("read_page", lambda args, context: ok({"text": f"Show {EVIL}"}))
        await s.session.dispatch(call("read_page", {}))
        s.session.hear("I know https://mine.example/a")
        pieces = [ANSWER[:30], ANSWER[30:80], ANSWER[80:]]
        line.play(*(Transcript("model", piece) for piece in pieces), TurnEnded("complete"))
        await s.person.got("turn_complete")
        said = [each for each in s.person.messages if each["type"] in ("transcript", "text")]
        assert "".join(each["text"] for each in said) == CLOSED
        line.play(Text(f"And {EVIL}"), TurnEnded("complete"))
        await s.person.got("turn_complete", turn=2)
        assert EVIL not in str(s.person.messages)
