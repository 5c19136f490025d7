"""Call frames and call keys: where a nested call stands, and what calls are known by."""

from __future__ import annotations

from dataclasses import dataclass

from antiphon.contracts import Principal


@dataclass(slots=True)
class NestedCallCount:
    """The number of calls made below one outermost call, shared by all of its frames."""

    made: int = 0


@dataclass(slots=True)
class CallFrame:
    """The stack of a nested call: `path` has the tools that led to it, the outermost first;
    `asker` is the principal who made that one."""

    path: tuple[str, ...]
    depth: int
    count: NestedCallCount
    asker: Principal | None = None

    @classmethod
    def root(cls, asker: Principal | None = None) -> CallFrame:
        """The frame of an outermost call whose nested calls are counted from zero."""
        return cls((), 0, NestedCallCount(), asker)

    def nested(self, tool_id: str) -> CallFrame:
        """The frame of a call that `tool_id` makes in this frame."""
        return CallFrame((*self.path, tool_id), self.depth + 1, self.count, self.asker)


def outside_key(session_id: str, key: str) -> str:
    """A call's key for the world outside the session: keys are unique in a session only."""
    return f"{session_id}/{key}"


def nested_key(parent: str, number: int) -> str:
    """The key of the call that a call makes as its first, second, … one."""
    return f"nested:{parent}/{number}"


def parent_key(key: str) -> str | None:
    """The key of the call that made the one with this key; None when it came from outside."""
    if not key.startswith("nested:"):
        return None
    return key.removeprefix("nested:").rpartition("/")[0]


def is_unattended(key: str) -> bool:
    """Whether a schedule began the outermost call: nobody may be there to answer a question."""
    while (above := parent_key(key)) is not None:
        key = above
    return key.startswith("client:schedule:")
