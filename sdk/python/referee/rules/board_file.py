"""Reads board files: games.hypnosia.v1.Board as JSON, with the field names of the protocol."""

import json
from typing import Any, NamedTuple

from referee.rules.base import UnknownGame

_MAX_BYTES = 65536
_MAX_NUMBER = 2**32 - 1


class Bridge(NamedTuple):
    """A bridge: from a space of its ring to one of the next; None: to the centre."""

    start: int
    to: int | None


class Ring(NamedTuple):
    """A ring of so many spaces."""

    size: int
    bridges: list[Bridge]


class BoardSpec(NamedTuple):
    """What a board file says, not judged yet; rings from the outermost inwards."""

    name: str
    rings: list[Ring]
    lane_entries: list[int]
    centre_places: int


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "object" if isinstance(value, dict) else "array"
    return repr(value)[:80]


def _object(path: str, value: Any, *names: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnknownGame(f"board: {path}: {_shown(value)} is not an object with "
                          f"{', '.join(names)}")
    for name in value:
        if name not in names:
            raise UnknownGame(f"board: {path}: there is no field {name[:64]!r}; it has "
                              f"{', '.join(names)}")
    return value


def _list(path: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UnknownGame(f"board: {path}: {_shown(value)} is not a list")
    return value


def _number(path: str, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MAX_NUMBER:
        raise UnknownGame(f"board: {path}: {_shown(value)} is not a whole number from 0 to "
                          f"{_MAX_NUMBER}")
    return value


def _bridge(path: str, value: Any) -> Bridge:
    fields = _object(path, value, "from", "to")
    to = _number(f"{path}.to", fields["to"]) if "to" in fields else None
    return Bridge(_number(f"{path}.from", fields.get("from", 0)), to)


def _ring(path: str, value: Any) -> Ring:
    fields = _object(path, value, "size", "bridges")
    bridges = _list(f"{path}.bridges", fields.get("bridges", []))
    return Ring(_number(f"{path}.size", fields.get("size", 0)),
                [_bridge(f"{path}.bridges[{i}]", one) for i, one in enumerate(bridges)])


def read_board_file(text: str) -> BoardSpec:
    """Reads the text of a board file; `board.board_of` judges the numbers.

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
    if not isinstance(name, str):
        raise UnknownGame(f"board: name: {_shown(name)} is not a string")
    rings = _list("rings", board.get("rings", []))
    entries = _list("lane_entries", board.get("lane_entries", []))
    return BoardSpec(
        name, [_ring(f"rings[{i}]", one) for i, one in enumerate(rings)],
        [_number(f"lane_entries[{i}]", one) for i, one in enumerate(entries)],
        _number("centre_places", board.get("centre_places", 0)))
