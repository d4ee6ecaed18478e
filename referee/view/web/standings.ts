// The standings of a competition. While it runs, rows move to their new ranks.
import { html, svg } from './dom.js';
import { Links } from './links.js';
import { botLink, Column, eloText, headsOf, pointsText, rowOf, tableOf } from './parts.js';
import { Competition, Standing } from './site_data.js';

const moveMs = 500;
const tieBreakHeads: Record<string, string> = {
  buchholz: 'Buchholz', 'buchholz cut 1': 'Buchholz cut 1', 'direct encounter': 'Direct encounter', 'sonneborn berger': 'Sonneborn-Berger',
  wins: 'Wins',
};

const keyOf = ({ bot, version }: Standing): string => JSON.stringify([bot, version]);

// A bar for a rating on the scale of the whole table. It spans the interval, or reaches the edge
// where a bound is missing.
function interval({ elo, atLeast, atMost }: Standing, all: Standing[]): SVGElement {
  const ends = all.flatMap((one) => [one.atLeast, one.atMost]).filter((end): end is number => end !== undefined);
  const low = Math.min(...ends, -1), high = Math.max(...ends, 1);
  const x = (at: number) => 2 + (116 * (at - low)) / (high - low);
  const picture = svg('svg', { class: 'interval', viewBox: '0 0 120 16', 'aria-hidden': 'true' },
    svg('line', { class: 'axis', x1: x(0), x2: x(0), y1: 0, y2: 16 }));
  if (atLeast === undefined && atMost === undefined) return picture;
  picture.append(svg('line', { class: 'whisker', x1: atLeast === undefined ? 0 : x(atLeast), x2: atMost === undefined ? 120 : x(atMost), y1: 8, y2: 8 }));
  if (atLeast !== undefined && atMost !== undefined) picture.append(svg('circle', { class: 'estimate', cx: x(elo), cy: 8, r: 4 }));
  return picture;
}

function remarks(standing: Standing): string {
  return [standing.remark, standing.provisional ? 'provisional' : '', standing.succeeded ? 'succeeded' : '']
    .filter((text) => text !== '').join(', ');
}

export class StandingsTable {
  readonly element: HTMLElement;
  readonly news = html('p', { class: 'sr', role: 'status' });
  private readonly body: HTMLTableSectionElement;
  private columns: Column<Standing>[] = [];
  private readonly head: HTMLTableRowElement;
  private rows = new Map<string, HTMLTableRowElement>();
  private ranks = new Map<string, number>();
  private all: Standing[] = [];

  constructor(private readonly links: Links, private readonly competition: Competition) {
    const { region, body } = tableOf<Standing>('Standings', [], []);
    this.body = body;
    this.head = region.querySelector('thead tr')!;
    region.querySelector('caption')!.className = 'sr';
    this.element = html('div', {}, region, this.news);
  }

  // `tieBreaks`: names of the tie-breaks, in order.
  private columnsFor(tieBreaks: string[]): Column<Standing>[] {
    const shares = this.competition.format === 'round robin' || this.competition.format === 'gauntlet';
    return [
      { head: 'Bot', cell: (standing) => [this.rankSign(standing), botLink(this.links, standing.bot, standing.version)] },
      { head: 'Points', figure: true, cell: ({ points }) => [pointsText(points)] },
      ...(shares ? [{
        head: 'Share', figure: true, cell: ({ share }: Standing) => [share === undefined ? '–' : `${(100 * share).toFixed(1)} %`],
      }] : []),
      ...tieBreaks.map((name, i) => ({
        head: tieBreakHeads[name] ?? name, figure: true,
        cell: (standing: Standing) => {
          const value = standing.tieBreaks[i]?.value;
          return [value === undefined ? '–' : pointsText(value)];
        },
      })),
      { head: 'Won', figure: true, cell: ({ wins }) => [String(wins)] },
      { head: 'Drawn', figure: true, cell: ({ draws }) => [String(draws)] },
      { head: 'Lost', figure: true, cell: ({ losses }) => [String(losses)] },
      { head: 'Blocks', figure: true, cell: ({ blocks }) => [String(blocks)] },
      { head: 'Elo, 95 %', figure: true, cell: (standing) => [eloText(standing)] },
      { head: 'Interval', cell: (standing) => [interval(standing, this.all)] },
      { head: 'Forfeits', figure: true, cell: ({ forfeits }) => [String(forfeits)] },
      { head: 'Time losses', figure: true, cell: ({ conduct }) => [String(conduct.timeLosses)] },
      { head: 'Voids', figure: true, cell: ({ conduct }) => [String(conduct.voids)] },
      { head: 'Remarks', cell: (standing) => [remarks(standing)] },
    ];
  }

  show(standings: Standing[]): void {
    const before = new Map([...this.rows].map(([key, row]) => [key, row.getBoundingClientRect().top]));
    this.all = standings;
    this.columns = this.columnsFor((standings[0]?.tieBreaks ?? []).map(({ tieBreak }) => tieBreak));
    this.head.replaceChildren(...headsOf(this.columns));
    const rows = new Map(standings.map((standing, index) => [keyOf(standing), rowOf(this.columns, standing, index)]));
    this.body.replaceChildren(...rows.values());
    if (before.size > 0) {
      this.tell(standings);
      this.move(before, rows);
    }
    this.rows = rows;
    this.ranks = new Map(standings.map((standing) => [keyOf(standing), standing.rank]));
  }

  private rankSign({ rank }: Standing): HTMLElement {
    return html('span', { class: 'rank' }, rank === 0 ? '–' : `${rank}.`, ' ');
  }

  // Announces to screen readers the first three bots that have moved up.
  private tell(standings: Standing[]): void {
    const moved = standings.filter((standing) => standing.rank !== 0
      && (this.ranks.get(keyOf(standing)) ?? standing.rank) > standing.rank);
    if (moved.length > 0) this.news.textContent = moved.slice(0, 3).map(({ bot, rank }) => `${bot} is now ${rank}.`).join(' ');
  }

  private move(before: Map<string, number>, rows: Map<string, HTMLTableRowElement>): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const [key, row] of rows) {
      const by = (before.get(key) ?? row.getBoundingClientRect().top) - row.getBoundingClientRect().top;
      if (Math.abs(by) < 1) continue;
      row.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: moveMs, easing: 'ease-in-out' });
    }
  }
}
