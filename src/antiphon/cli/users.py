"""`antiphon users …`: the people who may sign in, made, changed, disabled and removed.

May be used while a server runs on the same store, where changes hold within a second.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antiphon.cli.access_options import (
    BY,
    AccessCommand,
    OrganisationOption,
    asked_password,
    link_url,
    show_once,
    with_access,
)
from antiphon.cli.audit_options import clock
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import counted, print_json, say

if TYPE_CHECKING:
    from antiphon.access.rows import User

Name = Annotated[str, typer.Argument(help="Who, such as `ada`.")]
DisplayName = Annotated[str | None, typer.Option("--display-name", help="The name as it is shown.")]
Email = Annotated[str | None, typer.Option("--email", help="Their e-mail address.")]
_ONCE = "The link is good once, for a day; it cannot be shown again:"


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="The people who may sign in: make, change, disable and remove them.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_users)
    group.command("show")(show)
    group.command("add")(add)
    group.command("change")(change)
    group.command("identity")(identity)
    group.command("disable")(disable)
    group.command("enable")(enable)
    group.command("remove")(remove)
    group.command("link")(link)
    group.command("password")(password)
    group.command("sign-out")(sign_out)
    app.add_typer(group, name="users")


def list_users(
    organisation: Annotated[
        str | None, typer.Option("--organisation", metavar="ID", help="Only of this one.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the users, by name."""

    async def work(access: AccessCommand) -> list[User]:
        return await access.directory.users(organisation)

    found = with_access("users list", data, config, work)
    if as_json:
        print_json({"users": [asdict(user) for user in found], "count": len(found)})
        return
    for user in found:
        words = [user.name, ", ".join(user.roles) or "no roles"]
        words += [f"in {user.organisation}"] if user.organisation else []
        words += [user.display_name] if user.display_name else []
        words += ["disabled"] if user.disabled else []
        say("  ".join(words))
    if not found:
        say("There are no users. Make an administrator: antiphon users add NAME --role admin")


def show(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Print a user: roles, groups, permissions, browser sessions and tokens."""

    async def work(access: AccessCommand) -> dict[str, Any]:
        user, roster = await access.administration.user(name)
        roles = roster.roles_of(user)
        return {
            **asdict(user),
            "groups": roster.groups_of(user.name),
            "permissions": sorted({each for role in roles for each in role.permissions}),
            "sessions": [asdict(each) for each in await access.directory.sessions_of(user.name)],
            "tokens": [each.id for each in await access.directory.tokens(user.name)],
        }

    found = with_access("users show", data, config, work)
    if as_json:
        print_json(found)
        return
    for key, value in found.items():
        if key == "sessions":
            value = [f"{each['id']} ({each['way']}, {each['agent']})" for each in value]
        if isinstance(value, list | tuple):
            value = ", ".join(value)
        elif isinstance(value, float):
            value = clock(value)
        elif isinstance(value, bool):
            value = "yes" if value else "no"
        say(f"{key}: {'' if value is None else value}")


def add(
    name: Name,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="May be given several times; else `member`.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="May be given several times.")
    ] = None,
    organisation: OrganisationOption = "",
    display_name: DisplayName = None,
    email: Email = None,
    with_password: Annotated[
        bool, typer.Option("--password", help="Ask for a password now, in place of a link.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a user, and print a link, good once, by which they set a password."""
    given = asked_password() if with_password else None

    async def work(access: AccessCommand) -> tuple[User, str | None]:
        made = await access.administration.create_user(
            name,
            organisation=organisation,
            roles=role or ("member",),
            groups=group or (),
            display_name=display_name or "",
            email=email or "",
            password=given,
        )
        return made, None if with_password else await _new_link(access, made.name)

    user, url = with_access("users add", data, config, work, make=True)
    if as_json:
        print_json({**asdict(user), "link": url})
    elif url is None:
        say(f"{user.name} was made.")
    else:
        show_once(url, f"{user.name} was made. {_ONCE}")


def change(
    name: Name,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="Their roles from now on, all of them.")
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option("--group", help="Their groups from now on, all of them.")
    ] = None,
    no_groups: Annotated[bool, typer.Option("--no-groups", help="Out of every group.")] = False,
    display_name: DisplayName = None,
    email: Email = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a user. What is not given stays."""
    if no_groups and group:
        raise typer.BadParameter("--group and --no-groups do not go together")
    fields = {
        "roles": role or None,
        "groups": [] if no_groups else group or None,
        "display_name": display_name,
        "email": email,
    }
    if all(value is None for value in fields.values()):
        raise stop(
            "users change",
            "say what is to change: --role, --group, --no-groups, --display-name or --email.",
            status=ExitStatus.WRONG_USAGE,
        )
    _change("change", name, fields, data, config, as_json)


def identity(
    name: Name,
    issuer: Annotated[str | None, typer.Argument(help="The issuer's address.")] = None,
    subject: Annotated[str | None, typer.Argument(help="Who they are there (`sub`).")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="They are nobody there.")] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say as whom an OpenID Connect provider knows a user."""
    if remove == bool(issuer and subject) or bool(issuer) != bool(subject):
        raise stop(
            "users identity",
            "give the issuer and the subject, or --remove alone.",
            status=ExitStatus.WRONG_USAGE,
        )
    pair = None if issuer is None or subject is None else (issuer, subject)
    _change("identity", name, {"identity": pair}, data, config, as_json)


