"""Lint rules for the fields of `schema.json`, one small function each."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from antiphon.contracts.availability import ExpressionError, parse_expression
from antiphon.contracts.definition import MAX_TIMEOUT_MS, TIMEOUT_FACTOR
from antiphon.contracts.provenance import SENSITIVITIES
from antiphon.registry.findings import FindingList, nearest, pointer_to, shown
from antiphon.registry.versions import directory_parts

TOOL_ID = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_NUMBER = r"(?:0|[1-9][0-9]*)"
_PRERELEASE = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_SEMVER = re.compile(
    rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}"
    rf"(?:-{_PRERELEASE}(?:\.{_PRERELEASE})*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)
_JSON_POINTER = re.compile(r"(?:/(?:[^~/]|~[01])*)*")
_VARIANT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
_CATALOGUE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", re.ASCII)
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# A full stop and a capital start a second sentence, unless the stop belongs to one of these.
_SECOND_SENTENCE = re.compile(r"[.!?]\s+[A-Z]")
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|etc|vs|cf|no|dr|mr|mrs|ms|st|approx|incl)\.", re.I)

MAX_DESCRIPTION = 1024
MAX_CATALOGUE = 32

CATEGORIES = ("retrieval", "action", "utility")
SIDE_EFFECTS = ("none", "read_only", "writes")
MODES = ("text", "voice")
RISKS = ("low", "high")
EXECUTIONS = ("server", "client", "background")
INTERRUPTIONS = ("cancel", "finish", "detach")
ORIGINS = ("trusted", "untrusted")
ISOLATIONS = ("inline", "thread", "process")

Check = Callable[[FindingList, str, Any], None]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule of one field of `schema.json`: whether it is required, its check, an example."""

    required: bool
    check: Check
    example: str


def lint_fields(
    found: FindingList, schema: dict[str, Any], directory: str, files: set[str]
) -> None:
    """Check every field by itself, and how the fields go together."""
    for name in schema.keys() - FIELDS.keys():
        close = nearest(name, FIELDS)
        hint = f"Did you mean `{close}`?" if close else "Remove it."
        found.error("field-unknown", pointer_to(name), f"{shown(name)} is not a field", hint)
    for name, rule in FIELDS.items():
        if name in schema:
            rule.check(found, "/" + name, schema[name])
        elif rule.required:
            fix = f"Add it, for example `{rule.example}`."
            found.error("field-missing", "/" + name, f"`{name}` is missing", fix)
    _id_matches_directory(found, schema, directory)
    _retrieval_is_safe(found, schema)
    _provenance_fits(found, schema)
    _confirmation_makes_sense(found, schema)
    _times_fit(found, schema)
    _interruption_fits(found, schema)
    _isolation_fits(found, schema)
    _variant_files_exist(found, schema, files)
    _alias_fits(found, schema)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text of one line."""
    # Abbreviations keep their length, so that places in the text stay the same.
    masked = _ABBREVIATIONS.sub(lambda match: "x" * len(match[0]), text)
    found = _SECOND_SENTENCE.search(masked)
    return text if found is None else text[: found.start() + 1]


def is_number(value: object) -> bool:
    """Whether a value is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _check_tool_id(found: FindingList, at: str, value: Any) -> None:
    if not isinstance(value, str) or not TOOL_ID.fullmatch(value):
        found.error(
            "tool-id",
            at,
            f"{shown(value)} is no tool id",
            "Start with a lower-case letter, then at most 63 of a-z, 0-9 and `_`.",
        )


def _check_version(found: FindingList, at: str, value: Any) -> None:
    if not isinstance(value, str) or len(value) > 256 or not _SEMVER.fullmatch(value):
        fix = "Use major.minor.patch, such as 1.0.0."
        found.error("version", at, f"{shown(value)} is no semantic version", fix)


def _check_description(found: FindingList, at: str, value: Any) -> None:
    rule = "description"
    if not isinstance(value, str) or not value.strip():
        found.error(rule, at, "must be a sentence", "Say what the tool does in one sentence.")
        return
    if len(value) > MAX_DESCRIPTION:
        message = f"is {len(value)} characters long; {MAX_DESCRIPTION} is the limit"
        found.error(rule, at, message, "Keep one sentence; the rest belongs in guide.md.")
    elif "\n" in value.strip() or _SECOND_SENTENCE.search(_ABBREVIATIONS.sub("", value)):
        fix = "Keep the first; the rest belongs in guide.md."
        found.warning(rule, at, "is more than one sentence", fix)


