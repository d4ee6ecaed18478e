"""What the rules of every game have: moves, positions, chance, results, and their errors.

Positions never change: what is played leads to another one. Nothing here does I/O, reads a clock or
draws a random number; chance comes from outside.
"""

from __future__ import annotations

import abc
from typing import Any, Callable, Iterator, Mapping, NamedTuple, NoReturn, Sequence

from referee.chance import STEP, mix


class RulesError(ValueError):
    """What the rules refuse."""


class UnknownGame(RulesError):
    """A game, or an option or a value of one, that these rules do not know."""


class BadPosition(RulesError):
    """A text that is no position: `field` is the first that is wrong, `byte` where, from 0."""

    def __init__(self, field: str, byte: int, why: str) -> None:
        super().__init__(f"position, field {field}, byte {byte}: {why}")
        self.field = field
        self.byte = byte


class BadMove(RulesError):
    """A text that is no move of the game, on its board: `byte` says where, from 0."""

    def __init__(self, text: str, byte: int, why: str) -> None:
        super().__init__(f"move \"{text[:256]}\", byte {byte}: {why}")
        self.byte = byte


class IllegalMove(RulesError):
    """A move that is not to be played in a position."""


class Move:
    """What a seat plays in its turn. Moves are equal if their notation is. Immutable."""

    __slots__ = ("_notation",)

    def __init__(self, notation: str) -> None:
        self._notation = notation

    @property
    def notation(self) -> str:
        """The move in the game's notation; "-" is the pass."""
        return self._notation

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"<{self.notation}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.notation == other.notation

    def __hash__(self) -> int:
        return hash(self.notation)


class Chance(NamedTuple):
    """A draw that a position waits for: `numbers` numbers below `sides`.

    `label` is refdice's, by which the referee draws it.
    """

    label: str
    sides: int
    numbers: int


class Result(NamedTuple):
    """How a game ended: its reason, scores and ranks (1 2 2 4) by seat."""

    reason: str
    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class Playouts(NamedTuple):
    """How matches ended that were played by chance: a row each, with a number for each seat."""

    moves: int
    """How many moves were played in all of them."""
    ranks: list[tuple[int, ...]]
    scores: list[tuple[int, ...]]


class _Sequence:
    """Numbers that follow from a seed: SplitMix64, ranges by multiplication."""

    def __init__(self, seed: int) -> None:
        self._state = mix(seed - STEP)

    def below(self, n: int) -> int:
        drawn = mix(self._state)
        self._state += STEP
        return (drawn >> 32) * n >> 32


class Position(abc.ABC):
    """A position of a match. Immutable: `play` and the like return another."""

    __slots__ = ()

    @property
    @abc.abstractmethod
    def to_move(self) -> int | None:
        """The seat to move, or to roll; None before it is known and when the game is over."""

    @property
    @abc.abstractmethod
    def dice(self) -> tuple[int, ...]:
        """The dice of the turn due, as rolled; empty when there are none."""

    @property
    @abc.abstractmethod
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    @abc.abstractmethod
    def chance(self) -> Chance | None:
        """The draw that is due before the game goes on; None when a move is, and at the end."""

    @abc.abstractmethod
    def drawn(self, numbers: Sequence[int]) -> Position:
        """Returns what follows when `chance` is drawn: numbers from 0 to `sides` - 1.

        Raises RulesError when none is due.
        """

    @abc.abstractmethod
    def with_dice(self, dice: Sequence[int]) -> Position:
        """Returns this with these dice for the turn due, 1 to 6 each, rolled already or not.

        Raises RulesError when there are none to give, or these cannot be rolled.
        """

    @abc.abstractmethod
    def legal_moves(self) -> Sequence[Move]:
        """Returns the legal moves, sorted by notation; the pass alone when there is no other.

        Raises RulesError unless a move is due.
        """

    @abc.abstractmethod
    def play(self, move: Move | str) -> Position:
        """Returns what a move leads to.

        Notation is looked for among the legal moves, and IllegalMove or BadMove raised if it is not
        there. A move that `legal_moves` of this position has returned is played as it is.
        """

    @abc.abstractmethod
    def forfeit(self, seat: int) -> Position:
        """Returns what it leads to that a seat is out, whoever is to move.

        Raises RulesError unless a move is due, and if the seat is out already.
        """

    @property
    @abc.abstractmethod
    def scores(self) -> tuple[int, ...]:
        """By seat, what each would have if the game ended here."""

    @property
    @abc.abstractmethod
    def result(self) -> Result | None:
        """How the game ended; None while it goes on."""

    @abc.abstractmethod
    def __str__(self) -> str:
        """Returns the position string."""

    def find(self, move: Move | str) -> Move:
        """Returns the legal move with that notation; raises IllegalMove if there is none."""
        text = str(move)
        legal = self.legal_moves()
        for one in legal:
            if one.notation == text:
                return one
        raise IllegalMove(f"illegal move {text}: it is not among the {len(legal)} legal moves of "
                          f"\"{self}\"")

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        """Plays `count` matches to their ends from here.

        Each move is chosen from the legal ones with equal chances, and dice fall by chance, all of
        which follows from `seed`: playout i of a seed is the first of seed + i. With the library in
        C++ other threads run meanwhile.
        """
        done = Playouts(0, [], [])
        moves = 0
        for number in range(count):
            random = _Sequence(seed + number)
            position: Position = self
            while not position.over:
                chance = position.chance
                if chance is not None:
                    position = position.drawn(
                        [random.below(chance.sides) for _ in range(chance.numbers)])
                    continue
                legal = position.legal_moves()
                position = position.play(legal[random.below(len(legal))])
                moves += 1
            result = position.result
            assert result is not None
            done.ranks.append(result.ranks)
            done.scores.append(result.scores)
        return done._replace(moves=moves)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: Any) -> Position:
        return self

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))


