"""Boards of Hypnosia: the built-in one, and board files. See referee/games/hypnosia/RULES.md."""

from __future__ import annotations

import re
from typing import Any, Iterator, NamedTuple, Optional, Tuple

from referee.rules.base import UnknownGame

SPIRAL = "spiral-36-24-12"
NOWHERE = -1
LANES = 6
LANE_SPACES = 4

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

    def __init__(self, sizes: Tuple[int, ...], bridges: Tuple[dict[int, Optional[int]], ...],
                 lane_entries: Tuple[int, ...], centre_places: int) -> None:
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

    def _ring(self, space: int) -> Tuple[int, int]:
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


_TOKEN = re.compile(r"#[^\n]*|\s+|(?P<word>[A-Za-z_]\w*)|(?P<number>\d+)"
                    r"|(?P<string>\"[^\"\n\\]*\"|'[^'\n\\]*')|(?P<sign>[^\w\s])", re.ASCII)


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise UnknownGame(f"board file, byte {at}: cannot be read")
        at = match.end()
        if match.lastgroup is not None:
            yield match.group()
    yield ""


class _Reader:
    """Reads protobuf text format into dictionaries of lists."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._token = next(self._tokens)

    def _next(self) -> str:
        token = self._token
        self._token = next(self._tokens, "")
        return token

    def message(self, end: str = "") -> dict[str, list[Any]]:
        """Reads fields up to a token."""
        fields: dict[str, list[Any]] = {}
        while self._token != end:
            name = self._next()
            if not name:
                raise UnknownGame(f"board file: it ends where there must be '{end}'")
            if self._token == ":":
                self._next()
            fields.setdefault(name, []).extend(self._values())
            if self._token in (",", ";"):
                self._next()
        self._next()
        return fields

    def _values(self) -> list[Any]:
        if self._token != "[":
            return [self._value()]
        self._next()
        values: list[Any] = []
        while self._token != "]":
            values.append(self._value())
            if self._token == ",":
                self._next()
        self._next()
        return values

    def _value(self) -> Any:
        token = self._next()
        if token in ("{", "<"):
            return self.message("}" if token == "{" else ">")
        if token[:1] in ("'", "\""):
            return token[1:-1]
        if not token.isdecimal():
            raise UnknownGame(f"board file: '{token}' where there must be a value")
        return int(token)


def board_of(option: str) -> Board:
    """Returns the board that the option of a match names, or that the text of a board file says.

    Raises UnknownGame for what is neither. What a referee sends is valid; whatever else is wrong
    with a file the referee says (`refctl`).
    """
    if option in ("", SPIRAL):
        return spiral()
    if "{" not in option:
        raise UnknownGame(f"there is no built-in board \"{option}\"; there is {SPIRAL}")
    read = _Reader(option).message()
    try:
        return Board(
            tuple(ring["size"][0] for ring in read["ring"]),
            tuple({bridge["from"][0]: bridge.get("to", [None])[0] for bridge in ring["bridge"]}
                  for ring in read["ring"]),
            tuple(read["lane_entry"]), read["centre_places"][0])
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise UnknownGame(f"board file: it lacks {error}") from None
