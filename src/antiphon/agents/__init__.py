"""Agents: profiles, prompts, the conversation, the text loop and the voice engine."""
