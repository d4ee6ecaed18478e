"""What a bot is told: its match, the turn that it is asked for, and what became of others.

All of it is read only. Times are seconds.
"""

import time
from collections.abc import Sequence
from typing import Any, ClassVar, Iterator, overload

from referee import chance as chances
from referee import convert
from referee.log import MatchLog
from referee.rules import Game, Move, Position, make_game
from referee.wire import Message, seconds


class _Told:
    """A message; the annotations of a class name its fields, which are converted when looked at."""

    __slots__ = ("_message",)
    _kinds: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        cls._kinds = {**cls._kinds, **cls.__annotations__}

    def __init__(self, message: Message) -> None:
        self._message = message

    def __getattr__(self, name: str) -> Any:
        kind = self._kinds.get(name)
        if kind is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = convert.field(self._message, name)
        return 0.0 if value is None and kind is float else value


class TimeControl(_Told):
    """How time is counted in a match; None where there is no such limit."""

    __slots__ = ()

    per_move: float | None
    """The most that one move may take."""
    bank: float | None
    """What a seat has for the whole match beside that."""
    increment: float
    """What is added to the bank after each move."""
    first_move: float
    """What the first move of each seat may take beyond all that."""
    match: float | None
    """What all seats together may use."""


class TurnPlayed(_Told):
    """A turn that another seat has played, or a pass of the bot's own."""

    __slots__ = ()

    turn: int
    """Its number, from 1."""
    seat: int
    """Who played, from 0."""
    dice: tuple[int, ...]
    """The dice, as rolled; empty in games without."""
    notation: str
    """What was played, in the game's notation; "-" is a pass."""
    time_used: float
    """Time used on the seat's clock; 0 for a pass."""
    bank_left: float | None
    """What is left in the seat's bank; None without a bank."""
    legal_count: int
    """How many legal moves the seat had; 1 for a pass."""
    digest: int
    """Digest of the position after the turn, with the next dice rolled in."""

    @property
    def move(self) -> Move:
        """What was played, as a move."""
        return convert.encoded_move(self._message.move)

    @property
    def substituted(self) -> str | None:
        """For which fault the referee played in the seat's place, "TIMEOUT" or "ILLEGAL"."""
        told: str = convert.field(self._message, "substituted")
        return None if told == "UNSPECIFIED" else told


class Forfeit(_Told):
    """A seat, perhaps the bot's own, was taken out of the match."""

    __slots__ = ()

    seat: int
    """Who, from 0."""
    cause: str
    """Why: "TIMEOUT", "ILLEGAL", "DISCONNECTED" or "RESIGNED"."""
    turn: int
    """The number of the turn that was due."""
    detail: str
    """What happened, in one sentence."""


class Verdict(_Told):
    """How a match ended."""

    __slots__ = ()

    state: str
    """"FINISHED" with a result, "VOID" or "CANCELLED" without.

    "UNSPECIFIED" when the match ended while the bot was away."""
    reason: str
    """The game's own reason, such as "CENTRE_FULL"; without a result one sentence."""
    scores: tuple[int, ...]
    """Scores by seat; empty without a result."""
    ranks: tuple[int, ...]
    """Ranks by seat, 1 2 2 4; empty without a result."""
    seed: bytes
    """The seed of the dice, revealed; empty if none was drawn."""
    nonces: tuple[bytes, ...]
    """The nonces by seat, in a block by seat in its rotation 0."""

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """The forfeits, in order."""
        return tuple(map(Forfeit, self._message.forfeits))


class Resumed(_Told):
    """A match as it is when a bot has come back to it."""

    __slots__ = ()

    turn: int
    """The number of the turn that is due, from 1."""
    position_text: str
    """The position; empty while the match waits for its bots."""
    seat_to_move: int | None
    """The seat to move; None when none is."""
    bank_left: tuple[float, ...]
    """What is left in each seat's bank; empty without a bank."""

    @property
    def last_turn(self) -> TurnPlayed | None:
        """The last turn played, if any."""
        return TurnPlayed(self._message.last_turn) if self._message.HasField("last_turn") else None


