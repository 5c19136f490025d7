"""Operations of an OpenAPI document: their names, parameters, bodies and results, as data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from antiphon.openapi.document import BrokenReference, OpenApiDocument
from antiphon.openapi.naming import free_name, name_of_path, parameter_name, tool_name
from antiphon.openapi.schema_conversion import SchemaConverter
from antiphon.registry.findings import FindingList, LintFinding, pointer_to, shown

Location = Literal["path", "query", "header", "cookie"]
BodyKind = Literal["json", "form", "text"]

METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
READING = frozenset({"get", "head"})
IDEMPOTENCY_KEY = "idempotency-key"
# Headers that are no parameters by the specification, and the one that is filled in.
_OWN_HEADERS = frozenset({"accept", "content-type", "authorization", IDEMPOTENCY_KEY})
_STYLES: dict[str, tuple[str, ...]] = {
    "path": ("simple",),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
_JSON = re.compile(r"application/(?:[\w.+-]+\+)?json|application/\*|\*/\*")
_IN_PATH = re.compile(r"\{([^{}]+)\}")
_COMBINED = ("allOf", "anyOf", "oneOf", "not", "if")


@dataclass(frozen=True, slots=True)
class OperationParameter:
    """One parameter: the argument `name` goes as `sent_as` into a part of the request."""

    name: str
    sent_as: str
    location: Location
    style: str
    explode: bool
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class OperationBody:
    """The body of a request: `members` are arguments by the name they are sent as, or `whole` is
    the argument that is all of it."""

    kind: BodyKind
    media_type: str
    required: bool
    members: Mapping[str, str] = field(default_factory=dict)
    whole: str | None = None


@dataclass(slots=True)
class ApiOperation:
    """One operation as it was read. `findings` say what is wrong with it."""

    tool_id: str
    method: str
    path: str
    pointer: str
    operation_id: str | None
    tags: tuple[str, ...]
    summary: str
    description: str
    findings: list[LintFinding]
    parameters: list[OperationParameter] = field(default_factory=list)
    body: OperationBody | None = None
    input_schema: dict[str, Any] = field(default_factory=dict)
    output_schema: dict[str, Any] | None = None
    wraps_result: bool | None = None  # None: what is no object is wrapped
    secret: list[str] = field(default_factory=list)

    @property
    def reads(self) -> bool:
        """Whether the method only reads."""
        return self.method in READING

    @property
    def title(self) -> str:
        """The operation as people write it."""
        return f"{self.method.upper()} {self.path}"


def read_operations(
    document: OpenApiDocument, findings: list[LintFinding], prefix: str = ""
) -> Iterator[ApiOperation]:
    """Read every operation, in the order of the document, each under a name of its own."""
    taken: set[str] = set()
    found = FindingList(document.label, findings)
    for path, item in document.root.get("paths", {}).items():
        at = f"/paths{pointer_to(path)}"
        try:
            item, at = document.follow(item, at)
        except BrokenReference as broken:
            found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
            continue
        if not isinstance(item, Mapping):
            found.error("path-item", at, "must be an object", "Write its operations.")
            continue
        for method in METHODS:
            if isinstance(item.get(method), Mapping):
                reader = _OperationReader(document, path, method, item, at)
                operation = reader.read(prefix, taken)
                taken.add(operation.tool_id)
                yield operation


class _OperationReader:
    """Reads one operation into its ApiOperation."""

    def __init__(
        self, document: OpenApiDocument, path: str, method: str, item: Mapping[str, Any], at: str
    ) -> None:
        self._document = document
        self._path = path
        self._method = method
        self._item = item
        self._item_at = at
        self._raw: Mapping[str, Any] = item[method]
        self._at = f"{at}/{method}"
        self._findings: list[LintFinding] = []
        self._found = FindingList(document.label, self._findings)
        self._inputs = SchemaConverter(document, self._found, "request")
        self._properties: dict[str, Any] = {}
        self._required: list[str] = []

    def read(self, prefix: str, taken: set[str]) -> ApiOperation:
        raw = self._raw
        said = raw.get("operationId")
        operation_id = said if isinstance(said, str) and said.strip() else None
        tags = raw.get("tags")
        operation = ApiOperation(
            self._name(operation_id, prefix, taken),
            self._method,
            self._path,
            self._at,
            operation_id,
            tuple(map(str, tags)) if isinstance(tags, list) else (),
            _one_line(raw.get("summary")),
            str(raw.get("description") or "").strip(),
            self._findings,
        )
        self._read_parameters(operation)
        self._read_body(operation)
        self._read_result(operation)
        operation.input_schema = self._whole_input()
        return operation

    def _name(self, operation_id: str | None, prefix: str, taken: set[str]) -> str:
        if operation_id is None:
            wanted = tool_name(prefix + name_of_path(self._method, self._path))
        else:
            wanted = tool_name(prefix + operation_id)
        name = free_name(wanted, taken)
        if operation_id is None:
            message = f"has no operationId, so the tool is called `{name}`"
            fix = "Give it one: the name changes with the path otherwise."
            self._found.warning("operation-id", self._at, message, fix)
        elif name != wanted:
            message = f"another operation is called `{wanted}`, so this one is `{name}`"
            at = f"{self._at}/operationId"
            self._found.warning("operation-id", at, message, "Give each an operationId of its own.")
        return name

    def _whole_input(self) -> dict[str, Any]:
        whole: dict[str, Any] = {
            "type": "object",
            "properties": self._properties,
            "additionalProperties": False,
        }
        if self._required:
            whole["required"] = self._required
        if self._inputs.defs:
            whole["$defs"] = self._inputs.defs
        return whole

    # -- parameters ----------------------------------------------------------------------------

    def _read_parameters(self, operation: ApiOperation) -> None:
        declared: dict[tuple[str, str], tuple[Mapping[str, Any], str]] = {}
        for holder, at in ((self._item, self._item_at), (self._raw, self._at)):
            listed = holder.get("parameters")
            for index, each in enumerate(listed if isinstance(listed, list) else ()):
                place = f"{at}/parameters/{index}"
                try:
                    parameter, place = self._document.follow(each, place)
                except BrokenReference as broken:
                    self._found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
                    continue
                name = parameter.get("name") if isinstance(parameter, Mapping) else None
                where = parameter.get("in") if isinstance(parameter, Mapping) else None
                if not isinstance(name, str) or where not in _STYLES:
                    fix = "Give it `name`, and `in` as path, query, header or cookie."
                    self._found.error("parameter", place, "is no parameter", fix)
                elif where != "header" or name.lower() not in _OWN_HEADERS:
                    declared[where, name] = (parameter, place)
        in_path = set(_IN_PATH.findall(self._path))
        for name in sorted(in_path - {name for where, name in declared if where == "path"}):
            message = f"the path has {{{name}}}, and no parameter of that name"
            self._found.error("parameter", self._at, message, "Declare it with `in: path`.")
        for (where, name), (parameter, place) in declared.items():
            if where != "path" or name in in_path:
                operation.parameters.append(self._parameter(where, name, parameter, place))

    def _parameter(
        self, where: Any, name: str, parameter: Mapping[str, Any], place: str
    ) -> OperationParameter:
        style = parameter.get("style", _STYLES[where][0])
        if style not in _STYLES[where]:
            message = f"the style {shown(style)} of a {where} parameter is not supported"
            fix = f"Use {' or '.join(_STYLES[where])}, or leave the operation out."
            self._found.error("parameter-style", f"{place}/style", message, fix)
        schema, as_json, at = parameter.get("schema", {}), False, f"{place}/schema"
        content = parameter.get("content")
        if "schema" not in parameter and isinstance(content, Mapping) and content:
            media = next(iter(content))
            as_json = bool(_JSON.fullmatch(media))
            at = f"{place}/content{pointer_to(media)}/schema"
            schema = content[media].get("schema", {}) if isinstance(content[media], Mapping) else {}
            if not as_json:
                message = f"a parameter as {shown(media)} is not supported"
                self._found.error("parameter", f"{place}/content", message, "Send it as JSON.")
        converted = self._inputs.convert(schema, at)
        argument = free_name(parameter_name(name), self._properties)
        self._add(argument, converted, parameter.get("description"))
        if where == "path" or parameter.get("required") is True:
            self._required.append(argument)
        explode = parameter.get("explode", style == "form")
        return OperationParameter(argument, name, where, str(style), bool(explode), as_json)

    def _add(self, name: str, schema: Any, description: Any = None) -> None:
        if isinstance(schema, dict):
            said = description or schema.get("description") or schema.get("title")
            if isinstance(said, str) and said.strip():
                schema = {**schema, "description": said.strip()}
        self._properties[name] = schema

    # -- body ----------------------------------------------------------------------------------

    def _read_body(self, operation: ApiOperation) -> None:
        if "requestBody" not in self._raw:
            return
        at = f"{self._at}/requestBody"
        try:
            body, at = self._document.follow(self._raw["requestBody"], at)
        except BrokenReference as broken:
            self._found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
            return
        content = body.get("content") if isinstance(body, Mapping) else None
        if not isinstance(content, Mapping) or not content:
            self._found.error("request-body", at, "has no `content`", "Say what it takes.")
            return
        chosen = _media_type(content)
        if chosen is None:
            listed = ", ".join(content)
            message = f"takes only {listed}, which a tool cannot send"
            fix = f'Offer application/json as well, or exclude "{operation.title}".'
            self._found.error("request-body", f"{at}/content", message, fix)
            return
        media, kind = chosen
        entry = content[media] if isinstance(content[media], Mapping) else {}
        place = f"{at}/content{pointer_to(media)}/schema"
        sent = "application/json" if "*" in media else media
        required = body.get("required") is True
        members = self._members(entry.get("schema", {}), place, required)
        if members is not None and kind != "text":
            operation.body = OperationBody(kind, sent, required, members)
            operation.secret += self._secrets(entry.get("schema", {}), place, members)
            return
        if kind == "form":
            message = "a form whose members are not declared cannot be sent"
            self._found.error("request-body", place, message, "Declare its `properties`.")
            return
        name = free_name("body", self._properties)
        schema = {"type": "string"} if kind == "text" else None
        schema = schema or self._inputs.convert(entry.get("schema", {}), place)
        self._add(name, schema, body.get("description") or "The body of the request.")
        if required:
            self._required.append(name)
        operation.body = OperationBody(kind, sent, required, whole=name)

    def _members(self, schema: Any, at: str, required: bool) -> dict[str, str] | None:
        """The members of a body as arguments of their own, by name; None where it has to be one
        argument: it is no plain object, or its members would clash with other parameters."""
        root, place = self._inputs.root(schema, at)
        if not isinstance(root, Mapping) or root.get("type") != "object":
            return None
        properties = root.get("properties")
        plain = not any(keyword in root for keyword in (*_COMBINED, "patternProperties"))
        if not plain or not isinstance(properties, Mapping) or not properties:
            return None
        if root.get("additionalProperties", False) is not False:
            return None
        needed = root.get("required") if isinstance(root.get("required"), list) else []
        if needed and not required:
            return None  # all of it, or none
        if any(parameter_name(name) != name or name in self._properties for name in properties):
            return None
        made = self._inputs.convert(root, place)
        for name, value in made["properties"].items():
            self._add(name, value)
        self._required += [name for name in made.get("required", ()) if name in self._properties]
        return {name: name for name in made["properties"]}

    def _secrets(self, schema: Any, at: str, members: Mapping[str, str]) -> list[str]:
        root, place = self._inputs.root(schema, at)
        found = []
        for name in members:
            value, _ = self._inputs.root(root["properties"][name], f"{place}/properties")
            if isinstance(value, Mapping) and value.get("format") == "password":
                found.append(pointer_to(name))
        return found

    # -- result --------------------------------------------------------------------------------

    def _read_result(self, operation: ApiOperation) -> None:
        """The schema of the result, where every success has the same one."""
        responses = self._raw.get("responses")
        if not isinstance(responses, Mapping) or self._method == "head":
            return
        schemas: list[tuple[Any, str]] = []
        for status, response in responses.items():
            if not str(status).startswith("2"):
                continue
            place = f"{self._at}/responses/{status}"
            try:
                response, place = self._document.follow(response, place)
            except BrokenReference as broken:
                self._found.error("dangling-ref", broken.pointer, broken.message, broken.fix)
                return
            content = response.get("content") if isinstance(response, Mapping) else None
            media = _media_type(content) if isinstance(content, Mapping) else None
            entry = content[media[0]] if media and isinstance(content, Mapping) else None
            if media is None or media[1] != "json" or not isinstance(entry, Mapping):
                return  # some successes have no document to be checked
            if "schema" not in entry:
                return
            schemas.append((entry["schema"], f"{place}/content{pointer_to(media[0])}/schema"))
        if not schemas or any(schema != schemas[0][0] for schema, _ in schemas):
            return
        self._result(operation, *schemas[0])

    def _result(self, operation: ApiOperation, schema: Any, at: str) -> None:
        converter = SchemaConverter(self._document, self._found, "response")
        root, place = converter.root(schema, at)
        operation.wraps_result = not (isinstance(root, Mapping) and root.get("type") == "object")
        if not operation.wraps_result and root.get("nullable") is not True:
            made = converter.convert(root, place)
        else:
            operation.wraps_result = True
            inner = converter.convert(schema, at)
            made = {"type": "object", "properties": {"result": inner}, "required": ["result"]}
        if converter.defs:
            made = {**made, "$defs": {**made.get("$defs", {}), **converter.defs}}
        operation.output_schema = made


def _media_type(content: Mapping[str, Any]) -> tuple[str, BodyKind] | None:
    """The media type that is used, and how; JSON before forms before text."""
    for media in content:
        if _JSON.fullmatch(media.partition(";")[0].strip().lower()):
            return media, "json"
    for media in content:
        if media.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
            return media, "form"
    for media in content:
        if media.lower().startswith("text/"):
            return media, "text"
    return None


def _one_line(text: Any) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""
