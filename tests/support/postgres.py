"""A PostgreSQL server for tests in Python."""

import os
import pathlib
import shutil

from programs import run
from waiting import free_port


class Database:
    """A PostgreSQL server at a port of this machine."""

    def __init__(self, work, settings=()):
        """Starts a server with its data in `work`; `settings`: such as "fsync=off"."""
        self._folder = work / "postgres"
        self._folder.mkdir()
        self._settings = settings
        self._user = []
        if os.geteuid() == 0:  # it refuses to run as root
            shutil.chown(self._folder, "postgres", "postgres")
            self._user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.log = self._folder / "log"
        self._programs = max(pathlib.Path("/usr/lib/postgresql").iterdir()) / "bin"
        self._port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self._port}/postgres"
        self._control("initdb", "--options=--auth=trust --no-sync --username=postgres")
        self._start()

    def _control(self, action, *arguments):
        return run(*self._user, self._programs / "pg_ctl", action,
                   f"--pgdata={self._folder}/data", *arguments, cwd="/")

    def _start(self):
        options = " ".join([f"-p {self._port} -k {self._folder} -c max_connections=50",
                            *(f"-c {setting}" for setting in self._settings)])
        self._control("start", "--wait", f"--log={self.log}", f"--options={options}")

    def stop(self, mode="fast"):
        self._control("stop", "--wait", f"--mode={mode}")

    def restart(self):
        self.stop()
        self._start()

    def crash(self):
        """Kills the server and starts it again, which runs its recovery."""
        self.stop("immediate")
        self._start()

    def rows(self, sql):
        """Returns the rows of a query, as lists of texts; raises RuntimeError if it fails."""
        said = run("psql", "-X", "-A", "-t", "-F", "\t", "-d", self.url, "-c", sql)
        return [line.split("\t") for line in said.splitlines()]

    def number(self, sql):
        """Returns the number in the first row of a query; None if the query fails."""
        try:
            return int(self.rows(sql)[0][0])
        except RuntimeError:
            return None
