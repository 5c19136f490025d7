"""Delegation: nobody gives more than they have, nor frees themselves of a rule that binds them."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from antiphon.access.book import SERVER_WIDE
from antiphon.access.errors import AccessRefused
from antiphon.access.roles import Role
from antiphon.contracts.principal import Principal
from antiphon.contracts.rights import Rights, ToolRule

_WILD = frozenset("?[")


class Delegation:
    """What a principal may give to others: at most what it has itself. None is the operator, who
    may give everything."""

    def __init__(self, giver: Principal | None, roles: Iterable[Role] = ()) -> None:
        """`roles` are those of the giver's organisation, for whose calls they may approve."""
        self._giver = giver
        own = () if giver is None else giver.roles
        self._approves = {each for role in roles if role.name in own for each in role.approves}

    def covers(self, given: Iterable[Role], organisation: str) -> bool:
        """Whether the giver has everything that these roles together give."""
        return self.lack(given, organisation) is None

    def lack(self, given: Iterable[Role], organisation: str) -> str | None:
        """What these roles give in an organisation and the giver has not, in words."""
        if self._giver is None:
            return None
        rights = self._giver.rights or Rights()
        roles = list(given)
        wanted = {each for role in roles for each in role.permissions}
        if organisation:
            wanted.discard(SERVER_WIDE)  # it is in force for nobody there
        if lacking := sorted(wanted - rights.permissions):
            return f"the permission `{lacking[0]}`"
        rules = [rule for role in roles for rule in role.rules]
        for rule in rules:
            if rule.effect != "refuse" and not _is_covered(rule, rights):
                return f"the tools {', '.join(f'`{each}`' for each in rule.tools)}"
        if any(rule.effect != "refuse" for rule in rules):
            for bond in _bonds(rights.rules):
                if bond not in rules:
                    return f"`{'`, `'.join(bond.tools)}` without the rule that binds you"
        approves = {each for role in roles for each in role.approves}
        if "*" not in self._approves and (lacking := sorted(approves - self._approves)):
            return f"the approval of calls of {lacking[0]!r}"
        return None

    def check(
        self, after: Iterable[Role], organisation: str, *, before: Iterable[Role] = ()
    ) -> None:
        """Raise AccessRefused unless both what was there and what is to be are the giver's to
        give, and no rule is dropped that binds the giver too."""
        old, new = list(before), list(after)
        lacking = self.lack(old, organisation) or self.lack(new, organisation)
        if lacking is None and self._giver is not None and self._giver.rights is not None:
            kept = {rule for role in new for rule in role.rules}
            dropped = {rule for role in old for rule in role.rules} - kept
            if any(rule in dropped for rule in _bonds(self._giver.rights.rules)):
                lacking = "the right to lift a rule that binds you"
        if lacking is not None:
            raise AccessRefused(
                f"You cannot give or change what you do not have yourself: {lacking}. Ask somebody "
                "who has it.",
                "forbidden",
            )


def _bonds(rules: Iterable[ToolRule]) -> list[ToolRule]:
    """The rules that take something away."""
    return [rule for rule in rules if rule.effect != "allow"]


def _is_covered(rule: ToolRule, rights: Rights) -> bool:
    """Whether somebody with these rights may do all that the rule allows."""
    if rights.within is not None and not _patterns_cover(rights.within, rule.tools):
        return False
    return any(
        own == rule
        or (
            own.effect in ("allow", rule.effect)
            and not own.when
            and (not own.modes or (bool(rule.modes) and set(rule.modes) <= set(own.modes)))
            and (own.writes is None or own.writes == rule.writes)
            and _patterns_cover(own.tools, rule.tools)
        )
        for own in rights.rules
        if own.effect != "refuse"
    )


def _patterns_cover(wide: Iterable[str], narrow: Iterable[str]) -> bool:
    """Whether whatever fits one of the narrow patterns fits one of the wide ones.

    A `*` of the narrow one is taken as a letter, which only a `*` of the wide one can stand for.
    """
    given = list(wide)
    return all(
        any(
            each == pattern
            or ("*" in pattern and not _WILD & set(pattern) and fnmatchcase(each, pattern))
            for pattern in given
        )
        for each in narrow
    )
