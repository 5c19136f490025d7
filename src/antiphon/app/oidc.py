"""Identity provider factory: sign-in by the OpenID providers that the settings name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from antiphon.access.oidc_provider import OidcProvider, ProviderOptions
from antiphon.access.oidc_sign_in import OidcSignIn

if TYPE_CHECKING:
    from antiphon.access.directory import AccessDirectory
    from antiphon.config import Settings


def oidc_sign_in(settings: Settings, directory: AccessDirectory) -> OidcSignIn:
    """Make the sign-in over a directory."""
    providers = []
    for name, section in settings.access.oidc.by_name.items():
        given: dict[str, Any] = section.model_dump(exclude={"client_secret"})
        secret = section.client_secret
        options = ProviderOptions(
            name, client_secret=None if secret is None else secret.get_secret_value(), **given
        )
        providers.append(OidcProvider(options, allowed=tuple(settings.egress.allowed)))
    return OidcSignIn(directory, providers)
