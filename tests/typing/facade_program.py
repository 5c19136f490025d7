"""A program of a user around its tools, checked by the type checkers: what it provides, its hooks,
its data, its rules, its calls.

It is not run. Each `assert_type` is what a program may rely on.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import assert_type

import antiphon
from antiphon import Antiphon, Context, ErrorType, RunResult, ToolCall
from antiphon.contracts import Envelope
from antiphon.contracts.session_events import CallStarted, TextTurnEnded, VoiceTurnEnded
from antiphon.facade import ConfirmationQuestion, RunCall, SpokenAudio
from antiphon.orchestrator.context import SessionView
from antiphon.policy import Case, PolicyView, Rule, ToolView, Verdict, refuse


class Crm:
    async def name_of(self, customer: int) -> str:
        return f"customer {customer}"


@asynccontextmanager
async def open_crm() -> AsyncGenerator[Crm, None]:
    yield Crm()


class ShopContext(Context):
    crm: Crm


@antiphon.tool(side_effects="read_only")
async def find_customer(number: int, context: ShopContext) -> str:
    """Find a customer by number."""
    assert_type(context.crm, Crm)
    return await context.crm.name_of(number)


def only_acme(case: Case, tool: ToolView, view: PolicyView) -> Verdict | None:
    if view.data.get("tenant") == "acme":
        return None
    return refuse("tenant", ErrorType.PERMANENT, f"{case.name} is a tool of another tenant.")


async def before_call(call: ToolCall, session: SessionView) -> str | None:
    return "Not you." if session.user == "eve" else None


def after_call(call: ToolCall, envelope: Envelope, session: SessionView) -> None:
    print(call.name, envelope["ok"], session.data.get("tenant"))


async def on_turn_end(session: SessionView, turn: int) -> None:
    print(session.id, turn)


def on_confirm(question: ConfirmationQuestion) -> bool:
    return question.risk == "low"


app = Antiphon(
    tools=[find_customer, "tools"],
    model="openai:gpt-4.1",
    instructions="Be brief.",
    rules=[Rule("tenant", "Tenant", "The tool belongs to the tenant.", only_acme)],
    store="sqlite:///shop.db",
    provide={"crm": open_crm},
    on_confirm=on_confirm,
    before_call=before_call,
    after_call=after_call,
    on_turn_end=on_turn_end,
)


async def main() -> None:
    async with app:
        session = await app.session(user="ada", data={"tenant": "acme"})
        called = await app.call("find_customer", {"number": 1}, session=session, key="one")
        assert_type(called, RunCall)
        async for event in app.stream("Who is customer 1?", session=session):
            match event:
                case CallStarted(name=name):
                    print(name)
                case TextTurnEnded(message=message):
                    assert_type(message, str)
                case _:
                    pass
        result = await app.run("And 2?", session=session)
        for question in result.confirmations:
            assert_type(await app.confirm(question.id, approve=True), RunCall)


async def speak() -> bytes:
    speech = b""
    async with app.voice(user="ada") as call:
        await call.send_text("Who is customer 1?")
        async for event in call:
            match event:
                case SpokenAudio(pcm=pcm):
                    speech += assert_type(pcm, bytes)
                case VoiceTurnEnded():
                    await call.hang_up()
                case _:
                    pass
    return speech


def script() -> None:
    with app.sync as sync:
        result = sync.run("Who is customer 1?")
        assert_type(result, RunResult)
        for event in sync.stream("And 2?", session=result.session_id):
            print(event)
