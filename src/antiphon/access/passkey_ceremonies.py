"""Passkey ceremonies: registration and sign-in by WebAuthn, each with a challenge of its own."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from typing import Any, Literal

from antiphon.access.book import store_is_away
from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.rows import Passkey
from antiphon.storage import StoreError

SECONDS = 300.0
TITLE = "Antiphon"
_NOBODY = "This passkey signs nobody in here. Sign in another way, or add it in your account."


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site that passkeys are for: its host name, and the exact origin of its pages."""

    id: str
    origin: str


class PasskeyCeremonies:
    """Registration and sign-in. A ceremony is a secret of the directory that is good once, and its
    challenge is made from it. Passkeys must be discoverable and verify who holds them."""

    def __init__(self, directory: AccessDirectory) -> None:
        self._directory = directory

    async def begin_registration(
        self, party: RelyingParty, user: str
    ) -> tuple[str, dict[str, Any]]:
        """Begin to add a passkey of a user; return the ceremony, and the options for the browser.
        Raises AccessError."""
        await _load()
        from webauthn import generate_registration_options
        from webauthn.helpers import base64url_to_bytes, options_to_json_dict
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        known = await self._directory.passkeys(user)
        ceremony = await self._issue(party, "add", user)
        options = generate_registration_options(
            rp_id=party.id,
            rp_name=TITLE,
            user_id=_handle(user),
            user_name=user,
            challenge=_challenge(ceremony),
            timeout=int(SECONDS * 1000),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.id)) for each in known
            ],
        )
        return ceremony, options_to_json_dict(options)

    async def register(
        self,
        party: RelyingParty,
        user: str,
        ceremony: str,
        name: str,
        credential: Mapping[str, Any],
    ) -> Passkey:
        """Add the passkey that a browser has made. Raises AccessRefused for a ceremony that is not
        this one, AccessError for what the browser sends."""
        await _load()
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url
        from webauthn.helpers.exceptions import WebAuthnException

        await self._redeem(party, ceremony, "add", user)
        try:
            made = verify_registration_response(
                credential=dict(credential),
                expected_challenge=_challenge(ceremony),
                expected_rp_id=party.id,
                expected_origin=party.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise AccessError(f"This is no passkey for this server: {_said(error)}.") from None
        return await self._directory.add_passkey(
            user,
            name,
            id=bytes_to_base64url(made.credential_id),
            public_key=made.credential_public_key,
            sign_count=made.sign_count,
        )

    async def begin_sign_in(self, party: RelyingParty) -> tuple[str, dict[str, Any]]:
        """Begin a sign-in; return the ceremony, and the options for the browser. Raises
        AccessRefused."""
        await _load()
        from webauthn import generate_authentication_options
        from webauthn.helpers import options_to_json_dict
        from webauthn.helpers.structs import UserVerificationRequirement

        try:
            ceremony = await self._issue(party, "sign_in", "")
        except StoreError as error:
            raise store_is_away(error) from error
        options = generate_authentication_options(
            rp_id=party.id,
            challenge=_challenge(ceremony),
            timeout=int(SECONDS * 1000),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return ceremony, options_to_json_dict(options)

    async def sign_in(
        self, party: RelyingParty, ceremony: str, credential: Mapping[str, Any]
    ) -> str:
        """The name of the user whose passkey has signed. Raises AccessRefused, with a line in the
        audit."""
        await self._redeem(party, ceremony, "sign_in", "")
        try:
            passkey, count = await self._signed(party, ceremony, dict(credential))
            return await self._directory.use_passkey(passkey, count)
        except AccessRefused as refused:
            self._directory.record_refused_sign_in("passkey", refused)
            raise
        except StoreError as error:
            raise store_is_away(error) from error

    async def _signed(
        self, party: RelyingParty, ceremony: str, credential: dict[str, Any]
    ) -> tuple[str, int]:
        """The id of the passkey that has signed the challenge, and its count."""
        await _load()
        from webauthn import verify_authentication_response
        from webauthn.helpers import bytes_to_base64url, parse_authentication_credential_json
        from webauthn.helpers.exceptions import WebAuthnException

        try:
            given = parse_authentication_credential_json(credential)
            passkey = bytes_to_base64url(given.raw_id)
            known = await self._directory.passkey_material(passkey)
            handle = given.response.user_handle
            if known is None or (handle is not None and handle != _handle(known.user)):
                raise AccessRefused(_NOBODY, "unknown")
            done = verify_authentication_response(
                credential=given,
                expected_challenge=_challenge(ceremony),
                expected_rp_id=party.id,
                expected_origin=party.origin,
                credential_public_key=known.public_key,
                credential_current_sign_count=0,  # the directory compares it, once for all nodes
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError):
            raise AccessRefused(_NOBODY, "unknown") from None
        return passkey, done.new_sign_count

    async def _issue(self, party: RelyingParty, does: Literal["add", "sign_in"], user: str) -> str:
        content = {"does": does, "origin": party.origin}
        return await self._directory.issue("passkey", user, SECONDS, content)

    async def _redeem(
        self, party: RelyingParty, ceremony: str, does: Literal["add", "sign_in"], user: str
    ) -> None:
        used = await self._directory.redeem("passkey", ceremony)
        if used.user != user or used.content != {"does": does, "origin": party.origin}:
            refused = AccessRefused("This was begun for something else. Begin again.", "foreign")
            self._directory.record_refused_sign_in("passkey", refused)
            raise refused


async def _load() -> None:
    """Load the library in a thread: it takes long enough to be heard in a conversation."""
    await asyncio.to_thread(import_module, "webauthn")


def _challenge(ceremony: str) -> bytes:
    return hmac.digest(ceremony.encode(), b"challenge", "sha256")


def _handle(user: str) -> bytes:
    """What an authenticator keeps of a user: always the same, and not their name."""
    return sha256(b"antiphon user\0" + user.encode()).digest()


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
