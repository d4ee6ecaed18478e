"""Keeps a stream to one referee: opens it again whenever it is lost, until there is no point.

If its referee is gone it goes to another that takes its place.
"""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from typing import TYPE_CHECKING, Any, Callable

from referee import errors
from referee.address import credentials_for, new_channel, tls_advice
from referee.errors import Error
from referee.holding import Holding
from referee.log import LOGGER, duration_text
from referee.options import Options
from referee.places import Share
from referee.stream import Stream
from referee.wire import BotItem

if TYPE_CHECKING:
    from referee.client import Client

# So many dials in a row fail before the referee is taken for gone.
_DIALS_OF_ONE_GONE = 3

# The longest wait between two dials while matches are waited for that others take over in the end, in
# seconds: a referee that is started again in time has them still.
_LONGEST_OF_MATCHES = 1.0

# How long the matches of a lost stream are waited for at a home that the bot leaves and that has not
# said for how long, until there is a next stream; in seconds.
_PATIENCE = 30.0

# How long after its Welcome a referee may take to tell again of the matches that go on, in seconds;
# it does at once, unless it is busy.
_RETELLING = 5.0


@dataclasses.dataclass(frozen=True)
class _Closed:
    """How one stream came to its end."""

    code: str  # gRPC's name of it, such as "UNAVAILABLE"
    message: str
    welcomed: bool


