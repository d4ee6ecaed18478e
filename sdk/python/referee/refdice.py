"""refdice-v1, by which all dice of a match follow from a seed and nonces.

How it works and what it promises: referee/dice/DICE.md. Pure functions.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Iterable

if TYPE_CHECKING:
    from referee.rules import Position


def sha256(data: bytes) -> bytes:
    """Returns the hash: 32 bytes."""
    return hashlib.sha256(data).digest()


def _mac(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")


def pinned_seed(number: int) -> bytes:
    """Returns the seed that an organiser's number stands for."""
    return sha256(f"refdice-v1/pinned/{number}".encode())


def match_key(seed: bytes, nonces: Iterable[bytes] | None = None) -> bytes:
    """Returns the key that all dice of a match are drawn by; of pinned dice there are no nonces.

    Raises ValueError for a nonce of more than 32 bytes.
    """
    text = b"refdice-v1/key"
    for nonce in nonces or ():
        if len(nonce) > 32:
            raise ValueError(f"a nonce has {len(nonce)} bytes, and may have 32")
        text += bytes([len(nonce)]) + nonce
    return _mac(seed, text)


def uniform(key: bytes, label: str, n: int, count: int) -> list[int]:
    """Returns the first `count` numbers of uniform(label, n), 0 to n - 1 each.

    Raises ValueError unless n is 2 to 65536.
    """
    if not 2 <= n <= 65536:
        raise ValueError(f"n is {n}: 2 to 65536 are possible")
    width, words = (1, 256) if n <= 256 else (2, 65536)
    limit = words - words % n
    numbers: list[int] = []
    block = 0
    while len(numbers) < count:
        stream = _mac(key, f"refdice-v1/{label}/{block}".encode())
        block += 1
        for at in range(0, len(stream), width):
            word = int.from_bytes(stream[at:at + width], "big")
            if word < limit:
                numbers.append(word % n)
            if len(numbers) == count:
                break
    return numbers


def roll(key: bytes, label: str) -> tuple[int, int]:
    """Returns two dice, 1 to 6 each, such as those of "roll/0/12"."""
    first, second = uniform(key, label, 6, 2)
    return first + 1, second + 1


def settled(position: Position, key: bytes) -> Position:
    """Returns what a position leads to once all dice that are due have fallen."""
    while (chance := position.chance) is not None:
        position = position.drawn(uniform(key, *chance))
    return position
