"""Items of a Realtime conversation that clients create: which there are and what is refused."""

from __future__ import annotations

from typing import Any

from antiphon.emulators.openai.realtime.session import RealtimeRefusal

_CONTENT = {
    "user": ("input_text", "input_audio", "input_image"),
    "assistant": ("output_text", "output_audio"),
    "system": ("input_text",),
}
_KEYS = {
    "message": ("role", "content"),
    "function_call": ("name", "arguments", "call_id"),
    "function_call_output": ("call_id", "output"),
}
_COMMON = ("id", "object", "type", "status")


def checked(item: Any) -> dict[str, Any]:
    """Return a client's item with defaults filled in. Raises RealtimeRefusal."""
    if not isinstance(item, dict):
        raise _missing("item")
    kind = item.get("type")
    if kind is None:
        raise _missing("item.type")
    if kind not in _KEYS:
        raise _invalid("item.type", kind, tuple(_KEYS))
    for name in item:
        if name not in _KEYS[kind] and name not in _COMMON:
            raise RealtimeRefusal(
                "unknown_parameter", f"Unknown parameter: 'item.{name}'.", f"item.{name}"
            )
    for name in _KEYS[kind]:
        if name not in item and not (kind == "function_call" and name == "call_id"):
            raise _missing(f"item.{name}")
    for name in ("call_id", "output", "name", "arguments", "id"):
        if name in item and not isinstance(item[name], str):
            raise RealtimeRefusal(
                "invalid_type",
                f"Invalid type for 'item.{name}': expected a string.",
                f"item.{name}",
            )
    for name in ("id", "call_id"):
        if len(item.get(name, "")) > 32:
            raise RealtimeRefusal(
                "string_above_max_length",
                f"Invalid 'item.{name}': string too long. Expected a string with maximum length "
                f"32, but got a string with length {len(item[name])} instead.",
                f"item.{name}",
            )
    if kind == "message":
        _check_message(item)
    return item


def text_of(item: dict[str, Any]) -> str:
    """The text of a message item."""
    return " ".join(part["text"] for part in item.get("content", ()) if part.get("text"))


def _check_message(item: dict[str, Any]) -> None:
    role = item["role"]
    if role not in _CONTENT:
        raise _invalid("item.role", role, tuple(_CONTENT))
    if not isinstance(item["content"], list) or not item["content"]:
        raise _missing("item.content")
    for n, part in enumerate(item["content"]):
        where = f"item.content[{n}]"
        kind = part.get("type") if isinstance(part, dict) else None
        if kind not in _CONTENT[role]:
            raise _invalid(f"{where}.type", kind, _CONTENT[role])
        if kind == "output_audio":
            raise RealtimeRefusal(
                "invalid_value", "Assistant audio messages cannot be created by clients.", where
            )
        if kind.endswith("_text") and not isinstance(part.get("text"), str):
            raise _missing(f"{where}.text")


def _missing(where: str) -> RealtimeRefusal:
    return RealtimeRefusal(
        "missing_required_parameter", f"Missing required parameter: '{where}'.", where
    )


def _invalid(where: str, value: Any, wanted: tuple[str, ...]) -> RealtimeRefusal:
    names = ", ".join(f"'{name}'" for name in wanted)
    return RealtimeRefusal(
        "invalid_value", f"Invalid value: '{value}'. Supported values are: {names}.", where
    )
