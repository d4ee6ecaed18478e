"""The rules agree with every conformance vector (tests/golden/vectors), and with perft."""

import hashlib
import json
import os
import pathlib
import re
import shlex
from typing import Any, Iterator

import pytest

from referee import refdice, rules
from referee.rules import library
from referee.rules.hypnosia import HypnosiaPosition
from referee.rules.isaac import IsaacPosition

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "tests" / "golden"

# The library in C++, if the caller has named it.
LIBRARY = os.environ.get(library.VARIABLE)


def vectors(file: str, kind: str) -> list[dict[str, Any]]:
    lines = (GOLDEN / "vectors" / file).read_text("utf-8").splitlines()
    found = [vector for vector in map(json.loads, lines) if vector["kind"] == kind]
    assert found, f"{file} has no {kind}"
    return found


_GAMES: dict[str, rules.Game] = {}


@pytest.fixture(autouse=True, params=["python", "library"])
def backend(request: pytest.FixtureRequest) -> Iterator[None]:
    """Everything holds of the rules in Python, and of the library."""
    if request.param == "python":
        library.use(None)
    elif LIBRARY is None:
        pytest.skip(f"{library.VARIABLE} does not name the library")
    else:
        library.use(LIBRARY)
    _GAMES.clear()
    yield
    library.use(None)


def game_of(vector: dict[str, Any]) -> rules.Game:
    key = json.dumps([vector["game"], vector["seats"], vector["options"]])
    if key not in _GAMES:
        _GAMES[key] = rules.make_game(vector["game"], vector["seats"], vector["options"])
    return _GAMES[key]


def digest(position: rules.Position) -> str:
    return hashlib.sha256(str(position).encode()).hexdigest()[:16]


def end_of(position: rules.Position) -> dict[str, Any]:
    result = position.result
    assert result is not None
    return {"reason": result.reason, "scores": list(result.scores), "ranks": list(result.ranks)}


def with_roll(position: rules.Position, vector: dict[str, Any]) -> rules.Position:
    if "roll" in vector:
        assert position.chance is not None
        return position.with_dice(vector["roll"])
    assert position.chance is None
    return position


# --- Dice ---


def test_keys_follow_from_seeds_and_nonces() -> None:
    for vector in vectors("dice.jsonl", "key"):
        seed = bytes.fromhex(vector["seed"])
        if "pinned" in vector:
            assert refdice.pinned_seed(int(vector["pinned"])) == seed
        assert refdice.sha256(seed).hex() == vector["commitment"]
        nonces = [bytes.fromhex(nonce) for nonce in vector.get("nonces", [])]
        assert refdice.match_key(seed, nonces).hex() == vector["key"]


def test_numbers_follow_from_keys_and_labels() -> None:
    for vector in vectors("dice.jsonl", "uniform"):
        key = bytes.fromhex(vector["key"])
        values = refdice.uniform(key, vector["label"], vector["n"], len(vector["values"]))
        assert values == vector["values"], vector


# --- Positions ---


def value_of(position: rules.Position) -> dict[str, Any]:
    if isinstance(position, HypnosiaPosition):
        return {"rings": [{"spaces": list(ring)} for ring in position.rings],
                "lanes": [{"pawns": list(lane)} for lane in position.lanes],
                "centre": list(position.centre), "points": list(position.points),
                "forfeits": list(position.forfeits)}
    assert isinstance(position, IsaacPosition)
    phase = "OVER" if position.over else "SCORING" if position.scoring else "PLACEMENT"
    return {"pieces": [{"seat": piece.seat, "length": piece.length, "cell": piece.cell,
                        "direction": f"DIRECTION_{'VERTICAL' if piece.vertical else 'HORIZONTAL'}"}
                       for _, piece in sorted(position.pieces.items())],
            "unplayed": [{"counts": list(counts)} for counts in position.unplayed],
            "scores": list(position.scores), "floors": list(position.floors),
            "out": list(position.out), "phase": f"PHASE_{phase}", "first": position.first}


def test_positions_are_read_and_written() -> None:
    for vector in vectors("positions.jsonl", "position"):
        position = game_of(vector).position(vector["position"])
        assert str(position) == vector["position"]
        assert value_of(position) == vector["value"], vector["position"]
        assert position.to_move == vector["to_move"]
        assert list(position.dice) == vector["roll"]
        assert list(position.scores) == vector["scores"]
        assert digest(position) == vector["digest"]
        assert position.over == (vector["to_move"] is None)


