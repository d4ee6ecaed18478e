// The notation of the protocol's moves.

import { Direction, type Move as IsaacMove } from './proto/games/isaac/v1/isaac.js';
import type { Move as HypnosiaMove, Space } from './proto/games/hypnosia/v1/hypnosia.js';
import type { Move } from './proto/referee/v1/game.js';

// Values of Space.area besides those of the rings, which are 1 to 8.
const LANE = 0;
const CENTRE = 9;

function spaceText(space: Space | undefined): string {
  if (!space) return '?';
  if (space.area === CENTRE) return 'X';
  const letter = space.area === LANE ? 'L' : String.fromCharCode(64 + space.area);
  return letter + space.index;
}

function hypnosiaText({ steps }: HypnosiaMove): string {
  const texts = steps.map(({ die, from, stack, to, captured }) => {
    const arrow = stack ? '*>' : '>';
    return `${die}:${spaceText(from)}${arrow}${spaceText(to)}${'x'.repeat(captured)}`;
  });
  return texts.join(' ') || '-';
}

function isaacText({ placement, removal }: IsaacMove): string {
  const lies = (direction: Direction) => (direction === Direction.VERTICAL ? 'v' : 'h');
  const cell = (number: number) => String(number).padStart(2, '0');
  if (placement) return placement.length + lies(placement.direction) + cell(placement.cell);
  if (!removal) return '-';
  return `x${cell(removal.cell)}${lies(removal.direction)}+${removal.advance ?? 0}`;
}

/** The notation of a move; "-" is the pass. "?" for a move of a game unknown to this SDK. */
export function notation(move: Move): string {
  if (move.hypnosia) return hypnosiaText(move.hypnosia);
  if (move.isaac) return isaacText(move.isaac);
  return move.notation ?? '?';
}
