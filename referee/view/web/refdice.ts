// refdice-v1 in the browser: the dice of a match from its key. See referee/dice/DICE.md.

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as BufferSource));
}

async function hmac(key: CryptoKey, bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes as BufferSource));
}

function hmacKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes as BufferSource, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

// The key of a match. A pinned match has no nonces.
export async function matchKey(seed: Uint8Array, nonces: Uint8Array[]): Promise<CryptoKey> {
  const parts = [ascii('refdice-v1/key'), ...nonces.flatMap((nonce) => [Uint8Array.of(nonce.length), nonce])];
  const message = Uint8Array.from(parts.flatMap((part) => [...part]));
  return hmacKey(await hmac(await hmacKey(seed), message));
}

// The first numbers of a label, each 0 to n - 1. REQUIRES: n is at most 256.
export async function uniform(key: CryptoKey, label: string, n: number, count: number): Promise<number[]> {
  const numbers: number[] = [];
  for (let block = 0; numbers.length < count; ++block) {
    for (const word of await hmac(key, ascii(`refdice-v1/${label}/${block}`))) {
      if (word < 256 - (256 % n)) numbers.push(word % n);
    }
  }
  return numbers.slice(0, count);
}