def _one_of(rule: str, allowed: tuple[str, ...]) -> Check:
    def check(found: FindingList, at: str, value: Any) -> None:
        if isinstance(value, str) and value in allowed:
            return
        close = nearest(value, allowed) if isinstance(value, str) else None
        fix = f"Use one of {', '.join(allowed)}."
        if close:
            fix = f"Did you mean `{close}`? " + fix
        found.error(rule, at, f"{shown(value)} is not allowed here", fix)

    return check


def _check_flag(found: FindingList, at: str, value: Any) -> None:
    if not isinstance(value, bool):
        found.error("flag", at, f"{shown(value)} is neither true nor false", "Use true or false.")


def _check_approvals(found: FindingList, at: str, value: Any) -> None:
    if value not in (1, 2) or not isinstance(value, int) or isinstance(value, bool):
        found.error(
            "approvals",
            at,
            f"{shown(value)} is no number of people who approve a call",
            "Use 2 for a second person, or remove it.",
        )


def _check_modes(found: FindingList, at: str, value: Any) -> None:
    fix = f"List one or both of {', '.join(MODES)}."
    if not isinstance(value, list) or not value:
        found.error("allowed-modes", at, "must be a non-empty list of modes", fix)
        return
    for index, mode in enumerate(value):
        if not isinstance(mode, str) or mode not in MODES:
            found.error("allowed-modes", f"{at}/{index}", f"{shown(mode)} is no mode", fix)
        elif mode in value[:index]:
            message = f"{shown(mode)} is listed twice"
            found.error("allowed-modes", f"{at}/{index}", message, "List each mode once.")


def _check_latency(found: FindingList, at: str, value: Any) -> None:
    if not is_number(value) or value <= 0:
        fix = "Give the soft budget in milliseconds, such as 800."
        found.error("latency-budget", at, f"{shown(value)} is no number above 0", fix)


def _check_timeout(found: FindingList, at: str, value: Any) -> None:
    if not is_number(value) or not 0 < value <= MAX_TIMEOUT_MS:
        fix = f"Give milliseconds, at most {MAX_TIMEOUT_MS}."
        message = f"{shown(value)} is not between 0 and {MAX_TIMEOUT_MS}"
        found.error("timeout", at, message, fix)


def _check_rate_limit(found: FindingList, at: str, value: Any) -> None:
    rule, fix = "rate-limit", 'Write it as {"calls": 5, "windowMs": 60000}.'
    if not isinstance(value, dict):
        found.error(rule, at, "must be an object", fix)
        return
    calls, window = value.get("calls"), value.get("windowMs")
    if not isinstance(calls, int) or isinstance(calls, bool) or calls <= 0:
        found.error(rule, at + "/calls", f"{shown(calls)} is no whole number above 0", fix)
    if not is_number(window) or window <= 0:  # type: ignore[operator]
        found.error(rule, at + "/windowMs", f"{shown(window)} is no number above 0", fix)
    _no_others(found, rule, at, value, ("calls", "windowMs"))


def _check_availability(found: FindingList, at: str, value: Any) -> None:
    rule = "availability"
    if not isinstance(value, dict):
        fix = 'Write it as an object, for example {"requiresAuth": true}.'
        found.error(rule, at, "must be an object", fix)
        return
    if "requiresAuth" in value:
        _check_flag(found, at + "/requiresAuth", value["requiresAuth"])
    for name in ("roles", "providers", "env"):
        if name in value:
            _check_names(found, rule, f"{at}/{name}", value[name])
    names = value.get("env")
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if isinstance(name, str) and name and not _ENV_NAME.fullmatch(name):
            message = f"{shown(name)} is no name of an environment variable"
            found.error(rule, f"{at}/env/{index}", message, "Use letters, digits and `_`.")
    if "when" in value:
        _check_expression(found, rule, at + "/when", value["when"])
    _no_others(found, rule, at, value, ("requiresAuth", "roles", "providers", "env", "when"))


def _check_expression(found: FindingList, rule: str, at: str, value: Any) -> None:
    try:
        parse_expression(value)
    except ExpressionError as error:
        fix = 'Write a short expression over session fields, such as mode == "voice".'
        found.error(rule, at, str(error), fix)


