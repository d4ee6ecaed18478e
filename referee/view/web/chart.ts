// The chart of a match: points by seat, events, and times on one axis. A click goes to that step.
import { html, svg } from './dom.js';
import { letterOf, Match } from './view.js';

const width = 1000, top = 14, scoreHeight = 110, eventLine = 146, timeTop = 160, timeHeight = 46;
const height = timeTop + timeHeight + 4, left = 58, right = 964;

const signs: Record<string, string> = {
  FRAME_EVENT_CAPTURE: '×', FRAME_EVENT_FAULT: '!', FRAME_EVENT_FORFEIT: '■', FRAME_EVENT_LEAD: '↑',
};

export class Chart {
  readonly element: SVGSVGElement;
  private readonly cursor = svg('line', { class: 'cursor', y1: 0, y2: height });
  private step = 0;

  constructor(private readonly match: Match, goTo: (step: number) => void) {
    this.element = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img' });
    this.element.addEventListener('click', (event) => goTo(this.stepAt(event.clientX)));
    this.update();
  }

  // Draws all known steps of the match.
  update(): void {
    const { match } = this;
    const scores = match.frames.flatMap((frame) => frame.seats.map((seat) => seat.score));
    const low = Math.min(0, ...scores), high = Math.max(1, ...scores);
    const y = (score: number) => top + (scoreHeight * (high - score)) / (high - low);
    const ends = match.bots.map((_, seat) => `seat ${letterOf(seat)} ${match.frames[this.count - 1].seats[seat].score}`);
    this.element.setAttribute('aria-label', `Points and time by turn. At the end: ${ends.join(', ')}.`);
    this.element.replaceChildren(
      svg('line', { class: 'axis', x1: left, x2: right, y1: y(0), y2: y(0) }),
      svg('text', { x: left - 6, y: y(high) + 8, 'text-anchor': 'end' }, String(high)),
      svg('text', { x: left - 6, y: y(0) + 8, 'text-anchor': 'end' }, '0'),
      ...this.curves(y), ...this.events(), ...this.times(), this.cursor);
    this.show(this.step);
  }

  show(step: number): void {
    this.step = step;
    const x = this.x(step);
    this.cursor.setAttribute('x1', String(x));
    this.cursor.setAttribute('x2', String(x));
  }

  // Explains the signs and colours.
  legend(): HTMLElement {
    const item = (className: string, text: string) =>
      html('span', {}, html('span', { class: `swatch ${className}`, 'aria-hidden': 'true' }), text);
    return html('p', { class: 'legend' }, html('span', {}, 'Above points, below time:'), item('bot', 'bot'), item('network', 'network'),
      item('referee', 'referee'), item('paused', 'link lost'),
      ...['× capture', '! fault', '■ forfeit', '↑ new leader'].map((text) => html('span', {}, text)));
  }

  private get count(): number {
    return this.match.frames.length;
  }

  private x(step: number): number {
    return left + ((right - left) * step) / Math.max(1, this.count - 1);
  }

  private stepAt(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * width;
    const step = Math.round(((x - left) / (right - left)) * (this.count - 1));
    return Math.min(this.count - 1, Math.max(0, step));
  }

  private curves(y: (score: number) => number): SVGElement[] {
    const lines = this.match.bots.map((_, seat) => {
      const points = this.match.frames.map((frame, step) =>
        `${step === 0 ? `M${left} ` : `H${this.x(step).toFixed(1)}V`}${y(frame.seats[seat].score).toFixed(1)}`);
      return svg('path', { class: `curve line${seat % 10}`, d: points.join('') });
    });
    return [...lines, ...this.names(y)];
  }

  // The letters at the ends of the curves, without overlap.
  private names(y: (score: number) => number): SVGElement[] {
    const { seats } = this.match.frames[this.count - 1];
    const byHeight = seats.map((_, seat) => seat).sort((a, b) => seats[b].score - seats[a].score);
    let free = 0;
    return byHeight.map((seat, i) => {
      const lowest = height - 4 - 19 * (byHeight.length - 1 - i);
      const at = Math.min(Math.max(y(seats[seat].score) + 7, free), lowest);
      free = at + 19;
      return svg('text', { class: `ink${seat % 10}`, x: right + 8, y: at }, letterOf(seat));
    });
  }

  private events(): SVGElement[] {
    return this.match.frames.flatMap((frame, step) => {
      const sign = ['FRAME_EVENT_FORFEIT', 'FRAME_EVENT_FAULT', 'FRAME_EVENT_CAPTURE', 'FRAME_EVENT_LEAD']
        .find((event) => frame.events.includes(event));
      return sign === undefined ? [] : [
        svg('text', { class: 'event', x: this.x(step), y: eventLine, 'text-anchor': 'middle' }, signs[sign])];
    });
  }

  private times(): SVGElement[] {
    const entries = this.match.ledger.filter((entry) => entry.frame !== undefined);
    const whole = (entry: typeof entries[0]) => entry.botUs + entry.networkUs + entry.refereeUs + entry.pausedUs;
    const most = Math.max(1, ...entries.map(whole));
    const bar = Math.max(1, Math.min(14, (right - left) / Math.max(1, this.count) - 1));
    const paths: Record<string, string> = { bot: '', network: '', referee: '', paused: '' };
    for (const entry of entries) {
      let base = timeTop + timeHeight;
      for (const part of ['bot', 'network', 'referee', 'paused'] as const) {
        const size = (timeHeight * entry[`${part}Us`]) / most;
        if (size < 0.05) continue;
        base -= size;
        paths[part] += `M${(this.x(entry.frame!) - bar / 2).toFixed(1)} ${base.toFixed(2)}h${bar.toFixed(1)}` +
          `v${size.toFixed(2)}h-${bar.toFixed(1)}z`;
      }
    }
    return [
      svg('line', { class: 'axis', x1: left, x2: right, y1: timeTop + timeHeight, y2: timeTop + timeHeight }),
      ...Object.entries(paths).map(([part, d]) => svg('path', { class: `time ${part}`, d })),
    ];
  }
}
