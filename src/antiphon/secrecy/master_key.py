"""Master key: the 32 bytes that open everything else, from a file, a variable or the keyring."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from antiphon.secrecy.errors import SecrecyError
from antiphon.secrecy.redaction import REDACTOR

KEY_BYTES = 32
KEY_FILE = "master-key"
KEYRING_SERVICE = "antiphon"
_MAKE = "`openssl rand -base64 32` makes one"
_TEXT = re.compile(r"[A-Za-z0-9+/_-]{43}=?|[0-9A-Fa-f]{64}")
_LARGEST = 4096

KeySource = Literal["file", "variable", "keyring"]


@dataclass(frozen=True, slots=True)
class MasterKey:
    """The master key, where it came from, and its name: a part of its hash, by which a wrong one is
    told from a damaged value."""

    value: bytes = field(repr=False)
    source: KeySource
    where: str

    @property
    def id(self) -> str:
        return hashlib.sha256(b"antiphon master key" + self.value).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class MasterKeyPlace:
    """Where the master key is: given as text, in a file, or in the system's keyring under the name
    of the data folder. Otherwise it is a file in the data folder, made when it is first needed."""

    data: Path
    text: str | None = field(default=None, repr=False)
    file: Path | None = None
    keyring: bool = False

    def read(self) -> MasterKey | None:
        """The key; None where the file of the data folder, or the entry of the keyring, was not
        made yet. Raises SecrecyError."""
        if self.text is not None:
            value = _parsed(self.text, "The setting `secrets.key`")
            return _hidden(MasterKey(value, "variable", "secrets.key"))
        if self.keyring:
            return self._from_keyring()
        path = self.path
        try:
            return _hidden(MasterKey(_read_file(path), "file", str(path)))
        except FileNotFoundError:
            if self.file is None:
                return None
            raise SecrecyError(
                f"The key file {path} is not there. Put it back, or correct `secrets.key_file`; "
                f"for a new installation make one ({_MAKE}) that only this user can read."
            ) from None

    def make(self) -> MasterKey:
        """A new key in the file of the data folder or in the keyring, unless another process was
        quicker. Raises SecrecyError."""
        made = _text(secrets.token_bytes(KEY_BYTES))
        if self.keyring:
            _keyring().set_password(KEYRING_SERVICE, self._account, made)
        else:
            _make_file(self.path, made)
        found = self.read()
        assert found is not None
        return found

    @property
    def path(self) -> Path:
        """The file of the key, whether it is in use or not."""
        return self.file or self.data / KEY_FILE

    @property
    def _account(self) -> str:
        return str(self.data.absolute())

    def _from_keyring(self) -> MasterKey | None:
        keyring = _keyring()
        try:
            kept = keyring.get_password(KEYRING_SERVICE, self._account)
        except Exception as error:  # noqa: BLE001 - each backend has errors of its own
            raise SecrecyError(
                f"The keyring of this system does not answer: {type(error).__name__}. Unlock it, "
                "or use `secrets.key_file`."
            ) from None
        if kept is None:
            return None
        where = f"keyring, {KEYRING_SERVICE}, {self._account}"
        return _hidden(MasterKey(_parsed(kept, "The keyring's entry"), "keyring", where))


def read_key_file(path: Path) -> MasterKey:
    """The master key in a file. Raises SecrecyError."""
    try:
        return _hidden(MasterKey(_read_file(path), "file", str(path)))
    except FileNotFoundError:
        raise SecrecyError(f"The key file {path} is not there; {_MAKE}.") from None


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            facts = os.fstat(file.fileno())
            text = file.read(_LARGEST)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise SecrecyError(
            f"The key file {path} cannot be read: {error.strerror or error}."
        ) from None
    mode = stat.S_IMODE(facts.st_mode)
    if os.name == "posix" and mode & 0o027:
        raise SecrecyError(
            f"The key file {path} can be read or changed by others (its mode is {mode:04o}). Run "
            f"`chmod 600 {path}`; if somebody may have read it, make another key and run "
            "`antiphon secrets rotate --new-key FILE`."
        )
    return _parsed(text.decode("ascii", "replace"), f"The key file {path}")


def _parsed(text: str, what: str) -> bytes:
    stripped = text.strip()
    if not _TEXT.fullmatch(stripped):
        found = "is empty" if not stripped else f"has {len(stripped)} characters"
        raise SecrecyError(
            f"{what} holds no key: it {found}, and a key is 32 bytes in base64 (44 characters) or "
            f"hexadecimal (64). It may be truncated. Put the whole one back; {_MAKE}."
        )
    if len(stripped) == 2 * KEY_BYTES:
        return bytes.fromhex(stripped)
    return urlsafe_b64decode(stripped.rstrip("=").replace("+", "-").replace("/", "_") + "=")


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).decode("ascii")


def _hidden(key: MasterKey) -> MasterKey:
    text = _text(key.value)
    plain = text.replace("-", "+").replace("_", "/")
    REDACTOR.hide(text, text.rstrip("="), plain, plain.rstrip("="), key.value.hex())
    return key


def _make_file(path: Path, text: str) -> None:
    """Write the file whole, then give it its name, unless that is taken by now."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise SecrecyError(
            f"The key file {path} cannot be made: {error.strerror or error}. Check the data folder."
        ) from None


def _keyring() -> Any:
    try:
        return import_module("keyring")
    except ModuleNotFoundError:
        raise SecrecyError(
            "The setting `secrets.keyring` needs the package keyring: pip install keyring"
        ) from None
