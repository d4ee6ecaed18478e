"""How a bot follows a referee that refers it to others: whom, and with how many of its places."""

import dataclasses
import itertools
import json
import pathlib
import threading
import time
from typing import Any, Iterator, Sequence

import grpc
import pytest
from fake_referee import FakeReferee, First, Running, begin, end_item, start_item, turn_item

import referee
from referee import wire
from referee.dispatcher import Dispatcher, Item
from referee.options import Options
from referee.places import BLOCK, Share, divide, grant, served, weight
from referee.refer import Referral, next_in_circle, why_not_followed

TOP = pathlib.Path(__file__).resolve().parents[3]


def vectors(kind: str) -> list[Any]:
    lines = (TOP / "tests/golden/referral.jsonl").read_text("utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["kind"] == kind]


def shares(pairs: Any) -> list[Share]:
    return [Share(*pair) for pair in pairs]


# --- What is pure ---


def test_divides_as_the_other_sdks_do() -> None:
    for line in vectors("divide"):
        divided = divide(Share(*line["promised"]), line["homes"], line["here"])
        assert divided == shares(line["shares"]), line


def test_weighs_as_the_other_sdks_do() -> None:
    for line in vectors("weight"):
        assert weight(line["shift"], line["address"]) == line["weight"], line


def test_grants_as_the_other_sdks_do() -> None:
    for line in vectors("grant"):
        granted = grant(Share(*line["promised"]), shares(line["wanted"]), shares(line["held"]))
        assert granted == shares(line["granted"]), line


def test_follows_as_the_other_sdks_do() -> None:
    for line in vectors("follow"):
        options = Options(address=line["address"], refer_domain=line["refer_domain"],
                          tls=line["tls"], insecure=line["insecure"])
        assert (why_not_followed(line["to"], options) is None) == line["follows"], line


def test_makes_the_circle_that_the_other_sdks_make() -> None:
    for line in vectors("circle"):
        options = Options(address=line["address"], refer_domain=line["refer_domain"],
                          tls=line["tls"])
        own = dataclasses.replace(options, address=line["own"])
        refer = wire.RefereeItem().refer
        refer.others.extend(line["others"])
        circle = Referral(options).circle(refer, own)
        assert [place.address for place in circle] == line["circle"], line


def test_dials_the_next_in_the_circle_as_the_other_sdks_do() -> None:
    for line in vectors("next"):
        circle = [Options(address=address) for address in line["circle"]]
        following = next_in_circle(circle, line["current"], line["homes"])
        assert (following.address if following else "") == line["next"], line


def test_never_divides_more_than_was_promised_and_all_of_it() -> None:
    for places, homes, here in itertools.product(range(1, 40), range(9), (False, True)):
        for turns in {0, 1, min(2, places), places // 2, places}:
            divided = divide(Share(places, turns), homes, here)
            assert sum(share.places for share in divided) == places
            assert sum(share.turns for share in divided) == turns
            assert all(share.turns <= share.places for share in divided)
            first = served(Share(places, turns), homes + int(here or homes == 0))
            assert all(share.places >= min(BLOCK, places) for share in divided[:first])
            assert not any(share.places for share in divided[first:-1])


def test_never_grants_more_than_was_promised_with_what_is_held() -> None:
    sizes = [Share(places, turns) for places in range(4) for turns in range(places + 1)]
    for wanted in itertools.product(sizes, repeat=2):
        for held in itertools.product(sizes, repeat=2):
            granted = grant(Share(4, 3), wanted, held)
            for of in (0, 1):
                most = sum(max(new[of], old[of]) for new, old in zip(granted, held))
                assert most <= max((4, 3)[of], sum(old[of] for old in held))


# --- Streams ---


class Fleet:
    """A letter box and homes."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.all: list[FakeReferee] = []
        for name in ("box", "one", "two"):
            (folder / name).mkdir()
            self.all.append(FakeReferee(folder / name))
        self.box, self.one, self.two = self.all

    def refer(self, *homes: Any, here: bool = False) -> None:
        self.box.say(refer_item(*homes, here=here))


def refer_item(*homes: Any, here: bool = False, others: Sequence[FakeReferee] = (),
               patience: float = 0) -> Any:
    item = wire.RefereeItem()
    item.refer.here = here
    item.refer.others.extend(other.address for other in others)
    item.refer.patience.FromNanoseconds(round(patience * 1e9))
    for home in homes:
        address = home.address if isinstance(home, FakeReferee) else home
        item.refer.homes.add(address=address, competitions=["cup"])
    return item


def take_capacity(fake: FakeReferee) -> Any:
    """Hears what the bot takes, and answers; returns (places, turns)."""
    told = fake.hear("capacity")
    item = wire.RefereeItem()
    item.capacity.CopyFrom(told)
    fake.say(item)
    return told.max_matches, told.parallel_turns


def draining(will_return: bool) -> Any:
    item = wire.RefereeItem()
    item.draining.will_return = will_return
    return item


def resume(fake: FakeReferee, match_id: str) -> None:
    """Welcomes the bot on a new stream, tells of its match again, and hears a move."""
    welcome = wire.RefereeItem()
    welcome.welcome.max_matches = 8
    again = start_item(match_id)
    again.match_start.ClearField("ready_limit")
    fake.say(welcome, again, turn_item(match_id))
    fake.hear("move")


@pytest.fixture
def fleet(tmp_path: Any) -> Iterator[Fleet]:
    one = Fleet(tmp_path)
    yield one
    for fake in one.all:
        fake.stop()


def referred(fleet: Fleet, bot: Any = None, **options: Any) -> Running:
    """A bot with eight places that is referred to the first home."""
    client = Running(fleet.box, bot or First(), **{"max_matches": 8, "parallel_turns": 8, **options})
    fleet.box.greet()
    fleet.refer(fleet.one)
    assert take_capacity(fleet.box) == (1, 0)
    assert fleet.one.greet().max_matches == 7
    return client


def test_goes_to_the_home_that_welcome_names(fleet: Fleet) -> None:
    client = Running(fleet.box, First(), max_matches=8, parallel_turns=8)
    fleet.box.hear("hello")
    welcome = wire.RefereeItem()
    welcome.welcome.max_matches = 8
    welcome.welcome.refer.CopyFrom(refer_item(fleet.one).refer)
    fleet.box.say(welcome)
    assert take_capacity(fleet.box) == (1, 0)
    hello = fleet.one.greet()
    assert (hello.token, hello.max_matches, hello.takes_none) == ("t", 7, False)
    begin(fleet.one, "m")
    begin(fleet.box, "n")
    fleet.one.say(turn_item("m"))
    fleet.box.say(turn_item("n"))
    assert fleet.one.hear("move").match_id == "m"
    assert fleet.box.hear("move").match_id == "n"
    assert client.stop() is None


def test_says_nothing_to_a_referee_that_gives_less_than_was_asked(fleet: Fleet) -> None:
    client = Running(fleet.box, First(), max_matches=8, parallel_turns=8)
    fleet.box.hear("hello")
    welcome = wire.RefereeItem()
    welcome.welcome.max_matches = 2
    fleet.box.say(welcome)
    begin(fleet.box, "m")
    client.stop()


def test_a_home_gets_no_place_before_the_letter_box_has_given_it_up(fleet: Fleet) -> None:
    client = Running(fleet.box, First(), max_matches=8, parallel_turns=8)
    fleet.box.greet()
    begin(fleet.box, "a", "b", "c")
    fleet.refer(fleet.one)
    # It plays three, and was told one: of eight places five are free.
    assert take_capacity(fleet.box) == (1, 0)
    assert fleet.one.greet().max_matches == 5
    fleet.box.say(end_item("a"))
    assert take_capacity(fleet.one) == (6, 0)
    fleet.box.say(end_item("b"))
    assert take_capacity(fleet.one) == (7, 0)
    fleet.box.say(end_item("c"))  # the last place stays with the letter box
    begin(fleet.box, "d")
    assert fleet.one.hears_nothing()
    client.stop()


def test_a_home_gets_no_place_while_capacity_is_not_answered(fleet: Fleet) -> None:
    client = Running(fleet.box, First(), max_matches=4, parallel_turns=4)
    fleet.box.greet()
    fleet.refer(fleet.one)
    fleet.box.hear("capacity")
    begin(fleet.box, "late")  # what it is told now was said before the answer, which never comes
    assert fleet.one.streams == 0
    client.stop()


def test_a_bot_that_thinks_about_one_turn_has_one_referee_at_a_time(fleet: Fleet) -> None:
    client = Running(fleet.box, First())
    assert fleet.box.greet().parallel_turns == 1
    begin(fleet.box, "m")
    fleet.refer(fleet.one)
    assert take_capacity(fleet.box) == (0, 0)
    fleet.box.say(turn_item("m"))
    fleet.box.hear("move")
    assert fleet.one.streams == 0
    fleet.box.say(end_item("m"))
    hello = fleet.one.greet()
    assert (hello.max_matches, hello.parallel_turns) == (8, 1)
    fleet.box.end_stream()
    assert fleet.box.greet().takes_none
    client.stop()


def test_homes_that_have_too_little_at_a_time_have_it_one_after_the_other(fleet: Fleet) -> None:
    client = Running(fleet.box, First(), shift=0.05)
    fleet.box.greet()
    fleet.refer(fleet.one, fleet.two)
    assert take_capacity(fleet.box) == (0, 0)

    # Both are answered until each has had it twice.
    turns = {fleet.one: 0, fleet.two: 0}
    greeted: list[FakeReferee] = []
    deadline = time.monotonic() + 20
    while min(turns.values()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0)
        for home in turns:
            if home.hears_nothing():
                continue
            if home in greeted:
                turns[home] += take_capacity(home) == (8, 1)
            else:
                greeted.append(home)
                turns[home] += not home.greet().takes_none
    client.stop()


def test_finishes_the_matches_of_a_home_that_is_not_named_any_more(fleet: Fleet) -> None:
    bot = First()
    client = referred(fleet, bot)
    begin(fleet.one, "m")
    fleet.refer(fleet.two)
    assert take_capacity(fleet.one) == (0, 0)
    assert fleet.two.greet().max_matches == 6
    fleet.one.say(turn_item("m"))
    fleet.one.hear("move")
    fleet.one.say(end_item("m"))
    assert fleet.one.ended.wait(10)
    assert take_capacity(fleet.two) == (7, 0)
    assert bot.ended.wait(10)
    assert ("end", "m", "VOID") in bot.told
    assert fleet.one.streams == 1
    client.stop()


def test_offers_the_place_of_a_match_once_its_end_was_handed_over(fleet: Fleet) -> None:
    client = referred(fleet)
    begin(fleet.one, "m")
    fleet.refer(fleet.two)
    assert take_capacity(fleet.one) == (0, 0)
    assert fleet.two.greet().max_matches == 6
    one = client.client
    deliver = one._dispatcher.deliver
    offered: list[Any] = []

    def watched(items: Any) -> None:
        if any(item.kind == "match_end" for item in items):
            offered.extend((home.address, home.holding.held.places) for home in one._homes)
        deliver(items)

    one._dispatcher.deliver = watched
    fleet.one.say(end_item("m"))
    assert take_capacity(fleet.two) == (7, 0)
    assert (fleet.two.address, 6) in offered
    client.stop()


def test_goes_on_at_a_home_that_is_named_again_before_its_matches_are_over(fleet: Fleet) -> None:
    client = referred(fleet)
    begin(fleet.one, "m")
    fleet.refer()
    assert take_capacity(fleet.one) == (0, 0)
    assert take_capacity(fleet.box) == (7, 0)
    fleet.refer(fleet.one)
    assert take_capacity(fleet.one) == (1, 0)  # which it plays
    assert take_capacity(fleet.box) == (1, 0)
    assert take_capacity(fleet.one) == (7, 0)
    fleet.one.say(end_item("m"))
    begin(fleet.one, "n")
    assert fleet.one.streams == 1
    client.stop()


def test_comes_back_to_a_lost_home_that_it_leaves_to_finish_its_matches(fleet: Fleet) -> None:
    client = referred(fleet)
    begin(fleet.one, "m")
    fleet.refer()
    assert take_capacity(fleet.one) == (0, 0)
    fleet.one.end_stream()
    hello = fleet.one.greet()
    assert hello.takes_none
    again = start_item("m")
    again.match_start.ClearField("ready_limit")
    fleet.one.ended.clear()
    fleet.one.say(again, turn_item("m"))
    fleet.one.hear("move")
    fleet.one.say(end_item("m"))
    assert fleet.one.ended.wait(10)
    client.stop()


def test_gives_up_the_matches_of_a_lost_home_when_its_lease_has_ended(fleet: Fleet) -> None:
    others = [fleet.one, fleet.two]
    client = Running(fleet.box, First(), max_matches=1, parallel_turns=1,
                     backoff=lambda attempt: 3600.0 if attempt > 0 else 0.0)
    fleet.box.greet()
    fleet.box.say(refer_item(fleet.one, others=others, patience=0.05))
    assert take_capacity(fleet.box) == (0, 0)
    assert fleet.one.greet().max_matches == 1
    begin(fleet.one, "m")
    fleet.one.stop()
    fleet.box.say(refer_item(fleet.two, others=others, patience=0.05))
    assert fleet.two.greet().max_matches == 1  # the place that the match had
    client.stop()


def test_gives_up_soon_the_matches_that_a_home_does_not_tell_of_when_it_is_back(
        fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    client = referred(fleet)
    begin(fleet.one, "m", "n")
    fleet.refer()
    assert take_capacity(fleet.one) == (0, 0)
    assert take_capacity(fleet.box) == (6, 0)
    monkeypatch.setattr("referee.link._RETELLING", 0.1)
    fleet.one.end_stream()
    assert fleet.one.hear("hello").takes_none
    resume(fleet.one, "n")
    assert take_capacity(fleet.box) == (7, 0)  # the place that m had
    client.stop()


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
    dispatcher.forget(["m"])
    again = start_item("m")
    again.match_start.ClearField("ready_limit")
    deliver(2, again)
    deliver(2, turn_item("m"))
    worker.start()
    assert bot.asked.wait(10)
    dispatcher.close()
    worker.join()
    assert said == ["ready", "move"]


def test_comes_back_to_a_lost_home_in_its_lease(fleet: Fleet) -> None:
    client = referred(fleet)
    begin(fleet.one, "m")
    fleet.box.say(refer_item(fleet.two, others=[fleet.one, fleet.two], patience=3600))
    assert take_capacity(fleet.one) == (0, 0)
    assert fleet.two.greet().max_matches == 6
    for _ in range(5):
        fleet.one.end_stream(grpc.StatusCode.UNAVAILABLE, "not yet")
        assert fleet.one.hear("hello").takes_none
    resume(fleet.one, "m")
    client.stop()


def test_dials_a_lost_home_at_once_that_it_left_and_is_referred_to_again(fleet: Fleet) -> None:
    client = referred(fleet, backoff=lambda attempt: 3600.0 if attempt > 0 else 0.0)
    begin(fleet.one, "m")
    fleet.one.stop()
    fleet.refer()
    assert take_capacity(fleet.box) == (7, 0)
    fleet.one.start()
    fleet.refer(fleet.one)
    fleet.one.greet()
    client.stop()


def test_each_stream_comes_back_by_itself(fleet: Fleet) -> None:
    client = referred(fleet)
    begin(fleet.one, "m")
    fleet.box.stop()
    fleet.one.say(turn_item("m"))  # the letter box is lost, and the home lives
    fleet.one.hear("move")
    fleet.one.end_stream(grpc.StatusCode.UNAVAILABLE, "gone")
    assert fleet.one.greet().max_matches == 7
    fleet.box.start()
    assert fleet.box.greet().max_matches == 1
    client.stop()


def test_gives_up_only_when_no_home_is_connected(fleet: Fleet) -> None:
    tried: list[int] = []
    client = referred(fleet, give_up_after=0.0, backoff=lambda attempt: tried.append(attempt) or 0.01)
    begin(fleet.one, "first")
    fleet.box.stop()
    while len(tried) < 3:
        begin(fleet.one, f"m{len(tried)}")
    fleet.one.stop()
    assert isinstance(client.join(), referee.Unreachable)
    fleet.one.start()
    fleet.box.start()


def test_a_home_that_drains_for_good_is_left_alone(fleet: Fleet) -> None:
    client = referred(fleet)
    fleet.one.say(draining(False))
    assert take_capacity(fleet.one) == (0, 0)
    assert take_capacity(fleet.box) == (8, 0)
    fleet.one.end_stream()
    begin(fleet.box, "m")
    assert fleet.one.streams == 1
    client.stop()


def test_a_home_that_means_to_be_back_has_its_places_again_then(fleet: Fleet) -> None:
    client = referred(fleet)
    fleet.one.say(draining(True))
    assert take_capacity(fleet.one) == (0, 0)
    assert take_capacity(fleet.box) == (8, 0)
    fleet.one.end_stream(grpc.StatusCode.UNAVAILABLE, "stopping")
    assert take_capacity(fleet.box) == (1, 0)
    assert fleet.one.greet().max_matches == 7
    client.stop()


@pytest.mark.parametrize("code", ["UNAUTHENTICATED", "INVALID_ARGUMENT", "UNIMPLEMENTED"])
def test_a_home_that_refuses_the_bot_is_left_alone(fleet: Fleet, code: str, caplog: Any) -> None:
    client = Running(fleet.box, First(), max_matches=8, parallel_turns=8)
    fleet.box.greet()
    fleet.refer(fleet.one)
    take_capacity(fleet.box)
    fleet.one.hear("hello")
    fleet.one.end_stream(grpc.StatusCode[code], "the reason")
    assert take_capacity(fleet.box) == (8, 0)
    assert "left alone until the bot is referred there anew" in caplog.text
    fleet.refer(fleet.one)  # the same again is not anew
    begin(fleet.box, "m")
    assert fleet.one.streams == 1
    fleet.refer()
    fleet.refer(fleet.one)
    assert take_capacity(fleet.box) == (1, 0)
    fleet.one.greet()
    client.stop()


def test_ends_when_another_process_takes_its_place_at_a_home(fleet: Fleet) -> None:
    client = referred(fleet)
    fleet.one.end_stream(grpc.StatusCode.ABORTED, "another")
    assert isinstance(client.join(), referee.PlaceTaken)


def test_ends_when_the_letter_box_is_done_and_the_matches_of_homes_are(fleet: Fleet) -> None:
    bot = First()
    client = referred(fleet, bot)
    begin(fleet.one, "m")
    fleet.box.say(draining(False))
    fleet.box.end_stream()
    assert take_capacity(fleet.one) == (0, 0)
    fleet.one.say(turn_item("m"))
    fleet.one.hear("move")
    fleet.one.say(end_item("m"))
    assert client.join() is None
    assert ("end", "m", "VOID") in bot.told


def test_what_a_home_refers_to_is_not_followed(fleet: Fleet) -> None:
    client = referred(fleet)
    fleet.one.say(refer_item(fleet.two))
    begin(fleet.one, "m")
    assert fleet.two.streams == 0
    client.stop()


def test_says_once_what_it_does_not_follow_and_why(fleet: Fleet, caplog: Any) -> None:
    client = Running(fleet.box, First(), max_matches=8, parallel_turns=8)
    fleet.box.greet()
    for _ in range(2):
        fleet.refer("evil.example.net:443", "\n", fleet.box, fleet.one, fleet.one)
    assert take_capacity(fleet.box) == (1, 0)
    fleet.one.greet()
    begin(fleet.box, "m")
    said = [text for text in caplog.messages if "not followed" in text]
    assert len(said) == 2
    assert "'evil.example.net:443': it is outside of" in said[0] and "--refer-domain" in said[0]
    assert fleet.box.streams == 1
    client.stop()


def test_follows_to_eight_homes_at_most(fleet: Fleet, caplog: Any) -> None:
    client = Running(fleet.box, First(), max_matches=1024, parallel_turns=1024)
    fleet.box.greet()
    fleet.refer(fleet.one, *(f"unix:/nowhere/{number}" for number in range(7)), fleet.two)
    assert take_capacity(fleet.box) == (1, 0)
    assert fleet.one.greet().max_matches == 128
    assert "more than 8 homes" in caplog.text
    assert fleet.two.streams == 0
    client.stop()


def test_coroutines_play_at_all_homes(fleet: Fleet) -> None:
    class Mine(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> Any:
            return turn.moves[0]

    client = Running(fleet.box, Mine())
    assert fleet.box.greet().parallel_turns == 8
    fleet.refer(fleet.one)
    assert take_capacity(fleet.box) == (1, 1)
    hello = fleet.one.greet()
    assert (hello.max_matches, hello.parallel_turns) == (7, 7)
    begin(fleet.one, "m")
    fleet.one.say(turn_item("m"))
    fleet.one.hear("move")
    assert client.stop() is None


def test_a_refer_domain_is_a_domain() -> None:
    with pytest.raises(referee.InvalidOptions, match="--refer-domain"):
        referee.Client(First(), Options(address="h:1", token="t", refer_domain="a b")).run()


# --- When its referee is gone ---


def told(fleet: Fleet, *items: Any, **options: Any) -> Running:
    """A bot with eight places to which its referee has said this."""
    client = Running(fleet.box, First(), **{"max_matches": 8, "parallel_turns": 8, **options})
    fleet.box.greet()
    fleet.box.say(*items)
    begin(fleet.box, "first")  # it has heard that
    return client


def test_dials_another_when_its_referee_is_gone_and_is_referred_by_that_one(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one]))
    fleet.box.stop()
    assert fleet.one.greet().max_matches == 8
    begin(fleet.one, "n")
    fleet.one.say(refer_item(fleet.two))
    assert take_capacity(fleet.one) == (1, 0)
    assert fleet.two.greet().max_matches == 7
    client.stop()


def test_goes_round_until_one_is_there(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one, fleet.two]))
    fleet.one.stop()
    fleet.box.stop()
    fleet.two.greet()
    fleet.two.stop()
    fleet.box.start()
    fleet.box.greet()
    client.stop()


def test_dials_no_home_whose_stream_that_would_end(fleet: Fleet) -> None:
    client = referred(fleet)
    fleet.box.say(refer_item(fleet.one, others=[fleet.one, fleet.two]))
    begin(fleet.box, "m")
    fleet.box.say(end_item("m"))
    fleet.box.stop()
    fleet.two.greet()
    assert fleet.one.streams == 1
    client.stop()


def test_waits_for_the_referee_of_the_matches_that_it_plays(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one], patience=3600))
    begin(fleet.box, "m")
    for _ in range(6):
        fleet.box.end_stream(grpc.StatusCode.UNAVAILABLE, "not yet")
        fleet.box.hear("hello")
    resume(fleet.box, "m")
    assert fleet.one.streams == 0
    client.stop()


def test_dials_often_while_it_waits_so_that_it_is_back_in_time(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one], patience=3600),
                  backoff=lambda attempt: 3600.0)
    begin(fleet.box, "m")
    for _ in range(2):
        fleet.box.end_stream(grpc.StatusCode.UNAVAILABLE, "not yet")
        fleet.box.hear("hello")
    resume(fleet.box, "m")
    client.stop()


def test_dials_another_as_soon_as_it_has_waited_however_seldom_it_dials_then(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one], patience=0.05),
                  backoff=lambda attempt: 3600.0 if attempt > 3 else 0.0)
    fleet.box.stop()
    assert fleet.one.greet().max_matches == 8
    client.stop()


def test_goes_to_another_when_its_referee_ends_for_good(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one]), draining(False))
    fleet.box.end_stream()
    assert fleet.one.greet().max_matches == 8
    client.stop()


def test_is_not_ended_by_what_listens_where_another_referee_was(fleet: Fleet) -> None:
    client = told(fleet, refer_item(others=[fleet.one]), draining(False))
    fleet.box.end_stream()
    fleet.one.hear("hello")
    fleet.one.end_stream(grpc.StatusCode.UNIMPLEMENTED, "a web server")
    fleet.box.greet()
    client.stop()
