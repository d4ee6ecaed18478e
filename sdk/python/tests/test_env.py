"""referee.env and referee.aec: games for programs that train bots."""

import random
from typing import Any

import pytest

from referee import env, features, refdice, rules

pytestmark = pytest.mark.usefixtures("python_rules")

CASES = [("hypnosia", 2), ("hypnosia", 3), ("isaac", 2)]


def play_out(state: env.State, chance: random.Random) -> None:
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))


# --- State ---


@pytest.mark.parametrize("name, seats", CASES)
def test_a_match_goes_from_chance_to_choice_to_its_end(name: str, seats: int) -> None:
    game = env.load_game(name, seats)
    chance = random.Random(1)
    state = game.new_initial_state()
    assert state.is_chance_node() and state.current_player() == env.CHANCE_PLAYER
    while not state.is_terminal():
        assert state.is_chance_node() + state.is_player_node() == 1
        actions = state.legal_actions()
        assert actions == list(range(len(actions)))
        assert len({state.action_to_string(action) for action in actions}) == len(actions)
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [outcome for outcome, _ in outcomes] == actions
            assert abs(sum(likely for _, likely in outcomes) - 1) < 1e-9
            assert len(actions) <= game.max_chance_outcomes()
        else:
            seat = state.current_player()
            assert 0 <= seat < seats and state.legal_actions((seat + 1) % seats) == []
            assert [move.notation for move in state.moves] == [
                state.action_to_string(action) for action in actions]
            assert len(actions) <= game.num_distinct_actions()
        assert state.returns() == [0.0] * seats
        action = chance.choice(actions)
        assert state.string_to_action(state.action_to_string(action)) == action
        state.apply_action(action)
    assert state.current_player() == env.TERMINAL_PLAYER
    assert state.legal_actions() == [] and state.chance_outcomes() == []
    assert state.result is not None
    assert state.returns() == env.utilities(state.result.ranks)


@pytest.mark.parametrize("name, seats", CASES)
def test_a_history_leads_to_the_same_state(name: str, seats: int) -> None:
    game = env.load_game(name, seats)
    state = game.new_initial_state()
    play_out(state, random.Random(2))
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert str(again) == str(state)
    assert again.information_state_string() == state.information_state_string()


def test_a_clone_and_a_child_go_their_own_way() -> None:
    state = env.load_game("isaac").new_initial_state()
    state.apply_action(0)
    clone, child = state.clone(), state.child(3)
    play_out(clone, random.Random(3))
    assert len(state.history()) == 1 and len(child.history()) == 2
    assert str(state) != str(child) != str(clone)
    assert child.information_state_string().endswith(state.action_to_string(3))


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    state = env.load_game("hypnosia").new_initial_state("36/24/12 1111,1111 - 0,0 - a 54")
    before = str(state)
    for action in (-1, 10_000):
        with pytest.raises(ValueError):
            state.apply_action(action)
    assert str(state) == before == state.observation_string(1) and state.history() == []
    with pytest.raises(rules.BadPosition):
        state.get_game().new_initial_state("nonsense")


def test_dice_fall_as_an_action_names_them() -> None:
    state = env.load_game("hypnosia").new_initial_state("36/24/12 1111,1111 - 0,0 - a 54")
    state.apply_action(0)
    action = state.string_to_action("6 2")
    state.apply_action(action)
    assert state.position.dice == (6, 2) and action == 5 * 6 + 1


@pytest.mark.parametrize("ranks, worth", [
    ((1, 2), [1, -1]), ((2, 1), [-1, 1]), ((1, 1), [0, 0]), ((1, 2, 3), [1, 0, -1]),
    ((1, 2, 2, 4), [1, 0, 0, -1]), ((3, 1, 1), [-1, 0.5, 0.5])])
def test_ranks_are_worth_one_to_minus_one(ranks: tuple[int, ...], worth: Any) -> None:
    assert env.utilities(ranks) == worth and sum(worth) == 0


# --- Features ---


def test_a_row_shows_the_position_from_its_seats_view() -> None:
    game = rules.make_game("hypnosia", 2)
    position = game.position("aA34/24/12 1000,1100 b 3,-2 - b 54")
    mine, theirs = features.encode(position, 0), features.encode(position, 1)
    assert len(mine) == len(theirs) == features.length(game)
    assert mine[:3] == [1, 2, 0] and theirs[:3] == [3, 4, 0]
    assert mine[72:80] == [1, 0, 0, 0, 1, 1, 0, 0] and theirs[72:80] == [1, 1, 0, 0, 1, 0, 0, 0]
    assert mine[80:85] == [2, 0, 0, 0, 0] and theirs[80:85] == [1, 0, 0, 0, 0]
    assert mine[85:] == [3, 3, 0, 0, 1, 5, 4] and theirs[85:] == [3, 3, 0, 0, 0, 5, 4]


