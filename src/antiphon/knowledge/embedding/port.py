"""Embedder port: the protocol of embedding models and the checks on their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from antiphon.contracts import ErrorType
from antiphon.knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    Vectors: TypeAlias = numpy.typing.NDArray[numpy.float32]
else:
    Vectors: TypeAlias = Any


class EmbeddingError(KnowledgeError):
    """Texts could not be turned into vectors. `type` says what kind of trouble it is.

    VALIDATION: the input or an option must change. AUTH: the key is missing or refused.
    RATE_LIMIT and TRANSIENT: may work when tried again. PERMANENT: the model is missing, changed,
    or answers what cannot be used.
    """

    def __init__(
        self,
        message: str,
        type: ErrorType = ErrorType.PERMANENT,
        *,
        nearest: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, type, nearest=nearest)


class Embedder(Protocol):
    """Turns texts into vectors whose scalar product says how near two texts are in meaning.

    Safe to use from several threads. The same text gives the same vector, whatever it is embedded
    together with.
    """

    @property
    def name(self) -> str:
        """Name of the model; it changes whenever its vectors would."""

    @property
    def dims(self) -> int:
        """Number of dimensions of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One float32 row of length 1 for each text, in their order. Raises EmbeddingError.

        A text without a word in it gets `blank`.
        """


def whole_number(name: str, value: object, least: int, most: int) -> int:
    """The value of an option. Raises EmbeddingError when it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise EmbeddingError(
            f"{name} must be a whole number from {least} to {most}, not {value!r}.",
            ErrorType.VALIDATION,
        )
    return value


def seconds(name: str, value: object, least: float, most: float) -> float:
    """The value of an option. Raises EmbeddingError when it is no such number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise EmbeddingError(
            f"{name} must be from {least:g} to {most:g} seconds, not {value!r}.",
            ErrorType.VALIDATION,
        )
    return float(value)


def checked_texts(texts: Sequence[str]) -> list[str]:
    """The texts as a list. Raises EmbeddingError when they are not a sequence of texts."""
    if isinstance(texts, str | bytes):
        raise EmbeddingError(
            "embed takes a list of texts, but got one text; put it in a list.",
            ErrorType.VALIDATION,
        )
    given = list(texts)
    for position, text in enumerate(given):
        if not isinstance(text, str):
            raise EmbeddingError(
                f"Text {position} to embed is of type {type(text).__name__}; give text.",
                ErrorType.VALIDATION,
            )
    return given


def blank(dims: int) -> Vectors:
    """Vector of an empty text: of length 1, and near to no other text."""
    import numpy

    vector = numpy.zeros(dims, numpy.float32)
    vector[0] = 1.0
    return vector


def normalised(vectors: numpy.typing.NDArray[Any], source: str) -> Vectors:
    """The rows scaled to length 1. Raises EmbeddingError for NaN, infinity and zero vectors."""
    import numpy

    wide = vectors.astype(numpy.float64)
    if not numpy.isfinite(wide).all():
        raise EmbeddingError(f"{source} gave a vector with NaN or infinity in it.")
    # Divided by its largest number first, so that no square is too large or too small.
    peaks = numpy.abs(wide).max(axis=1, keepdims=True)
    if not (peaks > 0).all():
        raise EmbeddingError(f"{source} gave a vector of zeros, which has no direction.")
    wide /= peaks
    wide /= numpy.linalg.norm(wide, axis=1, keepdims=True)
    return wide.astype(numpy.float32)
