"""What a bot author writes: a class with one method."""

from __future__ import annotations

from referee.match import Forfeit, Match, Turn, TurnPlayed, Verdict
from referee.rules import Move


class Bot:
    """A bot.

    With one thread, the default, every method is called on the thread that called `run`, one call
    at a time. With more (`--threads`), calls about one match still come one at a time, in order;
    calls about different matches overlap. With `--workers` every process has a bot of its own.

    An exception that leaves a method is logged with its traceback and costs the bot that match: it
    is resigned. The other matches go on.
    """

    def choose_turn(self, turn: Turn) -> Move | str:
        """Returns the move that the bot plays, or its notation.

        A move that the rules forbid, or one that comes too late, forfeits the match. A bot that can
        only pass is not asked.
        """
        raise NotImplementedError("a bot has a choose_turn")

    def on_match_start(self, match: Match) -> None:
        """A match begins, or goes on after the link was lost.

        Then `match.resumed` is its whole state, and the bot may have missed turns.
        """

    def on_turn_played(self, match: Match, played: TurnPlayed) -> None:
        """Another seat has played, or this bot has passed."""

    def on_forfeit(self, match: Match, forfeit: Forfeit) -> None:
        """A seat, perhaps the bot's own, has forfeited; the log has said so, and why."""

    def on_dice_mismatch(self, match: Match, problem: str) -> None:
        """The dice of a match are not those that follow from what the referee had told before.

        It cheats, or is broken; the log has said so.
        """

    def on_match_end(self, match: Match, verdict: Verdict) -> None:
        """A match is over."""

    def for_match(self, match: Match) -> Bot | None:
        """Returns a bot of its own for a new match, which gets all other calls about it.

        For bots that remember something from turn to turn. None, the default: this one plays it.
        """
        return None


class AsyncBot:
    """A bot whose methods are coroutines, on one event loop.

    Calls about one match come one at a time, in order; while one waits for something, those of
    other matches go on.
    """

    async def choose_turn(self, turn: Turn) -> Move | str:
        """Returns the move that the bot plays, or its notation; see `Bot.choose_turn`."""
        raise NotImplementedError("a bot has a choose_turn")

    async def on_match_start(self, match: Match) -> None:
        """See `Bot.on_match_start`."""

    async def on_turn_played(self, match: Match, played: TurnPlayed) -> None:
        """See `Bot.on_turn_played`."""

    async def on_forfeit(self, match: Match, forfeit: Forfeit) -> None:
        """See `Bot.on_forfeit`."""

    async def on_dice_mismatch(self, match: Match, problem: str) -> None:
        """See `Bot.on_dice_mismatch`."""

    async def on_match_end(self, match: Match, verdict: Verdict) -> None:
        """See `Bot.on_match_end`."""

    def for_match(self, match: Match) -> AsyncBot | None:
        """Returns a bot of its own for a new match; see `Bot.for_match`."""
        return None


AnyBot = Bot | AsyncBot
