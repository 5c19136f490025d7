"""Prices: what models, minutes of voice and calls of tools cost, from prices.toml files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    ValidationError,
    model_validator,
)

from antiphon.contracts.events import Usage
from antiphon.contracts.metering import PaidRequest
from antiphon.usage.money import ceil_div, nano

SHIPPED = Path(__file__).with_name("prices.toml")
MILLION = 1_000_000
# What a minute of live voice may come to where it is priced by tokens: so many of speech are heard
# and spoken at the most (25 a second), and so many of the conversation are read anew.
VOICE_TOKENS = 1_500
VOICE_READ = 10_000
MINUTE_MS = 60_000


class PricesError(ValueError):
    """A file of prices that cannot be used; the message has the file, the place and the remedy."""


def _amount(value: Decimal) -> Decimal:
    nano(value)
    return value


_Price = Annotated[Decimal, AfterValidator(_amount)]
_Name = Annotated[str, Field(min_length=1, max_length=200)]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Rates(_Entry):
    input: _Price | None = None
    cached: _Price | None = None
    cache_write: _Price | None = None
    output: _Price | None = None
    audio_input: _Price | None = None
    audio_output: _Price | None = None
    minute: _Price | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_price()
        return self

    def _check_price(self) -> None:
        if self.minute is None and (self.input is None or self.output is None):
            raise ValueError("needs `input` and `output`, or `minute`")


class _Model(_Rates):
    backend: _Name
    model: _Name
    free: StrictBool = False

    def _check_price(self) -> None:
        if not self.free:
            super()._check_price()
        elif self.model_fields_set - {"backend", "model", "free"}:
            raise ValueError("is free and has a price; leave one of them out")


class _Tool(_Entry):
    tool: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    call: _Price


class _File(_Entry):
    date: date
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    source: _Name
    unknown_model: _Rates | Literal["refuse"] | None = None
    models: tuple[_Model, ...] = ()
    tools: tuple[_Tool, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelPrice:
    """The price of one model: billionths per million tokens, and per minute of voice where that is
    how it is charged."""

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    audio_input: int = 0
    audio_output: int = 0
    minute: int | None = None

    @property
    def is_free(self) -> bool:
        return self == FREE

    def of(self, usage: Usage) -> int:
        """Return what the tokens of an answer cost, rounded up once."""
        if self.minute is not None:
            return 0
        apart = usage.cached_tokens + usage.cache_write_tokens + usage.audio_input_tokens
        written = usage.output_tokens - usage.audio_output_tokens
        parts = (
            (max(0, usage.input_tokens - apart), self.input),
            (usage.cached_tokens, self.cached),
            (usage.cache_write_tokens, self.cache_write),
            (usage.audio_input_tokens, self.audio_input),
            (max(0, written), self.output),
            (usage.audio_output_tokens, self.audio_output),
        )
        return ceil_div(sum(tokens * price for tokens, price in parts), MILLION)

    def at_most(self, request: PaidRequest) -> int:
        """Return what a request may cost: each token that is read at the dearest rate for that."""
        read = max(self.input, self.cache_write)
        tokens = ceil_div(
            request.input_tokens * read + request.output_tokens * self.output, MILLION
        )
        return tokens + self.of_voice(request.seconds, estimated=True)

    def of_voice(self, seconds: float, *, estimated: bool = False) -> int:
        """Return what so many seconds of a live connection cost by the minute; with `estimated`
        what they may cost where they are charged by tokens."""
        minute = self.minute
        if minute is None:
            if not estimated:
                return 0
            speech = VOICE_TOKENS * (self.audio_input + self.audio_output)
            minute = ceil_div(speech + VOICE_READ * self.input, MILLION)
        return ceil_div(minute * ceil_div(round(seconds * 1_000_000), 1_000), MINUTE_MS)


FREE = ModelPrice()


class PriceList:
    """The prices in force: those of later files count before those of earlier ones. Immutable."""

    def __init__(self, files: Iterable[_File]) -> None:
        models: list[tuple[str, str, ModelPrice]] = []
        tools: dict[str, int] = {}
        self.unknown: ModelPrice | None = None  # of models that are not listed; None: refused
        for file in files:
            self.currency, self.date = file.currency, file.date
            own = [(each.backend, each.model.lower(), _price(each)) for each in file.models]
            # A name counts before patterns, a longer pattern before a shorter one.
            own.sort(key=lambda each: ("*" in each[1] or "?" in each[1], -len(each[1])))
            models[:0] = own
            tools |= {each.tool: nano(each.call) for each in file.tools}
            if file.unknown_model is not None:
                rule = file.unknown_model
                self.unknown = None if rule == "refuse" else _price(rule)
        self._models = models
        self.tools = {tool: price for tool, price in tools.items() if price}

    def find(self, backend: str, model: str) -> ModelPrice | None:
        """Return the listed price of a model; None where there is none."""
        name = model.strip().lower().removeprefix("models/")
        for owner, pattern, price in self._models:
            if owner == backend and fnmatchcase(name, pattern):
                return price
        return None

    def price(self, backend: str, model: str) -> ModelPrice | None:
        """Return the price of a model; None where nobody knows it and such models are refused."""
        return self.find(backend, model) or self.unknown


def load_prices(own: Path | None = None, *, today: date | None = None) -> PriceList:
    """Return the shipped prices with those of a file of one's own. Raises PricesError."""
    day = today or datetime.now(UTC).date()
    shipped = _read(SHIPPED, None)
    if own is None:
        return PriceList([shipped])
    file = _read(own, day)
    if file.currency != shipped.currency:
        # No sum could be made of both: only what is free stays known.
        free = tuple(each for each in shipped.models if each.free)
        shipped = shipped.model_copy(update={"models": free, "unknown_model": "refuse"})
    return PriceList([shipped, file])


