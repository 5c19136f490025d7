"""Model choice: the backend and model that a program names in one word, as in "openai:gpt-4.1"."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from antiphon.plugins import Plugins

if TYPE_CHECKING:
    from antiphon.providers import Provider

# The vendors' names where they are not those of the backends.
VENDOR_ALIASES = {"anthropic": "claude", "google": "gemini"}
# The backend of a provider that a program made itself.
OWN_BACKEND = "own"


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A backend, its model, and the provider behind it where the program brought its own. None:
    as the settings have it."""

    backend: str | None = None
    model: str | None = None
    providers: dict[str, Any] = field(default_factory=dict)


def choose_model(model: str | Provider | None, plugins: Plugins) -> ChosenModel:
    """Read `model`: "local", "openai", "openai:gpt-4.1" and the like, or a provider.

    Raises ValueError for a backend that there is not.
    """
    if model is None:
        return ChosenModel()
    if not isinstance(model, str):
        return _own_provider(model)
    vendor, colon, name = (part.strip() for part in model.partition(":"))
    backend = VENDOR_ALIASES.get(vendor, vendor)
    known = plugins.names("providers")
    if backend not in known:
        near = difflib.get_close_matches(vendor, [*known, *VENDOR_ALIASES], n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"There is no model {model!r}. Write one of {', '.join(known)}, with a model behind a "
            f"colon if you like, as in 'openai:gpt-4.1'.{hint}"
        )
    if colon and not name:
        raise ValueError(f"The model behind the colon is missing in {model!r}.")
    if backend == "local" and name:
        raise ValueError(f"The built-in model has no variants; write 'local', not {model!r}.")
    return ChosenModel(backend, name or None)


def _own_provider(provider: Provider) -> ChosenModel:
    from antiphon.providers import Provider as Port
    from antiphon.providers.vendors import ProviderSpec

    if not isinstance(provider, Port):
        raise TypeError(
            f"A model is named, as in 'openai:gpt-4.1', or is a Provider, not "
            f"{type(provider).__name__}."
        )
    spec = ProviderSpec(
        OWN_BACKEND,
        type(provider).__name__,
        text=lambda access: provider,  # noqa: ARG005 - it has its own
        voice=lambda access: provider,  # noqa: ARG005
        model=OWN_BACKEND,
        voice_model=OWN_BACKEND,
    )
    return ChosenModel(OWN_BACKEND, None, {OWN_BACKEND: spec})
