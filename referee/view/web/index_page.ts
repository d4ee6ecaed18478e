// The first page: running matches and all competitions.
import { html, nameText } from './dom.js';
import { Gate } from './gate.js';
import { Links } from './links.js';
import { botLink, link, matchLink, section, tableOf, timeText } from './parts.js';
import { Competition, competitionOf, RunningMatch, runningOf } from './site_data.js';

const mostMatches = 100, mostCompetitions = 500;

function competitionTable(links: Links, competitions: Competition[]): HTMLElement {
  if (competitions.length === 0) return html('p', { class: 'muted' }, 'There is none yet.');
  return tableOf<Competition>('Competitions, newest first', [
    { head: 'Name', cell: ({ name }) => [link(links.competition(name), nameText(name))] },
    { head: 'Format', cell: ({ format }) => [format] },
    { head: 'Game', cell: ({ game }) => [nameText(game)] },
    { head: 'State', cell: ({ state }) => [state] },
    { head: 'Blocks', figure: true, cell: ({ blocksCounted }) => [String(blocksCounted)] },
    { head: 'Made, UTC', cell: ({ createTime }) => [timeText(createTime)] },
  ], competitions).region;
}

function matchTable(links: Links, matches: RunningMatch[]): HTMLElement {
  if (matches.length === 0) return html('p', { class: 'muted' }, 'No match is being played.');
  return tableOf<RunningMatch>('Running matches, newest first', [
    { head: 'Match', cell: ({ matchId }) => [matchLink(matchId, links.match(matchId))] },
    { head: 'Bots', cell: ({ bots }) => bots.flatMap((bot, i) => [...(i > 0 ? [' – '] : []), botLink(links, bot)]) },
    { head: 'Game', cell: ({ game }) => [nameText(game)] },
    { head: 'Turns', figure: true, cell: ({ turnsPlayed }) => [String(turnsPlayed)] },
    { head: 'Since, UTC', cell: ({ createTime }) => [timeText(createTime)] },
  ], matches).region;
}

export class IndexPage {
  readonly matches = html('div');
  readonly competitions = html('div');

  constructor(private readonly links: Links, private readonly gate: Gate, private readonly title: string) {}

  nodes(): Node[] {
    return [html('header', {}, html('h1', {}, nameText(this.title === '' ? 'Matches between bots' : this.title))),
      ...(this.gate.isLive ? [section('Being played', this.matches)] : []), section('Competitions', this.competitions)];
  }

  async load(): Promise<void> {
    const [matches, competitions] = await Promise.all([
      this.gate.list('matches?state=running', 'matches', mostMatches),
      this.gate.list('competitions', 'competitions', mostCompetitions),
    ]);
    replaceUnlessUsed(this.matches, matchTable(this.links, matches.map(runningOf)));
    replaceUnlessUsed(this.competitions, competitionTable(this.links, competitions.map(competitionOf)));
  }
}

// Replaces an element, unless somebody uses it.
function replaceUnlessUsed(place: HTMLElement, by: HTMLElement): void {
  if (place.contains(document.activeElement) || place.firstElementChild?.isEqualNode(by)) return;
  place.replaceChildren(by);
}
