"""Divides what a bot has promised among its streams, so that it holds in sum. Pure.

The streams are those of the homes, the more important first, and last the letter box: the one that
nobody referred the bot to. `tests/golden/referral.jsonl` has examples, for all SDKs.
"""

from typing import NamedTuple, Sequence

# A block has a match for each of its seats, and all of them begin together: a stream with fewer
# places than that may never be given any. No game has more seats.
BLOCK = 6


class Share(NamedTuple):
    """What is promised to one referee, or to all together."""

    places: int  # matches at once
    turns: int  # that are thought about at once; 0 of a promise: as many as places


def served(promised: Share, sharing: int) -> int:
    """Returns how many of the streams that share have a part at a time; the others have their turn.

    `sharing`: how many share, 1 at least.
    """
    enough = promised.places // BLOCK
    if promised.turns:
        enough = min(enough, promised.turns)
    return max(1, min(enough, sharing))


def weight(shift: int, address: str) -> int:
    """Returns what decides who has a turn in a shift: of those that share, who weighs most in it.

    All bots that share the same streams are at the same ones at a time, and so can meet there; those
    whose clocks differ are now and then. Shifts are numbered from the Unix epoch.
    """
    # FNV-1a, with the finaliser of MurmurHash3, so that each bit depends on all.
    value = 0x811C9DC5
    for byte in f"{shift} {address}".encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def divide(promised: Share, homes: int, here: bool) -> list[Share]:
    """Returns what each stream is to have: the homes in their order, and the letter box.

    The homes share it; `here`: the letter box does, too, and else it has one place of those that
    blocks do not need. Where there are too many to share, the first have all.
    """
    sharing = homes if homes and not here else homes + 1
    first = served(promised, sharing)
    box = int(sharing == homes and promised.places > first * BLOCK and promised.turns != first)

    def parts(count: int) -> list[int]:
        each, more = divmod(count - box, first)
        none = [0] * (homes + 1 - first - box)
        return [each + (stream < more) for stream in range(first)] + none + [1] * box

    turns = parts(promised.turns) if promised.turns else [0] * (homes + 1)
    return [Share(*share) for share in zip(parts(promised.places), turns)]


def _grant(promised: int, wanted: Sequence[int], held: Sequence[int]) -> list[int]:
    spare = max(0, promised - sum(held))
    granted = []
    for want, has in zip(wanted, held):
        more = min(max(0, want - has), spare)
        spare -= more
        granted.append(min(want, has + more))
    return granted


def grant(promised: Share, wanted: Sequence[Share], held: Sequence[Share]) -> list[Share]:
    """Returns what can be promised to each stream now, towards what it is to have.

    `held`: what each may still take at most, or plays. Who has too much gets less at once, but
    others get that only when it is held no more.
    """
    places = _grant(promised.places, [share.places for share in wanted],
                    [share.places for share in held])
    if promised.turns == 0:
        return [Share(each, 0) for each in places]
    turns = _grant(promised.turns, [share.turns for share in wanted],
                   [share.turns for share in held])
    both = (Share(*share) for share in zip(places, turns))
    return [Share(each.places, min(each)) if all(each) else Share(0, 0) for each in both]
