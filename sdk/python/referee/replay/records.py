"""The records of a match: proto/referee/v1/replay.proto, in the one encoding that there is of each."""

import math
import re

from referee.replay.files import ID, BadReplay, demand
from referee.text import is_plain
from referee.wire import Message, Record

Nanos = int | float  # whole, or math.inf
UNLIMITED = math.inf

# ForfeitCause, MatchState, FaultAction, Substitute, DrawKind of the protocol.
TIMEOUT, ILLEGAL, DISCONNECTED, RESIGNED = 1, 2, 3, 4
FINISHED, VOID, CANCELLED = 3, 4, 5
SUBSTITUTE, RETRY = 2, 3
FIRST, RANDOM = 1, 2
SETUP_ROLL, FIRST_PLAYER = 1, 2

CAUSES = {TIMEOUT: "TIMEOUT", ILLEGAL: "ILLEGAL", DISCONNECTED: "DISCONNECTED",
          RESIGNED: "RESIGNED"}

_MAX_SEATS = 10
_MAX_NAME_BYTES = 64  # of a bot, a game, an account, a request id
_MAX_OPTIONS = 64
_MAX_OPTION_BYTES = 64 * 1024
_MAX_STRIKES, _MAX_TRIES = 1_000_000, 100
_MAX_RESUMED = 100_000  # restarts of a referee during one match
_MAX_DRAWS = 10_000
_MAX_FAULTS = 1_000  # in one turn
_MAX_TIME = 253402300799999999  # microseconds since 1970, to the end of the year 9999

_US, _MS, _S = 1_000, 1_000_000, 1_000_000_000
_HOUR = 3600 * _S
_STALL, _MATCH_STALL = "stall_per_move_ns", "stall_per_match_ns"
# The least and the most of each time, in nanoseconds, where it is set.
_RANGES = {
    "per_move_ns": (_MS, 24 * _HOUR), "bank_ns": (_MS, 7 * 24 * _HOUR),
    "increment_ns": (0, 24 * _HOUR), "first_move_ns": (0, 24 * _HOUR), "ready_ns": (_MS, _HOUR),
    "match_ns": (_MS, 30 * 24 * _HOUR), "link_grace_ns": (0, 24 * _HOUR),
    "lag_per_move_ns": (_US, 10 * _S), "lag_per_match_ns": (_US, 24 * _HOUR),
    _STALL: (0, _HOUR), _MATCH_STALL: (0, 24 * _HOUR)}


def policy_text(policy: Message) -> str:
    """Writes what a fault costs, as the command line takes it."""
    if policy.action == SUBSTITUTE:
        strikes = f":{policy.max_strikes}" if policy.max_strikes != 3 else ""
        return f"substitute{':random' if policy.substitute == RANDOM else ''}{strikes}"
    if policy.action == RETRY:
        return "retry" + (f":{policy.max_tries}" if policy.max_tries != 3 else "")
    return "forfeit"


def _varint(data: bytes, at: int) -> tuple[int, int] | None:
    value = shift = 0
    while at < len(data) and shift < 35:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return (value, at) if byte or not shift else None  # the shortest form only
        shift += 7
    return None


def read(data: bytes, frame_size: int) -> list[Message]:
    """Reads the records of a replay, in their order, out of a frame of that size. Raises BadReplay."""
    reader = _Reader()
    at = 0
    while at < len(data):
        place = f"record {len(reader.records) + 1} (byte {at} of the records)"
        if len(reader.records) == _MAX_DRAWS + frame_size:
            raise BadReplay(f"{place}: a frame of {frame_size} bytes cannot hold so many records")
        length = _varint(data, at)
        if length is None or length[1] + length[0] > len(data):
            raise BadReplay(f"{place}: its length is wrong")
        size, at = length
        try:
            reader.take(data[at:at + size])
        except BadReplay as error:
            turn = f"turn {error.turn}: " if error.turn else ""
            raise BadReplay(f"{place}: {turn}{error}", error.turn) from None
        at += size
    if reader.stage != "over":
        raise BadReplay(
            f"record {len(reader.records) + 1}: it is missing: a replay ends with an end")
    return reader.records


# Which kinds of records may follow at each stage of a match, and to which stage each leads.
_PLAY = {"turn": "turns", "forfeit": "turns", "fault": "turns", "no_contest": "no contest",
         "resumed": "", "end": "over"}
_NEXT: dict[str, dict[str, str]] = {
         "opening": {"opening": "start"},
         "start": {"start": "draws", "resumed": "", "end": "over"},
         "draws": {"draw": "", **_PLAY}, "turns": _PLAY,
         "no contest": {"resumed": "", "end": "over"}, "over": {}}


