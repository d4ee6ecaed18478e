#!/usr/bin/env python3
"""Has a real Prometheus scrape a referee that plays, and asks it what the dashboard and alerts ask.

    tests/observability/dashboard_test.py BIN

BIN has refereed, refctl and bots/random. Each expression must be answered with numbers: one that
names a metric or a label that is not there is answered with nothing. Status 77: no prometheus here.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
# pylint: disable=wrong-import-position
from waiting import eventually, free_port

DASHBOARD = ROOT / "deploy/observability/dashboard.json"
ALERTS = ROOT / "deploy/observability/alerts.yaml"
SKIPPED = 77


def dashboard_expressions():
    """Yields (where, expression) of every panel, with its variables filled in."""
    dashboard = json.loads(DASHBOARD.read_text("utf-8"))
    asked = [(panel["title"], target["expr"])
             for panel in dashboard["panels"] for target in panel.get("targets", [])]
    asked += [(note["name"], note["expr"].replace(" > 0", ""))
              for note in dashboard["annotations"]["list"]]
    for title, expression in asked:
        yield title, expression.replace("$__rate_interval", "10s").replace("$instance", ".*")


def alert_operands():
    """Yields (alert, expression) of what each alert compares: a comparison that is not so is empty."""
    rules = re.findall(r"- alert: (\w+)\n\s+expr: (?:>-\n)?((?:.|\n)*?)\n\s+(?:for|labels):",
                       ALERTS.read_text("utf-8"))
    for alert, expression in rules:
        for operand in re.split(r"\s(?:and|>|==)\s", " ".join(expression.split())):
            if not re.fullmatch(r"[\d. *]+", operand):
                yield alert, re.sub(r"^[\d.]+ \* ", "", operand)


class Dashboard(unittest.TestCase):
    """A referee with a ladder of two bots, and a Prometheus."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.address = f"unix:{cls.folder}/socket"
        metrics, cls.port = free_port(), free_port()
        cls.start("refereed", "--listen", cls.address, "--data-dir", cls.folder / "data",
                  "--durability", "match", "--metrics", str(metrics))
        (cls.folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s, scrape_timeout: 1s}\n"
            f"rule_files: ['{ALERTS}']\n"
            "scrape_configs:\n  - job_name: referee\n"
            f"    static_configs: [{{targets: ['127.0.0.1:{metrics}']}}]\n", "utf-8")
        cls.start(shutil.which("prometheus"), f"--config.file={cls.folder}/prometheus.yml",
                  f"--storage.tsdb.path={cls.folder}/series",
                  f"--web.listen-address=127.0.0.1:{cls.port}")
        cls.play()

    @classmethod
    def start(cls, program, *arguments, token=""):
        """Starts a program, of BIN if it has no path, that is ended with the test."""
        path = program if os.path.isabs(program) else cls.programs / program
        with open(cls.folder / "log", "ab") as log:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                [str(path), *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env={**os.environ, "REFEREE_ADDRESS": cls.address,
                                 "REFEREE_TOKEN": token})

        def end():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.wait()
        cls.addClassCleanup(end)

    @classmethod
    def refctl(cls, *arguments, token=""):
        done = subprocess.run(
            [str(cls.programs / "refctl"), *map(str, arguments)], check=False, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "REFEREE_ADDRESS": cls.address, "REFEREE_TOKEN": token})
        if done.returncode != 0:
            raise AssertionError(f"refctl {' '.join(map(str, arguments))}: {done.stdout}")
        return done.stdout.strip()

    @classmethod
    def play(cls):
        olga = cls.refctl("bot", "add", "olga", "--role", "organiser",
                          "--data-dir", cls.folder / "data")
        for name in ("alice", "bob"):
            token = cls.refctl("bot", "add", name, token=olga)
            cls.start("bots/random", token=token)
        cls.refctl("competition", "create", "ladder", "--format", "ladder", "--game", "isaac",
                   "--pace", "0", "--bots", "alice,bob", "--start", token=olga)

    def ask(self, expression):
        """Returns the series that Prometheus answers with."""
        query = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?{query}",
                                        timeout=10) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            self.fail(f"{expression}: {error.read().decode()}")
        except OSError:
            return []  # it is starting

    def test_every_expression_is_answered(self):
        eventually("turns are counted", lambda: any(
            float(series["value"][1]) > 0
            for series in self.ask("sum(rate(referee_turns_total[10s]))")))
        asked = [*dashboard_expressions(), *alert_operands()]
        self.assertGreater(len(asked), 40)
        for where, expression in asked:
            with self.subTest(where, expression=expression):
                eventually(f"{where}: {expression}", lambda e=expression: self.ask(e))

    def test_every_alert_is_a_rule_that_prometheus_evaluates(self):
        def rules():
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/rules",
                                            timeout=10) as answer:
                    groups = json.load(answer)["data"]["groups"]
            except OSError:
                return []
            return [rule for group in groups for rule in group["rules"]]
        loaded = eventually("rules are loaded", rules)
        self.assertEqual(len(loaded), ALERTS.read_text("utf-8").count("- alert:"))
        for rule in loaded:
            self.assertNotEqual(rule["health"], "err", rule.get("lastError"))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if not shutil.which("prometheus"):
        print("skipped: prometheus is not installed")
        sys.exit(SKIPPED)
    Dashboard.programs = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
