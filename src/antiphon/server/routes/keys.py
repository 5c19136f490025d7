"""Provider keys over HTTP: set at run time, write-only."""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from antiphon.app.key_files import KeyFileError, read_keys, write_keys
from antiphon.config import Settings
from antiphon.orchestrator import Orchestrator
from antiphon.providers import Backends
from antiphon.providers.faults import Vendor
from antiphon.server.bodies import Body, StrictRoute
from antiphon.server.problems import ProblemError, documented

logger = logging.getLogger(__name__)

router = APIRouter(prefix="/api/config", tags=["configuration"], route_class=StrictRoute)

_bearer = HTTPBearer(auto_error=False, description="The admin token.")
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


async def admin(
    request: Request,
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> None:
    """Lets nobody through without the admin token."""
    expected: str = request.app.state.admin_token
    token = given.credentials if given is not None else ""
    if not hmac.compare_digest(token.encode("utf-8", "replace"), expected.encode()):
        said = "The admin token is wrong." if token else "This needs the admin token."
        refusal = ProblemError(
            401,
            f"{said} Send it as `Authorization: Bearer …`; it is `server.admin_token` of the "
            "settings, or in the file `admin-token` of the data folder.",
        )
        refusal.headers = {"www-authenticate": "Bearer"}
        raise refusal


@router.post(
    "/keys",
    summary="Set or forget the keys of providers",
    description="In force at once for new conversations, and after a restart. A key that is set "
    "here counts before those of the environment and the settings. There is no way to read one.",
    responses=documented(401, 422, 503),
    dependencies=[Depends(admin)],
)
async def set_keys(request: Request, body: KeysBody) -> KeysSet:
    state = request.app.state
    backends: Backends = state.backends
    unknown = sorted(body.model_fields_set - set(backends.vendors))
    if unknown:
        known = ", ".join(backends.vendors)
        raise ProblemError(422, f"There is no provider {unknown[0]!r}; there are {known}.")
    await state.keys.change({vendor: getattr(body, vendor) for vendor in body.model_fields_set})
    return KeysSet(configured={vendor: backends.configured(vendor) for vendor in backends.vendors})


class RuntimeKeys:
    """The keys that were set at run time, in the data folder and in the backends."""

    def __init__(self, settings: Settings, backends: Backends, orchestrator: Orchestrator) -> None:
        self._settings = settings
        self._backends = backends
        self._orchestrator = orchestrator
        self._changing = asyncio.Lock()

    async def restore(self) -> None:
        """Take up what an earlier life of the server was given."""
        try:
            kept = await asyncio.to_thread(read_keys, self._settings.data)
        except KeyFileError as error:
            logger.error("keys that were set at run time are not in force: %s", error)
            return
        for vendor, key in kept.items():
            if vendor not in self._backends.specs:
                logger.warning("the key of %s is kept, but there is no such provider", vendor)
                continue
            try:
                await self._backends.set_key(vendor, key)
            except ValueError as error:
                logger.error("a key that was set at run time is not in force: %s", error)

    async def change(self, given: dict[Vendor, str | None]) -> None:
        """Durable before it is in force. Raises a 503 problem when it cannot be kept."""
        async with self._changing:
            try:
                kept = await asyncio.to_thread(read_keys, self._settings.data)
                for vendor, key in given.items():
                    if key is None:
                        kept.pop(vendor, None)
                    else:
                        kept[vendor] = key
                await asyncio.to_thread(write_keys, self._settings.data, kept)
            except KeyFileError as error:
                raise ProblemError(503, f"Nothing was changed. {error}") from None
            for vendor, key in given.items():
                in_force = key or self._own(vendor)
                await self._backends.set_key(vendor, in_force, saved=key is not None)
                self._note(vendor, key is not None)

    def _own(self, vendor: Vendor) -> str | None:
        key = getattr(getattr(self._settings.providers, vendor, None), "api_key", None)
        return (key.get_secret_value().strip() or None) if key is not None else None

    def _note(self, vendor: Vendor, present: bool) -> None:
        orchestrator = self._orchestrator
        orchestrator.store.append_audit(
            {
                "event": "key_changed",
                "at": orchestrator.now(),
                "details": {"provider": vendor, "change": "set" if present else "forgotten"},
            }
        )
