"""Typed functions are tools with the same contract, checks and gates as tool directories."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

import pytest
from pydantic import AfterValidator, BaseModel, Field

from antiphon import Context, ErrorType, Orchestrator, Registry, ToolCall, ToolError, fail, ok, tool
from antiphon.contracts import ToolResult
from antiphon.contracts.definition import RateLimit
from antiphon.registry.projections import PROVIDERS

from .conftest import WriteTool

if TYPE_CHECKING:
    from pathlib import Path


class Unit(enum.Enum):
    """A unit."""

    celsius = "c"
    fahrenheit = "f"


@dataclasses.dataclass
class Place:
    """A place on a map."""

    latitude: Annotated[float, Field(description="Degrees north.")]
    longitude: Annotated[float, Field(description="Degrees east.")] = 0


class Wishes(TypedDict, total=False):
    short: Annotated[bool, Field(description="Few words.")]


class Stop(BaseModel):
    at: Annotated[Place, Field(description="Where.")]
    nights: Annotated[int, Field(description="How long.", ge=1)] = 1


class Route(BaseModel):
    stops: list[Stop]
    kilometres: float


async def call(
    tools: Registry | tuple[Any, ...], *calls: tuple[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Call tools through the gates, each in a session of its own."""
    registry = tools if isinstance(tools, Registry) else Registry.of(*tools)
    async with Orchestrator(registry) as orchestrator:
        return [
            await orchestrator.session("text").dispatch(ToolCall(None, name, args))
            for name, args in calls
        ]


@tool(side_effects="read_only")
async def weather(
    city: str,
    context: Context,
    unit: Unit = Unit.celsius,
    place: Place | None = None,
    wishes: Wishes = {},  # noqa: B006 - never changed
    kind: Literal["now", "tomorrow"] = "now",
) -> dict[str, Any]:
    """Tell the weather of a city. Forecasts go one day ahead.

    It knows the sky only.

    Args:
        city: The city,
            in any language.
        unit: Of temperatures.
        place: Where exactly.
        wishes (Wishes): How to say it.
        kind: Which day.

    Returns:
        The sky in words.

    Phrases:
        - "Weather in {{city}}"
    """
    assert type(context) is Context
    return {"got": [city, repr(unit), repr(place), wishes, kind]}


async def test_arguments_arrive_as_the_types_of_the_signature() -> None:
    args = {"city": "Oslo", "unit": "f", "place": {"latitude": 59}, "wishes": {"short": True}}
    (answer,) = await call((weather,), ("weather", args))
    place = Place(latitude=59.0, longitude=0)
    assert answer["data"]["got"] == [
        "Oslo",
        repr(Unit.fahrenheit),
        repr(place),
        {"short": True},
        "now",
    ]


async def test_arguments_are_refused_by_the_schema_of_the_signature() -> None:
    wrong = ({}, {"city": 1}, {"city": "Oslo", "unit": "k"}, {"city": "Oslo", "town": "Oslo"})
    answers = await call((weather,), *(("weather", args) for args in wrong))
    assert [answer["error"]["type"] for answer in answers] == ["VALIDATION"] * 4


def test_the_contract_comes_from_signature_and_docstring() -> None:
    definition = weather.definition
    assert definition.description == "Tell the weather of a city."
    assert (definition.category, definition.requires_confirmation) == ("retrieval", False)
    properties = definition.parameters["properties"]
    assert list(properties) == ["city", "unit", "place", "wishes", "kind"]
    assert properties["city"]["description"] == "The city, in any language."
    assert definition.parameters["required"] == ["city"]
    assert weather.guide.splitlines()[:3] == ["# weather", "", "Tell the weather of a city."]
    for text in (
        "Forecasts go one day ahead.",
        "It knows the sky only.",
        "The sky in words.",
        '## Phrases\n- "Weather in {{city}}"',
        '- `kind` (default "now"): Which day.',
    ):
        assert text in weather.guide


def test_every_provider_gets_a_declaration() -> None:
    registry = Registry.of(weather)
    for provider in PROVIDERS:
        assert len(registry.provider_schemas(provider)) == 1


def test_a_tool_that_does_not_say_what_it_does_asks_first() -> None:
    @tool
    def anything(word: str) -> None:
        """Do something.

        Args:
            word: What.
        """

    definition = anything.definition
    assert definition.side_effects == "writes"
    assert definition.requires_confirmation
    assert not definition.idempotent
    assert definition.category == "action"


def test_metadata_are_arguments_of_the_decorator() -> None:
    @tool(
        name="renamed",
        side_effects="writes",
        confirm=True,
        modes=("text",),
        latency_ms=50,
        timeout_ms=900,
        idempotent=True,
        rate="10/minute",
        interruption="detach",
        risk="low",
        category="action",
        version="2.0.0",
        redact=["/word"],
        availability={"requiresAuth": True},
    )
    async def anything(word: Annotated[str, Field(description="What.")]) -> None:
        """Do something."""

    definition = anything.definition
    assert definition.tool_id == "renamed"
    assert definition.rate_limit == RateLimit(10, 60_000)
    assert (definition.allowed_modes, definition.latency_budget_ms) == (("text",), 50)
    assert (definition.timeout_ms, definition.idempotent) == (900, True)
    assert (definition.interruption, definition.risk, definition.version) == (
        "detach",
        "low",
        "2.0.0",
    )
    assert definition.redact == ("/word",)
    assert definition.availability == {"requiresAuth": True}


