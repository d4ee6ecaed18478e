"""How a client keeps its link: it connects again, waits between attempts, and gives up."""

import contextlib
import ctypes
import socket
import threading
from typing import Any

import grpc
import pytest
from fake_referee import (
    LIMIT, FakeReferee, First, Running, begin, item, start_item, turn_item)

import referee
from referee.link import Limits


class Hanging:
    """The way to a referee's Unix socket; connections that it has when it hangs go dead."""

    def __init__(self, to: str, path: Any) -> None:
        self.address = f"unix:{path}"
        self._to = to.removeprefix("unix:")
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._ends: list[socket.socket] = []
        self._dead: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "Hanging":
        return self

    def __exit__(self, *_: Any) -> None:
        for one in (self._listener, *self._ends):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def hang(self) -> None:
        self._dead.update(self._ends)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._to)
                self._ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if source not in self._dead:
                    target.sendall(data)


def test_comes_back_and_repeats_its_answer_to_the_same_turn(fake: FakeReferee, play: Any) -> None:
    bot = First()
    play(bot, "m")
    fake.say(turn_item("m", turn=4))
    fake.hear("move")
    fake.end_stream(grpc.StatusCode.UNAVAILABLE, "gone")
    fake.greet()
    again = start_item("m")
    again.match_start.ClearField("ready_limit")
    again.match_start.resumed.turn = 4
    fake.say(again, turn_item("m", turn=4))
    assert fake.hear("move").turn == 4
    assert bot.told.count(("turn", "m", 4)) == 1


def test_comes_back_to_a_referee_that_was_killed(fake: FakeReferee, play: Any) -> None:
    play(First())
    fake.stop()
    fake.start()
    fake.greet()
    assert fake.streams == 2


def test_forgets_matches_that_are_not_told_again_in_time(
        fake: FakeReferee, play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.link.LIMITS", Limits(retelling=0.2))
    bot = First()
    play(bot, "old", "goes on")
    fake.end_stream()
    fake.hear("hello")
    fake.say(item("welcome", bot="alice", max_matches=8), start_item("goes on"))
    assert fake.hear("ready").match_id == "goes on"
    assert bot.ended.wait(LIMIT)
    assert [what for what in bot.told if what[0] == "end"] == [("end", "old", "UNSPECIFIED")]


def test_a_dial_that_is_not_answered_is_given_up(
        fake: FakeReferee, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setattr("referee.link.LIMITS", Limits(dial=0.05))
    client = Running(fake, First())
    fake.hear("hello")
    fake.hear("hello")
    client.stop()
    assert f"cannot reach a referee at {fake.address}: it does not answer" in caplog.text


def test_a_dial_that_follows_others_that_failed_may_take_longer() -> None:
    assert [Limits().of_dial(failed) for failed in (0, 1, 3, 4, 10_000)] == [3, 6, 24, 30, 30]


def test_a_bot_that_lets_no_other_thread_run_loses_no_dial(
        fake: FakeReferee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.link.LIMITS", Limits(dial=0.2))
    client = Running(fake, First())
    fake.hear("hello")
    ctypes.PyDLL(None).usleep(900_000)  # with Python's lock, as a library that computes
    fake.say(item("welcome", bot="alice", max_matches=8))
    begin(fake, "m")
    assert fake.streams == 1
    client.stop()


def test_notices_a_referee_that_hangs(
        fake: FakeReferee, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.link.LIMITS", Limits(silence=0.3, answer=0.3))
    with Hanging(fake.address, tmp_path / "hanging") as way:
        client = Running(fake, First(), address=way.address)
        fake.greet()
        begin(fake, "m")
        way.hang()
        fake.hear("hello")  # by another connection
        client.stop()


def test_comes_back_to_a_referee_that_drains_and_means_to_be_back(
        fake: FakeReferee, play: Any) -> None:
    play(First())
    fake.say(item("draining", will_return=True))
    fake.end_stream()
    fake.greet()


@pytest.mark.parametrize("code, error", [
    ("UNAUTHENTICATED", referee.Unauthenticated), ("PERMISSION_DENIED", referee.PermissionDenied),
    ("INVALID_ARGUMENT", referee.NotUnderstood), ("ABORTED", referee.PlaceTaken),
    ("ALREADY_EXISTS", referee.PlaceKept), ("UNIMPLEMENTED", referee.NotAReferee)])
def test_ends_when_there_is_no_point_in_going_on(fake: FakeReferee, code: str, error: Any) -> None:
    client = Running(fake, First())
    fake.hear("hello")
    fake.end_stream(grpc.StatusCode[code], "the reason")
    ended = client.join()
    assert type(ended) is error and "the reason" in str(ended)


def test_waits_for_the_end_of_its_own_lost_stream(fake: FakeReferee, play: Any) -> None:
    play(First(), keep_existing=True)
    fake.end_stream()
    fake.hear("hello")
    fake.end_stream(grpc.StatusCode.ALREADY_EXISTS, "keeps its place")
    fake.greet()


def test_waits_longer_with_each_failure_and_anew_after_a_welcome(fake: FakeReferee) -> None:
    attempts: list[int] = []

    def note(attempt: int) -> float:
        attempts.append(attempt)
        return 0.0

    client = Running(fake, First(), backoff=note)
    for _ in range(2):
        fake.hear("hello")
        fake.end_stream(grpc.StatusCode.UNAVAILABLE, "no")
    fake.greet()
    fake.end_stream()
    fake.greet()
    assert attempts == [0, 1, 0]
    client.stop()


def test_gives_up_in_time(fake: FakeReferee) -> None:
    fake.stop()
    client = Running(fake, First(), give_up_after=0.05)
    assert isinstance(client.join(), referee.Unreachable)


def test_no_proxy_of_the_environment_sees_the_token(monkeypatch: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as referee_socket, \
            socket.create_server(("127.0.0.1", 0)) as proxy:
        referee_socket.settimeout(LIMIT)
        proxy.setblocking(False)
        for name in ("http_proxy", "https_proxy", "grpc_proxy", "all_proxy"):
            for variable in (name, name.upper()):
                monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
            monkeypatch.delenv(name, raising=False)
        address = f"127.0.0.1:{referee_socket.getsockname()[1]}"
        client = referee.Client(First(), referee.Options(address=address, token="t"))
        thread = threading.Thread(target=client.run, daemon=True)
        thread.start()
        accepted, _ = referee_socket.accept()
        accepted.close()
        with pytest.raises(BlockingIOError):
            proxy.accept()
        client.stop()
        thread.join(LIMIT)
        assert not thread.is_alive()


def test_stops_while_it_waits_to_connect_again(fake: FakeReferee) -> None:
    waits = threading.Event()

    def note(attempt: int) -> float:
        waits.set()
        return 3600.0

    fake.stop()
    client = Running(fake, First(), backoff=note)
    assert waits.wait(LIMIT)
    assert client.stop() is None
