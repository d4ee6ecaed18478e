"""referee.replay: all golden replays verify, and nothing that was changed does."""

import json
import pathlib
import random
import re
import struct
import subprocess
import sys
from typing import Any, Callable, Iterator

import pytest

from referee import features, refdice, replay, rules
from referee.replay import files, keys, records

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "tests" / "golden" / "replays"
FOLDERS = sorted(folder for folder in GOLDEN.iterdir() if folder.is_dir())


def golden(match_id: str) -> replay.Replay:
    file, = GOLDEN.glob(f"*/{match_id}*.rpl")
    return replay.open(file)


# --- Reading ---


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_golden_replay_verifies(folder: pathlib.Path) -> None:
    pytest.importorskip("cryptography")
    found = list(replay.read(folder))
    assert len(found) == len(list(folder.glob("*.rpl")))
    for one in found:
        verification = one.verify(folder / "key.ring")
        assert verification.ok, (one, verification)


def test_turns_come_with_their_positions() -> None:
    one = golden("01m81f9srwb1j30hzyvcajppbw")
    turns = list(one.turns())
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    for turn, then in zip(turns, turns[1:]):
        assert turn.after == then.position and then.dice == then.position.dice
        assert turn.position.to_move == turn.seat and turn.legal_count >= 1
    result = turns[-1].after.result
    assert result == (one.reason, one.scores, one.ranks)
    assert (one.game, one.bots, one.pinned) == ("hypnosia", ("al", "bo"), None)
    assert one.create_time < one.end_time and one.options["turn_limit"]


def test_the_referee_tells_the_same_of_a_replay(bin_dir: pathlib.Path) -> None:
    for one in (replay.open(file) for folder in FOLDERS for file in folder.glob("*.rpl")):
        file, = GOLDEN.glob(f"*/{one.match_id}.rpl")
        told = json.loads(subprocess.run(
            [bin_dir / "refctl", "replay", "export", "--format", "json", "--positions", file],
            capture_output=True, check=True, timeout=120).stdout)
        theirs = [(record["number"], record["move"], record["position"])
                  for record in told["records"] if record["kind"] == "turn"]
        assert [(turn.number, turn.move.notation, str(turn.after))
                for turn in one.turns()] == theirs
        assert told["bots"] == list(one.bots) and told["options"].keys() == one.options.keys()
        assert told["dice"].get("key") == (one.key.hex() if one.key else None)


def test_a_match_that_nobody_came_to_has_no_turns() -> None:
    cancelled = golden("01m81f9v1a8d1q34q687rb960y")
    assert cancelled.state == "CANCELLED" and cancelled.ranks == ()
    assert list(cancelled.turns()) == [] and cancelled.key is None


def test_forfeits_are_told() -> None:
    lost = golden("01m8es7x6h4eyzb42chtrgzx1z")
    assert [(forfeit.seat, bool(forfeit.detail)) for forfeit in lost.forfeits] == [(1, True)]
    assert lost.ranks == (1, 2)


# --- Packs ---


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


