"""`antiphon mcp add|list|diff|accept|reject|remove`: MCP servers whose tools are used here."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.access_options import BY
from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import print_json, say

if TYPE_CHECKING:
    from antiphon.mcp.manager import McpManager
    from antiphon.mcp.server_book import PinStatus, ToolPin

Result = TypeVar("Result")

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="The name of the server, as in `mcp list`.")
]
ToolsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="TOOL …", help="Its tools; none: all that wait.")
]


def register(group: typer.Typer) -> None:
    group.command("add")(add)
    group.command("list")(list_servers)
    group.command("diff")(diff)
    group.command("accept")(accept)
    group.command("reject")(reject)
    group.command("remove")(remove)


def add(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="What its tools begin with: letters and digits.")
    ],
    server: Annotated[
        list[str],
        typer.Argument(
            metavar="SERVER …", help="Its address, or after -- the command that starts it."
        ),
    ],
    env: Annotated[
        list[str] | None,
        typer.Option("--env", metavar="NAME=VALUE", help="A variable of its process."),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", metavar="NAME:VALUE", help="A header for its address."),
    ] = None,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="Each user signs in to it, in the console.")
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add a server, and accept the tools that it has now. Those with something odd wait until you
    have looked at them. A command runs in this folder, with no environment but PATH and --env."""
    from pydantic import ValidationError

    from antiphon.app.mcp_servers import server_options
    from antiphon.config.mcp_servers import McpServerSettings, is_mcp_server_section

    command = "mcp add"
    if not is_mcp_server_section(f"mcp_servers.{name}"):
        raise typer.BadParameter(
            "must be small letters and digits, with single _ between them", param_hint="NAME"
        )
    is_address = len(server) == 1 and server[0].startswith(("http://", "https://"))
    given: dict[str, Any] = {"url": server[0]} if is_address else {"command": server}
    if not is_address:
        given["cwd"] = os.getcwd()
    try:
        given |= {"env": _pairs(env, "=", "--env"), "headers": _pairs(header, ":", "--header")}
        section = McpServerSettings(**given, sign_in=sign_in)
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        words = found["ctx"]["error"] if found["type"] == "value_error" else found["msg"]
        place = ".".join(map(str, found["loc"]))
        raise stop(command, f"{place or 'it'}: {words}.", status=ExitStatus.WRONG_USAGE) from None

    async def work(mcp: McpManager) -> list[ToolPin]:
        added = await mcp.add(server_options(name, section), BY)
        return list(added.pins.values())

    pins = _with_servers(command, data, config, work, needs_tools=True, make=True)
    if as_json:
        print_json({"server": name, "tools": [_shown(pin) for pin in pins]})
        return
    say(f"{name} was added with {_counted(len(pins), 'tool')}.")
    for pin in sorted(pins, key=lambda each: each.tool):
        say(_line(pin))
    if sign_in:
        say("Its tools are known once somebody has signed in to it, in the console.")
    elif any(pin.status != "accepted" for pin in pins):
        say(f"Look at what waits with `antiphon mcp diff {name}`.")


