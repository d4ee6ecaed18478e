"""Addresses, TLS files, and the channel to a referee."""

from __future__ import annotations

import os
import re
import socket
import urllib.parse
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.errors import InvalidOptions
from referee.text import plain, raw_bytes, without_mark

if TYPE_CHECKING:
    from referee.options import Options

_UNIX = "unix:"
_USUAL_PORT = ":7450"
_MAX_BYTES = 256
_MAX_PATH_BYTES = 107  # of a unix socket
_PORT = re.compile(r"[0-9]{1,5}")
NAME = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?")
# What a resolver takes for a number ends so.
_NUMBER = re.compile(r"([0-9]+|0[xX][0-9A-Fa-f]*)\.?")
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_SCHEME = re.compile("^(ipv4:|ipv6:|dns:)", re.IGNORECASE)


class Address(NamedTuple):
    """An address of a referee."""

    text: str  # "127.0.0.1:7450", "[::1]:7450" or "unix:/run/referee.sock"
    host: str  # an IPv6 one without its brackets; empty for a unix socket
    port: int
    path: str  # of a unix socket; else empty
    local: bool  # only this machine can reach it


def read_address(text: str, source: str = "") -> Address:
    """Reads an address as a person writes it: see "Text from outside" in proto/PROTOCOL.md.

    Raises InvalidOptions that names `source`, if given, and says what to write instead.
    """
    given = without_mark(text)
    address = _read_unix(given) if given.startswith(_UNIX) else _read_host_port(given)
    if address is not None:
        return address
    what = f"{source + ': ' if source else ''}address \"{plain(given, 80)}\""
    meant = _suggestion(given)
    if meant:
        raise InvalidOptions(f"{what}: write {meant}")
    raise InvalidOptions(
        f"{what}: it must be host:port or unix:path, such as 127.0.0.1:7450, "
        f"[::1]:7450 or unix:/run/referee.sock; a port is 1 to 65535, a path has at most "
        f"{_MAX_PATH_BYTES} bytes")


def _ip_of(family: int, host: str) -> bytes | None:
    try:
        return socket.inet_pton(family, host)
    except (OSError, ValueError):
        return None


def _is_name(host: str) -> bool:
    last = host.rstrip(".").rpartition(".")[2]
    return bool(NAME.fullmatch(host)) and not _NUMBER.fullmatch(last)


def _read_host_port(text: str) -> Address | None:
    host, colon, port = text.rpartition(":")
    if not colon or not text.isascii() or len(text) > _MAX_BYTES:
        return None
    if not _PORT.fullmatch(port) or not 0 < int(port) < 65536:
        return None
    if host.startswith("["):
        host = host[1:-1] if host.endswith("]") else ""
        ip = _ip_of(socket.AF_INET6, host)
        local = ip == bytes(15) + b"\x01"
    else:
        ip = _ip_of(socket.AF_INET, host)
        local = ip[0] == 127 if ip is not None else host.lower() == "localhost"
        if ip is None and _is_name(host):
            ip = b""
    return None if ip is None else Address(text, host, int(port), "", local)


def _read_unix(text: str) -> Address | None:
    path = text[len(_UNIX):]
    path = path[2:] if path.startswith("///") else path  # as in a URI
    size = len(raw_bytes(path))
    if not path or size > _MAX_PATH_BYTES or path.startswith("//") or _CONTROL.search(path):
        return None
    return Address(_UNIX + path, "", 0, path, True)


# What the writer of a text may have meant; empty if that is not clear.
def _suggestion(text: str) -> str:
    if text.startswith("unix://"):
        text = text[len("unix:/"):]
    if text.startswith(("/", "./")):
        address = _read_unix(_UNIX + text)
        return address.text if address is not None else ""
    if text.startswith(_UNIX):
        return ""
    text = _SCHEME.sub("", text, count=1)
    if "//" in text:
        text = re.split("[/?#]", text.partition("//")[2].lstrip("/"))[0]
    text = text[:-1] if text.endswith("/") else text
    text = text[:-1] if text.endswith(":") else text
    host, colon, port = text.rpartition(":")
    host, port = (host, colon + port) if colon else (text, "")
    bare = host[1:].rstrip("]") if host.startswith("[") else host
    for form in (text, bare + port, f"[{host}]{port}", f"[{text}]{_USUAL_PORT}",
                 text + _USUAL_PORT):
        address = _read_host_port(form)
        if address is not None:
            return address.text
    return ""


