"""The instructions of an agent, put together from files, tools, budgets and the profile."""

from antiphon.agents.prompt.composition import Part, Prompt, compose

__all__ = ["Part", "Prompt", "compose"]
