"""An embedder: a text is the letters that it has."""

from collections.abc import Sequence
from typing import Any

import numpy


class Letters:
    name = "acme-letters-1"
    dims = 27

    def __init__(self, weight: float = 1.0) -> None:
        self._weight = weight

    def embed(self, texts: Sequence[str]) -> Any:
        vectors = numpy.zeros((len(texts), self.dims), numpy.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                vectors[row, ord(letter) - 96 if "a" <= letter <= "z" else 0] += self._weight
            vectors[row] /= max(float(numpy.linalg.norm(vectors[row])), 1.0)
        return vectors
