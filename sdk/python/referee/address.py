"""Addresses, TLS files, and the channel to a referee."""

from __future__ import annotations

import ipaddress
import os
from typing import TYPE_CHECKING, Any, Optional

from referee.errors import InvalidOptions

if TYPE_CHECKING:
    from referee.options import Options

# A link that has been silent this long is asked whether it is there.
_KEEPALIVE_MS = 30_000
_KEEPALIVE_TIMEOUT_MS = 10_000


def host_of(address: str) -> str:
    """Returns the host of host:port, without the brackets of an IPv6 address."""
    host = address.rpartition(":")[0]
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def is_local(address: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if address.startswith("unix:"):
        return True
    host = host_of(address)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_address(address: str) -> None:
    """Raises InvalidOptions unless an address looks like one."""
    if address.startswith("unix:"):
        good = len(address) > len("unix:")
    else:
        host, colon, port = address.rpartition(":")
        good = bool(host and colon) and port.isdecimal() and 0 < int(port) < 65536
    if not good:
        raise InvalidOptions(f"address \"{address}\": it must be host:port or unix:path")


def _read_pem(flag: str, path: str, what: str, label_end: bytes) -> Optional[bytes]:
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
    return options.insecure or (is_local(options.address) and not _asks_for_tls(options))


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


def new_channel(options: Options, credentials: Any) -> Any:
    """Returns a channel with a connection of its own."""
    import grpc

    arguments = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.keepalive_time_ms", _KEEPALIVE_MS),
        ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.enable_http_proxy", 0),
        # A referee may have much to say at once to a bot that comes back to a thousand matches.
        ("grpc.max_receive_message_length", -1),
    ]
    if credentials is None:
        return grpc.insecure_channel(options.address, arguments)
    return grpc.secure_channel(options.address, credentials, arguments)


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
