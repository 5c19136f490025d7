"""Personal data of a conversation: what the model, the store, the audit and the log see of it."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from tests.agents.chatting import Chat, calls, chat, everything, only, says, step
from tests.agents.voice.stage import Stage, stage

from antiphon import ok
from antiphon.agents.conversation import Conversation
from antiphon.agents.profiles import Profile, ProfileError, load_profile
from antiphon.agents.voice.engine import VoiceEngine
from antiphon.contracts import ToolCall
from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    ModelTurn,
    Prompt,
    ToolCalls,
    Transcript,
    TurnEnded,
    UserTurn,
)
from antiphon.secrecy.personal_data import KINDS
from antiphon.secrecy.privacy import PrivacyRules

pytestmark = pytest.mark.virtual_time(patience=0.2)

CARD, MAIL = "4111 1111 1111 1111", "jane@example.org"
EVERY = frozenset(KINDS)
RULES = PrivacyRules(model=EVERY, store=EVERY, log=EVERY)


def profile(rules: PrivacyRules) -> Profile:
    return Profile("private", privacy=rules, instructions="Ask office@example.org for help.")


async def audit(c: Chat) -> str:
    await c.orchestrator.store.flush()
    return str([line.data for line in await c.orchestrator.store.audit_lines()])


@pytest.mark.parametrize("vendor", ["openai", "claude"])
async def test_the_model_is_given_placeholders_and_the_tool_what_they_stand_for(
    vendor: str,
) -> None:
    script = [
        step("text", calls(("look_up", {"query": "[e-mail 2]"}), text="I ask [e-mail 2].")),
        step("results", says("Paid with [card 1] for [e-mail 2] and [e-mail 3].")),
        step("text", says("It was [card 1].")),
    ]
    async with chat(vendor, script, profile=profile(RULES)) as c:
        seen: list[Any] = []

        def find(args: dict[str, Any], _context: Any) -> Any:
            seen.append(args)
            return ok({"owner": "kim@example.org", "for": args["query"], CARD: [1]})

        c.work.does("look_up", find)
        events = await c.say(f"Pay with {CARD} for {MAIL}")
        assert seen[0]["query"] == MAIL
        shown = "".join(event["delta"] for event in only(events, "text"))
        assert f"I ask {MAIL}." in shown
        assert f"Paid with {CARD} for {MAIL} and kim@example.org." in shown
        [started] = only(events, "tool_call")
        assert started["args"]["query"] == MAIL
        await c.say("Which card was it?")
        sent = json.dumps(c.emulator.received)
        for personal in (CARD, MAIL, "kim@example.org", "office@example.org"):
            assert personal not in sent
        # The store has what the model had, and so has the next turn of the conversation.
        assert c.id is not None
        rows = await c.orchestrator.store.turns(c.id)
        kept = str([row.turn for row in rows])
        assert "[card 1]" in kept
        assert not [personal for personal in (CARD, MAIL, "kim@example.org") if personal in kept]
        told = await audit(c)
        assert "[e-mail]" in told
        assert MAIL not in told


async def test_another_conversation_does_not_know_what_a_placeholder_stands_for() -> None:
    script = [
        step("text", says("Noted: [card 1].")),
        step("text", calls(("look_up", {"query": "[card 1]"}))),
        step("results", says("[card 1]")),
    ]
    async with chat("openai", script, profile=profile(RULES)) as c:
        seen: list[Any] = []
        c.work.does("look_up", lambda args, _: (seen.append(args), ok({}))[1])
        first = await c.say(f"My card is {CARD}", user="ada")
        assert first[-1]["message"] == f"Noted: {CARD}."
        c.id = None
        other = await c.say("What is [card 1]?", user="eve")
        assert other[-1]["message"] == "[card 1]"
        assert seen[0]["query"] == "[card 1]"


async def test_the_store_alone_can_be_spared() -> None:
    script = [step("text", says(f"Yes, {MAIL}.")), step("text", says("[e-mail 1]"))]
    rules = PrivacyRules(store=frozenset({"e-mail"}))
    async with chat("claude", script, profile=profile(rules)) as c:
        events = await c.say(f"Is {MAIL} right, and {CARD}?")
        assert events[-1]["message"] == f"Yes, {MAIL}."
        assert MAIL in json.dumps(c.emulator.received)
        assert await c.history() == [
            UserTurn(f"Is [e-mail 1] right, and {CARD}?"),
            ModelTurn("Yes, [e-mail 1]."),
        ]
        again = await c.say("Say it again.")
        assert again[-1]["message"] == "[e-mail 1]"  # nothing is put back where nothing was masked


async def test_without_rules_nothing_is_masked() -> None:
    async with chat("claude", [step("text", says(MAIL))], profile=everything("any")) as c:
        events = await c.say(f"Is {MAIL} right?")
        assert events[-1]["message"] == MAIL
        assert c.session.privacy is None
        kept = [turn.text for turn in await c.history() if not isinstance(turn, AnswersTurn)]
        assert kept == [f"Is {MAIL} right?", MAIL]


async def test_what_is_personal_is_masked_in_the_log() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    logger = logging.getLogger("antiphon.somewhere")
    logger.addHandler(handler)
    try:
        async with chat("claude", [step("text", says("Yes."))], profile=profile(RULES)) as c:
            await c.say("Hello")
            logger.error("%s was not reached about order 4711", MAIL)
    finally:
        logger.removeHandler(handler)
    assert out.getvalue() == "[e-mail] was not reached about order 4711\n"


async def test_a_number_that_is_heard_in_pieces_is_masked_whole() -> None:
    def prepare(s: Stage) -> None:
        s.session.provider = "openai"
        s.session.set_privacy(RULES)
        orchestrator = s.session.orchestrator
        conversation = Conversation(
            s.session.id, orchestrator.store, orchestrator.now, privacy=s.session.privacy
        )
        before = s.engine
        s.engine = VoiceEngine(s.session, lambda: s.model, before._setup, s.person, conversation)

    async with stage(prepare=prepare) as s:
        line = await s.line()
        line.play(
            Transcript("user", "It is 4111 11"),
            Transcript("user", "11 1111 1111", final=True),
            Transcript("model", "Not"),
            Transcript("model", "ed."),
            TurnEnded(),
        )
        await s.person.got("turn_complete")
        await s.engine.send_text(f"Write to {MAIL}")
        prompt = await line.told(Prompt)
        assert prompt.text == "Write to [e-mail 1]"
        seen: list[Any] = []

        def find(args: dict[str, Any], _context: Any) -> Any:
            seen.append(args)
            return ok({"card": CARD})

        s.house.work.does("look_up", find)
        line.play(ToolCalls((ToolCall("c1", "look_up", {"query": "[e-mail 1]"}),)))
        answer = await line.told(CallAnswer)
        assert seen[0]["query"] == MAIL
        assert CARD not in str(answer.envelope)
        line.play(
            Transcript("model", "I wrote to [e-"),
            Transcript("model", "mail 1] and [ca"),
            Transcript("model", "rd", final=True),
            TurnEnded(),
        )
        await s.person.got("turn_complete")
        said = [m["text"] for m in s.person.messages if m["type"] == "transcript"]
        assert "".join(said).endswith(f"I wrote to {MAIL} and [card")
        await s.engine.conversation.flush()
        kept = str([row.turn for row in await s.session.orchestrator.store.turns(s.session.id)])
        assert "It is [card" in kept
        assert "I wrote to [e-mail 1]" in kept
        for personal in (CARD, MAIL, "4111"):
            assert personal not in kept


# -- the profile ------------------------------------------------------------------------------


def test_a_profile_names_what_is_masked(tmp_path: Path) -> None:
    (tmp_path / "desk.toml").write_text(
        '[privacy]\nmodel = ["card", "customer"]\nstore = "all"\n'
        '[privacy.patterns]\ncustomer = "K-[0-9]{6}"\n'
    )
    rules = load_profile("desk", tmp_path).privacy
    assert rules.model == {"card", "customer"}
    assert rules.store == {*KINDS, "customer"}
    assert not rules.log
    assert not load_profile("assistant").privacy


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("privacy = 1", "must be a section"),
        ('[privacy]\nmodel = ["crad"]', "did you mean 'card'"),
        ("[privacy]\nmodel = 5", "must be a list"),
        ('[privacy]\nmodels = ["card"]', "did you mean 'model'"),
        ("[privacy]\npatterns = 1", "must be a section"),
        ('[privacy.patterns]\nx = "(a+)+$"', "cannot be used"),
        ('[privacy.patterns]\nx = "("', "is no regular expression"),
        ('[privacy.patterns]\nx = "a*"', "finds something in an empty text"),
        ("[privacy.patterns]\nx = 1", "must be text"),
        ('[privacy.patterns]\ncard = "x"', "needs another name"),
        ('[privacy.patterns]\nquote = "x"', "needs another name"),
        ('[privacy.patterns]\n"X y" = "x"', "needs another name"),
    ],
)
def test_a_privacy_section_that_cannot_be_used_says_why(
    text: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "desk.toml").write_text(text)
    with pytest.raises(ProfileError, match=words):
        load_profile("desk", tmp_path)
