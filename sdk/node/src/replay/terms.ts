// The time control and policies of a match: what its opening may say of them, and how a policy is
// written.

import { FaultAction, Substitute, type FaultPolicy } from '../proto/referee/v1/match.js';
import type { OpeningRecord } from '../proto/referee/v1/replay.js';
import { demand } from './errors.js';

/** The notation of a policy, without what is as usual. */
export function policyText(policy: FaultPolicy | undefined): string {
  const { action, substitute, maxStrikes = 3, maxTries = 3 } = policy ?? {};
  if (action === FaultAction.RETRY) return maxTries === 3 ? 'retry' : `retry:${maxTries}`;
  if (action !== FaultAction.SUBSTITUTE) return 'forfeit';
  const random = substitute === Substitute.RANDOM ? ':random' : '';
  return `substitute${random}${maxStrikes === 3 ? '' : `:${maxStrikes}`}`;
}

const US = 1_000n;
const MS = 1_000_000n;
const S = 1_000_000_000n;
const HOUR = 3600n * S;

type Time = {
  [name in keyof OpeningRecord]-?: OpeningRecord[name] extends bigint ? name : never;
}[keyof OpeningRecord];

/** The least and the most of each, where it is set. */
const RANGES: Readonly<Partial<{ [name in Time]: readonly [bigint, bigint] }>> = {
  perMoveNs: [MS, 24n * HOUR],
  bankNs: [MS, 7n * 24n * HOUR],
  incrementNs: [0n, 24n * HOUR],
  firstMoveNs: [0n, 24n * HOUR],
  readyNs: [MS, HOUR],
  matchNs: [MS, 30n * 24n * HOUR],
  linkGraceNs: [0n, 24n * HOUR],
  lagPerMoveNs: [US, 10n * S],
  lagPerMatchNs: [US, 24n * HOUR],
};

/** Whether a policy has what its action needs and nothing else, as referees write it. */
function isWellFormed(policy: FaultPolicy | undefined): boolean {
  if (!policy) return true;
  const { action, substitute, maxStrikes, maxTries } = policy;
  if (action === FaultAction.RETRY) {
    return (
      substitute === Substitute.UNSPECIFIED && maxStrikes === 0 && maxTries >= 2 && maxTries <= 100
    );
  }
  const chooses = substitute === Substitute.FIRST || substitute === Substitute.RANDOM;
  const forgives = maxStrikes >= 1 && maxStrikes <= 1_000_000;
  return action === FaultAction.SUBSTITUTE && chooses && forgives && maxTries === 0;
}

const BEFORE_0_9 =
  'time control: it does not say what is given back of stalls; versions before 0.9 wrote such ' +
  'records, and this version does not read them';

/** Throws ReplayError for terms that no match can have. */
export function checkTerms(opening: OpeningRecord): void {
  for (const [name, [least, most]] of Object.entries(RANGES)) {
    const time = opening[name as Time];
    demand(
      time === 0n || (time >= least && time <= most),
      `${name}: ${time} is not ${least} to ${most}`,
    );
  }
  const { perMoveNs, bankNs, matchNs, incrementNs, lagPerMoveNs, lagPerMatchNs } = opening;
  demand(
    perMoveNs !== 0n || bankNs !== 0n || matchNs !== 0n,
    'time control: nothing limits the time',
  );
  demand(bankNs !== 0n || incrementNs === 0n, 'time control: an increment has no bank to go to');
  demand(lagPerMatchNs >= lagPerMoveNs, 'lag compensation: a match has less than a move');
  demand(
    lagPerMoveNs !== 0n || lagPerMatchNs === 0n,
    'lag compensation: a match has it, and a move has none',
  );
  const { stallPerMoveNs: stall, stallPerMatchNs: stalls } = opening;
  demand(stall !== undefined && stalls !== undefined, BEFORE_0_9);
  demand(
    stall >= 0n && stall <= HOUR && stalls >= stall && stalls <= 24n * HOUR,
    'time control: stalls that cannot be given back',
  );
  const { onTimeout, onIllegal } = opening;
  demand(
    isWellFormed(onTimeout) && onTimeout?.action !== FaultAction.RETRY,
    'on_timeout: it is no policy',
  );
  demand(isWellFormed(onIllegal), 'on_illegal: it is no policy');
}
