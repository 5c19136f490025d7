"""Tab completion of names: tools by id, databases of knowledge, profiles."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def tool_ids(incomplete: str) -> list[str]:
    """The tools of every folder in the settings; their directories say how they are called."""
    found: set[str] = set()
    with suppress(Exception):  # a shell that asks for names wants no words about settings
        from antiphon.config import load_settings

        for folder in load_settings().settings.tools.folders:
            found |= {
                schema.parent.name.partition("@")[0].replace("-", "_")
                for schema in folder.glob("*/schema.json")
            }
    if "-" in incomplete:  # as the directory is called
        found = {name.replace("_", "-") for name in found}
    return _beginning(found, incomplete)


def databases(incomplete: str) -> list[str]:
    """The databases in the data folder; those of a server elsewhere are not asked for."""
    found: set[str] = set()
    with suppress(Exception):
        from antiphon.config import load_settings
        from antiphon.knowledge.service import FOLDER

        folder: Path = load_settings().settings.data / FOLDER
        found = {entry.name for entry in folder.iterdir() if entry.is_dir()}
    return _beginning(found, incomplete)


def profile_names(incomplete: str) -> list[str]:
    found: set[str] = set()
    with suppress(Exception):
        from antiphon.agents.profiles import profiles
        from antiphon.config import load_settings

        found = set(profiles(load_settings().settings.profiles.folder))
    return _beginning(found, incomplete)


def _beginning(names: set[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete) and name[:1] != ".")
