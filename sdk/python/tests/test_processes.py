"""Bots that think in processes of their own, and programs that end in the middle."""

import contextlib
import os
import signal
import subprocess
import sys
from typing import Any, Iterator

import pytest
from fake_referee import LIMIT, FakeReferee, Running, begin, turn_item

import referee
from referee.convert import encoded_move


class InProcess(referee.Bot):
    """Tells the process that it thinks in; some matches end it."""

    def choose_turn(self, turn: referee.Turn) -> str:
        if turn.match.id == "dies":
            os._exit(7)
        if turn.match.id == "bad":
            raise ValueError("in another process")
        return f"process {os.getpid()}"


def test_processes_have_matches_of_their_own(fake: FakeReferee) -> None:
    client = Running(fake, InProcess(), workers=2)
    assert fake.greet().parallel_turns == 2
    begin(fake, "m", "n")
    first = {}
    for turn in (1, 2):
        fake.say(turn_item("m", turn), turn_item("n", turn))
        for _ in range(2):
            move = fake.hear("move")
            notation = encoded_move(move.move).notation
            assert first.setdefault(move.match_id, notation) == notation
    assert first["m"] != first["n"]
    assert f"process {os.getpid()}" not in first.values()
    assert client.stop() is None


def test_an_exception_in_another_process_has_its_traceback(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    play(InProcess(), "bad", workers=1)
    fake.say(turn_item("bad"))
    assert fake.hear("resign").reason == "ValueError: in another process"
    assert "ValueError: in another process" in caplog.text and "workers.py" not in caplog.text


def test_a_process_that_ends_ends_the_bot(fake: FakeReferee, play: Any) -> None:
    client = play(InProcess(), "dies", workers=2)
    fake.say(turn_item("dies"))
    error = client.join()
    assert isinstance(error, referee.WorkerLost) and "with status 7" in str(error)


@contextlib.contextmanager
def started(command: list[str], **more: Any) -> Iterator[Any]:
    """A program that does not outlive the test."""
    with subprocess.Popen(command, **more) as process:
        try:
            yield process
        finally:
            process.kill()


def test_processes_do_not_outlive_a_program_that_ends_in_the_middle(fake: FakeReferee) -> None:
    program = f"""
import os, threading, referee

class Mine(referee.Bot):
    def choose_turn(self, turn):
        return turn.moves[0]

options = referee.Options(address={fake.address!r}, token="t", workers=2)
threading.Thread(target=referee.Client(Mine(), options).run, daemon=True).start()
os.read(0, 1)
"""
    with started([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        fake.greet()
        begin(fake, "m")
        assert process.communicate(b"\n", timeout=LIMIT) == (None, None)


@pytest.mark.parametrize("flags", [[], ["--workers", "2"]])
def test_a_second_signal_kills_a_bot_that_thinks_for_ever(
        fake: FakeReferee, flags: list[str]) -> None:
    program = """
import referee

class Endless(referee.Bot):
    def choose_turn(self, turn):
        print("thinks", flush=True)
        while True:
            pass

referee.run(Endless())
"""
    command = [sys.executable, "-c", program, "--address", fake.address, "--token", "t",
               "--log-level", "none", *flags]
    with started(command, stdout=subprocess.PIPE) as process:
        fake.greet()
        begin(fake, "m")
        fake.say(turn_item("m"))
        assert process.stdout.readline() == b"thinks\n"
        process.send_signal(signal.SIGTERM)
        assert fake.ended.wait(LIMIT), "the first signal has not ended the stream"
        assert process.poll() is None, "the first signal has ended a call of the bot's"
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) in (-signal.SIGTERM, 128 + signal.SIGTERM)
