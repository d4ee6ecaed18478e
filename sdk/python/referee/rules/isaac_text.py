"""Position strings of Isaac, both ways. The grammar is in referee/games/isaac/RULES.md."""

from referee.rules.base import FieldReader
from referee.rules.isaac import CELLS, LENGTHS, STOCK, TARGET, IsaacGame, IsaacPosition, Piece

_DIGITS = "0123456789"

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

    def __init__(self, game: IsaacGame, text: str) -> None:
        super().__init__(text, 2)
        self.position = IsaacPosition(game)
        # How many pieces of each seat and length there are, so far.
        self.known = [[0] * len(LENGTHS), [0] * len(LENGTHS)]
        self.read(pieces=self.pieces, unplayed=self.unplayed, scores=self.scores,
                  floors=self.floors, out=self.out, phase=self.phase, turn=self.turn,
                  first=self.first)

    def count(self, seat: int, index: int, pieces: int, byte: int) -> None:
        """Counts pieces of a seat and a length."""
        self.known[seat][index] += pieces
        if self.known[seat][index] > STOCK[index]:
            self.fail(f"seat {'ab'[seat]} has more than {STOCK[index]} of length {LENGTHS[index]}",
                      byte)

    def pieces(self) -> None:
        if self.none():
            return
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
            self.position.pieces[piece.cell] = piece
            if not self.skip(","):
                return

    def piece(self) -> Piece:
        seat = "ab".index(self.one_of("ab", "expected a piece such as a7h33, or '-' for none"))
        length = int(self.one_of("34567", "expected the length of a piece, 3 to 7"))
        vertical = self.one_of("hv", "expected 'h' or 'v'") == "v"
        tens, ones = (self.one_of(_DIGITS, "expected a cell, 00 to 99") for _ in range(2))
        return Piece(seat, length, vertical, int(tens + ones))

    def unplayed(self) -> None:
        unplayed = []
        for seat in self.each():
            counts = []
            for index in range(len(LENGTHS)):
                counts.append(int(self.one_of(_DIGITS, "expected five digits for each seat")))
                self.count(seat, index, counts[-1], self.at - 1)
            unplayed.append(tuple(counts))
        self.position.unplayed = tuple(unplayed)

    def scores(self) -> None:
        scores = []
        for _ in self.each():
            start = self.at
            while self.peek() and self.peek() in _DIGITS and self.at < start + 4:
                self.at += 1
            digits = self.text[start:self.at]
            if str(int(digits or -1)) != digits or int(digits) > _MAX_SCORE:
                self.fail(f"expected a number from 0 to {_MAX_SCORE}", start)
            scores.append(int(digits))
        if min(scores) >= TARGET:
            self.fail("only one seat reaches 100 points")
        if not self.position.game.exact and sum(scores) == CELLS - 1:
            self.fail("both counters would stand on one cell (counter_advance=UP_TO)")
        self.position._scores = tuple(scores)

    def floors(self) -> None:
        why = "expected the length that a removed piece must reach, 3 to 7, or 0"
        self.position.floors = tuple(int(self.one_of("034567", why)) for _ in self.each())

    def out(self) -> None:
        out: list[int] = []
        for seat in self.listed():
            if seat in out:
                self.fail("a seat passes or is out once")
            out.append(seat)
        self.position.out = tuple(out)

    def phase(self) -> None:
        position, scoring = self.position, self.peek() == "S"
        if self.none():
            # What the position does not show can only be a forfeit.
            position.scoring = True
            position._end = ("TARGET_REACHED" if max(position.scores) >= TARGET else
                             "NO_MOVES" if len(position.out) == 2 else "LAST_SEAT")
            return
        self.one_of("PS", "expected P (placement), S (scoring) or '-' for a match that is over")
        wrong = (
            "a seat has 100 points: the match is over, expected '-'"
            if max(position.scores) >= TARGET else
            "nobody has points in the placement" if not scoring and any(position.scores) else
            "floors are 0 in the placement" if not scoring and any(position.floors) else
            "" if len(position.out) < 2 else
            "both seats are out: the match is over, expected '-'" if scoring else
            "both seats have passed: the scoring begins, expected S")
        if wrong:
            self.fail(wrong, self.at - 1)
        position.scoring = scoring

    def turn(self) -> None:
        if self.position.over:
            if not self.none():
                self.fail("expected '-': the match is over")
            return
        seat = self.seat("expected the seat to move, a or b")
        if seat in self.position.out:
            self.fail(f"seat {'ab'[seat]} has passed or is out: it is not to move")
        self.position._mover = seat
        self.at += 1

    def first(self) -> None:
        seat = self.seat("expected the seat that began the placement, a or b")
        if self.position.game.first_player not in (None, seat):
            self.fail("another seat begins in this match (first_player)")
        self.position.first = seat
        self.at += 1


def read_position(game: IsaacGame, text: str) -> IsaacPosition:
    """Reads a position string. Raises BadPosition that names the field and its byte."""
    return _Reader(game, text).position
