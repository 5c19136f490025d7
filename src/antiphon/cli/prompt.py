"""`antiphon prompt show`: the instructions that an agent gets, and what each part of them costs."""

from __future__ import annotations

from typing import Annotated

import typer

from antiphon.cli.completion import profile_names
from antiphon.cli.options import ConfigOption, DataOption, JsonOption, check_mode, settings_of
from antiphon.cli.status import stop


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        help="Look at what agents are told.", no_args_is_help=True, rich_markup_mode=None
    )
    group.callback()(lambda: None)  # one command is still a group
    group.command("show")(show)
    app.add_typer(group, name="prompt")


def show(
    profile: Annotated[
        str | None,
        typer.Option(help="The profile; else that of the settings.", autocompletion=profile_names),
    ] = None,
    mode: Annotated[str, typer.Option(help="text or voice.")] = "text",
    part: Annotated[str | None, typer.Option(help="Only this part, such as `tools`.")] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the instructions of a profile for one mode, with an estimate of their tokens."""
    from antiphon.agents.profiles import ProfileError, load_profile
    from antiphon.agents.prompt import compose
    from antiphon.cli.serve import registry_of

    check_mode(mode)
    settings = settings_of("", data, config)
    try:
        chosen = load_profile(profile or settings.agent.profile, settings.profiles.folder)
    except ProfileError as error:
        raise stop("", *error.problems) from None
    snapshot = registry_of(settings).snapshot()
    prompt = compose("voice" if mode == "voice" else "text", snapshot, chosen)
    parts = [p for p in prompt.parts if part in (None, p.name)]
    if not parts:
        names = ", ".join(p.name for p in prompt.parts)
        raise typer.BadParameter(f"{part!r} is no part; there are {names}", param_hint="--part")
    if as_json:
        import json

        body = {
            "profile": chosen.name,
            "mode": mode,
            "registryVersion": snapshot.version,
            **prompt.estimate(),
            "text": {p.name: p.text for p in parts},
        }
        typer.echo(json.dumps(body, indent=2, ensure_ascii=False))
        return
    typer.echo("\n\n".join(p.text for p in parts))
    estimate = prompt.estimate()
    typer.echo(
        f"\n[Context] Session init: ~{estimate['sessionInitTokens']} tokens\n"
        f"  - System prompt: ~{estimate['systemPromptTokens']} tokens "
        f"({', '.join(f'{p.name} {p.tokens}' for p in prompt.parts)})\n"
        f"  - Tool declarations: ~{estimate['toolDeclTokens']} tokens",
        err=True,
    )
