"""How a bot reaches its referee and how it plays: from the environment and the command line.

The flags and variables are those of the C++ SDK.
"""

import argparse
import dataclasses
import os
import random
import re
import textwrap
from dataclasses import dataclass
from typing import Callable, NoReturn, Sequence

from referee.address import read_address
from referee.errors import InvalidOptions
from referee.fleet import check_fleet_domain
from referee.log import LEVELS
from referee.text import raw_bytes, read_token, read_token_file

__version__ = "0.1.0"

# Matches at once of a bot that says nothing of it: a block of any game.
USUAL_MAX_MATCHES = 8

_MAX_MATCHES = 1024
_MAX_THREADS = 1024
_MAX_WORKERS = 256
_MAX_SOFTWARE_BYTES = 64
_MAX_VERSION_BYTES = 32
_MAX_FILE_BYTES = 65536  # that are read of a token's file


def full_jitter(attempt: int, chance: float) -> float:
    """Returns seconds: exponential backoff with full jitter.

    That is `chance`, 0 to 1, of 20 ms doubled `attempt` times, or of 10 s at most.
    """
    return chance * min(0.02 * 2.0 ** min(attempt, 10), 10.0)


def default_backoff(attempt: int) -> float:
    """The usual wait before the attempt with this number, from 0, since the last success."""
    return full_jitter(attempt, random.SystemRandom().random())


@dataclass(frozen=True)
class Options:
    """How a bot reaches its referee and how it plays."""

    address: str = ""
    """"host:port", "[IPv6]:port" or "unix:path". Default: the environment's REFEREE_ADDRESS."""
    token: str = dataclasses.field(default="", repr=False)
    """The secret that names the bot. Default: the environment's REFEREE_TOKEN."""

    tls: bool = False
    """TLS on this machine, too. Unix sockets and loopback addresses are plain text unless `tls`,
    `tls_ca` or `tls_cert` is set; all others are TLS unless `insecure` is."""
    tls_ca: str = ""
    """PEM file with the certificates to trust. Default: REFEREE_TLS_CA, unless `insecure`; else
    those that come with gRPC."""
    tls_cert: str = ""
    """PEM file with a certificate of its own. Default: REFEREE_TLS_CERT, unless `insecure`."""
    tls_key: str = ""
    """PEM file with its private key. Default: REFEREE_TLS_KEY, unless `insecure`."""
    insecure: bool = False
    """Send the token in the clear to other machines."""

    fleet_domain: str = ""
    """The domain of the other referees that the bot trusts with its token: its host and those below
    it. Default: REFEREE_FLEET_DOMAIN, else the host of `address`."""

    software: str = "referee-sdk-python"
    """What the bot calls itself in the referee's logs."""
    version: str = ""
    """The version of the bot, at most 32 bytes; in a ladder each has a rating of its own. Empty: it
    stays what the referee knows."""
    games: Sequence[str] = ()
    """The games it plays. Empty: all."""
    threads: int = 1
    """Threads that call the bot."""
    workers: int = 0
    """Processes that call the bot, each with one of its own; 0: this process does."""
    max_matches: int = 0
    """How many matches it plays at once, up to 1024. 0: 8, or as many as there are threads or
    processes, if these are more."""
    parallel_turns: int = 0
    """How many turns it thinks about at once. The referee gives it more matches than that only as
    one block, side by side: time runs for each turn that waits. 0: one for each thread or process,
    and for an `AsyncBot` one for each match. A bot that answers at once should say as many as
    `max_matches`, and both high."""
    legal_moves: bool = True
    """Whether turns list the legal moves."""
    news_may_wait: bool = True
    """Whether on_turn_played may come with the next thing that the bot is told, a tenth of a second
    later at most: that is cheaper. A bot that thinks while others do says no."""
    keep_existing: bool = False
    """Whether another process that plays with this token is left alone, instead of taking over."""

    give_up_after: float = float("inf")
    """How many seconds to go on trying when no referee answers."""
    backoff: Callable[[int], float] = default_backoff
    """How many seconds to wait before the attempt with this number, from 0. Where a bot knows
    several referees an attempt is a round of them."""
    handle_signals: bool = False
    """Whether SIGTERM and SIGINT stop the bot; a second one kills it."""
    log_level: str = "info"
    """debug, info, warning, error or none; `run` writes the log from this level on to stderr."""


