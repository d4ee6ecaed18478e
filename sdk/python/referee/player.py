"""Plays one match: passes the referee's items to the bot's methods, and makes its replies.

Knows neither threads nor transport. Its methods are coroutines that wait for nothing but an
`AsyncBot`; with a `Bot` they run through without a stop (`finish`).
"""

import asyncio
import contextlib
import logging
import time
import types
from typing import Any, Callable, ContextManager, Coroutine, TypeVar

from referee.bot import AnyBot, AsyncBot, Bot
from referee.convert import EncodedMove
from referee.dice_check import DiceCheck
from referee.log import LOGGER, duration_text
from referee.match import Forfeit, Match, Turn, TurnPlayed, Verdict
from referee.nonce import Nonce, Nonces, asks_nonces
from referee.raised import reason_of, trace_of
from referee.rules import Move
from referee.text import cut
from referee.watch import LONG, Watch
from referee.wire import BotItem, Message, Move as WireMove, seconds

_UNSPECIFIED = 0  # MATCH_STATE_UNSPECIFIED
_FINISHED = 3  # MATCH_STATE_FINISHED

# No move of any game has more bytes of notation than 256; one that has is illegal all the same when
# it is cut. As many items as stream.py puts into a message fit into one then.
_MAX_SENT_NOTATION = 320

_MAX_RAISED = 64  # tracebacks that are remembered

T = TypeVar("T")


