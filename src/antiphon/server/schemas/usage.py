"""Schemas of usage: what was used and spent, and spending caps, as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

Amount = Annotated[str, Field(description="Decimal, exact.", examples=["1.25"])]
CapAmount = Annotated[
    str,
    Field(
        pattern=r"^[0-9]{1,7}(\.[0-9]{1,9})?$",
        description="Decimal, with at most 9 places.",
        examples=["2.50"],
    ),
]


class UsageSums(BaseModel):
    """Sums of one currency. `estimated` are requests that cost their estimate, as nobody counted
    them; `reserved` is set aside for requests under way."""

    currency: str
    requests: int
    estimated: int
    input_tokens: int
    cached_tokens: int
    cache_write_tokens: int
    output_tokens: int
    audio_input_tokens: int
    audio_output_tokens: int
    voice_seconds: float
    cost: Amount
    reserved: Amount


class UsageGroup(UsageSums):
    """One row: the members that the report is grouped by, and its sums."""

    day: str | None = Field(default=None, description="In UTC.", examples=["2026-11-18"])
    user: str | None = None
    organisation: str | None = Field(default=None, description="Empty for the first one.")
    agent: str | None = Field(default=None, description="The profile; empty without one.")
    model: str | None = Field(default=None, description="Empty for calls of tools.")
    tool: str | None = Field(default=None, description="Empty for requests to models.")


class UsageDocument(BaseModel):
    """What was used from one day to another, both included."""

    model_config = ConfigDict(populate_by_name=True)

    since: str = Field(serialization_alias="from", examples=["2026-11-01"])
    until: str = Field(serialization_alias="to", examples=["2026-11-18"])
    by: list[str]
    rows: list[UsageGroup]
    totals: list[UsageSums] = Field(description="One for each currency.")


class CapsBody(Body):
    """Caps to set, in the currency of the prices. What is left out is as the settings have it."""

    model_config = ConfigDict(json_schema_extra={"example": {"day": "2.50", "month": "40"}})

    day: CapAmount | None = None
    month: CapAmount | None = None


class CapDocument(BaseModel):
    """Caps that were set for somebody, and by whom."""

    scope: Literal["user", "organisation", "agent"]
    subject: str = Field(description="A user or an agent; empty for the organisation.")
    organisation: str
    currency: str
    day: Amount | None
    month: Amount | None
    updated_at: float = Field(description="Seconds of the epoch.")
    updated_by: str


class UsualCapDocument(BaseModel):
    """A cap of the settings, for everybody that nothing else was set for."""

    scope: Literal["user", "organisation", "agent"]
    period: Literal["day", "month"]
    cap: Amount


class CapList(BaseModel):
    """The caps of an organisation."""

    organisation: str
    currency: str
    usual: list[UsualCapDocument]
    caps: list[CapDocument]


class CapStanding(BaseModel):
    """A cap in force and what is used of it."""

    scope: Literal["user", "organisation", "agent"]
    period: Literal["day", "month"]
    cap: Amount
    spent: Amount
    reserved: Amount
    currency: str
    resets_at: float = Field(description="Seconds of the epoch.")
    usual: bool = Field(description="It is that of the settings.")


class CapStandings(BaseModel):
    """How one stands with one's caps; those of the organisation for who may read its usage."""

    user: str
    organisation: str
    caps: list[CapStanding]
