"""`antiphon organisations …`: the organisations of a server beside the first one."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.access_options import AccessCommand, with_access
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.terminal import counted, print_json, say

if TYPE_CHECKING:
    from antiphon.access.rows import Organisation

Id = Annotated[str, typer.Argument(help="The id of the organisation, such as `north-wing`.")]
Title = Annotated[str, typer.Argument(metavar="NAME", help="The name as it is shown.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="The organisations of a server: each sees its own things alone.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_organisations)
    group.command("add")(add)
    group.command("rename")(rename)
    group.command("remove")(remove)
    app.add_typer(group, name="organisations")


def list_organisations(
    data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Print the organisations; the first one has no id."""

    async def work(access: AccessCommand) -> list[tuple[Organisation, int]]:
        return await access.administration.organisations()

    found = with_access("organisations list", data, config, work)
    if as_json:
        shown = [{**asdict(each), "users": users} for each, users in found]
        print_json({"organisations": shown, "count": len(shown)})
        return
    for each, users in found:
        say(f"{each.id or '(the first one)'}  {each.name}  {counted(users, 'user')}")


def add(
    id: Id,
    name: Title,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make an organisation."""

    async def work(access: AccessCommand) -> Organisation:
        return await access.administration.create_organisation(id, name)

    _say_made(with_access("organisations add", data, config, work), as_json)


def rename(
    id: Id,
    name: Title,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give an organisation another name."""

    async def work(access: AccessCommand) -> Organisation:
        return await access.administration.rename_organisation(id, name)

    _say_made(with_access("organisations rename", data, config, work), as_json)


def remove(
    id: Id, data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Remove an organisation that no user is in."""

    async def work(access: AccessCommand) -> None:
        await access.administration.remove_organisation(id)

    with_access("organisations remove", data, config, work)
    if as_json:
        print_json({"removed": id})
    else:
        say(f"{id} was removed.")


def _say_made(organisation: Organisation, as_json: bool) -> None:
    if as_json:
        print_json(asdict(organisation))
    else:
        say(f"{organisation.id}  {organisation.name}")
