// The crosstable: results of each bot against each other bot. With very many bots, a list of pairs.
import { html, nameText } from './dom.js';
import { Links } from './links.js';
import { botLink, pointsText, tableOf } from './parts.js';
import { Pair, Standing } from './site_data.js';

const mostBots = 40;

interface Player { bot: string; version: string }

const keyOf = ({ bot, version }: Player): string => JSON.stringify([bot, version]);
export const scoreText = ({ points, blocks }: Pair): string => `${pointsText(points)}/${2 * blocks}`;
const detail = (pair: Pair): string => `${pair.wins} won, ${pair.draws} drawn, ${pair.losses} lost in ${pair.blocks} blocks`;

// The pair from the other bot's side.
export const reversed = (pair: Pair): Pair => ({
  bot: pair.opponent, botVersion: pair.opponentVersion, opponent: pair.bot, opponentVersion: pair.botVersion,
  blocks: pair.blocks, wins: pair.losses, draws: pair.draws, losses: pair.wins, points: 2 * pair.blocks - pair.points,
});

export function crosstable(links: Links, standings: Standing[], pairs: Pair[]): HTMLElement {
  const met = new Map<string, Pair>();
  for (const pair of pairs.flatMap((one) => [one, reversed(one)])) {
    met.set(JSON.stringify([pair.bot, pair.botVersion, pair.opponent, pair.opponentVersion]), pair);
  }
  const players = standings.filter(({ blocks }) => blocks > 0);
  if (players.length > mostBots) return pairList(links, pairs);
  const cell = (of: Player, against: Player): HTMLElement => {
    const pair = met.get(JSON.stringify([of.bot, of.version, against.bot, against.version]));
    if (pair === undefined) return html('td', { class: 'none' }, keyOf(of) === keyOf(against) ? '\\' : '');
    const share = pair.points / (2 * pair.blocks);
    const kind = share > 0.5 ? 'better' : share < 0.5 ? 'worse' : 'level';
    return html('td', { class: `figure ${kind}`, title: detail(pair) }, scoreText(pair));
  };
  const head = html('tr', {}, html('th', { scope: 'col' }, 'Bot'), ...players.map(({ bot, version }, i) =>
    html('th', { scope: 'col', class: 'figure', title: `${bot} ${version}` }, html('span', { 'aria-hidden': 'true' }, String(i + 1)),
      html('span', { class: 'sr' }, bot))));
  const rows = players.map((player, i) => html('tr', {},
    html('th', { scope: 'row' }, `${i + 1} `, botLink(links, player.bot, player.version)),
    ...players.map((against) => cell(player, against))));
  const caption = 'Points of the bot on the left against the bot above, of those that could be made';
  return html('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Pairs' },
    html('table', { class: 'crosstable' }, html('caption', {}, caption), html('thead', {}, head), html('tbody', {}, ...rows)));
}

function pairList(links: Links, pairs: Pair[]): HTMLElement {
  return tableOf<Pair>('Pairs', [
    { head: 'Bot', cell: ({ bot, botVersion }) => [botLink(links, bot, botVersion)] },
    { head: 'Against', cell: ({ opponent, opponentVersion }) => [botLink(links, opponent, opponentVersion)] },
    { head: 'Points', figure: true, cell: (pair) => [scoreText(pair)] },
  ], pairs).region;
}

// The results of one bot against each other bot.
export function opponentTable(links: Links, caption: string, pairs: Pair[]): HTMLElement {
  return tableOf<Pair>(caption, [
    {
      head: 'Against',
      cell: ({ opponent, opponentVersion, botVersion }) => [botLink(links, opponent, opponentVersion),
        ...(botVersion === '' ? [] : [html('span', { class: 'version' }, ' as ', nameText(botVersion))])],
    },
    { head: 'Points', figure: true, cell: (pair) => [scoreText(pair)] },
    { head: 'Won', figure: true, cell: ({ wins }) => [String(wins)] },
    { head: 'Drawn', figure: true, cell: ({ draws }) => [String(draws)] },
    { head: 'Lost', figure: true, cell: ({ losses }) => [String(losses)] },
  ], pairs).region;
}
