"""Rights of a principal: permissions, and rules about the tools that it may call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, Literal

from antiphon.contracts.availability import ExpressionError, parse_expression
from antiphon.contracts.definition import Mode, ToolDefinition

Effect = Literal["allow", "ask", "refuse"]

# Every permission there is, with what it lets somebody do. A route names the one that it needs.
PERMISSIONS: Mapping[str, str] = {
    "tools.call": "Talk to the assistant and call tools.",
    "workspace.write": "Change one's own macros, projects, schedules, events and conversations.",
    "knowledge.read": "Search and read the knowledge databases of the organisation.",
    "knowledge.write": "Add, change and delete records and knowledge databases.",
    "approvals.answer": "Approve or deny calls that others in the organisation have asked for.",
    "others.read": "See the sessions, runs and tasks of everybody in the organisation.",
    "others.manage": "End sessions, lift blocks and withdraw grants of others.",
    "audit.read": "Read, export and replay the audit of the organisation.",
    "metrics.read": "See the metrics of the server.",
    "usage.read": "See what everybody in the organisation has used and spent.",
    "limits.manage": "Set limits and spending caps.",
    "keys.manage": "Set and remove the keys of model providers.",
    "mcp.manage": "Add and remove MCP servers, which may run programs, and accept their tools.",
    "users.manage": "Make, change and remove users, groups, tokens and invitations.",
    "roles.manage": "Make, change and remove roles.",
    "organisations.manage": "Make and remove organisations, and act in all of them.",
}


class RightsError(ValueError):
    """A rule or permission that cannot be used; the message says what is wrong with it, `field`
    where it stands in what was given, as `rules.0` ('' where that is not known)."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class ToolRule:
    """One rule about tools: whom it lets call what.

    `tools` are ids or patterns with `*`. It concerns calls in one of `modes` (all if empty), of
    tools that write or only read (`writes`), and whose arguments and session meet `when`, an
    expression as of `availability.when` with `args` beside the fields of the session. Raises
    RightsError.
    """

    tools: tuple[str, ...]
    effect: Effect = "allow"
    modes: tuple[Mode, ...] = ()
    writes: bool | None = None
    when: str = ""

    def __post_init__(self) -> None:
        if not self.tools or not all(isinstance(one, str) and one for one in self.tools):
            raise RightsError("a rule names its tools: ids, or patterns such as `calendar_*`")
        if self.effect not in ("allow", "ask", "refuse"):
            raise RightsError(f"the effect of a rule is allow, ask or refuse, not {self.effect!r}")
        if unknown := sorted(set(self.modes) - {"text", "voice"}):
            raise RightsError(f"a mode is text or voice, not {unknown[0]!r}")
        try:
            _ = self._met
        except ExpressionError as error:
            raise RightsError(f"`when`: {error}") from None

    @cached_property
    def _met(self) -> Any:
        return parse_expression(self.when) if self.when else None

    def concerns(self, tool: ToolDefinition, mode: Mode) -> bool:
        """Whether it is about calls of this tool in this mode, whatever their arguments."""
        return (
            (not self.modes or mode in self.modes)
            and (self.writes is None or self.writes == tool.writes)
            and matches(tool.tool_id, self.tools)
        )

    def is_met(self, args: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
        """Whether arguments and session meet its condition."""
        return self._met is None or bool(self._met({**fields, "args": args}))


@dataclass(frozen=True, slots=True)
class Rights:
    """What a principal may do: permissions, rules about tools, and the tools that a token is for.

    A call is refused by any rule that refuses it, and unless a rule allows it; a rule that asks
    lets it through to a person. `within` are patterns: nothing beside them is allowed (None: no
    such bound). `approves` are the users whose calls it may approve as the second person, or `*`,
    where `approvals.answer` is permitted.
    """

    permissions: frozenset[str] = frozenset()
    rules: tuple[ToolRule, ...] = ()
    within: tuple[str, ...] | None = None
    approves: frozenset[str] = frozenset()

    def may_see(self, tool: ToolDefinition, mode: Mode | None = None) -> bool:
        """Whether there are arguments with which the tool may be called in this mode, or in any: it
        is shown then."""
        if mode is None:
            return self.may_see(tool, "text") or self.may_see(tool, "voice")
        if "tools.call" not in self.permissions or not self._is_within(tool):
            return False
        found = [rule for rule in self.rules if rule.concerns(tool, mode)]
        if any(rule.effect == "refuse" and not rule.when for rule in found):
            return False
        return any(rule.effect != "refuse" for rule in found)

    def decide(
        self,
        tool: ToolDefinition,
        mode: Mode,
        args: Mapping[str, Any],
        fields: Mapping[str, Any],
    ) -> Effect:
        """Allow, ask or refuse a call with these arguments."""
        if "tools.call" not in self.permissions or not self._is_within(tool):
            return "refuse"
        effects = {
            rule.effect
            for rule in self.rules
            if rule.concerns(tool, mode) and rule.is_met(args, fields)
        }
        if "refuse" in effects or not effects:
            return "refuse"
        return "ask" if "ask" in effects else "allow"

    def may_approve(
        self,
        tool: ToolDefinition,
        mode: Mode,
        args: Mapping[str, Any],
        fields: Mapping[str, Any],
    ) -> bool:
        """Whether it may approve such a call of somebody else: it need not be allowed to make the
        call, but nobody approves for others what a rule refuses to themselves."""
        return (
            "approvals.answer" in self.permissions
            and self._is_within(tool)
            and not any(
                rule.effect == "refuse" and rule.concerns(tool, mode) and rule.is_met(args, fields)
                for rule in self.rules
            )
        )

    def _is_within(self, tool: ToolDefinition) -> bool:
        return self.within is None or matches(tool.tool_id, self.within)


def matches(tool_id: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns is the id, or one with `*` that fits it."""
    return any(
        pattern == tool_id or ("*" in pattern and fnmatchcase(tool_id, pattern))
        for pattern in patterns
    )
