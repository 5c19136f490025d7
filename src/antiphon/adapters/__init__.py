"""Adapters: the tools of a session for an agent of another framework, each call through the gates.

One module for each framework: `pydantic_ai`, `openai_agents`, `langchain`, `google_adk`, `livekit`
and `pipecat`. A module imports its framework, and nothing else here does.
"""
