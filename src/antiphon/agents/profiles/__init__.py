"""Agent profiles: identity, tools, budgets and model of an agent."""

from antiphon.agents.profiles.profile import Profile, ProfileError, load_profile, profiles

__all__ = ["Profile", "ProfileError", "load_profile", "profiles"]