def test_what_is_no_replay_says_so(tmp_path: pathlib.Path) -> None:
    for name, data in (("a.rpl", b"nonsense"), ("b.pack", b"nonsense"), ("d.rpl", b"refrepl\x01"),
                       ("c.rpl", b"refrepl\x02" + bytes(200))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(replay.BadReplay, match=f"{name}: byte"):
            replay.open(tmp_path / name)
    with pytest.raises(OSError):
        replay.open(tmp_path / "missing.rpl")


# --- Frames ---


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


# --- Changes ---


def test_no_byte_can_be_changed() -> None:
    pytest.importorskip("cryptography")
    data = bytearray(next(GOLDEN.glob("4*/*.rpl")).read_bytes())
    chance = random.Random(1)
    places = [*range(16), *(chance.randrange(len(data)) for _ in range(200)), len(data) - 1]
    for place in places:
        changed = data.copy()
        changed[place] ^= 1 << chance.randrange(8)
        try:
            assert not replay.Replay(bytes(changed)).verify().ok, place
        except replay.BadReplay:
            pass
    for cut in (0, 7, 15, 100, len(data) - 1):
        with pytest.raises(replay.BadReplay):
            replay.Replay(bytes(data[:cut]))


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


TWO_STEPS, PINNED, CAPPED = (
    "01m81f9srwb1j30hzyvcajppbw", "01m81f7ea3xjx91stt0chrnexw", "01m81w1vxvme20gvb3vwfz34d3")
RESIGNED_FIRST = "01m8dfffcgdyj7hpn35ahv6net"
# A seat that was played for and then lost on time; one whose illegal moves were forgiven; no contest.
TIMED_OUT, RETRIED, VOID = (
    "01m8es7qxgbdz6e288rs0g1a58", "01m8es7k46fn1y22tekcvprmv9", "01m8es84bzgvf9cejhjcqzsjcn")
# By match and lie: what is said of it, and whether the referee says it in the same words.
LIES = [
    (TWO_STEPS, lambda r: put(r[-1].end, seed=bytes(32)), "seed: its SHA-256 is 66687aad", True),
    (PINNED, lambda r: put(r[0].opening, pinned_number=12345),
     "seed: it is not the one that the number 12345 gives", True),
    (TWO_STEPS, lambda r: r[1].start.nonces.__setitem__(0, b"mine"),
     "nonce of seat a: its SHA-256 is ", True),
    (TWO_STEPS, lambda r: put(r[2].draw, dice=[1, 1]), "setup roll of seat a in round 0: ", True),
    (TWO_STEPS, lambda r: r.pop(2), "setup roll of seat a in round 0: ", False),
    (TWO_STEPS, lambda r: put(turn(r, 3), dice=[1, 1]), "turn 3: dice 11, but the key gives ", True),
    (TWO_STEPS, lambda r: put(turn(r, 3), legal_count=3),
     "turn 3: 3 legal moves, but the rules give ", True),
    (TWO_STEPS, lambda r: put(turn(r, 3), digest=1),
     "turn 3: digest 0000000000000001, but the position after the turn has ", True),
    (TWO_STEPS, lambda r: put(turn(r, 3), move=turn(r, 5).move), "turn 3: ", False),
    (TWO_STEPS, lambda r: put(turn(r, 16), number=17), "turn 16: the record says turn 17", True),
    (TWO_STEPS, lambda r: put(turn(r, 3), seat=1 - turn(r, 3).seat), "turn 3: seat ", True),
    (TWO_STEPS, lambda r: put(r[-1].end, scores=[1, 2]), "end: the scores are 1 2, but ", True),
    (TWO_STEPS, lambda r: put(r[-1].end, ranks=[2, 1]), "end: the ranks are 2 1, but ", True),
    (TWO_STEPS, lambda r: put(r[-1].end, reason="CENTRE_FULL"), "end: the reason is ", True),
    (TWO_STEPS, lambda r: r.pop(-2), "turn 16: the match ends before the game is over", False),
    (TWO_STEPS, lambda r: timing(r, started_ns=-1), "clock: it started before", True),
    (TWO_STEPS, lambda r: timing(r, started_ns=6_000_000, read_ns=9_000_000,
                                       taken_ns=9_000_000), "limit of the handover is 5000000 ns", True),
    (TWO_STEPS, lambda r: timing(r, taken_ns=0), "taken up before it was read", True),
    (TWO_STEPS, lambda r: timing(r, paused_ns=1), "clock: it stood still for 1 ns", True),
    (TWO_STEPS, lambda r: timing(r, stalled_ns=10**15), "stalls given back", True),
    (TWO_STEPS, lambda r: timing(r, credit_ns=10**15), "network time credited", True),
    (TWO_STEPS, lambda r: put(turn(r, 1), used_ns=turn(r, 1).used_ns + 1),
     "used, but its times give", True),
    (TWO_STEPS, lambda r: turn(r, 1).ClearField("timing"),
     "nothing says where the time went", True),
    (TWO_STEPS, lambda r: put(turn(r, 1), substituted=1), "played for a time loss", True),
    (TWO_STEPS, lambda r: put(turn(r, 1), substituted=2),
     "turn 1: the referee played for a seat whose move was not illegal", True),
    (TIMED_OUT, lambda r: put(turn(r, 5), used_ns=1),
     "1 ns used, but a seat that was played for is charged its limit, 300000000 ns", True),
    (TIMED_OUT, lambda r: put(r[0].opening.on_timeout, max_strikes=2),
     "for its time after 1 of 2 strikes", True),
    (TIMED_OUT, lambda r: put(turn(r, 5), move=turn(r, 3).move), "turn 5: ", False),
    (TIMED_OUT, lambda r: put(kind(r, "forfeit"), cause=3), "but its link was not lost", True),
    (RETRIED, lambda r: put(kind(r, "fault"), used_ns=10**12), "but the limit was 300000000 ns", True),
    (RETRIED, lambda r: put(kind(r, "fault"), cause=1), "the match's time used up, but ", True),
    (VOID, lambda r: put(kind(r, "no_contest"), stall_ns=10_000_000),
     "no more than may be given back, 10000000 ns", True),
    (VOID, lambda r: put(kind(r, "no_contest"), limit_ns=1), "a limit of 1 ns, but it was ", True),
    (RESIGNED_FIRST, lambda r: put(kind(r, "forfeit"), interrupts_turn=True),
     "it was not revealed, and yet the seat was not taken out", True),
    (CAPPED, lambda r: put(kind(r, "forfeit"), cause=4),
     "the match's time was used up, but the cause is RESIGNED", True),
    (CAPPED, lambda r: r.remove(next(x for x in r if x.HasField("forfeit"))), "", False),
]


def opening(**fields: Any) -> Callable[[list[Any]], object]:
    return lambda r: put(r[0].opening, **fields)


def option(name: str, value: bytes) -> Callable[[list[Any]], object]:
    return lambda r: put(next(one for one in r[0].opening.options if one.name == name), value=value)


def policy(name: str, **fields: int) -> Callable[[list[Any]], object]:
    return lambda r: put(getattr(r[0].opening, name), **fields)


BIG_BOARD = (b'{"name": "x", "rings": [{"size": 999999999, "bridges": [{"from": 1}]}],'
             b' "lane_entries": [0, 1, 2, 3, 4, 5], "centre_places": 5}')
# By a word of what is said of it: what no referee writes, of which only the form is wrong.
FORMS = [
    ("no bank", lambda r: put(turn(r, 4), bank_left_ns=1)),
    ("ready_ns: 1 is not", opening(ready_ns=1)),
    ("per_move_ns: 9223372036854775807 is not", opening(per_move_ns=2**63 - 1)),
    ("stall_per_move_ns", opening(stall_per_move_ns=2 * 3600 * 10**9)),
    ("stalls that cannot be given back", opening(stall_per_match_ns=1)),
    ("versions before 0.9 wrote", lambda r: r[0].opening.ClearField("stall_per_match_ns")),
    ("versions before 0.9 wrote", lambda r: r[0].opening.ClearField("stall_per_move_ns")),
    ("an increment has no bank", opening(increment_ns=5)),
    ("lag_per_match_ns: 5", opening(lag_per_match_ns=5)),
    ("a move has none", opening(lag_per_move_ns=0, lag_per_match_ns=10**9)),
    ("lag_per_move_ns: -1 is not", opening(lag_per_move_ns=-1)),
    ("match id", opening(match_id="x\n<script>")),
    ("match id", opening(match_id="8" + "0" * 25)),
    ("bot 'evil", opening(bots=["evil\x1b[2J", "bo"])),
    ("bot ''", opening(bots=["", "bo"])),
    ("bot 'xxx", opening(bots=["x" * 65, "bo"])),
    ("referee", opening(referee="a\x07b")),
    ("game ''", opening(game="")),
    ("request id", opening(request_id="x" * 65)),
    ("it is a rotation, and in no block", opening(rotation=1)),
    ("block id", opening(block_id="b")),
    ("on_timeout", policy("on_timeout", max_strikes=7)),
    ("on_timeout", policy("on_timeout", action=3, max_tries=3)),
    ("on_illegal", policy("on_illegal", action=77)),
    ("on_illegal", policy("on_illegal", action=2, substitute=1)),
    ("on_illegal", policy("on_illegal", action=3, max_tries=101)),
    ("in another form", lambda r: r[0].opening.options.pop(1)),
    ("in another form", lambda r: put(r[0].opening, options=[])),
    ("turn_limit", option("turn_limit", "\u0967\u096c".encode())),
    ("turn_limit", option("turn_limit", b"016")),
    ("turn_limit", option("turn_limit", b"1_6")),
    ("turn_limit", option("turn_limit", b"9" * 5000)),
    ("stack_bridges", option("stack_bridges", b"TRUE")),
    (r"rings\[0\].size: 999999999 is not", option("board", BIG_BOARD)),
    ("0 to 4294967295", option("board", BIG_BOARD.replace(b"999999999", b"9" * 50))),
    ("board", option("board", b"\xff\xfe\x00")),
    ("seat", lambda r: put(r[0].opening, bots=["al"])),
    ("the reason of the end", lambda r: put(r[-1].end, reason="full")),
    ("nobody cancelled", lambda r: put(r[-1].end, cancelled_by="ann")),
]


@pytest.mark.parametrize("match, lie, problem, same_words", [
    *((match, lie, re.escape(problem), same_words) for match, lie, problem, same_words in LIES),
    *((PINNED, lie, problem, False) for problem, lie in FORMS)])
def test_a_lie_is_found(match: str, lie: Callable[[list[Any]], object], problem: str,
                        same_words: bool, request: Any, tmp_path: Any) -> None:
    changed = copies(golden(match))
    assert replay.Replay(signed(changed)).verify().ok
    lie(changed)
    data = signed(changed)
    turn = 0
    try:
        found = replay.Replay(data).verify()
        said, turn = found.problem, found.turn
        assert said and not found.ok
    except replay.BadReplay as error:
        said = str(error)
    assert re.search(problem, said), said
    assert said.isprintable()
    bin_dir = request.getfixturevalue("bin_dir")  # what follows needs the referee
    (tmp_path / "lie.rpl").write_bytes(data)
    ended = subprocess.run([bin_dir / "refctl", "replay", "verify", "--json", tmp_path / "lie.rpl"],
                           capture_output=True, text=True, timeout=120)
    theirs = json.loads(ended.stdout)
    assert not theirs["ok"]
    if same_words:
        assert (theirs["problem"], theirs.get("turn", 0)) == (said, turn)


@pytest.mark.parametrize("file", sorted((GOLDEN / "7-interrupted").glob("*.rpl")),
                         ids=lambda file: file.stem)
def test_an_interrupted_turn_verifies_only_if_the_replay_says_so(file: pathlib.Path) -> None:
    changed = copies(replay.open(file))
    assert replay.Replay(signed(changed)).verify().ok
    interrupts = [record.forfeit for record in changed
                  if record.HasField("forfeit") and record.forfeit.interrupts_turn]
    assert len(interrupts) == 1
    put(interrupts[0], interrupts_turn=False)
    problem = replay.Replay(signed(changed)).verify().problem
    assert "but the limit was 300000000 ns" in problem


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


def test_a_frame_holds_no_more_than_it_can() -> None:
    with pytest.raises(replay.BadReplay, match="cannot hold records"):
        files.split(b"refrepl\1" + struct.pack("<II", 6000, 60 << 20) + bytes(6000 + 96))


def test_what_is_not_in_its_one_form_is_refused() -> None:
    def in_other_form(change: Callable[[list[Any]], object]) -> None:
        changed = copies(golden(TWO_STEPS))
        change(changed)
        with pytest.raises(replay.BadReplay):
            replay.Replay(signed(changed))

    in_other_form(lambda r: r.insert(1, r[0]))
    in_other_form(lambda r: r.pop())
    in_other_form(lambda r: r.append(r[-1]))
    in_other_form(lambda r: put(turn(r, 1), seat=2))
    in_other_form(lambda r: put(turn(r, 1), dice=[7, 1]))
    in_other_form(lambda r: put(r[-1].end, ranks=[1]))
    in_other_form(lambda r: put(r[1].start, nonce_hashes=[]))
    in_other_form(lambda r: put(r[0].opening, commitment=b"short"))
    in_other_form(lambda r: r[2].MergeFromString(b"\xf8\x7f\x01"))  # an unknown field


def test_a_game_without_rules_is_verified_in_part() -> None:
    changed = copies(golden(TWO_STEPS))
    changed[0].opening.game = "chess"
    one = replay.Replay(signed(changed))
    found = one.verify()
    assert not found.problem and not found.ok
    assert len(found.unchecked) == 1 and "chess" in found.unchecked[0]
    with pytest.raises(rules.UnknownGame):
        list(one.turns())
    put(changed[-1].end, ranks=[2, 2])
    assert "0 seats rank above it" in replay.Replay(signed(changed)).verify().problem


# --- Keys ---


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


# --- What may be missing ---


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


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


def test_a_signature_that_cannot_be_checked_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "cryptography.exceptions")
    found = golden(TWO_STEPS).verify()
    assert not found.problem and not found.ok
    assert len(found.unchecked) == 1 and "python3-cryptography" in found.unchecked[0]


