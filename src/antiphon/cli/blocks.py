"""`antiphon blocks …`: list the users who are kept out, and let one in again.

May be used while a server runs on the same store, which takes note within half a minute.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from antiphon.cli.audit_options import (
    StoreUrl,
    clock,
    with_store,
)
from antiphon.cli.options import ConfigOption, DataOption, JsonOption
from antiphon.cli.status import stop
from antiphon.cli.terminal import print_json

if TYPE_CHECKING:
    from antiphon.storage import Block, Store


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="List the users who are kept out, and let one in again.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(list_blocks)
    group.command("lift")(lift)
    app.add_typer(group, name="blocks")


def list_blocks(
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Print who is blocked, until when and by what."""

    async def work(opened: Store) -> list[Block]:
        return await opened.blocks()

    found = with_store("blocks list", data, config, store, work)
    if as_json:
        print_json({"blocks": [asdict(block) for block in found]})
        return
    for block in found:
        typer.echo(_plain(f"{block.user}  until {clock(block.until)}  {block.reason}"))
    if not found:
        typer.echo("Nobody is blocked.")


def lift(
    user: Annotated[str, typer.Argument(help="Who is to be let in again, such as `local`.")],
    data: DataOption = None,
    config: ConfigOption = None,
    store: StoreUrl = None,
    as_json: JsonOption = False,
) -> None:
    """Let a blocked user in again. The audit keeps that it was done."""

    async def work(opened: Store) -> Block | None:
        import time

        from antiphon.orchestrator.blocks import lift_block

        lifted = await lift_block(opened, user, time.time(), "command line")
        await opened.flush()
        return lifted

    block = with_store("blocks lift", data, config, store, work)
    if block is None:
        raise stop("blocks lift", _plain(f"{user} is not blocked."))
    if as_json:
        print_json(asdict(block))
        return
    typer.echo(
        _plain(
            f"{user} is no longer blocked. A server that runs on this store lets them in within "
            "half a minute."
        )
    )


def _plain(text: str) -> str:
    """The text without anything that a terminal would obey: names are others' words."""
    from antiphon.registry.findings import plain

    return plain(text)
