"""Parses durations of flags: 200ms, 90s, 20m, 2h."""

import argparse
import re

UNITS = {"ms": 1e-3, "s": 1, "m": 60, "h": 3600}


def seconds(text):
    """Returns a duration in seconds; the type of an argparse argument."""
    found = re.fullmatch(r"(\d+)(ms|s|m|h)", text)
    if not found:
        raise argparse.ArgumentTypeError(f"'{text}' is not a duration such as 200ms, 90s, 20m or 2h")
    return int(found[1]) * UNITS[found[2]]
