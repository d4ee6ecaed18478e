"""The games as environments of PettingZoo, in which agents take turns (AEC).

    env = referee.aec.env("isaac")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Agents are "seat_0", "seat_1" and so on. An observation is a dictionary of two numpy arrays:
"observation" (`referee.features`, int16) and "action_mask" (int8). Action i is the i-th of the
legal moves, which `infos[agent]["moves"]` names for the agent that is to move. An illegal action
takes the seat out, as a referee does: it gets what the rules give it. Dice fall by themselves, and
follow from the seed as those of a match that a referee pins to it; passes are played.

Needs numpy; `env` needs pettingzoo and gymnasium as well: pip install pettingzoo gymnasium.
"""

import operator
import secrets
from typing import TYPE_CHECKING, Any, Mapping

from referee import features, refdice
from referee.env import State, load_game

if TYPE_CHECKING:
    _Base = object
else:
    try:
        from pettingzoo import AECEnv as _Base
    except ImportError:
        _Base = object

_LOWEST, _HIGHEST = -(2**15), 2**15 - 1


def _spaces() -> Any:
    try:
        from gymnasium import spaces
    except ImportError:
        raise ImportError("spaces need gymnasium: pip install gymnasium") from None
    return spaces


class RefereeEnv(_Base):
    """An environment. Its attributes and methods are those of `pettingzoo.AECEnv`."""

    metadata = {"name": "referee_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str, seats: int = 2, options: Mapping[str, str] | None = None,
                 render_mode: str | None = None) -> None:
        """Makes it; raises `rules.UnknownGame` for what the rules do not know."""
        self._numpy = features.numpy("referee.aec")
        self.game = load_game(game, seats, options)
        self.metadata = {**RefereeEnv.metadata, "name": f"{game}_v1"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._actions = self.game.num_distinct_actions()
        self._length = features.length(self.game.rules)
        self._spaces: dict[str, Any] = {}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._begun = False

    def observation_space(self, agent: str) -> Any:
        """Returns the space of what an agent sees."""
        if "observation" not in self._spaces:
            spaces = _spaces()
            self._spaces["observation"] = spaces.Dict({
                "observation": spaces.Box(
                    _LOWEST, _HIGHEST, (self._length,), self._numpy.int16),
                "action_mask": spaces.Box(0, 1, (self._actions,), self._numpy.int8)})
        return self._spaces["observation"]

    def action_space(self, agent: str) -> Any:
        """Returns the space of what an agent does."""
        if agent not in self._spaces:
            self._spaces[agent] = _spaces().Discrete(self._actions)
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match. Without a seed its dice are nobody's choice.

        `options` may have a "position", from which it begins.
        """
        if seed is not None and not 0 <= seed < 2**64:
            raise ValueError(f"a seed is a number from 0 to 2^64 - 1, not {seed}")
        secret = secrets.token_bytes(32) if seed is None else refdice.pinned_seed(seed)
        self._begun = True
        self._key = refdice.match_key(secret)
        self._state = self.game.new_initial_state((options or {}).get("position"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """Returns what an agent sees; the mask is of zeros unless it is to move."""
        seat = self._seat_of[agent]
        state = self._state
        mask = self._numpy.zeros(self._actions, self._numpy.int8)
        mask[:len(state.legal_actions(seat))] = 1
        row = features.encode(state.position, seat)
        return {"observation": self._numpy.array(row, self._numpy.int16), "action_mask": mask}

    def last(self, observe: bool = True) -> Any:
        """Returns observation, reward, termination, truncation and info of who is to act."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def step(self, action: int | None) -> None:
        """Plays for the agent that is to act; None for one whose match is over."""
        if not self._begun:
            raise RuntimeError("no match has begun: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: None is for an agent whose match is over")
        index = operator.index(action)
        self._cumulative_rewards[agent] = 0.0
        state = self._state
        if 0 <= index < len(state.moves):
            state.apply_action(index)
        else:
            state.apply_forfeit(self._seat_of[agent])
        self._go_on()

    # Dice fall and passes are played until an agent has a choice; at the end all get their due.
    def _go_on(self) -> None:
        state = self._state
        while not state.is_terminal():
            chance = state.position.chance
            if chance is not None:
                outcome = 0
                for number in refdice.uniform(self._key, *chance):
                    outcome = outcome * chance.sides + number
                state.apply_action(outcome)
            elif [move.notation for move in state.moves[:2]] == ["-"]:
                state.apply_action(0)
            else:
                break
        if state.is_terminal():
            self._finish(state)
            return
        self.agent_selection = self.possible_agents[state.current_player()]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["moves"] = [move.notation for move in state.moves]

    def _finish(self, state: State) -> None:
        result = state.result
        assert result is not None
        for agent in self.agents:
            seat = self._seat_of[agent]
            self.rewards[agent] = state.returns()[seat]
            self._cumulative_rewards[agent] += self.rewards[agent]
            self.terminations[agent] = True
            self.infos[agent] = {"reason": result.reason, "score": result.scores[seat],
                                 "rank": result.ranks[seat]}
        self.agent_selection = self.agents[0]

    # Takes an agent away whose match is over, and goes to the next.
    def _leave(self, agent: str, action: int | None) -> None:
        if action is not None:
            raise ValueError("when an agent's match is over, its only action is None")
        tables: list[dict[str, Any]] = [
            self._cumulative_rewards, self.terminations, self.truncations, self.infos]
        for table in tables:
            del table[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)

    def render(self) -> str | None:
        """Returns the position string with render_mode "ansi"."""
        return str(self._state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


def env(game: str, seats: int = 2, options: Mapping[str, str] | None = None,
        render_mode: str | None = None) -> Any:
    """Returns an environment with PettingZoo's checks of the order of calls around it."""
    try:
        from pettingzoo.utils import wrappers
    except ImportError:
        raise ImportError("pettingzoo is missing: pip install pettingzoo gymnasium") from None
    return wrappers.OrderEnforcingWrapper(RefereeEnv(game, seats, options, render_mode))
