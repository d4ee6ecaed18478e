"""What the opening of a replay may say: names, ids, time control, policies, block and options."""

from referee.replay.files import ID, demand
from referee.text import is_plain
from referee.wire import Message

MAX_SEATS = 10
_MAX_NAME_BYTES = 64  # of a bot, a game, an account, a request id
_MAX_OPTIONS = 64
_MAX_OPTION_BYTES = 64 * 1024
_MAX_STRIKES, _MAX_TRIES = 1_000_000, 100

# FaultAction and Substitute of the protocol.
_SUBSTITUTE, _RETRY = 2, 3
_FIRST, _RANDOM = 1, 2

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


def check_opening(opening: Message) -> None:
    """Raises BadReplay for what no match can have begun with."""
    demand(ID.fullmatch(opening.match_id), f"match id {opening.match_id[:64]!r}: it is none")
    demand(1 <= len(opening.bots) <= MAX_SEATS,
            f"there are {len(opening.bots)} bots, not 1 to {MAX_SEATS}")
    for bot in opening.bots:
        check_name("bot", bot)
    if opening.referee:
        check_name("referee", opening.referee)
    check_name("game", opening.game)
    demand(len(opening.request_id.encode()) <= _MAX_NAME_BYTES, "the request id is too long")
    demand(len(opening.commitment) == 32,
            f"the commitment has {len(opening.commitment)} bytes, not 32")
    demand(opening.WhichOneof("pinned") != "pinned_seed" or len(opening.pinned_seed) == 32,
            f"the pinned seed has {len(opening.pinned_seed)} bytes, not 32")
    _check_terms(opening)
    _check_block(opening)
    _check_options(opening.options)


def check_name(what: str, name: str) -> None:
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
    demand(_is_policy(opening, "on_timeout") and opening.on_timeout.action != _RETRY,
            "on_timeout: it is no policy")
    demand(_is_policy(opening, "on_illegal"), "on_illegal: it is no policy")


# Whether a policy has what its action needs and nothing else, as referees write it.
def _is_policy(opening: Message, name: str) -> bool:
    if not opening.HasField(name):
        return True
    policy = getattr(opening, name)
    if policy.action == _RETRY:
        return bool(not policy.substitute and not policy.max_strikes
                    and 2 <= policy.max_tries <= _MAX_TRIES)
    return bool(policy.action == _SUBSTITUTE and policy.substitute in (_FIRST, _RANDOM)
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
