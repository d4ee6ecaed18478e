"""Distributes the referee's items by match.

Items of one match are handled one at a time and in order, different matches in parallel. A match
belongs to a lane for good: a lane is what may call one bot, from one or several threads, or from an
event loop. Knows no transport. Thread-safe.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from typing import Any, Callable, Optional, Sequence

from referee.bot import AnyBot
from referee.nonce import Nonces
from referee.player import Player, finish
from referee.wire import Message, RefereeItem


class Batch:
    """One message of the referee, as it came out of the transport."""

    __slots__ = ("stream", "items", "received")

    def __init__(self, stream: int, items: Sequence[Message], received: float) -> None:
        self.stream = stream  # which of the client's streams it came on, from 1
        self.items = items
        self.received = received  # by time.monotonic()


class _Table:
    """A match, with its items that were not handled yet."""

    __slots__ = ("match_id", "player", "lane", "inbox", "scheduled", "stream")

    def __init__(self, match_id: str, player: Player, lane: _Lane) -> None:
        self.match_id = match_id
        self.player = player  # belongs to whoever has taken the table
        self.lane = lane
        self.inbox: deque[tuple[Batch, Message]] = deque()
        self.scheduled = False  # in lane.ready, or taken
        self.stream = 0  # on which the referee last told of the match


class _Lane:
    """The matches of one bot that have something to be handled."""

    def __init__(self, bot: AnyBot, lock: threading.Lock) -> None:
        self.bot = bot
        self.tables = 0
        self.ready: deque[_Table] = deque()
        self.work = threading.Condition(lock)
        self.idle = 0  # threads that wait
        self.wake: Optional[Callable[[], None]] = None  # of an event loop

    def put(self, table: _Table) -> None:
        if table.scheduled:
            return
        table.scheduled = True
        self.ready.append(table)
        if self.wake is not None:
            self.wake()
        elif self.idle > 0:
            self.work.notify()


class Dispatcher:
    """The matches of a client. `say(stream, item)` takes the replies; it must be thread-safe."""

    def __init__(self, bots: Sequence[AnyBot], say: Callable[[int, Message], None]) -> None:
        self._say = say
        self._nonces = Nonces()
        self._lock = threading.Lock()
        self._lanes = [_Lane(bot, self._lock) for bot in bots]
        self._tables: dict[str, _Table] = {}
        self._max_matches = 1
        self._closed = False
        self.dice_mismatches = 0

    def set_max_matches(self, max_matches: int) -> None:
        """Says how many matches the referee lets the bot play at once."""
        with self._lock:
            self._max_matches = max_matches

    def deliver(self, batch: Batch) -> None:
        """Takes the items that are about a match; those of unknown matches are dropped."""
        with self._lock:
            for item in batch.items:
                match_id = _match_id(item)
                if match_id:
                    self._put(match_id, batch, item)

    def _put(self, match_id: str, batch: Batch, item: Message) -> None:
        table = self._tables.get(match_id)
        if item.WhichOneof("kind") == "match_start":
            if table is None:
                self._end_forgotten(batch.stream)
                table = self._tables[match_id] = self._new_table(match_id)
            table.stream = batch.stream
        if table is None:
            return
        table.inbox.append((batch, item))
        table.lane.put(table)

    def _new_table(self, match_id: str) -> _Table:
        lane = min(self._lanes, key=lambda lane: lane.tables)
        lane.tables += 1
        return _Table(match_id, Player(lane.bot, self._nonces), lane)

    def _end_forgotten(self, stream: int) -> None:
        # A match that ended while the link was lost is not told again. When there would be more
        # matches than the bot can have, those not told of on this stream must be such.
        if len(self._tables) < self._max_matches:
            return
        for table in self._tables.values():
            if table.stream == stream:
                continue
            table.stream = stream
            item = RefereeItem()
            item.match_end.match_id = table.match_id
            table.inbox.append((Batch(stream, (item,), 0.0), item))
            table.lane.put(table)

    def work(self, lane: int) -> None:
        """Plays the matches of a lane on the calling thread until `close`."""
        one = self._lanes[lane]
        while True:
            with self._lock:
                while not one.ready:
                    if self._closed:
                        return
                    one.idle += 1
                    one.work.wait()
                    one.idle -= 1
                table, batch, item = self._take(one)
            if self._may_ask(table, item):
                reply = finish(table.player.take(item, batch.received))
                self._answer(table, batch, item, reply)
            self._put_back(table)

    async def work_async(self, lane: int) -> None:
        """Plays the matches of a lane on the running event loop until `close`."""
        one = self._lanes[lane]
        loop, woken = asyncio.get_running_loop(), asyncio.Event()
        tasks: set[asyncio.Task[None]] = set()
        with self._lock:
            one.wake = lambda: _wake(loop, woken)
        while True:
            woken.clear()
            with self._lock:
                taken = [self._take(one) for _ in range(len(one.ready))]
                closed = self._closed
            for table, batch, item in taken:
                task = loop.create_task(self._take_async(table, batch, item))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            if closed and not taken:
                break
            if not taken:
                await woken.wait()
        while tasks:
            await asyncio.wait(tasks)

    async def _take_async(self, table: _Table, batch: Batch, item: Message) -> None:
        if self._may_ask(table, item):
            reply = await table.player.take(item, batch.received)
            self._answer(table, batch, item, reply)
        self._put_back(table)

    def _take(self, lane: _Lane) -> tuple[_Table, Batch, Message]:
        table = lane.ready.popleft()
        batch, item = table.inbox.popleft()
        return table, batch, item

    def _answer(self, table: _Table, batch: Batch, item: Message, reply: Any) -> None:
        if reply is None:
            return
        if reply.WhichOneof("kind") != "move" or self._may_ask(table, item):
            self._say(batch.stream, reply)

    def _may_ask(self, table: _Table, item: Message) -> bool:
        # A turn that has been asked again is not to be answered as it was asked before: its
        # position may have changed.
        if item.WhichOneof("kind") != "turn_request":
            return True
        with self._lock:
            return not self._closed and not any(
                later.WhichOneof("kind") == "turn_request" for _, later in table.inbox)

    def _put_back(self, table: _Table) -> None:
        with self._lock:
            table.scheduled = False
            if table.inbox:
                table.lane.put(table)
            elif table.player.over:
                self.dice_mismatches += table.player.dice_mismatch
                table.lane.tables -= 1
                del self._tables[table.match_id]

    def close(self) -> None:
        """Makes `work` return once every delivered item was handled.

        The bot is asked for no more moves.
        """
        with self._lock:
            self._closed = True
            for lane in self._lanes:
                lane.work.notify_all()
                if lane.wake is not None:
                    lane.wake()


def _wake(loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(woken.set)


_ILLEGAL_MOVE = 6  # of FaultKind
_ABOUT_A_MATCH = {"turn_request", "turn_played", "reveal_nonce", "seat_forfeited", "match_end"}


def _match_id(item: Message) -> str:
    kind = item.WhichOneof("kind")
    if kind in _ABOUT_A_MATCH:
        return str(getattr(item, kind).match_id)
    # Of other faults nothing is left to be done.
    if kind == "fault" and item.fault.kind == _ILLEGAL_MOVE:
        return str(item.fault.match_id)
    return str(item.match_start.match.match_id) if kind == "match_start" else ""
