"""Finds and declares librefereerules.so, the rules in C++ (sdk/c); all else does without it.

It is looked for, when first needed, in this order: the file that the variable
REFEREE_RULES_LIBRARY names ("none": the rules in Python are used), beside this module, where the
package brings it, and where the system looks for libraries. `use` takes another one. If there is
none, the log says so once.
"""

import ctypes
import os
import pathlib
from typing import Any, Mapping

from referee.log import LOGGER
from referee.rules.base import RulesError

NAME = "librefereerules.so"
VARIABLE = "REFEREE_RULES_LIBRARY"
ABI = 1

MAX_SEATS = 10
MAX_DRAW = 2

# The phases of a state.
CHANCE, TURN, OVER = range(3)


class Info(ctypes.Structure):
    """What there is to know of a state at a glance: `referee_info` of referee_rules.h."""

    _fields_ = [
        ("phase", ctypes.c_int32), ("seat", ctypes.c_int32), ("first", ctypes.c_int32),
        ("sides", ctypes.c_int32), ("numbers", ctypes.c_int32), ("dice_count", ctypes.c_int32),
        ("dice", ctypes.c_int32 * MAX_DRAW), ("scores", ctypes.c_int32 * MAX_SEATS),
        ("ranks", ctypes.c_int32 * MAX_SEATS), ("forfeited", ctypes.c_int32 * MAX_SEATS)]


_POINTER, _INT32, _INT64, _UINT64 = (
    ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64)
_TEXT = (ctypes.c_char_p, ctypes.c_size_t)

# By function: what it returns, and takes.
_FUNCTIONS: Mapping[str, list[Any]] = {
    "referee_rules_version": [ctypes.c_char_p],
    "referee_rules_error": [ctypes.c_char_p],
    "referee_game_new": [_POINTER, ctypes.c_char_p, _INT32, ctypes.POINTER(ctypes.c_char_p)],
    "referee_game_free": [None, _POINTER],
    "referee_state_new": [_POINTER, _POINTER, ctypes.c_char_p],
    "referee_state_clone": [_POINTER, _POINTER],
    "referee_state_free": [None, _POINTER],
    "referee_state_info": [_INT32, _POINTER, ctypes.POINTER(Info)],
    "referee_state_position": [_INT64, _POINTER, *_TEXT],
    "referee_state_label": [_INT64, _POINTER, *_TEXT],
    "referee_state_reason": [_INT64, _POINTER, *_TEXT],
    "referee_state_moves": [_INT64, _POINTER, ctypes.POINTER(_UINT64), _INT64],
    "referee_state_find": [_INT32, _POINTER, ctypes.c_char_p, ctypes.POINTER(_UINT64)],
    "referee_move_texts": [_INT64, _POINTER, ctypes.POINTER(_UINT64), _INT64, *_TEXT],
    "referee_state_play": [_INT32, _POINTER, _UINT64],
    "referee_state_draw": [_INT32, _POINTER, ctypes.POINTER(_INT32), _INT32],
    "referee_state_set_dice": [_INT32, _POINTER, ctypes.POINTER(_INT32), _INT32],
    "referee_state_forfeit": [_INT32, _POINTER, _INT32],
}
_PLAYOUTS: list[Any] = [
    _POINTER, _INT64, _UINT64, ctypes.POINTER(_INT32), ctypes.POINTER(_INT32)]


class WrongLibrary(RulesError):
    """A file that was named, and is not a library of the rules that this module can use."""


class Library:
    """A library that was loaded.

    `calls` are made under the interpreter's lock, so that threads may share positions; `playouts`,
    which takes long, is made without it, on a state that no other thread knows.
    """

    def __init__(self, path: str) -> None:
        """Loads a file. Raises WrongLibrary, which says why it cannot be used."""
        try:
            self.calls: Any = ctypes.PyDLL(path)
            self.calls.referee_rules_abi.restype = _INT32
            abi = self.calls.referee_rules_abi()
        except (OSError, AttributeError) as error:
            raise WrongLibrary(f"the rules cannot be loaded from {path}: {error}") from None
        if abi != ABI:
            raise WrongLibrary(f"{path} has ABI {abi} of the rules, and {ABI} is needed: install "
                               "the library and the package from the same release")
        for name, (returns, *takes) in _FUNCTIONS.items():
            function = getattr(self.calls, name)
            function.restype, function.argtypes = returns, takes
        self.playouts: Any = ctypes.CDLL(path).referee_state_playouts
        self.playouts.restype, self.playouts.argtypes = _INT64, _PLAYOUTS
        self.path = path

    @property
    def version(self) -> str:
        """The version of the library."""
        return str(self.calls.referee_rules_version().decode())

    def error(self) -> str:
        """Why the last call of this thread that failed did."""
        return str(self.calls.referee_rules_error().decode("utf-8", "replace"))

    def checked(self, returned: int) -> int:
        """Returns what a call has returned; raises RulesError if that means a failure."""
        if returned < 0:
            raise RulesError(self.error())
        return returned

    def __repr__(self) -> str:
        return f"<{self.path} {self.version}>"


_current: Library | None = None
_looked = False


def _found() -> Library | None:
    named = os.environ.get(VARIABLE, "")
    if named == "none":
        return None
    if named:
        return Library(named)
    beside = pathlib.Path(__file__).with_name(NAME)
    why = f"{NAME} is neither in {beside.parent} nor among the libraries of the system"
    for path in (str(beside), NAME):
        try:
            return Library(path)
        except WrongLibrary as error:
            if path == str(beside) and beside.exists():
                why = str(error)
    LOGGER.warning("the rules are done in Python, many times slower than by the library: %s; "
                   "%s=FILE names it, and %s=none does without it", why, VARIABLE, VARIABLE)
    return None


def current() -> Library | None:
    """Returns the library that games are made with from now on; None: the rules in Python.

    Raises WrongLibrary if the one that the variable names cannot be used.
    """
    global _current, _looked
    if not _looked:
        _current = _found()
        _looked = True
    return _current


def use(path: str | None) -> None:
    """Has games made with the library in a file; None: with the rules in Python.

    Games that were made before stay as they are. Raises WrongLibrary if it cannot be used.
    """
    global _current, _looked
    _current = Library(path) if path is not None else None
    _looked = True
