"""Contact extraction: emails, phones, URLs and profiles of a text, grouped into contacts.

Every scan is linear or bounded: quantifiers have limits and no pattern nests them, because the
text comes from anybody.
"""

from __future__ import annotations

from typing import Any

from antiphon import ErrorType, fail, ok

from .clusters import group
from .emails import find_emails
from .items import LISTS, blank, first_of_each
from .links import find_handles, find_urls, profile_of
from .phones import NATIONAL_NUMBER, find_phones


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
    emails = find_emails(blank(text, urls), text)
    handles = find_handles(blank(text, urls + emails), text)
    rest = blank(text, urls + emails + handles)
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
