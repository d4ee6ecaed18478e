// Checks what the records of a match say of time and faults against its time control and policies:
// where the time of each turn went, what was charged, banks, strikes, tries, the referee's moves in a
// bot's place, the cap of the match, no contest. The rules are those of referee/replay/FORMAT.md,
// "Records". Positions, legal moves and dice are the caller's.
//
// Each method takes one record, in order, and says what is wrong with it in one line that does not
// name the turn; empty if nothing is. After a wrong record the checker must not be used.

import { FaultAction, ForfeitCause, MatchState, Substitute } from '../proto/referee/v1/match.js';
import type {
  EndRecord,
  FaultRecord,
  ForfeitRecord,
  NoContestRecord,
  OpeningRecord,
  TimingRecord,
  TurnRecord,
} from '../proto/referee/v1/replay.js';
import { uniform } from '../refdice.js';
import { letter } from '../rules/fields.js';
import { policyText } from './terms.js';

/** More than any time that can be recorded. */
const UNLIMITED = 1n << 80n;
const HANDOVER_LIMIT = 5_000_000n;
const MAX_DRAWN = 65536;

/** What must follow a record, unless the referee died in the middle of writing that. */
type Due = 'start' | 'anything' | 'substitute' | 'forfeits' | 'void';

const MISSED: Readonly<{ [due in Due]?: string }> = {
  substitute: 'the referee did not play for the seat whose move was illegal',
  forfeits: "the match's time was used up, but the seats do not forfeit",
  void: 'a match without a contest goes on',
};

interface SeatClock {
  bank: bigint;
  grace: bigint; // left
  lag: bigint; // credit left
  stall: bigint; // left to be given back
  stallsCharged: boolean; // nothing is given back any more
  used: bigint; // in all turns
  moved: boolean;
  timeouts: number; // forgiven
  illegalMoves: number; // forgiven
  out: boolean;
}

export interface Legal {
  readonly count: number;
  readonly isPass: boolean;
  notation(index: number): string;
}

const nanos = (time: bigint) => (time >= UNLIMITED ? 'unlimited time' : `${time} ns`);

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

const atLeastZero = (time: bigint) => (time < 0n ? 0n : time);

/** On the seat's clock when the reply was read. */
function elapsedOf({ readNs, startedNs, pausedNs, stalledNs, creditNs }: TimingRecord): bigint {
  return atLeastZero(readNs - startedNs - pausedNs - stalledNs - creditNs);
}

export class Clocks {
  readonly #terms: OpeningRecord;
  readonly #seats: SeatClock[];
  #used = 0n; // by all seats
  #lengthened = false; // the turn that is due, by a forfeit that interrupted it
  #tries = 0; // in the turn that is due
  #due: Due = 'start';
  #resignedBeforeStart = false;
  #resumed = false; // and no seat's clock has run since
  #atCap = -1; // who was to move when the match's time was used up

