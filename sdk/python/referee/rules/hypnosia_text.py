"""Position strings of Hypnosia, both ways. The grammar is in referee/games/hypnosia/RULES.md."""

import re

from referee.rules.base import FieldReader
from referee.rules.board import LANE_SPACES
from referee.rules.hypnosia import PAWNS, HypnosiaGame, HypnosiaPosition


def _letters(seats: tuple[int, ...]) -> str:
    return "".join(chr(ord("a") + seat) for seat in seats) or "-"


def _ring(cells: tuple[int, ...]) -> str:
    text, empty = "", 0
    for cell in cells + (-1,):
        if cell == 0:
            empty += 1
            continue
        text += str(empty) if empty else ""
        empty = 0
        if cell > 0:
            text += chr((ord("a") if cell & 1 else ord("A")) + (cell - 1) // 2)
    return text


def write_position(position: HypnosiaPosition) -> str:
    """Writes a position string; of one that waits for dice, with "-" for them."""
    rings = "/".join(_ring(ring) for ring in position.rings)
    lanes = ",".join("".join(str(int(pawn)) for pawn in lane) for lane in position.lanes)
    points = ",".join(str(points) for points in position.points)
    mover = _letters(() if position.to_move is None else (position.to_move,))
    dice = "".join(str(die) for die in position.dice) or "-"
    return (f"{rings} {lanes} {_letters(position.centre)} {points} {_letters(position.forfeits)} "
            f"{mover} {dice}")


class _Reader(FieldReader):
    """Reads a position field by field. `to_start`: before the roll of the seat that begins."""

    def __init__(self, game: HypnosiaGame, text: str, to_start: bool) -> None:
        super().__init__(text, game.seats)
        self.position = HypnosiaPosition(game)
        self.position._setup = None
        self.board = game.board
        self.to_start = to_start
        self.known = [0] * game.seats  # pawns of each seat, so far
        self.outside = [0] * game.seats  # of these, in lanes and on rings
        self.read(rings=self.rings, lanes=self.lanes, centre=self.centre, points=self.points,
                  forfeits=self.forfeits, turn=self.turn, dice=self.dice)

    def count(self, seat: int, pawns: int) -> None:
        """Counts pawns of a seat."""
        self.known[seat] += pawns
        if self.known[seat] > PAWNS:
            self.fail(f"seat {chr(ord('a') + seat)} has more than {PAWNS} pawns")

    def rings(self) -> None:
        cells: list[int] = []
        for ring, size in enumerate(self.board.sizes):
            if ring > 0 and not self.skip("/"):
                self.fail(f"expected '/': the board has {len(self.board.sizes)} rings")
            cells += self.ring(chr(ord("A") + ring), size)
        self.position.cells = cells

    def ring(self, name: str, size: int) -> list[int]:
        cells: list[int] = []
        while self.peek() not in ("", "/"):
            if "0" <= self.peek() <= "9":
                cells += [0] * self.run()
            else:
                if len(cells) >= size:
                    self.fail(f"ring {name} has {size} spaces, not more")
                cells.append(self.piece())
            if len(cells) > size:
                self.fail(f"ring {name} has {size} spaces, not more")
        if len(cells) != size:
            self.fail(f"ring {name} has {size} spaces, not {len(cells)}")
        return cells

    def run(self) -> int:
        """Reads a number of empty spaces."""
        if self.peek() == "0":
            self.fail("a run of empty spaces does not begin with 0")
        start = self.at
        while self.peek() and "0" <= self.peek() <= "9":
            self.at += 1
        if self.at - start > 2:
            self.fail("a ring has at most 99 spaces", start)
        return int(self.text[start:self.at])

    def piece(self) -> int:
        """Reads a pawn or a stack."""
        stack = "A" <= self.peek() <= "Z"
        seat = self.seat("expected a number of empty spaces, or a seat's letter, a to "
                         f"{self.last}, in capitals for a stack", "A" if stack else "a")
        self.count(seat, 1 + stack)
        self.at += 1
        return 1 + 2 * seat + stack

    def lanes(self) -> None:
        lanes = []
        for seat in self.each():
            lane = 0
            for k in range(LANE_SPACES):
                if self.peek() not in ("0", "1"):
                    self.fail("expected four digits, each 0 or 1")
                self.count(seat, int(self.peek()))
                lane |= int(self.peek()) << k
                self.at += 1
            lanes.append(lane)
        self.outside = list(self.known)
        self.position._lanes = tuple(lanes)

    def centre(self) -> None:
        centre: list[int] = []
        for seat in self.listed():
            if len(centre) == self.board.centre_places:
                self.fail(f"the centre holds {self.board.centre_places}")
            self.count(seat, 1)
            centre.append(seat)
        self.position.centre = tuple(centre)

    def points(self) -> None:
        """Reads the points, which need not be such that a match leads to them."""
        missing = [PAWNS - known for known in self.known]
        points = []
        for seat in self.each():
            start = self.at
            while self.peek() not in ("", ","):
                self.at += 1
            text = self.text[start:self.at]
            least = -PAWNS - missing[seat]
            most = PAWNS * (self.seats - 1) + sum(missing) - missing[seat]
            good = re.fullmatch("0|-?[1-9][0-9]{0,4}", text)
            if not good or not least <= int(text) <= most:
                self.fail(f"\"{text}\" is not a number from {least} to {most}", start)
            points.append(int(text))
        self.position.points = tuple(points)

    def forfeits(self) -> None:
        if self.to_start and self.text[self.at:self.end] != "-":
            self.fail("expected '-': nobody forfeits before the start")
        forfeits: list[int] = []
        for seat in self.listed():
            if seat in forfeits:
                self.fail("a seat forfeits once")
            if self.outside[seat] > 0:
                self.fail("a seat that has forfeited has no pawns to move")
            if len(forfeits) == self.seats - 1:
                self.fail("one seat is always left")
            forfeits.append(seat)
        self.position.forfeits = tuple(forfeits)

    def turn(self) -> None:
        position = self.position
        if not self.to_start and self.none():
            # What the position does not show can only be the turn limit.
            position._end = position._end_on_table() or "TURN_LIMIT"
            return
        seat = self.seat(f"expected a seat, a to {self.last}"
                         + ("" if self.to_start else ", or '-' for a game over"))
        if len(position.centre) == self.board.centre_places:
            self.fail("the centre is full: the game is over, expected '-'")
        if len(position.forfeits) == self.seats - 1:
            self.fail("one seat is left: the game is over, expected '-'")
        if self.outside[seat] == 0:
            self.fail("the seat to move has no pawn to move")
        position._mover = seat
        self.at += 1

    def dice(self) -> None:
        if self.position.over:
            if not self.none():
                self.fail("expected '-': the game is over")
        elif not (self.to_start and self.none()):
            self.position._dice = tuple(
                int(self.one_of("123456", "expected two dice, 1 to 6 each")) for _ in range(2))


def read_position(game: HypnosiaGame, text: str, to_start: bool = False) -> HypnosiaPosition:
    """Reads a position string. `to_start`: one that a match starts from, whose dice do not count.

    Raises BadPosition that names the field and its byte.
    """
    position = _Reader(game, text, to_start).position
    if to_start:
        position._dice = ()
        position.first = position.to_move
    return position
