"""Says what changed between two compiled artifacts, and whether a change breaks callers.

A change of the parameters breaks callers when a call that was valid may now be refused. A change
of the output breaks them when a result may now come that the old schema did not promise. What
cannot be shown to be compatible counts as breaking, and the message says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from antiphon.registry.schemas import (
    Document,
    Path,
    UnusableSchema,
    compile_schema,
    dumps,
    json_key,
    json_type,
    pointer,
    schema_problems,
)

MAX_DEPTH = 150
MAX_STEPS = 5_000

# What the new side accepts, against the old: less, more, the same, or not to be told.
Effect = Literal["narrower", "wider", "same", "unclear"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference within a tool; `pointer` leads into the tool's entry of the new artifact."""

    pointer: str
    kind: str
    breaking: bool
    message: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "pointer": self.pointer,
            "kind": self.kind,
            "breaking": self.breaking,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class ToolDiff:
    """A tool that both artifacts hold, and what is different about it."""

    tool_id: str
    old_version: str
    new_version: str
    changes: tuple[Change, ...]

    @property
    def breaking(self) -> bool:
        return any(change.breaking for change in self.changes)

    def to_dict(self) -> dict[str, Any]:
        return {
            "toolId": self.tool_id,
            "oldVersion": self.old_version,
            "newVersion": self.new_version,
            "breaking": self.breaking,
            "changes": [change.to_dict() for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class ArtifactDiff:
    """Everything different between two artifacts, tools in order of their names."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ToolDiff, ...]

    @property
    def breaking(self) -> bool:
        """A tool that is gone breaks its callers; a new one breaks nobody."""
        return bool(self.removed) or any(tool.breaking for tool in self.changed)

    def to_dict(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": [tool.to_dict() for tool in self.changed],
            "breaking": self.breaking,
        }


def diff_artifacts(old: dict[str, Any], new: dict[str, Any]) -> ArtifactDiff:
    """Compare the contents of two `tool_registry.json`. Raises ValueError when one is malformed."""
    before, after = _tools(old, "old"), _tools(new, "new")
    changed = []
    for tool_id in sorted(before.keys() & after.keys()):
        if before[tool_id] is after[tool_id]:
            continue
        _check_schemas(before[tool_id], "old")
        _check_schemas(after[tool_id], "new")
        changes = _tool_changes(before[tool_id], after[tool_id])
        if changes:
            versions = before[tool_id]["version"], after[tool_id]["version"]
            changed.append(ToolDiff(tool_id, *versions, tuple(changes)))
    return ArtifactDiff(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(changed),
    )


def _tools(artifact: object, which: str) -> dict[str, dict[str, Any]]:
    tools: dict[str, dict[str, Any]] = {}
    listed = artifact.get("tools") if isinstance(artifact, dict) else None
    if not isinstance(listed, list):
        raise _malformed(which, "it is not an object with a list `tools`")
    for index, tool in enumerate(listed):
        where = f"/tools/{index}"
        if not isinstance(tool, dict):
            raise _malformed(which, f"{where} is not an object")
        for name in ("toolId", "version"):
            if not isinstance(tool.get(name), str):
                raise _malformed(which, f"{where}/{name} is missing or not a string")
        if "jsonSchema" not in tool:
            raise _malformed(which, f"{where}/jsonSchema is missing")
        if tool["toolId"] in tools:
            raise _malformed(which, f"{where}: `{tool['toolId']}` is there twice")
        tools[tool["toolId"]] = tool
    return tools


def _malformed(which: str, trouble: str) -> ValueError:
    advice = "give the tool_registry.json that `antiphon build` wrote"
    return ValueError(f"the {which} artifact is no compiled registry: {trouble}; {advice}")


def _check_schemas(tool: dict[str, Any], which: str) -> None:
    """Only what differs is looked into, so only that needs to hold valid schemas."""
    if _is_deep(tool):
        raise _malformed(which, f"`{tool['toolId']}` is nested deeper than {MAX_DEPTH} levels")
    for name in ("jsonSchema", "output"):
        problems = schema_problems(tool[name]) if name in tool else []
        if problems:
            where, trouble = problems[0]
            place = f"/{name}{where} of `{tool['toolId']}`"
            raise _malformed(which, f"{place} is no valid JSON Schema ({trouble})")


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return False
    return True


# --- one tool ------------------------------------------------------------------------------------


def _tool_changes(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    changes = _Schemas(old["jsonSchema"], new["jsonSchema"], ("jsonSchema",), results=False).run()
    changes += _output_changes(old, new)
    schema_changed = any(c.kind != "documentation-changed" for c in changes)
    for name in sorted((old.keys() | new.keys()) - _APART):
        before, after = old.get(name), new.get(name)
        if json_key(before) == json_key(after):
            continue
        rule = _RULES.get(name)
        found = rule(before, after, old, new) if rule else None
        if found is None:
            found = [(True, f"`{name}` is not understood here and cannot be shown compatible")]
        kind = _kebab(name) + "-changed"
        changes += [Change(f"/{name}", kind, breaking, message) for breaking, message in found]
    if not changes and old.get("digest") != new.get("digest"):
        message = "its sources changed (guide or handler) though its contract did not"
        changes.append(Change("/digest", "implementation-changed", False, message))
    return changes + _version_notes(old, new, schema_changed, any(c.breaking for c in changes))


def _output_changes(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    if "output" in old and "output" in new:
        return _Schemas(old["output"], new["output"], ("output",), results=True).run()
    if "output" in old:
        message = "the output schema is gone: what the result holds is no longer promised"
        return [Change("/output", "output-removed", True, message)]
    if "output" in new:
        return [Change("/output", "output-added", False, "what the result holds is now promised")]
    return []


def _version_notes(
    old: dict[str, Any], new: dict[str, Any], schema_changed: bool, breaking: bool
) -> list[Change]:
    before, after = old["version"], new["version"]
    notes = []
    if before != after:
        message = f"version {before} became {after}"
        notes.append(Change("/version", "version-changed", False, message))
    elif schema_changed:
        message = f"its schema changed but its version is still {before}; raise it"
        notes.append(Change("/version", "version-not-raised", False, message))
    if breaking and not _is_major_step(before, after):
        message = "callers may break, which semantic versioning marks by a new major version"
        notes.append(Change("/version", "major-not-raised", False, message))
    return notes


def _is_major_step(before: str, after: str) -> bool:
    """Before 1.0.0 the minor number plays the part of the major one."""

    def significant(version: str) -> tuple[int, ...] | None:
        numbers = version.partition("-")[0].partition("+")[0].split(".")
        if not all(n.isascii() and n.isdecimal() and len(n) < 10 for n in numbers):
            return None
        major, minor = (int(n) for n in [*numbers, "0"][:2])
        return (major,) if major else (0, minor)

    old, new = significant(before), significant(after)
    return old is not None and new is not None and new > old


# A rule gives (breaking, message) for each difference; None: the values are not understood.
_Findings = list[tuple[bool, str]] | None
_Rule = Callable[[Any, Any, dict[str, Any], dict[str, Any]], _Findings]


def _noted(text: str) -> _Rule:
    return lambda *_: [(False, text)]


def _from_to(what: str) -> _Rule:
    return lambda before, after, *_: [(False, f"{what} {dumps(before)} became {dumps(after)}")]


def _side_effects(before: Any, after: Any, *_: Any) -> _Findings:
    if after == "writes":
        return [(True, f"the tool wrote nothing ({before}) and now writes")]
    return [(False, f"side effects {before} became {after}")]


def _idempotent(before: Any, *_: Any) -> _Findings:
    if before is True:
        return [(True, "it was safe to run again and no longer is: a repeated call may act twice")]
    return [(False, "it is now safe to run again")]


def _confirmation(_before: Any, after: Any, *_: Any) -> _Findings:
    if after is True:
        return [(True, "a person must now approve it: unattended callers no longer get through")]
    return [(False, "it no longer needs a person's approval")]


def _risk(_before: Any, after: Any, old: dict[str, Any], *_: Any) -> _Findings:
    if after == "low":
        return [(False, "it may now also be approved by a spoken yes")]
    asked = old.get("requiresConfirmation") is True
    return [(asked, "a spoken yes no longer approves it")]


def _modes(before: Any, after: Any, *_: Any) -> _Findings:
    lost, gained = _lost_and_gained(before, after)
    found = [(True, f"no longer allowed in {mode} mode") for mode in lost]
    return found + [(False, f"now allowed in {mode} mode") for mode in gained]


def _timeout(before: Any, after: Any, *_: Any) -> _Findings:
    lower = _is_number(before) and _is_number(after) and after < before
    text = "calls that take longer are now cut off" if lower else "calls may take longer"
    return [(False, f"timeout {dumps(before)} ms became {dumps(after)} ms: {text}")]


def _execution(before: Any, after: Any, *_: Any) -> _Findings:
    if (before or "server") == (after or "server"):
        return []
    harmless = before == "client" and after == "server"
    message = f"it ran in `{before or 'server'}` and now runs in `{after or 'server'}`"
    if harmless:
        return [(False, message)]
    return [(True, f"{message}: the answer comes another way, and not every caller can take it")]


def _rate_limit(before: Any, after: Any, *_: Any) -> _Findings:
    if after is None:
        return [(False, "the rate limit is gone")]
    if not _is_limit(after) or not (before is None or _is_limit(before)):
        return None
    shown = f"{after['calls']} calls in {after['windowMs']} ms"
    if before is None:
        return [(True, f"calls are now limited to {shown}")]
    was = f"{before['calls']} calls in {before['windowMs']} ms"
    # How many calls the old limit could let through in one window of the new one.
    windows = 1 if after["windowMs"] <= before["windowMs"] else None
    if windows is None:
        windows = int(after["windowMs"] // before["windowMs"]) + 1
    lowered = after["calls"] < before["calls"] * windows
    return [(lowered, f"the rate limit {was} became {shown}")]


def _is_limit(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and _is_number(value.get("calls"))
        and _is_number(value.get("windowMs"))
        and value["windowMs"] > 0
    )


def _availability(before: Any, after: Any, *_: Any) -> _Findings:
    if not isinstance(before or {}, dict) or not isinstance(after or {}, dict):
        return None
    old, new = before or {}, after or {}
    found: list[tuple[bool, str]] = []
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        if now is None or (name == "requiresAuth" and now is False):
            found.append((False, f"`{name}` no longer restricts who may call it"))
        elif name == "requiresAuth":
            found.append((True, "callers must now be signed in"))
        elif name in ("roles", "providers") and isinstance(was, list) and isinstance(now, list):
            lost, gained = _lost_and_gained(was, now)
            found += [(True, f"no longer available to {name} {dumps(item)}") for item in lost]
            found += [(False, f"now available to {name} {dumps(item)}") for item in gained]
        elif name == "env" and isinstance(was, list) and isinstance(now, list):
            freed, needed = _lost_and_gained(was, now)
            found += [(True, f"now needs the environment variable {item}") for item in needed]
            found += [(False, f"no longer needs the variable {item}") for item in freed]
        elif was is None and name in ("roles", "providers", "env", "when"):
            found.append((True, f"available only under a new condition, `{name}` {dumps(now)}"))
        else:
            found.append((True, f"the condition `{name}` changed and cannot be shown compatible"))
    return found


def _lost_and_gained(before: Any, after: Any) -> tuple[list[Any], list[Any]]:
    old = before if isinstance(before, list) else []
    new = after if isinstance(after, list) else []
    return _without(old, new), _without(new, old)


def _without(values: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    keys = {json_key(other) for other in others}
    return [value for value in values if json_key(value) not in keys]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _negative(value: Any) -> Any:
    return None if value is None else -value


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name)


_APART = {"toolId", "version", "jsonSchema", "output", "digest"}
_RULES: dict[str, _Rule] = {
    "description": _noted("the description that the model sees changed"),
    "summary": _noted("the summary changed"),
    "documentation": _noted("the guide changed"),
    "handlerPath": _from_to("handler"),
    "category": _from_to("category"),
    "sideEffects": _side_effects,
    "idempotent": _idempotent,
    "requiresConfirmation": _confirmation,
    "risk": _risk,
    "allowedModes": _modes,
    "latencyBudgetMs": _from_to("latency budget (ms)"),
    "timeoutMs": _timeout,
    "execution": _execution,
    "interruption": _from_to("what an interruption does:"),
    "rateLimit": _rate_limit,
    "availability": _availability,
    "redact": _noted("what is kept out of audit and logs changed"),
    "variants": _noted("the variants of its handler changed"),
    "providerSchemas": _noted("what providers are shown changed"),
    "losses": _noted("what providers cannot be shown changed"),
}


# --- two schemas ---------------------------------------------------------------------------------

_ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NUMERIC = frozenset({"integer", "number"})
_ANNOTATIONS = frozenset(
    {"title", "description", "examples", "deprecated", "readOnly", "writeOnly", "contentEncoding"}
    | {"contentMediaType", "contentSchema"}
)
_SILENT = frozenset({"$comment", "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor"})
_SIZES = {
    "minLength": "string",
    "maxLength": "string",
    "minItems": "array",
    "maxItems": "array",
    "minProperties": "object",
    "maxProperties": "object",
}
_TEXTS = ("pattern", "format")
_PLAIN = frozenset(
    {"$ref", "type", "enum", "const", "default", "multipleOf", "uniqueItems", "required"}
    | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "dependentRequired"}
    | {"properties", "patternProperties", "additionalProperties", "items", "prefixItems"}
    | {"allOf", "anyOf", "oneOf", *_SIZES, *_TEXTS}
)
# Keywords that are compared only for being the same, in groups that mean something together.
_OPAQUE: tuple[tuple[str, ...], ...] = (
    ("not",),
    ("if", "then", "else"),
    ("dependentSchemas",),
    ("propertyNames",),
    ("contains", "minContains", "maxContains"),
)
_OPAQUE_NAMES = frozenset(name for group in _OPAQUE for name in group)
_UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
# Where one of these stands, a default that is filled in may change what else is valid.
_COUNTS_PRESENCE = (
    {"minProperties", "maxProperties", "dependentRequired", "allOf", "anyOf", "oneOf", "$ref"}
    | _OPAQUE_NAMES
    | set(_UNEVALUATED)
)


class _TooMuch(Exception):
    """The schemas are too large or too deep to compare."""


class _Schemas:
    """Compares two schemas keyword by keyword.

    A schema is the conjunction of its keywords, so if every keyword of the new one follows from
    the old ones, everything that was valid still is. `results` turns the question round.
    """

    def __init__(self, old: Any, new: Any, prefix: Path, *, results: bool) -> None:
        self.old, self.new = Document(old), Document(new)
        self.prefix = prefix
        self.results = results
        self.found: list[tuple[Path, str, Effect, str]] = []
        self.under_way: set[tuple[Path | None, Path | None, bool]] = set()
        self.seen: set[tuple[Path | None, Path | None, bool]] = set()
        self.steps = 0

    def run(self) -> list[Change]:
        try:
            self.walk((), (), (), filled=not self.results)
        except _TooMuch:
            message = "the schemas are too large to compare and cannot be shown compatible"
            self.found.append(((), "too-large", "unclear", message))
        breaking = ("unclear", "wider" if self.results else "narrower")
        return [
            Change(pointer((*self.prefix, *at)), kind, effect in breaking, message)
            for at, kind, effect, message in dict.fromkeys(self.found)
        ]

    def note(self, at: Path, kind: str, effect: Effect, message: str) -> None:
        if effect == "unclear":
            message += "; it cannot be shown compatible"
        self.found.append((at, kind, effect, message))

    def trial(self, old: Path | None, new: Path | None) -> Effect:
        """The effect of one schema taking the place of the other, without noting it."""
        kept, kept_seen = self.found, self.seen
        self.found, self.seen = [], set(self.under_way)
        try:
            self.walk(old, new, (), filled=False)
            effects = {effect for _, _, effect, _ in self.found} - {"same"}
        finally:
            self.found, self.seen = kept, kept_seen
        if not effects:
            return "same"
        return effects.pop() if len(effects) == 1 else "unclear"

    def walk(self, old_path: Path | None, new_path: Path | None, at: Path, *, filled: bool) -> None:
        """Compare two places (None: anything goes). `filled`: the run time fills in defaults."""
        old_path, old = _settle(self.old, old_path)
        new_path, new = _settle(self.new, new_path)
        key = (old_path, new_path, filled)
        if key in self.seen:
            # Either noted already or under way further up, which then decides.
            return
        self.steps += 1
        if self.steps > MAX_STEPS or len(self.under_way) > MAX_DEPTH:
            raise _TooMuch
        self.seen.add(key)
        self.under_way.add(key)
        at = at if new_path is None else new_path
        if old is False or new is False:
            if new is False and old is not False:
                self.note(at, "forbidden", "narrower", "nothing is accepted here any more")
            elif old is False and new is not False:
                self.note(at, "allowed", "wider", "what was forbidden here is now accepted")
        else:
            self.compare(_Pair(self, old_path, new_path, old, new, at, filled))
        self.under_way.discard(key)

    def differing_roots(self) -> bool:
        return bool(json_key(self.old.root) != json_key(self.new.root))

    def compare(self, pair: _Pair) -> None:
        pair.documentation()
        if any(name in pair.names for name in _UNEVALUATED):
            if not pair.same(*pair.names - _ANNOTATIONS - _SILENT):
                message = "a schema with `unevaluated…` changed"
                self.note(pair.at, "unevaluated-changed", "unclear", message)
            return
        pair.references()
        pair.types()
        pair.values()
        pair.bounds()
        pair.sizes()
        pair.multiples()
        pair.texts()
        pair.uniqueness()
        pair.requirements()
        pair.dependents()
        pair.members()
        pair.elements()
        pair.conjunction()
        pair.alternatives("anyOf")
        pair.alternatives("oneOf")
        pair.opaque()


@dataclass(slots=True)
class _Pair:
    """Two schema objects that take each other's place, with one method for each keyword group."""

    run: _Schemas
    old_path: Path | None
    new_path: Path | None
    old: dict[str, Any]
    new: dict[str, Any]
    at: Path
    filled: bool

    @property
    def names(self) -> set[str]:
        return self.old.keys() | self.new.keys()

    def note(self, kind: str, effect: Effect, message: str, *where: str | int) -> None:
        self.run.note((*self.at, *where), kind, effect, message)

    def differs(self, name: str) -> bool:
        if (name in self.old) != (name in self.new):
            return True
        return bool(json_key(self.old.get(name)) != json_key(self.new.get(name)))

    def same(self, *names: str) -> bool:
        """Whether these keywords are equal, and all that they refer to is."""
        if any(self.differs(name) for name in names):
            return False
        return all(
            _identical(self.run.old, (*(self.old_path or ()), n), self.run.new, self.at + (n,))
            for n in names
            if n in self.old
        )

    def matters(self, *types: str) -> bool:
        """Whether a keyword for these types touches anything that must stay accepted."""
        return bool(_types(self.new if self.run.results else self.old) & set(types))

    def child(self, side: str, *steps: str | int) -> Path:
        path = self.old_path if side == "old" else self.new_path
        return (*(path or ()), *steps)

    def walk(self, old: Path | None, new: Path | None, *steps: str | int, filled: bool) -> None:
        self.run.walk(old, new, (*self.at, *steps), filled=filled)

    def documentation(self) -> None:
        for name in sorted(self.names & _ANNOTATIONS):
            if self.differs(name):
                self.note("documentation-changed", "same", f"`{name}` changed", name)
        known = _PLAIN | _ANNOTATIONS | _SILENT | _OPAQUE_NAMES | set(_UNEVALUATED)
        for name in sorted(self.names - known):
            if name.startswith("x-"):
                if self.differs(name):
                    self.note("documentation-changed", "same", f"`{name}` changed", name)
            elif self.differs(name) or (name == "$dynamicRef" and self.run.differing_roots()):
                self.note("unknown-keyword", "unclear", f"`{name}` is not understood here", name)

    def references(self) -> None:
        """A `$ref` that could not be followed, or that other keywords stand beside."""
        old, new = self.old.get("$ref"), self.new.get("$ref")
        if old is None and new is None:
            return
        old_to = _target(self.run.old, self.old_path, old)
        new_to = _target(self.run.new, self.new_path, new)
        if old is not None and new is not None:
            if old_to is not None and new_to is not None:
                self.walk(old_to, new_to, "$ref", filled=False)
            elif old != new or self.run.differing_roots():
                self.note("reference-changed", "unclear", "`$ref` leads out of the schema", "$ref")
        elif new is not None:
            self.note("reference-added", "narrower", f"must now also match `{new}`", "$ref")
        else:
            self.note("reference-removed", "wider", f"need no longer match `{old}`", "$ref")

    def types(self) -> None:
        if not self.differs("type"):
            return
        lost = _types(self.old) - _declared(self.new)
        gained = _types(self.new) - _declared(self.old)
        if lost:
            message = f"no longer accepts {_listed(lost)}"
            self.note("type-narrowed", "narrower", message, "type")
        if gained:
            self.note("type-widened", "wider", f"now also accepts {_listed(gained)}", "type")

    def values(self) -> None:
        old, new = _values(self.old), _values(self.new)
        where = "const" if "const" in (self.new if new is not None else self.old) else "enum"
        if old is None and new is not None:
            message = f"only these values are accepted now: {_shown(new)}"
            self.note("values-restricted", "narrower", message, where)
        elif old is not None and new is None:
            message = "no longer limited to certain values"
            self.note("values-unrestricted", "wider", message, where)
        elif old is not None and new is not None:
            lost, gained = _without(old, new), _without(new, old)
            if lost:
                message = f"no longer accepts {_shown(lost)}"
                self.note("values-removed", "narrower", message, where)
            if gained:
                self.note("values-added", "wider", f"now also accepts {_shown(gained)}", where)

    def bounds(self) -> None:
        for inclusive, exclusive, sign in (
            ("minimum", "exclusiveMinimum", 1),
            ("maximum", "exclusiveMaximum", -1),
        ):
            if not (self.differs(inclusive) or self.differs(exclusive)):
                continue
            where = inclusive if self.differs(inclusive) else exclusive
            try:
                old = _bound(self.old, inclusive, exclusive, sign)
                new = _bound(self.new, inclusive, exclusive, sign)
            except TypeError:
                self.note("bound-changed", "unclear", f"`{where}` is not a number", where)
                continue
            self.limit(where, old, new, *_NUMERIC)

    def sizes(self) -> None:
        for name, kind in _SIZES.items():
            if not self.differs(name):
                continue
            old, new = self.old.get(name), self.new.get(name)
            if not all(value is None or _is_number(value) for value in (old, new)):
                self.note("bound-changed", "unclear", f"`{name}` is not a number", name)
            elif name.startswith("min"):
                self.limit(name, old or 0, new or 0, kind)
            else:
                self.limit(name, _negative(old), _negative(new), kind)

    def limit(self, name: str, old: Any, new: Any, *types: str) -> None:
        """Of two limits the greater is the tighter; None is no limit."""
        if old == new:
            return
        tighter = old is None or (new is not None and new > old)
        was, now = (dumps(side[name]) if name in side else "none" for side in (self.old, self.new))
        message = f"`{name}` {'tightened' if tighter else 'loosened'}: {was} became {now}"
        kind = "bound-tightened" if tighter else "bound-loosened"
        effect: Effect = "narrower" if tighter else "wider"
        self.note(kind, effect if self.matters(*types) else "same", message, name)

    def multiples(self) -> None:
        if not self.differs("multipleOf"):
            return
        old, new = self.old.get("multipleOf"), self.new.get("multipleOf")
        effect: Effect = "unclear"
        if old is None or new is None:
            effect = "narrower" if old is None else "wider"
        elif _is_number(old) and _is_number(new) and old > 0 and new > 0:
            ratio = Fraction(str(new)) / Fraction(str(old))
            if ratio.denominator == 1:
                effect = "narrower"
            elif ratio.numerator == 1:
                effect = "wider"
        message = f"`multipleOf` {dumps(old)} became {dumps(new)}"
        effect = effect if self.matters(*_NUMERIC) else "same"
        self.note("multiple-changed", effect, message, "multipleOf")

    def texts(self) -> None:
        for name in _TEXTS:
            if not self.differs(name):
                continue
            effect: Effect = "unclear"
            message = f"`{name}` {dumps(self.old.get(name))} became {dumps(self.new.get(name))}"
            kind = f"{name}-changed"
            if name not in self.old:
                effect, kind = "narrower", f"{name}-added"
                message = f"must now match the {name} {dumps(self.new[name])}"
            elif name not in self.new:
                effect, kind = "wider", f"{name}-removed"
                message = f"need no longer match the {name} {dumps(self.old[name])}"
            self.note(kind, effect if self.matters("string") else "same", message, name)

    def uniqueness(self) -> None:
        old, new = self.old.get("uniqueItems", False), self.new.get("uniqueItems", False)
        if old == new:
            return
        effect: Effect = "narrower" if new else "wider"
        message = "items must now differ" if new else "items may now be equal"
        effect = effect if self.matters("array") else "same"
        self.note("uniqueness-changed", effect, message, "uniqueItems")

    def requirements(self) -> None:
        before, after = set(self.old.get("required") or ()), set(self.new.get("required") or ())
        old_defaults = _defaults(self.run.old, self.old_path, self.old)
        new_defaults = _defaults(self.run.new, self.new_path, self.new)
        kept = {
            name
            for name in before & after & old_defaults.keys() & new_defaults.keys()
            if json_key(old_defaults[name]) == json_key(new_defaults[name])
        }
        if self.filled:
            # Doubt counts against the change: old defaults were of use, new ones must be shown to.
            before -= old_defaults.keys()
            if self.usable(new_defaults):
                after -= new_defaults.keys()
        narrower: Effect = "narrower" if self.matters("object") else "same"
        for name in sorted(after - before - kept):
            had = self.run.results or name in _properties(self.old)
            message = f"`{name}` is now required" if had else f"`{name}` is new and required"
            self.note("required-added", narrower, message, "required")
        wider: Effect = "wider" if self.matters("object") else "same"
        for name in sorted(before - after - kept):
            word = "promised" if self.run.results else "required"
            self.note("required-removed", wider, f"`{name}` is no longer {word}", "required")
        self.defaults(old_defaults, new_defaults)

    def usable(self, defaults: dict[str, Any]) -> bool:
        """Whether filling in can make the object valid: all defaults are taken together or none."""
        return not _COUNTS_PRESENCE & self.new.keys() and all(
            _is_valid(self.run.new, self.child("new", "properties", name), default)
            for name, default in defaults.items()
        )

    def defaults(self, old: dict[str, Any], new: dict[str, Any]) -> None:
        """A default decides what a call means, and with other keywords even whether it is valid."""
        shared = _properties(self.old).keys() & _properties(self.new).keys()
        for name in sorted((old.keys() | new.keys()) & shared):
            if name in old and name in new and json_key(old[name]) == json_key(new[name]):
                continue
            decides = self.filled and bool(_COUNTS_PRESENCE & self.names)
            message = f"`{name}` has no default any more"
            if name in new:
                message = f"the default of `{name}` is now {dumps(new[name])}"
            elif not self.filled and not self.run.results:
                # Where filling in is not certain, neither is that it was not relied on.
                decides = decides or name in (self.new.get("required") or ())
            effect: Effect = "unclear" if decides else "same"
            self.note("default-changed", effect, message, "properties", name, "default")

    def dependents(self) -> None:
        if not self.differs("dependentRequired") or not self.matters("object"):
            return
        old, new = self.old.get("dependentRequired"), self.new.get("dependentRequired")
        effects: set[Effect] = set()
        old, new = old or {}, new or {}
        for name in old.keys() | new.keys():
            lost, gained = _lost_and_gained(old.get(name), new.get(name))
            if lost:
                effects.add("wider")
            if gained:
                effects.add("narrower")
        effect: Effect = effects.pop() if len(effects) == 1 else "unclear" if effects else "same"
        message = "which properties need which others changed"
        self.note("dependency-changed", effect, message, "dependentRequired")

    def members(self) -> None:
        old, new = _properties(self.old), _properties(self.new)
        if not self.matters("object"):
            return
        patterned = bool(self.old.get("patternProperties") or self.new.get("patternProperties"))
        filled = self.filled and not _COUNTS_PRESENCE & self.new.keys()
        for name in sorted(old.keys() | new.keys()):
            old_path = self.member("old", name)
            new_path = self.member("new", name)
            if name in old and name in new:
                self.walk(old_path, new_path, "properties", name, filled=filled)
                continue
            effect = "unclear" if patterned else self.run.trial(old_path, new_path)
            if name in old:
                message = f"the parameter `{name}` is gone"
                if self.run.results:
                    message = f"the field `{name}` is no longer described"
                self.note("property-removed", effect, message, "properties", name)
            else:
                message = f"`{name}` is new"
                self.note("property-added", effect, message, "properties", name)
        self.others()
        self.patterns()

    def member(self, side: str, name: str) -> Path | None:
        """The schema for a property: its own, else the one for additional properties."""
        schema = self.old if side == "old" else self.new
        if name in _properties(schema):
            return self.child(side, "properties", name)
        if "additionalProperties" in schema:
            return self.child(side, "additionalProperties")
        return None

    def others(self) -> None:
        name = "additionalProperties"
        old, new = self.old.get(name, True), self.new.get(name, True)
        if old is not False and new is False:
            effect: Effect = "narrower" if self.matters("object") else "same"
            self.note("object-closed", effect, "other properties are now refused", name)
        elif old is False and new is not False:
            self.note("object-opened", "wider", "other properties are now accepted", name)
        elif name in self.names:
            old_path = self.child("old", name) if name in self.old else None
            new_path = self.child("new", name) if name in self.new else None
            self.walk(old_path, new_path, name, filled=False)

    def patterns(self) -> None:
        name = "patternProperties"
        old, new = self.old.get(name) or {}, self.new.get(name) or {}
        for key in sorted(old.keys() | new.keys()):
            if key in old and key in new:
                old_path, new_path = self.child("old", name, key), self.child("new", name, key)
                self.walk(old_path, new_path, name, key, filled=False)
            else:
                message = f"properties named like {dumps(key)} are treated differently"
                self.note("patterned-properties-changed", "unclear", message, name, key)

    def elements(self) -> None:
        if not self.matters("array"):
            return
        old, new = self.old.get("prefixItems") or [], self.new.get("prefixItems") or []
        for index in range(max(len(old), len(new))):
            paths = [
                self.child(side, "prefixItems", index) if index < len(fixed) else self.rest(side)
                for side, fixed in (("old", old), ("new", new))
            ]
            self.walk(paths[0], paths[1], "prefixItems", index, filled=False)
        if "items" in self.names:
            filled = self.filled and not old and not new
            filled = filled and not _COUNTS_PRESENCE & self.new.keys()
            self.walk(self.rest("old"), self.rest("new"), "items", filled=filled)

    def rest(self, side: str) -> Path | None:
        schema = self.old if side == "old" else self.new
        return self.child(side, "items") if "items" in schema else None

    def conjunction(self) -> None:
        old, new = self.unmatched("allOf")
        for old_index, new_index in zip(old, new, strict=False):
            old_path = self.child("old", "allOf", old_index)
            self.walk(old_path, self.child("new", "allOf", new_index), filled=False)
        for index in new[len(old) :]:
            message = "a further condition must now hold"
            self.note("condition-added", "narrower", message, "allOf", index)
        for index in old[len(new) :]:
            self.note("condition-removed", "wider", "a condition is gone", "allOf", index)

    def unmatched(self, keyword: str) -> tuple[list[int], list[int]]:
        """Indexes of the branches on either side that have no equal on the other."""
        old, new = self.old.get(keyword) or [], self.new.get(keyword) or []
        left = list(range(len(new)))
        alone = []
        for index in range(len(old)):
            path = self.child("old", keyword, index)
            for other in left:
                to = self.child("new", keyword, other)
                if _identical(self.run.old, path, self.run.new, to):
                    left.remove(other)
                    break
            else:
                alone.append(index)
        return alone, left

    def alternatives(self, keyword: str) -> None:
        if keyword not in self.old or keyword not in self.new:
            if keyword in self.new:
                message = "one of several alternatives must now match"
                self.note("alternatives-added", "narrower", message, keyword)
            elif keyword in self.old:
                message = "none of the alternatives needs to match any more"
                self.note("alternatives-removed", "wider", message, keyword)
            return
        old, new = self.unmatched(keyword)
        if not old and not new:
            return
        if keyword == "oneOf" and not (self.exclusive("old") and self.exclusive("new")):
            message = "the alternatives changed, and more than one may match the same value"
            self.note("alternatives-changed", "unclear", message, keyword)
            return
        # Every branch may be covered by any branch of the other side, an equal one included.
        sides = range(len(self.old[keyword])), range(len(self.new[keyword]))
        effects = {
            (i, j): self.run.trial(self.child("old", keyword, i), self.child("new", keyword, j))
            for i in sides[0]
            for j in sides[1]
            if i in old or j in new
        }
        lost = [i for i in old if not any(effects[i, j] in ("same", "wider") for j in sides[1])]
        gained = [
            j for j in new if not any(effects[i, j] in ("same", "narrower") for i in sides[0])
        ]
        for i in lost:
            # Where it is plain which branch became which, the difference itself says more.
            became = [j for j in new if effects[i, j] == "narrower"]
            if not became and len(old) == len(new) == 1:
                became, gained = new, []
            if became:
                self.walk_branches(keyword, i, became[0])
            else:
                message = f"alternative {i + 1} is gone"
                self.note("alternative-removed", "narrower", message, keyword)
        for j in gained:
            was = [i for i in old if effects[i, j] == "wider"]
            if was:
                self.walk_branches(keyword, was[0], j)
            else:
                message = f"alternative {j + 1} is new"
                self.note("alternative-added", "wider", message, keyword, j)

    def walk_branches(self, keyword: str, i: int, j: int) -> None:
        old_path, new_path = self.child("old", keyword, i), self.child("new", keyword, j)
        self.walk(old_path, new_path, keyword, j, filled=False)

    def exclusive(self, side: str) -> bool:
        """Whether no value can match two branches, so that `oneOf` means the same as `anyOf`."""
        schema, document = (self.old, self.run.old) if side == "old" else (self.new, self.run.new)
        paths = [self.child(side, "oneOf", index) for index in range(len(schema["oneOf"]))]
        return all(
            _disjoint(document, one, other, 3)
            for position, one in enumerate(paths)
            for other in paths[position + 1 :]
        )

    def opaque(self) -> None:
        for group in _OPAQUE:
            if not self.names & set(group) or self.same(*group):
                continue
            name = group[0]
            if name not in self.old:
                effect: Effect = "narrower" if name in self.new else "same"
                self.note(f"{_kebab(name)}-added", effect, f"`{name}` now applies", name)
            elif name not in self.new:
                self.note(f"{_kebab(name)}-removed", "wider", f"`{name}` is gone", name)
            else:
                self.note(f"{_kebab(name)}-changed", "unclear", f"`{name}` changed", name)


# --- reading schemas -----------------------------------------------------------------------------


def _settle(document: Document, path: Path | None) -> tuple[Path | None, Any]:
    """Follow references that stand alone (but for annotations); True becomes the empty schema."""
    passed: set[Path] = set()
    while path is not None and path not in passed:
        passed.add(path)
        schema = document.node(path)
        if schema is False:
            return path, False
        if not isinstance(schema, dict):
            break
        if "$ref" not in schema or schema.keys() - _ANNOTATIONS - _SILENT - {"$ref", "default"}:
            return path, schema
        target = _target(document, path, schema["$ref"])
        if target is None:
            return path, schema
        path = target
    return path, {}


def _target(document: Document, path: Path | None, ref: Any) -> Path | None:
    if path is None or not isinstance(ref, str):
        return None
    return document.resolve(ref, document.base(path))


def _identical(old: Document, old_path: Path, new: Document, new_path: Path) -> bool:
    """Whether two places hold equal JSON and all that is referred to from there is equal too."""
    waiting = [(old_path, new_path)]
    passed: set[tuple[Path, Path]] = set()
    while waiting:
        pair = waiting.pop()
        if pair in passed:
            continue
        passed.add(pair)
        one, other = old.node(pair[0]), new.node(pair[1])
        if json_key(one) != json_key(other):
            return False
        for steps in _references(one):
            ref = one
            for step in steps:
                ref = ref[step]
            old_to = _target(old, (*pair[0], *steps[:-1]), ref)
            new_to = _target(new, (*pair[1], *steps[:-1]), ref)
            if (old_to is None) != (new_to is None):
                return False
            if old_to is not None and new_to is not None:
                waiting.append((old_to, new_to))
    return True


def _references(value: Any) -> list[Path]:
    """Where in a JSON value a `$ref` stands."""
    found: list[Path] = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                found.append((*path, "$ref"))
            waiting.extend(((*path, name), child) for name, child in node.items())
        elif isinstance(node, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(node))
    return found


def _disjoint(document: Document, one: Path, other: Path, depth: int) -> bool:
    """Whether it is plain that no value matches both: by type, values, or a required property."""
    one_path, a = _settle(document, one)
    other_path, b = _settle(document, other)
    if a is False or b is False:
        return True
    if not _types(a) & _types(b):
        return True
    a_values, b_values = _values(a), _values(b)
    if a_values is not None and b_values is not None and not _lost_in(a_values, b_values):
        return True
    if depth == 0 or one_path is None or other_path is None:
        return False
    if _types(a) & _types(b) != {"object"}:
        return False
    shared = set(a.get("required") or ()) & set(b.get("required") or ())
    return any(
        _disjoint(
            document,
            (*one_path, "properties", name),
            (*other_path, "properties", name),
            depth - 1,
        )
        for name in sorted(shared & _properties(a).keys() & _properties(b).keys())
    )


def _lost_in(values: list[Any], others: list[Any]) -> bool:
    return len(_without(values, others)) < len(values)


def _declared(schema: dict[str, Any]) -> set[str]:
    declared = schema.get("type")
    if declared is None:
        return set(_ALL_TYPES)
    names = {declared} if isinstance(declared, str) else set(declared)
    return names | {"integer"} if "number" in names else names


def _types(schema: dict[str, Any]) -> set[str]:
    """The types that can match; of listed values only theirs."""
    values = _values(schema)
    if values is None:
        return _declared(schema)
    return _declared(schema) & {json_type(value) for value in values}


def _values(schema: dict[str, Any]) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return listed if isinstance(listed, list) else None


def _bound(
    schema: dict[str, Any], inclusive: str, exclusive: str, sign: int
) -> tuple[float, bool] | None:
    limits = [
        (schema[name] * sign, name == exclusive)
        for name in (inclusive, exclusive)
        if name in schema
    ]
    if not all(_is_number(limit) for limit, _ in limits):
        raise TypeError
    return max(limits, default=None)


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _defaults(document: Document, path: Path | None, schema: dict[str, Any]) -> dict[str, Any]:
    """The default of every property that has one, its own or that of what it refers to."""
    found: dict[str, Any] = {}
    for name in _properties(schema) if path is not None else ():
        at: Path | None = (*(path or ()), "properties", name)
        passed: set[Path] = set()
        while at is not None and at not in passed:
            passed.add(at)
            child = document.node(at)
            if not isinstance(child, dict):
                break
            if "default" in child:
                found[name] = child["default"]
                break
            at = _target(document, at, child.get("$ref"))
    return found


def _is_valid(document: Document, path: Path, value: Any) -> bool:
    if not isinstance(document.root, dict):
        return document.root is True
    # An own identity keeps the schema's inner references pointing into it.
    identity = document.root.get("$id", "urn:antiphon:schema")
    part = f"{identity}#{pointer(path)}"
    wrapped = {"$defs": {"schema": {**document.root, "$id": identity}}, "$ref": part}
    try:
        return bool(compile_schema(wrapped).is_valid(value))
    except (UnusableSchema, ValueError):
        return False


def _listed(types: set[str]) -> str:
    names = types - {"integer"} if "number" in types else types
    return ", ".join(sorted(names))


def _shown(values: list[Any]) -> str:
    shown = ", ".join(dumps(value) for value in values[:8])
    return shown if len(values) <= 8 else f"{shown} and {len(values) - 8} more"
