"""Verifies a replay from itself alone, by playing the match again beside what it says."""

import hashlib
from typing import Sequence

from referee import refdice
from referee.replay import records
from referee.replay.clocks import Clocks, Wrong, letter
from referee.replay.files import Path
from referee.replay.keys import MISSING, KeyRing, signature_problem
from referee.replay.match import Replay, Verification
from referee.rules import NAMES, Position, RulesError, UnknownGame
from referee.wire import Message


def verify(replay: Replay, keys: None | KeyRing | Path = None) -> Verification:
    """Verifies a replay; see `Replay.verify`."""
    ring = keys if keys is None or isinstance(keys, KeyRing) else KeyRing.read(keys)
    unchecked: list[str] = []
    problem = options_problem(replay) or seed_problem(replay) or nonce_problem(replay)
    turn = 0
    if not problem:
        known = replay.game in NAMES
        if not known:
            unchecked.append("whether moves are legal, dice, digests, and the result against the "
                             f"rules: there are none for the game {replay.game} here")
        problem, turn = _Checker(replay, replay.rules.start() if known else None).run()
    signed = signature_problem(replay.parts)
    if signed is None:
        unchecked.append(MISSING)
    signed = signed or (ring.problem(replay.public_key, replay.end_time) if ring else "")
    # What is wrong in the match is named first: it says more.
    problem = "; ".join(filter(None, (problem, signed)))
    return Verification(problem, turn, tuple(unchecked), replay.public_key, dice_origin(replay))


def dice_origin(replay: Replay) -> str:
    """Returns who had a part in the dice; empty if the match did not start."""
    if replay.pinned is not None:
        return "dice pinned by the organiser"
    return "" if replay.start is None else "nonces in two steps"


def options_problem(replay: Replay) -> str:
    """Returns what is wrong with game, seats and options; empty if nothing is, or nobody knows."""
    if replay.game not in NAMES:
        return ""
    first = "record 1 (byte 0 of the records)"
    try:
        settled = replay.rules.options
    except UnknownGame as error:
        return f"{first}: {error}"
    if settled == replay.options:
        return ""
    return f"{first}: it says something that this version does not know, or in another form"


def seed_problem(replay: Replay) -> str:
    """Returns what is wrong with the seed; empty if nothing is."""
    commitment, pinned = refdice.sha256(replay.seed), replay.pinned
    if commitment != replay.commitment:
        return (f"seed: its SHA-256 is {commitment.hex()}, but the commitment is "
                f"{replay.commitment.hex()}")
    if isinstance(pinned, int) and refdice.pinned_seed(pinned) != replay.seed:
        return f"seed: it is not the one that the number {pinned} gives"
    if isinstance(pinned, bytes) and pinned != replay.seed:
        return "seed: it is not the one that the match was pinned to"
    return ""


def nonce_problem(replay: Replay) -> str:
    """Returns what is wrong with nonces and their hashes; empty if nothing is."""
    start = replay.start
    if start is None:
        return ""
    own = not replay.block_id or replay.rotation == 0  # else they are of the seats of rotation 0
    for seat, (nonce, told) in enumerate(zip(start.nonces, start.nonce_hashes)):
        found = refdice.sha256(nonce)
        if told == found:
            continue
        who = f"nonce of seat {letter(seat)}: "
        if nonce:
            return (f"{who}its SHA-256 is {found.hex()}, but {told.hex() or 'no hash'} was told "
                    "before")
        if own and _stayed_in(replay, seat):
            return f"{who}it was not revealed, and yet the seat was not taken out"
    return ""


# Whether the records show that a seat was still in when the first turn was played. A referee that
# was killed in between may have lost who was to go. When all other seats resign first, the match is
# over before the seat has to reveal its nonce.
def _stayed_in(replay: Replay, seat: int) -> bool:
    if replay.state != "FINISHED":
        return False
    started = False
    resigned = 0
    for record in replay.records:
        started = started or record.HasField("start")
        if started and record.HasField("resumed"):
            return False
        if record.HasField("turn"):
            return True
        if not record.HasField("forfeit"):
            continue
        if record.forfeit.seat == seat:
            return False
        if record.forfeit.cause == records.RESIGNED and not (
                record.forfeit.HasField("timing") or record.forfeit.interrupts_turn):
            resigned += 1
    return resigned + 1 < len(replay.bots)


