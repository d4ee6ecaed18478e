"""The clock rules of the first replays, whose turns do not say where their time went.

Only what was charged is held to the time control then. Such replays have none of what came later:
faults that are forgiven, lost links that stop a clock, blocks, restarts.
"""

from __future__ import annotations

from typing import Optional, Sequence

from referee.replay.clocks import Draw, letter
from referee.replay.records import (
    FORFEIT, ILLEGAL, RESIGNED, UNLIMITED, Nanos, Terms)
from referee.wire import Message


def is_untimed(terms: Terms, records: Sequence[Message]) -> bool:
    """Whether a match is one of these: clocks ran, and it has nothing of what came later."""
    plain = (terms.former and terms.on_timeout.action == FORFEIT
             and terms.on_illegal.action == FORFEIT and terms.link_grace == 0
             and terms.lag_per_move == 0 and terms.first_move == 0 and terms.match == UNLIMITED
             and not terms.in_block)
    return (plain and any(map(_should_have_times, records))
            and not any(map(_is_later, records)))


def _should_have_times(record: Message) -> bool:
    forfeits = record.HasField("forfeit") and record.forfeit.used_ns > 0
    return bool(record.HasField("turn") or forfeits)


def _is_later(record: Message) -> bool:
    kind = record.WhichOneof("kind")
    if kind == "turn":
        return record.turn.HasField("timing") or bool(record.turn.substituted)
    if kind == "forfeit":
        return bool(record.forfeit.HasField("timing"))
    return kind in ("fault", "no_contest", "resumed")


def _ns(time: Nanos) -> str:
    return "unlimited time" if time == UNLIMITED else f"{time} ns"


class UntimedClocks:
    """The clocks of such a match; see `Clocks`."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._banks = [terms.bank] * terms.seats

    def _limit(self, seat: int) -> Nanos:
        return min(self._terms.per_move, self._banks[seat])

    def take_turn(self, turn: Message, is_pass: bool, legal: Sequence[str], draw: Draw) -> str:
        """Takes a turn."""
        limit = self._limit(turn.seat)
        if turn.used_ns < 0:
            return "clock: less than no time used"
        if is_pass and turn.used_ns > 0:
            return f"clock: {_ns(turn.used_ns)} used for a pass, which costs none"
        if turn.used_ns > limit:
            return f"clock: {_ns(turn.used_ns)} used, but the limit was {_ns(limit)}"
        if self._terms.bank == UNLIMITED:
            return ""
        if not is_pass:
            self._banks[turn.seat] += self._terms.increment - turn.used_ns
        bank = self._banks[turn.seat]
        if turn.bank_left_ns == bank:
            return ""
        return f"clock: {_ns(turn.bank_left_ns)} left in the bank, but it should be {_ns(bank)}"

    def take_forfeit(self, forfeit: Message, to_move: Optional[int]) -> str:
        """Takes a forfeit."""
        problem = self._forfeit_problem(forfeit, forfeit.seat == to_move)
        return f"forfeit of seat {letter(forfeit.seat)}: {problem}" if problem else ""

    def _forfeit_problem(self, forfeit: Message, mover: bool) -> str:
        limit, used = self._limit(forfeit.seat), forfeit.used_ns
        if used < 0:
            return "less than no time used"
        if used and not mover:
            return "time used, but it was not to move"
        if forfeit.cause == RESIGNED:
            return ""
        if forfeit.cause == ILLEGAL:
            if not mover:
                return "for a move, but it was not to move"
            return "" if used <= limit else (
                f"for a move after {_ns(used)}, but the limit was {_ns(limit)}")
        if forfeit.number == 1 and not used:
            return ""  # for not being ready
        if not mover:
            return "for its time, but it was not to move"
        return "" if used > limit else (
            f"for its time after {_ns(used)}, but the limit was {_ns(limit)}")

    def take_fault(self, fault: Message) -> str:
        """There is none in such a match."""
        raise AssertionError

    def take_no_contest(self, no_contest: Message) -> str:
        """There is none in such a match."""
        raise AssertionError

    def take_resumed(self) -> None:
        """There is none in such a match."""
        raise AssertionError

    def take_end(self, state: int) -> str:
        """Takes the end."""
        return ""
