"""Plays a bot's matches, over a stream to a referee of its fleet."""

import asyncio
import contextlib
import dataclasses
import os
import sys
import threading
import time
from typing import Any, Iterator, Sequence

from referee import errors
from referee.bot import AnyBot, AsyncBot, Bot
from referee.bot_check import GivenBot, check_no_loop, checked_bot
from referee.dispatcher import Dispatcher, Item
from referee.errors import Error
from referee.fleet import canonical_address
from referee.link import Link
from referee.log import LOGGER, write_to_stderr
from referee.options import Options, parse_command_line, settle
from referee.signals import stop_on_signals
from referee.stream import Stream
from referee.watch import Watch
from referee.wire import BotItem, Message, PlayResponse, seconds
from referee.workers import Workers

# Faults that cost nothing: a Ready or a nonce that is said again after a lost link may have arrived
# the first time; and a seat may forfeit while the bot thinks.
_HARMLESS = {4, 7, 40}  # UNEXPECTED_READY, REPLACED_REQUEST, UNEXPECTED_NONCE

# How long Python lets a thread think before another has its turn, in seconds: what a Ping, and a
# move that is ready, may wait for while the bot thinks about another match.
_SWITCH_INTERVAL = 0.0005


class Client:
    """Plays a bot's matches. `stop` may be called from any thread."""

    def __init__(self, bot: GivenBot, options: Options | None = None) -> None:
        """`bot`: or its class, which `run` makes one of."""
        self._given = bot
        self._options = options or Options()
        self._lock = threading.Lock()
        self._stopped = False
        self._link: Link | None = None
        self._failure: BaseException | None = None

    def run(self) -> None:
        """Plays until the only referee has drained and closed the stream, or `stop` is called.

        Raises a `referee.Error` that says why there is no point in going on: InvalidOptions, what
        the referee refuses this bot for, PlaceTaken, PlaceKept, NotAReferee, Unreachable after
        `give_up_after`; and DiceMismatch when the dice of a match did not fit. After any other
        trouble it connects again. Call it once. An `AsyncBot` has an event loop of its own: inside
        of a coroutine this raises RuntimeError.
        """
        self._bot: AnyBot = checked_bot(self._given)
        if isinstance(self._bot, AsyncBot):
            check_no_loop("run")
        options = settle(self._options, isinstance(self._bot, AsyncBot))
        address = canonical_address(options.address)
        self._options = dataclasses.replace(options, address=address)
        self._check_bot()
        with contextlib.ExitStack() as stack:
            workers: Workers | None = None
            bots: Sequence[AnyBot] = [self._bot]
            if self._options.workers > 0:
                assert isinstance(self._bot, Bot)
                # Before gRPC is there: a process with its threads is not to be forked.
                workers = stack.enter_context(Workers(self._bot, self._options.workers, self._lost))
                bots = workers.bots
            watch = Watch() if workers is None else None  # each process watches its own
            if watch is not None:
                stack.callback(watch.close)
            self._dispatcher = Dispatcher(bots, self._say, self._send, watch)
            if self._options.handle_signals:
                stack.enter_context(stop_on_signals(self.stop))
            stack.enter_context(_switch_interval(_SWITCH_INTERVAL))
            self._play(len(bots))
        if self._failure is not None:
            raise self._failure
        mismatches = self._dispatcher.dice_mismatches
        if mismatches:
            raise errors.DiceMismatch(
                f"the dice of {mismatches} match{'es' if mismatches > 1 else ''} did not fit what "
                "the referee had told of them; the log says which, and how")

    def stop(self) -> None:
        """Makes `run` return as soon as the current calls to the bot have returned.

        Running matches go on, and are lost on time unless the bot comes back. May be called from
        the bot's methods.
        """
        with self._lock:
            self._stopped = True
            if self._link is not None:
                self._link.stop()

    def _check_bot(self) -> None:
        if not isinstance(self._bot, AsyncBot):
            return
        if self._options.workers > 0 or self._options.threads > 1:
            raise errors.InvalidOptions("--workers and --threads are for a Bot: an AsyncBot thinks "
                                        "about all of its turns on one event loop")

    # The calling thread plays the first lane, others the rest; one more has the stream.
    def _play(self, lanes: int) -> None:
        mine: list[threading.Thread] = []
        for lane in range(lanes):
            for _ in range(self._options.threads - (lane == 0)):
                work = (self._dispatcher.work, lane)
                mine.append(threading.Thread(target=self._guard, args=work))
        mine.append(threading.Thread(target=self._guard, args=(self._connect,)))
        for thread in mine:
            thread.daemon = True
            thread.start()
        try:
            if isinstance(self._bot, AsyncBot):
                asyncio.run(self._dispatcher.work_async(0))
            else:
                self._dispatcher.work(0)
        finally:
            self.stop()
            for thread in mine:
                thread.join()

    # What ends a thread of ours ends the client.
    def _guard(self, target: Any, *arguments: Any) -> None:
        try:
            target(*arguments)
        except BaseException as error:  # a bot may well call sys.exit
            self._lost(error)

    def _lost(self, error: BaseException) -> None:
        with self._lock:
            self._failure = self._failure or error
        self.stop()

    # --- What the referee says ---

    def hear(self, stream: Stream, data: bytes) -> None:
        """Takes a message, on the thread of the link."""
        received = time.monotonic()
        link = self._link
        assert link is not None
        items = []
        for item in PlayResponse.FromString(data).items:
            kind = item.WhichOneof("kind")
            if kind is None:
                continue
            message = getattr(item, kind)
            if kind == "ping":
                # Here, not after the bot has thought: that is none of the network's time.
                pong = BotItem()
                pong.pong.number = message.number
                stream.say(pong)
                stream.send()
            elif kind == "welcome":
                link.hear_welcome(message)
            elif kind == "fleet":
                link.hear_fleet(message.addresses)
            elif kind == "draining":
                link.hear_draining(message, seconds(message.time_left))
            elif kind == "notice":
                LOGGER.warning("the referee says: %s", message.text)
            else:
                if kind == "fault":
                    _log_fault(message)
                items.append(Item(kind, message, stream.number, received))
        self._dispatcher.deliver(items)

    def forget_all_but(self, stream: int) -> None:
        """The matches that were not told on the stream with that number are over."""
        self._dispatcher.forget_all_but(stream)

    # --- What is said to it ---

    def _say(self, number: int, item: Message) -> None:
        stream = self._link.current(number) if self._link is not None else None
        if stream is not None:
            stream.say(item)

    def _send(self, number: int) -> None:
        stream = self._link.current(number) if self._link is not None else None
        if stream is not None:
            stream.send()

    def hello(self) -> Message:
        """Returns the first item of each stream."""
        options = self._options
        hello = BotItem().hello
        hello.token = options.token
        hello.software = options.software
        hello.games.extend(options.games)
        hello.max_matches = options.max_matches
        hello.parallel_turns = options.parallel_turns
        hello.wants_legal_moves = options.legal_moves
        hello.news_may_wait = options.news_may_wait
        hello.keeps_existing = options.keep_existing
        hello.version = options.version
        return hello

    # Returns when there is nothing more to be played.
    def _connect(self) -> None:
        try:
            with self._lock:
                link = self._link = Link(self, self._options)
                if self._stopped:
                    link.stop()
            link.run()
        finally:
            self._dispatcher.close()