def _digits(dice: Sequence[int]) -> str:
    return "".join(map(str, dice)) or "no dice"


class _Checker:
    """Plays a match again, record by record. Without rules it checks what it can."""

    def __init__(self, replay: Replay, start: Position | None) -> None:
        self._replay = replay
        self._position = start
        self._key = replay.key or b""
        self._turn = 0  # that is due; 0 before the first
        self._clocks = Clocks(replay.records[0].opening)
        self._out: set[int] = set()
        self._faulted: int | None = None  # whose fault was forgiven in the turn that is due
        self._draws: list[Message] = [
            record.draw for record in replay.records if record.HasField("draw")]

    def run(self) -> tuple[str, int]:
        """Returns what is wrong, and in which turn."""
        try:
            for record in self._replay.records[1:]:
                kind = record.WhichOneof("kind")
                if kind != "draw":
                    getattr(self, f"_check_{kind}")(getattr(record, kind))
        except Wrong as wrong:
            turn = 0 if wrong.outside else self._turn
            return (f"turn {turn}: {wrong}" if turn else str(wrong)), turn
        return "", 0

    def _draw(self, label: str, n: int) -> int:
        return refdice.uniform(self._key, label, n, 1)[0]

    # --- Start ---

    def _check_start(self, start: Message) -> None:
        due = list(self._draws)
        while self._position is not None and (chance := self._position.chance) is not None:
            numbers = refdice.uniform(self._key, *chance)
            self._position = self._position.drawn(numbers)
            if chance.label.startswith("roll/"):
                continue
            if not due and self._is_broken_off():
                continue  # it may lack draws
            self._check_draw(chance.label, numbers, due.pop(0) if due else None)
        self._turn = 1
        if due and self._position is not None:
            raise Wrong("a draw that was not due")

    def _is_broken_off(self) -> bool:
        return self._replay.state != "FINISHED" and not any(
            record.WhichOneof("kind") in ("turn", "fault", "forfeit", "no_contest")
            for record in self._replay.records)

    def _check_draw(self, label: str, numbers: Sequence[int], draw: Message | None) -> None:
        expected: tuple[int, int, int, tuple[int, ...]]
        if label == "first-player":
            what = "draw of the first player"
            expected = (records.FIRST_PLAYER, 0, numbers[0], ())
        else:
            _, number, seat = label.split("/")
            what = f"setup roll of seat {letter(int(seat))} in round {number}"
            dice = tuple(die + 1 for die in numbers)
            expected = (records.SETUP_ROLL, int(number), int(seat), dice)
        if draw is None:
            raise Wrong(f"{what}: it is missing")
        if (draw.kind, draw.round, draw.seat, tuple(draw.dice)) != expected:
            raise Wrong(
                f"{what}: the record says {_digits(draw.dice)} by seat {letter(draw.seat)}, the key "
                f"gives {_digits(expected[3])} by seat {letter(expected[2])}")

    def _check_resumed(self, resumed: Message) -> None:
        self._clocks.take_resumed()

    # --- Turns ---

    def _check_turn(self, turn: Message) -> None:
        if turn.number != self._turn:
            raise Wrong(f"the record says turn {turn.number}")
        position = self._position
        if position is None:
            self._check_turn_without_rules(turn)
            return
        if position.over:
            raise Wrong("the game was over before it")
        if turn.seat != position.to_move:
            raise Wrong(f"seat {letter(turn.seat)} played, but it was the turn of seat "
                         f"{letter(position.to_move or 0)}")
        if tuple(turn.dice) != position.dice:
            raise Wrong(f"dice {_digits(turn.dice)}, but the key gives {_digits(position.dice)}")
        legal = [move.notation for move in position.legal_moves()]
        if turn.legal_count != len(legal):
            raise Wrong(f"{turn.legal_count} legal moves, but the rules give {len(legal)}")
        try:
            after = position.play(turn.move)
        except RulesError as error:
            raise Wrong(str(error)) from None
        self._clocks.take_turn(turn, legal == ["-"], legal, self._draw)
        self._go_on(after, turn.digest, "the turn")
        self._turn += 1

    def _check_turn_without_rules(self, turn: Message) -> None:
        self._check_due("turn", turn)
        is_pass = turn.legal_count == 1 and turn.move == "-"
        self._clocks.take_turn(turn, is_pass, (), self._draw)
        if turn.legal_count == 0:
            raise Wrong("it had no legal move")
        self._faulted = None
        self._turn += 1

    # Dice fall; what the position is then has a digest.
    def _go_on(self, position: Position, digest: int, after: str) -> None:
        position = self._position = refdice.settled(position, self._key)
        found = hashlib.sha256(str(position).encode()).hexdigest()[:16]
        if f"{digest:016x}" != found:
            raise Wrong(f"digest {digest:016x}, but the position after {after} has {found}")

    # --- Faults and forfeits ---

    def _check_due(self, what: str, record: Message) -> None:
        if record.number != self._turn:
            raise Wrong(f"{what}: the record says turn {record.number}")
        if self._position is None:
            if record.seat in self._out:
                raise Wrong(f"{what}: seat {letter(record.seat)} was out already")
        elif self._position.over or record.seat != self._position.to_move:
            raise Wrong(f"{what}: of seat {letter(record.seat)}, but it was not to move")

    def _check_fault(self, fault: Message) -> None:
        self._check_due("fault", fault)
        self._faulted = fault.seat
        self._clocks.take_fault(fault)

    def _check_no_contest(self, no_contest: Message) -> None:
        self._check_due("no contest", no_contest)
        self._clocks.take_no_contest(no_contest)

    def _check_forfeit(self, forfeit: Message) -> None:
        who = f"forfeit of seat {letter(forfeit.seat)}"
        if forfeit.number != self._turn:
            raise Wrong(f"{who}: the record says turn {forfeit.number}")
        if self._position is not None and self._position.over:
            raise Wrong(f"{who}: the game was over before it")
        if forfeit.seat in self._out:
            raise Wrong(f"{who}: it was out already")
        if self._position is not None:
            to_move = self._position.to_move
        else:  # the rules would say; a seat that had been asked, or had tried, was
            to_move = forfeit.seat if forfeit.HasField("timing") else self._faulted
        self._clocks.take_forfeit(forfeit, to_move)
        self._out.add(forfeit.seat)
        if forfeit.seat == self._faulted:
            self._faulted = None
        if self._position is not None:
            self._go_on(self._position.forfeit(forfeit.seat), forfeit.digest, "the forfeit")

    # --- The end ---

    def _check_end(self, end: Message) -> None:
        self._clocks.take_end(end.state)
        if end.state != records.FINISHED:
            return
        if self._position is None:
            self._check_ranks(end)
            return
        result = self._position.result
        if result is None:
            raise Wrong("the match ends before the game is over")
        for what, found, due in (("reason is", end.reason, result.reason),
                                 ("scores are", tuple(end.scores), result.scores),
                                 ("ranks are", tuple(end.ranks), result.ranks)):
            if found != due:
                shown = [one if isinstance(one, str) else " ".join(map(str, one))
                         for one in (found, due)]
                raise Wrong(f"end: the {what} {shown[0]}, but the rules give {shown[1]}", True)

    # Ranks are 1 2 2 4, and whoever forfeited ranks below whoever did not.
    def _check_ranks(self, end: Message) -> None:
        for seat, rank in enumerate(end.ranks):
            better = sum(other < rank for other in end.ranks)
            above = [other for other, theirs in enumerate(end.ranks)
                     if seat in self._out and other not in self._out and rank <= theirs]
            if above:
                raise Wrong(f"end: seat {letter(seat)} has forfeited and ranks no lower than seat "
                             f"{letter(above[0])}", True)
            if rank != better + 1:
                raise Wrong(f"end: seat {letter(seat)} has rank {rank}, but {better} seats rank "
                             "above it", True)
