"""System prompts of agents, put together from files, tools, budgets and the profile."""

from antiphon.agents.prompt.composition import PromptPart, SystemPrompt, compose

__all__ = ["PromptPart", "SystemPrompt", "compose"]
