"""A software authenticator to test with: passkeys by ES256, as a browser gives them to a page."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

_PRESENT, _VERIFIED, _HAS_KEY = 0x01, 0x04, 0x40


class SoftwareAuthenticator:
    """One device with one passkey, and the browser that it is plugged into."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.count = 0
        self.verifies = True
        self.id = secrets.token_bytes(16)
        self.handle = ""
        self.party = ""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.create` gives a page."""
        assert options["authenticatorSelection"]["userVerification"] == "required"
        assert options["authenticatorSelection"]["residentKey"] == "required"
        assert {"type": "public-key", "alg": -7} in options["pubKeyCredParams"]
        self.party, self.handle = options["rp"]["id"], options["user"]["id"]
        point = self._key.public_key().public_numbers()
        key = {
            1: 2,
            3: -7,
            -1: 1,
            -2: point.x.to_bytes(32, "big"),
            -3: point.y.to_bytes(32, "big"),
        }
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(_HAS_KEY) + attested
        return self._credential(
            clientDataJSON=encoded(self._client_data("webauthn.create", options)),
            attestationObject=encoded(
                cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
            ),
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.get` gives a page."""
        assert options["userVerification"] == "required"
        assert options["rpId"] == self.party
        self.count += 1
        client_data, data = self._client_data("webauthn.get", options), self._data()
        signed = self._key.sign(data + sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._credential(
            clientDataJSON=encoded(client_data),
            authenticatorData=encoded(data),
            signature=encoded(signed),
            userHandle=self.handle,
        )

    def _credential(self, **response: str) -> dict[str, Any]:
        own = encoded(self.id)
        return {"id": own, "rawId": own, "type": "public-key", "response": response}

    def _data(self, more: int = 0) -> bytes:
        flags = _PRESENT | (_VERIFIED if self.verifies else 0) | more
        return sha256(self.party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client_data(self, kind: str, options: dict[str, Any]) -> bytes:
        content = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(content).encode()


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
