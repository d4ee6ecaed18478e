"""What the records of a match say of time and faults, held against its terms.

The rules are those of referee/replay/FORMAT.md ("What the verifier holds a turn to") and
referee/match/JUDGING.md. Each `take_...` checks one record, in order, and returns what is wrong
with it, in one line that does not name the turn; empty if nothing is. Times are nanoseconds.
"""

import enum
from typing import Callable, Sequence

from referee.replay.records import (
    CAUSES, DISCONNECTED, FINISHED, ILLEGAL, RESIGNED, RETRY, SUBSTITUTE, TIMEOUT, UNLIMITED, VOID,
    Nanos, Terms)
from referee.wire import Message

# How long a request may wait for its bot's link, at nobody's cost.
_HANDOVER = 5_000_000
# The dice draw from no more than this.
_MAX_DRAWN = 65536

# uniform(label, n) of the match, its first number.
Draw = Callable[[str, int], int]


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


class _Seat:
    """The clock of a seat."""

    def __init__(self, terms: Terms) -> None:
        self.bank = terms.bank
        self.grace = terms.link_grace  # left
        self.lag = terms.lag_per_match  # credit left
        self.stall = terms.stall_per_match  # left to be given back
        self.stalls_charged = False  # nothing is given back any more
        self.used = 0  # in all turns
        self.moved = False
        self.timeouts = 0  # forgiven
        self.illegal_moves = 0  # forgiven
        self.out = False


