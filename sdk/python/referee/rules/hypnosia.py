"""Hypnosia: the rules of referee/games/hypnosia/RULES.md."""

from __future__ import annotations

import re
from typing import Iterator, Mapping, NamedTuple, Sequence

from referee.rules.base import (
    BadMove, BadPosition, Chance, Game, Move, Position, Result, RulesError, UnknownGame,
    check_options)
from referee.rules.board import (
    CENTRE, LANE, LANE_SPACES, LANES, NOWHERE, RING_A, SPIRAL, Board, Space, board_of)

__all__ = [
    "CENTRE", "LANE", "RING_A", "Board", "HypnosiaGame", "HypnosiaMove", "HypnosiaPosition",
    "Space", "Step"]

PAWNS = 4  # of a seat
MAX_SEATS = 6
_MAX_TURN_LIMIT = 100000


class Step(NamedTuple):
    """One die, played."""

    die: int
    start: Space
    stack: bool
    """Whether a stack moves as one."""
    end: Space
    captured: int
    """How many pawns it captures, 0 to 2."""

    def __str__(self) -> str:
        return (f"{self.die}:{self.start}{'*' if self.stack else ''}>{self.end}"
                f"{'x' * self.captured}")


# A step by the numbers of spaces: its text, from, whether a stack, to, captured.
_Flat = tuple[str, int, bool, int, int]


