"""The diff of two compiled artifacts: each change, and whether it breaks callers.

A change of the parameters breaks callers when a call that was valid may now be refused. A change
of the output breaks them when a result may now come that the old schema did not promise. What
cannot be shown to be compatible counts as breaking, and the message says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from antiphon.registry.compatibility import differences
from antiphon.registry.compatibility.comparison import MAX_DEPTH, kebab
from antiphon.registry.compatibility.schema_facts import is_number, lost_and_gained
from antiphon.registry.schemas import dumps, json_key, pointer, schema_problems
from antiphon.registry.versions import by_tool, default_of, version_name


@dataclass(frozen=True, slots=True)
class RegistryChange:
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
    """The changes of a tool that both artifacts hold."""

    tool_id: str
    old_version: str
    new_version: str
    changes: tuple[RegistryChange, ...]

    @property
    def breaking(self) -> bool:
        """Whether any change breaks callers."""
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
    """All changes between two artifacts, tools in order of their names."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ToolDiff, ...]

    @property
    def breaking(self) -> bool:
        """Whether callers break: by a change, or by a tool that is gone. A new tool breaks
        nobody."""
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
    before, after = _compared(_tools(old, "old"), _tools(new, "new"))
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


def _tools(artifact: object, which: str) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {}
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
        versions = found.setdefault(tool["toolId"], {})
        if tool["version"] in versions:
            raise _malformed(which, f"{where}: `{tool['toolId']}` is there twice")
        versions[tool["version"]] = tool
    return found


