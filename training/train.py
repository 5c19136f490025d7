"""Training of the router and the reader.

    python -m training.train --data training/data --weights minilm.npz --out OUT [--epochs 12] [--only router]

Runs wherever PyTorch runs: some minutes on one accelerator, a night on a CPU. Everything random comes
from --seed. It prints a line for each epoch with the losses and the figures on what was held out of the
training data: a tenth of the invented tools with all that was said for them, a twelfth of the other
lines, a tenth of the records.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from antiphon.text.wordpiece import WordPieces
from antiphon.understanding import sequences
from antiphon.understanding.sequences import TokenSequence
from training.examples import (
    ACTS,
    PSEUDO,
    SORTS,
    AnswerExample,
    Examples,
    RouteExample,
    SlotExample,
)
from training.networks import Marked, Reader, Router, padded
from training.texts import PRODUCT, Data, Tool, load

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


class _Remembering(WordPieces):
    """Each text is cut once, however many epochs."""

    def __init__(self) -> None:
        super().__init__()
        self._cut_before: dict[tuple[str, int], tuple[list[int], list[tuple[int, int]]]] = {}

    def located(self, text: str, limit: int) -> tuple[list[int], list[tuple[int, int]]]:
        key = text, limit
        found = self._cut_before.get(key)
        if found is None:
            found = self._cut_before[key] = super().located(text, limit)
        return found


PIECES = _Remembering()


# -- what is held out


def split(data: Data, seed: int) -> tuple[Data, Data]:
    """For training and for looking: unseen tools, unseen lines, unseen records."""
    rng = random.Random(seed)
    unseen = {
        author: set(rng.sample(sorted(tools), max(1, len(tools) // 10)))
        for author, tools in data.tools.items()
        if author != PRODUCT
    }
    train, held = Data(tools=data.tools), Data(tools=data.tools)
    for one in data.said:
        names = {part.tool for part in one.parts} | ({one.tool} if one.tool else set())
        is_unseen = bool(names & unseen.get(one.author, set()))
        (held if is_unseen or rng.random() < 1 / 12 else train).said.append(one)
    for dialogue in data.dialogues:
        names = {dialogue.tool, *(turn.tool for turn in dialogue.turns if turn.tool)}
        is_unseen = bool(names & unseen.get(dialogue.author, set()))
        (held if is_unseen or rng.random() < 1 / 12 else train).dialogues.append(dialogue)
    for record in data.records:
        (held if rng.random() < 1 / 10 else train).records.append(record)
    return train, held


# -- the router


class Texts:
    """The texts of each tool of a universe: what it is for, and how people ask for it."""

    def __init__(self, tools: dict[str, Tool]) -> None:
        self.names = list(tools)
        self.tools = tools
        self.texts: list[str] = []
        self.owners: list[int] = []
        for number, tool in enumerate(tools.values()):
            for text in texts_of(tool):
                self.texts.append(text)
                self.owners.append(number)
        self.sequences = [sequences.tool_text(PIECES, text) for text in self.texts]
        self.owner = torch.tensor(self.owners, device=DEVICE)
        self.padded = padded(self.sequences, DEVICE)
        self.phrases: list[list[int]] = [[] for _ in self.names]
        for at, owner in enumerate(self.owners):
            self.phrases[owner].append(at)
        self.phrases = [places[1:] for places in self.phrases]

    def card(self, number: int, near: Sequence[float]) -> str:
        """The card of a tool with the phrase that is nearest to what was said."""
        tool, places = self.tools[self.names[number]], self.phrases[number]
        phrase = self.texts[max(places, key=lambda at: near[at])] if places else ""
        return sequences.card(tool.name, tool.description, list(tool.parameters), phrase)


def texts_of(tool: Tool) -> list[str]:
    first = sequences.card(tool.name, tool.description, list(tool.parameters))
    return [first, *(re.sub(r"\{\w+\}", "something", phrase) for phrase in tool.phrases)]


def autocast():  # type: ignore[no-untyped-def]
    return torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda")


def vectors(router: Router, found: Sequence[TokenSequence]) -> Tensor:
    return packed_vectors(router, *padded(list(found), DEVICE))


def packed_vectors(router: Router, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
    with autocast():
        hidden = router.hidden(ids, segments, mask)
    return router.pooled(hidden.float(), segments, mask)


def tool_scores(near: Tensor, texts: Texts) -> Tensor:
    """The likeness of each utterance to each tool: that of the tool's nearest text."""
    best = torch.full((len(near), len(texts.names)), -2.0, device=DEVICE, dtype=near.dtype)
    return best.scatter_reduce(1, texts.owner.expand(len(near), -1), near, "amax")


