"""Citation of a source in a bibliographic style."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from antiphon import ok

MOST_APA = 20
EXPECTED = ("authors", "year")


def execute(args: dict[str, Any], context: Any) -> Any:
    source = {name: collapse_spaces(value) for name, value in args.items()}
    source["authors"] = [split(name) for name in source.get("authors", ()) if name]
    if "pages" in source:
        source["pages"] = re.sub(r"\s*[-\u2013—]+\s*", "\u2013", source["pages"])
    style = args["style"]
    missing = [name for name in EXPECTED if not source.get(name)]
    if not any(source.get(name) for name in ("container", "publisher", "url")):
        missing.append("container")
    citation, in_text = STYLES[style](source)
    return ok({"style": style, "citation": citation, "in_text": in_text, "missing": missing})


def collapse_spaces(value: Any) -> Any:
    if isinstance(value, list):
        return [collapse_spaces(each) for each in value]
    return " ".join(value.split()) if isinstance(value, str) else value


def split(name: str) -> tuple[str, str]:
    """Split a name into last name and first names."""
    if "," in name:
        last, _, first = name.partition(",")
        return last.strip(), first.strip()
    first, _, last = name.rpartition(" ")
    return last, first


def apa(source: dict[str, Any]) -> tuple[str, str]:
    year = source.get("year", "n.d.")
    people = [f"{last}, {initials(first)}" if first else last for last, first in source["authors"]]
    if len(people) > MOST_APA:
        listed = ", ".join(people[: MOST_APA - 1]) + f", … {people[-1]}"
    else:
        listed = (
            ", ".join(people[:-1]) + f", & {people[-1]}" if len(people) > 1 else "".join(people)
        )
    where = ", ".join(source[n] for n in ("container", "volume", "pages") if source.get(n))
    title = source["title"]
    head = f"{listed} ({year}). {title}." if listed else f"{title}. ({year})."
    parts = [head, *end_sentences(where, source.get("publisher")), source.get("url", "")]
    return joined(parts), f"({short_authors(source, ' & ')}, {year})"


def mla(source: dict[str, Any]) -> tuple[str, str]:
    where = [source.get("container"), source.get("publisher")]
    where += [f"vol. {source['volume']}"] if source.get("volume") else []
    where += [str(source["year"])] if source.get("year") else []
    where += [f"pp. {source['pages']}"] if source.get("pages") else []
    parts = [
        *end_sentences(list_authors(source, 3)),
        f"“{source['title']}.”",
        *end_sentences(", ".join(filter(None, where))),
    ]
    return joined([*parts, source.get("url", "")]), f"({short_authors(source, ' and ')})"


def chicago(source: dict[str, Any]) -> tuple[str, str]:
    year = source.get("year", "n.d.")
    where = " ".join(source[n] for n in ("container", "volume") if source.get(n))
    where += f": {source['pages']}" if source.get("pages") else ""
    parts = [*end_sentences(list_authors(source, 10)), f"{year}.", f"“{source['title']}.”"]
    parts += [*end_sentences(where, source.get("publisher")), source.get("url", "")]
    return joined(parts), f"({short_authors(source, ' and ')} {year})"


def bibtex(source: dict[str, Any]) -> tuple[str, str]:
    kind = "article" if source.get("container") else "book" if source.get("publisher") else "misc"
    first = source["authors"][0][0] if source["authors"] else source["title"].split()[0]
    key = re.sub(r"[^a-z0-9]", "", to_ascii(first).lower()) + str(source.get("year", ""))
    fields = {
        "author": " and ".join(f"{last}, {given}".strip(", ") for last, given in source["authors"]),
        "title": source["title"],
        "journal": source.get("container", ""),
        "publisher": source.get("publisher", ""),
        "year": str(source.get("year", "")),
        "volume": source.get("volume", ""),
        "pages": source.get("pages", "").replace("\u2013", "--"),
        "url": source.get("url", ""),
    }
    lines = [f"  {name} = {{{escape_latex(value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key or 'source'},", *lines, "}"]), f"\\cite{{{key or 'source'}}}"


def initials(first: str) -> str:
    return " ".join(f"{part[0].upper()}." for part in re.split(r"[\s.]+", first) if part)


def list_authors(source: dict[str, Any], most: int) -> str:
    """List the authors: the first by last name, the others as they are called."""
    people = source["authors"]
    if not people:
        return ""
    last, first = people[0]
    lead = f"{last}, {first}" if first else last
    others = [f"{given} {family}".strip() for family, given in people[1:]]
    if len(people) > most or (most == 3 and len(people) > 2):
        return f"{lead}, et al"
    if not others:
        return lead
    return ", ".join([lead, *others[:-1]]) + f", and {others[-1]}"


def short_authors(source: dict[str, Any], between: str) -> str:
    people = [last for last, _ in source["authors"]]
    if not people:
        words = source["title"].split()
        return "“" + " ".join(words[:4]) + "”"
    return between.join(people) if len(people) < 3 else f"{people[0]} et al."


def end_sentences(*parts: str | None) -> list[str]:
    return [part if part.endswith((".", "?", "!")) else f"{part}." for part in parts if part]


def joined(parts: list[str]) -> str:
    return " ".join(part for part in parts if part)


def to_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def escape_latex(text: str) -> str:
    return re.sub(r"([&%$#_])", r"\\\1", text)


STYLES = {"apa": apa, "mla": mla, "chicago": chicago, "bibtex": bibtex}
