"""The same games by the library in C++ (library.py): same classes, same answers, faster.

A position here keeps its state in the library. What is not asked often (`cells`, `pieces` and the
like) is made from the position string when it is first asked for, by the rules in Python.
"""

from __future__ import annotations

import ctypes
import functools
from typing import Any, Mapping, Sequence

from referee.rules.base import (
    Chance, Game, IllegalMove, Move, Playouts, Position, Result, RulesError, UnknownGame)
from referee.rules.hypnosia import HypnosiaGame, HypnosiaMove, HypnosiaPosition, checked_dice
from referee.rules.isaac import IsaacGame, IsaacPosition, read_move
from referee.rules.library import CHANCE, OVER, TURN, Info, Library

_REASON_BYTES = 128
_POSITION_BYTES = 1024
_MOVE_BYTES = 32  # of a notation, as a guess


def _options(options: Mapping[str, str]) -> Any:
    texts = [text.encode("utf-8", "surrogateescape")
             for option in options.items() for text in option]
    return (ctypes.c_char_p * (len(texts) + 1))(*texts)


class _GameHandle:
    """A game of the library, freed with this."""

    __slots__ = ("library", "calls", "pointer")

    def __init__(self, library: Library, game: Game, options: Mapping[str, str]) -> None:
        self.library = library
        self.calls = library.calls
        self.pointer = self.calls.referee_game_new(
            game.name.encode(), game.seats, _options(options))
        if not self.pointer:
            raise UnknownGame(library.error())

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self.calls.referee_game_free(self.pointer)


# What was asked of a position, by the method's name: all that came of the first one.
_Step = tuple[str, Any]
# The path to a state: that to the one before and a step; at first the text that was read, if any.
_Path = tuple[Any, _Step | None]


class _State:
    """A state of the library, freed with this; not changed once its position is made."""

    __slots__ = ("game", "pointer", "info", "turns", "path", "_text")

    def __init__(self, game: _GameHandle, pointer: int, turns: int, path: _Path) -> None:
        """Takes the state over."""
        if not pointer:
            raise RulesError(game.library.error())
        self.game = game
        self.pointer = pointer
        self.turns = turns
        self.path = path
        self.info = Info()
        self._text: str | None = None
        game.library.checked(game.calls.referee_state_info(pointer, self.info))

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self.game.calls.referee_state_free(self.pointer)

    def then(self, step: _Step, function: Any, *arguments: Any) -> _State:
        """Returns a changed copy."""
        after = self.clone()
        if function(after, *arguments) < 0:
            why = self.game.library.error()
            self.game.calls.referee_state_free(after)
            raise RulesError(why)
        return _State(self.game, after, self.turns, (self.path, step))

    def clone(self) -> int:
        """Returns a copy for the caller to free."""
        copy: int | None = self.game.calls.referee_state_clone(self.pointer)
        if not copy:
            raise RulesError(self.game.library.error())
        return copy

    def text_of(self, function: Any, size: int, *arguments: Any) -> str:
        """Returns a text that a function of the library writes, of a guessed size."""
        while True:
            text = ctypes.create_string_buffer(size)
            length = self.game.library.checked(function(*arguments, text, size))
            if length < size:
                return text.value.decode()
            size = length + 1

    def position(self) -> str:
        """Returns the position string. REQUIRES: no draw is due."""
        if self._text is None:
            self._text = self.text_of(
                self.game.calls.referee_state_position, _POSITION_BYTES, self.pointer)
        return self._text

    def moves(self) -> list[str]:
        """Returns the notations of the legal moves."""
        calls, checked = self.game.calls, self.game.library.checked
        count = checked(calls.referee_state_moves(self.pointer, None, 0))
        codes = (ctypes.c_uint64 * count)()
        checked(calls.referee_state_moves(self.pointer, codes, count))
        texts = self.text_of(
            calls.referee_move_texts, count * _MOVE_BYTES, self.game.pointer, codes, count)
        return texts.split("\n")[:-1]

    def find(self, notation: str) -> int:
        """Returns the legal move with this notation. Raises IllegalMove."""
        code = (ctypes.c_uint64 * 1)()
        if "\0" in notation:  # where the library would see its end
            raise IllegalMove(f"illegal move {notation[:256]!r}: it has a zero byte")
        text = notation.encode("utf-8", "replace")
        if self.game.calls.referee_state_find(self.pointer, text, code) < 0:
            raise IllegalMove(self.game.library.error())
        return int(code[0])


