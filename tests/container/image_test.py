#!/usr/bin/env python3
"""Claims about the container image: tests/container/image_test.py BIN, the folder of the programs.

The image is made twice, unpacked, and run as a container would: as its user, without privileges, its root
read-only, nothing of this machine's in it but /proc, three devices and a folder for its data. That takes root
and a mount namespace; where they cannot be had, the rest is claimed.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
# pylint: disable=wrong-import-position
from waiting import PATIENCE, eventually, free_port

USER = 65532
MOST_BYTES = 80 * 1000 * 1000  # unpacked

# What a container's runtime does: ROOT DATA COMMAND...
CONTAINER = """
set -eu
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root/var/lib/referee"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
mkdir -m 1777 "$root/dev/shm"
for device in null random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mount --bind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec=65532:65532 "$root" "$@"
"""


def ready(port):
    """Returns the status with which /readyz answers; 0: it does not."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def build(programs, file, environment=None, **options):
    """Makes an image; returns its digest."""
    done = subprocess.run([ROOT / "deploy/container/build", programs, "--output", file], check=False,
                          text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, **options,
                          env={**os.environ, "SOURCE_DATE_EPOCH": "86400", **(environment or {})})
    if done.returncode != 0:
        raise AssertionError(f"deploy/container/build: {done.stderr}")
    return done.stdout.strip()


class Image:
    """An image in a file, read."""

    def __init__(self, file):
        with tarfile.open(file) as archive:
            self.layout = {entry.name: archive.extractfile(entry).read() for entry in archive}
        self.named = json.loads(self.layout["index.json"])["manifests"]
        self.manifest = json.loads(self.blob(self.named[0]["digest"]))
        self.configuration = json.loads(self.blob(self.manifest["config"]["digest"]))
        self.tar = gzip.decompress(self.blob(self.manifest["layers"][0]["digest"]))
        self.layer = tarfile.open(  # pylint: disable=consider-using-with
            fileobj=io.BytesIO(self.tar), mode="r:")
        self.entries = {entry.name: entry for entry in self.layer}

    def blob(self, digest):
        return self.layout["blobs/" + digest.replace(":", "/")]

    def text(self, path):
        return self.layer.extractfile(path).read().decode("utf-8")


class InImage(unittest.TestCase):
    """Claims about one image, which is made once."""
    programs = None
    folder = None  # that the image's user may enter
    digest = ""
    image = None

    @classmethod
    def setUpClass(cls):
        if InImage.image is None:
            InImage.folder = pathlib.Path(
                unittest.enterModuleContext(tempfile.TemporaryDirectory()))
            InImage.folder.chmod(0o755)
            InImage.digest = build(cls.programs, cls.folder / "image.tar")
            InImage.image = Image(cls.folder / "image.tar")


