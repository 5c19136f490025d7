"""Contact clusters: items grouped by the names, roles and lines that they stand beside."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from .items import LISTS, Item
from .people import (
    PIECES,
    clean_name,
    display_name,
    is_name,
    is_organisation,
    is_role,
    trailing_name,
)

Contact = dict[str, Any]


def group(text: str, items: list[Item]) -> list[Contact]:
    """Group items into contacts, in order of appearance: what stands together under one name."""
    board = ContactBoard()
    position = index = 0
    for line in text.splitlines(keepends=True):
        start, end = position, position + len(line)
        position = end
        here: list[Item] = []
        while index < len(items) and items[index]["start"] < end:
            here.append(items[index])
            index += 1
        if not line.strip(" \t\r\n-_=*#"):
            board.current, board.after_role = None, False
        elif here:
            read_item_line(board, text, start, end, here)
        else:
            board.read_details(line.strip(), heading=True)
    return [contact["shown"] for contact in board.contacts if is_contact(contact["shown"])]


def is_contact(shown: dict[str, Any]) -> bool:
    """Return whether it is a contact; a link alone is none and stays in the flat lists."""
    reachable = shown["emails"] or shown["phones"]
    return bool(reachable or (shown["name"] and (shown["urls"] or shown["profiles"])))


class ContactBoard:
    """Contacts found so far, and the one that lines are being added to."""

    def __init__(self) -> None:
        self.contacts: list[Contact] = []
        self.current: Contact | None = None
        self.owners: dict[Any, Contact] = {}
        self.by_name: dict[str, Contact] = {}
        self.after_role = False

    def open(self, name: str | None, heading: bool) -> Contact:
        key = fold(name) if name else ""
        contact = self.by_name.get(key) if name else None
        if contact is None:
            shown: dict[str, Any] = {"name": name, "role": None, "organisation": None}
            shown |= {listed: [] for listed in LISTS.values()}
            contact = {"shown": shown, "has_items": False}
            self.contacts.append(contact)
            if name:
                self.by_name[key] = contact
        contact["heading"] = heading
        self.current = contact
        return contact

    def add(self, item: Item, name: str | None) -> None:
        owner = self.owners.get(item["key"])
        if owner is not None:
            if name and owner["shown"]["name"] is None and fold(name) not in self.by_name:
                owner["shown"]["name"] = name
                self.by_name[fold(name)] = owner
            self.current = owner
            return
        contact = self.open(name, False) if name else self.current
        if contact is None or (item["kind"] == "email" and not takes_email(contact, item)):
            contact = self.open(None, False)
        shown_value = item["value"]
        if item.get("extension"):
            shown_value = f"{shown_value};ext={item['extension']}"
        contact["shown"][LISTS[item["kind"]]].append(shown_value)
        contact["has_items"] = True
        self.after_role = False
        self.owners[item["key"]] = contact

    def read_details(self, line: str, heading: bool) -> None:
        """Read name, role and organisation from a line, or part of one, that holds no items."""
        pieces = [piece for piece in PIECES.split(line[:300]) if piece.strip()]
        for place, piece in enumerate(pieces):
            name = clean_name(piece)
            if self.current and self.read_position(piece.strip()):
                continue
            # Digits beside it make it an address; a second name before any item, a town.
            is_first = place == 0 and not any(map(str.isdigit, line[:300]))
            waiting = (
                self.current and self.current["shown"]["name"] and not self.current["has_items"]
            )
            if is_first and not waiting and is_name(name):
                self.open(name, heading)

    def read_position(self, piece: str) -> bool:
        """Read a piece as role or organisation of the current contact; return False if it is
        neither."""
        shown = self.current["shown"] if self.current else {}
        role, joint, employer = re.sub(r"\s(?:at|@)\s", "\1", piece, count=1).partition("\1")
        if joint and is_organisation(employer, is_role(role)) and role[:1].isupper():
            shown["role"] = shown["role"] or role
            shown["organisation"] = shown["organisation"] or employer
        elif is_role(piece):
            shown["role"] = shown["role"] or piece
            self.after_role = True
            return True
        elif not joint and is_organisation(piece, self.after_role):
            shown["organisation"] = shown["organisation"] or piece
        else:
            return False
        self.after_role = False
        return True


def takes_email(contact: Contact, email: Item) -> bool:
    shown = contact["shown"]
    if not shown["emails"] or contact["heading"]:
        return True
    local = fold(email["value"].partition("@")[0])
    return any(len(part) > 2 and part in local for part in fold(shown["name"] or "").split())


def read_item_line(board: ContactBoard, text: str, start: int, end: int, here: list[Item]) -> None:
    at = start
    for item in here:
        between = text[at : item["start"]]
        name = display_name(text, item) if item["kind"] == "email" else None
        if name is None:
            before = board.current
            board.read_details(re.sub(r"(?:[\w-]{1,12}\s?:\s*)$", "", between), heading=False)
            if board.current is before or board.current is None:
                name = trailing_name(between)
        board.add(item, name)
        at = item["end"]
    board.read_details(text[at:end].strip(" \t\r\n>)("), heading=False)


def fold(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))
