// The sample bot "leader": looks one move ahead with the rules of the SDK.
//
// It maximises its points minus those of the best other seat. It plays both games, and contains no
// code of either.
import { Bot, run } from 'referee-sdk';
import { rulesOf } from 'referee-sdk/rules';

class Leader extends Bot {
  onMatchStart(match) {
    this.game = rulesOf(match);
  }

  chooseTurn(turn) {
    const now = this.game.parsePosition(turn.positionText);
    let best = [];
    let most = -Infinity;
    for (const move of now.legalMoves()) {
      const after = now.clone();
      after.apply(move);
      const lead = this.lead(after, turn.match);
      if (lead > most) {
        best = [];
        most = lead;
      }
      if (lead === most) best.push(move);
    }
    return this.game.notation(turn.rng.choice(best));
  }

  lead(state, { seat, seats }) {
    const others = Array.from({ length: seats }, (_, other) => other).filter((s) => s !== seat);
    return state.score(seat) - Math.max(...others.map((other) => state.score(other)));
  }
}

// The rules list the legal moves.
await run(Leader, import.meta.url, { software: 'leader', legalMoves: false });
