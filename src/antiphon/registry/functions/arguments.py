"""Arguments of a function tool: their JSON Schema, and their conversion into Python types."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticSchemaGenerationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import ArgsKwargs, core_schema

from antiphon.contracts import ErrorType, ToolError
from antiphon.registry.findings import FindingList, pointer_to, shown
from antiphon.registry.functions.docstring import parse_docstring
from antiphon.registry.functions.signature import FunctionParameter
from antiphon.registry.functions.typed_dicts import portable
from antiphon.registry.schemas import children, pointer

# Names that Pydantic gives to what has a name already, and a keyword that is none of JSON Schema.
_NEEDLESS = ("title", "discriminator")

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?"
_OFFSET = "(Z|[+-][0-9]{2}:[0-9]{2})?"


class Arguments:
    """The arguments of one function, compiled. Raises whatever Pydantic has against a type."""

    __slots__ = ("_validate", "schema")

    def __init__(self, parameters: Sequence[FunctionParameter]) -> None:
        adapter = TypeAdapter(_taking(parameters))
        self.schema = plain_schema(adapter, "validation")
        self._validate = adapter.validator.validate_python

    def convert(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return the values of the parameters by name. Raises ToolError VALIDATION for what the
        schema lets through and a type or its own validator refuses."""
        try:
            values: dict[str, Any] = self._validate(ArgsKwargs((), args))
        except ValidationError as error:
            raise _refused(error) from None
        return values


def compile_arguments(
    parameters: Sequence[FunctionParameter], found: FindingList
) -> Arguments | None:
    """Return the arguments of a function, or None with a finding for each type that is no data."""
    try:
        return Arguments(parameters)
    except Exception as error:  # noqa: BLE001 - a type brings code of its own
        before = len(found.found)
        for parameter in parameters:
            _check_type(parameter, found)
        if len(found.found) == before:
            fix = "Use types that JSON has a form for, such as str, int, list or a dataclass."
            message = f"the parameters have no form in JSON ({reason_of(error) or error})"
            found.error("parameter-type", "/parameters", message, fix)
        return None


def object_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of arguments with the members that every schema of parameters has."""
    return {"properties": {}, **schema, "type": "object", "additionalProperties": False}


def plain_schema(adapter: TypeAdapter[Any], mode: JsonSchemaMode) -> dict[str, Any]:
    """Return the JSON Schema of a type, without the titles that only repeat names."""
    with warnings.catch_warnings():
        # A default that JSON cannot say stays the function's own business.
        warnings.simplefilter("ignore")
        schema = adapter.json_schema(mode=mode, schema_generator=_SchemaWriter)
    _remove_needless(schema)
    return schema


class _SchemaWriter(GenerateJsonSchema):
    """Pydantic's generator, with the formats of times as JSON Schema means them, and descriptions
    of members from the docstrings of their classes.

    In JSON Schema a time has an offset. A Python one may have none, and is written as in ISO 8601.
    """

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> dict[str, Any]:
        """Return the schema of a dataclass, complete."""
        return self._complete(super().dataclass_schema(schema))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> dict[str, Any]:
        """Return the schema of a TypedDict, complete."""
        return self._complete(super().typed_dict_schema(schema))

    def model_schema(self, schema: core_schema.ModelSchema) -> dict[str, Any]:
        """Return the schema of a Pydantic model, complete."""
        return self._complete(super().model_schema(schema))

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> dict[str, Any]:
        """Return the schema of a moment. What takes only those without an offset says so; a
        result may be with or without."""
        if schema.get("tz_constraint") == "naive":
            return {"type": "string", "pattern": f"^{_DATE}T{_TIME}$"}
        return self._unless_returned(super().datetime_schema(schema))

    def time_schema(self, schema: core_schema.TimeSchema) -> dict[str, Any]:
        """Return the schema of a time of day."""
        del schema
        return {"type": "string", "pattern": f"^{_TIME}{_OFFSET}$"}

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> dict[str, Any]:
        """Return the schema of a duration; a result may be negative or have fractions."""
        return self._unless_returned(super().timedelta_schema(schema))

    def _complete(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Move descriptions of members from the docstring of their class to the members. What is
        given as an argument has no others, as a call has no other parameters."""
        parsed = parse_docstring(schema.get("description"))
        members = schema.get("properties", {})
        for name, text in parsed.parameters.items():
            if name in members and text:
                members[name].setdefault("description", text)
        if parsed.parameters:
            schema["description"] = f"{parsed.summary}\n\n{parsed.body}".strip()
        if members and self.mode == "validation":
            schema.setdefault("additionalProperties", False)
        return schema

    def _unless_returned(self, schema: dict[str, Any]) -> dict[str, Any]:
        if self.mode == "serialization":
            schema.pop("format", None)
        return schema


def _remove_needless(schema: Any) -> None:
    if isinstance(schema, dict):
        for name in _NEEDLESS:
            schema.pop(name, None)
        for _, child in list(children(schema)):
            _remove_needless(child)


def _taking(parameters: Sequence[FunctionParameter]) -> Any:
    """Return a function that takes these parameters and returns their values by name."""

    def values(**given: Any) -> dict[str, Any]:
        return given

    hints = {each.name: portable(each.annotation) for each in parameters}
    values.__annotations__ = hints
    values.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                each.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=each.default,
                annotation=hints[each.name],
            )
            for each in parameters
        ]
    )
    return values


def _check_type(parameter: FunctionParameter, found: FindingList) -> None:
    try:
        Arguments([parameter])
    except Exception as error:  # noqa: BLE001 - a type brings code of its own
        at = "/parameters" + pointer_to("properties", parameter.name)
        kind = getattr(parameter.annotation, "__name__", None) or str(parameter.annotation)
        message = f"the type {shown(kind)} of {shown(parameter.name)} has no form in JSON"
        if reason := reason_of(error):
            message += f" ({reason})"
        fix = (
            "Use str, int, float, bool, list, dict, Literal, Enum, TypedDict, a dataclass or a "
            "Pydantic model; what the tool needs from the program comes by `context`."
        )
        found.error("parameter-type", at, message, fix)


def reason_of(error: Exception) -> str:
    """Return why a type was refused; nothing where Pydantic only says that it does not know it."""
    if isinstance(error, PydanticSchemaGenerationError | PydanticInvalidForJsonSchema):
        return ""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".")[:200] if lines else type(error).__name__


def _refused(error: ValidationError) -> ToolError:
    errors = [
        {
            "pointer": pointer(tuple(each["loc"])),
            "message": each["msg"],
            "expected": each["type"].replace("_", " "),
        }
        for each in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    listed = "; ".join(f"{each['pointer'] or '/'}: {each['message']}" for each in errors[:5])
    return ToolError(ErrorType.VALIDATION, f"Invalid parameters: {listed}", errors=errors[:50])
