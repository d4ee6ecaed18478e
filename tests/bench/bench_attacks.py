#!/usr/bin/env python3
"""What attacks on the transport do to honest matches beside them.

    tests/bench/bench_attacks.py build/release/bin [--time 60s] [--attacks NAME,...]

Bots that think for 10 ms play 32 matches of Hypnosia at once, at 100 ms a move. Beside them, one
after the other, each attack of attacks.py goes on for the time asked: from one account, on some
connections, and from 64 addresses without a token. Each has a referee of its own.

Prints for each: turns a second; forfeits and void matches; the p99 of what a turn was charged, and of
the referee's own delay in it, with what that is to the p99 without an attack; the memory that the
referee had at most, above the level before; and whom its log named. It ends with status 1 if anybody
forfeited, a match was void, a p99 is more than three times that without, or the memory grew by more
than 150 MiB. Wants zstdcat; everything it makes is in a folder that goes away.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "support"))
# pylint: disable=wrong-import-position
from attacks import ATTACKS
from duration import seconds
from programs import Process, run
from waiting import eventually, free_port

BOTS = 8
MATCHES = 32
WARM = 5.0  # seconds of the ladder that do not count
ADDRESSES = [f"127.0.{1 + number // 8}.{1 + number % 8}" for number in range(64)]
ATTACKER = "mallory"
MOST_TIMES = 3.0
MOST_MEMORY = 150 << 20
WITHOUT = "none"

BOT = """
import asyncio
import referee


class Thoughtful(referee.AsyncBot):
    async def choose_turn(self, turn):
        await asyncio.sleep(0.01)
        return turn.rng.choice(turn.moves)


