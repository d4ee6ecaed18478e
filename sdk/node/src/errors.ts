// What ends a bot, as gRPC names it.

/** By number, as on the wire. */
export const CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

export type Code = (typeof CODES)[number];

/** How a stream ended. */
export interface Status {
  readonly code: Code;
  readonly message: string;
}

/** Why a bot does not play, or plays no more. */
export class RefereeError extends Error {
  override readonly name = 'RefereeError';
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }
}

export function invalid(message: string): RefereeError {
  return new RefereeError('INVALID_ARGUMENT', message);
}