def _check_names(found: FindingList, rule: str, at: str, value: Any) -> None:
    fix = "List names as strings, each once."
    if not isinstance(value, list) or not value:
        found.error(rule, at, "must be a non-empty list of names", fix)
        return
    for index, name in enumerate(value):
        if not isinstance(name, str) or not name.strip():
            found.error(rule, f"{at}/{index}", f"{shown(name)} is no name", fix)
        elif name in value[:index]:
            found.error(rule, f"{at}/{index}", f"{shown(name)} is listed twice", fix)


def _no_others(
    found: FindingList, rule: str, at: str, value: dict[str, Any], known: tuple[str, ...]
) -> None:
    for name in value:
        if name not in known:
            close = nearest(name, known)
            fix = f"Did you mean `{close}`?" if close else f"Use only {', '.join(known)}."
            found.error(rule, at + pointer_to(name), f"{shown(name)} does not belong here", fix)


def _check_redact(found: FindingList, at: str, value: Any) -> None:
    fix = "List JSON pointers, such as /email or /items/0/name."
    if not isinstance(value, list):
        found.error("redact", at, "must be a list of JSON pointers", fix)
        return
    for index, pointer in enumerate(value):
        if not isinstance(pointer, str) or not _JSON_POINTER.fullmatch(pointer):
            found.error("redact", f"{at}/{index}", f"{shown(pointer)} is no JSON pointer", fix)
        elif pointer in value[:index]:
            message = f"{shown(pointer)} is listed twice"
            found.error("redact", f"{at}/{index}", message, "List each pointer once.")


def _check_variants(found: FindingList, at: str, value: Any) -> None:
    rule = "variants"
    fix = 'Write each as {"name": "b", "weight": 1, "handler": "handler_b.py"}.'
    if not isinstance(value, list) or not value:
        found.error(rule, at, "must be a non-empty list", fix)
        return
    names: set[str] = set()
    for index, variant in enumerate(value):
        here = f"{at}/{index}"
        if not isinstance(variant, dict):
            found.error(rule, here, "must be an object", fix)
            continue
        name, weight = variant.get("name"), variant.get("weight")
        if not isinstance(name, str) or not _VARIANT_NAME.fullmatch(name):
            message = f"{shown(name)} is no name"
            found.error(rule, here + "/name", message, "Use letters, digits, `_`, `-` and `.`.")
        elif name in names:
            message = f"another variant is called {shown(name)}"
            found.error(rule, here + "/name", message, "Give each variant its own name.")
        else:
            names.add(name)
        if not is_number(weight) or weight <= 0:  # type: ignore[operator]
            message = f"{shown(weight)} is no number above 0"
            found.error(rule, here + "/weight", message, "Give its share, such as 1.")
        _no_others(found, rule, here, variant, ("name", "weight", "handler"))


def _check_catalogue(found: FindingList, at: str, value: Any) -> None:
    named = isinstance(value, str) and len(value) <= MAX_CATALOGUE and _CATALOGUE.fullmatch(value)
    if not named:
        fix = f"Use at most {MAX_CATALOGUE} of a-z, 0-9 and `-`, such as code."
        found.error("catalogue", at, f"{shown(value)} is no category of the catalogue", fix)


def _check_later(found: FindingList, at: str, value: Any) -> None:
    """Accept anything: `parameters` and `output` are schemas and have rules of their own."""


def _id_matches_directory(found: FindingList, schema: dict[str, Any], directory: str) -> None:
    tool_id = schema.get("toolId")
    name, version = directory_parts(directory)
    expected = name.replace("-", "_")
    if version is not None and version != schema.get("version"):
        found.error(
            "tool-id-directory",
            "/version",
            f"{shown(schema.get('version'))} stands in the directory {shown(directory)}",
            "Name the directory after the version, or correct the version.",
        )
    if isinstance(tool_id, str) and TOOL_ID.fullmatch(tool_id) and tool_id != expected:
        found.error(
            "tool-id-directory",
            "/toolId",
            f"{shown(tool_id)} stands in the directory {shown(directory)}",
            f"Rename the directory to `{tool_id.replace('_', '-')}`, or correct the id.",
        )


def _retrieval_is_safe(found: FindingList, schema: dict[str, Any]) -> None:
    if schema.get("category") != "retrieval":
        return
    if schema.get("sideEffects") == "writes":
        fix = "Make it an action, or declare that it only reads."
        found.error("retrieval-writes", "/sideEffects", "a retrieval tool may not write", fix)
    if schema.get("idempotent") is False:
        fix = "Set it to true, or choose another category."
        message = "a retrieval tool must be safe to run again"
        found.error("retrieval-idempotent", "/idempotent", message, fix)


