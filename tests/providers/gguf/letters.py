"""A tiny model in a GGUF file whose next letter depends on the last one alone, so that a test can
say what it writes. It has a vocabulary of bytes, one layer that does nothing, and a chat template.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy

# Among the letters that may follow one: the end of the answer, and the tag that begins a call,
# which is one token here as in models that were taught to call.
END, CALL = "\0", "\1"
_BOS, _EOS, _TAG = 256, 257, 258
_VOCABULARY = _TAG + 1
_TOKENS = {END: _EOS, CALL: _TAG}
_WIDTH = 288  # a letter is one number of so many
_F32, _I32 = 0, 5

# The letter before an answer says what it answers: ">" a person, "=" the result of a call.
TEMPLATE = (
    "{% for m in messages %}[{{ m.role }}]{{ m.content }}\n{% endfor %}"
    "{{ '=' if messages[-1].content.startswith('<tool_response>') else '>' }}"
)


def write_model(
    path: Path,
    follows: Mapping[str, str],
    *,
    template: str | None = TEMPLATE,
    context: int = 4096,
    babbles: bool = False,
    **claims: int,
) -> Path:
    """Write a model. After each letter of `follows` comes the first of its letters that the grammar
    allows; after any other letter the answer ends, or what the grammar wants follows. One that
    `babbles` goes on with any small letter instead, without end. `claims` are what it says of
    itself, true or not, such as `block_count`."""
    facts: dict[str, Any] = {
        "general.architecture": "llama",
        "general.name": "letters",
        "llama.block_count": 1,
        "llama.context_length": context,
        "llama.embedding_length": _WIDTH,
        "llama.feed_forward_length": 32,
        "llama.attention.head_count": 1,
        "llama.attention.head_count_kv": 1,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": [*_byte_letters(), "<s>", "</s>", "<tool_call>"],
        "tokenizer.ggml.token_type": [*[1] * 256, 3, 3, 4],
        "tokenizer.ggml.merges": ["Ġ Ġ"],
        "tokenizer.ggml.bos_token_id": _BOS,
        "tokenizer.ggml.eos_token_id": _EOS,
        "tokenizer.ggml.add_bos_token": False,
    }
    facts |= {f"llama.{name}": value for name, value in claims.items()}
    if template is not None:
        facts["tokenizer.chat_template"] = template
    path.write_bytes(_file(facts, _weights(follows, babbles)))
    return path


def _weights(follows: Mapping[str, str], babbles: bool) -> dict[str, Any]:
    rows = numpy.zeros((_VOCABULARY, _WIDTH), numpy.float32)
    rows[:, :_VOCABULARY] = numpy.eye(_VOCABULARY)
    likes = numpy.zeros((_VOCABULARY, _WIDTH), numpy.float32)
    likes[range(ord("a"), ord("z") + 1) if babbles else _EOS, :_VOCABULARY] = 1.0
    likes[[_BOS, ord("\\")], :_VOCABULARY] = -10.0  # half of a surrogate is no text
    for last, wanted in follows.items():
        for rank, letter in enumerate(wanted):
            likes[_TOKENS.get(letter, ord(letter)), ord(last)] = 8.0 - rank
    ones = numpy.ones(_WIDTH, numpy.float32)
    found = {"token_embd.weight": rows, "output_norm.weight": ones, "output.weight": likes}
    square = numpy.zeros((_WIDTH, _WIDTH), numpy.float32)
    found |= {f"blk.0.attn_{each}.weight": square for each in ("q", "k", "v", "output")}
    found |= {f"blk.0.{each}_norm.weight": ones for each in ("attn", "ffn")}
    narrow = numpy.zeros((32, _WIDTH), numpy.float32)
    found |= {f"blk.0.ffn_{each}.weight": narrow for each in ("gate", "up")}
    found["blk.0.ffn_down.weight"] = narrow.T
    return found


def _file(facts: Mapping[str, Any], weights: Mapping[str, Any]) -> bytes:
    head = [struct.pack("<4sIQQ", b"GGUF", 3, len(weights), len(facts))]
    head += [_text(key) + _value(value) for key, value in facts.items()]
    data, begin = [], 0
    for name, array in weights.items():
        body = numpy.ascontiguousarray(array).tobytes()
        body += bytes(-len(body) % 32)
        shape = array.shape[::-1]
        head.append(
            _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, _F32, begin)
        )
        data.append(body)
        begin += len(body)
    whole = b"".join(head)
    return whole + bytes(-len(whole) % 32) + b"".join(data)


def _value(value: Any) -> bytes:
    match value:
        case bool():
            return struct.pack("<I?", 7, value)
        case int():
            return struct.pack("<II", 4, value)
        case float():
            return struct.pack("<If", 6, value)
        case str():
            return struct.pack("<I", 8) + _text(value)
        case [str(), *_]:
            return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
    return struct.pack(f"<IIQ{len(value)}i", 9, _I32, len(value), *value)


def _text(text: str) -> bytes:
    body = text.encode()
    return struct.pack("<Q", len(body)) + body


def _byte_letters() -> list[str]:
    """The letters that stand for the bytes 0 to 255 in vocabularies of this kind."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in plain else chr(next(others)) for byte in range(256)]
