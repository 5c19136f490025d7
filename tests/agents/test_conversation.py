"""A conversation: its order, what a model is shown of it, and that it is durable."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antiphon import ToolCall
from antiphon.agents.conversation import MAX_ENTRIES, Conversation
from antiphon.contracts import envelope_problems, make_meta, success
from antiphon.contracts.events import AnswersTurn, CallAnswer, HistoryTurn, ModelTurn, UserTurn
from antiphon.storage import Store, StoreError, TurnRow

pytestmark = pytest.mark.real_time


def calls(*ids: str) -> ModelTurn:
    return ModelTurn(
        "Let me see.", tuple(ToolCall(each, "look_up", {"query": each}) for each in ids)
    )


def answers(*ids: str, data: Any = None) -> AnswersTurn:
    envelope = success({"found": data}, [], make_meta("look_up", "1.0.0", "1.0.0", 1))
    return AnswersTurn(tuple(CallAnswer(each, "look_up", envelope) for each in ids))


def conversation(*turns: HistoryTurn) -> Conversation:
    made = Conversation("s1", None, now=lambda: 0.0)
    for number, turn in enumerate(turns):
        made.add(turn, channel="text", at=float(number))
    return made


def shown(turns: list[HistoryTurn]) -> list[Any]:
    """Comparable: calls are compared by identity otherwise."""
    return [turn.to_dict() for turn in turns]


# -- order ---------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 5)))
def test_turns_stand_in_the_order_in_which_they_began_however_they_come(times: list[int]) -> None:
    made = Conversation("s1", None)
    for number, at in enumerate(times):
        made.add(UserTurn(str(number)), channel="voice", at=float(at))
    expected = sorted(range(len(times)), key=lambda number: times[number])  # stable
    assert [entry.turn.text for entry in made.entries] == [str(n) for n in expected]


def test_what_begins_now_comes_last_even_when_the_clock_was_set_back() -> None:
    clock = iter([100.0, 50.0])
    made = Conversation("s1", None, now=lambda: next(clock))
    made.add(UserTurn("first"), channel="text")
    made.add(ModelTurn("second"), channel="text")
    assert [(e.at, e.turn.text) for e in made.entries] == [(100.0, "first"), (100.0, "second")]


def test_only_known_channels_are_taken() -> None:
    with pytest.raises(ValueError, match="by text or voice, not by 'fax'"):
        Conversation("s1", None).add(UserTurn("Hello"), channel="fax")


def test_memory_holds_the_newest_turns_only() -> None:
    made = Conversation("s1", None, now=lambda: 0.0)
    for number in range(MAX_ENTRIES + 5):
        made.add(UserTurn(str(number)), channel="text")
    assert len(made.entries) == MAX_ENTRIES
    assert made.entries[0].turn.text == "5"


# -- what a model is shown -----------------------------------------------------------------

ID = st.sampled_from(["a", "b", "c", "temp_0"])
TURN = st.one_of(
    st.builds(UserTurn, st.text(max_size=200)),
    st.builds(ModelTurn, st.text(max_size=200)),
    st.lists(ID, min_size=1, max_size=3, unique=True).map(lambda ids: calls(*ids)),
    st.lists(ID, min_size=1, max_size=3, unique=True).map(
        lambda ids: answers(*ids, data="x" * 300)
    ),
)


@given(st.lists(TURN, max_size=12), st.integers(0, 400))
def test_whatever_was_said_a_model_can_be_given_the_history(
    turns: list[HistoryTurn], max_tokens: int
) -> None:
    """It starts with the person, every call has one answer of its own right behind it, no two
    texts of one speaker stand side by side, nothing is empty, and all of it fits."""
    history = conversation(*turns).history(max_tokens)
    assert not history or isinstance(history[0], UserTurn)
    for turn, following in pairwise([*history, UserTurn("end")]):
        if isinstance(turn, ModelTurn) and turn.calls:
            assert isinstance(following, AnswersTurn)
            assert [a.id for a in following.answers] == [c.id for c in turn.calls]
            assert not any(envelope_problems(a.envelope) for a in following.answers)
        else:
            assert not isinstance(following, AnswersTurn)
    for turn, following in pairwise(history):
        texts = [isinstance(t, ModelTurn) and not t.calls for t in (turn, following)]
        assert not all(texts)
        assert not (isinstance(turn, UserTurn) and isinstance(following, UserTurn))
    assert all(t.text for t in history if isinstance(t, UserTurn | ModelTurn))
    assert sum(len(json.dumps(t.to_dict(), ensure_ascii=False)) for t in history) <= (
        max_tokens * 4 + 60 * len(history)
    )


@given(st.lists(st.tuples(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))))
def test_the_newest_turns_are_the_ones_that_are_shown(said: list[tuple[str, str]]) -> None:
    turns: list[HistoryTurn] = []
    for question, answer in said:
        turns += [UserTurn(question), ModelTurn(answer)]
    made = conversation(*turns)
    everything = shown(turns)
    for max_tokens in (0, 10, 40, 100, 10_000):
        history = shown(made.history(max_tokens))
        assert history == everything[len(everything) - len(history) :]
    assert shown(made.history(10_000)) == everything


def test_texts_of_one_speaker_in_a_row_are_one_turn() -> None:
    history = conversation(
        UserTurn("One."),
        UserTurn("Two."),
        ModelTurn("Three.", native={"signature": "x"}, api="gemini"),
        ModelTurn("Four."),
    ).history()
    assert history == [UserTurn("One.\n\nTwo."), ModelTurn("Three.\n\nFour.")]


def test_a_turn_that_stands_alone_keeps_what_its_provider_wants_back() -> None:
    turns = [UserTurn("Hi."), ModelTurn("Hello.", native={"signature": "x"}, api="gemini")]
    assert conversation(*turns).history() == turns


def test_answers_follow_their_calls_even_when_somebody_spoke_in_between() -> None:
    history = conversation(
        UserTurn("Look."), calls("a", "b"), answers("b"), UserTurn("Wait!"), answers("a")
    ).history()
    assert [type(turn) for turn in history] == [UserTurn, ModelTurn, AnswersTurn, UserTurn]
    assert [a.id for a in history[2].answers] == ["a", "b"]  # type: ignore[union-attr]
    assert all(a.envelope["ok"] for a in history[2].answers)  # type: ignore[union-attr]


def test_a_call_whose_answer_was_lost_is_answered_as_unknown() -> None:
    history = conversation(UserTurn("Book it."), calls("a", "b"), answers("b")).history()
    lost, found = history[2].answers  # type: ignore[union-attr]
    assert lost.envelope["error"]["type"] == "OUTCOME_UNKNOWN"
    assert lost.envelope["error"]["partialSideEffects"] is True
    assert found.envelope["ok"]


def test_made_up_ids_that_come_again_belong_to_the_nearest_calls() -> None:
    history = conversation(
        UserTurn("Twice."), calls("temp_0"), calls("temp_0"), answers("temp_0")
    ).history()
    first, second = (t for t in history if isinstance(t, AnswersTurn))
    assert not first.answers[0].envelope["ok"]
    assert second.answers[0].envelope["ok"]


def test_an_exchange_that_does_not_fit_is_shown_by_its_words() -> None:
    """One big result does not make the model forget what it was asked."""
    made = conversation(
        UserTurn("Who is Ada?"),
        calls("a"),
        answers("a", data="x" * 40_000),
        ModelTurn("A mathematician."),
    )
    assert made.history(8000) == [
        UserTurn("Who is Ada?"),
        ModelTurn("Let me see.\n\nA mathematician."),
    ]
    assert len(made.history(20_000)) == 4


# -- durable -------------------------------------------------------------------------------


async def test_a_conversation_is_the_same_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    odd = "zero \x00, half a pair \ud83d, and 🙂"

    async with Store.open(url) as store:
        before = await Conversation.load(store, "s1", now=lambda: 5.0)
        assert before.entries == []
        before.add(UserTurn(odd), channel="text")
        before.add(calls("a"), channel="voice")
        before.add(answers("a"), channel="voice")
        before.add(ModelTurn("Done.", native=[1, {"b": 2}], api="claude"), channel="voice")
        before.add(UserTurn("Told late."), channel="voice", at=1.0)
        await before.flush()
    async with Store.open(url) as store:
        after = await Conversation.load(store, "s1")
    assert [(e.at, e.channel) for e in after.entries] == [(e.at, e.channel) for e in before.entries]
    assert shown(after.history()) == shown(before.history())
    assert after.entries[1].turn.text == odd


async def test_what_a_provider_wants_back_is_left_out_where_it_is_no_json(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        made = Conversation("s1", store)
        made.add(ModelTurn("Hello.", native=object(), api="gemini"), channel="text")
        await made.flush()
        loaded = await Conversation.load(store, "s1")
        assert [e.turn for e in loaded.entries] == [ModelTurn("Hello.")]
    assert "is no JSON and is not kept" in caplog.text


async def test_a_store_that_is_gone_loses_no_word_in_memory_and_is_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store.open(f"sqlite:///{tmp_path / 'store.db'}")
    made = Conversation("s1", store)
    made.add(UserTurn("Hello."), channel="text")
    await store.close()
    made.add(ModelTurn("Hi."), channel="text")
    with pytest.raises(StoreError, match=r"was not written down\. The store at .* is closed"):
        await made.flush()
    assert made.history() == [UserTurn("Hello."), ModelTurn("Hi.")]
    assert "a turn of session s1 was not written down" in caplog.text


async def test_what_the_store_did_not_take_is_tried_again(tmp_path: Path) -> None:
    """The table is away for a while, as a database can be."""

    from sqlalchemy import text

    async with Store.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        made = Conversation("s1", store)
        await store.run(lambda to: to.execute(text("ALTER TABLE turns RENAME TO away")))
        made.add(UserTurn("Hello."), channel="text")
        with pytest.raises(StoreError, match="was not written down"):
            await made.flush()
        await store.run(lambda to: to.execute(text("ALTER TABLE away RENAME TO turns")))
        await made.flush()
        assert [row.session_id for row in await store.turns("s1")] == ["s1"]


async def test_a_flush_that_is_given_up_loses_nothing(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        made = Conversation("s1", store)
        made.add(UserTurn("Hello."), channel="text")
        task = asyncio.create_task(made.flush())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await made.flush()
        assert len(await store.turns("s1")) == 1


async def test_a_row_that_cannot_be_read_is_an_error_that_names_the_session(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        await store.add_turn(TurnRow("s1", 1.0, "text", '{"role": "ghost"}'))
        with pytest.raises(StoreError, match=r"session 's1' .* cannot be read"):
            await Conversation.load(store, "s1")