referee.run(Thoughtful(), max_matches=8)
"""


class Referee:
    """A referee, and bots that play a ladder there."""

    def __init__(self, programs, folder):
        self._programs = programs
        self._folder = folder
        self._data = folder / "data"
        self.address = f"127.0.0.1:{free_port()}"
        self._processes = []

    def __enter__(self):
        self.daemon = self._start(self._programs / "refereed", "--data-dir", self._data,
                                  "--listen", self.address)
        eventually("the referee is ready", lambda: "ready: " in self.daemon.said)
        return self

    def __exit__(self, *exception):
        for process in self._processes:
            process.send(signal.SIGKILL)
        for process in self._processes:
            process.wait()

    def _start(self, *command, **environment):
        process = Process(self._folder / f"log-{len(self._processes)}", command, environment)
        self._processes.append(process)
        return process

    def _refctl(self, *arguments, token=""):
        return run(self._programs / "refctl", *arguments,
                   env={**os.environ, "REFEREE_ADDRESS": self.address, "REFEREE_TOKEN": token})

    def add(self, name, role="bot"):
        return self._refctl("bot", "add", name, "--role", role, "--data-dir", self._data).strip()

    def play(self):
        """Begins the ladder; returns once a block of it is counted."""
        organiser = self.add("olga", "organiser")
        names = [f"bot-{number}" for number in range(BOTS)]
        bot = self._folder / "bot.py"
        bot.write_text(BOT, "utf-8")
        for name in names:
            self._start("/usr/bin/python3", bot, REFEREE_ADDRESS=self.address,
                        REFEREE_TOKEN=self.add(name), PYTHONPATH=str(TESTS.parent / "sdk/python"))
        self._refctl("competition", "create", "ladder", "--format", "ladder", "--game", "hypnosia",
                     "--time", "100ms", "--pace", "0", "--max-running", str(MATCHES // 2),
                     "--bots", ",".join(names), "--start", token=organiser)
        def counted():
            shown = self._refctl("competition", "show", "ladder", "--json", token=organiser)
            return int(json.loads(shown).get("blocks_counted", 0))
        eventually("a block is counted", counted)

    def attack(self, name, source, duration):
        """Lets it go on for so long; returns the bytes that the referee had more than before, at most."""
        before = most = self.daemon.resident
        until = time.monotonic() + duration
        adversary = None
        if name != WITHOUT:
            whence = (["--token", self.add(ATTACKER)] if source == "account"
                      else ["--from", ",".join(ADDRESSES)])
            adversary = self._start(sys.executable, TESTS / "bench/attacks.py", name, self.address,
                                    "--time", f"{duration}s", *whence)
        while time.monotonic() < until and self.daemon.ended is None:
            most = max(most, self.daemon.resident)
            time.sleep(0.05)
        if adversary is not None:
            adversary.send(signal.SIGKILL)
        return most - before

    def turns(self, since):
        """The turns of matches that were made since then, as 'refctl archive export' has them."""
        lines = self._folder / "turns.zst"
        run(self._programs / "refctl", "archive", "export", "--data-dir", self._data, "--from", since,
            "--output", lines)
        turns = subprocess.run(["zstdcat", lines], check=True, stdout=subprocess.PIPE).stdout
        return [json.loads(line) for line in turns.splitlines()]

    def matches(self, since):
        listed = self._refctl("archive", "list", "--data-dir", self._data, "--from", since, "--json")
        return [json.loads(line) for line in listed.splitlines()]

    def named(self):
        """Whom the log has named for what was cut off."""
        found = []
        for line in self.daemon.said.splitlines():
            if re.search(rf"\b{ATTACKER}\b|127\.0\.\d+\.\d+", line) and "closed" in line:
                found += re.findall(rf"\b{ATTACKER}\b|127\.0\.[1-8]\.[1-8]\b", line)
        return sorted(set(found))


def p99(values):
    values = sorted(values)
    return values[int(0.99 * len(values))] if values else float("nan")


def measure(options, name, source):
    """Returns what an attack did."""
    with tempfile.TemporaryDirectory(prefix="bench_attacks.") as folder:
        with Referee(options.programs, pathlib.Path(folder)) as referee:
            referee.play()
            time.sleep(WARM)
            since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            memory = referee.attack(name, source, options.time)
            time.sleep(1.0)  # for matches that end as the attack does
            turns = referee.turns(since)
            matches = referee.matches(since)
            return {"turns": len(turns) / options.time, "memory": memory,
                    "forfeits": sum(1 for match in matches for seat in match["seats"]
                                    if seat.get("forfeit") and ATTACKER not in json.dumps(seat)),
                    "voids": sum(match["ending"] == "void" for match in matches),
                    "charged": p99([turn["used_ns"] / 1e6 for turn in turns if "used_ns" in turn]),
                    "own": p99([turn["own_ns"] / 1e6 for turn in turns if "own_ns" in turn]),
                    "died": referee.daemon.ended, "named": referee.named()}


def report(name, source, measured, without):
    charged, own = (measured[key] / without[key] for key in ("charged", "own"))
    bad = []
    if measured["died"] is not None:
        bad.append(f"the referee ended with status {measured['died']}")
    if measured["forfeits"] or measured["voids"] or charged > MOST_TIMES:
        bad.append("honest matches")
    if measured["memory"] > MOST_MEMORY:
        bad.append("memory")
    if name != WITHOUT and source == "account" and ATTACKER not in measured["named"]:
        bad.append("not named")
    whom = ", ".join(measured["named"][:2]) + (", ..." if len(measured["named"]) > 2 else "")
    print(f"{name:14} {source:9} {measured['turns']:7.0f} {measured['forfeits']:8} {measured['voids']:5}"
          f" {measured['charged']:9.2f} {charged:5.2f} {measured['own']:8.2f} {own:5.2f}"
          f" {measured['memory'] / 2 ** 20:7.0f}  {whom or '-'}{'  !! ' + '; '.join(bad) if bad else ''}",
          flush=True)
    return not bad


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="BIN", type=pathlib.Path)
    parser.add_argument("--time", type=seconds, default=60, help="that each attack goes on")
    parser.add_argument("--attacks", default=",".join(ATTACKS))
    parser.add_argument("--sources", default="account,addresses")
    options = parser.parse_args()
    unknown = set(options.attacks.split(",")) - set(ATTACKS)
    if unknown:
        parser.error(f"no such attack: {', '.join(sorted(unknown))}; there are {', '.join(ATTACKS)}")
    print(f"{'attack':14} {'from':9} {'turns/s':>7} {'forfeits':>8} {'voids':>5} {'p99 ms':>9} {'times':>5}"
          f" {'own p99':>8} {'times':>5} {'MiB more':>8} log names")
    without = measure(options, WITHOUT, "")
    good = report(WITHOUT, "", without, without)
    for name in options.attacks.split(","):
        for source in options.sources.split(","):
            good &= report(name, source, measure(options, name, source), without)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
