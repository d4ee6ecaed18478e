"""Two referees on one PostgreSQL, a gate, Prometheus, and bots in three languages: all processes."""

import contextlib
import http.client
import json
import pathlib
import shutil
import signal
import sys
import threading
import time
import urllib.request

from place import PYTHON, SOURCE, Authority, Disk, Root
from postgres import Database
from programs import Process, run
from waiting import eventually, free_port

GAMES = ("hypnosia", "isaac")  # of a ladder each, by which they are called
NODE, PYTHONS = 5, 5  # one bot in so many is in Node, one in so many in Python; the others in C++
DISK = 8 << 30
# As many of the bots of Debian's Python begin at once: each takes a second of the processor.
STARTED_AT_ONCE = 8
VOID_BY_PLAN = "had not begun when its competition moved"  # nobody had begun to play these


class Referee:
    """A daemon as its package has it, with a disk of its own."""

    def __init__(self, fleet, number):
        self._fleet = fleet
        self.name = f"referee-{number}"
        self.address = f"127.0.0.1:{free_port()}"
        self.metrics_port = free_port()
        self.disk = Disk(fleet.work / f"{self.name}.ext4", fleet.root.path / f"var/lib/{self.name}",
                         DISK)
        fleet.root.run("chown", "referee:referee", f"/var/lib/{self.name}")
        self.process = None

    @property
    def data(self):
        return self.disk.folder / "data"

    def start(self):
        """Returns when it serves."""
        self.process = Process(self._fleet.work / f"{self.name}.log", self._fleet.root.entry() + [
            "refereed", "--data-dir", f"/var/lib/{self.name}/data", "--store", self._fleet.database.url,
            "--shelf", "dir:/srv/shelf", "--listen", self.address, "--tls-cert", "/etc/referee/cert.pem",
            "--tls-key", "/etc/referee/key.pem", "--metrics", self.metrics_port, "--durability", "match",
            "--keep-replays", "365d,100GiB"])
        eventually(f"{self.name} is ready",
                   lambda: self.process.ended is not None or "ready: " in self.process.said)
        if self.process.ended is not None:
            raise RuntimeError(f"{self.name} does not start: {self.process.said[-2000:]}")


class Bots:
    """Bots of three kinds, each a process; half of them dial one referee first, half the other."""

    def __init__(self, fleet, programs, count):
        self._fleet = fleet
        node = fleet.work / "node"
        run("npm", "run", "build", "--prefix", SOURCE / "sdk/node")
        (node / "node_modules").mkdir(parents=True)
        (node / "node_modules/referee-sdk").symlink_to(SOURCE / "sdk/node")
        for name in ("random.js", "package.json"):
            shutil.copy(SOURCE / "sample-bots/node" / name, node)
        self._kinds = {
            "C++": [programs / "bots/random"],
            "Python": ["env", f"PYTHONPATH={SOURCE}/sdk/python", PYTHON,
                       SOURCE / "sample-bots/wary/wary.py"],
            "Node": ["node", node / "random.js"],
        }
        self.kinds = {self._name(number): self._kind(number) for number in range(count)}
        self.processes = {}

    @staticmethod
    def _kind(number):
        if number % NODE == 1:
            return "Node"
        return "Python" if number % PYTHONS == 2 else "C++"

    @classmethod
    def _name(cls, number):
        return f"{cls._kind(number).lower().replace('+', 'p')}-{number:03}"

    def start(self):
        for number, (name, kind) in enumerate(self.kinds.items()):
            token = self._fleet.refctl("bot", "add", name, "--store", self._fleet.database.url)
            first = self._fleet.referees[number % len(self._fleet.referees)]
            self.processes[name] = Process(
                self._fleet.work / "bots" / f"{name}.log", self._kinds[kind],
                {**self._fleet.environment(first), "REFEREE_TOKEN": token.strip()})
            if number % STARTED_AT_ONCE == 0:
                time.sleep(1)

    def resident(self):
        """Bytes of memory of an average bot, by kind."""
        found = {}
        for name, process in self.processes.items():
            found.setdefault(self.kinds[name], []).append(process.resident)
        return {kind: sum(sizes) / len(sizes) for kind, sizes in found.items()}

    def stop(self):
        """Ends all; returns what is wrong with how one ended, or with what it said."""
        for process in self.processes.values():
            process.send(signal.SIGTERM)
        wrong = []
        for name, process in self.processes.items():
            if process.wait() != 0:
                wrong.append(f"{name} ended with {process.ended}: {process.said[-500:]}")
            for sign in ("DICE DO NOT FIT", "forfeits", "Traceback", "threw"):
                if sign in process.said:
                    wrong.append(f"{name} said '{sign}'")
        return wrong


