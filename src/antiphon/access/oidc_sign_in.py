"""OpenID Connect sign-in: begun and finished in one browser, and the user who it is here."""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from antiphon.access.book import hash_of, store_is_away
from antiphon.access.directory import AccessDirectory
from antiphon.access.errors import AccessError, AccessRefused
from antiphon.access.names import MAX_LABEL, shown
from antiphon.access.oidc_provider import OidcProvider, ProviderOptions
from antiphon.access.rows import User
from antiphon.contracts.rights import RightsError
from antiphon.storage import StoreError

SECONDS = 600.0
MAX_GROUPS = 2000


class OidcSignIn:
    """Sign-in by identity providers. What is wrong is an AccessRefused, with a line in the audit.

    The state is a secret of the directory that is good once. The browser that began has another
    secret, from which nonce and PKCE verifier are made: of it the store has only a hash.
    """

    def __init__(self, directory: AccessDirectory, providers: Iterable[OidcProvider]) -> None:
        self._directory = directory
        self._providers = {each.options.name: each for each in providers}

    @property
    def titles(self) -> dict[str, str]:
        """What people read of each provider, by its name."""
        return {name: each.title for name, each in self._providers.items()}

    async def begin(self, name: str, *, redirect_uri: str, to: str) -> tuple[str, str]:
        """Begin a sign-in that ends at the page `to`; return the provider's address to go to, and
        the secret that the browser is to keep until then."""
        provider = self._provider(name)
        browser = secrets.token_urlsafe(32)
        content = {
            "provider": name,
            "browser": hash_of(browser),
            "redirect_uri": redirect_uri,
            "to": to,
        }
        try:
            state = await self._directory.issue("oidc", "", SECONDS, content)
            address = await provider.address(
                redirect_uri=redirect_uri,
                state=state,
                nonce=_derived(browser, "nonce"),
                verifier=_derived(browser, "verifier"),
            )
        except AccessRefused as refused:
            self._directory.record_refused_sign_in("oidc", refused, provider=name)
            raise
        except StoreError as error:
            raise store_is_away(error) from error
        return address, browser

    async def finish(
        self, name: str, answer: Mapping[str, str], browser: str | None
    ) -> tuple[User, str]:
        """The user whom an answer of the provider is about, and the page to go to. `browser` is
        the secret that the browser kept."""
        provider = self._provider(name)
        used = await self._directory.redeem("oidc", answer.get("state", ""))
        try:
            begun = used.content
            if begun["provider"] != name or not hmac.compare_digest(
                hash_of(browser or ""), begun["browser"]
            ):
                raise AccessRefused(
                    "This sign-in was begun in another browser. Begin again here.", "foreign"
                )
            claims = await provider.claims(
                code=await provider.check_answer(answer),
                redirect_uri=begun["redirect_uri"],
                nonce=_derived(browser or "", "nonce"),
                verifier=_derived(browser or "", "verifier"),
                wanted=_wanted(provider.options),
            )
            return await self._user(provider.options, claims), begun["to"]
        except AccessRefused as refused:
            self._directory.record_refused_sign_in("oidc", refused, provider=name)
            raise
        except StoreError as error:
            raise store_is_away(error) from error

    async def user_of_access_token(
        self, token: str, audience: str, scopes: Iterable[str] = ()
    ) -> tuple[User, float]:
        """The user whom an access token of one of the providers is about, and until when it is
        good. It has to be for `audience`, and to have `scopes`. Raises AccessRefused."""
        issuer = _issuer_of(token)
        provider = next((p for p in self._providers.values() if p.options.issuer == issuer), None)
        if provider is None:
            raise AccessRefused("The access token is of an issuer that is not known.", "unknown")
        claims = await provider.access_claims(token, audience)
        held = _scopes_of(claims)
        missing = [scope for scope in scopes if scope not in held]
        if missing:
            raise AccessRefused(
                f"The access token lacks the scope {' '.join(missing)}.",
                "forbidden",
                scopes=tuple(scopes),
            )
        try:
            return await self._user(provider.options, claims), float(claims["exp"])
        except StoreError as error:
            raise store_is_away(error) from error

    def _provider(self, name: str) -> OidcProvider:
        provider = self._providers.get(name)
        if provider is None:
            raise AccessRefused(f"There is no identity provider {shown(name)}.", "unknown")
        return provider

    # -- who it is here

    async def _user(self, options: ProviderOptions, claims: Mapping[str, Any]) -> User:
        """The user of an identity, with the roles and groups that the provider's groups give. An
        e-mail address never finds anybody."""
        _check_domain(options, claims)
        theirs = _groups_of(options, claims)
        identity = (options.issuer, claims["sub"])
        user = await self._directory.user_of_identity(*identity)
        try:
            if user is None:
                return await self._create(options, claims, identity, theirs)
            return await self._renew(options, user, theirs)
        except (AccessError, RightsError) as error:
            raise AccessRefused(
                f"Your user cannot be made or changed as the identity provider has it: {error} "
                "Ask an administrator.",
                "conflict",
            ) from None

    async def _create(
        self,
        options: ProviderOptions,
        claims: Mapping[str, Any],
        identity: tuple[str, str],
        theirs: set[str],
    ) -> User:
        if not options.create_users:
            raise AccessRefused(
                f"Nobody here is known as {shown(identity[1])} of {options.title or options.name}. "
                "An administrator can make you a user.",
                "unknown",
            )
        email = _text(claims, "email")
        return await self._directory.create_user(
            _text(claims, options.name_claim) or email or identity[1],
            organisation=options.organisation,
            display_name=_text(claims, "name")[:MAX_LABEL],
            email=email,
            roles=(*options.default_roles, *_mapped(options.roles, theirs)),
            groups=_mapped(options.groups, theirs),
            identity=identity,
            by=f"(oidc {options.name})",
        )

    async def _renew(self, options: ProviderOptions, user: User, theirs: set[str]) -> User:
        """The user with today's roles and groups, of those that are mapped; others stay."""
        if user.disabled:
            raise AccessRefused(
                f"The user {shown(user.name)} is disabled. An administrator can enable it again.",
                "disabled",
            )
        joined = [
            group.name
            for group in await self._directory.groups(user.organisation)
            if user.name in group.members
        ]
        roles = _renewed(user.roles, options.roles, theirs)
        groups = _renewed(joined, options.groups, theirs)
        if set(roles) == set(user.roles) and set(groups) == set(joined):
            return user
        return await self._directory.change_user(
            user.name, roles=roles, groups=groups, by=f"(oidc {options.name})"
        )


