"""Bots for Referee, in Python.

    import referee

    class Mine(referee.Bot):
        def choose_turn(self, turn: referee.Turn) -> "referee.Move | str":
            return turn.rng.choice(turn.moves)

    if __name__ == "__main__":
        referee.run(Mine(), max_matches=64)

`referee.rules` has the rules of the games, for bots that look ahead, `play` plays whole matches in
this process, `referee.env` is for programs that train bots, and `referee.replay` opens replays.
"""

from referee.bot import AsyncBot, Bot
from referee.chance import Rng
from referee.client import Client, run
from referee.errors import (
    DiceMismatch, Error, InvalidOptions, NotAReferee, NotUnderstood, PermissionDenied, PlaceKept,
    PlaceTaken, Unauthenticated, Unreachable, WorkerLost)
from referee.local import Played, play
from referee.log import MatchLog
from referee.match import (
    Forfeit, Match, Resumed, TimeControl, Turn, TurnPlayed, Verdict)
from referee.options import VERSION as __version__
from referee.options import Options
from referee.rules import Move

__all__ = [
    "AsyncBot", "Bot", "Client", "DiceMismatch", "Error", "Forfeit", "InvalidOptions", "Match",
    "MatchLog", "Move", "NotAReferee", "NotUnderstood", "Options", "PermissionDenied",
    "PlaceKept", "PlaceTaken", "Played", "Resumed", "Rng", "TimeControl", "Turn", "TurnPlayed",
    "Unauthenticated", "Unreachable", "Verdict", "WorkerLost", "__version__", "play", "run",
]
