"""Divides what a bot has promised among its streams, so that it holds in sum. Pure.

The streams are those of the homes, the more important first, and last the letter box: the one that
nobody referred the bot to. `tests/golden/referral.jsonl` has examples, for all SDKs.
"""

from __future__ import annotations

from typing import NamedTuple, Sequence


class Share(NamedTuple):
    """What is promised to one referee, or to all together."""

    places: int  # matches at once
    turns: int  # that are thought about at once; 0 of a promise: as many as places


def _split(count: int, streams: int, sharing: int) -> list[int]:
    # One for each while there are any; the rest is for the first `sharing` of them.
    parts = [int(stream < count) for stream in range(streams)]
    rest = max(0, count - streams)
    for stream in range(sharing):
        parts[stream] += rest // sharing + (stream < rest % sharing)
    return parts


def divide(promised: Share, homes: int, here: bool) -> list[Share]:
    """Returns what each stream is to have: the homes in their order, and the letter box.

    Each gets one place while there are any, and the homes the rest; `here`: the letter box counts
    as a home. Who may not think about a turn has no place, either.
    """
    streams = homes + 1
    sharing = streams if here or homes == 0 else homes
    if promised.turns == 0:
        return [Share(places, 0) for places in _split(promised.places, streams, sharing)]
    turns = _split(promised.turns, streams, sharing)
    served = min(promised.turns, streams)
    places = _split(promised.places, served, min(served, sharing)) + [0] * (streams - served)
    return [Share(*share) for share in zip(places, turns)]


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
