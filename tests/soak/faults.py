"""What befalls the fleet in a soak test, one fault after the other."""

import contextlib
import dataclasses
import ipaddress
import random
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable

from fleet import GAMES, Fleet, Referee
from programs import run
from waiting import eventually

FULL = 45.0  # seconds for which a disk stays full
HANGS = 8.0  # seconds for which a disk hangs
FLOOD = 30.0  # seconds
FLOODERS = ipaddress.ip_network("127.66.0.0/28")  # where strangers come from


def kill_referee(fleet, victim):
    """kill -9, and a start at once: whoever is first goes on with what ran there."""
    victim.process.end(signal.SIGKILL)
    victim.start()


def kill_until_takeover(fleet, victim):
    """kill -9, and no start before the other one has taken over."""
    victim.process.end(signal.SIGKILL)
    eventually("the other referee takes over",
               lambda: all(fleet.home(game) not in (victim, None) for game in GAMES))
    victim.start()


def stop_referee(fleet, victim):
    if victim.process.end(signal.SIGTERM) != 0:
        raise RuntimeError(f"{victim.name} ended with {victim.process.ended}")
    victim.start()


def kill_gate(fleet, _victim):
    fleet.gate.end(signal.SIGKILL)
    heard = fleet.watcher.events
    fleet.start_gate()
    eventually("the watcher hears of the ladder again", lambda: fleet.watcher.events > heard)


def restart_database(fleet, _victim):
    fleet.database.restart()


def crash_database(fleet, _victim):
    fleet.database.crash()


def last(seconds, begin, end):
    begin()
    try:
        time.sleep(seconds)
    finally:
        end()


def fill_disk(_fleet, victim):
    last(FULL, victim.disk.fill, victim.disk.make_room)


def hang_disk(_fleet, victim):
    last(HANGS, victim.disk.hang, victim.disk.go_on)


def served_serial(fleet, referee):
    """The serial number of the certificate that a referee shows."""
    host, port = referee.address.rsplit(":", 1)
    context = ssl.create_default_context(cafile=fleet.authority.certificate)
    with socket.create_connection((host, int(port)), timeout=10) as link:
        with context.wrap_socket(link, server_hostname=host) as secure:
            pem = ssl.DER_cert_to_PEM_cert(secure.getpeercert(binary_form=True))
    return run("bash", "-c", f"echo '{pem}' | openssl x509 -noout -serial").strip()


def renew_certificate(fleet, _victim):
    serial = fleet.authority.issue(fleet.root.path / "etc/referee")
    for referee in fleet.referees:
        referee.process.send(signal.SIGHUP)
    for referee in fleet.referees:
        eventually(f"{referee.name} shows its new certificate",
                   lambda one=referee: served_serial(fleet, one) == serial)


def upgrade(fleet, _victim):
    """The packages are installed over themselves; then one referee after the other is started anew."""
    fleet.root.install()
    for referee in fleet.referees:
        stop_referee(fleet, referee)


def flood(fleet, victim):
    """Strangers without a token open connections, ask for what costs most, and send rubbish."""
    host, port = victim.address.rsplit(":", 1)
    end = time.monotonic() + FLOOD

    def connect(address):
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                with socket.create_connection((host, int(port)), timeout=5,
                                              source_address=(address, 0)) as link:
                    link.sendall(random.randbytes(512))
                    link.recv(64)

    def call():
        while time.monotonic() < end:
            with contextlib.suppress(RuntimeError):
                run(fleet.programs / "refctl", "competition", "standings", random.choice(GAMES),
                    env={**fleet.environment(victim), "REFEREE_TOKEN": ""}, timeout=30)

    threads = [threading.Thread(target=connect, args=(str(address),)) for address in FLOODERS]
    threads += [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of fault: `happen` takes the fleet and the referee that it befalls."""

    happen: Callable[[Fleet, Referee], None]
    planned: bool = False  # no attempt at a block that had begun may come to nothing by it
    ends: bool = False  # a referee ends, so that its memory begins anew


KINDS = {
    "kill a referee": Kind(kill_referee, ends=True),
    "kill and takeover": Kind(kill_until_takeover, ends=True),
    "stop a referee": Kind(stop_referee, planned=True, ends=True),
    "upgrade": Kind(upgrade, planned=True, ends=True),
    "kill the gate": Kind(kill_gate, planned=True),
    "database restart": Kind(restart_database),
    "database crash": Kind(crash_database),
    "full disk": Kind(fill_disk, planned=True),
    "disk hangs": Kind(hang_disk),
    "certificate": Kind(renew_certificate, planned=True),
    "flood": Kind(flood, planned=True),
}
