"""Language models of one's own in process: any instruct model in a GGUF file, run by llama.cpp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antiphon._lazy import lazy

if TYPE_CHECKING:
    from antiphon.providers.gguf.engine import Engine
    from antiphon.providers.gguf.model_file import ModelFile, ModelFileError, read_model_file
    from antiphon.providers.gguf.provider import GgufText

# Reading what a file says of itself needs nothing of the rest.
_HERE = "antiphon.providers.gguf"
_HOMES = {
    "Engine": f"{_HERE}.engine",
    "GgufText": f"{_HERE}.provider",
    "ModelFile": f"{_HERE}.model_file",
    "ModelFileError": f"{_HERE}.model_file",
    "read_model_file": f"{_HERE}.model_file",
}
__all__ = ["Engine", "GgufText", "ModelFile", "ModelFileError", "read_model_file"]
__getattr__ = lazy(__name__, _HOMES, globals())
