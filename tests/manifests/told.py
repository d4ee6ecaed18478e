"""What manifests tell the programs: their flags, and what of these is to agree with other places."""

import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"project\(Referee VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")).group(1)
SPARE = 15.0  # seconds that a stop has beyond the drain


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


def flags(words):
    """Returns the values of the flags, by name, as --name=value has them; of others None."""
    found = {}
    for word in words:
        name, given, value = word.removeprefix("--").partition("=")
        if name in found:
            raise ValueError(f"--{name} is there twice")
        found[name] = value if given else None
    return found


def port(address):
    return int(address.rpartition(":")[2])


def said(program, *arguments):
    """Returns what a program prints."""
    return subprocess.run([program, *arguments], check=True, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE).stdout


def unknown_flags(program, words, *command):
    """Returns those of the flags that the program's help does not name."""
    told = said(program, *command, "--help")
    return [name for name in flags(words) if not re.search(rf"(?m)(^ +|,)--{name}[ ,]", told)]
