"""Master keys: where the settings have the key that encrypts what is kept."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from antiphon.secrecy.master_key import MasterKeyPlace
from antiphon.secrecy.vault import MasterKeys

if TYPE_CHECKING:
    from antiphon.config import Settings


def master_key_place(settings: Settings) -> MasterKeyPlace:
    """Where the master key of these settings is."""
    chosen = settings.secrets
    return MasterKeyPlace(
        settings.data,
        text=None if chosen.key is None else chosen.key.get_secret_value(),
        file=chosen.key_file,
        keyring=chosen.keyring,
    )


def master_keys(settings: Settings) -> MasterKeys | None:
    """The master key of these settings, read when it is needed; None for the governed core alone,
    which has nothing to encrypt with. A setting that asks for it raises there what is missing."""
    place = master_key_place(settings)
    asked = place.text is not None or place.file is not None or place.keyring
    return MasterKeys(place) if asked or find_spec("cryptography") is not None else None
