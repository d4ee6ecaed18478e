// The archive page: a searchable list of matches.
import { html } from './dom.js';
import { Gate, Refusal } from './gate.js';
import { Links } from './links.js';
import { matchColumns, rowOf, tableOf } from './parts.js';
import { competitionOf, matchesOfBlock, newestFirst, replayOf, SiteMatch } from './site_data.js';

const step = 100;  // matches per page; "Show more" adds one page
const mostBlocks = 1000, mostReplays = 1000, mostCompetitions = 500;

const outcomes: Record<string, (match: SiteMatch) => boolean> = {
  any: () => true,
  forfeited: ({ forfeits }) => forfeits.length > 0,
  'without a result': ({ state }) => state !== '' && state !== 'running',
};

// `last`: the matches cover only the last ones of this kind, such as "1000 blocks"; empty: all.
interface Found { matches: SiteMatch[]; last: string }

// Every word must be a part of a bot's or the competition's name, or the start or end of the
// match's id. The middle of an id is random letters, which would match short names by chance.
function isFound(match: SiteMatch, words: string[], competition: string, outcome: string): boolean {
  const names = [match.competition, ...match.bots].join('\n').toLowerCase();
  const has = (word: string) => names.includes(word) || match.matchId.startsWith(word) || match.matchId.endsWith(word);
  return words.every(has) && (competition === '' || match.competition === competition) && outcomes[outcome](match);
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
  private matches: SiteMatch[];
  private last = '';  // see Found

  // `find` fetches the matches of a competition, and matches of one bot that the page does not have
  // yet.
  constructor(private readonly links: Links, found: Found, private readonly leftOut: number, competitions: string[],
    private readonly find?: (competition: string, bot: string) => Promise<Found>) {
    ({ matches: this.matches, last: this.last } = found);
    this.competition = chooser('Competition', ['', ...competitions], ['all', ...competitions]);
    this.words.addEventListener('input', () => this.search());
    this.words.addEventListener('change', () => void this.fetch());
    this.outcome.select.addEventListener('change', () => this.search());
    this.competition.select.addEventListener('change', () => void this.fetch());
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

  // If a single word may be the name of a bot, fetches its older matches too.
  private async fetch(): Promise<void> {
    if (this.find !== undefined) {
      const words = this.wordsAsked();
      this.count.textContent = 'Looking…';
      try {
        ({ matches: this.matches, last: this.last } = await this.find(this.competition.select.value, words.length === 1 ? words[0] : ''));
      } catch (error) {
        this.count.textContent = String(error);
        return;
      }
    }
    this.search();
  }

  private wordsAsked(): string[] {
    return this.words.value.split(/\s+/).filter((word) => word !== '');
  }

  private search(): void {
    this.shown = step;
    this.draw();
  }

  private draw(): void {
    const words = this.wordsAsked().map((word) => word.toLowerCase());
    const found = this.matches.filter((match) => isFound(match, words, this.competition.select.value, this.outcome.select.value));
    const last = this.last === '' ? '' : `, of the last ${this.last}`;
    const older = this.leftOut > 0 ? `; ${this.leftOut} older ones are not here` : '';
    this.count.textContent = `${found.length} of ${this.matches.length} matches${last}${older}`;
    const shown = found.slice(0, this.shown);
    const columns = matchColumns(this.links, true);
    const { region, body } = tableOf<SiteMatch>('Matches, newest first', columns, []);
    body.append(...shown.map((match, i) => rowOf(columns, match, i)));
    this.place.replaceChildren(...(shown.length > 0 ? [region] : []));
    this.more.hidden = found.length <= this.shown;
  }
}

const blocksOf = (competition: string): string => `competitions/${encodeURIComponent(competition)}/blocks?order=newest`;

// The matches of `bot`, or all matches if there is no such bot.
async function matchesOf(gate: Gate, competition: string, bot: string, names: Map<string, string>): Promise<Found> {
  const of = bot === '' ? [] : [`bot=${encodeURIComponent(bot)}`];
  const lastOf = (listed: unknown[], most: number, what: string) => (listed.length === most ? `${most} ${what}` : '');
  if (competition === '') {
    const replays = await gate.list(['replays', ...of].join('?'), 'replays', mostReplays);
    if (replays.length === 0 && bot !== '') return matchesOf(gate, '', '', names);
    return { matches: replays.map((replay) => replayOf(replay, names)), last: lastOf(replays, mostReplays, 'replays') };
  }
  try {
    const blocks = await gate.list([blocksOf(competition), ...of].join('&'), 'blocks', mostBlocks);
    const matches = blocks.flatMap((block) => matchesOfBlock(block, competition)).filter(({ state }) => state !== 'running');
    return { matches, last: lastOf(blocks, mostBlocks, 'blocks') };
  } catch (error) {
    if (bot === '' || !(error instanceof Refusal && error.status === 404)) throw error;
    return matchesOf(gate, competition, '', names);
  }
}

// `leftOut`: the number of matches that a page on disk does not contain.
export async function archiveFrom(links: Links, gate: Gate, leftOut: number): Promise<ArchivePage> {
  const competitions = (await gate.list('competitions', 'competitions', mostCompetitions)).map(competitionOf);
  const all = competitions.map(({ name }) => name);
  if (!gate.isLive) {
    const held = await Promise.all(all.map(async (name) =>
      (await gate.list(blocksOf(name), 'blocks', mostBlocks)).flatMap((block) => matchesOfBlock(block, name))));
    return new ArchivePage(links, { matches: newestFirst(held.flat()), last: '' }, leftOut, all);
  }
  const names = new Map(competitions.map(({ competitionId, name }) => [competitionId, name]));
  const find = (competition: string, bot: string) => matchesOf(gate, competition, bot, names);
  return new ArchivePage(links, await find('', ''), 0, all, find);
}
