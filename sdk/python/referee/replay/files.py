"""Replay files and packs as bytes: referee/replay/FORMAT.md has both."""

import ctypes
import ctypes.util
import pathlib
import re
import struct
from typing import Any, Iterator, NamedTuple

Path = str | pathlib.Path

_MAGIC, _PACK_MAGIC = b"refrepl", b"refpack"
_VERSION = 1
_HEADER, _TRAILER, _SIGNATURE = 16, 96, 64
MAX_BYTES = 67108864
# Options shrink to next to nothing; each later record has a byte that is new, and is below 1 KiB.
_OPENING_BYTES, _RECORD_BYTES_PER_BYTE = 8388608, 1024
_ID = 26  # bytes of a match id
ID = re.compile("[0-7][0-9a-hjkmnp-tv-z]{25}")  # of a match, of a block


class BadReplay(ValueError):
    """What cannot be read as a replay; says where, and what is wrong. `turn` is 0 if at none."""

    def __init__(self, why: str, turn: int = 0) -> None:
        super().__init__(why)
        self.turn = turn


def demand(holds: object, problem: str) -> None:
    """Raises BadReplay unless something holds."""
    if not holds:
        raise BadReplay(problem)


class Parts(NamedTuple):
    """The parts of a replay file, none of them judged but for their sizes."""

    signed: bytes
    """All but the signature."""
    frame: bytes
    records_size: int
    public_key: bytes
    signature: bytes


def split(data: bytes) -> Parts:
    """Cuts a replay file into its parts. Raises BadReplay."""
    demand(data[:len(_MAGIC)] == _MAGIC, "byte 0: this is not a replay file")
    cut = f"byte {len(data)}: the file is cut: it "
    demand(len(data) >= _HEADER + _TRAILER, f"{cut}ends too early")
    demand(data[7] == _VERSION,
           f"byte 7: version {data[7]}; this program knows version {_VERSION}")
    frame_size, records_size = struct.unpack_from("<II", data, 8)
    expected = _HEADER + frame_size + _TRAILER
    demand(len(data) >= expected, f"{cut}should have {expected} bytes")
    demand(len(data) == expected,
           f"byte {expected}: the file goes on after its end: it should have {expected} bytes")
    demand(max(expected, records_size) <= MAX_BYTES, f"it has more than {MAX_BYTES} bytes")
    demand(records_size <= _OPENING_BYTES + _RECORD_BYTES_PER_BYTE * frame_size,
           f"byte 12: a frame of {frame_size} bytes cannot hold records of {records_size}")
    end = _HEADER + frame_size
    return Parts(data[:-_SIGNATURE], data[_HEADER:end], records_size, data[end:end + 32],
                 data[-_SIGNATURE:])


# --- zstd ---

# The byte of a frame that describes its header, and its bit that says that a checksum ends it.
_DESCRIPTOR, _HAS_CHECKSUM = 4, 0x04


def unpack(parts: Parts) -> bytes:
    """Returns the records, each after its length. Raises BadReplay; ImportError without zstd."""
    frame, size = parts.frame, parts.records_size
    if len(frame) < 5 or not frame[_DESCRIPTOR] & _HAS_CHECKSUM:
        raise BadReplay("byte 16: the records are no zstd frame with a checksum")
    try:
        import zstandard
    except ImportError:
        records = _unpack_by_library(frame, size)
    else:
        records = _unpack_by_module(zstandard, frame, size)
    if records is None or len(records) != size:
        raise BadReplay("byte 16: the records are not one zstd frame of the size stated")
    return records


def _unpack_by_module(zstandard: Any, frame: bytes, size: int) -> bytes | None:
    try:
        if zstandard.frame_content_size(frame) != size:
            return None
        # Into memory of that size, and no further: a frame may state less than it holds.
        records: bytes = zstandard.ZstdDecompressor().decompress(frame, allow_extra_data=False)
    except zstandard.ZstdError:
        return None
    except TypeError:  # the first versions of the module pass over what follows a frame
        return _unpack_by_library(frame, size)
    return records


