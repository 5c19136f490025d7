"""Limit settings: what people and organisations may use unless something else is set for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from antiphon.contracts.json_depth import MAX_DEPTH

_EXPECTED = 'a number from 0, or "unlimited"'
_Unlimited = Literal["unlimited"]
_Count = Annotated[Annotated[int, Field(ge=0)] | _Unlimited, Field(description=_EXPECTED)]
_Rate = Annotated[
    Annotated[float, Field(ge=0, allow_inf_nan=False)] | _Unlimited, Field(description=_EXPECTED)
]
_MIB = 1024 * 1024


class LimitAmounts(BaseModel):
    """The most of everything that is bounded, by the names of `antiphon.contracts.limits`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    requests_per_second: _Rate
    request_burst: _Count
    bytes_per_second: _Count
    calls_per_minute: _Count
    calls_per_hour: _Count
    sockets: _Count
    sessions: _Count
    tasks: _Count
    upload_bytes: _Count
    uploads_per_day: _Count
    upload_bytes_per_day: _Count
    heard_seconds_per_day: _Count
    spoken_seconds_per_day: _Count

    @property
    def amounts(self) -> Mapping[str, float | None]:
        """By name; None: no limit."""
        return {
            name: None if value == "unlimited" else value
            for name, value in self.model_dump().items()
        }


class UserLimits(LimitAmounts):
    """Of one user."""

    requests_per_second: _Rate = 50.0
    request_burst: _Count = 500
    bytes_per_second: _Count = 4 * _MIB
    calls_per_minute: _Count = 600
    calls_per_hour: _Count = 10_000
    sockets: _Count = 20
    sessions: _Count = 500
    tasks: _Count = 50
    upload_bytes: _Count = 20 * _MIB
    uploads_per_day: _Count = 1_000
    upload_bytes_per_day: _Count = 1024 * _MIB
    heard_seconds_per_day: _Count = 8 * 3600
    spoken_seconds_per_day: _Count = 8 * 3600


class OrganisationLimits(LimitAmounts):
    """Of everybody in an organisation together."""

    requests_per_second: _Rate = 500.0
    request_burst: _Count = 5_000
    bytes_per_second: _Count = 32 * _MIB
    calls_per_minute: _Count = 6_000
    calls_per_hour: _Count = 100_000
    sockets: _Count = 250
    sessions: _Count = 5_000
    tasks: _Count = 500
    upload_bytes: _Count = 20 * _MIB
    uploads_per_day: _Count = 10_000
    upload_bytes_per_day: _Count = 10_240 * _MIB
    heard_seconds_per_day: _Count = 200 * 3600
    spoken_seconds_per_day: _Count = 200 * 3600
    knowledge_bytes: _Count = 20_480 * _MIB


class LimitSettings(BaseModel):
    """Limits of people and organisations, and what every client is held to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user: UserLimits = UserLimits()
    organisation: OrganisationLimits = OrganisationLimits()
    json_depth: int = Field(
        default=MAX_DEPTH, ge=8, le=200, description="a whole number from 8 to 200"
    )
    address_connections: int = Field(default=200, ge=1, description="a whole number from 1")
    start_seconds: float = Field(default=60.0, gt=0, description="a number of seconds above 0")
