"""Tool versions by person: which of several versions of a tool a session gets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from antiphon.contracts import Principal
from antiphon.contracts.version_rules import VersionRule
from antiphon.registry.registry import Snapshot


class ToolVersions:
    """The rules in force; of several about one tool the first that is for somebody holds."""

    def __init__(self, rules: Iterable[VersionRule] = ()) -> None:
        self.rules = tuple(rules)

    def check(self, snapshot: Snapshot) -> None:
        """Raise ValueError for a rule about a tool or version that is not there."""
        for rule in self.rules:
            there = snapshot.versions.get(rule.tool)
            if there is None:
                raise ValueError(
                    f"`tools.versions` is about {rule.tool!r}, and there is no such tool"
                )
            if rule.version not in there:
                raise ValueError(
                    f"`tools.versions` names version {rule.version!r} of {rule.tool}, which has "
                    f"{', '.join(there)}"
                )

    def choose(
        self,
        snapshot: Snapshot,
        user: str,
        principal: Principal | None,
        kept: Mapping[str, Any] | None = None,
    ) -> Snapshot:
        """Return the tools of a person, in their versions. `kept` are versions that a session had
        already; one that is gone is replaced by what is chosen today."""
        chosen: dict[str, str] = {}
        for rule in self.rules:
            if rule.tool not in chosen and rule.is_for(user, principal):
                chosen[rule.tool] = rule.version
        return snapshot.chosen({**chosen, **(kept or {})})
