"""The contract of one tool: the fields of `schema.json`, with the defaults filled in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from antiphon.contracts.provenance import Marks, Sensitivity, ToolOrigin

Category = Literal["retrieval", "action", "utility"]
SideEffects = Literal["none", "read_only", "writes"]
Mode = Literal["text", "voice"]
# The modes in which a session may call a tool beyond its own `allowedModes`, by tool id.
FurtherModes = Mapping[str, Collection[Mode]]
Execution = Literal["server", "client", "background"]
Interruption = Literal["cancel", "finish", "detach"]
Risk = Literal["low", "high"]
Isolation = Literal["inline", "thread", "process"]
HandlerKind = Literal["async", "sync", "generator"]

MAX_TIMEOUT_MS = 120_000
TIMEOUT_FACTOR = 10


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `calls` calls in any window of `window_ms` milliseconds."""

    calls: int
    window_ms: int


@dataclass(frozen=True, slots=True)
class Variant:
    """A variant handler of a tool, and the share of sessions that get it."""

    name: str
    weight: float
    handler: str


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """The contract of one tool: the fields of `schema.json`, defaults applied."""

    tool_id: str
    version: str
    description: str
    category: Category
    side_effects: SideEffects
    idempotent: bool
    requires_confirmation: bool
    allowed_modes: tuple[Mode, ...]
    latency_budget_ms: float
    parameters: dict[str, Any]
    risk: Risk = "high"
    approvals: int = 1  # how many people have to approve a call
    execution: Execution = "server"
    timeout_ms: float = 0
    interruption: Interruption = "cancel"
    rate_limit: RateLimit | None = None
    availability: dict[str, Any] = field(default_factory=dict)
    output: dict[str, Any] | None = None
    redact: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    catalogue: str | None = None
    isolation: Isolation = "inline"
    network: bool = False
    alias_of: str | None = None
    staged: bool = False
    # What nothing is known of counts as the worst: the words of others, and a way out.
    origin: ToolOrigin = "untrusted"
    sensitivity: Sensitivity = "private"
    outside: bool = True

    @property
    def consent_risk(self) -> Risk:
        """The risk of a question about a call: where only a policy wants a person asked about a
        tool that changes nothing, a deliberate answer is meant."""
        return self.risk if self.writes or self.requires_confirmation else "high"

    @property
    def writes(self) -> bool:
        """Whether a call of the tool changes something."""
        return self.side_effects == "writes"

    @property
    def marks(self) -> Marks:
        """The marks of what the tool returns, before its data says more."""
        return Marks("house" if self.origin == "trusted" else "untrusted", self.sensitivity)

    @classmethod
    def from_schema(cls, schema: dict[str, Any], kind: HandlerKind = "async") -> ToolDefinition:
        """Read a `schema.json` that has passed the lint rules; defaults follow from the rest, and
        from the kind of its handler."""
        writes = schema["sideEffects"] == "writes"
        budget = schema["latencyBudgetMs"]
        rate = schema.get("rateLimit")
        origin, sensitivity, outside = _provenance(schema)
        return cls(
            tool_id=schema["toolId"],
            version=schema["version"],
            description=schema["description"],
            category=schema["category"],
            side_effects=schema["sideEffects"],
            idempotent=schema["idempotent"],
            requires_confirmation=schema["requiresConfirmation"],
            allowed_modes=tuple(schema["allowedModes"]),
            latency_budget_ms=budget,
            parameters=schema["parameters"],
            risk=schema.get("risk", _risk(schema)),
            approvals=schema.get("approvals", 1),
            execution=schema.get("execution", "server"),
            timeout_ms=schema.get("timeoutMs", min(TIMEOUT_FACTOR * budget, MAX_TIMEOUT_MS)),
            interruption=schema.get("interruption", "finish" if writes else "cancel"),
            rate_limit=RateLimit(rate["calls"], rate["windowMs"]) if rate else None,
            availability=schema.get("availability", {}),
            output=schema.get("output"),
            redact=tuple(schema.get("redact", ())),
            variants=tuple(
                Variant(v["name"], v["weight"], v["handler"]) for v in schema.get("variants", ())
            ),
            catalogue=schema.get("catalogue"),
            isolation=schema.get("isolation", "thread" if kind == "sync" else "inline"),
            network=schema.get("network", False),
            alias_of=schema.get("aliasOf"),
            staged=schema.get("staged", False),
            origin=origin,
            sensitivity=sensitivity,
            outside=outside,
        )

    def metadata(self) -> dict[str, Any]:
        """Everything but the schemas, in the vocabulary of `schema.json`."""
        body: dict[str, Any] = {
            "toolId": self.tool_id,
            "version": self.version,
            "description": self.description,
            "category": self.category,
            "sideEffects": self.side_effects,
            "origin": self.origin,
            "sensitivity": self.sensitivity,
            "outside": self.outside,
            "idempotent": self.idempotent,
            "requiresConfirmation": self.requires_confirmation,
            "risk": self.risk,
            "allowedModes": list(self.allowed_modes),
            "latencyBudgetMs": self.latency_budget_ms,
            "execution": self.execution,
            "timeoutMs": self.timeout_ms,
            "interruption": self.interruption,
            "isolation": self.isolation,
        }
        if self.approvals > 1:
            body["approvals"] = self.approvals
        if self.network:
            body["network"] = True
        if self.rate_limit:
            body["rateLimit"] = {
                "calls": self.rate_limit.calls,
                "windowMs": self.rate_limit.window_ms,
            }
        if self.availability:
            body["availability"] = self.availability
        if self.output is not None:
            body["output"] = self.output
        if self.redact:
            body["redact"] = list(self.redact)
        if self.variants:
            body["variants"] = [
                {"name": v.name, "weight": v.weight, "handler": v.handler} for v in self.variants
            ]
        if self.catalogue is not None:
            body["catalogue"] = self.catalogue
        if self.alias_of is not None:
            body["aliasOf"] = self.alias_of
        if self.staged:
            body["staged"] = True
        return body


def _provenance(schema: dict[str, Any]) -> tuple[ToolOrigin, Sensitivity, bool]:
    """Where the text of a tool comes from, how sensitive it is and whether it reaches outside.
    Unsaid, the worst; but what is computed from the arguments alone brings nothing."""
    computed = schema["sideEffects"] == "none" and not schema.get("network", False)
    return (
        schema.get("origin", "trusted" if computed else "untrusted"),
        schema.get("sensitivity", "public" if computed else "private"),
        schema.get("outside", not computed),
    )


def _risk(schema: dict[str, Any]) -> Risk:
    """The risk of a tool that names none: low where nothing is changed and nobody is asked."""
    asked = schema["sideEffects"] == "writes" or schema["requiresConfirmation"]
    return "high" if asked else "low"
