"""Processes that think for a bot: Python runs one thread at a time, but any number of processes.

Each has a bot of its own, and a match stays with the process that it began in. Streams, dice and
clocks stay here; a call of a bot's method goes over a pipe, and waits for its answer.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.connection import Connection, wait
from typing import Any, Callable

from referee.bot import Bot
from referee.errors import InvalidOptions, WorkerLost
from referee.match import Forfeit, Match, Turn, TurnPlayed, Verdict
from referee.raised import Thrown, reason_of, trace_of
from referee.rules import Move
from referee.watch import LONG, Watch
from referee.wire import MatchStart, seconds
from referee import wire

# A process that is forked has the bot as it is; another would have to be able to import it.
_METHOD = "fork"

# How long a process may take to end, in seconds, once it is told to.
_PATIENCE = 1.0


class Workers:
    """A number of processes. `lost` is told of one that ends by itself, on any thread."""

    def __init__(self, bot: Bot, count: int, lost: Callable[[BaseException], None]) -> None:
        if _METHOD not in multiprocessing.get_all_start_methods():
            raise InvalidOptions("--workers needs a system that can fork, which this one cannot")
        self._lost = lost
        self._closed = False
        self._reaping = threading.Lock()
        context: Any = multiprocessing.get_context(_METHOD)
        self._processes: list[Any] = []
        self._pipes: list[Connection] = []
        for number in range(count):
            mine, theirs = context.Pipe()
            process = context.Process(target=_work, args=(bot, theirs, self._pipes + [mine]),
                                      name=f"worker-{number + 1}", daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(mine)
        self.bots = [_Distant(bot, pipe, self._gone, number)
                     for number, pipe in enumerate(self._pipes)]
        threading.Thread(target=self._watch, daemon=True).start()
        # multiprocessing would wait at exit for processes that take no notice of SIGTERM.
        atexit.register(self._kill)

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: Any) -> None:
        self._closed = True
        for pipe in self._pipes:
            pipe.close()
        until = time.monotonic() + _PATIENCE
        for process in self._processes:
            process.join(max(0.0, until - time.monotonic()))
        self._kill()
        atexit.unregister(self._kill)

    def _kill(self) -> None:
        for process in self._processes:
            process.kill()
            process.join()

    def _watch(self) -> None:
        gone = wait([process.sentinel for process in self._processes])
        for number, process in enumerate(self._processes):
            if process.sentinel in gone:
                self._gone(number)

    def _gone(self, number: int) -> None:
        process = self._processes[number]
        with self._reaping:  # of two threads that wait for a process only one hears its status
            if self._closed:
                return
            process.join(_PATIENCE)
            code = process.exitcode
        how = f"by signal {-code}" if code is not None and code < 0 else f"with status {code}"
        self._lost(WorkerLost(f"process {number + 1} of --workers, {process.pid}, has ended {how}"))


class _Distant(Bot):
    """A bot in another process. Called from one thread at a time."""

    def __init__(self, bot: Bot, pipe: Connection, gone: Callable[[int], None],
                 number: int) -> None:
        self._pipe = pipe
        self._gone = gone
        self._number = number
        self._broken = False

    def ask(self, method: str, match_id: str, *arguments: Any) -> Any:
        """Calls a method there. Raises Thrown if it raises."""
        try:
            self._pipe.send((method, match_id, arguments))
            good, result = self._pipe.recv()
        except (EOFError, OSError):
            self._gone(self._number)
            ended = "the process that thinks about this match has ended"
            raise Thrown(ended, ended) from None
        if not good:
            raise Thrown(*result)
        return result

    def for_match(self, match: Match) -> Bot:
        hears = self.ask("for_match", match.id, match._start.SerializeToString())
        return (_HearingMatch if hears else _DistantMatch)(self, match.id)


class _DistantMatch(Bot):
    """The bot of one match in another process, which wants to hear of no turns."""

    def __init__(self, bot: _Distant, match_id: str) -> None:
        self._bot = bot
        self._id = match_id

    def choose_turn(self, turn: Turn) -> str:
        request = turn._message.SerializeToString()
        received = turn.deadline - turn.limit
        return str(self._bot.ask("choose_turn", self._id, request, received))

    def on_match_start(self, match: Match) -> None:
        self._bot.ask("on_match_start", self._id, match._start.SerializeToString())

    def on_forfeit(self, match: Match, forfeit: Forfeit) -> None:
        self._bot.ask("on_forfeit", self._id, forfeit._message.SerializeToString())

    def on_dice_mismatch(self, match: Match, problem: str) -> None:
        self._bot.ask("on_dice_mismatch", self._id, problem)

    def on_match_end(self, match: Match, verdict: Verdict) -> None:
        self._bot.ask("on_match_end", self._id, verdict._message.SerializeToString())


class _HearingMatch(_DistantMatch):
    """One that wants to."""

    def on_turn_played(self, match: Match, played: TurnPlayed) -> None:
        self._bot.ask("on_turn_played", self._id, played._message.SerializeToString())


class _Here:
    """The matches of one process."""

    def __init__(self, bot: Bot) -> None:
        self._main_bot = bot
        self._matches: dict[str, tuple[Match, Bot]] = {}
        self._watch = Watch()

    def answer(self, method: str, match_id: str, told: Any, received: float = 0.0) -> Any:
        """Calls the bot with what it is told: an encoded message, or text.

        `received`: when the request of a turn came.
        """
        if method in _MESSAGES:
            told = _MESSAGES[method].FromString(told)
        match, bot = self._matches.get(match_id, (None, self._main_bot))
        if match is None or method == "on_match_start":
            match = Match(told)
            self._matches[match_id] = (match, bot)
        about, until = method, time.monotonic() + LONG
        if method == "choose_turn":
            about, until = f"turn {told.turn}", received + seconds(told.limit)
        elif method == "on_match_start" and told.HasField("ready_limit"):
            until = time.monotonic() + seconds(told.ready_limit)
        elif method == "on_match_end":
            del self._matches[match_id]
        with self._watch.during(method, about, match, until):
            if method == "for_match":
                bot = self._main_bot.for_match(match) or self._main_bot
                self._matches[match_id] = (match, bot)
                return type(bot).on_turn_played is not Bot.on_turn_played
            if method == "choose_turn":
                return _text(bot.choose_turn(Turn(match, told, received)))
            if method == "on_match_start":
                return bot.on_match_start(match)
            return getattr(bot, method)(match, _GIVEN.get(method, str)(told))


_MESSAGES = {
    "for_match": MatchStart, "on_match_start": MatchStart, "choose_turn": wire.TurnRequest,
    "on_turn_played": wire.TurnPlayed, "on_forfeit": wire.SeatForfeited,
    "on_match_end": wire.Verdict}
_GIVEN: dict[str, Callable[[Any], Any]] = {
    "on_turn_played": TurnPlayed, "on_forfeit": Forfeit, "on_match_end": Verdict}


def _text(chosen: Move | str | object) -> str:
    if isinstance(chosen, (Move, str)):
        return str(chosen)
    raise TypeError(f"choose_turn returned {chosen!r:.200}: it must be one of turn.moves, or notation")


def _work(bot: Bot, pipe: Connection, others: list[Connection]) -> None:
    # A process that was forked has the pipes of those before it open, and would keep them so.
    for other in others:
        other.close()
    # The first process is told to end, and tells the others by closing their pipes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    here = _Here(bot)
    while True:
        try:
            method, match_id, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        answer: tuple[bool, Any | None]
        try:
            answer = (True, here.answer(method, match_id, *arguments))
        except Exception as error:
            answer = (False, (trace_of(error), reason_of(error)))
        try:
            pipe.send(answer)
        except OSError:
            return


# A bot may be thinking for long when the first process is killed.
def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
