// Why a file is no replay, or cannot be read further.

export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  constructor(
    /** What is wrong and where: a byte of the file, a record, a turn. */
    message: string,
    /** The turn that the record is about which is wrong; 0 if it is about none. */
    readonly turn = 0,
  ) {
    super(message);
  }
}

/** Throws ReplayError unless something holds; the caller adds where. */
export function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new ReplayError(otherwise);
}
