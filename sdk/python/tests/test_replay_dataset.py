"""replay.dataset: the choices of replays as arrays."""

import pytest
from replay_samples import GOLDEN, golden, without

from referee import features, replay

pytestmark = pytest.mark.usefixtures("python_rules")


def test_a_dataset_names_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "numpy")
    with pytest.raises(ImportError, match="python3-numpy"):
        replay.dataset(GOLDEN)


def test_a_dataset_has_a_row_for_each_choice() -> None:
    numpy = pytest.importorskip("numpy")
    one = golden("01m81f9sz02pmmvb7grtxkyy87")
    data = replay.dataset([one])
    turns = [turn for turn in one.turns() if turn.move.notation != "-"]
    assert len(data.move) == len(turns) > 10
    assert data.features.shape == (len(turns), features.length(one.rules))
    assert data.features.dtype == numpy.int16
    for row, turn_ in enumerate(turns):
        assert turn_.position.legal_moves()[data.move[row]] == turn_.move
        assert list(data.features[row]) == features.encode(turn_.position, turn_.seat)
        assert data.value[row] == (1 if one.ranks[turn_.seat] == 1 else -1)
        assert (data.seat[row], data.number[row]) == (turn_.seat, turn_.number)
    assert data.match_ids == [one.match_id] and not data.match.any()
    assert (data.score == numpy.array(one.scores)[data.seat]).all()


def test_a_dataset_is_of_one_game() -> None:
    pytest.importorskip("numpy")
    isaac = replay.dataset(GOLDEN, game="isaac")
    assert len(isaac.match_ids) > 3 and isaac.features.shape[1] == 119
    three = replay.dataset(GOLDEN, game="hypnosia", seats=3, bot="g")
    assert len(set(three.match_ids)) > 1 and 0 < len(three.move)
    nothing = replay.dataset(GOLDEN, game="isaac", seats=3)
    assert nothing.match_ids == [] and nothing.features.shape == (0, 0)