def test_a_bad_position_is_refused_where_it_is_wrong() -> None:
    for vector in vectors("positions.jsonl", "bad-position"):
        with pytest.raises(rules.BadPosition) as refused:
            game_of(vector).position(vector["position"])
        where = (refused.value.field, refused.value.byte)
        assert where == (vector["field"], vector["byte"]), vector


# --- Moves ---


def test_legal_moves_are_all_and_in_order() -> None:
    for vector in vectors("moves.jsonl", "legal"):
        position = game_of(vector).position(vector["position"])
        assert [move.notation for move in position.legal_moves()] == vector["moves"], vector


def test_moves_lead_where_they_should() -> None:
    for vector in vectors("moves.jsonl", "apply"):
        before = game_of(vector).position(vector["position"])
        after = with_roll(before.play(vector["move"]), vector)
        assert str(after) == vector["next"], vector
        assert str(before) == vector["position"], "a position has changed"
        assert after.over == ("end" in vector)
        if after.over:
            assert end_of(after) == vector["end"]


def test_bad_moves_are_refused() -> None:
    for vector in vectors("moves.jsonl", "bad-move"):
        position = game_of(vector).position(vector["position"])
        refusal = rules.IllegalMove if vector["readable"] else rules.BadMove
        with pytest.raises(refusal):
            position.play(vector["move"])


def test_a_move_that_was_built_by_hand_is_found_among_the_legal_ones() -> None:
    game = rules.make_game("hypnosia", 2)
    position = game.position("36/24/12 1111,1111 - 0,0 - a 54")
    by_hand = game.move("5:L2>A3 4:A3>B3")
    assert str(position.play(by_hand)) == str(position.play("5:L2>A3 4:A3>B3"))
    assert by_hand == position.find("5:L2>A3 4:A3>B3")


# --- Ends and matches ---


def test_ends_come_out_as_they_should() -> None:
    for vector in vectors("ends.jsonl", "end"):
        assert end_of(game_of(vector).position(vector["position"])) == vector["end"], vector


def test_forfeits_lead_where_they_should() -> None:
    for vector in vectors("ends.jsonl", "forfeit"):
        after = game_of(vector).position(vector["position"]).forfeit(vector["seat"])
        after = with_roll(after, vector)
        assert str(after) == vector["next"], vector
        assert after.over == ("end" in vector)
        if after.over:
            assert end_of(after) == vector["end"]


def draw(position: rules.Position, key: bytes) -> tuple[rules.Position, list[int]]:
    chance = position.chance
    assert chance is not None
    numbers = refdice.uniform(key, chance.label, chance.sides, chance.numbers)
    return position.drawn(numbers), numbers


@pytest.mark.parametrize("number", range(len(vectors("matches.jsonl", "match"))))
def test_whole_matches(number: int) -> None:
    vector = vectors("matches.jsonl", "match")[number]
    key = bytes.fromhex(vector["key"])
    position = game_of(vector).start()
    setup = []
    while position.chance is not None:
        label = position.chance.label
        position, numbers = draw(position, key)
        if label.startswith("setup"):
            _, round_, seat = label.split("/")
            setup.append({"round": int(round_), "seat": int(seat),
                          "roll": [number + 1 for number in numbers]})
    assert setup == vector["setup"]
    assert position.to_move == vector["first"]
    assert str(position) == vector["start"]
    for turn in vector["turns"]:
        if "forfeit" in turn:
            position = position.forfeit(turn["forfeit"])
        else:
            assert position.to_move == turn["seat"]
            assert len(position.legal_moves()) == turn["legal"]
            position = position.play(turn["move"])
        if position.chance is not None:
            position, _ = draw(position, key)
        assert str(position) == turn["next"]
        assert digest(position) == turn["digest"]
    assert end_of(position) == vector["end"]


# --- Perft ---

# What takes pure Python longer than a test may.
_LONG = 200_000


def perft_cases() -> list[Any]:
    text = (GOLDEN / "perft.txt").read_text("utf-8")
    cases = []
    for command, legal, distinct in re.findall(r"\$ (.*)\nlegal=(\d+) distinct=(\d+)", text):
        words = shlex.split(command)
        flags = dict(zip(words[3::2], words[4::2]))
        marks = [pytest.mark.slow] if int(legal) > _LONG else []
        cases.append(pytest.param(flags, int(legal), int(distinct), id=command[19:], marks=marks))
    assert len(cases) > 20
    return cases