def list_servers(
    data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Print the servers of the settings and those that were added, with how many tools each has."""

    async def work(mcp: McpManager) -> list[dict[str, Any]]:
        found = []
        for name, server in sorted(mcp.servers.items()):
            statuses = [pin.status for pin in server.pins.values()]
            counts = {
                each: statuses.count(each) for each in ("accepted", "quarantined", "rejected")
            }
            source = server.source
            found.append({"name": name, "source": source, "place": _place(server), **counts})
        return found

    servers = _with_servers("mcp list", data, config, work)
    if as_json:
        print_json({"servers": servers, "count": len(servers)})
        return
    for each in servers:
        counts = ", ".join(
            f"{each[kind]} {kind}" for kind in ("accepted", "quarantined", "rejected") if each[kind]
        )
        say("  ".join([each["name"], each["place"], counts or "no tools yet", each["source"]]))
    if not servers:
        say("There are no MCP servers. `antiphon mcp add` adds one.")


def diff(
    name: NameArgument,
    tools: ToolsArgument = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask the server for its tools, and print what waits: each tool that is new or not as it was
    accepted, and what is different. Exit status 1: something waits."""
    from antiphon.mcp.errors import McpError

    async def work(mcp: McpManager) -> tuple[list[ToolPin], str]:
        server, trouble = mcp.server(name), ""
        if not server.options.sign_in:
            try:
                await server.connect()
            except McpError as error:
                trouble = str(error)
        return _chosen(mcp, name, tools), trouble

    pins, trouble = _with_servers("mcp diff", data, config, work, needs_tools=True)
    if trouble:
        typer.echo(f"antiphon mcp diff: {trouble} This is what was seen of it last.", err=True)
    if as_json:
        print_json({"server": name, "tools": [_shown(pin) for pin in pins], "count": len(pins)})
    else:
        for pin in pins:
            _print_difference(pin)
        if not pins:
            say("Nothing waits.")
    waiting = any(pin.status == "quarantined" for pin in pins)
    raise typer.Exit(ExitStatus.FOUND_WRONG if waiting else ExitStatus.DONE)


def accept(
    name: NameArgument,
    tools: ToolsArgument = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what is different, and accept it: all that waits, or these tools."""
    _decide("accept", name, tools, "accepted", data, config, as_json)


def reject(
    name: NameArgument,
    tools: ToolsArgument = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Reject tools as they are now: all that wait, or these."""
    _decide("reject", name, tools, "rejected", data, config, as_json)


def remove(name: NameArgument, data: DataOption = None, config: ConfigOption = None) -> None:
    """Remove a server that was added, with what was accepted of it and its users' tokens."""

    async def work(mcp: McpManager) -> None:
        await mcp.remove(name, BY)

    _with_servers("mcp remove", data, config, work)
    say(f"{name} was removed.")


def _decide(
    verb: str,
    name: str,
    tools: list[str] | None,
    status: PinStatus,
    data: Path | None,
    config: Path | None,
    as_json: bool,
) -> None:
    async def work(mcp: McpManager) -> tuple[list[ToolPin], list[ToolPin]]:
        found = _chosen(mcp, name, tools)
        if not tools and status == "accepted":
            found = [pin for pin in found if pin.seen.unusable() is None]
        digests = {pin.tool: pin.digest for pin in found}
        return found, await mcp.decide(name, digests, status, BY) if found else []

    before, after = _with_servers(f"mcp {verb}", data, config, work)
    if as_json:
        print_json({"server": name, "tools": [_shown(pin) for pin in after], "count": len(after)})
        return
    for pin in before:
        _print_difference(pin)
    say(
        f"{_counted(len(after), 'tool')} of {name} {'was' if len(after) == 1 else 'were'} {status}."
    )


def _chosen(mcp: McpManager, name: str, tools: list[str] | None) -> list[ToolPin]:
    """The tools that are named, or all that wait. Raises AccessError."""
    from antiphon.access.errors import AccessError
    from antiphon.access.names import shown

    pins = mcp.server(name).pins
    for tool in tools or ():
        if tool not in pins:
            raise AccessError(f"The MCP server {name} has no tool {shown(tool)}.", "missing")
    waiting = [each for each, pin in pins.items() if pin.status == "quarantined"]
    return [pins[each] for each in sorted(tools or waiting)]


def _with_servers(
    command: str,
    data: Path | None,
    config: Path | None,
    work: Callable[[McpManager], Coroutine[Any, Any, Result]],
    *,
    needs_tools: bool = False,
    make: bool = False,
) -> Result:
    """Do something with the servers of the settings and the store; with `needs_tools` the tools of
    this house are known, too. What cannot be done ends the command, in words."""
    import asyncio

    from antiphon.access.errors import AccessError
    from antiphon.app import Application
    from antiphon.cli.audit_options import check_store_exists
    from antiphon.cli.serve import registry_of
    from antiphon.contracts import ToolError
    from antiphon.mcp.errors import McpError
    from antiphon.storage import StoreError

    settings = settings_of(command, data, config)
    assert settings.store.url is not None
    if not (make or settings.mcp_servers.by_name):
        check_store_exists(command, settings.store.url)
    registry = registry_of(settings) if needs_tools else None

    async def opened() -> Result:
        async with Application(settings) as application:
            await application.open_store()
            manager = application.mcp_with(registry)
            await manager.load()
            done = await work(manager)
            await application.store.flush()
            return done

    try:
        return asyncio.run(opened())
    except (AccessError, McpError, StoreError, ToolError, OSError) as error:
        raise stop(command, str(error)) from None


def _pairs(given: list[str] | None, mark: str, option: str) -> dict[str, str]:
    found = {}
    for each in given or ():
        name, there, value = each.partition(mark)
        if not there or not name.strip():
            raise typer.BadParameter(f"write NAME{mark}VALUE", param_hint=option)
        found[name.strip()] = value.strip()
    return found


def _place(server: Any) -> str:
    from antiphon.secrecy.redaction import REDACTOR, redact_address

    return REDACTOR.clean(redact_address(server.options.place))


def _shown(pin: ToolPin) -> dict[str, Any]:
    from dataclasses import asdict

    from antiphon.mcp.listed_tool import differences, tool_id

    return {
        "name": pin.tool,
        "tool_id": tool_id(pin.server, pin.tool),
        "status": pin.status,
        "reason": pin.reason,
        "digest": pin.digest,
        "differences": [asdict(each) for each in differences(pin.accepted, pin.seen)],
        "warnings": pin.seen.warnings(),
    }


def _line(pin: ToolPin) -> str:
    from antiphon.mcp.listed_tool import tool_id, visible

    words = " ".join(visible(pin.seen.description or "").split())[:100]
    why = f" ({pin.reason})" if pin.reason else ""
    return f"  {pin.status}  {tool_id(pin.server, pin.tool)}: {words}{why}"


def _print_difference(pin: ToolPin) -> None:
    from antiphon.mcp.listed_tool import differences, visible

    say(f"{visible(pin.tool)}: {pin.status}{f', {pin.reason}' if pin.reason else ''}")
    for warning in pin.seen.warnings():
        say(f"  look: {warning}")
    for each in differences(pin.accepted, pin.seen):
        say(f"  {each.field}")
        for sign, text in (("-", each.before), ("+", each.after)):
            for line in text.splitlines():
                say(f"    {sign} {line}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
