"""What a bot is told: its match, the turn that it is asked for, and what became of others.

All of it is read only. Times are seconds.
"""

import time
from collections.abc import Sequence
from typing import Any, Iterator, overload

from referee import chance as chances
from referee import convert
from referee.log import MatchLog
from referee.rules import Game, Move, Position, make_game
from referee.wire import Message, enum_name, seconds


class TimeControl:
    """How time is counted in a match; None where there is no such limit."""

    __slots__ = ("per_move", "bank", "increment", "first_move", "match")

    def __init__(self, message: Message) -> None:
        def read(field: str) -> float | None:
            return seconds(getattr(message, field)) if message.HasField(field) else None

        self.per_move = read("per_move")
        """The most that one move may take."""
        self.bank = read("bank")
        """What a seat has for the whole match beside that."""
        self.increment = read("increment") or 0.0
        """What is added to the bank after each move."""
        self.first_move = read("first_move") or 0.0
        """What the first move of each seat may take beyond all that."""
        self.match = read("match")
        """What all seats together may use."""


class TurnPlayed:
    """A turn that another seat has played, or a pass of the bot's own."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    @property
    def turn(self) -> int:
        """Its number, from 1."""
        return int(self._message.turn)

    @property
    def seat(self) -> int:
        """Who played, from 0."""
        return int(self._message.seat)

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice, as rolled; empty in games without."""
        return tuple(self._message.dice)

    @property
    def notation(self) -> str:
        """What was played, in the game's notation; "-" is a pass."""
        return str(self._message.notation)

    @property
    def move(self) -> Move:
        """The same as a move."""
        return convert.encoded_move(self._message.move)

    @property
    def time_used(self) -> float:
        """Time used on the seat's clock; 0 for a pass."""
        return seconds(self._message.time_used)

    @property
    def bank_left(self) -> float | None:
        """What is left in the seat's bank; None without a bank."""
        return convert.optional_seconds(self._message, "bank_left")

    @property
    def legal_count(self) -> int:
        """How many legal moves the seat had; 1 for a pass."""
        return int(self._message.legal_count)

    @property
    def digest(self) -> int:
        """Digest of the position after the turn, with the next dice rolled in."""
        return int(self._message.digest)

    @property
    def substituted(self) -> str | None:
        """For which fault the referee played in the seat's place, "TIMEOUT" or "ILLEGAL"."""
        if not self._message.substituted:
            return None
        return enum_name(self._message, "substituted", "FORFEIT_CAUSE_")


class Forfeit:
    """A seat, perhaps the bot's own, was taken out of the match."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    @property
    def seat(self) -> int:
        """Who, from 0."""
        return int(self._message.seat)

    @property
    def cause(self) -> str:
        """Why: "TIMEOUT", "ILLEGAL", "DISCONNECTED" or "RESIGNED"."""
        return enum_name(self._message, "cause", "FORFEIT_CAUSE_")

    @property
    def turn(self) -> int:
        """The number of the turn that was due."""
        return int(self._message.turn)

    @property
    def detail(self) -> str:
        """What happened, in one sentence."""
        return str(self._message.detail)


class Verdict:
    """How a match ended."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    @property
    def state(self) -> str:
        """"FINISHED" with a result, "VOID" or "CANCELLED" without.

        "UNSPECIFIED" when the match ended while the bot was away.
        """
        return enum_name(self._message, "state", "MATCH_STATE_")

    @property
    def reason(self) -> str:
        """The game's own reason, such as "CENTRE_FULL"; without a result one sentence."""
        return str(self._message.reason)

    @property
    def scores(self) -> tuple[int, ...]:
        """Scores by seat; empty without a result."""
        return tuple(self._message.scores)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Ranks by seat, 1 2 2 4; empty without a result."""
        return tuple(self._message.ranks)

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """The forfeits, in order."""
        return tuple(Forfeit(message) for message in self._message.forfeits)

    @property
    def seed(self) -> bytes:
        """The seed of the dice, revealed; empty if none was drawn."""
        return bytes(self._message.seed)

    @property
    def nonces(self) -> tuple[bytes, ...]:
        """The nonces by seat, in a block by seat in its rotation 0."""
        return tuple(self._message.nonces)


class Resumed:
    """A match as it is when a bot has come back to it."""

    __slots__ = ("_message",)

    def __init__(self, message: Message) -> None:
        self._message = message

    @property
    def turn(self) -> int:
        """The number of the turn that is due, from 1."""
        return int(self._message.turn)

    @property
    def position_text(self) -> str:
        """The position; empty while the match waits for its bots."""
        return str(self._message.position_text)

    @property
    def seat_to_move(self) -> int | None:
        """The seat to move; None when none is."""
        return int(self._message.seat_to_move) if self._message.HasField("seat_to_move") else None

    @property
    def bank_left(self) -> tuple[float, ...]:
        """What is left in each seat's bank; empty without a bank."""
        return tuple(seconds(left) for left in self._message.bank_left)

    @property
    def last_turn(self) -> TurnPlayed | None:
        """The last turn played, if any."""
        return TurnPlayed(self._message.last_turn) if self._message.HasField("last_turn") else None


