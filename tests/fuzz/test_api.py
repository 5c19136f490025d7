"""Every operation of a running server, asked as its OpenAPI document says and as it does not."""

from __future__ import annotations

import os
import random

import pytest
from tests.fuzz.api import fuzzed
from tests.server.conftest import Serve

# `make fuzz-api` makes more.
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "2"))
SEED = 7 if os.environ.get("CI") == "true" else random.randrange(1_000_000)


def test_every_answer_is_one_that_the_document_knows(
    serve: Serve, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with fuzzed(serve, tmp_path_factory.mktemp("fuzz"), SEED) as fuzzer:
        for operation in fuzzer.operations:
            fuzzer.fuzz(operation, EXAMPLES)
        print(f"seed {SEED}: {fuzzer.sent} requests, {len(fuzzer.faults)} faults")
    assert not fuzzer.faults, f"seed {SEED}\n" + "\n\n".join(fuzzer.faults.values())
    # They were let in: a server that refuses everything would never be wrong.
    done = [label for label, found in fuzzer.statuses.items() if found & {200, 201, 202, 204}]
    assert len(done) > len(fuzzer.operations) / 3, sorted(fuzzer.statuses.keys() - set(done))
