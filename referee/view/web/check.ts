// What the page can check by itself: whose file it holds, that it shows what the file says, and that
// nobody chose the dice afterwards. It has no rules: whether moves were legal it cannot say.
import { hex, matchKey, sha256, uniform } from './refdice.js';
import { Message, readReplayFile, ReplayFile } from './records.js';
import { Frame, letterOf, Match } from './view.js';

export interface Finding { result: 'holds' | 'fails' | 'unchecked'; what: string; detail: string }

// Fields of Record and of its kinds.
const kinds = { opening: 1, start: 2, draw: 3, turn: 4, forfeit: 5, end: 6 };

class Problem extends Error {}

function same(what: string, shown: unknown, signed: unknown): void {
  if (String(shown) !== String(signed)) throw new Problem(`${what}: the page shows ${shown}, the file says ${signed}`);
}

const ofKind = (file: ReplayFile, kind: number): Message[] =>
  file.records.flatMap((record) => record.message(kind) ?? []);

// Runs a check; what it throws is what is wrong.
async function finding(what: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { result: 'holds', what, detail: await check() };
  } catch (error) {
    const unable = error instanceof DOMException;  // this browser lacks the algorithm
    const detail = error instanceof Error ? error.message : String(error);
    return { result: unable ? 'unchecked' : 'fails', what, detail: unable ? `this browser cannot: ${detail}` : detail };
  }
}

async function checkSignature(file: ReplayFile): Promise<string> {
  const key = await crypto.subtle.importKey('raw', file.publicKey as BufferSource, { name: 'Ed25519' }, false, ['verify']);
  const valid = await crypto.subtle.verify(
    'Ed25519', key, file.signature as BufferSource, file.signed as BufferSource);
  if (!valid) throw new Problem('the replay file was changed after it was signed');
  const fingerprint = hex(await sha256(file.publicKey)).slice(0, 32);
  return `by the key ${fingerprint}; whose key that is, the referee's own key ring tells`;
}

async function checkPosition(frame: Frame, signed: Uint8Array): Promise<void> {
  const digest = hex((await sha256(new TextEncoder().encode(frame.position))).subarray(0, 8));
  same(`the position after turn ${frame.turn}`, digest, hex(Uint8Array.from(signed).reverse()));
}

async function checkTurn(match: Match, frame: Frame, step: number, record: Message): Promise<void> {
  const turn = record.number(1), where = `turn ${turn}`;
  same('the turn', frame.turn, turn);
  same(`${where}, who played`, frame.seat, record.number(2));
  same(`${where}, dice`, frame.dice, record.numbers(3));
  same(`${where}, move`, frame.move, record.text(4));
  same(`${where}, legal moves`, frame.legalCount, record.number(5));
  await checkPosition(frame, record.bytes(6));
  const entry = match.ledger.find((one) => one.frame === step);
  same(`${where}, time charged`, entry?.chargedUs, Math.floor(record.number(7) / 1000));
}

async function checkForfeit(frame: Frame, record: Message): Promise<void> {
  same('who forfeited', frame.seat, record.number(1));
  same('that it forfeited', frame.events.includes('FRAME_EVENT_FORFEIT'), true);
  await checkPosition(frame, record.bytes(4));
}

async function checkShown(match: Match, file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening);
  if (opening === undefined) throw new Problem('the file has no opening');
  same('the match', match.matchId, opening.text(1));
  same('the game', match.game, opening.text(3));
  same('the bots', match.bots, opening.allBytes(5).map((name) => new TextDecoder().decode(name)));
  let step = 0;
  for (const record of file.records) {
    const turn = record.message(kinds.turn), forfeit = record.message(kinds.forfeit);
    if (turn === undefined && forfeit === undefined) continue;
    const frame = match.frames[++step];
    if (frame === undefined) throw new Problem(`the page stops before the file does: ${match.problem}`);
    if (turn !== undefined) await checkTurn(match, frame, step, turn);
    if (forfeit !== undefined) await checkForfeit(frame, forfeit);
  }
  if (match.frames.length > 0) same('the steps', match.frames.length - 1, step);
  const [end] = ofKind(file, kinds.end);
  same('the reason of the end', match.verdict?.reason, end?.text(2));
  same('the scores', match.verdict?.scores, end?.signedNumbers(3));
  same('the ranks', match.verdict?.ranks, end?.numbers(4));
  return `bots, ${step} turns and forfeits with their moves, dice, positions and times, and the result`;
}

