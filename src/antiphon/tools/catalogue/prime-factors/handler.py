"""Prime factors and divisors of whole numbers, and their gcd and lcm."""

from __future__ import annotations

from math import gcd, isqrt, lcm, prod
from typing import Any

from antiphon import ok

SMALL = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
MOST_DIVISORS = 200


def execute(args: dict[str, Any], context: Any) -> Any:
    numbers = args["numbers"]
    data: dict[str, Any] = {"numbers": [describe(number) for number in numbers]}
    if len(numbers) > 1:
        data |= {"gcd": gcd(*numbers), "lcm": str(lcm(*numbers))}
    return ok(data)


def describe(number: int) -> dict[str, Any]:
    powers = factorize(number)
    count = prod(power + 1 for power in powers.values())
    written = " * ".join(
        f"{one}^{power}" if power > 1 else f"{one}" for one, power in powers.items()
    )
    found: dict[str, Any] = {
        "number": number,
        "is_prime": list(powers.values()) == [1],
        "factors": [{"prime": one, "power": power} for one, power in powers.items()],
        "factorisation": written or "1",
        "divisor_count": count,
    }
    if count <= MOST_DIVISORS:
        found["divisors"] = list_divisors(powers)
    return found


def factorize(number: int) -> dict[int, int]:
    """Return primes and their powers, smallest prime first."""
    found: dict[int, int] = {}
    for prime in SMALL:
        while number % prime == 0:
            number //= prime
            found[prime] = found.get(prime, 0) + 1
    waiting = [number] if number > 1 else []
    while waiting:
        one = waiting.pop()
        if is_prime(one):
            found[one] = found.get(one, 0) + 1
        else:
            part = find_divisor(one)
            waiting += [part, one // part]
    return dict(sorted(found.items()))


def is_prime(number: int) -> bool:
    """Test by Miller-Rabin, which with these bases is certain below 3 * 10**24."""
    if number < 2 or any(number % prime == 0 for prime in SMALL):
        return number in SMALL
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in SMALL:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


def find_divisor(number: int) -> int:
    """Find a divisor of a composite number without small factors by Pollard's rho."""
    root = isqrt(number)
    if root * root == number:
        return root
    for step in range(1, 100):
        slow = fast = 2
        found = 1
        while found == 1:
            slow = (slow * slow + step) % number
            fast = (fast * fast + step) % number
            fast = (fast * fast + step) % number
            found = gcd(abs(slow - fast), number)
        if found != number:
            return found
    # Never seen below 2**53; dividing is slow and sure.
    return next(one for one in range(41, root + 1, 2) if number % one == 0)


def list_divisors(powers: dict[int, int]) -> list[int]:
    found = [1]
    for prime, power in powers.items():
        found = [one * prime**count for one in found for count in range(power + 1)]
    return sorted(found)
