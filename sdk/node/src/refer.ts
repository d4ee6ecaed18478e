// Which of the addresses that a referee names a bot follows: its token goes there.

import { isLocal, isPlain, readAddress } from './address.js';
import { invalid } from './errors.js';
import type { Logger } from './log.js';
import type { SettledOptions } from './options.js';
import type { Refer } from './proto/referee/v1/bot_service.js';

/** As many homes are followed at most. */
export const MAX_HOMES = 8;

const MAX_ADDRESS_BYTES = 256;
/** So many addresses are remembered that were not followed, so that the log says so once. */
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
export function checkReferDomain(domain: string): void {
  if (domain === '' || isHost(domain)) return;
  throw invalid(`--refer-domain "${domain}": it must be a domain such as example.org`);
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
  'address' | 'referDomain' | 'tls' | 'tlsCa' | 'tlsCert' | 'insecure'
>;

/** Why a bot with these options does not follow to an address; undefined: it does. */
export function whyNotFollowed(address: string, options: Way): string | undefined {
  if (!isAddress(address)) return 'it is not host:port, nor unix:path';
  if (isLocal(address) && isLocal(options.address) && isPlain(options)) return undefined;
  if (options.insecure) {
    return 'the token would go there by TLS only, and --insecure asks for none';
  }
  if (address.startsWith(UNIX)) {
    return (
      'it is on this machine, where only a bot follows whose first address is there, too, and ' +
      'without TLS'
    );
  }
  const host = hostOf(address);
  const domain = options.referDomain ? canonical(options.referDomain) : hostOf(options.address);
  if (domain && (host === domain || host.endsWith(`.${domain}`))) return undefined;
  return `it is outside of "${domain}"; --refer-domain names another domain to trust`;
}

/**
 * Where in a circle (Referral.circle) a bot dials after `current`, which is its first place if it is
 * not there: never at one of `homes`. Undefined if there is no other place.
 */
export function nextInCircle<Place extends { readonly address: string }>(
  circle: readonly Place[],
  current: string,
  homes: ReadonlySet<string>,
): Place | undefined {
  const at = Math.max(0, circle.findIndex(({ address }) => address === current));
  const others = [...circle.slice(at + 1), ...circle.slice(0, at)];
  return others.find(({ address }) => !homes.has(address));
}

/** What a bot with these options follows. */
export class Referral {
  readonly #told = new Set<string>(); // what the log has said
  #named = new Map<string, SettledOptions>();

  constructor(
    readonly options: SettledOptions,
    readonly log: Logger,
  ) {}

  /**
   * The homes to go to by address, in their order, each with options to reach it. `own` is the address
   * of the referee that says so.
   */
  follow(refer: Refer | undefined, own: string): Map<string, SettledOptions> {
    const named = new Map<string, SettledOptions>();
    for (const home of refer?.homes ?? []) {
      const options = this.#optionsFor(home.address);
      if (!options || named.has(options.address) || options.address === own) continue;
      if (named.size === MAX_HOMES) {
        this.#tell(`more than ${MAX_HOMES} homes: the others are not followed`);
        break;
      }
      if (!this.#named.has(options.address)) {
        const what = home.competitions.slice(0, 8).join(', ');
        this.log.info(`referred to ${options.address}${what && ` for ${what}`}`);
      }
      named.set(options.address, options);
    }
    this.#named = named;
    return named;
  }

  /**
   * Where the first stream may be, in a circle, each with options to reach it: at `own`, at the others
   * that the referee names, and at the address that the bot was given.
   */
  circle(refer: Refer | undefined, own: SettledOptions): SettledOptions[] {
    const circle = new Map([[own.address, own]]);
    for (const other of refer?.others ?? []) {
      const options = this.#optionsFor(other);
      if (!options || circle.has(options.address) || circle.size > MAX_HOMES) continue;
      circle.set(options.address, options);
    }
    const { address } = this.options;
    if (!circle.has(address)) circle.set(address, this.options);
    return [...circle.values()];
  }

  #optionsFor(home: string): SettledOptions | undefined {
    const why = whyNotFollowed(home, this.options);
    if (why) {
      const shown = JSON.stringify(home.slice(0, MAX_ADDRESS_BYTES));
      this.#tell(`not followed to ${shown}: ${why}`);
      return undefined;
    }
    const address = canonicalAddress(home);
    return { ...this.options, address, tls: !(isPlain(this.options) && isLocal(address)) };
  }

  #tell(what: string): void {
    if (this.#told.has(what) || this.#told.size === MAX_REMEMBERED) return;
    this.#told.add(what);
    this.log.warning(what);
  }
}
