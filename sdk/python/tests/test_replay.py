"""referee.replay: what it reads of replays, and what it says of files that are none."""

import json
import pathlib
import subprocess

import pytest
from replay_samples import FOLDERS, GOLDEN, PINNED, golden

from referee import refdice, replay

pytestmark = pytest.mark.usefixtures("python_rules")


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


def test_a_pinned_seed_is_the_numbers() -> None:
    one = golden(PINNED)
    assert isinstance(one.pinned, int) and refdice.pinned_seed(one.pinned) == one.seed


def test_what_is_no_replay_says_so(tmp_path: pathlib.Path) -> None:
    for name, data in (("a.rpl", b"nonsense"), ("b.pack", b"nonsense"), ("d.rpl", b"refrepl\x01"),
                       ("c.rpl", b"refrepl\x02" + bytes(200))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(replay.BadReplay, match=f"{name}: byte"):
            replay.open(tmp_path / name)
    with pytest.raises(OSError):
        replay.open(tmp_path / "missing.rpl")
