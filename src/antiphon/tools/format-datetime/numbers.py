"""Numbers in words, in each language."""

from __future__ import annotations

from .locales import words

EN_ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
EN_TENS = words("- - twenty thirty forty fifty sixty seventy eighty ninety")
EN_ORDINALS = words(
    "- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
DE_ONES = words(
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn"
)
DE_TENS = words("- - zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
FR_ONES = words(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
    "dix-sept dix-huit dix-neuf"
)
FR_TENS = words("- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt")
ES_ONES = words(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro "
    "veinticinco veintiséis veintisiete veintiocho veintinueve"
)
ES_TENS = words("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa")
ES_HUNDREDS = words(
    "- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos "
    "novecientos"
)


def english(n: int) -> str:
    if n < 20:
        return EN_ONES[n]
    if n < 100:
        return EN_TENS[n // 10] + (f"-{EN_ONES[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{EN_ONES[n // 100]} hundred" + (f" and {english(n % 100)}" if n % 100 else "")
    rest = n % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{english(n // 1000)} thousand" + (joint + english(rest) if rest else "")


def english_ordinal(n: int) -> str:
    if n <= 20:
        return EN_ORDINALS[n]
    return "thirtieth" if n == 30 else f"{EN_TENS[n // 10]}-{EN_ORDINALS[n % 10]}"


def english_year(year: int) -> str:
    century, rest = divmod(year, 100)
    if year < 1000 or (century % 10 == 0 and rest < 10):
        return english(year)
    if rest == 0:
        return f"{english(century)} hundred"
    return f"{english(century)} {'oh ' if rest < 10 else ''}{english(rest)}"


def german(n: int) -> str:
    if n < 20:
        return DE_ONES[n]
    if n < 100:
        one = "ein" if n % 10 == 1 else DE_ONES[n % 10]
        return (f"{one}und" if n % 10 else "") + DE_TENS[n // 10]
    # Years from 1100 to 1999 are counted in hundreds.
    size, name = (100, "hundert") if n < 1000 or 1100 <= n < 2000 else (1000, "tausend")
    head, rest = divmod(n, size)
    return ("ein" if head == 1 else german(head)) + name + (german(rest) if rest else "")


def german_ordinal(n: int) -> str:
    odd = {1: "erste", 3: "dritte", 7: "siebte", 8: "achte"}
    return odd.get(n) or german(n) + ("te" if n < 20 else "ste")


def french(n: int) -> str:
    if n < 20:
        return FR_ONES[n]
    if n < 100:
        ten, one = divmod(n, 10)
        if ten in (7, 9):
            one += 10
        if one in (1, 11) and ten < 8:
            return f"{FR_TENS[ten]} et {FR_ONES[one]}"
        if one == 0:
            return FR_TENS[ten] + ("s" if ten == 8 else "")
        return f"{FR_TENS[ten]}-{FR_ONES[one]}"
    size, name = (100, "cent") if n < 1000 else (1000, "mille")
    head, rest = divmod(n, size)
    plural = "s" if size == 100 and head > 1 and not rest else ""
    text = (f"{french(head)} " if head > 1 else "") + name + plural
    return text + (f" {french(rest)}" if rest else "")


def spanish(n: int) -> str:
    if n < 30:
        return ES_ONES[n]
    if n < 100:
        return ES_TENS[n // 10] + (f" y {ES_ONES[n % 10]}" if n % 10 else "")
    if n == 100:
        return "cien"
    if n < 1000:
        return ES_HUNDREDS[n // 100] + (f" {spanish(n % 100)}" if n % 100 else "")
    head, rest = divmod(n, 1000)
    text = "mil" if head == 1 else f"{spanish(head)} mil"
    return text + (f" {spanish(rest)}" if rest else "")
