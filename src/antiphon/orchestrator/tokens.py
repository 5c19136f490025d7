"""Confirmation tokens: proof that the answer comes from the person who was asked about this call.

A token is `v1.<expiry in ms>.<nonce>.<signature>`, safe in a URL. It carries nothing to trust: the
claims are kept by the server and the token is checked against them. That it works only once is
for the store to see to.
"""

from __future__ import annotations

import hmac
import math
import re
import secrets
import struct
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from hashlib import sha256

MIN_SECRET_BYTES = 16

MALFORMED = "the token is malformed"
EXPIRED = "the token has expired"
NOT_THIS_ACTION = "the token has a wrong signature or belongs to another action"

_VERSION = "v1"
_DOMAIN = b"antiphon confirmation v1"  # the same secret may sign other things as well
_MAX_EXPIRY = 1e12
_NONCE = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_TOKEN = re.compile(r"v1\.[0-9]{1,16}\.[A-Za-z0-9_-]{1,64}\.[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claims:
    """What a person is asked to approve, and until when (`expires_at`, seconds of the epoch)."""

    confirmation_id: str
    session_id: str
    user: str
    tool_id: str
    args_digest: str
    registry_version: str
    nonce: str
    expires_at: float


def new_nonce() -> str:
    return secrets.token_urlsafe(16)


def signature(secret: bytes, message: bytes) -> str:
    """The HMAC-SHA-256 of a message, safe in a URL: 43 characters. Compare two of them with
    `hmac.compare_digest`. A message begins with what it is about, as one secret may sign several
    kinds."""
    digest = hmac.digest(secret, message, sha256)
    return urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")


def mint(secret: bytes, claims: Claims) -> str:
    """Mint the token of these claims.

    Raises ValueError when the secret is too short, the nonce is not URL-safe or the expiry is not
    a time.
    """
    if len(secret) < MIN_SECRET_BYTES:
        raise ValueError(
            f"the secret has {len(secret)} bytes; use at least {MIN_SECRET_BYTES} random ones"
        )
    if not _NONCE.fullmatch(claims.nonce):
        raise ValueError("the nonce must be 1 to 64 letters, digits, - or _; use new_nonce()")
    expiry = claims.expires_at
    if not (math.isfinite(expiry) and 0 <= expiry < _MAX_EXPIRY):
        raise ValueError("expires_at must be a time in seconds of the epoch")
    signed = signature(secret, _encoded(claims))
    return f"{_VERSION}.{int(expiry * 1000)}.{claims.nonce}.{signed}"


def verify(secret: bytes, token: object, claims: Claims, now: float) -> str | None:
    """Verify a token: return why it does not prove these claims at `now`, or None when it does.

    Whatever the token is, it is answered and never raises. That a token has expired is only said
    of a genuine one.
    """
    # Before the regular expression sees it, so that a huge token costs nothing.
    if not isinstance(token, str) or len(token) > 160 or not _TOKEN.fullmatch(token):
        return MALFORMED
    # The whole text is compared: no other spelling of the same bytes is accepted.
    if not hmac.compare_digest(token.encode("ascii"), mint(secret, claims).encode("ascii")):
        return NOT_THIS_ACTION
    return None if now < claims.expires_at else EXPIRED


def _encoded(claims: Claims) -> bytes:
    """Every claim behind its length, so that no two sets of claims have the same bytes."""
    parts = [_DOMAIN]
    for text in (
        claims.confirmation_id,
        claims.session_id,
        claims.user,
        claims.tool_id,
        claims.args_digest,
        claims.registry_version,
        claims.nonce,
    ):
        parts.append(text.encode("utf-8", "surrogatepass"))
    parts.append(struct.pack(">d", claims.expires_at))
    return b"".join(struct.pack(">Q", len(part)) + part for part in parts)
