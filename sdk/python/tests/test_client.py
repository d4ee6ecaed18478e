"""What a client says and does, against a referee that says what a test wants."""

import asyncio
import copy
import hashlib
import logging
import threading
from typing import Any

import pytest
from fake_referee import (
    LIMIT, POSITION, Chooses, FakeReferee, First, Raises, Running, begin, end_item, item,
    start_item, turn_item)

import referee
from referee import wire
from referee.convert import encoded_move
from referee.rules.board import Space
from referee.rules.hypnosia import HypnosiaMove, Step
from referee.stream import Stream


class Held(Chooses):
    """Plays the first move; in the match called slow, or in all, once `may_go` is set."""

    def __init__(self, match_id: str = "") -> None:
        self.may_go = threading.Event()
        super().__init__(self._wait)
        self._match_id = match_id

    def _wait(self, turn: referee.Turn) -> Any:
        assert turn.match.id != (self._match_id or turn.match.id) or self.may_go.wait(LIMIT)
        return turn.moves[0]


# --- Hello and matches ---


def test_says_hello_first(fake: FakeReferee) -> None:
    client = Running(fake, First(), software="s", version="2", games=("hypnosia",), max_matches=3,
                     keep_existing=True, legal_moves=False)
    hello = fake.greet()
    assert (hello.token, hello.software, hello.version) == ("t", "s", "2")
    assert list(hello.games) == ["hypnosia"]
    assert (hello.max_matches, hello.parallel_turns) == (3, 1)
    assert hello.keeps_existing and not hello.wants_legal_moves
    assert client.stop() is None


@pytest.mark.parametrize("options, max_matches, parallel_turns", [
    ({}, 8, 1), ({"threads": 2}, 8, 2), ({"threads": 9}, 9, 9), ({"max_matches": 2}, 2, 1),
    ({"max_matches": 8, "threads": 3}, 8, 3), ({"max_matches": 2, "threads": 3}, 2, 0),
    ({"max_matches": 64, "parallel_turns": 64}, 64, 0), ({"parallel_turns": 9}, 9, 9),
    ({"max_matches": 8, "parallel_turns": 2, "threads": 4}, 8, 2)])
def test_takes_a_block_of_matches_unless_told_otherwise(
        fake: FakeReferee, options: Any, max_matches: int, parallel_turns: int) -> None:
    client = Running(fake, First(), **options)
    hello = fake.greet()
    assert (hello.max_matches, hello.parallel_turns) == (max_matches, parallel_turns)
    client.stop()


def test_is_ready_with_the_hash_of_a_nonce_that_it_reveals_when_all_hashes_are_told(
        fake: FakeReferee, play: Any) -> None:
    play(First())
    fake.say(start_item("m", pinned=False))
    told = fake.hear("ready").nonce_hash
    assert len(told) == 32
    fake.say(item("reveal_nonce", match_id="m", nonce_hashes=[told, b"o" * 32]))
    nonce = fake.hear("nonce").nonce
    assert len(nonce) == 32 and hashlib.sha256(nonce).digest() == told


def test_keeps_its_nonce_when_another_hash_is_in_its_place(fake: FakeReferee, play: Any) -> None:
    bot = First()
    client = play(bot)
    fake.say(start_item("m", pinned=False))
    fake.hear("ready")
    fake.drain(item("reveal_nonce", match_id="m", nonce_hashes=[b"o" * 32] * 2), end_item("m"))
    assert isinstance(client.join(), referee.DiceMismatch)
    assert ("mismatch", "m") in bot.told
    assert fake.hears_nothing()


