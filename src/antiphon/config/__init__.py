"""One settings object, and for every value in it the place it came from.

Sources, each overriding the ones before it: defaults, `antiphon.toml`, the providers' usual
variables (`GEMINI_API_KEY` …), `ANTIPHON_SECTION__KEY` in `.env`, the same in the environment,
flags. The layers are merged here because `antiphon doctor` has to say where each value came from.
"""

from __future__ import annotations

from antiphon.config.loaded_settings import ConfigError, LoadedSettings, SettingValue
from antiphon.config.settings import LEAVES, Settings
from antiphon.config.sources import examine_settings, load_settings

__all__ = [
    "LEAVES",
    "ConfigError",
    "LoadedSettings",
    "Settings",
    "SettingValue",
    "examine_settings",
    "load_settings",
]
