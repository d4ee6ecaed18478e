"""What the records of a match say of time and faults, held against its terms.

The rules are those of referee/replay/FORMAT.md ("What the verifier holds a turn to") and
referee/match/TIME-AND-FAULTS.md. Each `take_...` checks one record, in order, and raises Wrong, which does
not name the turn. Times are nanoseconds.
"""

import contextlib
import enum
from typing import Callable, Iterator, Sequence

from referee.replay.records import (
    CAUSES, DISCONNECTED, FINISHED, ILLEGAL, RANDOM, RESIGNED, RETRY, SUBSTITUTE, TIMEOUT,
    UNLIMITED, VOID, Nanos, policy_text)
from referee.wire import Message

# How long a request may wait for its bot's link, at nobody's cost.
_HANDOVER = 5_000_000
# The dice draw from no more than this.
_MAX_DRAWN = 65536

# uniform(label, n) of the match, its first number.
Draw = Callable[[str, int], int]


class Wrong(Exception):
    """Something is wrong in a record; with `outside`, in one that belongs to no turn."""

    def __init__(self, why: str, outside: bool = False) -> None:
        super().__init__(why)
        self.outside = outside


def demand(holds: object, problem: str) -> None:
    """Raises Wrong unless something holds."""
    if not holds:
        raise Wrong(problem)


@contextlib.contextmanager
def _about(what: str) -> Iterator[None]:
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{what}{wrong}") from None


def letter(seat: int) -> str:
    """Returns the letter of a seat."""
    return chr(ord("a") + seat)


def _ns(time: Nanos) -> str:
    return "unlimited time" if time == UNLIMITED else f"{time} ns"


def _elapsed(timing: Message) -> int:
    """On the seat's clock when the reply was read."""
    return max(0, int(timing.read_ns - timing.started_ns - timing.paused_ns - timing.stalled_ns
                      - timing.credit_ns))


def _wrong_sum(used: int, expected: int) -> str:
    return f"{_ns(used)} used, but its times give {_ns(expected)}"


class _Next(enum.Enum):
    """What must follow a record, unless the referee died in the middle of writing that."""

    READYING_OVER = 0  # the match has just started: anything, also forfeits of who was not ready
    ANYTHING = 1
    SUBSTITUTE = 2  # the referee plays for a seat whose move was illegal
    FORFEITS = 3  # the match's time is used up: forfeits until the game is over
    VOID = 4  # there was no contest: the end, VOID


# What is wrong when something else follows.
_MISSED = {
    _Next.SUBSTITUTE: "the referee did not play for the seat whose move was illegal",
    _Next.FORFEITS: "the match's time was used up, but the seats do not forfeit",
    _Next.VOID: "a match without a contest goes on"}


class _Seat:
    """The clock of a seat."""

    def __init__(self, opening: Message) -> None:
        self.bank: Nanos = opening.bank_ns or UNLIMITED
        self.grace = opening.link_grace_ns  # left
        self.lag = opening.lag_per_match_ns  # credit left
        self.stall = opening.stall_per_match_ns  # left to be given back
        self.stalls_charged = False  # nothing is given back any more
        self.used = 0  # in all turns
        self.moved = False
        self.timeouts = 0  # forgiven
        self.illegal_moves = 0  # forgiven
        self.out = False


