"""Questions of the workspace to the chosen model, against an emulated provider."""

from __future__ import annotations

from typing import Any, cast

import pytest
from tests.agents.chatting import EMULATED, own_settings, says, step

from antiphon import ErrorType, ToolError
from antiphon.app.completions import Completions
from antiphon.contracts.metering import Payer
from antiphon.emulators.runner import emulate
from antiphon.providers import Backends
from antiphon.secrecy.privacy import ConversationPrivacy, PrivacyRules
from antiphon.testing import run_real


def asked(script: list[Any], chosen: str, *, check: bool = True) -> list[Any]:
    """What came of one question: an answer, None or the error."""
    outcome: list[Any] = []

    async def main() -> None:
        with emulate(EMULATED["openai"], script, check=check) as emulator:
            settings = own_settings("openai", emulator)
            async with Backends(settings, chosen=cast(Any, chosen)) as backends:
                asking = Completions(backends, None)
                try:
                    outcome.append(await asking.ask("Be brief.", "Which colour?", Payer("ada")))
                except ToolError as error:
                    outcome.append(error)
                finally:
                    await asking.close()

    run_real(main())
    return outcome


def test_the_chosen_model_answers() -> None:
    script = [step("text", says("Dark blue."), text="Which colour?")]
    assert asked(script, "openai") == ["Dark blue."]


def test_what_is_personal_is_asked_in_placeholders() -> None:
    privacy = ConversationPrivacy(PrivacyRules(model=frozenset({"e-mail"})))
    script = [step("text", says("Write to [e-mail 1]."), text="Who is [e-mail 1]?")]
    answers: list[str | None] = []

    async def main() -> None:
        with emulate(EMULATED["openai"], script) as emulator:
            async with Backends(own_settings("openai", emulator), chosen="openai") as backends:
                asking = Completions(backends, None, {"s1": privacy}.get)
                payer = Payer("ada", session="s1")
                question = "Who is jane@example.org?"
                answers.append(await asking.ask("Be brief.", question, payer))
                await asking.close()

    run_real(main())
    assert answers == ["Write to jane@example.org."]


@pytest.mark.parametrize("chosen", ["local", "claude"])
def test_without_a_model_that_is_configured_there_is_no_answer(chosen: str) -> None:
    assert asked([], chosen) == [None]


def test_a_model_that_fails_is_a_transient_error_in_its_words() -> None:
    (error,) = asked([step("text", [{"text": "Half"}, {"complete": "length"}])], "openai")
    assert error.type is ErrorType.TRANSIENT
    assert "cut off" in error.message
