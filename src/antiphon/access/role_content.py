"""Role content: permissions, rules, included roles and approvals of a role as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antiphon.access.names import shown
from antiphon.access.roles import Role
from antiphon.contracts.rights import RightsError, ToolRule

_FIELDS = ("permissions", "rules", "includes", "approves")
_RULE_FIELDS = ("tools", "effect", "modes", "writes", "when")
MAX_ITEMS = 200
MAX_TEXT = 2000


def role_content(role: Role) -> dict[str, Any]:
    """A role as JSON, without its name."""
    return {
        "permissions": sorted(role.permissions),
        "rules": [
            {
                "tools": list(rule.tools),
                "effect": rule.effect,
                "modes": list(rule.modes),
                "writes": rule.writes,
                "when": rule.when,
            }
            for rule in role.rules
        ],
        "includes": list(role.includes),
        "approves": list(role.approves),
    }


def role_of(name: str, content: Any) -> Role:
    """The role that JSON describes; what is left out is empty. Raises RightsError."""
    given = _object(content, "a role", _FIELDS)
    rules = given.get("rules", [])
    if not isinstance(rules, list) or len(rules) > MAX_ITEMS:
        raise RightsError(f"`rules` must be a list of at most {MAX_ITEMS} objects", "rules")
    return Role(
        name,
        frozenset(_texts(given, "permissions")),
        tuple(_rule(rule, at) for at, rule in enumerate(rules)),
        _texts(given, "includes"),
        _texts(given, "approves"),
    )


def _rule(content: Any, at: int) -> ToolRule:
    where, field = f"rules[{at}]", f"rules.{at}"
    given = _object(content, f"`{where}`", _RULE_FIELDS)
    writes, when = given.get("writes"), given.get("when", "")
    if writes is not None and not isinstance(writes, bool):
        raise RightsError(f"`{where}.writes` must be true, false or null", field)
    if not isinstance(when, str) or len(when) > MAX_TEXT:
        raise RightsError(f"`{where}.when` must be a text of at most {MAX_TEXT} characters", field)
    try:
        return ToolRule(
            _texts(given, "tools", f"{where}."),
            given.get("effect", "allow"),
            _texts(given, "modes", f"{where}."),  # type: ignore[arg-type] # which it checks
            writes,
            when,
        )
    except RightsError as error:
        raise RightsError(f"`{where}`: {error}", field) from None


def _object(content: Any, what: str, names: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise RightsError(f"{what} must be an object with {', '.join(names)}")
    if unknown := [name for name in content if name not in names]:
        raise RightsError(f"{what} has no field {shown(unknown[0])}. It has: {', '.join(names)}.")
    return content


def _texts(given: Mapping[str, Any], name: str, where: str = "") -> tuple[str, ...]:
    value = given.get(name, ())
    if (
        not isinstance(value, list | tuple | set | frozenset)
        or len(value) > MAX_ITEMS
        or not all(isinstance(each, str) and 0 < len(each) <= MAX_TEXT for each in value)
    ):
        raise RightsError(f"`{where}{name}` must be a list of at most {MAX_ITEMS} texts")
    return tuple(value)
