"""Positions as rows of small whole numbers of a fixed length, for programs that learn.

    row = referee.features.encode(position, seat)

A row is from the view of one seat: seats are counted from it around the table, so that 0 is the
seat itself and 1 the next. What the numbers of a row are, in order (n seats):

Hypnosia
    a number for each space of the rings, ring A first: 0 for nobody, 1 + 2 s for a single pawn of
    seat s, 2 + 2 s for its stack; 4 n lane spaces, L1 to L4 of each seat, 1 for a pawn; a number
    for each place in the centre, in order of arrival, 1 + s or 0; n points, those for places in
    the centre included; n flags of seats that have forfeited; the seat to move, or -1; the dice,
    as rolled, 0 0 without.

Isaac
    a number for each cell, by row: 0, or the length of the piece that covers it, plus 10 if it lies
    along a column, less than 0 if it is the other seat's; 5 + 5 pieces not placed, of lengths 3 to
    7; 2 scores; 2 floors; 2 flags of seats that have passed or are out; 1 in the scoring; 1 if the
    other seat began the placement, or -1; the seat to move, or -1.
"""

import importlib
from typing import Any, Iterable

from referee.rules import Game, Position, UnknownGame
from referee.rules.hypnosia import HypnosiaPosition
from referee.rules.isaac import CELLS, IsaacPosition


def numpy(user: str) -> Any:
    """Returns the module numpy; raises ImportError that says who needs it, and how to get it."""
    try:
        return importlib.import_module("numpy")
    except ImportError:
        raise ImportError(f"{user} needs numpy: pip install numpy, or apt-get install "
                          "python3-numpy") from None


def encode(position: Position, seat: int) -> list[int]:
    """Returns the row of a position as a seat sees it.

    Raises ValueError for a seat that the game does not have, and `rules.UnknownGame` for a game that
    is not named above.
    """
    if isinstance(position, HypnosiaPosition):
        check_seat(position.game.seats, seat)
        return _hypnosia(position, seat)
    if isinstance(position, IsaacPosition):
        check_seat(2, seat)
        return _isaac(position, seat)
    raise UnknownGame(f"there are no features of {type(position).__name__}")


def check_seat(seats: int, seat: int) -> None:
    """Raises ValueError unless a game of so many seats has that one."""
    if not 0 <= seat < seats:
        raise ValueError(f"there is no seat {seat}: there are {seats} seats, 0 to {seats - 1}")


def length(game: Game) -> int:
    """Returns how many numbers a row of a game has."""
    return len(encode(game.start(), 0))


def _flags(seats: Iterable[int], members: Iterable[int]) -> list[int]:
    among = set(members)
    return [int(seat in among) for seat in seats]


def _hypnosia(position: HypnosiaPosition, viewer: int) -> list[int]:
    seats = position.game.seats

    def seen(seat: int | None) -> int:
        return -1 if seat is None else (seat - viewer) % seats

    order = [(viewer + i) % seats for i in range(seats)]
    codes = [0] * (1 + 2 * seats)
    for seat in range(seats):
        codes[1 + 2 * seat] = 1 + 2 * seen(seat)
        codes[2 + 2 * seat] = 2 + 2 * seen(seat)
    row = [codes[cell] for cell in position.cells]
    lanes = position.lanes
    for seat in order:
        row += map(int, lanes[seat])
    centre = [1 + seen(seat) for seat in position.centre]
    row += centre + [0] * (position.game.board.centre_places - len(centre))
    row += [position.scores[seat] for seat in order]
    row += _flags(order, position.forfeits)
    row.append(seen(position.to_move))
    row += position.dice or (0, 0)
    return row


def _isaac(position: IsaacPosition, viewer: int) -> list[int]:
    order = (viewer, 1 - viewer)
    row = [0] * CELLS
    for piece in position.pieces.values():
        value = piece.length + 10 * piece.vertical
        step = 10 if piece.vertical else 1
        for cell in range(piece.cell, piece.cell + step * piece.length, step):
            row[cell] = value if piece.seat == viewer else -value
    for seat in order:
        row += position.unplayed[seat]
    row += [position.scores[seat] for seat in order]
    row += [position.floors[seat] for seat in order]
    row += _flags(order, position.out)
    row.append(int(position.scoring))
    row.append(-1 if position.first is None else int(position.first != viewer))
    row.append(-1 if position.to_move is None else int(position.to_move != viewer))
    return row
