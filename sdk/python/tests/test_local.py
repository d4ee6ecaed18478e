"""referee.play: whole matches in this process are those that a referee would have played."""

import asyncio
import json
import logging
import pathlib
import subprocess
import sys
from typing import Any, Iterator

import pytest
from transcripts import Transcript, transcripts

import referee
from referee import rules


class Scripted(referee.Bot):
    """Plays the moves that it was given, and keeps what it was told."""

    def __init__(self, moves: Iterator[str]) -> None:
        self.moves = moves
        self.told: list[Any] = []

    def choose_turn(self, turn: referee.Turn) -> str:
        return next(self.moves)

    def on_turn_played(self, match: referee.Match, played: referee.TurnPlayed) -> None:
        self.told.append((played.turn, played.seat, played.notation, str(played.move)))

    def on_dice_mismatch(self, match: referee.Match, problem: str) -> None:
        raise AssertionError(problem)


class Chancy(referee.Bot):
    """Plays by its own chance."""

    def choose_turn(self, turn: referee.Turn) -> rules.Move:
        return turn.rng.choice(turn.moves)


def scripted(golden: Transcript) -> list[Scripted]:
    moves: list[list[str]] = [[] for _ in range(golden.seats)]
    for line in golden.lines:
        if line.move != "-":
            moves[line.seat].append(line.move)
    return [Scripted(iter(own)) for own in moves]


@pytest.mark.parametrize("pattern", ["hypnosia-2-seats.transcript", "hypnosia-6*", "isaac-*",
                                     "hypnosia-turn-limit*"])
def test_a_match_of_a_seed_is_the_referees_match_of_that_seed(pattern: str) -> None:
    for golden in transcripts(pattern):
        played = referee.play(scripted(golden), golden.game, golden.seed, golden.options)
        assert [(turn.seat, turn.dice, turn.notation, turn.legal_count, turn.digest)
                for turn in played.turns] == golden.lines
        assert tuple(played.result) == golden.end


def test_every_bot_hears_of_the_turns_of_others_and_of_its_own_passes() -> None:
    golden = next(golden for golden in transcripts("isaac-*")
                  if any(line.move == "-" for line in golden.lines))
    bots = scripted(golden)
    referee.play(bots, golden.game, golden.seed, golden.options)
    for seat, bot in enumerate(bots):
        assert bot.told == [(number, line.seat, line.move, line.move)
                            for number, line in enumerate(golden.lines, 1)
                            if line.seat != seat or line.move == "-"]


@pytest.mark.parametrize("answer", ["", "7h99", "5:L2>A3"])
def test_an_illegal_move_costs_the_seat(answer: str) -> None:
    played = referee.play([Scripted(iter([answer] * 99)), Chancy()], "isaac", 3)
    assert played.result == ("LAST_SEAT", (0, 0), (2, 1))
    forfeit, = played.forfeits
    assert (forfeit.seat, forfeit.cause) == (0, "ILLEGAL")
    assert forfeit.turn == len(played.turns) + 1
    assert forfeit.detail


class Raises(Chancy):
    """Raises in one of its methods."""

    def __init__(self, where: str) -> None:
        def fail(*_: Any) -> None:
            raise ZeroDivisionError("on purpose")

        setattr(self, where, fail)


