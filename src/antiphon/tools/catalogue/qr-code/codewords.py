"""QR codewords: header, padding, Reed-Solomon, interleaving."""

from __future__ import annotations

# For versions 1 to 10: codewords in all; for each level, those for correction in one block and the
# number of blocks.
TOTAL = (26, 44, 70, 100, 134, 172, 196, 242, 292, 346)
BLOCKS = {
    "L": ((7, 1), (10, 1), (15, 1), (20, 1), (26, 1), (18, 2), (20, 2), (24, 2), (30, 2), (18, 4)),
    "M": ((10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5)),
    "Q": ((13, 1), (22, 1), (18, 2), (26, 2), (18, 4), (24, 4), (18, 6), (22, 6), (20, 8), (24, 8)),
    "H": ((17, 1), (28, 1), (22, 2), (16, 4), (22, 4), (28, 4), (26, 5), (26, 6), (24, 8), (28, 8)),
}


def data_size(version: int, level: str) -> int:
    correction, blocks = BLOCKS[level][version - 1]
    return TOTAL[version - 1] - correction * blocks


def header_bits(version: int) -> int:
    """Four for the mode, then the length, which takes two bytes from version 10 on."""
    return 4 + (8 if version < 10 else 16)


def room(version: int, level: str) -> int:
    return (data_size(version, level) * 8 - header_bits(version)) // 8


MOST_BYTES = {level: room(10, level) for level in BLOCKS}


def fitting_version(size: int, level: str) -> int | None:
    return next((one for one in range(1, 11) if size <= room(one, level)), None)


def codewords(raw: bytes, version: int, level: str) -> bytes:
    """All codewords in the order in which they are drawn."""
    data = padded(raw, version, level)
    correction, count = BLOCKS[level][version - 1]
    short, longer = divmod(len(data), count)
    blocks, at = [], 0
    for index in range(count):
        size = short + (index >= count - longer)
        blocks.append(data[at : at + size])
        at += size
    checks = [remainder(block, correction) for block in blocks]
    out = [block[at] for at in range(short + 1) for block in blocks if at < len(block)]
    out += [check[at] for at in range(correction) for check in checks]
    return bytes(out)


def padded(raw: bytes, version: int, level: str) -> bytes:
    size = data_size(version, level)
    length = header_bits(version) - 4
    bits = f"0100{len(raw):0{length}b}" + "".join(f"{byte:08b}" for byte in raw)
    bits += "0" * min(4, size * 8 - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    filling = b"\xec\x11" * size
    return data + filling[: size - len(data)]


def multiply(one: int, two: int) -> int:
    """In the field of 256 elements over x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    while two:
        if two & 1:
            product ^= one
        one = (one << 1) ^ (0x11D if one & 0x80 else 0)
        two >>= 1
    return product


def generator(degree: int) -> list[int]:
    """(x - 1)(x - 2)(x - 4)... without its leading 1, highest power first."""
    found = [0] * (degree - 1) + [1]
    root = 1
    for _ in range(degree):
        for at in range(degree):
            found[at] = multiply(found[at], root)
            if at + 1 < degree:
                found[at] ^= found[at + 1]
        root = multiply(root, 2)
    return found


def remainder(data: bytes, degree: int) -> bytes:
    divisor = generator(degree)
    left = [0] * degree
    for byte in data:
        factor = byte ^ left[0]
        left = [*left[1:], 0]
        left = [one ^ multiply(part, factor) for one, part in zip(left, divisor, strict=True)]
    return bytes(left)
