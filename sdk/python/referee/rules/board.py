"""Boards of Hypnosia: the built-in one, and board files. See referee/games/hypnosia/RULES.md."""

import json
import re
from typing import Any, NamedTuple

from referee.rules.base import UnknownGame

SPIRAL = "spiral-36-24-12"
NOWHERE = -1
LANES = 6
LANE_SPACES = 4

_MIN_RING_SIZE, _MAX_RING_SIZE = 7, 99  # no die leads around a ring to where it began
_MAX_RINGS = 8
_MAX_CENTRE_PLACES = 24
_MAX_BYTES = 65536  # of a board file

LANE = 0
RING_A = 1
CENTRE = 9


class Space(NamedTuple):
    """Where a pawn can stand, as on the wire.

    `area` is LANE (the mover's own), RING_A and on, or CENTRE; `number` is from 1 in the lane, from
    0 on a ring.
    """

    area: int
    number: int

    def __str__(self) -> str:
        if self.area == CENTRE:
            return "X"
        return f"{'L' if self.area == LANE else chr(ord('A') + self.area - RING_A)}{self.number}"


class Board:
    """A board, with every step computed.

    A space is a number here: those of the rings from 0, ring after ring; then the centre, then L1
    to L4. `walk[die][space]` and `cross[die][space]` are where a die leads; NOWHERE if it does not.
    """

    def __init__(self, sizes: tuple[int, ...], bridges: tuple[dict[int, int | None], ...],
                 lane_entries: tuple[int, ...], centre_places: int) -> None:
        self.sizes = sizes
        self.bridges = bridges
        self.lane_entries = lane_entries
        self.centre_places = centre_places
        self.offsets = tuple(sum(sizes[:ring]) for ring in range(len(sizes) + 1))
        self.spaces = self.offsets[-1]
        self.centre = self.spaces
        self.places = [Space(RING_A + ring, index)
                       for ring, size in enumerate(sizes) for index in range(size)]
        self.places.append(Space(CENTRE, 0))
        self.places += [Space(LANE, k) for k in range(1, LANE_SPACES + 1)]
        self.names = [str(place) for place in self.places]
        self.walk = [[self._walk(space, die) for space in range(self.spaces)] for die in range(7)]
        self.cross = [[self._cross(space, die) for space in range(self.spaces)] for die in range(7)]

    def _ring(self, space: int) -> tuple[int, int]:
        place = self.places[space]
        return place.area - RING_A, place.number

    def _walk(self, space: int, die: int) -> int:
        ring, index = self._ring(space)
        return self.offsets[ring] + (index + die) % self.sizes[ring]

    def _cross(self, space: int, die: int) -> int:
        ring, index = self._ring(space)
        if index not in self.bridges[ring] or die == 0:
            return NOWHERE
        to = self.bridges[ring][index]
        if to is None:
            return self.centre if die == 1 else NOWHERE
        return self.offsets[ring + 1] + (to + die - 1) % self.sizes[ring + 1]

    def out_of_lane(self, lane: int, k: int, die: int) -> int:
        """Where a pawn on Lk goes; NOWHERE if the die is too small."""
        if die < k:
            return NOWHERE
        return (self.lane_entries[lane] + die - k) % self.sizes[0]


def spiral() -> Board:
    """Returns the built-in board."""
    return Board(
        (36, 24, 12),
        ({6 * j + 3: 4 * j for j in range(6)}, {4 * j + 2: 2 * j for j in range(6)},
         {2 * j + 1: None for j in range(6)}),
        tuple(6 * j for j in range(6)), 5)


def board_of(option: str) -> Board:
    """Returns the board that the option of a match names, or that the text of a board file says.

    Raises UnknownGame for what is neither; nothing is built before all of it is checked.
    """
    if option in ("", SPIRAL):
        return spiral()
    if "{" not in option:
        raise UnknownGame(f"there is no built-in board {option[:64]!r}; there is {SPIRAL}")
    return read_board_file(option)


# --- Board files: games.hypnosia.v1.Board as JSON, with the field names of the protocol ---


