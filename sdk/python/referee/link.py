"""Keeps one stream to a referee of a fleet.

Opens it again whenever it is lost, to the same referee or to the next of the circle, until there is
no point.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple

from referee import errors
from referee.address import credentials_for, new_channel, tls_advice
from referee.errors import Error, InvalidOptions
from referee.fleet import Fleet, next_in_circle
from referee.log import LOGGER, duration_text
from referee.options import Options
from referee.stream import Stream
from referee.wire import Message

if TYPE_CHECKING:
    from referee.client import Client


class Limits(NamedTuple):
    """How long a link waits for a referee, in seconds."""

    # From opening a stream to its Welcome; doubled with each failed dial in a row, up to the longest.
    dial: float = 3.0
    longest_dial: float = 30.0
    # A connection that is silent for so long is asked whether it lives, and how long it may take
    # to answer.
    silence: float = 6.0
    answer: float = 4.0
    # After its Welcome a referee names again the matches that go on. It does so at once, unless it
    # is busy.
    retelling: float = 5.0

    def of_dial(self, failed: int) -> float:
        """Returns how long a dial may take after so many in a row that failed."""
        return min(self.dial * 2.0 ** min(failed, 10), self.longest_dial)


LIMITS = Limits()

# A timer that is later than that begins again, in seconds.
_LATE = 0.5


@dataclasses.dataclass
class _Closed:
    """How one stream came to its end."""

    code: str = "OK"  # gRPC's name of it, such as "UNAVAILABLE"
    message: str = ""
    welcomed: bool = False
    draining: bool = False  # the referee had said so
    ends: bool = False  # and that it will not return
    silent: bool = False  # the dial was given up


class Link:
    """Opens one stream after the other in `run`. Thread-safe, but for `run` and `hear_...`."""

    def __init__(self, owner: Client, options: Options) -> None:
        """`options`: those of the bot."""
        self._owner = owner
        self._given = options
        self._options = options  # to reach the current referee
        self._limits = LIMITS
        self._fleet = Fleet(options)
        self._circle = [options]
        self._changed = threading.Condition()  # its lock guards what follows
        self._stopped = False
        self._stream: Stream | None = None
        self._last_stream = 0
        self._closing = _Closed()  # of the current stream
        self._timer: threading.Timer | None = None  # for the dial, then for the retelling

    def stop(self) -> None:
        """Makes `run` return soon."""
        with self._changed:
            self._stopped = True
            if self._stream is not None:
                self._stream.cancel()
            self._changed.notify_all()

    def current(self, number: int) -> Stream | None:
        """Returns the stream with that number if it is open."""
        stream = self._stream
        return stream if stream is not None and stream.number == number else None

    # --- What the referee says, on the thread of `run` ---

    def hear_welcome(self, welcome: Message) -> None:
        """The referee knows the bot."""
        LOGGER.info("connected to %s at %s as %s, up to %d matches at once", welcome.referee,
                    self._options.address, welcome.bot, welcome.max_matches)
        self.hear_fleet(welcome.addresses)
        with self._changed:
            self._closing.welcomed = True
            number = self._last_stream
            self._set_timer(self._limits.retelling, lambda: self._owner.forget_all_but(number))

    def hear_fleet(self, addresses: Iterable[str]) -> None:
        """The referee names the others."""
        self._circle = self._fleet.circle(addresses, self._options)

    def hear_draining(self, draining: Message, time_left: float) -> None:
        """The referee is about to stop."""
        LOGGER.info("the referee at %s is about to stop; running matches have %s%s",
                    self._options.address, duration_text(time_left),
                    "; it will be back" if draining.will_return else " to end")
        self._closing.draining = True
        self._closing.ends = not draining.will_return

    # --- One stream after the other ---

    def run(self) -> None:
        """Returns after `stop`, or when the only referee has ended.

        Raises a `referee.Error` if there is no point in going on.
        """
        credentials = credentials_for(self._options)
        lost = time.monotonic()
        known = False  # a referee has welcomed the bot
        dials = failed = 0  # since the last Welcome
        while True:
            closed = self._serve(credentials, failed)
            if self._stopped:
                return
            if closed.welcomed:
                known = True
                lost = time.monotonic()
                dials = failed = 0
            else:
                failed += 1
            following = next_in_circle(self._circle, self._options.address)
            if closed.ends and following is None:
                return
            # What exists may be this bot's own stream, whose end the referees have not noticed yet.
            own_exists = known and closed.code == "ALREADY_EXISTS"
            final = None if own_exists else _why_final(closed, self._options.address)
            if final is not None and self._is_for_all(final):
                raise final
            why = str(final) if final is not None else _why_lost(closed, self._options)
            if time.monotonic() - lost >= self._given.give_up_after:
                raise errors.Unreachable(why)
            what = "trying again"
            left = final is not None or not closed.welcomed or closed.draining
            if following is not None and left:
                try:
                    credentials = credentials_for(following)
                    self._options = following
                    what = f"trying the one at {following.address}"
                except InvalidOptions as error:  # files have changed
                    LOGGER.warning("not trying the one at %s: %s", following.address, error)
            delay = self._given.backoff(dials // len(self._circle))
            dials += 1
            LOGGER.warning("%s; %s in %s", why, what, duration_text(delay))
            with self._changed:
                self._changed.wait_for(lambda: self._stopped, delay)

    # Whether all referees would say so.
    def _is_for_all(self, final: Error) -> bool:
        taken = isinstance(final, errors.PlaceTaken)
        return taken or self._options.address == self._given.address

    # Opens a stream and returns when it is closed.
    def _serve(self, credentials: Any, failed: int) -> _Closed:
        import grpc

        closed = _Closed()
        with self._changed:
            if self._stopped:
                return closed
            limits = self._limits
            channel = new_channel(self._options, credentials, limits.silence, limits.answer)
            self._last_stream += 1
            stream = self._stream = Stream(channel, self._last_stream, self._owner.hello())
            self._closing = closed
            self._set_timer(limits.of_dial(failed), self._give_up_dial)
        try:
            for data in stream.responses():
                self._owner.hear(stream, data)
        except grpc.RpcError as error:
            closed.code, closed.message = error.code().name, error.details() or ""
        finally:
            with self._changed:
                self._stream = None
                self._cancel_timer()
            channel.close()
        return closed

    # The referee does not answer. With the lock.
    def _give_up_dial(self) -> None:
        self._closing.silent = True
        if self._stream is not None:
            self._stream.cancel()

    # Calls `act` with the lock after `delay` seconds, unless the stream has ended by then. Takes the
    # place of the timer before.
    def _set_timer(self, delay: float, act: Callable[[], None]) -> None:
        self._cancel_timer()
        due = time.monotonic() + delay

        def look() -> None:
            with self._changed:
                if self._timer is not timer:
                    return
                # A bot may have let no other thread run: what has come meanwhile is read first.
                if time.monotonic() - due > _LATE:
                    self._set_timer(_LATE, act)
                else:
                    act()

        timer = self._timer = threading.Timer(delay, look)
        timer.daemon = True
        timer.start()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _why_final(closed: _Closed, address: str) -> Error | None:
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
    said = closed.message if closed.code != "OK" else "it closed the stream"
    if closed.welcomed:
        return f"lost the referee at {options.address}: {said}"
    said = "it does not answer" if closed.silent else said + tls_advice(options, closed.message)
    return f"cannot reach a referee at {options.address}: {said}"
