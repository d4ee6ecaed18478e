"""What a fleet stands on in a soak test: disks, a root with its packages, certificates, processes.

Wants root, and mount and process namespaces of its own: with them all of it goes.
"""

import os
import pathlib
import signal
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3"  # Debian's, which has gRPC
MEBIBYTE = 1 << 20


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
