"""Snippets of the documents: every block of Python in README.md and docs/ runs as it stands.

The blocks of a page run one after another in a folder of their own and share their names. A block
with `title="name.py"` is also a file there, which later blocks may import; pytest runs one that is
called `test_….py`. A block of text with `title="Output"` is what the block before it prints, with
`…` for what differs from run to run. `snippet_preludes.py` gives a page what it takes for granted.
`<!-- not run: why -->` before a block has it compiled only; `<!-- runs with: peer -->` runs it
where that framework is installed, by the adapters' tests or by bench/peers.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import linecache
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from tests.snippet_preludes import PRELUDES
from tests.testing.projects import run_pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(
    r"(?:^<!-- (?P<kind>not run|runs with): (?P<about>[^>]+?) -->\n+)?"
    r'^```(?P<language>python|text)(?: title="(?P<title>[^"]+)")?\n(?P<code>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Snippet:
    """One block of Python, with what it should print."""

    code: str
    line: int
    title: str | None
    kind: str | None
    about: str
    output: str | None = None


def snippets(page: Path) -> list[Snippet]:
    text = page.read_text("utf-8")
    found: list[Snippet] = []
    for block in BLOCK.finditer(text):
        if block["language"] == "python":
            line = text.count("\n", 0, block.start("code"))
            found.append(
                Snippet(block["code"], line, block["title"], block["kind"], block["about"] or "")
            )
        elif block["title"] == "Output":
            found[-1].output = block["code"]
    return found


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


WITH_CODE = [page for page in PAGES if snippets(page)]


class Notebook:
    """The blocks of one page, run in their order with the same names, in one folder."""

    def __init__(self, folder: Path, loop: asyncio.Runner) -> None:
        self.folder = folder
        self.loop = loop
        self.module = ModuleType("page")  # so that `if __name__ == "__main__"` is not entered
        self.number = 0

    def run(self, page: Path, snippet: Snippet) -> None:
        self.number += 1
        file = self.folder / (snippet.title or f"block_{self.number}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(snippet.code, "utf-8")
        if snippet.kind == "not run":
            compiled(snippet, file)
            return
        if snippet.kind == "runs with":
            run_with_peer(snippet, file)
            return
        if file.name.startswith("test_"):
            run_tests(file)
            return
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self._execute(compiled(snippet, file), file)
        if snippet.output is not None:
            expected = ".*?".join(map(re.escape, snippet.output.split("…")))
            place = f"{relative(page)}:{snippet.line}"
            assert re.fullmatch(expected, said.getvalue(), re.DOTALL), (
                f"{place} prints:\n{said.getvalue()}"
            )

    def _execute(self, code: CodeType, file: Path) -> None:
        names = self.module.__dict__
        names["__file__"] = str(file)
        if code.co_flags & inspect.CO_COROUTINE:

            async def waited() -> None:
                await eval(code, names)

            self.loop.run(waited())
        else:
            exec(code, names)


def compiled(snippet: Snippet, file: Path) -> CodeType:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    linecache.checkcache(str(file))
    code = compile(snippet.code, str(file), "exec", flags, dont_inherit=True)
    assert isinstance(code, CodeType)
    return code


def run_tests(file: Path) -> None:
    outcomes, text = run_pytest(file.parent, str(file))
    assert outcomes, text
    assert set(outcomes.values()) == {"passed"}, text


def peer_python(peer: str) -> Path | None:
    """The interpreter with a peer's package, of the adapters' tests or of bench/peers."""
    homes = (ROOT / ".venv" / "adapters", ROOT / "bench" / "peers" / ".venvs")
    found = (home / peer / "bin" / "python" for home in homes)
    return next((python for python in found if python.exists()), None)


def run_with_peer(snippet: Snippet, file: Path) -> None:
    compiled(snippet, file)
    python = peer_python(snippet.about)
    if python is not None:
        command = [str(python), file.name]
        done = subprocess.run(
            command, cwd=file.parent, capture_output=True, text=True, check=False, timeout=200
        )
        assert done.returncode == 0, done.stderr


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    """A notebook in an empty folder; what its blocks imported from there is forgotten after."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    with asyncio.Runner() as loop:
        book = Notebook(tmp_path, loop)
        monkeypatch.setitem(sys.modules, "page", book.module)
        yield book
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_every_block_of_python_is_one_that_is_run(page: Path) -> None:
    """An unknown word behind ```python would leave a block out of the site and of the tests."""
    fences = re.findall(r"^ *```python.*$", page.read_text("utf-8"), re.MULTILINE)
    assert len(fences) == len(snippets(page)), fences


@pytest.mark.parametrize("page", WITH_CODE, ids=relative)
def test_every_snippet_of_a_page_runs(page: Path, notebook: Notebook) -> None:
    stack = contextlib.AsyncExitStack()
    try:
        if prelude := PRELUDES.get(relative(page)):
            given = notebook.loop.run(stack.enter_async_context(prelude(notebook.folder)))
            notebook.module.__dict__.update(given)
        for snippet in snippets(page):
            notebook.run(page, snippet)
    finally:
        notebook.loop.run(stack.aclose())


def lines_of(found: list[Snippet]) -> int:
    return sum(bool(line.strip()) for each in found for line in each.code.splitlines())


def test_the_lines_of_a_tool_beside_those_of_others_are_counted_right() -> None:
    folder = ROOT / "docs" / "coming-from"
    table = re.findall(
        r"^\| \[.+?\]\((\S+)\) \| (\d+) \| (\d+) \| (\d+) \|$",
        (folder / "index.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(table) == 5
    for name, lines, files, ours in table:
        found = snippets(folder / name)
        theirs = [each for each in found if each.title != "weather.py"]
        own = [each for each in found if each.title == "weather.py"]
        counted = (lines_of(theirs), len(theirs), lines_of(own))
        assert counted == (int(lines), int(files), int(ours)), name
