#!/usr/bin/env python3
"""What a turn costs a bot in Python, beside the same bot in C++.

    python3 sdk/python/bench/turns.py [--bin build/release/bin] [--matches 600] [--at-once 2,64]

Plays duels of a bot that draws its moves by chance against the sample bot random, and prints, for
each number of matches at once, microseconds of CPU a turn (user and system, of the bot's whole
process, less what its start takes) and matches a second. Bots and referee share the machine.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
NOTE = "REFEREE_BENCH_NOTE"  # names the file that gets the CPU time


def cpu_of(command):
    """Runs a command, and returns its CPU time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def play_bot(argv):
    """Is the measured bot in Python."""
    sys.path.insert(0, str(PACKAGE))
    import referee

    class Random(referee.Bot):
        def choose_turn(self, turn):
            return turn.rng.choice(turn.moves)

    referee.run(Random(), argv, max_matches=1024)


def measure(command, bin_dir, game, matches, at_once):
    """Returns microseconds of CPU a turn, and matches a second."""
    with tempfile.TemporaryDirectory() as folder:
        note = pathlib.Path(folder, "note")
        measured = f"env {NOTE}={note} {sys.executable} {__file__} --measure {' '.join(command)}"
        duel = [f"{bin_dir}/refctl", "duel", "--game", game, "--matches", str(matches),
                "--concurrency", str(at_once), "--seed", "1", "--time", "5s", "--json", "--quiet",
                "--bot", f"measured={measured}", "--bot", f"other={bin_dir}/bots/random"]
        begun = time.monotonic()
        ended = subprocess.run(duel, check=True, text=True, stdout=subprocess.PIPE)
        seconds = time.monotonic() - begun
        used = float(note.read_text("ascii"))
    turns = json.loads(ended.stdout)["bots"][0]["moves"]
    return 1e6 * (used - cpu_of([*command, "--version"])) / turns, matches / seconds


def main():
    if sys.argv[1:2] == ["--play"]:
        return play_bot(["random.py", *sys.argv[2:]])
    if sys.argv[1:2] == ["--measure"]:
        # refctl ends its bots with a signal to all of their processes.
        import signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pathlib.Path(os.environ[NOTE]).write_text(str(cpu_of(sys.argv[2:])), "ascii")
        return None
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default="build/release/bin", help="where refctl is")
    parser.add_argument("--game", default="hypnosia")
    parser.add_argument("--matches", type=int, default=600)
    parser.add_argument("--at-once", default="2,64")
    given = parser.parse_args()
    bin_dir = pathlib.Path(given.bin).resolve()
    print(f"{'bot':<8}{'at once':>8}{'us CPU a turn':>15}{'matches a second':>18}")
    for at_once in map(int, given.at_once.split(",")):
        for kind, command in (("Python", [sys.executable, __file__, "--play"]),
                              ("C++", [f"{bin_dir}/bots/random"])):
            cost, rate = measure(command, bin_dir, given.game, given.matches, at_once)
            print(f"{kind:<8}{at_once:>8}{cost:>15.0f}{rate:>18.0f}", flush=True)
    return None


if __name__ == "__main__":
    sys.exit(main())