class _Reader:
    """Reads records, and refuses what cannot be one in its place."""

    def __init__(self) -> None:
        self.records: list[Message] = []
        self.stage = "opening"
        self._resumed = self._draws = self._forfeits = 0
        self._turn = 0  # the last that was played
        self._faults = 0  # in the turn that is due

    def take(self, data: bytes) -> None:
        record = Record()
        try:
            record.ParseFromString(data)
        except Exception:  # google.protobuf.message.DecodeError
            raise BadReplay("it is not a record") from None
        kind = record.WhichOneof("kind")
        turn = int(getattr(getattr(record, kind), "number", 0)) if kind else 0
        try:
            self._check(kind, record, data)
        except BadReplay as error:
            raise BadReplay(str(error), turn) from None
        self.records.append(record)
        self.stage = _NEXT[self.stage][kind] or self.stage

    def _check(self, kind: str | None, record: Message, data: bytes) -> None:
        if kind is None:
            raise BadReplay("it is of a kind that this version does not know")
        if kind not in _NEXT[self.stage]:
            raise BadReplay("it is not in its place: expected opening, start, draws, turns, faults "
                            "and forfeits, end")
        again = Record()
        again.CopyFrom(record)
        again.DiscardUnknownFields()
        if again.SerializeToString(deterministic=True) != data:
            raise BadReplay(
                "it says something that this version does not know, or in another form")
        getattr(self, f"_check_{kind}")(getattr(record, kind))

    def _check_opening(self, opening: Message) -> None:
        _check_opening(opening)
        _check_time(opening.create_time_us)

    def _check_start(self, start: Message) -> None:
        _check_time(start.start_time_us)
        opening = self.records[0].opening
        expected = 0 if opening.WhichOneof("pinned") else len(opening.bots)
        demand(len(start.nonces) == expected,
               f"there are {len(start.nonces)} nonces, not {expected}")
        demand(len(start.nonce_hashes) == expected,
               f"there are {len(start.nonce_hashes)} hashes of nonces, not {expected}")
        demand(all(len(nonce) <= 32 for nonce in start.nonces), "a nonce has more than 32 bytes")
        demand(all(len(told) in (0, 32) for told in start.nonce_hashes),
               "a hash of a nonce has not 32 bytes")

    def _check_draw(self, draw: Message) -> None:
        self._draws += 1
        demand(self._draws <= _MAX_DRAWS, f"there are more than {_MAX_DRAWS} draws")
        demand(draw.kind in (SETUP_ROLL, FIRST_PLAYER), "it is a draw of an unknown kind")
        self._check_seat(draw.seat)
        _check_dice(draw.dice)

    def _check_turn(self, turn: Message) -> None:
        demand(turn.number > self._turn, f"its number does not follow turn {self._turn}")
        self._turn, self._faults = turn.number, 0
        self._check_seat(turn.seat)
        _check_dice(turn.dice)
        demand(len(turn.move.encode()) <= 256, "the move is too long")
        demand(not turn.bank_left_ns or self.records[0].opening.bank_ns,
               "it has time left in a bank, and there is no bank")
        demand(turn.substituted in (0, TIMEOUT, ILLEGAL),
               "its fault is neither TIMEOUT nor ILLEGAL")

    def _check_fault(self, fault: Message) -> None:
        self._faults += 1
        demand(self._faults <= _MAX_FAULTS, f"there are more than {_MAX_FAULTS} faults in the turn")
        self._check_seat(fault.seat)
        demand(fault.cause in (TIMEOUT, ILLEGAL), "its fault is neither TIMEOUT nor ILLEGAL")

    def _check_forfeit(self, forfeit: Message) -> None:
        self._forfeits += 1
        demand(self._forfeits <= len(self.records[0].opening.bots),
               "there are more forfeits than seats")
        self._check_seat(forfeit.seat)
        demand(forfeit.cause in CAUSES, "it is a forfeit for an unknown cause")

    def _check_no_contest(self, no_contest: Message) -> None:
        self._check_seat(no_contest.seat)
        demand(no_contest.HasField("timing"), "it does not say where the time went")

    def _check_resumed(self, resumed: Message) -> None:
        _check_time(resumed.resume_time_us)
        self._resumed += 1
        demand(self._resumed <= _MAX_RESUMED, f"there are more than {_MAX_RESUMED} restarts")

    def _check_end(self, end: Message) -> None:
        demand(end.state in (FINISHED, VOID, CANCELLED), "it is an end of an unknown kind")
        finished = end.state == FINISHED
        demand(not finished or self.stage != "start", "a match that did not start has a result")
        demand(not finished or re.fullmatch("[A-Z_]{1,64}", end.reason),
               "the reason of the end is no word")
        expected = len(self.records[0].opening.bots) if finished else 0
        demand(len(end.scores) == len(end.ranks) == expected,
               f"there are {len(end.scores)} scores and {len(end.ranks)} ranks, not {expected} of "
               "each")
        demand(all(1 <= rank <= expected for rank in end.ranks), "a rank is out of range")
        demand(len(end.seed) == 32, f"the seed has {len(end.seed)} bytes, not 32")
        demand(not end.cancelled_by or end.state == CANCELLED, "nobody cancelled the match")
        if end.cancelled_by:
            _check_name("account", end.cancelled_by)
        _check_time(end.end_time_us)

    def _check_seat(self, seat: int) -> None:
        demand(seat < len(self.records[0].opening.bots), f"there is no seat {seat}")


