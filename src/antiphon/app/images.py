"""The image service that the settings choose: its folder, its generator and its egress guard."""

from __future__ import annotations

from antiphon.config import Settings
from antiphon.net.egress import Egress
from antiphon.providers import Backends
from antiphon.providers.images import ImageVendor, Shape, make_image
from antiphon.workspace.images import FOLDER, MAX_FETCHED_BYTES, GeneratedImage, Generator, Images


def open_images(settings: Settings, backends: Backends) -> Images:
    """The images in the data folder; a picture of the web comes through the egress guard."""
    egress = Egress(settings.egress.allowed, limit=MAX_FETCHED_BYTES)
    return Images(settings.data / FOLDER, _image_generator(settings, backends), egress)


def _image_generator(settings: Settings, backends: Backends) -> Generator:
    """Asks the provider that is in force when the image is made; keys may be set at run time."""

    async def generate(prompt: str, shape: Shape) -> GeneratedImage | None:
        vendor = _vendor(settings, backends)
        if vendor is None:
            return None
        access = backends.provider((vendor, "text")).access
        made = await make_image(vendor, access, prompt, shape, settings.images.model)
        return GeneratedImage(made.content, made.provider, made.model)

    return generate


def _vendor(settings: Settings, backends: Backends) -> ImageVendor | None:
    chosen = settings.images.provider
    if chosen == "none":
        return None
    if chosen != "auto":
        return chosen if backends.configured(chosen) else None
    order: list[ImageVendor] = ["openai", "gemini"]
    # The agent's own provider goes first.
    order.sort(key=lambda vendor: vendor != backends.chosen)
    for vendor in order:
        # A server of one's own that needs no key seldom makes images.
        if backends.configured(vendor) and backends.provider((vendor, "text")).access.api_key:
            return vendor
    return None
