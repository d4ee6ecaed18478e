// Replays: read, played again and verified. Nothing here needs Node.
//
//   const replay = Replay.parse(await readFile('match.rpl'));
//   for (const { state, turn } of replay.steps()) console.log(turn?.move, state.position());
//
//   const { ok, problem, notChecked } = await verify(bytes, KeyRing.parse(ring));

export { ReplayError } from './errors.js';
export { fingerprint, KeyRing } from './key_ring.js';
export { isPack, readPack, type PackEntry } from './pack.js';
export { Replay, type Step } from './replay.js';
export { verify, type DiceOrigin, type Verification } from './verifier.js';
export { ForfeitCause, MatchState } from '../proto/referee/v1/match.js';
export {
  DrawKind,
  type DrawRecord,
  type EndRecord,
  type FaultRecord,
  type ForfeitRecord,
  type NoContestRecord,
  type OpeningRecord,
  type Record,
  type ResumedRecord,
  type StartRecord,
  type TimingRecord,
  type TurnRecord,
} from '../proto/referee/v1/replay.js';
