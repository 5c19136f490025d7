"""Provider descriptors: what is known of each vendor before anything of it is loaded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from antiphon.providers.port import Access, Provider

ProviderFactory = Callable[[Access], Provider]


@dataclass(frozen=True, slots=True)
class ProviderSpec:
    """One backend, by the name that settings, profiles and clients choose it by.

    `text` and `voice` make the provider of each mode from an Access: a class or function, or its
    place as "module:name". Without `voice` the model reads what was heard: by whoever listens at
    the person's end, or by the server's own ears. `key_variable` is the environment variable of
    its key; without one it needs no key. `package` is what pip installs for it and `sdk` the module
    that is imported ahead of the first connection, as that may take seconds. `model` and
    `voice_model` are used where the settings name none.
    """

    name: str
    label: str
    text: str | ProviderFactory
    voice: str | ProviderFactory | None = None
    key_variable: str | None = None
    package: str = ""
    sdk: str | None = None
    model: str | None = None
    voice_model: str | None = None
    text_api: str = ""
    voice_api: str = ""

    @property
    def apis(self) -> tuple[str, str]:
        """The names of its text and of its voice API. A model without a voice of its own has the
        same for both, and besides `ears_api`."""
        text = self.text_api or self.name
        return text, (self.voice_api or f"{self.name}-voice") if self.voice else text

    @property
    def ears_api(self) -> str | None:
        """The API in which this server hears and speaks for the model, if it has no own voice."""
        return None if self.voice else f"{self.name}-voice"

    def make(self, api: str, access: Access) -> Provider:
        """The provider of one of its APIs."""
        factory = self.text if api == self.apis[0] or self.voice is None else self.voice
        if isinstance(factory, str):
            module, _, name = factory.partition(":")
            factory = getattr(import_module(module), name)
        made: Provider = factory(access)
        return made


GEMINI = ProviderSpec(
    "gemini",
    "Gemini",
    text="antiphon.providers.gemini.text:GeminiText",
    voice="antiphon.providers.gemini.live:GeminiLive",
    voice_api="gemini-live",
    key_variable="GEMINI_API_KEY",
    package="google-genai",
    sdk="google.genai",
)
OPENAI = ProviderSpec(
    "openai",
    "OpenAI",
    text="antiphon.providers.openai.chat:OpenAIChat",
    text_api="openai-chat",
    voice="antiphon.providers.openai.realtime:OpenAIRealtime",
    voice_api="openai-realtime",
    key_variable="OPENAI_API_KEY",
    package="openai",
    sdk="openai",
)
CLAUDE = ProviderSpec(
    "claude",
    "Claude",
    text="antiphon.providers.claude:Claude",
    key_variable="ANTHROPIC_API_KEY",
    package="anthropic",
    sdk="anthropic",
)
# Made by the application, which has what it knows of: the knowledge base, the tools, the ears.
LOCAL = ProviderSpec(
    "local",
    "Built in",
    text="antiphon.providers.local:LocalText",
    voice="antiphon.providers.local.voiced_model:LocalVoice",
    model="local",
    voice_model="local",
)
