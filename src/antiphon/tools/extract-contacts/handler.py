"""Finds emails, phones, URLs and profiles in a text and groups them into contacts.

Every scan is linear or bounded: quantifiers have limits and no pattern nests them, because the
text comes from anybody.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from antiphon import ErrorType, fail, ok

Item = dict[str, Any]  # kind, value, raw, start, end and what the kind adds
Contact = dict[str, Any]

LISTS = {"email": "emails", "phone": "phones", "url": "urls", "profile": "profiles"}


def vocabulary(text: str) -> frozenset[str]:
    return frozenset(text.split())


def execute(args: dict[str, Any], context: Any) -> Any:
    # Here, not at the top: it brings the numbering plans of every country along.
    import phonenumbers

    text, region = args["text"], args.get("default_region")
    if region is not None and region not in phonenumbers.SUPPORTED_REGIONS:
        return fail(
            ErrorType.VALIDATION,
            f"/default_region: {region!r} is not a country with a known numbering plan. Use a "
            "two-letter ISO 3166 code such as 'GB', 'US' or 'DE'.",
            pointer="/default_region",
        )
    urls = find_urls(text)
    taken = [(item["start"], item["end"]) for item in urls]
    emails = find_emails(blank(text, taken), text)
    taken += [(item["start"], item["end"]) for item in emails]
    handles = find_handles(blank(text, taken), text)
    taken += [(item["start"], item["end"]) for item in handles]
    rest = blank(text, taken)
    phones = find_phones(rest, text, region)
    profiles = [profile for item in urls if (profile := profile_of(item))]
    profile_starts = {profile["start"] for profile in profiles}
    urls = [item for item in urls if item["start"] not in profile_starts]
    items = sorted(urls + emails + handles + phones + profiles, key=lambda item: item["start"])

    data: dict[str, Any] = {"contacts": group(text, items)}
    for kind, name in LISTS.items():
        data[name] = [
            {key: value for key, value in item.items() if key not in ("kind", "key")}
            for item in first_of_each(items)
            if item["kind"] == kind
        ]
    data["notes"] = []
    if region is None and not phones and NATIONAL_NUMBER.search(rest):
        data["notes"].append(
            "There may be phone numbers without a country code; give default_region to read them."
        )
    return ok(data)


def make_item(kind: str, value: str, text: str, start: int, end: int, **more: Any) -> Item:
    return {
        "kind": kind,
        "key": (kind, value.casefold(), more.get("extension")),
        "value": value,
        "raw": text[start:end],
        "start": start,
        "end": end,
        **more,
    }


def first_of_each(items: list[Item]) -> list[Item]:
    unique: dict[Any, Item] = {}
    for item in items:
        unique.setdefault(item["key"], item)
    return list(unique.values())


def blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with those spans overwritten, so that positions stay the same."""
    parts, at = [], 0
    for start, end in sorted(spans):
        parts += [text[at:start], "\0" * (end - start)]
        at = end
    return "".join([*parts, text[at:]])


# URLs and profiles

SOCIAL_HOSTS = {
    "linkedin.com": "linkedin",
    "twitter.com": "x",
    "x.com": "x",
    "github.com": "github",
    "gitlab.com": "gitlab",
    "instagram.com": "instagram",
    "facebook.com": "facebook",
    "youtube.com": "youtube",
    "tiktok.com": "tiktok",
    "threads.net": "threads",
    "bsky.app": "bluesky",
    "t.me": "telegram",
}
NOT_HANDLES = vocabulary(
    "about explore features home hashtag i intent jobs login marketplace orgs p pricing "
    "privacy reel search settings share sharer signup sponsors status stories terms topics "
    "watch"
)
_HOSTS = "|".join(re.escape(host) for host in SOCIAL_HOSTS)
URL_START = re.compile(
    rf"(?<![a-z0-9_@.+-])(?:(?P<scheme>https?://)|www\.(?=\w)|(?:[a-z]{{2,3}}\.)?(?:{_HOSTS})/"
    r"|(?<=web: )(?=[\w-]{1,63}\.)|(?<=site: )(?=[\w-]{1,63}\.))",
    re.IGNORECASE,
)
HOST = re.compile(
    r"(?:[^\s/?#@<>\"]{1,200}@)?((?:[\w-]{1,63}\.){1,8}[\w-]{1,63})(?::\d{1,5})?(?![\w-])"
)
# Also stops at marks that close a URL in texts written without spaces, and at the next of a list.
URL_REST = re.compile(
    r"(?:[^\s<>\"\x00-\x1f\u201c\u201d\u3001\u3002\uff0c\uff09\u300d,;]|[,;](?!https?://))*", re.I
)
CLOSERS = {")": "(", "]": "[", "}": "{"}


