"""Request bodies as strict JSON, and content negotiation by `Accept`."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import orjson
from fastapi import Header, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict

from antiphon.contracts.json_depth import is_deeper, may_be_deeper
from antiphon.server.problems import ProblemError


class Body(BaseModel):
    """What a client sends: members that are not known are refused, nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _StrictRequest(Request):
    async def json(self) -> Any:
        # Refuses what is no JSON but passes for it elsewhere: NaN, half surrogates, bad UTF-8.
        body = await self.body()
        value = orjson.loads(body)
        most: int = self.app.services.application.settings.limits.json_depth
        if may_be_deeper(body, most) and is_deeper(value, most):
            raise ProblemError(
                422, f"The body is nested more than {most} deep. Send something flatter."
            )
        return value


class StrictRoute(APIRoute):
    """A route whose body is strict JSON."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return strict


def preferred(accept: str, offered: tuple[str, ...]) -> str:
    """The media type the client wants most; the first one offered unless another is named."""
    best, weight = offered[0], 0.0
    for item in accept.lower().split(","):
        media, *parameters = (part.strip() for part in item.split(";"))
        if media not in offered:
            continue
        quality = 1.0
        for parameter in parameters:
            if parameter.startswith("q="):
                try:
                    quality = float(parameter[2:])
                except ValueError:
                    quality = 0.0
        if quality > weight:
            best, weight = media, quality
    return best


def idempotency_key(description: str, **more: Any) -> Any:
    """The header `Idempotency-Key` of a route: one line of printable ASCII."""
    return Header(
        min_length=1, max_length=200, pattern=r"^[\x20-\x7e]+$", description=description, **more
    )
