"""OpenID Connect provider: its discovery, its keys, and checked claims for a code."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote_plus, urlencode

from pydantic import BaseModel, ValidationError

from antiphon.access.errors import AccessRefused, RefusalCode
from antiphon.contracts import ToolError
from antiphon.net.addresses import parse_url
from antiphon.net.egress import Egress

if TYPE_CHECKING:
    from joserfc.jwk import KeySet
    from joserfc.jwt import Token

# Signatures by keys of a pair: `none` and those by a shared secret are not among them.
ALGORITHMS = [f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512)]
SECONDS = 10.0
MAX_BYTES = 512 * 1024
LEEWAY = 60
KEPT_SECONDS = 3600.0
# Keys that are not known are asked for again at most this often, and a provider that is away.
AGAIN_SECONDS = 5.0
MAX_SUBJECT = 255
# What an access token calls itself; an ID token that is a plain JWT has another audience.
_ACCESS_TYPES = ("at+jwt", "application/at+jwt", "jwt")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ProviderOptions:
    """What the settings say of a provider; [access.md] has what each means."""

    name: str
    issuer: str
    client_id: str
    client_secret: str | None = None
    title: str = ""
    ca_file: Path | None = None
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    create_users: bool = False
    organisation: str = ""
    default_roles: tuple[str, ...] = ("member",)
    email_domains: tuple[str, ...] = ()
    name_claim: str = "preferred_username"
    groups_claim: str = "groups"
    roles: Mapping[str, tuple[str, ...]] | None = None
    groups: Mapping[str, tuple[str, ...]] | None = None


class ProviderMetadata(BaseModel):
    """What a provider says of itself in its discovery document."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: list[str] = ["client_secret_basic"]
    code_challenge_methods_supported: list[str] | None = None
    authorization_response_iss_parameter_supported: bool = False


