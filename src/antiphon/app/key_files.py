"""Secret files in the data folder: provider keys set at run time, and the admin token."""

from __future__ import annotations

import logging
import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson
from pydantic import SecretStr

from antiphon.app.master_keys import master_keys
from antiphon.config.loaded_settings import LoadedSettings
from antiphon.config.settings import Settings
from antiphon.providers.faults import Vendor
from antiphon.secrecy.errors import SecrecyError
from antiphon.secrecy.key_ring import KeyRing
from antiphon.secrecy.master_key import MasterKey
from antiphon.secrecy.redaction import REDACTOR
from antiphon.secrecy.vault import MasterKeys, Vault

logger = logging.getLogger(__name__)

KEYS_FILE = "keys.json"
RING_FILE = "key-ring.json"
VERSION = 1
TOKEN_FILE = "admin-token"  # noqa: S105 - the name of it


class KeyFileError(Exception):
    """A file of secrets cannot be used. The words name the file and never what is in it."""


class _FileRing:
    """The key ring of the data folder."""

    def __init__(self, data: Path) -> None:
        self._path = data / RING_FILE
        self.where = str(self._path)

    def read(self) -> bytes | None:
        return _content(self._path)

    def add(self, content: bytes) -> bytes:
        _write(self._path, content, first=True)
        return self.read() or content

    def replace(self, content: bytes) -> None:
        _write(self._path, content)


def read_keys(settings: Settings) -> dict[Vendor, str]:
    """The keys that were set at run time. Raises KeyFileError."""
    path = settings.data / KEYS_FILE
    content = _content(path)
    if content is None:
        return {}
    with _in_words():
        return _opened(settings, path, content)


def take_over_keys(settings: Settings) -> dict[Vendor, str]:
    """The same; a file of an earlier release, in which they stand as they are, is encrypted first.
    Raises KeyFileError."""
    path = settings.data / KEYS_FILE
    content = _content(path)
    if content is None:
        return {}
    with _in_words():
        kept = _opened(settings, path, content)
        if not _is_sealed(path, content):
            write_keys(settings, kept)
            logger.warning("the keys in %s are encrypted from now on", path)
        return kept


def write_keys(settings: Settings, keys: Mapping[Vendor, str]) -> None:
    """Replaces them, all or nothing, encrypted, readable for this user only. Raises
    KeyFileError."""
    with _in_words():
        path, place = settings.data / KEYS_FILE, _FileRing(settings.data)
        vault = _vault(settings)
        vault.make_ring(place)
        sealed = {
            vendor: b64encode(vault.seal(place, key.encode(), _context(vendor))).decode("ascii")
            for vendor, key in keys.items()
        }
        _write(path, orjson.dumps({"version": VERSION, "sealed": sealed}))


def rotate_key_file(settings: Settings, now: float) -> int:
    """Give the key ring of the data folder a new data key and encrypt every key with it; return how
    many. Raises KeyFileError."""
    kept = read_keys(settings)
    place = _FileRing(settings.data)
    with _in_words():
        ring = _vault(settings).check(place)
        if ring is not None:
            ring = ring.with_new_key(_needed(settings).needed(place.where), now)
            place.replace(ring.dumped())
    if kept:
        write_keys(settings, kept)
    if ring is not None:
        # Only now: until here a crash leaves keys that an old data key has sealed.
        place.replace(ring.without_retired(now).dumped())
    return len(kept)


def wrap_key_ring_anew(settings: Settings, new: MasterKey) -> None:
    """Put the data keys of the data folder under another master key. Raises KeyFileError."""
    place = _FileRing(settings.data)
    content = place.read()
    if content is not None:
        with _in_words():
            old = _needed(settings).needed(place.where)
            place.replace(KeyRing.parsed(content, place.where).wrapped_anew(old, new).dumped())


def check_key_file(settings: Settings) -> tuple[int, bool]:
    """How many keys are kept, and whether they are encrypted. Raises KeyFileError."""
    path = settings.data / KEYS_FILE
    content = _content(path)
    return len(read_keys(settings)), content is None or _is_sealed(path, content)


def _opened(settings: Settings, path: Path, content: bytes) -> dict[Vendor, str]:
    body = _parsed(path, content)
    if not _is_sealed(path, content):
        return {vendor: key for vendor, key in body.items() if key}
    place, vault = _FileRing(settings.data), _vault(settings)
    opened = {}
    for vendor, sealed in body["sealed"].items():
        try:
            value = b64decode(sealed, validate=True)
        except ValueError:
            raise _broken(path) from None
        opened[vendor] = vault.open(place, value, _context(vendor)).decode()
    return opened


def _is_sealed(path: Path, content: bytes) -> bool:
    return "version" in _parsed(path, content)


def _parsed(path: Path, content: bytes) -> dict[str, Any]:
    """What the file holds: sealed keys, or those of an earlier release as they are."""
    try:
        body = orjson.loads(content)
    except orjson.JSONDecodeError:
        raise _broken(path) from None
    if not isinstance(body, dict):
        raise _broken(path)
    keys: Any = body
    if "version" in body:
        if body["version"] != VERSION:
            raise KeyFileError(f"{path} was written by a newer release of Antiphon.")
        keys = body.get("sealed")
    if not isinstance(keys, dict) or not all(isinstance(key, str) for key in keys.values()):
        raise _broken(path)
    return body


def _context(vendor: Vendor) -> str:
    return f"{KEYS_FILE}/{vendor}"


def _needed(settings: Settings) -> MasterKeys:
    keys = master_keys(settings)
    if keys is None:
        raise KeyFileError(
            "Keys are kept encrypted only, which needs the package cryptography. What needs it "
            "comes with: pip install 'antiphon[access]'"
        )
    return keys


def _vault(settings: Settings) -> Vault:
    return Vault(_needed(settings))


@contextmanager
def _in_words() -> Iterator[None]:
    try:
        yield
    except SecrecyError as error:
        raise KeyFileError(str(error)) from None


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise KeyFileError(f"{path} cannot be read: {error.strerror or error}.") from None


def take_keys(loaded: LoadedSettings) -> None:
    """The keys that were set at run time, over those of all other sources. What is wrong with
    them is among the problems afterwards."""
    settings = loaded.settings
    try:
        kept = read_keys(settings)
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
    REDACTOR.hide(token)
    return token, path


def _write(path: Path, content: bytes, *, first: bool = False) -> None:
    """Write a file whole, then give it its name; with `first` only if that is free."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if first:
                with suppress(FileExistsError):
                    os.link(temporary, path)
                temporary.unlink()
            else:
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
