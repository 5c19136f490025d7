"""The catalogue's math tools: calculator, units, bases, percent, statistics, matrices, primes."""

from __future__ import annotations

import statistics
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tools.catalogue_world import data, error, within


def all_of(*calls: tuple[str, dict]) -> list[dict]:
    """The data of several calls in one session."""

    async def scenario(call):
        answers = [await call("run_tool", tool_id=tool, params=one) for tool, one in calls]
        assert all(answer["ok"] for answer in answers), answers
        return [answer["data"]["result"] for answer in answers]

    return within(scenario)


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("0.1 + 0.2", "0.3"),
        ("2 + 3 * 4", "14"),
        ("-2^2", "-4"),
        ("2^3^2", "512"),
        ("2^-2", "0.25"),
        ("(-8) % 3", "1"),
        ("7 // 2", "3"),
        ("10/4*2", "5"),
        ("5!/3!", "20"),
        ("sqrt(2.25)", "1.5"),
        ("cbrt(-27)", "-3"),
        ("round(2.5) + round(-2.5) + round(1.005, 2)", "1.01"),
        ("log(1000) + log2(8) + ln(e)", "7"),
        ("sin(pi/2)", "1"),
        ("gcd(84, 126) + lcm(4, 6)", "54"),
        ("max(1, 2.5, -3) - min(4, 2)", "0.5"),
        ("1e3 × 2 ÷ 4", "500"),
        ("(-1)^99999999999", "-1"),
        ("2^100", "1267650600228229401496703205376"),
        ("1/3", "0.333333333333333"),
        ("abs(-3) + floor(2.7) + ceil(2.1)", "8"),
    ],
)
def test_arithmetic(expression: str, result: str) -> None:
    assert data("calculator", expression=expression)["result"] == result


def test_exact_results_come_as_fractions_too() -> None:
    found = data("calculator", expression="x/3", variables={"x": 0.1})
    assert (found["exact"], found["fraction"]) == (True, "1/30")
    assert data("calculator", expression="sqrt(2)")["exact"] is False
    assert "number" not in data("calculator", expression="2^1000")


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1/0", "zero"),
        ("5 % 0", "zero"),
        ("0^-1", "zero"),
        ("2 +", "character 4"),
        ("2 3", "character 3"),
        ("(1", "')'"),
        ("foo + 1", "'foo'"),
        ("__import__('os')", "character"),
        ("open(1)", "no function"),
        ("sqrt(-1)", "negative"),
        ("9^9^9", "digits"),
        ("(1/9999999)^9999", "digits"),
        ("1001!", "1000"),
        ("exp(1e4)", "large"),
        ("log(0)", "positive"),
        ("asin(2)", "asin"),
        ("sqrt(1, 2)", "takes"),
        ("(" * 500, "deep"),
        ("min(" * 200, "deep"),
        ("2.5 $ 3", "'$'"),
    ],
)
def test_what_cannot_be_worked_out_is_said(expression: str, said: str) -> None:
    found = error("calculator", expression=expression)
    assert found["pointer"] == "/expression"
    assert said in found["message"]


def test_a_variable_cannot_take_a_known_name() -> None:
    assert error("calculator", expression="pi", variables={"pi": 3})["pointer"] == "/variables"


@settings(max_examples=6, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-999, 999)] * 3), min_size=8, max_size=8))
def test_the_calculator_agrees_with_fractions(numbers: list[tuple[int, int, int]]) -> None:
    calls = [f"({a}) * ({b}) - ({c}) / 7 + ({a})^2" for a, b, c in numbers]
    found = all_of(*(("calculator", {"expression": one}) for one in calls))
    wanted = [Fraction(a) * b - Fraction(c, 7) + a**2 for a, b, c in numbers]
    assert [Fraction(one.get("fraction", one["result"])) for one in found] == wanted


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (1, "mile", "m", 1609.344),
        (212, "°F", "celsius", 100),
        (0, "C", "K", 273.15),
        (-40, "fahrenheit", "C", -40),
        (1, "GiB", "MB", 1073.741824),
        (100, "Mb", "MB", 12.5),
        (1, "kWh", "kJ", 3600),
        (1, "acre", "m2", 4046.8564224),
        (60, "MPH", "km/h", 96.56064),
        (180, "degrees", "rad", 3.14159265359),
        (1, "us gallon", "l", 3.785411784),
        (1, "psi", "kPa", 6.89475729317),
        (36, "Hours", "days", 1.5),
        (1, "hp", "W", 745.699871582),
    ],
)
def test_units(value: float, source: str, target: str, result: float) -> None:
    assert data("unit_converter", value=value, **{"from": source, "to": target})["result"] == result