def train_router(router: Router, train: Data, held: Data, options: argparse.Namespace) -> None:
    examples = Examples(train, options.seed)
    universes = {name: Texts(tools) for name, tools in train.tools.items()}
    per_epoch = len(examples.routes())
    pace = Pace(options, options.epochs * math.ceil(per_epoch / options.batch) * 1.05)
    optimizer, schedule = optimised(router, options.rate, pace)
    rng = random.Random(options.seed + 1)
    for epoch in range(1_000 if options.seconds or options.until else options.epochs):
        router.train()
        router.encoder.quantise(bool(options.start) or pace.done() >= 0.6)
        started, losses = time.time(), defaultdict(list)
        by_universe: dict[str, list[RouteExample]] = defaultdict(list)
        for example in examples.routes():
            by_universe[example.universe].append(example)
        batches = []
        for universe, lines in by_universe.items():
            rng.shuffle(lines)
            batches += [
                (universe, lines[i : i + options.batch])
                for i in range(0, len(lines), options.batch)
            ]
        rng.shuffle(batches)
        for universe, batch in batches:
            loss = router_loss(router, batch, mixed(universe, universes, rng), losses)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(router.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            pace.step()
            if pace.done() >= 1:
                break
        told = " ".join(f"{name} {torch.stack(v).mean():.3f}" for name, v in losses.items())
        print(f"router epoch {epoch + 1}: {told} ({time.time() - started:.0f} s)", flush=True)
        if not options.everything and (epoch % 3 == 2 or pace.done() >= 1):
            print(json.dumps(router_figures(router, held)), flush=True)
        if pace.done() >= 1:
            break


def mixed(universe: str, universes: dict[str, Texts], rng: random.Random) -> Texts:
    """The universe itself, or it with some tools of another one beside it."""
    if rng.random() < 0.7 or len(universes) == 1:
        return universes[universe]
    other = rng.choice([name for name in universes if name != universe])
    own = universes[universe].tools
    more = {n: t for n, t in universes[other].tools.items() if n not in own and rng.random() < 0.4}
    return Texts({**own, **more})


def router_loss(
    router: Router, batch: list[RouteExample], texts: Texts, losses: dict[str, list[Tensor]]
) -> Tensor:
    numbers = {name: number for number, name in enumerate(texts.names)}
    found = [sequences.said(PIECES, one.text, one.before) for one in batch]
    ids, segments, mask = padded(found, DEVICE)
    with autocast():
        hidden = router.hidden(ids, segments, mask)
    hidden = hidden.float()
    near = router.pooled(hidden, segments, mask) @ packed_vectors(router, *texts.padded).T
    scores = tool_scores(near, texts) * router.log_scale.exp()
    wanted = [numbers.get(one.label, -1) for one in batch]
    total = torch.zeros((), device=DEVICE)
    if max(wanted) >= 0:
        loss = known_loss(scores, wanted)
        losses["near"].append(loss.detach())
        total = total + loss
    acts = torch.tensor([ACTS.index(one.act) for one in batch], device=DEVICE)
    loss = F.cross_entropy(router.act(hidden[:, 0]), acts, label_smoothing=0.03)
    losses["act"].append(loss.detach())
    total = total + loss
    sorts = [sort_of(one) for one in batch]
    if max(sorts) >= 0:
        loss = known_loss(router.sort(hidden[:, 0]), sorts)
        losses["sort"].append(loss.detach())
        total = total + loss
    return total + second_loss(router, hidden, found, batch, mask, segments, losses)


def known_loss(scores: Tensor, wanted: list[int]) -> Tensor:
    """Of the rows whose answer is known; -1 stands for the others."""
    right = torch.tensor(wanted, device=DEVICE)
    return F.cross_entropy(scores, right, ignore_index=-1, label_smoothing=0.03)


def sort_of(one: RouteExample) -> int:
    """Whether a tool is wanted (or would be, if there were one), or what else; -1 where it is not told."""
    if one.kind in ("injection", "garbled") or not one.label:
        return -1
    return SORTS.index(one.label) if one.label in SORTS else 0


def second_loss(router, hidden, found, batch, mask, segments, losses) -> Tensor:  # type: ignore[no-untyped-def]
    """Where the second request begins: the first place stands for nowhere."""
    logits = router.second(hidden).squeeze(-1)
    logits = logits.masked_fill((mask == 0) | (segments == 1), -1e4)
    places = []
    for one, example in zip(found, batch, strict=True):
        at = next(
            (
                n
                for n, (a, b) in enumerate(one.places)
                if example.second >= 0 and b > example.second
            ),
            -1,
        )
        places.append(at + 1)  # behind the first mark; 0 is nowhere
    loss = F.cross_entropy(logits, torch.tensor(places, device=DEVICE))
    losses["second"].append(loss.detach())
    return loss


def embedded_texts(router: Router, texts: Texts) -> Tensor:
    parts = [
        vectors(router, texts.sequences[i : i + 256]) for i in range(0, len(texts.sequences), 256)
    ]
    return torch.cat(parts)


@torch.no_grad()
def router_figures(router: Router, held: Data) -> dict[str, object]:
    """Right in how many of a hundred: nearest tool by kind, acts, sorts, second requests."""
    router.eval()
    examples = Examples(held, 7)
    universes = {name: Texts(tools) for name, tools in held.tools.items()}
    embedded = {name: embedded_texts(router, texts) for name, texts in universes.items()}
    hits: dict[str, list[bool]] = defaultdict(list)
    lines = examples.routes()
    for start in range(0, len(lines), 64):
        for universe in universes:
            batch = [one for one in lines[start : start + 64] if one.universe == universe]
            if batch:
                _judge(router, batch, universes[universe], embedded[universe], hits)
    return {name: f"{100 * sum(v) / len(v):.1f} of {len(v)}" for name, v in sorted(hits.items())}


def _judge(router, batch, texts, embedded, hits) -> None:  # type: ignore[no-untyped-def]
    found = [sequences.said(PIECES, one.text, one.before) for one in batch]
    ids, segments, mask = padded(found, DEVICE)
    with autocast():
        hidden = router.hidden(ids, segments, mask)
    hidden = hidden.float()
    near = router.pooled(hidden, segments, mask) @ embedded.T
    scores = tool_scores(near, texts)
    acts = router.act(hidden[:, 0]).argmax(1).tolist()
    sorts = router.sort(hidden[:, 0]).argmax(1).tolist()
    seconds = (
        router.second(hidden)
        .squeeze(-1)
        .masked_fill((mask == 0) | (segments == 1), -1e4)
        .argmax(1)
        .tolist()
    )
    top = scores.topk(min(5, scores.shape[1]), 1).indices.tolist()
    for row, one in enumerate(batch):
        hits[f"act {one.act}"].append(ACTS[acts[row]] == one.act)
        hits["second"].append((seconds[row] > 0) == (one.second >= 0))
        if (wanted := sort_of(one)) >= 0:
            hits[f"sort {SORTS[wanted]}"].append(sorts[row] == wanted)
        if not one.label or one.kind == "two" or one.label in PSEUDO:
            continue
        names = [texts.names[n] for n in top[row]]
        where = "product" if one.universe == PRODUCT else "invented"
        hits[f"nearest {where}"].append(names[0] == one.label)
        hits[f"among five {where}"].append(one.label in names)
        hits[f"nearest {one.kind}"].append(names[0] == one.label)


# -- the reader


def train_reader(reader: Reader, train: Data, held: Data, options: argparse.Namespace) -> None:
    examples = Examples(train, options.seed + 2)
    pairs = Pairs(begun("router", options), train)
    size = (
        len(examples.slots()) + len(examples.answers()) + len(pairs.examples(examples))
    ) / options.batch
    pace = Pace(options, options.epochs * size * 1.05)
    optimizer, schedule = optimised(reader, options.rate, pace)
    rng = random.Random(options.seed + 3)
    for epoch in range(1_000 if options.seconds or options.until else options.epochs):
        reader.train()
        reader.encoder.quantise(bool(options.start) or pace.done() >= 0.6)
        started, losses = time.time(), defaultdict(list)
        slots, answers, routes = examples.slots(), examples.answers(), pairs.examples(examples)
        rng.shuffle(slots), rng.shuffle(answers), rng.shuffle(routes)
        batches = [
            ("slots", slots[i : i + options.batch]) for i in range(0, len(slots), options.batch)
        ]
        batches += [
            ("answers", answers[i : i + options.batch])
            for i in range(0, len(answers), options.batch)
        ]
        batches += [
            ("pairs", routes[i : i + options.batch]) for i in range(0, len(routes), options.batch)
        ]
        rng.shuffle(batches)
        for kind, batch in batches:
            match kind:
                case "slots":
                    loss = slot_loss(reader, batch)
                case "answers":
                    loss = answer_loss(reader, batch)
                case _:
                    loss = pairs.loss(reader, batch, rng)
            losses[kind].append(loss.detach())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            pace.step()
            if pace.done() >= 1:
                break
        told = " ".join(f"{name} {torch.stack(v).mean():.3f}" for name, v in losses.items())
        print(f"reader epoch {epoch + 1}: {told} ({time.time() - started:.0f} s)", flush=True)
        if not options.everything and (epoch % 3 == 2 or pace.done() >= 1):
            print(
                json.dumps({**reader_figures(reader, held), **pairs.figures(reader, held)}),
                flush=True,
            )
        if pace.done() >= 1:
            break


def slot_scores(reader: Reader, found: list[TokenSequence]) -> tuple[Tensor, Tensor, Tensor]:
    ids, segments, mask = padded(found, DEVICE)
    with autocast():
        hidden = reader.hidden(ids, segments, mask)
    hidden = hidden.float()
    width = max(len(one.marks) for one in found)
    at = torch.tensor([one.marks + [0] * (width - len(one.marks)) for one in found], device=DEVICE)
    marks = hidden.gather(1, at[..., None].expand(-1, -1, hidden.shape[-1]))
    length = max(one.text.stop for one in found)
    begin, inside = reader.spans(marks, hidden[:, :length])
    valid = np.zeros(tuple(begin.shape), np.float32)
    for row, one in enumerate(found):
        valid[row, : len(one.marks), one.text.start : one.text.stop] = 1
    return begin, inside, torch.from_numpy(valid).to(DEVICE)


def slot_sequence(one: SlotExample) -> TokenSequence:
    found = sequences.slots(PIECES, one.text, one.cards)
    if len(found.ids) > 500:
        return sequences.slots(
            PIECES, one.text, [replace(card, choices=card.choices[:4]) for card in one.cards][:10]
        )
    return found


def slot_loss(reader: Reader, batch: list[SlotExample]) -> Tensor:
    batch = [one for one in batch if one.cards]
    found = [slot_sequence(one) for one in batch]
    begin, inside, valid = slot_scores(reader, found)
    targets = np.zeros((2, *begin.shape), np.float32)
    for row, (one, example) in enumerate(zip(found, batch, strict=True)):
        for number, start, end in example.targets:
            pieces = [
                at + one.text.start for at, (a, b) in enumerate(one.places) if a < end and b > start
            ]
            if pieces and number < len(one.marks):
                targets[0, row, number, pieces[0]] = 1
                targets[1, row, number, pieces] = 1
    begins, insides = torch.from_numpy(targets).to(DEVICE)
    weight = valid * (1 + 2 * insides)
    loss = F.binary_cross_entropy_with_logits(begin, begins, weight=weight, reduction="sum")
    loss = loss + F.binary_cross_entropy_with_logits(
        inside, insides, weight=weight, reduction="sum"
    )
    return loss / insides.sum().clamp(min=1) * 0.5


def answer_scores(reader: Reader, found: list[TokenSequence]) -> tuple[Tensor, Tensor, Tensor]:
    ids, segments, mask = padded(found, DEVICE)
    with autocast():
        hidden = reader.hidden(ids, segments, mask)
    hidden = hidden.float()
    blocked = np.ones(tuple(ids.shape), bool)
    for row, one in enumerate(found):
        blocked[row, one.text.start : one.text.stop] = False
    ends = reader.ends(hidden).masked_fill(torch.from_numpy(blocked).to(DEVICE)[..., None], -1e4)
    return ends[..., 0], ends[..., 1], reader.there(hidden[:, 0]).squeeze(-1)


def answer_loss(reader: Reader, batch: list[AnswerExample]) -> Tensor:
    found = [sequences.passage(PIECES, one.question, one.title, one.text) for one in batch]
    start, end, there = answer_scores(reader, found)
    targets = np.zeros((2, *start.shape), bool)
    has = np.zeros(len(batch), np.float32)
    for row, (one, example) in enumerate(zip(found, batch, strict=True)):
        for a, b in example.answers:
            pieces = [
                at + one.text.start for at, (x, y) in enumerate(one.places) if x < b and y > a
            ]
            if pieces:
                targets[0, row, pieces[0]] = targets[1, row, pieces[-1]] = True
                has[row] = 1
    loss = F.binary_cross_entropy_with_logits(there, torch.from_numpy(has).to(DEVICE))
    rows = torch.from_numpy(np.flatnonzero(has)).to(DEVICE)
    if len(rows):
        for scores, wanted in zip((start, end), torch.from_numpy(targets).to(DEVICE), strict=True):
            likely = scores[rows].log_softmax(-1)
            loss = loss - likely.masked_fill(~wanted[rows], -1e4).logsumexp(-1).mean() * 0.5
    return loss


@torch.no_grad()
def reader_figures(reader: Reader, held: Data) -> dict[str, object]:
    reader.eval()
    examples = Examples(held, 8)
    hits: dict[str, list[float]] = defaultdict(list)
    slots = [one for one in examples.slots() if one.cards]
    for at in range(0, len(slots), 64):
        batch = slots[at : at + 64]
        found = [slot_sequence(one) for one in batch]
        begin, inside, _ = slot_scores(reader, found)
        for row, (one, example) in enumerate(zip(found, batch, strict=True)):
            got = decoded(begin[row], inside[row], one)
            wanted = set()
            for number, start, end in example.targets:
                pieces = [p for p, (a, b) in enumerate(one.places) if a < end and b > start]
                if pieces and number < len(one.marks):
                    wanted.add((number, pieces[0], pieces[-1]))
            hits["slots all right"].append(got == wanted)
            hits[f"slots {example.kind}"].append(got == wanted)
            hits["slot precision"] += [span in wanted for span in got]
            hits["slot recall"] += [span in got for span in wanted]
    answers = examples.answers()
    for at in range(0, len(answers), 64):
        batch = answers[at : at + 64]
        found = [sequences.passage(PIECES, one.question, one.title, one.text) for one in batch]
        start, end, there = answer_scores(reader, found)
        for row, (one, example) in enumerate(zip(found, batch, strict=True)):
            hits[f"answer {example.kind}: told"].append(
                (there[row].item() > 0) == bool(example.answers)
            )
            if example.answers:
                a, b = best_span(start[row], end[row], one)
                whole = f"{example.title}\n{example.text}"
                text, right = whole[a:b], [whole[x:y] for x, y in example.answers]
                hits["answer exact"].append(text in right)
                hits["answer overlap"].append(max(overlap(text, each) for each in right))
    return {name: f"{100 * sum(v) / len(v):.1f} of {len(v)}" for name, v in sorted(hits.items())}


def decoded(begin: Tensor, inside: Tensor, one: TokenSequence) -> set[tuple[int, int, int]]:
    found = set()
    begins, insides = (begin > 0).tolist(), (inside > 0).tolist()
    for number in range(len(one.marks)):
        at = one.text.start
        while at < one.text.stop:
            if begins[number][at]:
                last = at
                while (
                    last + 1 < one.text.stop
                    and insides[number][last + 1]
                    and not begins[number][last + 1]
                ):
                    last += 1
                found.add((number, at - one.text.start, last - one.text.start))
                at = last
            at += 1
    return found


def best_span(start: Tensor, end: Tensor, one: TokenSequence) -> tuple[int, int]:
    begins = start.topk(8).indices.tolist()
    best, place = -1e9, (0, 0)
    for a in begins:
        if a not in one.text:
            continue
        stop = min(one.text.stop, a + 60)
        score, offset = (start[a] + end[a:stop]).max(0)
        if score > best:
            best, place = float(score), (a, a + int(offset))
    return one.places[place[0] - one.text.start][0], one.places[place[1] - one.text.start][1]


def overlap(one: str, other: str) -> float:
    a, b = one.lower().split(), other.lower().split()
    same = len(set(a) & set(b))
    return 2 * same / (len(set(a)) + len(set(b))) if same else 0.0


class Pairs:
    """What was said beside each tool that may be meant; the router as it was before finds which may be."""

    CANDIDATES = 5

    def __init__(self, router: Router, data: Data) -> None:
        self._router = router.eval()
        self._texts = {name: Texts(tools) for name, tools in data.tools.items()}
        with torch.no_grad():
            self._embedded = {
                name: embedded_texts(router, texts) for name, texts in self._texts.items()
            }

    def examples(self, examples: Examples) -> list[RouteExample]:
        return [
            one
            for one in examples.routes()
            if one.label and one.kind != "two" and one.act in ("new", "injection", "garbled")
        ]

    @torch.no_grad()
    def _near(self, batch: list[RouteExample]) -> tuple[list[list[float]], list[list[int]]]:
        near: list[list[float]] = [[] for _ in batch]
        top: list[list[int]] = [[] for _ in batch]
        own = vectors(self._router, [sequences.said(PIECES, one.text) for one in batch])
        for universe in {one.universe for one in batch}:
            rows = [row for row, one in enumerate(batch) if one.universe == universe]
            found = own[rows] @ self._embedded[universe].T
            best = (
                tool_scores(found, self._texts[universe])
                .topk(min(16, len(self._texts[universe].names)), 1)
                .indices.tolist()
            )
            for row, likeness, places in zip(rows, found.tolist(), best, strict=True):
                near[row], top[row] = likeness, places
        return near, top

    def _candidates(self, batch, rng):  # type: ignore[no-untyped-def]
        """The sequences of each example, and which of them is right (-1: none of them)."""
        near, top = self._near(batch)
        found, rights = [], []
        for row, one in enumerate(batch):
            texts = self._texts[one.universe]
            right = texts.names.index(one.label) if one.label in texts.tools else -1
            others = [n for n in top[row] if n != right]
            if rng is not None and rng.random() < 0.5:
                rng.shuffle(others)
            chosen = others[: self.CANDIDATES - 1]
            if right >= 0 and (rng is None or rng.random() > 0.06):
                chosen = [right, *chosen]
                rights.append(0)
            else:
                rights.append(-1)
            found.append(
                [sequences.pair(PIECES, one.text, texts.card(n, near[row])) for n in chosen]
            )
        return found, rights

    def _logits(self, reader, found):  # type: ignore[no-untyped-def]
        """A row for each example; the last column stands for none of them, at a score of nought."""
        ids, segments, mask = padded([one for each in found for one in each], DEVICE)
        with autocast():
            hidden = reader.hidden(ids, segments, mask)
        flat = reader.meant(hidden[:, 0].float()).squeeze(-1)
        rows = [row for row, each in enumerate(found) for _ in each]
        columns = [column for each in found for column in range(len(each))]
        logits = flat.new_full((len(found), self.CANDIDATES + 1), -1e4)
        logits[rows, columns] = flat
        logits[:, -1] = 0
        return logits

    def loss(self, reader: Reader, batch: list[RouteExample], rng: random.Random) -> Tensor:
        found, rights = self._candidates(batch, rng)
        logits = self._logits(reader, found)
        wanted = [right if right >= 0 else self.CANDIDATES for right in rights]
        return F.cross_entropy(logits, torch.tensor(wanted, device=DEVICE))

    @torch.no_grad()
    def figures(self, reader: Reader, held: Data) -> dict[str, str]:
        reader.eval()
        lines, hits = self.examples(Examples(held, 7)), defaultdict(list)
        for at in range(0, len(lines), 64):
            batch = lines[at : at + 64]
            found, rights = self._candidates(batch, None)
            chosen = self._logits(reader, found).argmax(1).tolist()
            for one, best, right in zip(batch, chosen, rights, strict=True):
                best = -1 if best == self.CANDIDATES else best
                where = "product" if one.universe == PRODUCT else "invented"
                sort = where if right >= 0 else f"none {one.label}"
                hits[f"pair {sort}"].append(best == right)
                hits[f"pair {one.kind}"].append(best == right)
        return {
            name: f"{100 * sum(v) / len(v):.1f} of {len(v)}" for name, v in sorted(hits.items())
        }


# -- both


class Pace:
    """How much of the training is done: by steps, or by the clock where a machine is lent for a time."""

    def __init__(self, options: argparse.Namespace, steps: float) -> None:
        left = options.until - time.time() if options.until else 0
        self._seconds, self._steps = options.seconds or left, steps
        self._taken, self._started = 0, time.monotonic()

    def step(self) -> None:
        self._taken += 1

    def done(self) -> float:
        if self._seconds:
            return (time.monotonic() - self._started) / self._seconds
        return self._taken / self._steps


def optimised(network: Marked, rate: float, pace: Pace):  # type: ignore[no-untyped-def]
    heads = [
        p for name, p in network.named_parameters() if p.requires_grad and "encoder" not in name
    ]
    body = [p for name, p in network.named_parameters() if p.requires_grad and "encoder" in name]
    groups = [{"params": body, "lr": rate}, {"params": heads, "lr": rate * 10}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=DEVICE == "cuda")

    def at(_step: int) -> float:
        done = pace.done()
        return done / 0.06 if done < 0.06 else max(0.02, (1 - done) / 0.94)

    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, at)


