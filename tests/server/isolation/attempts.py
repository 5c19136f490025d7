"""Attempts at what belongs to others, generated from the OpenAPI document of the server.

Every parameter and every field of a body that takes a text gets the ids of others: those of the
kind that belongs there, and some of every other kind. A parameter of a path that nobody has said
the kind of is an error, so that a new route is either covered or noticed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from tests.server.isolation.exchange import Request

# What belongs into a parameter of a path: a kind of ids, or a value that is anybody's.
PUBLIC = "public"
PATHS: Mapping[str, str] = {
    "approval_id": "grant",
    "confirmation_id": "confirmation",
    "conversation_id": "session",
    "database": "database",
    "image_id": "image",
    "organisation_id": "organisation",
    "project_id": "project",
    "record_id": "record",
    "seq": "audit line",
    "session_id": "session",
    "task_id": "task",
    "token": "share",
    "token_id": "token",
    "turn": "turn",
    "user": "user",
}
# The same where the name alone does not say it, by the beginning of the address.
NAMED: Mapping[tuple[str, str], str] = {
    ("/api/account/passkeys/", "passkey_id"): "passkey",
    ("/api/account/sessions/", "session_id"): "browser session",
    ("/api/automations/runs/", "id"): "run",
    ("/api/automations/{kind}/", "name"): "macro",
    ("/api/calendar/", "id"): "event",
    ("/api/groups/", "name"): "group",
    ("/api/invitations/", "name"): "user",
    ("/api/limits/", "name"): "user",
    ("/api/roles/", "name"): "role",
    ("/api/schedules/", "id"): "schedule",
    ("/api/usage/caps/", "subject"): "user",
    ("/api/users/", "name"): "user",
    ("/api/vox/macros/", "id"): "macro",
}
# What is the same for everybody.
PLAIN: Mapping[tuple[str, str], str] = {
    ("/api/agents/", "name"): "daily-review",
    ("/api/automations/{kind}/", "kind"): "macro",
    ("/api/experts/", "id"): "project-advisor",
    ("/api/limits/", "kind"): "user",
    ("/api/mcp/", "server"): "files",
    ("/api/playbooks/", "id"): "hiring",
    ("/api/sign-in/oidc/", "provider"): "google",
    ("/api/tools/", "tool_id"): "word_count",
    ("/api/usage/caps/", "scope"): "user",
    ("/api/vox/function/", "fn_name"): "word_count",
    ("/api/vox/tours/", "page"): "dashboard",
    ("/api/workflows/", "name"): "multi-agent",
    ("/console/", "name"): "app.js",
}
# Parameters of queries, headers and bodies in which ids of one kind are at home.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "session_id": ("session",),
    "session": ("session",),
    "conversation": ("session",),
    "before": ("session", "task", "run", "confirmation"),
    "user": ("user",),
    "users": ("user",),
    "members": ("user",),
    "organisation": ("organisation",),
    "share": ("share",),
    "token": ("confirmation token",),
    "ids": ("confirmation",),
    "id": ("macro", "database"),
    "name": ("macro", "project", "user", "group", "role"),
    "groups": ("group",),
    "roles": ("role",),
    "includes": ("role",),
    "approves": ("user", "group"),
    "source": ("record",),
    "target": ("record",),
    "idempotency-key": ("key",),
    "if-match": ("version",),
    "error_id": ("page error",),
    "after_seq": ("audit line",),
    "before_seq": ("audit line",),
}
# Values of required fields that are no ids.
VALUES: Mapping[str, Any] = {
    "date-time": "2031-03-01T00:00:00+00:00",
    "start": "2031-03-01T00:00:00+00:00",
    "end": "2031-04-30T00:00:00+00:00",
    "start_time": "2031-03-01T00:00:00+00:00",
    "end_time": "2031-03-01T01:00:00+00:00",
    "steps": [{"function": "list_kgs", "args": {}}],
    "token": "v1.0.a.b",
    "attendees": [],
}
# Fields that are always given: what was stored by an attempt before is not in the way of the next.
ALWAYS: Mapping[str, Any] = {"allow_overlap": True}
NUMBERS = ("integer", "number")
# Places whose text is read, spoken, or compared with what everybody may read: the answers differ by
# the text itself, so that only their status is compared. So are places in a list: which of one's
# own lines come after a number tells nothing of the others.
TEXTS = frozenset(
    {
        ("GET", "/api/audit", "after_seq"),
        ("GET", "/api/audit", "before_seq"),
        ("GET", "/api/knowledge/{database}/search", "q"),
        ("GET", "/api/playbooks", "query"),
        ("POST", "/api/chat", "message"),
        ("POST", "/api/knowledge/{database}/ingest", "text"),
        ("POST", "/api/vox/speech", "text"),
    }
)
# Whoever has the secret of a link may use it: that is what it is for.
OPENED_BY = {"link": ("/api/sign-in/link", "/api/sign-in/link/look")}
# The names of users are one space for the whole server: who makes one learns that it is taken.
TAKEN = {"user": ("/api/users",)}
# Each of these costs a hundred others: they are tried once by each person.
DEAR = frozenset({("POST", "/api/vox/speech")})


def rank(method: str, path: str) -> int:
    """What reads goes first, then what makes nothing, then what does. The names of users are those
    of the whole server, so they come last."""
    if method == "POST":
        return 5 if path == "/api/users" else 2 if "{" in path else 4
    return {"GET": 0, "DELETE": 1, "PATCH": 3, "PUT": 3}[method]


RANKS = range(6)
# From this rank on something is made, under the ids of others too. What one person of an
# organisation has made is there for the next one; so each attempt has a control of its own then.
MAKES = 2


class UnknownParameter(AssertionError):
    """A parameter of a path of which nobody said what it takes."""


@dataclass(frozen=True)
class Attempt:
    """A request with ids of others, and the same with ids that nobody has."""

    operation: tuple[str, str]
    place: str
    request: Request
    control: Request
    # Whether the two are answered alike, to the letter.
    exactly: bool
    # Attempts of one place whose ids look alike have one control.
    alike: str


def ghost_of(thing: str, chance: random.Random) -> str:
    """An id that looks the same and is nobody's."""
    kept = re.match(r"(v\d\.\d+\.|img_|anti_t|primary:|person:|zn-|t(?=[0-9a-f]{16}$))?", thing)
    assert kept is not None
    head, tail = kept[0], "@antiphon" if thing.endswith("@antiphon") else ""
    middle = thing[len(head) : len(thing) - len(tail)]
    if middle.isdigit():
        return str(987_000_000 + int(middle))
    letters = "abcdef" if re.fullmatch("[0-9a-f]+", middle) else "bcdfghjklmnprstvw"
    made = (
        chance.choice("23456789")
        if each.isdigit()
        else chance.choice(letters.upper() if each.isupper() else letters)
        if each.isalpha()
        else each
        for each in middle
    )
    return head + "".join(made) + tail


