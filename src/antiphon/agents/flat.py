"""The flat shape in which VOX shows a result: `success` beside the data of the envelope."""

from __future__ import annotations

from typing import Any

from antiphon.contracts import Envelope


def flat_result(envelope: Envelope) -> dict[str, Any]:
    """`{success: true, …data}` or `{success: false, error, error_type, …}`."""
    if envelope["ok"]:
        return {**envelope["data"], "success": True}
    error = envelope["error"]
    more = {k: v for k, v in error.items() if k not in ("type", "message")}
    return {"success": False, "error": error["message"], "error_type": error["type"], **more}
