#!/usr/bin/env python3
"""How far a fleet on one PostgreSQL goes, by an event simulation with measured costs.

    tests/bench/bench_fleet.py [--daemons 1,10,100] [--cores 8] [--block 6s]

Bots, daemons and the database are processes of the simulation. Two bots that are free begin a block;
when that is over their daemon has it in the store, and begins the next. A daemon takes one step at a
time, as its scheduling loop does: of one competition after the other what has happened there since,
in one transaction, and waits for the commit. The database has cores, which transactions wait for, and
a log: what commits while it is being written goes with the next write.

The costs are below, each with what has measured it. Prints a line for each number of daemons: what
they play, of the most that their bots could, how busy the database is, how many changes go with a
transaction, and how long two bots wait from the end of a block to the begin of the next.
"""

import argparse
import collections
import heapq
import itertools
import pathlib
import random
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
# pylint: disable=wrong-import-position
from duration import seconds

# Seconds of the database's processor for a transaction, and for a block in its two: from
# postgres_time.py bench_store --postgres --bots 1000 with --batch 1, 16 and 256, in which a block
# takes 1,160, 128 and 47 us.
TRANSACTION = 560e-6
BLOCK = 50e-6
# Seconds to decide on a block: bench_schedule --benchmark_filter=LadderDecision.
DECISION = 24e-6
# Seconds of a daemon's processor for a turn: bench_referee --scenarios 64, the CPU of the server.
TURN = 29e-6
# Seconds for a write of the log, here and at a standby that is waited for, and between two machines.
LOG = 1.5e-3
NETWORK = 0.25e-3
LOOK = 1.0  # seconds between two looks of a daemon at the store, a transaction each

COLUMNS = (  # headings of two lines, and how the figures are written
    ("", "daemons", ".0f"), ("", "bots", ".0f"), ("turns", "a second", ".0f"),
    ("blocks", "a second", ".0f"), ("of the", "most, %", ".1f"), ("cores of", "a daemon", ".2f"),
    ("transactions", "a second", ".0f"), ("changes", "of each", ".1f"), ("database", "busy, %", ".0f"),
    ("wait, ms", "p50", ".1f"), ("", "p99", ".1f"))

COMPETITIONS = 10  # of a daemon
TURNS = 120  # of a block: two matches of 60


class Simulation:
    """Time goes from event to event, which are calls."""

    def __init__(self):
        self.now = 0.0
        self._events = []
        self._order = itertools.count()

    def after(self, delay, call, *arguments):
        heapq.heappush(self._events, (self.now + delay, next(self._order), call, arguments))

    def run(self, until):
        while self._events and self._events[0][0] <= until:
            self.now, _, call, arguments = heapq.heappop(self._events)
            call(*arguments)
        self.now = until


class Database:
    """Cores that transactions wait for, and a log that is written for all that have come meanwhile."""

    def __init__(self, simulation, cores):
        self._simulation = simulation
        self._free = cores
        self._waiting = collections.deque()
        self._unwritten = []
        self._writing = False
        self.busy = 0.0  # seconds of its cores
        self.transactions = 0
        self.changes = 0

    def apply(self, changes, done):
        """Calls `done` when so many changes are in the store."""
        self.transactions += 1
        self.changes += changes
        cost = TRANSACTION + changes * BLOCK / 2
        self.busy += cost
        self._simulation.after(NETWORK, self._come, cost, done)

    def _come(self, cost, done):
        if self._free == 0:
            self._waiting.append((cost, done))
            return
        self._free -= 1
        self._simulation.after(cost, self._computed, done)

    def _computed(self, done):
        self._free += 1
        if self._waiting:
            self._come(*self._waiting.popleft())
        self._unwritten.append(done)
        self._write()

    def _write(self):
        if self._writing or not self._unwritten:
            return
        written, self._unwritten = self._unwritten, []
        self._writing = True
        self._simulation.after(LOG, self._written, written)

    def _written(self, written):
        self._writing = False
        for done in written:
            self._simulation.after(NETWORK, done)
        self._write()


