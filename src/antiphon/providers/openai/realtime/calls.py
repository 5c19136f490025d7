"""Function calls of a Realtime response, collected from whichever events bring them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class FunctionCalls:
    """Collector of the calls of a response.

    OpenAI tells of a call three times: with its arguments, as an item, and in the response that is
    done. Compatible servers leave out one or two of these, so all of them are kept until the
    response is over; whether its calls are to be run is known only then.
    """

    def __init__(self) -> None:
        self._items: dict[str, dict[str, Any]] = {}  # by the call's id
        self._begun: dict[str, dict[str, Any]] = {}  # items that were announced, by their own id

    def on_message(self, message: dict[str, Any]) -> None:
        """Collect the call in a message, if there is one."""
        item: Any = message.get("item")
        match message.get("type"):
            case "response.created":
                self.clear()
            case "response.output_item.added" if _is_call(item):
                self._begun[str(item.get("id"))] = item
            case "response.output_item.done" if _is_call(item):
                self._items[str(item.get("call_id"))] = item
            case "response.function_call_arguments.done":
                begun = self._begun.get(str(message.get("item_id"))) or {}
                item = {"type": "function_call", "arguments": message.get("arguments")}
                for name in ("call_id", "name"):
                    item[name] = message.get(name) or begun.get(name)
                self._items.setdefault(str(item["call_id"]), item)

    def of(self, output: Iterable[Any] | None) -> list[dict[str, Any]]:
        """Return every call of the response that is done, each once, in the order of their coming.
        Raises AttributeError for an output that makes no sense."""
        listed = [item for item in output or () if item.get("type") == "function_call"]
        known = {str(item.get("call_id")) for item in listed}
        collected = [item for id_, item in self._items.items() if id_ not in known]
        return [*collected, *listed]

    def clear(self) -> None:
        """Forget the calls of the response before."""
        self._items.clear()
        self._begun.clear()


def _is_call(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "function_call"