class _Native(Position):
    """What positions of all games have in common; each is a position of its game as well."""

    __slots__ = ()
    _state: _State
    _python: Any  # the class that this is of in Python
    game: Any

    @classmethod
    def _of(cls, game: Any, state: _State) -> Any:
        position = cls.__new__(cls)
        position.game = game
        position._state = state
        return position

    # Returns the same as the rules in Python have it, but for what a position string does not say.
    def _twin(self) -> Any:
        raise NotImplementedError

    # What of a position in Python was not there yet.
    def __getattr__(self, name: str) -> Any:
        slots = self._python.__slots__
        if name not in slots:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        twin = self._twin()
        for slot in slots:
            if slot != "game":
                setattr(self, slot, getattr(twin, slot))
        return getattr(twin, name)

    def _changed_by(self, step: _Step, function: str, *arguments: Any) -> Any:
        calls = self._state.game.calls
        return self._of(self.game, self._state.then(step, getattr(calls, function), *arguments))

    @property
    def to_move(self) -> int | None:
        seat = int(self._state.info.seat)
        return seat if seat >= 0 else None

    @property
    def dice(self) -> tuple[int, ...]:
        info = self._state.info
        return tuple(info.dice[:info.dice_count])

    @property
    def over(self) -> bool:
        return bool(self._state.info.phase == OVER)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self._state.info.scores[:self.game.seats])

    @property
    def chance(self) -> Chance | None:
        state = self._state
        if state.info.phase != CHANCE:
            return None
        label = state.text_of(
            state.game.calls.referee_state_label, _REASON_BYTES, state.pointer)
        return Chance(label, state.info.sides, state.info.numbers)

    def drawn(self, numbers: Sequence[int]) -> Any:
        info, count = self._state.info, len(numbers)
        if info.phase != CHANCE:
            raise RulesError("no draw is due")
        if count != info.numbers or not all(0 <= number < info.sides for number in numbers):
            raise RulesError(f"{info.numbers} numbers from 0 to {info.sides - 1} are to be drawn")
        return self._changed_by(("drawn", tuple(numbers)), "referee_state_draw",
                                (ctypes.c_int32 * count)(*numbers), count)

    def play(self, move: Move | str) -> Any:
        if isinstance(move, str):
            self.game.move(move)
        notation = str(move)
        code = self._state.find(notation)
        after = self._changed_by(("play", notation), "referee_state_play", code)
        after._state.turns += 1
        return after

    def forfeit(self, seat: int) -> Any:
        if not 0 <= seat < self.game.seats:
            raise RulesError(f"there is no seat {seat}")
        return self._changed_by(("forfeit", seat), "referee_state_forfeit", seat)

    @property
    def result(self) -> Result | None:
        if not self.over:
            return None
        state = self._state
        reason = state.text_of(
            state.game.calls.referee_state_reason, _REASON_BYTES, state.pointer)
        return Result(reason, self.scores, tuple(state.info.ranks[:self.game.seats]))

    def playouts(self, count: int, seed: int = 0) -> Playouts:
        seats = self.game.seats
        ranks, scores = ((ctypes.c_int32 * (max(count, 0) * seats))() for _ in range(2))
        library = self._state.game.library
        start = self._state.clone()  # other threads may go on with this meanwhile
        try:
            moves = library.checked(library.playouts(start, count, seed % 2**64, ranks, scores))
        finally:
            library.calls.referee_state_free(start)
        return Playouts(moves, _rows(ranks, seats), _rows(scores, seats))

    def __str__(self) -> str:
        if self._state.info.phase == CHANCE:
            return str(self._twin())
        return self._state.position()

    def __reduce__(self) -> Any:
        steps: list[_Step] = []
        before, step = self._state.path
        while step is not None:
            steps.append(step)
            before, step = before
        return (_gone_again, (self.game, before, steps[::-1]))


def _rows(values: Any, seats: int) -> list[tuple[int, ...]]:
    return list(zip(*[iter(values)] * seats))


def _gone_again(game: Game, text: str | None, steps: Sequence[_Step]) -> Position:
    position = game.start() if text is None else game.position(text)
    for method, argument in steps:
        position = getattr(position, method)(argument)
    return position


