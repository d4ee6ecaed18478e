// Where a referee is, and whether the way there is TLS.

import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { invalid } from './errors.js';
import type { Options } from './options.js';

const UNIX = 'unix:';

export type Place = { readonly path: string } | { readonly host: string; readonly port: number };

/** Reads "host:port" or "unix:path". Throws INVALID_ARGUMENT for anything else. */
export function placeOf(address: string): Place {
  if (address.startsWith(UNIX) && address.length > UNIX.length) {
    return { path: address.slice(UNIX.length).replace(/^\/\/(?=\/)/, '') };
  }
  const colon = address.lastIndexOf(':');
  const port = /^\d{1,5}$/.test(address.slice(colon + 1)) ? Number(address.slice(colon + 1)) : 0;
  if (address.startsWith(UNIX) || colon < 1 || port < 1 || port > 65535) {
    throw invalid(`address "${address}": it must be host:port or unix:path`);
  }
  return { host: hostOf(address), port };
}

/** The host of "host:port", without the brackets of an IPv6 address. */
export function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':')).replace(/^\[(.*)\]$/, '$1');
}

/** Whether `address` is on this machine. */
export function isLocal(address: string): boolean {
  const place = placeOf(address);
  if ('path' in place) return true;
  const { host } = place;
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** What TLS needs to know. */
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
