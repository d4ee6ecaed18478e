// The page of a competition: standings, crosstable, rounds or bracket, ratings, last matches.
import { crosstable } from './crosstable.js';
import { html, nameText } from './dom.js';
import { Events, Gate } from './gate.js';
import { Links } from './links.js';
import { decimals, eloText, link, matchTable, section } from './parts.js';
import { ratingChart } from './rating_chart.js';
import { roundsElement } from './rounds.js';
import { Competition, competitionOf, History, historyOf, matchesOfBlock, newestFirst, Pair, Pairing, pairingOf, pairOf, SiteMatch, Standing, standingOf } from './site_data.js';
import { messageOf } from './site_frame.js';
import { StandingsTable } from './standings.js';
import { list } from './view.js';

const mostPairs = 2000, mostPairings = 2000, mostVersions = 100, mostDrawn = 10, shownMatches = 50;
const restMs = 10000;  // between polls of data that no event announces

interface Rest { pairs: Pair[]; pairings: Pairing[]; histories: History[]; matches: SiteMatch[] }

function progress(competition: Competition): string {
  const { state, blocksCounted, blocksLeft, blocksRunning, season, waitsFor } = competition;
  return [state, `${blocksCounted} blocks count`, blocksLeft === undefined ? '' : `${blocksLeft} to come`,
    blocksRunning > 0 ? `${blocksRunning} being played` : '',
    season > 1 ? `season ${season}` : '', waitsFor].filter((text) => text !== '').join(', ');
}

function testText({ test }: Competition): string {
  if (test === undefined) return '';
  const decision: Record<string, string> = { h0: 'it is no stronger', h1: 'it is stronger', none: 'not decided' };
  const elo = test.estimate === undefined ? '' : ` Elo ${eloText(test.estimate)}.`;
  return `Log-likelihood ratio ${decimals(test.logLikelihoodRatio, 2)} of ${decimals(test.lowerBound, 2)} to ${decimals(test.upperBound, 2)}: ${decision[test.decision] ?? ''}.${elo}`;
}

export class CompetitionPage {
  private readonly facts = html('p');
  private readonly test = html('p');
  private readonly table: StandingsTable;
  private readonly ratings = html('div');
  private readonly pairs = html('div');
  private readonly rounds = html('div');
  private readonly matches = html('div');
  private standings: Standing[] = [];

  constructor(private readonly links: Links, private readonly competition: Competition, standings: Standing[], private readonly rest: Rest) {
    this.table = new StandingsTable(links, competition);
    this.showTable(competition, standings);
    this.showRest(rest);
  }

  nodes(): Node[] {
    const { competition } = this;
    const rounds = this.rest.pairings.length > 0 ? [section(competition.format === 'knockout' ? 'Bracket' : 'Rounds', this.rounds)] : [];
    return [
      html('header', {}, html('h1', {}, nameText(competition.name)),
        ...(competition.description ? [html('p', {}, nameText(competition.description))] : []),
        html('p', {}, `${competition.format} · `, nameText(competition.game), ` · ${competition.seats} seats`), this.facts, this.test),
      section('Standings', this.table.element),
      section('Ratings', this.ratings),
      ...(competition.format === 'knockout' ? rounds : []),
      ...(competition.seats === 2 ? [section('Pairs', this.pairs)] : []),
      ...(competition.format === 'knockout' ? [] : rounds),
      section('Matches', this.matches, html('p', {}, link(this.links.archive, 'Search all matches'))),
    ];
  }

  showTable(competition: Competition, standings: Standing[]): void {
    this.standings = standings;
    this.facts.textContent = progress(competition);
    this.test.textContent = testText(competition);
    this.table.show(standings);
  }

  showRest({ histories, pairs, pairings, matches }: Rest): void {
    this.ratings.replaceChildren(ratingChart('How ratings went, by blocks that count', histories));
    this.pairs.replaceChildren(pairs.length > 0 ? crosstable(this.links, this.standings, pairs)
      : html('p', { class: 'muted' }, 'Nobody has met in a block that counts.'));
    this.rounds.replaceChildren(roundsElement(this.links, pairings, this.competition.format === 'knockout'));
    this.matches.replaceChildren(matches.length > 0 ? matchTable(this.links, matches, false)
      : html('p', { class: 'muted' }, 'None was played yet.'));
  }

  // Whether somebody uses a part of the page that showRest would replace.
  inUse(): boolean {
    return [this.ratings, this.pairs, this.rounds, this.matches].some((place) => place.contains(document.activeElement));
  }
}

async function restFrom(gate: Gate, competition: Competition, standings: Standing[]): Promise<Rest> {
  const { name } = competition, path = `competitions/${encodeURIComponent(name)}`;
  const first = [...new Set(standings.map(({ bot }) => bot))].slice(0, mostDrawn);
  const hasRounds = competition.format !== 'ladder' && competition.format !== 'test';
  const [pairs, pairings, blocks, ...ratings] = await Promise.all([
    competition.seats === 2 ? gate.listIfThere(`${path}/pairs`, 'pairs', mostPairs) : [],
    hasRounds ? gate.listIfThere(`${path}/rounds`, 'pairings', mostPairings) : [],
    gate.list(`${path}/blocks?order=newest`, 'blocks', shownMatches),
    ...first.map((bot) => gate.list(`${path}/ratings?bot=${encodeURIComponent(bot)}`, 'histories', mostVersions)),
  ]);
  const isShown = ({ bot, version }: History) => standings.some((standing) => standing.bot === bot && standing.version === version);
  const matches = newestFirst(blocks.flatMap((block) => matchesOfBlock(block, name)));
  return {
    histories: ratings.flat().map(historyOf).filter(isShown), pairs: pairs.map(pairOf), pairings: pairings.map(pairingOf),
    matches: matches.slice(0, shownMatches),
  };
}

// Makes the page of a competition, which follows the competition while it runs.
export async function followCompetition(links: Links, gate: Gate, name: string, say: (problem: string) => void): Promise<CompetitionPage> {
  const path = `competitions/${encodeURIComponent(name)}`;
  const first = await gate.get(`${path}/standings`);
  const begun = competitionOf(first.competition ?? {}), table = list(first.standings, standingOf);
  const page = new CompetitionPage(links, begun, table, await restFrom(gate, begun, table));
  if (!gate.isLive || begun.state === 'finished') return page;
  let looked = Date.now(), looking = false;
  const takeTable = (json: any) => {
    const competition = competitionOf(json.competition ?? {});
    say('');
    const standings = list(json.standings, standingOf);
    page.showTable(competition, standings);
    if (competition.state === 'finished') events.close();  // the gate ends the stream, which must not look like a lost connection
    if (looking || page.inUse() || Date.now() - looked < restMs) return;
    looking = true;
    restFrom(gate, competition, standings).then((rest) => page.showRest(rest), (error) => say(messageOf(error)))
      .finally(() => { looked = Date.now(); looking = false; });
  };
  const events = new Events(gate, `${path}/events`, {
    on: { standings: takeTable },
    lost: () => say('The connection is lost; it is tried again.'),
    refused: (refusal) => say(messageOf(refusal)),
  });
  return page;
}
