"""What a fleet stands on in a soak test: disks, a root with its packages, certificates.

Wants root, and mount and process namespaces of its own: with them all of it goes.
"""

import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/support"))
# pylint: disable=wrong-import-position
from programs import run

PYTHON = "/usr/bin/python3"  # Debian's, which has gRPC
MEBIBYTE = 1 << 20


class Disk:
    """A file system of its own in a file, mounted at a folder: it can be full, and it can hang."""

    def __init__(self, image, folder, size):
        self.folder = folder
        with open(image, "wb") as file:
            file.truncate(size)
        run("mkfs.ext4", "-q", "-m", "0", image)
        folder.mkdir(parents=True, exist_ok=True)
        run("mount", "-o", "loop", image, folder)

    def fill(self):
        """Takes all the room there is, but for what nobody can take in steps of a mebibyte."""
        file = os.open(self.folder / "ballast", os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            at, step = 0, 256 * MEBIBYTE
            while step >= MEBIBYTE:
                try:
                    os.posix_fallocate(file, at, step)
                    at += step
                except OSError:
                    step //= 2
        finally:
            os.close(file)

    def make_room(self):
        (self.folder / "ballast").unlink(missing_ok=True)

    def hang(self):
        """From now on whoever writes to it waits, until it goes on."""
        run("fsfreeze", "--freeze", self.folder)

    def go_on(self):
        run("fsfreeze", "--unfreeze", self.folder)


class Root:
    """A root in which the packages for Debian are installed, beside this machine's own."""

    def __init__(self, work, build):
        folder = work / "installed"
        folder.mkdir()
        run("mount", "-t", "tmpfs", "tmpfs", folder)
        run("bash", "-c", f"source {SOURCE}/tests/package/root.sh && make_root {folder}")
        self.path = folder / "root"
        packages = self.path / "packages"
        packages.mkdir()
        run("cpack", "--config", build / "CPackConfig.cmake", "-B", packages, cwd=work)
        self.install()

    def install(self):
        """Installs the packages, also over themselves."""
        self.run("bash", "-c", "dpkg --install /packages/referee_*.deb /packages/referee-tools_*.deb")

    def run(self, *command):
        return run("chroot", self.path, *command)

    def entry(self):
        """What a command begins with that runs there, as the service does."""
        return ["chroot", self.path, "setpriv", "--reuid=referee", "--regid=referee",
                "--clear-groups"]


class Authority:
    """Signs certificates of a server at this machine's loopback addresses."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = folder / "ca.pem"
        self._openssl("req", "-x509", *self._new_key("ca.key"), "-days", "2", "-subj", "/CN=soak",
                      "-out", "ca.pem")

    def _openssl(self, *arguments):
        return run("openssl", *arguments, cwd=self.folder)

    @staticmethod
    def _new_key(path):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                path]

    def issue(self, folder):
        """Puts cert.pem and key.pem into a folder, in place of those that are there; returns the
        serial number."""
        self._openssl("req", *self._new_key("new.key"), "-subj", "/CN=referee", "-out", "new.csr")
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1,IP:127.0.0.2\n", "utf-8")
        self._openssl("x509", "-req", "-in", "new.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "new.pem")
        for made, name in (("new.key", "key.pem"), ("new.pem", "cert.pem")):
            target = folder / name
            fresh = folder / f"{name}.new"
            fresh.write_bytes((self.folder / made).read_bytes())
            fresh.chmod(0o644)  # of a test
            fresh.replace(target)
        return self._openssl("x509", "-in", "new.pem", "-noout", "-serial").strip()