class OidcProvider:
    """One provider. Every method raises AccessRefused: `provider_away`, `provider_wrong` or
    `denied`.

    Requests go to public addresses, and to the issuer's own wherever that is, as the settings name
    it. `clock` is the time by which ID tokens expire.
    """

    def __init__(
        self,
        options: ProviderOptions,
        *,
        allowed: tuple[str, ...] = (),
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.options = options
        self._clock = clock
        self._monotonic = monotonic
        issuer = parse_url(options.issuer)
        self._schemes = ("https",) if issuer.scheme == "https" else ("https", "http")
        self._egress = Egress(
            (f"{issuer.host}:{issuer.port}", *allowed),
            seconds=SECONDS,
            limit=MAX_BYTES,
            ca_file=options.ca_file,
        )
        self._asking = asyncio.Lock()
        self._metadata: tuple[float, ProviderMetadata] | None = None
        self._keys: tuple[float, KeySet] | None = None
        self._failure: tuple[float, AccessRefused] | None = None

    @property
    def title(self) -> str:
        return self.options.title or self.options.name

    async def address(self, *, redirect_uri: str, state: str, nonce: str, verifier: str) -> str:
        """Where a browser goes to sign in there."""
        # In a thread: it takes long enough to be heard in a conversation.
        await asyncio.to_thread(import_module, "authlib.oidc.core")
        from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        metadata = await self._discovered()
        address: str = prepare_grant_uri(
            metadata.authorization_endpoint,
            self.options.client_id,
            "code",
            redirect_uri=redirect_uri,
            scope=" ".join(self.options.scopes),
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        return address

    async def check_answer(self, answer: Mapping[str, str]) -> str:
        """The code in an answer that came by the browser, unless it is another issuer's or says
        no."""
        metadata = await self._discovered()
        issuer = answer.get("iss")
        if issuer is None and metadata.authorization_response_iss_parameter_supported:
            self._wrong("its answer does not say whose it is (`iss`)")
        if issuer is not None and issuer != self.options.issuer:
            self._wrong("its answer is another issuer's")
        if "error" in answer:
            said = f"{answer['error']} {answer.get('error_description', '')}"
            raise AccessRefused(f"{self.title} did not sign you in: {_line(said)}.", "denied")
        if not answer.get("code"):
            self._wrong("its answer has no code")
        return answer["code"]

    async def claims(
        self, *, code: str, redirect_uri: str, nonce: str, verifier: str, wanted: set[str]
    ) -> dict[str, Any]:
        """What the provider says of who has signed in. Claims that are `wanted` and not in the ID
        token are asked for."""
        metadata = await self._discovered()
        tokens = await self._exchange(metadata, code, redirect_uri, verifier)
        claims = await self._checked(tokens, nonce)
        access = tokens.get("access_token")
        if wanted - claims.keys() and metadata.userinfo_endpoint and isinstance(access, str):
            found = await self._answer(
                "GET", metadata.userinfo_endpoint, headers={"Authorization": f"Bearer {access}"}
            )
            if found.get("sub") != claims["sub"]:
                self._wrong("its user information is about somebody else")
            claims = {**found, **claims}
        return claims

    async def access_claims(self, token: str, audience: str) -> dict[str, Any]:
        """The claims of an access token that is a JWT (RFC 9068), made by this provider for
        `audience`. Raises AccessRefused, `foreign` for another audience."""
        from joserfc.errors import JoseError
        from joserfc.jwt import JWTClaimsRegistry

        registry = JWTClaimsRegistry(
            now=lambda: int(self._clock()),
            leeway=LEEWAY,
            iss={"essential": True, "value": self.options.issuer},
            sub={"essential": True},
            exp={"essential": True},
        )
        try:
            decoded = await self._decoded(token)
            claims = dict(decoded.claims)
            registry.validate(claims)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            words = _line(str(error) or type(error).__name__)
            code: RefusalCode = "expired" if "expired" in words else "unknown"
            raise AccessRefused(f"The access token is not valid: {words}.", code) from None
        given = claims.get("aud")
        audiences = given if isinstance(given, list) else [given]
        if decoded.header.get("typ", "JWT").lower() not in _ACCESS_TYPES:
            raise AccessRefused("This is no access token. Send one of those.", "foreign")
        if audience not in audiences:
            raise AccessRefused(
                f"The access token is for another audience. Ask for one for {audience}.", "foreign"
            )
        if not isinstance(claims["sub"], str) or not 1 <= len(claims["sub"]) <= MAX_SUBJECT:
            raise AccessRefused("The access token is about nobody (`sub`).", "unknown")
        return claims

    # -- tokens

    async def _decoded(self, token: str) -> Token:
        """A token whose signature was checked. Raises JoseError."""
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError

        try:
            return jwt.decode(token, await self._key_set(), algorithms=ALGORITHMS)
        except InvalidKeyIdError:
            keys = await self._key_set(AGAIN_SECONDS)
            return jwt.decode(token, keys, algorithms=ALGORITHMS)

    async def _exchange(
        self, metadata: ProviderMetadata, code: str, redirect_uri: str, verifier: str
    ) -> dict[str, Any]:
        own, secret = self.options.client_id, self.options.client_secret
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        methods = metadata.token_endpoint_auth_methods_supported
        if secret is None:
            form["client_id"] = own
        elif "client_secret_basic" in methods or "client_secret_post" not in methods:
            pair = f"{quote_plus(own)}:{quote_plus(secret)}".encode()
            headers["Authorization"] = f"Basic {b64encode(pair).decode()}"
        else:
            form |= {"client_id": own, "client_secret": secret}
        return await self._answer(
            "POST", metadata.token_endpoint, headers=headers, content=urlencode(form).encode()
        )

    async def _checked(self, tokens: dict[str, Any], nonce: str) -> dict[str, Any]:
        """The claims of the ID token, all of which was checked."""
        await asyncio.to_thread(import_module, "authlib.oidc.core")
        from authlib.oidc.core import CodeIDToken
        from joserfc.errors import JoseError

        token, own = tokens.get("id_token"), self.options.client_id
        if not isinstance(token, str):
            self._wrong("its answer has no ID token")
        try:
            decoded = await self._decoded(token)
            claims = CodeIDToken(
                decoded.claims,
                decoded.header,
                options={
                    "iss": {"essential": True, "value": self.options.issuer},
                    "aud": {"essential": True, "value": own},
                    "nonce": {"essential": True, "value": nonce},
                },
                params={
                    "nonce": nonce,
                    "client_id": own,
                    "access_token": tokens.get("access_token"),
                },
            )
            claims.validate(now=int(self._clock()), leeway=LEEWAY)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            self._wrong(f"its ID token is not valid: {_line(str(error) or type(error).__name__)}")
        subject = claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= MAX_SUBJECT:
            self._wrong("its ID token is about nobody (`sub`)")
        return dict(claims)

    # -- what the provider says of itself

    async def _discovered(self) -> ProviderMetadata:
        async with self._asking:
            if self._metadata is None or self._is_old(self._metadata[0], KEPT_SECONDS):
                self._check_failure()
                try:
                    self._metadata = (self._monotonic(), await self._discover())
                except AccessRefused as refused:
                    self._failure = (self._monotonic(), refused)
                    raise
            return self._metadata[1]

    async def _discover(self) -> ProviderMetadata:
        issuer = self.options.issuer
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            found = ProviderMetadata.model_validate(await self._answer("GET", url))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            self._wrong(f"`{place}` of its configuration: {_line(first['msg'])}")
        if found.issuer != issuer:
            self._wrong(f"it calls itself {_line(found.issuer)}, and the settings {issuer}")
        methods = found.code_challenge_methods_supported
        if methods is not None and "S256" not in methods:
            self._wrong("it does not know PKCE with S256")
        self._target(found.authorization_endpoint)
        return found

    async def _key_set(self, kept_seconds: float = KEPT_SECONDS) -> KeySet:
        """The provider's keys, asked for again when they were kept for longer."""
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        metadata = await self._discovered()
        async with self._asking:
            if self._keys is None or self._is_old(self._keys[0], kept_seconds):
                found: Any = await self._answer("GET", metadata.jwks_uri)
                try:
                    keys = KeySet.import_key_set(found)
                except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
                    self._wrong(f"its keys cannot be read: {_line(str(error))}")
                self._keys = (self._monotonic(), keys)
            return self._keys[1]

    def _is_old(self, since: float, seconds: float) -> bool:
        return not 0 <= self._monotonic() - since < seconds

    def _check_failure(self) -> None:
        """Raise what went wrong a moment ago: a provider that is away is not asked by everybody."""
        if self._failure is not None and not self._is_old(self._failure[0], AGAIN_SECONDS):
            raise AccessRefused(self._failure[1].reason, self._failure[1].code)

    # -- requests

    async def _answer(
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> dict[str, Any]:
        """The JSON object that the provider answers with."""
        self._target(url)
        given = {"Accept": "application/json", **(headers or {})}
        try:
            answer = await self._egress.fetch(
                url, method=method, headers=given, content=content, follow=False
            )
        except ToolError as error:
            self._away(error.message.rstrip("."))
        if answer.status >= 500 or answer.status == 429:
            self._away(f"it answers with status {answer.status}")
        try:
            found = None if answer.truncated else json.loads(answer.body)
        except (ValueError, RecursionError):
            found = None
        if answer.status != 200:
            code = found.get("error") if isinstance(found, dict) else None
            said = f"status {answer.status}{'' if code is None else f', {_line(str(code))}'}"
            if code == "invalid_grant":
                raise AccessRefused(f"{self.title} did not sign you in: {said}.", "denied")
            self._wrong(f"it answers with {said}")
        if not isinstance(found, dict):
            self._wrong("its answer is no JSON object")
        return found

    def _target(self, url: str) -> None:
        """Check an address of the provider's own choice."""
        try:
            scheme = parse_url(url).scheme
        except ToolError as error:
            self._wrong(f"an address of it {error.message.removeprefix('/url: ').rstrip('.')}")
        if scheme not in self._schemes:
            self._wrong(f"its address {_line(url)} is not https")

    def _away(self, reason: str) -> NoReturn:
        log.warning("the identity provider %s does not answer: %s", self.options.name, reason)
        raise AccessRefused(
            f"{self.title} does not answer, so nobody can sign in by it now: {reason}.",
            "provider_away",
        )

    def _wrong(self, reason: str) -> NoReturn:
        log.error("the identity provider %s cannot be believed: %s", self.options.name, reason)
        raise AccessRefused(
            f"{self.title} says what cannot be believed: {reason}.", "provider_wrong"
        )


def _line(text: str) -> str:
    """Others' words on one line, short, and with nothing that cannot be seen."""
    shown = "".join(each if each.isprintable() else " " for each in text[:200])
    return " ".join(shown.split())
