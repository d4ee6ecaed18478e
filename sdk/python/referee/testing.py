"""For tests of bots: turns and whole matches without a referee, by the rules.

    result = referee.testing.play_match([Mine(), Mine()], "hypnosia", seed=1)
"""

from typing import Mapping, Sequence

from referee import refdice
from referee.bot_check import GivenBot
from referee.local import LocalTurn, match_start, play, turn_request
from referee.match import Match, Turn
from referee.rules import Result, RulesError, make_game


def make_turn(game: str, position: str, options: Mapping[str, str] | None = None,
              seats: int = 2, limit: float = 0.5) -> Turn:
    """Returns a turn in a position, to be passed to a bot's `choose_turn`.

    Raises `rules.RulesError` if the rules do not know such a thing, or nobody is to move there.
    """
    rules = make_game(game, seats, options)
    now = rules.position(position)
    if now.to_move is None:
        raise RulesError(f"nobody is to move in \"{position}\"")
    start = match_start(rules, options or {}, now.to_move, refdice.pinned_seed(0), 0)
    match = Match(start, rules)
    return LocalTurn(match, turn_request(match.id, 1, now, limit), now)


def play_match(bots: Sequence[GivenBot], game: str, options: Mapping[str, str] | None = None,
               seed: int = 0) -> Result:
    """Plays a match between bots, by seat, with the dice that a referee pins to `seed`.

    No clock runs. Raises what a bot raises, and `rules.IllegalMove` where a referee would have a
    bot forfeit; see `referee.play`.
    """
    return play(bots, game, seed, options, limit=3600.0, strict=True).result