  constructor(opening: OpeningRecord) {
    this.#terms = opening;
    this.#seats = opening.bots.map(() => ({
      bank: opening.bankNs || UNLIMITED,
      grace: opening.linkGraceNs,
      lag: opening.lagPerMatchNs,
      stall: opening.stallPerMatchNs!,
      stallsCharged: false,
      used: 0n,
      moved: false,
      timeouts: 0,
      illegalMoves: 0,
      out: false,
    }));
  }

  // --- Limits ---

  #firstMove(seat: number): bigint {
    return this.#seats[seat]!.moved ? 0n : this.#terms.firstMoveNs;
  }
  #stallQuota(seat: number): bigint {
    const { stall, stallsCharged } = this.#seats[seat]!;
    return stallsCharged ? 0n : smaller(this.#terms.stallPerMoveNs!, stall);
  }
  #matchTimeLeft(): bigint {
    const { matchNs } = this.#terms;
    return matchNs === 0n ? UNLIMITED : atLeastZero(matchNs - this.#used);
  }
  /** What the turn that is due may take. */
  #limit(seat: number): bigint {
    const { perMoveNs } = this.#terms;
    const perMove = this.#lengthened ? 2n * perMoveNs : perMoveNs;
    const own = smaller(perMove || UNLIMITED, this.#seats[seat]!.bank);
    const limit = own === UNLIMITED ? UNLIMITED : own + this.#firstMove(seat);
    return smaller(limit, this.#matchTimeLeft());
  }

  // --- What a record before has led to ---

  #missed(): string {
    return MISSED[this.#due] ?? '';
  }

  resumed(): void {
    this.#resumed = true;
    this.#lengthened = false;
    if (this.#due !== 'void') this.#due = 'anything';
  }

  end(end: EndRecord): string {
    const finished = end.state === MatchState.FINISHED;
    if (this.#due === 'void' && end.state === MatchState.VOID) return '';
    if (this.#due === 'forfeits' && finished) return '';
    // In a block that turn, or those forfeits, may be withheld, for the sake of the roll after it,
    // when another match of it makes it void.
    const withheld = this.#terms.blockId !== '' && !finished;
    if ((this.#due === 'substitute' || this.#due === 'forfeits') && withheld) return '';
    return this.#missed();
  }

  // --- Turns ---

  /** `key` is that of the match. REQUIRES: the seat was to move. */
  turn(turn: TurnRecord, legal: Legal, key: Uint8Array): string {
    const problem = legal.isPass ? this.#passProblem(turn) : this.#playedProblem(turn, legal, key);
    if (problem) return problem;
    if (!legal.isPass) this.#count(turn);
    this.#lengthened = false;
    this.#due = 'anything';
    const { bank } = this.#seats[turn.seat]!;
    const left = bank === UNLIMITED ? 0n : bank;
    if (turn.bankLeftNs === left) return '';
    return `clock: ${nanos(turn.bankLeftNs)} left in the bank, but it should be ${nanos(left)}`;
  }

  #passProblem({ usedNs, timing, substituted }: TurnRecord): string {
    if (usedNs !== 0n) return `clock: ${nanos(usedNs)} used for a pass, which costs none`;
    if (timing || substituted) return 'clock: nobody is asked for a pass';
    return this.#missed();
  }

  #playedProblem(turn: TurnRecord, legal: Legal, key: Uint8Array): string {
    const { seat, timing, substituted, usedNs: used } = turn;
    const illegal = substituted === ForfeitCause.ILLEGAL;
    const due = this.#due === 'substitute' && illegal;
    if (!due && this.#missed()) return this.#missed();
    if (illegal && !due) return 'the referee played for a seat whose move was not illegal';
    if (!timing) return 'clock: nothing says where the time went';
    const wrongTiming = this.#timingProblem(timing, seat);
    if (wrongTiming) return wrongTiming;
    const elapsed = elapsedOf(timing);
    const limit = this.#limit(seat);
    if (substituted === ForfeitCause.TIMEOUT) {
      const problem = this.#timeoutProblem(seat, elapsed);
      if (problem) return problem;
      if (used !== limit) {
        return `clock: ${nanos(used)} used, but a seat that was played for is charged its limit, ${nanos(limit)}`;
      }
    } else if (used !== elapsed) {
      return `clock: ${nanos(used)} used, but its times give ${nanos(elapsed)}`;
    } else if (used > limit) {
      return `clock: ${nanos(used)} used, but the limit was ${nanos(limit)}`;
    }
    return substituted ? this.#substituteProblem(turn, legal, key) : '';
  }

  #timingProblem(timing: TimingRecord, seat: number): string {
    const { startedNs: started, writtenNs: written, readNs: read, takenNs: taken } = timing;
    const { pausedNs: paused, stalledNs: stalled, creditNs: credit, roundTripNs: roundTrip } = timing;
    const clock = this.#seats[seat]!;
    const { grace, lag } = clock;
    if (started < 0n) return 'clock: it started before the turn was due';
    if (started > HANDOVER_LIMIT) {
      return `clock: it started ${nanos(started)} after the turn was due, but the limit of the handover is ${nanos(HANDOVER_LIMIT)}`;
    }
    if (read < started) return 'clock: the reply was read before the clock started';
    if (taken < read) return 'clock: the reply was taken up before it was read';
    if (written !== undefined && (written < 0n || written > taken)) {
      return 'clock: the request was not written between due and taken up';
    }
    if (roundTrip < 0n) return 'clock: the round trip is less than nothing';
    if (paused < 0n || paused > grace) {
      return `clock: it stood still for ${nanos(paused)}, but ${nanos(grace)} of the grace for a lost link were left`;
    }
    if (paused > 0n && !timing.linkLost) {
      return `clock: it stood still for ${nanos(paused)}, but its link was not lost`;
    }
    if (clock.stallsCharged && !timing.stallsCharged) {
      return "clock: the referee's stalls were charged to the seat before, but not in this turn";
    }
    clock.stallsCharged = timing.stallsCharged;
    const quota = this.#stallQuota(seat);
    if (stalled < 0n || stalled > quota) {
      return `clock: ${nanos(stalled)} of the referee's stalls given back, but it should be at most ${nanos(quota)}`;
    }
    if (stalled > atLeastZero(read - started - paused)) {
      return 'clock: more was given back than its clock ran';
    }
    const most = smaller(roundTrip, smaller(this.#terms.lagPerMoveNs, lag));
    if (credit < 0n || credit > most) {
      return `clock: ${nanos(credit)} of network time credited, but it should be at most ${nanos(most)}`;
    }
    return '';
  }

  /** The seat was played for when its time was up. */
  #timeoutProblem(seat: number, elapsed: bigint): string {
    const policy = this.#terms.onTimeout;
    const limit = this.#limit(seat);
    if (policy?.action !== FaultAction.SUBSTITUTE) {
      return `the referee played for a time loss, but the policy is ${policyText(policy)}`;
    }
    if (elapsed <= limit) {
      return `clock: the referee played for a time loss after ${nanos(elapsed)}, but the limit was ${nanos(limit)}`;
    }
    if (limit >= this.#matchTimeLeft()) {
      return "the referee played for a time loss, but the match's time was used up";
    }
    if (this.#seats[seat]!.timeouts < policy.maxStrikes) return '';
    return `the referee played for a time loss, but seat ${letter(seat)} had its ${policy.maxStrikes} strikes`;
  }

  #substituteProblem(turn: TurnRecord, legal: Legal, key: Uint8Array): string {
    const { onTimeout, onIllegal } = this.#terms;
    const policy = turn.substituted === ForfeitCause.TIMEOUT ? onTimeout : onIllegal;
    const drawn = Math.min(legal.count, MAX_DRAWN);
    const random = policy?.substitute === Substitute.RANDOM && drawn > 1;
    const index = random ? uniform(key, `substitute/${turn.number}`, drawn, 1)[0]! : 0;
    const due = legal.notation(index);
    if (turn.move === due) return '';
    return `the referee played ${turn.move} for the seat, but the policy gives ${due}`;
  }

  #count(turn: TurnRecord): void {
    const clock = this.#seats[turn.seat]!;
    if (clock.bank !== UNLIMITED) {
      const charged = atLeastZero(turn.usedNs - this.#firstMove(turn.seat));
      clock.bank = atLeastZero(clock.bank - charged) + this.#terms.incrementNs;
    }
    clock.moved = true;
    clock.grace -= turn.timing!.pausedNs;
    clock.lag -= turn.timing!.creditNs;
    clock.stall -= turn.timing!.stalledNs;
    clock.used += turn.usedNs;
    if (turn.substituted === ForfeitCause.TIMEOUT) ++clock.timeouts;
    if (turn.substituted === ForfeitCause.ILLEGAL) ++clock.illegalMoves;
    this.#used += turn.usedNs;
    this.#tries = 0;
    this.#resumed = false;
  }

  // --- Faults ---

  /** REQUIRES: the seat was to move. */
  fault(fault: FaultRecord): string {
    if (this.#missed()) return this.#missed();
    this.#due = 'anything';
    this.#resumed = false;
    const timeout = fault.cause === ForfeitCause.TIMEOUT;
    const problem = timeout ? this.#endOfMatchTime(fault) : this.#illegalMove(fault);
    return problem && `fault of seat ${letter(fault.seat)}: ${problem}`;
  }

  #endOfMatchTime({ seat, usedNs: used, timing }: FaultRecord): string {
    const limit = this.#limit(seat);
    const left = this.#matchTimeLeft();
    if (limit < left) {
      return `the match's time used up, but ${nanos(left)} were left, and the limit of the turn was ${nanos(limit)}`;
    }
    if (used !== limit) return `${nanos(used)} used, but the match's time left was ${nanos(limit)}`;
    if (!timing) return "the match's time used up, but nothing says where that of the turn went";
    const problem = this.#timingProblem(timing, seat);
    if (problem) return problem;
    const elapsed = elapsedOf(timing);
    if (elapsed <= limit) {
      return `the match's time used up after ${nanos(elapsed)}, but the limit was ${nanos(limit)}`;
    }
    this.#seats[seat]!.used += used;
    this.#used += used;
    this.#atCap = seat;
    this.#due = 'forfeits';
    return '';
  }

  #illegalMove({ seat, usedNs: used, timing }: FaultRecord): string {
    const policy = this.#terms.onIllegal;
    const limit = this.#limit(seat);
    if (timing) return 'a move with times, but its turn is not over';
    if (used < 0n || used > limit) {
      return `a move after ${nanos(used)}, but the limit was ${nanos(limit)}`;
    }
    if (policy?.action === FaultAction.RETRY) {
      ++this.#tries;
      if (this.#tries < policy.maxTries) return '';
      return `try ${this.#tries} of ${policy.maxTries} was forgiven, but was the last`;
    }
    if (policy?.action === FaultAction.SUBSTITUTE) {
      this.#due = 'substitute';
      if (this.#seats[seat]!.illegalMoves < policy.maxStrikes) return '';
      return `an illegal move was forgiven, but the seat had its ${policy.maxStrikes} strikes`;
    }
    return `an illegal move was forgiven, but the policy is ${policyText(policy)}`;
  }

  /** REQUIRES: the seat was to move. */
  noContest(record: NoContestRecord): string {
    if (this.#missed()) return this.#missed();
    const { seat, usedNs: used, limitNs, stallNs: stall } = record;
    const timing = record.timing!;
    const wrongTiming = this.#timingProblem(timing, seat);
    if (wrongTiming) return wrongTiming;
    const who = `no contest of seat ${letter(seat)}: `;
    const elapsed = elapsedOf(timing);
    const limit = this.#limit(seat);
    const quota = this.#stallQuota(seat);
    if (used !== elapsed) return `${who}${nanos(used)} used, but its times give ${nanos(elapsed)}`;
    if (limitNs !== limit) return `${who}a limit of ${nanos(limitNs)}, but it was ${nanos(limit)}`;
    if (elapsed <= limit) {
      return `${who}${nanos(elapsed)} used, which is not more than the limit of ${nanos(limit)}`;
    }
    if (timing.stallsCharged) {
      return `${who}the referee stood still, but its stalls were charged to the seat`;
    }
    if (stall <= this.#terms.stallPerMoveNs!) {
      return `${who}the referee stood still for ${nanos(stall)}, which is no more than may be given back, ${nanos(this.#terms.stallPerMoveNs!)}`;
    }
    if (timing.stalledNs !== quota) {
      return `${who}${nanos(timing.stalledNs)} was given back, and not ${nanos(quota)}`;
    }
    const late = elapsed + timing.stalledNs - limit;
    if (stall < late) {
      return `${who}the referee stood still for ${nanos(stall)}, which cannot have decided a loss by ${nanos(late)}`;
    }
    this.#due = 'void';
    return '';
  }

  // --- Forfeits ---

  /** REQUIRES: the seat was not out. `toMove`: who was to move. */
  forfeit(forfeit: ForfeitRecord, toMove: number): string {
    const problem = this.#forfeitProblem(forfeit, toMove);
    if (problem) return `forfeit of seat ${letter(forfeit.seat)}: ${problem}`;
    this.#seats[forfeit.seat]!.out = true;
    this.#used += forfeit.usedNs;
    const mover = forfeit.seat === toMove;
    if (mover) this.#tries = 0;
    this.#lengthened = !mover && (this.#lengthened || forfeit.interruptsTurn);
    if (!forfeit.timing) return '';
    this.#resumed = false;
    if (this.#due === 'start') this.#due = 'anything';
    return '';
  }

  #forfeitProblem(forfeit: ForfeitRecord, toMove: number): string {
    if (this.#due === 'forfeits') return this.#forfeitAtCapProblem(forfeit);
    if (this.#missed()) return this.#missed();
    const problem = forfeit.timing
      ? this.#clockedForfeitProblem(forfeit, forfeit.timing, toMove)
      : this.#unclockedForfeitProblem(forfeit, toMove);
    return problem || this.#interruptionProblem(forfeit, toMove);
  }

  #clockedForfeitProblem(forfeit: ForfeitRecord, timing: TimingRecord, toMove: number): string {
    if (forfeit.seat !== toMove) return 'it has times, but it was not to move';
    const problem = this.#timingProblem(timing, forfeit.seat);
    if (problem) return problem;
    const elapsed = elapsedOf(timing);
    if (forfeit.usedNs !== elapsed) {
      return `${nanos(forfeit.usedNs)} used, but its times give ${nanos(elapsed)}`;
    }
    if (forfeit.cause === ForfeitCause.RESIGNED) return '';
    return forfeit.cause === ForfeitCause.ILLEGAL
      ? this.#forfeitForMoveProblem(forfeit)
      : this.#forfeitForTimeProblem(forfeit, timing);
  }

  /** Only a seat that is not to move interrupts a turn, by resigning. */
  #interruptionProblem({ seat, cause, interruptsTurn }: ForfeitRecord, toMove: number): string {
    if (!interruptsTurn) return '';
    if (seat === toMove) return 'it interrupts a turn, but it was that of the seat itself';
    if (cause === ForfeitCause.RESIGNED) return '';
    return 'it interrupts a turn, but the seat did not resign';
  }

  #forfeitForMoveProblem({ seat, usedNs: used }: ForfeitRecord): string {
    const policy = this.#terms.onIllegal;
    const limit = this.#limit(seat);
    const { illegalMoves } = this.#seats[seat]!;
    if (used > limit) return `for a move after ${nanos(used)}, but the limit was ${nanos(limit)}`;
    if (policy?.action === FaultAction.RETRY && this.#tries + 1 < policy.maxTries) {
      return `for try ${this.#tries + 1} of ${policy.maxTries}`;
    }
    if (policy?.action === FaultAction.SUBSTITUTE && illegalMoves < policy.maxStrikes) {
      return `for a move after ${illegalMoves} of ${policy.maxStrikes} strikes`;
    }
    return '';
  }

  #forfeitForTimeProblem(forfeit: ForfeitRecord, timing: TimingRecord): string {
    const policy = this.#terms.onTimeout;
    const limit = this.#limit(forfeit.seat);
    const { timeouts } = this.#seats[forfeit.seat]!;
    if (forfeit.usedNs <= limit) {
      return `for its time after ${nanos(forfeit.usedNs)}, but the limit was ${nanos(limit)}`;
    }
    if (limit >= this.#matchTimeLeft()) {
      return 'for its time alone, but that of the match was used up';
    }
    if (forfeit.cause === ForfeitCause.DISCONNECTED && !timing.linkLost) {
      return 'for a lost link, but its link was not lost';
    }
    if (policy?.action === FaultAction.SUBSTITUTE && timeouts < policy.maxStrikes) {
      return `for its time after ${timeouts} of ${policy.maxStrikes} strikes`;
    }
    return '';
  }

  /** A bot that was not ready, or that resigned while no clock of its own ran. */
  #unclockedForfeitProblem({ seat, cause, usedNs }: ForfeitRecord, toMove: number): string {
    const unexplained = 'nothing says where its time went';
    const starting = this.#due === 'start';
    const mover = seat === toMove;
    if (usedNs !== 0n) return unexplained;
    if (cause === ForfeitCause.RESIGNED) {
      // In a block it may be taken up when the seat's roll is released, before the seat was asked.
      if (mover && !starting && !this.#resumed && !this.#terms.blockId) return unexplained;
      this.#resignedBeforeStart = starting;
      return '';
    }
    if (cause === ForfeitCause.ILLEGAL) {
      return mover ? unexplained : 'for a move, but it was not to move';
    }
    if (starting && !this.#resignedBeforeStart) return '';
    return mover ? unexplained : 'for its time, but it was not to move';
  }

  #forfeitAtCapProblem(forfeit: ForfeitRecord): string {
    const { seat, cause, timing, usedNs } = forfeit;
    let slowest = this.#seats[this.#atCap]!.out ? -1 : this.#atCap;
    for (const [i, { out, used }] of this.#seats.entries()) {
      if (!out && (slowest < 0 || used > this.#seats[slowest]!.used)) slowest = i;
    }
    if (seat !== slowest) {
      return `the match's time was used up, but most of it by seat ${letter(slowest)}`;
    }
    if (cause !== ForfeitCause.TIMEOUT) {
      return `the match's time was used up, but the cause is ${ForfeitCause[cause]}`;
    }
    if (timing || usedNs !== 0n) return "the match's time was used up, but it has times of its own";
    if (forfeit.interruptsTurn) return "the match's time was used up, but it interrupts a turn";
    return '';
  }
}
