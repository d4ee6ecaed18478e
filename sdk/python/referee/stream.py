"""One stream to a referee: sends Hello, hands on what comes, and sends what is said.

gRPC takes one message after the other from a thread of its own. What is said while a message is on
its way, or before anybody wants it sent, goes out together, so that a bot that answers at once
sends few of them. Thread-safe.
"""

import threading
from typing import Any, Iterator

from referee.wire import PLAY, BotItem, Message, PlayRequest

# A message may have 262144 bytes and 4096 items; an item has some dozen bytes, at most a few
# hundred.
_MAX_ITEMS = 512

# How long something that was said waits at most for more to go with it, in seconds.
_SOON = 0.001


class Stream:
    """Does nothing before `responses`."""

    def __init__(self, channel: Any, number: int, hello: Message) -> None:
        self.number = number
        self._channel = channel
        self._changed = threading.Condition(threading.Lock())
        first = BotItem()
        first.hello.CopyFrom(hello)
        self._said: list[Message] = [first]
        self._at_once = True  # what was said is to go out
        self._ended = False
        self._call: Any | None = None

    def responses(self) -> Iterator[bytes]:
        """Opens the stream and yields the referee's messages; raises grpc.RpcError at its end."""
        call = self._channel.stream_stream(PLAY)(self._requests())
        with self._changed:
            self._call = call
            cancelled = self._ended
        if cancelled:
            call.cancel()
        try:
            yield from call
        finally:
            self._end()

    def say(self, item: Message) -> None:
        """Queues an item, which goes out soon. Does nothing on a stream that has ended."""
        with self._changed:
            if self._ended:
                return
            self._said.append(item)
            if len(self._said) == 1:
                self._changed.notify()

    def send(self) -> None:
        """Has what was said go out at once."""
        with self._changed:
            if self._said and not self._at_once:
                self._at_once = True
                self._changed.notify()

    def cancel(self) -> None:
        """Ends the stream, with what was not sent yet."""
        self._end()
        with self._changed:
            call = self._call
        if call is not None:
            call.cancel()

    def _end(self) -> None:
        with self._changed:
            self._ended = True
            self._said.clear()
            self._changed.notify()

    # Called by gRPC.
    def _requests(self) -> Iterator[bytes]:
        while True:
            with self._changed:
                while not self._said and not self._ended:
                    self._changed.wait()
                if not self._at_once and not self._ended:
                    self._changed.wait(_SOON)
                if self._ended:
                    return
                items, self._said = self._said[:_MAX_ITEMS], self._said[_MAX_ITEMS:]
                self._at_once = bool(self._said)
            yield PlayRequest(items=items).SerializeToString()
