// Reads and writes the fragment of the page's address: #match=2&turn=21&seat=b. Every part is
// optional.

export interface Address { match: number; turn: number; seat: number }

const delayMs = 250;  // browsers refuse an address that changes too often

export function readAddress(): Address {
  const fields = new URLSearchParams(location.hash.slice(1));
  const count = (name: string, least: number) => Math.max(least, parseInt(fields.get(name) ?? '', 10) || 0);
  const seat = /^[a-z]$/.test(fields.get('seat') ?? '') ? fields.get('seat')!.charCodeAt(0) - 97 : 0;
  return { match: count('match', 1) - 1, turn: count('turn', 0), seat };
}

let timer: number | undefined;

export function writeAddress({ match, turn, seat }: Address): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    const parts = [match > 0 ? `match=${match + 1}` : '', `turn=${turn}`,
      seat > 0 ? `seat=${String.fromCharCode(97 + seat)}` : ''];
    history.replaceState(null, '', `#${parts.filter((part) => part !== '').join('&')}`);
  }, delayMs);
}
