// The frame of all pages of a site: links to the other pages, and a line for errors.
import { html, nameText } from './dom.js';
import { Refusal } from './gate.js';
import { Links } from './links.js';
import { link } from './parts.js';

export class SiteFrame {
  readonly main = html('main', { id: 'main', tabindex: -1 });
  private readonly problem = html('p', { class: 'problem', role: 'status' });

  constructor(private readonly place: HTMLElement, private readonly links: Links) {}

  // `title`: the name of the site; may be empty.
  open(title: string): void {
    const { index, archive } = this.links;
    const skip = html('a', { class: 'skip', href: '#main' }, 'To the content');
    const nav = html('nav', { 'aria-label': 'Site' }, link(index, title === '' ? 'Referee' : nameText(title)), link(archive, 'Archive'));
    this.place.replaceChildren(skip, nav, this.problem, this.main);
  }

  show(nodes: Node[]): void {
    this.main.replaceChildren(...nodes);
    const heading = this.main.querySelector('h1');
    if (heading !== null && document.title === 'Referee') document.title = heading.textContent ?? '';
  }

  say(text: string): void {
    if (this.problem.textContent !== text) this.problem.textContent = text;
  }

  // Does the work of the page, and shows its error.
  async run(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.problem.parentElement === null) this.open('');
      this.say('');
      this.show([html('div', {}, html('h1', {}, 'Nothing to show'), sorry(error),
        html('p', {}, link(this.links.index, 'To the first page')))]);
    }
    document.documentElement.dataset.ready = 'true';
  }
}

// An error as a sentence for people.
export function messageOf(error: unknown): string {
  const message = error instanceof Refusal ? error.message : `this cannot be shown: ${error}`;
  return `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`;
}

export const sorry = (error: unknown): HTMLElement => html('p', {}, messageOf(error));

// The subject of the page: the last part of its address.
export function nameHere(): string {
  const parts = location.pathname.split('/');
  return decodeURIComponent(parts[parts.length - 1]);
}

export const loading = (): Node => html('p', { class: 'muted' }, 'Loading…');
