"""Runs programs for Python tests: to their end, or until the test stops them."""

import os
import signal
import subprocess


def run(*command, **options):
    """Runs a command to its end; returns its output, or raises RuntimeError with the output."""
    done = subprocess.run([str(part) for part in command], check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout.strip()}")
    return done.stdout


class Process:
    """A program that runs in the background; its output is in a file."""

    def __init__(self, log, command, environment=None):
        self.log = log
        inherited = {name: value for name, value in os.environ.items()
                     if not name.startswith("REFEREE_")}
        with open(log, "ab") as file:
            self._before = file.tell()
            self._child = subprocess.Popen(  # pylint: disable=consider-using-with
                [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=file,
                stderr=file, env={**inherited, **(environment or {})})
        self.pid = self._child.pid

    @property
    def said(self):
        """The output since the start of this process."""
        with open(self.log, "rb") as file:
            file.seek(self._before)
            return file.read().decode("utf-8", "replace")

    @property
    def ended(self):
        """The exit status; None while the program runs."""
        return self._child.poll()

    @property
    def resident(self):
        """The resident memory in bytes; 0 once the program has ended."""
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def send(self, number):
        self._child.send_signal(number)

    def wait(self):
        """Waits for the end of the program; returns its exit status."""
        return self._child.wait(120)

    def end(self, number=signal.SIGTERM):
        """Sends a signal, waits for the end of the program, returns its exit status."""
        self.send(number)
        return self.wait()
