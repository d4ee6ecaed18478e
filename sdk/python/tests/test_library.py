"""The library of the rules answers as the rules in Python do, also where no vector asks."""

import copy
import os
import pathlib
import pickle
import shutil
import subprocess
import sys
import threading
from typing import Any, Iterator

import pytest

import referee
from referee import rules
from referee.rules import library

LIBRARY = os.environ.get(library.VARIABLE, "")
CASES = [("hypnosia", 2, {}), ("hypnosia", 5, {"stack_bridges": "false", "turn_limit": "60"}),
         ("isaac", 2, {}), ("isaac", 2, {"counter_advance": "EXACT", "first_player": "SEAT_B"})]


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    yield
    library.use(None)


def both(name: str, seats: int, options: Any) -> list[rules.Game]:
    """The game by the rules in Python, and by the library."""
    if not LIBRARY:
        pytest.skip(f"{library.VARIABLE} does not name the library")
    library.use(None)
    in_python = rules.make_game(name, seats, options)
    library.use(LIBRARY)
    return [in_python, rules.make_game(name, seats, options)]


def state_of(position: rules.Position) -> Any:
    """All that a position says of itself."""
    names = [name for name in dir(rules.Position) if not name.startswith("_")]
    names += ["turns", "first", "cells", "lanes", "rings", "centre", "points", "forfeits", "pieces",
              "unplayed", "floors", "out", "scoring", "covered"]
    told = {name: getattr(position, name, None) for name in names}
    return str(position), {name: value for name, value in told.items() if not callable(value)}


@pytest.mark.parametrize("case", CASES)
def test_random_matches_go_the_same_way(case: Any) -> None:
    one, other = (game.start() for game in both(*case))
    for step in range(100_000):
        assert state_of(one) == state_of(other)
        assert type(one) is not type(other) and isinstance(other, type(one))
        if one.over:
            break
        chance = one.chance
        if chance is not None:
            numbers = [(step * 7 + i * 3) % chance.sides for i in range(chance.numbers)]
            one, other = one.drawn(numbers), other.drawn(numbers)
            continue
        legal = one.legal_moves()
        assert legal == other.legal_moves()
        for move, theirs in zip(legal, other.legal_moves()):
            for name in ("steps", "length", "vertical", "cell", "advance", "captured"):
                assert getattr(move, name, None) == getattr(theirs, name, None)
        move = legal[step * 31 % len(legal)]
        one, other = one.play(move), other.play(move)
    assert one.over


@pytest.mark.parametrize("case", CASES)
def test_playouts_are_the_same(case: Any) -> None:
    one, other = (game.start() for game in both(*case))
    assert one.playouts(4, 11) == other.playouts(4, 11)
    assert other.playouts(4, -1).ranks[1:] == other.playouts(3, 0).ranks
    assert other.playouts(0) == (0, [], [])


# As a program finds it that has no gRPC, no protobuf and nothing installed.
BARE = """
import importlib.abc, logging, sys

class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("google", "grpc"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nothing())
import referee.rules, referee.env
"""


def bare(program: str, variable: str) -> Any:
    package = pathlib.Path(rules.__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", BARE + program], capture_output=True, text=True, cwd="/",
        env={"PYTHONPATH": str(package), library.VARIABLE: variable, "PATH": "/usr/bin:/bin"})


def test_rules_and_training_need_no_grpc() -> None:
    ended = bare("""
game = referee.rules.make_game("isaac", 2)
print(len(game.start().drawn([0]).legal_moves()) > 10, referee.Move("-").notation)
print(referee.env.load_game("hypnosia").num_players(), "grpc" in sys.modules)
try:
    referee.Bot
except ImportError as error:
    print(error)
try:
    referee.Bat
except AttributeError as error:
    print(error)
""", "none")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == (
        "True -\n2 False\n"
        "referee.Bot needs protobuf and gRPC: pip install grpcio protobuf, or apt-get install "
        "python3-grpcio python3-protobuf (No module named 'google')\n"
        "module 'referee' has no attribute 'Bat'\n")
    assert ended.stderr == ""


def test_all_names_of_the_package_are_there() -> None:
    for name in referee.__all__:
        assert getattr(referee, name) is not None
        assert name in dir(referee)


def test_one_line_says_that_the_slow_rules_are_taken() -> None:
    ask = "print(referee.rules.backend, referee.rules.backend)\nreferee.rules.make_game('isaac', 2)"
    if pathlib.Path(library.__file__).with_name(library.NAME).exists():
        pytest.skip("the library is beside the rules")
    ended = bare(ask, "")
    if ended.stdout == "native native\n":
        pytest.skip("the system has the library")
    assert ended.stdout == "python python\n"
    assert ended.stderr.count("\n") == 1
    assert "the rules are done in Python, many times slower than by the library" in ended.stderr
    asked_for = bare(ask, "none")
    assert (asked_for.stdout, asked_for.stderr) == ("python python\n", "")


def test_the_backend_is_named() -> None:
    if not LIBRARY:
        pytest.skip(f"{library.VARIABLE} does not name the library")
    library.use(LIBRARY)
    assert rules.backend == "native"
    library.use(None)
    assert rules.backend == "python"
    ended = bare("print(referee.rules.backend)", LIBRARY)
    assert (ended.stdout, ended.stderr) == ("native\n", "")


