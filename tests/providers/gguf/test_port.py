"""A model in a GGUF file behind the port: llama.cpp itself, with a tiny model that tests wrote."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from tests.providers.gguf.letters import CALL, END, write_model
from tests.providers.gguf.one_sentence import OneSentence
from tests.providers.talking import OK, only, said, turn

from antiphon import Antiphon
from antiphon import tool as as_tool
from antiphon.cli import main
from antiphon.contracts.events import (
    Event,
    Fault,
    Interrupt,
    Interrupted,
    ModelTurn,
    Prompt,
    Text,
    ToolCalls,
    Transcript,
    TurnEnded,
    Usage,
    UserTurn,
)
from antiphon.providers.gguf import GgufText
from antiphon.providers.gguf.voice import GgufVoice
from antiphon.providers.port import Access, Connection, ProviderFault, Setup

pytest.importorskip("xllamacpp", reason="the extra llm is not installed")
pytestmark = pytest.mark.real_time

# "Ok." to everything; inside a call that is also the one value.
OKAY = {">": "O", "=": "O", "\n": "O", "O": "k", "k": ".", ".": END + '"', '"': "O"}
CALLS = {**OKAY, ">": CALL}


class Tools:
    """Tools of a session, by name and schema."""

    def __init__(self, schemas: Mapping[str, dict[str, Any]]) -> None:
        self.schemas = schemas

    def declared(self, form: str) -> list[dict[str, Any]]:
        if form == "local":
            return [{"toolId": name} for name in self.schemas]
        return [
            {"type": "function", "function": {"name": name, "parameters": schema}}
            for name, schema in self.schemas.items()
        ]

    def arguments(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args

    def written(self, form: str, name: str, args: Any) -> Any:
        del form, name
        return args


CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CLOSED = {"additionalProperties": False}
WEATHER = Tools({"get_weather": CITY})


def first(text: str, tools: Sequence[dict[str, Any]], n: int) -> Sequence[dict[str, Any]]:
    del text
    return tools[:n]


@asynccontextmanager
async def talking(
    path: Path, *, choose: Any = first, context: int | None = None, **setup: Any
) -> AsyncIterator[Connection]:
    provider = GgufText(Access(), path, choose=choose, context=context, threads=1)
    try:
        async with await provider.connect(Setup("local", **setup)) as connection:
            yield connection
    finally:
        await provider.close()


async def one_turn(path: Path, *prompts: str, **options: Any) -> list[Event]:
    async with talking(path, **options) as connection:
        return await turn(connection, *(prompts or ("Hello",)))


# -- words and calls -----------------------------------------------------------------------------


async def test_an_answer_comes_letter_by_letter_and_its_tokens_are_counted(tmp_path: Path) -> None:
    events = await one_turn(write_model(tmp_path / "m.gguf", OKAY), tools=WEATHER)
    assert [event.text for event in events if isinstance(event, Text)] == ["O", "k", "."]
    usage = only(events, Usage)
    assert usage.output_tokens == 4
    assert usage.input_tokens > len("Hello")
    assert events[-1] == TurnEnded("complete")


async def test_a_call_is_answered_with_its_envelope_and_the_model_goes_on(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", CALLS)
    async with talking(path, tools=WEATHER) as connection:
        events = await turn(connection, "The weather in Oslo?")
        (call,) = only(events, ToolCalls).calls
        assert (call.name, call.args) == ("get_weather", {"city": "Ok."})
        assert said(events) == ""
        assert connection.pending == {call.id}
        await connection.send_tool_result(id=call.id, name=call.name, result=OK)
        assert said(await turn(connection)) == "Ok."
        (again,) = only(await turn(connection, "And now?"), ToolCalls).calls
        assert again.id != call.id


async def test_words_before_a_call_are_said_and_nothing_of_the_call_is(tmp_path: Path) -> None:
    follows = {**CALLS, ">": "H", "H": "i", "i": CALL}
    events = await one_turn(write_model(tmp_path / "m.gguf", follows), tools=WEATHER)
    assert said(events) == "Hi"
    assert only(events, ToolCalls).calls[0].args == {"city": "Ok."}


async def test_without_tools_any_text_is_an_answer(tmp_path: Path) -> None:
    follows = {">": "{", "{": "<", "<": "}"}
    assert said(await one_turn(write_model(tmp_path / "m.gguf", follows))) == "{<}"


async def test_a_model_that_knows_nothing_still_makes_valid_calls(tmp_path: Path) -> None:
    """Every letter is as likely as any other, but for the first of a call."""
    short = {"type": "string", "maxLength": 4}
    schemas: dict[str, dict[str, Any]] = {
        "book_room": {
            "type": "object",
            "$defs": {"guest": {"type": "object", "properties": {"name": short}} | CLOSED},
            "properties": {
                "when": {"type": "string", "format": "date"},
                "nights": {"type": "integer", "minimum": 1, "maximum": 14},
                "view": {"enum": ["sea", "garden"]},
                "tags": {"type": "array", "items": short, "maxItems": 2, "uniqueItems": True},
                "who": {"$ref": "#/$defs/guest"},
                "price": {"oneOf": [{"type": "null"}, {"type": "boolean"}]},
                "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
                "odd": {"type": "string", "pattern": "^(?=a)", "maxLength": 3, "format": "color"},
            },
            "required": ["when", "nights", "view", "tags", "who", "price", "code"],
            "additionalProperties": False,
        },
        "sing": {"type": "object", "properties": {"song": short}, "additionalProperties": False},
    }
    # What a grammar cannot say is left to the gates.
    exact = {"book_room": {**schemas["book_room"]}, "sing": schemas["sing"]}
    exact["book_room"]["properties"] = dict(schemas["book_room"]["properties"])
    exact["book_room"]["properties"]["tags"] = {"type": "array", "items": short, "maxItems": 2}
    exact["book_room"]["properties"]["odd"] = {"type": "string", "maxLength": 3}
    path = write_model(tmp_path / "m.gguf", {">": CALL, "=": CALL})
    seen = set()
    async with talking(path, tools=Tools(schemas)) as connection:
        for _ in range(24):
            (call,) = only(await turn(connection, "Go"), ToolCalls).calls
            assert jsonschema_rs.is_valid(exact[call.name], call.args, validate_formats=True), call
            seen.add(call.name)
            await connection.send(Interrupt())
            await turn(connection)
    assert seen == {"book_room", "sing"}


async def test_a_call_that_is_cut_off_is_not_made(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", CALLS)
    events = await one_turn(path, tools=WEATHER, max_tokens=20)
    assert only(events, Fault).kind == "truncated"
    assert events[-1] == TurnEnded("max_tokens")
    assert not any(isinstance(event, ToolCalls) for event in events)


# -- what the model is told ------------------------------------------------------------------------

# One letter before the answer tells what the template was given: "1" if all of it was there.
TOLD = (
    "{{% for m in messages %}}{{{{ m.role }}}}{{{{ m.content }}}}{{% endfor %}}"
    "{{{{ '1' if {} else '0' }}}}"
)
ONE_OR_NONE = {"1": "y", "0": "n"}


async def told(tmp_path: Path, condition: str, *prompts: str, **options: Any) -> str:
    template = TOLD.format(condition)
    path = write_model(tmp_path / "told.gguf", ONE_OR_NONE, template=template)
    return said(await one_turn(path, *prompts, **options))


async def test_the_files_own_template_is_given_instructions_tools_and_turns(tmp_path: Path) -> None:
    whole = (
        "messages | map(attribute='role') | join(' ') == 'system user assistant user' and "
        "'Be brief.' in messages[0].content and '\"get_weather\"' in messages[0].content and "
        "messages[1].content == 'I am Ada.' and messages[2].content == 'Hello Ada.'"
    )
    history = [UserTurn("I am Ada."), ModelTurn("Hello Ada.")]
    options = {"instructions": "Be brief.", "tools": WEATHER, "history": history}
    assert await told(tmp_path, whole, "Who am I?", **options) == "y"
    assert await told(tmp_path, whole, "Who am I?", **{**options, "history": ()}) == "n"


async def test_roles_take_turns_also_where_a_conversation_begins_in_the_middle(
    tmp_path: Path,
) -> None:
    roles = "messages | map(attribute='role') | join(' ') == 'user assistant user'"
    history = [ModelTurn("Good morning."), ModelTurn("Are you there?")]
    assert await told(tmp_path, roles, history=history) == "y"


async def test_a_file_without_a_template_is_used_with_a_plain_one_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_model(tmp_path / "m.gguf", OKAY, template=None)
    with caplog.at_level(logging.WARNING):
        assert said(await one_turn(path)) == "Ok."
    assert "may not be an instruct model" in caplog.text


async def test_the_oldest_turns_are_left_out_whole_and_instructions_stay(tmp_path: Path) -> None:
    history = [
        turn
        for number in range(12)
        for turn in (UserTurn(f"Question {number}. " + "x" * 100), ModelTurn(f"Answer {number}."))
    ]
    kept = (
        "messages[0].content == 'Be brief.' and messages[1].role == 'user' and "
        "messages[1].content.startswith('Question') and 'Question 11' in messages[-3].content and "
        "not messages[1].content.startswith('Question 0') and messages[-1].content == 'Hello'"
    )
    options = {"instructions": "Be brief.", "history": history}
    assert await told(tmp_path, kept, context=1024, **options) == "y"
    assert await told(tmp_path, kept, context=4096, **options) == "n"  # nothing is left out


async def test_a_long_result_is_cut_and_what_does_not_fit_at_all_is_refused(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", CALLS)
    long = {**OK, "data": {"text": "y" * 5000}}
    async with talking(path, tools=WEATHER, context=2048) as connection:
        (call,) = only(await turn(connection, "Oslo?"), ToolCalls).calls
        await connection.send_tool_result(id=call.id, name=call.name, result=long)  # type: ignore[arg-type]
        found = only(await turn(connection), Fault)
        assert found.kind == "bad_request"
        assert re.search(r"\d{4} tokens, and its context window is 2048", found.message)
        assert "local.context" in found.message
    async with talking(path, tools=WEATHER, context=4096) as connection:
        (call,) = only(await turn(connection, "Oslo?"), ToolCalls).calls
        longer = {**OK, "data": {"text": "y" * 50_000}}
        await connection.send_tool_result(id=call.id, name=call.name, result=longer)  # type: ignore[arg-type]
        assert only(await turn(connection), Fault).kind == "bad_request"


async def test_of_many_tools_those_that_fit_are_shown_and_those_called_before_stay(
    tmp_path: Path,
) -> None:
    many = Tools({f"tool_{number}": {"type": "object"} for number in range(30)})
    asked: list[str] = []

    def choose(text: str, tools: Sequence[dict[str, Any]], n: int) -> Sequence[dict[str, Any]]:
        asked.append(text)
        return [tool for tool in tools if tool["toolId"] == text][:n]

    shown = "'tool_7' in messages[0].content and 'tool_8' not in messages[0].content"
    options = {"choose": choose, "tools": many}
    assert await told(tmp_path, shown, "tool_7", **options) == "y"
    assert asked == ["tool_7"]
    both = "'tool_7' in messages[0].content and 'tool_9' in messages[0].content"
    path = write_model(tmp_path / "m.gguf", ONE_OR_NONE, template=TOLD.format(both))
    async with talking(path, **options) as connection:
        assert said(await turn(connection, "tool_7")) == "n"
        assert said(await turn(connection, "tool_9")) == "y"


# -- cancelling, closing, errors -------------------------------------------------------------------


async def test_an_interruption_ends_the_answer_within_a_token(tmp_path: Path) -> None:
    provider = GgufText(
        Access(), write_model(tmp_path / "m.gguf", {}, babbles=True), choose=first, threads=1
    )
    async with await provider.connect(Setup("local")) as connection:
        await connection.send(Prompt("Go"))
        events = connection.events()
        while not isinstance(await anext(events), Text):
            pass
        await connection.send(Interrupt())
        rest = [event async for event in _until_ended(events)]
        assert [type(event) for event in rest if not isinstance(event, Text)] == [
            Interrupted,
            TurnEnded,
        ]
        assert rest[-1] == TurnEnded("interrupted")
        await events.aclose()  # type: ignore[attr-defined]
        assert re.fullmatch("[a-z]+", connection.history[-1].text)  # type: ignore[attr-defined]
    taken = 0

    def take(chunk: dict[str, Any]) -> bool:
        nonlocal taken
        taken += 1
        return taken == 3

    engine = provider.engine()
    request = {"messages": [{"role": "user", "content": "Go"}]}
    await asyncio.wrap_future(provider.submit(lambda: engine.stream(request, take)))
    assert taken == 3
    await provider.close()


async def _until_ended(events: AsyncIterator[Event]) -> AsyncIterator[Event]:
    async for event in events:
        yield event
        if isinstance(event, TurnEnded):
            return


async def test_conversations_are_answered_in_turn_and_closing_ends_them(tmp_path: Path) -> None:
    provider = GgufText(Access(), write_model(tmp_path / "m.gguf", OKAY), choose=first, threads=1)
    setup = Setup("local", tools=WEATHER)
    lines = [await provider.connect(setup) for _ in range(5)]
    answers = await asyncio.gather(*(turn(line, "Hello") for line in lines))
    assert [said(answer) for answer in answers] == ["Ok."] * 5
    await lines[0].send(Prompt("Go"))
    for line in lines:
        await line.close()
    await provider.close()


async def test_too_little_memory_is_said_before_anything_is_loaded(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", OKAY, block_count=1_000_000_000)
    with pytest.raises(ProviderFault, match=r"needs about .* GB of memory") as raised:
        await one_turn(path)
    assert raised.value.fault.kind == "overloaded"
    assert "local.context" in raised.value.fault.message


async def test_what_the_engine_cannot_load_is_a_fault_of_the_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write_model(tmp_path / "m.gguf", OKAY, feed_forward_length=999)
    events = await one_turn(path)
    assert "cannot be loaded" in only(events, Fault).message
    assert events[-1] == TurnEnded("failed")
    assert "ffn" in capfd.readouterr().err  # in its own words


# -- in the application ----------------------------------------------------------------------------


@as_tool(risk="low", side_effects="read_only")
def town_hall(town: str) -> dict[str, str]:
    """Say where the town hall of a town is.

    Args:
        town: The town.
    """
    return {"address": f"{town} Main Street 1"}


async def test_the_setting_puts_it_behind_the_gates_of_every_model(tmp_path: Path) -> None:
    path = write_model(tmp_path / "m.gguf", CALLS)
    settings = {"data": str(tmp_path / "data"), "local": {"model": str(path), "threads": 1}}
    async with Antiphon(tools=[town_hall], settings=settings) as app:
        result = await app.run("Where is the town hall?")
        (call,) = result.calls
        assert (call.name, dict(call.args), call.ok) == ("town_hall", {"town": "Ok."}, True)
        assert result.text == "Ok."


async def test_the_ears_and_the_voice_of_the_built_in_model_are_lent_to_it(tmp_path: Path) -> None:
    core = GgufText(Access(), write_model(tmp_path / "m.gguf", OKAY), choose=first, threads=1)
    voice = GgufVoice(core, OneSentence("Hello?"))
    await voice.probe(30.0)
    async with await voice.connect(Setup("local")) as connection:
        async with aclosing(connection.events()) as events:  # type: ignore[type-var]
            heard = [event async for event in _until_ended(events)]
        spoken = [e.text for e in heard if isinstance(e, Transcript) and e.role == "model"]
        assert "".join(spoken) == "Ok."
    await voice.close()
    assert said(await _asked_once_more(core)) == "Ok."
    await core.close()


async def _asked_once_more(provider: GgufText) -> list[Event]:
    async with await provider.connect(Setup("local")) as connection:
        return await turn(connection, "Hello")


def test_doctor_names_the_model_with_its_size_and_context(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path / "letters.gguf", OKAY)
    (tmp_path / "antiphon.toml").write_text('[local]\nmodel = "letters.gguf"\ncontext = 1024\n')
    assert main(["doctor"]) == 0
    found = re.search(r"^local \(chosen\) +(.+)$", capsys.readouterr().out, re.MULTILINE)
    assert found
    assert re.fullmatch(r"letters\.gguf \(.* 2\.0 MB\), context 1024 of 4096 tokens", found[1])