class Match(_Told):
    """A match, from the view of the bot that plays in it."""

    __slots__ = ("_start", "_chance", "_game", "_id", "_seat", "_bots", "_log")

    game: str
    """The game, such as "hypnosia"."""
    commitment: bytes
    """SHA-256 of the seed of the dice."""
    pinned: bool
    """Whether the organiser has chosen the dice."""

    def __init__(self, start: Message, rules: Game | None = None) -> None:
        super().__init__(start.match)
        self._start = start
        self._chance: int | None = None
        self._game = rules
        self._id: str = start.match.match_id
        self._seat: int = start.seat
        self._bots: tuple[str, ...] = tuple(start.match.bots)
        self._log = MatchLog(self._id)

    @property
    def id(self) -> str:
        """The name of the match: 26 characters."""
        return self._id

    @property
    def seat(self) -> int:
        """The bot's own seat, from 0."""
        return self._seat

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots, by seat."""
        return self._bots

    @property
    def log(self) -> MatchLog:
        """A logger that names the match in each line."""
        return self._log

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return len(self.bots)

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of the others, in the order in which they come after the bot's own seat."""
        return self.bots[self.seat + 1:] + self.bots[:self.seat]

    @property
    def options(self) -> dict[str, str]:
        """The options that are set, by name, as the command line takes them."""
        return convert.option_values(self._message.options)

    @property
    def rules(self) -> Game:
        """The rules that the match is played by.

        Raises `rules.UnknownGame` for a game of an organiser's own.
        """
        if self._game is None:
            self._game = make_game(self.game, self.seats, self.options)
        return self._game

    @property
    def time_control(self) -> TimeControl:
        """How time is counted."""
        return TimeControl(self._message.time_control)

    @property
    def block_id(self) -> str:
        """The block that the match is of, whose matches have the same dice; empty if of none."""
        return str(self._message.block.block_id)

    @property
    def resumed(self) -> Resumed | None:
        """The whole state, if the match goes on after the bot had lost its link; else None."""
        return Resumed(self._start.resumed) if self._start.HasField("resumed") else None

    @property
    def _name(self) -> str:
        return self.bots[self.seat] if self.seat < self.seats else ""

    def chance(self, turn: int) -> int:
        """Returns 64 bits that depend on commitment, seat, the bot's name and `turn` alone.

        They are for bots that are to play the same again when a match with pinned dice is played
        again; other bots can compute them.
        """
        if self._chance is None:
            self._chance = chances.of_match(self.seat, self.commitment, self._name)
        return chances.of_turn(self._chance, turn)

    def __repr__(self) -> str:
        return f"<Match {self.id} of {self.game}, seat {self.seat} of {self.seats}>"


class _Moves(Sequence[Move]):
    """The legal moves, each made when it is looked at."""

    __slots__ = ("_encoded",)

    def __init__(self, encoded: Any) -> None:
        self._encoded = encoded

    def __len__(self) -> int:
        return len(self._encoded)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, slice):
            return [convert.encoded_move(encoded) for encoded in self._encoded[index]]
        return convert.encoded_move(self._encoded[index])

    def __iter__(self) -> Iterator[Move]:
        return map(convert.encoded_move, self._encoded)

    def __repr__(self) -> str:
        return f"[{', '.join(move.notation for move in self)}]"


class Turn(_Told):
    """A turn that the bot is to play."""

    __slots__ = ("_position", "_rng", "_match", "_deadline", "_limit")

    seat: int
    """The bot's seat, from 0."""
    dice: tuple[int, ...]
    """The dice, as rolled; empty in games without."""
    position_text: str
    """The position string, for every game."""
    bank_left: float | None
    """What is left in the bank; None without a bank."""

    def __init__(self, match: Match, request: Message, received: float) -> None:
        super().__init__(request)
        self._position: Position | None = None
        self._rng: chances.Rng | None = None
        self._match = match
        self._limit = seconds(request.limit)
        self._deadline = received + self._limit

    @property
    def match(self) -> Match:
        """The match."""
        return self._match

    @property
    def deadline(self) -> float:
        """When the time is up, for `time.monotonic()`. The way back counts too: leave something."""
        return self._deadline

    @property
    def number(self) -> int:
        """The number of the turn, from 1."""
        return int(self._message.turn)

    @property
    def moves(self) -> Sequence[Move]:
        """The legal moves, sorted by notation; empty if `legal_moves` is off."""
        return _Moves(self._message.legal_moves)

    @property
    def position(self) -> Position:
        """The position, to look at and to look ahead from; see `referee.rules`.

        Raises `rules.UnknownGame` for a game of an organiser's own, whose positions are text.
        """
        if self._position is None:
            self._position = self._match.rules.position(self.position_text)
        return self._position

    @property
    def limit(self) -> float:
        """How long the move may take in all, counted from the arrival of the request."""
        return self._limit

    @property
    def time_left(self) -> float:
        """How much of the limit is left now; at least 0."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def chance(self) -> int:
        """`match.chance` of this turn."""
        return self.match.chance(self.number)

    @property
    def rng(self) -> chances.Rng:
        """Chance that begins with `chance`, and goes on from there."""
        if self._rng is None:
            self._rng = chances.Rng(self.chance)
        return self._rng

    @property
    def log(self) -> MatchLog:
        """A logger that names the match in each line."""
        return self.match.log

    def __repr__(self) -> str:
        return f"<Turn {self.number} of match {self.match.id}: {self.position_text}>"