def find_urls(text: str) -> list[Item]:
    found: list[Item] = []
    end = 0
    for match in URL_START.finditer(text):
        start = match.start()
        scheme = match["scheme"] or ""
        host = HOST.match(text, start + len(scheme))
        if start < end or host is None:
            continue
        ending = host[1].rpartition(".")[2]
        if host[1].count(".") != 3 if ending.isdigit() else len(ending) < 2:
            continue
        tail = ""
        if text[host.end() : host.end() + 1] in ("/", "?", "#"):
            rest = URL_REST.match(text, host.end())
            tail = rest[0] if rest else ""
        raw = trim_url(text[start : host.end()] + tail)
        end = start + len(raw)
        # Only scheme and host may change case without becoming another address.
        login = text[start + len(scheme) : host.start(1)]
        place = text[host.start(1) : host.end()].lower()
        value = f"{scheme.lower() or 'https://'}{login}{place}{raw[host.end() - start :]}"
        found.append(make_item("url", value, text, start, end))
    return found


def trim_url(raw: str) -> str:
    end = len(raw)
    surplus = {close: raw.count(close) - raw.count(opened) for close, opened in CLOSERS.items()}
    while end:
        last = raw[end - 1]
        if last in CLOSERS:
            if surplus[last] <= 0:
                break
            surplus[last] -= 1
        elif last not in ".,;:!?'*_~|`\u2019\u2026":
            break
        end -= 1
    return raw[:end]


def profile_of(url: Item) -> Item | None:
    """The profile a URL points at, or None for any other page."""
    host, _, path = url["value"].partition("://")[2].partition("/")
    domain = ".".join(host.split(".")[-2:])
    platform = SOCIAL_HOSTS.get(domain)
    parts = [part for part in re.split(r"[?#]", path)[0].split("/") if part]
    if platform is None or not parts:
        return None
    if platform == "linkedin":
        if len(parts) < 2 or parts[0].lower() not in ("in", "company", "school"):
            return None
        handle = f"{parts[0].lower()}/{parts[1]}"
    elif platform == "bluesky":
        if len(parts) != 2 or parts[0] != "profile":
            return None
        handle = parts[1]
    else:
        handle = parts[0]
        needs_at = platform in ("youtube", "tiktok", "threads")
        if len(parts) != 1 or handle.lower() in NOT_HANDLES or needs_at != handle.startswith("@"):
            return None
        if not re.fullmatch(r"@?[\w.-]{1,64}", handle):
            return None
    value = f"https://{host.removeprefix('www.')}/{'/'.join(parts)}"
    more = {"platform": platform, "handle": handle.lstrip("@").removeprefix("in/")}
    return {
        **url,
        "kind": "profile",
        "key": ("profile", value.casefold(), None),
        "value": value,
        **more,
    }


LABELS = {
    "twitter": "x",
    "x": "x",
    "instagram": "instagram",
    "insta": "instagram",
    "ig": "instagram",
    "github": "github",
    "telegram": "telegram",
    "threads": "threads",
    "tiktok": "tiktok",
    "youtube": "youtube",
    "bluesky": "bluesky",
    "mastodon": "mastodon",
}
PROFILE_URLS = {
    "x": "https://x.com/{}",
    "instagram": "https://instagram.com/{}",
    "github": "https://github.com/{}",
    "telegram": "https://t.me/{}",
    "threads": "https://threads.net/@{}",
    "tiktok": "https://tiktok.com/@{}",
    "youtube": "https://youtube.com/@{}",
    "bluesky": "https://bsky.app/profile/{}",
}
HANDLE = re.compile(
    r"(?<![\w@./+-])@(?P<name>[A-Za-z0-9_](?:[\w.-]{0,62}\w)?)(?:@(?P<host>(?:[\w-]{1,63}\.){1,4}[a-z]{2,24}))?(?![\w@(])",
    re.ASCII,
)
LABEL_BEFORE = re.compile(rf"\b({'|'.join(LABELS)})\s{{0,3}}[:\-/(]?\s{{0,3}}$", re.IGNORECASE)


