"""Check of the data files: what is wrong with them, and how many there are of each kind."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from training.texts import load


def main(folder: Path) -> int:
    complaints: list[str] = []
    data = load(folder, complaints)
    for line in complaints[:60]:
        print(line)
    print(
        f"{sum(map(len, data.tools.values()))} tools, {len(data.said)} utterances, {len(data.dialogues)} dialogues,"
    )
    asked = sum(len(record.questions) for record in data.records)
    unknown = sum(not q.answers for record in data.records for q in record.questions)
    print(f"{len(data.records)} records, {asked} questions ({unknown} of them not answered there)")
    print(dict(Counter(one.kind for one in data.said)))
    print(dict(Counter(t.kind for d in data.dialogues for t in d.turns if t.speaker == "U")))
    print(f"{len(complaints)} lines are wrong")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
