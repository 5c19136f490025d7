"""Cron expressions for handlers: parsed, explained, and their next times."""

from __future__ import annotations

from antiphon.text.cron import CronError, CronExpression, explain_cron, next_times, parse_cron

__all__ = ["CronError", "CronExpression", "explain_cron", "next_times", "parse_cron"]