class Daemon:
    """Its competitions, each with bots that are free and blocks that are over and not in the store."""

    def __init__(self, simulation, database, bots, block, rng):
        self._simulation = simulation
        self._database = database
        self._block = block
        self._rng = rng
        self._free = [[] for _ in range(COMPETITIONS)]  # since when two bots are, by competition
        self._over = [0] * COMPETITIONS
        self._due = collections.deque()  # the competitions in which something has happened
        self._steps = False
        self.waits = []  # of two bots, from the end of a block to the begin of the next
        self.played = 0
        for pair in range(bots // 2):
            simulation.after(rng.uniform(0, block), self._ended, pair % COMPETITIONS)
        simulation.after(rng.uniform(0, LOOK), self._look)

    def _look(self):
        self._database.apply(0, lambda: None)
        self._simulation.after(LOOK, self._look)

    def _step(self):
        if self._steps or not self._due:
            return
        self._steps = True
        competition = self._due.popleft()
        over, self._over[competition] = self._over[competition], 0
        free, self._free[competition] = self._free[competition], []
        self._simulation.after(len(free) * DECISION, self._database.apply, over + len(free),
                               lambda: self._begun(competition, free))

    def _begun(self, competition, free):
        self._steps = False
        for since in free:
            self.waits.append(self._simulation.now - since)
            self._simulation.after(self._block * self._rng.uniform(0.5, 1.5), self._ended, competition)
        self._step()

    def _ended(self, competition):
        self.played += 1
        self._over[competition] += 1
        self._free[competition].append(self._simulation.now)
        if competition not in self._due:
            self._due.append(competition)
        self._step()


def simulate(daemons, options):
    """Returns the figures of a line, in the order of COLUMNS."""
    simulation = Simulation()
    database = Database(simulation, options.cores)
    rng = random.Random(options.seed)
    fleet = [Daemon(simulation, database, options.bots, options.block, rng) for _ in range(daemons)]
    simulation.run(2 * options.block)  # until it goes evenly
    begin = simulation.now
    database.busy = database.transactions = database.changes = 0
    for daemon in fleet:
        daemon.waits.clear()
        daemon.played = 0
    simulation.run(begin + options.time)
    measured = simulation.now - begin
    waits = sorted(wait for daemon in fleet for wait in daemon.waits)
    blocks = sum(daemon.played for daemon in fleet) / measured
    most = options.bots / 2 / options.block * daemons
    return (daemons, daemons * options.bots, blocks * TURNS, blocks, 100 * blocks / most,
            blocks * TURNS / daemons * TURN, database.transactions / measured,
            database.changes / database.transactions,
            100 * database.busy / measured / options.cores,
            1e3 * waits[len(waits) // 2], 1e3 * waits[len(waits) * 99 // 100])


def numbers_of(text):
    if not re.fullmatch(r"[1-9]\d*(,[1-9]\d*)*", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of numbers such as 1,10,100")
    return [int(number) for number in text.split(",")]


def parsed():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--daemons", type=numbers_of, default="1,3,10,30,100,300", metavar="N,...",
                        help="numbers of daemons (default 1,3,10,30,100,300)")
    parser.add_argument("--bots", type=int, default=1000, help="of each daemon (default 1000)")
    parser.add_argument("--block", type=seconds, default="6s",
                        help="how long a block takes (default 6s: 10,000 turns a second)")
    parser.add_argument("--cores", type=int, default=8, help="of the database (default 8)")
    parser.add_argument("--time", type=seconds, default="10s", help="that is measured (default 10s)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    options = parsed()
    widths = [max(len(over), len(under)) for over, under, _ in COLUMNS]
    for heading in (0, 1):
        headings = (column[heading].rjust(width) for column, width in zip(COLUMNS, widths))
        print("  ".join(headings).rstrip())
    for daemons in options.daemons:
        figures = simulate(daemons, options)
        print("  ".join(format(figure, column[2]).rjust(width)
                        for figure, column, width in zip(figures, COLUMNS, widths)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
