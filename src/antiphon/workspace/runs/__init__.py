"""Durable runs of steps: macros, workflows and agents, resumed after a crash."""