class HypnosiaMove(Move):
    """What a seat plays in its turn: at most two steps, in the order played; none is the pass."""

    __slots__ = ("_steps", "_flat", "_board")

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        super().__init__("")
        self._steps: tuple[Step, ...] | None = tuple(steps)
        self._flat: tuple[_Flat, ...] | None = None
        self._board: Board | None = None

    @classmethod
    def _found(cls, notation: str, flat: tuple[_Flat, ...], board: Board) -> HypnosiaMove:
        move = cls.__new__(cls)
        move._notation = notation
        move._steps = None
        move._flat = flat
        move._board = board
        return move

    @property
    def notation(self) -> str:
        if not self._notation:
            self._notation = " ".join(str(step) for step in self.steps) or "-"
        return self._notation

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps."""
        if self._steps is None:
            assert self._flat is not None and self._board is not None
            places = self._board.places
            self._steps = tuple(Step(int(text[0]), places[start], stack, places[end], captured)
                                for text, start, stack, end, captured in self._flat)
        return self._steps

    @property
    def captured(self) -> int:
        """How many pawns it captures."""
        return sum(step.captured for step in self.steps)


_MOVE = re.compile(r"([1-6]):(X|L[1-4]|[A-H](?:0|[1-9]\d?))(\*?)>(X|L[1-4]|[A-H](?:0|[1-9]\d?))"
                   r"(x{0,2})", re.ASCII)


class HypnosiaGame(Game):
    """Hypnosia with its options, which are those of the referee's command line as text."""

    name = "hypnosia"

    def __init__(self, seats: int = 2, options: Mapping[str, str] | None = None) -> None:
        options = options or {}
        check_options("hypnosia", options, ("board", "position", "stack_bridges", "turn_limit"))
        if not 2 <= seats <= MAX_SEATS:
            raise UnknownGame(f"hypnosia has 2 to {MAX_SEATS} seats, not {seats}")
        self.seats = seats
        self.board = board_of(options.get("board", SPIRAL))
        bridges = options.get("stack_bridges", "true")
        if bridges not in ("true", "false"):
            raise UnknownGame(f"stack_bridges is true or false, not {bridges[:64]!r}")
        self.stack_bridges = bridges == "true"
        limit = options.get("turn_limit", "500")
        if not re.fullmatch("[1-9][0-9]{0,5}", limit) or int(limit) > _MAX_TURN_LIMIT:
            raise UnknownGame(f"turn_limit is 1 to {_MAX_TURN_LIMIT}, not {limit[:64]!r}")
        self.turn_limit = int(limit)
        lanes = [(LANES - LANES * seat // seats) % LANES for seat in range(seats)]
        # By seat, lane space and die; the lowest two begin at 1.
        self.out_of_lane = [[[self.board.out_of_lane(lane, k, die) for die in range(7)]
                             for k in range(LANE_SPACES + 1)] for lane in lanes]
        self._start = options.get("position", "")
        if self._start:
            try:
                self._read_start()
            except BadPosition as error:
                raise UnknownGame(str(error)) from None
        self.options = {"board": options.get("board") or SPIRAL, "stack_bridges": bridges,
                        "turn_limit": str(self.turn_limit)}
        if self._start:  # whose dice are rolled anew
            self.options["position"] = self._start.rpartition(" ")[0] + " -"

    def start(self) -> HypnosiaPosition:
        return self._read_start() if self._start else HypnosiaPosition(self)

    def _read_start(self) -> HypnosiaPosition:
        from referee.rules.hypnosia_text import read_position

        return read_position(self, self._start, to_start=True)

    def position(self, text: str) -> HypnosiaPosition:
        from referee.rules.hypnosia_text import read_position

        return read_position(self, text)

    def move(self, text: str) -> HypnosiaMove:
        if text == "-":
            return HypnosiaMove()
        steps: list[Step] = []
        at = 0
        while True:
            match = _MOVE.match(text, at)
            if match is None:
                raise BadMove(text, at, "expected a step such as 5:L2>A3 or 3:A5*>A8xx")
            die, start, stack, end, captured = match.groups()
            steps.append(Step(int(die), self._space(text, match.start(2), start), bool(stack),
                              self._space(text, match.start(4), end), len(captured)))
            at = match.end()
            if at == len(text):
                return HypnosiaMove(steps)
            if text[at] != " " or len(steps) == 2:
                raise BadMove(text, at, "expected the end; a move has at most two steps")
            at += 1

    def _space(self, text: str, at: int, name: str) -> Space:
        if name not in self.board.names:
            raise BadMove(text, at, f"the board has no space {name}")
        return self.board.places[self.board.names.index(name)]


class HypnosiaPosition(Position):
    """A position of Hypnosia.

    `cells` is what stands on the spaces of the rings, ring after ring (`board.places`): 0 for
    nobody, 1 + 2 s for a single pawn of seat s, 2 + 2 s for its stack. It is not to be changed.
    """

    __slots__ = ("game", "cells", "_lanes", "centre", "points", "forfeits", "_mover", "_dice",
                 "_end", "turns", "_rolls", "_setup", "first")

    def __init__(self, game: HypnosiaGame) -> None:
        """Makes the position before the first start roll."""
        self.game = game
        self.cells: list[int] = [0] * game.board.spaces
        # By seat, bit k - 1: a pawn on Lk.
        self._lanes: tuple[int, ...] = (15,) * game.seats
        self.centre: tuple[int, ...] = ()
        """The seats whose pawns are in the centre, in order of arrival."""
        self.points: tuple[int, ...] = (0,) * game.seats
        """Captures less losses, by seat; without the centre."""
        self.forfeits: tuple[int, ...] = ()
        """The seats that have forfeited, in order."""
        self._mover: int | None = None
        self._dice: tuple[int, ...] = ()
        self._end = ""
        self.turns = 0
        """How many turns were played since the start, or since the position was read."""
        self._rolls: tuple[int, ...] = (0,) * game.seats
        # The start rolls: the round, and who rolls in it, with the sums so far.
        self._setup: tuple[int, tuple[int, ...], tuple[int, ...]] | None = (
            0, tuple(range(game.seats)), ())
        self.first: int | None = None
        """The seat that began; None before it is known, and when the position was read."""

    def _copy(self) -> HypnosiaPosition:
        copy = HypnosiaPosition.__new__(HypnosiaPosition)
        for name in HypnosiaPosition.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    @property
    def rings(self) -> tuple[tuple[int, ...], ...]:
        """What stands on each ring, from A inwards."""
        offsets = self.game.board.offsets
        return tuple(tuple(self.cells[low:high]) for low, high in zip(offsets, offsets[1:]))

    @property
    def lanes(self) -> tuple[tuple[bool, ...], ...]:
        """By seat, for L1 to L4, whether a pawn stands there."""
        return tuple(tuple(bool(lane >> k & 1) for k in range(LANE_SPACES))
                     for lane in self._lanes)

    @property
    def to_move(self) -> int | None:
        return self._mover

    @property
    def dice(self) -> tuple[int, ...]:
        return self._dice

    @property
    def over(self) -> bool:
        return bool(self._end)

    @property
    def scores(self) -> tuple[int, ...]:
        scores = list(self.points)
        for place, seat in enumerate(self.centre):
            scores[seat] += self.game.board.centre_places - place
        return tuple(scores)

    # --- Chance ---

    @property
    def chance(self) -> Chance | None:
        if self._setup is not None:
            number, rolling, sums = self._setup
            return Chance(f"setup/{number}/{rolling[len(sums)]}", 6, 2)
        if self._end or self._dice:
            return None
        assert self._mover is not None
        return Chance(f"roll/{self._mover}/{self._rolls[self._mover]}", 6, 2)

    def drawn(self, numbers: Sequence[int]) -> HypnosiaPosition:
        if self.chance is None:
            raise RulesError("no dice are due")
        dice = checked_dice([number + 1 for number in numbers])
        return self._rolled(dice) if self._setup is None else self._start_rolled(sum(dice))

    def with_dice(self, dice: Sequence[int]) -> HypnosiaPosition:
        if self._setup is not None or self._end:
            raise RulesError("no turn is due that has dice")
        checked = checked_dice(dice)
        if not self._dice:
            return self._rolled(checked)
        copy = self._copy()
        copy._dice = checked
        return copy

    def _rolled(self, dice: tuple[int, ...]) -> HypnosiaPosition:
        copy = self._copy()
        copy._dice = dice
        copy._rolls = tuple(count + (seat == self._mover) for seat, count in enumerate(self._rolls))
        return copy

    def _start_rolled(self, total: int) -> HypnosiaPosition:
        assert self._setup is not None
        number, rolling, sums = self._setup
        sums += (total,)
        copy = self._copy()
        if len(sums) < len(rolling):
            copy._setup = (number, rolling, sums)
            return copy
        tied = tuple(seat for seat, one in zip(rolling, sums) if one == max(sums))
        if len(tied) > 1:
            copy._setup = (number + 1, tied, ())
            return copy
        copy._setup = None
        copy._mover = copy.first = tied[0]
        return copy

    # --- Moves ---

    def legal_moves(self) -> Sequence[HypnosiaMove]:
        if not self._dice:
            raise RulesError("no move is due: the game is over, or dice are")
        low, high = sorted(self._dice)
        firsts: list[_Flat] = []
        found: list[tuple[_Flat, ...]] = []
        both = False
        for die, other in ((low, high), (high, low))[:1 + (low != high)]:
            for first in self._steps(self.cells, self._lanes, die):
                firsts.append(first)
                after = self._after(first)
                if after._is_over():
                    found.append((first,))
                    continue
                for second in after._steps(after.cells, after._lanes, other):
                    found.append((first, second))
                    both = True
        if not both:
            found = [(first,) for first in firsts]
        board = self.game.board
        moves = sorted((" ".join(step[0] for step in steps), steps) for steps in found)
        return [HypnosiaMove._found(*move, board) for move in moves] or [HypnosiaMove()]

    # Yields the steps that a die makes.
    def _steps(self, cells: list[int], lanes: tuple[int, ...], die: int) -> Iterator[_Flat]:
        game, seat = self.game, self._mover
        assert seat is not None
        board = game.board
        names, walk, cross = board.names, board.walk[die], board.cross[die]
        single = 1 + 2 * seat
        stack = single + 1
        for start, cell in enumerate(cells):
            if cell != single and cell != stack:
                continue
            for end, crosses in ((walk[start], False), (cross[start], True)):
                if end == NOWHERE:
                    continue
                on = cells[end] if end != board.centre else 0
                if on == 0 or on == single or (on & 1 and on != single):
                    captured = int(on not in (0, single))
                    text = f"{die}:{names[start]}>{names[end]}{'x' * captured}"
                    yield text, start, False, end, captured
                if cell != stack or on in (single, stack) or (crosses and not game.stack_bridges):
                    continue
                captured = 0 if on == 0 else 2 - (on & 1)
                text = f"{die}:{names[start]}*>{names[end]}{'x' * captured}"
                yield text, start, True, end, captured
        lane = lanes[seat]
        for k in range(1, min(die, LANE_SPACES) + 1):
            if not lane >> (k - 1) & 1:
                continue
            end = game.out_of_lane[seat][k][die]
            on = cells[end]
            if on == 0 or on & 1:
                captured = int(on not in (0, single))
                text = f"{die}:L{k}>{names[end]}{'x' * captured}"
                yield text, board.centre + k, False, end, captured

    # The position within a turn after a step.
    def _after(self, step: _Flat) -> HypnosiaPosition:
        _, start, is_stack, end, captured = step
        seat, board = self._mover, self.game.board
        assert seat is not None
        single = 1 + 2 * seat
        after = self._copy()
        after.cells = cells = self.cells.copy()
        both = is_stack and not (end == board.centre
                                 and len(self.centre) + 1 == board.centre_places)
        if start > board.centre:
            bit = 1 << (start - board.centre - 1)
            after._lanes = tuple(lane & ~bit if one == seat else lane
                                 for one, lane in enumerate(self._lanes))
        else:
            cells[start] = single if cells[start] == single + 1 and not both else 0
        if end == board.centre:
            after.centre = self.centre + (seat, seat)[:1 + both]
            return after
        on = cells[end]
        if captured:
            owner = (on - 1) // 2
            after.points = tuple(points + captured * ((one == seat) - (one == owner))
                                 for one, points in enumerate(self.points))
        cells[end] = single + 1 if on == single or is_stack else single
        return after

    def _has_pawns(self, seat: int) -> bool:
        single = 1 + 2 * seat
        return bool(self._lanes[seat]) or single in self.cells or single + 1 in self.cells

    # Whether the game ends here, in the middle of a turn.
    def _is_over(self) -> bool:
        return (len(self.centre) == self.game.board.centre_places
                or not (any(self._lanes) or any(self.cells)))

    def play(self, move: Move | str) -> HypnosiaPosition:
        if isinstance(move, str):
            self.game.move(move)
        if not isinstance(move, HypnosiaMove) or move._board is not self.game.board:
            move = self.find(move)
        assert isinstance(move, HypnosiaMove)
        after = self
        for step in move._flat or ():
            after = after._after(step)
        if after is self:
            after = self._copy()
        after.turns += 1
        end = after._end_on_table()
        if not end and after.turns >= self.game.turn_limit:
            end = "TURN_LIMIT"
        return after._finished(end)

    def forfeit(self, seat: int) -> HypnosiaPosition:
        if not self._dice or not 0 <= seat < self.game.seats:
            raise RulesError(f"seat {seat} cannot forfeit here")
        if seat in self.forfeits:
            raise RulesError(f"seat {seat} has forfeited already")
        own = (1 + 2 * seat, 2 + 2 * seat)
        after = self._copy()
        after.cells = [0 if cell in own else cell for cell in self.cells]
        after._lanes = tuple(0 if one == seat else lane for one, lane in enumerate(self._lanes))
        after.forfeits = self.forfeits + (seat,)
        end = after._end_on_table()
        # If another seat is to move, it still is, and keeps its dice.
        return after if not end and seat != self._mover else after._finished(end)

    # --- The end ---

    def _end_on_table(self) -> str:
        if len(self.forfeits) == self.game.seats - 1:
            return "LAST_SEAT"
        if len(self.centre) == self.game.board.centre_places:
            return "CENTRE_FULL"
        return "" if any(self._lanes) or any(self.cells) else "NO_PAWNS"

    # Ends the game, or passes the dice to the next seat that has a pawn to move. Changes this.
    def _finished(self, end: str) -> HypnosiaPosition:
        self._dice = ()
        self._end = end
        if end:
            self._mover = None
            return self
        assert self._mover is not None
        seats = self.game.seats
        order = ((self._mover + i) % seats for i in range(1, seats + 1))
        self._mover = next(seat for seat in order if self._has_pawns(seat))
        return self

    @property
    def result(self) -> Result | None:
        if not self._end:
            return None
        scores = self.scores

        def standing(seat: int) -> tuple[int, int]:
            arrival = self.centre.index(seat) if seat in self.centre else len(self.centre)
            return -scores[seat], arrival

        staying = [seat for seat in range(self.game.seats) if seat not in self.forfeits]
        ranks = [1 + sum(standing(other) < standing(seat) for other in staying)
                 for seat in range(self.game.seats)]
        for place, seat in enumerate(self.forfeits):
            ranks[seat] = self.game.seats - place  # whoever forfeits first is last
        return Result(self._end, scores, tuple(ranks))

    def __str__(self) -> str:
        from referee.rules.hypnosia_text import write_position

        return write_position(self)


def checked_dice(dice: Sequence[int]) -> tuple[int, ...]:
    """Returns dice; raises RulesError if they cannot be rolled."""
    if len(dice) != 2 or not all(1 <= die <= 6 for die in dice):
        shown = " ".join(str(die) for die in dice)
        raise RulesError(f"dice {shown}: there are two, 1 to 6 each")
    return tuple(dice)