def settle(options: Options, overlaps: bool = False) -> Options:
    """Completes options from the environment, and checks them.

    In what it returns `parallel_turns` is how many turns the bot thinks about at once; 0: as many
    as `max_matches`.

    `overlaps`: the bot thinks about all of its turns at once, as an `AsyncBot` does. Raises
    InvalidOptions that says what is missing or wrong.
    """
    fill = {"address": "REFEREE_ADDRESS", "token": "REFEREE_TOKEN",
            "fleet_domain": "REFEREE_FLEET_DOMAIN"}
    if not options.insecure:  # who asks for plain text means that, whatever the environment has
        fill.update(tls_ca="REFEREE_TLS_CA", tls_cert="REFEREE_TLS_CERT", tls_key="REFEREE_TLS_KEY")
    missing = {name: os.environ.get(variable, "")
               for name, variable in fill.items() if not getattr(options, name)}
    source = "REFEREE_TOKEN" if "token" in missing else "the token"
    token = read_token(source, raw_bytes(missing.pop("token", options.token)))
    software = options.software.encode()[:_MAX_SOFTWARE_BYTES].decode(errors="ignore")
    options = dataclasses.replace(options, software=software, token=token, **missing)
    if not options.address:
        raise InvalidOptions(
            "no address: give --address, or set REFEREE_ADDRESS in the environment")
    if not options.token:
        raise InvalidOptions("no token: give --token-file, or set REFEREE_TOKEN in the environment")
    address = read_address(options.address, "REFEREE_ADDRESS" if "address" in missing else "").text
    check_fleet_domain(options.fleet_domain)
    _check_version(options.version)
    _check_range("threads", options.threads, 1, _MAX_THREADS)
    _check_range("workers", options.workers, 0, _MAX_WORKERS)
    if options.log_level not in LEVELS:
        raise InvalidOptions(f"log level \"{options.log_level}\": it must be {_one_of(LEVELS)}")
    if options.workers > 0 and options.threads > 1:
        raise InvalidOptions("--threads and --workers: choose one; each process has one thread")
    at_once = options.parallel_turns or options.workers or options.threads
    given_matches = options.max_matches
    max_matches = given_matches or max(at_once, USUAL_MAX_MATCHES)
    _check_range("parallel-turns", options.parallel_turns, 0, _MAX_MATCHES)
    _check_range("max-matches", max_matches, 1, _MAX_MATCHES)
    if overlaps and not options.parallel_turns:
        at_once = max_matches
    if given_matches and at_once >= given_matches:
        at_once = 0
    return dataclasses.replace(
        options, address=address, max_matches=max_matches, parallel_turns=at_once)


def _check_version(version: str) -> None:
    try:
        size = len(version.encode())
    except UnicodeEncodeError:
        raise InvalidOptions("the bot's version is not UTF-8") from None
    if size > _MAX_VERSION_BYTES:
        raise InvalidOptions(f"the bot's version has {size} bytes: at most {_MAX_VERSION_BYTES} "
                             "are possible")