async function checkCommitment(file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening), [start] = ofKind(file, kinds.start), [end] = ofKind(file, kinds.end);
  same('the seed', hex(await sha256(end.bytes(5))), hex(opening.bytes(9)));
  if (isPinned(opening)) return 'the seed is the one committed to, but the organiser pinned it: whoever did knew all dice';
  const nonces = start?.allBytes(2) ?? [], hashes = start?.allBytes(40) ?? [];
  for (let seat = 0; seat < hashes.length; ++seat) {
    if (nonces[seat].length === 0) continue;
    same(`the nonce of seat ${letterOf(seat)}`, hex(await sha256(nonces[seat])), hex(hashes[seat]));
  }
  return hashes.length > 0 ? 'the seed is the one committed to, and so is every nonce'
    : 'the seed is the one committed to; nonces were given in one step';
}

const isPinned = (opening: Message): boolean => opening.has(10) || opening.has(11);

async function checkDice(match: Match, file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening), [start] = ofKind(file, kinds.start), [end] = ofKind(file, kinds.end);
  if (start === undefined) return 'none were rolled';
  const key = await matchKey(end.bytes(5), isPinned(opening) ? [] : start.allBytes(2));
  const seen = new Set<string>();
  for (const frame of match.frames) {
    for (const draw of frame.draws) {
      const where = `${draw.label} before turn ${frame.turn + 1}`;
      if (seen.has(draw.label)) throw new Problem(`${where}: it was drawn before`);
      seen.add(draw.label);
      const drawn = await uniform(key, draw.label, draw.sides, draw.numbers.length);
      same(where, draw.numbers, drawn.map((value) => value + 1));
    }
  }
  checkPlayed(match);
  return seen.size === 0 ? 'none were rolled' : `${seen.size} draws follow from the seed and the nonces`;
}

// Each turn is played with the dice that were shown before it; whoever is to move has just rolled.
function checkPlayed(match: Match): void {
  match.frames.forEach((frame, step) => {
    const roll = frame.draws[frame.draws.length - 1];
    if (frame.nextSeat !== undefined && frame.nextDice.length > 0 && roll !== undefined) {
      same(`the dice before turn ${frame.turn + 1}`, frame.nextDice, roll.numbers);
      same('whose roll it is', roll.label.split('/')[1], frame.nextSeat);
    }
    const next = match.frames[step + 1];
    if (next === undefined || next.move === '') return;
    same(`the dice of turn ${next.turn}`, next.dice, frame.nextDice);
  });
}

export async function checkMatch(match: Match): Promise<Finding[]> {
  const rules: Finding = {
    result: 'unchecked', what: 'Rules and clocks',
    detail: 'not checked here: whether moves were legal and time was counted rightly, refctl replay verify tells',
  };
  if (!globalThis.crypto?.subtle) {
    return [{ result: 'unchecked', what: 'Signature and dice', detail: 'this browser offers no cryptography here' }, rules];
  }
  await new Promise((resolve) => setTimeout(resolve));  // the page is there first
  let file: ReplayFile;
  try {
    file = readReplayFile(match.replay);
  } catch (error) {
    return [{ result: 'fails', what: 'Replay file', detail: String(error) }, rules];
  }
  return [
    await finding('Signature', () => checkSignature(file)),
    await finding('Shown as signed', () => checkShown(match, file)),
    await finding('Commitment', () => checkCommitment(file)),
    await finding('Dice', () => checkDice(match, file)),
    rules,
  ];
}
