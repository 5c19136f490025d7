"""Speech to text by Moonshine (tiny, English), whose model comes inside a package.

The model is two networks: one turns a recording into features, one spells the words, token by
token, from the features and its own words so far. It is run here with plain onnxruntime: the
package's own library takes several times the processor time.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from antiphon.speech.audio import Samples, from_pcm
from antiphon.speech.models import ModelPackage, first_line, session
from antiphon.speech.names import plain
from antiphon.speech.ports import INPUT_RATE, SpeechError, whole_number
from antiphon.speech.recognition import SegmentedRecognition, Transcription

PACKAGE = ModelPackage(
    what="The speech recogniser",
    requirement="moonshine-voice==0.1.0",
    module="moonshine_voice",
    folder="assets/tiny-en",
    files={
        "encoder_model.ort": "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221",
        "decoder_model_merged.ort": (
            "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"
        ),
        "tokenizer.bin": "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d",
    },
    elsewhere="On macOS, Windows and ARM there is no build of it: set the recognizer to "
    "faster-whisper (pip install faster-whisper) or to openai (a server of your choice), or "
    "unpack the Linux wheel of moonshine-voice 0.1.0, whose model is the same everywhere, and give "
    "its folder moonshine_voice/assets/tiny-en as the option folder of the recognizer moonshine.",
)

_START, _END = 1, 2
_ROUNDS = 6  # of the same tokens
# More than anybody says in a second; a model that goes on and on is stopped here.
_TOKENS_A_SECOND = 6.5
_LEAST_TOKENS = 8
# The first network cannot take less than a few milliseconds. And without some silence at its end
# a sentence is heard as broken off, and its last word often wrong.
_SILENCE = np.zeros(INPUT_RATE // 4, np.float32)
# What the model says to a noise it finds no words in, and how sure it is (mean log likelihood of
# a token). Said by a person, these score far higher.
_INVENTED = frozenset({"you", "thank you", "bye", "the", "i", "oh", "mm-hmm", "hmm", "uh", "so"})
_UNSURE = -0.5
# Below this nothing is worth anything.
_GUESS = -1.6
# Log likelihood of a word, all its tokens together, below which it may be another one.
_DOUBTED = -1.0


class Moonshine:
    """Recognizer that all conversations share; its model is loaded by `warm` or on first use."""

    parallel = 1
    partials = True

    def __init__(self, *, threads: int = 1, folder: str | Path | None = None) -> None:
        """`folder` is for machines that cannot install the package; the content must be equal."""
        self._threads = whole_number("threads", threads, 1, 64)
        self._folder = Path(folder) if folder is not None else None
        self._loading = threading.Lock()
        self._model: _Model | None = None

    def warm(self) -> None:
        # Of several lengths: what onnxruntime plans ahead depends on it.
        for seconds in (1, 4):
            self.transcribe(bytes(2 * INPUT_RATE * seconds))

    def recognition(self, hints: Sequence[str] = ()) -> SegmentedRecognition:
        return SegmentedRecognition(self.transcription, hints)

    def transcribe(self, pcm: bytes) -> str:
        """Transcribe one recording of less than 20 seconds. Raises SpeechError."""
        return self.transcription(pcm).text

    def transcription(self, pcm: bytes) -> Transcription:
        """Transcribe one recording, and tell what of it is not sure. Raises SpeechError."""
        model = self._load()
        samples = from_pcm(pcm)
        if not len(samples):
            return Transcription("")
        try:
            tokens, likelihoods = model.spell(np.concatenate((samples, _SILENCE)))
        except Exception as error:  # what onnxruntime raises has no class of its own to name
            raise SpeechError(
                f"The speech recogniser failed to run: {first_line(error)}"
            ) from error
        sure = sum(likelihoods) / len(likelihoods)
        text = confident_text(model.words(tokens), sure)
        doubted = model.doubted(tokens, likelihoods)
        return Transcription(text, doubted, is_murmur=sure < _UNSURE and len(text.split()) < 2)

    def _load(self) -> _Model:
        if self._model is None:
            with self._loading:
                if self._model is None:
                    folder = PACKAGE.check(self._folder)
                    first, second = (
                        session(PACKAGE.what, folder / name, self._threads)
                        for name in ("encoder_model.ort", "decoder_model_merged.ort")
                    )
                    pieces = vocabulary((folder / "tokenizer.bin").read_bytes())
                    self._model = _Model(first, second, pieces)
        return self._model


@dataclass(frozen=True, slots=True)
class _Model:
    """Loaded model: encoder, decoder and vocabulary."""

    encoder: Any
    decoder: Any
    pieces: list[bytes]

    def spell(self, samples: Samples) -> tuple[list[int], list[float]]:
        """Decode greedily: the tokens and their log likelihoods, with that of the end."""
        sound = samples.reshape(1, -1)
        mask = np.ones(sound.shape, np.int64)
        features = self.encoder.run(None, {"input_values": sound, "attention_mask": mask})[0]
        inputs = [given for given in self.decoder.get_inputs() if given.name.startswith("past_")]
        outputs = [given.name for given in self.decoder.get_outputs()]
        feeds: dict[str, Any] = {
            given.name: np.zeros((1, given.shape[1], 0, given.shape[3]), np.float32)
            for given in inputs
        }
        feeds |= {"encoder_hidden_states": features, "encoder_attention_mask": mask}
        token, tokens, steps = _START, [], 0
        likelihoods: list[float] = []
        most = max(_LEAST_TOKENS, int(len(samples) / INPUT_RATE * _TOKENS_A_SECOND))
        while steps < most:
            feeds["input_ids"] = np.array([[token]], np.int64)
            feeds["use_cache_branch"] = np.array([steps > 0])
            scores, *memory = self.decoder.run(None, feeds)
            row = scores[0, -1]
            token = int(row.argmax())
            likelihoods.append(-float(np.log(np.exp(row - row[token]).sum())))
            for name, value in zip(outputs[1:], memory, strict=True):
                # What the features are worth to each layer is told once, at the first step.
                if steps == 0 or ".decoder." in name:
                    feeds[name.replace("present", "past_key_values")] = value
            steps += 1
            if token == _END:
                break
            tokens.append(token)
            if _circles(tokens):
                break
        return tokens, likelihoods

    def doubted(self, tokens: list[int], likelihoods: list[float]) -> frozenset[str]:
        """Words of these tokens that are not likely to be the right ones."""
        found: list[tuple[bytes, float]] = []
        for token, likely in zip(tokens, likelihoods, strict=False):
            piece = self.pieces[token]
            if piece.startswith("\u2581".encode()) or not found:
                found.append((piece, likely))
            elif piece[:1].isalnum():  # what follows a word is no part of it
                found[-1] = found[-1][0] + piece, found[-1][1] + likely
        words = (
            plain(word.decode("utf-8", "ignore")) for word, likely in found if likely < _DOUBTED
        )
        return frozenset(word for word in words if word)

    def words(self, tokens: list[int]) -> str:
        found = bytearray()
        for token in tokens:
            piece = self.pieces[token]
            if piece.startswith(b"<0x") and piece.endswith(b">"):
                found.append(int(piece[3:5], 16))
            elif not (piece.startswith(b"<") and piece.endswith(b">")):
                found += piece
        return found.decode("utf-8", "ignore").replace("\u2581", " ").strip()


def vocabulary(content: bytes) -> list[bytes]:
    """Parse the vocabulary: for each token a length (one byte, two from 128 on) and its bytes."""
    pieces: list[bytes] = []
    at = 0
    while at < len(content):
        size = content[at]
        at += 1
        if size >= 128:
            size = content[at] * 128 + size - 128
            at += 1
        pieces.append(content[at : at + size])
        at += size
    return pieces


def _circles(tokens: list[int]) -> bool:
    """Whether the decoder repeats the same few tokens so often that nobody said so."""
    return any(
        len(tokens) >= _ROUNDS * size
        and all(
            tokens[-size:] == tokens[-size * n : -size * (n - 1)] for n in range(2, _ROUNDS + 1)
        )
        for size in range(1, 9)
    )


def confident_text(text: str, sure: float) -> str:
    """The text, or an empty one where the model only guessed at a noise."""
    # Music and noises are written as notes, or in brackets.
    text = re.sub(r"[♪♫]+|\[[^\[\]]*+\]|\([^()]*+\)", " ", text)
    text = re.sub(r"([,;:?!])[,;:.?!]+|(?<!\.)\.\.(?!\.)", r"\1", " ".join(text.split()))
    bare = text.strip(" .,!?-").casefold()
    if not any(c.isalnum() for c in bare) or sure < _GUESS:
        return ""
    if sure < _UNSURE and bare in _INVENTED:
        return ""
    return text