def _check_range(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidOptions(f"{what} is {value}: it must be {low} to {high}")


def _one_of(names: Sequence[str] | dict[str, int]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"


_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|ms|s|m|h)")


def parse_duration(text: str) -> float | None:
    """Reads a duration such as "500ms" or "1m30s", in seconds; None if it is none."""
    sign, rest = (-1.0, text[1:]) if text[:1] == "-" else (1.0, text[text[:1] == "+":])
    if rest in ("0", "inf"):
        return sign * float(rest)
    parts = list(_PART.finditer(rest))
    if not parts or "".join(part.group() for part in parts) != rest:
        return None
    return sign * sum(float(part[1]) * _UNITS[part[2]] for part in parts)


class _Parser(argparse.ArgumentParser):
    """Words errors and help as the C++ SDK does."""

    def error(self, message: str) -> NoReturn:
        raise InvalidOptions(f"{message} (see --help)")

    def format_help(self) -> str:
        lines = [self.description or "", f"Usage: {self.prog} [OPTIONS]", "", "Options:"]
        for action in self._actions:
            kind = " INT" if action.type is int else ""
            if action.nargs != 0 and not kind:
                kind = " TEXT"
            left = "  " + ",".join(action.option_strings) + kind
            help_lines = textwrap.wrap(action.help or "", 69)
            if len(left) >= 30:
                lines.append(left)
                left = ""
            for line in help_lines:
                lines.append(f"{left:<30}{line}")
                left = ""
        return "\n".join(lines) + "\n"


def _level(text: str) -> str:
    # The C++ SDK takes levels by number, too.
    name = list(LEVELS)[int(text)] if text in ("0", "1", "2", "3", "4") else text.lower()
    if name not in LEVELS:
        raise argparse.ArgumentTypeError(f"\"{text}\": it must be {_one_of(LEVELS)}")
    return name


def _parser(program: str, software: str) -> _Parser:
    parser = _Parser(prog=program, add_help=False, allow_abbrev=False, description=(
        "A bot: plays the matches that a referee gives it, until the referee ends."))
    add = parser.add_argument
    add("-h", "--help", action="help", help="Print this help message and exit")
    add("--version", action="version", version=f"{software} {__version__}",
        help="Display program version information and exit")
    add("--address", help="Where the referee is, host:port or unix:path [$REFEREE_ADDRESS]")
    add("--token-file", help="File whose first line is the bot's token")
    add("--token",
        help="The bot's token; others on this machine can see it here [$REFEREE_TOKEN]")
    add("--bot-version", dest="version",
        help="The bot's version: in ladders a new one has a rating of its own")
    add("--max-matches", type=int,
        help="Matches at once, 1 to 1024; 0, the default: one for each thread, or a block of up to "
             f"{USUAL_MAX_MATCHES}")
    add("--threads", type=int, help="Threads that choose moves")
    add("--parallel-turns", type=int,
        help="Turns that the bot thinks about at once, or answers so quickly that none waits; 0, "
             "the default: one for each thread or process, and for an AsyncBot one for each match")
    add("--workers", type=int,
        help="Processes that choose moves, each with a bot of its own: in a process Python thinks "
             "on one core, whatever the threads")
    add("--keep-existing", action="store_true",
        help="Leave another process that plays with this token alone, instead of taking over")
    add("--tls", action="store_true", help="Use TLS on this machine, too")
    add("--tls-ca", help="PEM file with the certificates to trust [$REFEREE_TLS_CA]")
    add("--tls-cert",
        help="A certificate of your own, PEM, for a referee that asks for one [$REFEREE_TLS_CERT]")
    add("--tls-key", help="Its private key, PEM [$REFEREE_TLS_KEY]")
    add("--insecure", action="store_true", help="Send the token in the clear to other machines")
    add("--fleet-domain",
        help="Domain of the other referees that get the token, too; default: the host of --address "
             "and those below it [$REFEREE_FLEET_DOMAIN]")
    add("--give-up-after",
        help="How long to try to reach the referee, such as 30s; default: for ever")
    add("--log-level", type=_level, help="debug, info, warning, error or none")
    return parser


def parse_command_line(argv: Sequence[str], defaults: Options) -> Options:
    """Reads a command line, the program's name first, over `defaults`.

    Raises InvalidOptions for one that makes no sense, and SystemExit after --help and --version.
    """
    parser = _parser(argv[0] if argv else "bot", defaults.software)
    read = vars(parser.parse_args(list(argv[1:])))
    # False is a flag that is not there; 0, which equals it, is a value.
    given = {name: value for name, value in read.items() if value is not None and value is not False}
    token_file = given.pop("token_file", None)
    if token_file is not None:
        given["token"] = _token_in(token_file)
    elif "token" in given:
        given["token"] = read_token("--token", raw_bytes(given["token"]))
    if "give_up_after" in given:
        given["give_up_after"] = _duration("--give-up-after", given["give_up_after"])
    return dataclasses.replace(defaults, **given)


def _token_in(path: str) -> str:
    source = f"--token-file \"{path}\""
    try:
        with open(path, "rb") as file:
            return read_token_file(source, file.read(_MAX_FILE_BYTES))
    except OSError as error:
        raise InvalidOptions(f"{source}: {error.strerror}") from None


def _duration(flag: str, text: str) -> float:
    duration = parse_duration(text)
    if duration is None:
        raise InvalidOptions(
            f"{flag} \"{text}\": it must be a duration such as 500ms, 30s or 5m")
    return duration
