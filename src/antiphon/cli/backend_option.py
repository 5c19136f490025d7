"""The option `--backend`: its help, and the check of the name."""

from __future__ import annotations

import typer

from antiphon.plugins import TABLE

BACKEND_HELP = f"{', '.join(TABLE['providers'])}."


def check_backend(name: str | None) -> None:
    """Raises BadParameter for a provider that is neither built in nor installed."""
    if name is None or name in TABLE["providers"]:
        return
    from antiphon.plugins import Plugins

    known = Plugins().names("providers")
    if name not in known:
        raise typer.BadParameter(f"must be one of {', '.join(known)}", param_hint="--backend")
