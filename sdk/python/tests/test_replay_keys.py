"""referee.replay: the keys that may sign a replay."""

import pathlib

import pytest
from replay_samples import GOLDEN, TWO_STEPS, golden, without

from referee import replay
from referee.replay import files, keys

pytestmark = pytest.mark.usefixtures("python_rules")


def test_only_a_key_of_the_ring_may_sign() -> None:
    pytest.importorskip("cryptography")
    one = golden(TWO_STEPS)
    key = one.public_key.hex()
    assert one.verify(replay.KeyRing(f"# ours\n{key}\n")).ok
    assert one.verify(replay.KeyRing(f"{key} - 2099-01-01T00:00:00Z")).ok
    late = one.verify(replay.KeyRing(f"{key} - 2020-01-01T00:00:00.5Z"))
    assert "by the former key" in late.problem
    assert "not this referee's" in one.verify(replay.KeyRing("ab" * 32)).problem
    for wrong in ("", "abc", f"{key} yesterday", f"{key}\n{key}", f"{key} - - -"):
        with pytest.raises(ValueError):
            replay.KeyRing(wrong)


SMALL_ORDER = [
    "00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f"]


@pytest.mark.parametrize("point", SMALL_ORDER)
@pytest.mark.parametrize("sign", [0, 0x80])
def test_a_key_of_small_order_signs_nothing(
        point: str, sign: int, monkeypatch: pytest.MonkeyPatch) -> None:
    weak = bytearray.fromhex(point)
    weak[31] |= sign
    parts = files.split(next(GOLDEN.glob("4*/*.rpl")).read_bytes())
    # Whatever a library says of such a signature: some say that it is right.
    monkeypatch.setattr(keys, "_is_signed", lambda parts: True)
    assert keys.signature_problem(parts) == ""
    assert keys.signature_problem(parts._replace(public_key=bytes(weak))) == keys.WRONG
    signature = bytes(weak) + parts.signature[32:]
    assert keys.signature_problem(parts._replace(signature=signature)) == keys.WRONG


def test_a_key_without_a_secret_signs_nothing() -> None:
    pytest.importorskip("cryptography")
    data = next(GOLDEN.glob("4*/*.rpl")).read_bytes()[:-96]
    identity = b"\x01" + bytes(31)  # as key and as R; s is 0: right for any text
    assert not replay.Replay(data + identity + identity + bytes(32)).verify().ok


def test_a_ring_has_times_of_any_zone_and_lines_of_one_kind(tmp_path: pathlib.Path) -> None:
    key = "ab" * 32
    one, = replay.KeyRing(f"{key} 2026-01-01T00:00:00+05:30 2026-01-02T00:00:00.25-00:30").keys
    assert one.since is not None and one.until is not None
    assert one.since.timestamp() == 1767205800 and one.until.timestamp() == 1767313800.25
    for wrong in (f"{key}\n{key.upper()}\n", f"{key}\r{'cd' * 32}", f"{key}\u2028{'cd' * 32}",
                  f"{key} \u0662026-01-01T00:00:00Z", f"{key} 2026-01-01T00:00:00"):
        (tmp_path / "key.ring").write_bytes(wrong.encode())
        with pytest.raises(ValueError):
            replay.KeyRing.read(tmp_path / "key.ring")
    (tmp_path / "key.ring").write_bytes(f"# \u2028 \r x\r\n{key}\r\n".encode())
    assert len(replay.KeyRing.read(tmp_path / "key.ring").keys) == 1


def test_a_signature_that_cannot_be_checked_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "cryptography.exceptions")
    found = golden(TWO_STEPS).verify()
    assert not found.problem and not found.ok
    assert len(found.unchecked) == 1 and "python3-cryptography" in found.unchecked[0]
