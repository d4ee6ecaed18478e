// The page of a bot: ratings, results by opponent, its time losses, and last matches.
import { opponentTable, reversed } from './crosstable.js';
import { html, nameText } from './dom.js';
import { Gate } from './gate.js';
import { Links } from './links.js';
import { eloText, link, matchTable, pointsText, section, tableOf } from './parts.js';
import { ratingChart } from './rating_chart.js';
import { Competition, competitionOf, History, historyOf, matchesOfBlock, newestFirst, Pair, pairOf, SiteMatch, Standing, standingOf } from './site_data.js';
import { loading, sorry } from './site_frame.js';
import { list } from './view.js';

const mostCompetitions = 500, shownInFull = 4, mostPairs = 500, mostVersions = 100, shownMatches = 50;

// The results of the bot in one competition.
interface Entry { competition: Competition; standings: Standing[]; pairs: Pair[]; histories: History[]; matches: SiteMatch[] }

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

// A collapsed competition, which is fetched when somebody opens it.
function closedEntry(links: Links, competition: Competition, read: () => Promise<Entry>): HTMLElement {
  const place = html('div');
  const details = html('details', {}, html('summary', {}, nameText(competition.name), ` · ${competition.format}, ${competition.state}`), place);
  details.addEventListener('toggle', () => {
    place.replaceChildren(loading());
    read().then((entry) => place.replaceChildren(entrySection(links, entry)), (error) => place.replaceChildren(sorry(error)));
  }, { once: true });
  return details;
}

async function entryFrom(gate: Gate, competition: Competition, name: string): Promise<Entry> {
  const path = `competitions/${encodeURIComponent(competition.name)}`, bot = encodeURIComponent(name);
  const [table, histories, pairs, blocks] = await Promise.all([
    gate.get(`${path}/standings`),
    gate.listIfThere(`${path}/ratings?bot=${bot}`, 'histories', mostVersions),
    competition.seats === 2 ? gate.listIfThere(`${path}/pairs?bot=${bot}`, 'pairs', mostPairs) : [],
    gate.list(`${path}/blocks?order=newest&bot=${bot}`, 'blocks', shownMatches),
  ]);
  return {
    competition, standings: list(table.standings, standingOf).filter((standing) => standing.bot === name), histories: histories.map(historyOf),
    pairs: pairs.map(pairOf).map((pair) => (pair.bot === name ? pair : reversed(pair))),
    matches: blocks.flatMap((block) => matchesOfBlock(block, competition.name)),
  };
}

// Running competitions come first. A live page shows only the first few in full, to save requests.
export async function botNodes(links: Links, gate: Gate, name: string): Promise<Node[]> {
  const listed = await gate.list(`competitions?bot=${encodeURIComponent(name)}`, 'competitions', mostCompetitions);
  const competitions = listed.map(competitionOf);
  const goesOn = ({ state }: Competition): boolean => state !== 'finished';
  const all = [...competitions.filter(goesOn), ...competitions.filter((competition) => !goesOn(competition))];
  const inFull = gate.isLive ? shownInFull : all.length;
  const read = (competition: Competition): Promise<Entry> => entryFrom(gate, competition, name);
  const entries = await Promise.all(all.slice(0, inFull).map(read)), others = all.slice(inFull);
  const matches = newestFirst(entries.flatMap((entry) => entry.matches)).slice(0, shownMatches);
  return [html('header', {}, html('h1', {}, nameText(name))),
    ...(entries.length > 0 ? entries.map((entry) => entrySection(links, entry)) : [html('p', { class: 'muted' }, 'It is in no competition here.')]),
    ...(others.length > 0 ? [section('Other competitions', ...others.map((competition) => closedEntry(links, competition, () => read(competition))))] : []),
    section('Matches', matches.length > 0 ? matchTable(links, matches, true)
      : html('p', { class: 'muted' }, 'None was played yet.'))];
}
