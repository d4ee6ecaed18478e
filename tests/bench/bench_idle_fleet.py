#!/usr/bin/env python3
"""What a fleet asks of its PostgreSQL while it has nothing to do.

    tests/bench/bench_idle_fleet.py build/release/bin [--referees 10] [--time 30s]

Prints the transactions and the statements a second, and each statement with its share. A look or a
change is one transaction, whose statements go to the server together. Wants PostgreSQL; everything it
makes is in a folder that goes away.
"""

import argparse
import collections
import contextlib
import os
import pathlib
import re
import signal
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

WARM = 10.0  # seconds from the last start on that do not count
STATEMENT = re.compile(r"duration: .*(?:execute [^:]*|statement): (.*)")


def statements(log, offset):
    """How often each statement was run, as the server's log has it from an offset on."""
    with open(log, "rb") as file:
        file.seek(offset)
        lines = file.read().decode("utf-8", "replace").splitlines()
    found = (STATEMENT.search(line) for line in lines)
    return collections.Counter(match[1] for match in found if match)


def start(programs, folder, url, number):
    referee = Process(folder / f"log-{number}", [
        programs / "refereed", "--data-dir", folder / f"data-{number}", "--listen",
        f"127.0.0.1:{free_port()}", "--store", url, "--shelf", f"dir:{folder}/shelf"])
    eventually("a referee is ready", lambda: "ready: " in referee.said)
    return referee


def measure(options, folder, stack):
    """Returns how often each statement was run."""
    database = Database(folder, ["fsync=off", "log_min_duration_statement=0"])
    stack.callback(database.stop, "immediate")
    run(options.programs / "refctl", "store", "migrate", "--store", database.url)
    (folder / "shelf").mkdir()
    for number in range(options.referees):
        referee = start(options.programs, folder, database.url, number)
        stack.callback(referee.end, signal.SIGKILL)
    time.sleep(WARM)
    begin = os.path.getsize(database.log)
    time.sleep(options.time)
    return statements(database.log, begin)


def report(ran, time_taken):
    ends = ran["COMMIT"] + ran["ROLLBACK"]
    framing = ends + sum(count for text, count in ran.items() if text.startswith("BEGIN"))
    print(f"{ends / time_taken:.1f} transactions a second, of "
          f"{(sum(ran.values()) - framing) / time_taken:.1f} statements besides their begin and end")
    for text, count in ran.most_common():
        print(f"{count / time_taken:6.1f}  {text[:90]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="BIN", type=pathlib.Path)
    parser.add_argument("--referees", type=int, default=10)
    parser.add_argument("--time", type=seconds, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench_idle_fleet.") as name:
        os.chmod(name, 0o755)  # PostgreSQL does not run as root
        with contextlib.ExitStack() as stack:
            ran = measure(options, pathlib.Path(name), stack)
    report(ran, options.time)


if __name__ == "__main__":
    main()