def form_of(thing: str) -> str:
    """What two ids have in common that no server tells apart but by looking for them."""
    if thing.isdigit():
        return "number"
    alphabet = "hex" if re.fullmatch("[0-9a-f]+", thing) else "word" if thing.isalpha() else "other"
    marks = re.sub(r"[A-Za-z0-9_-]+", "", thing)
    return f"{alphabet} {len(thing)} {marks}"


class Generator:
    """Makes attempts of one person against the ids of others."""

    def __init__(
        self,
        document: Mapping[str, Any],
        headers: Mapping[str, str],
        ids: Mapping[str, list[str]],
        own: Mapping[str, str],
        ghosts: dict[str, str],
        chance: random.Random,
        further: int,
    ) -> None:
        """`own` are things of the person, by kind; `ghosts` are the ids of nobody, by the one that
        they stand for, in an organisation; `further` is how many ids of other kinds each place
        gets."""
        self._schemas = document["components"]["schemas"]
        self._paths = document["paths"]
        self._headers = headers
        self._ids = ids
        self._all = sorted(
            {thing for each in ids.values() for thing in each if not thing.isdigit()}
        )
        self._own = own
        self._chance = chance
        self._further = further
        self._ghosts = ghosts

    def ghost(self, thing: str) -> str:
        if thing not in self._ghosts:
            self._ghosts[thing] = ghost_of(thing, self._chance)
        return self._ghosts[thing]

    def attempts(self, rank_: int) -> Iterator[Attempt]:
        """All attempts of one rank."""
        found = [
            (method.upper(), path, operation)
            for path, methods in self._paths.items()
            for method, operation in methods.items()
            if rank(method.upper(), path) == rank_
        ]
        for method, path, operation in found:
            yield from self._of(method, path, operation)

    def readings(self) -> Iterator[tuple[str, Request]]:
        """Everything that can be read, asked for without any id of others."""
        for path, methods in self._paths.items():
            if "get" in methods:
                given = methods["get"].get("parameters", [])
                names = [each["name"] for each in given if each["in"] == "path"]
                places = {name: self._base(path, name, self._kind(path, name)) for name in names}
                yield path, self._request("GET", path, places, given, None, {}, "zxword", set())

    # -- one operation ----------------------------------------------------------------------------

    def _of(self, method: str, path: str, operation: Mapping[str, Any]) -> Iterator[Attempt]:
        given = operation.get("parameters", [])
        names = [each["name"] for each in given if each["in"] == "path"]
        body = self._body_of(operation)
        kinds = {name: self._kind(path, name) for name in names}
        homes = [name for name in names if kinds[name] != PUBLIC]
        yield from self._whole(method, path, kinds, homes, given, body)
        for name in names:
            for thing in self._tried(path, self._ids.get(kinds[name], []) if name in homes else []):
                places = {each: self._base(path, each, kinds[each]) for each in names}
                yield from self._made(
                    method, path, name, {**places, name: thing}, given, body, {}, thing
                )
        slots = [
            (each["in"], each["name"], each["schema"])
            for each in given
            if each["in"] != "path" and self._takes(each["name"], each["schema"])
        ]
        if isinstance(body, dict):
            slots += [("body", name, schema) for name, schema in self._places(body)]
        for where, name, schema in slots:
            fitting = [
                thing for kind in FIELDS.get(name.lower(), ()) for thing in self._ids.get(kind, [])
            ]
            numeric = self._is_number(schema)
            dear = (method, path) in DEAR
            for thing in fitting if numeric else self._tried(path, fitting)[: 1 if dear else None]:
                own = {each: self._base(path, each, kinds[each]) for each in names}
                foreign = {
                    each: next(iter(self._ids.get(kinds[each], [])), own[each]) for each in names
                }
                for places in [own, foreign] if homes else [own]:
                    yield from self._made(
                        method,
                        path,
                        f"{where} {name}",
                        places,
                        given,
                        body,
                        {(where, name): thing},
                        thing,
                    )

    def _whole(
        self,
        method: str,
        path: str,
        kinds: Mapping[str, str],
        homes: list[str],
        given: list[Any],
        body: Any,
    ) -> Iterator[Attempt]:
        """With the ids of others at every place of the path at once."""
        if len(homes) < 2:
            return
        for first in self._ids[kinds[homes[0]]]:
            for rest in self._ids[kinds[homes[-1]]]:
                places = {name: self._base(path, name, kind) for name, kind in kinds.items()}
                places |= {homes[0]: first, homes[-1]: rest}
                yield from self._made(method, path, "path", places, given, body, {}, first, rest)

    def _tried(self, path: str, fitting: list[str]) -> list[str]:
        """The ids for one place: all that fit, and some more."""
        opening = {
            thing
            for kinds in (OPENED_BY, TAKEN)
            for kind, paths in kinds.items()
            if path in paths
            for thing in self._ids[kind]
        }
        fitting = [thing for thing in fitting if thing not in opening]
        others = [thing for thing in self._all if thing not in fitting and thing not in opening]
        return [*fitting, *self._chance.sample(others, min(self._further, len(others)))]

    def _kind(self, path: str, name: str) -> str:
        for (start, each), kind in NAMED.items():
            if each == name and path.startswith(start):
                return kind
        for start, each in PLAIN:
            if each == name and path.startswith(start):
                return PUBLIC
        if name not in PATHS:
            raise UnknownParameter(
                f"{path} takes a `{name}`, and nobody has said what that is: add it to PATHS, "
                "NAMED or PLAIN, and make something of that kind in world.py"
            )
        return PATHS[name]

    def _base(self, path: str, name: str, kind: str) -> str:
        """A value for a place of the path that another place is tried beside."""
        if kind == PUBLIC:
            return next(
                value
                for (start, each), value in PLAIN.items()
                if each == name and path.startswith(start)
            )
        return self._own.get(kind) or self.ghost(self._ids[kind][0])

    # -- requests ---------------------------------------------------------------------------------

    def _made(
        self,
        method: str,
        path: str,
        place: str,
        places: Mapping[str, str],
        given: list[Any],
        body: Any,
        values: Mapping[tuple[str, str], str],
        *tried: str,
    ) -> Iterator[Attempt]:
        foreign = {*self._foreign(places.values()), *tried}
        word = "zx" + "".join(self._chance.choices("bcdfghjklmnprstvw", k=10))
        request = self._request(method, path, places, given, body, values, word, foreign)
        ghosts = {thing: self.ghost(thing) for thing in foreign}
        swapped = {name: ghosts.get(value, value) for name, value in places.items()}
        others = {name: ghosts.get(value, value) for name, value in values.items()}
        control = self._request(
            method, path, swapped, given, body, others, word[::-1], set(ghosts.values())
        )
        base = ",".join(sorted(f"{k}={v in foreign}" for k, v in places.items()))
        forms = ",".join(form_of(thing) for thing in tried)
        alike = (
            f"{method} {path}|{place}|{base}|{forms}"
            if rank(method, path) < MAKES
            else f"{request.path} {request.headers} {request.body!r}"
        )
        exactly = not any((method, path, name) in TEXTS for _, name in values)
        yield Attempt((method, path), place, request, control, exactly, alike)

    def _foreign(self, values: Any) -> set[str]:
        return {value for value in values if value in self._all or value.isdigit()}

    def _request(
        self,
        method: str,
        path: str,
        places: Mapping[str, str],
        given: list[Any],
        body: Any,
        values: Mapping[tuple[str, str], str],
        word: str,
        sent: set[str],
    ) -> Request:
        filled = path
        for name, value in places.items():
            filled = filled.replace(f"{{{name}}}", quote(value, safe=""))
        query = {}
        headers = [*self._headers.items(), ("accept", "application/json")]
        for each in given:
            key = (each["in"], each["name"])
            if key in values:
                value = values[key]
            elif each.get("required") and each["in"] == "query":
                value = self._value(each["name"], each["schema"], word)
            else:
                continue
            if each["in"] == "query":
                query[each["name"]] = value
            elif each["in"] == "header":
                headers.append(
                    (each["name"], f'"{value}"' if "match" in each["name"].lower() else value)
                )
        if query:
            filled += "?" + urlencode(query)
        content = b""
        if isinstance(body, str):
            headers.append(("content-type", body))
            content = f"{word} {values.get(('body', ''), '')}".encode()
        elif body is not None:
            headers.append(("content-type", "application/json"))
            content = json.dumps(self._document(body, values, word)).encode()
        return Request(method, filled, tuple(headers), content, (*sent, *places.values(), word))

    # -- bodies -----------------------------------------------------------------------------------

    def _body_of(self, operation: Mapping[str, Any]) -> Any:
        """The schema of a JSON body, the media type of another one, or None."""
        content = operation.get("requestBody", {}).get("content", {})
        if not content:
            return None
        if "application/json" not in content:
            return next(iter(content))
        return self._resolved(content["application/json"]["schema"])

    def _resolved(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if "$ref" in schema:
            return self._resolved(self._schemas[schema["$ref"].rpartition("/")[2]])
        for union in ("anyOf", "oneOf", "allOf"):
            if union in schema and "enum" not in schema:
                first = next(each for each in schema[union] if each.get("type") != "null")
                return self._resolved(first)
        return dict(schema)

    def _takes(self, name: str, schema: Mapping[str, Any]) -> bool:
        """Whether an id fits into a parameter or field."""
        found = self._resolved(schema)
        if "enum" in found or "const" in found:
            return False
        if self._is_number(schema):
            return name in FIELDS
        if found.get("type") == "array":
            return self._takes(name, found.get("items", {}))
        return found.get("type") in ("string", "object", None) and found.get("format") not in (
            "date",
            "date-time",
            "binary",
        )

    def _is_number(self, schema: Mapping[str, Any]) -> bool:
        return self._resolved(schema).get("type") in NUMBERS

    def _places(self, body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for name, schema in body.get("properties", {}).items():
            if self._takes(name, schema):
                yield name, schema

    def _document(
        self, body: Mapping[str, Any], values: Mapping[tuple[str, str], str], word: str
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, schema in body.get("properties", {}).items():
            if ("body", name) in values:
                made[name] = self._with(name, schema, values["body", name], word)
            elif name in ALWAYS:
                made[name] = ALWAYS[name]
            elif name in body.get("required", ()):
                made[name] = self._value(name, schema, word)
        return made

    def _with(self, name: str, schema: Mapping[str, Any], thing: str, word: str) -> Any:
        """A value that has the id wherever one fits."""
        found = self._resolved(schema)
        match found.get("type"):
            case "array":
                return [self._with(name, found.get("items", {}), thing, word)]
            case "integer" | "number":
                return int(thing)
            case "object" | None if "properties" in found:
                return {
                    key: self._with(key, each, thing, word)
                    if self._takes(key, each)
                    else self._value(key, each, word)
                    for key, each in found["properties"].items()
                }
            case "object" | None:
                if name == "steps":
                    return {"function": "run_macro", "args": {"macro_id": thing}}
                return {"id": thing, "session_id": thing}
            case _:
                return f"{thing}@example.org" if name == "attendees" else thing

    def _value(self, name: str, schema: Mapping[str, Any], word: str) -> Any:
        """A value that is nobody's id."""
        found = self._resolved(schema)
        if "default" in schema:
            return schema["default"]
        if name in VALUES:
            return VALUES[name]
        if "enum" in found:
            return found["enum"][0]
        if "const" in found:
            return found["const"]
        match found.get("type"):
            case "array":
                items = found.get("items", {})
                return [self._value(name, items, word)] if found.get("minItems") else []
            case "integer" | "number":
                return max(1, int(found.get("minimum", 1)))
            case "boolean":
                return True
            case "object" | None if "properties" in found:
                return {
                    key: self._value(key, each, word) for key, each in found["properties"].items()
                }
            case "object" | None:
                return {}
            case _:
                return "0 3 1 1 *" if name == "expression" else word
