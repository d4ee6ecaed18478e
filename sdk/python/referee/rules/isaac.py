"""Isaac: the rules of referee/games/isaac/RULES.md."""

from __future__ import annotations

import re
from typing import Any, Iterator, Mapping, NamedTuple, Sequence

from referee.rules.base import (
    BadMove, BadPosition, Chance, Game, Move, Position, Result, RulesError, UnknownGame,
    check_options)

__all__ = ["IsaacGame", "IsaacPass", "IsaacPosition", "Piece", "Placement", "Removal"]

SIDE = 10
CELLS = SIDE * SIDE
LENGTHS = (3, 4, 5, 6, 7)
STOCK = (5, 4, 3, 2, 1)  # pieces of each length that a seat begins with
VALUES = {3: 1, 4: 2, 5: 3, 6: 4, 7: 6}
TARGET = 100  # points

# Sets of cells are numbers: bit c is cell c.
_BOARD = (1 << CELLS) - 1
_ROWS = [((1 << SIDE) - 1) << (SIDE * row) for row in range(SIDE)]
_COLUMNS = [sum(1 << (SIDE * row + column) for row in range(SIDE)) for column in range(SIDE)]
# By length: where a piece that lies along a row can be anchored.
_ROW_ANCHORS = {length: sum(_COLUMNS[:SIDE - length + 1]) for length in LENGTHS}
_SHAPES = {(length, vertical): sum(1 << (i * (SIDE if vertical else 1)) for i in range(length))
           for length in LENGTHS for vertical in (False, True)}


