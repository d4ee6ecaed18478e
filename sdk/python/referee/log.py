"""The log: the logger "referee" of Python's `logging`, and how `run` has it written to stderr."""

import logging
import time
from typing import Any, MutableMapping

LOGGER = logging.getLogger("referee")

# The levels of --log-level.
LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "none": logging.CRITICAL + 1,
}


class MatchLog(logging.LoggerAdapter[logging.Logger]):
    """A logger that names the match in each line: `turn.log.info("searched %d nodes", nodes)`."""

    def __init__(self, match_id: str) -> None:
        super().__init__(LOGGER, {})
        # In a format: a name that a referee has made has no '%', but who knows.
        self._prefix = f"match {match_id}: ".replace("%", "%%")

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> Any:
        """Puts the match before a message."""
        return self._prefix + str(msg), kwargs


class _Lines(logging.Formatter):
    """`<time> <level> <text>`, as the C++ SDK writes it."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        return f"{seconds}.{int(record.msecs):03}Z {record.levelname.lower()} {text}"


def write_to_stderr(level: str) -> None:
    """Has the log written to stderr, from a level on, and nowhere else."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Lines())
    LOGGER.handlers[:] = [handler]
    LOGGER.setLevel(LEVELS[level])
    LOGGER.propagate = False


def duration_text(seconds: float) -> str:
    """Writes a duration: "250ms", "1.5s", "2m30s"."""
    if seconds < 1:
        return f"{int(seconds * 1000)}ms"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(int(minutes), 60)
    text = f"{hours}h" if hours else ""
    text += f"{minutes}m" if minutes else ""
    return text + (f"{round(rest, 3):g}s" if rest or not text else "")
