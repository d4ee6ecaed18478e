"""What is said of an exception that left a bot's method: a traceback, and one line."""

import pathlib
import traceback

from referee.text import plain

_MAX_REASON_BYTES = 200

# The files of the SDK that call a bot, whose frames tell its author nothing.
OWN = tuple(str(pathlib.Path(__file__).with_name(name)) for name in ("player.py", "workers.py"))


class Thrown(Exception):
    """What another process says of an exception that left a bot's method there."""

    def __init__(self, trace: str, reason: str) -> None:
        super().__init__(reason)
        self.trace = trace
        self.reason = reason


def trace_of(error: BaseException) -> str:
    """Returns the traceback of an exception, from the bot's method on."""
    if isinstance(error, Thrown):
        return error.trace
    where = error.__traceback__
    while where is not None and where.tb_frame.f_code.co_filename in OWN:
        where = where.tb_next
    return "".join(traceback.format_exception(type(error), error, where)).rstrip()


def reason_of(error: BaseException) -> str:
    """Returns the type and the message of an exception, as plain text on one line."""
    if isinstance(error, Thrown):
        return error.reason
    kind = type(error)
    name = kind.__qualname__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__}.{name}"
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be read"
    return plain(f"{name}: {message}" if message else name, _MAX_REASON_BYTES)
