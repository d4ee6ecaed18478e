"""Matches in this process, without a referee: `referee.play`.

    played = referee.play([Mine(), Other()], "hypnosia", seed=7)
    print(played.result.ranks)

The bots are those that `referee.run` takes, and are told the same in the same order. They are
called one after another on the thread that called, so that a debugger stops in them; no clock runs.
"""

import asyncio
import hashlib
import math
import time
from typing import Any, Callable, Mapping, NamedTuple, Sequence

from referee import refdice
from referee.bot import AnyBot, AsyncBot
from referee.bot_check import GivenBot, check_no_loop, checked_bot
from referee.convert import encoded_move
from referee.match import Forfeit, Match, Turn, TurnPlayed
from referee.nonce import Nonces
from referee.player import Player, finish
from referee.rules import Game, IllegalMove, Move, Position, Result, RulesError, make_game
from referee.wire import Message, RefereeItem

_FINISHED = 3  # MATCH_STATE_FINISHED
_MAX_LIMIT = 24 * 3600  # seconds, as of a referee
_ILLEGAL, _RESIGNED = 2, 4  # FORFEIT_CAUSE_...

Names = Sequence[str] | None


class LocalTurn(Turn):
    """A turn in a position of the rules."""

    __slots__ = ("_legal",)

    def __init__(self, match: Match, request: Message, position: Position) -> None:
        super().__init__(match, request, time.monotonic())
        self._position = position
        self._legal: Sequence[Move] | None = None

    @property
    def moves(self) -> Sequence[Move]:
        if self._legal is None:
            self._legal = self.position.legal_moves()
        return self._legal


class LocalTurnPlayed(TurnPlayed):
    """A turn that was played here."""

    __slots__ = ("_move", "position")

    def __init__(self, message: Message, move: Move, position: Position) -> None:
        super().__init__(message)
        self._move = move
        self.position = position
        """The position after it, with the next dice rolled."""

    @property
    def move(self) -> Move:
        return self._move

    def __repr__(self) -> str:
        return f"<{self.turn} {'abcdefghij'[self.seat]} {self.notation}>"


class Played(NamedTuple):
    """A match that was played."""

    result: Result
    turns: tuple[LocalTurnPlayed, ...]
    forfeits: tuple[Forfeit, ...]
    start: Position
    """The position of the first turn."""
    end: Position


def match_start(rules: Game, options: Mapping[str, str], seat: int, seed: bytes,
                pinned: int | None, names: Names = None) -> Message:
    """Returns what a referee tells a seat of a match with pinned dice."""
    start = RefereeItem().match_start
    start.seat = seat
    start.match.match_id = "local" if pinned is None else f"local-{pinned}"
    start.match.game = rules.name
    start.match.bots.extend(names or [f"bot-{other}" for other in range(rules.seats)])
    start.match.commitment = refdice.sha256(seed)
    start.match.pinned = True
    general = start.match.options.general
    general.game = rules.name
    for name, value in sorted(options.items()):
        general.options.add(name=name, value=value.encode("utf-8", "surrogateescape"))
    return start


def turn_request(match_id: str, number: int, position: Position, limit: float) -> Message:
    """Returns what a referee asks the seat to move for."""
    request = RefereeItem().turn_request
    request.match_id = match_id
    request.turn = number
    request.seat = position.to_move
    request.position_text = str(position)
    request.dice.extend(position.dice)
    request.limit.FromNanoseconds(int(limit * 1e9))
    return request


class _Seat(Player):
    """A seat, and the bot in it."""

    def __init__(self, bot: AnyBot, rules: Game, strict: bool) -> None:
        super().__init__(bot, Nonces())
        self._rules = rules
        self._strict = strict
        self.position: Position | None = None  # of the turn that the bot is asked for
        self.last: LocalTurnPlayed | None = None

    def _match_of(self, start: Message) -> Match:
        return Match(start, self._rules)

    def _turn_of(self, request: Message, received: float) -> Turn:
        assert self.position is not None
        return LocalTurn(self._match, request, self.position)

    def _played_of(self, played: Message) -> TurnPlayed:
        assert self.last is not None
        return self.last

    def _resign(self, method: str, error: Exception) -> Message:
        if self._strict:
            raise error
        return super()._resign(method, error)


