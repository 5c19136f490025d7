"""Provider keys over HTTP: set at run time, write-only."""

from __future__ import annotations

import logging
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from antiphon.app.key_files import KeyFileError
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.dependencies import ApplicationDep
from antiphon.server.operator_token import admin
from antiphon.server.problems import ProblemError, documented

logger = logging.getLogger(__name__)

router = APIRouter(prefix="/api/config", tags=["configuration"], route_class=StrictRoute)

_Key = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[\x21-\x7e]+$"
    ),
]


class KeysBody(Body):
    """What is left out stays as it is. Null forgets the key; that of the settings counts again.
    Providers of plug-ins are further fields."""

    model_config = ConfigDict(
        extra="allow", json_schema_extra={"example": {"gemini": "AIza…", "openai": None}}
    )
    __pydantic_extra__: dict[str, _Key | None] = Field(init=False)

    gemini: _Key | None = None
    openai: _Key | None = None
    claude: _Key | None = None


class KeysSet(BaseModel):
    """Which providers have a key now. The keys themselves are told to nobody."""

    configured: dict[str, bool] = Field(
        examples=[{"gemini": True, "openai": False, "claude": False}]
    )


@router.post(
    "/keys",
    summary="Set or forget the keys of providers",
    description="In force at once for new conversations, and after a restart. A key that is set "
    "here counts before those of the environment and the settings. There is no way to read one.",
    responses=documented(401, 422, 503),
    dependencies=[Depends(admin)],
)
async def set_keys(application: ApplicationDep, body: KeysBody) -> KeysSet:
    backends = application.backends
    unknown = sorted(body.model_fields_set - set(backends.vendors))
    if unknown:
        known = ", ".join(backends.vendors)
        raise ProblemError(422, f"There is no provider {unknown[0]!r}; there are {known}.")
    try:
        await application.keys.change(
            {vendor: getattr(body, vendor) for vendor in body.model_fields_set}
        )
    except KeyFileError as error:
        raise ProblemError(503, f"Nothing was changed. {error}") from None
    return KeysSet(configured={vendor: backends.configured(vendor) for vendor in backends.vendors})