def test_a_dataset_names_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numpy")
    with pytest.raises(ImportError, match="python3-numpy"):
        replay.dataset(GOLDEN)


# --- Datasets ---


def test_a_dataset_has_a_row_for_each_choice() -> None:
    numpy = pytest.importorskip("numpy")
    one = golden("01m81f9sz02pmmvb7grtxkyy87")
    data = replay.dataset([one])
    turns = [turn for turn in one.turns() if turn.move.notation != "-"]
    assert len(data.move) == len(turns) > 10
    assert data.features.shape == (len(turns), features.length(one.rules))
    assert data.features.dtype == numpy.int16
    for row, turn_ in enumerate(turns):
        assert turn_.position.legal_moves()[data.move[row]] == turn_.move
        assert list(data.features[row]) == features.encode(turn_.position, turn_.seat)
        assert data.value[row] == (1 if one.ranks[turn_.seat] == 1 else -1)
        assert (data.seat[row], data.number[row]) == (turn_.seat, turn_.number)
    assert data.match_ids == [one.match_id] and not data.match.any()
    assert (data.score == numpy.array(one.scores)[data.seat]).all()


def test_a_dataset_is_of_one_game() -> None:
    pytest.importorskip("numpy")
    isaac = replay.dataset(GOLDEN, game="isaac")
    assert len(isaac.match_ids) > 3 and isaac.features.shape[1] == 119
    three = replay.dataset(GOLDEN, game="hypnosia", seats=3, bot="g")
    assert len(set(three.match_ids)) > 1 and 0 < len(three.move)
    nothing = replay.dataset(GOLDEN, game="isaac", seats=3)
    assert nothing.match_ids == [] and nothing.features.shape == (0, 0)


@pytest.fixture(autouse=True)
def in_python() -> Iterator[None]:
    """The rules in Python; the library has tests of its own."""
    rules.library.use(None)
    yield


def test_a_pinned_seed_is_the_numbers() -> None:
    one = golden(PINNED)
    assert isinstance(one.pinned, int) and refdice.pinned_seed(one.pinned) == one.seed
