"""Profiles: who an agent is, which tools it has, what it may spend, and which model it talks to."""

from antiphon.agents.profiles.profile import Profile, ProfileError, load_profile, profiles

__all__ = ["Profile", "ProfileError", "load_profile", "profiles"]
