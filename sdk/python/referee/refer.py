"""Which of the addresses that a referee names a bot follows: its token goes there."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Collection, Sequence

from referee.address import NAME, is_plain, read_address
from referee.errors import InvalidOptions
from referee.log import LOGGER
from referee.wire import Message

if TYPE_CHECKING:
    from referee.options import Options

# As many homes are followed at most.
MAX_HOMES = 8

_MAX_ADDRESS_BYTES = 256

_IPV6 = re.compile(r"[0-9A-Fa-f:.]+")


def _canonical(host: str) -> str:
    return host.lower().rstrip(".")


def check_refer_domain(domain: str) -> None:
    """Raises InvalidOptions unless a domain is empty or looks like one."""
    kind = _IPV6 if ":" in domain else NAME
    if domain and not kind.fullmatch(domain):
        raise InvalidOptions(f"--refer-domain \"{domain}\": it must be a domain such as example.org")


def canonical_address(address: str) -> str:
    """Returns an address in the form by which two are compared."""
    if address.startswith("unix:"):
        return address
    host, _, port = address.rpartition(":")
    return f"{_canonical(host)}:{port.lstrip('0')}"


def why_not_followed(address: str, options: Options) -> str | None:
    """Returns why a bot with these options does not follow to an address; None: it does."""
    try:
        to, first = read_address(address), read_address(options.address)
    except InvalidOptions:
        to = None
    if to is None or to.text != address:
        return "it is not host:port, nor unix:path"
    if to.local and first.local and is_plain(options):
        return None
    if options.insecure:
        return "the token would go there by TLS only, and --insecure asks for none"
    if to.path:
        return ("it is on this machine, where only a bot follows whose first address is there, too, "
                "and without TLS")
    host, domain = _canonical(to.host), _canonical(options.refer_domain or first.host)
    if domain and (host == domain or host.endswith("." + domain)):
        return None
    return f"it is outside of \"{domain}\"; --refer-domain names another domain to trust"


def next_in_circle(circle: Sequence[Options], current: str,
                   homes: Collection[str]) -> Options | None:
    """Returns where in a circle a bot dials after `current`: never at one of `homes`.

    The place of `current` is the first if it is not there. None if there is no other place.
    """
    at = next((i for i, place in enumerate(circle) if place.address == current), 0)
    others = (*circle[at + 1:], *circle[:at])
    return next((place for place in others if place.address not in homes), None)


# So many addresses are remembered that were not followed, so that the log says so once.
_MAX_REMEMBERED = 256


class Referral:
    """What a bot with these options follows. Not thread-safe."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._told: set[str] = set()  # what the log has said
        self._named: dict[str, Options] = {}

    def follow(self, refer: Message, own: str) -> dict[str, Options]:
        """Returns the homes to go to by address, in their order, each with options to reach it.

        `own` is the address of the referee that says so.
        """
        named: dict[str, Options] = {}
        for home in refer.homes:
            options = self._options_for(home.address)
            if options is None or options.address in named or options.address == own:
                continue
            if len(named) == MAX_HOMES:
                self._tell("", f"more than {MAX_HOMES} homes: the others are not followed")
                break
            if options.address not in self._named:
                what = ", ".join(home.competitions[:8])
                LOGGER.info("referred to %s%s", options.address, f" for {what}" if what else "")
            named[options.address] = options
        self._named = named
        return named

    def circle(self, refer: Message, own: Options) -> list[Options]:
        """Returns where the first stream may be, in a circle, each with options to reach it.

        That is at `own`, at the others that the referee names, and at the bot's first address.
        """
        circle = {own.address: own}
        for other in refer.others:
            options = self._options_for(other)
            if options is not None and len(circle) <= MAX_HOMES:
                circle.setdefault(options.address, options)
        circle.setdefault(self._options.address, self._options)
        return list(circle.values())

    def _options_for(self, address: str) -> Options | None:
        why = why_not_followed(address, self._options)
        if why is not None:
            self._tell(address, why)
            return None
        address = canonical_address(address)
        tls = not (is_plain(self._options) and read_address(address).local)
        return dataclasses.replace(self._options, address=address, tls=tls)

    def _tell(self, address: str, why: str) -> None:
        if address in self._told or len(self._told) == _MAX_REMEMBERED:
            return
        self._told.add(address)
        what = f"not followed to {address[:_MAX_ADDRESS_BYTES]!r}: " if address else ""
        LOGGER.warning("%s%s", what, why)
