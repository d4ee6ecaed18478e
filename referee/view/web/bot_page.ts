// A bot: its ratings, what it made against each other bot, what went by its clock and link, and its
// last matches.
import { opponentTable } from './crosstable.js';
import { html, nameText } from './dom.js';
import { Gate } from './gate.js';
import { Links } from './links.js';
import { eloText, link, matchTable, pointsText, section, tableOf } from './parts.js';
import { ratingChart } from './rating_chart.js';
import { BotData, Competition, competitionOf, Entry, historyOf, matchesOfBlock, pairOf, Standing, standingOf } from './site_data.js';
import { loading, sorry } from './site_frame.js';
import { Json, list } from './view.js';

const mostCompetitions = 500, shownInFull = 4, mostPairs = 500, mostVersions = 100, shownMatches = 50;

function standingTable(entry: Entry): HTMLElement {
  if (entry.standings.length === 0) return html('p', { class: 'muted' }, 'It is not in the table of this season.');
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

// A competition that is read when somebody opens it.
function closedEntry(links: Links, competition: Competition, read: () => Promise<Entry>): HTMLElement {
  const place = html('div');
  const details = html('details', {}, html('summary', {}, nameText(competition.name), ` · ${competition.format}, ${competition.state}`), place);
  details.addEventListener('toggle', () => {
    place.replaceChildren(loading());
    read().then((entry) => place.replaceChildren(entrySection(links, entry)), (error) => place.replaceChildren(sorry(error)));
  }, { once: true });
  return details;
}

// `read` reads one of the others.
export function botNodes(links: Links, { name, entries, matches, others }: BotData, read?: (competition: Competition) => Promise<Entry>): Node[] {
  return [html('header', {}, html('h1', {}, nameText(name))),
    ...(entries.length > 0 ? entries.map((entry) => entrySection(links, entry)) : [html('p', { class: 'muted' }, 'It is in no competition here.')]),
    ...(others.length > 0 && read !== undefined
      ? [section('Other competitions', ...others.map((competition) => closedEntry(links, competition, () => read(competition))))] : []),
    section('Matches', matches.length > 0 ? matchTable(links, matches, true)
      : html('p', { class: 'muted' }, 'None was played yet.'))];
}

async function entryFrom(gate: Gate, competition: Competition, name: string): Promise<Entry & { blocks: Json[] }> {
  const path = `competitions/${encodeURIComponent(competition.name)}`, bot = encodeURIComponent(name);
  const [table, histories, pairs, blocks] = await Promise.all([
    gate.get(`${path}/standings`),
    gate.listIfThere(`${path}/ratings?bot=${bot}`, 'histories', mostVersions),
    competition.seats === 2 ? gate.listIfThere(`${path}/pairs?bot=${bot}`, 'pairs', mostPairs) : [],
    gate.list(`${path}/blocks?order=newest&bot=${bot}`, 'blocks', shownMatches),
  ]);
  const standings = list(table.standings, standingOf).filter((standing) => standing.bot === name);
  return { competition, standings, pairs: pairs.map(pairOf), histories: histories.map(historyOf), blocks };
}

// The page at a gate. What goes on comes first; of all others that the bot is in, the newest.
export async function botFromGate(links: Links, gate: Gate, name: string): Promise<Node[]> {
  const listed = await gate.list(`competitions?bot=${encodeURIComponent(name)}`, 'competitions', mostCompetitions);
  const competitions = listed.map(competitionOf);
  const goesOn = ({ state }: Competition): boolean => state !== 'finished';
  const all = [...competitions.filter(goesOn), ...competitions.filter((competition) => !goesOn(competition))];
  const entries = await Promise.all(all.slice(0, shownInFull).map((competition) => entryFrom(gate, competition, name)));
  const matches = entries.flatMap(({ competition, blocks }) => blocks.flatMap((block) => matchesOfBlock(block, competition.name)));
  matches.sort((a, b) => (a.matchId < b.matchId ? 1 : -1));  // ids sort by time
  const data = { name, entries, matches: matches.slice(0, shownMatches), others: all.slice(shownInFull) };
  return botNodes(links, data, (competition) => entryFrom(gate, competition, name));
}
