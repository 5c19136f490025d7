"""Settings of identity providers: sections `[access.oidc.NAME]`, one for each OpenID provider."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr

from antiphon.config.named_sections import NamedSections

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_LABEL = "[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
# Scheme, host and port; a host name in letters of others is written as its provider does, in xn--.
_ISSUER = re.compile(
    rf"(https?)://({_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])(?::(\d{{1,5}}))?(?:/[!\"$->@-~]*)?"
)
_TABLE = "a table of lists, such as { staff = [\"member\"] }"  # fmt: skip


def _issuer(value: str) -> str:
    found = _ISSUER.fullmatch(value)
    if found is None or (found[1] == "http" and found[2].strip("[]") not in _LOOPBACK):
        raise ValueError(
            "must be the issuer's URL, like https://id.example.org, exactly as the provider writes "
            "it; http:// is for this machine alone"
        )
    port = int(found[3] or 443)
    if port not in (80, 443) and not 1024 <= port <= 65_535:
        raise ValueError(f"has the port {port}, which is no web port")
    return value


def _with_openid(scopes: list[str]) -> list[str]:
    if "openid" not in scopes:
        raise ValueError("must have openid among its scopes")
    return scopes


def _domains(names: list[str]) -> list[str]:
    for name in names:
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)+", name):
            raise ValueError(f"holds {name!r}; write domains, like example.org")
    return [name.lower() for name in names]


def _written_as_json(value: Any) -> Any:
    """A table in an environment variable."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value  # the message says what is wanted
    return value


_Names = Annotated[list[str], Field(description="a list of names")]
_Mapping = Annotated[
    dict[str, list[str]], BeforeValidator(_written_as_json), Field(description=_TABLE)
]


class IdentityProviderSettings(BaseModel):
    """What is known of one provider, and who becomes whom by it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: Annotated[str, AfterValidator(_issuer), Field(description="a URL")]
    client_id: str = Field(description="a string", min_length=1)
    client_secret: SecretStr | None = Field(default=None, description="a string")
    title: str = Field(default="", max_length=80, description="a string of at most 80 characters")
    ca_file: Path | None = Field(default=None, description="a file")
    scopes: Annotated[_Names, AfterValidator(_with_openid)] = ["openid", "profile", "email"]
    create_users: bool = Field(default=False, description="true or false")
    organisation: str = Field(default="", description="the id of an organisation")
    default_roles: _Names = ["member"]
    email_domains: Annotated[_Names, AfterValidator(_domains)] = []
    name_claim: str = Field(
        default="preferred_username", description="the name of a claim", min_length=1
    )
    groups_claim: str = Field(default="groups", description="the name of a claim", min_length=1)
    roles: _Mapping = {}
    groups: _Mapping = {}


class IdentityProvidersSettings(BaseModel):
    """The providers by name."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, IdentityProviderSettings] = Field(init=False)

    @property
    def by_name(self) -> Mapping[str, IdentityProviderSettings]:
        return self.__pydantic_extra__ or {}


_SECTIONS = NamedSections(
    "access.oidc", r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?", IdentityProviderSettings
)
identity_provider_leaf = _SECTIONS.leaf
is_identity_provider_section = _SECTIONS.is_section
