"""Roles: named sets of permissions and rules about tools, built in and of an organisation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from antiphon.contracts.rights import PERMISSIONS, Rights, RightsError, ToolRule

MAX_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Role:
    """A role: what it permits by itself, and the roles that it includes.

    `approves` are the users, or `group:NAME`, or `*`, whose calls it may approve as the second
    person, where `approvals.answer` is permitted.
    """

    name: str
    permissions: frozenset[str] = frozenset()
    rules: tuple[ToolRule, ...] = ()
    includes: tuple[str, ...] = ()
    approves: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if unknown := sorted(self.permissions - PERMISSIONS.keys()):
            raise RightsError(
                f"there is no permission {unknown[0]!r}. There are: {', '.join(PERMISSIONS)}.",
                "permissions",
            )


ALL_TOOLS = ToolRule(("*",))
_MEMBER = frozenset({"tools.call", "workspace.write", "knowledge.read", "knowledge.write"})
BUILT_IN: Mapping[str, Role] = {
    role.name: role
    for role in (
        Role(
            "viewer",
            frozenset({"tools.call", "knowledge.read"}),
            (ToolRule(("*",), writes=False),),
        ),
        Role("member", _MEMBER, (ALL_TOOLS,)),
        Role("approver", frozenset({"approvals.answer"}), (), ("member",), ("*",)),
        Role(
            "operator",
            frozenset({"others.read", "others.manage", "audit.read", "metrics.read", "usage.read"}),
            (),
            ("member",),
        ),
        Role("admin", frozenset(PERMISSIONS), (ALL_TOOLS,), (), ("*",)),
    )
}


def resolved(names: Iterable[str], roles: Mapping[str, Role]) -> list[Role]:
    """The roles of these names with all that they include, each once. Raises RightsError for a
    role that is not there, and for one that includes itself."""
    found: dict[str, Role] = {}

    def add(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circle = " → ".join((*path[path.index(name) :], name))
            raise RightsError(f"the role {name!r} includes itself: {circle}", "includes")
        if len(path) >= MAX_DEPTH:
            raise RightsError(
                f"roles include each other more than {MAX_DEPTH} deep: {name!r}", "includes"
            )
        role = roles.get(name)
        if role is None:
            raise RightsError(f"there is no role {name!r}. There are: {', '.join(sorted(roles))}.")
        for inner in role.includes:
            add(inner, (*path, name))
        found.setdefault(name, role)

    for name in names:
        add(name, ())
    return list(found.values())


def rights_of(
    roles: Iterable[Role],
    *,
    permissions: Iterable[str] | None = None,
    tools: Iterable[str] | None = None,
) -> Rights:
    """The rights of all these roles together; `permissions` and `tools` bound them, for a token.
    Groups in `approves` are left as they are written."""
    given = list(roles)
    granted = frozenset(each for role in given for each in role.permissions)
    return Rights(
        granted if permissions is None else granted & frozenset(permissions),
        tuple(dict.fromkeys(rule for role in given for rule in role.rules)),
        None if tools is None else tuple(tools),
        frozenset(each for role in given for each in role.approves),
    )
