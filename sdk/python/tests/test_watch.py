"""A bot whose time is up has its stack in the log: where it is, not only that it is late."""

import asyncio
import subprocess
import sys
import threading
import time
from typing import Any

import pytest
from fake_referee import LIMIT, Chooses, FakeReferee, First, begin, start_item, turn_item

import referee
from referee import watch
from referee.match import Match

may_go = threading.Event()


@pytest.fixture(autouse=True)
def held() -> None:
    may_go.clear()


def reports(caplog: Any) -> list[str]:
    return [text for text in caplog.messages if "the time is up" in text]


def await_report(caplog: Any, count: int = 1) -> list[str]:
    until = time.monotonic() + LIMIT
    while len(reports(caplog)) < count and time.monotonic() < until:
        may_go.wait(0.01)
    return reports(caplog)


def loops() -> None:
    while not may_go.is_set():
        pass


def test_an_endless_loop_is_in_the_log_with_its_stack(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    class Loops(First):
        def choose_turn(self, turn: referee.Turn) -> Any:
            loops()
            return turn.moves[0]

    play(Loops(), "m")
    fake.say(turn_item("m", turn=3, limit=0.05))
    report, = await_report(caplog)
    assert report.startswith("match m: turn 3: the time is up, and choose_turn has not returned in ")
    assert "in choose_turn\n    loops()\n" in report and "in loops\n" in report
    assert "player.py" not in report and "dispatcher.py" not in report
    may_go.set()
    fake.hear("move")


def test_so_is_a_start_that_takes_longer_than_a_bot_has_to_get_ready(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    class Loads(First):
        def on_match_start(self, match: referee.Match) -> None:
            loops()

    play(Loads())
    start = start_item("m")
    start.match_start.ready_limit.FromMilliseconds(50)
    fake.say(start)
    report, = await_report(caplog)
    assert "on_match_start has not returned" in report and "in loops\n" in report
    may_go.set()
    fake.hear("ready")


def test_a_match_has_one_report_and_a_bot_in_time_none(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    def choose(turn: referee.Turn) -> Any:
        if turn.limit < 1:
            until = time.monotonic() + LIMIT
            while turn.time_left > 0 or (turn.match.id == "m" and not reports(caplog)):
                assert time.monotonic() < until
            time.sleep(0.02)
        return turn.moves[0]

    play(Chooses(choose), "m", "n")
    for number in range(1, 4):
        fake.say(turn_item("m", turn=number, limit=0.05))
        fake.hear("move")
    fake.say(turn_item("n"))
    fake.hear("move")
    assert len(reports(caplog)) == 1


def test_a_coroutine_that_blocks_its_event_loop_is_in_the_log(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    class Blocks(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> Any:
            loops()
            return turn.moves[0]

    play(Blocks(), "m", "n")
    fake.say(turn_item("m", limit=0.05))
    report, = await_report(caplog)
    assert "in choose_turn\n    loops()\n" in report and "in loops\n" in report
    assert "asyncio" not in report and "player.py" not in report
    may_go.set()
    fake.hear("move")


def test_a_coroutine_that_waits_is_in_the_log_where_it_waits(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    class Waits(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> Any:
            await self.answer()
            return turn.moves[0]

        async def answer(self) -> None:
            while not may_go.is_set():
                await asyncio.sleep(0.01)

    play(Waits(), "m")
    fake.say(turn_item("m", limit=0.05))
    report, = await_report(caplog)
    assert "in choose_turn\n    await self.answer()\n  File" in report and "in answer\n" in report
    assert "player.py" not in report
    may_go.set()
    fake.hear("move")


def test_a_worker_process_says_where_it_is(fake: FakeReferee) -> None:
    program = """
import referee

class Endless(referee.Bot):
    def choose_turn(self, turn):
        while True:
            pass

referee.run(Endless, workers=1)
"""
    command = [sys.executable, "-c", program, "--address", fake.address, "--token", "t"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        # A line that does not come is not waited for without end.
        timer = threading.Timer(LIMIT, process.kill)
        timer.start()
        try:
            fake.greet()
            begin(fake, "m")
            fake.say(turn_item("m", limit=0.05))
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            report = next((line for line in lines if "the time is up" in line), "")
            assert "warning match m: turn 1: the time is up, and choose_turn has not" in report
            assert "in choose_turn" in next(lines, "")
        finally:
            timer.cancel()
            process.kill()


def test_calls_that_return_in_time_do_not_wake_the_watch() -> None:
    looks: list[float] = []

    class Counting(watch.Watch):
        def _report(self, call: Any) -> None:
            looks.append(call.deadline)

    one = Counting()
    match = Match(start_item("m").match_start)
    first = time.monotonic() + 60
    with one.during("choose_turn", "turn 1", match, first):
        until = time.monotonic() + LIMIT
        while one._until != first and time.monotonic() < until:
            may_go.wait(0.01)
    for _ in range(1000):
        with one.during("choose_turn", "turn 2", match, time.monotonic() + 60):
            pass
    # The thread would have set it anew.
    assert not looks and one._until == first
    one.close()
