// A bot: its ratings, what it made against each other bot, what went by its clock and link, and its
// last matches.
import { opponentTable } from './crosstable.js';
import { html, nameText } from './dom.js';
import { Gate } from './gate.js';
import { Links } from './links.js';
import { eloText, link, matchTable, pointsText, section, tableOf } from './parts.js';
import { ratingChart } from './rating_chart.js';
import { BotData, competitionOf, Entry, historyOf, matchesOfBlock, pairOf, Standing, standingOf } from './site_data.js';
import { list } from './view.js';

const mostCompetitions = 20, mostPairs = 500, mostVersions = 100, shownMatches = 50;

function standingTable(entry: Entry): HTMLElement {
  return tableOf<Standing>(`In the table of ${entry.competition.name}`, [
    { head: 'Rank', cell: ({ rank, version }) => [rank === 0 ? '–' : String(rank), ...(version === '' ? [] : [' ', nameText(version)])] },
    { head: 'Points', figure: true, cell: ({ points }) => [pointsText(points)] },
    { head: 'Won', figure: true, cell: ({ wins }) => [String(wins)] },
    { head: 'Drawn', figure: true, cell: ({ draws }) => [String(draws)] },
    { head: 'Lost', figure: true, cell: ({ losses }) => [String(losses)] },
    { head: 'Elo, 95 %', figure: true, cell: (standing) => [eloText(standing)] },
    { head: 'Forfeits', figure: true, cell: ({ forfeits }) => [String(forfeits)] },
    { head: 'Time losses', figure: true, cell: ({ conduct }) => [String(conduct.timeLosses)] },
    { head: 'Lost links', figure: true, cell: ({ conduct }) => [String(conduct.lostLinks)] },
    { head: 'Voids', figure: true, cell: ({ conduct }) => [String(conduct.voids)] },
    { head: 'Remarks', cell: ({ remark, provisional }) => [[remark, provisional ? 'provisional' : ''].filter((text) => text !== '').join(', ')] },
  ], entry.standings).region;
}

function entrySection(links: Links, entry: Entry): HTMLElement {
  const { competition, histories, pairs } = entry;
  return html('section', {}, html('h2', {}, link(links.competition(competition.name), nameText(competition.name))),
    html('p', { class: 'muted' }, `${competition.format}, ${competition.state}`), standingTable(entry),
    ...(histories.length > 0 ? [ratingChart(`How its rating went in ${competition.name}, by blocks that count`, histories)] : []),
    ...(pairs.length > 0 ? [opponentTable(links, `Against each other bot in ${competition.name}`, pairs)] : []));
}

export function botNodes(links: Links, { name, entries, matches }: BotData): Node[] {
  return [html('header', {}, html('h1', {}, nameText(name))),
    ...(entries.length > 0 ? entries.map((entry) => entrySection(links, entry)) : [html('p', { class: 'muted' }, 'It is in no competition here.')]),
    section('Matches', matches.length > 0 ? matchTable(links, matches, true)
      : html('p', { class: 'muted' }, 'None was played yet.'))];
}

// What a gate tells of a bot: of the newest competitions.
export async function botFromGate(gate: Gate, name: string): Promise<BotData> {
  const competitions = (await gate.list('competitions', 'competitions', mostCompetitions)).map(competitionOf);
  const entries = await Promise.all(competitions.map(async (competition): Promise<Entry & { blocks: any[] }> => {
    const path = `competitions/${encodeURIComponent(competition.name)}`, bot = encodeURIComponent(name);
    const standings = list((await gate.get(`${path}/standings`)).standings, standingOf).filter((standing) => standing.bot === name);
    if (standings.length === 0) return { competition, standings, pairs: [], histories: [], blocks: [] };
    const [histories, pairs, blocks] = await Promise.all([
      gate.list(`${path}/ratings?bot=${bot}`, 'histories', mostVersions),
      competition.seats === 2 ? gate.listIfThere(`${path}/pairs?bot=${bot}`, 'pairs', mostPairs) : [],
      gate.list(`${path}/blocks?order=newest&bot=${bot}`, 'blocks', shownMatches),
    ]);
    return { competition, standings, pairs: pairs.map(pairOf), histories: histories.map(historyOf), blocks };
  }));
  const mine = entries.filter(({ standings }) => standings.length > 0);
  const matches = mine.flatMap(({ competition, blocks }) => blocks.flatMap((block) => matchesOfBlock(block, competition.name)));
  matches.sort((a, b) => (a.matchId < b.matchId ? 1 : -1));  // ids sort by time
  return { name, entries: mine, matches: matches.slice(0, shownMatches) };
}
