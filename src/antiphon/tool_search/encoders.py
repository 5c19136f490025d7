"""Encoders of tool search: what makes vectors of tools and of requests, where it is installed."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from antiphon.tool_search.tool_texts import ToolTexts

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vectors: TypeAlias = numpy.typing.NDArray[numpy.float32]
else:
    Vectors: TypeAlias = Any

logger = logging.getLogger(__name__)

Embed: TypeAlias = Callable[[Sequence[str]], Vectors]
# Keeps the vectors of tools longer than the process: an encoder's name and function make another.
Keep: TypeAlias = Callable[[str, int, Embed], Embed]

CHUNK = 32  # texts between two looks at whether anybody still wants them
MOST_KEPT = 20_000
_NEEDED = ("numpy", "onnxruntime")
_LONGEST_REQUEST = 2_000


class ToolEncoder(Protocol):
    """Makes vectors of length 1 whose products say how near a request is to a tool."""

    def texts(self, tool: ToolTexts) -> tuple[str, str]:
        """Return the short and the long text by which a tool is known here."""

    def tools(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text of a tool."""

    def requests(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each thing that was said."""


class RouterEncoder:
    """The trained router of the built-in model."""

    def __init__(self, keep: Keep | None) -> None:
        from antiphon.understanding.model import shipped_understanding

        model = shipped_understanding()
        self._router = model.router
        name = f"router:{model.network.digest()[:12]}"
        self.tools: Embed = keep(name, 384, model.router.vectors) if keep else model.router.vectors

    def texts(self, tool: ToolTexts) -> tuple[str, str]:
        """See ToolEncoder."""
        from antiphon.understanding.sequences import card

        return tool.about, card(tool.tool_id, tool.about, tool.names)

    def requests(self, texts: Sequence[str]) -> Vectors:
        """See ToolEncoder."""
        import numpy

        return numpy.stack([self._router.hear(text[:_LONGEST_REQUEST]).vector for text in texts])


class SentenceEncoder:
    """The built-in embedding model of the knowledge base."""

    def __init__(self, keep: Keep | None) -> None:
        from antiphon.knowledge.embedding.factory import default_embedder

        embedder = default_embedder()
        self.requests: Embed = embedder.embed
        self.tools: Embed = (
            keep(embedder.name, embedder.dims, embedder.embed) if keep else embedder.embed
        )

    def texts(self, tool: ToolTexts) -> tuple[str, str]:
        """See ToolEncoder."""
        return tool.about, tool.full


def installed_encoders(keep: Keep | None = None) -> list[ToolEncoder]:
    """Return the encoders that can be used here: none without the packages that they need."""
    if any(find_spec(module) is None for module in _NEEDED):
        return []
    found: list[ToolEncoder] = []
    for make in (SentenceEncoder, RouterEncoder):
        try:
            found.append(make(keep))
        except Exception as error:  # noqa: BLE001 - a model that is missing or damaged is no reason to find nothing
            logger.warning("tools are searched without the %s: %s", make.__name__, error)
    return found


class EncodingStopped(Exception):
    """The search is being closed; nobody waits for this any more."""


class ToolVectors:
    """Vectors of the texts of tools by text, so that tools that stay are not encoded anew."""

    def __init__(self, encoder: ToolEncoder) -> None:
        self.encoder = encoder
        self._known: OrderedDict[str, Any] = OrderedDict()

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return the texts without a vector, each once."""
        return [text for text in dict.fromkeys(texts) if text not in self._known]

    def encode(self, texts: Sequence[str], stopped: Callable[[], bool]) -> None:
        """Make the vectors of those texts that have none. Raises EncodingStopped."""
        fresh = self.missing(texts)
        for start in range(0, len(fresh), CHUNK):
            if stopped():
                raise EncodingStopped
            chunk = fresh[start : start + CHUNK]
            self._known |= dict(zip(chunk, self.encoder.tools(chunk), strict=True))
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)

    def matrix(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts that have one."""
        import numpy

        return numpy.array([self._known[text] for text in texts], numpy.float32)
