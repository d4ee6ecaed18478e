"""A match that is over, as its replay tells it."""

from __future__ import annotations

import datetime
from typing import Iterator, NamedTuple, Sequence

from referee import refdice
from referee.replay import files, records
from referee.replay.keys import KeyRing
from referee.rules import Game, Move, Position, make_game
from referee.wire import Message


def _time(micros: int) -> datetime.datetime:
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return epoch + datetime.timedelta(microseconds=micros)


_STATES = {records.FINISHED: "FINISHED", records.VOID: "VOID", records.CANCELLED: "CANCELLED"}


class PlayedTurn(NamedTuple):
    """A turn, with the positions around it. Times are seconds."""

    number: int
    """From 1."""
    seat: int
    """Who played, from 0."""
    dice: tuple[int, ...]
    move: Move
    position: Position
    """The position before it, with its dice."""
    after: Position
    """The position after it, with the next dice."""
    legal_count: int
    used: float
    """Charged to the seat; 0 for a pass."""
    bank_left: float | None
    """In the seat's bank after it; None without a bank."""
    substituted: str | None
    """For which fault the referee played in the bot's place, "TIMEOUT" or "ILLEGAL"."""


class Forfeit(NamedTuple):
    """A seat that was taken out, before the turn of that number."""

    seat: int
    cause: str
    """"TIMEOUT", "ILLEGAL", "DISCONNECTED" or "RESIGNED"."""
    turn: int
    detail: str


class Replay:
    """A replay. Nothing that it says is true before `verify` has said so. It is not to be changed."""

    def __init__(self, data: bytes, name: str = "replay") -> None:
        """Reads the bytes of a replay file.

        Raises BadReplay, and ImportError if there is no zstd to unpack them with.
        """
        self.name = name
        self.parts = files.split(data)
        self.records: Sequence[Message] = records.read(
            files.unpack(self.parts), len(self.parts.frame))
        """`referee.v1.Record` messages, in order; not to be changed."""
        opening = self._opening = self.records[0].opening
        end = self._end = self.records[-1].end
        self.match_id: str = opening.match_id
        """26 characters."""
        self.game: str = opening.game
        """The game, such as "hypnosia"."""
        self.bots: tuple[str, ...] = tuple(opening.bots)
        """The names of the bots, by seat."""
        self.seats = len(self.bots)
        """How many seats there are."""
        self.create_time = _time(opening.create_time_us)
        """When the match was made, UTC."""
        self.end_time = _time(end.end_time_us)
        """When it ended, UTC."""
        self.referee: str = opening.referee
        """The software that ran it, and its version."""
        self.block_id: str = opening.block_id
        """The block that it is of, whose matches have the same dice; empty if of none."""
        self.rotation: int = opening.rotation
        """Which rotation of its block."""
        self.public_key = self.parts.public_key
        """The key that has signed it, as it says."""
        self.commitment: bytes = opening.commitment
        """SHA-256 of the seed, as the bots were told it."""
        self.seed: bytes = end.seed
        """The seed of the dice."""
        self.state = _STATES[end.state]
        """"FINISHED" with a result, "VOID" or "CANCELLED" without."""
        self.reason: str = end.reason
        """The game's own reason, such as "CENTRE_FULL"; without a result one sentence."""
        self.scores: tuple[int, ...] = tuple(end.scores)
        """Scores by seat; empty without a result."""
        self.ranks: tuple[int, ...] = tuple(end.ranks)
        """Ranks by seat, 1 2 2 4; empty without a result."""

    @property
    def options(self) -> dict[str, str]:
        """All options, by name; a file whole."""
        return {option.name: option.value.decode("utf-8", "surrogateescape")
                for option in self._opening.options}

    # --- Dice ---

    @property
    def pinned(self) -> None | int | bytes:
        """The number or the seed that the organiser has pinned the dice to; None: committed."""
        which = self._opening.WhichOneof("pinned")
        value: int | bytes = getattr(self._opening, which or "pinned_number")
        return value if which else None

    @property
    def start(self) -> Message:
        """Its `StartRecord`; None if it did not start."""
        return next((record.start for record in self.records if record.HasField("start")), None)

    @property
    def key(self) -> bytes | None:
        """What all dice are drawn by (`referee.refdice`); None if it was never settled."""
        if self.pinned is not None:
            return refdice.match_key(self.seed)
        start = self.start
        return None if start is None else refdice.match_key(self.seed, start.nonces)

    # --- The match ---

    @property
    def rules(self) -> Game:
        """The rules that it was played by. Raises `rules.UnknownGame`."""
        return make_game(self.game, self.seats, self.options)

    @property
    def forfeits(self) -> list[Forfeit]:
        """The forfeits, in order."""
        found = [record.forfeit for record in self.records if record.HasField("forfeit")]
        return [Forfeit(one.seat, records.CAUSES[one.cause], one.number, one.detail)
                for one in found]

    def turns(self) -> Iterator[PlayedTurn]:
        """Yields the turns, with positions, by playing the match again.

        Raises `rules.UnknownGame` for a game of an organiser's own, and `rules.RulesError` where a
        record says what the rules forbid; whether the rest is true, only `verify` says.
        """
        key = self.key
        if self.start is None or key is None:
            return
        bank = self._opening.bank_ns != 0
        position = refdice.settled(self.rules.start(), key)
        for record in self.records:
            if record.HasField("forfeit"):
                position = refdice.settled(position.forfeit(record.forfeit.seat), key)
            if not record.HasField("turn"):
                continue
            turn = record.turn
            move = position.find(turn.move)
            after = refdice.settled(position.play(move), key)
            yield PlayedTurn(
                turn.number, turn.seat, tuple(turn.dice), move, position, after, turn.legal_count,
                turn.used_ns * 1e-9, turn.bank_left_ns * 1e-9 if bank else None,
                records.CAUSES.get(turn.substituted))
            position = after

    def verify(self, keys: None | KeyRing | files.Path = None) -> Verification:
        """Verifies it from itself alone: signature, dice, moves, clocks, result.

        With keys (a ring, or the path of one), only a signature by one of them is valid. Raises
        OSError and ValueError if the ring cannot be read.
        """
        from referee.replay.verify import verify

        return verify(self, keys)

    def __repr__(self) -> str:
        return f"<Replay {self.match_id} of {self.game}: {' - '.join(self.bots)}>"


class Verification(NamedTuple):
    """What was found. `ok` only if everything was checked, and is true."""

    problem: str
    """The first thing that is wrong, with its turn, in one line; empty if nothing is."""
    turn: int
    """The turn at which it is wrong; 0 if at none."""
    unchecked: tuple[str, ...]
    """What could not be checked, and what that would take."""
    public_key: bytes
    dice: str
    """Who had a part in the dice, "nonces in two steps" and the like; empty if it did not start."""

    @property
    def ok(self) -> bool:
        """Whether everything was checked, and is true."""
        return not self.problem and not self.unchecked
