"""Phone numbers by the numbering plans of all countries, without look-alikes."""

from __future__ import annotations

import re

from .items import Item, make_item

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
    """Return whether a number that fits a numbering plan is one, by its context in the text."""
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
