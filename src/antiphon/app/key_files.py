"""Secret files in the data folder: provider keys set at run time, and the admin token."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from pydantic import SecretStr

from antiphon.config.loaded_settings import LoadedSettings
from antiphon.config.settings import Settings
from antiphon.providers.faults import Vendor

KEYS_FILE = "keys.json"
TOKEN_FILE = "admin-token"  # noqa: S105 - the name of it


class KeyFileError(Exception):
    """A file of secrets cannot be used. The words name the file and never what is in it."""


def read_keys(data: Path) -> dict[Vendor, str]:
    """The keys that were set at run time. Raises KeyFileError."""
    path = data / KEYS_FILE
    try:
        body = orjson.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror or error}.") from None
    except orjson.JSONDecodeError:
        raise _broken(path) from None
    if not isinstance(body, dict) or not all(isinstance(key, str) for key in body.values()):
        raise _broken(path)
    return {vendor: key for vendor, key in body.items() if key}


def write_keys(data: Path, keys: Mapping[Vendor, str]) -> None:
    """Replaces them, all or nothing, readable for this user only. Raises KeyFileError."""
    _write(data / KEYS_FILE, orjson.dumps(dict(keys)))


def take_keys(loaded: LoadedSettings) -> None:
    """The keys that were set at run time, over those of all other sources. What is wrong with
    them is among the problems afterwards."""
    settings = loaded.settings
    try:
        kept = read_keys(settings.data)
    except KeyFileError as error:
        loaded.problems.append(str(error))
        return
    sections: dict[str, Any] = {
        vendor: getattr(settings.providers, vendor).model_copy(update={"api_key": SecretStr(key)})
        for vendor, key in kept.items()
        if hasattr(settings.providers, vendor)
    }
    providers = settings.providers.model_copy(update=sections)
    loaded.settings = settings.model_copy(update={"providers": providers})
    for vendor in kept:
        loaded.origins[f"providers.{vendor}.api_key"] = str(settings.data / KEYS_FILE)


def admin_token(settings: Settings) -> tuple[str, Path | None]:
    """The token for `/api/config`, and the file that it is in unless the settings have it.

    Made when there is none yet. Raises KeyFileError.
    """
    chosen = settings.server.admin_token
    if chosen is not None:
        return chosen.get_secret_value(), None
    path = settings.data / TOKEN_FILE
    try:
        token = path.read_text("utf-8").strip()
    except FileNotFoundError:
        token = ""
    except (OSError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{path} cannot be read: {error}.") from None
    if not token:
        token = secrets.token_urlsafe(32)
        _write(path, f"{token}\n".encode())
    return token, path


def _write(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise KeyFileError(
            f"{path} cannot be written: {error.strerror or error}. Check the data folder."
        ) from None


def _broken(path: Path) -> KeyFileError:
    return KeyFileError(
        f"{path} does not hold keys any more. Remove it and set them again with "
        "POST /api/config/keys."
    )
