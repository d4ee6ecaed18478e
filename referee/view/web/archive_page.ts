// The archive: matches, to search.
import { html } from './dom.js';
import { Gate } from './gate.js';
import { Links } from './links.js';
import { matchColumns, rowOf, tableOf, timeText } from './parts.js';
import { competitionOf, matchesOfBlock, SiteMatch } from './site_data.js';
import { text } from './view.js';

const step = 100;  // matches shown, and so many more with each "Show more"
const mostBlocks = 1000, mostReplays = 1000, mostCompetitions = 500;

const outcomes: Record<string, (match: SiteMatch) => boolean> = {
  any: () => true,
  forfeited: ({ forfeits }) => forfeits.length > 0,
  'without a result': ({ state }) => state !== '' && state !== 'running',
};

// Who is asked for has all words in its match's id, bots or competition.
function isFound(match: SiteMatch, words: string[], competition: string, outcome: string): boolean {
  const where = [match.matchId, match.competition, ...match.bots].join('\n').toLowerCase();
  return words.every((word) => where.includes(word)) && (competition === '' || match.competition === competition)
    && outcomes[outcome](match);
}

function chooser(label: string, values: string[], names: string[]): { field: HTMLElement; select: HTMLSelectElement } {
  const select = html('select', {}, ...values.map((value, i) => html('option', { value }, names[i])));
  return { field: html('label', { class: 'field' }, label, select), select };
}

export class ArchivePage {
  private readonly words = html('input', { type: 'search', maxlength: 200, autocomplete: 'off' });
  private readonly outcome = chooser('Outcome', Object.keys(outcomes), Object.keys(outcomes));
  private readonly competition: { field: HTMLElement; select: HTMLSelectElement };
  private readonly count = html('p', { class: 'muted', role: 'status' });
  private readonly place = html('div');
  private readonly more = html('button', { type: 'button' }, 'Show more');
  private shown = step;
  private firstBlocks = 0;  // not 0: there are more than these

  // `chosen` fetches the matches of a competition, where they are not there already.
  constructor(private readonly links: Links, private matches: SiteMatch[], private readonly leftOut: number, competitions: string[],
    private readonly chosen?: (competition: string) => Promise<{ matches: SiteMatch[]; firstBlocks: number }>) {
    this.competition = chooser('Competition', ['', ...competitions], [chosen ? 'none: replays by time' : 'all', ...competitions]);
    this.words.addEventListener('input', () => this.search());
    this.outcome.select.addEventListener('change', () => this.search());
    this.competition.select.addEventListener('change', () => void this.choose());
    this.more.addEventListener('click', () => {
      this.shown += step;
      this.draw();
    });
    this.draw();
  }

  nodes(): Node[] {
    return [html('header', {}, html('h1', {}, 'Archive')),
      html('search', { class: 'fields' }, html('label', { class: 'field' }, 'Bot or match', this.words), this.competition.field, this.outcome.field),
      this.count, this.place, this.more];
  }

  focus(): void {
    this.words.focus();
  }

  private async choose(): Promise<void> {
    if (this.chosen !== undefined) {
      this.count.textContent = 'Looking…';
      try {
        ({ matches: this.matches, firstBlocks: this.firstBlocks } = await this.chosen(this.competition.select.value));
      } catch (error) {
        this.count.textContent = String(error);
        return;
      }
    }
    this.search();
  }

  private search(): void {
    this.shown = step;
    this.draw();
  }

  private draw(): void {
    const words = this.words.value.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const found = this.matches.filter((match) => isFound(match, words, this.competition.select.value, this.outcome.select.value));
    const first = this.firstBlocks > 0 ? `, of the first ${this.firstBlocks} blocks` : '';
    const older = this.leftOut > 0 ? `; ${this.leftOut} older ones are not here` : '';
    this.count.textContent = `${found.length} of ${this.matches.length} matches${first}${older}`;
    const shown = found.slice(0, this.shown);
    const columns = matchColumns(this.links, true);
    const { region, body } = tableOf<SiteMatch>('Matches, newest first', columns, []);
    body.append(...shown.map((match, i) => rowOf(columns, match, i)));
    this.place.replaceChildren(...(shown.length > 0 ? [region] : []));
    this.more.hidden = found.length <= this.shown;
  }
}

// Of replays nobody tells who played: they are listed by their time.
const replayOf = (json: any): SiteMatch => ({
  matchId: text(json.matchId), competition: '', bots: [], scores: [], ranks: [], forfeits: [], ended: timeText(text(json.createTime)),
  state: '', hasPage: true,
});

export async function archiveFromGate(links: Links, gate: Gate): Promise<ArchivePage> {
  const replays = async () => (await gate.list('replays', 'replays', mostReplays)).map(replayOf);
  const competitions = (await gate.list('competitions', 'competitions', mostCompetitions)).map(competitionOf);
  return new ArchivePage(links, await replays(), 0, competitions.map(({ name }) => name), async (competition) => {
    if (competition === '') return { matches: await replays(), firstBlocks: 0 };
    const blocks = await gate.list(`competitions/${encodeURIComponent(competition)}/blocks`, 'blocks', mostBlocks);
    const matches = blocks.reverse().flatMap((block) => matchesOfBlock(block, competition)).filter(({ state }) => state !== 'running');
    return { matches, firstBlocks: blocks.length === mostBlocks ? mostBlocks : 0 };
  });
}
