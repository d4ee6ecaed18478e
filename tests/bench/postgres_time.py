#!/usr/bin/env python3
"""The processor time of the PostgreSQL server that a command uses, as PostgreSQL itself does not tell it.

    tests/bench/postgres_time.py build/release/bin/bench_store --postgres --bots 1000 --batch 16

Runs the command, and prints what each of the server's processes that began meanwhile has taken, down to
a tenth of a second; looks each 20 ms. Exit status: the command's.
"""

import os
import pathlib
import subprocess
import sys
import time

TICKS = os.sysconf("SC_CLK_TCK")


def processes():
    return {path for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()}


def look(before, taken):
    """Notes, by process, the seconds that it has taken and what it calls itself."""
    for process in processes() - before:
        try:
            title = (process / "cmdline").read_text("utf-8", "replace").split("\0")[0]
            fields = (process / "stat").read_text("utf-8").rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        if title.startswith("postgres: "):
            taken[process.name] = (sum(map(int, fields[11:13])) / TICKS, title)


def main():
    before = processes()
    taken = {}
    with subprocess.Popen(sys.argv[1:]) as command:
        while command.poll() is None:
            look(before, taken)
            time.sleep(0.02)
    for seconds, title in sorted(taken.values(), reverse=True):
        if seconds >= 0.1:
            print(f"{seconds:7.2f} s  {title}")
    return command.returncode


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0)
    sys.exit(main())
