// The panel of a step: players, event, next turn, and times of the turn.
import { html, nameText } from './dom.js';
import { die, seatSign } from './shapes.js';
import { Frame, LedgerEntry, letterOf, Match, milliseconds, nameOf } from './view.js';

export class Panel {
  readonly seats = html('table', { class: 'seats' });
  readonly happened = html('p', { class: 'happened', role: 'status' });
  readonly next = html('p', { class: 'next' });
  readonly time = html('div', { class: 'spent' });

  constructor(private readonly match: Match) {}

  // `quiet`: screen readers do not read the step aloud.
  show(step: number, quiet: boolean): void {
    const frame = this.match.frames[step];
    this.showSeats(frame);
    this.happened.setAttribute('aria-live', quiet ? 'off' : 'polite');
    this.happened.replaceChildren(...frame.dice.map(die), html('span', {}, frame.text),
      html('span', { class: 'notation' }, frame.move));
    this.showNext(frame, step);
    this.showTime(this.match.ledger.find((entry) => entry.frame === step));
  }

  private showSeats(frame: Frame): void {
    const ranks = this.match.verdict?.ranks ?? [];
    const over = frame.events.includes('FRAME_EVENT_END') && ranks.length > 0;
    const head = html('thead', {}, html('tr', {},
      ...['Seat', 'Bot', 'Points', over ? 'Rank' : 'Time used'].map((text) => html('th', { scope: 'col' }, text))));
    const rows = frame.seats.flatMap((seat, index) => {
      const letter = letterOf(index);
      const row = html('tr', frame.nextSeat === index ? { class: 'to-move' } : {},
        html('th', { scope: 'row' }, seatSign(index, letter), html('span', { class: 'sr' }, letter)),
        html('td', { class: 'bot-name' }, nameText(nameOf(this.match, index)),
          html('span', { class: 'holding' }, this.holding(frame, index))),
        html('td', { class: 'figure' }, String(seat.score)),
        html('td', { class: 'figure' }, over ? String(ranks[index]) : this.clock(frame, index)));
      return [row];
    });
    this.seats.replaceChildren(head, html('tbody', {}, ...rows));
  }

  private holding(frame: Frame, index: number): string {
    const seat = frame.seats[index];
    return [frame.nextSeat === index ? 'to move' : '', seat.forfeited ? 'forfeited' : '', seat.holding]
      .filter((text) => text !== '').join(', ');
  }

  private clock(frame: Frame, index: number): string {
    const { usedUs, bankUs } = frame.seats[index];
    return milliseconds(usedUs) + (bankUs === undefined ? '' : `, ${milliseconds(bankUs)} left`);
  }

  private showNext(frame: Frame, step: number): void {
    if (frame.nextSeat !== undefined) {
      this.next.replaceChildren(`Next: seat ${letterOf(frame.nextSeat)}`, ...(frame.nextDice.length > 0
        ? [' with ', ...frame.nextDice.map(die)] : []));
    } else {
      const atEnd = step === this.match.frames.length - 1;
      this.next.replaceChildren(atEnd ? verdictText(this.match) : '');
    }
    if (step === this.match.frames.length - 1 && this.match.problem !== '') {
      this.next.append(` It goes no further: ${this.match.problem}`);
    }
  }

  private showTime(entry: LedgerEntry | undefined): void {
    if (entry === undefined) return this.time.replaceChildren();
    const parts = ['bot', 'network', 'referee', 'paused'] as const;
    const names = { bot: 'bot', network: 'network', referee: 'referee', paused: 'link lost' };
    const whole = parts.reduce((sum, part) => sum + entry[`${part}Us`], 0);
    const bar = html('div', { class: 'split', 'aria-hidden': 'true' });
    for (const part of parts) {
      const piece = html('span', { class: part });
      piece.style.flexGrow = String(whole > 0 ? entry[`${part}Us`] / whole : 0);
      bar.append(piece);
    }
    const told = parts.filter((part) => part !== 'paused' || entry.pausedUs > 0)
      .map((part) => `${names[part]} ${milliseconds(entry[`${part}Us`])}`);
    const limit = entry.limitUs === undefined ? '' : ` of ${milliseconds(entry.limitUs)}`;
    const text = whole === 0 ? 'Time: none, nobody was asked.'
      : `Time: ${told.join(', ')}; charged ${milliseconds(entry.chargedUs)}${limit}.`;
    this.time.replaceChildren(bar, html('p', {}, text));
    if (entry.mark !== '' && entry.mark !== 'pass') {
      this.time.append(html('p', { class: 'fault' }, entry.detail === '' ? entry.mark : `${entry.mark}: ${entry.detail}`));
    }
  }
}

// "CENTRE_FULL: a 16 (1), b -1 (2)"
export function verdictText(match: Match): string {
  const { verdict } = match;
  if (verdict === undefined) return '';
  if (verdict.ranks.length === 0) return `${verdict.ending}: ${verdict.reason}`;
  const order = match.bots.map((_, seat) => seat).sort((a, b) => verdict.ranks[a] - verdict.ranks[b]);
  const places = order.map((seat) => `${verdict.ranks[seat]}. seat ${letterOf(seat)} with ${verdict.scores[seat]}`);
  return `The end, ${verdict.reason}: ${places.join(', ')}.`;
}
