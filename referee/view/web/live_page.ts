// The page of a running match: the replay viewer with frames that arrive.
//
// A viewer at the newest frame follows the match. A viewer who has gone back stays there until they
// ask for the newest frame.
import { writeAddress } from './address.js';
import { html } from './dom.js';
import { Events, Gate } from './gate.js';
import { helpDialog, listen } from './keys.js';
import { Links } from './links.js';
import { matchHeader, matchKeys, MatchPage } from './match_page.js';
import { frameOf, list, Match, matchOf, verdictOf } from './view.js';

const paceMs = 200;  // between frames that arrive together

export class LivePage {
  private readonly place = html('div');
  private readonly state = html('span', { role: 'status' });
  private readonly toLive = html('button', { type: 'button', class: 'live' }, 'Live');
  private readonly bar = html('p', { class: 'live-bar' }, this.toLive, ' ', this.state);
  private readonly help: HTMLDialogElement;
  private match?: Match;
  private shown?: MatchPage;
  private waiting: unknown[] = [];  // frames that have arrived and are not shown yet
  private timer?: number;
  private problem = '';

  constructor(private readonly links: Links, private readonly gate: Gate, private readonly matchId: string) {
    const keys = matchKeys(() => this.shown, () => this.help, () => this.goLive());
    this.help = helpDialog(keys);
    this.toLive.addEventListener('click', () => this.goLive());
    listen(keys);
  }

  nodes(): Node[] {
    return [this.bar, this.place, this.help];
  }

  // Listens until the match is over. The promise resolves when there is something to show.
  follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      const taking = (take: (json: any) => void) => (json: any) => {
        this.problem = '';
        take(json);
        this.showState();
        resolve();
      };
      const events = new Events(this.gate, `matches/${encodeURIComponent(this.matchId)}/events`, {
        on: {
          view: taking((json) => this.begin(matchOf(json))),
          frame: taking((json) => this.add(json)),
          verdict: taking((json) => {
            events.close();
            this.end(json);
          }),
        },
        lost: () => this.tellProblem('The connection is lost; it is tried again.'),
        refused: (refusal) => {
          this.tellProblem('This match can no longer be watched.');
          reject(refusal);
        },
      });
    });
  }

  private tellProblem(problem: string): void {
    this.problem = problem;
    this.showState();
  }

  private get isLive(): boolean {
    return this.shown === undefined || this.shown.player.step === this.shown.player.last;
  }

  private goLive(): void {
    if (this.shown === undefined) return;
    this.flush();
    this.shown.player.goTo(this.shown.player.last);
    if (this.match?.verdict) this.shown.say('This match is over: this is its end.');
  }

  // Shows a whole match: the first one that arrives, and again after too many missed events.
  private begin(match: Match): void {
    const before = this.shown;
    const step = before === undefined || this.isLive ? match.frames.length - 1 : before.player.step;
    before?.player.stop();
    this.waiting = [];
    this.match = match;
    this.shown = undefined;
    document.title = `${match.bots.join(' – ')}, ${match.game}`;
    if (match.frames.length > 0) this.open(Math.min(step, match.frames.length - 1), before?.seat ?? 0);
    else this.place.replaceChildren(matchHeader(match), html('p', { class: 'happened' }, match.problem !== '' ? match.problem
      : match.verdict ? 'The match did not start.' : 'The match waits for its bots.'));
  }

  private open(step: number, seat: number): void {
    const match = this.match!;
    this.shown = new MatchPage(match, seat, this.help, (turn, below) => {
      writeAddress({ match: 0, turn, seat: below });
      this.showState();
    });
    this.place.replaceChildren(matchHeader(match), ...this.shown.elements());
    this.shown.player.goTo(step);
  }

  private add(frames: unknown[]): void {
    this.waiting.push(...frames);
    if (this.timer === undefined) this.showNext();
  }

  // Shows waiting frames one by one, at a watchable pace.
  private showNext(): void {
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    this.take(this.waiting.splice(0, document.hidden ? this.waiting.length : 1));
    if (this.waiting.length > 0) this.timer = window.setTimeout(() => this.showNext(), paceMs);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length > 0) this.take(this.waiting.splice(0));
  }

  private take(told: unknown[]): void {
    if (this.match === undefined) return;
    const live = this.isLive;
    this.match.frames.push(...list(told, frameOf));
    if (this.shown === undefined) {
      this.open(this.match.frames.length - 1, 0);
    } else {
      this.shown.grow();
      if (live) this.shown.player.goTo(this.shown.player.last);
    }
    this.showState();
  }

  private end(json: any): void {
    this.flush();
    if (this.match === undefined) return;
    this.match.verdict = verdictOf(json);
    const { shown } = this;
    if (shown === undefined) return this.begin(this.match);
    const header = this.place.querySelector('header');
    header?.replaceWith(matchHeader(this.match));
    shown.grow();
    shown.player.goTo(shown.player.step);
  }

  private showState(): void {
    const behind = this.shown === undefined ? 0 : this.shown.player.last - this.shown.player.step + this.waiting.length;
    const over = this.match?.verdict !== undefined;
    this.bar.classList.toggle('now', behind === 0 && !over);
    this.toLive.textContent = over ? 'To the end' : 'Live';
    this.toLive.disabled = this.shown === undefined || behind === 0;
    const now = over ? 'This match is over.' : this.shown === undefined ? 'It has not begun.' : behind === 0 ? 'What happens now.' : `${behind} steps back.`;
    if (this.state.firstChild?.textContent === now && this.problem === '' && this.state.childNodes.length === (over ? 3 : 1)) return;
    this.state.replaceChildren(now, ...(over ? [' ', html('a', { href: this.links.replay(this.matchId) ?? '' }, 'Its replay, with checks')] : []),
      ...(this.problem === '' ? [] : [` ${this.problem}`]));
  }
}
