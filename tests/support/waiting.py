"""What tests in Python need that start programs: a port for one, and a wait until it does something."""

import socket
import time

PATIENCE = 90.0  # seconds


def free_port():
    """Returns a port of 127.0.0.1 on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def eventually(what, ask):
    """Returns the first answer that is true; raises AssertionError, which names `what`, if none is."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what}: not within {PATIENCE:.0f} s")