def _provenance_fits(found: FindingList, schema: dict[str, Any]) -> None:
    effects = schema.get("sideEffects")
    if effects == "none" and schema.get("outside") is True:
        message = "reaches outside, but has no side effects: it computes from its arguments alone"
        fix = 'Set "sideEffects": "read_only" or "writes", or "outside": false.'
        found.warning("outside", "/outside", message, fix)
    reads = effects == "read_only" and schema.get("outside") is True
    if reads and schema.get("origin") == "trusted":
        message = "trusts what comes from outside: models may obey orders that stand in it"
        fix = 'Set "origin": "untrusted", unless nobody else can write what it reads.'
        found.warning("origin", "/origin", message, fix)


def _confirmation_makes_sense(found: FindingList, schema: dict[str, Any]) -> None:
    confirmed = schema.get("requiresConfirmation")
    effects = schema.get("sideEffects")
    if effects == "writes" and schema.get("category") != "retrieval" and confirmed is False:
        message = "the tool writes without anyone's approval"
        fix = "Set it to true unless what it writes can be taken back."
        found.warning("write-unconfirmed", "/requiresConfirmation", message, fix)
    if effects == "none" and confirmed is True:
        message = "a person is asked to approve a tool without side effects"
        fix = "Set it to false, or declare the side effects."
        found.warning("confirmation-needless", "/requiresConfirmation", message, fix)
    if "approvals" in schema and confirmed is False:
        fix = "Remove it, or set requiresConfirmation to true."
        message = "says how many people approve a call, but nobody is asked"
        found.error("approvals", "/approvals", message, fix)
    if "risk" in schema and confirmed is False:
        fix = "Remove it, or set requiresConfirmation to true."
        message = "says how the tool may be approved, but nobody is asked"
        if effects in ("none", "read_only") and schema["risk"] == "high":
            message = "calls it a high risk, but it changes nothing and nobody is asked"
        found.warning("risk-unused", "/risk", message, fix)


def _times_fit(found: FindingList, schema: dict[str, Any]) -> None:
    budget = schema.get("latencyBudgetMs")
    if not is_number(budget) or budget <= 0:  # type: ignore[operator]
        return
    timeout = schema.get("timeoutMs", min(TIMEOUT_FACTOR * budget, MAX_TIMEOUT_MS))  # type: ignore[operator]
    if is_number(timeout) and 0 < timeout < budget:
        at = "/timeoutMs" if "timeoutMs" in schema else "/latencyBudgetMs"
        message = f"the call ends after {timeout:g} ms, before its budget of {budget:g} ms is used"
        found.warning("timeout-budget", at, message, "Make the timeout longer than the budget.")


def _interruption_fits(found: FindingList, schema: dict[str, Any]) -> None:
    if schema.get("interruption") == "cancel" and schema.get("sideEffects") == "writes":
        message = "an interruption would cut a write short"
        fix = "Use `finish` or `detach`, unless a half-done write does no harm."
        found.warning("write-cancelled", "/interruption", message, fix)


def _isolation_fits(found: FindingList, schema: dict[str, Any]) -> None:
    if "isolation" in schema and schema.get("execution") == "client":
        message = "says where the handler runs, but the tool runs in the browser"
        found.warning("isolation-unused", "/isolation", message, "Remove it.")
    if schema.get("network") is True and schema.get("isolation") != "process":
        message = "lifts a limit of worker processes, but the tool does not run in one"
        fix = 'Remove it, or set "isolation": "process".'
        found.error("network", "/network", message, fix)


def lint_isolation(found: FindingList, isolation: Any, kind: str, handler: str) -> None:
    """Check that a handler of this kind can run where `isolation` says."""
    if isolation == "inline" and kind == "sync":
        message = f"{handler} is a plain `def`, which would hold up everybody while it runs"
        fix = "Make it `async def`, or use thread or process."
        found.error("isolation", "/isolation", message, fix)
    if isolation == "thread" and kind != "sync":
        message = f"{handler} is `async def`, which a thread cannot run"
        fix = "Make it a plain `def`, or use inline or process."
        found.error("isolation", "/isolation", message, fix)