def find_handles(masked: str, text: str) -> list[Item]:
    found = []
    for match in HANDLE.finditer(masked):
        name, host = match["name"], match["host"]
        label = LABEL_BEFORE.search(masked[max(0, match.start() - 20) : match.start()])
        if host:
            platform, handle, value = "mastodon", f"{name}@{host}", f"https://{host}/@{name}"
        elif label:
            platform, handle = LABELS[label[1].lower()], name
            value = PROFILE_URLS.get(platform, "@{}").format(name)
        elif len(name) > 1 and not name.isdigit():
            platform, handle, value = "unknown", name, f"@{name}"
        else:
            continue
        more = {"platform": platform, "handle": handle}
        found.append(make_item("profile", value, text, match.start(), match.end(), **more))
    return found


# Emails

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
        address = valid_email(masked[span[0] : span[1]])
        if address:
            end = span[1]
            found.append(
                make_item("email", address.pop("value"), text, *span, **address, obfuscated=False)
            )
    covered = [(item["start"], item["end"]) for item in found]
    return found + find_spoken_emails(blank(masked, covered), text)


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


def valid_email(address: str) -> dict[str, str] | None:
    from email_validator import EmailNotValidError, validate_email

    try:
        checked = validate_email(address, check_deliverability=False)
    except EmailNotValidError:
        return None
    if checked.ascii_email and checked.ascii_email != checked.normalized:
        return {"value": checked.normalized, "ascii": checked.ascii_email}
    return {"value": checked.normalized}


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
        address = valid_email(joined)
        if address:
            span = (local.start(), host.end())
            end = host.end()
            found.append(
                make_item("email", address.pop("value"), text, *span, **address, obfuscated=True)
            )
    return found


# Phones

NATIONAL_NUMBER = re.compile(
    r"(?<![\w.+-])(?:\(\d{2,5}\)[ -]?|0\d{1,4}[ -])\d{3,4}[ -]?\d{3,5}(?![\w.-])"
)
DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\b\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d{2}")
NOT_A_PHONE = re.compile(r"\d{1,3}(?:[.,]\d{3})+|\d{1,3}(?:\.\d{1,3}){3}|\d+\.\d+")
_CURRENCY = r"[$\u00a2-\u00a5\u20a0-\u20bf]"
MONEY_BEFORE = re.compile(rf"(?:{_CURRENCY}|\b(?:USD|EUR|GBP|CHF|JPY))[ \t]{{0,2}}$", re.I)
MONEY_AFTER = re.compile(
    rf"[ \t]{{0,2}}(?:%|{_CURRENCY}|(?:USD|EUR|GBP|CHF|JPY|dollars?|euros?|pounds?)\b)", re.I
)
ID_BEFORE = re.compile(
    r"(?:#|\b(?:order|invoice|ticket|case|account|acct|isbn|iban|vat|ref|reference|id|no|nr|"
    r"number|serial|card|epoch|timestamp))[ \t]{0,2}[:.#=]{0,2}[ \t]{0,2}$",
    re.I,
)
PHONE_BEFORE = re.compile(
    r"\b(?:phone|tel|telephone|telefon|mobile|mob|cell|call|fax|ph|whatsapp|dial)[^\n\w]{0,4}"
    r"(?:number|no|nr)?[^\n\w]{0,4}$",
    re.I,
)