def test_a_position_outlives_what_comes_of_it() -> None:
    _, game = both("hypnosia", 2, {})
    position = game.position(POSITION)
    text = str(position)
    for move in position.legal_moves():
        position.play(move)
    del game
    assert str(position) == text and len(position.legal_moves()) == len(position.legal_moves())


POSITION = "36/24/12 1111,1111 - 0,0 - a 54"
LEGAL = "5:L2>A3 4:A3>B3"


@pytest.mark.parametrize("error, ask", [
    (rules.BadMove, lambda position: position.play("nonsense")),
    (rules.IllegalMove, lambda position: position.play("6:L1>A5")),
    (rules.IllegalMove, lambda position: position.play("5:L2>A3x 4:A3>B3")),
    (rules.RulesError, lambda position: position.play(f"{LEGAL}\0")),
    (rules.IllegalMove, lambda position: position.play(rules.Move(f"{LEGAL}\0"))),
    *((rules.RulesError, lambda position, dice=dice: position.with_dice(dice))
      for dice in ([7, 1], [1], [0, 1], [2**32 + 1, 2])),
    (rules.RulesError, lambda position: position.drawn([1, 1])),
    *((rules.RulesError, lambda position, wrong=wrong: position.game.start().drawn(wrong))
      for wrong in ([2**32, 0], [-1, 0], [0, 6], [0], [0, 0, 0])),
    *((rules.RulesError, lambda position, seat=seat: position.forfeit(seat))
      for seat in (2, -1, 2**32)),
    (rules.RulesError, lambda position: position.game.start().legal_moves()),
    (rules.RulesError, lambda position: position.play(LEGAL).forfeit(0)),
    (AttributeError, lambda position: position.no_such_thing),
    (rules.BadPosition, lambda position: position.game.position(f"{POSITION}\0"))])
def test_what_is_refused_is_refused_alike_and_not_cut(error: Any, ask: Any) -> None:
    for game in both("hypnosia", 2, {}):
        with pytest.raises(error):
            ask(game.position(POSITION))
        with pytest.raises(rules.BadPosition) as refused:
            game.position(f"{POSITION[:-1]}\u20ac")
        assert refused.value.field == "dice"


@pytest.mark.parametrize("case", CASES)
def test_a_position_that_was_copied_or_pickled_goes_on_as_the_same(case: Any) -> None:
    for game in both(*case):
        position: rules.Position = game.start()
        for step in range(40):
            again = pickle.loads(pickle.dumps(position))
            assert state_of(again) == state_of(position)
            assert copy.copy(position) is position is copy.deepcopy(position)
            chance = position.chance
            if chance is not None:
                position = position.drawn([(step + i) % chance.sides for i in range(chance.numbers)])
            elif not position.over:
                position = position.play(position.legal_moves()[0])
        ended = position.forfeit(0) if position.chance is None and not position.over else position
        assert state_of(pickle.loads(pickle.dumps(ended))) == state_of(ended)


def test_a_position_that_was_read_is_pickled_with_what_came_of_it() -> None:
    for game in both("hypnosia", 2, {}):
        position = game.position(POSITION).with_dice([6, 1])
        position = position.play(position.legal_moves()[0])
        again = pickle.loads(pickle.dumps(position))
        assert state_of(again) == state_of(position) and again.chance == position.chance


def test_options_that_are_none_are_an_unknown_game() -> None:
    for game, wrong in (
            ("isaac", {"position": "nonsense"}), ("hypnosia", {"turn_limit": "0"}),
            ("hypnosia", {"turn_limit": "016"}), ("hypnosia", {"turn_limit": "9" * 5000}),
            ("hypnosia", {"turn_limit": "\u0661"}), ("hypnosia", {"position": "nonsense"}),
            ("hypnosia", {"stack_bridges": "TRUE"}), ("hypnosia", {"turn_limit": "5\0"})):
        for path in (None, LIBRARY) if LIBRARY else (None,):
            library.use(path)
            with pytest.raises(rules.UnknownGame):
                rules.make_game(game, 2, wrong)


def test_threads_share_a_position() -> None:
    _, game = both("hypnosia", 2, {})
    position = game.position(POSITION)
    wanted = position.playouts(20, 1)
    found: list[Any] = []

    def work() -> None:
        for _ in range(20):
            position.legal_moves()
            found.append(position.playouts(20, 1) == wanted)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 80


def test_a_file_that_is_no_such_library_is_named(tmp_path: pathlib.Path) -> None:
    wrong = tmp_path / "librefereerules.so"
    wrong.write_text("not a library")
    with pytest.raises(library.WrongLibrary, match="librefereerules.so"):
        library.use(str(wrong))
    with pytest.raises(library.WrongLibrary, match="referee_rules_abi"):
        library.use("libc.so.6")


@pytest.mark.skipif(not LIBRARY or not shutil.which("nm"), reason="no library, or no nm")
def test_no_other_names_leave_the_library() -> None:
    names = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True,
                           check=True).stdout.split()[2::3]
    assert "referee_state_play" in names
    assert all(name.startswith("referee_") for name in names)
