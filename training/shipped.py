"""Trained weights out of the files that ship, to train them further, and back into such files.

    python -m training.shipped MADE OUT      router.pt and reader.pt of MADE become router.onnx, reader.onnx, heads.npz
                                             and words.npz in OUT

The files keep each matrix as int8 with a scale for each output, so what is read, rounded and written again is
the same. Needs onnx; the graph of the shipped file is kept and only its numbers are replaced.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

SHIPPED = Path("src/antiphon/understanding/weights")
NETWORKS = ("router", "reader")
EMBEDDINGS = ("encoder.places", "encoder.segments")
MARKED = {"router": slice(0, 8), "reader": slice(8, 16)}  # whose marks the shared table has


def trained(which: str, folder: Path = SHIPPED) -> dict[str, torch.Tensor]:
    """The state of a network as it was when these files were written."""
    words = np.load(folder / "words.npz")
    state = {
        "encoder.words.weight": words["table"].astype(np.float32)
        * words["scales"].astype(np.float32)
    }
    for name, value in np.load(folder / "heads.npz").items():
        network, _, key = name.partition(".")
        if network == which:
            inner = f"encoder.{key}".startswith(EMBEDDINGS)
            state[f"encoder.{key}" if inner else key] = value.astype(np.float32)
    own = MARKED[which]  # as the product reads them
    state["marks"][own] = state["encoder.words.weight"][own.start + 1 : own.stop + 1]
    graph = onnx.load(folder / f"{which}.onnx").graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for name, value in stored.items():
        if name.startswith("inner."):
            state[f"encoder.{name.removeprefix('inner.')}"] = value
    for key, matrix in _matrices(graph).items():
        state[key] = (stored[f"{matrix}_quantized"] * stored[f"{matrix}_scale"]).T
    return {key: torch.tensor(np.ascontiguousarray(value)) for key, value in state.items()}


def _matrices(graph: onnx.GraphProto) -> dict[str, str]:
    """The name of each weight of a layer, and the name that its numbers have in the graph."""
    found = {}
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            _, layer, part, _ = node.name.split("/")
            found[f"encoder.{layer}.{part}.weight"] = node.input[1].removesuffix("_quantized")
    return found


def write(made: Path, out: Path, folder: Path = SHIPPED) -> None:
    out.mkdir(parents=True, exist_ok=True)
    words = dict(np.load(folder / "words.npz"))
    heads = dict(np.load(folder / "heads.npz"))
    for which in NETWORKS:
        if not (made / f"{which}.pt").is_file():
            continue
        state = {
            key: value.float().numpy() for key, value in torch.load(made / f"{which}.pt").items()
        }
        model = onnx.load(folder / f"{which}.onnx")
        numbers = {}
        for key, matrix in _matrices(model.graph).items():
            scale = np.maximum(np.abs(state[key]).max(1), 1e-6) / 127
            rounded = np.round(state[key] / scale[:, None]).astype(np.int8)
            numbers[f"{matrix}_scale"] = scale.astype(np.float32)
            numbers[f"{matrix}_quantized"] = np.ascontiguousarray(rounded.T)
        for tensor in model.graph.initializer:
            if tensor.name.startswith("inner."):
                numbers[tensor.name] = state[f"encoder.{tensor.name.removeprefix('inner.')}"]
            if tensor.name in numbers:
                tensor.CopyFrom(numpy_helper.from_array(numbers[tensor.name], tensor.name))
        onnx.save(model, out / f"{which}.onnx")
        for key, value in state.items():
            if not key.startswith("encoder.") or key.startswith(EMBEDDINGS):
                heads[f"{which}.{key.removeprefix('encoder.')}"] = value.astype(np.float16)
        own = MARKED[which]
        marks = heads[f"{which}.marks"][own].astype(np.float32)
        scales = np.maximum(np.abs(marks).max(1, keepdims=True), 1e-8) / 127
        words["table"][own.start + 1 : own.stop + 1] = np.round(marks / scales)
        words["scales"][own.start + 1 : own.stop + 1] = scales
    np.savez(out / "heads.npz", **heads)
    np.savez(out / "words.npz", **words)


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