def find_phones(masked: str, text: str, region: str | None) -> list[Item]:
    import phonenumbers

    kinds = {
        phonenumbers.PhoneNumberType.MOBILE: "mobile",
        phonenumbers.PhoneNumberType.FIXED_LINE: "fixed_line",
        phonenumbers.PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_line_or_mobile",
        phonenumbers.PhoneNumberType.TOLL_FREE: "toll_free",
    }
    form = phonenumbers.PhoneNumberFormat
    found = []
    for match in phonenumbers.PhoneNumberMatcher(masked, region, max_tries=2000):
        number = match.number
        north_american = number.country_code == 1
        if not plausible_phone(masked, match.start, match.end, north_american):
            continue
        plain = phonenumbers.PhoneNumber()
        plain.merge_from(number)
        plain.extension = None
        found.append(
            make_item(
                "phone",
                phonenumbers.format_number(plain, form.E164),
                text,
                match.start,
                match.end,
                international=phonenumbers.format_number(plain, form.INTERNATIONAL),
                extension=number.extension or None,
                region=phonenumbers.region_code_for_number(number),
                type=kinds.get(phonenumbers.number_type(number), "other"),
            )
        )
    return found


def plausible_phone(text: str, start: int, end: int, north_american: bool) -> bool:
    """Whether a number that fits a numbering plan is one, by how it stands in the text."""
    raw = text[start:end]
    if "+" in raw or "\uff0b" in raw:
        return True
    before, after = text[max(0, start - 24) : start], text[end : end + 12]
    if PHONE_BEFORE.search(before):
        return True
    if DATE.search(raw) or NOT_A_PHONE.fullmatch(raw):
        return False
    if MONEY_BEFORE.search(before) or MONEY_AFTER.match(after) or ID_BEFORE.search(before):
        return False
    # A bare run of digits is an id as often as a phone, unless it starts as people dial it.
    return not raw.isdigit() or raw.startswith("0") or north_american


# Names, roles, organisations

PARTICLES = vocabulary(
    "al ap bin bint da das de del della den der di dos du el ibn la le ten ter van von y zu"
)
HONORIFICS = vocabulary("dr dr. prof prof. mr mr. mrs mrs. ms ms. sir dame herr frau")
ROLE_WORDS = vocabulary(
    "accountant administrator advisor adviser analyst architect assistant associate attorney "
    "cco ceo cfo chair chairman chairwoman chief cio ciso cmo co-founder cofounder consultant "
    "coo coordinator cpo cto curator dean designer developer director editor engineer founder "
    "head intern lawyer lead lecturer manager officer owner partner physician president "
    "principal producer professor programmer recruiter representative researcher scientist "
    "secretary specialist supervisor teacher technician treasurer vp writer"
)
ORG_WORDS = vocabulary(
    "ab ag agency associates association bank bv college company consulting corp corp. "
    "corporation foundation gmbh group hospital inc inc. institute kg lab laboratories labs "
    "limited llc llp ltd ltd. museum nv oy partners plc pty s.a. s.l. s.r.l. sa sarl school "
    "se society solutions spa studio studios technologies trust university"
)
NOT_NAME_WORDS = vocabulary(
    "a address am and ask at best call cc cell cheers contact contacts customer dear "
    "department direct email e-mail fax for from hello help hi home hotline i info "
    "information kind mail main many message mob mobile monday my no office on or our phone "
    "please pm questions reach regards regarding reply reservations sales sent service "
    "sincerely street subject support talk team tel telephone text thank thanks the this to "
    "tuesday via visit warm we web website wednesday with work write www you your yours "
    "thursday friday saturday sunday january february march april june july august september "
    "october november december re fwd date linkedin twitter github instagram"
)
NAME_TOKEN = re.compile(r"[^\W\d_](?:[^\W\d_]|['\u2019.-]){0,39}")
PIECES = re.compile(
    r"\s*[|;\u2022\u00b7\t\n\0]+\s*|\s+[/\u2013\u2014-]\s+|\s*,\s+|\s*,$|^[-*\u2022]\s+|^\d{1,3}[.)]\s+"
)
CONNECTORS = re.compile(
    r"(?:\s|[,:(<\u2013\u2014|-]|\b(?:at|on|via|by|is|e-?mail|mail|phone|tel|mobile|cell|direct|work)\b)$",
    re.I,
)


