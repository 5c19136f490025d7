"""`antiphon mcp serve`: the tools over standard input and output, for a client that starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.options import ConfigOption, DataOption, settings_of
from antiphon.cli.status import stop

if TYPE_CHECKING:
    from antiphon.app import Application
    from antiphon.config import Settings
    from antiphon.contracts import Principal
    from antiphon.registry import Registry

COMMAND = "mcp serve"
UserOption = Annotated[
    str | None,
    typer.Option("--user", help="In whose name it is served; needed where there are users."),
]


def register(group: typer.Typer) -> None:
    group.command("serve")(serve)


def serve(
    user: UserOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Serve the tools over standard input and output, until the client closes them."""
    import asyncio

    from antiphon.cli.serve import registry_of
    from antiphon.extras import MissingExtra
    from antiphon.storage import StoreError

    settings = settings_of(COMMAND, data, config, export=True)
    registry = registry_of(settings)
    try:
        asyncio.run(_serve(settings, registry, user))
    except (StoreError, MissingExtra) as error:
        raise stop(COMMAND, str(error)) from None


async def _serve(settings: Settings, registry: Registry, user: str | None) -> None:
    from antiphon.app import Application
    from antiphon.extras import naming_extras

    with naming_extras():
        from antiphon.server.mcp.stdio import serve_stdio
    async with Application(settings, registry, audit_file=True, keys_required=False) as application:
        principal = await _principal(application, user)
        async with application.maintained():
            await serve_stdio(application, principal)


async def _principal(application: Application, user: str | None) -> Principal | None:
    from antiphon.contracts.principal import PrincipalRefused

    if user is None:
        if await application.access.has_users():
            raise stop(COMMAND, "there are users here. Say in whose name with --user NAME.")
        return None
    try:
        return await application.access.todays_principal(user)
    except PrincipalRefused as refused:
        raise stop(COMMAND, refused.reason) from None
