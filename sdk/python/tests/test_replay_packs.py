"""referee.replay: packs, and the entries of them that it passes over."""

import pathlib
import struct

import pytest
from replay_samples import FOLDERS

from referee import replay
from referee.replay import files

pytestmark = pytest.mark.usefixtures("python_rules")


def entry_of(file: pathlib.Path) -> bytes:
    body = file.stem.encode() + file.read_bytes()
    return struct.pack("<II", len(body), files.crc32c(body)) + body


@pytest.fixture
def pack(tmp_path: pathlib.Path) -> pathlib.Path:
    """A pack of the first golden folder, with one replay twice."""
    path = tmp_path / "2026-11-22.0.pack"
    some = sorted(FOLDERS[0].glob("*.rpl"))
    path.write_bytes(b"refpack\x01" + b"".join(map(entry_of, some + some[:1])))
    return path


def test_the_checksum_is_castagnolis() -> None:
    assert files.crc32c(b"123456789") == 0xE3069283


def test_a_pack_yields_each_match_once(pack: pathlib.Path) -> None:
    found = list(replay.read(pack))
    assert sorted(one.match_id for one in found) == sorted(
        file.stem for file in FOLDERS[0].glob("*.rpl"))
    assert found[0].name == f"{pack}:{found[0].match_id}"
    assert len(list(replay.read(pack.parent))) == len(found)


def test_the_beginning_of_an_entry_at_the_end_of_a_pack_is_passed_over(pack: pathlib.Path) -> None:
    whole = len(list(replay.read(pack)))
    data = pack.read_bytes()
    pack.write_bytes(data + entry_of(next(FOLDERS[1].glob("*.rpl")))[:-1])
    assert len(list(replay.read(pack))) == whole
    pack.write_bytes(data + bytes(100))
    assert len(list(replay.read(pack))) == whole


def test_an_entry_that_is_damaged_is_passed_over(pack: pathlib.Path) -> None:
    data = bytearray(pack.read_bytes())
    second = 8 + len(entry_of(sorted(FOLDERS[0].glob("*.rpl"))[0]))
    data[second + 200] ^= 1
    pack.write_bytes(data)
    assert len(list(replay.read(pack))) == len(list(FOLDERS[0].glob("*.rpl"))) - 1


def test_of_several_entries_of_a_match_the_last_good_one_counts(pack: pathlib.Path) -> None:
    whole = len(list(replay.read(pack)))
    data = bytearray(pack.read_bytes())
    data[-1] ^= 1  # of the replay that is there twice
    pack.write_bytes(data)
    assert len(list(replay.read(pack))) == whole


def test_an_entry_that_has_no_match_id_is_passed_over(pack: pathlib.Path) -> None:
    whole = len(list(replay.read(pack)))
    file = next(FOLDERS[1].glob("*.rpl"))
    for wrong in (b"\xff" + file.stem.encode()[1:], b"8" * 26, b"../" * 8 + b"..", b"0" * 25 + b"\n"):
        body = wrong + file.read_bytes()
        pack.write_bytes(pack.read_bytes() + struct.pack("<II", len(body), files.crc32c(body)) + body)
    assert len(list(replay.read(pack))) == whole


def test_an_entry_holds_the_match_that_it_names(pack: pathlib.Path) -> None:
    file = next(FOLDERS[1].glob("*.rpl"))
    body = b"0" * 26 + file.read_bytes()
    pack.write_bytes(b"refpack\x01" + struct.pack("<II", len(body), files.crc32c(body)) + body)
    with pytest.raises(replay.BadReplay, match=f"{'0' * 26}: it is a replay of another match, "):
        list(replay.read(pack))
