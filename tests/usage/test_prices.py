"""Prices come from a dated file, are exact, and a file that is wrong is refused with its place."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from antiphon.cli import app as commands
from antiphon.contracts.events import Usage
from antiphon.usage.money import decimal, nano
from antiphon.usage.prices import ModelPrice, PriceList, PricesError, load_prices

HEAD = 'date = 2026-01-01\ncurrency = "USD"\nsource = "A test"\n'
MODEL = '[[models]]\nbackend = "openai"\nmodel = "gpt-4.1"\n'
TODAY = date(2026, 11, 18)


def loaded(tmp_path: Path, text: str) -> PriceList:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    return load_prices(file, today=TODAY)


def test_the_built_in_model_and_files_are_free_by_name() -> None:
    prices = load_prices()
    for name in ("local", "qwen.gguf"):
        found = prices.find("local", name)
        assert found is not None
        assert found.is_free
    assert prices.date <= TODAY


def test_a_model_that_is_not_listed_is_never_free(tmp_path: Path) -> None:
    unknown = load_prices().price("openai", "llama-5")
    assert unknown is not None
    assert not unknown.is_free
    refusing = loaded(tmp_path, 'unknown_model = "refuse"\n' + HEAD)
    assert refusing.price("openai", "llama-5") is None
    euros = loaded(tmp_path, HEAD.replace("USD", "EUR"))
    assert euros.price("openai", "gpt-4.1") is None  # the shipped prices are in dollars
    assert euros.price("local", "local") is not None


def test_a_file_of_ones_own_counts_before_the_shipped_one(tmp_path: Path) -> None:
    prices = loaded(tmp_path, f"{HEAD}{MODEL}input = 1\noutput = 4.5\n")
    found = prices.find("openai", "gpt-4.1")
    assert found == ModelPrice(1 * 10**9, 10**9, 10**9, 45 * 10**8, 10**9, 45 * 10**8)
    assert prices.find("openai", "gpt-4.1-mini") == load_prices().find("openai", "gpt-4.1-mini")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("date = ", "no TOML"),
        ('currency = "USD"\nsource = "x"\n', "`date` is missing"),
        (HEAD.replace("2026", "2027"), "still to come"),
        (HEAD.replace("USD", "dollars"), "`currency`"),
        (f"{HEAD}{MODEL}input = 1\noutput = -1\n", "`models.1.output` must not be negative"),
        (f"{HEAD}{MODEL}input = 1\noutput = nan\n", "`models.1.output`"),
        (f"{HEAD}{MODEL}input = 1\noutput = inf\n", "`models.1.output`"),
        (f"{HEAD}{MODEL}input = 1\noutput = 0.0000000001\n", "more than 9 decimal places"),
        (f"{HEAD}{MODEL}input = 1\noutput = 1e9\n", "at most 1,000,000"),
        (f"{HEAD}{MODEL}input = 1\n", "needs `input` and `output`, or `minute`"),
        (f"{HEAD}{MODEL}free = true\ninput = 1\n", "is free and has a price"),
        (f"{HEAD}{MODEL}input = 1\noutput = 1\nimage = 1\n", "`models.1.image` is not known here"),
        (f"{HEAD}{MODEL}minute = 1\n{MODEL}minute = 2\n", "has openai gpt-4.1 twice"),
        (f'{HEAD}[[tools]]\ntool = "Draw!"\ncall = 1\n', "`tools.1.tool`"),
        (f'unknown_model = "free"\n{HEAD}', "`unknown_model"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_words(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PricesError) as refused:
        loaded(tmp_path, text)
    assert words in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / "prices.toml"))


def test_a_command_with_a_missing_file_stops_and_says_where_it_is_named(tmp_path: Path) -> None:
    config = tmp_path / "antiphon.toml"
    config.write_text('[usage]\nprices = "none.toml"\n')
    done = CliRunner().invoke(commands, ["usage", "--config", str(config)])
    assert done.exit_code == 1
    assert f"{config}:2: `usage.prices`: {tmp_path / 'none.toml'}: the prices cannot" in done.stderr


amounts = st.integers(0, 10**15)


@given(amounts)
def test_amounts_are_the_same_in_words(amount: int) -> None:
    assert nano(Decimal(decimal(amount))) == amount


@given(st.lists(st.integers(0, 10**9), min_size=6, max_size=6), st.lists(amounts, min_size=6))
def test_a_cost_is_the_exact_sum_of_its_parts_rounded_up(
    counts: list[int], prices: list[int]
) -> None:
    anew, cached, written_to_cache, heard, written, spoken = counts
    usage = Usage(
        anew + cached + written_to_cache + heard,
        written + spoken,
        cached,
        {},
        written_to_cache,
        heard,
        spoken,
    )
    price = ModelPrice(*prices[:6])
    exact = Decimal(
        anew * price.input
        + cached * price.cached
        + written_to_cache * price.cache_write
        + heard * price.audio_input
        + written * price.output
        + spoken * price.audio_output
    ) / Decimal(10**6)
    assert 0 <= Decimal(price.of(usage)) - exact < 1
