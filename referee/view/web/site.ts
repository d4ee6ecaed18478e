// The pages of a site: which one this is its markup says; what it shows comes with it, or from the
// gate that served it.
import { ArchivePage, archiveFromGate, nothingHere } from './archive_page.js';
import { botFromGate, botNodes } from './bot_page.js';
import { CompetitionPage, followCompetition } from './competition_page.js';
import { html, nameText } from './dom.js';
import { Gate, Refusal } from './gate.js';
import { indexOf, IndexPage } from './index_page.js';
import { fileLinks, Links, routeLinks } from './links.js';
import { LivePage } from './live_page.js';
import { link } from './parts.js';
import { archiveOf, botDataOf, competitionDataOf } from './site_data.js';
import { Json, readJson } from './view.js';

const lookAgainMs = 5000;

const place = document.getElementById('site')!;
const main = html('main', { id: 'main', tabindex: -1 });
const problem = html('p', { class: 'problem', role: 'status' });
const say = (text: string): void => {
  if (problem.textContent !== text) problem.textContent = text;
};

function frame(links: Links, title: string): void {
  const skip = html('a', { class: 'skip', href: '#main' }, 'To the content');
  const nav = html('nav', { 'aria-label': 'Site' }, link(links.index, title === '' ? 'Referee' : nameText(title)), link(links.archive, 'Archive'));
  place.replaceChildren(skip, nav, problem, main);
}

function show(nodes: Node[]): void {
  main.replaceChildren(...nodes);
  const heading = main.querySelector('h1');
  if (heading !== null && document.title === 'Referee') document.title = heading.textContent ?? '';
}

// What the address is about: its last part.
function nameHere(): string {
  const parts = location.pathname.split('/');
  return decodeURIComponent(parts[parts.length - 1]);
}

function showArchive(page: ArchivePage): void {
  show(page.nodes());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as HTMLElement).matches('input, select')) return;
    event.preventDefault();
    page.focus();
  });
}

function showData(links: Links, json: Json): void {
  const title = String(json.title ?? '');
  frame(links, title);
  if (json.index) return show(indexOf(links, title, json.index));
  if (json.competition) return show(new CompetitionPage(links, competitionDataOf(json.competition)).nodes());
  if (json.bot) return show(botNodes(links, botDataOf(json.bot)));
  const archive = archiveOf(json.archive ?? {});
  const competitions = [...new Set(archive.matches.map(({ competition }) => competition))];
  showArchive(new ArchivePage(links, archive.matches, archive.leftOut, competitions));
}

// Looks again as long as somebody can see it.
async function keepLooking(page: IndexPage): Promise<void> {
  await page.load();
  window.setInterval(() => {
    if (document.hidden) return;
    page.load().then(() => say(''), (error) => say(String(error)));
  }, lookAgainMs);
}

async function showFromGate(kind: string, links: Links, gate: Gate): Promise<void> {
  frame(links, '');
  main.replaceChildren(html('p', { class: 'muted' }, 'Loading…'));
  if (kind === 'index') {
    const page = new IndexPage(links, gate);
    await keepLooking(page);
    return show(page.nodes());
  }
  if (kind === 'archive') return showArchive(await archiveFromGate(links, gate));
  if (kind === 'competition') return show((await followCompetition(links, gate, nameHere(), say)).nodes());
  if (kind === 'bot') return show(botNodes(links, await botFromGate(gate, nameHere())));
  const live = new LivePage(links, gate, nameHere());
  await live.follow();
  show(live.nodes());
}

async function start(): Promise<void> {
  const data = document.getElementById('data');
  const { kind = '', root = '' } = place.dataset;
  const links = data === null ? routeLinks(root) : fileLinks(root);
  try {
    if (data === null) await showFromGate(kind, links, new Gate(root));
    else showData(links, await readJson(data.textContent ?? ''));
  } catch (error) {
    const why = error instanceof Refusal ? error.message : `This page cannot be shown: ${error}`;
    if (problem.parentElement === null) frame(links, '');
    show([nothingHere(links, why)]);
  }
  document.documentElement.dataset.ready = 'true';
}

void start();
