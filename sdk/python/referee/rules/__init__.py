"""The rules of the games, for bots that look ahead and programs that train them.

    game = referee.rules.make_game("hypnosia", 2)
    position = game.start()
    while not position.over:
        if position.chance is not None:
            _, sides, count = position.chance
            position = position.drawn([random.randrange(sides) for _ in range(count)])
        else:
            position = position.play(random.choice(position.legal_moves()))
    print(position.result)

In a bot, `turn.position` is such a position, and `turn.match.rules` such a game.

They are in pure Python, and need nothing else: no gRPC, no protobuf. Where the library of the same
rules in C++ is, they are done by that, some 150 times faster in `playouts`; the package brings it
(`referee.rules.library` says where it is looked for). `backend` says which it is.
"""

from typing import TYPE_CHECKING, Any, Mapping

from referee.rules import library
from referee.rules.base import (
    BadMove, BadPosition, Chance, Game, IllegalMove, Move, Playouts, Position, Result, RulesError,
    UnknownGame)
from referee.rules.hypnosia import HypnosiaGame
from referee.rules.isaac import IsaacGame

__all__ = [
    "BadMove", "BadPosition", "Chance", "Game", "IllegalMove", "Move", "Playouts", "Position",
    "Result", "RulesError", "UnknownGame", "backend", "library", "make_game"]

if TYPE_CHECKING:
    backend: str
    """What does the rules of games that are made from now on: "native" or "python"."""


def __getattr__(name: str) -> Any:
    if name == "backend":  # at the time, as `library.use` may change it
        return "python" if library.current() is None else "native"
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


NAMES = ("hypnosia", "isaac")
"""The games that there are rules for."""


def make_game(name: str, seats: int, options: Mapping[str, str] | None = None) -> Game:
    """Returns the rules of a match.

    `options` are as the referee's command line takes them (`match.options`); those that are left
    out have their defaults. Raises UnknownGame for a game, an option or a value that is not known.
    """
    loaded = library.current()
    if name not in NAMES:
        raise UnknownGame(f"there are no rules for the game \"{name}\" here; there are "
                          f"{', '.join(NAMES)}")
    if loaded is not None:
        from referee.rules import native

        return native.GAMES[name](loaded, seats, options)
    return HypnosiaGame(seats, options) if name == "hypnosia" else IsaacGame(seats, options)