@pytest.mark.parametrize("where", ["choose_turn", "on_match_start", "for_match"])
def test_an_exception_resigns_the_match(where: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        played = referee.play([Chancy(), Chancy(), Raises(where)], "hypnosia", 4)
    assert [(forfeit.seat, forfeit.cause) for forfeit in played.forfeits] == [(2, "RESIGNED")]
    assert played.result.ranks[2] == 3 and len(played.turns) > 20
    assert f"{where} raised an exception" in caplog.text and "on purpose" in caplog.text


def test_a_seat_may_forfeit_in_the_turn_of_another() -> None:
    class Late(Chancy):
        def on_turn_played(self, match: referee.Match, played: referee.TurnPlayed) -> None:
            if played.turn > 10:
                raise ZeroDivisionError

    played = referee.play([Late(), Chancy()], "hypnosia", 5)
    assert played.result.reason == "LAST_SEAT" and played.result.ranks == (2, 1)


def test_strict_lets_faults_out() -> None:
    with pytest.raises(ZeroDivisionError):
        referee.play([Chancy(), Raises("choose_turn")], "isaac", strict=True)
    with pytest.raises(rules.RulesError):
        referee.play([Chancy(), Scripted(iter(["nonsense"]))], "isaac", strict=True)


def test_a_coroutine_plays_too() -> None:
    class Async(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> rules.Move | str:
            return turn.rng.choice(turn.moves)

    one = referee.play([Async(), Chancy()], "isaac", 6)
    assert one.result == referee.play([Chancy(), Chancy()], "isaac", 6).result


def test_the_bot_is_called_where_the_caller_is() -> None:
    class Looks(Chancy):
        def choose_turn(self, turn: referee.Turn) -> rules.Move:
            frame: Any = sys._getframe()
            while frame.f_code.co_name != "test_the_bot_is_called_where_the_caller_is":
                frame = frame.f_back  # None, and an error, on any other thread
            return turn.rng.choice(turn.moves)

    assert not referee.play([Looks(), Looks()], "isaac", strict=True).forfeits


@pytest.mark.parametrize("arguments, error", [
    (([Chancy()] * 3, "isaac"), rules.UnknownGame), (([Chancy()] * 2, "chess"), rules.UnknownGame),
    (([Chancy()] * 2, "isaac", b"short"), ValueError),
    (([Chancy()] * 2, "isaac", -1), ValueError), (([Chancy()] * 2, "isaac", 2**64), ValueError)])
def test_what_does_not_fit_is_refused(arguments: Any, error: Any) -> None:
    with pytest.raises(error):
        referee.play(*arguments)


@pytest.mark.parametrize("wrong", [
    {"limit": float("inf")}, {"limit": float("nan")}, {"limit": -1.0}, {"limit": 1e9},
    {"names": ["", ""]}, {"names": ["a", "x" * 65]}, {"names": []}])
def test_names_and_limits_that_do_not_fit_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="name|limit"):
        referee.play([Chancy(), Chancy()], "isaac", **wrong)


@pytest.mark.filterwarnings("error")
def test_an_async_bot_is_refused_inside_of_a_coroutine() -> None:
    class Async(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> rules.Move | str:
            return turn.rng.choice(turn.moves)

    async def inside() -> None:
        referee.play([Async(), Chancy()], "isaac")

    with pytest.raises(RuntimeError, match="outside of coroutines"):
        asyncio.run(inside())


@pytest.mark.parametrize("game", ["hypnosia", "isaac"])
def test_the_same_bots_play_the_same_match_on_the_wire(
        bin_dir: pathlib.Path, tmp_path: Any, game: str) -> None:
    ended = subprocess.run(
        [bin_dir / "refctl", "duel", "--game", game, "--matches", "2", "--seed", "8", "--quiet",
         "--replay-dir", tmp_path, "--bot", f"ann={bin_dir}/bots/random",
         "--bot", f"bob={bin_dir}/bots/random"], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 0, ended.stderr
    files = sorted(tmp_path.rglob("*.rpl"))
    exported = subprocess.run([bin_dir / "refctl", "replay", "export", "--format", "jsonl", *files],
                              capture_output=True, text=True, check=True, timeout=30).stdout
    assert len(files) == 2
    for line in exported.splitlines():
        match = json.loads(line)
        played = referee.play([Chancy(), Chancy()], game, bytes.fromhex(match["dice"]["seed"]),
                              names=match["bots"])
        theirs = [record for record in match["records"] if record["kind"] == "turn"]
        assert [turn.notation for turn in played.turns] == [turn["move"] for turn in theirs]