def _demand(holds: object, problem: str) -> None:
    if not holds:
        raise UnknownGame(f"board: {problem}")


def _shown(value: Any) -> str:
    kinds: dict[type, str] = {dict: "object", list: "array"}
    return kinds.get(type(value)) or repr(value)[:80]


def _object(path: str, value: Any, *names: str) -> dict[str, Any]:
    known = ", ".join(names)
    _demand(isinstance(value, dict), f"{path}: {_shown(value)} is not an object with {known}")
    for name in value:
        _demand(name in names, f"{path}: there is no field {name[:64]!r}; it has {known}")
    return dict(value)


def _list(path: str, value: Any) -> list[Any]:
    _demand(isinstance(value, list), f"{path}: {_shown(value)} is not a list")
    return list(value)


def _number(path: str, value: Any, low: int, high: int) -> int:
    _demand(type(value) is int and 0 <= value < 2**32,
            f"{path}: {_shown(value)} is not a whole number from 0 to {2**32 - 1}")
    _demand(low <= value <= high, f"{path}: {value} is not a number from {low} to {high}")
    return int(value)


def _bridges(path: str, values: list[Any], size: int, inner: int | None) -> dict[int, int | None]:
    """Reads the bridges of a ring; `inner` is the size of the next ring, None for the innermost."""
    _demand(values, f"{path}: a ring has at least one bridge")
    bridges: dict[int, int | None] = {}
    for index, value in enumerate(values):
        place = f"{path}[{index}]"
        bridge = _object(place, value, "from", "to")
        start = _number(f"{place}.from", bridge.get("from", 0), 0, size - 1)
        if inner is None:
            _demand("to" not in bridge, f"{place}.to: bridges of the innermost ring lead to the "
                    "centre and have no 'to'")
        else:
            _demand("to" in bridge, f"{place}.to: not set; it is the space of the next ring that "
                    "the bridge leads to")
        _demand(start not in bridges, f"{path}: two bridges start from the same space")
        bridges[start] = None if inner is None else _number(
            f"{place}.to", bridge["to"], 0, inner - 1)
    return bridges


def read_board_file(text: str) -> Board:
    """Reads the text of a board file.

    Raises UnknownGame that names the field, or, if the text is not JSON, line and column.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > _MAX_BYTES:
        raise UnknownGame(f"option board: it has {size} bytes, at most {_MAX_BYTES}")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnknownGame(f"board: the file is not JSON: {error}") from None
    board = _object("the file", value, "name", "rings", "lane_entries", "centre_places")
    name = board.get("name", "")
    _demand(isinstance(name, str), f"name: {_shown(name)} is not a string")
    _demand(re.fullmatch("[a-z0-9-]{1,64}", name),
            f"name: {name[:64]!r} is not 1 to 64 lower-case letters, digits and '-'")
    rings = [_object(f"rings[{i}]", ring, "size", "bridges")
             for i, ring in enumerate(_list("rings", board.get("rings", [])))]
    _demand(1 <= len(rings) <= _MAX_RINGS,
            f"rings: there are {len(rings)} rings, not 1 to {_MAX_RINGS}")
    sizes = [_number(f"rings[{i}].size", ring.get("size", 0), _MIN_RING_SIZE, _MAX_RING_SIZE)
             for i, ring in enumerate(rings)]
    bridges = []
    for i, (ring, inner) in enumerate(zip(rings, [*sizes[1:], None])):
        path = f"rings[{i}].bridges"
        bridges.append(_bridges(path, _list(path, ring.get("bridges", [])), sizes[i], inner))
    entries = _list("lane_entries", board.get("lane_entries", []))
    _demand(len(entries) == LANES,
            f"lane_entries: there are {len(entries)} lane entries, not {LANES}")
    lanes = [_number(f"lane_entries[{i}]", one, 0, sizes[0] - 1) for i, one in enumerate(entries)]
    _demand(len(set(lanes)) == LANES, "lane_entries: two lanes open onto the same space")
    places = _number("centre_places", board.get("centre_places", 0), 1, _MAX_CENTRE_PLACES)
    return Board(tuple(sizes), tuple(bridges), tuple(lanes), places)