class Clocks:
    """The clocks of a match."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._seats = [_Seat(terms) for _ in range(terms.seats)]
        self._used = 0  # by all seats
        self._lengthened = False  # the turn that is due, by a forfeit that interrupted it
        self._tries = 0  # in the turn that is due
        self._next = _Next.READYING_OVER
        self._resigned_before_start = False
        self._resumed = False  # and no seat's clock has run since
        self._at_cap: int | None = None  # who was to move when the match's time was used up

    # --- Limits ---

    def _allowance(self, seat: int) -> int:
        return 0 if self._seats[seat].moved else self._terms.first_move

    def _stall_quota(self, seat: int) -> int:
        clock = self._seats[seat]
        return 0 if clock.stalls_charged else min(self._terms.stall_per_move, clock.stall)

    def _match_left(self) -> Nanos:
        return max(0, self._terms.match - self._used)

    def _limit(self, seat: int) -> Nanos:
        per_move = self._terms.per_move * (2 if self._lengthened else 1)
        own = min(per_move, self._seats[seat].bank) + self._allowance(seat)
        return min(own, self._match_left())

    # --- What a record before has led to ---

    def _next_problem(self) -> str:
        return {
            _Next.SUBSTITUTE: "the referee did not play for the seat whose move was illegal",
            _Next.FORFEITS: "the match's time was used up, but the seats do not forfeit",
            _Next.VOID: "a match without a contest goes on"}.get(self._next, "")

    def take_resumed(self) -> None:
        """Takes a restart of the referee."""
        self._resumed = True
        self._lengthened = False
        if self._next != _Next.VOID:
            self._next = _Next.ANYTHING

    def take_end(self, state: int) -> str:
        """Takes the end."""
        if (self._next, state) in ((_Next.VOID, VOID), (_Next.FORFEITS, FINISHED)):
            return ""
        # In a block that turn, or those forfeits, may be withheld, for the sake of the roll after
        # it, when another match of it makes it void.
        withheld = self._terms.in_block and state != FINISHED
        if self._next in (_Next.SUBSTITUTE, _Next.FORFEITS) and withheld:
            return ""
        return self._next_problem()

    # --- Turns ---

    def take_turn(self, turn: Message, is_pass: bool, legal: Sequence[str], draw: Draw) -> str:
        """Takes a turn; `legal` is empty if the rules are not known."""
        problem = self._pass_problem(turn) if is_pass else self._turn_problem(turn, legal, draw)
        if problem:
            return problem
        if not is_pass:
            self._count(turn)
        self._lengthened = False
        self._next = _Next.ANYTHING
        bank = self._seats[turn.seat].bank
        if bank == UNLIMITED or turn.bank_left_ns == bank:
            return ""
        return (f"clock: {_ns(turn.bank_left_ns)} left in the bank, but it should be {_ns(bank)}")

    def _pass_problem(self, turn: Message) -> str:
        if turn.used_ns != 0:
            return f"clock: {_ns(turn.used_ns)} used for a pass, which costs none"
        if turn.HasField("timing") or turn.substituted:
            return "clock: nobody is asked for a pass"
        return self._next_problem()

    def _turn_problem(self, turn: Message, legal: Sequence[str], draw: Draw) -> str:
        due = self._next == _Next.SUBSTITUTE and turn.substituted == ILLEGAL
        if not due and self._next_problem():
            return self._next_problem()
        if turn.substituted == ILLEGAL and not due:
            return "the referee played for a seat whose move was not illegal"
        if not turn.HasField("timing"):
            return "clock: nothing says where the time went"
        problem = self._timing_problem(turn.timing, turn.seat) or self._charge_problem(turn)
        if problem or not turn.substituted or not legal:
            return problem
        return self._substitute_problem(turn, legal, draw)

    def _charge_problem(self, turn: Message) -> str:
        elapsed, limit = _elapsed(turn.timing), self._limit(turn.seat)
        if turn.substituted == TIMEOUT:
            problem = self._timeout_problem(turn.seat, elapsed)
            if problem or turn.used_ns == limit:
                return problem
            return (f"clock: {_ns(turn.used_ns)} used, but a seat that was played for is charged "
                    f"its limit, {_ns(limit)}")
        if turn.used_ns != elapsed:
            return f"clock: {_wrong_sum(turn.used_ns, elapsed)}"
        if turn.used_ns > limit:
            return f"clock: {_ns(turn.used_ns)} used, but the limit was {_ns(limit)}"
        return ""

    def _timing_problem(self, timing: Message, seat: int) -> str:
        clock = self._seats[seat]
        if timing.started_ns < 0:
            return "clock: it started before the turn was due"
        if timing.started_ns > _HANDOVER:
            return (f"clock: it started {_ns(timing.started_ns)} after the turn was due, but the "
                    f"limit of the handover is {_ns(_HANDOVER)}")
        if timing.read_ns < timing.started_ns:
            return "clock: the reply was read before the clock started"
        if timing.taken_ns < timing.read_ns:
            return "clock: the reply was taken up before it was read"
        if timing.HasField("written_ns") and not 0 <= timing.written_ns <= timing.taken_ns:
            return "clock: the request was not written between due and taken up"
        if timing.round_trip_ns < 0:
            return "clock: the round trip is less than nothing"
        if not 0 <= timing.paused_ns <= clock.grace:
            return (f"clock: it stood still for {_ns(timing.paused_ns)}, but {_ns(clock.grace)} of "
                    "the grace for a lost link were left")
        if timing.paused_ns > 0 and not timing.link_lost:
            return (f"clock: it stood still for {_ns(timing.paused_ns)}, but its link was not "
                    "lost")
        if clock.stalls_charged and not timing.stalls_charged:
            return "clock: the referee's stalls were charged to the seat before, but not in this turn"
        clock.stalls_charged = timing.stalls_charged
        quota = self._stall_quota(seat)
        if not 0 <= timing.stalled_ns <= quota:
            return (f"clock: {_ns(timing.stalled_ns)} of the referee's stalls given back, but it "
                    f"should be at most {_ns(quota)}")
        if timing.stalled_ns > max(0, timing.read_ns - timing.started_ns - timing.paused_ns):
            return "clock: more was given back than its clock ran"
        most = min(timing.round_trip_ns, self._terms.lag_per_move, clock.lag)
        if not 0 <= timing.credit_ns <= most:
            return (f"clock: {_ns(timing.credit_ns)} of network time credited, but it should be at "
                    f"most {_ns(most)}")
        return ""

    # The seat was played for when its time was up.
    def _timeout_problem(self, seat: int, elapsed: int) -> str:
        policy, limit = self._terms.on_timeout, self._limit(seat)
        if policy.action != SUBSTITUTE:
            return f"the referee played for a time loss, but the policy is {policy}"
        if elapsed <= limit:
            return (f"clock: the referee played for a time loss after {_ns(elapsed)}, but the limit "
                    f"was {_ns(limit)}")
        if limit >= self._match_left():
            return "the referee played for a time loss, but the match's time was used up"
        if self._seats[seat].timeouts < policy.max_strikes:
            return ""
        return (f"the referee played for a time loss, but seat {letter(seat)} had its "
                f"{policy.max_strikes} strikes")

    def _substitute_problem(self, turn: Message, legal: Sequence[str], draw: Draw) -> str:
        timeout = turn.substituted == TIMEOUT
        policy = self._terms.on_timeout if timeout else self._terms.on_illegal
        index = 0
        if policy.random and len(legal) > 1:
            index = draw(f"substitute/{turn.number}", min(len(legal), _MAX_DRAWN))
        if turn.move == legal[index]:
            return ""
        return (f"the referee played {turn.move} for the seat, but the policy gives "
                f"{legal[index]}")

    def _count(self, turn: Message) -> None:
        clock = self._seats[turn.seat]
        charged = max(0, turn.used_ns - self._allowance(turn.seat))
        clock.bank = max(0, clock.bank - charged) + self._terms.increment
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

    def take_fault(self, fault: Message) -> str:
        """Takes a fault of the seat to move."""
        problem = self._next_problem()
        if problem:
            return problem
        self._next = _Next.ANYTHING
        self._resumed = False
        timeout = fault.cause == TIMEOUT
        problem = self._cap_problem(fault) if timeout else self._illegal_move_problem(fault)
        return f"fault of seat {letter(fault.seat)}: {problem}" if problem else ""

    def _cap_problem(self, fault: Message) -> str:
        limit, left = self._limit(fault.seat), self._match_left()
        if limit < left:
            return (f"the match's time used up, but {_ns(left)} were left, and the limit of the "
                    f"turn was {_ns(limit)}")
        if fault.used_ns != limit:
            return f"{_ns(fault.used_ns)} used, but the match's time left was {_ns(limit)}"
        problem = self._cap_timing_problem(fault, limit)
        if problem:
            return problem
        self._seats[fault.seat].used += fault.used_ns
        self._used += fault.used_ns
        self._at_cap = fault.seat
        self._next = _Next.FORFEITS
        return ""

    def _cap_timing_problem(self, fault: Message, limit: Nanos) -> str:
        if not fault.HasField("timing"):
            return "the match's time used up, but nothing says where that of the turn went"
        problem = self._timing_problem(fault.timing, fault.seat)
        elapsed = _elapsed(fault.timing)
        if problem or elapsed > limit:
            return problem
        return (f"the match's time used up after {_ns(elapsed)}, but the limit was {_ns(limit)}")

    def _illegal_move_problem(self, fault: Message) -> str:
        policy, limit = self._terms.on_illegal, self._limit(fault.seat)
        if fault.HasField("timing"):
            return "a move with times, but its turn is not over"
        if not 0 <= fault.used_ns <= limit:
            return f"a move after {_ns(fault.used_ns)}, but the limit was {_ns(limit)}"
        if policy.action == RETRY:
            self._tries += 1
            if self._tries < policy.max_tries:
                return ""
            return (f"try {self._tries} of {policy.max_tries} was forgiven, but was the last")
        if policy.action == SUBSTITUTE:
            self._next = _Next.SUBSTITUTE
            if self._seats[fault.seat].illegal_moves < policy.max_strikes:
                return ""
            return (f"an illegal move was forgiven, but the seat had its {policy.max_strikes} "
                    "strikes")
        return f"an illegal move was forgiven, but the policy is {policy}"

    def take_no_contest(self, no_contest: Message) -> str:
        """Takes that there was no contest."""
        seat, timing = no_contest.seat, no_contest.timing
        problem = self._next_problem() or self._timing_problem(timing, seat)
        if problem:
            return problem
        who = f"no contest of seat {letter(seat)}: "
        elapsed, limit = _elapsed(timing), self._limit(seat)
        if no_contest.used_ns != elapsed:
            return who + _wrong_sum(no_contest.used_ns, elapsed)
        if no_contest.limit_ns != limit:
            return f"{who}a limit of {_ns(no_contest.limit_ns)}, but it was {_ns(limit)}"
        if elapsed <= limit:
            return f"{who}{_ns(elapsed)} used, which is not more than the limit of {_ns(limit)}"
        if timing.stalls_charged:
            return f"{who}the referee stood still, but its stalls were charged to the seat"
        if no_contest.stall_ns <= self._terms.stall_per_move:
            return (f"{who}the referee stood still for {_ns(no_contest.stall_ns)}, which is no more "
                    f"than may be given back, {_ns(self._terms.stall_per_move)}")
        quota = self._stall_quota(seat)
        if timing.stalled_ns != quota:
            return f"{who}{_ns(timing.stalled_ns)} was given back, and not {_ns(quota)}"
        late = elapsed + timing.stalled_ns - limit
        if no_contest.stall_ns < late:
            return (f"{who}the referee stood still for {_ns(no_contest.stall_ns)}, which cannot "
                    f"have decided a loss by {_ns(late)}")
        self._next = _Next.VOID
        return ""

    # --- Forfeits ---

    def take_forfeit(self, forfeit: Message, to_move: int | None) -> str:
        """Takes a forfeit; `to_move` is who was to move."""
        timed = forfeit.HasField("timing")
        if self._next == _Next.FORFEITS:
            problem = self._forfeit_at_cap_problem(forfeit)
        else:
            problem = self._next_problem() or (
                self._forfeit_on_clock_problem(forfeit, to_move) if timed else
                self._forfeit_without_clock_problem(forfeit, to_move)) or (
                    self._interruption_problem(forfeit, to_move))
        if problem:
            return f"forfeit of seat {letter(forfeit.seat)}: {problem}"
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
        return ""

    # Only a seat that is not to move interrupts a turn, by resigning.
    def _interruption_problem(self, forfeit: Message, to_move: int | None) -> str:
        if not forfeit.interrupts_turn:
            return ""
        if forfeit.seat == to_move:
            return "it interrupts a turn, but it was that of the seat itself"
        return "" if forfeit.cause == RESIGNED else (
            "it interrupts a turn, but the seat did not resign")

    def _forfeit_on_clock_problem(self, forfeit: Message, to_move: int | None) -> str:
        if forfeit.seat != to_move:
            return "it has times, but it was not to move"
        problem = self._timing_problem(forfeit.timing, forfeit.seat)
        if problem:
            return problem
        elapsed = _elapsed(forfeit.timing)
        if forfeit.used_ns != elapsed:
            return _wrong_sum(forfeit.used_ns, elapsed)
        if forfeit.cause == RESIGNED:
            return ""
        if forfeit.cause == ILLEGAL:
            return self._forfeit_for_move_problem(forfeit)
        return self._forfeit_for_time_problem(forfeit)

    def _forfeit_for_move_problem(self, forfeit: Message) -> str:
        policy, limit = self._terms.on_illegal, self._limit(forfeit.seat)
        if forfeit.used_ns > limit:
            return f"for a move after {_ns(forfeit.used_ns)}, but the limit was {_ns(limit)}"
        if policy.action == RETRY and self._tries + 1 < policy.max_tries:
            return f"for try {self._tries + 1} of {policy.max_tries}"
        forgiven = self._seats[forfeit.seat].illegal_moves
        if policy.action == SUBSTITUTE and forgiven < policy.max_strikes:
            return f"for a move after {forgiven} of {policy.max_strikes} strikes"
        return ""

    def _forfeit_for_time_problem(self, forfeit: Message) -> str:
        policy, limit = self._terms.on_timeout, self._limit(forfeit.seat)
        if forfeit.used_ns <= limit:
            return f"for its time after {_ns(forfeit.used_ns)}, but the limit was {_ns(limit)}"
        if limit >= self._match_left():
            return "for its time alone, but that of the match was used up"
        if forfeit.cause == DISCONNECTED and not forfeit.timing.link_lost:
            return "for a lost link, but its link was not lost"
        forgiven = self._seats[forfeit.seat].timeouts
        if policy.action == SUBSTITUTE and forgiven < policy.max_strikes:
            return f"for its time after {forgiven} of {policy.max_strikes} strikes"
        return ""

    # A bot that was not ready, or that resigned while no clock of its own ran.
    def _forfeit_without_clock_problem(self, forfeit: Message, to_move: int | None) -> str:
        starting = self._next == _Next.READYING_OVER
        mover = forfeit.seat == to_move
        nowhere = "nothing says where its time went"
        if forfeit.used_ns != 0:
            return nowhere
        if forfeit.cause == RESIGNED:
            # In a block it may be taken up when the seat's roll is released, before it was asked.
            if mover and not starting and not self._resumed and not self._terms.in_block:
                return nowhere
            self._resigned_before_start = starting
            return ""
        if forfeit.cause == ILLEGAL:
            return nowhere if mover else "for a move, but it was not to move"
        if starting and not self._resigned_before_start:
            return ""
        return nowhere if mover else "for its time, but it was not to move"

    def _forfeit_at_cap_problem(self, forfeit: Message) -> str:
        at_cap = self._at_cap
        staying: list[int] = [seat for seat, clock in enumerate(self._seats) if not clock.out]
        # The one that used most; of equals the one to move, then the lower one.
        slowest = max(staying, default=None, key=lambda seat: (
            self._seats[seat].used, seat == at_cap, -seat))
        if forfeit.seat != slowest:
            who = "?" if slowest is None else letter(slowest)
            return f"the match's time was used up, but most of it by seat {who}"
        if forfeit.cause != TIMEOUT:
            return ("the match's time was used up, but the cause is "
                    f"{CAUSES[forfeit.cause]}")
        if forfeit.HasField("timing") or forfeit.used_ns != 0:
            return "the match's time was used up, but it has times of its own"
        if forfeit.interrupts_turn:
            return "the match's time was used up, but it interrupts a turn"
        return ""
