"""A bot's own part in the dice of a match, or of a block, whose matches share it.

The bot tells its nonce in two steps, the hash first; and keeps what it was told of the others.
"""

import secrets
import threading
import weakref
from dataclasses import dataclass

from referee.refdice import sha256
from referee.wire import Message

NONCE_BYTES = 32


def asks_nonces(match: Message) -> bool:
    """Whether bots have a part in the dice of this very match.

    They have unless its dice are pinned, or come from rotation 0 of its block.
    """
    return not match.pinned and match.block.rotation == 0


@dataclass(frozen=True)
class Revealed:
    """A nonce that was revealed, and the hashes that were told before."""

    nonce: bytes
    hashes: tuple[bytes, ...]


@dataclass(frozen=True)
class Part:
    """A bot's part in the dice as it knows it."""

    # The bot's seat in the match that asks for nonces; None if it was not told of its start.
    seat: int | None = None
    revealed: Revealed | None = None
    # Whether it has come back to a match: it was not told all, its process may be another than the
    # one that told a nonce, or the referee was started again and may have forgotten a forfeit.
    came_back: bool = False


class Nonce:
    """The nonce of one match or block. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._commitment: bytes | None = None
        self._nonce = b""
        self._seat: int | None = None
        self._revealed: Revealed | None = None
        self._came_back = False
        self._told: tuple[list[bytes], list[bytes]] | None = None

    def is_for_commitment(self, commitment: bytes) -> bool:
        """Whether this is the commitment that the first call named.

        One that came later could have been chosen by who has seen the nonce.
        """
        with self._lock:
            if self._commitment is None:
                self._commitment = commitment
            return self._commitment == commitment

    def note_start(self, start: Message) -> None:
        """Notes the start of a match that the bot was told."""
        with self._lock:
            if asks_nonces(start.match):
                self._seat = start.seat
            if not start.HasField("ready_limit"):
                self._came_back = True

    def hash(self) -> bytes:
        """Returns the hash to be ready with.

        The nonce behind it is drawn at first, and anew once it has been revealed: whoever has seen
        it could choose its own by it.
        """
        with self._lock:
            if not self._nonce or self._revealed is not None:
                self._nonce = secrets.token_bytes(NONCE_BYTES)
            self._revealed = None
            return sha256(self._nonce)

    def drawn(self) -> bool:
        """Whether this process drew a nonce.

        Another one of the bot may have, and told its hash.
        """
        with self._lock:
            return bool(self._nonce)

    def reveal(self, hashes: tuple[bytes, ...], seat: int) -> bytes | None:
        """Returns the nonce to reveal, having been told these hashes, the bot's own at `seat`.

        None if that is not the one that it told, so that another could be chosen for it still.
        """
        with self._lock:
            if not self._nonce or not 0 <= seat < len(hashes):
                return None
            if hashes[seat] != sha256(self._nonce):
                return None
            # Asked again, since the link was lost: the hashes of the others stand as well.
            if self._revealed is not None and self._revealed.hashes != hashes:
                return None
            self._revealed = Revealed(self._nonce, hashes)
            return self._nonce

    def part(self) -> Part:
        """Returns the bot's part as it stands."""
        with self._lock:
            return Part(self._seat, self._revealed, self._came_back)

    def agrees_with(self, verdict: Message) -> bool:
        """Whether the nonces and hashes of a verdict are those that the first call named.

        The matches of a block have the same.
        """
        told = (list(verdict.nonces), list(verdict.nonce_hashes))
        with self._lock:
            if self._told is None:
                self._told = told
            return self._told == told


class Nonces:
    """The nonces of the matches that are being played. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of_blocks: weakref.WeakValueDictionary[str, Nonce] = weakref.WeakValueDictionary()

    def of(self, match: Message) -> Nonce:
        """Returns the nonce of a match: those of a block have the same, while one keeps it."""
        if not match.block.block_id:
            return Nonce()
        with self._lock:
            nonce = self._of_blocks.get(match.block.block_id)
            if nonce is None:
                nonce = self._of_blocks[match.block.block_id] = Nonce()
            return nonce