def clean_name(text: str) -> str:
    tokens = text.strip(" \t\"'*_,:()").split()
    while tokens and tokens[0].lower() in HONORIFICS:
        tokens = tokens[1:]
    return " ".join(tokens)


def is_name(text: str, least: int = 2) -> bool:
    tokens = text.split()
    if not least <= len(tokens) <= 5 or len(text) > 80:
        return False
    capitals = 0
    for token in tokens:
        low = token.lower().rstrip(".")
        if not NAME_TOKEN.fullmatch(token) or low in NOT_NAME_WORDS:
            return False
        if low in ROLE_WORDS or (low in ORG_WORDS and low not in PARTICLES):
            return False
        # Scripts without capitals have no lower case either.
        if token[0].islower():
            if low not in PARTICLES:
                return False
        else:
            capitals += 1
    return capitals >= least and not tokens[-1][0].islower()


def display_name(text: str, email: Item) -> str | None:
    """The name in `Name <address>` or `address (Name)`."""
    line_start = max(text.rfind("\n", 0, email["start"]) + 1, email["start"] - 100)
    before = re.sub(r"mailto:$", "", text[line_start : email["start"]], flags=re.I)
    if before.endswith("<"):
        quoted = re.search(r"\"([^\"<>]{1,80})\"\s{0,3}<$", before)
        if quoted:
            last, comma, first = quoted[1].partition(",")
            name = clean_name(f"{first} {last}" if comma else last)
        else:
            name = clean_name(re.split(r"[,;<>:\0]", before[:-1])[-1])
            name = trailing_name(name) or name
        return name if is_name(name, 1) else None
    after = re.match(r"\s?\(([^()\n]{1,80})\)", text[email["end"] : email["end"] + 90])
    if after and is_name(clean_name(after[1])):
        return clean_name(after[1])
    return None


def trailing_name(before: str) -> str | None:
    """The name that prose puts right before an item: `please call Grace Hopper on`."""
    before = before[-120:]
    while match := CONNECTORS.search(before):
        before = before[: match.start()]
    tokens: list[str] = []
    for token in reversed(before.split()[-6:]):
        low = token.lower().rstrip(".")
        if token.endswith((",", ":", ";", ".", "!", "?")) and tokens and len(token) > 2:
            break
        if not NAME_TOKEN.fullmatch(token) or low in NOT_NAME_WORDS or low in HONORIFICS:
            break
        if token[0].islower() and low not in PARTICLES:
            break
        tokens.insert(0, token)
    while tokens and tokens[0][0].islower():
        tokens = tokens[1:]
    name = " ".join(tokens)
    return name if is_name(name) else None


def is_role(text: str) -> bool:
    tokens = [token.strip("().&").lower() for token in text.split()]
    return 1 <= len(tokens) <= 7 and len(text) <= 80 and not ROLE_WORDS.isdisjoint(tokens)


def is_organisation(text: str, after_role: bool) -> bool:
    tokens = text.split()
    if not 1 <= len(tokens) <= 7 or len(text) > 80 or not text[0].isalnum() or "@" in text:
        return False
    if any(token.lower() in ORG_WORDS for token in tokens) and text[0].isupper():
        return True
    fits = all(token[0].isupper() or token.lower() in ("of", "the", "and", "&") for token in tokens)
    return after_role and fits and NOT_NAME_WORDS.isdisjoint(token.lower() for token in tokens)


# Grouping


def group(text: str, items: list[Item]) -> list[Contact]:
    """Contacts in order of appearance: what stands together under one name."""
    board = Board()
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
    """A link alone is nobody's contact; it stays in the flat lists."""
    reachable = shown["emails"] or shown["phones"]
    return bool(reachable or (shown["name"] and (shown["urls"] or shown["profiles"])))


class Board:
    """The contacts found so far and the one that lines are being added to."""

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
        """Name, role and organisation from a line, or the part of one, that holds no items."""
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
        """Take a piece as role or organisation of the current contact; False when it is neither."""
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


def read_item_line(board: Board, text: str, start: int, end: int, here: list[Item]) -> None:
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
