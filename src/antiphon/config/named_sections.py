"""Named sections: settings of things that people name themselves, such as `[mcp_servers.shop]`."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel


class NamedSections:
    """The sections below `prefix`, each with the settings of `model`; `name` is the pattern of
    their names."""

    def __init__(self, prefix: str, name: str, model: type[BaseModel]) -> None:
        self._setting = re.compile(rf"{re.escape(prefix)}(?:\.({name})(?:\.(\w+))?)?")
        self._model = model

    def leaf(self, setting: str) -> tuple[Any, str] | None:
        """Return the kind of a setting and what it may hold, in words; None for any other."""
        found = self._setting.fullmatch(setting)
        field = self._model.model_fields.get(found[2] or "") if found else None
        return None if field is None else (field.annotation, field.description or "another value")

    def is_section(self, setting: str) -> bool:
        """Return whether it is the section of all of them, or that of one."""
        found = self._setting.fullmatch(setting)
        return found is not None and not found[2]
