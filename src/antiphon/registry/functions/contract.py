"""The contract of a function tool: the fields of `schema.json` and the text of `guide.md`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from antiphon.contracts.definition import RateLimit
from antiphon.registry.findings import FindingList, shown
from antiphon.registry.functions.docstring import Docstring
from antiphon.registry.functions.options import ToolOptions
from antiphon.registry.lint_fields import first_sentence
from antiphon.registry.schemas import dumps

_CATEGORIES = {"none": "utility", "read_only": "retrieval"}
_RATE = re.compile(r"(\d+) ?/ ?(?:(\d+) ?)?(s|sec|second|min|minute|h|hour|d|day)s?")
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def write_schema(
    options: ToolOptions,
    tool_id: str,
    docstring: Docstring,
    parameters: dict[str, Any],
    output: dict[str, Any] | None,
    found: FindingList,
) -> dict[str, Any]:
    """Return the `schema.json` of a function tool. The lint rules judge it like any other."""
    writes = options.side_effects not in _CATEGORIES
    idempotent = not writes if options.idempotent is None else options.idempotent
    category = options.category or _CATEGORIES.get(options.side_effects, "action")
    if options.category is None and category == "retrieval" and not idempotent:
        category = "utility"
    fields: dict[str, Any] = {
        "toolId": tool_id,
        "version": options.version,
        "description": options.description or first_sentence(docstring.summary),
        "category": category,
        "sideEffects": options.side_effects,
        "origin": options.origin,
        "sensitivity": options.sensitivity,
        "outside": options.outside,
        "idempotent": idempotent,
        "requiresConfirmation": writes if options.confirm is None else options.confirm,
        "allowedModes": list(options.modes),
        "latencyBudgetMs": options.latency_ms,
        "parameters": parameters,
        "risk": options.risk,
        "approvals": options.approvals,
        "execution": options.execution,
        "timeoutMs": options.timeout_ms,
        "interruption": options.interruption,
        "isolation": options.isolation,
        "network": options.network,
        "rateLimit": _rate_limit(options.rate, found),
        "availability": None if options.availability is None else dict(options.availability),
        "output": output if options.output is None else dict(options.output),
        "redact": None if options.redact is None else list(options.redact),
        "catalogue": options.catalogue,
    }
    return {name: value for name, value in fields.items() if value is not None}


def write_guide(schema: Mapping[str, Any], docstring: Docstring) -> str:
    """Return the `guide.md` of a function tool: its docstring, and a line for each parameter."""
    parts = [f"# {schema['toolId']}", schema["description"]]
    rest = docstring.summary.removeprefix(schema["description"]).strip()
    parts += [text for text in (rest, docstring.body) if text]
    properties = schema["parameters"].get("properties", {})
    if properties:
        required = schema["parameters"].get("required", ())
        lines = [_parameter_line(name, body, name in required) for name, body in properties.items()]
        parts.append("## Parameters\n" + "\n".join(lines))
    if docstring.returns:
        parts.append(f"## Result\n{docstring.returns}")
    parts += [f"## {title}\n{text}" for title, text in docstring.sections]
    return "\n\n".join(parts) + "\n"


def _parameter_line(name: str, body: Any, required: bool) -> str:
    body = body if isinstance(body, dict) else {}
    note = "required" if required else "optional"
    if "default" in body:
        note = f"default {dumps(body['default'])}"
    described = body.get("description", "")
    return f"- `{name}` ({note})" + (f": {described}" if described else "")


def _rate_limit(rate: Any, found: FindingList) -> dict[str, Any] | None:
    if rate is None:
        return None
    if isinstance(rate, RateLimit):
        return {"calls": rate.calls, "windowMs": rate.window_ms}
    match = _RATE.fullmatch(rate) if isinstance(rate, str) else None
    if match is None:
        fix = "Write it as `10/minute` or `5/30s`."
        found.error("rate-limit", "/rateLimit", f"{shown(rate)} is no rate", fix)
        return None
    calls, number, unit = match.groups()
    return {"calls": int(calls), "windowMs": 1000 * int(number or 1) * _UNITS[unit[0]]}
