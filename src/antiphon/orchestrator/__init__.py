"""The one path of every tool call, and what is measured along it."""

from antiphon.orchestrator.metrics import Metrics, estimate_tokens

__all__ = ["Metrics", "estimate_tokens"]
