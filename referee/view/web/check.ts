// Checks that a page makes by itself, of its file's signature, its content and its dice.
//
// The content must agree with the file, and the dice with the commitment. The page has no rules, so
// it cannot check that moves were legal.
import { hex, matchKey, sha256, uniform } from './refdice.js';
import { kinds, Message, ofKind, readReplayFile, ReplayFile } from './records.js';
import { checkShown, known, Problem, same } from './shown.js';
import { verifies } from './signature.js';
import { Draw, Frame, letterOf, Match } from './view.js';

export interface Finding { result: 'holds' | 'fails' | 'unchecked'; what: string; detail: string }

// Runs a check. An exception is its failure.
async function finding(what: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { result: 'holds', what, detail: await check() };
  } catch (error) {
    const unable = error instanceof DOMException && error.name === 'NotSupportedError';  // the browser lacks the algorithm
    const detail = error instanceof Error ? error.message : String(error);
    return { result: unable ? 'unchecked' : 'fails', what, detail: unable ? `this browser cannot: ${detail}` : detail };
  }
}

async function checkSignature(file: ReplayFile): Promise<string> {
  if (!await verifies(file.publicKey, file.signature, file.signed)) {
    throw new Problem('the replay file was changed after it was signed');
  }
  const fingerprint = hex(await sha256(file.publicKey)).slice(0, 32);
  return `by the key ${fingerprint}; whose key that is, the referee's own key ring tells`;
}

async function checkCommitment(file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening), [start] = ofKind(file, kinds.start), [end] = ofKind(file, kinds.end);
  same('the seed', hex(await sha256(end.bytes(5))), hex(opening.bytes(9)));
  if (isPinned(opening)) return 'the seed is the one committed to, but the organiser pinned it: whoever did knew all dice';
  const nonces = start?.allBytes(2) ?? [], hashes = start?.allBytes(40) ?? [];
  same('the number of hashes of nonces', hashes.length, nonces.length);
  for (let seat = 0; seat < hashes.length; ++seat) {
    if (nonces[seat].length === 0) continue;
    same(`the nonce of seat ${letterOf(seat)}`, hex(await sha256(nonces[seat])), hex(hashes[seat]));
  }
  return start === undefined ? 'the seed is the one committed to' : 'the seed is the one committed to, and so is every nonce';
}

const isPinned = (opening: Message): boolean => opening.has(10) || opening.has(11);

async function checkDice(match: Match, file: ReplayFile): Promise<string> {
  const [opening] = ofKind(file, kinds.opening), [start] = ofKind(file, kinds.start), [end] = ofKind(file, kinds.end);
  if (start === undefined) return 'none were rolled';
  checkSetupDraws(match, file);
  checkRolls(match);
  const key = await matchKey(end.bytes(5), isPinned(opening) ? [] : start.allBytes(2));
  let count = 0;
  for (const frame of match.frames) {
    for (const { label, sides, numbers } of frame.draws) {
      const where = `${label} before turn ${frame.turn + 1}`;
      if (sides < 2 || sides > 256 || numbers.length < 1 || numbers.length > 2) throw new Problem(`${where}: no draw is so`);
      same(where, numbers, (await uniform(key, label, sides, numbers.length)).map((value) => value + 1));
      ++count;
    }
  }
  return count === 0 ? 'none were rolled' : `${count} draws follow from the seed and the nonces, and none is missing`;
}

const isRoll = ({ label }: Draw): boolean => /^roll\/\d+\/\d+$/.test(label);

// Checks that the file has the draws before the first turn.
function checkSetupDraws(match: Match, file: ReplayFile): void {
  const signed = ofKind(file, kinds.draw).map((draw) => (draw.number(1) === 1
    ? `setup/${draw.number(2)}/${draw.number(3)} ${draw.numbers(4)}` : `first-player ${draw.number(3) + 1}`));
  match.frames.forEach((frame, step) => {
    const shown = frame.draws.filter((draw) => !isRoll(draw)).map(({ label, numbers }) => `${label} ${numbers}`);
    same(`the draws before turn ${frame.turn + 1}, beside rolls`, shown.join('; '), step === 0 ? signed.join('; ') : '');
  });
}

// Checks the rolls: the seat to move has just rolled, and each turn is played with its roll. Rolls
// of a seat count from 0.
function checkRolls(match: Match): void {
  const due = match.bots.map(() => 0);
  match.frames.forEach((frame, step) => {
    const where = `turn ${frame.turn + 1}`, next = match.frames[step + 1];
    const rolls = frame.draws.filter(isRoll);
    if (rolls.length > 1) throw new Problem(`${where}: there are two rolls for it`);
    for (const roll of rolls) {
      const [seat, count] = roll.label.split('/').slice(1).map(Number);
      const skips = known.has(match.game) ? count !== due[seat] : !(count >= due[seat]);
      if (skips) throw new Problem(`${where}: ${roll.label} is not the roll that is due`);
      due[seat] = count + 1;
      if (known.has(match.game) || frame.nextDice.length > 0) {
        same(`the dice before ${where}`, frame.nextDice, roll.numbers);
        same('whose roll it is', seat, frame.nextSeat);
      }
    }
    if (rolls.length === 0 && frame.nextDice.length > 0) checkKept(frame, match.frames[step - 1]);
    if (next !== undefined && next.move !== '') same(`the dice of turn ${next.turn}`, next.dice, frame.nextDice);
  });
}

// When another seat forfeits, the dice stay.
function checkKept(frame: Frame, before: Frame | undefined): void {
  const where = `the dice before turn ${frame.turn + 1}`;
  const stay = before !== undefined && frame.move === '' && before.nextSeat === frame.nextSeat;
  if (!stay) throw new Problem(`${where}: nobody rolled them`);
  same(where, frame.nextDice, before.nextDice);
}

export async function checkMatch(match: Match): Promise<Finding[]> {
  const rules: Finding = {
    result: 'unchecked', what: 'Rules, clocks and drawing',
    detail: 'not checked here: whether moves were legal and time was counted rightly, refctl replay verify tells. '
      + 'The board, its pieces and marks, points on the way, the words and the position at the start are not derived '
      + 'from the file in this page: they are the word of who made it; refctl replay html makes it anew',
  };
  if (!globalThis.crypto?.subtle) {
    return [{ result: 'unchecked', what: 'Signature and dice', detail: 'this browser offers no cryptography here' }, rules];
  }
  await new Promise((resolve) => setTimeout(resolve));  // lets the browser show the page first
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
