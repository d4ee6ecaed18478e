"""Bots for Referee, in Python.

    import referee

    class Mine(referee.Bot):
        def choose_turn(self, turn: referee.Turn) -> referee.Move | str:
            return turn.rng.choice(turn.moves)

    if __name__ == "__main__":
        referee.run(Mine(), max_matches=64)

`referee.rules` has the rules of the games, for bots that look ahead, `play` plays whole matches in
this process, `referee.env` is for programs that train bots, and `referee.replay` opens replays.

The rules, `referee.env` and `referee.refdice` need nothing but Python. What bots need of gRPC and
protobuf is imported when one of the names below is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from referee import refdice, rules
from referee.rules import Move

if TYPE_CHECKING:
    from referee.bot import AsyncBot, Bot
    from referee.chance import Rng
    from referee.client import Client, run
    from referee.errors import (
        DiceMismatch, Error, InvalidOptions, NotAReferee, NotUnderstood, PermissionDenied,
        PlaceKept, PlaceTaken, Unauthenticated, Unreachable, WorkerLost)
    from referee.local import Played, play
    from referee.log import MatchLog
    from referee.match import (Forfeit, Match, Resumed, TimeControl, Turn, TurnPlayed, Verdict)
    from referee.options import Options, __version__

__all__ = [
    "AsyncBot", "Bot", "Client", "DiceMismatch", "Error", "Forfeit", "InvalidOptions", "Match",
    "MatchLog", "Move", "NotAReferee", "NotUnderstood", "Options", "PermissionDenied",
    "PlaceKept", "PlaceTaken", "Played", "Resumed", "Rng", "TimeControl", "Turn", "TurnPlayed",
    "Unauthenticated", "Unreachable", "Verdict", "WorkerLost", "__version__", "play", "run",
]

# Where the names come from that are not imported above; those first that need no protobuf.
_MODULES = ("errors", "match", "bot", "chance", "client", "local", "log", "options")


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        modules = (importlib.import_module(f"{__name__}.{module}") for module in _MODULES)
        value = next(vars(module)[name] for module in modules if name in vars(module))
    except ModuleNotFoundError as error:
        if not error.name or error.name.split(".")[0] not in ("google", "grpc"):
            raise
        raise ModuleNotFoundError(
            f"referee.{name} needs protobuf and gRPC: pip install grpcio protobuf, or apt-get "
            f"install python3-grpcio python3-protobuf ({error})", name=error.name) from None
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
