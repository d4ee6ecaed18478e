"""Looks at a bot before it plays: whether it has what a bot needs, as methods that can be called."""

import asyncio
import difflib
import inspect
from typing import Any

from referee.bot import AnyBot, AsyncBot, Bot
from referee.errors import InvalidOptions

GivenBot = AnyBot | type[Bot] | type[AsyncBot]

_COROUTINES = ("choose_turn", "on_match_start", "on_turn_played", "on_forfeit", "on_dice_mismatch",
               "on_match_end")


def checked_bot(given: GivenBot) -> AnyBot:
    """Returns the bot that is to play: `given`, or one of that class, made without arguments.

    Raises InvalidOptions that says what it lacks.
    """
    bot: Any = _made(given) if isinstance(given, type) else given
    if not isinstance(bot, (Bot, AsyncBot)):
        raise InvalidOptions(
            f"{type(bot).__name__} is not a bot: derive the class from referee.Bot, or AsyncBot")
    base = AsyncBot if isinstance(bot, AsyncBot) else Bot
    name = type(bot).__name__
    if _is_of(base, bot, "choose_turn") and _is_of(base, bot, "for_match"):
        near = _near_misses(bot, base)
        meant = f"; is its {' or '.join(near)} meant to be that?" if near else ""
        raise InvalidOptions(f"{name} has no method choose_turn(self, turn){meant}")
    for method in _COROUTINES:
        _check_method(bot, base, method)
    if inspect.iscoroutinefunction(bot.for_match):
        raise InvalidOptions(f"for_match of {name} is `async def`: it must be a plain `def`")
    return bot


def _made(given: Any) -> Any:
    try:
        return given()
    except TypeError as error:
        if error.__traceback__ is None or error.__traceback__.tb_next is not None:
            raise  # from inside of the class
        raise InvalidOptions(f"{given.__name__} was given as a class, and cannot be made without "
                             f"arguments: give an instance of it ({error})") from None


# Whether a method is that of the base, which does nothing.
def _is_of(base: Any, bot: Any, method: str) -> bool:
    own = getattr(bot, method, None)
    return getattr(own, "__func__", own) is getattr(base, method)


def _check_method(bot: Any, base: Any, method: str) -> None:
    own = getattr(bot, method)
    name = type(bot).__name__
    if not callable(own):
        raise InvalidOptions(f"{method} of {name} is {own!r}, and must be a method")
    if not inspect.isroutine(own):
        return  # it may return a coroutine or not
    if base is AsyncBot and _is_plain_def(own, method):
        raise InvalidOptions(f"{method} of an AsyncBot is `async def`, and that of {name} is a "
                             "plain `def`: write `async def`, or derive the bot from referee.Bot")
    if base is Bot and inspect.iscoroutinefunction(own):
        raise InvalidOptions(f"{method} of {name} is `async def`: derive the bot from AsyncBot")


# Whether a method is certainly a plain `def`. What a decorator makes of an `async def` may be one,
# too, and returns a coroutine: such a function has another name, or `__wrapped__`.
def _is_plain_def(own: Any, method: str) -> bool:
    function = getattr(own, "__func__", None)  # of a bound method
    if not inspect.isfunction(function) or inspect.iscoroutinefunction(function):
        return False
    return function.__code__.co_name == method and not hasattr(function, "__wrapped__")


def _near_misses(bot: Any, base: Any) -> list[str]:
    own = {name.replace("_", "").lower(): name for name in dir(bot)
           if name not in dir(base) and callable(getattr(type(bot), name, None))}
    close = difflib.get_close_matches("chooseturn", own, n=3, cutoff=0.55)
    return [own[name] for name in close]


def check_no_loop(what: str) -> None:
    """Raises RuntimeError if an event loop runs on this thread, where an `AsyncBot` needs its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(f"{what}() has an event loop of its own for an AsyncBot: call it outside of "
                       "coroutines, or on a thread, as with asyncio.to_thread")