def test_a_nonce_that_another_process_of_the_bot_drew_is_lost_and_that_is_no_mismatch(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    bot = First()
    client = play(bot)
    start = start_item("m", pinned=False)
    start.match_start.ClearField("ready_limit")  # the hashes were told before this process came
    fake.drain(start, item("reveal_nonce", match_id="m", nonce_hashes=[b"l" * 32, b"o" * 32]))
    client.join()
    assert any("was drawn by another process" in text for text in caplog.messages)
    assert ("mismatch", "m") not in bot.told
    assert fake.hears_nothing()


def test_plays_its_move_and_names_the_request_that_it_answers(
        fake: FakeReferee, play: Any) -> None:
    play(First(), "m")
    fake.say(turn_item("m", turn=3, request=2))
    move = fake.hear("move")
    assert (move.match_id, move.turn, move.request) == ("m", 3, 2)
    assert encoded_move(move.move).notation == "5:L1>A4"


def test_sends_a_legal_move_back_as_it_came(fake: FakeReferee, play: Any) -> None:
    def choose(turn: referee.Turn) -> Any:
        move = turn.moves[1]
        assert isinstance(move, HypnosiaMove)
        assert move.steps == (Step(5, Space(0, 2), False, Space(1, 3), 0),)
        assert [str(move), repr(move)] == ["5:L2>A3", "<5:L2>A3>"]
        assert move == turn.match.rules.move("5:L2>A3") and copy.deepcopy(move) == move
        return move

    play(Chooses(choose), "m")
    asked = turn_item("m")
    fake.say(asked)
    assert fake.hear("move").move == asked.turn_request.legal_moves[1]


def test_tells_the_bot_of_all_else_in_order(fake: FakeReferee, play: Any) -> None:
    bot = First()
    client = play(bot)
    fake.drain(start_item("m"), item("turn_played", match_id="m", turn=1, notation="-"),
               item("seat_forfeited", match_id="m", seat=1, cause=4), end_item("m"))
    assert client.join() is None
    assert bot.told == [("start", "m"), ("played", "m", "-"), ("forfeit", "m", "RESIGNED"),
                        ("end", "m", "VOID")]


def test_logs_why_a_seat_is_out_and_who_has_won(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    caplog.set_level(logging.INFO, "referee")
    client = play(First())
    end = end_item("m", state=3)
    end.match_end.verdict.scores.extend([1, 2])
    end.match_end.verdict.ranks.extend([2, 1])
    fake.drain(start_item("m"), item("seat_forfeited", match_id="m", turn=2, cause=2,
                                     detail="illegal move x"), end)
    client.join()
    assert "match m: this bot forfeits in turn 2, ILLEGAL: illegal move x" in caplog.messages
    assert ("match m: ended: the end; lost to bob; scores: alice 1, bob 2") in caplog.messages
    assert any("THE DICE DO NOT FIT: the seed was not revealed" in text for text in caplog.messages)


def test_an_exception_resigns_its_match_alone_with_its_traceback(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    class Bad(First):
        def choose_turn(self, turn: referee.Turn) -> Any:
            if turn.match.id == "bad":
                raise KeyError("what went wrong")
            return super().choose_turn(turn)

    play(Bad(), "bad", "good")
    fake.say(turn_item("bad"), turn_item("good"))
    assert fake.hear("resign").match_id == "bad"
    assert fake.hear("move").match_id == "good"
    raised, resigned = caplog.messages[-2:]
    assert raised.startswith("match bad: choose_turn raised an exception:\nTraceback")
    assert raised.endswith("\nKeyError: 'what went wrong'")
    assert "player.py" not in raised
    assert resigned == "match bad is resigned: KeyError: 'what went wrong'"


class OddError(Exception):
    """Of a module of its own, and longer than a reason may be."""

    def __str__(self) -> str:
        return "two\nlines \u202ex\x1b " + "\u00e9" * 200


class MuteError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("error, reason", [
    (TypeError("'>' is not supported"), "TypeError: '>' is not supported"),
    (ValueError(), "ValueError"),
    (MuteError(), f"{__name__}.MuteError: its message cannot be read"),
    (OddError(), f"{__name__}.OddError: two lines ?x? " + "\u00e9" * 80)],
    ids=lambda of: str(of)[:20] if isinstance(of, str) else "")
@pytest.mark.parametrize("workers", [0, 1])
def test_a_resignation_says_why_on_one_plain_line_and_again_when_the_match_comes_back(
        fake: FakeReferee, play: Any, workers: int, error: Any, reason: str) -> None:
    play(Raises(error), "m", workers=workers)
    fake.say(turn_item("m"))
    told = fake.hear("resign").reason
    assert told == reason or (told.startswith(reason) and set(told[len(reason):]) == {"\u00e9"})
    assert len(told.encode()) <= 200
    fake.end_stream()
    fake.greet()
    fake.say(start_item("m"))
    assert fake.hear("resign").reason == told


def test_a_traceback_is_logged_once_however_many_matches_it_costs(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    play(Raises(ValueError("again and again")), "m", "n")
    fake.say(turn_item("m"), turn_item("n"))
    fake.hear("resign")
    fake.hear("resign")
    assert caplog.text.count("Traceback") == 1
    assert [text for text in caplog.messages if "is resigned" in text] == [
        f"match {match} is resigned: ValueError: again and again" for match in "mn"]


def test_an_exception_as_a_match_starts_resigns_it_instead_of_being_ready(
        fake: FakeReferee, play: Any) -> None:
    class Broken(First):
        def on_match_start(self, match: referee.Match) -> None:
            raise RuntimeError("the model file is missing")

    play(Broken())
    fake.say(start_item("m"))
    assert fake.hear("resign").match_id == "m"


@pytest.mark.parametrize("answer", [None, 5, b"-"])
def test_what_is_no_move_resigns_the_match(fake: FakeReferee, play: Any, answer: Any) -> None:
    play(Chooses(lambda turn: answer), "m")
    fake.say(turn_item("m"))
    assert fake.hear("resign").match_id == "m"


def test_gives_each_match_a_bot_of_its_own(fake: FakeReferee, play: Any) -> None:
    made: list[First] = []

    class Main(First):
        def for_match(self, match: referee.Match) -> First:
            made.append(First())
            return made[-1]

    play(Main(), "m", "n")
    fake.say(turn_item("n"))
    fake.hear("move")
    assert [bot.told for bot in made] == [[("start", "m")], [("start", "n"), ("turn", "n", 1)]]


# --- Time ---


def test_answers_pings_while_the_bot_thinks(fake: FakeReferee, play: Any) -> None:
    bot = Held()
    play(bot, "m")
    fake.say(turn_item("m"), item("ping", number=9))
    assert fake.hear("pong").number == 9
    bot.may_go.set()
    fake.hear("move")


def test_answers_a_ping_first_though_it_follows_the_request(fake: FakeReferee, play: Any) -> None:
    play(First(), "m")
    fake.say(turn_item("m"), item("ping", number=1))
    fake.hear("pong")
    fake.hear("move")


def test_sends_a_reply_while_the_bot_thinks_in_another_match(fake: FakeReferee, play: Any) -> None:
    bot = Held("slow")
    play(bot, "quick", "slow")
    fake.say(turn_item("quick"), turn_item("slow"))
    assert fake.hear("move").match_id == "quick"
    bot.may_go.set()
    assert fake.hear("move").match_id == "slow"


def test_sends_replies_together(fake: FakeReferee, play: Any) -> None:
    ids = [f"m{number}" for number in range(200)]
    play(First(), *ids, max_matches=200)
    before = len(fake.batch_sizes)
    fake.say(*(turn_item(match_id) for match_id in ids))
    for match_id in ids:
        assert fake.hear("move").match_id == match_id
    assert len(fake.batch_sizes) - before < 100


def test_what_is_said_goes_out_together_when_it_is_to_be_sent_and_soon_in_any_case() -> None:
    stream = Stream(None, 1, wire.BotItem().hello)
    messages = map(wire.PlayRequest.FromString, stream._requests())

    def say(number: int) -> None:
        stream.say(wire.BotItem(pong={"number": number}))

    assert [item.WhichOneof("kind") for item in next(messages).items] == ["hello"]
    say(1)
    say(2)
    stream.send()
    assert [item.pong.number for item in next(messages).items] == [1, 2]
    say(3)
    assert [item.pong.number for item in next(messages).items] == [3]
    stream.cancel()
    assert next(messages, None) is None


def test_does_not_answer_a_position_that_has_changed_meanwhile(
        fake: FakeReferee, play: Any) -> None:
    may_go = threading.Event()

    def choose(turn: referee.Turn) -> str:
        assert may_go.wait(LIMIT)
        return "first" if turn.position_text == POSITION else "second"

    bot = Chooses(choose)
    play(bot, "m")
    fake.say(turn_item("m"))
    assert bot.asked.wait(LIMIT)
    fake.say(turn_item("m", position="another", request=1))
    fake.say(item("ping", number=2))
    fake.hear("pong")  # so it has come
    may_go.set()
    move = fake.hear("move")
    assert (move.request, encoded_move(move.move).notation) == (1, "second")


def test_asks_the_bot_again_after_an_illegal_move(fake: FakeReferee, play: Any) -> None:
    bot = First()
    play(bot, "m")
    fake.say(turn_item("m", turn=4))
    assert fake.hear("move").turn == 4
    fake.say(item("fault", match_id="m", turn=4, kind=6))  # ILLEGAL_MOVE
    assert fake.hear("move").turn == 4
    assert bot.told.count(("turn", "m", 4)) == 2


def test_warns_once_a_match_of_a_turn_that_waited(
        fake: FakeReferee, play: Any, caplog: Any) -> None:
    may_go = threading.Event()

    def choose(turn: referee.Turn) -> Any:
        assert may_go.wait(LIMIT) if turn.match.id == "a" else turn.time_left == 0.0
        return turn.moves[0]

    play(Chooses(choose), "a", "b")
    fake.say(turn_item("a"), turn_item("b", limit=0.0001))
    may_go.set()
    fake.hear("move")
    fake.hear("move")
    assert sum("while the bot was at other matches" in text for text in caplog.messages) == 1


@pytest.mark.parametrize("workers", [0, 1])
def test_notation_that_is_far_too_long_is_an_illegal_move_and_no_lost_link(
        fake: FakeReferee, play: Any, workers: int) -> None:
    play(Chooses(lambda turn: "5:L2>A3 " + "\u00e9" * 300_000), "m", workers=workers)
    fake.say(turn_item("m"))
    sent = encoded_move(fake.hear("move").move).notation
    assert sent.startswith("5:L2>A3 \u00e9") and 256 < len(sent.encode()) <= 320


def test_ignores_what_it_does_not_know(fake: FakeReferee, play: Any) -> None:
    play(First())
    unknown = wire.RefereeItem.FromString(b"\xfa\x3f\x00")  # field 1023
    fake.say(unknown, wire.RefereeItem(), turn_item("nobody's"), start_item("m"))
    fake.hear("ready")


# --- Coroutines, threads, processes ---


def test_coroutines_of_different_matches_overlap(fake: FakeReferee) -> None:
    class Both(referee.AsyncBot):
        def __init__(self) -> None:
            self.asked = 0
            self.ended: list[str] = []

        async def choose_turn(self, turn: referee.Turn) -> Any:
            self.asked += 1
            while self.asked < 2:  # it takes both to go on
                await asyncio.sleep(0.001)
            return turn.moves[0]

        async def on_match_end(self, match: referee.Match, verdict: referee.Verdict) -> None:
            self.ended.append(match.id)

    bot = Both()
    client = Running(fake, bot)
    hello = fake.greet()
    assert (hello.max_matches, hello.parallel_turns) == (8, 8)
    begin(fake, "m", "n")
    fake.say(turn_item("m"), turn_item("n"))
    assert {fake.hear("move").match_id, fake.hear("move").match_id} == {"m", "n"}
    fake.drain(end_item("m"))
    assert client.join() is None
    assert bot.ended == ["m"]


def test_coroutines_and_others_of_a_bot_of_a_match_are_told_from_moves(
        fake: FakeReferee, play: Any) -> None:
    class Odd(referee.Bot):
        async def choose_turn(self, turn: referee.Turn) -> Any:  # type: ignore[override]
            return turn.moves[0]

    class Plain(referee.AsyncBot):
        def choose_turn(self, turn: referee.Turn) -> Any:  # type: ignore[override]
            return turn.moves[0]

    class MakesOdd(First):
        def for_match(self, match: referee.Match) -> referee.Bot:
            return Odd()

    class MakesPlain(referee.AsyncBot):
        def for_match(self, match: referee.Match) -> referee.AsyncBot:
            return Plain()

    for bot, says in ((MakesOdd(), "derive the bot from AsyncBot"),
                      (MakesPlain(), "choose_turn of an AsyncBot is `async def`")):
        client = play(bot, "m")
        fake.say(turn_item("m"))
        assert says in fake.hear("resign").reason
        client.stop()


def test_threads_play_matches_side_by_side(fake: FakeReferee, play: Any) -> None:
    both = threading.Barrier(2)

    def choose(turn: referee.Turn) -> Any:
        both.wait(LIMIT)
        return turn.moves[0]

    play(Chooses(choose), "m", "n", threads=2)
    fake.say(turn_item("m"), turn_item("n"))
    fake.hear("move")
    fake.hear("move")
