"""Validation words: pydantic's errors as people are told them, for files and for messages.

Models of files say in one sentence what is wrong first and where (`file_problem`). Models of
messages give one entry of `errors` for each bad field, with its JSON pointer (`field_errors`); a
field, or the model itself, may have words of its own as `json_schema_extra` with `wrong` and
`expected`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints, ValidationError

from antiphon.workspace.errors import field_error, invalid

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

Place = Sequence[int | str]

Model = TypeVar("Model", bound=BaseModel)

# A text that says something.
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class StrictModel(BaseModel):
    """A model of what somebody else wrote: nothing is converted, nothing unknown is let through."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FieldProblem(ValueError):
    """A validator's own words about a field: what is wrong with it, and what is expected."""

    def __init__(self, wrong: str, expected: str) -> None:
        super().__init__(wrong)
        self.wrong = wrong
        self.expected = expected


def _printable(text: str) -> str:
    if not text.isprintable():
        raise FieldProblem("has characters that do not print", "plain text")
    return text


# A name or a phrase, on one line.
Line = Annotated[str, StringConstraints(min_length=1), AfterValidator(_printable)]


_KINDS = {
    "string_type": "a text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "dict_type": "an object",
    "list_type": "a list",
    "model_type": "an object",
}


def file_problem(error: ValidationError, model: type[BaseModel]) -> str:
    """Return what is wrong first with a file, and where: "step 2 has no `title`"."""
    found = error.errors()
    # A name that is misspelt is unknown, and the right one missing: the former says more.
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    *above, name = first["loc"] or ("",)
    kind = first["type"]
    at = _place(above)
    if kind == "extra_forbidden":
        known = ", ".join(sorted(_names(_model_at(model, above))))
        return f"{at} has {name!r}, which is none of {known}"
    if kind in ("missing", "string_too_short"):
        return f"{at} has no `{name}`"
    if kind == "value_error":
        words = str(first["ctx"]["error"])
        return words if not first["loc"] else f"{_place(first['loc'])}: {words}"
    if kind in ("model_type", "dict_type") and (not first["loc"] or isinstance(name, int)):
        *most, last = _required(_model_at(model, first["loc"]))
        needed = f"{', '.join(most)} and {last}" if most else last
        return f"{_place(first['loc'])} has to be an object with {needed}"
    if kind in ("too_short", "too_long", "list_type"):
        return f"{_prefix(at)}`{name}` has to be {_list_words(_field(model, first['loc']))}"
    named = f"`{name}`" if isinstance(name, str) else f"entry {name + 1} of `{above[-1]}`"
    at = _place(above if isinstance(name, str) else above[:-1])
    return f"{_prefix(at)}{named} has to be {_KINDS.get(kind) or first['msg']}"


def checked(model: type[Model], values: Mapping[str, Any], what: str) -> Model:
    """Return the values of a message as its model has them. Raises VALIDATION with every bad field;
    `what` are the words before them."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise invalid(field_errors(error, model, ""), what) from None


def field_errors(error: ValidationError, model: type[BaseModel], at: str) -> list[dict[str, str]]:
    """Return an entry for every bad field of a message; `at` is the pointer of the message."""
    return [_field_error(each, model, at) for each in error.errors()]


def _field_error(found: ErrorDetails, model: type[BaseModel], at: str) -> dict[str, str]:
    loc = found["loc"]
    pointer = "".join([at, *(f"/{name}" for name in loc)])
    if found["type"] == "extra_forbidden":
        known = ", ".join(_names(_model_at(model, loc[:-1])))
        return field_error(pointer, "is not known", f"one of {known}")
    own = found.get("ctx", {}).get("error")
    if isinstance(own, FieldProblem):
        return field_error(pointer, own.wrong, own.expected)
    words: Any = _words(model, loc)
    if words:
        return field_error(pointer, words["wrong"], words["expected"])
    if found["type"] == "missing":
        return field_error(pointer, "is missing", "a value")
    field = _field(model, loc)
    if found["type"] == "string_too_long":
        most = found["ctx"]["max_length"]
        return field_error(pointer, f"has {len(found['input'])} characters", f"at most {most}")
    if found["type"] == "string_too_short":
        most = _limits(field).get("max_length")
        expected = "1 character or more" if most is None else f"1 to {most} characters"
        return field_error(pointer, "is empty", expected)
    if found["type"] == "literal_error" and field is not None:
        known = ", ".join(map(str, get_args(field.annotation)))
        return field_error(pointer, "is not known", f"one of {known}")
    return field_error(pointer, "is not right", _KINDS.get(found["type"]) or found["msg"])


def _words(model: type[BaseModel], loc: Place) -> Any:
    field = _field(model, loc) if loc else None
    extra = field.json_schema_extra if field is not None else None
    if extra is None and not loc:
        extra = model.model_config.get("json_schema_extra")  # type: ignore[assignment]
    return extra if isinstance(extra, Mapping) else None


def _place(loc: Place) -> str:
    """Return the words for a place: ("steps", 1, "sections", 0) is "step 2, section 1"."""
    parts = [
        f"{str(above).removesuffix('s')} {name + 1}"
        for above, name in itertools.pairwise(loc)
        if isinstance(name, int)
    ]
    return ", ".join(parts) or "it"


def _prefix(at: str) -> str:
    return "" if at == "it" else f"{at}: "


def _list_words(field: FieldInfo | None) -> str:
    limits = _limits(field)
    if "max_length" in limits:
        return f"a list of {limits.get('min_length', 0)} to {limits['max_length']}"
    inner = get_args(field.annotation)[:1] if field is not None else ()
    return "a list of texts" if inner == (str,) else "a list"


def _limits(field: FieldInfo | None) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in field.metadata if field is not None else ():
        for name in ("min_length", "max_length"):
            if getattr(each, name, None) is not None:
                found[name] = getattr(each, name)
    return found


def _names(model: type[BaseModel]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _required(model: type[BaseModel]) -> list[str]:
    fields = model.model_fields.items()
    return [field.alias or name for name, field in fields if field.is_required()] or _names(model)


def _field(model: type[BaseModel], loc: Place) -> FieldInfo | None:
    """Return the field at the last name of a place."""
    names = [name for name in loc if isinstance(name, str)]
    if not names:
        return None
    above = _model_at(model, names[:-1])
    for name, field in above.model_fields.items():
        if names[-1] in (name, field.alias):
            return field
    return None


def _model_at(model: type[BaseModel], loc: Place) -> type[BaseModel]:
    """Return the model of what is at a place, or of the nearest thing around it."""
    for name in loc:
        if isinstance(name, str):
            field = _field(model, (name,))
            inner = None if field is None else _inner_model(field.annotation)
            if inner is None:
                break
            model = inner
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for each in get_args(annotation):
        found = _inner_model(each)
        if found is not None:
            return found
    return None
