"""Email addresses, written plainly or spelled out to hide them from machines."""

from __future__ import annotations

import re

from .items import Item, blank, make_item, vocabulary

LOCAL_END = re.compile(r"[\w.+\-'%~]{1,80}$")
DOMAIN = re.compile(r"[\w.-]{1,255}")
UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
FILE_ENDINGS = vocabulary("png jpg jpeg gif svg webp avif pdf css js html zip mp3 mp4")
# Plain words say nothing about a host unless they end in a name that hosts end in.
SPOKEN_ENDINGS = "com|org|net|edu|gov|io|dev|ai|app|info|co|uk|de|fr|es|it|nl|ch|at|eu|ca|au|in|jp"
AT = re.compile(
    r"[ \t]{0,3}[\[({<][ \t]{0,3}at[ \t]{0,3}[\])}>][ \t]{0,3}|[ \t]{1,3}at[ \t]{1,3}", re.I
)
_DOT = r"(?:[ \t]{0,3}[\[({][ \t]{0,3}dot[ \t]{0,3}[\])}][ \t]{0,3}|[ \t]{1,3}dot[ \t]{1,3}|\.)"
SPOKEN_LOCAL = re.compile(rf"(?<![\w@.-])[\w+-]{{1,40}}(?:{_DOT}[\w+-]{{1,40}}){{0,3}}$", re.I)
SPOKEN_HOST = re.compile(
    rf"[\w-]{{1,63}}(?:{_DOT}[\w-]{{1,63}}){{0,3}}{_DOT}(?:{SPOKEN_ENDINGS})\b", re.I
)
LINE_END = re.compile(r"[ \t.,;]{0,8}(?:[\r\n]|$)")
EMAIL_LABEL = re.compile(
    r"(?:e-?mail|mail)(?:[ \t]me|[ \t]address)?[ \t]{0,2}(?::|is|=)[ \t]{0,3}$", re.I
)


def find_emails(masked: str, text: str) -> list[Item]:
    found = []
    end = 0
    for at in (match.start() for match in re.finditer("@", masked)):
        span = email_span(masked, at)
        if span is None or span[0] < end:
            continue
        item = email_item(masked[slice(*span)], text, *span, obfuscated=False)
        if item:
            end = span[1]
            found.append(item)
    return found + find_spoken_emails(blank(masked, found), text)


def email_span(text: str, at: int) -> tuple[int, int] | None:
    local = LOCAL_END.search(text, max(0, at - 80), at)
    domain = DOMAIN.match(text, at + 1)
    if local is None or domain is None:
        return None
    start, end = local.start(), domain.end()
    if text[end : end + 1] == "@" or text[start - 1 : start] == "@":
        return None
    host, before = domain[0], local[0]
    # In texts without spaces the words around an address touch it.
    if (edge := UNSPACED.search(host)) and host[: edge.start()].rpartition(".")[2].isascii():
        label = host[: edge.start()]
        if label and label[-1] != ".":
            host = label
    if not before[-1:].strip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"):
        for edge in UNSPACED.finditer(before):
            start = local.start() + edge.end()
    end = at + 1 + len(host.rstrip(".-_"))
    while (
        start < at
        and not text[start].isalnum()
        and (text[start] != "_" or text[end : end + 1] == "_")
    ):
        start += 1
    ending = text[at + 1 : end].rpartition(".")
    if start == at or not ending[1] or ending[2].isdigit() or ending[2].lower() in FILE_ENDINGS:
        return None
    if text[start:at] == "git" and re.match(r":\S", text[end : end + 2]):
        return None
    return start, end


def email_item(address: str, text: str, start: int, end: int, *, obfuscated: bool) -> Item | None:
    """Return the item of an address, or None if it is not a valid one."""
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(address, check_deliverability=False)
    except EmailNotValidError:
        return None
    more = {}
    if checked.ascii_email and checked.ascii_email != checked.normalized:
        more["ascii"] = checked.ascii_email
    return make_item("email", checked.normalized, text, start, end, **more, obfuscated=obfuscated)


def find_spoken_emails(masked: str, text: str) -> list[Item]:
    found = []
    end = 0
    for at in AT.finditer(masked):
        local = SPOKEN_LOCAL.search(masked, max(end, at.start() - 90), at.start())
        host = SPOKEN_HOST.match(masked, at.end())
        if local is None or host is None:
            continue
        bracketed = at[0].strip()[0] in "[({<"
        line_start = masked.rfind("\n", 0, local.start()) + 1
        before = masked[max(line_start, local.start() - 24) : local.start()]
        alone = not before.strip() and LINE_END.match(masked, host.end())
        # "look at acme dot com" is prose: plain words need more to be an address.
        written_out = re.search(r"\sdot\s", host[0], re.I) is not None
        telling = (
            re.search(r"[\d_.]|\sdot\s", local[0], re.I) or EMAIL_LABEL.search(before) or alone
        )
        if not bracketed and not (written_out and telling):
            continue
        joined = "@".join(re.sub(_DOT, ".", part, flags=re.I) for part in (local[0], host[0]))
        item = email_item(joined, text, local.start(), host.end(), obfuscated=True)
        if item:
            end = host.end()
            found.append(item)
    return found
