"""Replays: archived matches, to look at, to verify and to learn from.

    replay = referee.replay.open("01m7xzk53v0w00000000000000.rpl")
    for turn in replay.turns():
        print(turn.number, turn.seat, turn.dice, turn.move, turn.after)
    print(replay.ranks, replay.verify(keys="key.ring").ok)

    for replay in referee.replay.read("data/replays"):     # packs and .rpl files
        ...
    data = referee.replay.dataset("data/replays", game="isaac")
    data.features, data.move, data.value                   # numpy arrays, a row a turn

The format is in referee/replay/FORMAT.md. zstd unpacks replays: the package zstandard, or the
system's library. `verify` needs cryptography for signatures, and says when it lacks them;
`dataset` needs numpy: pip install zstandard cryptography numpy.
"""

from referee.replay.dataset import Dataset, dataset, read
from referee.replay.files import BadReplay, Path, entries
from referee.replay.keys import KeyRing, fingerprint
from referee.replay.match import Forfeit, PlayedTurn, Replay, Verification

__all__ = ["BadReplay", "Dataset", "Forfeit", "KeyRing", "PlayedTurn", "Replay", "Verification",
           "dataset", "entries", "fingerprint", "open", "read"]


def open(path: Path) -> Replay:
    """Opens a replay file, or a pack that holds one replay.

    Raises OSError, and BadReplay that says what cannot be read.
    """
    found = list(read(path))
    if len(found) != 1:
        raise BadReplay(f"{path}: there are {len(found)} replays in it; read() yields them all")
    return found[0]
