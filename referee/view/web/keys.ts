// Keyboard shortcuts, and the help made from the same list.
import { html } from './dom.js';

export interface Key { keys: string[]; shown: string; help: string; act: (key: string) => void }

// Listens on the whole page. Leaves keys to a focused element that needs them.
export function listen(keys: Key[]): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    if (document.querySelector('dialog[open]') !== null && event.key !== '?') return;
    if (target.matches('input[type=number], select')) return;
    if (event.key === ' ' && target.matches('button, summary')) return;
    const bound = keys.find((key) => key.keys.includes(event.key));
    if (bound === undefined) return;
    event.preventDefault();
    bound.act(event.key);
  });
}

export function helpDialog(keys: Key[]): HTMLDialogElement {
  const close = html('button', { type: 'button' }, 'Close');
  const dialog = html('dialog', { 'aria-labelledby': 'help-title' },
    html('h2', { id: 'help-title' }, 'Keys'),
    html('dl', {}, ...keys.flatMap((key) => [html('dt', {}, html('kbd', {}, key.shown)), html('dd', {}, key.help)])),
    html('p', {}, 'A click on the course of the match goes there. The address of this page says the match, the turn and ' +
      'who sits below: #turn=21&seat=b.'),
    close);
  close.addEventListener('click', () => dialog.close());
  return dialog;
}
