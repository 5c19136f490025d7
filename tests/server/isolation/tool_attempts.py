"""Attempts by every tool of the registry, with the ids of others wherever a text fits.

A tool is called by itself, inside `run_tool`, as a function of the voice console and as the step of
a macro.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from tests.server.isolation.exchange import Connection, Request
from tests.server.isolation.verdict import Verdict, plain

from antiphon.contracts import ToolDefinition
from antiphon.registry import Registry

FIELDS: Mapping[str, tuple[str, ...]] = {
    "agent_name": ("run",),
    "calendar": ("event",),
    "database_id": ("database",),
    "database_ids": ("database",),
    "expert_id": ("user",),
    "id": ("record", "session"),
    "ids": ("record",),
    "image_url": ("image",),
    "macro_id": ("macro",),
    "name": ("project",),
    "namespace": ("database",),
    "person": ("record", "user"),
}
VALUES: Mapping[str, Any] = {
    "start_time": "2031-05-01T09:00:00+00:00",
    "end_time": "2031-05-01T10:00:00+00:00",
    "start_date": "2031-03-01",
    "end_date": "2031-03-31",
    "steps": [{"function": "list_kgs", "args": {}}],
    "attendees": ["ann@example.org"],
    "expert_id": "project-advisor",
    "tool_id": "word_count",
    "agent_name": "briefing",
    "workflow_name": "multi-agent",
}


# Free text that is looked for in what everybody may read, by its meaning.
TEXTS = frozenset({"search_playbooks.query"})
# It blocks whoever calls it: nothing could be tried any more.
LEFT_OUT = frozenset({"ignore_user"})
# What stands for every text that matters to nobody.
PLAIN = "zxplainword"


# The path and the body of a request.
_Call: TypeAlias = tuple[str, Any]


class Caller:
    """One person's calls of tools."""

    def __init__(
        self,
        port: int,
        headers: Mapping[str, str],
        ids: Mapping[str, list[str]],
        ghost: Callable[[str], str],
        chance: random.Random,
        verdict: Verdict,
    ) -> None:
        self._connection = Connection(port)
        self._headers = headers
        self._ids = ids
        self._every = sorted(
            {thing for each in ids.values() for thing in each if not thing.isdigit()}
        )
        self._ghost = ghost
        self._chance = chance
        self._verdict = verdict

    def close(self) -> None:
        self._connection.__exit__()

    def attack(self, tools: Iterable[ToolDefinition], *, ways: bool, further: int) -> None:
        """Call each tool with the ids of others; `ways`: also from inside of others."""
        for tool in tools:
            for name, each in tool.parameters.get("properties", {}).items():
                if self._takes(name, each):
                    self._place(tool, name, ways=ways, further=further)

    def _place(self, tool: ToolDefinition, name: str, *, ways: bool, further: int) -> None:
        fitting = [thing for kind in FIELDS.get(name, ()) for thing in self._ids.get(kind, [])]
        others = [thing for thing in self._every if thing not in fitting]
        called, compares = tool.tool_id, uses(tool)
        for number, thing in enumerate([*fitting, *self._chance.sample(others, further)]):
            nobody = self._ghost(thing)
            mine, control = (self._args(tool.parameters, name, each) for each in (thing, nobody))
            for way in _WAYS if ways and compares and not number else _WAYS[:1]:
                where = f"{called}.{name} {way.__name__}"
                self._try(where, way(called, mine), thing, way(called, control), nobody, compares)
            if ways and compares and not number:
                self._as_step(called, name, (mine, thing), (control, nobody))

    def _try(
        self, where: str, call: _Call, thing: str, control: _Call, nobody: str, compares: bool
    ) -> None:
        asked, compared = self._request(*call, thing), self._request(*control, nobody)
        self._verdict.stored.add(thing.encode())
        if not compares or where.split(" ")[0] in TEXTS:
            [(_, answer)] = self._connection.ask([asked])
            self._verdict.look(where, asked, answer)
            return
        (_, other), (_, answer) = self._connection.ask([compared, asked])
        exactly = True
        if plain(answer, asked) != plain(other, compared):
            # What finds things by how much they are alike answers each text in its own way.
            again = self._ghost(nobody)
            path, body = json.loads(json.dumps(control).replace(nobody, again))
            third = self._request(path, body, again)
            [(_, last)] = self._connection.ask([third])
            exactly = plain(last, third) == plain(other, compared)
        self._verdict.compare(where, asked, answer, compared, other, exactly=exactly)

    def _as_step(self, tool: str, name: str, *given: tuple[Mapping[str, Any], str]) -> None:
        """The same as the step of a macro of one's own."""
        runs = []
        for args, thing in given:
            word = "zx" + "".join(self._chance.choices("bcdfghjklmnprstvw", k=12))
            steps = [{"function": tool, "args": args}]
            body = {"name": word, "trigger_phrase": word, "steps": steps}
            [(_, saved)] = self._connection.ask(
                [self._request("/api/vox/macros", body, thing, word)]
            )
            if saved.status != 201:
                return
            made = json.loads(saved.body)["macro"]["id"]
            runs.append(self._request(f"/api/vox/macros/{made}/run", None, thing, word, made))
        (asked, answer), (compared, other) = self._connection.ask(runs)
        self._verdict.compare(
            f"{tool}.{name} in a macro", asked, answer, compared, other, exactly=False
        )

    def _request(self, path: str, body: Any, *sent: str) -> Request:
        headers = (*self._headers.items(), ("content-type", "application/json"))
        word = "zx" + "".join(self._chance.choices("bcdfghjklmnprstvw", k=12))
        content = b"" if body is None else json.dumps(body).replace(PLAIN, word).encode()
        return Request("POST", path, headers, content, (*sent, word))

    def _takes(self, name: str, schema: Mapping[str, Any]) -> bool:
        kinds = schema.get("type")
        if "enum" in schema:
            return False
        if kinds == "array":
            return self._takes(name, schema.get("items", {}))
        return kinds is None or kinds in ("string", "object") or "string" in kinds

    def _args(self, schema: Mapping[str, Any], name: str, thing: str) -> dict[str, Any]:
        """Arguments with an id in one place, and what else is required."""
        properties = schema["properties"]
        made = {
            each: _value(each, properties[each])
            for each in schema.get("required", ())
            if each != name
        }
        return {**made, name: _with(properties[name], thing)}