def _check_time(micros: int) -> None:
    demand(0 <= micros <= _MAX_TIME, "a time is out of range")


def _check_dice(dice: Message) -> None:
    demand(len(dice) <= 2, "there are too many dice")
    demand(all(1 <= die <= 6 for die in dice), "a die is not 1 to 6")


# --- What the opening may say ---


def _check_opening(opening: Message) -> None:
    """Raises BadReplay for what no match can have begun with."""
    demand(ID.fullmatch(opening.match_id), f"match id {opening.match_id[:64]!r}: it is none")
    demand(1 <= len(opening.bots) <= _MAX_SEATS,
            f"there are {len(opening.bots)} bots, not 1 to {_MAX_SEATS}")
    for bot in opening.bots:
        _check_name("bot", bot)
    if opening.referee:
        _check_name("referee", opening.referee)
    _check_name("game", opening.game)
    demand(len(opening.request_id.encode()) <= _MAX_NAME_BYTES, "the request id is too long")
    demand(len(opening.commitment) == 32,
            f"the commitment has {len(opening.commitment)} bytes, not 32")
    demand(opening.WhichOneof("pinned") != "pinned_seed" or len(opening.pinned_seed) == 32,
            f"the pinned seed has {len(opening.pinned_seed)} bytes, not 32")
    _check_terms(opening)
    _check_block(opening)
    _check_options(opening.options)


def _check_name(what: str, name: str) -> None:
    """Raises BadReplay for what is no name of a `what`."""
    demand(1 <= len(name.encode()) <= _MAX_NAME_BYTES and is_plain(name),
            f"{what} {name[:64]!r}: expected 1 to {_MAX_NAME_BYTES} bytes of UTF-8 without control "
            "characters")


def _check_terms(opening: Message) -> None:
    for name, (least, most) in _RANGES.items():
        time = getattr(opening, name)
        demand(time == 0 or least <= time <= most, f"{name}: {time} is not {least} to {most}")
    demand(opening.per_move_ns or opening.bank_ns or opening.match_ns, "its time is not limited")
    demand(opening.bank_ns or not opening.increment_ns,
            "time control: an increment has no bank to go to")
    demand(opening.lag_per_match_ns >= opening.lag_per_move_ns,
            "lag compensation: a match has less than a move")
    demand(opening.lag_per_move_ns or not opening.lag_per_match_ns,
            "lag compensation: a match has it, and a move has none")
    demand(opening.HasField(_STALL) and opening.HasField(_MATCH_STALL),
            "time control: it does not say what is given back of stalls; versions before 0.9 wrote "
            "such records, and this version does not read them")
    demand(opening.stall_per_match_ns >= opening.stall_per_move_ns,
            "time control: stalls that cannot be given back")
    demand(_is_policy(opening, "on_timeout") and opening.on_timeout.action != RETRY,
            "on_timeout: it is no policy")
    demand(_is_policy(opening, "on_illegal"), "on_illegal: it is no policy")


# Whether a policy has what its action needs and nothing else, as referees write it.
def _is_policy(opening: Message, name: str) -> bool:
    if not opening.HasField(name):
        return True
    policy = getattr(opening, name)
    if policy.action == RETRY:
        return bool(not policy.substitute and not policy.max_strikes
                    and 2 <= policy.max_tries <= _MAX_TRIES)
    return bool(policy.action == SUBSTITUTE and policy.substitute in (FIRST, RANDOM)
                and 1 <= policy.max_strikes <= _MAX_STRIKES and not policy.max_tries)


def _check_block(opening: Message) -> None:
    block, rotation = opening.block_id, opening.rotation
    if not block:
        demand(rotation == 0, "it is a rotation, and in no block")
        return
    demand(ID.fullmatch(block), f"block id {block[:64]!r}: it is none")
    demand(rotation < len(opening.bots),
            f"it is rotation {rotation} of a block of {len(opening.bots)} seats")


def _check_options(options: Message) -> None:
    demand(len(options) <= _MAX_OPTIONS, "there are too many options")
    for option in options:
        demand(len(option.value) <= _MAX_OPTION_BYTES, f"option {option.name[:64]!r} is too long")
    names = [option.name for option in options]
    demand(sorted(set(names)) == names, "the options are not sorted by name")
