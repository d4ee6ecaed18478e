"""A bot has one stream, to any referee of its fleet: whom it trusts, and whom it dials when."""

import dataclasses
import json
import logging
import pathlib
import threading
from typing import Any, Iterator

import grpc
import pytest
from fake_referee import (
    FakeReferee, First, Running, addresses_of, begin, item, start_item, turn_item)

import referee
from referee.dispatcher import Dispatcher, Item
from referee.fleet import Fleet, next_in_circle, why_not_trusted
from referee.link import Limits
from referee.options import Options

TOP = pathlib.Path(__file__).resolve().parents[3]


def vectors(kind: str) -> list[Any]:
    lines = (TOP / "tests/golden/fleet.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["kind"] == kind]


# --- What is pure ---


def test_trusts_as_the_other_sdks_do() -> None:
    for line in vectors("trust"):
        options = Options(address=line["address"], fleet_domain=line["fleet_domain"],
                          tls=line["tls"], insecure=line["insecure"])
        assert (why_not_trusted(line["to"], options) is None) == line["trusted"], line


def test_makes_the_circle_that_the_other_sdks_make() -> None:
    for line in vectors("circle"):
        options = Options(address=line["address"], fleet_domain=line["fleet_domain"],
                          tls=line["tls"])
        own = dataclasses.replace(options, address=line["own"])
        circle = Fleet(options).circle(line["others"], own)
        assert [each.address for each in circle] == line["circle"], line


def test_dials_the_next_in_the_circle_as_the_other_sdks_do() -> None:
    for line in vectors("next"):
        circle = [Options(address=address) for address in line["circle"]]
        following = next_in_circle(circle, line["current"])
        assert (following.address if following else "") == line["next"], line


def test_a_fleet_domain_is_a_domain() -> None:
    with pytest.raises(referee.InvalidOptions, match="--fleet-domain"):
        referee.Client(First(), Options(address="h:1", token="t", fleet_domain="a b")).run()


def test_reads_the_fleet_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    given = Options(address="h:1", token="t")
    flags = ["bot", "--fleet-domain", "example.org"]
    assert referee.options.parse_command_line(flags, given).fleet_domain == "example.org"
    monkeypatch.setenv("REFEREE_FLEET_DOMAIN", "example.net")
    assert referee.options.settle(given).fleet_domain == "example.net"


# --- Streams ---


class Referees:
    """The referee at the address that the bot is given, and two others."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.all: list[FakeReferee] = []
        for name in ("given", "one", "two"):
            (folder / name).mkdir()
            self.all.append(FakeReferee(folder / name))
        self.given, self.one, self.two = self.all
        self.clients: list[Running] = []

    def connect(self, *others: Any, bot: Any = None, **options: Any) -> Running:
        """A bot that is welcomed at the given address, and knows these others."""
        self.clients.append(Running(self.given, bot or First(), **options))
        self.given.greet(*others)
        begin(self.given, "first")  # it has heard that
        return self.clients[-1]


@pytest.fixture
def fleet(tmp_path: Any) -> Iterator[Referees]:
    one = Referees(tmp_path)
    yield one
    for client in one.clients:
        client.stop()
    for fake in one.all:
        fake.stop()


def fleet_item(*others: Any) -> Any:
    return item("fleet", addresses=addresses_of(*others))


def lose(fake: FakeReferee) -> None:
    fake.end_stream(grpc.StatusCode.UNAVAILABLE, "gone")


def refuse(fake: FakeReferee, code: str) -> None:
    fake.hear("hello")
    fake.end_stream(grpc.StatusCode[code], "the reason")


def test_goes_on_with_its_matches_at_another_when_its_referee_is_gone(fleet: Referees) -> None:
    bot = First()
    fleet.connect(fleet.one, bot=bot)
    fleet.given.stop()
    fleet.one.greet()
    again = start_item("first")
    again.match_start.ClearField("ready_limit")
    fleet.one.say(again, turn_item("first"))
    assert fleet.one.hear("move").match_id == "first"
    assert bot.told[-1] == ("turn", "first", 1)
    assert not any(what == "end" for what, *_ in bot.told)


def test_has_one_stream_and_promises_all_on_it(fleet: Referees) -> None:
    fleet.clients.append(Running(fleet.given, First(), max_matches=8, parallel_turns=3))
    hello = fleet.given.greet(fleet.one, fleet.two)
    assert (hello.max_matches, hello.parallel_turns) == (8, 3)
    begin(fleet.given, "m")
    assert [fake.streams for fake in fleet.all] == [1, 0, 0]


def test_dials_the_same_referee_first_when_a_stream_is_lost(fleet: Referees) -> None:
    fleet.connect(fleet.one)
    lose(fleet.given)
    fleet.given.greet()
    assert fleet.one.streams == 0


def test_dials_the_next_after_each_dial_that_fails(fleet: Referees) -> None:
    fleet.connect(fleet.one, fleet.two)
    lose(fleet.given)
    for fake in (fleet.given, fleet.one, fleet.two, fleet.given):
        refuse(fake, "UNAVAILABLE")
    fleet.one.greet()


def test_dials_the_next_when_a_referee_does_not_answer(fleet: Referees) -> None:
    link = fleet.connect(fleet.one).client._link
    assert link is not None
    link._limits = Limits(dial=0.5)
    lose(fleet.given)
    fleet.given.hear("hello")
    fleet.one.greet()


@pytest.mark.parametrize("will_return", [False, True])
def test_leaves_a_referee_that_drains(fleet: Referees, will_return: bool) -> None:
    fleet.connect(fleet.one)
    fleet.given.say(item("draining", will_return=will_return))
    fleet.given.end_stream(grpc.StatusCode.UNAVAILABLE if will_return else None, "gone")
    fleet.one.greet()
    assert fleet.given.streams == 1


def test_comes_back_to_a_referee_that_ended_for_good_when_the_circle_does(fleet: Referees) -> None:
    fleet.connect(fleet.one)
    fleet.given.drain()
    refuse(fleet.one, "UNAVAILABLE")
    fleet.given.greet()


def test_goes_on_at_its_own_address_when_another_ends_for_good(fleet: Referees) -> None:
    fleet.connect(fleet.one)
    fleet.given.say(item("draining", will_return=True))
    fleet.given.end_stream()
    fleet.one.greet()  # and names nobody
    fleet.one.drain()
    fleet.given.greet()


def test_ends_with_its_only_referee(fleet: Referees) -> None:
    client = fleet.connect(fleet.one)
    fleet.given.say(fleet_item())
    fleet.given.drain()
    assert client.join() is None
    assert fleet.one.streams == 0


def test_a_welcome_takes_the_place_of_what_was_named_before(fleet: Referees) -> None:
    fleet.connect(fleet.one)
    lose(fleet.given)
    fleet.given.greet(fleet.two)
    fleet.given.say(item("draining", will_return=True))
    fleet.given.end_stream()
    fleet.two.greet()
    assert fleet.one.streams == 0


def test_a_fleet_takes_the_place_of_what_was_named_before(fleet: Referees) -> None:
    fleet.connect(fleet.one)
    fleet.given.say(fleet_item(fleet.two), item("draining", will_return=True))
    fleet.given.end_stream()
    fleet.two.greet()
    assert fleet.one.streams == 0


def test_waits_longer_with_each_round_of_the_circle(fleet: Referees) -> None:
    attempts: list[int] = []

    def note(attempt: int) -> float:
        attempts.append(attempt)
        return 0.0

    fleet.connect(fleet.one, backoff=note)
    lose(fleet.given)
    for fake in (fleet.given, fleet.one, fleet.given, fleet.one):
        refuse(fake, "UNAVAILABLE")
    fleet.given.greet(fleet.one)
    lose(fleet.given)
    fleet.given.greet()
    assert attempts == [0, 0, 1, 1, 2, 0]


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "INVALID_ARGUMENT", "UNIMPLEMENTED"])
def test_is_not_ended_by_a_refusal_of_another(fleet: Referees, code: str) -> None:
    fleet.connect(fleet.one, fleet.two)
    fleet.given.say(item("draining", will_return=True))
    fleet.given.end_stream()
    refuse(fleet.one, code)
    fleet.two.greet()


def test_is_ended_by_a_refusal_at_the_address_that_it_was_given(fleet: Referees) -> None:
    client = fleet.connect(fleet.one)
    lose(fleet.given)
    refuse(fleet.given, "UNAUTHENTICATED")
    assert isinstance(client.join(), referee.Unauthenticated)


def test_ends_when_another_process_takes_its_place_anywhere(fleet: Referees) -> None:
    client = fleet.connect(fleet.one)
    lose(fleet.given)
    refuse(fleet.given, "UNAVAILABLE")
    refuse(fleet.one, "ABORTED")
    assert isinstance(client.join(), referee.PlaceTaken)


def test_takes_a_stream_that_exists_for_its_own_once_it_was_welcomed_anywhere(
        fleet: Referees) -> None:
    fleet.connect(fleet.one, keep_existing=True)
    lose(fleet.given)
    refuse(fleet.given, "ALREADY_EXISTS")
    refuse(fleet.one, "ALREADY_EXISTS")
    fleet.given.greet()


def test_gives_up_in_time_whoever_else_there_is(fleet: Referees) -> None:
    client = fleet.connect(fleet.one, give_up_after=0.05)
    fleet.one.stop()
    fleet.given.stop()
    assert isinstance(client.join(), referee.Unreachable)


def test_says_once_whom_it_does_not_trust_and_who_else_there_is(
        fleet: Referees, caplog: Any) -> None:
    caplog.set_level(logging.INFO, "referee")
    fleet.connect("evil.example.net:443", "\n", fleet.given, fleet.one)
    fleet.given.say(fleet_item("\n", fleet.one, "evil.example.net:443"), fleet_item())
    begin(fleet.given, "m")
    warned = [text for text in caplog.messages if "does not trust" in text]
    assert len(warned) == 2
    assert "'evil.example.net:443': it is outside of" in warned[0]
    assert "--fleet-domain" in warned[0]
    assert [text for text in caplog.messages if "of the fleet" in text] == [
        f"other referees of the fleet: {fleet.one.address}", "other referees of the fleet: none"]


def test_coroutines_go_on_at_another(fleet: Referees) -> None:
    class Mine(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> Any:
            return turn.moves[0]

    fleet.connect(fleet.one, bot=Mine())
    fleet.given.stop()
    fleet.one.greet()
    fleet.one.say(start_item("first"), turn_item("first"))
    fleet.one.hear("ready")
    assert fleet.one.hear("move").match_id == "first"


def test_plays_on_a_match_that_was_given_up_and_goes_on_after_all() -> None:
    said: list[str] = []
    bot = First()
    dispatcher = Dispatcher([bot], lambda _, reply: said.append(reply.WhichOneof("kind")),
                            lambda _: None)
    worker = threading.Thread(target=dispatcher.work, args=(0,))

    def deliver(stream: int, item: Any) -> None:
        kind = item.WhichOneof("kind")
        dispatcher.deliver([Item(kind, getattr(item, kind), stream, 0.0)])

    # Both may come while the bot thinks about another match.
    deliver(1, start_item("m"))
    dispatcher.forget_all_but(2)
    again = start_item("m")
    again.match_start.ClearField("ready_limit")
    deliver(2, again)
    deliver(2, turn_item("m"))
    worker.start()
    assert bot.asked.wait(10)
    dispatcher.close()
    worker.join()
    assert said == ["ready", "move"]
