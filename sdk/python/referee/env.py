"""The games for programs that train bots: `load_game` and `State`, with the methods of open_spiel.

    game = referee.env.load_game("hypnosia", seats=2)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes())
            state.apply_action(random.choices(outcomes, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    print(state.returns())

An action is a place in the list of the legal moves of the position, from 0, or the outcome of a
draw, from 0; `action_to_string` names it. Both games are of perfect information: what a seat may
know is the position, and the information state is what has led to it.

For PettingZoo there is `referee.aec`, and for whole matches between bots `referee.play`.
"""

from __future__ import annotations

from typing import Mapping, Sequence

from referee import features
from referee.rules import Chance, Move, Position, Result, make_game
from referee.rules import Game as Rules

# What open_spiel calls who acts when it is no seat.
CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4

# By game: as many legal moves as a position can have.
_MAX_MOVES = {"hypnosia": 144, "isaac": 1095}


def utilities(ranks: Sequence[int]) -> list[float]:
    """Returns what ranks are worth, by seat: from 1 for the first to -1 for the last.

    They are evenly spaced between, seats of one rank share what their places are worth, and the sum
    is 0. So of two seats the winner has 1.
    """
    seats = len(ranks)
    mean = [rank + (list(ranks).count(rank) - 1) / 2 for rank in ranks]
    return [(seats + 1 - 2 * place) / (seats - 1) for place in mean]


