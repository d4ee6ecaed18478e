"""Plays a bot's matches over one stream, which it opens again whenever it is lost."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import sys
import threading
import time
from typing import Any, Iterator, Optional, Sequence

from referee import errors
from referee.address import credentials_for, new_channel, tls_advice
from referee.bot import AnyBot, AsyncBot, Bot
from referee.dispatcher import Dispatcher, Item
from referee.errors import Error
from referee.log import LOGGER, duration_text, write_to_stderr
from referee.options import Options, parse_command_line, settle
from referee.signals import stop_on_signals
from referee.stream import Stream
from referee.wire import BotItem, Message, PlayResponse, seconds
from referee.workers import Workers

# Faults that cost nothing: a Ready or a nonce that is said again after a lost link may have arrived
# the first time; and a seat may forfeit while the bot thinks.
_HARMLESS = {4, 7, 40}  # UNEXPECTED_READY, REPLACED_REQUEST, UNEXPECTED_NONCE

# How long Python lets a thread think before another has its turn, in seconds: what a Ping, and a
# move that is ready, may wait for while the bot thinks about another match.
_SWITCH_INTERVAL = 0.0005


@dataclasses.dataclass(frozen=True)
class _Closed:
    """How one stream came to its end."""

    code: str  # gRPC's name of it, such as "UNAVAILABLE"
    message: str
    welcomed: bool


class Client:
    """Plays a bot's matches. `stop` may be called from any thread."""

    def __init__(self, bot: AnyBot, options: Optional[Options] = None) -> None:
        self._bot = bot
        self._options = options or Options()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._stopped = False
        self._ends = False  # once the referee closes the stream
        self._welcomed = False  # on the current stream
        self._streams = 0
        self._stream: Optional[Stream] = None
        self._failure: Optional[BaseException] = None

    def run(self) -> None:
        """Plays until the referee has drained and closed the stream, or `stop` is called.

        Raises a `referee.Error` that says why there is no point in going on: InvalidOptions, what
        the referee refuses this bot for, PlaceTaken, PlaceKept, NotAReferee, Unreachable after
        `give_up_after`; and DiceMismatch when the dice of a match did not fit. After any other
        trouble it connects again. Call it once.
        """
        self._settled = settle(self._options, isinstance(self._bot, AsyncBot))
        self._options = self._settled.options
        self._check_bot()
        with contextlib.ExitStack() as stack:
            workers: Optional[Workers] = None
            bots: Sequence[AnyBot] = [self._bot]
            if self._options.workers > 0:
                assert isinstance(self._bot, Bot)
                # Before gRPC is there: a process with its threads is not to be forked.
                workers = stack.enter_context(Workers(self._bot, self._options.workers, self._lost))
                bots = workers.bots
            self._dispatcher = Dispatcher(bots, self._say, self._send)
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
            stream = self._stream
            self._changed.notify_all()
        if stream is not None:
            stream.cancel()

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

    def _hear(self, stream: Stream, data: bytes) -> None:
        received = time.monotonic()
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
                self._hear_welcome(message)
            elif kind == "draining":
                self._hear_draining(message)
            elif kind == "notice":
                LOGGER.warning("the referee says: %s", message.text)
            else:
                if kind == "fault":
                    _log_fault(message)
                items.append(Item(kind, message, stream.number, received))
        self._dispatcher.deliver(items)

    def _hear_welcome(self, welcome: Message) -> None:
        LOGGER.info("connected to %s at %s as %s, up to %d matches at once", welcome.referee,
                    self._options.address, welcome.bot, welcome.max_matches)
        self._dispatcher.set_max_matches(welcome.max_matches)
        with self._lock:
            self._welcomed = True

    def _hear_draining(self, draining: Message) -> None:
        LOGGER.info("the referee is about to stop; running matches have %s%s",
                    duration_text(seconds(draining.time_left)),
                    "; it will be back, and so shall this bot" if draining.will_return
                    else " to end")
        with self._lock:
            self._ends = not draining.will_return

    # --- What is said to it ---

    def _say(self, number: int, item: Message) -> None:
        stream = self._stream
        if stream is not None and stream.number == number:
            stream.say(item)

    def _send(self, number: int) -> None:
        stream = self._stream
        if stream is not None and stream.number == number:
            stream.send()

    def _hello(self) -> Message:
        options = self._options
        hello = BotItem().hello
        hello.token = options.token
        hello.software = options.software
        hello.games.extend(options.games)
        hello.max_matches = options.max_matches
        hello.parallel_turns = self._settled.parallel_turns
        hello.wants_legal_moves = options.legal_moves
        hello.news_may_wait = options.news_may_wait
        hello.keeps_existing = options.keep_existing
        hello.version = options.version
        return hello

    # --- Streams, one after the other ---

    def _connect(self) -> None:
        try:
            self._keep_connected()
        finally:
            self._dispatcher.close()

    def _keep_connected(self) -> None:
        options = self._options
        credentials = credentials_for(options)
        lost = time.monotonic()
        attempt = 0
        was_welcomed = False
        while True:
            closed = self._serve(new_channel(options, credentials))
            if self._over():
                return
            # What exists may be this client's own stream, whose end is not noticed there yet.
            own_exists = was_welcomed and closed.code == "ALREADY_EXISTS"
            final = _why_final(closed, options.address)
            if final is not None and not own_exists:
                raise final
            if closed.welcomed:
                was_welcomed = True
                attempt = 0
                lost = time.monotonic()
            why = _why_lost(closed, options)
            if time.monotonic() - lost >= options.give_up_after:
                raise errors.Unreachable(why)
            delay = options.backoff(attempt)
            attempt += 1
            LOGGER.warning("%s; trying again in %s", why, duration_text(delay))
            if not self._wait(delay):
                return

    # Opens a stream and returns when it is closed.
    def _serve(self, channel: Any) -> _Closed:
        import grpc

        with self._lock:
            self._welcomed = False
            self._streams += 1
            stream = Stream(channel, self._streams, self._hello())
            self._stream = stream
            stopped = self._stopped
        code, message = "OK", ""
        try:
            if not stopped:
                for data in stream.responses():
                    self._hear(stream, data)
        except grpc.RpcError as error:
            code, message = error.code().name, error.details() or ""
        finally:
            channel.close()
            with self._lock:
                self._stream = None
        return _Closed(code, message, self._welcomed)

    # Returns False when the client is to stop.
    def _wait(self, delay: float) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._stopped, delay)
            return not self._stopped

    def _over(self) -> bool:
        with self._lock:
            return self._stopped or self._ends


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


