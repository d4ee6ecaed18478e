"""Text from outside: tokens as people give them, and plain text for others to read."""

import os
import re

from referee.errors import InvalidOptions

_MAX_TOKEN_BYTES = 256

# What a token is made of: visible ASCII without quotes.
_TOKEN = frozenset(range(0x21, 0x7f)) - frozenset(b"\"'")

_MARK = b"\xef\xbb\xbf"  # of byte order, in UTF-8
_MARKS_OF_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_AROUND = b" \t\r\n\v\f"

# What plain text has none of: controls, line separators, what changes the direction of text,
# noncharacters, the byte order mark, and halves of characters.
_NOT_PLAIN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    "\ufeff" + "".join(f"{chr(plane << 16 | 0xfffe)}{chr(plane << 16 | 0xffff)}"
                       for plane in range(17)) + "]+")
_BLANKS = re.compile("[\t\n\r]")


def read_token(source: str, raw: bytes) -> str:
    """Returns the token that `source`, such as a flag, has; empty if it has nothing.

    Leaves out blanks, line ends and a byte order mark around it. Raises InvalidOptions, which names
    the source and the byte, for what is no token.
    """
    token = _without_mark(raw).strip(_AROUND)
    for at, byte in enumerate(token, 1):
        if byte not in _TOKEN:
            raise InvalidOptions(
                f"{source}: byte {at} is {_shown(byte)}, which no token has: copy the token as it "
                "was printed, all of it and nothing else")
    if len(token) > _MAX_TOKEN_BYTES:
        raise InvalidOptions(f"{source}: the token has {len(token)} bytes: 1 to {_MAX_TOKEN_BYTES} "
                             "are possible")
    return token.decode("ascii")


def read_token_file(source: str, raw: bytes) -> str:
    """Returns the token in the first line that is not blank; otherwise as `read_token`."""
    if raw.startswith(_MARKS_OF_UTF16):
        raise InvalidOptions(f"{source}: byte 1 is {_shown(raw[0])}, which no token has: it is "
                             "UTF-16; save it as UTF-8")
    token = read_token(source, _without_mark(raw).strip(_AROUND).partition(b"\n")[0])
    if not token:
        raise InvalidOptions(f"{source}: it holds no token")
    return token


def _without_mark(raw: bytes) -> bytes:
    return raw[len(_MARK):] if raw.startswith(_MARK) else raw


def _shown(byte: int) -> str:
    if byte == 0x20:
        return "a blank"
    return chr(byte) if 0x20 < byte < 0x7f else f"0x{byte:02x}"


def without_mark(text: str) -> str:
    """Returns a text without a byte order mark before it and blanks around it."""
    return (text[1:] if text.startswith("\ufeff") else text).strip(_AROUND.decode())


def is_plain(text: str) -> bool:
    """Whether a text has what names may have, and nothing else."""
    return _NOT_PLAIN.search(text) is None


def plain(text: str, most: int) -> str:
    """Returns the beginning of a text on one line as plain text, at most `most` bytes of UTF-8."""
    text = _NOT_PLAIN.sub("?", _BLANKS.sub(" ", text[:4 * most]))
    return cut(text, most)


def cut(text: str, most: int) -> str:
    """Returns the beginning of a text, at most `most` bytes of UTF-8, cut between two characters."""
    return text.encode(errors="replace")[:most].decode(errors="ignore")


def raw_bytes(text: str) -> bytes:
    """Returns the bytes of an argument, or of a variable of the environment."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
