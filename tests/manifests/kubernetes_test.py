#!/usr/bin/env python3
"""Claims about deploy/kubernetes: tests/manifests/kubernetes_test.py BIN, the folder of the programs.

The overlays are resolved here, and where there is a kubectl, by that as well: both must agree. Needs no
cluster, and none is asked. Status 77: no python3-yaml here.
"""

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
import kustomization
from told import ROOT, SPARE, VERSION, flags, port, seconds, unknown_flags

OVERLAYS = ROOT / "deploy/kubernetes/overlays"
FLEET = "fleet"
NAMES = ("single", FLEET)


def of_kind(documents, kind):
    return [document for document in documents if document["kind"] == kind]


class Overlay:
    """An overlay, resolved."""

    def __init__(self, name):
        self.name = name
        self.documents = kustomization.resolve(OVERLAYS / name)
        (self.workload,) = of_kind(self.documents, "StatefulSet")
        self.pod = self.workload["spec"]["template"]
        (self.container,) = self.pod["spec"]["containers"]
        self.flags = flags(self.container["args"])
        self.ports = {each["name"]: each["containerPort"] for each in self.container["ports"]}


class Kubernetes(unittest.TestCase):
    maxDiff = None
    programs = None

    @classmethod
    def setUpClass(cls):
        cls.overlays = [Overlay(name) for name in NAMES]
        (cls.migration,) = kustomization.documents(OVERLAYS / FLEET / "migrate.yaml")

    def test_kubectl_resolves_the_overlays_to_the_same(self):
        if not shutil.which("kubectl"):
            self.skipTest("kubectl is not installed")
        def by_name(documents):
            return {(document["kind"], document["metadata"]["name"]): document for document in documents}
        for overlay in self.overlays:
            text = subprocess.run(["kubectl", "kustomize", OVERLAYS / overlay.name], check=True, text=True,
                                  stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
            self.assertEqual(by_name(yaml.safe_load_all(text)), by_name(overlay.documents))

    def test_every_flag_is_one_of_refereed(self):
        for overlay in self.overlays:
            self.assertEqual(unknown_flags(self.programs / "refereed", overlay.container["args"]), [])

    def test_refereed_takes_their_values(self):
        """It goes as far as the certificate, which is not there."""
        values = {"REFEREE_STORE": "postgresql://referee@db/games", "POD_NAME": "referee-0",
                  "POD_NAMESPACE": "games"}
        with tempfile.TemporaryDirectory() as folder:
            for overlay in self.overlays:
                arguments = [re.sub(r"\$\((\w+)\)", lambda name: values[name.group(1)], word)
                             for word in overlay.container["args"]]
                arguments = [re.sub(r"=/(var|etc)/", f"={folder}/", word) for word in arguments]
                done = subprocess.run([self.programs / "refereed", *arguments], check=False, text=True,
                                      stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, rf"cannot read {folder}/referee/tls/tls.crt")

    def test_the_job_asks_what_refctl_does(self):
        (container,) = self.migration["spec"]["template"]["spec"]["containers"]
        *command, flag = container["args"]
        self.assertEqual(command, ["store", "migrate"])
        self.assertEqual(unknown_flags(self.programs / "refctl", [flag], *command), [])

    def test_ports_agree(self):
        for overlay in self.overlays:
            self.assertEqual(overlay.ports, {"grpc": port(overlay.flags["listen"]),
                                             "metrics": port(overlay.flags["metrics"])})
            for service in of_kind(overlay.documents, "Service"):
                for each in service["spec"]["ports"]:
                    self.assertEqual(each["targetPort"], each["name"])
                    self.assertEqual(each["port"], overlay.ports[each["name"]])
            for probe in ("livenessProbe", "readinessProbe"):
                self.assertEqual(overlay.container[probe]["httpGet"]["port"], "metrics")
            build = (ROOT / "deploy/container/build").read_text("utf-8")
            for number in overlay.ports.values():
                self.assertIn(f'"{number}/tcp"', build)

    def test_probes_ask_what_the_referee_answers(self):
        for overlay in self.overlays:
            self.assertEqual(overlay.container["livenessProbe"]["httpGet"]["path"], "/livez")
            self.assertEqual(overlay.container["readinessProbe"]["httpGet"]["path"], "/readyz")

    def test_services_and_budget_find_the_pods(self):
        for overlay in self.overlays:
            labels = overlay.pod["metadata"]["labels"].items()
            selectors = [service["spec"]["selector"] for service in of_kind(overlay.documents, "Service")]
            selectors += [budget["spec"]["selector"]["matchLabels"]
                          for budget in of_kind(overlay.documents, "PodDisruptionBudget")]
            selectors.append(overlay.workload["spec"]["selector"]["matchLabels"])
            self.assertEqual(len(selectors), 4)
            for selector in selectors:
                self.assertTrue(selector)
                self.assertLessEqual(selector.items(), labels)

    def test_bots_have_one_service_which_leads_to_any_referee_that_is_ready(self):
        for overlay in self.overlays:
            for_bots = [service for service in of_kind(overlay.documents, "Service")
                        if service["spec"].get("clusterIP") != "None"]
            self.assertEqual([service["metadata"]["name"] for service in for_bots], ["referee"])
            self.assertEqual([each["name"] for each in for_bots[0]["spec"]["ports"]], ["grpc"])
            self.assertFalse({"publishNotReadyAddresses", "sessionAffinity"} & set(for_bots[0]["spec"]))

    def test_each_referee_has_a_name_that_lasts_while_it_is_not_ready(self):
        for overlay in self.overlays:
            headless = [service for service in of_kind(overlay.documents, "Service")
                        if service["spec"].get("clusterIP") == "None"]
            self.assertEqual([service["metadata"]["name"] for service in headless],
                             [overlay.workload["spec"]["serviceName"]])
            self.assertTrue(headless[0]["spec"]["publishNotReadyAddresses"])

    def test_what_is_mounted_is_there(self):
        for overlay in self.overlays:
            claims = {claim["metadata"]["name"] for claim in of_kind(overlay.documents, "PersistentVolumeClaim")}
            volumes = {volume["name"]: volume for volume in overlay.pod["spec"]["volumes"]}
            own = {claim["metadata"]["name"] for claim in overlay.workload["spec"]["volumeClaimTemplates"]}
            mounts = {mount["name"]: mount["mountPath"] for mount in overlay.container["volumeMounts"]}
            self.assertEqual(set(mounts), set(volumes) | own)
            for volume in volumes.values():
                if "persistentVolumeClaim" in volume:
                    self.assertIn(volume["persistentVolumeClaim"]["claimName"], claims)
            self.assertEqual(overlay.flags["data-dir"], mounts["data"])
            for flag in {"tls-cert", "tls-key", "peer-tls-ca"} & set(overlay.flags):
                self.assertEqual(overlay.flags[flag].rpartition("/")[0], mounts["tls"])

    def test_a_drain_has_its_time(self):
        for overlay in self.overlays:
            self.assertGreaterEqual(overlay.pod["spec"]["terminationGracePeriodSeconds"],
                                    seconds(overlay.flags["drain-timeout"]) + SPARE)

    def test_the_processor_has_no_limit_and_memory_has(self):
        for overlay in self.overlays:
            self.assertNotIn("cpu", overlay.container["resources"]["limits"])
            self.assertIn("cpu", overlay.container["resources"]["requests"])
            self.assertIn("memory", overlay.container["resources"]["limits"])

    def test_nothing_has_privileges(self):
        pods = [overlay.pod["spec"] for overlay in self.overlays]
        pods.append(self.migration["spec"]["template"]["spec"])
        user = re.search(r"^USER = (\d+)", (ROOT / "deploy/container/build").read_text("utf-8"), re.MULTILINE)
        for pod in pods:
            self.assertFalse(pod["automountServiceAccountToken"])
            self.assertTrue(pod["securityContext"]["runAsNonRoot"])
            self.assertEqual(pod["securityContext"]["runAsUser"], int(user.group(1)))
            self.assertEqual(pod["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"})
            for container in pod["containers"]:
                self.assertEqual(container["securityContext"],
                                 {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]},
                                  "readOnlyRootFilesystem": True})

    def test_the_image_is_this_version(self):
        containers = [overlay.container for overlay in self.overlays]
        containers += self.migration["spec"]["template"]["spec"]["containers"]
        for container in containers:
            self.assertEqual(container["image"], f"referee:{VERSION}")

    def test_variables_that_are_named_are_there(self):
        containers = [overlay.container for overlay in self.overlays]
        containers += self.migration["spec"]["template"]["spec"]["containers"]
        for container in containers:
            named = set(re.findall(r"\$\((\w+)\)", " ".join(container["args"])))
            self.assertLessEqual(named, {variable["name"] for variable in container.get("env", [])})

    def test_a_single_referee_keeps_its_store_itself(self):
        single = self.overlays[0]
        self.assertEqual(single.workload["spec"]["replicas"], 1)
        self.assertFalse({"store", "advertise", "peer-tls-ca", "shelf"} & set(single.flags))

    def test_a_fleet_shares_store_and_shelf_and_each_says_where_it_is(self):
        fleet = self.overlays[1]
        self.assertGreater(fleet.workload["spec"]["replicas"], 1)
        mounts = {mount["mountPath"] for mount in fleet.container["volumeMounts"]}
        self.assertIn(fleet.flags["shelf"], mounts)
        (claim,) = of_kind(fleet.documents, "PersistentVolumeClaim")
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteMany"])
        name, service, namespace, _ = fleet.flags["advertise"].rpartition(":")[0].split(".")
        self.assertEqual((name, service, namespace),
                         ("$(POD_NAME)", fleet.workload["spec"]["serviceName"], "$(POD_NAMESPACE)"))
        self.assertEqual(port(fleet.flags["advertise"]), fleet.ports["grpc"])
        self.assertEqual(fleet.flags["peer-tls-ca"], "/etc/referee/tls/ca.crt")
        secret = {variable["name"]: variable["valueFrom"].get("secretKeyRef")
                  for variable in fleet.container["env"]}
        self.assertEqual(fleet.flags["store"], "$(REFEREE_STORE)")
        self.assertEqual(secret["REFEREE_STORE"], {"name": "referee-store", "key": "url"})
        self.assertEqual(secret["PGPASSWORD"], {"name": "referee-store", "key": "password"})
        self.assertIsNone(secret["POD_NAME"])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Kubernetes.programs = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
