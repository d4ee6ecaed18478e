// How ratings went: a line for each bot, with a band of 95 %. The same is there as a table.
import { html, nameText, svg } from './dom.js';
import { decimals, tableOf } from './parts.js';
import { History } from './site_data.js';

const width = 1000, height = 300, left = 58, right = 984, top = 10, bottom = 270;
const mostLines = 10;  // as many as there are colours

const labelOf = ({ bot, version }: History): string => (version === '' ? bot : `${bot} ${version}`);

// `what` names the picture for who does not see it.
export function ratingChart(what: string, all: History[]): HTMLElement {
  const histories = all.filter(({ points }) => points.length > 0).slice(0, mostLines);
  if (histories.length === 0) return html('p', { class: 'muted' }, 'No block counts yet.');
  const points = histories.flatMap((history) => history.points);
  const bands = histories.length <= 3;
  const reach = (sigma: number) => (bands ? 1.96 * sigma : 0);
  const low = Math.min(...points.map(({ mu, sigma }) => mu - reach(sigma)));
  const high = Math.max(...points.map(({ mu, sigma }) => mu + reach(sigma)), low + 1);
  const last = Math.max(1, ...points.map(({ block }) => block));
  const x = (block: number) => (left + ((right - left) * block) / last).toFixed(1);
  const y = (mu: number) => (bottom - ((bottom - top) * (mu - low)) / (high - low)).toFixed(1);
  const picture = svg('svg', { class: 'chart ratings', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': what });
  const step = 5 * Math.max(1, Math.ceil((high - low) / 40));
  for (let mark = Math.ceil(low / step) * step; mark <= high; mark += step) {
    picture.append(svg('line', { class: 'axis', x1: left, x2: right, y1: y(mark), y2: y(mark) }),
      svg('text', { x: left - 6, y: Number(y(mark)) + 7, 'text-anchor': 'end' }, String(mark)));
  }
  histories.forEach((history, i) => {
    const line = history.points.map(({ block, mu }) => `${x(block)} ${y(mu)}`);
    if (bands) {
      const upper = history.points.map(({ block, mu, sigma }) => `${x(block)} ${y(mu + reach(sigma))}`);
      const lower = history.points.map(({ block, mu, sigma }) => `${x(block)} ${y(mu - reach(sigma))}`).reverse();
      picture.append(svg('path', { class: `band seat${i}`, d: `M${[...upper, ...lower].join('L')}z` }));
    }
    const [{ block, mu }] = history.points;
    picture.append(line.length === 1 ? svg('circle', { class: `curve line${i}`, cx: x(block), cy: y(mu), r: 3 })
      : svg('path', { class: `curve line${i}`, d: `M${line.join('L')}` }));
  });
  picture.append(svg('text', { x: right, y: height - 4, 'text-anchor': 'end' }, `${last} blocks`));
  const legend = html('p', { class: 'legend' }, ...histories.map((history, i) => html('span', {},
    svg('svg', { class: 'line-sign', viewBox: '0 0 40 10', 'aria-hidden': 'true' }, svg('path', { class: `curve line${i}`, d: 'M0 5H40' })),
    nameText(labelOf(history)))), html('span', {}, bands ? 'Bayesian rating, mean and 95 % interval' : 'Bayesian rating, mean'));
  return html('div', {}, picture as unknown as HTMLElement, legend, lastValues(what, histories));
}

function lastValues(what: string, histories: History[]): HTMLElement {
  const body = html('div');
  const details = html('details', {}, html('summary', {}, 'Ratings as a table'), body);
  details.addEventListener('toggle', () => body.replaceChildren(tableOf<History>(what, [
    { head: 'Bot', cell: (history) => [nameText(labelOf(history))] },
    { head: 'After blocks', figure: true, cell: ({ points }) => [String(points[points.length - 1].block)] },
    { head: 'Mean', figure: true, cell: ({ points }) => [decimals(points[points.length - 1].mu, 2)] },
    { head: 'Deviation', figure: true, cell: ({ points }) => [decimals(points[points.length - 1].sigma, 2)] },
  ], histories).region), { once: true });
  return details;
}
