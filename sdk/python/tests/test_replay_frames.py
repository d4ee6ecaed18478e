"""referee.replay: the frame of a replay, unpacked no further than its bounds."""

import struct
import subprocess
import sys

import pytest
from replay_samples import GOLDEN, PINNED, copies, golden, length, without

from referee import replay
from referee.replay import files, records

pytestmark = pytest.mark.usefixtures("python_rules")


def without_checksum(frame: bytes) -> bytes:
    """The frame, and its descriptor, without the checksum at its end."""
    return frame[:4] + bytes([frame[4] & ~4]) + frame[5:-4]


def bomb(stated: int) -> bytes:
    """A frame of 32 MB in 1 KB that states another size, with a checksum at its end."""
    blocks = b"".join(struct.pack("<I", 131072 << 3 | 1 << 1 | (block == 255))[:3] + b"\0"
                      for block in range(256))
    return b"\x28\xb5\x2f\xfd\x84\x68" + struct.pack("<I", stated) + blocks + bytes(4)


@pytest.mark.parametrize("module", [True, False])
def test_a_frame_is_one_whole_frame(module: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if module:
        pytest.importorskip("zstandard")
    else:
        monkeypatch.setitem(sys.modules, "zstandard", None)
    parts = files.split(next(GOLDEN.glob("4*/*.rpl")).read_bytes())
    frame = parts.frame
    assert len(files.unpack(parts)) == parts.records_size
    for wrong in (frame[:-1], frame[:-2], frame[:-3], frame[:-4], frame[:-5], frame + b"x",
                  frame + frame, frame + b"\x50\x2a\x4d\x18\0\0\0\0", frame[:-1] + b"\0", b"",
                  frame[:4], without_checksum(frame)):
        with pytest.raises(replay.BadReplay, match="zstd frame"):
            files.unpack(parts._replace(frame=wrong))
    with pytest.raises(replay.BadReplay, match="zstd frame"):
        files.unpack(parts._replace(records_size=parts.records_size + 1))


@pytest.mark.parametrize("module", ["zstandard", "ctypes"])
def test_a_frame_is_unpacked_no_further_than_it_states(module: str) -> None:
    program = f"""
import resource, sys
from referee import replay
from referee.replay import files
sys.modules["zstandard"] = None if {module != "zstandard"} else __import__("zstandard")
frame = sys.stdin.buffer.read()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    files.unpack(files.Parts(b"", frame, 1000, b"", b""))
except replay.BadReplay:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    if module == "zstandard":
        pytest.importorskip("zstandard")
    ended = subprocess.run([sys.executable, "-c", program], input=bomb(1000), capture_output=True,
                           timeout=120, check=True)
    assert int(ended.stdout) < 16 * 1024  # KB


def test_the_systems_zstd_does_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("zstandard")
    file = next(GOLDEN.glob("4*/*.rpl"))
    parts = files.split(file.read_bytes())
    with_module = files.unpack(parts)
    without(monkeypatch, "zstandard")
    assert files.unpack(parts) == with_module
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)
    with pytest.raises(ImportError, match="python3-zstandard"):
        replay.open(file)


def test_a_frame_holds_no_more_than_it_can() -> None:
    with pytest.raises(replay.BadReplay, match="cannot hold records"):
        files.split(b"refrepl\1" + struct.pack("<II", 6000, 60 << 20) + bytes(6000 + 96))


def test_a_frame_holds_fewer_records_than_bytes_but_for_draws() -> None:
    parts = copies(golden(PINNED))
    at = next(i for i, part in enumerate(parts) if part.WhichOneof("kind") == "turn")
    fault = records.Record()
    fault.fault.cause = records.ILLEGAL
    flood = []
    for number in range(1, 41):  # as many faults as one turn may have, again and again
        turn = records.Record()
        turn.CopyFrom(parts[at])
        turn.turn.number = number
        flood += [turn, *[fault] * 1000]
    bodies = [part.SerializeToString(deterministic=True) for part in [*parts[:at], *flood]]
    data = b"".join(length(len(body)) + body for body in bodies)
    with pytest.raises(replay.BadReplay, match="record 11001 .* cannot hold so many records"):
        records.read(data, 1000)


def test_a_flood_of_restarts_is_refused_before_it_is_read() -> None:
    changed = copies(golden(PINNED))
    resumed = records.Record()
    resumed.resumed.SetInParent()
    opening, *rest = (length(record.ByteSize()) + record.SerializeToString(deterministic=True)
                      for record in changed)
    restart = length(resumed.ByteSize()) + resumed.SerializeToString()
    flood = opening + restart * 100_000
    assert len(records.read(flood + b"".join(rest), 1 << 20)) == len(changed) + 100_000
    with pytest.raises(replay.BadReplay, match="record 100002 .* more than 100000 restarts"):
        records.read(flood + restart + b"no record", 1 << 20)


@pytest.mark.parametrize("kind, count, problem", [
    ("draw", 10_000, "more than 10000 draws"), ("turn", 1, "does not follow turn 1"),
    ("fault", 1_001, "more than 1000 faults in the turn"), ("forfeit", 3, "more forfeits than seats"),
])
def test_a_flood_of_equal_records_is_refused(kind: str, count: int, problem: str) -> None:
    parts = copies(golden(PINNED))
    flood = records.Record()
    getattr(flood, kind).SetInParent()
    if kind in ("fault", "forfeit"):
        getattr(flood, kind).cause = records.ILLEGAL
    at = next((i for i, part in enumerate(parts) if part.WhichOneof("kind") == kind), 2)
    if parts[at].WhichOneof("kind") == kind:
        flood = parts[at]
    parts[at:at] = [flood] * count
    bodies = [part.SerializeToString(deterministic=True) for part in parts]
    with pytest.raises(replay.BadReplay, match=problem):
        records.read(b"".join(length(len(body)) + body for body in bodies), 1 << 20)