def disable(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Keep a user out: their browsers are signed out, and their tokens refused."""
    _change("disable", name, {"disabled": True}, data, config, as_json)


def enable(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Let a disabled user in again."""
    _change("enable", name, {"disabled": False}, data, config, as_json)


def _change(
    command: str,
    name: str,
    fields: dict[str, Any],
    data: DataOption,
    config: ConfigOption,
    as_json: bool,
) -> None:
    async def work(access: AccessCommand) -> User:
        return await access.administration.change_user(name, **fields)

    user = with_access(f"users {command}", data, config, work)
    if as_json:
        print_json(asdict(user))
    else:
        say(f"{user.name} was changed: {', '.join(user.roles) or 'no roles'}"
            f"{', disabled' if user.disabled else ''}.")  # fmt: skip


def remove(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Remove a user with their credentials. What they made stays, and the name stays taken."""

    async def work(access: AccessCommand) -> User:
        return await access.administration.remove_user(name)

    user = with_access("users remove", data, config, work)
    if as_json:
        print_json({"removed": user.name})
    else:
        say(f"{user.name} was removed.")


def link(
    name: Name,
    withdraw: Annotated[
        bool, typer.Option("--withdraw", help="End the link that was made earlier.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a link, good once, by which a user sets a password. Earlier ones are over."""

    async def work(access: AccessCommand) -> str | None:
        if not withdraw:
            return await _new_link(access, name)
        await access.administration.withdraw_link(name)
        return None

    url = with_access("users link", data, config, work)
    if as_json:
        print_json({"user": name, "link": url})
    elif url is None:
        say("The link is over.")
    else:
        show_once(url, _ONCE)


def password(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Set a user's password: asked for without echo, or the first line of standard input. Their
    browsers are signed out."""
    given = asked_password()

    async def work(access: AccessCommand) -> None:
        await access.directory.set_password(name, given, by=BY)

    with_access("users password", data, config, work)
    if as_json:
        print_json({"user": name})
    else:
        say("The password was set.")


def sign_out(
    name: Name, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """End all browser sessions of a user."""

    async def work(access: AccessCommand) -> int:
        user, _ = await access.administration.user(name)
        return await access.directory.end_sessions(user.name, but="", by=BY)

    ended = with_access("users sign-out", data, config, work)
    if as_json:
        print_json({"ended": ended})
    else:
        say(f"{counted(ended, 'browser session')} ended.")


async def _new_link(access: AccessCommand, name: str) -> str:
    secret, _ = await access.administration.make_link(name)
    return link_url(access.settings, secret)
