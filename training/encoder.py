"""The encoder: BERT of six layers, as all-MiniLM-L6-v2 is, in plain PyTorch so that it exports cleanly."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

VOCABULARY, HIDDEN, LAYERS, HEADS, INNER, POSITIONS = 30_522, 384, 6, 12, 1_536, 512


def rounded(values: Tensor) -> Tensor:
    """As int8 with one scale for each sequence leaves them; gradients pass through."""
    low = values.amin((1, 2), keepdim=True).clamp(max=0)
    scale = (values.amax((1, 2), keepdim=True).clamp(min=0) - low).clamp(min=1e-6) / 255
    return values + (torch.round(values / scale) * scale - values).detach()


def rounded_weight(weight: Tensor) -> Tensor:
    """As int8 with one scale for each output leaves it; gradients pass through."""
    scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-6) / 127
    return weight + (torch.round(weight / scale) * scale - weight).detach()


class Dense(nn.Linear):
    """A linear layer that can compute as its quantised form will."""

    quantised = False

    def forward(self, values: Tensor) -> Tensor:
        if self.quantised:
            return F.linear(rounded(values), rounded_weight(self.weight), self.bias)
        return super().forward(values)


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query = Dense(HIDDEN, HIDDEN)
        self.key = Dense(HIDDEN, HIDDEN)
        self.value = Dense(HIDDEN, HIDDEN)
        self.joined = Dense(HIDDEN, HIDDEN)
        self.attended = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.wide = Dense(HIDDEN, INNER)
        self.narrow = Dense(INNER, HIDDEN)
        self.out = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden: Tensor, blocked: Tensor) -> Tensor:
        batch, length, _ = hidden.shape

        def heads(part: Tensor) -> Tensor:
            return part.view(batch, length, HEADS, HIDDEN // HEADS).transpose(1, 2)

        query, key, value = (heads(f(hidden)) for f in (self.query, self.key, self.value))
        scores = query @ key.transpose(-1, -2) / (HIDDEN // HEADS) ** 0.5 + blocked
        mixed = (
            (self.dropout(scores.softmax(-1)) @ value)
            .transpose(1, 2)
            .reshape(batch, length, HIDDEN)
        )
        hidden = self.attended(hidden + self.dropout(self.joined(mixed)))
        return self.out(hidden + self.dropout(self.narrow(F.gelu(self.wide(hidden)))))


class Encoder(nn.Module):
    """Embeddings of tokens in; a vector of 384 numbers for each token out."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.places = nn.Embedding(POSITIONS, HIDDEN)
        self.segments = nn.Embedding(2, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def quantise(self, on: bool) -> None:
        """From now on compute with the rounding of int8, so that the weights get used to it."""
        for module in self.modules():
            if isinstance(module, Dense):
                module.quantised = on

    def layered(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """From the sum of the embeddings on, which the product looks up by itself."""
        hidden = self.dropout(self.norm(embedded))
        blocked = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * -10_000.0
        for layer in self.layers:
            hidden = layer(hidden, blocked)
        return hidden


def load_minilm(encoder: Encoder, weights: Path) -> None:
    """Take over the weights that `weights.py` made out of the package's file."""
    stored = {
        name: torch.tensor(value.astype(np.float32)) for name, value in np.load(weights).items()
    }
    embeddings = {
        "words": "word_embeddings",
        "places": "position_embeddings",
        "segments": "token_type_embeddings",
        "norm": "LayerNorm",
    }
    parts = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "joined": "attention.output.dense",
        "attended": "attention.output.LayerNorm",
        "wide": "intermediate.dense",
        "narrow": "output.dense",
        "out": "output.LayerNorm",
    }
    state = {}
    for name in encoder.state_dict():
        pieces = name.split(".")
        if pieces[0] == "layers":
            theirs = f"encoder.layer.{pieces[1]}.{parts[pieces[2]]}.{pieces[3]}"
        else:
            theirs = f"embeddings.{embeddings[pieces[0]]}.{pieces[1]}"
        state[name] = stored[theirs]
    encoder.load_state_dict(state)
