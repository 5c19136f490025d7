"""Access errors: what was shown lets nobody in, or a change of users and roles cannot be made."""

from __future__ import annotations

from typing import Literal

from antiphon.contracts.principal import PrincipalRefused

# Why a credential is refused.
RefusalCode = Literal[
    "unknown",  # nobody has made it, or what was shown is no credential
    "expired",
    "revoked",
    "used",  # it was good for one use
    "foreign",  # it is for something else, or comes from another network
    "disabled",  # its user may not sign in
    "clock",  # it comes from the future
    "forbidden",  # somebody who is known, but may not do this
    "conflict",  # their user cannot be made or changed as it should be
    "denied",  # the identity provider did not sign them in
    "provider_away",  # the identity provider does not answer
    "provider_wrong",  # the identity provider says what cannot be believed
    "unavailable",  # the store does not answer: nobody is let through
]
_STATUS: dict[str, int] = {"forbidden": 403, "unavailable": 503}


class AccessRefused(PrincipalRefused):
    """A credential or permission that is not there. `reason` says in words what is wrong and what
    to do, `code` for programs, `status` for HTTP, `field` the input that it is about ('' for
    none), `scopes` those that an access token would need."""

    def __init__(
        self, reason: str, code: RefusalCode, *, field: str = "", scopes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.code: RefusalCode = code
        self.field = field
        self.scopes = scopes

    @property
    def status(self) -> int:
        """401, 403 or 503."""
        return _STATUS.get(self.code, 401)


class AccessError(ValueError):
    """A change of users, groups, tokens or organisations that cannot be made; nothing was changed.

    `kind`: `invalid` (the input is wrong), `missing` (what it names is not there) or `conflict`
    (it does not go with what is there). `field` is the input that it is about, '' for none.
    """

    def __init__(
        self,
        message: str,
        kind: Literal["invalid", "missing", "conflict"] = "invalid",
        *,
        field: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.field = field