class Match:
    """A match, from the view of the bot that plays in it."""

    __slots__ = ("_start", "_chance", "_game", "_id", "_seat", "_bots", "_log")

    def __init__(self, start: Message) -> None:
        self._start = start
        self._chance: int | None = None
        self._game: Game | None = None
        self._id: str = start.match.match_id
        self._seat: int = start.seat
        self._bots: tuple[str, ...] = tuple(start.match.bots)
        self._log = MatchLog(self._id)

    @property
    def id(self) -> str:
        """The name of the match: 26 characters."""
        return self._id

    @property
    def game(self) -> str:
        """The game, such as "hypnosia"."""
        return str(self._start.match.game)

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
        return convert.option_values(self._start.match.options)

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
        return TimeControl(self._start.match.time_control)

    @property
    def commitment(self) -> bytes:
        """SHA-256 of the seed of the dice."""
        return bytes(self._start.match.commitment)

    @property
    def pinned(self) -> bool:
        """Whether the organiser has chosen the dice."""
        return bool(self._start.match.pinned)

    @property
    def block_id(self) -> str:
        """The block that the match is of, whose matches have the same dice; empty if of none."""
        return str(self._start.match.block.block_id)

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


class Turn:
    """A turn that the bot is to play."""

    __slots__ = ("_request", "_position", "_rng", "_match", "_deadline", "_limit")

    def __init__(self, match: Match, request: Message, received: float) -> None:
        self._request = request
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
        return int(self._request.turn)

    @property
    def seat(self) -> int:
        """The bot's seat, from 0."""
        return int(self._request.seat)

    @property
    def moves(self) -> Sequence[Move]:
        """The legal moves, sorted by notation; empty if `legal_moves` is off."""
        return _Moves(self._request.legal_moves)

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice, as rolled; empty in games without."""
        return tuple(self._request.dice)

    @property
    def position(self) -> Position:
        """The position, to look at and to look ahead from; see `referee.rules`.

        Raises `rules.UnknownGame` for a game of an organiser's own, whose positions are text.
        """
        if self._position is None:
            self._position = self._match.rules.position(self.position_text)
        return self._position

    @property
    def position_text(self) -> str:
        """The position string, for every game."""
        return str(self._request.position_text)

    @property
    def limit(self) -> float:
        """How long the move may take in all, counted from the arrival of the request."""
        return self._limit

    @property
    def time_left(self) -> float:
        """How much of the limit is left now; at least 0."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def bank_left(self) -> float | None:
        """What is left in the bank; None without a bank."""
        return convert.optional_seconds(self._request, "bank_left")

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