@contextlib.contextmanager
def _switch_interval(interval: float) -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(interval)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _log_fault(fault: Message) -> None:
    log = LOGGER.debug if fault.kind in _HARMLESS else LOGGER.warning
    about = f" (match {fault.match_id})" if fault.match_id else ""
    log("the referee objects: %s%s", fault.message, about)


def run(bot: GivenBot, argv: Sequence[str] | None = None, **defaults: Any) -> None:
    """Plays a bot's matches, as a program's last line. `bot` may be its class, too.

    Options come from the command line (`--help` lists them) over `defaults`, which are fields of
    `Options`, over the environment. `argv` is the command line, the program's name first, unless it
    is that of the process. The log goes to stderr, and signals stop the bot.

    Returns when all is played. If the bot cannot go on it says so on stderr, and raises SystemExit
    with status 2.
    """
    # What gRPC would write to stderr says nothing that the bot's own log does not.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    line = sys.argv if argv is None else argv
    try:
        defaults.setdefault("handle_signals", True)
        given = Options(**defaults)
        options = parse_command_line(line, given)
        settle(options)  # before the log is touched, as what follows
        bot = checked_bot(bot)
        write_to_stderr(options.log_level)
        Client(bot, options).run()
    except Error as error:
        print(f"{line[0] if line else 'bot'}: {error}", file=sys.stderr)
        raise SystemExit(2) from None