def begun(name: str, options: argparse.Namespace):  # type: ignore[no-untyped-def]
    """A network with the weights that its training begins with."""
    one = (Router if name == "router" else Reader)(options.weights)
    if options.start is not None:
        from training import shipped

        one.load_state_dict(shipped.trained(name, options.start))
    return one.to(DEVICE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("training/data"))
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--start", type=Path, help="train the weights of this folder further")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument(
        "--seconds", type=float, default=0, help="as many epochs as this time allows"
    )
    parser.add_argument("--until", type=float, default=0, help="the same, until this Unix time")
    parser.add_argument("--more", default="", help="authors whose lines are shown twice: p6,p7")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("router", "reader"))
    parser.add_argument(
        "--everything", action="store_true", help="train on what is else held out as well"
    )
    options = parser.parse_args()
    if (options.weights is None) == (options.start is None):
        parser.error("give --weights or --start")
    torch.manual_seed(options.seed)
    data = load(options.data / "train")
    for lines in (data.said, data.dialogues, data.records):
        lines += [one for one in lines if one.author in options.more.split(",")]
    train, held = split(data, options.seed)
    train = data if options.everything else train
    options.out.mkdir(parents=True, exist_ok=True)
    for name, work in (("router", train_router), ("reader", train_reader)):
        if options.only in (None, name):
            one = begun(name, options)
            work(one, train, held, options)
            state = {key: value.cpu() for key, value in one.state_dict().items()}
            torch.save(state, options.out / f"{name}.pt")


if __name__ == "__main__":
    main()
