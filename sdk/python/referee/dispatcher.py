"""Distributes the referee's items by match.

Items of one match are handled one at a time and in order, different matches in parallel. A match
belongs to a lane for good: a lane is what may call one bot, from one or several threads, or from an
event loop. Knows no transport. Thread-safe.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from typing import Any, Callable, Iterable, NamedTuple, Sequence

from referee.bot import AnyBot
from referee.nonce import Nonces
from referee.player import Player, finish
from referee.watch import Watch
from referee.wire import Message, RefereeItem

# An answer that took no longer, in seconds, waits for those that come next.
_QUICK = 0.0003


class Item(NamedTuple):
    """One thing that the referee has said."""

    kind: str  # the member of RefereeItem
    message: Message
    stream: int  # which of the client's streams it came on, from 1
    received: float  # when it came out of the transport, by time.monotonic()


class _Table:
    """A match, with its items that were not handled yet."""

    __slots__ = ("match_id", "player", "lane", "stream", "inbox", "scheduled")

    def __init__(self, match_id: str, player: Player, lane: _Lane) -> None:
        self.match_id = match_id
        self.player = player  # belongs to whoever has taken the table
        self.lane = lane
        self.stream = 0  # on which it was told last
        self.inbox: deque[Item] = deque()
        self.scheduled = False  # in lane.ready, or taken


class _Lane:
    """The matches of one bot that have something to be handled."""

    def __init__(self, bot: AnyBot, lock: threading.Lock) -> None:
        self.bot = bot
        self.tables = 0
        self.ready: deque[_Table] = deque()
        self.work = threading.Condition(lock)
        self.idle = 0  # threads that wait
        self.wake: Callable[[], None] | None = None  # of an event loop

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
    """The matches of a client.

    `say(stream, item)` takes the replies; after `send(stream)` what was said before is to go out.
    Both must be thread-safe. `watch` looks at calls of the bots; None for bots elsewhere.
    """

    def __init__(self, bots: Sequence[AnyBot], say: Callable[[int, Message], None],
                 send: Callable[[int], None], watch: Watch | None = None) -> None:
        self._say = say
        self._send = send
        self._nonces = Nonces()
        self._raised: set[str] = set()
        self._watch = watch
        self._lock = threading.Lock()
        self._lanes = [_Lane(bot, self._lock) for bot in bots]
        self._tables: dict[str, _Table] = {}
        self._closed = False
        self.dice_mismatches = 0

    def deliver(self, items: Iterable[Item]) -> None:
        """Takes the items that are about a match; those of unknown matches are dropped."""
        with self._lock:
            for item in items:
                match_id = _match_id(item)
                if match_id:
                    self._put(match_id, item)

    def _put(self, match_id: str, item: Item) -> None:
        table = self._tables.get(match_id)
        if item.kind == "match_start" and table is None:
            table = self._tables[match_id] = self._new_table(match_id)
        if table is None:
            return
        if item.kind == "match_start":
            table.stream = item.stream
        table.inbox.append(item)
        table.lane.put(table)

    def _new_table(self, match_id: str) -> _Table:
        lane = min(self._lanes, key=lambda lane: lane.tables)
        lane.tables += 1
        return _Table(
            match_id, Player(lane.bot, self._nonces, self._raised, self._watch), lane)

    def forget_all_but(self, stream: int) -> None:
        """Ends the matches that were not told on the stream with that number.

        They ended while the link was lost, and so are not told again.
        """
        with self._lock:
            over = [match_id for match_id, table in self._tables.items() if table.stream != stream]
            for match_id in over:
                end = RefereeItem().match_end
                end.match_id = match_id
                self._put(match_id, Item("match_end", end, 0, 0.0))

    def work(self, lane: int) -> None:
        """Plays the matches of a lane on the calling thread until `close`."""
        one = self._lanes[lane]
        table: _Table | None = None
        unsent: int | None = None  # a stream on which something was said that was not sent
        while True:
            with self._lock:
                if table is not None:
                    self._put_back(table)
                    table = None
                if one.ready:
                    table = one.ready.popleft()
                    item = table.inbox.popleft()
            if table is None:
                if unsent is not None:
                    self._send(unsent)
                    unsent = None
                if not self._wait(one):
                    return
                continue
            begun = time.monotonic()
            if self._may_ask(table, item):
                reply = finish(table.player.take(item.kind, item.message, item.received))
                if self._answer(table, item, reply):
                    unsent = item.stream
            # A reply does not wait for a bot that thinks in another match.
            if unsent is not None and time.monotonic() - begun > _QUICK:
                self._send(unsent)
                unsent = None

    # Waits for something to do; returns False when there will be nothing more.
    def _wait(self, lane: _Lane) -> bool:
        with self._lock:
            while not lane.ready:
                if self._closed:
                    return False
                lane.idle += 1
                lane.work.wait()
                lane.idle -= 1
            return True

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
                tables = list(one.ready)
                one.ready.clear()
                taken = [(table, table.inbox.popleft()) for table in tables]
                closed = self._closed
            for table, item in taken:
                task = loop.create_task(self._take_async(table, item))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            if closed and not taken:
                break
            if not taken:
                await woken.wait()
        while tasks:
            await asyncio.wait(tasks)

    async def _take_async(self, table: _Table, item: Item) -> None:
        if self._may_ask(table, item):
            reply = await table.player.take(item.kind, item.message, item.received)
            if self._answer(table, item, reply):
                # After those that can answer now, too.
                asyncio.get_running_loop().call_soon(self._send, item.stream)
        with self._lock:
            self._put_back(table)

    # Says a reply, if there is one that counts still.
    def _answer(self, table: _Table, item: Item, reply: Any) -> bool:
        if reply is None:
            return False
        if reply.WhichOneof("kind") == "move" and not self._may_ask(table, item):
            return False
        self._say(item.stream, reply)
        return True

    def _may_ask(self, table: _Table, item: Item) -> bool:
        # A turn that has been asked again is not to be answered as it was asked before: its
        # position may have changed.
        if item.kind != "turn_request":
            return True
        with self._lock:
            return not self._closed and not any(
                later.kind == "turn_request" for later in table.inbox)

    def _put_back(self, table: _Table) -> None:
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


def _match_id(item: Item) -> str:
    if item.kind in _ABOUT_A_MATCH:
        return str(item.message.match_id)
    # Of other faults nothing is left to be done.
    if item.kind == "fault" and item.message.kind == _ILLEGAL_MOVE:
        return str(item.message.match_id)
    return str(item.message.match.match_id) if item.kind == "match_start" else ""
