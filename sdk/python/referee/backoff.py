"""How long to wait before trying again."""

import random

FIRST = 0.02
LONGEST = 10.0
# While matches are waited for that others take over in the end: a referee that is started again in
# time has them still.
LONGEST_OF_MATCHES = 1.0


def full_jitter(attempt: int, chance: float) -> float:
    """Returns seconds: exponential backoff with full jitter.

    That is `chance`, 0 to 1, of the first backoff doubled `attempt` times, or of the longest.
    """
    return chance * min(FIRST * 2.0 ** min(attempt, 10), LONGEST)


def default(attempt: int) -> float:
    """The usual wait before the attempt with this number, from 0, since the last success."""
    return full_jitter(attempt, random.SystemRandom().random())
