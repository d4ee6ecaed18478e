// The rounds of a competition: pairings, for a knockout side by side as a bracket.
import { html, nameText } from './dom.js';
import { Links } from './links.js';
import { botLink, pointsText } from './parts.js';
import { Pairing } from './site_data.js';

const words: Record<string, string> = {
  unknown: 'not known yet', waiting: 'to come', running: 'being played', bye: 'bye', walkover: 'walkover', void: 'void',
  dropped: 'not played',
};
const decisions: Record<string, string> = {
  'extra blocks': 'in extra blocks', points: 'by points', scores: 'by scores', lot: 'by lot',
};

function pairingItem(links: Links, pairing: Pairing): HTMLElement {
  const line = (bot: string, i: number) => html('div', { class: bot !== '' && bot === pairing.winner ? 'side-line won' : 'side-line' },
    bot === '' ? html('span', { class: 'muted' }, 'not known yet') : botLink(links, bot),
    html('span', { class: 'figure' }, pairing.points[i] === undefined ? '' : pointsText(pairing.points[i]),
      ...(bot !== '' && bot === pairing.winner ? [html('span', { class: 'sr' }, ', won')] : [])));
  const state = [words[pairing.state] ?? '', decisions[pairing.decision] ?? '', pairing.reason].filter((text) => text !== '').join(', ');
  return html('li', { class: `pairing ${pairing.state}` }, ...pairing.bots.map(line),
    ...(state === '' ? [] : [html('div', { class: 'muted' }, nameText(state))]));
}

export function roundsElement(links: Links, pairings: Pairing[], bracket: boolean): HTMLElement {
  const rounds = new Map<number, Pairing[]>();
  for (const pairing of pairings) rounds.set(pairing.round, [...(rounds.get(pairing.round) ?? []), pairing]);
  const columns = [...rounds].sort(([a], [b]) => a - b).map(([round, inRound]) => html('section', { class: 'round' },
    html('h3', {}, `Round ${round}`),
    html('ul', {}, ...inRound.sort((a, b) => a.place - b.place).map((pairing) => pairingItem(links, pairing)))));
  return html('div', { class: bracket ? 'wide bracket' : 'wide rounds', tabindex: 0, role: 'region', 'aria-label': 'Rounds' }, ...columns);
}
