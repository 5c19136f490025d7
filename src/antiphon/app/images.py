"""The image service that the settings choose: its folder, its generator and its egress guard."""

from __future__ import annotations

from antiphon.config import Settings
from antiphon.contracts import ErrorType, ToolError
from antiphon.net.egress import Egress
from antiphon.providers import Backends
from antiphon.providers.images import Shape
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
        maker = backends.specs[vendor].image_maker
        assert maker is not None
        access = backends.provider((vendor, "text")).access
        made = await maker(access, prompt, shape, settings.images.model)
        return GeneratedImage(made.content, made.provider, made.model)

    return generate


def _vendor(settings: Settings, backends: Backends) -> str | None:
    """The provider whose images are wanted; None where none is, or none has a key."""
    chosen = settings.images.provider
    if chosen == "none":
        return None
    able = [name for name, spec in backends.specs.items() if spec.images is not None]
    if chosen != "auto":
        if chosen not in able:
            raise ToolError(
                ErrorType.PERMANENT,
                f"The setting images.provider names {chosen!r}, which makes no images; "
                f"choose one of {', '.join(able)}, auto or none.",
            )
        return chosen if backends.configured(chosen) else None
    # The agent's own provider goes first.
    for vendor in sorted(able, key=lambda name: name != backends.chosen):
        # A server of one's own that needs no key seldom makes images.
        if backends.configured(vendor) and backends.provider((vendor, "text")).access.api_key:
            return vendor
    return None