def _why_final(closed: _Closed, address: str) -> Optional[Error]:
    """Returns what to tell people when there is no point in trying again; None if there is."""
    said = closed.message
    if closed.code == "UNAUTHENTICATED":
        return errors.Unauthenticated(
            f"the referee at {address} does not know this bot's token: {said}")
    if closed.code == "PERMISSION_DENIED":
        return errors.PermissionDenied(f"the referee at {address} does not admit this bot: {said}")
    if closed.code == "INVALID_ARGUMENT":
        return errors.NotUnderstood(f"the referee at {address} did not understand this bot: {said}")
    if closed.code == "ABORTED":
        return errors.PlaceTaken(
            f"another process has connected with this bot's token, and took its place: {said}")
    if closed.code == "ALREADY_EXISTS":
        return errors.PlaceKept(
            f"another process is connected with this bot's token, and keeps its place: {said}")
    if closed.code == "UNIMPLEMENTED":
        return errors.NotAReferee(f"what listens at {address} is not a referee: {said}")
    return None


def _why_lost(closed: _Closed, options: Options) -> str:
    what = "lost the referee" if closed.welcomed else "cannot reach a referee"
    said = closed.message if closed.code != "OK" else "it closed the stream"
    advice = "" if closed.welcomed else tls_advice(options, closed.message)
    return f"{what} at {options.address}: {said}{advice}"


def run(bot: AnyBot, argv: Optional[Sequence[str]] = None, **defaults: Any) -> None:
    """Plays a bot's matches, as a program's last line.

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
        settle(options)  # before the log is touched
        write_to_stderr(options.log_level)
        Client(bot, options).run()
    except Error as error:
        print(f"{line[0] if line else 'bot'}: {error}", file=sys.stderr)
        raise SystemExit(2) from None
