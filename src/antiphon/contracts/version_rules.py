"""Version rules: who gets which of several versions of a tool."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.contracts.principal import Principal

_EXAMPLE = "such as `kb_search@2.0.0 role:beta user:ada organisation:acme`"
_KINDS = ("user", "role", "organisation")


@dataclass(frozen=True, slots=True)
class VersionRule:
    """One choice: whoever is named gets this version of a tool. A rule that names nobody is for
    everybody."""

    tool: str
    version: str
    users: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    organisations: frozenset[str] = frozenset()

    @classmethod
    def parse(cls, text: str) -> VersionRule:
        """Read a rule from text: `tool@version`, then whom it is for. Raises ValueError."""
        what, *whom = text.split()[:1000] or [""]
        tool, _, version = what.partition("@")
        if not tool or not version:
            raise ValueError(f"{text[:80]!r} names no tool and version first, {_EXAMPLE}")
        named: dict[str, set[str]] = {kind: set() for kind in _KINDS}
        for each in whom:
            kind, _, name = each.partition(":")
            if kind not in named or not name:
                raise ValueError(
                    f"{each[:80]!r} in {text[:80]!r} is none of user:NAME, role:NAME and "
                    f"organisation:ID, {_EXAMPLE}"
                )
            named[kind].add(name)
        users, roles, organisations = (frozenset(named[kind]) for kind in _KINDS)
        return cls(tool, version, users, roles, organisations)

    def is_for(self, user: str, principal: Principal | None) -> bool:
        """Whether a session of this person gets the version."""
        if not (self.users or self.roles or self.organisations):
            return True
        if user in self.users:
            return True
        return principal is not None and (
            not self.roles.isdisjoint(principal.roles)
            or principal.organisation in self.organisations
        )
