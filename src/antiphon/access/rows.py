"""Rows of the access tables: organisations, users, groups and what they sign in with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Organisation:
    """An organisation. The first one has the id ''."""

    id: str
    name: str
    created_at: float


@dataclass(frozen=True, slots=True)
class User:
    """A user. `identity` are issuer and subject where an identity provider knows them."""

    name: str
    organisation: str
    display_name: str
    email: str
    roles: tuple[str, ...]
    has_password: bool
    identity: tuple[str, str] | None
    disabled: bool
    created_at: float
    updated_at: float
    signed_in_at: float | None


@dataclass(frozen=True, slots=True)
class UserGroup:
    """A group of users of one organisation: its members have its roles beside their own."""

    organisation: str
    name: str
    roles: tuple[str, ...]
    members: tuple[str, ...]
    updated_at: float


@dataclass(frozen=True, slots=True)
class ServiceToken:
    """A token of a program that acts in a user's name. None: as its user; any network; no end."""

    id: str
    user: str
    name: str
    permissions: tuple[str, ...] | None
    tools: tuple[str, ...] | None
    networks: tuple[str, ...] | None
    created_at: float
    created_by: str
    expires_at: float | None
    revoked_at: float | None
    used_at: float | None


@dataclass(frozen=True, slots=True)
class BrowserSession:
    """A browser that is signed in. `way`: password, link, oidc or passkey."""

    id: str
    user: str
    way: str
    agent: str
    created_at: float
    used_at: float
    expires_at: float
    ended_at: float | None


@dataclass(frozen=True, slots=True)
class Passkey:
    """A key pair of a user, by which they sign in; the server has the public half."""

    id: str
    user: str
    name: str
    created_at: float
    used_at: float | None


@dataclass(frozen=True, slots=True)
class SingleUse:
    """What a secret that is good for one use was issued for."""

    purpose: str
    user: str
    created_at: float
    expires_at: float
    content: Mapping[str, Any] = field(default_factory=dict)
