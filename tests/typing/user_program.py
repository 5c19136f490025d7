"""A program of a user, for the type checkers: tools, runs, events, services, hooks, voice.

Each `assert_type` is what a program may rely on.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal, TypedDict, assert_type

from pydantic import BaseModel, Field

import antiphon
from antiphon import Antiphon, Context, Principal, Registry, RunError, RunResult, ToolCall
from antiphon.contracts import Envelope, ToolDefinition
from antiphon.contracts.session_events import CallFinished, ModelText, SpokenText
from antiphon.facade import ConfirmationQuestion
from antiphon.orchestrator.context import SessionView


class Unit(StrEnum):
    CELSIUS = "celsius"
    FAHRENHEIT = "fahrenheit"


class Forecast(TypedDict):
    city: str
    degrees: float


class Address(BaseModel):
    street: str = Field(max_length=100)
    city: str


@dataclass
class Parcel:
    weight: float
    fragile: bool = False


class Customers:
    """A service of the program's own."""

    async def name_of(self, number: int) -> str:
        return f"customer {number}"


@asynccontextmanager
async def open_customers() -> AsyncGenerator[Customers, None]:
    yield Customers()


class ShopContext(Context):
    """The context with the program's own services: it only tells type checkers."""

    customers: Customers


@antiphon.tool(side_effects="read_only")
async def customer(number: int, context: ShopContext) -> str:
    """Tell a customer's name.

    Args:
        number: The customer's number.
    """
    return assert_type(await context.customers.name_of(number), str)


@antiphon.tool(side_effects="read_only", latency_ms=300)
async def weather(
    city: Annotated[str, Field(min_length=1)], unit: Unit = Unit.CELSIUS, *, context: Context
) -> Forecast:
    """Tell the weather of a city. Use it for questions about today.

    Args:
        city: The city.
        unit: The unit of the answer.
    """
    context.progress("asking", 0.5)
    tenant = context.session.data.get("tenant", "none")
    return {"city": f"{city} ({tenant}, {unit})", "degrees": 21.5}


@antiphon.tool
def add(first: int, second: int = 1) -> int:
    """Add two numbers.

    Args:
        first: The first number.
        second: The second number.
    """
    return first + second


@antiphon.tool(name="send_parcel", confirm=True, modes=("text",), rate="10/minute", risk="high")
async def send(parcel: Parcel, to: Address, speed: Literal["slow", "fast"] = "slow") -> str:
    """Send a parcel.

    Args:
        parcel: The parcel.
        to: Where it goes.
        speed: How fast.
    """
    return f"{parcel.weight} kg to {to.city}, {speed}"


@send.prepare
async def check_send(parcel: Parcel, context: Context) -> None:
    context.progress(f"weighing {parcel.weight} kg")


async def compare(first: str, second: str, context: Context) -> bool:
    """Call a tool as the function that it is: arguments and result keep their types."""
    warmer = await weather(first, context=context)
    assert_type(warmer, Forecast)
    return warmer["degrees"] > (await weather(second, Unit.CELSIUS, context=context))["degrees"]


async def talk(app: Antiphon) -> RunResult:
    result = await app.run("How is the weather in Oslo?", user="ada", data={"tenant": "acme"})
    assert_type(result, RunResult)
    assert_type(result.text, str)
    assert_type(result.session_id, str)
    for call in result.calls:
        assert_type(call.name, str)
        assert_type(call.ok, bool)
    tokens = result.usage.input_tokens + result.usage.output_tokens
    return await app.run(f"Say that again, in {tokens} words.", session=result.session_id)


async def follow(app: Antiphon) -> AsyncIterator[str]:
    async for event in app.stream("And tomorrow?"):
        match event:
            case ModelText(text=text):
                yield assert_type(text, str)
            case CallFinished(name=name, envelope=envelope):
                yield f"{name}: {envelope['ok']}"
            case _:
                pass


def before(call: ToolCall, session: SessionView) -> str | None:
    return None if session.data.get("tenant") else f"{call.name} needs a tenant."


async def after(call: ToolCall, envelope: Envelope, session: SessionView) -> None:
    print(call.name, envelope["ok"], session.id)


async def approve(question: ConfirmationQuestion) -> bool:
    return question.risk == "low"


async def speak(app: Antiphon, frames: AsyncIterator[bytes]) -> None:
    async with app.voice(user="ada") as call:
        async for frame in frames:
            await call.send_audio(frame)
        await call.end_audio()
        async for event in call:
            match event:
                case SpokenText(role=role, text=text):
                    print(assert_type(role, Literal["user", "assistant"]), text)
                case _:
                    pass


async def main() -> None:
    assert_type(add(1, second=2), int)
    assert_type(add.definition, ToolDefinition)
    app = Antiphon(
        tools=Registry.of(weather, add, send, customer),
        model="local",
        instructions="Be brief.",
        provide={"customers": open_customers},
        on_confirm=approve,
        before_call=before,
        after_call=after,
    )
    async with app:
        try:
            print((await talk(app)).text)
        except RunError as error:
            print(error)
        async for piece in follow(app):
            print(piece, end="")
        called = await app.call("add", {"first": 1})
        print(called.ok, called.data)
    print(Principal("ada", {"tenant": "acme"}).user)


def script() -> str:
    return Antiphon(tools=[add], model="local").run_sync("What is 2 + 3?").text
