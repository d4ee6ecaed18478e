// The table of a competition. While it goes on, lines move to where they stand now.
import { html, svg } from './dom.js';
import { Links } from './links.js';
import { botLink, Column, eloText, pointsText, rowOf, tableOf } from './parts.js';
import { Competition, Standing } from './site_data.js';

const moveMs = 500;

const keyOf = ({ bot, version }: Standing): string => JSON.stringify([bot, version]);

// Where a rating lies among all of the table, as a bar from one end of its interval to the other.
function interval(standing: Standing, all: Standing[]): SVGElement {
  const known = all.filter(({ eloError }) => Number.isFinite(eloError));
  const low = Math.min(...known.map(({ elo, eloError }) => elo - eloError), -1);
  const high = Math.max(...known.map(({ elo, eloError }) => elo + eloError), 1);
  const x = (elo: number) => 2 + (116 * (elo - low)) / (high - low);
  const picture = svg('svg', { class: 'interval', viewBox: '0 0 120 16', 'aria-hidden': 'true' },
    svg('line', { class: 'axis', x1: x(0), x2: x(0), y1: 0, y2: 16 }));
  if (!Number.isFinite(standing.eloError)) return picture;
  const { elo, eloError } = standing;
  picture.append(svg('line', { class: 'whisker', x1: x(elo - eloError), x2: x(elo + eloError), y1: 8, y2: 8 }),
    svg('circle', { class: 'estimate', cx: x(elo), cy: 8, r: 4 }));
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
  private readonly columns: Column<Standing>[];
  private rows = new Map<string, HTMLTableRowElement>();
  private ranks = new Map<string, number>();
  private all: Standing[] = [];

  constructor(links: Links, competition: Competition) {
    const shares = competition.format === 'round robin' || competition.format === 'gauntlet';
    this.columns = [
      { head: 'Bot', cell: (standing) => [this.rankSign(standing), botLink(links, standing.bot, standing.version)] },
      { head: 'Points', figure: true, cell: ({ points }) => [pointsText(points)] },
      ...(shares ? [{
        head: 'Share', figure: true, cell: ({ share }: Standing) => [share === undefined ? '–' : `${(100 * share).toFixed(1)} %`],
      }] : []),
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
    const { region, body } = tableOf<Standing>('Standings', this.columns, []);
    this.body = body;
    region.querySelector('caption')!.className = 'sr';
    this.element = html('div', {}, region, this.news);
  }

  show(standings: Standing[]): void {
    const before = new Map([...this.rows].map(([key, row]) => [key, row.getBoundingClientRect().top]));
    this.all = standings;
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

  // What changed at the top and elsewhere, to be read aloud.
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
