"""Sign-in by identity providers over HTTP: the way there, and the way back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse

from antiphon.access.errors import AccessRefused
from antiphon.access.oidc_sign_in import SECONDS
from antiphon.server.dependencies import ApplicationDep, ServicesDep
from antiphon.server.forwarded import client_address
from antiphon.server.mount_paths import mount_prefix
from antiphon.server.problems import ProblemError, documented
from antiphon.server.session_cookies import provider_cookie, provider_secret_in
from antiphon.server.sign_in import check_sign_in, own_address, put_header, sign_in

router = APIRouter(prefix="/api/sign-in/oidc", tags=["sign-in"])

ProviderName = Annotated[str, Path(max_length=100, examples=["corp"])]


def _to(places: str) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a way that goes on elsewhere."""
    location = {"Location": {"schema": {"type": "string"}, "required": True}}
    return {303: {"description": f"To {places}.", "headers": location}}


@router.get(
    "/{provider}",
    summary="Sign in with an identity provider",
    description="A page goes there; it is no request for a script.",
    status_code=303,
    response_class=RedirectResponse,
    responses={
        **documented(403, 404, 409, 422, 429, 503),
        **_to("the provider, or to the console with a `problem`"),
    },
)
async def begin_provider_sign_in(
    request: Request,
    application: ApplicationDep,
    services: ServicesDep,
    provider: ProviderName,
    to: Annotated[
        str,
        Query(
            max_length=500, pattern="^#?/", description="The page of the console to end at, as #/…."
        ),
    ] = "/",
) -> RedirectResponse:
    await check_sign_in(request)
    if provider not in application.oidc.titles:
        raise ProblemError(404, "There is no identity provider of that name.")
    back = f"{own_address(request)}/api/sign-in/oidc/{provider}/callback"
    with services.sign_in_throttle.of_address(client_address(request.scope)) as attempt:
        try:
            address, browser = await application.oidc.begin(
                provider, redirect_uri=back, to=to.removeprefix("#")
            )
        except AccessRefused as refused:
            return _to_console(request, f"/sign-in?problem={refused.code}")
        attempt.succeeded = True
    response = RedirectResponse(address, 303)
    put_header(response, provider_cookie(request, browser, SECONDS))
    return response


@router.get(
    "/{provider}/callback",
    summary="Come back from an identity provider",
    description="The provider sends the browser there. It is signed in if it is the one that "
    "began, and the provider says who it is.",
    status_code=303,
    response_class=RedirectResponse,
    responses={
        **documented(403, 404, 409, 422, 429, 503),
        **_to("the console, signed in or with a `problem`"),
    },
)
async def finish_provider_sign_in(
    request: Request, application: ApplicationDep, services: ServicesDep, provider: ProviderName
) -> RedirectResponse:
    await check_sign_in(request)
    if provider not in application.oidc.titles:
        raise ProblemError(404, "There is no identity provider of that name.")
    with services.sign_in_throttle.of_address(client_address(request.scope)) as attempt:
        try:
            given = request.query_params
            # A parameter that comes twice may mean one thing to the provider and another here.
            answer = {name: given[name] for name in given if len(given.getlist(name)) == 1}
            user, to = await application.oidc.finish(provider, answer, provider_secret_in(request))
            response = _to_console(request, to)
            await sign_in(request, response, user.name, "oidc")
        except AccessRefused as refused:
            response = _to_console(request, f"/sign-in?problem={refused.code}")
        else:
            attempt.succeeded = True
    put_header(response, provider_cookie(request, "", 0))
    return response


def _to_console(request: Request, to: str) -> RedirectResponse:
    return RedirectResponse(f"{mount_prefix(request.scope)}/#{to}", 303)
