#!/usr/bin/env python3
"""Claims about deploy/compose.yaml: tests/manifests/compose_test.py BIN, the folder of the programs.

It is held against what the programs take, the proxy's file and Prometheus's; where there are haproxy and
promtool, they look at theirs. Nothing is started. Status 77: no python3-yaml here.
"""

import ipaddress
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
# pylint: disable=wrong-import-position
from told import ROOT, SPARE, VERSION, flags, port, seconds, unknown_flags

DEPLOY = ROOT / "deploy"
PROXY = (DEPLOY / "proxy/haproxy.cfg").read_text("utf-8")
PROMETHEUS = yaml.safe_load((DEPLOY / "observability/prometheus.yaml").read_text("utf-8"))


def mounts(service):
    """Returns what is mounted where: sources by target."""
    return {target: source for source, target in
            (mount.split(":")[:2] for mount in service.get("volumes", []))}


def address(service):
    return service["networks"]["inner"]["ipv4_address"]


class Compose(unittest.TestCase):
    programs = None

    @classmethod
    def setUpClass(cls):
        cls.document = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
        cls.services = cls.document["services"]
        cls.referee, cls.proxy, cls.gate, cls.prometheus = (
            cls.services[name] for name in ("referee", "proxy", "gate", "prometheus"))
        cls.flags = flags(cls.referee["command"])

    def test_every_flag_is_one_of_its_program(self):
        self.assertEqual(unknown_flags(self.programs / "refereed", self.referee["command"]), [])
        self.assertEqual(self.gate["entrypoint"], ["/usr/bin/refgate"])
        self.assertEqual(unknown_flags(self.programs / "refgate", self.gate["command"]), [])
        kind, program, *command, flag = self.referee["healthcheck"]["test"]
        self.assertEqual((kind, program), ("CMD", "/usr/bin/refctl"))
        self.assertEqual(unknown_flags(self.programs / "refctl", [flag], *command), [])

    def test_all_find_the_referee(self):
        listens = port(self.flags["listen"])
        self.assertEqual(flags(self.gate["command"])["referee"], f"referee:{listens}")
        self.assertEqual(self.proxy["environment"]["REFEREE_BACKEND"], f"{address(self.referee)}:{listens}")
        self.assertIn("${REFEREE_BACKEND-127.0.0.1:", PROXY)
        self.assertEqual(port(self.referee["healthcheck"]["test"][-1]), listens)
        (job,) = PROMETHEUS["scrape_configs"]
        self.assertEqual(job["static_configs"], [{"targets": [f"referee:{port(self.flags['metrics'])}"]}])
        alerts = (DEPLOY / "observability/alerts.yaml").read_text("utf-8")
        self.assertIn(f'job="{job["job_name"]}"', alerts)

    def test_only_the_proxy_speaks_for_others_and_only_the_services_reach_the_referee(self):
        inner = self.document["networks"]["inner"]
        self.assertTrue(inner["internal"])
        network = ipaddress.ip_network(inner["ipam"]["config"][0]["subnet"])
        self.assertEqual(self.flags["trusted-proxy"], address(self.proxy))
        for service in (self.referee, self.proxy):
            self.assertIn(ipaddress.ip_address(address(service)), network)
        self.assertEqual(set(self.referee["networks"]), {"inner"})
        self.assertNotIn("ports", self.referee)
        for service in (self.gate, self.prometheus):
            for published in service["ports"]:
                self.assertTrue(published.startswith("127.0.0.1:"), published)

    def test_published_ports_are_those_that_are_listened_at(self):
        bound = re.search(r"bind :(\d+) ssl crt (\S+)", PROXY)
        self.assertEqual(self.proxy["ports"], [f"{bound.group(1)}:{bound.group(1)}"])
        self.assertEqual(self.proxy["secrets"], [{"source": "certificate", "target": bound.group(2)}])
        self.assertIn("certificate", self.document["secrets"])
        gate = port(flags(self.gate["command"])["listen"])
        self.assertEqual(port(self.gate["ports"][0]), gate)

    def test_what_is_mounted_is_there(self):
        self.assertEqual(mounts(self.referee),
                         {self.flags["data-dir"]: "data", "/dev/shm": "/dev/shm"})
        for service in self.services.values():
            for source in mounts(service).values():
                if source.startswith("."):
                    self.assertTrue((DEPLOY / source).is_file(), source)
                elif not source.startswith("/"):
                    self.assertIn(source, self.document["volumes"])
            for name in service["networks"]:
                self.assertIn(name, self.document["networks"])
        # Where its configuration looks for them.
        folder = "/etc/prometheus/"
        self.assertLessEqual({folder + name for name in PROMETHEUS["rule_files"]},
                             set(mounts(self.prometheus)))

    def test_a_drain_has_its_time(self):
        self.assertGreaterEqual(seconds(self.referee["stop_grace_period"]),
                                seconds(self.flags["drain-timeout"]) + SPARE)

    def test_nothing_has_privileges_and_nothing_bounds_the_processor(self):
        for name, service in self.services.items():
            self.assertTrue(service["read_only"], name)
            self.assertEqual(service["cap_drop"], ["ALL"], name)
            self.assertEqual(service["security_opt"], ["no-new-privileges:true"], name)
            self.assertFalse({"privileged", "cap_add", "user", "pid"} & set(service), name)
        self.assertFalse([key for key in self.referee if key.startswith("cpu") or key == "deploy"])

    def test_the_image_is_this_version_and_no_image_is_of_a_named_registry(self):
        for service in (self.referee, self.gate):
            self.assertEqual(service["image"], f"referee:{VERSION}")
        for service in self.services.values():
            self.assertNotIn(".", service["image"].partition("/")[0] if "/" in service["image"] else "")

    def test_haproxy_takes_its_file(self):
        if not shutil.which("haproxy") or not shutil.which("openssl"):
            self.skipTest("haproxy and openssl are not installed")
        with tempfile.TemporaryDirectory() as folder:
            certificate = pathlib.Path(folder) / "referee.pem"
            key = subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=referee",
                 "-keyout", "-"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            certificate.write_bytes(key)
            told = pathlib.Path(folder) / "haproxy.cfg"
            told.write_text(re.sub(r"crt \S+", f"crt {certificate}", PROXY), "utf-8")
            fleet = {"REFEREE_BACKEND": "10.0.0.1:7450", "REFEREE_BACKEND_2": "10.0.0.2:7450",
                     "REFEREE_BACKEND_3": "10.0.0.3:7450", "REFEREE_SOURCE": "127.0.0.2"}
            for environment in ({}, self.proxy["environment"], fleet):
                done = subprocess.run(["haproxy", "-c", "-f", told], check=False, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      env={**os.environ, **environment})
                self.assertEqual(done.returncode, 0, done.stdout)

    def test_prometheus_takes_its_file(self):
        if not shutil.which("promtool"):
            self.skipTest("promtool is not installed")
        done = subprocess.run(["promtool", "check", "config", DEPLOY / "observability/prometheus.yaml"],
                              check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Compose.programs = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
