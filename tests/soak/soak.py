#!/usr/bin/env python3
"""A ladder for each game, of 200 bots in three languages, on a fleet of two referees, for hours.

    tests/soak/soak.py build/release --time 2h

The referees run as their packages have them, over TLS, on one PostgreSQL, each with a disk of its
own; a gate and Prometheus are beside them. From time to time a referee or the gate is killed, a disk
is full or hangs, the database is restarted or crashes, the certificate is renewed, the packages are
installed anew, or strangers flood. In the last third nothing ends a referee, so that its memory at the
start and at the end can be compared. Then nothing may be lost or doubled, nobody may have lost on
time, and an audit must find nothing.

Prints a line a fault, the dashboard's figures, the alerts that fired. Exit status: 0; 1 when something
was found; 2 when it could not run. Wants root, PostgreSQL, Prometheus, Node with the packages of
sdk/node, and Debian's Python with gRPC; everything it makes is below --work, on a disk with 30 GiB.
"""

import argparse
import os
import pathlib
import random
import signal
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
import figures
from duration import seconds
from faults import KINDS
from fleet import GAMES, Fleet
from waiting import eventually

GOES_ON = 20  # blocks that each ladder has to count after a fault
WARM = 60.0  # seconds, before memory is looked at for the first time


def names_of_kinds(text):
    names = text.split(",")
    for name in names:
        if name not in KINDS:
            raise argparse.ArgumentTypeError(f"'{name}' is none of: {', '.join(sorted(KINDS))}")
    return names


def say(line):
    print(line, flush=True)


class Pulse:
    """Looks all the time how many blocks are counted, and keeps the longest pause."""

    def __init__(self, fleet):
        self._fleet = fleet
        self._lock = threading.Lock()
        self._counted = dict.fromkeys(GAMES, 0)
        self._over = threading.Event()
        self.begin()
        threading.Thread(target=self._look, daemon=True).start()

    def begin(self):
        """From now on the longest pause is sought anew."""
        with self._lock:
            self._rose = dict.fromkeys(GAMES, time.monotonic())
            self._longest = 0.0

    @property
    def longest(self):
        with self._lock:
            return self._longest

    def end(self):
        self._over.set()

    def _look(self):
        while not self._over.wait(0.5):
            for game, counted in (self._fleet.counted() or {}).items():
                with self._lock:
                    if counted > self._counted[game]:
                        now = time.monotonic()
                        self._longest = max(self._longest, now - self._rose[game])
                        self._counted[game], self._rose[game] = counted, now


class Soak:
    """One run; `found` is what was wrong."""

    def __init__(self, fleet, options):
        self._fleet = fleet
        self._options = options
        self._random = random.Random(options.seed)
        self._start = self._end = 0.0
        self.found = []

    def find(self, what):
        self.found.append(what)
        say(f"FOUND: {what}")

    def minutes(self):
        return (time.time() - self._start) / 60

    def run(self):
        say("starting")
        self._fleet.begin(self._options.pace)
        pulse = Pulse(self._fleet)
        time.sleep(WARM)
        self._start = time.time()
        self._end = self._start + self._options.time
        say(f"   0.0 min  without a fault: the ladders wait {pulse.longest:.1f} s for the pace")
        self._say_memory()
        calm = self._start + self._options.time * 2 / 3
        kinds = {name: KINDS[name] for name in self._options.only}
        self._harm(pulse, kinds, calm)
        say("from now on no referee ends")
        self._say_memory()
        self._harm(pulse, {name: kind for name, kind in kinds.items() if not kind.ends}, self._end)
        self._say_memory()
        pulse.end()
        stop = time.time()
        for wrong in self._fleet.finish():
            self.find(wrong)
        say(self._fleet.audit())
        watcher = self._fleet.watcher
        say(f"a watcher at the gate heard {watcher.events} events over {watcher.streams} streams")
        say("\nThe dashboard's figures, means of each quarter of the time\n")
        for line in figures.dashboard(self._fleet.prometheus_port, self._start, stop):
            say(line)
        say("\nAlerts that fired\n")
        for line in sorted(figures.alerts(self._fleet.prometheus_port, self._start, stop)):
            say(line)

    def _harm(self, pulse, kinds, until):
        """Has one fault after the other happen: each kind once, in any order, then all of them again."""
        queue = []
        while kinds and time.time() + self._options.every < until:
            due = time.time() + self._options.every
            queue = queue or self._random.sample(sorted(kinds), len(kinds))
            name = queue.pop()
            try:
                self._happen(pulse, name, kinds[name])
            except (AssertionError, RuntimeError, OSError) as error:
                self.find(f"{name}: {error}")
            time.sleep(max(0.0, due - time.time()))
        time.sleep(max(0.0, until - time.time()))

    def _happen(self, pulse, name, kind):
        fleet = self._fleet
        home = fleet.home(self._random.choice(GAMES))
        any_referee = self._random.choice(fleet.referees)
        victim = home if home and self._random.random() < 0.75 else any_referee
        spoilt = fleet.spoilt()
        began = self.minutes()
        pulse.begin()
        kind.happen(fleet, victim)
        base = eventually("the database answers", fleet.counted)
        fleet.await_blocks({game: counted + GOES_ON for game, counted in base.items()})
        fleet.check_alive()
        voids = fleet.spoilt() - spoilt
        counted = ", ".join(f"{game} {count}" for game, count in fleet.counted().items())
        say(f"{began:6.1f} min  {name:<17} {victim.name}  paused {pulse.longest:5.1f} s, {voids} void; "
            f"counted: {counted}")
        if kind.planned and voids:
            self.find(f"{name}: {voids} attempts at blocks came to nothing")

    def _say_memory(self):
        fleet = self._fleet
        sizes = {referee.name: referee.process.resident for referee in fleet.referees}
        sizes["gate"] = fleet.gate.resident
        sizes.update({f"a bot in {kind}": size for kind, size in fleet.bots.resident().items()})
        say(f"{self.minutes():6.1f} min  memory, MiB: " +
            ", ".join(f"{name} {size / 2 ** 20:.1f}" for name, size in sizes.items()))


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="where Referee was built")
    parser.add_argument("--time", type=seconds, default="2h", help="how long (default 2h)")
    parser.add_argument("--every", type=seconds, default="150s",
                        help="how long after one fault the next begins (default 150s)")
    parser.add_argument("--bots", type=int, default=200, help="how many (default 200)")
    parser.add_argument("--pace", type=int, default=2,
                        help="blocks that each bot begins a minute in each ladder (default 2)")
    parser.add_argument("--only", type=names_of_kinds, default=sorted(KINDS), metavar="KIND,...",
                        help="kinds of faults, such as 'flood,full disk' (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="decides what happens, and to whom")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/var/tmp"),
                        help="where everything is made, and stays (default /var/tmp)")
    return parser.parse_args()


def main():
    options = parsed()
    if os.getpid() != 1:
        # With the namespaces goes whatever was mounted and started.
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "--pid", "--fork",
                              "--mount-proc", "--kill-child", sys.executable, *sys.argv])
    # The first process of its namespace ends by no signal that it does not handle.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    options.work.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="soak-", dir=options.work)).resolve()
    work.chmod(0o755)
    say(f"all is in {work}")
    try:
        soak = Soak(Fleet(work, options.build.resolve(), options.bots), options)
    except (OSError, RuntimeError) as error:
        print(f"soak.py: {error}", file=sys.stderr)
        return 2
    try:
        soak.run()
    except (AssertionError, RuntimeError, OSError) as error:
        soak.find(str(error))
    return 1 if soak.found else 0


if __name__ == "__main__":
    sys.exit(main())
