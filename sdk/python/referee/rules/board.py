"""Boards of Hypnosia: the built-in one, and board files. See referee/games/hypnosia/RULES.md."""

import re
from typing import NamedTuple

from referee.rules.base import UnknownGame
from referee.rules.board_file import BoardSpec, read_board_file

SPIRAL = "spiral-36-24-12"
NOWHERE = -1
LANES = 6
LANE_SPACES = 4

_MIN_RING_SIZE, _MAX_RING_SIZE = 7, 99  # no die leads around a ring to where it began
_MAX_RINGS = 8
_MAX_CENTRE_PLACES = 24

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


def _range(field: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise UnknownGame(f"board: {field}: {value} is not a number from {low} to {high}")


def _check_bridges(spec: BoardSpec, number: int) -> None:
    ring, field = spec.rings[number], f"rings[{number}].bridges"
    innermost = number + 1 == len(spec.rings)
    if not ring.bridges:
        raise UnknownGame(f"board: {field}: a ring has at least one bridge")
    for index, bridge in enumerate(ring.bridges):
        _range(f"{field}[{index}].from", bridge.start, 0, ring.size - 1)
        if innermost and bridge.to is not None:
            raise UnknownGame(f"board: {field}[{index}].to: bridges of the innermost ring lead to "
                              "the centre and have no 'to'")
        if innermost:
            continue
        if bridge.to is None:
            raise UnknownGame(f"board: {field}[{index}].to: not set; it is the space of the next "
                              "ring that the bridge leads to")
        _range(f"{field}[{index}].to", bridge.to, 0, spec.rings[number + 1].size - 1)
    if len({bridge.start for bridge in ring.bridges}) < len(ring.bridges):
        raise UnknownGame(f"board: {field}: two bridges start from the same space")


def _check(spec: BoardSpec) -> None:
    """Raises UnknownGame that names the field for what no board can have."""
    if not re.fullmatch("[a-z0-9-]{1,64}", spec.name):
        raise UnknownGame(f"board: name: {spec.name[:64]!r} is not 1 to 64 lower-case letters, "
                          "digits and '-'")
    if not 1 <= len(spec.rings) <= _MAX_RINGS:
        raise UnknownGame(f"board: rings: there are {len(spec.rings)} rings, not 1 to {_MAX_RINGS}")
    for number, ring in enumerate(spec.rings):
        _range(f"rings[{number}].size", ring.size, _MIN_RING_SIZE, _MAX_RING_SIZE)
    for number in range(len(spec.rings)):
        _check_bridges(spec, number)
    if len(spec.lane_entries) != LANES:
        raise UnknownGame(f"board: lane_entries: there are {len(spec.lane_entries)} lane entries, "
                          f"not {LANES}")
    for lane, entry in enumerate(spec.lane_entries):
        _range(f"lane_entries[{lane}]", entry, 0, spec.rings[0].size - 1)
    if len(set(spec.lane_entries)) < LANES:
        raise UnknownGame("board: lane_entries: two lanes open onto the same space")
    _range("centre_places", spec.centre_places, 1, _MAX_CENTRE_PLACES)


def board_of(option: str) -> Board:
    """Returns the board that the option of a match names, or that the text of a board file says.

    Raises UnknownGame for what is neither; nothing is built before all of it is checked.
    """
    if option in ("", SPIRAL):
        return spiral()
    if "{" not in option:
        raise UnknownGame(f"there is no built-in board {option[:64]!r}; there is {SPIRAL}")
    spec = read_board_file(option)
    _check(spec)
    return Board(
        tuple(ring.size for ring in spec.rings),
        tuple({bridge.start: bridge.to for bridge in ring.bridges} for ring in spec.rings),
        tuple(spec.lane_entries), spec.centre_places)
