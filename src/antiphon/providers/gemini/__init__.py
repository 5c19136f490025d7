"""Gemini: generateContent for text, Live for voice."""
