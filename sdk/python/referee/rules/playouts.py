"""Matches played to their ends by chance, from a position: the same ones as the library plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from referee.rules.base import Position

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


class Playouts(NamedTuple):
    """How matches ended that were played by chance: a row each, with a number for each seat."""

    moves: int
    """How many moves were played in all of them."""
    ranks: list[tuple[int, ...]]
    scores: list[tuple[int, ...]]


class _Sequence:
    """Numbers that follow from a seed: SplitMix64, ranges by multiplication."""

    def __init__(self, seed: int) -> None:
        self._state = _mix(seed & _MASK)

    def below(self, n: int) -> int:
        self._state = (self._state + _STEP) & _MASK
        return (_mix(self._state) >> 32) * n >> 32


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def play_out(start: Position, count: int, seed: int) -> Playouts:
    """Plays `count` matches from a position; see `Position.playouts`."""
    done = Playouts(0, [], [])
    moves = 0
    for number in range(count):
        random = _Sequence(seed + number)
        position = start
        while not position.over:
            chance = position.chance
            if chance is not None:
                position = position.drawn(
                    [random.below(chance.sides) for _ in range(chance.numbers)])
                continue
            legal = position.legal_moves()
            position = position.play(legal[random.below(len(legal))])
            moves += 1
        result = position.result
        assert result is not None
        done.ranks.append(result.ranks)
        done.scores.append(result.scores)
    return done._replace(moves=moves)