def test_a_tool_is_still_the_function() -> None:
    @tool(side_effects="none")
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    assert double(4) == 8
    assert double.__name__ == "double"
    assert double.__doc__ == "Double a number."


@tool(side_effects="none")
def plan(stops: list[Stop]) -> Route:
    """Plan a route.

    :param stops: In their order.
    """
    assert all(type(stop) is Stop for stop in stops)
    return Route(stops=stops, kilometres=1.5)


@tool(side_effects="none")
def count(words: list[str]) -> int:
    """Count words.

    Parameters
    ----------
    words : list of str
        The words.
    """
    return len(words)


@tool(side_effects="none")
async def nothing() -> None:
    """Do nothing."""


@tool(side_effects="none")
async def either(number: int) -> Route | ToolResult:
    """Answer in an envelope, or not.

    Args:
        number: Which of them.
    """
    if number == 0:
        return ok({"stops": [], "kilometres": 3}, intents=[])
    if number == 1:
        return fail(ErrorType.CONFLICT, "It is one.")
    if number == 2:
        raise ToolError(ErrorType.TRANSIENT, "It is two.", retryable=False)
    return Route(stops=[], kilometres=4)


@pytest.mark.real_time
async def test_results_become_data() -> None:
    place = {"latitude": 1.0, "longitude": 0.0}
    cases: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("count", {"words": ["a", "b"]}, {"result": 2}),
        ("nothing", {}, {}),
        ("either", {"number": 0}, {"stops": [], "kilometres": 3}),
        ("either", {"number": 7}, {"stops": [], "kilometres": 4.0}),
        (
            "plan",
            {"stops": [{"at": {"latitude": 1}}]},
            {"stops": [{"at": place, "nights": 1}], "kilometres": 1.5},
        ),
    ]
    calls = [(name, args) for name, args, _ in cases]
    answers = await call((count, nothing, either, plan), *calls)
    assert [answer.get("data") for answer in answers] == [data for _, _, data in cases]


async def test_envelopes_and_tool_errors_go_through() -> None:
    answers = await call((either,), ("either", {"number": 1}), ("either", {"number": 2}))
    assert [answer["error"]["type"] for answer in answers] == ["CONFLICT", "TRANSIENT"]


def test_output_schemas_come_from_return_types() -> None:
    assert count.schema["output"]["properties"] == {"result": {"type": "integer"}}
    assert set(plan.schema["output"]["properties"]) == {"stops", "kilometres"}
    assert set(either.schema["output"]["properties"]) == {"stops", "kilometres"}
    assert "output" not in nothing.schema


async def test_a_generator_reports_progress_and_its_last_value_is_the_result() -> None:
    @tool(side_effects="none")
    async def climb(steps: int) -> AsyncIterator[str | dict[str, int]]:
        """Climb stairs.

        Args:
            steps: How many.
        """
        for step in range(steps):
            yield f"step {step}"
            await asyncio.sleep(0)
        yield {"height": steps}

    told: list[Any] = []
    async with Orchestrator(Registry.of(climb)) as orchestrator:
        orchestrator.progress_listeners.subscribe(lambda *facts: told.append(facts))
        answer = await orchestrator.session("text").dispatch(ToolCall("1", "climb", {"steps": 2}))
    assert answer["data"] == {"height": 2}
    assert ["step 0" in str(facts) for facts in told] == [True, False]


def even(value: int) -> int:
    if value % 2:
        raise ValueError("must be even")
    return value


@tool(side_effects="writes")
async def pair(number: Annotated[int, AfterValidator(even), Field(description="Any.")]) -> None:
    """Write a pair."""


async def test_what_only_the_type_refuses_is_refused_before_anybody_is_asked() -> None:
    odd, fine = await call((pair,), ("pair", {"number": 3}), ("pair", {"number": 4}))
    assert odd["error"]["type"] == "VALIDATION"
    assert odd["error"]["errors"][0]["pointer"] == "/number"
    assert fine["error"]["type"] == "CONFIRMATION_REQUIRED"


async def test_functions_and_folders_stand_side_by_side(write_tool: WriteTool, tools: Path) -> None:
    write_tool("kb-search")
    registry = Registry.of(nothing, folders=[tools])
    assert registry.tool_ids() == ["kb_search", "nothing"]
    answers = await call(registry, ("kb_search", {"query": "x"}), ("nothing", {}))
    assert [answer["ok"] for answer in answers] == [True, True]


def test_members_of_classes_are_described_by_their_docstrings() -> None:
    @dataclasses.dataclass
    class Room:
        """A room of a hotel.

        Attributes:
            floor: Counted from the street.
            bed: Which bed it has.
        """

        floor: int
        bed: Annotated[str, Field(description="One of many.")] = "single"

    @tool(side_effects="none")
    def book(room: Room) -> None:
        """Book a room.

        Args:
            room: Which one.
        """

    (made,) = book.schema["parameters"]["$defs"].values()
    assert made["additionalProperties"] is False
    assert made["description"] == "A room of a hotel."
    assert made["properties"]["floor"]["description"] == "Counted from the street."
    assert made["properties"]["bed"]["description"] == "One of many."
