"""`antiphon mcp …`: the Model Context Protocol, served here and used from elsewhere."""

from __future__ import annotations

import typer

from antiphon.cli import mcp_serve, mcp_servers
from antiphon.cli.options import ConfigOption, DataOption


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="The Model Context Protocol: this registry for MCP clients, and MCP servers for it.",
        invoke_without_command=True,
        rich_markup_mode=None,
    )
    group.callback()(_serve_alone)
    mcp_serve.register(group)
    mcp_servers.register(group)
    app.add_typer(group, name="mcp")


def _serve_alone(
    context: typer.Context,
    user: mcp_serve.UserOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """The Model Context Protocol. Without a command: serve the tools over standard input and
    output, as `antiphon mcp serve` does."""
    if context.invoked_subcommand is None:
        mcp_serve.serve(user, data, config)
