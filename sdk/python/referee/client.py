"""Plays a bot's matches, over a stream to its referee and to each that this refers it to."""

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
from referee.link import Link
from referee.log import LOGGER, duration_text, write_to_stderr
from referee.options import Options, parse_command_line, settle
from referee.places import Share, divide, grant, served, weight
from referee.refer import Referral, canonical_address, next_in_circle
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
        self._changed = threading.Condition()  # its lock is that of the links, too
        self._stopped = False
        self._here = False  # matches are to be expected at the letter box, too
        self._circle: list[Options] = []  # where the letter box may be, one after the other
        self._letter_box: Link | None = None
        self._homes: list[Link] = []  # that it was referred to: the more important first
        self._shifts: threading.Thread | None = None  # looks at the end of each, if needed
        self._streams: dict[int, Stream] = {}
        self._last_stream = 0
        self._failure: BaseException | None = None

    def run(self) -> None:
        """Plays until the referee has drained and closed the stream, or `stop` is called.

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
        self._promised = Share(options.max_matches, options.parallel_turns)
        self._referral = Referral(self._options)
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
        with self._changed:
            self._stopped = True
            for link in self._links():
                link.stop()
            self._changed.notify_all()

    def _check_bot(self) -> None:
        if not isinstance(self._bot, AsyncBot):
            return
        if self._options.workers > 0 or self._options.threads > 1:
            raise errors.InvalidOptions("--workers and --threads are for a Bot: an AsyncBot thinks "
                                        "about all of its turns on one event loop")

    # The calling thread plays the first lane, others the rest; one more has each stream.
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
        with self._changed:
            self._failure = self._failure or error
        self.stop()

    # --- What the referee says ---

    def hear(self, link: Link, stream: Stream, data: bytes) -> None:
        """Takes a message, on the thread of its link."""
        received = time.monotonic()
        items = []
        freed = False
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
                self._hear_welcome(link, message)
            elif kind == "draining":
                self._hear_draining(link, message)
            elif kind == "refer":
                self._hear_refer(link, message)
            elif kind == "capacity":
                with self._changed:
                    link.holding.answered()
                    self.review()
            elif kind == "notice":
                LOGGER.warning("the referee says: %s", message.text)
            else:
                if kind == "fault":
                    _log_fault(message)
                elif kind == "match_start":
                    with self._changed:
                        self.forget(link.holding.begun(message.match.match_id, stream.number))
                elif kind == "match_end":
                    with self._changed:
                        link.holding.ended([message.match_id])
                    freed = True
                items.append(Item(kind, message, stream.number, received))
        self._dispatcher.deliver(items)
        if freed:
            # Not before: the match that comes for the place shall find that this one has ended.
            with self._changed:
                self.review()

    def _hear_welcome(self, link: Link, welcome: Message) -> None:
        LOGGER.info("connected to %s at %s as %s, up to %d matches at once", welcome.referee,
                    link.address, welcome.bot, welcome.max_matches)
        with self._changed:
            link.hear_welcome(welcome.max_matches)
        self._hear_refer(link, welcome.refer)

    def _hear_draining(self, link: Link, draining: Message) -> None:
        LOGGER.info("the referee%s is about to stop; running matches have %s%s",
                    f" at {link.address}" if link.is_home else "",
                    duration_text(seconds(draining.time_left)),
                    "; it will be back, and so shall this bot" if draining.will_return
                    else " to end")
        with self._changed:
            link.ends = not draining.will_return
            link.draining = link.is_home
            self.review()

    # --- Where else the bot is wanted ---

    def _hear_refer(self, link: Link, refer: Message) -> None:
        if link.is_home:
            return  # the first address alone refers the bot to others
        named = self._referral.follow(refer, link.address)
        with self._changed:
            self._circle = self._referral.circle(refer, link.options)
            self._here = refer.here
            self._go_to(named)
            for each in self._links():
                each.patience = seconds(refer.patience)

    # Makes these the homes.
    def _go_to(self, named: dict[str, Options]) -> None:
        known = {link.address: link for link in self._homes}
        left = [link for address, link in known.items() if address not in named and not link.over]
        for link in left:
            link.leaving = True
        homes = []
        for address, options in named.items():
            home = known.get(address)
            if home is None or (home.leaving and home.over):
                home = Link(self, self._changed, options, is_home=True)
                if not self._stopped:
                    threading.Thread(target=self._guard, args=(home.run,), daemon=True).start()
            home.stay()
            homes.append(home)
        self._homes = homes + left
        self.review()

    def review(self) -> None:
        """Divides what was promised among the links, with the lock."""
        box = self._letter_box
        assert box is not None
        sharing = [home for home in self._homes if home.wants]
        rest = [home for home in self._homes if not home.wants]
        wanted = divide(self._promised, len(sharing), self._here) + [Share(0, 0)] * len(rest)
        if self._here or not sharing:
            sharing.append(box)
        else:
            rest.insert(0, box)
        if served(self._promised, len(sharing)) < len(sharing):
            shift = int(time.time() // self._options.shift)
            sharing.sort(key=lambda link: weight(shift, link.address), reverse=True)
            self._begin_shifts()
        links = sharing + rest
        held = [link.holding.held for link in links]
        for link, share in zip(links, grant(self._promised, wanted, held)):
            link.offer(share)
        self._changed.notify_all()

    def _begin_shifts(self) -> None:
        if self._shifts is None and not self._stopped:
            work = (self._take_shifts,)
            self._shifts = threading.Thread(target=self._guard, args=work, daemon=True)
            self._shifts.start()

    # As long as the client runs, it is seen after each shift who has a turn.
    def _take_shifts(self) -> None:
        with self._changed:
            while not self._stopped:
                left = self._options.shift - time.time() % self._options.shift
                self._changed.wait_for(lambda: self._stopped, left)
                self.review()

    def forget(self, match_ids: list[str]) -> None:
        """These matches are over, with the lock."""
        if match_ids:
            self._dispatcher.forget(match_ids)

    def alone(self) -> bool:
        """Whether no home is connected, with the lock."""
        return not any(home.welcomed for home in self._homes)

    def next(self, link: Link) -> Options | None:
        """Returns how to reach the referee to dial after that of `link`, with the lock, if any."""
        # A second stream to a home would end the first.
        homes = {home.address for home in self._homes if not home.over}
        return next_in_circle(self._circle, link.address, homes)

    def _links(self) -> list[Link]:
        return ([self._letter_box] if self._letter_box is not None else []) + self._homes

    # --- What is said to it ---

    def _say(self, number: int, item: Message) -> None:
        stream = self._streams.get(number)
        if stream is not None:
            stream.say(item)

    def _send(self, number: int) -> None:
        stream = self._streams.get(number)
        if stream is not None:
            stream.send()

    def hello(self, share: Share) -> Message:
        """Returns the Hello of a stream on which that much is promised."""
        options = self._options
        hello = BotItem().hello
        hello.token = options.token
        hello.software = options.software
        hello.games.extend(options.games)
        hello.max_matches = share.places or options.max_matches
        hello.parallel_turns = share.turns
        hello.takes_none = share.places == 0
        hello.wants_legal_moves = options.legal_moves
        hello.news_may_wait = options.news_may_wait
        hello.keeps_existing = options.keep_existing
        hello.version = options.version
        return hello

    # --- Streams ---

    # Returns when the letter box is at its end, and the matches of the homes are.
    def _connect(self) -> None:
        try:
            with self._changed:
                self._letter_box = Link(self, self._changed, self._options, is_home=False)
                if self._stopped:
                    self._letter_box.stop()
                self.review()
            self._letter_box.run()
        except BaseException as error:
            self._lost(error)
        finally:
            with self._changed:
                self._go_to({})
                self._changed.wait_for(lambda: all(home.over for home in self._homes))
            self._dispatcher.close()

    def open(self, channel: Any, hello: Message) -> Stream:
        """Makes a stream, with the lock."""
        self._last_stream += 1
        stream = Stream(channel, self._last_stream, hello)
        self._streams[stream.number] = stream
        return stream

    def closed(self, stream: Stream) -> None:
        """A stream has ended, with the lock."""
        del self._streams[stream.number]


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