def _unpack_by_library(frame: bytes, size: int) -> bytes | None:
    library = _zstd_library()
    stated = ctypes.c_ulonglong(library.ZSTD_getFrameContentSize(frame, len(frame))).value
    if stated != size or library.ZSTD_findFrameCompressedSize(frame, len(frame)) != len(frame):
        return None
    records = ctypes.create_string_buffer(max(size, 1))
    unpacked = library.ZSTD_decompress(records, size, frame, len(frame))
    return None if library.ZSTD_isError(unpacked) else records.raw[:unpacked]


def _zstd_library() -> Any:
    name = ctypes.util.find_library("zstd")
    if name is None:
        raise ImportError("replays are packed with zstd, which is missing: pip install "
                          "zstandard, or apt-get install python3-zstandard")
    library = ctypes.CDLL(name)
    size, text = ctypes.c_size_t, ctypes.c_char_p
    library.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    library.ZSTD_getFrameContentSize.argtypes = [text, size]
    library.ZSTD_findFrameCompressedSize.restype = size
    library.ZSTD_findFrameCompressedSize.argtypes = [text, size]
    library.ZSTD_decompress.restype = size
    library.ZSTD_decompress.argtypes = [text, size, text, size]
    library.ZSTD_isError.argtypes = [size]
    return library


# --- Packs ---


class Entry(NamedTuple):
    """A replay in a file."""

    name: str
    """The path; of one in a pack with the match's id: "2026-11-22.0.pack:01m7..."."""
    data: bytes
    """The bytes of a replay file."""
    match_id: str = ""
    """Whose replay it must be; empty if of any match."""


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC_TABLE = _crc_table()


def crc32c(data: bytes) -> int:
    """Returns the checksum (Castagnoli)."""
    table, crc = _CRC_TABLE, 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _pack_entries(path: pathlib.Path) -> Iterator[tuple[int, str, int, int]]:
    """Yields (checksum, id, offset of the replay, bytes) of each entry that is whole."""
    with path.open("rb") as pack:
        head = pack.read(8)
        if head[:7] != _PACK_MAGIC:
            raise BadReplay(f"{path}: byte 0: this is not a pack of replays")
        if head[7:] != bytes([_VERSION]):
            raise BadReplay(f"{path}: byte 7: this program knows packs of version {_VERSION}")
        end = path.stat().st_size
        at = len(head)
        while at + 8 + _ID + 1 <= end:
            pack.seek(at)
            size, checksum = struct.unpack("<II", pack.read(8))
            if not _ID < size <= _ID + MAX_BYTES or at + 8 + size > end:
                return  # the last write of a referee that was killed, or not yet whole
            name = pack.read(_ID).decode("latin-1")
            if ID.fullmatch(name):
                yield checksum, name, at + 8 + _ID, size - _ID
            at += 8 + size


def pack(path: Path) -> Iterator[Entry]:
    """Yields the replays of a pack; of several of one match the last.

    An entry with a wrong checksum is passed over, one that has no match id, and what follows the
    last whole one, as a referee does. Raises BadReplay for a file that is no pack.
    """
    path = pathlib.Path(path)
    places: dict[str, list[tuple[int, int, int]]] = {}
    for checksum, name, offset, size in _pack_entries(path):
        places.setdefault(name, []).append((checksum, offset, size))
    with path.open("rb") as file:
        for name, found in places.items():
            for checksum, offset, size in reversed(found):
                file.seek(offset)
                data = file.read(size)
                if crc32c(name.encode("latin-1") + data) == checksum:
                    yield Entry(f"{path}:{name}", data, name)
                    break


def entries(path: Path) -> Iterator[Entry]:
    """Yields the replays of a replay file, of a pack, or of all of these below a folder, by name.

    A replay file may be anything: it is not looked at. Raises OSError and BadReplay.
    """
    path = pathlib.Path(path)
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in (".rpl", ".pack") and file.is_file():
                yield from entries(file)
    elif path.suffix == ".pack":
        yield from pack(path)
    else:
        if path.stat().st_size > MAX_BYTES:
            raise BadReplay(f"{path}: it has more than {MAX_BYTES} bytes")
        yield Entry(str(path), path.read_bytes())
