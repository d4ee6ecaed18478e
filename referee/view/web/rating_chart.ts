// The chart of ratings: a line for each bot, with a band of 95 %.
//
// Ratings are in the Elo of the table. A line starts when its interval is narrow enough to show. A
// table has the last ratings.
import { html, nameText, svg } from './dom.js';
import { eloText, tableOf } from './parts.js';
import { History, RatingPoint } from './site_data.js';

const width = 1000, height = 300, left = 106, right = 984, top = 10, bottom = 270;
const mostLines = 10;  // as many as there are colours
const steps = [10, 20, 50, 100, 200, 500, 1000];  // between marks, in Elo
const mostMarks = 8;

interface Drawn { block: number; elo: number; low: number; high: number }
interface Line { history: History; colour: number; points: Drawn[] }

const labelOf = ({ bot, version }: History): string => (version === '' ? bot : `${bot} ${version}`);
const drawnOf = ({ block, elo, atLeast, atMost }: RatingPoint): Drawn[] =>
  (atLeast === undefined || atMost === undefined ? [] : [{ block, elo, low: atLeast, high: atMost }]);
const lastOf = ({ points }: History): RatingPoint => points[points.length - 1];

// `what` describes the picture for screen readers.
export function ratingChart(what: string, all: History[]): HTMLElement {
  const histories = all.filter(({ points }) => points.length > 0).slice(0, mostLines);
  if (histories.length === 0) return html('p', { class: 'muted' }, 'No block counts yet.');
  const lines = histories.map((history, colour): Line => ({ history, colour, points: history.points.flatMap(drawnOf) }))
    .filter(({ points }) => points.length > 0);
  const missing = histories.filter((history) => !lines.some((line) => line.history === history));
  return html('div', {}, ...(lines.length > 0 ? chartOf(what, lines) : []),
    ...(missing.length > 0 ? [html('p', { class: 'muted' }, 'Too wide an interval to be drawn: ',
      ...missing.flatMap((history, i) => [i > 0 ? '; ' : '', nameText(labelOf(history)), ` ${eloText(lastOf(history))}`]), '.')] : []),
    lastValues(what, histories));
}

function chartOf(what: string, lines: Line[]): HTMLElement[] {
  const points = lines.flatMap((line) => line.points);
  const bands = lines.length <= 3;
  const low = Math.min(...points.map((point) => (bands ? point.low : point.elo)));
  const high = Math.max(...points.map((point) => (bands ? point.high : point.elo)), low + 1);
  const last = Math.max(1, ...points.map(({ block }) => block));
  const x = (block: number) => (left + ((right - left) * block) / last).toFixed(1);
  const y = (elo: number) => (bottom - ((bottom - top) * (elo - low)) / (high - low)).toFixed(1);
  const picture = svg('svg', { class: 'chart ratings', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': what });
  const step = steps.find((one) => (high - low) / one <= mostMarks) ?? steps[steps.length - 1];
  for (let mark = Math.ceil(low / step) * step; mark <= high; mark += step) {
    picture.append(svg('line', { class: 'axis', x1: left, x2: right, y1: y(mark), y2: y(mark) }),
      svg('text', { x: left - 6, y: Number(y(mark)) + 7, 'text-anchor': 'end' }, `${mark > 0 ? '+' : ''}${mark}`));
  }
  for (const { colour, points: own } of lines) {
    if (bands) {
      const upper = own.map((point) => `${x(point.block)} ${y(point.high)}`);
      const lower = own.map((point) => `${x(point.block)} ${y(point.low)}`).reverse();
      picture.append(svg('path', { class: `band seat${colour}`, d: `M${[...upper, ...lower].join('L')}z` }));
    }
    picture.append(own.length === 1 ? svg('circle', { class: `curve line${colour}`, cx: x(own[0].block), cy: y(own[0].elo), r: 3 })
      : svg('path', { class: `curve line${colour}`, d: `M${own.map(({ block, elo }) => `${x(block)} ${y(elo)}`).join('L')}` }));
  }
  picture.append(svg('text', { x: right, y: height - 4, 'text-anchor': 'end' }, `${last} blocks`));
  const legend = html('p', { class: 'legend' }, ...lines.map(({ history, colour }) => html('span', {},
    svg('svg', { class: 'line-sign', viewBox: '0 0 40 10', 'aria-hidden': 'true' }, svg('path', { class: `curve line${colour}`, d: 'M0 5H40' })),
    nameText(labelOf(history)))), html('span', {}, bands ? 'Elo, with its 95 % interval' : 'Elo'));
  return [picture as unknown as HTMLElement, legend];
}

function lastValues(what: string, histories: History[]): HTMLElement {
  const body = html('div');
  const details = html('details', {}, html('summary', {}, 'Ratings as a table'), body);
  details.addEventListener('toggle', () => body.replaceChildren(tableOf<History>(what, [
    { head: 'Bot', cell: (history) => [nameText(labelOf(history))] },
    { head: 'After blocks', figure: true, cell: (history) => [String(lastOf(history).block)] },
    { head: 'Elo, 95 %', figure: true, cell: (history) => [eloText(lastOf(history))] },
  ], histories).region), { once: true });
  return details;
}
