"""Call identity: the key and hash of a call, and the earlier record that it repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from antiphon.contracts import ToolCall
from antiphon.orchestrator.call_frame import CallFrame
from antiphon.orchestrator.call_records import CallRecord, FrozenCall, digest
from antiphon.policy.view import FoundBy
from antiphon.registry.registry import Tool

if TYPE_CHECKING:
    from antiphon.orchestrator.session import Session

STABLE_ID_LENGTH = 8


def canonical_args(call: ToolCall) -> bytes | None:
    """The arguments as canonical JSON; None when they are not JSON."""
    try:
        return orjson.dumps(call.args, option=orjson.OPT_SORT_KEYS)
    except (TypeError, ValueError):
        return None


def identify(
    session: Session,
    call: ToolCall,
    canonical: bytes | None,
    tool: Tool | None,
    frame: CallFrame | None,
    frozen: FrozenCall | None,
) -> tuple[str, str, FoundBy]:
    """Return the call's key, the hash that writing tools are looked up by as well, and how a record
    found under the key was found."""
    writes = tool is not None and tool.writes
    if frozen is not None:
        return frozen.key, frozen.hash if writes else "", "key"
    own = call.client_key
    if own is not None:
        # Whoever brings a key says by it what is the same call; the hash follows the key.
        key = own if frame is not None else f"client:{own}"
        return key, digest(key.encode("utf-8", "surrogatepass")) if writes else "", "key"
    given = call.id
    stable = type(given) is str and len(given) > STABLE_ID_LENGTH and "temp" not in given
    if stable and not writes:
        return f"provider:{given}", "", "key"
    hashed = digest(
        b'{"args":%b,"tool":%b,"turn":%d}'
        % (
            canonical or b"null",
            # Whatever the name is: that it is no tool's is for the rules to say.
            orjson.dumps(str(call.name).encode("utf-8", "replace").decode()),
            session.view.turn.number,
        )
    )
    if stable:
        return f"provider:{given}", hashed, "key"
    return f"hash:{hashed}", hashed, "hash"


def find_undelivered(
    session: Session, call: ToolCall, canonical: bytes | None, frozen: FrozenCall | None
) -> CallRecord | None:
    """Find the same write from an earlier turn whose outcome the model was not given yet. A
    client's key says by itself what is the same call, and a person may approve one twice."""
    if call.client_key is not None or frozen is not None or canonical is None:
        return None
    return session.undelivered.get((call.name, canonical))