@pytest.mark.parametrize("flags, legal, distinct", perft_cases())
def test_perft(flags: dict[str, str], legal: int, distinct: int) -> None:
    text = flags["--position"]
    seats = text.split(" ")[1].count(",") + 1
    options = dict([flags["--option"].split("=")]) if "--option" in flags else {}
    start = rules.make_game(flags["--game"], seats, options).position(text)
    rolls = [tuple(map(int, roll)) for roll in flags.get("--dice", "").split(",") if roll]
    rolls = rolls or [start.dice]
    nodes = {str(start): (start.with_dice(rolls[0]) if start.dice else start, 1)}
    for turn in range(1, int(flags["--depth"]) + 1):
        after: dict[str, tuple[rules.Position, int]] = {}
        for position, ways in nodes.values():
            for move in () if position.over else position.legal_moves():
                one = position.play(move)
                if one.chance is not None:
                    one = one.with_dice(rolls[min(turn, len(rolls) - 1)])
                known = after.get(str(one), (one, 0))
                after[str(one)] = (known[0], known[1] + ways)
        nodes = after
    assert (sum(ways for _, ways in nodes.values()), len(nodes)) == (legal, distinct)


# --- Boards ---

BOARD = """{"name": "small",
"rings": [{"size": 12, "bridges": [{"from": 1, "to": 0}, {"from": 3, "to": 6}]},
          {"size": 7, "bridges": [{"from": 2}]}],
"lane_entries": [0, 2, 4, 6, 8, 10],
"centre_places": 5}
"""


def test_a_board_file_makes_a_board() -> None:
    board = rules.make_game("hypnosia", 3, {"board": BOARD}).board  # type: ignore[attr-defined]
    assert board.sizes == (12, 7) and board.bridges == ({1: 0, 3: 6}, {2: None})
    assert board.lane_entries == (0, 2, 4, 6, 8, 10) and board.centre_places == 5


@pytest.mark.parametrize("was, given, problem", [
    ('size": 12', 'size": 999999999', r"rings\[0\].size: 999999999 is not a number from 7 to 99"),
    ('size": 7', 'size": 6', r"rings\[1\].size: 6 is not"),
    ('size": 7', 'size": 4294967296', "4294967296 is not a whole number from 0 to 4294967295"),
    ('size": 7', f'size": {"9" * 50}', "a whole number from 0 to 4294967295"),
    ('size": 7', 'size": -7', "-7 is not a whole number"),
    ('size": 7', 'size": 7.0', "7.0 is not a whole number"),
    ('size": 7', 'size": true', "True is not a whole number"),
    ('size": 7', 'size": "7"', "'7' is not a whole number"),
    ('size": 7', 'size": [7]', r"rings\[1\].size: array is not a whole number"),
    ('size": 7', 'size": 07', "not JSON: .*line 3"),
    ('{"size": 7, "bridges": [{"from": 2}]}', "7", r"rings\[1\]: 7 is not an object with size, br"),
    ('[{"from": 2}]', "{}", r"rings\[1\].bridges: object is not a list"),
    ('"small"', "5", "name: 5 is not a string"),
    ('"from": 3,', '"from": 1,', "two bridges start from the same space"),
    ('"to": 6', '"to": 7', r"bridges\[1\].to: 7 is not a number from 0 to 6"),
    (', "to": 6', "", "not set"),
    ('"from": 2', '"from": 2, "to": 1', "innermost"),
    ('{"from": 2}', "", "at least one bridge"),
    (", 10]", "]", "5 lane entries"),
    (", 10]", ", 8]", "the same space"),
    (", 10]", ", 12]", r"lane_entries\[5\]: 12 is not"),
    ('places": 5', 'places": 0', "centre_places: 0 is not a number from 1 to 24"),
    (',\n"centre_places": 5', "", "centre_places: 0"),
    ("small", "Small", "name"),
    ('"rings": [', '"rings": ' + "[" * 30000, "not JSON"),
    ('"rings": [', '"rings": [' + '{"size": 9, "bridges": [{"from": 1, "to": 1}]}, ' * 7,
     "9 rings, not 1 to 8"),
    ('"rings"', '"wheels"', "there is no field 'wheels'; it has name, rings"),
    ('"from": 2', '"form": 2', r"rings\[1\].bridges\[0\]: there is no field 'form'"),
    ("{", "{" + " " * 65536, "at most 65536"),
    ("5}\n", "5}\n}", "not JSON: .*line 6"),
])
def test_a_board_that_cannot_be_is_refused_before_it_is_built(
        was: str, given: str, problem: str) -> None:
    assert was in BOARD
    with pytest.raises(rules.UnknownGame, match=problem):
        rules.make_game("hypnosia", 2, {"board": BOARD.replace(was, given, 1)})
