"""Provider descriptors: what is known of each vendor before anything of it is loaded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from antiphon.providers.port import Access, Provider

if TYPE_CHECKING:
    from antiphon.providers.images import ProviderImage

ProviderFactory = Callable[[Access], Provider]
ImageMaker = Callable[..., Awaitable["ProviderImage"]]


@dataclass(frozen=True, slots=True)
class ProviderSpec:
    """One backend, by the name that settings, profiles and clients choose it by.

    `text` and `voice` make the provider of each mode from an Access: a class or function, or its
    place as "module:name". Without `voice` the model reads what was heard: by whoever listens at
    the person's end, or by the server's own ears. `key_variable` is the environment variable of
    its key; without one it needs no key. `package` is what pip installs for it and `sdk` the module
    that is imported ahead of the first connection, as that may take seconds. `model` and
    `voice_model` are used where the settings name none. `images` makes pictures with its key:
    `async (access, prompt, shape, model) -> ProviderImage`, or the place of such a function.
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
    images: str | ImageMaker | None = None

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
        made: Provider = _located(factory)(access)
        return made

    @property
    def image_maker(self) -> ImageMaker | None:
        """What makes pictures by this provider; None where nothing does."""
        return None if self.images is None else _located(self.images)


def _located(place: Any) -> Any:
    """Return what a place, written as "module:name", leads to; anything else as it is."""
    if not isinstance(place, str):
        return place
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


GEMINI = ProviderSpec(
    "gemini",
    "Gemini",
    text="antiphon.providers.gemini.text:GeminiText",
    voice="antiphon.providers.gemini.live:GeminiLive",
    voice_api="gemini-live",
    key_variable="GEMINI_API_KEY",
    package="google-genai",
    sdk="google.genai",
    images="antiphon.providers.images:make_gemini_image",
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
    images="antiphon.providers.images:make_openai_image",
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
