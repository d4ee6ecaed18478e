"""Who signed a replay: Ed25519 keys, and rings of them (`key.ring`, `key.pub`)."""

from __future__ import annotations

import datetime
from typing import NamedTuple

from referee import refdice
from referee.replay.files import Parts, Path

# Points that any message has a signature by, as y of their encodings (32 bytes, little-endian, the
# highest bit aside), and no key that a referee could have made. Their order is 1, 2, 4 or 8.
_P = 2**255 - 19
_Y_OF_ORDER_8 = int.from_bytes(
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
_SMALL_ORDER = frozenset((0, 1, _P - 1, _Y_OF_ORDER_8, _P - _Y_OF_ORDER_8))

MISSING = ("signature: cryptography is not installed (pip install cryptography, or apt-get install "
           "python3-cryptography)")
WRONG = "signature: it is not that of this file, which was changed after it was signed"


def fingerprint(public_key: bytes) -> str:
    """Returns what people compare of a key: 32 hex digits."""
    return refdice.sha256(public_key).hex()[:32]


def signature_problem(parts: Parts) -> str | None:
    """Returns what is wrong with a signature, "" if it is right; None if it cannot be checked."""
    try:
        fit = _may_sign(parts.public_key) and _may_sign(parts.signature[:32])
        return "" if _is_signed(parts) and fit else WRONG
    except ImportError:
        return None


# Whether an encoded point is one that a key or a signature may have: in the one form that there is
# of it, and not of small order.
def _may_sign(point: bytes) -> bool:
    y = int.from_bytes(point, "little") % 2**255
    return y < _P and y not in _SMALL_ORDER


def _is_signed(parts: Parts) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(parts.public_key).verify(parts.signature, parts.signed)
    except (InvalidSignature, ValueError):
        return False
    return True


class RingKey(NamedTuple):
    """A public key of a referee, and when it was in use, as far as that is known."""

    key: bytes
    since: datetime.datetime | None
    until: datetime.datetime | None


def _time(text: str) -> datetime.datetime | None:
    if text == "-":
        return None
    time = datetime.datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError(text)
    return time


class KeyRing:
    """The public keys of a referee, oldest first. Immutable."""

    def __init__(self, text: str, path: str = "key ring") -> None:
        """Reads the text of a ring. Raises ValueError that names the line."""
        self.keys: list[RingKey] = []
        for number, line in enumerate(text.split("\n"), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            try:
                since, until = (_time(word) for word in (words[1:] + ["-", "-"])[:2])
                key = RingKey(bytes.fromhex(words[0]), since, until)
                if len(words) > 3 or len(words[0]) != 64 or self.find(key.key):
                    raise ValueError
            except ValueError:
                raise ValueError(
                    f"{path}, line {number}: expected a new key of 64 hex digits and, if they are "
                    "known, from when and until when, such as 2026-11-22T10:00:00Z") from None
            self.keys.append(key)
        if not self.keys:
            raise ValueError(f"{path}: there is no key in it")

    @classmethod
    def read(cls, path: Path) -> KeyRing:
        """Reads a file, such as key.ring or key.pub. Raises OSError and ValueError."""
        with open(path, encoding="utf-8", newline="") as file:
            return cls(file.read(), str(path))

    def find(self, key: bytes) -> RingKey | None:
        """Returns what is known of a key."""
        return next((one for one in self.keys if one.key == key), None)

    def problem(self, key: bytes, end: datetime.datetime | None) -> str:
        """Returns why a key may not sign a match that ended then; "" if it may."""
        known = self.find(key)
        if known is None:
            others = " or ".join(fingerprint(one.key) for one in self.keys)
            return ("signature: not this referee's: by the key with fingerprint "
                    f"{fingerprint(key)}, not {others}")
        if known.until is None or (end is not None and end <= known.until):
            return ""
        return (f"signature: by the former key with fingerprint {fingerprint(key)}, which was in "
                f"use until {known.until.isoformat()}, but the match ended later")
