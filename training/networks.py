"""The two networks: an encoder each, and small heads that the product computes by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from antiphon.understanding.sequences import MARKS, TokenSequence
from training.encoder import HIDDEN, Encoder, load_minilm
from training.examples import ACTS, SORTS

NARROW = 96


class Marked(nn.Module):
    """An encoder whose word table stays as it is but for the marks, so that two can share it.

    Without `weights` it waits for a state that is loaded."""

    def __init__(self, weights: Path | None) -> None:
        super().__init__()
        self.encoder = Encoder()
        if weights is not None:
            load_minilm(self.encoder, weights)
        self.encoder.words.weight.requires_grad_(False)
        self.marks = nn.Parameter(self.encoder.words.weight[1 : MARKS + 1].detach().clone())

    def hidden(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        encoder = self.encoder
        words = encoder.words(ids)
        marked = (ids >= 1) & (ids <= MARKS)
        words = torch.where(marked[..., None], self.marks[(ids - 1).clamp(0, MARKS - 1)], words)
        places = encoder.places(torch.arange(ids.shape[1], device=ids.device))[None]
        return encoder.layered(words + places + encoder.segments(segments), mask)


class Router(Marked):
    def __init__(self, weights: Path | None) -> None:
        super().__init__(weights)
        self.act = nn.Linear(HIDDEN, len(ACTS))
        self.second = nn.Linear(HIDDEN, 1)
        self.sort = nn.Linear(HIDDEN, len(SORTS))
        self.log_scale = nn.Parameter(torch.tensor(3.0))

    @staticmethod
    def pooled(hidden: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """The mean over what was said, without what was said before."""
        kept = (mask * (1 - segments))[..., None].to(hidden.dtype)
        return F.normalize((hidden * kept).sum(1) / kept.sum(1), dim=-1)


class Reader(Marked):
    def __init__(self, weights: Path | None) -> None:
        super().__init__(weights)
        self.begin_mark = nn.Linear(HIDDEN, NARROW)
        self.begin_text = nn.Linear(HIDDEN, NARROW)
        self.inside_mark = nn.Linear(HIDDEN, NARROW)
        self.inside_text = nn.Linear(HIDDEN, NARROW)
        self.bias = nn.Parameter(torch.tensor([-3.0, -3.0]))
        self.ends = nn.Linear(HIDDEN, 2)
        self.there = nn.Linear(HIDDEN, 1)
        self.meant = nn.Linear(HIDDEN, 1)

    def spans(self, marks: Tensor, text: Tensor) -> tuple[Tensor, Tensor]:
        """Scores that each mark's value begins at each piece, and that it covers it."""
        scale = NARROW**-0.5
        begin = torch.einsum("bmd,btd->bmt", self.begin_mark(marks), self.begin_text(text)) * scale
        inside = (
            torch.einsum("bmd,btd->bmt", self.inside_mark(marks), self.inside_text(text)) * scale
        )
        return begin + self.bias[0], inside + self.bias[1]


def padded(sequences: list[TokenSequence], device: str) -> tuple[Tensor, Tensor, Tensor]:
    width = max(len(one.ids) for one in sequences)
    packed = np.zeros((3, len(sequences), width), np.int64)
    for row, one in enumerate(sequences):
        packed[0, row, : len(one.ids)] = one.ids
        packed[1, row, : len(one.ids)] = one.segments
        packed[2, row, : len(one.ids)] = 1
    ids, segments, mask = torch.from_numpy(packed).to(device, non_blocking=True)
    return ids, segments, mask