class _NativeGame(Game):
    """What games have in common."""

    _handle: _GameHandle
    _given: Mapping[str, str]
    _kind: Any
    _python: Any  # the class that this is of in Python

    def __init__(self, library: Library, seats: int, options: Mapping[str, str] | None) -> None:
        self._python.__init__(self, seats, options)
        self._given = dict(options or {})
        self._handle = _GameHandle(library, self, self._given)

    def _begin(self, text: str | None) -> Any:
        encoded = None if text is None else text.encode("utf-8", "surrogatepass")
        pointer = self._handle.calls.referee_state_new(self._handle.pointer, encoded)
        return self._kind._of(self, _State(self._handle, pointer, 0, (text, None)))

    def start(self) -> Any:
        return self._begin(None)

    def position(self, text: str) -> Any:
        try:
            if "\0" in text:  # where the library would see its end
                raise RulesError("position: it has a zero byte")
            return self._begin(text)
        except RulesError:
            self._read(text)  # says field and byte
            raise

    def _read(self, text: str) -> Any:
        return self._python.position(self, text)

    def __reduce__(self) -> Any:
        from referee.rules import make_game

        return (make_game, (self.name, self.seats, self._given))


# --- Hypnosia ---


class _HypnosiaMove(HypnosiaMove):
    """A move of which the steps are read when they are asked for."""

    __slots__ = ("_game",)
    _game: HypnosiaGame

    @classmethod
    def of(cls, notation: str, game: HypnosiaGame) -> _HypnosiaMove:
        """Makes a move of this notation."""
        move = cls.__new__(cls)
        move._notation = notation
        move._steps = move._flat = move._board = None
        move._game = game
        return move

    @property
    def steps(self) -> Any:
        if self._steps is None:
            self._steps = self._game.move(self._notation).steps
        return self._steps

    def __reduce__(self) -> Any:
        return (HypnosiaMove, (self.steps,))


class NativeHypnosiaPosition(_Native, HypnosiaPosition):
    """A position of Hypnosia in the library."""

    __slots__ = ("_state",)
    _python = HypnosiaPosition

    def _twin(self) -> HypnosiaPosition:
        state = self._state
        if state.info.phase == CHANCE and state.info.seat < 0:
            return HypnosiaPosition(self.game)
        rolled = self if state.info.phase != CHANCE else self.drawn([0] * state.info.numbers)
        twin: HypnosiaPosition = self.game._read(rolled._state.position())
        if rolled is not self:
            twin._dice = ()
        twin.turns = state.turns
        twin.first = state.info.first if state.info.first >= 0 else None
        return twin

    def with_dice(self, dice: Sequence[int]) -> NativeHypnosiaPosition:
        info = self._state.info
        if info.phase == OVER or info.seat < 0:
            raise RulesError("no turn is due that has dice")
        checked = checked_dice(dice)
        if info.phase == TURN:
            after = self._changed_by(("with_dice", checked), "referee_state_set_dice",
                                     (ctypes.c_int32 * 2)(*checked), 2)
        else:
            after = self.drawn([die - 1 for die in checked])
        assert isinstance(after, NativeHypnosiaPosition)
        return after

    def legal_moves(self) -> Sequence[HypnosiaMove]:
        game = self.game
        of = _HypnosiaMove.of
        return [of(text, game) for text in self._state.moves()]


class NativeHypnosiaGame(_NativeGame, HypnosiaGame):
    """Hypnosia by the library."""

    _kind = NativeHypnosiaPosition
    _python = HypnosiaGame


# --- Isaac ---


class NativeIsaacPosition(_Native, IsaacPosition):
    """A position of Isaac in the library."""

    __slots__ = ("_state",)
    _python = IsaacPosition

    def _twin(self) -> IsaacPosition:
        if self._state.info.phase == CHANCE:
            return IsaacPosition(self.game)
        twin: IsaacPosition = self.game._read(self._state.position())
        return twin

    def with_dice(self, dice: Sequence[int]) -> NativeIsaacPosition:
        raise RulesError("Isaac has no dice")

    def legal_moves(self) -> Sequence[Move]:
        return [_isaac_move(text) for text in self._state.moves()]


_isaac_move = functools.lru_cache(maxsize=32768)(read_move)  # moves never change


class NativeIsaacGame(_NativeGame, IsaacGame):
    """Isaac by the library."""

    _kind = NativeIsaacPosition
    _python = IsaacGame


GAMES = {"hypnosia": NativeHypnosiaGame, "isaac": NativeIsaacGame}
