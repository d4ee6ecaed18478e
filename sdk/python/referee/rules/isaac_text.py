"""Position strings of Isaac, both ways. The grammar is in referee/games/isaac/RULES.md."""

from referee.rules.base import FieldReader
from referee.rules.isaac import CELLS, LENGTHS, STOCK, TARGET, IsaacGame, IsaacPosition, Piece

_FIELDS = ("pieces", "unplayed", "scores", "floors", "out", "phase", "turn", "first")

# With 99 points a seat may score up to 72 more.
_MAX_SCORE = 171


def write_position(position: IsaacPosition) -> str:
    """Writes a position string."""
    pieces = ",".join(str(position.pieces[cell]) for cell in sorted(position.pieces)) or "-"
    unplayed = ",".join("".join(map(str, counts)) for counts in position.unplayed)
    phase = "-" if position.over else "S" if position.scoring else "P"
    return (f"{pieces} {unplayed} {_pair(position.scores)} {_pair(position.floors)} "
            f"{''.join('ab'[seat] for seat in position.out) or '-'} {phase} "
            f"{_letter(position.to_move)} {_letter(position.first)}")


def _pair(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _letter(seat: int | None) -> str:
    return "-" if seat is None else "ab"[seat]


class _Reader(FieldReader):
    """Reads a position field by field."""

    def __init__(self, text: str) -> None:
        super().__init__(text, _FIELDS)
        # How many pieces of each seat and length there are, so far.
        self.known = [[0] * len(LENGTHS), [0] * len(LENGTHS)]

    def seat(self, why: str) -> int:
        """Returns the seat of the next letter, which stays the next."""
        if self.peek() not in ("a", "b"):
            self.fail(why)
        return "ab".index(self.peek())

    def comma(self, seat: int) -> None:
        """Passes over what stands before seat b."""
        if seat == 1 and not self.skip(","):
            self.fail("expected ',' and what belongs to seat b")

    def count(self, seat: int, index: int, pieces: int, byte: int) -> None:
        """Counts pieces of a seat and a length."""
        self.known[seat][index] += pieces
        if self.known[seat][index] > STOCK[index]:
            self.fail(f"seat {'ab'[seat]} has more than {STOCK[index]} of length {LENGTHS[index]}",
                      byte)

    def pieces(self) -> dict[int, Piece]:
        """Reads the pieces on the board."""
        pieces: dict[int, Piece] = {}
        if self.none():
            return pieces
        covered, last = 0, -1
        while True:
            start = self.at
            piece = self.piece()
            if piece.cell < last:
                self.fail("pieces are sorted by their anchors", start)
            last = piece.cell
            if not piece.fits:
                self.fail(f"\"{piece}\" leaves the board", start)
            if covered & piece.cells:
                self.fail(f"\"{piece}\" lies over another piece", start)
            self.count(piece.seat, LENGTHS.index(piece.length), 1, start)
            covered |= piece.cells
            pieces[piece.cell] = piece
            if not self.skip(","):
                return pieces

    def piece(self) -> Piece:
        """Reads one piece."""
        seat = self.seat("expected a piece such as a7h33, or '-' for none")
        self.at += 1
        length = self.digit(3, 7, "expected the length of a piece, 3 to 7")
        if self.peek() not in ("h", "v"):
            self.fail("expected 'h' or 'v'")
        vertical = self.peek() == "v"
        self.at += 1
        cell = 0
        for _ in range(2):
            cell = 10 * cell + self.digit(0, 9, "expected a cell, 00 to 99")
        return Piece(seat, length, vertical, cell)

    def unplayed(self) -> tuple[tuple[int, ...], ...]:
        """Reads the pieces that are not placed."""
        unplayed: list[tuple[int, ...]] = []
        for seat in range(2):
            self.comma(seat)
            counts = []
            for index in range(len(LENGTHS)):
                byte = self.at
                counts.append(self.digit(0, 9, "expected five digits for each seat"))
                self.count(seat, index, counts[-1], byte)
            unplayed.append(tuple(counts))
        return tuple(unplayed)

    def scores(self, exact: bool) -> tuple[int, ...]:
        """Reads the points."""
        scores = []
        for seat in range(2):
            self.comma(seat)
            start, score = self.at, 0
            while self.peek() and "0" <= self.peek() <= "9" and score <= _MAX_SCORE:
                score = 10 * score + int(self.peek())
                self.at += 1
            digits = self.text[start:self.at]
            if not digits or score > _MAX_SCORE or (len(digits) > 1 and digits[0] == "0"):
                self.fail(f"expected a number from 0 to {_MAX_SCORE}", start)
            scores.append(score)
        if min(scores) >= TARGET:
            self.fail("only one seat reaches 100 points")
        if not exact and sum(scores) == CELLS - 1:
            self.fail("both counters would stand on one cell (counter_advance=UP_TO)")
        return tuple(scores)

    def floors(self) -> tuple[int, ...]:
        """Reads the lengths that removed pieces must reach."""
        floors = []
        for seat in range(2):
            self.comma(seat)
            if self.peek() not in ("0", "3", "4", "5", "6", "7"):
                self.fail("expected the length that a removed piece must reach, 3 to 7, or 0")
            floors.append(int(self.peek()))
            self.at += 1
        return tuple(floors)

    def out(self) -> tuple[int, ...]:
        """Reads who has passed or is out."""
        if self.none():
            return ()
        if not self.peek():
            self.fail("expected seats in order, or '-'")
        out: list[int] = []
        while self.peek():
            seat = self.seat("expected a seat, a or b")
            if seat in out:
                self.fail("a seat passes or is out once")
            out.append(seat)
            self.at += 1
        return tuple(out)


def read_position(game: IsaacGame, text: str) -> IsaacPosition:
    """Reads a position string. Raises BadPosition that names the field and its byte."""
    reader = _Reader(text)
    position = IsaacPosition(game)
    reader.begin()
    position.pieces = reader.pieces()
    reader.begin()
    position.unplayed = reader.unplayed()
    reader.begin()
    position._scores = reader.scores(game.exact)
    reader.begin()
    position.floors = reader.floors()
    reader.begin()
    position.out = reader.out()
    reader.begin()
    _read_phase(reader, position)
    reader.begin()
    _read_turn(reader, position)
    reader.begin()
    _read_first(reader, position)
    reader.done()
    return position


def _read_phase(reader: _Reader, position: IsaacPosition) -> None:
    if reader.none():
        # What the position does not show can only be a forfeit.
        position.scoring = True
        position._end = ("TARGET_REACHED" if max(position.scores) >= TARGET else
                         "NO_MOVES" if len(position.out) == 2 else "LAST_SEAT")
        return
    if reader.peek() not in ("P", "S"):
        reader.fail("expected P (placement), S (scoring) or '-' for a match that is over")
    position.scoring = reader.peek() == "S"
    if max(position.scores) >= TARGET:
        reader.fail("a seat has 100 points: the match is over, expected '-'")
    if not position.scoring and any(position.scores):
        reader.fail("nobody has points in the placement")
    if not position.scoring and any(position.floors):
        reader.fail("floors are 0 in the placement")
    if len(position.out) == 2:
        reader.fail("both seats are out: the match is over, expected '-'" if position.scoring else
                    "both seats have passed: the scoring begins, expected S")
    reader.at += 1


def _read_turn(reader: _Reader, position: IsaacPosition) -> None:
    if position.over:
        if not reader.none():
            reader.fail("expected '-': the match is over")
        return
    seat = reader.seat("expected the seat to move, a or b")
    if seat in position.out:
        reader.fail(f"seat {'ab'[seat]} has passed or is out: it is not to move")
    position._mover = seat
    reader.at += 1


def _read_first(reader: _Reader, position: IsaacPosition) -> None:
    seat = reader.seat("expected the seat that began the placement, a or b")
    if position.game.first_player not in (None, seat):
        reader.fail("another seat begins in this match (first_player)")
    position.first = seat
    reader.at += 1
