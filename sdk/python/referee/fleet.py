"""The other referees of a fleet: which of them a bot trusts with its token, and whom it dials next."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Iterable, Sequence

from referee.address import NAME, is_plain, read_address
from referee.errors import InvalidOptions
from referee.log import LOGGER

if TYPE_CHECKING:
    from referee.options import Options

# At most so many other referees are in a circle, beside the address that the bot was given.
MAX_OTHERS = 8

_MAX_ADDRESS_BYTES = 256

# The log warns of each address once, as far as this many are remembered.
_MAX_WARNED = 256

_IPV6 = re.compile(r"[0-9A-Fa-f:.]+")


def _canonical(host: str) -> str:
    return host.lower().rstrip(".")


def check_fleet_domain(domain: str) -> None:
    """Raises InvalidOptions unless a domain is empty or looks like one."""
    kind = _IPV6 if ":" in domain else NAME
    if domain and not kind.fullmatch(domain):
        raise InvalidOptions(f"--fleet-domain \"{domain}\": it must be a domain such as example.org")


def canonical_address(address: str) -> str:
    """Returns an address in the form by which two are compared."""
    if address.startswith("unix:"):
        return address
    host, _, port = address.rpartition(":")
    return f"{_canonical(host)}:{port.lstrip('0')}"


def why_not_trusted(address: str, options: Options) -> str | None:
    """Returns why a bot with these options sends no token to an address; None: it does."""
    try:
        to, given = read_address(address), read_address(options.address)
    except InvalidOptions:
        to = None
    if to is None or to.text != address:
        return "it is not host:port, nor unix:path"
    if to.local and given.local and is_plain(options):
        return None
    if options.insecure:
        return "the token would go there by TLS only, and --insecure asks for none"
    if to.path:
        return "it is on this machine, and the bot's own address is not, or uses TLS"
    host, domain = _canonical(to.host), _canonical(options.fleet_domain or given.host)
    if domain and (host == domain or host.endswith("." + domain)):
        return None
    return f"it is outside of \"{domain}\"; --fleet-domain names another domain to trust"


def next_in_circle(circle: Sequence[Options], current: str) -> Options | None:
    """Returns whom a bot dials after the referee at `current`; None if there is nobody else.

    An address that is not in the circle counts as the first.
    """
    if len(circle) < 2:
        return None
    at = next((i for i, referee in enumerate(circle) if referee.address == current), 0)
    return circle[(at + 1) % len(circle)]


class Fleet:
    """What a bot with these options knows of its fleet. Not thread-safe."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._warned: set[str] = set()
        self._others: set[str] = set()

    def circle(self, addresses: Iterable[str], own: Options) -> list[Options]:
        """Returns the referees that the bot may dial, one after the other, with options for each.

        They are the one at `own`, where the bot is, the trusted ones of `addresses`, and the one at
        the address that the bot was given.
        """
        circle = {own.address: own}
        for address in addresses:
            if len(circle) > MAX_OTHERS:
                break
            options = self._options_for(address)
            if options is not None:
                circle.setdefault(options.address, options)
        others = set(circle) - {own.address}
        if others != self._others:
            LOGGER.info("other referees of the fleet: %s", ", ".join(sorted(others)) or "none")
        self._others = others
        circle.setdefault(self._options.address, self._options)
        return list(circle.values())

    def _options_for(self, address: str) -> Options | None:
        why = why_not_trusted(address, self._options)
        if why is not None:
            self._warn(address[:_MAX_ADDRESS_BYTES], why)
            return None
        address = canonical_address(address)
        tls = not (is_plain(self._options) and read_address(address).local)
        return dataclasses.replace(self._options, address=address, tls=tls)

    def _warn(self, address: str, why: str) -> None:
        if address not in self._warned and len(self._warned) < _MAX_WARNED:
            self._warned.add(address)
            LOGGER.warning("does not trust the referee at %r: %s", address, why)
