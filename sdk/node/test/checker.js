// Plays the first move, and throws if what it is told is not what the rules say.
import assert from 'node:assert/strict';
import { Bot, isaac, notation, run } from 'referee-sdk';
import { rulesOf } from 'referee-sdk/rules';

/** What games.hypnosia.v1.Position says of a state of the rules. */
function hypnosiaPosition({ table, forfeits }) {
  const { ringSizes, ringOffsets } = table.board;
  return {
    rings: ringSizes.map((size, r) => ({
      spaces: [...table.cells.subarray(ringOffsets[r], ringOffsets[r] + size)],
    })),
    lanes: table.lanes.map((lane) => ({ pawns: [0, 1, 2, 3].map((k) => ((lane >> k) & 1) === 1) })),
    centre: table.centre,
    points: table.points,
    forfeits,
  };
}

/** What games.isaac.v1.Position says of a state of the rules. */
function isaacPosition({ table, stage, firstSeat }) {
  const { HORIZONTAL, VERTICAL } = isaac.Direction;
  const pieces = table.pieces.filter(Boolean);
  return {
    pieces: pieces.map(({ seat, length, vertical, anchor }) => ({
      ...{ seat, length, cell: anchor },
      direction: vertical ? VERTICAL : HORIZONTAL,
    })),
    unplayed: table.unplayed.map((counts) => ({ counts })),
    scores: table.scores,
    floors: table.floors,
    out: table.out,
    phase: stage === 'placement' ? isaac.Phase.PLACEMENT : isaac.Phase.SCORING,
    first: firstSeat,
  };
}

class Checker extends Bot {
  onMatchStart(match) {
    this.game = rulesOf(match);
    this.turns = 0;
  }

  chooseTurn(turn) {
    const state = this.game.parsePosition(turn.positionText);
    assert.equal(state.seatToMove, turn.seat);
    assert.deepEqual(state.dice, turn.dice);
    const moves = state.legalMoves().map((move) => this.game.notation(move));
    assert.deepEqual(turn.moves.map(notation), moves);
    assert.deepEqual(turn.move(moves.length - 1), turn.moves.at(-1));
    const { hypnosia } = turn.position;
    if (hypnosia) assert.deepEqual(hypnosia, hypnosiaPosition(state));
    else assert.deepEqual(turn.position.isaac, isaacPosition(state));
    return turn.moves[turn.rng.below(turn.moveCount)];
  }

  onTurnPlayed(match, turn) {
    assert.equal(notation(turn.move), turn.notation);
  }
}

await run(Checker, import.meta.url);
