"""`antiphon roles …`: named sets of permissions and rules about tools, from files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.access_options import AccessCommand, OrganisationOption, with_access
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.status import stop
from antiphon.cli.terminal import echo, print_json, say

if TYPE_CHECKING:
    from antiphon.access.roles import Role

Name = Annotated[str, typer.Argument(help="The name of the role, such as `support`.")]
_MAX_BYTES = 1024 * 1024

Parsed = TypeVar("Parsed")


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Named sets of permissions and of rules about tools.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_roles)
    group.command("show")(show)
    group.command("set")(set_)
    group.command("remove")(remove)
    app.add_typer(group, name="roles")


def list_roles(
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the built-in roles, then those of the organisation."""

    async def work(access: AccessCommand) -> list[Role]:
        return await access.directory.roles(organisation)

    found = [_document(role) for role in with_access("roles list", data, config, work)]
    if as_json:
        print_json({"roles": found, "count": len(found)})
        return
    for role in found:
        words = [role["name"], ", ".join(role["permissions"])]
        words += [f"includes {', '.join(role['includes'])}"] if role["includes"] else []
        words += ["built in"] if role["built_in"] else []
        say("  ".join(word for word in words if word))


def show(
    name: Name,
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print a role as JSON, in the form that `roles set` reads."""

    async def work(access: AccessCommand) -> Role | None:
        roles = await access.directory.roles(organisation)
        return next((role for role in roles if role.name == name), None)

    found = with_access("roles show", data, config, work)
    if found is None:
        raise stop("roles show", f"there is no role {name!r}.")
    if as_json:
        print_json(_document(found))
        return
    import json

    from antiphon.access.role_content import role_content

    echo(json.dumps(role_content(found), indent=2))


def set_(
    name: Name,
    file: Annotated[Path, typer.Argument(help="A JSON or TOML file; - reads from standard input.")],
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make or replace a role from a file: `permissions`, `rules`, `includes` and `approves`."""
    from antiphon.access.role_content import role_of
    from antiphon.contracts.rights import RightsError

    content = _read(file)
    try:
        role = role_of(name, content)
    except RightsError as error:
        raise stop("roles set", f"{file}: {error}") from None

    async def work(access: AccessCommand) -> Role:
        return (await access.administration.set_role(role, organisation))[0]

    made = _document(with_access("roles set", data, config, work))
    if as_json:
        print_json(made)
    else:
        say(f"The role {made['name']} was set. It holds from the next call on.")


def remove(
    name: Name,
    organisation: OrganisationOption = "",
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove a role that nobody has."""

    async def work(access: AccessCommand) -> None:
        await access.administration.remove_role(name, organisation)

    with_access("roles remove", data, config, work)
    if as_json:
        print_json({"removed": name})
    else:
        say(f"The role {name} was removed.")


def _document(role: Role) -> dict[str, Any]:
    from antiphon.access.role_content import role_content
    from antiphon.access.roles import BUILT_IN

    return {"name": role.name, "built_in": role.name in BUILT_IN, **role_content(role)}


def _read(file: Path) -> Any:
    """The content of a role file; whatever is wrong with it ends the command and says where."""
    import json
    import tomllib

    try:
        if str(file) == "-":
            raw = sys.stdin.buffer.read(_MAX_BYTES + 1)
        else:
            with file.open("rb") as opened:
                raw = opened.read(_MAX_BYTES + 1)
    except OSError as error:
        raise stop("roles set", f"{file} cannot be read: {error.strerror or error}.") from None
    if len(raw) > _MAX_BYTES:
        raise stop("roles set", f"{file}: longer than {_MAX_BYTES:,} bytes.")
    is_json = file.suffix.lower() == ".json" or raw.lstrip().startswith(b"{")
    parse: Callable[[str], Any] = json.loads if is_json else tomllib.loads
    try:
        return parse(raw.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        kind = "JSON" if is_json else "TOML"
        raise stop("roles set", f"{file}: not valid {kind}: {error}.") from None
    except RecursionError:
        raise stop("roles set", f"{file}: nested too deeply.") from None