def _cells(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Piece(NamedTuple):
    """A piece on the board."""

    seat: int
    length: int
    vertical: bool
    """Whether it lies along a column."""
    cell: int
    """Its anchor, the lowest of its cells: 10 x row + column by seat a's view."""

    @property
    def cells(self) -> int:
        """The cells that it covers: bit c is cell c."""
        return _SHAPES[self.length, self.vertical] << self.cell

    @property
    def line(self) -> int:
        """The cells of the row or column that it lies along."""
        return _COLUMNS[self.cell % SIDE] if self.vertical else _ROWS[self.cell // SIDE]

    @property
    def fits(self) -> bool:
        """Whether it is on the board."""
        start = self.cell // SIDE if self.vertical else self.cell % SIDE
        return start + self.length <= SIDE

    def __str__(self) -> str:
        return f"{'ab'[self.seat]}{self.length}{'v' if self.vertical else 'h'}{self.cell:02}"


class Placement(Move):
    """A piece is placed on the board."""

    __slots__ = ("length", "vertical", "cell")

    def __init__(self, length: int, vertical: bool, cell: int) -> None:
        super().__init__(f"{length}{'v' if vertical else 'h'}{cell:02}")
        self.length = length
        self.vertical = vertical
        self.cell = cell


class Removal(Move):
    """A piece is removed from the board and scored; the counter advances by `advance`."""

    __slots__ = ("cell", "vertical", "advance")

    def __init__(self, cell: int, vertical: bool, advance: int) -> None:
        super().__init__(f"x{cell:02}{'v' if vertical else 'h'}+{advance}")
        self.cell = cell
        self.vertical = vertical
        self.advance = advance


class IsaacPass(Move):
    """A pass, or going out: a turn that the referee plays."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("-")


_PLACEMENT = re.compile(r"([3-7])([hv])(\d\d)", re.ASCII)
_REMOVAL = re.compile(r"x(\d\d)([hv])\+(0|[1-9]\d{0,2})", re.ASCII)
_MAX_ADVANCE = 999


def read_move(text: str) -> Move:
    """Reads a move, which need not be legal anywhere. Raises BadMove."""
    if text == "-":
        return IsaacPass()
    match = _PLACEMENT.fullmatch(text)
    if match is not None:
        return Placement(int(match[1]), match[2] == "v", int(match[3]))
    match = _REMOVAL.fullmatch(text)
    if match is None or int(match[3]) > _MAX_ADVANCE:
        raise BadMove(text, 0, "expected a placement, such as 7h33, or a removal, as x34h+12")
    return Removal(int(match[1]), match[2] == "v", int(match[3]))


class IsaacGame(Game):
    """Isaac with its options, which are those of the referee's command line as text."""

    name = "isaac"
    seats = 2

    def __init__(self, seats: int = 2, options: Mapping[str, str] | None = None) -> None:
        given = options or {}
        check_options("isaac", given,
                      ("counter_advance", "first_player", "position", "scoring_starter"))
        if seats != 2:
            raise UnknownGame(f"isaac has 2 seats, not {seats}")

        def choice(name: str, *values: str) -> str:
            value = given.get(name, values[0]).upper()
            if value not in values:
                raise UnknownGame(f"{name} is {' or '.join(values)}, not {value[:64]!r}")
            return value

        counter = choice("counter_advance", "UP_TO", "EXACT")
        self.exact = counter == "EXACT"
        first = choice("first_player", "RANDOM", "SEAT_A", "SEAT_B")
        self.first_player: int | None = {"SEAT_A": 0, "SEAT_B": 1}.get(first)
        starter = choice("scoring_starter", "FIRST_PLAYER", "FIRST_TO_PASS")
        self.first_to_pass = starter == "FIRST_TO_PASS"
        self._start = given.get("position", "")
        if self._start:
            try:
                IsaacGame.position(self, self._start)
            except BadPosition as error:
                raise UnknownGame(str(error)) from None
        self.options = {"counter_advance": counter, "first_player": first,
                        "scoring_starter": starter}
        if self._start:
            self.options["position"] = self._start

    def start(self) -> IsaacPosition:
        return self.position(self._start) if self._start else IsaacPosition(self)

    def position(self, text: str) -> IsaacPosition:
        from referee.rules.isaac_text import read_position

        return read_position(self, text)

    def move(self, text: str) -> Move:
        return read_move(text)


class IsaacPosition(Position):
    """A position of Isaac."""

    __slots__ = ("game", "pieces", "unplayed", "_scores", "floors", "out", "scoring", "first",
                 "_mover", "_end", "_forfeited")

    def __init__(self, game: IsaacGame) -> None:
        """Makes the empty board, before anything is drawn."""
        self.game = game
        self.pieces: dict[int, Piece] = {}
        """The pieces on the board, by anchor. Not to be changed."""
        self.unplayed: tuple[tuple[int, ...], ...] = (STOCK, STOCK)
        """By seat, how many pieces of the lengths 3 to 7 are not placed."""
        self._scores: tuple[int, ...] = (0, 0)
        self.floors: tuple[int, ...] = (0, 0)
        """By seat, the length that a removed piece must have; 0 before the first removal."""
        self.out: tuple[int, ...] = ()
        """The seats that have passed in the placement, or are out in the scoring, in order."""
        self.scoring = False
        """Whether pieces are removed; else they are placed."""
        self.first: int | None = game.first_player
        """The seat that began the placement; None before it is drawn."""
        self._mover: int | None = game.first_player
        self._end = ""
        self._forfeited: int | None = None

    def _copy(self) -> IsaacPosition:
        copy = IsaacPosition.__new__(IsaacPosition)
        for name in IsaacPosition.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    @property
    def to_move(self) -> int | None:
        return None if self._end else self._mover

    @property
    def dice(self) -> tuple[int, ...]:
        return ()

    @property
    def over(self) -> bool:
        return bool(self._end)

    @property
    def scores(self) -> tuple[int, ...]:
        return self._scores

    @property
    def covered(self) -> int:
        """The cells that pieces cover: bit c is cell c."""
        return sum(piece.cells for piece in self.pieces.values())

    def counter(self, seat: int) -> int:
        """Returns the cell on which a seat's counter stands; it has less than 100 points."""
        return self._scores[seat] if seat == 0 else CELLS - 1 - self._scores[seat]

    # --- Chance ---

    @property
    def chance(self) -> Chance | None:
        return Chance("first-player", 2, 1) if self.first is None else None

    def drawn(self, numbers: Sequence[int]) -> IsaacPosition:
        if self.first is not None or len(numbers) != 1 or numbers[0] not in (0, 1):
            raise RulesError("one number, 0 or 1, says who begins; and only once")
        copy = self._copy()
        copy.first = copy._mover = numbers[0]
        return copy

    def with_dice(self, dice: Sequence[int]) -> IsaacPosition:
        raise RulesError("Isaac has no dice")

    # --- Moves ---

    def legal_moves(self) -> Sequence[Move]:
        if self._end or self._mover is None:
            raise RulesError("no move is due: the game is over, or who begins is to be drawn")
        moves = self._removals() if self.scoring else self._placements()
        return moves or [IsaacPass()]

    def _placements(self) -> list[Move]:
        assert self._mover is not None
        free = _BOARD & ~self.covered
        # Where a line of free cells begins, a cell longer each time.
        row, column = free & free >> 1, free & free >> SIDE
        moves: list[Move] = []
        for length, left in zip(LENGTHS, self.unplayed[self._mover]):
            row &= free >> (length - 1)
            column &= free >> ((length - 1) * SIDE)
            if left:
                moves += [Placement(length, False, cell)
                          for cell in _cells(row & _ROW_ANCHORS[length])]
                moves += [Placement(length, True, cell) for cell in _cells(column)]
        return moves

    def _removals(self) -> list[Move]:
        seat = self._mover
        assert seat is not None
        counters = 1 << self.counter(0) | 1 << self.counter(1)
        # The advance that leads onto the other counter.
        taken = CELLS - 1 - sum(self._scores)
        moves: list[Move] = []
        for cell, piece in self.pieces.items():
            if piece.seat != seat or piece.length < self.floors[seat] or piece.cells & counters:
                continue
            points = self.points_for(piece)
            advances = [points] if self.game.exact else [
                advance for advance in range(points + 1) if advance != taken or advance == 0]
            moves += [Removal(cell, piece.vertical, advance) for advance in advances]
        moves.sort(key=lambda move: move.notation)
        return moves

    def points_for(self, piece: Piece) -> int:
        """Returns what the removal of a piece on the board scores."""
        line = piece.line
        others = sum(1 for other in self.pieces.values() if other.cells & line) - 1
        counters = sum(line >> self.counter(seat) & 1 for seat in (0, 1))
        return others * VALUES[piece.length] << counters

    def play(self, move: Move | str) -> IsaacPosition:
        if isinstance(move, str):
            self.game.move(move)
        if not isinstance(move, (Placement, Removal, IsaacPass)):
            move = self.find(move)
        after = self._copy()
        if isinstance(move, IsaacPass):
            return after._passed()
        seat = self._mover
        assert seat is not None
        pieces = after.pieces = self.pieces.copy()
        if isinstance(move, Placement):
            pieces[move.cell] = Piece(seat, move.length, move.vertical, move.cell)
            after.unplayed = _changed(self.unplayed, seat, tuple(
                left - (length == move.length)
                for length, left in zip(LENGTHS, self.unplayed[seat])))
        elif isinstance(move, Removal):
            after.floors = _changed(self.floors, seat, pieces.pop(move.cell).length)
            after._scores = _changed(self._scores, seat, self._scores[seat] + move.advance)
            if after._scores[seat] >= TARGET:
                after._end = "TARGET_REACHED"
                return after
        if 1 - seat not in self.out:
            after._mover = 1 - seat
        return after

    # The mover can do nothing more in this stage. Changes this.
    def _passed(self) -> IsaacPosition:
        assert self._mover is not None
        self.out += (self._mover,)
        if len(self.out) < 2:
            self._mover = 1 - self._mover
        elif self.scoring:
            self._end = "NO_MOVES"
        else:
            self.scoring = True
            self._mover = self.out[0] if self.game.first_to_pass else self.first
            self.out = ()
        return self

    def forfeit(self, seat: int) -> IsaacPosition:
        if self._end or self._mover is None or seat not in (0, 1):
            raise RulesError(f"seat {seat} cannot forfeit here")
        copy = self._copy()
        copy._forfeited = seat
        copy._end = "LAST_SEAT"
        return copy

    # --- The end ---

    @property
    def result(self) -> Result | None:
        if not self._end:
            return None
        winner = self._winner()
        return Result(self._end, self._scores, (1, 2) if winner == 0 else (2, 1))

    def _winner(self) -> int:
        if self._forfeited is not None:
            return 1 - self._forfeited
        lines = [sum(length * left for length, left in zip(LENGTHS, unplayed))
                 for unplayed in self.unplayed]
        for ours, theirs in (self._scores, lines):
            if ours != theirs:
                return int(theirs > ours)
        assert self.first is not None
        return self.first

    def __str__(self) -> str:
        from referee.rules.isaac_text import write_position

        return write_position(self)


def _changed(pair: tuple[object, ...], seat: int, value: object) -> tuple[Any, ...]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
