"""Says where a bot is when its time is up: writes the stack of its thread to the log."""

import contextlib
import math
import sys
import threading
import time
import traceback
from typing import Any, Iterator

from referee.log import duration_text
from referee.match import Match
from referee.raised import OWN

LONG = 10.0
"""How many seconds a method may take that has no time limit of its own."""

_MOST_FRAMES = 30
_LONGEST_WAIT = 3600.0
_MAX_TOLD = 1024


class Call:
    """A call of a bot's method that has not returned."""

    __slots__ = ("method", "about", "match", "begun", "deadline", "thread", "task", "ended")

    def __init__(self, method: str, about: str, match: Match, deadline: float,
                 task: Any | None) -> None:
        self.method = method
        self.about = about  # such as "turn 3"
        self.match = match
        self.begun = time.monotonic()
        self.deadline = deadline
        self.thread = threading.get_ident()
        self.task = task  # of an event loop
        self.ended = False


class Watch:
    """Watches calls from a thread of its own, which begins with the first. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: set[Call] = set()
        self._told: set[str] = set()  # matches, by id
        self._until = 0.0  # when the thread looks next; 0 before it begins
        self._closed = False

    def close(self) -> None:
        """Ends the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    @contextlib.contextmanager
    def during(self, method: str, about: str, match: Match, deadline: float,
               task: Any | None = None) -> Iterator[None]:
        """Watches a call of a bot's method while the context lasts.

        `deadline`, by `time.monotonic()`, is when the stack goes to the log.
        """
        call = Call(method, about, match, deadline, task)
        with self._changed:
            self._calls.add(call)
            if deadline < self._until:
                self._changed.notify()
            elif self._until == 0.0:
                self._until = math.inf
                threading.Thread(target=self._run, name="referee-watch", daemon=True).start()
        try:
            yield
        finally:
            call.ended = True
            with self._changed:
                self._calls.discard(call)

    # Looks again only at the earliest deadline that it saw last, so that calls that return in time
    # do not wake it.
    def _run(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                due = [call for call in self._calls if call.deadline <= now]
                self._calls.difference_update(due)
                self._until = min((call.deadline for call in self._calls), default=math.inf)
                if not due:
                    if self._closed:
                        return
                    self._changed.wait(min(self._until - now, _LONGEST_WAIT))
            for call in due:
                self._report(call)

    # Once a match: in the next turn a bot is likely to be at the same place.
    def _report(self, call: Call) -> None:
        if call.match.id in self._told:
            return
        if len(self._told) == _MAX_TOLD:
            self._told.clear()
        if _log_stack(call):
            self._told.add(call.match.id)


# Returns whether there was something to write.
def _log_stack(call: Call) -> bool:
    frames = _frames_of(call)
    if call.ended or not frames:
        return False
    spent = duration_text(time.monotonic() - call.begun)
    call.match.log.warning("%s: the time is up, and %s has not returned in %s; the bot is at\n%s",
                     call.about, call.method, spent,
                     "".join(traceback.format_list(frames[-_MOST_FRAMES:])).rstrip())
    return True


def _frames_of(call: Call) -> list[traceback.FrameSummary]:
    frame = sys._current_frames().get(call.thread)
    frames = list(traceback.extract_stack(frame)) if frame is not None else []
    if call.task is None:
        return _after(frames, OWN, None)
    # A step of the event loop that has not ended blocks it, whichever task it is of.
    blocked = _after(frames, ("asyncio/events.py",), "_run")
    return _inner(blocked) if blocked else _inner(_awaited(call.task))


# The frames after the last one of these files; none if there is no such frame.
def _after(frames: list[traceback.FrameSummary], files: Any,
           function: str | None) -> list[traceback.FrameSummary]:
    for at in range(len(frames) - 1, -1, -1):
        named = function is None or frames[at].name == function
        if named and frames[at].filename.endswith(files):
            return frames[at + 1:]
    return []


# Without the frames of the SDK that the bot was called by, if there are others.
def _inner(frames: list[traceback.FrameSummary]) -> list[traceback.FrameSummary]:
    return _after(frames, OWN, None) or frames


# The frames of a task that waits for something, the outermost first.
def _awaited(task: Any) -> list[traceback.FrameSummary]:
    frames: list[traceback.FrameSummary] = []
    waits: Any = task.get_coro()
    while waits is not None:
        frame = getattr(waits, "cr_frame", None) or getattr(waits, "gi_frame", None)
        if frame is None:
            break
        frames += traceback.StackSummary.extract([(frame, frame.f_lineno)])
        waits = getattr(waits, "cr_await", None) or getattr(waits, "gi_yieldfrom", None)
    return frames
