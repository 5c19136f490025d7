"""The state of a session: only its controller changes it, and only as it may be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.orchestrator.helpers import answer, call, house, kind, valid

from antiphon import Intent, ok
from antiphon.orchestrator import create_state_controller

pytestmark = pytest.mark.virtual_time(patience=0.0)

NAMES = {
    "mode",
    "is_active",
    "pending_end_voice_session",
    "should_suppress_audio",
    "should_suppress_transcript",
    "is_model_generating",
    "turn",
}


def test_a_new_session_has_every_field_at_its_start() -> None:
    state = create_state_controller("voice")
    assert state.snapshot().keys() >= NAMES
    assert (state.get("mode"), state.get("is_active"), state.get("turn")) == ("voice", True, 1)
    assert state.get("pending_end_voice_session") is None


def test_values_are_set_and_read_and_a_snapshot_is_a_copy() -> None:
    state = create_state_controller("text", is_model_generating=True)
    state.set("should_suppress_audio", True)
    state.set("should_suppress_audio", False)
    state.set("turn", 7)
    snapshot = state.snapshot()
    snapshot["turn"] = 99
    assert (state.get("turn"), state.get("should_suppress_audio")) == (7, False)
    assert state.get("is_model_generating") is True


def test_the_mode_is_never_changed() -> None:
    state = create_state_controller("text")
    with pytest.raises(ValueError, match="mode"):
        state.set("mode", "voice")
    state.restore({"mode": "voice", "turn": 4, "of_another_version": 1})
    assert (state.get("mode"), state.get("turn")) == ("text", 4)


@pytest.mark.parametrize("name", ["turns", "", "is_activ"])
def test_a_name_that_does_not_exist_is_an_error(name: str) -> None:
    state = create_state_controller("text")
    with pytest.raises(KeyError):
        state.get(name)
    with pytest.raises(KeyError):
        state.set(name, 1)
    with pytest.raises(KeyError, match="no such state"):
        create_state_controller("text", **{name or "x": 1})


# -- intents -----------------------------------------------------------------------------------


def test_intents_are_applied_and_each_is_logged() -> None:
    log: list[tuple[str, str | None]] = []
    state = create_state_controller("voice", lambda kind, problem: log.append((kind, problem)))
    for intent in (
        Intent.suppress_audio(),
        Intent.suppress_transcript(),
        Intent.set_pending_message("hello"),
        Intent.end_voice_session(),
    ):
        assert state.apply_intent(intent) is None
    assert state.get("should_suppress_audio") is True
    assert state.get("should_suppress_transcript") is True
    assert state.get("pending_message") == "hello"
    assert state.get("pending_end_voice_session")["after"] == "current_turn"
    assert state.apply_intent(Intent.suppress_audio(False)) is None
    assert state.get("should_suppress_audio") is False
    assert [problem for _, problem in log] == [None] * 5


def test_the_end_of_a_voice_session_keeps_what_is_to_be_said() -> None:
    state = create_state_controller("voice")
    data = {"reason": "done", "finalMessage": "Goodbye.", "textResponse": "Bye"}
    assert state.apply_intent(Intent.end_voice_session("farewell_spoken"), data) is None
    assert state.get("pending_end_voice_session") == {
        "after": "farewell_spoken",
        "reason": "done",
        "closingMessage": "Goodbye.",
        "textResponse": "Bye",
    }


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ("current_turn", "farewell_spoken", False),
        ("current_turn", "current_turn", False),
        ("farewell_spoken", "current_turn", True),
        ("farewell_spoken", "farewell_spoken", True),
    ],
)
def test_a_farewell_that_was_asked_for_is_not_cut_short(
    first: Any, second: Any, refused: bool
) -> None:
    state = create_state_controller("voice")
    state.apply_intent(Intent.end_voice_session(first))
    problem = state.apply_intent(Intent.end_voice_session(second))
    assert (problem == "the session is already ending") is refused
    assert state.get("pending_end_voice_session")["after"] == (first if refused else second)


def test_a_session_that_is_over_or_speaks_no_word_cannot_end_its_voice() -> None:
    state = create_state_controller("text")
    assert state.apply_intent(Intent.end_voice_session()) == "there is no voice session to end"
    state = create_state_controller("voice", is_active=False)
    assert state.apply_intent(Intent.end_voice_session()) == "the session has already ended"
    assert state.get("pending_end_voice_session") is None


@given(
    st.one_of(
        st.none(),
        st.text(),
        st.integers(),
        st.lists(st.text(), max_size=2),
        st.dictionaries(
            st.sampled_from(["type", "value", "after", "message"]),
            st.one_of(
                st.sampled_from(["END_VOICE_SESSION", "SUPPRESS_AUDIO", "SET_PENDING_MESSAGE"]),
                st.text(max_size=3),
                st.booleans(),
                st.none(),
                st.lists(st.none(), max_size=1),
            ),
        ),
    )
)
def test_whatever_is_asked_for_is_applied_or_refused_and_never_raises(intent: Any) -> None:
    log: list[str | None] = []
    state = create_state_controller("voice", lambda kind, problem: log.append(problem))
    before = state.snapshot()
    problem = state.apply_intent(intent)
    assert log == [problem]
    if problem is not None:
        assert state.snapshot() == before


# -- sessions ----------------------------------------------------------------------------------


async def test_a_turn_ends_when_it_is_complete_and_not_with_each_call() -> None:
    async with house() as h:
        session = h.session("voice")
        for expected in (1, 2, 3):
            assert session.view.turn.number == session.state.get("turn") == expected
            await answer(session, "compute", {"text": "a"})
            await answer(session, "compute", {"text": "b"})
            assert session.view.turn.total == 2
            session.end_turn()
        assert [turn.total for turn in session.history] == [2, 2, 2]


async def test_a_handler_reads_the_session_and_cannot_change_it() -> None:
    async with house() as h:

        def look(args: Any, context: Any) -> Any:
            seen = context.session
            seen.state["turn"] = 99
            for name in ("id", "user", "mode", "is_active", "turn"):
                with pytest.raises(AttributeError):
                    setattr(seen, name, "changed")
            assert context.voice.is_active() is True
            assert context.mode == "voice"
            assert context.now().timestamp() == h.clock.now()
            return ok({"who": [seen.id, seen.user, seen.mode, seen.turn, seen.provider]})

        h.work.does("compute", look)
        session = h.session("voice", id="s", provider="gemini")
        envelope = await answer(session, "compute")
        assert envelope["data"] == {"who": ["s", "ada", "voice", 1, "gemini"]}
        assert session.state.get("turn") == 1


async def test_a_capability_that_the_server_lacks_is_a_failure_and_no_crash() -> None:
    async with house() as h:
        h.work.does("compute", lambda args, context: context.calendar)
        envelope = await answer(h.session(), "compute")
        assert kind(envelope) == "PERMANENT"
        assert "no calendar" in envelope["error"]["message"]


@pytest.mark.parametrize("broken", [False, True])
async def test_messages_go_to_the_persons_channel_or_wait_for_them(broken: bool) -> None:
    sent: list[dict[str, Any]] = []

    async def channel(message: dict[str, Any]) -> None:
        if broken:
            raise RuntimeError("gone")
        sent.append(message)

    async def script(args: Any, context: Any) -> Any:
        await context.messaging.send({"type": "text", "text": "hi"})
        return ok({"sent": True})

    async with house() as h:
        h.work.does("flaky_pure", script)
        session = h.session(channel=channel)
        assert kind(await answer(session, "flaky_pure")) == ("TRANSIENT" if broken else "ok")
        assert sent == ([] if broken else [{"type": "text", "text": "hi"}])
        without = h.session()
        assert kind(await answer(without, "flaky_pure")) == "ok"
        assert without.drain_messages() == [{"type": "text", "text": "hi"}]
        assert without.drain_messages() == []


async def test_a_saved_session_is_resumed_with_its_state_its_turn_and_its_calls(
    tmp_path: Path,
) -> None:
    store = f"sqlite:///{tmp_path / 'store.db'}"
    made = call("save_note", {"text": "a"})
    async with house(store=store) as h:
        session = h.session("voice", "bob", id="s", provider="gemini", profile="host")
        session.end_turn()
        session.end_turn()
        await session.dispatch(made)
        session.state.apply_intent(Intent.suppress_audio())
        await h.orchestrator.save(session)
        created = session.created_at
        assert await h.orchestrator.resume("s") is session
    async with house(store=store) as h:
        again = await h.orchestrator.resume("s")
        assert again is not None
        assert (again.user, again.mode, again.provider, again.profile) == (
            "bob",
            "voice",
            "gemini",
            "host",
        )
        assert (again.view.turn.number, again.state.get("turn")) == (3, 3)
        assert again.state.get("should_suppress_audio") is True
        assert again.created_at == created
        replayed = valid(await again.dispatch(made))
        assert replayed["meta"].items() >= {"replayed": True, "originalTurn": 3}.items()
        assert await h.orchestrator.resume("nobody") is None