def finish(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    raise AssertionError("the coroutine waits for something")


class Player:
    """One match of a bot.

    `raised` has the tracebacks that the log has, which all matches share: each is written once.
    Without a `watch` nobody looks at how long the bot takes.
    """

    def __init__(self, bot: AnyBot, nonces: Nonces, raised: set[str] | None = None,
                 watch: Watch | None = None) -> None:
        self._main_bot = bot
        self._bot = bot  # or one of its own for the match
        self._hears_turns = True
        self._nonces = nonces
        self._match: Match  # from the first start on
        self._nonce: Nonce
        self._started = False
        # As the first start said: what the dice are held to.
        self._first_told: Message = None
        self._dice = DiceCheck()
        # The move for a turn, kept in case the turn is asked again because the link was lost.
        self._answered: tuple[int, str] | None = None
        self._answer = b""  # a wire.Move
        # What was asked last, and when, in case the match allows another try after an illegal move.
        self._asked: tuple[Message, float] | None = None
        self._resigned = False
        self._reason = ""  # why it has resigned
        self._raised = raised if raised is not None else set()
        self._watch = watch
        self._waited = False  # a turn of it, which was said
        self.over = False
        self.dice_mismatch = False

    async def take(self, kind: str, message: Message, received: float) -> Message:
        """Handles one item of the match, and returns the reply to it, if there is one.

        `kind` is the member of RefereeItem that it is, `received` when it came out of the
        transport, by `time.monotonic()`. Catches whatever the bot raises.
        """
        if kind == "match_start":
            return await self._start(message)
        if not self._started or self.over:
            return None
        if kind == "match_end":
            await self._end(message.verdict)
            return None
        if self._resigned:
            return None
        if kind == "turn_request":
            self._dice.saw_turn(message.turn, message.seat, message.dice)
            return await self._choose(message, received)
        if kind == "turn_played":
            self._dice.saw_turn(message.turn, message.seat, message.dice)
            if not self._hears_turns:
                return None
            return await self._tell("on_turn_played", self._played_of(message))
        if kind == "seat_forfeited":
            forfeit = Forfeit(message)
            self._log_forfeit(forfeit)
            return await self._tell("on_forfeit", forfeit)
        if kind == "reveal_nonce":
            return await self._reveal(message)
        if kind == "fault":
            return await self._try_again(message)
        return None

    # What the bot is given of a message. A match without a wire has more of its own to give.
    def _match_of(self, start: Message) -> Match:
        return Match(start)

    def _turn_of(self, request: Message, received: float) -> Turn:
        return Turn(self._match, request, received)

    def _played_of(self, played: Message) -> TurnPlayed:
        return TurnPlayed(played)

    # `about` and `deadline` are for the watch.
    async def _call(self, method: Callable[..., Any], *arguments: Any, about: str = "",
                    deadline: float | None = None) -> Any:
        with self._watched(method.__name__, about, deadline):
            result = method(*arguments)
            if isinstance(self._bot, AsyncBot):
                if not hasattr(result, "__await__"):
                    raise TypeError(f"{method.__name__} of an AsyncBot is `async def`")
                result = await result
        if type(result) is types.CoroutineType:
            result.close()
            raise TypeError(f"{method.__name__} is a coroutine: derive the bot from AsyncBot")
        return result

    def _watched(self, method: str, about: str, deadline: float | None) -> ContextManager[None]:
        if self._watch is None:
            return contextlib.nullcontext()
        task = asyncio.current_task() if isinstance(self._bot, AsyncBot) else None
        until = time.monotonic() + LONG if deadline is None else deadline
        return self._watch.during(method, about or method, self._match, until, task)

    # Tells the bot something; returns a resignation if it raises.
    async def _tell(self, method: str, *arguments: Any, deadline: float | None = None) -> Message:
        try:
            await self._call(getattr(self._bot, method), self._match, *arguments, deadline=deadline)
        except Exception as error:
            return self._resign(method, error)
        return None

    def _resign(self, method: str, error: Exception) -> Message:
        self._reason = reason_of(error)
        trace = trace_of(error)
        if trace not in self._raised:
            if len(self._raised) < _MAX_RAISED:
                self._raised.add(trace)
            self._match.log.error("%s raised an exception:\n%s", method, trace)
        LOGGER.error("match %s is resigned: %s", self._match.id, self._reason)
        self._resigned = True
        return self._resignation()

    def _resignation(self) -> Message:
        reply = BotItem()
        reply.resign.match_id = self._match.id
        reply.resign.reason = self._reason
        return reply

    async def _start(self, start: Message) -> Message:
        known, self._started = self._started, True
        # What was taken for over, since its link was lost for long, may go on after all.
        anew = not known or self.over
        self.over = False
        match = self._match = self._match_of(start)
        if not known:
            self._first_told = start.match
            self._nonce = self._nonces.of(start.match)
        self._nonce.note_start(start)
        match.log.info("%s, seat %d of %d", "goes on" if match.resumed else "starts", match.seat,
                       match.seats)
        if self._resigned:
            return self._resignation()  # it may have been lost with the link
        if anew:
            try:
                self._take_bot(match)
            except Exception as error:
                return self._resign("for_match", error)
        limit = seconds(start.ready_limit) if start.HasField("ready_limit") else LONG
        reply = await self._tell("on_match_start", deadline=time.monotonic() + limit)
        if reply is not None:
            return reply
        if not self._nonce.is_for_commitment(match.commitment):
            reply = await self._tell_mismatch(
                "the commitment is not the one that was told first of this match, or of its block: "
                "the seed may have been chosen by the nonces")
            if reply is not None:
                return reply
        if not start.HasField("ready_limit"):
            return None
        reply = BotItem()
        reply.ready.match_id = match.id
        if asks_nonces(start.match):
            reply.ready.nonce_hash = self._nonce.hash()
        return reply

    def _take_bot(self, match: Match) -> None:
        self._bot = self._main_bot
        self._bot = self._main_bot.for_match(match) or self._main_bot
        # Most bots do not care, and a turn is played every time that one is not asked for.
        heard = getattr(type(self._bot), "on_turn_played", None)
        self._hears_turns = heard not in (Bot.on_turn_played, AsyncBot.on_turn_played)

    async def _reveal(self, reveal: Message) -> Message:
        nonce = self._nonce.reveal(tuple(reveal.nonce_hashes), self._match.seat)
        if nonce is None and not self._nonce.drawn():
            self._match.log.warning(
                "the nonce of this match was drawn by another process of this bot, and cannot be "
                "revealed without it: the match will be forfeited")
            return None
        if nonce is None:
            return await self._tell_mismatch(
                "the hashes of the nonces are not those that stood when this bot revealed its own, "
                "or the one of this bot's seat is not its own; its nonce stays secret")
        reply = BotItem()
        reply.nonce.match_id = self._match.id
        reply.nonce.nonce = nonce
        return reply

    async def _try_again(self, fault: Message) -> Message:
        # The bot is asked the same turn anew, on the clock that runs on; the log says why.
        if self._asked is None or self._asked[0].turn != fault.turn:
            return None
        self._answered = None
        return await self._choose(*self._asked)

    async def _choose(self, request: Message, received: float) -> Message:
        self._asked = (request, received)
        asked = (request.turn, request.position_text)
        if self._answered != asked:
            turn = self._turn_of(request, received)
            self._warn_of_wait(turn)
            try:
                self._answer = self._encoded(await self._ask(turn))
            except Exception as error:
                return self._resign("choose_turn", error)
            self._answered = asked
        reply = BotItem()
        move = reply.move
        move.move = self._answer
        move.match_id = self._match.id
        move.turn = request.turn
        move.request = request.request
        return reply

    async def _ask(self, turn: Turn) -> Any:
        return await self._call(self._bot.choose_turn, turn, about=f"turn {turn.number}",
                                deadline=turn.deadline)

    def _log_forfeit(self, forfeit: Forfeit) -> None:
        match = self._match
        own = forfeit.seat == match.seat
        known = forfeit.seat < match.seats
        who = "this bot" if own else match.bots[forfeit.seat] if known else "a seat"
        match.log.log(logging.WARNING if own else logging.INFO, "%s forfeits in turn %d, %s: %s",
                      who, forfeit.turn, forfeit.cause, forfeit.detail)

    def _encoded(self, chosen: Any) -> bytes:
        if isinstance(chosen, EncodedMove):
            return chosen.encoded
        if not isinstance(chosen, (Move, str)):
            raise TypeError(
                f"choose_turn returned {chosen!r:.200}: it must be one of turn.moves, or notation")
        notation = str(chosen)
        if len(notation) > _MAX_SENT_NOTATION:
            self._match.log.warning("choose_turn returned notation of %d characters, which is no "
                                    "move: the beginning of it is sent", len(notation))
        # Raises for what cannot be sent as text.
        sent = cut(notation, _MAX_SENT_NOTATION)
        return bytes(WireMove(notation=sent).SerializeToString())

    # Once a match: a bot that takes more matches at once than it can think about.
    def _warn_of_wait(self, turn: Turn) -> None:
        limit = turn.limit
        waited = limit - turn.time_left
        if self._waited or waited <= limit / 4:
            return
        self._waited = True
        turn.log.warning(
            "turn %d has waited %s of %s while the bot was at other matches: think as long as "
            "time_left says, or have more processes (--workers)",
            turn.number, duration_text(waited), duration_text(limit))

    async def _end(self, message: Message) -> None:
        self.over = True
        match = self._match
        verdict = Verdict(message)
        if message.state == _UNSPECIFIED:
            match.log.warning("ended while the link was lost")
        else:
            match.log.info("ended: %s%s", verdict.reason, _result_text(match, message))
        problem = self._dice.problem(self._first_told, message, self._nonce.part())
        if problem:
            await self._tell_mismatch(problem)
        elif message.nonces and not self._nonce.agrees_with(message):
            await self._tell_mismatch(
                "the nonces are not those that another match of the block ended with")
        await self._tell("on_match_end", verdict)

    # Once a match: what follows from the first would only repeat it.
    async def _tell_mismatch(self, problem: str) -> Message:
        if self.dice_mismatch:
            return None
        self.dice_mismatch = True
        self._match.log.error("THE DICE DO NOT FIT: %s", problem)
        return await self._tell("on_dice_mismatch", problem)


# "; won by alice; scores: alice 16, bob -1"; empty without a result.
def _result_text(match: Match, verdict: Message) -> str:
    ranks, scores = verdict.ranks, verdict.scores
    if verdict.state != _FINISHED or len(ranks) != match.seats or len(scores) != match.seats:
        return ""
    first = [bot for bot, rank in zip(match.bots, ranks) if rank == 1]
    own = ranks[match.seat] == 1
    how = "lost to" if not own else "won by" if len(first) == 1 else "shared by"
    told = ", ".join(f"{bot} {score}" for bot, score in zip(match.bots, scores))
    return f"; {how} {' and '.join(first)}; scores: {told}"
