"""What one referee may take of a bot, and what it plays. Pure."""

from collections import deque
from typing import Iterable

from referee.places import Share


class Holding:
    """Not thread-safe. Streams have numbers; one is open at a time."""

    def __init__(self) -> None:
        # What was said on the open stream: the first holds, the others were not answered yet.
        self._said: deque[Share] = deque()
        self._given: int | None = None  # of the first: as many matches as Welcome said
        self._turns = 0  # the most that it might take since it last played nothing
        self._matches: dict[str, int] = {}  # with the stream on which each was last told of

    @property
    def matches(self) -> list[str]:
        """The matches that it plays, as far as is known."""
        return list(self._matches)

    @property
    def held(self) -> Share:
        """What it may take at most, or plays."""
        return Share(max(self._places(), len(self._matches)), self._turns)

    def _places(self) -> int:
        said = [share.places for share in self._said]
        if self._given is not None:
            said[0] = self._given
        return max(said, default=0)

    def opened(self, share: Share) -> None:
        """A stream is opened, whose Hello says this."""
        self._said = deque([share])
        self._given = None
        self._note_turns()

    def welcomed(self, max_matches: int) -> None:
        """The referee gives no more than that."""
        if self._said:
            self._given = min(self._said[0].places, max_matches)

    def say(self, share: Share) -> bool:
        """Notes that this is to hold from now on; returns whether it has to be said."""
        if not self._said or self._said[-1] == share:
            return False
        self._said.append(share)
        self._note_turns()
        return True

    def answered(self) -> None:
        """The referee holds to the next of what was said."""
        if len(self._said) > 1:
            self._said.popleft()
            self._given = None
        self._note_turns()

    def closed(self) -> None:
        """The stream has ended: what it plays goes on."""
        self._said.clear()
        self._given = None
        self._note_turns()

    def begun(self, match_id: str, stream: int) -> list[str]:
        """A match is told on a stream. Returns those that must be over.

        A match that ended while the link was lost is not told again. When there would be more
        matches than the referee may take, those that were not told on this stream must be such.
        """
        over = []
        if match_id not in self._matches:
            if len(self._matches) >= self._places():
                over = self.forget_all_but(stream)
        self._matches[match_id] = stream
        return over

    def forget_all_but(self, stream: int) -> list[str]:
        """Drops the matches that were not told on that stream, and returns them."""
        over = [match_id for match_id, told in self._matches.items() if told != stream]
        self.ended(over)
        return over

    def ended(self, match_ids: Iterable[str]) -> None:
        """These matches are over."""
        for match_id in match_ids:
            self._matches.pop(match_id, None)
        self._note_turns()

    def _note_turns(self) -> None:
        said = max((share.turns for share in self._said), default=0)
        self._turns = max(said, self._turns) if self._matches else said
