"""Key ring: the data keys, each encrypted with the master key, and what is sealed with them."""

from __future__ import annotations

import secrets
from base64 import b64decode, b64encode
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from antiphon.extras import naming_extras
from antiphon.secrecy.errors import SecrecyError, UnknownKeyError
from antiphon.secrecy.master_key import KEY_BYTES, MasterKey

VERSION = 1
# A sealed value: magic and version, the data key's id, the nonce, then what is encrypted.
_MAGIC = b"\x00sealed\x01"
_ID_BYTES = 4
_NONCE_BYTES = 12
_TAG_BYTES = 16
_HEAD = len(_MAGIC) + _ID_BYTES + _NONCE_BYTES
# A key that was replaced is forgotten by a rotation after so long: by then every node has read the
# ring anew.
RETIRED_SECONDS = 24 * 3600.0
REREAD_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class DataKey:
    """A data key: its id, when it was made, and its bytes under the master key of that name."""

    id: str
    made_at: float
    master: str
    wrapped: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The data keys of one place, the newest last: it seals, all of them open."""

    keys: tuple[DataKey, ...]

    @classmethod
    def new(cls, master: MasterKey, now: float) -> KeyRing:
        return cls(()).with_new_key(master, now)

    @classmethod
    def parsed(cls, content: bytes, where: str) -> KeyRing:
        """The ring that `dumped` wrote. Raises SecrecyError."""
        try:
            body = orjson.loads(content)
            if body["version"] != VERSION:
                raise SecrecyError(
                    f"The key ring {where} has version {body['version']}; this release knows "
                    f"{VERSION}. A newer one wrote it."
                )
            keys = tuple(
                DataKey(
                    _checked_id(each["id"]),
                    float(each["made_at"]),
                    str(each["master"]),
                    b64decode(each["wrapped"], validate=True),
                )
                for each in body["keys"]
            )
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            keys = ()
        if not keys:
            raise SecrecyError(f"The key ring {where} is damaged. Restore it from a backup.")
        return cls(keys)

    def dumped(self) -> bytes:
        keys: list[dict[str, Any]] = [
            {
                "id": key.id,
                "made_at": key.made_at,
                "master": key.master,
                "wrapped": b64encode(key.wrapped).decode("ascii"),
            }
            for key in self.keys
        ]
        return orjson.dumps({"version": VERSION, "keys": keys})

    # -- values --------------------------------------------------------------------------------

    def seal(self, master: MasterKey, plain: bytes, context: str) -> bytes:
        """Encrypt a value for one place (`keys.json/openai`), where alone it can be opened."""
        key = self.keys[-1]
        nonce = secrets.token_bytes(_NONCE_BYTES)
        head = _MAGIC + bytes.fromhex(key.id)
        cipher = _aes(_unwrapped(key, master))
        return head + nonce + bytes(cipher.encrypt(nonce, plain, head + context.encode()))

    def open(self, master: MasterKey, sealed: bytes, context: str) -> bytes:
        """Decrypt a value that was sealed for this place. Raises SecrecyError."""
        from cryptography.exceptions import InvalidTag

        key_id = id_of(sealed)
        key = next((each for each in self.keys if each.id == key_id), None)
        if key is None:
            raise UnknownKeyError(
                f"{context} was encrypted with the data key {key_id}, which is not in the key "
                "ring. Restore the ring from the same backup."
            )
        head, nonce = sealed[: len(_MAGIC) + _ID_BYTES], sealed[_HEAD - _NONCE_BYTES : _HEAD]
        cipher = _aes(_unwrapped(key, master))
        try:
            return bytes(cipher.decrypt(nonce, sealed[_HEAD:], head + context.encode()))
        except InvalidTag:
            raise SecrecyError(
                f"{context} is damaged, or was moved here from elsewhere: it cannot be decrypted. "
                "Restore it from a backup, or set it again."
            ) from None

    # -- rotation ------------------------------------------------------------------------------

    def with_new_key(self, master: MasterKey, now: float) -> KeyRing:
        """The ring with one more data key, which seals from now on."""
        value = secrets.token_bytes(KEY_BYTES)
        key_id = secrets.token_hex(_ID_BYTES)
        wrapped = _wrapped(value, key_id, master)
        return KeyRing((*self.keys, DataKey(key_id, now, master.id, wrapped)))

    def wrapped_anew(self, old: MasterKey, new: MasterKey) -> KeyRing:
        """The same data keys under another master key. Raises SecrecyError."""
        return KeyRing(
            tuple(
                key
                if key.master == new.id
                else replace(
                    key, master=new.id, wrapped=_wrapped(_unwrapped(key, old), key.id, new)
                )
                for key in self.keys
            )
        )

    def without_retired(self, now: float) -> KeyRing:
        """The ring without the keys that were replaced a day ago or longer."""
        replaced = zip(self.keys, self.keys[1:], strict=False)
        kept = [key for key, after in replaced if now - after.made_at < RETIRED_SECONDS]
        return KeyRing((*kept, self.keys[-1]))

    def check(self, master: MasterKey) -> None:
        """Raise SecrecyError unless the master key opens every data key."""
        for key in self.keys:
            _unwrapped(key, master)


def is_sealed(value: bytes) -> bool:
    """Whether these bytes are a sealed value, and none that was kept as it is."""
    return value.startswith(_MAGIC) and len(value) >= _HEAD + _TAG_BYTES


def id_of(sealed: bytes) -> str:
    """The id of the data key that sealed a value. Raises SecrecyError."""
    if not is_sealed(sealed):
        raise SecrecyError("An encrypted value is cut short. Restore it from a backup.")
    return sealed[len(_MAGIC) : len(_MAGIC) + _ID_BYTES].hex()


def _wrapped(value: bytes, key_id: str, master: MasterKey) -> bytes:
    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + bytes(_aes(master.value).encrypt(nonce, value, _wrapping(key_id, master)))


def _unwrapped(key: DataKey, master: MasterKey) -> bytes:
    from cryptography.exceptions import InvalidTag

    if key.master != master.id:
        raise SecrecyError(
            f"The master key ({master.where}) is another one than what is kept was encrypted with: "
            f"it is {master.id}, and {key.master} is needed. Put the right one back; without it "
            "what is encrypted cannot be read by anybody."
        )
    nonce, rest = key.wrapped[:_NONCE_BYTES], key.wrapped[_NONCE_BYTES:]
    try:
        return bytes(_aes(master.value).decrypt(nonce, rest, _wrapping(key.id, master)))
    except (InvalidTag, ValueError):
        raise SecrecyError(
            f"The data key {key.id} is damaged. Restore the key ring from a backup."
        ) from None


def _wrapping(key_id: str, master: MasterKey) -> bytes:
    return f"antiphon data key {VERSION} {key_id} {master.id}".encode()


def _aes(key: bytes) -> Any:
    with naming_extras():
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    return AESGCM(key)


def _checked_id(key_id: str) -> str:
    if len(bytes.fromhex(key_id)) != _ID_BYTES:
        raise ValueError(key_id)
    return key_id