def is_jwt(token: str) -> bool:
    """Whether a token looks like a JWT that is signed."""
    return token.startswith("eyJ") and token.count(".") == 2


def _issuer_of(token: str) -> object:
    """Who a JWT says has made it, which nobody has checked."""
    payload = token.split(".")[1]
    try:
        claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (ValueError, RecursionError):
        return None
    return claims.get("iss") if isinstance(claims, dict) else None


def _scopes_of(claims: Mapping[str, Any]) -> set[str]:
    """The scopes of an access token, written as either of the two ways in use."""
    given = claims.get("scope", claims.get("scp", ""))
    listed = given.split() if isinstance(given, str) else given
    return {each for each in listed if isinstance(each, str)} if isinstance(listed, list) else set()


def _derived(browser: str, purpose: str) -> str:
    digest = hmac.digest(browser.encode(), purpose.encode(), "sha256")
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def _wanted(options: ProviderOptions) -> set[str]:
    """The claims that something depends on."""
    wanted = {options.name_claim, "email"} if options.create_users else set()
    wanted |= {"email", "email_verified"} if options.email_domains else set()
    return wanted | ({options.groups_claim} if options.roles or options.groups else set())


def _check_domain(options: ProviderOptions, claims: Mapping[str, Any]) -> None:
    if not options.email_domains:
        return
    domain = _text(claims, "email").rpartition("@")[2].lower()
    if claims.get("email_verified") is not True or domain not in options.email_domains:
        raise AccessRefused(
            "Only people with a verified e-mail address of "
            f"{' or '.join(options.email_domains)} may sign in.",
            "forbidden",
        )


def _groups_of(options: ProviderOptions, claims: Mapping[str, Any]) -> set[str]:
    """The provider's groups of a person, where something is mapped by them."""
    if not (options.roles or options.groups):
        return set()
    found = claims.get(options.groups_claim, [])
    if (
        not isinstance(found, list)
        or len(found) > MAX_GROUPS
        or not all(isinstance(each, str) for each in found)
    ):
        raise AccessRefused(
            f"`{options.groups_claim}` of the identity provider is no list of names.",
            "provider_wrong",
        )
    return set(found)


def _mapped(mapping: Mapping[str, tuple[str, ...]] | None, theirs: set[str]) -> list[str]:
    """What groups of the provider give here."""
    return [ours for their, given in (mapping or {}).items() if their in theirs for ours in given]


def _renewed(
    now: Iterable[str], mapping: Mapping[str, tuple[str, ...]] | None, theirs: set[str]
) -> list[str]:
    mapped = {ours for given in (mapping or {}).values() for ours in given}
    stays = [each for each in now if each not in mapped]
    return list(dict.fromkeys([*stays, *_mapped(mapping, theirs)]))


def _text(claims: Mapping[str, Any], name: str) -> str:
    value = claims.get(name)
    return value if isinstance(value, str) else ""
