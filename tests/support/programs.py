"""Programs that tests in Python run: to their end, or until they are ended."""

import os
import signal
import subprocess


def run(*command, **options):
    """Runs a command to its end; returns its output, raises RuntimeError with it if it fails."""
    done = subprocess.run([str(part) for part in command], check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout.strip()}")
    return done.stdout


class Process:
    """A program that goes on until it is ended; what it says is in a file."""

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
        """What it has written since it was started."""
        with open(self.log, "rb") as file:
            file.seek(self._before)
            return file.read().decode("utf-8", "replace")

    @property
    def ended(self):
        """Its exit status; None while it runs."""
        return self._child.poll()

    @property
    def resident(self):
        """Bytes of memory that it has; 0 once it has ended."""
        try:
            with open(f"/proc/{self.pid}/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            return 0

    def send(self, number):
        self._child.send_signal(number)

    def wait(self):
        """Waits for its end; returns its exit status."""
        return self._child.wait(120)

    def end(self, number=signal.SIGTERM):
        """Sends it a signal and waits for its end; returns its exit status."""
        self.send(number)
        return self.wait()
