"""URLs, and the profiles that URLs and handles name."""

from __future__ import annotations

import re

from .items import Item, make_item, vocabulary

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
    """Return the profile that a URL points at, or None for any other page."""
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
