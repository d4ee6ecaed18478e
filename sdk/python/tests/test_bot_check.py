"""What is not a bot is refused at once, with what it lacks; a class plays as well as an instance."""

import asyncio
import functools
from typing import Any

import pytest
from fake_referee import FakeReferee, First, turn_item

import referee
from referee.bot_check import checked_bot
from referee.errors import InvalidOptions


class Needs(First):
    def __init__(self, model: str) -> None:
        super().__init__()


class Broken(First):
    def __init__(self) -> None:
        super().__init__()
        self.model = open(None)  # type: ignore[call-overload]


class ChooseTrun(referee.Bot):
    def choose_trun(self, turn: referee.Turn) -> Any: ...


class ChooseMove(referee.Bot):
    def chooseMove(self, turn: referee.Turn) -> Any: ...


class Nothing(referee.AsyncBot):
    async def think(self, turn: referee.Turn) -> Any: ...


class Plain(referee.AsyncBot):
    def choose_turn(self, turn: referee.Turn) -> Any:  # type: ignore[override]
        return turn.moves[0]


class PlainEnd(referee.AsyncBot):
    async def choose_turn(self, turn: referee.Turn) -> Any:
        return turn.moves[0]

    def on_match_end(self, match: Any, verdict: Any) -> None: ...  # type: ignore[override]


class Coroutine(referee.Bot):
    async def choose_turn(self, turn: referee.Turn) -> Any:  # type: ignore[override]
        return turn.moves[0]


class AsyncForMatch(PlainEnd):
    async def on_match_end(self, match: Any, verdict: Any) -> None: ...  # type: ignore[override]

    async def for_match(self, match: Any) -> Any: ...  # type: ignore[override]


class Duck:
    def choose_turn(self, turn: referee.Turn) -> Any: ...


@pytest.mark.parametrize("bot, says", [
    (ChooseTrun(), r"ChooseTrun has no method choose_turn\(self, turn\); is its choose_trun meant"),
    (ChooseMove, r"ChooseMove has no method choose_turn\(self, turn\); is its chooseMove meant"),
    (Nothing, r"Nothing has no method choose_turn\(self, turn\)$"),
    (referee.Bot, "Bot has no method choose_turn"),
    (Needs, "Needs was given as a class, and cannot be made without arguments: give an instance"),
    (Plain(), "choose_turn of an AsyncBot is `async def`"),
    (PlainEnd, "on_match_end of an AsyncBot is `async def`"),
    (Coroutine, "choose_turn of Coroutine is `async def`: derive the bot from AsyncBot"),
    (AsyncForMatch, "for_match of AsyncForMatch is `async def`: it must be a plain `def`"),
    (Duck(), "Duck is not a bot: derive the class from referee.Bot"), (Duck, "is not a bot"),
    (None, "NoneType is not a bot"), (lambda turn: turn.moves[0], "is not a bot")])
def test_what_is_not_a_bot_is_refused_by_run_at_once_with_status_2(
        bot: Any, says: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        referee.run(bot, ["mine", "--address", "unix:nowhere", "--token", "t"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("mine: ") and told.count("\n") == 1
    with pytest.raises(InvalidOptions, match=says) as refused:
        referee.Client(bot, referee.Options(address="unix:nowhere", token="t")).run()
    assert told == f"mine: {refused.value}\n"
    with pytest.raises(InvalidOptions, match=says):
        referee.play([bot, First], "isaac")


def test_what_a_constructor_raises_is_not_hidden() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        checked_bot(Broken)


def test_bots_of_other_shapes_are_taken() -> None:
    class Makes(referee.Bot):
        def for_match(self, match: referee.Match) -> referee.Bot:
            return First()

    class Wrapped(referee.AsyncBot):
        pass

    async def choose(turn: referee.Turn) -> Any:
        return turn.moves[0]

    Wrapped.choose_turn = functools.partialmethod(choose)  # type: ignore[assignment]
    for bot in (Makes(), Makes, Wrapped(), First()):
        checked_bot(bot)


@pytest.mark.parametrize("keeps_name", [False, True])
def test_decorated_coroutines_play(keeps_name: bool) -> None:
    calls = []

    def counted(method: Any) -> Any:
        def count(self: Any, *args: Any) -> Any:
            calls.append(method.__name__)
            return method(self, *args)
        return functools.wraps(method)(count) if keeps_name else count

    class Counts(referee.AsyncBot):
        @counted
        async def choose_turn(self, turn: referee.Turn) -> Any:
            return turn.moves[0]

        @counted
        async def on_match_start(self, match: referee.Match) -> None: ...

    assert referee.play([Counts, First], "isaac").result.ranks
    assert {"choose_turn", "on_match_start"} <= set(calls)


def test_a_near_miss_is_found_without_reading_properties() -> None:
    class Fails(referee.Bot):
        @property
        def choose_move(self) -> Any:
            raise RuntimeError("no model")

    with pytest.raises(InvalidOptions, match=r"Fails has no method choose_turn\(self, turn\)$"):
        checked_bot(Fails())


def test_a_class_plays(fake: FakeReferee, play: Any) -> None:
    play(First, "m")
    fake.say(turn_item("m"))
    fake.hear("move")
    assert referee.play([First, First()], "isaac").result.ranks


def test_in_an_event_loop_it_says_what_to_do() -> None:
    class Awaits(referee.AsyncBot):
        async def choose_turn(self, turn: referee.Turn) -> Any:
            return turn.moves[0]

    client = referee.Client(Awaits(), referee.Options(address="unix:nowhere", token="t"))

    async def inside() -> None:
        client.run()

    with pytest.raises(RuntimeError, match=r"run\(\) has an event loop of its own for an AsyncBot: "
                       "call it outside of coroutines, or on a thread, as with asyncio.to_thread"):
        asyncio.run(inside())