class Watcher:
    """Somebody who watches a ladder at the gate, and comes back whenever that ends."""

    def __init__(self, fleet):
        self._fleet = fleet
        self.events = 0  # that it has heard
        self.streams = 0  # over which it did
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while True:
            url = f"http://127.0.0.1:{self._fleet.gate_port}/api/v1/competitions/{GAMES[0]}/events"
            with contextlib.suppress(OSError, http.client.HTTPException):
                with urllib.request.urlopen(url, timeout=60) as stream:
                    self.streams += 1
                    for line in stream:
                        self.events += line.startswith(b"data:")
            time.sleep(1)


class Fleet:
    """All of it. What goes wrong raises RuntimeError or AssertionError."""

    def __init__(self, work, build, bots):
        self.work = work
        self.programs = build / "bin"
        (work / "bots").mkdir()
        self.root = Root(work, build)
        self.authority = Authority(work)
        self.authority.issue(self.root.path / "etc/referee")
        self.database = Database(work)
        self._mount_shelf()
        self.refctl("store", "migrate", "--store", self.database.url)
        self.referees = [Referee(self, number) for number in (1, 2)]
        self.bots = Bots(self, self.programs, bots)
        self.gate = self.gate_port = self.prometheus = self.prometheus_port = self.watcher = None
        self._organiser = ""

    def _mount_shelf(self):
        """A folder of this machine, which both referees see; the root itself is in memory."""
        (self.work / "shelf").mkdir()
        (self.root.path / "srv/shelf").mkdir()
        run("mount", "--bind", self.work / "shelf", self.root.path / "srv/shelf")
        self.root.run("chown", "referee:referee", "/srv/shelf")

    def environment(self, referee):
        return {"REFEREE_ADDRESS": referee.address,
                "REFEREE_TLS_CA": str(self.authority.certificate)}

    def refctl(self, *arguments):
        """Runs refctl as the organiser, at a referee that runs."""
        environment = {"PATH": "/usr/bin:/bin"}
        for referee in getattr(self, "referees", []):
            if referee.process is not None and referee.process.ended is None:
                environment.update(self.environment(referee), REFEREE_TOKEN=self._organiser)
        return run(self.programs / "refctl", *arguments, env=environment)

    def begin(self, pace):
        """Starts all, and a ladder of all bots for each game; returns when both count blocks."""
        first, second = self.referees
        first.start()
        # Both sign with one key, so that an audit takes what each has played.
        self.root.run("install", "-d", "-o", "referee", "-g", "referee", "-m", "0700",
                      f"/var/lib/{second.name}/data")
        self.root.run("bash", "-c", f"cp -p /var/lib/{first.name}/data/key* "
                                    f"/var/lib/{second.name}/data/")
        second.start()
        self._organiser = self.refctl("bot", "add", "olga", "--role", "organiser", "--store",
                                      self.database.url).strip()
        self.start_gate()
        self._start_prometheus()
        names = self.work / "names"
        names.write_text("\n".join(self.bots.kinds) + "\n", "utf-8")
        self.bots.start()
        for game in GAMES:
            self.refctl("competition", "create", game, "--format", "ladder", "--game", game, "--pace",
                        pace, "--time", "5s,ready=60s", "--bots-from", names, "--start")
        self.await_blocks({game: 0 for game in GAMES})
        self.watcher = Watcher(self)

    def await_blocks(self, more_than):
        """Waits until each ladder has counted more blocks than that, by its name."""
        def count():
            counted = self.counted()
            return counted and all(counted[game] > least for game, least in more_than.items())
        eventually("the ladders count blocks", count)

    def start_gate(self):
        self.gate_port = self.gate_port or free_port()
        self.gate = Process(self.work / "gate.log", [
            self.programs / "refgate", "--listen", f"127.0.0.1:{self.gate_port}", "--public"],
            {**self.environment(self.referees[0]), "REFEREE_TOKEN": self._organiser})

    def _start_prometheus(self):
        self.prometheus_port = free_port()
        targets = [f"127.0.0.1:{referee.metrics_port}" for referee in self.referees]
        (self.work / "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": "5s", "evaluation_interval": "5s"},
            "rule_files": [str(SOURCE / "deploy/observability/alerts.yaml")],
            "scrape_configs": [{"job_name": "referee", "static_configs": [{"targets": targets}]}],
        }), "utf-8")
        self.prometheus = Process(self.work / "prometheus.log", [
            "prometheus", f"--config.file={self.work}/prometheus.yml",
            f"--storage.tsdb.path={self.work}/series",
            f"--web.listen-address=127.0.0.1:{self.prometheus_port}"])

    def counted(self):
        """How many blocks each ladder has counted; None while the database does not answer."""
        try:
            rows = self.database.rows("SELECT name, counted FROM referee.competition")
        except RuntimeError:
            return None
        return {name: int(counted) for name, counted in rows}

    def spoilt(self):
        """Attempts at blocks that were begun and came to nothing."""
        return self.database.number("SELECT count(*) FROM referee.attempt WHERE reason NOT LIKE "
                                    f"'%{VOID_BY_PLAN}%'") or 0

    def home(self, game):
        """The referee where a ladder lives; None while none has its lease."""
        try:
            rows = self.database.rows(
                "SELECT address FROM referee.lease JOIN referee.competition ON home = term "
                f"WHERE name = '{game}'")
        except RuntimeError:
            rows = []
        for referee in self.referees:
            if rows == [[referee.address]]:
                return referee
        return None

    def check_alive(self):
        programs = {**self.bots.processes, "gate": self.gate, "prometheus": self.prometheus,
                    **{referee.name: referee.process for referee in self.referees}}
        for name, process in programs.items():
            if process.ended is not None:
                raise RuntimeError(f"{name} has ended by itself: {process.said[-2000:]}")

    def finish(self):
        """Ends both ladders in order, then the bots and the referees; returns what is wrong."""
        for game in GAMES:
            self.refctl("competition", "finish", game, "--yes")
        eventually("both ladders end", lambda: self.database.number(
            "SELECT count(*) FROM referee.competition WHERE state = 'FINISHED'") == len(GAMES))
        wrong = self.bots.stop()
        for referee in self.referees:
            if referee.process.end() != 0:
                wrong.append(f"{referee.name} ended with {referee.process.ended}")
        return wrong + self._wrong_in_store()

    def _wrong_in_store(self):
        """What is lost or doubled, and who has lost by anything but play."""
        wrong = []
        counted = self.counted()
        for game in GAMES:
            of = ("FROM referee.block WHERE competition = "
                  f"(SELECT key FROM referee.competition WHERE name = '{game}')")
            blocks, numbers, span = self.database.rows(
                f"SELECT count(*), count(DISTINCT number), max(number) - min(number) + 1 {of}")[0]
            if not blocks == numbers == span == str(counted[game]):
                wrong.append(f"{game}: {span} blocks were begun, {blocks} are there, with {numbers} "
                             f"numbers, {counted[game]} are counted")
        wrong += [" ".join(row) for row in self.database.rows(
            "SELECT 'block', number, state, reason FROM referee.block WHERE state <> 'PLAYED'")]
        wrong += [" ".join(row) for row in self.database.rows(
            "SELECT name, presence, reason, 'forfeits', forfeits, 'by time', time_losses FROM "
            "referee.entrant WHERE presence <> 'IN' OR forfeits > 0 OR time_losses > 0")]
        return wrong

    def audit(self):
        return self.refctl("archive", "audit", "--data-dir", self.referees[0].data, "--store",
                           self.database.url, "--shelf", f"dir:{self.root.path}/srv/shelf").strip()
