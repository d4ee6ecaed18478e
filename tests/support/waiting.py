"""Finds a free port and waits for conditions, for Python tests that start programs."""

import socket
import time

PATIENCE = 90.0  # seconds


def free_port():
    """Returns an unused port of 127.0.0.1."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def eventually(what, ask):
    """Polls `ask` until its answer is true, and returns it; raises AssertionError with `what`."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {PATIENCE:.0f} s")
