"""Generated pages of the documentation site: hooks of MkDocs (`mkdocs.yml`).

The front page is README.md. The references of the Python names and of the command line come from
the package itself. A link to a file outside docs/ leads to a copy of it on the site. `llms.txt`,
`llms-full.txt` and every page as Markdown are written for programs that read.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page

from antiphon.cli import app

ROOT = Path(__file__).parents[1]
# Files above docs/ that are pages of the site.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "vulnerabilities.md",
}
# Modules of the Python reference, in its order.
MODULES = ("antiphon", "antiphon.facade", "antiphon.policy", "antiphon.testing", "antiphon.toolkit")
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<target>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)")
FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for name, page in PAGES.items():
        if (ROOT / name).is_file():
            files.append(_generated(config, page, (ROOT / name).read_text("utf-8")))
    files.append(_generated(config, "reference/python.md", python_reference()))
    files.append(_generated(config, "reference/command-line.md", command_reference()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead every link to the place on the site that stands for its file."""
    uri = page.file.src_uri
    origin = next((name for name, target in PAGES.items() if target == uri), f"docs/{uri}")

    def replaced(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), found["target"]))
        target = _place(path, config, files)
        relative = posixpath.relpath(target, posixpath.dirname(uri) or ".")
        return f"{found['text']}({relative}{found['anchor'] or ''})"

    return _outside_fences(markdown, lambda part: LINK.sub(replaced, part))


def on_post_build(config: MkDocsConfig) -> None:
    """Write the whole text beside the pages: as Markdown, as an index and in one file."""
    site = Path(config.site_dir)
    index = [f"# {config.site_name}", "", f"> {config.site_description}"]
    whole = []
    for section, page in _PAGES_OF_THE_SITE:
        markdown = (page.markdown or "").strip() + "\n"
        if section not in index:
            index += ["", section, ""]
        index.append(f"- [{page.title}]({page.file.src_uri}): {_first_sentence(markdown)}")
        whole.append(f"<!-- {page.file.src_uri} -->\n\n{markdown}")
        target = site / page.file.src_uri
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(markdown, "utf-8")
    (site / "llms.txt").write_text("\n".join(index) + "\n", "utf-8")
    (site / "llms-full.txt").write_text("\n".join(whole), "utf-8")


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> None:
    """Keep the pages in their order for `on_post_build`."""
    del config, files
    _PAGES_OF_THE_SITE[:] = [
        (f"## {item.title if isinstance(item, Section) else 'Start'}", page)
        for item in nav.items
        for page in _pages(item)
    ]


_PAGES_OF_THE_SITE: list[tuple[str, Page]] = []


def _pages(item: Any) -> Iterator[Page]:
    if isinstance(item, Page):
        yield item
    for child in item.children or ():
        yield from _pages(child)


def _generated(config: MkDocsConfig, uri: str, content: str) -> File:
    return File.generated(config, uri, content=content, inclusion=InclusionLevel.INCLUDED)


def _place(path: str, config: MkDocsConfig, files: Files) -> str:
    """The address, within the site, of a file of the repository; a source is copied there."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    source = ROOT / path
    if not source.is_file():
        return path  # MkDocs says that it leads nowhere
    uri = f"source/{path}.txt"
    if files.get_file_from_path(uri) is None:
        files.append(_generated(config, uri, source.read_text("utf-8")))
    return uri


def _outside_fences(markdown: str, change: Any) -> str:
    parts, last = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [change(markdown[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, change(markdown[last:])])


def _first_sentence(markdown: str) -> str:
    for paragraph in FENCE.sub("", markdown).split("\n\n"):
        text = " ".join(paragraph.split())
        if text and text[0] not in "#!|<:-":
            plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
            return re.split(r"(?<=\.) ", plain, maxsplit=1)[0].rstrip(":.") + "."
    return ""


# -- the two references ------------------------------------------------------------------------


def python_reference() -> str:
    """A page of every name that the public packages export."""
    lines = ["# Python", "", "Every public name, by the module that it is imported from.", ""]
    seen: set[str] = set()
    for module in MODULES:
        exported = import_module(module)
        names = sorted(set(exported.__all__) - seen, key=lambda name: (name.lower(), name))
        seen.update(names)
        lines += [f"## {module}", "", *(_documented(f"{module}.{name}") for name in names)]
    events = "antiphon.contracts.session_events"
    lines += [f"## {events}", "", _documented(events, "show_root_heading: false")]
    return "\n".join(lines)


def _documented(name: str, *options: str) -> str:
    chosen = ("heading_level: 3", *options)
    return "\n".join([f"::: {name}", "    options:", *(f"      {each}" for each in chosen), ""])


def command_reference() -> str:
    """A page of every command with its arguments and options."""
    lines = [
        "# Command line",
        "",
        "Every command exits with status 0 when it is done, 1 when it found something wrong, and 2",
        "when the command line is wrong. `antiphon --install-completion` sets up tab completion.",
        "",
    ]
    for name, command in walk_commands(typer.main.get_command(app), "antiphon"):
        lines += [f"## {name}", "", _paragraphs(command.help or ""), ""]
        lines += ["```", _usage(name, command), "```", ""]
        lines += _table("argument", [p for p in command.params if p.param_type_name == "argument"])
        lines += _table("option", [p for p in command.params if p.param_type_name == "option"])
    return "\n".join(lines)


def walk_commands(group: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with its whole name, in the order of the help."""
    for name, command in group.commands.items():
        if command.hidden:
            continue
        if not hasattr(command, "commands") or command.invoke_without_command:
            yield f"{prefix} {name}", command
        if hasattr(command, "commands"):
            yield from walk_commands(command, f"{prefix} {name}")


def _usage(name: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    words = [_argument(p) if p.required else f"[{_argument(p)}]" for p in arguments]
    return " ".join([name, "[OPTIONS]", *words])


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name).upper()
    return f"{name}..." if parameter.nargs == -1 else name


def _table(kind: str, parameters: list[Any]) -> list[str]:
    shown = [p for p in parameters if not getattr(p, "hidden", False) and p.name != "help"]
    if not shown:
        return []
    lines = [f"| {kind} | default | meaning |", "|---|---|---|"]
    for parameter in shown:
        flags = [*parameter.opts, *parameter.secondary_opts]
        if kind == "argument":
            flags = [_argument(parameter)]
        names = ", ".join(f"`{flag}`" for flag in flags)
        meaning = _cell(getattr(parameter, "help", "") or "")
        lines.append(f"| {names} | {_default(parameter)} | {meaning} |")
    return [*lines, ""]


def _default(parameter: Any) -> str:
    value = parameter.default
    if parameter.required:
        return "required"
    if value is None or callable(value) or value in ((), [], "", False):
        return ""
    return f"`{_cell(str(value))}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("[", "\\[")


def _paragraphs(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n")).replace("\b", "")