class Contents(InImage):

    def test_the_same_programs_give_the_same_bytes(self):
        again = build(self.programs, self.folder / "again.tar",
                      {"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"},
                      cwd="/", umask=0o077)
        self.assertEqual(again, self.digest)
        self.assertEqual((self.folder / "again.tar").read_bytes(),
                         (self.folder / "image.tar").read_bytes())

    def test_is_dated_as_it_is_told(self):
        self.assertEqual(self.image.manifest["annotations"]["org.opencontainers.image.created"],
                         "1970-01-02T00:00:00Z")
        self.assertEqual({entry.mtime for entry in self.image.entries.values()}, {86400})

    def test_is_dated_by_the_last_commit_unless_it_is_told(self):
        asked = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], check=False, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if asked.returncode != 0:
            self.skipTest("this is no clone")
        build(self.programs, self.folder / "dated.tar", {"SOURCE_DATE_EPOCH": ""})
        self.assertEqual({entry.mtime for entry in Image(self.folder / "dated.tar").entries.values()},
                         {int(asked.stdout)})

    def test_a_date_that_is_none_is_refused(self):
        with self.assertRaisesRegex(AssertionError, "SOURCE_DATE_EPOCH: 'today' is not a number"):
            build(self.programs, self.folder / "undated.tar", {"SOURCE_DATE_EPOCH": "today"})

    def test_programs_that_are_not_built_are_named(self):
        with self.assertRaisesRegex(AssertionError, "not built: .*refereed"):
            build(self.folder, self.folder / "none.tar")
        self.assertFalse((self.folder / "none.tar").exists())

    def test_the_layout_names_what_is_in_it(self):
        image = self.image
        self.assertEqual(json.loads(image.layout["oci-layout"]), {"imageLayoutVersion": "1.0.0"})
        self.assertEqual([named["digest"] for named in image.named], [self.digest])
        for described in (*image.named, image.manifest["config"], *image.manifest["layers"]):
            blob = image.blob(described["digest"])
            self.assertEqual(described["digest"], "sha256:" + hashlib.sha256(blob).hexdigest())
            self.assertEqual(described["size"], len(blob))
        self.assertEqual(image.configuration["rootfs"]["diff_ids"],
                         ["sha256:" + hashlib.sha256(image.tar).hexdigest()])
        (for_docker,) = json.loads(image.layout["manifest.json"])
        self.assertEqual(for_docker["Config"],
                         "blobs/" + image.manifest["config"]["digest"].replace(":", "/"))
        self.assertEqual(for_docker["Layers"],
                         ["blobs/" + image.manifest["layers"][0]["digest"].replace(":", "/")])

    def test_says_how_it_is_run(self):
        config = self.image.configuration["config"]
        self.assertEqual(config["User"], f"{USER}:{USER}")
        self.assertEqual(config["Entrypoint"], ["/usr/bin/refereed"])
        self.assertEqual(set(config["ExposedPorts"]), {"7450/tcp", "9464/tcp"})
        self.assertEqual(set(config["Volumes"]), {"/var/lib/referee"})
        version = subprocess.run([self.programs / "refereed", "--version"], check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        self.assertIn(config["Labels"]["org.opencontainers.image.version"], version)
        self.assertEqual(config["Labels"], self.image.manifest["annotations"])

    def test_has_programs_and_libraries_and_nothing_that_runs_others(self):
        files = {name for name, entry in self.image.entries.items() if entry.isreg()}
        programs = {f"usr/bin/{name}" for name in ("refereed", "refctl", "refgate")}
        self.assertLessEqual(programs, files)
        for name in files - programs:
            self.assertRegex(name, r"^(etc/(passwd|group|nsswitch\.conf|ssl/certs/ca-certificates\.crt)"
                                   r"|usr/share/doc/[\w.+-]+/(copyright|sbom\.json)"
                                   r"|usr/lib/[\w-]+/lib[\w.+-]+\.so[\d.]*"
                                   r"|usr/lib(64|/[\w-]+)/ld-linux[\w-]*\.so[\d.]*)$")

    def test_has_the_licence_of_each_package_that_is_in_it(self):
        self.assertIn("Apache License", self.image.text("usr/share/doc/referee/copyright"))
        packages = [part["name"] for part in
                    json.loads(self.image.text("usr/share/doc/referee/sbom.json"))["components"]
                    if part["purl"].startswith("pkg:deb/")]
        self.assertGreater(len(packages), 10)
        for package in packages:
            self.assertIn(f"usr/share/doc/{package}/copyright", self.image.entries)

    def test_trusts_the_authorities_that_debian_trusts(self):
        trusted = self.image.text("etc/ssl/certs/ca-certificates.crt")
        self.assertEqual(trusted.count("BEGIN CERTIFICATE"),
                         len(list(pathlib.Path("/usr/share/ca-certificates/mozilla").iterdir())))

    def test_nobody_but_root_owns_what_is_in_it_and_nothing_gives_privileges(self):
        for name, entry in self.image.entries.items():
            data = name == "var/lib/referee"
            self.assertEqual((entry.uid, entry.gid), (USER, USER) if data else (0, 0), name)
            self.assertEqual(entry.mode & 0o6000, 0, name)
            if not entry.issym() and name != "tmp":
                self.assertEqual(entry.mode & 0o022, 0, name)

    def test_is_small(self):
        size = sum(entry.size for entry in self.image.entries.values())
        print(f"the image: {size / 1e6:.1f} MB, compressed "
              f"{self.image.manifest['layers'][0]['size'] / 1e6:.1f} MB", file=sys.stderr)
        self.assertLess(size, MOST_BYTES)


class Container(InImage):
    """The image, run."""

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            raise unittest.SkipTest("takes root: a container is made as its runtime would")
        if not shutil.which("setpriv") or subprocess.run(
                ["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0:
            raise unittest.SkipTest("may not make a mount namespace")
        super().setUpClass()
        cls.root, cls.data = cls.folder / "root", cls.folder / "data"
        cls.root.mkdir()
        cls.image.layer.extractall(cls.root, numeric_owner=True)
        cls.data.mkdir(mode=0o750)
        os.chown(cls.data, USER, USER)
        cls.address = f"unix:{cls.data}/socket"

    def command(self, *command):
        return ["unshare", "--mount", "--propagation", "private", "bash", "-c", CONTAINER, "container",
                str(self.root), str(self.data), *map(str, command)]

    def inside(self, *command, token=""):
        done = subprocess.run(
            self.command(*command), check=False, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={"REFEREE_ADDRESS": "unix:/var/lib/referee/socket", "REFEREE_TOKEN": token,
                 "PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}")
        return done.stdout.strip()

    def start(self, *command, **environment):
        with open(self.folder / "log", "ab") as log:
            process = subprocess.Popen(  # pylint: disable=consider-using-with
                list(map(str, command)), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"PATH": os.environ["PATH"], **environment})

        def end():
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGKILL)
            process.wait()
        self.addCleanup(end)
        return process

    def test_a_match_is_played_in_it(self):
        port = free_port()
        referee = self.start(*self.command("/usr/bin/refereed", *self.arguments(port)))
        eventually("it is ready", lambda: ready(port) == 200 or self.assertIsNone(
            referee.poll(), (self.folder / "log").read_text("utf-8")))
        refctl = "/usr/bin/refctl"
        olga = self.inside(refctl, "bot", "add", "olga", "--role", "organiser", "--data-dir",
                           "/var/lib/referee")
        for name in ("alice", "bob"):
            token = self.inside(refctl, "bot", "add", name, token=olga)
            self.start(self.programs / "bots/random", REFEREE_ADDRESS=self.address, REFEREE_TOKEN=token)
        match = self.inside(refctl, "match", "create", "--game", "isaac", "--bot", "alice", "--bot",
                            "bob", "--time", "30s", token=olga)
        eventually("the match ends", lambda: "FINISHED" in self.inside(
            refctl, "match", "show", match, "--json").upper())
        self.assertIn("OK", self.inside(refctl, "replay", "verify", match, "--key",
                                        "/var/lib/referee/key.ring"))
        referee.send_signal(signal.SIGTERM)
        self.assertEqual(referee.wait(PATIENCE), 0)
        self.assertEqual({path.stat().st_uid for path in self.data.rglob("*")}, {USER})

    def arguments(self, port):
        """As the image's own, but for where it is reached."""
        own = self.image.configuration["config"]["Cmd"]
        return [*(word for word in own if not word.startswith("--metrics")), f"--metrics={port}",
                "--listen=unix:/var/lib/referee/socket"]

    def test_its_root_cannot_be_written(self):
        done = subprocess.run(self.command("/usr/bin/refereed", "--data-dir=/data"), check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, "(?i)read-only")

    def test_has_no_shell(self):
        for shell in ("/bin/sh", "/bin/bash", "/usr/bin/env"):
            done = subprocess.run(self.command(shell, "-c", "true"), check=False,
                                  stderr=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 127, shell)

    def test_all_its_programs_find_their_libraries(self):
        for name in ("refereed", "refctl", "refgate"):
            self.assertRegex(self.inside(f"/usr/bin/{name}", "--version"), r"\d+\.\d+")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    InImage.programs = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
