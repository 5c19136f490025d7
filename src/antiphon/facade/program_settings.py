"""Program settings: the settings of an application inside somebody's own program."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.agents.profiles import Profile
    from antiphon.config import Settings
    from antiphon.plugins import Plugins


def read_settings(
    given: Settings | Mapping[str, Any] | str | os.PathLike[str] | None, plugins: Plugins
) -> Settings:
    """Read the settings: a file of them with the environment over it, a mapping, or an object.
    Without any, the environment alone: the keys of the providers are there.

    Raises ConfigError, which names everything wrong.
    """
    from antiphon.config import ConfigError, Settings, load_settings

    if isinstance(given, Settings):
        return given
    if isinstance(given, Mapping):
        from pydantic import ValidationError

        try:
            return Settings.model_validate(dict(given))
        except ValidationError as error:
            raise ConfigError([_problem(found) for found in error.errors()]) from None
    return load_settings(Path(given or os.devnull), plugins=plugins).settings


def _problem(found: Any) -> str:
    """What is wrong with one setting, in a sentence."""
    name = ".".join(str(each) for each in found["loc"])
    if found["type"] == "extra_forbidden":
        return f"settings: there is no setting `{name}`."
    return f"settings: `{name}`: {found['msg']}."


def settle(settings: Settings, profile: Profile, data: Path | None) -> Settings:
    """Return the settings with the program's own profile and model in force, and with `data` as
    the data folder where one is given."""
    agent = settings.agent.model_copy(
        update={"profile": profile.name, "backend": profile.text.backend or settings.agent.backend}
    )
    changed: dict[str, Any] = {"agent": agent}
    if data is not None:
        changed["data"] = data
    return settings.model_copy(update=changed)
