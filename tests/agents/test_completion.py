"""One question, one answer: through the real SDKs, against each emulated provider."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from tests.agents.chatting import EMULATED, VENDORS, emulated, own_settings, says, step, unhurried

from antiphon.agents.completion import Completion, CompletionError
from antiphon.app.extraction import ModelExtraction
from antiphon.contracts.metering import Payer
from antiphon.emulators.base import Emulator
from antiphon.emulators.runner import emulate
from antiphon.knowledge import KnowledgeBase
from antiphon.knowledge.ingestion import ingest
from antiphon.providers import Backends, Deadlines
from antiphon.testing import run_real

pytestmark = pytest.mark.real_time

each_vendor = pytest.mark.parametrize("vendor", VENDORS)
SCHEMA = {"type": "object", "required": ["colour"], "properties": {"colour": {"type": "string"}}}
ANSWER = '{"colour": "a very dark blue"}'

ADA = Payer("ada")


def unpaid() -> None:
    """Nobody counts what these questions cost."""


@asynccontextmanager
async def asking(
    vendor: str,
    script: Any,
    *,
    check: bool = True,
    deadlines: Deadlines | None = None,
    retries: int = 0,
    watch: Callable[[Any], None] | None = None,
) -> AsyncIterator[tuple[Completion, Emulator, Backends]]:
    async with (
        emulated(EMULATED[vendor], script, check=check, watch=watch) as emulator,
        Backends(own_settings(vendor, emulator)) as backends,
    ):
        completion = Completion(backends, cast(Any, vendor), deadlines=deadlines, retries=retries)
        try:
            yield completion, emulator, backends
        finally:
            await completion.close()


def failing(vendor: str, reply: list[Any]) -> CompletionError:
    """What is raised when the model does this."""
    caught: list[CompletionError] = []

    async def main() -> None:
        async with asking(vendor, [step("text", reply)], check=False) as (completion, _, _):
            with pytest.raises(CompletionError) as raised:
                await completion.ask("Be brief.", "Which colour?", payer=ADA)
            caught.append(raised.value)

    unhurried(main())
    return caught[0]


@pytest.mark.virtual_time(patience=0.2)
@each_vendor
async def test_the_whole_answer_comes_back_and_the_schema_goes_with_the_question(
    vendor: str,
) -> None:
    script = [step("text", says(ANSWER), text="Which colour?")]
    async with asking(vendor, script) as (completion, emulator, _):
        assert await completion.ask("Be brief.", "Which colour?", SCHEMA, payer=ADA) == ANSWER
        sent = json.dumps(emulator.received[-1])
        assert "Be brief." in sent
        assert "colour" in sent.replace("Which colour?", "")
        assert completion.model in json.dumps(emulator.received) or vendor == "gemini"


@pytest.mark.virtual_time(patience=0.2)
@each_vendor
async def test_nothing_is_remembered_from_one_question_to_the_next(vendor: str) -> None:
    script = [
        step("text", says("Blue."), text="Which colour?"),
        step("text", says("Seven."), text="How many?"),
    ]
    async with asking(vendor, script) as (completion, emulator, _):
        assert await completion.ask("", "Which colour?", payer=ADA) == "Blue."
        assert await completion.ask("", "How many?", payer=ADA) == "Seven."
        assert "Which colour?" not in json.dumps(emulator.received[-1])


@pytest.mark.virtual_time(patience=0.2)
@each_vendor
async def test_threads_ask_on_the_loop_of_the_program_and_wait(vendor: str) -> None:
    script = {"rules": [step("text", says("Heard: {text}"))]}
    async with asking(vendor, script) as (completion, _, _):
        complete = completion.waiting(asyncio.get_running_loop(), ADA)
        questions = [f"number {n}" for n in range(4)]
        found = await asyncio.gather(
            *(asyncio.to_thread(complete, "", text, None) for text in questions)
        )
        assert found == [f"Heard: {text}" for text in questions]


# -- what goes wrong


@each_vendor
@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        ([{"status": 401}], "auth", "key"),
        ([{"status": 429, "retry_after": 3600}], "rate_limited", "no more requests"),
        ([{"status": 503}], "overloaded", "trouble"),
        ([{"text": "Half of an"}, {"drop": True}], "closed", ""),
        ([{"text": "Half of an"}, {"silent": True}], "timeout", "time"),
        ([{"silent": True}], "timeout", "time"),
    ],
)
def test_a_fault_is_an_error_in_words(vendor: str, reply: list[Any], kind: str, words: str) -> None:
    error = failing(vendor, reply)
    assert error.fault is not None
    assert error.fault.kind == kind
    assert error.message == error.fault.message
    assert words in error.message


@pytest.mark.parametrize(
    ("vendor", "reason"), [("gemini", "MAX_TOKENS"), ("openai", "length"), ("claude", "max_tokens")]
)
def test_an_answer_that_was_cut_off_is_none(vendor: str, reason: str) -> None:
    error = failing(vendor, [{"text": "Half of an"}, {"complete": reason}])
    assert "cut off after" in error.message


@pytest.mark.parametrize(
    ("vendor", "reason"),
    [("gemini", "SAFETY"), ("openai", "content_filter"), ("claude", "refusal")],
)
def test_a_refusal_is_an_error(vendor: str, reason: str) -> None:
    error = failing(vendor, [{"text": "I"}, {"complete": reason}])
    assert error.fault is not None
    assert error.fault.kind == "refused"


@each_vendor
def test_a_call_of_a_tool_that_was_never_given_is_an_error(vendor: str) -> None:
    error = failing(
        vendor, [{"calls": [{"id": "call_1", "name": "kb_get", "args": {}}]}, "complete"]
    )
    assert "given none" in error.message


@each_vendor
async def test_without_a_key_it_says_which_one_to_set(vendor: str) -> None:
    with emulate(EMULATED[vendor]) as emulator:
        settings = own_settings(vendor, emulator)
        section = getattr(settings, vendor).model_copy(update={"api_key": None, "base_url": None})
        async with Backends(settings.model_copy(update={vendor: section})) as backends:
            completion = Completion(backends, cast(Any, vendor))
            with pytest.raises(CompletionError, match="_API_KEY"):
                await completion.ask("", "Which colour?", payer=ADA)


@each_vendor
async def test_a_short_trouble_is_tried_again(vendor: str) -> None:
    script = [
        step("text", [{"status": 503, "retry_after": 0}]),
        step("text", says("Blue.")),
    ]
    async with asking(vendor, script, retries=1) as (completion, _, _):
        assert await completion.ask("", "Which colour?", payer=ADA) == "Blue."


# -- the end


def stopping(end: Callable[[Completion, asyncio.Task[str]], Awaitable[None]]) -> str:
    """What a thread that waits for a silent model is told when the program ends."""

    async def main() -> str:
        script = [step("text", [{"silent": True}])]
        async with asking("claude", script) as (completion, emulator, _):
            complete = completion.waiting(asyncio.get_running_loop(), ADA)
            waits = asyncio.create_task(asyncio.to_thread(complete, "", "Which colour?", None))
            async with asyncio.timeout(60):
                while emulator.playback.unfinished():  # noqa: ASYNC110 - it is in another thread
                    await asyncio.sleep(0.01)
            await end(completion, waits)
            with pytest.raises(CompletionError) as raised:
                await waits
            return raised.value.message

    return run_real(main())


def test_closing_ends_what_is_asked_and_refuses_what_comes_later() -> None:
    async def end(completion: Completion, waits: asyncio.Task[str]) -> None:
        assert not waits.done()
        await completion.close()
        with pytest.raises(CompletionError, match="stopping"):
            await completion.ask("", "Once more?", payer=ADA)

    assert "stopping" in stopping(end)


def test_a_loop_that_is_closed_is_said_and_leaves_nothing_behind() -> None:
    with emulate("anthropic") as emulator:
        loop = asyncio.new_event_loop()
        backends = Backends(own_settings("claude", emulator))
        complete = Completion(backends, "claude").waiting(loop, ADA)
        loop.close()
        with pytest.raises(CompletionError, match="has stopped"):
            complete("", "Which colour?", None)


async def test_asking_and_waiting_on_the_loop_itself_is_a_mistake_and_no_hang() -> None:
    async with asking("claude", []) as (completion, _, _):
        with pytest.raises(RuntimeError, match="await `ask`"):
            completion.waiting(asyncio.get_running_loop(), ADA)("", "Which colour?", None)


# -- with the knowledge engine

TEXT = "the widget team at Tideline Labs looks after gearbox design."
FOUND = json.dumps(
    {
        "entities": [{"name": "widget team", "type": "org", "confidence": 0.8}],
        "relations": [],
    }
)


@each_vendor
async def test_a_document_is_ingested_by_the_model_of_each_provider(
    vendor: str, tmp_path: Path
) -> None:
    with emulate(EMULATED[vendor], [step("text", says(FOUND))]) as emulator:
        async with Backends(own_settings(vendor, emulator)) as backends:
            extraction = ModelExtraction(cast(Any, vendor), backends, tmp_path, spending=unpaid)

            def work() -> None:
                with KnowledgeBase.open(tmp_path) as base:
                    for name in ("first", "second"):  # the second is answered by the cache
                        report = ingest(
                            base.create(name), TEXT, source="x", extractor=extraction.extractor(ADA)
                        )
                        assert report.pieces_by_rules == 0, report.notes
                        assert report.extractor.startswith(f"{vendor}/")
                        assert base.database(name).get(["org:widget_team"])

            try:
                await asyncio.to_thread(work)
            finally:
                await extraction.close()


def test_a_provider_that_fails_leaves_the_document_to_the_rules(tmp_path: Path) -> None:
    """With a runner of its own, as on the command line."""
    with emulate("openai", [step("text", [{"status": 401}])]) as emulator, asyncio.Runner() as run:
        backends = Backends(own_settings("openai", emulator))
        extraction = ModelExtraction("openai", backends, tmp_path, runner=run, spending=unpaid)
        try:
            with KnowledgeBase.open(tmp_path) as base:
                report = ingest(
                    base.create("notes"), TEXT, source="x", extractor=extraction.extractor(ADA)
                )
        finally:
            run.run(extraction.close())
            run.run(backends.close())
        assert report.pieces_by_rules == 1
        assert "does not accept the key" in report.by_rules[0]["reason"]
