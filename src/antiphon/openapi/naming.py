"""Names of operations and parameters, as tools and models can have them."""

from __future__ import annotations

import re
from collections.abc import Container

MOST = 64
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NOT_ID = re.compile(r"[^a-z0-9]+")
_NOT_PARAMETER = re.compile(r"[^A-Za-z0-9_-]+")
_PLACE = re.compile(r"\{([^{}]*)\}")


def tool_name(operation_id: str) -> str:
    """`getPetById` as `get_pet_by_id`: lower case, letters, digits and `_` only."""
    words = _NOT_ID.sub("_", _CAMEL.sub("_", operation_id).lower()).strip("_")
    if not words or not words[0].isalpha():
        words = f"op_{words}".rstrip("_")
    return words[:MOST].rstrip("_")


def name_of_path(method: str, path: str) -> str:
    """The name of an operation without an id: `get_pets_by_pet_id` for GET /pets/{petId}."""
    return tool_name(f"{method.lower()}_{_PLACE.sub(lambda found: f'by_{found[1]}', path)}")


def parameter_name(name: str) -> str:
    """A name that every model takes for a parameter: `filter[name]` as `filter_name`."""
    return _NOT_PARAMETER.sub("_", name).strip("_")[:MOST] or "value"


def free_name(wanted: str, taken: Container[str]) -> str:
    """`wanted`, or with a number behind it where that is taken."""
    name, number = wanted, 2
    while name in taken:
        tail = f"_{number}"
        name, number = wanted[: MOST - len(tail)] + tail, number + 1
    return name
