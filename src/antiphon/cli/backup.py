"""`antiphon backup` and `antiphon restore`: all that a deployment keeps, in one file and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from antiphon.cli.options import ConfigOption, DataOption, JsonOption, settings_of
from antiphon.cli.status import ExitStatus, stop
from antiphon.cli.terminal import print_json, say


def register(app: typer.Typer) -> None:
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Archive to write (.zip).")],
    with_key: Annotated[
        bool,
        typer.Option("--with-key", help="Put the master key in, too: keep such a file secret."),
    ] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write store, knowledge and files of this deployment into one archive, also while it runs.

    The master key is not in it: keep that elsewhere.
    """
    from antiphon.app.backup import BackupError, make_backup

    settings = settings_of("backup", data, config)
    try:
        manifest = make_backup(settings, file, with_key=with_key)
    except BackupError as error:
        raise stop("backup", str(error)) from None
    if as_json:
        print_json({"file": str(file), "size": file.stat().st_size, **_facts(manifest)})
        return
    say(
        f"{file}: {len(manifest.members)} parts, {manifest.bytes:,} bytes before they were packed, "
        f"the audit up to line {manifest.audit_seq}."
    )
    if manifest.master_key and not with_key:
        say(f"The master key {manifest.master_key} is not in it; what is encrypted needs it.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Archive that `backup` wrote.")],
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Restore an archive into an empty deployment and verify its audit.

    The folder, and the databases that the settings name, must be empty. Exit status 1 if the audit
    is not whole.
    """
    import asyncio

    from antiphon.app.backup import BackupError, restore_backup

    settings = settings_of("restore", data, config)
    try:
        done = asyncio.run(restore_backup(settings, file))
    except BackupError as error:
        raise stop("restore", str(error)) from None
    report = done.audit
    if as_json:
        found = {"ok": report.ok, "lines": report.count, "problem": report.problem}
        print_json(
            {
                "data": str(settings.data),
                "files": done.files,
                "rows": done.rows,
                "audit": found,
                **_facts(done.manifest),
            }
        )
    else:
        say(
            f"{settings.data}: {done.files} files and {done.rows} rows of "
            f"{done.manifest.made_at}. The audit was verified: {report.count} lines"
            f"{'' if report.ok else f', then {report.problem}'}."
        )
    raise typer.Exit(ExitStatus.DONE if report.ok else ExitStatus.FOUND_WRONG)


def _facts(manifest: object) -> dict[str, object]:
    from antiphon.app.backup import Manifest

    assert isinstance(manifest, Manifest)
    return manifest.model_dump(mode="json", exclude={"members", "format"})
