"""Request size: the most tokens that a request to a text model may come to, before it is sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from antiphon.contracts.events import AnswersTurn, HistoryTurn, ModelTurn, UserTurn
from antiphon.contracts.metering import PaidRequest
from antiphon.providers.port import Setup

# No usual tokenizer makes more of a text than a token of every two bytes.
BYTES_PER_TOKEN = 2
# What a message, a call and an answer have around them.
OVERHEAD_TOKENS = 16


def largest_use(setup: Setup, history: Sequence[HistoryTurn]) -> PaidRequest:
    """Return the most that the next request of a conversation may use."""
    declared = orjson.dumps(setup.tools.declared("anthropic"), default=str)
    sizes = [len(setup.instructions.encode()), len(declared), *_sizes(history)]
    tokens = sum(-(-size // BYTES_PER_TOKEN) + OVERHEAD_TOKENS for size in sizes)
    return PaidRequest(tokens, setup.max_tokens)


def _sizes(history: Sequence[HistoryTurn]) -> Iterator[int]:
    for turn in history:
        match turn:
            case UserTurn(text):
                yield len(text.encode())
            case ModelTurn(text=text, calls=calls):
                yield len(text.encode())
                for call in calls:
                    yield len(orjson.dumps([call.name, call.args], default=str))
            case AnswersTurn(answers):
                for answer in answers:
                    yield len(orjson.dumps([answer.name, answer.envelope], default=str))
