"""Export of trained networks: int8 ONNX files and the arrays of the heads, as the product loads them.

python -m training.export OUT                 next to router.pt and reader.pt: router.onnx, reader.onnx, heads.npz
python -m training.export --words minilm.npz heads.npz words.npz      the table of words that both share
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

SHARED = ("encoder.words.weight",)


def export(folder: Path) -> None:
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    from training.encoder import HIDDEN, Encoder

    arrays: dict[str, np.ndarray] = {}
    for name in ("router", "reader"):
        state = {key: value.float() for key, value in torch.load(folder / f"{name}.pt").items()}
        encoder = Encoder()
        encoder.load_state_dict(
            {k.removeprefix("encoder."): v for k, v in state.items() if k.startswith("encoder.")}
        )
        encoder.eval()

        class Layers(torch.nn.Module):
            def __init__(self, inner: Encoder) -> None:
                super().__init__()
                self.inner = inner

            def forward(self, embedded: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
                return self.inner.layered(embedded, mask)

        with tempfile.TemporaryDirectory() as scratch:
            plain = Path(scratch) / "plain.onnx"
            axes = {
                "embedded": {0: "batch", 1: "length"},
                "mask": {0: "batch", 1: "length"},
                "hidden": {0: "batch", 1: "length"},
            }
            sample = torch.zeros(2, 7, HIDDEN), torch.ones(2, 7)
            options = {
                "input_names": ["embedded", "mask"],
                "output_names": ["hidden"],
                "dynamic_axes": axes,
                "opset_version": 17,
            }
            try:
                torch.onnx.export(Layers(encoder), sample, str(plain), dynamo=False, **options)
            except TypeError:  # an older PyTorch knows one exporter only
                torch.onnx.export(
                    Layers(encoder), sample, str(plain), **{**options, "opset_version": 16}
                )
            quantize_dynamic(
                plain,
                folder / f"{name}.onnx",
                weight_type=QuantType.QInt8,
                per_channel=True,
                op_types_to_quantize=["MatMul"],
            )
        for key, value in state.items():
            kept = not key.startswith("encoder.") or key.startswith(
                ("encoder.places", "encoder.segments")
            )
            if kept:
                arrays[f"{name}.{key.removeprefix('encoder.')}"] = value.numpy().astype(np.float16)
    np.savez(folder / "heads.npz", **arrays)


def words(minilm: Path, heads: Path, out: Path) -> None:
    """int8 with a scale for each row; the rows of the marks are those that were trained."""
    table = np.load(minilm)["embeddings.word_embeddings.weight"].astype(np.float32)
    trained = np.load(heads)
    table[1:9] = trained["router.marks"][:8]
    table[9:17] = trained["reader.marks"][8:16]
    scales = np.abs(table).max(1, keepdims=True) / 127
    np.savez(
        out,
        table=np.round(table / np.maximum(scales, 1e-8)).astype(np.int8),
        scales=scales.astype(np.float16),
    )


if __name__ == "__main__":
    if sys.argv[1] == "--words":
        words(*map(Path, sys.argv[2:5]))
    else:
        export(Path(sys.argv[1]))
