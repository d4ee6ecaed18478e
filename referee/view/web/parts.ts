// Shared parts of the pages of a site: tables of matches, bots, and results as text.
import { html, nameText } from './dom.js';
import { Links } from './links.js';
import { seatSign } from './shapes.js';
import { Rating, SiteMatch } from './site_data.js';
import { letterOf } from './view.js';

type Child = Node | string;
export interface Column<T> { head: string; figure?: boolean; cell(row: T, index: number): Child[] }

// A table that scrolls sideways if needed. The first column is the header of the row.
export function tableOf<T>(caption: string, columns: Column<T>[], rows: T[]): { region: HTMLElement; body: HTMLTableSectionElement } {
  const body = html('tbody', {}, ...rows.map((row, index) => rowOf(columns, row, index)));
  const table = html('table', {}, html('caption', {}, caption),
    html('thead', {}, html('tr', {}, ...headsOf(columns))), body);
  return { region: html('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': caption }, table), body };
}

export const headsOf = <T>(columns: Column<T>[]): HTMLElement[] => columns.map(({ head, figure }) =>
  html('th', figure ? { scope: 'col', class: 'figure' } : { scope: 'col' }, head));

export function rowOf<T>(columns: Column<T>[], row: T, index: number): HTMLTableRowElement {
  return html('tr', {}, ...columns.map(({ figure, cell }, i) => {
    const attributes: Record<string, string> = figure ? { class: 'figure' } : {};
    return i === 0 ? html('th', { scope: 'row', ...attributes }, ...cell(row, index)) : html('td', attributes, ...cell(row, index));
  }));
}

export const section = (title: string, ...children: Child[]): HTMLElement =>
  html('section', {}, html('h2', {}, title), ...children);

export const link = (href: string, child: Child): HTMLElement => html('a', { href }, child);

export function botLink(links: Links, bot: string, version = ''): HTMLElement {
  return html('span', {}, link(links.bot(bot), nameText(bot)), ...(version === '' ? [] : [html('span', { class: 'version' }, ' ', nameText(version))]));
}

// "2026-11-23 14:31"
export const timeText = (time: string): string => time.slice(0, 16).replace('T', ' ');
export const decimals = (value: number, digits: number): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
export const signed = (value: number): string => (Number.isFinite(value) ? `${value > 0 ? '+' : ''}${Math.round(value)}` : '–');
export const pointsText = (points: number): string => String(Math.round(points * 100) / 100);
export function eloText({ elo, atLeast, atMost }: Rating): string {
  if (atLeast === undefined) return atMost === undefined ? '–' : `at most ${signed(atMost)}`;
  return atMost === undefined ? `at least ${signed(atLeast)}` : `${signed(elo)} ± ${Math.round((atMost - atLeast) / 2)}`;
}

// A link to a match, named by the end of its id, which differs most.
export function matchLink(matchId: string, href?: string): HTMLElement {
  const name = [html('span', { class: 'sr' }, 'Match '), matchId.slice(-8)];
  return href === undefined ? html('span', { title: matchId }, ...name) : html('a', { href, title: matchId }, ...name);
}

// The players, by seat.
function players(links: Links, match: SiteMatch): HTMLElement {
  return html('span', {}, ...match.bots.flatMap((bot, seat) => [
    ...(seat > 0 ? [html('span', { class: 'versus' }, ' – ')] : []),
    html('span', { class: match.ranks[seat] === 1 ? 'player won' : 'player' }, seatSign(seat, letterOf(seat)), botLink(links, bot)),
  ]));
}

export function resultText(match: SiteMatch): string {
  const forfeits = match.forfeits.map(({ seat, cause }) => `${letterOf(seat)} forfeits, ${cause}`);
  const result = match.scores.length > 0 ? match.scores.join(' : ') : match.state === '' ? 'no result' : match.state;
  return [result, ...forfeits].join('; ');
}

export function matchColumns(links: Links, withCompetition: boolean): Column<SiteMatch>[] {
  const page = (match: SiteMatch) => (match.state === 'running' ? links.match(match.matchId) : links.replay(match.matchId));
  return [
    {
      head: 'Match',
      cell: (match) => [matchLink(match.matchId, page(match))],
    },
    { head: 'Seats', cell: (match) => [players(links, match)] },
    { head: 'Result', cell: (match) => [resultText(match)] },
    ...(withCompetition ? [{
      head: 'Competition', cell: (match: SiteMatch) => (match.competition === '' ? [] : [link(links.competition(match.competition), nameText(match.competition))]),
    }] : []),
    { head: 'Ended, UTC', cell: (match) => [timeText(match.ended)] },
  ];
}

export function matchTable(links: Links, matches: SiteMatch[], withCompetition: boolean): HTMLElement {
  return tableOf('Matches, newest first', matchColumns(links, withCompetition), matches).region;
}
