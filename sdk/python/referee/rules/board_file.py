"""Reads board files: games.hypnosia.v1.Board in protobuf text format."""

from __future__ import annotations

import re
from typing import Callable, Dict, List, NamedTuple, NoReturn, Optional, TypeVar

from referee.rules.base import UnknownGame

_MAX_BYTES = 65536
_MAX_NUMBER = 2**32 - 1
_MAX_DIGITS = 10

_T = TypeVar("_T")
_Readers = Dict[str, Callable[[], None]]  # by the name of a field


class Bridge(NamedTuple):
    """A bridge: from a space of its ring to one of the next; None: to the centre."""

    start: int
    to: Optional[int]


class Ring(NamedTuple):
    """A ring of so many spaces."""

    size: int
    bridges: List[Bridge]


class BoardSpec(NamedTuple):
    """What a board file says, not judged yet; rings from the outermost inwards."""

    name: str
    rings: List[Ring]
    lane_entries: List[int]
    centre_places: int


class _Token(NamedTuple):
    kind: str
    """"number", "word", "string", "sign" or "end"."""
    text: str
    at: int


_TOKEN = re.compile(r"(?P<blank>\s+|#[^\n]*)|(?P<number>\d\w*)|(?P<word>\w+)"
                    r"|(?P<string>\"[^\"\n]*\"?|'[^'\n]*'?)|(?P<sign>.)", re.ASCII | re.DOTALL)


class _Reader:
    """Reads the one message that there is, field by field."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.finditer(text)
        self._token = self._next_token()

    def _next_token(self) -> _Token:
        for match in self._tokens:
            if match.lastgroup != "blank":
                return _Token(match.lastgroup or "", match.group(), match.start())
        return _Token("end", "", len(self._text))

    def _take(self) -> _Token:
        token = self._token
        self._token = self._next_token()
        return token

    # --- What there is in a board ---

    def board(self) -> BoardSpec:
        """Reads the file."""
        names: List[str] = []
        rings: List[Ring] = []
        entries: List[int] = []
        places: List[int] = []
        readers: _Readers = {
            "name": lambda: self._only(names, self._string),
            "ring": lambda: self._messages(lambda: rings.append(self._ring())),
            "lane_entry": lambda: self._numbers(entries),
            "centre_places": lambda: self._only(places, self._number_field)}
        while self._token.kind != "end":
            self._field(readers, "a board has name, ring, lane_entry and centre_places")
        return BoardSpec("".join(names), rings, entries, places[0] if places else 0)

    def _ring(self) -> Ring:
        size: List[int] = []
        bridges: List[Bridge] = []
        self._message({
            "size": lambda: self._only(size, self._number_field),
            "bridge": lambda: self._messages(lambda: bridges.append(self._bridge()))},
            "a ring has size and bridge")
        return Ring(size[0] if size else 0, bridges)

    def _bridge(self) -> Bridge:
        start: List[int] = []
        to: List[int] = []
        self._message({"from": lambda: self._only(start, self._number_field),
                       "to": lambda: self._only(to, self._number_field)},
                      "a bridge has from and to")
        return Bridge(start[0] if start else 0, to[0] if to else None)

    # --- Fields ---

    def _field(self, readers: _Readers, known: str) -> None:
        field = self._token
        if field.kind != "word":
            self._fail(field, "a field's name")
        if field.text not in readers:
            self._fail_with(field, f"there is no field {_shown(field)}; {known}")
        self._take()
        readers[field.text]()
        if self._token.text in (",", ";"):
            self._take()

    # "{ fields }" or "< fields >".
    def _message(self, readers: _Readers, known: str) -> None:
        if self._token.text not in ("{", "<"):
            self._fail(self._token, "'{'")
        close = "}" if self._take().text == "{" else ">"
        while self._token.text != close:
            if self._token.kind == "end":
                self._fail(self._token, f"'{close}'")
            self._field(readers, known)
        self._take()

    # A message, or a list of them, with or without a colon before.
    def _messages(self, message: Callable[[], None]) -> None:
        if self._token.text == ":":
            self._take()
        self._one_or_list(message)

    def _numbers(self, into: List[int]) -> None:
        self._colon()
        self._one_or_list(lambda: into.append(self._number()))

    def _one_or_list(self, element: Callable[[], None]) -> None:
        if self._token.text != "[":
            element()
            return
        self._take()
        if self._token.text == "]":
            self._take()
            return
        while True:
            element()
            if self._token.text not in (",", "]"):
                self._fail(self._token, "',' or ']'")
            if self._take().text == "]":
                return

    # A field that may be there once.
    def _only(self, into: List[_T], read: Callable[[], _T]) -> None:
        if into:
            self._fail_with(self._token, "it is given twice")
        into.append(read())

    def _number_field(self) -> int:
        self._colon()
        return self._number()

    def _number(self) -> int:
        token = self._token
        plain = re.fullmatch("0|[1-9][0-9]*", token.text) and len(token.text) <= _MAX_DIGITS
        if token.kind != "number" or not plain or int(token.text) > _MAX_NUMBER:
            self._fail(token, f"a number in decimal, 0 to {_MAX_NUMBER}")
        return int(self._take().text)

    def _string(self) -> str:
        self._colon()
        token = self._token
        if token.kind != "string":
            self._fail(token, "a string in quotes")
        if len(token.text) < 2 or token.text[-1] != token.text[0]:
            self._fail(token, "a string that ends in its line")
        if "\\" in token.text:
            self._fail(token, "a string without escapes")
        return self._take().text[1:-1]

    def _colon(self) -> None:
        if self._token.text != ":":
            self._fail(self._token, "':'")
        self._take()

    # --- Errors ---

    def _fail(self, token: _Token, expected: str) -> NoReturn:
        self._fail_with(token, f"{_shown(token)} where there must be {expected}")

    def _fail_with(self, token: _Token, why: str) -> NoReturn:
        before = self._text[:token.at]
        line, column = before.count("\n") + 1, token.at - before.rfind("\n")
        raise UnknownGame(f"board: line {line}, column {column}: {why}")


def _shown(token: _Token) -> str:
    return "the file ends" if token.kind == "end" else f"'{token.text[:40]}'"


def read_board_file(text: str) -> BoardSpec:
    """Reads the text of a board file; what the numbers mean is for `board.checked`.

    Raises UnknownGame that names line and column.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > _MAX_BYTES:
        raise UnknownGame(f"option board: it has {size} bytes, at most {_MAX_BYTES}")
    return _Reader(text).board()
