"""Matrix calculator: exact arithmetic, determinant, inverse and rank of small matrices."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from antiphon import ok
from antiphon.toolkit import invalid

Matrix = list[list[Fraction]]
TWO = {"add", "subtract", "multiply", "solve"}


def execute(args: dict[str, Any], context: Any) -> Any:
    operation = args["operation"]
    first = parse_matrix(args["a"], "/a")
    if operation not in TWO:
        return ok(describe(of_one(operation, first)))
    if "b" not in args:
        raise invalid("/b", f"{operation} needs a second matrix.")
    return ok(describe(of_two(operation, first, parse_matrix(args["b"], "/b"))))


def parse_matrix(rows: list[list[float]], pointer: str) -> Matrix:
    for at, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise invalid(
                f"{pointer}/{at}",
                f"this row has {len(row)} numbers, the first has {len(rows[0])}.",
            )
    return [[Fraction(str(number)) for number in row] for row in rows]


def of_one(operation: str, matrix: Matrix) -> Matrix | Fraction:
    if operation == "transpose":
        return [list(column) for column in zip(*matrix, strict=True)]
    if operation == "rank":
        return Fraction(row_reduce(matrix)[1])
    if len(matrix) != len(matrix[0]):
        raise invalid("/a", f"{operation} needs as many rows as columns.")
    if operation == "determinant":
        return row_reduce(matrix)[2]
    return solve(matrix, identity(len(matrix)))


def of_two(operation: str, first: Matrix, second: Matrix) -> Matrix:
    if operation == "multiply":
        if len(first[0]) != len(second):
            raise invalid(
                "/b", f"it needs {len(first[0])} rows, one for each column of a, not {len(second)}."
            )
        columns = list(zip(*second, strict=True))
        return [[dot(row, column) for column in columns] for row in first]
    if operation == "solve":
        if len(first) != len(first[0]):
            raise invalid("/a", "solve needs as many rows as columns.")
        if len(second) != len(first):
            raise invalid("/b", f"it needs {len(first)} rows, one for each row of a.")
        return solve(first, second)
    if (len(first), len(first[0])) != (len(second), len(second[0])):
        raise invalid("/b", f"{operation} needs two matrices of the same size.")
    sign = 1 if operation == "add" else -1
    return [
        [one + sign * two for one, two in zip(*rows, strict=True)]
        for rows in zip(first, second, strict=True)
    ]


def dot(row: Any, column: Any) -> Fraction:
    return sum((one * two for one, two in zip(row, column, strict=True)), Fraction(0))


def identity(size: int) -> Matrix:
    return [[Fraction(int(row == column)) for column in range(size)] for row in range(size)]


def row_reduce(matrix: Matrix, columns: int | None = None) -> tuple[Matrix, int, Fraction]:
    """Return the reduced row echelon form, the rank, and the determinant of a square matrix."""
    rows = [list(row) for row in matrix]
    rank, determinant = 0, Fraction(1)
    for column in range(len(rows[0]) if columns is None else columns):
        at = next((row for row in range(rank, len(rows)) if rows[row][column]), None)
        if at is None:
            determinant = Fraction(0)
            continue
        if at != rank:
            rows[rank], rows[at] = rows[at], rows[rank]
            determinant = -determinant
        pivot = rows[rank][column]
        determinant *= pivot
        rows[rank] = [number / pivot for number in rows[rank]]
        for row in range(len(rows)):
            if row != rank and rows[row][column]:
                times = rows[row][column]
                rows[row] = [
                    number - times * other
                    for number, other in zip(rows[row], rows[rank], strict=True)
                ]
        rank += 1
        if rank == len(rows):
            break
    return rows, rank, determinant


def solve(matrix: Matrix, right: Matrix) -> Matrix:
    size = len(matrix)
    joined = [left + other for left, other in zip(matrix, right, strict=True)]
    rows, rank, _ = row_reduce(joined, size)
    if rank < size:
        raise invalid(
            "/a", f"its determinant is 0 (rank {rank} of {size}): there is no one answer."
        )
    return [row[size:] for row in rows]


def describe(found: Matrix | Fraction) -> dict[str, Any]:
    if isinstance(found, Fraction):
        return {"value": round_float(found), "exact": str(found)[:200]}
    return {
        "matrix": [[round_float(number) for number in row] for row in found],
        "rows": len(found),
        "columns": len(found[0]),
    }


def round_float(number: Fraction) -> float:
    try:
        return float(f"{float(number):.12g}")
    except OverflowError:
        raise invalid("/a", "the result is too large for a number.") from None
