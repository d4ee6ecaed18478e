"""Checks the dice of a match, once their seed is revealed, against what the referee told before.

That is the commitment, the hashes of the nonces, the bot's own nonce, and each roll that it saw.
"""

from typing import Iterable

from referee import refdice
from referee.nonce import Part, asks_nonces
from referee.wire import Message

_FINISHED = 3  # MATCH_STATE_FINISHED
_RESIGNED = 4  # FORFEIT_CAUSE_RESIGNED


class DiceCheck:
    """What a bot has seen of the dice of one match."""

    def __init__(self) -> None:
        # Turn, seat, which roll of the seat, dice.
        self._seen: list[tuple[int, int, int, tuple[int, ...]]] = []
        self._rolls: dict[int, int] = {}
        self._last = (0, -1)  # turn and seat
        self._missed = False

    def saw_turn(self, turn: int, seat: int, dice: Iterable[int]) -> None:
        """Notes a turn with its dice, one's own or another's.

        Of what comes after a turn that was missed nothing is kept: it is not known which roll of
        its seat it is.
        """
        last_turn, last_seat = self._last
        if self._missed or (turn == last_turn and seat == last_seat):
            return
        # A seat that forfeits does not use its turn up: the next one has the same number.
        if turn != last_turn + 1 and (turn != last_turn or not self._seen):
            self._missed = True
            return
        self._last = (turn, seat)
        roll = self._rolls.get(seat, 0)
        self._rolls[seat] = roll + 1
        self._seen.append((turn, seat, roll, tuple(dice)))

    def problem(self, told: Message, verdict: Message, own: Part) -> str:
        """Returns what does not fit, in one sentence; empty if nothing.

        `told` is the match as its first start said, `own` the bot's part as it stands at the end. A
        verdict that reveals no seed, of a match without a result, leaves nothing to check.
        """
        finished = verdict.state == _FINISHED
        if not verdict.seed:
            return "the seed was not revealed" if finished else ""
        commitment = refdice.sha256(verdict.seed)
        if commitment != told.commitment:
            return (f"the seed has the commitment {commitment.hex()}, but {told.commitment.hex()} "
                    "was told before the first move")
        if not (finished or len(verdict.nonces) > 0 or self._seen):
            return ""
        problem = _nonces_problem(told, verdict, own)
        return problem or self._roll_problem(told, refdice.match_key(verdict.seed, verdict.nonces))

    def _roll_problem(self, told: Message, key: bytes) -> str:
        # The game of which it is known that every turn of a seat has one roll of two dice.
        if told.game != "hypnosia":
            return ""
        for turn, seat, number, dice in self._seen:
            roll = refdice.roll(key, f"roll/{seat}/{number}")
            if dice != roll:
                return (f"in turn {turn} seat {seat} had the dice {_numbers(dice)}, but the key "
                        f"gives {_numbers(roll)}")
        return ""


def _numbers(dice: Iterable[int]) -> str:
    return " ".join(str(die) for die in dice)


def _nonces_problem(told: Message, verdict: Message, own: Part) -> str:
    """Returns what is wrong with the nonces of a match that has started."""
    nonces, hashes = tuple(verdict.nonces), tuple(verdict.nonce_hashes)
    expected = 0 if told.pinned else len(told.bots)
    if len(nonces) != expected or len(hashes) != expected:
        return (f"there are {len(nonces)} nonces and {len(hashes)} hashes, and should be "
                f"{expected} of each")
    if told.pinned:
        return ""
    for seat, nonce in enumerate(nonces):
        problem = _nonce_problem(seat, nonce, hashes[seat])
        if problem:
            return problem
    problem = _own_problem(own, nonces, hashes)
    # The forfeits are those of the match that asks for the nonces. A match of a block that is
    # broken off may end before a forfeit that was due.
    shows_forfeits = asks_nonces(told) and verdict.state == _FINISHED
    if problem or not shows_forfeits or own.came_back:
        return problem
    return _forfeit_problem(verdict)


def _nonce_problem(seat: int, nonce: bytes, told: bytes) -> str:
    if len(nonce) > 32:
        return f"the nonce of seat {seat} has over 32 bytes"
    fits = refdice.sha256(nonce)
    # Without a nonce, nothing was revealed: see _forfeit_problem.
    if told == fits or not nonce:
        return ""
    return f"the nonce of seat {seat} has the hash {fits.hex()}, but {told.hex()} was told"


def _own_problem(own: Part, nonces: tuple[bytes, ...], hashes: tuple[bytes, ...]) -> str:
    if own.revealed is None and own.came_back:
        return ""
    if own.seat is None or own.seat >= len(nonces):
        return ("this bot was not asked for its nonce, neither in this match nor in another of its "
                "block")
    if own.revealed is not None and hashes != own.revealed.hashes:
        return "the hashes of the nonces are not those that were told before they were revealed"
    counted = nonces[own.seat]
    revealed: bytes | None = own.revealed.nonce if own.revealed is not None else None
    if not counted or counted == revealed:
        return ""
    return (f"this bot's nonce is {counted.hex()}, but it had revealed "
            f"{'none' if revealed is None else revealed.hex()}")


# Whether all seats but one resigned before the first turn was played. The match is over then, and
# does not wait for the nonce of the last seat.
def _decided_at_the_start(verdict: Message) -> bool:
    resigned = [forfeit for forfeit in verdict.forfeits
                if forfeit.cause == _RESIGNED and forfeit.turn <= 1]
    return len(resigned) + 1 >= len(verdict.nonces)


def _forfeit_problem(verdict: Message) -> str:
    if _decided_at_the_start(verdict):
        return ""
    # Who does not reveal a nonce gives its match up: else it could choose between two sets of dice.
    hash_of_none = refdice.sha256(b"")
    at_the_start = {forfeit.seat for forfeit in verdict.forfeits if forfeit.turn <= 1}
    for seat, nonce in enumerate(verdict.nonces):
        if nonce or verdict.nonce_hashes[seat] == hash_of_none or seat in at_the_start:
            continue
        return (f"the nonce of seat {seat} was not revealed, and yet the seat did not forfeit "
                "before turn 1")
    return ""
