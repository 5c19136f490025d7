"""Handlers are imported from the bytes that were hashed, side by side, and described."""

from __future__ import annotations

import traceback
from pathlib import Path
from types import ModuleType

import pytest

from antiphon.registry.handlers import describe, handler_problem, load_module, unload

ASYNC = b"async def execute(args, context):\n    return 'async'\n"


def load(source: str | bytes, tmp_path: Path, digest: str = "0" * 64) -> ModuleType:
    raw = source.encode() if isinstance(source, str) else source
    return load_module("kb_search", digest, {"handler.py": raw}, tmp_path)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("async def execute(args, context): ...", "async"),
        ("def execute(args, context): ...", "sync"),
        ("async def execute(args, context):\n    yield 1", "generator"),
        ("async def execute(args, context, *, top=3, **more): ...", "async"),
        ("async def execute(args, /, context, *rest): ...", "async"),
        (
            "class Tool:\n    async def __call__(self, args, context): ...\nexecute = Tool()",
            "async",
        ),
        (
            "from functools import partial\n"
            "async def run(top, args, context): ...\nexecute = partial(run, 3)",
            "async",
        ),
    ],
)
def test_the_kind_of_a_handler_is_told(source: str, kind: str, tmp_path: Path) -> None:
    assert describe(load(source, tmp_path, digest=str(hash(source)) * 8)).kind == kind


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "has no `execute`"),
        ("execute = 5", "is int, not a function"),
        ("async def execute(args): ...", "must take (args, context), not (args)"),
        ("async def execute(*args): ...", "must take (args, context)"),
        ("async def execute(args, *, context): ...", "must take (args, context)"),
        ("async def execute(args, context, session): ...", "`session` needs a default"),
        ("def execute(args, context):\n    yield 1", "make it `async def`"),
        ("async def execute(a, c): ...\nreconcile = 1", "`reconcile` is int"),
        ("async def execute(a, c): ...\ndef reconcile(): ...", "must take (key)"),
        ("async def execute(a, c): ...\nprepare = 1", "`prepare` is int"),
        ("async def execute(a, c): ...\ndef prepare(a): ...", "must take (args, context)"),
    ],
)
def test_what_is_no_handler_is_refused_with_a_sentence(
    source: str, said: str, tmp_path: Path
) -> None:
    module = load(source, tmp_path, digest=str(hash(source)) * 8)
    assert said in str(handler_problem(module))
    with pytest.raises(ValueError, match=r"execute|reconcile|prepare"):
        describe(module)


def test_reconcile_is_found_when_it_is_there(tmp_path: Path) -> None:
    module = load(ASYNC + b"def reconcile(key): return key\n", tmp_path, "1" * 64)
    by_key = describe(module).reconcile
    assert by_key is not None
    assert by_key("k", {}, None) == "k"
    whole = ASYNC + b"def reconcile(key, args, context): return args\n"
    module = load(whole, tmp_path, "2" * 64)
    assert describe(module).reconcile is module.reconcile


def test_siblings_import_each_other_from_the_given_bytes(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("VALUE = 'from disk'")
    sources = {
        "handler.py": b"from .helper import VALUE\nfrom . import helper\ndef execute(a, c): ...",
        "helper.py": b"from .more import VALUE\n",
        "more.py": b"VALUE = 'from memory'",
    }
    module = load_module("kb_search", "2" * 64, sources, tmp_path)
    assert module.VALUE == "from memory"
    assert module.helper.VALUE == "from memory"


def test_a_sibling_that_is_not_among_the_sources_is_not_found(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("VALUE = 'from disk'")
    with pytest.raises(ImportError):
        load("from .helper import VALUE", tmp_path, "3" * 64)


def test_two_digests_of_one_tool_live_side_by_side(tmp_path: Path) -> None:
    old = load_module("kb_search", "a" * 64, {"handler.py": b"V = 1", "x.py": b""}, tmp_path)
    new = load_module("kb_search", "b" * 64, {"handler.py": b"V = 2", "x.py": b""}, tmp_path)
    assert (old.V, new.V) == (1, 2)


def test_the_same_digest_is_imported_once_for_each_directory(tmp_path: Path) -> None:
    first = load(b"V = []", tmp_path / "a", "4" * 64)
    assert load(b"V = []", tmp_path / "a", "4" * 64) is first
    other = load(b"V = []", tmp_path / "b", "4" * 64)
    assert other is not first
    assert other.__file__ == str(tmp_path / "b" / "handler.py")


def test_variants_with_names_that_python_cannot_spell_are_imported(tmp_path: Path) -> None:
    sources = {"handler.py": b"V = 0", "handler-b.py": b"V = 1", "handler_b.py": b"V = 2"}
    loaded = [load_module("kb_search", "5" * 64, sources, tmp_path, name).V for name in sources]
    assert loaded == [0, 1, 2]


def test_a_file_that_the_tool_does_not_have_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"no file 'handler_c\.py'"):
        load_module("kb_search", "6" * 64, {"handler.py": b""}, tmp_path, "handler_c.py")


def test_tracebacks_show_the_path_and_the_lines_that_ran(tmp_path: Path) -> None:
    path = tmp_path / "handler.py"
    source = b"def execute(args, context):\n    raise KeyError('as it was')\n"
    module = load(source, tmp_path, "7" * 64)
    path.write_text("# changed since\n" * 5)
    with pytest.raises(KeyError) as caught:
        module.execute({}, None)
    text = "".join(traceback.format_exception(caught.value))
    assert f'File "{path}", line 2' in text
    assert "raise KeyError('as it was')" in text


def test_nothing_is_written_to_the_disk(tmp_path: Path) -> None:
    (tmp_path / "handler.py").write_bytes(ASYNC)
    load(ASYNC, tmp_path, "8" * 64)
    assert [path.name for path in tmp_path.iterdir()] == ["handler.py"]


def test_an_unloaded_tool_is_imported_anew_and_running_code_goes_on(tmp_path: Path) -> None:
    source = (
        b"CALLS = []\ndef execute(args, context):\n    CALLS.append(1)\n    return len(CALLS)\n"
    )
    first = load(source, tmp_path, "9" * 64)
    first.execute({}, None)
    unload("kb_search", "9" * 64, tmp_path)
    second = load(source, tmp_path, "9" * 64)
    assert second is not first
    assert first.execute({}, None) == 2
    assert second.execute({}, None) == 1


def test_an_encoding_declared_in_the_file_is_honoured(tmp_path: Path) -> None:
    module = load("# coding: latin-1\nV = 'é'\n".encode("latin-1"), tmp_path, "c" * 64)
    assert module.V == "é"
