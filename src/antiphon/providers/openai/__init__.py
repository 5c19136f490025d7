"""OpenAI and what speaks like it: Chat Completions for text, Realtime for voice."""
