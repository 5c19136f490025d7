"""`antiphon tokens …`: service tokens, by which programs act in the name of users."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.access_options import AccessCommand, moment, show_once, with_access
from antiphon.cli.audit_options import clock
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.terminal import print_json, say

if TYPE_CHECKING:
    from antiphon.access.rows import ServiceToken

_SEVERAL = "May be given several times"


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Service tokens, by which programs act in the name of users.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_tokens)
    group.command("create")(create)
    group.command("revoke")(revoke)
    app.add_typer(group, name="tokens")


def list_tokens(
    user: Annotated[str | None, typer.Option("--user", help="Only those of this user.")] = None,
    organisation: Annotated[
        str | None, typer.Option("--organisation", metavar="ID", help="Only those of this one.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the tokens, oldest first. Their secrets are known to nobody any more."""

    async def work(access: AccessCommand) -> list[ServiceToken]:
        return await access.directory.tokens(user, organisation=organisation)

    found = with_access("tokens list", data, config, work)
    if as_json:
        print_json({"tokens": [asdict(token) for token in found], "count": len(found)})
        return
    for token in found:
        say("  ".join([token.id, token.user, token.name, *_bounds(token)]))
    if not found:
        say("There are no tokens.")


def create(
    user: Annotated[str, typer.Argument(help="In whose name it acts.")],
    name: Annotated[str, typer.Argument(help="What it is for, such as `nightly import`.")],
    permission: Annotated[
        list[str] | None,
        typer.Option("--permission", help=f"{_SEVERAL}; else all those of the user."),
    ] = None,
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", help=f"An id or a pattern such as calendar_*. {_SEVERAL}."),
    ] = None,
    network: Annotated[
        list[str] | None,
        typer.Option("--network", help=f"From where, such as 10.1.0.0/16. {_SEVERAL}."),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option("--expires", metavar="TIME", help="90d, or a date or time (ISO 8601)."),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a token and print its secret, which is never shown again."""
    expires_at = None if expires is None else moment(expires, "--expires")

    async def work(access: AccessCommand) -> tuple[ServiceToken, str]:
        return await access.administration.create_token(
            name,
            user=user,
            permissions=permission or None,
            tools=tool or None,
            networks=network or None,
            expires_at=expires_at,
        )

    token, secret = with_access("tokens create", data, config, work)
    if as_json:
        print_json({**asdict(token), "secret": secret})
    else:
        show_once(secret, f"The token {token.id} was made. Its secret is not shown again:")


def revoke(
    id: Annotated[str, typer.Argument(help="The id of the token, as `tokens list` has it.")],
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Revoke a token: it is refused everywhere within a second."""

    async def work(access: AccessCommand) -> ServiceToken:
        return await access.administration.revoke_token(id)

    token = with_access("tokens revoke", data, config, work)
    if as_json:
        print_json(asdict(token))
    else:
        say(f"The token {token.id} was revoked.")


def _bounds(token: ServiceToken) -> list[str]:
    """What a token is for and until when, in words."""
    given: dict[str, Any] = {
        name: getattr(token, name) for name in ("permissions", "tools", "networks")
    }
    words = [f"{name}: {', '.join(values)}" for name, values in given.items() if values]
    if token.expires_at is not None:
        words.append(f"until {clock(token.expires_at)}")
    if token.revoked_at is not None:
        words.append(f"revoked {clock(token.revoked_at)}")
    return words
