"""Factory of a language model in a file: its settings, and the choice of tools that it is shown."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from antiphon.config.settings import LocalSettings
    from antiphon.providers.gguf import GgufText
    from antiphon.providers.port import Access
    from antiphon.understanding.router import UtteranceRouter

# A question about what records say is like the words of no tool.
ALWAYS_SHOWN = ("kb_search",)
_KEPT = 24  # sets of tools
_SLOT = re.compile(r"\{\w+\}")
_PHRASE = re.compile(r'^- "([^"\n]+)"', re.MULTILINE)


def gguf_model(settings: LocalSettings, file: Path) -> Callable[[Access], GgufText]:
    """Makes the provider for `Backends(local=…)`. Nothing is loaded before it is used."""

    def make(access: Access) -> GgufText:
        from antiphon.providers.gguf import GgufText

        return GgufText(
            access,
            file,
            context=settings.context,
            threads=settings.threads,
            choose=ToolChoice(),
        )

    return make


def examine_local_model(settings: LocalSettings) -> tuple[str, str | None]:
    """What there is to say of the model behind `local`, and what is wrong with it, if anything.
    Nothing is loaded."""
    if settings.model is None:
        return "there", None
    from antiphon.providers.gguf import Engine, ModelFileError, read_model_file
    from antiphon.providers.port import ProviderFault

    try:
        file = read_model_file(settings.model)
        context = file.context(settings.context)
        Engine(file, context).check()
    except ModelFileError as error:
        return "cannot be used", str(error)
    except ProviderFault as failed:
        return f"cannot be used: {file.describe(context)}", failed.fault.message
    return file.describe(context), None


class ToolChoice:
    """Chooses tools by the router of the built-in model: how near what was said is to their names,
    summaries and phrases, whose vectors are made once for each set of tools. Called from one
    thread."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Any, list[int]]] = OrderedDict()

    @cached_property
    def _router(self) -> UtteranceRouter:
        from antiphon.understanding.model import shipped_understanding

        return shipped_understanding().router

    def __call__(
        self, text: str, declarations: Sequence[dict[str, Any]], n: int
    ) -> list[dict[str, Any]]:
        """The `n` declarations that fit best, the best first."""
        vectors, owners = self._vectors(declarations)
        likeness = vectors @ self._router.hear(text).vector
        best = [-1.0] * len(declarations)
        for owner, like in zip(owners, likeness, strict=True):
            best[owner] = max(best[owner], float(like))
        order = sorted(
            range(len(declarations)),
            key=lambda at: (declarations[at]["toolId"] not in ALWAYS_SHOWN, -best[at]),
        )
        return [declarations[at] for at in order[:n]]

    def _vectors(self, declarations: Sequence[dict[str, Any]]) -> tuple[Any, list[int]]:
        digest = hashlib.sha256()
        for body in declarations:
            digest.update(f"{body['toolId']}:{body.get('digest')}\n".encode())
        key = digest.hexdigest()
        if key not in self._known:
            texts, owners = [], []
            for at, body in enumerate(declarations):
                for said in _texts(body):
                    texts.append(said)
                    owners.append(at)
            self._known[key] = self._router.vectors(texts), owners
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return self._known[key]


def _texts(body: dict[str, Any]) -> list[str]:
    from antiphon.understanding.sequences import card

    parameters = list((body.get("jsonSchema") or {}).get("properties") or {})
    about = body.get("summary") or body["description"]
    written = _PHRASE.findall(body.get("documentation") or "")
    phrases = [_SLOT.sub("something", phrase) for phrase in written]
    return [card(body["toolId"], about, parameters), *phrases]