def _variant_files_exist(found: FindingList, schema: dict[str, Any], files: set[str]) -> None:
    variants = schema.get("variants")
    for index, variant in enumerate(variants if isinstance(variants, list) else ()):
        if not isinstance(variant, dict):
            continue
        handler = variant.get("handler")
        at = f"/variants/{index}/handler"
        if not isinstance(handler, str) or not handler.endswith(".py") or "/" in handler:
            fix = "Name a Python file of the tool's directory, such as handler_b.py."
            found.error("variants", at, f"{shown(handler)} is no Python file name", fix)
        elif handler not in files:
            close = nearest(handler, (name for name in files if name.endswith(".py")))
            fix = f"Did you mean `{close}`?" if close else "Write it, or remove the variant."
            found.error("variants", at, f"there is no file {shown(handler)}", fix)


def _check_alias(found: FindingList, at: str, value: Any) -> None:
    if not isinstance(value, str) or not TOOL_ID.fullmatch(value):
        fix = 'Name the other tool by its id, such as "complexity_scorer".'
        found.error("alias", at, f"{shown(value)} is no tool id", fix)


def _alias_fits(found: FindingList, schema: dict[str, Any]) -> None:
    """Check an alias: it has no handler, so nothing may be said of how its handler runs."""
    if "aliasOf" not in schema:
        return
    if schema["aliasOf"] == schema.get("toolId"):
        found.error("alias", "/aliasOf", "names the tool itself", "Name another tool.")
    for name in ("execution", "isolation", "network", "variants"):
        if name in schema:
            message = f"`{name}` of a tool that runs another one"
            found.error("alias", f"/{name}", message, "Remove it; the other tool has its own.")


FIELDS: dict[str, FieldRule] = {
    "toolId": FieldRule(True, _check_tool_id, '"toolId": "kb_search"'),
    "version": FieldRule(True, _check_version, '"version": "1.0.0"'),
    "description": FieldRule(True, _check_description, '"description": "Search the notes."'),
    "category": FieldRule(True, _one_of("category", CATEGORIES), '"category": "utility"'),
    "sideEffects": FieldRule(
        True, _one_of("side-effects", SIDE_EFFECTS), '"sideEffects": "read_only"'
    ),
    "origin": FieldRule(False, _one_of("origin", ORIGINS), '"origin": "trusted"'),
    "sensitivity": FieldRule(
        False, _one_of("sensitivity", SENSITIVITIES), '"sensitivity": "private"'
    ),
    "outside": FieldRule(False, _check_flag, '"outside": false'),
    "idempotent": FieldRule(True, _check_flag, '"idempotent": true'),
    "requiresConfirmation": FieldRule(True, _check_flag, '"requiresConfirmation": false'),
    "risk": FieldRule(False, _one_of("risk", RISKS), '"risk": "low"'),
    "approvals": FieldRule(False, _check_approvals, '"approvals": 2'),
    "allowedModes": FieldRule(True, _check_modes, '"allowedModes": ["text", "voice"]'),
    "latencyBudgetMs": FieldRule(True, _check_latency, '"latencyBudgetMs": 800'),
    "parameters": FieldRule(
        True,
        _check_later,
        '"parameters": {"type": "object", "properties": {}, "additionalProperties": false}',
    ),
    "execution": FieldRule(False, _one_of("execution", EXECUTIONS), '"execution": "server"'),
    "timeoutMs": FieldRule(False, _check_timeout, '"timeoutMs": 8000'),
    "interruption": FieldRule(
        False, _one_of("interruption", INTERRUPTIONS), '"interruption": "cancel"'
    ),
    "isolation": FieldRule(False, _one_of("isolation", ISOLATIONS), '"isolation": "process"'),
    "network": FieldRule(False, _check_flag, '"network": true'),
    "rateLimit": FieldRule(
        False, _check_rate_limit, '"rateLimit": {"calls": 5, "windowMs": 60000}'
    ),
    "availability": FieldRule(False, _check_availability, '"availability": {"requiresAuth": true}'),
    "output": FieldRule(False, _check_later, '"output": {"type": "object"}'),
    "redact": FieldRule(False, _check_redact, '"redact": ["/email"]'),
    "variants": FieldRule(
        False,
        _check_variants,
        '"variants": [{"name": "b", "weight": 1, "handler": "handler_b.py"}]',
    ),
    "catalogue": FieldRule(False, _check_catalogue, '"catalogue": "code"'),
    "aliasOf": FieldRule(False, _check_alias, '"aliasOf": "complexity_scorer"'),
    "staged": FieldRule(False, _check_flag, '"staged": true'),
}
