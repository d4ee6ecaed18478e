"""Reads the golden transcripts of tests/golden: what a referee has played."""

import pathlib
import re
from typing import Iterator, NamedTuple

GOLDEN = pathlib.Path(__file__).resolve().parents[3] / "tests" / "golden"


class Line(NamedTuple):
    """A turn."""

    seat: int
    dice: tuple[int, ...]
    move: str
    legal: int
    digest: int


class Transcript(NamedTuple):
    """A match with pinned dice."""

    game: str
    options: dict[str, str]
    seats: int
    seed: int
    lines: list[Line]
    end: tuple[str, tuple[int, ...], tuple[int, ...]]


_TURN = re.compile(r"\d+ ([a-j]) (?:(\d+) )?(\S.*?) ; legal (\d+) digest ([0-9a-f]{16})$", re.M)


def transcripts(pattern: str) -> Iterator[Transcript]:
    """Yields the matches of the files of a pattern."""
    for file in sorted(GOLDEN.glob(pattern)):
        for text in file.read_text().split("referee-transcript 1\n")[1:]:
            yield _transcript(text)


def _transcript(text: str) -> Transcript:
    def value(name: str) -> str:
        found = re.search(rf"^{name} (.*)$", text, re.M)
        assert found, name
        return found[1]

    def numbers(name: str) -> tuple[int, ...]:
        return tuple(map(int, value(name).split()))

    options = dict(re.findall(r"^option (\w+)=(.*)$", text, re.M))
    lines = []
    for seat, dice, move, legal, digest in _TURN.findall(text):
        lines.append(Line(ord(seat) - ord("a"), tuple(map(int, dice)), move, int(legal),
                          int(digest, 16)))
    return Transcript(value("game"), options, int(value("seats")), int(value("pinned")), lines,
                      (value("end"), numbers("scores"), numbers("ranks")))
