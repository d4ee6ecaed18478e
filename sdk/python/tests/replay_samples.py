"""What tests of replays share: golden ones, and others that somebody changed and signed."""

import pathlib
import struct
import sys
from typing import Any

import pytest

from referee import replay
from referee.replay import records

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "tests" / "golden" / "replays"
FOLDERS = sorted(folder for folder in GOLDEN.iterdir() if folder.is_dir())

TWO_STEPS, PINNED, CAPPED = (
    "01m81f9srwb1j30hzyvcajppbw", "01m81f7ea3xjx91stt0chrnexw", "01m81w1vxvme20gvb3vwfz34d3")
RESIGNED_FIRST = "01m8dfffcgdyj7hpn35ahv6net"
# A seat that was played for and then lost on time; one whose illegal moves were forgiven; no contest.
TIMED_OUT, RETRIED, VOID = (
    "01m8es7qxgbdz6e288rs0g1a58", "01m8es7k46fn1y22tekcvprmv9", "01m8es84bzgvf9cejhjcqzsjcn")


def golden(match_id: str) -> replay.Replay:
    file, = GOLDEN.glob(f"*/{match_id}*.rpl")
    return replay.open(file)


def length(size: int) -> bytes:
    return bytes([size]) if size < 128 else bytes([size & 127 | 128]) + length(size >> 7)


def signed(changed: list[Any]) -> bytes:
    """A replay file of these records, signed by somebody."""
    zstandard = pytest.importorskip("zstandard")
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    body = b""
    for record in changed:
        data = record.SerializeToString(deterministic=True)
        body += length(len(data)) + data
    frame = zstandard.ZstdCompressor(write_checksum=True).compress(body)
    key = ed25519.Ed25519PrivateKey.from_private_bytes(bytes([1] * 32))
    public = key.public_key().public_bytes(serialization.Encoding.Raw,
                                           serialization.PublicFormat.Raw)
    text = b"refrepl\x01" + struct.pack("<II", len(frame), len(body)) + frame + public
    return text + bytes(key.sign(text))


def copies(one: replay.Replay) -> list[Any]:
    found = []
    for record in one.records:
        found.append(records.Record())
        found[-1].CopyFrom(record)
    return found


def turn(all_records: list[Any], number: int) -> Any:
    return next(record.turn for record in all_records if record.turn.number == number)


def kind(all_records: list[Any], name: str) -> Any:
    return getattr(next(record for record in all_records if record.HasField(name)), name)


def put(message: Any, **fields: Any) -> None:
    for name, value in fields.items():
        if isinstance(value, (list, tuple)):
            del getattr(message, name)[:]
            getattr(message, name).extend(value)
        else:
            setattr(message, name, value)


def timing(all_records: list[Any], **fields: Any) -> None:
    put(next(record for record in all_records if record.turn.HasField("timing")).turn.timing,
        **fields)


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)