def _directly(tool: str, args: Any) -> _Call:
    return f"/api/tools/{tool}/call", {"args": args}


def _as_function(tool: str, args: Any) -> _Call:
    return f"/api/vox/function/{tool}", {"args": args}


def _inside(tool: str, args: Any) -> _Call:
    return "/api/tools/run_tool/call", {"args": {"tool_id": tool, "params": args}}


def _with(schema: Mapping[str, Any], thing: str) -> Any:
    kinds = schema.get("type")
    if kinds == "array":
        return [_with(schema.get("items", {}), thing)]
    if kinds == "object":
        found = schema.get("properties", {})
        return {
            key: _with(each, thing)
            for key, each in found.items()
            if "string" in str(each.get("type"))
        } or {"id": thing}
    return thing


def _value(name: str, schema: Mapping[str, Any]) -> Any:
    if name in VALUES:
        return VALUES[name]
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "array":
            return [_value(name, schema.get("items", {}))] * schema.get("minItems", 1)
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case "object":
            return {}
        case _:
            return PLAIN


_WAYS = (_directly, _as_function, _inside)


def uses(tool: ToolDefinition) -> bool:
    """Whether a tool reads or writes anything beside its arguments."""
    return tool.side_effects != "none"


def tools_of(registry: Registry) -> list[ToolDefinition]:
    """All tools but those that are left out."""
    tools = registry.snapshot().tools
    return [tool.definition for thing, tool in sorted(tools.items()) if thing not in LEFT_OUT]