class Clocks:
    """The clocks of a match."""

    def __init__(self, opening: Message) -> None:
        """`opening` has time control and policies."""
        self._terms = opening
        self._seats = [_Seat(opening) for _ in opening.bots]
        self._used = 0  # by all seats
        self._lengthened = False  # the turn that is due, by a forfeit that interrupted it
        self._tries = 0  # in the turn that is due
        self._next = _Next.READYING_OVER
        self._resigned_before_start = False
        self._resumed = False  # and no seat's clock has run since
        self._at_cap: int | None = None  # who was to move when the match's time was used up

    # --- Limits ---

    def _allowance(self, seat: int) -> int:
        return 0 if self._seats[seat].moved else int(self._terms.first_move_ns)

    def _stall_quota(self, seat: int) -> int:
        clock = self._seats[seat]
        return 0 if clock.stalls_charged else int(min(self._terms.stall_per_move_ns, clock.stall))

    def _match_left(self) -> Nanos:
        return max(0, (self._terms.match_ns or UNLIMITED) - self._used)

    def _limit(self, seat: int) -> Nanos:
        per_move = (self._terms.per_move_ns or UNLIMITED) * (2 if self._lengthened else 1)
        own = min(per_move, self._seats[seat].bank) + self._allowance(seat)
        return min(own, self._match_left())

    # --- What a record before has led to ---

    def _check_next(self) -> None:
        problem = _MISSED.get(self._next)
        if problem:
            raise Wrong(problem)

    def take_resumed(self) -> None:
        """Takes a restart of the referee."""
        self._resumed = True
        self._lengthened = False
        if self._next != _Next.VOID:
            self._next = _Next.ANYTHING

    def take_end(self, state: int) -> None:
        """Takes the end."""
        if (self._next, state) in ((_Next.VOID, VOID), (_Next.FORFEITS, FINISHED)):
            return
        # In a block that turn, or those forfeits, may be withheld, for the sake of the roll after
        # it, when another match of it makes it void.
        withheld = self._terms.block_id and state != FINISHED
        if not (withheld and self._next in (_Next.SUBSTITUTE, _Next.FORFEITS)):
            self._check_next()

    # --- Turns ---

    def take_turn(self, turn: Message, is_pass: bool, legal: Sequence[str], draw: Draw) -> None:
        """Takes a turn; `legal` is empty if the rules are not known."""
        if is_pass:
            demand(turn.used_ns == 0,
                   f"clock: {_ns(turn.used_ns)} used for a pass, which costs none")
            demand(not turn.HasField("timing") and not turn.substituted,
                   "clock: nobody is asked for a pass")
            self._check_next()
        else:
            self._check_turn(turn, legal, draw)
            self._count(turn)
        self._lengthened = False
        self._next = _Next.ANYTHING
        bank = self._seats[turn.seat].bank
        demand(bank in (UNLIMITED, turn.bank_left_ns),
               f"clock: {_ns(turn.bank_left_ns)} left in the bank, but it should be {_ns(bank)}")

    def _check_turn(self, turn: Message, legal: Sequence[str], draw: Draw) -> None:
        due = self._next == _Next.SUBSTITUTE and turn.substituted == ILLEGAL
        if not due:
            self._check_next()
            demand(turn.substituted != ILLEGAL,
                   "the referee played for a seat whose move was not illegal")
        demand(turn.HasField("timing"), "clock: nothing says where the time went")
        self._check_timing(turn.timing, turn.seat)
        elapsed, limit, used = _elapsed(turn.timing), self._limit(turn.seat), turn.used_ns
        if turn.substituted == TIMEOUT:
            self._check_timeout(turn.seat, elapsed)
            demand(used == limit, f"clock: {_ns(used)} used, but a seat that was played for is "
                   f"charged its limit, {_ns(limit)}")
        else:
            demand(used == elapsed, f"clock: {_wrong_sum(used, elapsed)}")
            demand(used <= limit, f"clock: {_ns(used)} used, but the limit was {_ns(limit)}")
        if turn.substituted and legal:
            self._check_substitute(turn, legal, draw)

    def _check_timing(self, timing: Message, seat: int) -> None:
        clock = self._seats[seat]
        demand(timing.started_ns >= 0, "clock: it started before the turn was due")
        demand(timing.started_ns <= _HANDOVER,
               f"clock: it started {_ns(timing.started_ns)} after the turn was due, but the limit "
               f"of the handover is {_ns(_HANDOVER)}")
        demand(timing.read_ns >= timing.started_ns,
               "clock: the reply was read before the clock started")
        demand(timing.taken_ns >= timing.read_ns,
               "clock: the reply was taken up before it was read")
        demand(not timing.HasField("written_ns") or 0 <= timing.written_ns <= timing.taken_ns,
               "clock: the request was not written between due and taken up")
        demand(timing.round_trip_ns >= 0, "clock: the round trip is less than nothing")
        demand(0 <= timing.paused_ns <= clock.grace,
               f"clock: it stood still for {_ns(timing.paused_ns)}, but {_ns(clock.grace)} of the "
               "grace for a lost link were left")
        demand(timing.paused_ns == 0 or timing.link_lost,
               f"clock: it stood still for {_ns(timing.paused_ns)}, but its link was not lost")
        demand(timing.stalls_charged or not clock.stalls_charged,
               "clock: the referee's stalls were charged to the seat before, but not in this turn")
        clock.stalls_charged = timing.stalls_charged
        quota = self._stall_quota(seat)
        demand(0 <= timing.stalled_ns <= quota,
               f"clock: {_ns(timing.stalled_ns)} of the referee's stalls given back, but it should "
               f"be at most {_ns(quota)}")
        demand(timing.stalled_ns <= max(0, timing.read_ns - timing.started_ns - timing.paused_ns),
               "clock: more was given back than its clock ran")
        most = min(timing.round_trip_ns, self._terms.lag_per_move_ns, clock.lag)
        demand(0 <= timing.credit_ns <= most,
               f"clock: {_ns(timing.credit_ns)} of network time credited, but it should be at most "
               f"{_ns(most)}")

    # The seat was played for when its time was up.
    def _check_timeout(self, seat: int, elapsed: int) -> None:
        policy, limit = self._terms.on_timeout, self._limit(seat)
        demand(policy.action == SUBSTITUTE,
               f"the referee played for a time loss, but the policy is {policy_text(policy)}")
        demand(elapsed > limit, f"clock: the referee played for a time loss after {_ns(elapsed)}, "
               f"but the limit was {_ns(limit)}")
        demand(limit < self._match_left(),
               "the referee played for a time loss, but the match's time was used up")
        demand(self._seats[seat].timeouts < policy.max_strikes,
               f"the referee played for a time loss, but seat {letter(seat)} had its "
               f"{policy.max_strikes} strikes")

    def _check_substitute(self, turn: Message, legal: Sequence[str], draw: Draw) -> None:
        timeout = turn.substituted == TIMEOUT
        policy = self._terms.on_timeout if timeout else self._terms.on_illegal
        index = 0
        if policy.substitute == RANDOM and len(legal) > 1:
            index = draw(f"substitute/{turn.number}", min(len(legal), _MAX_DRAWN))
        demand(turn.move == legal[index], f"the referee played {turn.move} for the seat, but the "
               f"policy gives {legal[index]}")

    def _count(self, turn: Message) -> None:
        clock = self._seats[turn.seat]
        charged = max(0, turn.used_ns - self._allowance(turn.seat))
        clock.bank = max(0, clock.bank - charged) + self._terms.increment_ns
        clock.moved = True
        clock.grace -= turn.timing.paused_ns
        clock.lag -= turn.timing.credit_ns
        clock.stall -= turn.timing.stalled_ns
        clock.used += turn.used_ns
        clock.timeouts += turn.substituted == TIMEOUT
        clock.illegal_moves += turn.substituted == ILLEGAL
        self._used += turn.used_ns
        self._tries = 0
        self._resumed = False

    # --- Faults ---

    def take_fault(self, fault: Message) -> None:
        """Takes a fault of the seat to move."""
        self._check_next()
        self._next = _Next.ANYTHING
        self._resumed = False
        with _about(f"fault of seat {letter(fault.seat)}: "):
            if fault.cause == TIMEOUT:
                self._take_cap(fault)
            else:
                self._take_illegal_move(fault)

    def _take_cap(self, fault: Message) -> None:
        limit, left = self._limit(fault.seat), self._match_left()
        demand(limit >= left, f"the match's time used up, but {_ns(left)} were left, and the limit "
               f"of the turn was {_ns(limit)}")
        demand(fault.used_ns == limit,
               f"{_ns(fault.used_ns)} used, but the match's time left was {_ns(limit)}")
        demand(fault.HasField("timing"),
               "the match's time used up, but nothing says where that of the turn went")
        self._check_timing(fault.timing, fault.seat)
        elapsed = _elapsed(fault.timing)
        demand(elapsed > limit,
               f"the match's time used up after {_ns(elapsed)}, but the limit was {_ns(limit)}")
        self._seats[fault.seat].used += fault.used_ns
        self._used += fault.used_ns
        self._at_cap = fault.seat
        self._next = _Next.FORFEITS

    def _take_illegal_move(self, fault: Message) -> None:
        policy, limit = self._terms.on_illegal, self._limit(fault.seat)
        demand(not fault.HasField("timing"), "a move with times, but its turn is not over")
        demand(0 <= fault.used_ns <= limit,
               f"a move after {_ns(fault.used_ns)}, but the limit was {_ns(limit)}")
        if policy.action == RETRY:
            self._tries += 1
            demand(self._tries < policy.max_tries,
                   f"try {self._tries} of {policy.max_tries} was forgiven, but was the last")
            return
        demand(policy.action == SUBSTITUTE,
               f"an illegal move was forgiven, but the policy is {policy_text(policy)}")
        self._next = _Next.SUBSTITUTE
        demand(self._seats[fault.seat].illegal_moves < policy.max_strikes,
               f"an illegal move was forgiven, but the seat had its {policy.max_strikes} strikes")

    def take_no_contest(self, no_contest: Message) -> None:
        """Takes that there was no contest."""
        seat, timing, stall = no_contest.seat, no_contest.timing, no_contest.stall_ns
        self._check_next()
        self._check_timing(timing, seat)
        elapsed, limit, quota = _elapsed(timing), self._limit(seat), self._stall_quota(seat)
        late = elapsed + timing.stalled_ns - limit
        stood = f"the referee stood still for {_ns(stall)}, which "
        with _about(f"no contest of seat {letter(seat)}: "):
            demand(no_contest.used_ns == elapsed, _wrong_sum(no_contest.used_ns, elapsed))
            demand(no_contest.limit_ns == limit,
                   f"a limit of {_ns(no_contest.limit_ns)}, but it was {_ns(limit)}")
            demand(elapsed > limit,
                   f"{_ns(elapsed)} used, which is not more than the limit of {_ns(limit)}")
            demand(not timing.stalls_charged,
                   "the referee stood still, but its stalls were charged to the seat")
            most = self._terms.stall_per_move_ns
            demand(stall > most, f"{stood}is no more than may be given back, {_ns(most)}")
            demand(timing.stalled_ns == quota,
                   f"{_ns(timing.stalled_ns)} was given back, and not {_ns(quota)}")
            demand(stall >= late, f"{stood}cannot have decided a loss by {_ns(late)}")
        self._next = _Next.VOID

    # --- Forfeits ---

    def take_forfeit(self, forfeit: Message, to_move: int | None) -> None:
        """Takes a forfeit; `to_move` is who was to move."""
        timed = forfeit.HasField("timing")
        with _about(f"forfeit of seat {letter(forfeit.seat)}: "):
            if self._next == _Next.FORFEITS:
                self._check_forfeit_at_cap(forfeit)
            else:
                self._check_next()
                if timed:
                    self._check_forfeit_on_clock(forfeit, to_move)
                else:
                    self._check_forfeit_without_clock(forfeit, to_move)
                # Only a seat that is not to move interrupts a turn, by resigning.
                demand(not forfeit.interrupts_turn or forfeit.seat != to_move,
                       "it interrupts a turn, but it was that of the seat itself")
                demand(not forfeit.interrupts_turn or forfeit.cause == RESIGNED,
                       "it interrupts a turn, but the seat did not resign")
        self._seats[forfeit.seat].out = True
        self._used += forfeit.used_ns
        if forfeit.seat == to_move:
            self._tries = 0
            self._lengthened = False
        elif forfeit.interrupts_turn:
            self._lengthened = True
        if timed:
            self._resumed = False
            if self._next == _Next.READYING_OVER:
                self._next = _Next.ANYTHING

    def _check_forfeit_on_clock(self, forfeit: Message, to_move: int | None) -> None:
        demand(forfeit.seat == to_move, "it has times, but it was not to move")
        self._check_timing(forfeit.timing, forfeit.seat)
        used, elapsed = forfeit.used_ns, _elapsed(forfeit.timing)
        demand(used == elapsed, _wrong_sum(used, elapsed))
        if forfeit.cause == RESIGNED:
            return
        limit, clock = self._limit(forfeit.seat), self._seats[forfeit.seat]
        if forfeit.cause == ILLEGAL:
            what, policy, forgiven = "a move", self._terms.on_illegal, clock.illegal_moves
            demand(used <= limit, f"for a move after {_ns(used)}, but the limit was {_ns(limit)}")
            demand(policy.action != RETRY or self._tries + 1 >= policy.max_tries,
                   f"for try {self._tries + 1} of {policy.max_tries}")
        else:
            what, policy, forgiven = "its time", self._terms.on_timeout, clock.timeouts
            demand(used > limit, f"for its time after {_ns(used)}, but the limit was {_ns(limit)}")
            demand(limit < self._match_left(),
                   "for its time alone, but that of the match was used up")
            demand(forfeit.cause != DISCONNECTED or forfeit.timing.link_lost,
                   "for a lost link, but its link was not lost")
        demand(policy.action != SUBSTITUTE or forgiven >= policy.max_strikes,
               f"for {what} after {forgiven} of {policy.max_strikes} strikes")

    # A bot that was not ready, or that resigned while no clock of its own ran.
    def _check_forfeit_without_clock(self, forfeit: Message, to_move: int | None) -> None:
        starting = self._next == _Next.READYING_OVER
        mover = forfeit.seat == to_move
        nowhere = "nothing says where its time went"
        demand(forfeit.used_ns == 0, nowhere)
        if forfeit.cause == RESIGNED:
            # In a block it may be taken up when the seat's roll is released, before it was asked.
            demand(not mover or starting or self._resumed or self._terms.block_id, nowhere)
            self._resigned_before_start = starting
        elif forfeit.cause == ILLEGAL:
            raise Wrong(nowhere if mover else "for a move, but it was not to move")
        elif not starting or self._resigned_before_start:
            raise Wrong(nowhere if mover else "for its time, but it was not to move")

    def _check_forfeit_at_cap(self, forfeit: Message) -> None:
        staying = [seat for seat, clock in enumerate(self._seats) if not clock.out]
        # The one that used most; of equals the one to move, then the lower one.
        slowest = max(staying, default=None, key=lambda seat: (
            self._seats[seat].used, seat == self._at_cap, -seat))
        who = "?" if slowest is None else letter(slowest)
        used_up = "the match's time was used up, but"
        demand(forfeit.seat == slowest, f"{used_up} most of it by seat {who}")
        demand(forfeit.cause == TIMEOUT, f"{used_up} the cause is {CAUSES[forfeit.cause]}")
        demand(not forfeit.HasField("timing") and forfeit.used_ns == 0,
               f"{used_up} it has times of its own")
        demand(not forfeit.interrupts_turn, f"{used_up} it interrupts a turn")
