"""A process of its own that uses a knowledge base, for tests of what several of them do.

Called with the folder, the id of a database, what to do, and how often.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.knowledge.helpers import record

from antiphon.knowledge import KnowledgeBase


def main() -> None:
    folder, name, action, times = sys.argv[1:]
    with KnowledgeBase.open(Path(folder)) as base:
        database = base.database(name)
        for turn in range(int(times)):
            if action == "write":
                # Batches large enough that the text index is written too.
                database.upsert(
                    record(f"doc:{turn}-{number}", f"batch{turn} word{number}")
                    for number in range(600)
                )
            elif action == "add":
                database.upsert([record(f"{name}:{turn}", f"from afar number{turn}")])
            print(turn, flush=True)  # only what is safe by now is counted
            if action == "hold":
                sys.stdin.readline()


if __name__ == "__main__":
    main()
