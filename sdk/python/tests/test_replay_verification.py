"""Replay.verify: all golden replays verify, and nothing that was changed does."""

import json
import pathlib
import random
import re
import subprocess
from typing import Any, Callable

import pytest
from replay_samples import (
    CAPPED, FOLDERS, GOLDEN, PINNED, RESIGNED_FIRST, RETRIED, TIMED_OUT, TWO_STEPS, VOID, copies,
    golden, kind, put, signed, timing, turn)

from referee import replay, rules

pytestmark = pytest.mark.usefixtures("python_rules")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_golden_replay_verifies(folder: pathlib.Path) -> None:
    pytest.importorskip("cryptography")
    found = list(replay.read(folder))
    assert len(found) == len(list(folder.glob("*.rpl")))
    for one in found:
        verification = one.verify(folder / "key.ring")
        assert verification.ok, (one, verification)


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
