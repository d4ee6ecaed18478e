// What is wrong with what comes from outside.

/** Options, a position or a move that make no sense; the message says where and why. */
export class RulesError extends Error {
  override readonly name: string = 'RulesError';
}

/** Throws RangeError unless a game of so many seats has that one. */
export function checkSeat(seats: number, seat: number): void {
  if (Number.isInteger(seat) && seat >= 0 && seat < seats) return;
  throw new RangeError(`there is no seat ${seat}: there are ${seats} seats, 0 to ${seats - 1}`);
}

/** A position string that cannot be read. */
export class PositionError extends RulesError {
  override readonly name = 'PositionError';
  constructor(
    /** The first field that is wrong. */
    readonly field: string,
    /** Where, from 0. */
    readonly byte: number,
    readonly why: string,
  ) {
    super(`position: ${field} (byte ${byte}): ${why}`);
  }
}

/** Notation that cannot be read. */
export class NotationError extends RulesError {
  override readonly name = 'NotationError';
  constructor(text: string, byte: number, why: string) {
    super(`move "${text}": byte ${byte}: ${why}`);
  }
}

/** A move that can be read, and is not to be played in the position. */
export class IllegalMoveError extends RulesError {
  override readonly name = 'IllegalMoveError';
  constructor(text: string, why: string) {
    super(`move "${text}" is illegal: ${why}`);
  }
}
