"""Chance that comes from the match, so that a match with pinned dice can be played again.

`turn.chance` is 64 bits that depend on the commitment of the match, the seat, the bot's name and
the number of the turn alone; the C++ SDK has the same (`Turn::Chance`). `turn.rng` goes on from there.
"""

from __future__ import annotations

import random
from typing import Any

_MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(x: int) -> int:
    """Returns 64 bits, each of which depends on each of `x`: SplitMix64."""
    x = (x + STEP) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def of_match(seat: int, commitment: bytes, bot: str) -> int:
    """Returns what the chance of all turns of a seat is made of.

    The matches of a block have the same commitment, and another bot in this seat.
    """
    chance = mix(seat)
    for byte in commitment + bot.encode():
        chance = mix(chance ^ byte)
    return chance


def of_turn(match: int, turn: int) -> int:
    """Returns the chance of a turn; `match` is what `of_match` returned."""
    return mix(match ^ turn)


class Rng(random.Random):
    """SplitMix64 as a `random.Random`: all of its methods draw from a sequence of 64 bits.

    The first number of the sequence is the `first` that it is made with. `choice`, `randrange`,
    `shuffle` and the like take one number for each choice, modulo the number of possibilities:
    `turn.rng.choice(turn.moves)` is `turn.moves[turn.chance % len(turn.moves)]`.
    """

    def __new__(cls, first: int) -> Rng:
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, first: int) -> None:
        self.seed(first)

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Begins the sequence that has `a` as its first number."""
        if not isinstance(a, int):
            raise TypeError("the seed of turn.rng is a number: its first 64 bits")
        self._first: int | None = a & _MASK
        self._state = a & _MASK
        self.gauss_next = None

    def next(self) -> int:
        """Returns the next 64 bits."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        drawn = mix(self._state)
        self._state = (self._state + STEP) & _MASK
        return drawn

    def random(self) -> float:
        """Returns a number from 0 to 1, 1 excluded."""
        return (self.next() >> 11) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        """Returns `k` bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        bits, have = 0, 0
        while have < k:
            bits |= self.next() << have
            have += 64
        return bits & ((1 << k) - 1)

    # What random.Random draws its choices by.
    def _randbelow(self, n: int) -> int:
        return self.next() % n if n <= _MASK else self.getrandbits(n.bit_length() + 64) % n

    def getstate(self) -> tuple[Any, ...]:
        """Returns where the sequence is, for `setstate`."""
        return (self._first, self._state)

    def setstate(self, state: tuple[Any, ...]) -> None:
        """Goes on from where `getstate` was called."""
        self._first, self._state = state

    def __reduce__(self) -> Any:
        return (Rng, (0,), self.getstate())

    def __setstate__(self, state: Any) -> None:
        self.setstate(state)
