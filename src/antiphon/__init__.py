"""Antiphon: one governed tool registry behind any model provider, for voice and text agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.contracts import ErrorType, Intent, Principal, ToolCall, ToolError, fail, ok
    from antiphon.facade import Antiphon, RunError, RunResult
    from antiphon.orchestrator import Orchestrator
    from antiphon.orchestrator.context import Context
    from antiphon.policy import Budget, Policy
    from antiphon.registry import Registry
    from antiphon.registry.functions import FunctionTool, tool

__version__ = "0.1.0"

# onnxruntime reports to its makers unless it is told not to before it is first imported. Nothing
# here sends anything anywhere that its user has not asked for.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

__all__ = [
    "Antiphon",
    "Budget",
    "Context",
    "ErrorType",
    "FunctionTool",
    "Intent",
    "Orchestrator",
    "Policy",
    "Principal",
    "Registry",
    "RunError",
    "RunResult",
    "ToolCall",
    "ToolError",
    "fail",
    "ok",
    "tool",
]

__getattr__ = lazy(
    __name__,
    {
        "Antiphon": "antiphon.facade",
        "Budget": "antiphon.policy",
        "Context": "antiphon.orchestrator.context",
        "ErrorType": "antiphon.contracts",
        "FunctionTool": "antiphon.registry.functions",
        "Intent": "antiphon.contracts",
        "Orchestrator": "antiphon.orchestrator",
        "Policy": "antiphon.policy",
        "Principal": "antiphon.contracts",
        "Registry": "antiphon.registry",
        "RunError": "antiphon.facade",
        "RunResult": "antiphon.facade",
        "ToolCall": "antiphon.contracts",
        "ToolError": "antiphon.contracts",
        "fail": "antiphon.contracts",
        "ok": "antiphon.contracts",
        "tool": "antiphon.registry.functions",
    },
    globals(),
)
