// The page of recorded matches: shows one match, and lets the viewer choose another.
import { readAddress, writeAddress } from './address.js';
import { checkMatch, Finding } from './check.js';
import { html } from './dom.js';
import { helpDialog, listen } from './keys.js';
import { matchHeader, matchKeys, MatchPage } from './match_page.js';
import { Match, readViews } from './view.js';

let page: HTMLElement;
let matches: Match[] = [];
let shown: MatchPage | undefined;

// The chooser of matches; nothing if there is only one.
function chooser(index: number): Node[] {
  if (matches.length < 2) return [];
  const select = html('select', { 'aria-label': 'Match' }, ...matches.map((match, i) =>
    html('option', { value: i }, `${i + 1} of ${matches.length}: ${match.bots.join(' – ')}, ${match.matchId}`)));
  select.value = String(index);
  select.addEventListener('change', () => open(Number(select.value), 0, 0));
  return [select];
}

const words = { holds: '✓ holds', fails: '✗ FAILS', unchecked: '– not checked' };

function checks(match: Match): HTMLElement {
  const body = html('ul', {}, html('li', {}, 'Checking…'));
  const summary = html('summary', {}, 'Checks: …');
  const box = html('details', { class: 'checks' }, summary, body, saveButton(match));
  void checkMatch(match).then((findings: Finding[]) => {
    const bad = findings.filter(({ result }) => result === 'fails').length;
    box.classList.add(bad > 0 ? 'fails' : 'holds');
    box.dataset.done = 'true';
    if (bad > 0) box.open = true;
    summary.textContent = bad > 0 ? '✗ This page is not to be believed: a check fails' :
      `✓ Checked by this page: ${findings.filter(({ result }) => result === 'holds').map(({ what }) => what.toLowerCase()).join(', ')}`;
    body.replaceChildren(...findings.map(({ result, what, detail }) =>
      html('li', { class: result }, html('strong', {}, `${words[result]}: ${what}`), ` ${detail}`)));
  });
  return box;
}

function saveButton(match: Match): HTMLElement {
  const save = html('button', { type: 'button' }, 'Save the replay file');
  save.addEventListener('click', () => {
    const url = URL.createObjectURL(new Blob([match.replay as BlobPart]));
    html('a', { href: url, download: `${match.matchId}.rpl` }).click();
    URL.revokeObjectURL(url);
  });
  return save;
}

function open(index: number, turn: number, seat: number): void {
  shown?.player.stop();
  shown = undefined;
  const match = matches[index];
  document.title = `${match.bots.join(' – ')}, ${match.game}`;
  const parts: Node[] = [...chooser(index), matchHeader(match)];
  if (match.frames.length === 0) {
    page.replaceChildren(...parts, html('p', { class: 'happened' }, 'The match did not start: there is nothing to show.'),
      checks(match), help);
    return;
  }
  shown = new MatchPage(match, seat, help, (turn, below) => writeAddress({ match: index, turn, seat: below }));
  page.replaceChildren(...parts, ...shown.elements(), checks(match), help);
  shown.player.goToTurn(turn);
}

function openAddress(): void {
  const { match, turn, seat } = readAddress();
  open(Math.min(match, matches.length - 1), turn, seat);
}

const keys = matchKeys(() => shown, () => help, () => {
  shown?.player.goTo(shown.player.last);
  shown?.say('This match is over: this is its end.');
});
const help = helpDialog(keys);

async function start(views: string): Promise<void> {
  matches = await readViews(views);
  openAddress();
  listen(keys);
  window.addEventListener('hashchange', openAddress);
  document.documentElement.dataset.ready = 'true';
  performance.mark('usable');
}

export function showReplays(place: HTMLElement, views: string): void {
  page = place;
  start(views).catch((error) => {
    page.replaceChildren(html('p', {}, `This page cannot show its matches: ${error}`));
  });
}