def test_a_row_of_isaac_shows_the_pieces() -> None:
    position = rules.make_game("isaac", 2).start().drawn([1]).play("7h33").play("3v00")
    row = features.encode(position, 0)
    assert [row[cell] for cell in (0, 10, 20, 30)] == [13, 13, 13, 0]
    assert [row[cell] for cell in (33, 39, 32)] == [-7, -7, 0]
    assert row[100:110] == [4, 4, 3, 2, 1, 5, 4, 3, 2, 0]
    assert row[110:] == [0, 0, 0, 0, 0, 0, 0, 1, 1]


# --- PettingZoo ---


def aec_env(name: str, seats: int, **more: Any) -> Any:
    pytest.importorskip("numpy")
    from referee import aec

    return aec.RefereeEnv(name, seats, **more)


@pytest.mark.parametrize("name, seats", CASES)
def test_agents_take_turns_until_all_have_left(name: str, seats: int) -> None:
    one = aec_env(name, seats)
    one.reset(seed=4)
    chance = random.Random(4)
    due = dict.fromkeys(one.possible_agents, 0.0)
    steps = 0
    while one.agents:
        agent = one.agent_selection
        observation, reward, termination, truncation, info = one.last()
        due[agent] += reward
        assert not truncation
        mask = observation["action_mask"]
        assert observation["observation"].shape == (features.length(one.game.rules),)
        assert mask.shape == (one.game.num_distinct_actions(),)
        assert {len(table) for table in (one.rewards, one.terminations, one.truncations,
                                         one.infos)} == {len(one.agents)}
        if termination:
            assert not mask.any() and {"reason", "score", "rank"} <= info.keys()
            one.step(None)
            continue
        assert len(info["moves"]) == mask.sum() > 0 and info["moves"] != ["-"]
        for other in one.agents:
            assert other == agent or not one.observe(other)["action_mask"].any()
        one.step(chance.randrange(int(mask.sum())))
        steps += 1
    assert steps > 10 and one._state.result is not None
    assert list(due.values()) == env.utilities(one._state.result.ranks)


def test_the_dice_of_a_seed_are_the_referees() -> None:
    one, again = (aec_env("hypnosia", 2) for _ in range(2))
    one.reset(seed=7)
    again.reset(seed=7)
    assert str(one._state) == str(again._state)
    key = refdice.match_key(refdice.pinned_seed(7))
    position = rules.make_game("hypnosia", 2).start()
    while position.chance is not None:
        position = position.drawn(refdice.uniform(key, *position.chance))
    assert str(one._state) == str(position)


def test_an_illegal_action_takes_the_seat_out() -> None:
    one = aec_env("isaac", 2, render_mode="ansi")
    one.reset(seed=1)
    loser = one.agent_selection
    one.step(1094)
    assert one.terminations == {"seat_0": True, "seat_1": True}
    assert one.rewards[loser] == -1 and sum(one.rewards.values()) == 0
    assert one.render() == str(one._state)
    with pytest.raises(ValueError):
        one.step(0)


def test_what_makes_no_sense_is_refused() -> None:
    one = aec_env("isaac", 2)
    with pytest.raises(RuntimeError, match="reset"):
        one.step(0)
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="a seed is"):
            one.reset(seed=seed)
    one.reset(seed=1)
    before = str(one._state)
    with pytest.raises(ValueError, match="is to move"):
        one.step(None)
    with pytest.raises(TypeError):
        one.step(1.7)
    assert str(one._state) == before and not any(one.terminations.values())


def test_it_begins_where_it_is_told() -> None:
    one = aec_env("hypnosia", 2)
    one.reset(options={"position": "36/24/12 1111,1111 - 0,0 - b 54"})
    assert one.agent_selection == "seat_1"


@pytest.mark.parametrize("name, seats", CASES)
def test_pettingzoo_finds_nothing_wrong(name: str, seats: int) -> None:
    api = pytest.importorskip("pettingzoo.test")
    from referee import aec

    api.api_test(aec.env(name, seats), num_cycles=200)


def test_what_is_missing_is_named() -> None:
    try:
        import pettingzoo  # noqa: F401
    except ImportError:
        pytest.importorskip("numpy")
        from referee import aec

        with pytest.raises(ImportError, match="pip install pettingzoo"):
            aec.env("isaac")


@pytest.mark.parametrize("name", ["hypnosia", "isaac"])
def test_a_seat_that_the_game_has_not_is_refused(name: str) -> None:
    state = env.load_game(name).new_initial_state()
    for ask in (state.observation_tensor, state.observation_string, state.legal_actions,
                state.legal_actions_mask, state.information_state_string, state.player_reward,
                lambda seat: features.encode(state.position, seat)):
        for seat in (2, 7):
            with pytest.raises(ValueError, match=f"there is no seat {seat}: there are 2 seats, 0 to 1"):
                ask(seat)
    for seat in (-1, -7):
        with pytest.raises(ValueError, match=f"there is no seat {seat}"):
            state.observation_tensor(seat)