class _Table:
    """A match that is being played, with a seat for each bot."""

    def __init__(self, seats: Sequence[_Seat], rules: Game, seed: bytes, limit: float,
                 strict: bool, run: Callable[[Any], Message]) -> None:
        self._seats = seats
        self._key = refdice.match_key(seed)
        self._position = refdice.settled(rules.start(), self._key)
        self._seed = seed
        self._limit = limit
        self._strict = strict
        self._run = run
        self._id = ""
        self._number = 1  # of the turn that is due
        self._resigning: list[tuple[int, str]] = []  # and why
        self._forfeits: list[Message] = []
        self._turns: list[LocalTurnPlayed] = []

    def play(self, starts: Sequence[Message]) -> Played:
        self._id = starts[0].match.match_id
        for seat, start in enumerate(starts):
            item = RefereeItem()
            item.match_start.CopyFrom(start)
            self._tell(seat, item)
        begun = self._position
        self._let_resign()
        while not self._position.over:
            self._play_turn()
            self._let_resign()
        return self._end(begun)

    # Returns what the bot has answered.
    def _tell(self, seat: int, item: Message) -> Message:
        kind = item.WhichOneof("kind")
        reply = self._run(self._seats[seat].take(kind, getattr(item, kind), time.monotonic()))
        if reply is not None and reply.WhichOneof("kind") == "resign":
            self._resigning.append((seat, reply.resign.reason))
        return reply

    def _play_turn(self) -> None:
        before = self._position
        seat = before.to_move
        assert seat is not None
        legal = before.legal_moves()
        passes = len(legal) == 1 and legal[0].notation == "-"  # a bot is not asked for a pass
        move: Move | None = legal[0] if passes else self._asked(seat, before, legal)
        if move is None:
            return
        self._position = refdice.settled(before.play(move), self._key)
        item = RefereeItem()
        played = item.turn_played
        played.match_id, played.turn, played.seat = self._id, self._number, seat
        played.dice.extend(before.dice)
        played.notation = move.notation
        played.legal_count = len(legal)
        digest = hashlib.sha256(str(self._position).encode()).digest()
        played.digest = int.from_bytes(digest[:8], "big")
        self._turns.append(LocalTurnPlayed(played, move, self._position))
        self._number += 1
        for other, player in enumerate(self._seats):
            if other != seat or passes:
                player.last = self._turns[-1]
                self._tell(other, item)

    # Returns the move that a bot plays; None if it forfeits.
    def _asked(self, seat: int, position: Position, legal: Sequence[Move]) -> Move | None:
        self._seats[seat].position = position
        item = RefereeItem()
        item.turn_request.CopyFrom(turn_request(self._id, self._number, position, self._limit))
        reply = self._tell(seat, item)
        if any(resigning == seat for resigning, _ in self._resigning):
            return None
        notation = encoded_move(reply.move.move).notation
        for move in legal:
            if move.notation == notation:
                return move
        try:
            position.play(notation)
        except RulesError as error:
            if self._strict:
                raise
            self._forfeit(seat, _ILLEGAL, str(error))
            return None
        raise IllegalMove(f"{notation} is played, and is not among the legal moves")

    def _let_resign(self) -> None:
        while self._resigning and not self._position.over:
            seat, reason = self._resigning.pop(0)
            self._forfeit(seat, _RESIGNED, f"the bot has resigned: {reason}")

    def _forfeit(self, seat: int, cause: int, detail: str) -> None:
        if any(forfeit.seat == seat for forfeit in self._forfeits):
            return
        item = RefereeItem()
        forfeit = item.seat_forfeited
        forfeit.match_id, forfeit.seat, forfeit.turn = self._id, seat, self._number
        forfeit.cause, forfeit.detail = cause, detail
        self._forfeits.append(forfeit)
        self._position = refdice.settled(self._position.forfeit(seat), self._key)
        for other in range(len(self._seats)):
            self._tell(other, item)

    def _end(self, begun: Position) -> Played:
        result = self._position.result
        assert result is not None
        item = RefereeItem()
        verdict = item.match_end.verdict
        item.match_end.match_id = self._id
        verdict.state, verdict.reason, verdict.seed = _FINISHED, result.reason, self._seed
        verdict.scores.extend(result.scores)
        verdict.ranks.extend(result.ranks)
        for forfeit in self._forfeits:
            verdict.forfeits.add().CopyFrom(forfeit)
        for seat in range(len(self._seats)):
            self._tell(seat, item)
        return Played(result, tuple(self._turns), tuple(map(Forfeit, self._forfeits)), begun,
                      self._position)


def play(bots: Sequence[GivenBot], game: str, seed: int | bytes = 0,
         options: Mapping[str, str] | None = None, *, names: Names = None,
         limit: float = 0.5, strict: bool = False) -> Played:
    """Plays a match between bots, by seat, and returns it.

    The dice are those of a match that a referee pins to `seed` (a number, or 32 bytes), and with
    the same `names` the bots' own chance is that of the referee's match, too.

    As there, a bot that plays an illegal move is out, ILLEGAL; one that raises an exception has
    resigned, and its traceback is logged. With `strict` the exception, or the
    `rules.IllegalMove`, leaves this function instead. `limit` is what `turn.limit` says, in
    seconds; nothing happens when it is over. With an `AsyncBot`, call it outside of coroutines: it
    has an event loop of its own.

    A class stands for a bot of it, made without arguments.

    Raises InvalidOptions for what is not a bot, `rules.UnknownGame` for a game, an option or a
    number of bots that do not fit, ValueError for names, a seed or a limit that do not, and
    RuntimeError for an `AsyncBot` inside of a coroutine.
    """
    options = options or {}
    rules = make_game(game, len(bots), options)
    if names is not None and len(names) != len(bots):
        raise ValueError(f"there are {len(names)} names for {len(bots)} bots")
    if names is not None and not all(1 <= len(name.encode()) <= 64 for name in names):
        raise ValueError("a name has 1 to 64 bytes")
    if not (math.isfinite(limit) and 0 <= limit <= _MAX_LIMIT):
        raise ValueError(f"a limit is a number of seconds from 0 to {_MAX_LIMIT}, not {limit}")
    if isinstance(seed, bytes) and len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    if isinstance(seed, int) and not 0 <= seed < 2**64:
        raise ValueError(f"a seed is a number from 0 to 2^64 - 1, not {seed}")
    secret = seed if isinstance(seed, bytes) else refdice.pinned_seed(seed)
    number = None if isinstance(seed, bytes) else seed
    starts = [match_start(rules, options, seat, secret, number, names)
              for seat in range(len(bots))]
    playing = [checked_bot(bot) for bot in bots]
    seats = [_Seat(bot, rules, strict) for bot in playing]
    if not any(isinstance(bot, AsyncBot) for bot in playing):
        return _Table(seats, rules, secret, limit, strict, finish).play(starts)
    check_no_loop("play")
    loop = asyncio.new_event_loop()
    try:
        run = loop.run_until_complete
        return _Table(seats, rules, secret, limit, strict, run).play(starts)
    finally:
        loop.close()