def _compared(
    before: dict[str, dict[str, dict[str, Any]]], after: dict[str, dict[str, dict[str, Any]]]
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """The tools of both by the names under which they are compared: the default version of a tool
    under its id, whatever its number, each other version under `id@version`."""
    named: list[dict[str, dict[str, Any]]] = []
    for tools in (before, after):
        names: dict[str, dict[str, Any]] = {}
        for tool_id, versions in tools.items():
            default = default_of(by_tool(versions.values())[tool_id])
            for version, tool in versions.items():
                names[tool_id if tool is default else version_name(tool_id, version)] = tool
        named.append(names)
    return named[0], named[1]


def _malformed(which: str, trouble: str) -> ValueError:
    advice = "give the tool_registry.json that `antiphon build` wrote"
    return ValueError(f"the {which} artifact is no compiled registry: {trouble}; {advice}")


def _check_schemas(tool: dict[str, Any], which: str) -> None:
    """Raise ValueError for invalid schemas; only tools that differ are looked into."""
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


def _tool_changes(old: dict[str, Any], new: dict[str, Any]) -> list[RegistryChange]:
    changes = _schema_changes(old, new, "jsonSchema", results=False)
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
        kind = kebab(name) + "-changed"
        changes += [
            RegistryChange(f"/{name}", kind, breaking, message) for breaking, message in found
        ]
    if not changes and old.get("digest") != new.get("digest"):
        message = "its sources changed (guide or handler) though its contract did not"
        changes.append(RegistryChange("/digest", "implementation-changed", False, message))
    return changes + _version_notes(old, new, schema_changed, any(c.breaking for c in changes))


def _output_changes(old: dict[str, Any], new: dict[str, Any]) -> list[RegistryChange]:
    if "output" in old and "output" in new:
        return _schema_changes(old, new, "output", results=True)
    if "output" in old:
        message = "the output schema is gone: what the result holds is no longer promised"
        return [RegistryChange("/output", "output-removed", True, message)]
    if "output" in new:
        return [
            RegistryChange(
                "/output", "output-added", False, "what the result holds is now promised"
            )
        ]
    return []


def _schema_changes(
    old: dict[str, Any], new: dict[str, Any], name: str, *, results: bool
) -> list[RegistryChange]:
    """Return the changes of a schema: a narrower one of parameters breaks callers, a wider one of
    results."""
    breaking = ("unclear", "wider" if results else "narrower")
    return [
        RegistryChange(pointer((name, *at)), kind, effect in breaking, message)
        for at, kind, effect, message in differences(old[name], new[name], results=results)
    ]


def _version_notes(
    old: dict[str, Any], new: dict[str, Any], schema_changed: bool, breaking: bool
) -> list[RegistryChange]:
    before, after = old["version"], new["version"]
    notes = []
    if before != after:
        message = f"version {before} became {after}"
        notes.append(RegistryChange("/version", "version-changed", False, message))
    elif schema_changed:
        message = f"its schema changed but its version is still {before}; raise it"
        notes.append(RegistryChange("/version", "version-not-raised", False, message))
    if breaking and not _is_major_step(before, after):
        message = "callers may break, which semantic versioning marks by a new major version"
        notes.append(RegistryChange("/version", "major-not-raised", False, message))
    return notes


def _is_major_step(before: str, after: str) -> bool:
    """Whether a version is a new major one; before 1.0.0 the minor number plays that part."""

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


def _origin(_before: Any, after: Any, *_: Any) -> _Findings:
    if after == "trusted":
        return [(False, "what it returns no longer counts as text of others")]
    return [(False, "what it returns now counts as text of others: later calls may be asked about")]


def _outside(_before: Any, after: Any, *_: Any) -> _Findings:
    if after is False:
        return [(False, "its calls no longer count as reaching outside")]
    return [(False, "its calls now count as reaching outside: some may be asked about")]


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


def _approvals(before: Any, after: Any, *_: Any) -> _Findings:
    if (after or 1) > (before or 1):
        return [(True, "a second person must now approve it")]
    return [(False, "one person's approval is enough now")]


def _modes(before: Any, after: Any, *_: Any) -> _Findings:
    lost, gained = lost_and_gained(before, after)
    found = [(True, f"no longer allowed in {mode} mode") for mode in lost]
    return found + [(False, f"now allowed in {mode} mode") for mode in gained]


def _timeout(before: Any, after: Any, *_: Any) -> _Findings:
    lower = is_number(before) and is_number(after) and after < before
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


def _network(_before: Any, after: Any, *_: Any) -> _Findings:
    words = "may now" if after else "may no longer"
    return [(False, f"its worker process {words} use the network")]


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
    windows = 1
    if after["windowMs"] > before["windowMs"]:
        windows += int(after["windowMs"] // before["windowMs"])
    lowered = after["calls"] < before["calls"] * windows
    return [(lowered, f"the rate limit {was} became {shown}")]


def _is_limit(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and is_number(value.get("calls"))
        and is_number(value.get("windowMs"))
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
            lost, gained = lost_and_gained(was, now)
            found += [(True, f"no longer available to {name} {dumps(item)}") for item in lost]
            found += [(False, f"now available to {name} {dumps(item)}") for item in gained]
        elif name == "env" and isinstance(was, list) and isinstance(now, list):
            freed, needed = lost_and_gained(was, now)
            found += [(True, f"now needs the environment variable {item}") for item in needed]
            found += [(False, f"no longer needs the variable {item}") for item in freed]
        elif was is None and name in ("roles", "providers", "env", "when"):
            found.append((True, f"available only under a new condition, `{name}` {dumps(now)}"))
        else:
            found.append((True, f"the condition `{name}` changed and cannot be shown compatible"))
    return found


_APART = {"toolId", "version", "jsonSchema", "output", "digest"}
_RULES: dict[str, _Rule] = {
    "description": _noted("the description that the model sees changed"),
    "summary": _noted("the summary changed"),
    "documentation": _noted("the guide changed"),
    "handlerPath": _from_to("handler"),
    "category": _from_to("category"),
    "sideEffects": _side_effects,
    "origin": _origin,
    "sensitivity": _from_to("how sensitive its results are:"),
    "outside": _outside,
    "idempotent": _idempotent,
    "requiresConfirmation": _confirmation,
    "risk": _risk,
    "approvals": _approvals,
    "allowedModes": _modes,
    "latencyBudgetMs": _from_to("latency budget (ms)"),
    "timeoutMs": _timeout,
    "execution": _execution,
    "interruption": _from_to("what an interruption does:"),
    "isolation": _from_to("where its handler runs:"),
    "network": _network,
    "rateLimit": _rate_limit,
    "availability": _availability,
    "redact": _noted("what is kept out of audit and logs changed"),
    "variants": _noted("the variants of its handler changed"),
    "catalogue": _from_to("category in the catalogue"),
    "aliasOf": _from_to("the tool that it runs:"),
    "staged": _noted("whether it is staged changed"),
    "providerSchemas": _noted("what providers are shown changed"),
    "losses": _noted("what providers cannot be shown changed"),
}
