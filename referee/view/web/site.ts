// The pages of a site but for matches: which one this is its markup says; what it shows comes with it,
// or from the gate that served it.
import { ArchivePage, archiveFromGate } from './archive_page.js';
import { botFromGate, botNodes } from './bot_page.js';
import { CompetitionPage, followCompetition } from './competition_page.js';
import { Gate } from './gate.js';
import { indexOf, IndexPage } from './index_page.js';
import { fileLinks, Links, routeLinks } from './links.js';
import { archiveOf, botDataOf, competitionDataOf } from './site_data.js';
import { loading, messageOf, nameHere, SiteFrame } from './site_frame.js';
import { Json, readJson } from './view.js';

const lookAgainMs = 5000;

const place = document.getElementById('site')!;
const data = document.getElementById('data');
const { kind = '', root = '' } = place.dataset;
const links: Links = data === null ? routeLinks(root) : fileLinks(root);
const frame = new SiteFrame(place, links);

function showArchive(page: ArchivePage): void {
  frame.show(page.nodes());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || (event.target as HTMLElement).matches('input, select')) return;
    event.preventDefault();
    page.focus();
  });
}

function showData(json: Json): void {
  const title = String(json.title ?? '');
  frame.open(title);
  if (json.index) return frame.show(indexOf(links, title, json.index));
  if (json.competition) return frame.show(new CompetitionPage(links, competitionDataOf(json.competition)).nodes());
  if (json.bot) return frame.show(botNodes(links, botDataOf(json.bot)));
  const archive = archiveOf(json.archive ?? {});
  const competitions = [...new Set(archive.matches.map(({ competition }) => competition))];
  showArchive(new ArchivePage(links, { matches: archive.matches, last: '' }, archive.leftOut, competitions));
}

// Looks again as long as somebody can see it.
async function keepLooking(page: IndexPage): Promise<void> {
  await page.load();
  let looking = false;
  window.setInterval(() => {
    if (document.hidden || looking) return;
    looking = true;
    page.load().then(() => frame.say(''), (error) => frame.say(messageOf(error))).finally(() => { looking = false; });
  }, lookAgainMs);
}

async function showFromGate(gate: Gate): Promise<void> {
  frame.open('');
  frame.main.replaceChildren(loading());
  if (kind === 'index') {
    const page = new IndexPage(links, gate);
    await keepLooking(page);
    return frame.show(page.nodes());
  }
  if (kind === 'archive') return showArchive(await archiveFromGate(links, gate));
  if (kind === 'competition') return frame.show((await followCompetition(links, gate, nameHere(), (text) => frame.say(text))).nodes());
  frame.show(await botFromGate(links, gate, nameHere()));
}

void frame.run(async () => {
  if (data === null) await showFromGate(new Gate(root, (text) => frame.say(text)));
  else showData(await readJson(data.textContent ?? ''));
});
