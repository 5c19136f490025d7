"""The trained model as one thing: a network, its router and its reader."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from antiphon.text.wordpiece import WordPieces
from antiphon.understanding.network import WEIGHTS, Network
from antiphon.understanding.reader import SpanReader
from antiphon.understanding.router import UtteranceRouter


class Understanding:
    """What the built-in model understands with. Nothing is loaded before it is needed."""

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self.network = Network(folder)
        pieces = WordPieces()
        self.router = UtteranceRouter(self.network, pieces)
        self.reader = SpanReader(self.network, pieces)


@lru_cache(maxsize=1)
def shipped_understanding() -> Understanding:
    """The one that ships, loaded once in a process."""
    return Understanding()