def _read(path: Path, today: date | None) -> _File:
    try:
        found = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
    except OSError as error:
        raise PricesError(
            f"{path}: the prices cannot be read ({error.strerror or error}); name another file "
            "with `[usage] prices`, or leave it out."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PricesError(f"{path}: this is no TOML file ({error}).") from error
    try:
        file = _File.model_validate(found)
    except ValidationError as error:
        raise PricesError(f"{path}: {_first(error)}") from None
    for kind, names in (
        ("models", [f"{each.backend} {each.model.lower()}" for each in file.models]),
        ("tools", [each.tool for each in file.tools]),
    ):
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise PricesError(f"{path}: `{kind}` has {twice} twice; keep one of the entries.")
    if today is not None and file.date > today:
        raise PricesError(
            f"{path}: `date` is {file.date}, which is still to come; write the day on which the "
            "prices were looked up."
        )
    return file


def _first(error: ValidationError) -> str:
    """What is wrong with the file, where, and what to do."""
    wrong = error.errors(include_url=False)[0]
    place = ".".join(
        f"{part + 1}" if isinstance(part, int) else str(part)
        for part in wrong["loc"]
        if part not in ("_Rates", "literal['refuse']")
    )
    said = {
        "missing": "is missing; the file that ships shows how it is written",
        "extra_forbidden": "is not known here; leave it out, or correct its name",
    }.get(wrong["type"], wrong["msg"].removeprefix("Value error, "))
    return f"`{place}` {said}." if place else f"the file {said}."


def _price(rates: _Rates) -> ModelPrice:
    if isinstance(rates, _Model) and rates.free:
        return FREE

    def first(*given: Decimal | None) -> int:
        return nano(next((each for each in given if each is not None), Decimal(0)))

    return ModelPrice(
        input=first(rates.input),
        cached=first(rates.cached, rates.input),
        cache_write=first(rates.cache_write, rates.input),
        output=first(rates.output),
        audio_input=first(rates.audio_input, rates.input),
        audio_output=first(rates.audio_output, rates.output),
        minute=None if rates.minute is None else nano(rates.minute),
    )
