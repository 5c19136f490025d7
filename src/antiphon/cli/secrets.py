"""`antiphon secrets …`: whether what is kept is encrypted, and new keys for it.

May be used while servers run: they read the key rings anew within a minute.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import print_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from antiphon.config import Settings
    from antiphon.storage.sealed_rows import SealedRows

Result = TypeVar("Result")


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Tell whether what is kept is encrypted, and replace the keys of it.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("status")(status)
    group.command("rotate")(rotate)
    app.add_typer(group, name="secrets")


def status(
    data: DataOption = None, config: ConfigOption = None, as_json: JsonOption = False
) -> None:
    """Print where the master key is, and what is encrypted with it. Exit status 1 if something is
    wrong."""
    settings = settings_of("secrets status", data, config)
    found, problems = _status(settings)
    if as_json:
        print_json({"ok": not problems, "problems": problems, **found})
    else:
        for line in _in_words(found):
            typer.echo(line)
        for problem in problems:
            typer.echo(f"wrong: {problem}")
    raise typer.Exit(ExitStatus.FOUND_WRONG if problems else ExitStatus.DONE)


def rotate(
    new_key: Annotated[
        Path | None,
        typer.Option("--new-key", help="File with another master key, to be used from now on."),
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Encrypt everything with a new data key, or put the data keys under another master key.

    Each place is changed whole or not at all; after a crash, run it again.
    """
    from antiphon.app.key_files import KeyFileError, rotate_key_file, wrap_key_ring_anew
    from antiphon.secrecy.errors import SecrecyError
    from antiphon.secrecy.master_key import read_key_file
    from antiphon.storage import StoreError

    settings = settings_of("secrets rotate", data, config)
    try:
        if new_key is None:
            now = time.time()
            count = rotate_key_file(settings, now)
            rows = _in_store(settings, lambda to, sealed: sealed.rotate(to, now)) or 0
            typer.echo(f"{count + rows} values are encrypted with new data keys.")
            return
        master = read_key_file(new_key)
        wrap_key_ring_anew(settings, master)
        _in_store(settings, lambda to, sealed: sealed.wrap_anew(to, master))
    except (KeyFileError, SecrecyError, StoreError) as error:
        raise stop("secrets rotate", str(error)) from None
    typer.echo(
        f"The data keys are under the key in {new_key} from now on. Give it to every node (as "
        "`secrets.key_file`, or in place of the old key) and restart them; keep the old key as "
        "long as backups that were made with it."
    )


def _status(settings: Settings) -> tuple[dict[str, Any], list[str]]:
    """What there is, and what is wrong with it. Changes nothing."""
    from antiphon.app.key_files import KeyFileError, check_key_file
    from antiphon.app.master_keys import master_key_place
    from antiphon.secrecy.errors import SecrecyError
    from antiphon.storage import StoreError

    problems: list[str] = []
    found: dict[str, Any] = {"master_key": None, "provider_keys": None, "store": None}
    try:
        key = master_key_place(settings).read()
        if key is not None:
            found["master_key"] = {"id": key.id, "source": key.source, "where": key.where}
    except SecrecyError as error:
        problems.append(str(error))
    try:
        count, is_encrypted = check_key_file(settings)
        found["provider_keys"] = {"count": count, "encrypted": is_encrypted}
        if not is_encrypted:
            problems.append(
                f"The keys in {settings.data / 'keys.json'} are not encrypted yet. Start the "
                "server, which does it, or run `antiphon secrets rotate`."
            )
    except KeyFileError as error:
        problems.append(str(error))
    try:
        found["store"] = _in_store(settings, _store_status)
    except StoreError as error:
        problems.append(str(error))
    if found["store"] is not None and found["store"]["plain_values"]:
        problems.append(
            f"{found['store']['plain_values']} values of the store are not encrypted yet. Start "
            "the server, which does it, or run `antiphon secrets rotate`."
        )
    return found, problems


def _store_status(connection: Connection, sealed: SealedRows) -> dict[str, Any]:
    ring = sealed.check(connection)
    keys = [] if ring is None else [{"id": key.id, "made_at": key.made_at} for key in ring.keys]
    return {"data_keys": keys, "plain_values": sealed.plain_rows(connection)}


def _in_store(
    settings: Settings, work: Callable[[Connection, SealedRows], Result]
) -> Result | None:
    """Do something in one transaction of the store; None where there is no store yet."""
    from antiphon.app.store import open_store
    from antiphon.storage.sealed_rows import sealed_rows

    scheme, _, rest = (settings.store.url or "").partition(":///")
    if scheme.partition("+")[0] == "sqlite" and not Path(rest).is_file():
        return None

    async def opened() -> Result:
        async with await asyncio.to_thread(open_store, settings, make=False) as store:
            return await store.run(lambda to: work(to, sealed_rows(to)))

    return asyncio.run(opened())


def _in_words(found: dict[str, Any]) -> list[str]:
    key, kept, store = found["master_key"], found["provider_keys"], found["store"]
    lines = ["There is no master key yet; the first start makes one."]
    if key is not None:
        lines = [f"Master key {key['id']}: {key['where']}"]
    if kept is not None and kept["count"]:
        how = "encrypted" if kept["encrypted"] else "not encrypted"
        lines.append(f"Keys of providers: {kept['count']}, {how}")
    if store is not None:
        lines.append(f"Data keys of the store: {len(store['data_keys'])}")
    return lines