def test_units_that_do_not_fit_or_are_unknown() -> None:
    assert error("unit_converter", value=1, **{"from": "km", "to": "kg"})["pointer"] == "/to"
    found = error("unit_converter", value=1, **{"from": "kilometr", "to": "m"})
    assert found["pointer"] == "/from"
    assert "kilometre" in found["message"]
    assert "Mbit" not in error("unit_converter", value=1, **{"from": "zz", "to": "m"})["message"]
    found = error("unit_converter", value=1, **{"from": "mb", "to": "B"})
    assert "MB" in found["message"]
    found = error("unit_converter", value=-300, **{"from": "C", "to": "K"})
    assert found["pointer"] == "/value"


PAIRS = [("km", "mi"), ("C", "F"), ("lb", "kg"), ("MiB", "MB"), ("acre", "ha"), ("psi", "bar")]


@settings(max_examples=8, deadline=None)
@given(st.floats(0, 1e6).map(lambda value: round(value, 4)))
def test_converting_there_and_back_gives_the_value_again(value: float) -> None:
    there = all_of(
        *(("unit_converter", {"value": value, "from": one, "to": two}) for one, two in PAIRS)
    )
    back = all_of(
        *(
            ("unit_converter", {"value": found["result"], "from": two, "to": one})
            for found, (one, two) in zip(there, PAIRS, strict=True)
        )
    )
    assert [one["result"] for one in back] == pytest.approx([value] * len(PAIRS), abs=1e-5)


def test_bases_and_twos_complement() -> None:
    found = data("number_base", value="0xFF", to_base=10)
    assert (found["result"], found["from_base"], found["binary"]) == ("255", 16, "11111111")
    assert data("number_base", value="0b1", from_base=16, to_base=10)["result"] == "177"
    assert data("number_base", value="zz", from_base=36, to_base=10)["result"] == "1295"
    assert data("number_base", value="-1", bits=8)["twos_complement"] == "11111111"
    assert error("number_base", value="129", from_base=8)["pointer"] == "/value"
    assert error("number_base", value="0x")["pointer"] == "/value"
    assert error("number_base", value="256", bits=8)["pointer"] == "/bits"


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-(10**50), 10**50), st.integers(2, 36)), min_size=8, max_size=8)
)
def test_a_number_in_any_base_reads_as_itself(numbers: list[tuple[int, int]]) -> None:
    calls = [("number_base", {"value": str(one), "to_base": base}) for one, base in numbers]
    found = all_of(*calls)
    assert [int(one["result"], one["to_base"]) for one in found] == [one for one, _ in numbers]


def test_numbers_of_a_thousand_digits_are_written() -> None:
    found = data("number_base", value="9" * 1000, to_base=36)
    assert int(found["result"], 36) == 10**1000 - 1


@pytest.mark.parametrize(
    ("question", "a", "b", "result"),
    [
        ("of", 15, 80, 12),
        ("what_percent", 30, 120, 25),
        ("change", 40, 50, 25),
        ("change", -40, -50, -25),
        ("increase", 100, 19, 119),
        ("decrease", 80, 25, 60),
        ("before_increase", 119, 19, 100),
        ("before_decrease", 60, 25, 80),
        ("of", 0.1, 0.3, 0.0),
    ],
)
def test_percent(question: str, a: float, b: float, result: float) -> None:
    assert data("percentage", question=question, a=a, b=b)["result"] == result