class Game:
    """A game with its options settled. Immutable."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def new_initial_state(self, position: str | None = None) -> State:
        """Returns the state before the first draw; with a position string, that position.

        Raises `rules.BadPosition`.
        """
        rules = self.rules
        return State(self, rules.start() if position is None else rules.position(position))

    def num_players(self) -> int:
        """How many seats there are."""
        return self.rules.seats

    def num_distinct_actions(self) -> int:
        """More than any legal action is; a place in a list says nothing about other positions."""
        return _MAX_MOVES[self.rules.name]

    def max_chance_outcomes(self) -> int:
        """The most outcomes that a draw has."""
        return 36 if self.rules.name == "hypnosia" else 2

    def min_utility(self) -> float:
        """What the last seat gets."""
        return -1.0

    def max_utility(self) -> float:
        """What the first seat gets."""
        return 1.0

    def utility_sum(self) -> float:
        """What all seats get together."""
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        """The shape of `State.observation_tensor`."""
        return [features.length(self.rules)]

    def __repr__(self) -> str:
        return f"<{self.rules.name}, {self.rules.seats} seats>"


class State:
    """One match being played. Not for several threads at once."""

    def __init__(self, game: Game, position: Position) -> None:
        self._game = game
        self._position = position
        self._history: list[int] = []
        self._told: list[str] = [str(position)]
        self._legal: Sequence[Move] | None = None
        self._chance: Chance | None = position.chance

    @property
    def position(self) -> Position:
        """The position, typed; see `referee.rules`. It never changes."""
        return self._position

    @property
    def moves(self) -> Sequence[Move]:
        """The legal moves, typed: action i is the i-th. Empty unless a move is due."""
        if self._legal is None:
            due = not self._position.over and self._chance is None
            self._legal = self._position.legal_moves() if due else ()
        return self._legal

    @property
    def result(self) -> Result | None:
        """Reason, scores and ranks; None while the game goes on."""
        return self._position.result

    def get_game(self) -> Game:
        """Returns the game."""
        return self._game

    def current_player(self) -> int:
        """Returns the seat to move, CHANCE_PLAYER or TERMINAL_PLAYER."""
        if self._position.over:
            return TERMINAL_PLAYER
        seat = self._position.to_move
        return CHANCE_PLAYER if self._chance is not None or seat is None else seat

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._position.over

    def is_chance_node(self) -> bool:
        """Whether dice are due."""
        return self._chance is not None

    def is_player_node(self) -> bool:
        """Whether a move is due."""
        return not self._position.over and self._chance is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns each outcome of the draw that is due, and how likely it is; none if none is."""
        if self._chance is None:
            return []
        count = self._chance.sides ** self._chance.numbers
        return [(outcome, 1 / count) for outcome in range(count)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Returns what may be applied now; nothing for a seat that is not to move.

        Raises ValueError for a seat that the game does not have, as all methods that take one.
        """
        self._check_player(player)
        if player is not None and player != self.current_player():
            return []
        if self._chance is not None:
            return [outcome for outcome, _ in self.chance_outcomes()]
        return list(range(len(self.moves)))

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Returns 1 for each legal action, and 0 up to `Game.num_distinct_actions`."""
        count = len(self.legal_actions(player))
        return [1] * count + [0] * (self._game.num_distinct_actions() - count)

    def action_to_string(self, action: int) -> str:
        """Returns the notation of a move, or the numbers of a draw. Raises ValueError."""
        self._check(action)
        if self._chance is not None:
            first = int(self._chance.label != "first-player")  # dice are from 1
            return " ".join(str(number + first) for number in self._numbers(action))
        return self.moves[action].notation

    def string_to_action(self, text: str) -> int:
        """Returns the action of that name. Raises ValueError if there is none."""
        for action in self.legal_actions():
            if self.action_to_string(action) == text:
                return action
        raise ValueError(f"{text} is no legal action in \"{self}\"")

    def apply_action(self, action: int) -> None:
        """Plays a move, or goes on with the outcome of a draw. Raises ValueError."""
        self._check(action)
        if self._chance is not None:
            after = self._position.drawn(self._numbers(action))
        else:
            after = self._position.play(self.moves[action])
        name = self.action_to_string(action)
        self._position = after
        self._chance = after.chance
        self._legal = None
        self._history.append(action)
        self._told.append(name)

    def apply_forfeit(self, seat: int) -> None:
        """Takes a seat out, as a referee does for a fault; it is no action, and not in `history`.

        Raises `rules.RulesError` unless a move is due and the seat is in.
        """
        self._position = self._position.forfeit(seat)
        self._chance = self._position.chance
        self._legal = None
        self._told.append(f"forfeit {seat}")

    def child(self, action: int) -> State:
        """Returns the state that an action leads to; this one stays."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        """Returns a state that goes its own way from here."""
        copy = State.__new__(State)
        copy.__dict__.update(self.__dict__)
        copy._history = self._history.copy()
        copy._told = self._told.copy()
        return copy

    def history(self) -> list[int]:
        """Returns the actions that have led here."""
        return self._history.copy()

    def returns(self) -> list[float]:
        """Returns what each seat gets (`utilities`); zeros before the end."""
        result = self._position.result
        return utilities(result.ranks) if result else [0.0] * self._game.num_players()

    def rewards(self) -> list[float]:
        """Returns what each seat got by the last action: all of it comes at the end."""
        return self.returns()

    def player_reward(self, player: int) -> float:
        """Returns the part of one seat."""
        self._check_player(player)
        return self.rewards()[player]

    def observation_string(self, player: int | None = None) -> str:
        """Returns what a seat sees: the position string."""
        self._check_player(player)
        return str(self._position)

    def information_state_string(self, player: int | None = None) -> str:
        """Returns all that a seat knows: where it began, and what was drawn and played since."""
        self._check_player(player)
        return "; ".join(self._told)

    def observation_tensor(self, player: int | None = None) -> list[int]:
        """Returns the position as a seat sees it, in numbers (`referee.features`).

        The default is the seat to move, or seat 0 when there is none.
        """
        if player is None:
            player = self._position.to_move or 0
        return features.encode(self._position, player)

    def _check_player(self, player: int | None) -> None:
        seats = self._game.num_players()
        # CHANCE_PLAYER and TERMINAL_PLAYER have no seat, and may be asked for as current_player is.
        if player is not None and player >= 0:
            features.check_seat(seats, player)

    def _check(self, action: int) -> None:
        legal = len(self.legal_actions())
        if not 0 <= action < legal:
            raise ValueError(f"action {action} is not legal: there are {legal} in \"{self}\"")

    def _numbers(self, outcome: int) -> list[int]:
        assert self._chance is not None
        numbers = []
        for _ in range(self._chance.numbers):
            outcome, number = divmod(outcome, self._chance.sides)
            numbers.append(number)
        return numbers[::-1]

    def __str__(self) -> str:
        return str(self._position)

    def __repr__(self) -> str:
        return f"<{self}>"


def load_game(name: str, seats: int = 2, options: Mapping[str, str] | None = None) -> Game:
    """Returns a game. Raises `rules.UnknownGame`, see `rules.make_game`."""
    return Game(make_game(name, seats, options))
