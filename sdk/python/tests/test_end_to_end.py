"""The real programs: refctl duel, refereed with a ladder, TLS. Needs REFEREE_BIN (conftest.py)."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any, Iterator

import pytest

import referee

PACKAGE = pathlib.Path(referee.__file__).resolve().parents[1]
RANDOM = """
    import referee

    class Mine(referee.Bot):
        def choose_turn(self, turn: referee.Turn) -> "referee.Move | str":
            return turn.rng.choice(turn.moves)

    if __name__ == "__main__":
        referee.run(Mine())
"""
LIMIT = 120.0  # seconds, of a wait: the machine may be busy


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE_")}
    return {**kept, "PYTHONPATH": str(PACKAGE), **more}


def write_bot(folder: pathlib.Path, text: str = RANDOM) -> str:
    path = folder / "bot.py"
    path.write_text(textwrap.dedent(text))
    return f"{sys.executable} {path}"


def duel(bin_dir: pathlib.Path, *arguments: str, status: int = 0) -> Any:
    ended = subprocess.run([bin_dir / "refctl", "duel", "--json", "--quiet", "--time", "20s",
                            *arguments],
                           env=environment(), capture_output=True, text=True, timeout=LIMIT)
    assert ended.returncode == status, ended.stdout + ended.stderr
    return json.loads(ended.stdout)


def results(report: Any) -> list[Any]:
    return [[(seat["score"], seat["rank"], seat["moves"]) for seat in match["seats"]]
            for match in report["matches"]]


# --- Duels ---


@pytest.mark.parametrize("game", ["hypnosia", "isaac"])
@pytest.mark.parametrize("flags", ["", "--workers 2"])
def test_draws_the_same_chance_as_the_random_bot_in_cpp(
        bin_dir: pathlib.Path, tmp_path: Any, game: str, flags: str) -> None:
    terms = ["--game", game, "--matches", "4", "--seed", "11", "--fail-on-forfeit"]
    theirs = f"{bin_dir}/bots/random"
    ours = f"{write_bot(tmp_path)} {flags}"
    in_cpp = duel(bin_dir, *terms, "--bot", f"a={theirs}", "--bot", f"b={theirs}")
    in_python = duel(bin_dir, *terms, "--bot", f"a={ours}", "--bot", f"b={theirs}")
    assert results(in_python) == results(in_cpp)


@pytest.mark.parametrize("game", ["hypnosia", "isaac"])
def test_the_sample_bot_is_much_better_than_chance(
        bin_dir: pathlib.Path, top: pathlib.Path, game: str) -> None:
    wary = f"{sys.executable} {top}/sample-bots/wary/wary.py"
    report = duel(bin_dir, "--game", game, "--matches", "20", "--seed", "1", "--fail-on-forfeit",
                  "--bot", wary, "--bot", f"{bin_dir}/bots/random")
    assert report["bots"][0]["wins"] >= 17


def test_the_doctor_finds_nothing_wrong(bin_dir: pathlib.Path, tmp_path: Any) -> None:
    wary = PACKAGE.parents[1] / "sample-bots" / "wary" / "wary.py"
    mine = write_bot(tmp_path)
    for bot in [f"{sys.executable} {wary}", mine, f"{mine} --workers 2"]:
        ended = subprocess.run([bin_dir / "refctl", "doctor", "--bot", bot, "--json"],
                               env=environment(), capture_output=True, text=True, timeout=60)
        checks = json.loads(ended.stdout)["checks"]
        assert [check for check in checks if check["verdict"] == "fail"] == [], bot
        assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("answer, cause", [("''", "illegal"), ("'7h33'", "illegal"),
                                           ("[][0]", "resigned")])
def test_a_wrong_answer_costs_the_match_and_the_report_says_why(
        bin_dir: pathlib.Path, tmp_path: Any, answer: str, cause: str) -> None:
    bot = write_bot(tmp_path, RANDOM.replace("turn.rng.choice(turn.moves)", answer))
    report = duel(bin_dir, "--game", "hypnosia", "--matches", "2", "--fail-on-forfeit", "--bot",
                  f"mine={bot}", "--bot", f"{bin_dir}/bots/random", status=4)
    assert report["bots"][0]["forfeits"][cause] == 2


@pytest.mark.parametrize("readme", ["README.md", "sdk/python/README.md"])
def test_the_bots_of_the_readmes_play(
        bin_dir: pathlib.Path, top: pathlib.Path, tmp_path: Any, readme: str) -> None:
    text = (top / readme).read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    whole = [block for block in blocks if "referee.run(" in block]
    assert whole, "the README shows no bot"
    for number, block in enumerate(whole):
        folder = tmp_path / str(number)
        folder.mkdir()
        duel(bin_dir, "--game", "hypnosia", "--matches", "2", "--fail-on-forfeit", "--bot",
             f"mine={write_bot(folder, block)}", "--bot", f"{bin_dir}/bots/random")


# --- Help ---


def flags_of(text: str) -> dict[str, str]:
    """The flags of a --help, each with its description, without types and spacing."""
    found = {}
    for part in re.split(r"\n  (?=-)", text.split("Options:", 1)[1])[1:]:
        flag, described = re.split(r"\s{2,}", part, maxsplit=1)
        found[re.split(r"[\s,]", flag.replace("-h,", ""))[0]] = " ".join(described.split())
    return found


def test_has_the_flags_of_the_cpp_sdk(bin_dir: pathlib.Path, tmp_path: Any) -> None:
    def help_of(command: str) -> dict[str, str]:
        ended = subprocess.run(f"{command} --help", shell=True, env=environment(), check=True,
                               capture_output=True, text=True)
        return flags_of(ended.stdout)

    ours = help_of(write_bot(tmp_path))
    theirs = help_of(f"{bin_dir}/bots/random")
    # The default of --parallel-turns depends on the kind of bot.
    assert ours.pop("--workers") and ours.pop("--parallel-turns") and theirs.pop("--parallel-turns")
    assert ours == theirs


# --- A daemon ---


class Daemon:
    """A refereed with data of its own, and what talks to it."""

    def __init__(self, bin_dir: pathlib.Path, folder: pathlib.Path, *flags: str) -> None:
        self.bin_dir = bin_dir
        self.data = folder / "data"
        self.address = f"unix:{folder}/socket"
        self._command = [str(bin_dir / "refereed"), "--data-dir", str(self.data), *flags]
        self._log = folder / "refereed.log"
        self._process: Any = None
        self.start()

    def start(self) -> None:
        listen = [] if "--listen" in self._command else ["--listen", self.address]
        # From here on, so that what an earlier one said does not count.
        said = self._log.stat().st_size if self._log.exists() else 0
        with open(self._log, "a", encoding="utf-8") as log:
            self._process = subprocess.Popen(self._command + listen, stderr=log)
        ready = re.compile(r"ready: listening on (\S+)")
        wait_for(lambda: ready.search(self._log.read_text("utf-8")[said:]), self._log)
        if not listen:
            found = ready.search(self._log.read_text("utf-8")[said:])
            assert found is not None
            self.address = found[1].rstrip(",;")

    def end(self, number: int) -> None:
        self._process.send_signal(number)
        self._process.wait(LIMIT)

    def refctl(self, *arguments: str, **more: str) -> str:
        ended = subprocess.run([self.bin_dir / "refctl", *arguments], text=True,
                               env=environment(REFEREE_ADDRESS=self.address, **more),
                               capture_output=True, timeout=LIMIT)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout


@pytest.fixture
def start_daemon(bin_dir: pathlib.Path, tmp_path: Any) -> Iterator[Any]:
    """Starts a daemon with these flags, which does not outlive the test."""
    started: list[Daemon] = []

    def start(*flags: str) -> Daemon:
        started.append(Daemon(bin_dir, tmp_path, *flags))
        return started[-1]

    yield start
    for daemon in started:
        daemon.end(signal.SIGKILL)


def wait_for(condition: Any, what: Any) -> Any:
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain; {what}")


@contextlib.contextmanager
def playing(command: str, log: pathlib.Path, **more: str) -> Iterator[Any]:
    with open(log, "a", encoding="utf-8") as file:
        process = subprocess.Popen(f"exec {command}", shell=True, stderr=file,
                                   env=environment(**more))
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_a_ladder_goes_on_when_bots_and_referee_are_killed(
        start_daemon: Any, bin_dir: pathlib.Path, tmp_path: Any) -> None:
    daemon = start_daemon()
    olga = daemon.refctl("bot", "add", "olga", "--role", "organiser", "--data-dir",
                         str(daemon.data)).split()[0]
    tokens = {name: daemon.refctl("bot", "add", name, REFEREE_TOKEN=olga).split()[0]
              for name in ("ann", "bob")}
    daemon.refctl("competition", "create", "spring", "--format", "ladder", "--game", "hypnosia",
                  "--bots", "ann,bob", "--pace", "0", "--time", "20s", "--start", REFEREE_TOKEN=olga)

    def counted() -> int:
        shown = json.loads(daemon.refctl("competition", "show", "spring", "--json",
                                         REFEREE_TOKEN=olga))
        found = re.search(r'"blocks_counted": ?"?(\d+)', json.dumps(shown))
        return int(found[1]) if found else 0

    def wait_for_more(blocks: int) -> None:
        goal = counted() + blocks
        wait_for(lambda: counted() >= goal, (tmp_path / "ann.log").read_text("utf-8")[-2000:])

    ours = f"{write_bot(tmp_path)} --address {daemon.address}"
    theirs = f"{bin_dir}/bots/random --address {daemon.address} --max-matches 4"
    with playing(theirs, tmp_path / "bob.log", REFEREE_TOKEN=tokens["bob"]):
        with playing(ours, tmp_path / "ann.log", REFEREE_TOKEN=tokens["ann"]) as ann:
            wait_for_more(2)
            ann.kill()
        with playing(f"{ours} --workers 2", tmp_path / "ann.log",
                     REFEREE_TOKEN=tokens["ann"]) as ann:
            wait_for_more(2)
            daemon.end(signal.SIGKILL)
            daemon.start()
            wait_for_more(2)
            ann.send_signal(signal.SIGTERM)
            assert ann.wait(LIMIT) == 0
    log = (tmp_path / "ann.log").read_text("utf-8")
    assert "lost the referee" in log
    assert "DICE DO NOT FIT" not in log
    daemon.end(signal.SIGTERM)
    assert "OK" in daemon.refctl("archive", "audit", "--data-dir", str(daemon.data))


def test_a_second_process_takes_over_and_the_first_says_so(
        start_daemon: Any, tmp_path: Any) -> None:
    daemon = start_daemon()
    token = daemon.refctl("bot", "add", "ann", "--data-dir", str(daemon.data)).split()[0]
    log = tmp_path / "log"
    bot = f"{write_bot(tmp_path)} --address {daemon.address} --token {token}"
    with playing(bot, log) as first:
        wait_for(lambda: "connected to refereed" in log.read_text("utf-8"), log)
        with playing(bot, tmp_path / "other"):
            assert first.wait(LIMIT) == 2
    assert "another process has connected with this bot's token" in log.read_text("utf-8")
    with playing(f"{bot} --token nonsense", log) as stranger:
        assert stranger.wait(LIMIT) == 2
    assert "does not know this bot's token" in log.read_text("utf-8")


# --- TLS ---


def make_certificates(folder: pathlib.Path) -> None:
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    script = f"""
        openssl req -x509 {key} -days 2 -subj /CN=ca -keyout ca-key.pem -out ca.pem
        echo subjectAltName=IP:127.0.0.1 > extensions
        for name in referee bot; do
          openssl req {key} -subj /CN=$name -keyout $name-key.pem -out request.pem
          openssl x509 -req -days 2 -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial \
            -extfile extensions -out $name.pem
        done"""
    subprocess.run(["sh", "-ec", script], cwd=folder, check=True, capture_output=True)


def test_plays_over_tls_with_a_certificate_of_its_own(start_daemon: Any, tmp_path: Any) -> None:
    make_certificates(tmp_path)
    pem = {name: f"{tmp_path}/{name}.pem" for name in ("ca", "referee", "bot")}
    daemon = start_daemon("--listen", "127.0.0.1:0", "--tls-cert", pem["referee"], "--tls-key",
                          f"{tmp_path}/referee-key.pem", "--tls-client-ca", pem["ca"])
    token = daemon.refctl("bot", "add", "ann", "--data-dir", str(daemon.data)).split()[0]
    bot = f"{write_bot(tmp_path)} --address {daemon.address} --token {token}"
    own = f"--tls-cert {pem['bot']} --tls-key {tmp_path}/bot-key.pem"
    log = tmp_path / "log"
    for flags, advice in (("", "if it wants TLS, give --tls or --tls-ca"),
                          ("--tls", "name the file with that in --tls-ca"),
                          (f"--tls-ca {pem['ca']}", "if it asks for a certificate"),
                          (f"--tls-ca {pem['ca']} {own}", "connected to refereed")):
        log.write_text("")
        with playing(f"{bot} {flags}", log):
            wait_for(lambda: advice in log.read_text("utf-8"), f"{flags}: {advice}")