def test_percent_of_nothing_has_no_answer() -> None:
    assert error("percentage", question="change", a=0, b=5)["pointer"] == "/a"
    assert error("percentage", question="before_decrease", a=1, b=100)["pointer"] == "/b"


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30))
def test_measures_agree_with_the_standard_library(numbers: list[int]) -> None:
    found = data("number_stats", numbers=numbers)
    assert found["mean"] == pytest.approx(statistics.mean(numbers), abs=1e-9)
    assert found["median"] == pytest.approx(statistics.median(numbers))
    assert found["stdev"] == pytest.approx(statistics.stdev(numbers))
    quartiles = statistics.quantiles(numbers, n=4, method="inclusive")
    assert [found["q1"], found["q3"]] == pytest.approx([quartiles[0], quartiles[2]])


def test_one_number_and_many_numbers() -> None:
    found = data("number_stats", numbers=[4])
    assert (found["mean"], found["mode"], found["range"]) == (4, [], 0)
    assert "stdev" not in found
    many = data("number_stats", numbers=[at / 7 for at in range(10_000)], percentiles=[0, 50, 100])
    assert [one["value"] for one in many["percentiles"]] == [
        many["min"],
        many["median"],
        many["max"],
    ]


def test_matrices() -> None:
    def of(operation: str, **matrices: list) -> dict:
        return data("matrix_calculator", operation=operation, **matrices)

    a = [[1, 2], [3, 4]]
    assert of("multiply", a=a, b=[[0], [1]])["matrix"] == [[2], [4]]
    assert of("determinant", a=a)["exact"] == "-2"
    assert of("inverse", a=a)["matrix"] == [[-2, 1], [1.5, -0.5]]
    assert of("rank", a=[[1, 2, 3], [2, 4, 6]])["value"] == 1
    assert of("determinant", a=[[0, 1], [1, 0]])["value"] == -1
    assert of("transpose", a=[[1, 2, 3]])["matrix"] == [[1], [2], [3]]
    assert of("subtract", a=a, b=a)["matrix"] == [[0, 0], [0, 0]]
    big = [[1 / (row + column + 1) for column in range(12)] for row in range(12)]
    assert of("rank", a=big)["value"] == 12


@pytest.mark.parametrize(
    ("params", "pointer"),
    [
        ({"operation": "inverse", "a": [[1, 2], [2, 4]]}, "/a"),
        ({"operation": "determinant", "a": [[1, 2]]}, "/a"),
        ({"operation": "add", "a": [[1]]}, "/b"),
        ({"operation": "add", "a": [[1]], "b": [[1, 2]]}, "/b"),
        ({"operation": "multiply", "a": [[1, 2]], "b": [[1, 2]]}, "/b"),
        ({"operation": "rank", "a": [[1, 2], [3]]}, "/a/1"),
    ],
)
def test_matrices_that_do_not_fit(params: dict, pointer: str) -> None:
    assert error("matrix_calculator", **params)["pointer"] == pointer


def test_primes_and_factors() -> None:
    found = data("prime_factors", numbers=[9973, 1, 360, 9007199254740991])["numbers"]
    assert [one["is_prime"] for one in found] == [True, False, False, False]
    assert [one["factorisation"] for one in found] == [
        "9973",
        "1",
        "2^3 * 3^2 * 5",
        "6361 * 69431 * 20394401",
    ]
    assert data("prime_factors", numbers=[9007199254740881])["numbers"][0]["is_prime"]
    hard = data("prime_factors", numbers=[94906247 * 94906249, 94906249**2])["numbers"]
    assert [one["factorisation"] for one in hard] == ["94906247 * 94906249", "94906249^2"]


@settings(max_examples=6, deadline=None)
@given(st.lists(st.integers(1, 2**53 - 1), min_size=2, max_size=8))
def test_factors_multiply_to_the_number(numbers: list[int]) -> None:
    for one in data("prime_factors", numbers=numbers)["numbers"]:
        product = 1
        for factor in one["factors"]:
            product *= factor["prime"] ** factor["power"]
        assert product == one["number"]
