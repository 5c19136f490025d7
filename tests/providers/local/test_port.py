"""The built-in model behind the port: events, faults, cutting in, and a conversation taken up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from tests.providers.local.world import (
    Conversation,
    declarations,
    done,
    embed_phrases,
    provider,
    run,
    talking,
)

from antiphon.contracts.events import (
    AnswersTurn,
    CallAnswer,
    Fault,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Ready,
    SendAudio,
    Text,
    ToolCalls,
    ToolCallsCancelled,
    TurnEnded,
    UserTurn,
)
from antiphon.providers.port import NoTools, ProviderFault, Setup
from antiphon.understanding.model import Understanding

pytestmark = pytest.mark.real_time(ignore=("*antiphon-kb-*",), timeout=90)


async def test_ready_comes_first_then_the_answer_in_pieces_then_the_end_of_the_turn() -> None:
    async with talking() as chat:
        said = await chat.say("Who are you?")
        assert isinstance(said.events[0], Ready)
        assert sum(isinstance(event, Text) for event in said.events) > 1
        assert said.events[-1] == TurnEnded("complete")
        assert "not a person" in said.text
        assert "A larger model, once one is connected" in said.text


async def test_it_works_without_any_tools() -> None:
    made = provider()
    try:
        async with await made.connect(Setup("local", tools=NoTools())) as connection:
            chat = Conversation(connection, None)
            assert (await chat.say("hello")).text == "Hello. What can I do for you?"
            answer = await chat.say("Who leads Harbor Light?")
            assert answer.calls == []
            assert "larger model" in answer.text
    finally:
        await made.close()


def test_the_same_words_get_the_same_answer() -> None:
    async def once() -> list[Any]:
        async with talking() as chat:
            return [
                ((said := await chat.say(text)).text, said.calls)
                for text in ("Who leads Harbor Light?", "what time is it in Tokyo", "hello")
            ]

    assert run(once()) == run(once())


async def test_calls_have_ids_that_no_other_call_has() -> None:
    ids: list[str | None] = []
    async with talking() as chat:
        for _ in range(3):
            said = await chat.say("what time is it in Tokyo?")
            ids += [call.id for e in said.events if isinstance(e, ToolCalls) for call in e.calls]
    assert len(set(ids)) == len(ids) == 3
    assert all(isinstance(each, str) and len(each) > 8 for each in ids)


async def test_it_takes_no_audio_and_says_so() -> None:
    async with talking() as chat:
        with pytest.raises(ProviderFault) as refused:
            await chat.connection.send(SendAudio(b"\0\0"))
        assert refused.value.fault.kind == "bad_request"
        assert "built-in model" in refused.value.fault.message


async def test_who_cuts_in_takes_back_the_calls_under_way() -> None:
    async with talking() as chat, aclosing(chat.connection.events()) as events:  # type: ignore[type-var]
        await chat.connection.send(Prompt("Who leads Harbor Light?"))
        seen: list[Any] = []
        async for event in events:
            seen.append(event)
            if isinstance(event, ToolCalls):
                await chat.connection.send(Interrupt())
            if isinstance(event, TurnEnded):
                break
        assert any(isinstance(event, ToolCallsCancelled) for event in seen)
        assert seen[-2:] == [Interrupted(), TurnEnded("interrupted")]
        assert chat.connection.pending == frozenset()


async def test_an_answer_that_nobody_waits_for_is_refused() -> None:
    async with talking() as chat:
        with pytest.raises(ProviderFault) as refused:
            await chat.connection.send(CallAnswer("nothing", "kb_search", done("kb_search")))
        assert not refused.value.fault.fatal


async def test_a_closed_connection_takes_nothing() -> None:
    async with talking() as chat:
        await chat.connection.close()
        await chat.connection.close()
        with pytest.raises(ProviderFault) as refused:
            await chat.connection.send(Prompt("hello"))
        assert refused.value.fault.kind == "closed"


async def test_without_its_weights_it_says_what_is_missing_and_the_conversation_lives(
    tmp_path: Path,
) -> None:
    bare = Understanding(tmp_path)

    async with talking(understanding=bare) as chat:
        said = await chat.say("Who leads Harbor Light?")
        (fault,) = [event for event in said.events if isinstance(event, Fault)]
        assert fault.kind == "not_configured"
        assert not fault.fatal
        assert f"{tmp_path / 'router.onnx'} are missing; install antiphon again" in fault.message
        assert said.events[-1] == TurnEnded("failed")
    made = provider(understanding=bare)
    try:
        with pytest.raises(ProviderFault) as refused:
            await made.probe(5)
        assert "router.onnx are missing" in refused.value.fault.message
    finally:
        await made.close()


async def test_phrases_of_tools_are_embedded_once_whatever_the_number_of_connections() -> None:
    asked: list[str] = []

    def counted(texts: Sequence[str]) -> Any:
        asked.extend(texts)
        return embed_phrases(texts)

    made = provider(embed_phrases=counted, tools=lambda: [declarations("text")])
    try:
        await made.warm()
        first = len(asked)
        assert first > 100
        for mode in ("text", "text"):
            setup = Setup("local", tools=declarations(mode))
            async with await made.connect(setup) as connection:
                await Conversation(connection, None).say("Where is the office of Halden?")
        assert len(asked) == first
        assert "Where is the office of Halden?" not in asked
    finally:
        await made.close()


async def test_a_new_connection_with_the_history_knows_what_was_asked_and_spoken_of() -> None:
    async with talking() as chat:
        asked = await chat.say("Find a LinkedIn profile")
        assert asked.calls == []
        assert asked.text == "Which person?"
        history = list(chat.history)
    async with talking(history=history) as chat:
        said = await chat.say("Hugo Brannigan")
        assert said.calls == [("linkedin_lookup", {"person": "Hugo Brannigan"})]


async def test_a_history_without_its_own_marks_still_tells_what_was_spoken_of() -> None:
    result = {"id": "project:keyring", "type": "project", "title": "Keyring", "score": 0.9}
    earlier = [
        UserTurn("What is Keyring?"),
        ModelTurn("", ()),
        AnswersTurn((CallAnswer("c1", "kb_search", done("kb_search", results=[result])),)),
        ModelTurn("A portal for tenants."),
    ]

    async with talking(history=earlier) as chat:
        said = await chat.say("and who leads it?")
        assert said.calls[0][1]["query"] == "who leads Keyring?"
