"""For tests of bots: turns and whole matches without a referee, by the rules.

    result = referee.testing.play_match([Mine(), Mine()], "hypnosia", seed=1)
"""

from __future__ import annotations

import time
from typing import Mapping, Optional, Sequence

from referee import refdice
from referee.bot import Bot
from referee.match import Match, Turn
from referee.rules import Game, Move, Position, Result, RulesError, make_game
from referee.wire import MatchStart, TurnRequest


class _Match(Match):
    """A match with rules of its own."""

    __slots__ = ()

    def __init__(self, rules: Game, options: Mapping[str, str], seat: int, seed: int) -> None:
        start = MatchStart(seat=seat)
        start.match.match_id = f"test-{seed}"
        start.match.game = rules.name
        start.match.bots.extend(f"bot-{other}" for other in range(rules.seats))
        start.match.commitment = refdice.sha256(refdice.pinned_seed(seed))
        start.match.pinned = True
        general = start.match.options.general
        general.game = rules.name
        for name, value in options.items():
            general.options.add(name=name, value=value.encode())
        super().__init__(start)
        self._game = rules


class _Turn(Turn):
    """A turn in a position of the rules."""

    __slots__ = ()

    def __init__(self, match: Match, position: Position, number: int, limit: float) -> None:
        request = TurnRequest(match_id=match.id, turn=number, seat=match.seat,
                              position_text=str(position), dice=position.dice)
        request.limit.FromNanoseconds(int(limit * 1e9))
        super().__init__(match, request, time.monotonic())
        self._position = position

    @property
    def moves(self) -> Sequence[Move]:
        return self.position.legal_moves()


def make_turn(game: str, position: str, options: Optional[Mapping[str, str]] = None,
              seats: int = 2, limit: float = 0.5) -> Turn:
    """Returns a turn in a position, to be passed to a bot's `choose_turn`.

    Raises `rules.RulesError` if the rules do not know such a thing, or nobody is to move there.
    """
    rules = make_game(game, seats, options)
    now = rules.position(position)
    if now.to_move is None:
        raise RulesError(f"nobody is to move in \"{position}\"")
    return _Turn(_Match(rules, options or {}, now.to_move, 0), now, 1, limit)


def play_match(bots: Sequence[Bot], game: str, options: Optional[Mapping[str, str]] = None,
               seed: int = 0) -> Result:
    """Plays a match between bots, by seat, with the dice that a referee pins to `seed`.

    No clock runs. Raises `rules.IllegalMove` where a referee would have a bot forfeit. Bots hear of
    no turns but their own.
    """
    options = options or {}
    rules = make_game(game, len(bots), options)
    key = refdice.match_key(refdice.pinned_seed(seed))
    matches = [_Match(rules, options, seat, seed) for seat in range(len(bots))]
    playing = [bot.for_match(match) or bot for bot, match in zip(bots, matches)]
    for bot, match in zip(playing, matches):
        bot.on_match_start(match)
    position = rules.start()
    number = 0
    while not position.over:
        chance = position.chance
        if chance is not None:
            position = position.drawn(refdice.uniform(key, *chance))
            continue
        number += 1
        seat = position.to_move
        assert seat is not None
        legal = position.legal_moves()
        passes = len(legal) == 1 and legal[0].notation == "-"  # a bot is not asked for a pass
        turn = _Turn(matches[seat], position, number, 3600.0)
        position = position.play(str(legal[0] if passes else playing[seat].choose_turn(turn)))
    assert position.result is not None
    return position.result