class Link:
    """A referee that plays with the bot. All but `run` is guarded by the lock."""

    def __init__(self, owner: Client, changed: threading.Condition, options: Options,
                 is_home: bool) -> None:
        """`options`: those of the bot, with the address and the TLS of this referee."""
        self.options = options  # those of a link that is no home's change between two streams
        self.is_home = is_home
        self.holding = Holding()
        self.welcomed = False  # on the current stream
        self.draining = False  # so is its referee
        self.ends = False  # once the referee closes the stream
        self.leaving = False  # once its matches are over
        self.over = False  # run has returned, or will at once
        # For how many seconds a referee that is gone is given to come back while matches are played.
        self.patience = 0.0
        self._owner = owner
        self._changed = changed
        self._first_address = options.address
        self._share = Share(0, 0)  # what may be promised now
        self._stream: Stream | None = None
        self._stopped = False
        self._stays = False  # it was left, and is not any more: it is not to wait longer
        self._lost = time.monotonic()
        self._timers: list[threading.Timer] = []  # of the current stream

    @property
    def address(self) -> str:
        """Where its referee is."""
        return self.options.address

    @property
    def wants(self) -> bool:
        """Whether it is to have places."""
        return not (self.leaving or self.draining or self.over)

    def hear_welcome(self, max_matches: int) -> None:
        """The referee has welcomed the bot on the current stream."""
        self.welcomed = True
        self.holding.welcomed(max_matches)
        if self.holding.matches:
            self._after(_RETELLING, self._forget_untold)

    def offer(self, share: Share) -> None:
        """Promises that much from now on; ends the stream of a home that is done with."""
        self._share = share
        if self._stream is None:
            return
        if self.leaving and not self.holding.matches:
            self._stream.cancel()
        elif self.holding.say(share):
            item = BotItem()
            item.capacity.max_matches = share.places
            item.capacity.parallel_turns = share.turns
            self._stream.say(item)
            self._stream.send()

    def stay(self) -> None:
        """Is not left, if it was: it dials at once."""
        if self.leaving:
            self._stays = True
            self._changed.notify_all()
        self.leaving = False

    def stop(self) -> None:
        """Makes `run` return soon."""
        self._stopped = True
        if self._stream is not None:
            self._stream.cancel()

    # --- One stream after the other ---

    def run(self) -> None:
        """Raises what there is no point in going on after; of a home only what ends the bot."""
        try:
            self._keep_connected()
        finally:
            with self._changed:
                self.over = True
                if self.is_home and not self._stopped:
                    self._owner.forget(self.holding.forget_all_but(0))
                self._owner.review()

    def _keep_connected(self) -> None:
        attempt = 0  # dials since it was welcomed last
        was_welcomed = False  # at this address
        credentials = credentials_for(self.options)
        while self._wait_for_reason():
            options = self.options
            closed = self._serve(new_channel(options, credentials))
            # What exists may be this client's own stream, whose end is not noticed there yet.
            own_exists = was_welcomed and closed.code == "ALREADY_EXISTS"
            final = None if own_exists else _why_final(closed, self.address)
            if closed.welcomed:
                was_welcomed = True
                attempt = 0
            if self._moves(final, attempt):
                credentials = credentials_for(self.options)
                if was_welcomed:
                    # It may have been given time, and dialled seldom in the end. The others are
                    # there, if it is alone.
                    attempt = min(attempt, _DIALS_OF_ONE_GONE)
                was_welcomed = False
                what = f"trying the one at {self.address}"
            elif self._is_over():
                return
            elif final is not None:
                if not self.is_home or isinstance(final, errors.PlaceTaken):
                    raise final
                LOGGER.warning("%s; left alone until the bot is referred there anew", final)
                return
            else:
                what = "trying again"
            why = str(final) if final is not None else _why_lost(closed, options)
            if self._gives_up():
                raise errors.Unreachable(why)
            delay = options.backoff(attempt)
            left = self._patience_left()
            if left < math.inf:
                delay = min(delay, left, _LONGEST_OF_MATCHES)
            attempt += 1
            LOGGER.warning("%s; %s in %s", why, what, duration_text(delay))
            if self._wait(delay):
                attempt = 0

    # Dials another referee from now on if this one is gone or has ended, or refuses the bot, which
    # is what `final` says. Returns whether it does.
    def _moves(self, final: Error | None, attempt: int) -> bool:
        if self.is_home or isinstance(final, errors.PlaceTaken):
            return False
        # What the referee at the address that the bot was given refuses, none will do.
        if final is not None and self.address == self._first_address:
            return False
        gone = attempt >= _DIALS_OF_ONE_GONE and self._patience_left() in (0.0, math.inf)
        with self._changed:
            if self._stopped or not (final or self.ends or gone):
                return False
            following = self._owner.next(self)
            if following is None:
                return False
            self.options = following
            self.ends = False
            self._owner.forget(self.holding.forget_all_but(0))
            self._owner.review()
        return True

    # How long it still waits for the referee of the matches that it plays, in seconds; infinite if
    # it plays none.
    def _patience_left(self) -> float:
        with self._changed:
            if not self.holding.matches:
                return math.inf
            return max(0.0, self._patience() - (time.monotonic() - self._lost))

    # How many seconds the matches of a lost stream are waited for, with the lock.
    def _patience(self) -> float:
        if self.patience > 0:
            return self.patience
        return math.inf if self._has_reason() else _PATIENCE

    # Whether there is something to open a stream for, whatever is played; with the lock.
    def _has_reason(self) -> bool:
        return not self.leaving and (not self.is_home or self._share.places > 0)

    # Waits until there is something to open a stream for; returns False when there never will be.
    def _wait_for_reason(self) -> bool:
        with self._changed:
            while not self._stopped:
                if self.holding.matches and time.monotonic() - self._lost >= self._patience():
                    # They are played elsewhere by now, and need the places that they have here.
                    self._owner.forget(self.holding.forget_all_but(0))
                    self._owner.review()
                if self._has_reason() or self.holding.matches:
                    return True
                if self.leaving:
                    break
                self._changed.wait()
            self.over = True
            return False

    # Opens a stream and returns when it is closed.
    def _serve(self, channel: Any) -> _Closed:
        import grpc

        with self._changed:
            share = self._share
            self.welcomed = self.draining = self._stays = False
            stream = self._stream = self._owner.open(channel, self._owner.hello(share))
            self.holding.opened(share)
            old = self.holding.matches
            stopped = self._stopped
        if old:
            left = self._patience_left()
            if left < threading.TIMEOUT_MAX:
                self._after(left, self._forget_unreached)
        code, message = "OK", ""
        try:
            if not stopped:
                for data in stream.responses():
                    self._owner.hear(self, stream, data)
        except grpc.RpcError as error:
            code, message = error.code().name, error.details() or ""
        finally:
            channel.close()
            with self._changed:
                for timer in self._timers:
                    timer.cancel()
                self._timers.clear()
                welcomed = self.welcomed
                self._stream = None
                self.welcomed = False
                self.draining = self.is_home and self.ends
                if welcomed:
                    self._lost = time.monotonic()
                self.holding.closed()
                self._owner.closed(stream)
                self._owner.review()
        return _Closed(code, message, welcomed)

    # What is not told again on a stream has ended before it.
    def _forget_untold(self, stream: Stream) -> None:
        self._owner.forget(self.holding.forget_all_but(stream.number))
        self._owner.review()

    # The dial takes longer than the matches of an earlier stream are waited for.
    def _forget_unreached(self, _stream: Stream) -> None:
        if not self.welcomed:
            self._owner.forget(self.holding.forget_all_but(0))
            self._owner.review()

    # Has `act` called with the current stream and the lock after `delay` seconds, unless that has
    # ended by then.
    def _after(self, delay: float, act: Callable[[Stream], None]) -> None:
        current = self._stream

        def look() -> None:
            with self._changed:
                if current is not None and self._stream is current:
                    act(current)

        timer = threading.Timer(delay, look)
        timer.daemon = True
        timer.start()
        self._timers.append(timer)

    def _gives_up(self) -> bool:
        with self._changed:
            lost = time.monotonic() - self._lost
            return not self.is_home and lost >= self.options.give_up_after and self._owner.alone()

    # Returns whether it was left, and is not any more.
    def _wait(self, delay: float) -> bool:
        with self._changed:
            self._changed.wait_for(
                lambda: self._stopped or self._stays or (self.leaving and not self.holding.matches),
                delay)
            return self._stays

    def _is_over(self) -> bool:
        with self._changed:
            return self._stopped or self.ends


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
    what = "lost the referee" if closed.welcomed else "cannot reach a referee"
    said = closed.message if closed.code != "OK" else "it closed the stream"
    advice = "" if closed.welcomed else tls_advice(options, closed.message)
    return f"{what} at {options.address}: {said}{advice}"
