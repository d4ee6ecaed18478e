// The pages of a site, except pages of matches. The markup names the page. The page holds the
// answers of a gate, or requests them from its server.
import { archiveFrom } from './archive_page.js';
import { botNodes } from './bot_page.js';
import { followCompetition } from './competition_page.js';
import { Gate, Held } from './gate.js';
import { IndexPage } from './index_page.js';
import { fileLinks, routeLinks } from './links.js';
import { loading, messageOf, nameHere, SiteFrame } from './site_frame.js';
import { readJson } from './view.js';

const lookAgainMs = 5000;

const place = document.getElementById('site')!;
const data = document.getElementById('data');
const { kind = '', root = '' } = place.dataset;
const replays = new Set<string>();
const links = data === null ? routeLinks(root) : fileLinks(root, replays);
const frame = new SiteFrame(place, links);

// Polls while the page is visible.
async function keepLooking(page: IndexPage): Promise<void> {
  await page.load();
  let looking = false;
  window.setInterval(() => {
    if (document.hidden || looking) return;
    looking = true;
    page.load().then(() => frame.say(''), (error) => frame.say(messageOf(error))).finally(() => { looking = false; });
  }, lookAgainMs);
}

async function nodesOf(gate: Gate, held?: Held): Promise<Node[]> {
  if (kind === 'index') {
    const page = new IndexPage(links, gate, held?.title ?? '');
    await (gate.isLive ? keepLooking(page) : page.load());
    return page.nodes();
  }
  if (kind === 'archive') {
    const page = await archiveFrom(links, gate, held?.leftOut ?? 0);
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || (event.target as HTMLElement).matches('input, select')) return;
      event.preventDefault();
      page.focus();
    });
    return page.nodes();
  }
  const name = held?.name ?? nameHere();
  if (kind === 'bot') return botNodes(links, gate, name);
  return (await followCompetition(links, gate, name, (text) => frame.say(text))).nodes();
}

void frame.run(async () => {
  const held = data === null ? undefined : await readJson(data.textContent ?? '') as Held;
  held?.replays.forEach((id) => replays.add(id));
  frame.open(held?.title ?? '');
  frame.main.replaceChildren(loading());
  frame.show(await nodesOf(new Gate(root, (text) => frame.say(text), held?.answers), held));
});
