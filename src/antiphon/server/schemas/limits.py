"""Schemas of limits: what was set, what is in force, and what is used, as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.server.bodies import Body

LimitValue = Annotated[float, Field(ge=0, allow_inf_nan=False)] | Literal["unlimited"]
LimitValues = dict[str, LimitValue]


class LimitsBody(Body):
    """Limits to set. What is left out is as the settings have it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {"limits": {"calls_per_minute": 60, "sockets": 2, "tasks": "unlimited"}}
        }
    )

    limits: LimitValues = Field(max_length=50)


class LimitOverrideDocument(BaseModel):
    """Limits that were set for somebody, and by whom."""

    kind: Literal["user", "role", "organisation"]
    name: str = Field(description="Of the user or role; `*` for the organisation.")
    organisation: str = Field(description="Empty for the first one.")
    limits: LimitValues
    updated_at: float = Field(description="Seconds of the epoch.")
    updated_by: str


class LimitStandingDocument(BaseModel):
    """One limit and what is used of it."""

    limit: str = Field(examples=["calls_per_minute"])
    words: str = Field(examples=["tool calls a minute"])
    scope: Literal["user", "organisation"] = Field(
        description="Whose it is: the user's own, or that of everybody in the organisation."
    )
    most: float | None = Field(description="Null: no limit.")
    used: float | None = Field(description="Null for the size of one thing.")
    resets_in: float | None = Field(
        description="Seconds until nothing of it is used any more; null where that is for people "
        "to say."
    )


class LimitStandings(BaseModel):
    """How a user stands with the limits. One who is not counted has none."""

    user: str
    organisation: str
    limits: list[LimitStandingDocument]


class LimitOverview(BaseModel):
    """The limits of an organisation: those of the settings, and what was set beside them."""

    organisation: str
    user_defaults: LimitValues
    organisation_defaults: LimitValues
    overrides: list[LimitOverrideDocument]
