"""`antiphon groups …`: users of an organisation who have roles together."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.access_options import AccessCommand, OrganisationOption, with_access
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.terminal import print_json, say

if TYPE_CHECKING:
    from antiphon.access.rows import UserGroup

Name = Annotated[str, typer.Argument(help="The name of the group, such as `sales`.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Users of an organisation who have roles together.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_groups)
    group.command("set")(set_)
    group.command("remove")(remove)
    app.add_typer(group, name="groups")


def list_groups(
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the groups of an organisation, by name."""

    async def work(access: AccessCommand) -> list[UserGroup]:
        return await access.directory.groups(organisation)

    found = with_access("groups list", data, config, work)
    if as_json:
        print_json({"groups": [asdict(each) for each in found], "count": len(found)})
        return
    for each in found:
        say(f"{each.name}  roles: {', '.join(each.roles)}  members: {', '.join(each.members)}")
    if not found:
        say("There are no groups.")


def set_(
    name: Name,
    role: Annotated[
        list[str] | None, typer.Option("--role", help="May be given several times.")
    ] = None,
    member: Annotated[
        list[str] | None, typer.Option("--member", help="May be given several times.")
    ] = None,
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make or replace a group: these roles, these members, and no others."""

    async def work(access: AccessCommand) -> UserGroup:
        return await access.administration.set_group(
            name, organisation=organisation, roles=role or (), members=member or ()
        )

    made = with_access("groups set", data, config, work)
    if as_json:
        print_json(asdict(made))
    else:
        say(f"{made.name}  roles: {', '.join(made.roles)}  members: {', '.join(made.members)}")


def remove(
    name: Name,
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove a group; its members lose its roles."""

    async def work(access: AccessCommand) -> None:
        await access.administration.remove_group(name, organisation)

    with_access("groups remove", data, config, work)
    if as_json:
        print_json({"removed": name})
    else:
        say(f"{name} was removed.")
