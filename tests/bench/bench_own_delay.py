#!/usr/bin/env python3
"""The referee's own delay in a fleet, beside that of a referee that stands alone.

    tests/bench/bench_own_delay.py build/release/bin [--rounds 5] [--time 20s] [--bots 16] [--pace 300]

A ladder of Hypnosia, with the pace of the bots as its load, is played in turn by a referee with its
store in a file; by one whose store is in PostgreSQL, with a shelf; and by one of three that share
both: the other two have nothing to play, as they would have processors of their own elsewhere. Who
plays is asked for its replays, in which each turn has the referee's own delay: from the arrival of
a reply out of the transport until it is handled.

Prints for each arrangement the turns a second and the delay's quantiles, medians of the rounds; and
of these quantiles the median ratio, round by round, to the referee that stands alone. Wants
PostgreSQL and zstdcat; everything it makes is in a folder that goes away.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
# pylint: disable=wrong-import-position
from duration import seconds
from postgres import Database
from programs import Process, run
from waiting import eventually, free_port

ARRANGEMENTS = (("alone", False, 1), ("on PostgreSQL", True, 1), ("one of three", True, 3))
QUANTILES = (0.5, 0.99, 0.999)
WARM = 3.0  # seconds of the ladder that do not count


class Referees:
    """One or several that share a store and a shelf, and bots that play a ladder there."""

    def __init__(self, programs, folder, url, count):
        self._programs = programs
        self._folder = folder
        self._processes = []
        self._datas = [folder / f"data-{number}" for number in range(count)]
        self._addresses = [f"127.0.0.1:{free_port()}" for _ in range(count)]
        self._place = ["--data-dir", self._datas[0]]
        self._shared = []
        if url:
            self._place = ["--store", url]
            self._shared = ["--store", url, "--shelf", f"dir:{folder}/shelf"]
            (folder / "shelf").mkdir()
            run(programs / "refctl", "store", "migrate", "--store", url)

    def __enter__(self):
        for data, address in zip(self._datas, self._addresses):
            referee = self._start("refereed", "--data-dir", data, "--listen", address, *self._shared)
            eventually("a referee is ready", lambda referee=referee: "ready: " in referee.said)
        return self

    def __exit__(self, *exception):
        for process in self._processes:
            process.send(signal.SIGKILL)
        for process in self._processes:
            process.wait()

    def _start(self, program, *arguments, **environment):
        process = Process(self._folder / f"log-{len(self._processes)}",
                          [self._programs / program, *arguments], environment)
        self._processes.append(process)
        return process

    def _refctl(self, *arguments, token=""):
        return run(self._programs / "refctl", *arguments,
                   env={**os.environ, "REFEREE_ADDRESS": self._addresses[0], "REFEREE_TOKEN": token})

    def play(self, bots, pace):
        """Begins the ladder; returns once a block of it is counted."""
        def token(name, role):
            return self._refctl("bot", "add", name, "--role", role, *self._place).strip()
        organiser = token("olga", "organiser")
        names = [f"bot-{number}" for number in range(bots)]
        for name in names:
            self._start("bots/random", REFEREE_ADDRESS=self._addresses[0],
                        REFEREE_TOKEN=token(name, "bot"))
        self._refctl("competition", "create", "ladder", "--format", "ladder", "--game", "hypnosia",
                     "--pace", pace, "--bots", ",".join(names), "--start", token=organiser)
        def counted():
            shown = self._refctl("competition", "show", "ladder", "--json", token=organiser)
            return int(json.loads(shown).get("blocks_counted", 0))
        eventually("a block is counted", counted)

    def delays(self, since):
        """The referee's own delay of all turns of matches that were made since then, in ns."""
        delays = []
        for data in self._datas:
            lines = self._folder / "turns.zst"
            run(self._programs / "refctl", "archive", "export", "--data-dir", data, "--from", since,
                "--output", lines, "--force")
            turns = subprocess.run(["zstdcat", lines], check=True, stdout=subprocess.PIPE).stdout
            delays += map(int, re.findall(rb'"own_ns":(\d+)', turns))
        return sorted(delays)


def measure(options, folder, url, count):
    """Plays the ladder for the time asked; returns turns a second and the quantiles in us."""
    with Referees(options.programs, folder, url, count) as referees:
        referees.play(options.bots, options.pace)
        time.sleep(WARM)
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        time.sleep(options.time)
        delays = referees.delays(since)
    if not delays:
        raise RuntimeError(f"no turn was played in {options.time:g} s")
    return [len(delays) / options.time,
            *(delays[int(quantile * len(delays))] / 1e3 for quantile in QUANTILES)]


def run_round(options, folder):
    """Returns what was measured, by arrangement."""
    measured = {}
    for name, is_shared, count in ARRANGEMENTS:
        place = folder / name.replace(" ", "-")
        place.mkdir()
        with contextlib.ExitStack() as stack:
            url = ""
            if is_shared:
                database = Database(place, ["fsync=off"])
                stack.callback(database.stop, "immediate")
                url = database.url
            measured[name] = measure(options, place, url, count)
    return measured


def report(rounds):
    print(f"{'':15} {'turns/s':>8} {'p50 us':>8} {'p99 us':>8} {'p99.9 us':>9}   to alone: "
          f"{'p50':>5} {'p99':>5} {'p99.9':>5}")
    for name, _, _ in ARRANGEMENTS:
        turns, *delays = (statistics.median(column) for column in zip(*(one[name] for one in rounds)))
        ratios = [statistics.median(one[name][at] / one["alone"][at] for one in rounds)
                  for at in range(1, 1 + len(QUANTILES))]
        print(f"{name:15} {turns:8.0f} {delays[0]:8.1f} {delays[1]:8.1f} {delays[2]:9.1f}   "
              f"          {ratios[0]:5.2f} {ratios[1]:5.2f} {ratios[2]:5.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="BIN", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--time", type=seconds, default=20, help="that each round measures each")
    parser.add_argument("--bots", type=int, default=16)
    parser.add_argument("--pace", type=int, default=300, help="blocks that a bot begins in a minute")
    options = parser.parse_args()
    rounds = []
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory(prefix="bench_own_delay.") as folder:
            os.chmod(folder, 0o755)  # PostgreSQL does not run as root
            rounds.append(run_round(options, pathlib.Path(folder)))
        if sys.stderr.isatty():
            print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
    report(rounds)


if __name__ == "__main__":
    main()
