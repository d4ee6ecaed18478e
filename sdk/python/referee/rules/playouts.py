"""Matches played to their ends by chance, from a position: the same ones as the library plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from referee.chance import STEP, mix

if TYPE_CHECKING:
    from referee.rules.base import Position


class Playouts(NamedTuple):
    """How matches ended that were played by chance: a row each, with a number for each seat."""

    moves: int
    """How many moves were played in all of them."""
    ranks: list[tuple[int, ...]]
    scores: list[tuple[int, ...]]


class _Sequence:
    """Numbers that follow from a seed: SplitMix64, ranges by multiplication."""

    def __init__(self, seed: int) -> None:
        self._state = mix(seed - STEP)

    def below(self, n: int) -> int:
        drawn = mix(self._state)
        self._state += STEP
        return (drawn >> 32) * n >> 32


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