class Game(abc.ABC):
    """A game with its options settled and its seats counted. Immutable."""

    name: str
    seats: int
    options: dict[str, str]
    """All of its options but those that are empty, settled, as a replay has them."""

    @abc.abstractmethod
    def start(self) -> Position:
        """Returns the position that a match begins with, before anything is drawn."""

    @abc.abstractmethod
    def position(self, text: str) -> Position:
        """Reads a position string; turns and rolls count from there. Raises BadPosition."""

    @abc.abstractmethod
    def move(self, text: str) -> Move:
        """Reads a move, which need not be legal anywhere. Raises BadMove."""


class FieldReader:
    """Reads the fields of a position string from left to right; errors name the field and byte."""

    MOST = 16 * 1024  # bytes of a position

    def __init__(self, text: str, seats: int) -> None:
        self.text = text
        self.seats = seats
        self.last = chr(ord("a") + seats - 1)  # the letter of the last seat
        self.at = 0
        self.end = -1
        self.field = "length"
        if len(text.encode("utf-8", "surrogatepass")) > self.MOST:
            self.fail(f"a position has at most {self.MOST} bytes", self.MOST)

    def read(self, **fields: Callable[[], None]) -> None:
        """Reads all fields, each by its function, which must read it to its end."""
        for self.field, read_field in fields.items():
            self.at = self.end + 1
            if self.at > len(self.text):
                self.fail(f"is missing; a position has {len(fields)} fields", len(self.text))
            end = self.text.find(" ", self.at)
            self.end = len(self.text) if end < 0 else end
            read_field()
            if self.at < self.end:
                self.fail(f"ends before \"{self.text[self.at:self.end]}\"")
        if self.end != len(self.text):
            self.fail(f"the position ends here, after {len(fields)} fields", self.end)

    def fail(self, why: str, byte: int | None = None) -> NoReturn:
        """Raises BadPosition, about the next byte unless another is named."""
        raise BadPosition(self.field, self.at if byte is None else byte, why)

    def peek(self) -> str:
        """The next character of the field; empty at its end."""
        return self.text[self.at] if self.at < self.end else ""

    def skip(self, character: str) -> bool:
        """Passes over a character, if it is the next."""
        if self.peek() != character:
            return False
        self.at += 1
        return True

    def none(self) -> bool:
        """Passes over a field that is "-", if it is that."""
        if self.text[self.at:self.end] != "-":
            return False
        self.at += 1
        return True

    def one_of(self, characters: str, why: str) -> str:
        """Reads one character, which must be one of these."""
        character = self.peek()
        if not character or character not in characters:
            self.fail(why)
        self.at += 1
        return character

    def each(self) -> Iterator[int]:
        """Yields all seats, for a field with something of each, and passes over the commas."""
        for seat in range(self.seats):
            if seat > 0 and not self.skip(","):
                self.fail(f"expected ',' and what is of seat {chr(ord('a') + seat)}")
            yield seat

    def seat(self, why: str, base: str = "a") -> int:
        """Returns the seat of the next letter, which stays the next."""
        seat = ord(self.peek()) - ord(base) if self.peek() else -1
        if not 0 <= seat < self.seats:
            self.fail(why)
        return seat

    def listed(self) -> Iterator[int]:
        """Yields the seats of a field that lists some in order; each is passed over after it."""
        if self.none():
            return
        if not self.peek():
            self.fail("expected seats in order, or '-'")
        while self.peek():
            yield self.seat(f"expected a seat, a to {self.last}")
            self.at += 1


def check_options(game: str, given: Mapping[str, str], known: Sequence[str]) -> None:
    """Raises UnknownGame for an option that a game does not have."""
    for name in given:
        if name not in known:
            raise UnknownGame(f"{game} has no option {name[:64]!r} here; it has {', '.join(known)}")
