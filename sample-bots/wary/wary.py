#!/usr/bin/env python3
"""The sample bot "wary": looks one turn ahead with the SDK's rules, and avoids captures.

    refctl duel --game hypnosia --bot sample-bots/wary/wary.py --bot build/release/bin/bots/random

In Hypnosia it values points, progress of its pawns, and safety from capture. In Isaac it places
long pieces in crowded lines, and removes short pieces that score much.
"""

from typing import Union

import referee
from referee.rules.hypnosia import HypnosiaPosition
from referee.rules.isaac import IsaacPosition, Piece, Placement, Removal

# By distance: how many of the 36 rolls move a unit that far, with one die or with both.
HITS = [0, 11, 12, 14, 15, 17, 17, 6, 6, 5, 3, 2, 3]


class Wary(referee.Bot):
    def choose_turn(self, turn: referee.Turn) -> Union[referee.Move, str]:
        position = turn.position
        best = position.legal_moves()[0]
        most = float("-inf")
        for move in position.legal_moves():
            value = self.value(position, move, turn.seat)
            if value > most:
                best, most = move, value
            if turn.time_left < turn.limit / 4:
                turn.log.warning("looked at no more moves: the time is nearly up")
                break
        return best

    def value(self, position: referee.rules.Position, move: referee.Move, seat: int) -> float:
        if isinstance(position, HypnosiaPosition):
            return value_of_hypnosia(position.play(move), seat)
        assert isinstance(position, IsaacPosition)
        return value_in_isaac(position, move, seat)


def value_of_hypnosia(position: HypnosiaPosition, seat: int) -> float:
    """Returns the value of a position after the seat's own turn, in points."""
    board = position.game.board
    scores = position.scores
    value = float(scores[seat] - max(score for one, score in enumerate(scores) if one != seat))
    for ring, (low, size) in enumerate(zip(board.offsets, board.sizes)):
        cells = position.cells[low:low + size]
        for index, cell in enumerate(cells):
            if cell == 0 or (cell - 1) // 2 != seat:
                continue
            pawns = 2 - cell % 2
            value += pawns * (0.5 + 0.6 * ring)
            if pawns == 1:
                value -= 1.5 * danger(cells, index, seat)
    return value


def danger(cells: list[int], index: int, seat: int) -> float:
    """Estimates the chance that a single pawn is captured from behind, 0 to 1."""
    hits = sum(HITS[back] for back in range(1, 13)
               if back < len(cells) and cells[index - back] > 0
               and (cells[index - back] - 1) // 2 != seat)
    return min(1.0, hits / 36)


def value_in_isaac(position: IsaacPosition, move: referee.Move, seat: int) -> float:
    """Returns the value of a move: of a placement by its crowding, of a removal by its points."""
    if isinstance(move, Placement):
        piece = Piece(seat, move.length, move.vertical, move.cell)
        met = sum(1 for other in position.pieces.values() if other.cells & piece.line)
        return 3.0 * move.length + met
    if isinstance(move, Removal):
        # After a long piece is removed, shorter pieces can no longer be removed.
        length = position.pieces[move.cell].length
        return move.advance - 6.0 * (length - max(3, position.floors[seat]))
    return 0.0


if __name__ == "__main__":
    referee.run(Wary(), software="wary", legal_moves=False)