def target_of(address: str) -> str:
    """Returns an address as gRPC takes it, which reads a URI there."""
    read = read_address(address)
    if read.path:
        return _UNIX + urllib.parse.quote_from_bytes(raw_bytes(read.path), "/:~")
    return "dns:///" + urllib.parse.quote(read.text, "/:~")


def _read_pem(flag: str, path: str, what: str, label_end: bytes) -> bytes | None:
    if not path:
        return None
    try:
        with open(path, "rb") as file:
            pem = file.read()
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise InvalidOptions(f"{flag} \"{path}\": cannot be read: {reason}") from None
    if not pem:
        raise InvalidOptions(f"{flag} \"{path}\": the file is empty")
    # gRPC says nothing of what is wrong with a file, and would have the client try for ever.
    if label_end not in pem:
        raise InvalidOptions(f"{flag} \"{path}\": no PEM with a {what}")
    return pem


def _asks_for_tls(options: Options) -> bool:
    return options.tls or bool(options.tls_ca) or bool(options.tls_cert)


def is_plain(options: Options) -> bool:
    """Whether the way to `options.address` is plain text."""
    return options.insecure or (read_address(options.address).local and not _asks_for_tls(options))


def credentials_for(options: Options) -> Any:
    """Returns gRPC's credentials; None for plain text.

    Raises InvalidOptions that names what is wrong with the options or their files.
    """
    import grpc

    if bool(options.tls_cert) != bool(options.tls_key):
        missing = ("--tls-cert without --tls-key" if options.tls_cert
                   else "--tls-key without --tls-cert")
        raise InvalidOptions(
            f"{missing}: a certificate of your own and its private key go together")
    if options.insecure and _asks_for_tls(options):
        raise InvalidOptions("--insecure asks for plain text, and --tls, --tls-ca and --tls-cert "
                             "for TLS: choose one")
    if is_plain(options):
        return None
    return grpc.ssl_channel_credentials(
        _read_pem("--tls-ca", options.tls_ca, "certificate", b"CERTIFICATE-----"),
        _read_pem("--tls-key", options.tls_key, "private key", b"PRIVATE KEY-----"),
        _read_pem("--tls-cert", options.tls_cert, "certificate", b"CERTIFICATE-----"))


def new_channel(options: Options, credentials: Any, silence: float, answer: float) -> Any:
    """Returns a channel with a connection of its own.

    After `silence` seconds it asks whether the referee lives, which has `answer` seconds to say so.
    """
    import grpc

    arguments = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.keepalive_time_ms", round(silence * 1000)),
        ("grpc.keepalive_timeout_ms", round(answer * 1000)),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.enable_http_proxy", 0),
        # A referee may have much to say at once to a bot that comes back to a thousand matches.
        ("grpc.max_receive_message_length", -1),
    ]
    if credentials is None:
        return grpc.insecure_channel(target_of(options.address), arguments)
    return grpc.secure_channel(target_of(options.address), credentials, arguments)


def tls_advice(options: Options, message: str) -> str:
    """Returns what to do about TLS, by what gRPC says of a connection that could not be made."""
    tls = not is_plain(options)
    hung_up = any(sign in message
                  for sign in ("Socket closed", "Connection reset by peer", "Broken pipe"))
    if not tls:
        return "; if it wants TLS, give --tls or --tls-ca" if hung_up else ""
    if "wrong version number" in message:
        return ("; it does not speak TLS: leave out --tls, --tls-ca and --tls-cert on its own "
                "machine, and give --insecure from another")
    if "certificate verify failed" in message:
        return ("; its certificate is of an authority that is not known here: name the file with "
                "that in --tls-ca")
    if not hung_up:
        return ""
    if not options.tls_cert:
        return "; if it asks for a certificate, give --tls-cert and --tls-key"
    return "; it seems not to take the certificate in --tls-cert"
