"""A referee in this process, on a unix socket of its own.

It fakes by having no rules: it says what a test tells it to say, and hands over, item by item, what
the bot says. Waits end with a deadline, so that a test fails rather than hangs.
"""

import collections
import queue
import threading
from concurrent import futures
from typing import Any, Callable

import grpc

import referee
from referee import wire

LIMIT = 10.0  # seconds
POSITION = "36/24/12 1111,1111 - 0,0 - a 54"


class FakeReferee:
    """Serves `BotService.Play`, one stream at a time."""

    def __init__(self, folder: Any) -> None:
        self.address = f"unix:{folder}/referee"
        self._changed = threading.Condition()
        self._orders: collections.deque[Any] = collections.deque()
        self._heard: "queue.Queue[Any]" = queue.Queue()
        self.batch_sizes: list[int] = []
        self.streams = 0
        self.ended = threading.Event()  # a stream has
        self._server: Any = None
        self.start()

    def start(self) -> None:
        handler = grpc.method_handlers_generic_handler("referee.v1.BotService", {
            "Play": grpc.stream_stream_rpc_method_handler(self._play)})
        often = ("grpc.http2.min_ping_interval_without_data_ms", 1)
        self._server = grpc.server(futures.ThreadPoolExecutor(4), [handler], options=[often])
        self._server.add_insecure_port(self.address)
        self._server.start()

    def stop(self) -> None:
        """Is not there any more, as a referee that was killed."""
        self._server.stop(None).wait(LIMIT)

    def _play(self, requests: Any, context: Any) -> Any:
        gone = threading.Event()

        def wake() -> None:
            gone.set()
            self.ended.set()
            with self._changed:
                self._changed.notify_all()

        def hear() -> None:
            try:
                for data in requests:
                    items = wire.PlayRequest.FromString(data).items
                    self.batch_sizes.append(len(items))
                    for item in items:
                        self._heard.put(item)
            except Exception:  # the stream has ended
                pass

        context.add_callback(wake)
        self.streams += 1
        threading.Thread(target=hear, daemon=True).start()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._orders or gone.is_set())
                if gone.is_set():
                    return
                order = self._orders.popleft()
            if isinstance(order, bytes):
                yield order
            elif order is None:
                return
            else:
                context.abort(*order)

    def _order(self, order: Any) -> None:
        with self._changed:
            self._orders.append(order)
            self._changed.notify_all()

    def say(self, *items: Any) -> None:
        """Says these items in one message, on the stream that is open or the next to be."""
        self._order(wire.PlayResponse(items=items).SerializeToString())

    def end_stream(self, code: grpc.StatusCode | None = None, text: str = "") -> None:
        """Ends the stream that is open, or the next to be, with this status."""
        self._order(None if code is None else (code, text))

    def hear(self, kind: str) -> Any:
        """Returns the next item that the bot has said; fails if it is of another kind."""
        item = self._heard.get(timeout=LIMIT)
        assert item.WhichOneof("kind") == kind, item
        return getattr(item, kind)

    def hears_nothing(self) -> bool:
        return self._heard.empty()

    def greet(self, *others: "FakeReferee | str") -> Any:
        """Hears Hello and says Welcome, with these others of its fleet; returns the Hello."""
        hello = self.hear("hello")
        self.say(item("welcome", bot="alice", referee="fake 1", max_matches=hello.max_matches,
                      addresses=addresses_of(*others)))
        return hello

    def drain(self, *items: Any) -> None:
        """Says these items, and ends for good."""
        self.say(*items, item("draining"))
        self.end_stream()


def item(kind: str, /, **fields: Any) -> Any:
    """An item that the referee says."""
    one = wire.RefereeItem(**{kind: fields})
    getattr(one, kind).SetInParent()
    return one


def addresses_of(*referees: FakeReferee | str) -> list[str]:
    return [one if isinstance(one, str) else one.address for one in referees]


def start_item(match_id: str, **fields: Any) -> Any:
    """A match of Hypnosia for two begins; the bot has seat 0 unless fields say otherwise."""
    match = {"match_id": match_id, "game": "hypnosia", "options": {"hypnosia": {"turn_limit": 500}},
             "bots": ["alice", "bob"], "commitment": b"c" * 32, "pinned": True, **fields}
    return item("match_start", match=match, ready_limit={"seconds": 10})


def turn_item(match_id: str, turn: int = 1, position: str = POSITION, request: int = 0,
              limit: float = 5.0) -> Any:
    """The bot is asked for a move, with two of the legal ones."""
    steps = [{"die": 5, "from": {"index": start}, "to": {"area": 1, "index": 5 - start}}
             for start in (1, 2)]
    moves = [wire.Move(hypnosia={"steps": [step]}).SerializeToString() for step in steps]
    one = item("turn_request", match_id=match_id, turn=turn, request=request,
               position_text=position, dice=[5, 4], legal_moves=moves)
    one.turn_request.limit.FromNanoseconds(int(limit * 1e9))
    return one


def end_item(match_id: str, state: int = 4) -> Any:
    """A match is over, void unless another state is given."""
    return item("match_end", match_id=match_id, verdict={"state": state, "reason": "the end"})


class First(referee.Bot):
    """Plays the first move; notes what it is told."""

    def __init__(self) -> None:
        self.told: list[Any] = []
        self.asked = threading.Event()
        self.ended = threading.Event()  # a match has, and the bot was told

    def choose_turn(self, turn: referee.Turn) -> Any:
        self.told.append(("turn", turn.match.id, turn.number))
        self.asked.set()
        return turn.moves[0]

    def on_match_start(self, match: referee.Match) -> None:
        self.told.append(("start", match.id))

    def on_turn_played(self, match: referee.Match, played: referee.TurnPlayed) -> None:
        self.told.append(("played", match.id, played.notation))

    def on_forfeit(self, match: referee.Match, forfeit: referee.Forfeit) -> None:
        self.told.append(("forfeit", match.id, forfeit.cause))

    def on_match_end(self, match: referee.Match, verdict: referee.Verdict) -> None:
        self.told.append(("end", match.id, verdict.state))
        self.ended.set()

    def on_dice_mismatch(self, match: referee.Match, problem: str) -> None:
        self.told.append(("mismatch", match.id))


class Chooses(First):
    """Plays what a function returns for a turn."""

    def __init__(self, choose: Callable[[referee.Turn], Any]) -> None:
        super().__init__()
        self._choose = choose

    def choose_turn(self, turn: referee.Turn) -> Any:
        super().choose_turn(turn)
        return self._choose(turn)


class Raises(First):
    """Raises whenever it is asked."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def choose_turn(self, turn: referee.Turn) -> Any:
        raise type(self._error)(*self._error.args)


class Running:
    """A client that runs on a thread of its own."""

    def __init__(self, fake: FakeReferee, bot: Any, **options: Any) -> None:
        given = {"address": fake.address, "token": "t", "backoff": lambda attempt: 0.01, **options}
        self.client = referee.Client(bot, referee.Options(**given))
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.client.run()
        except BaseException as error:
            self.error = error

    def join(self) -> BaseException | None:
        """Waits until it has ended; returns what it raised."""
        self._thread.join(LIMIT)
        assert not self._thread.is_alive(), "the client goes on"
        return self.error

    def stop(self) -> BaseException | None:
        self.client.stop()
        return self.join()


def begin(fake: FakeReferee, *match_ids: str) -> None:
    """Matches begin, and the bot is ready."""
    fake.say(*(start_item(match_id) for match_id in match_ids))
    assert {fake.hear("ready").match_id for _ in match_ids} == set(match_ids)
