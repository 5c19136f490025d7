"""Languages that can be detected: by a script of their own, or by their commonest words."""

from __future__ import annotations

NAMES = {
    "ar": "Arabic",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "zh": "Chinese",
}
BY_SCRIPT = {
    "ARABIC": "ar",
    "CJK": "zh",
    "DEVANAGARI": "hi",
    "GREEK": "el",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "THAI": "th",
}
_WORDS = {
    "cs": "a se na je v že to s z o do jsem si ale by jako pro tak jsou po ve když už být která",
    "da": "og i at det den til er som på de med af ikke der var jeg et har hvad han vi også blev",
    "de": "der die und in den von zu das mit sich des auf ist im dem nicht ein eine als auch ich",
    "en": "the of and to a in is that it was for on are as with be at this have from i you not",
    "es": "de la que el en y los se del las un por con una su para es al lo como más pero sus",
    "fi": "ja on ei että se hän oli mutta ovat kun niin joka myös kuin ole sen hänen tai minä voi",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas sur ne se ce il",
    "hu": "a az és hogy nem is egy ez azt meg van de volt csak már vagy mint fel ki el még lehet",
    "it": "di e il la che in un a per è una sono con non del si da le dei come più al gli anche",
    "nl": "de van het een en in is dat op te zijn met voor niet die er aan om ook als bij maar ik",
    "pl": "i w na z się nie do to że jest o jak za od po tak ale dla czy przez był już jego co",
    "pt": "de a o que e do da em um para é com não uma os no se na por mais as dos como mas ao",
    "ru": "и в не на я что он с это а как то по но из у за к все от она так его было они мы для",  # noqa: RUF001
    "sv": "och i att det som en på är av för med den till inte om ett han men jag från vi så har",
    "tr": "ve bir bu da de için ile çok ne gibi daha ama olarak en kadar o var ben sonra değil mi",
    "uk": "і в не на що я з до як та це у за він від але його для про так вона є були ми по або",  # noqa: RUF001
}
COMMON = {code: frozenset(words.split()) for code, words in _WORDS.items()}
