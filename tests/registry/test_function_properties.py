"""Whatever the types of a signature: what fits them passes the schema and arrives as it was."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import uuid
from typing import Annotated, Any, Literal, TypedDict

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, NaiveDatetime, TypeAdapter

from antiphon import tool
from antiphon.contracts import ToolDefinition
from antiphon.registry.functions.typed_dicts import portable
from antiphon.registry.projections import declarations
from antiphon.registry.validation import Validator


class Colour(enum.Enum):
    red = "r"
    blue = 2


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: float = 0.5


class Size(TypedDict, total=False):
    width: int
    name: str


class Node(BaseModel):
    value: int
    below: list[Node] = []


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=5)
NUMBERS = st.floats(-1e6, 1e6)
NODES = st.recursive(
    st.builds(Node, value=st.integers(-9, 9)),
    lambda inner: st.builds(Node, value=st.integers(-9, 9), below=st.lists(inner, max_size=2)),
    max_leaves=4,
)
ZONES = st.integers(-12, 12).map(lambda hours: datetime.timezone(datetime.timedelta(hours=hours)))


def whole(span: datetime.timedelta) -> datetime.timedelta:
    return datetime.timedelta(seconds=int(span.total_seconds()))


LEAVES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (str, WORDS),
    (int, st.integers(-(2**53), 2**53)),
    (float, NUMBERS),
    (bool, st.booleans()),
    (Colour, st.sampled_from(Colour)),
    (Literal["a", 1], st.sampled_from(["a", 1])),
    (Point, st.builds(Point, st.integers(-9, 9), NUMBERS)),
    (Size, st.fixed_dictionaries({}, optional={"width": st.integers(-9, 9), "name": WORDS})),
    (Node, NODES),
    (datetime.date, st.dates()),
    (datetime.datetime, st.datetimes(timezones=ZONES)),
    (NaiveDatetime, st.datetimes()),
    (datetime.time, st.times() | st.times(timezones=ZONES)),
    (datetime.timedelta, st.timedeltas(datetime.timedelta(0), datetime.timedelta(9)).map(whole)),
    (uuid.UUID, st.uuids()),
    (decimal.Decimal, st.decimals(-1000, 1000, places=2)),
    (Annotated[int, Field(ge=1, le=9, description="A digit.")], st.integers(1, 9)),
    (Annotated[str, Field(max_length=3)], WORDS.map(lambda word: word[:3])),
]


def wider(kind: Any, values: st.SearchStrategy[Any]) -> list[tuple[Any, st.SearchStrategy[Any]]]:
    return [
        (kind, values),
        (list[kind], st.lists(values, max_size=3)),
        (dict[str, kind], st.dictionaries(WORDS, values, max_size=3)),
        (kind | None, st.none() | values),
        (tuple[kind, str], st.tuples(values, WORDS)),
    ]


TYPES = st.sampled_from(LEAVES).flatmap(lambda leaf: st.sampled_from(wider(*leaf)))


@given(first=TYPES, second=TYPES, data=st.data())
def test_what_fits_the_types_passes_the_schema_and_arrives_as_it_was(
    first: tuple[Any, Any], second: tuple[Any, Any], data: st.DataObject
) -> None:
    def pair(one: Any, two: Any) -> Any:
        """Take two values."""
        got.append((one, two))
        return one

    got: list[Any] = []
    values = data.draw(first[1]), data.draw(second[1])
    pair.__annotations__ = {"one": first[0], "two": second[0], "return": first[0]}
    made = tool(side_effects="none")(pair)
    handler, schema = made.handler, made.schema
    hints = portable(first[0]), portable(second[0])
    args = {
        name: json.loads(TypeAdapter(hint).dump_json(value))
        for name, hint, value in zip(("one", "two"), hints, values, strict=True)
    }
    accepted = Validator(schema["parameters"]).accept(args)
    assert accepted is not None, Validator(schema["parameters"]).errors(args)
    result = handler.execute(accepted, None)
    assert got == [values]
    assert [type(each) for each in got[0]] == [type(each) for each in values]
    # What comes back fits what the contract promises, and every provider can be told of it.
    assert Validator(schema["output"]).is_valid(result.data)
    declarations(ToolDefinition.from_schema(schema, "sync"))


@given(
    moment=st.datetimes(),
    time=st.times(),
    span=st.timedeltas(datetime.timedelta(-9), datetime.timedelta(9)),
)
def test_any_time_can_be_a_result(
    moment: datetime.datetime, time: datetime.time, span: datetime.timedelta
) -> None:
    @tool(side_effects="none")
    def times() -> tuple[datetime.datetime, datetime.time, datetime.timedelta]:
        """Tell times."""
        return moment, time, span

    result = times.handler.execute({}, None)
    assert Validator(times.schema["output"]).is_valid(result.data), result
