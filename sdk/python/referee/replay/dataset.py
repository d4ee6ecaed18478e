"""Positions of many matches as numpy arrays, for programs that learn from them."""

import pathlib
from typing import Any, Iterable, Iterator, NamedTuple

from referee import features
from referee.env import utilities
from referee.replay import files
from referee.replay.files import Path
from referee.replay.match import Replay


class Dataset(NamedTuple):
    """Arrays with a row for each turn that a seat had a choice in, in the order played."""

    features: Any
    """int16, (turns, length): the position before the turn, as its seat sees it."""
    move: Any
    """int32: the place of its move in the list of the legal ones, sorted by notation."""
    legal_count: Any
    """int32: how many there were."""
    seat: Any
    """int16: who played."""
    number: Any
    """int32: the number of the turn in its match, from 1."""
    match: Any
    """int32: the place of its match in `match_ids`."""
    value: Any
    """float32: what the seat got in the end, 1 for the first to -1 for the last."""
    rank: Any
    """int16: the rank that the seat had in the end."""
    score: Any
    """int32: the score that the seat had in the end."""
    used: Any
    """float32: the time charged, in seconds."""
    substituted: Any
    """bool: the referee played it, for a fault of the bot."""
    match_ids: list[str]


def dataset(source: Path | Iterable[Replay], game: str | None = None,
            seats: int | None = None, bot: str | None = None) -> Dataset:
    """Returns the positions of all finished matches of a game.

    `source` is what `read` takes, or replays. Matches of another `game`, with another number of
    `seats` or on another board are passed over, where the default is the first match's; with `bot`,
    only the turns of that bot are taken. Passes are left out. Nothing is verified.

    Raises ImportError without numpy, BadReplay for a file that cannot be read, and
    `rules.UnknownGame` for a game that has no rules or no features here.
    """
    numpy = features.numpy("a dataset")
    rows: list[list[int]] = []
    columns: list[list[float]] = []
    match_ids: list[str] = []
    replays = read(source) if isinstance(source, (str, pathlib.Path)) else source
    for replay in replays:
        if replay.state != "FINISHED" or (game or replay.game) != replay.game or (
                seats or replay.seats) != replay.seats:
            continue
        game, seats = replay.game, replay.seats
        worth = utilities(replay.ranks)
        for turn in replay.turns():
            notation = turn.move.notation
            if notation == "-" or bot not in (None, replay.bots[turn.seat]):
                continue
            legal = [move.notation for move in turn.position.legal_moves()]
            row = features.encode(turn.position, turn.seat)
            if rows and len(row) != len(rows[0]):
                break  # on another board
            rows.append(row)
            columns.append([
                legal.index(notation), len(legal), turn.seat, turn.number, len(match_ids),
                worth[turn.seat], replay.ranks[turn.seat], replay.scores[turn.seat], turn.used,
                turn.substituted is not None])
        match_ids.append(replay.match_id)
    types = [numpy.int32, numpy.int32, numpy.int16, numpy.int32, numpy.int32, numpy.float32,
             numpy.int16, numpy.int32, numpy.float32, numpy.bool_]
    table = list(zip(*columns)) or [()] * len(types)
    length = len(rows[0]) if rows else 0
    first: Any = numpy.array(rows, numpy.int16).reshape(len(rows), length)
    arrays = [numpy.array(column, kind) for column, kind in zip(table, types)]
    return Dataset._make([first, *arrays, match_ids])


def read(path: Path) -> Iterator[Replay]:
    """Yields the replays of a replay file, of a pack, or of all of these below a folder, by name.

    Raises OSError, and BadReplay that names the file.
    """
    for entry in files.entries(path):
        try:
            yield _replay_of(entry)
        except files.BadReplay as error:
            raise files.BadReplay(f"{entry.name}: {error}", error.turn) from None


def _replay_of(entry: files.Entry) -> Replay:
    """Reads a replay; raises BadReplay."""
    replay = Replay(entry.data, entry.name)
    if entry.match_id not in ("", replay.match_id):
        raise files.BadReplay(f"it is a replay of another match, {replay.match_id}")
    return replay
