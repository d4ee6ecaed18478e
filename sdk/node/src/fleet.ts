// The referees of a fleet that a bot may dial: only those that it trusts with its token.

import { isLocal, isPlain, readAddress } from './address.js';
import { invalid } from './errors.js';
import type { Logger } from './log.js';
import type { SettledOptions } from './options.js';

/** The most referees in a circle, beside the current one and the one that the bot was given. */
const MAX_OTHERS = 8;

const MAX_ADDRESS_BYTES = 256;
/** The most warnings that are remembered, so that the log has each once. */
const MAX_REMEMBERED = 256;

const UNIX = 'unix:';

function isHost(host: string): boolean {
  return (
    /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(host) ||
    (host.includes(':') && /^[0-9A-Fa-f:.]+$/.test(host))
  );
}

function canonical(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** Throws INVALID_ARGUMENT unless a domain is empty or looks like one. */
export function checkFleetDomain(domain: string): void {
  if (domain === '' || isHost(domain)) return;
  throw invalid(`--fleet-domain "${domain}": it must be a domain such as example.org`);
}

/** Without the brackets of an IPv6 address; of a path ''. */
function hostOf(address: string): string {
  const { place } = readAddress(address);
  return 'host' in place ? canonical(place.host) : '';
}

/** An address in the form by which two are compared. */
export function canonicalAddress(address: string): string {
  if (address.startsWith(UNIX)) return address;
  const colon = address.lastIndexOf(':');
  return `${canonical(address.slice(0, colon))}:${Number(address.slice(colon + 1))}`;
}

function isAddress(address: string): boolean {
  try {
    return readAddress(address).text === address;
  } catch {
    return false;
  }
}

type Way = Pick<
  SettledOptions,
  'address' | 'fleetDomain' | 'tls' | 'tlsCa' | 'tlsCert' | 'insecure'
>;

/** Why a bot with these options does not trust an address with its token; undefined: it does. */
export function whyNotTrusted(address: string, options: Way): string | undefined {
  if (!isAddress(address)) return 'it is not host:port, nor unix:path';
  if (isLocal(address) && isLocal(options.address) && isPlain(options)) return undefined;
  if (options.insecure) {
    return 'the token would go there by TLS only, and --insecure asks for none';
  }
  if (address.startsWith(UNIX)) {
    return "it is on this machine, and the bot's own address is not, or uses TLS";
  }
  const host = hostOf(address);
  const domain = options.fleetDomain ? canonical(options.fleetDomain) : hostOf(options.address);
  if (domain && (host === domain || host.endsWith(`.${domain}`))) return undefined;
  return `it is outside of "${domain}"; --fleet-domain names another domain to trust`;
}

/**
 * The referee to dial after the one at `current`, which counts as the first if it is not in the
 * circle. Undefined if there is no other.
 */
export function nextInCircle<Referee extends { readonly address: string }>(
  circle: readonly Referee[],
  current: string,
): Referee | undefined {
  if (circle.length < 2) return undefined;
  const at = Math.max(0, circle.findIndex(({ address }) => address === current));
  return circle[(at + 1) % circle.length];
}

/** The referees that a bot dials one after the other, each with options to reach it. */
export class Circle {
  readonly #warned = new Set<string>();
  #referees: readonly SettledOptions[];
  #others = ''; // as the log has them

  /** `options`: those of the bot, with the address that it was given. */
  constructor(
    readonly options: SettledOptions,
    readonly log: Logger,
  ) {
    this.#referees = [options];
  }

  get referees(): readonly SettledOptions[] {
    return this.#referees;
  }

  /** The next referee after the one at `current`; undefined if there is no other. */
  next(current: string): SettledOptions | undefined {
    return nextInCircle(this.#referees, current);
  }

  /** Takes the addresses that the referee `own` names, in place of those of before. */
  update(addresses: readonly string[], own: SettledOptions): void {
    const circle = new Map([[own.address, own]]);
    for (const named of addresses) {
      if (circle.size > MAX_OTHERS) break;
      const options = this.#optionsFor(named);
      if (options) circle.set(options.address, options);
    }
    const others = [...circle.keys()].slice(1);
    const { address } = this.options;
    if (!circle.has(address)) circle.set(address, this.options);
    this.#referees = [...circle.values()];
    this.#logOthers([...others].sort().join(', '));
  }

  #logOthers(others: string): void {
    if (others === this.#others) return;
    this.#others = others;
    this.log.info(`other referees of the fleet: ${others || 'none'}`);
  }

  #optionsFor(named: string): SettledOptions | undefined {
    const why = whyNotTrusted(named, this.options);
    if (why) {
      const shown = JSON.stringify(named.slice(0, MAX_ADDRESS_BYTES));
      this.#warn(`does not trust the referee at ${shown}: ${why}`);
      return undefined;
    }
    const address = canonicalAddress(named);
    return { ...this.options, address, tls: !(isPlain(this.options) && isLocal(address)) };
  }

  #warn(what: string): void {
    if (this.#warned.has(what) || this.#warned.size === MAX_REMEMBERED) return;
    this.#warned.add(what);
    this.log.warning(what);
  }
}
