// Where a referee is, and whether the way there is TLS.

import { readFileSync } from 'node:fs';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { invalid } from './errors.js';
import type { Options } from './options.js';
import { plain, withoutMark } from './text.js';

const UNIX = 'unix:';
const USUAL_PORT = ':7450';
const MAX_BYTES = 256;
const MAX_PATH_BYTES = 107; // of a unix socket

export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

export interface Address {
  /** "127.0.0.1:7450", "[::1]:7450" or "unix:/run/referee.sock". */
  readonly text: string;
  /** The host of an IPv6 address is without its brackets. */
  readonly place: Place;
  /** Whether only this machine can reach it. */
  readonly local: boolean;
}

/**
 * Reads an address as a person writes it: see "Text from outside" in proto/PROTOCOL.md. Throws
 * INVALID_ARGUMENT that says what to write instead; `source` stands before it.
 */
export function readAddress(text: string, source = ''): Address {
  const given = withoutMark(text);
  const address = given.startsWith(UNIX) ? readUnix(given) : readHostPort(given);
  if (address) return address;
  const what = `${source}address "${plain(given, 80)}"`;
  const meant = suggestion(given);
  if (meant) throw invalid(`${what}: write ${meant}`);
  throw invalid(
    `${what}: it must be host:port or unix:path, such as 127.0.0.1:7450, [::1]:7450 or ` +
      'unix:/run/referee.sock; a port is 1 to 65535, a path has at most ' +
      `${MAX_PATH_BYTES} bytes`,
  );
}

function isName(host: string): boolean {
  const last = host.replace(/\.$/, '').split('.').at(-1)!;
  // What a resolver takes for a number ends so.
  return /^[\w-]+(\.[\w-]+)*\.?$/.test(host) && !/^(\d+|0x[\da-f]*)$/i.test(last);
}

const LOOPBACK = new BlockList();
LOOPBACK.addAddress('::1', 'ipv6');

function readHostPort(text: string): Address | undefined {
  const [, written = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (port < 1 || port > 65535 || text.length > MAX_BYTES) return undefined;
  const bracketed = /^\[(.*)\]$/.exec(written);
  const host = bracketed ? bracketed[1]! : written;
  const place = { host, port };
  if (bracketed) {
    if (!isIPv6(host) || host.includes('%')) return undefined;
    return { text, place, local: LOOPBACK.check(host, 'ipv6') };
  }
  if (isIPv4(host)) return { text, place, local: host.startsWith('127.') };
  return isName(host) ? { text, place, local: host.toLowerCase() === 'localhost' } : undefined;
}

function readUnix(text: string): Address | undefined {
  const path = text.slice(UNIX.length).replace(/^\/\/(?=\/)/, ''); // as in a URI
  const bytes = Buffer.byteLength(path);
  if (bytes < 1 || bytes > MAX_PATH_BYTES || path.startsWith('//')) return undefined;
  if (/[\0-\x1f\x7f]/.test(path)) return undefined;
  return { text: UNIX + path, place: { path }, local: true };
}

/** What the writer of a text may have meant; undefined if that is not clear. */
function suggestion(given: string): string | undefined {
  let text = given.replace(/^unix:\/(?=\/)/, '');
  if (/^\.?\//.test(text)) return readUnix(UNIX + text)?.text;
  if (text.startsWith(UNIX)) return undefined;
  text = text.replace(/^(ipv4|ipv6|dns):/i, '');
  const slashes = text.indexOf('//');
  if (slashes >= 0) text = text.slice(slashes + 2).replace(/^\/+/, '').split(/[/?#]/, 1)[0]!;
  text = text.replace(/\/$/, '').replace(/:$/, '');
  const colon = text.lastIndexOf(':');
  const host = colon < 0 ? text : text.slice(0, colon);
  const port = colon < 0 ? '' : text.slice(colon);
  const bare = host.replace(/^\[(.*?)\]?$/, '$1');
  const forms = [text, bare + port, `[${host}]${port}`, `[${text}]${USUAL_PORT}`, text + USUAL_PORT];
  return forms.map((form) => readHostPort(form)).find((address) => address)?.text;
}

/** Whether `address` is on this machine. */
export function isLocal(address: string): boolean {
  return readAddress(address).local;
}

export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

function asksForTls(options: Options): boolean {
  return Boolean(options.tls || options.tlsCa || options.tlsCert);
}

/** Whether the way to `options.address` is plain text. */
export function isPlain(options: Options & { address: string }): boolean {
  return Boolean(options.insecure) || (isLocal(options.address) && !asksForTls(options));
}

function readPem(flag: string, path: string | undefined, what: string, labelEnd: string) {
  if (!path) return undefined;
  let pem: string;
  try {
    pem = readFileSync(path, 'latin1');
  } catch (error) {
    throw invalid(`${flag} "${path}": cannot be read: ${(error as Error).message}`);
  }
  if (pem === '') throw invalid(`${flag} "${path}": the file is empty`);
  if (!pem.includes(labelEnd)) throw invalid(`${flag} "${path}": no PEM with a ${what}`);
  return pem;
}

/**
 * The files for TLS; undefined for plain text. Throws INVALID_ARGUMENT when options contradict each
 * other, or that names the file that cannot be read or is no PEM.
 */
export function tlsFor(options: Options & { address: string }): TlsFiles | undefined {
  if (Boolean(options.tlsCert) !== Boolean(options.tlsKey)) {
    const which = options.tlsCert ? '--tls-cert without --tls-key' : '--tls-key without --tls-cert';
    throw invalid(`${which}: a certificate of your own and its private key go together`);
  }
  const wanted = asksForTls(options);
  if (options.insecure && wanted) {
    throw invalid(
      '--insecure asks for plain text, and --tls, --tls-ca and --tls-cert for TLS: choose one',
    );
  }
  if (isPlain(options)) return undefined;
  return {
    ca: readPem('--tls-ca', options.tlsCa, 'certificate', 'CERTIFICATE-----'),
    cert: readPem('--tls-cert', options.tlsCert, 'certificate', 'CERTIFICATE-----'),
    key: readPem('--tls-key', options.tlsKey, 'private key', 'PRIVATE KEY-----'),
  };
}

/**
 * What may mend a connection that TLS is the trouble of, given what went wrong: "; ..." that names
 * an option. Empty if something else is the trouble.
 */
export function tlsAdvice(options: Options & { address: string }, message: string): string {
  const tls = !isPlain(options);
  const hungUp =
    /ECONNRESET|EPIPE|closed|disconnected|socket hang up|ERR_HTTP2_ERROR|Protocol error/i.test(
      message,
    );
  if (!tls) return hungUp ? '; if it wants TLS, give --tls or --tls-ca' : '';
  if (/wrong version number|packet length too long/i.test(message)) {
    return (
      '; it does not speak TLS: leave out --tls, --tls-ca and --tls-cert on its own machine, and ' +
      'give --insecure from another'
    );
  }
  if (/self.signed|unable to (verify|get)|certificate verify failed/i.test(message)) {
    return (
      '; its certificate is of an authority that is not known here: name the file with that in ' +
      '--tls-ca'
    );
  }
  if (!hungUp && !/certificate required|alert/i.test(message)) return '';
  return options.tlsCert
    ? '; it seems not to take the certificate in --tls-cert'
    : '; if it asks for a certificate, give --tls-cert and --tls-key';
}
