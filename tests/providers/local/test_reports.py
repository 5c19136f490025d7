"""Outcomes in plain words: every kind of failure, confirmations, and results that come later."""

from __future__ import annotations

from typing import Any

import pytest
from tests.providers.local.world import Said, done, run, talking

from antiphon import ToolCall
from antiphon.agents.notes import results_note
from antiphon.contracts import ErrorType, error_body, failure, make_meta, success
from antiphon.providers.local.reports import report

META = make_meta("format_datetime", "1.0.0", "r1", 1)


def failed(kind: ErrorType, message: str = "It broke.", **details: Any) -> dict[str, Any]:
    return failure(error_body(kind, message, **details), META)


def say(*texts: str, mode: Any = "text", **answers: dict[str, Any]) -> Said:
    async def main() -> Said:
        said = Said()
        async with talking(mode, answers=answers) as chat:
            for text in texts:
                said = await chat.say(text)
        return said

    return run(main())


@pytest.mark.parametrize("kind", list(ErrorType))
def test_every_kind_of_failure_is_told_in_a_sentence_without_its_code(kind: ErrorType) -> None:
    said = say("What time is it in Tokyo?", format_datetime=failed(kind))
    assert len(said.text.split()) > 3
    assert kind.value not in said.text
    assert said.text.endswith((".", "?"))


def test_the_kinds_that_need_different_things_of_the_person_are_told_apart() -> None:
    texts = {say("What time is it?", format_datetime=failed(kind)).text for kind in ErrorType}
    assert len(texts) == len(ErrorType)


def test_what_must_not_be_repeated_is_said_to_have_perhaps_happened() -> None:
    said = say("What time is it?", format_datetime=failed(ErrorType.OUTCOME_UNKNOWN))
    assert "may have happened" in said.text
    assert "before you try it again" in said.text


def test_a_confirmation_says_what_is_asked_and_waits() -> None:
    request = {"id": "x", "tool": "format_datetime", "preview": "Create an event on Monday at 9."}
    body = failed(ErrorType.CONFIRMATION_REQUIRED, confirmation_request=request)
    said = say("What time is it?", format_datetime=body)
    assert "Create an event on Monday at 9." in said.text
    assert "approve" in said.text
    assert said.names == ["format_datetime"]


def test_a_wrong_field_is_named() -> None:
    errors = [{"pointer": "/timezone", "expected": "an IANA time zone", "message": "unknown"}]
    said = say("What time is it?", format_datetime=failed(ErrorType.VALIDATION, errors=errors))
    assert "timezone: an IANA time zone" in said.text


def test_how_long_to_wait_is_told() -> None:
    said = say("What time is it?", format_datetime=failed(ErrorType.RATE_LIMIT, retry_after=30))
    assert "30 seconds" in said.text


CALL = ToolCall("call_0123456789", "ingest_to_kg", {})


def test_an_outcome_that_comes_as_conversation_is_told() -> None:
    envelope = done("ingest_to_kg", message="The text was added <b>.")
    said = say(results_note([(CALL, envelope)]))
    assert said.text == "The text was added <b>."
    assert said.calls == []


def test_an_outcome_is_told_before_what_the_person_says_now_is_answered() -> None:
    note = results_note([(CALL, failure(error_body(ErrorType.CANCELLED, "x"), META))])
    said = say(f"{note}\n\nthank you")
    assert said.text.startswith("Ingest to kg was not done.")
    assert said.text.endswith("You are welcome.")


def test_what_was_asked_still_waits_when_an_outcome_comes_between() -> None:
    note = results_note([(CALL, done("ingest_to_kg", message="Added."))])
    said = say("Block me", note, "for two minutes")
    assert said.names == ["ignore_user"]


def test_a_greeting_that_is_asked_for_is_given_and_a_request_from_before_is_taken_up() -> None:
    greeting = "(Greet the person in one short sentence and ask what you can do.)"
    assert say(greeting, mode="voice").text == "Hello. What can I do for you?"
    before = "(The person asked this just before they began to talk.) What time is it in Tokyo?"
    assert say(before, mode="voice").names == ["format_datetime"]


def test_what_a_tool_says_is_told_in_its_own_words() -> None:
    said = say("What time is it in Tokyo?", format_datetime=done("x", formatted="7:00 PM"))
    assert said.text == "7:00 PM"


@pytest.mark.parametrize(
    ("result", "said"), [(5, "5"), (2.5, "2.5"), (True, "Yes."), (False, "No.")]
)
def test_a_number_alone_is_the_whole_answer(result: Any, said: str) -> None:
    envelope = success({"result": result}, [], make_meta("add", "1.0.0", "1", 1))
    assert report("add", envelope, spoken=False) == said


def test_a_list_is_short_when_it_is_spoken() -> None:
    profiles = [{"name": f"Person {n}", "url": f"https://x.example/{n}"} for n in range(6)]
    written = say("LinkedIn of Hugo Brannigan", linkedin_lookup=done("x", profiles=profiles))
    assert "https://x.example/5" in written.text
    spoken = say(
        "LinkedIn of Hugo Brannigan", mode="voice", linkedin_lookup=done("x", profiles=profiles)
    )
    assert spoken.text == "Profiles: Person 0, Person 1 and Person 2 and 3 more."


def test_a_farewell_that_is_given_is_said_in_its_words() -> None:
    said = say("(Say goodbye now, in these words: 'See you on Monday.')", mode="voice")
    assert said.text == "See you on Monday."


def test_after_a_broken_line_the_rest_of_the_answer_is_said_or_all_of_it() -> None:
    again = "(The line was interrupted before the person heard your last answer. Say it again.)"
    whole = say("Who are you?").text
    assert say("Who are you?", again).text == whole
    first, _, rest = whole.partition(". ")
    go_on = (
        f"(The line was interrupted while you were saying: {first!r}. Go on from there. Do not "
        "greet again and do not mention the interruption.)"
    )
    assert say("Who are you?", go_on).text.lstrip(". ") == rest
    # The history ends where it was heard: what was said beyond that is told.
    unheard = f"{go_on} (Of that answer they have not heard: 'a (small) program.'. Say it now.)"
    assert say("Who are you?", unheard).text == "a (small) program."
