import type { LookupFunction } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import type { AddressRules } from '../../platform/src/addresses/address-rules.js';
import {
  resolveBySystem,
  resolveTarget,
  type ResolvedAddress,
  type ResolveName,
} from '../../platform/src/addresses/resolve-target.js';

export interface PinnedConnectionsOptions {
  rules: AddressRules;
  resolve?: ResolveName;
  /** At most so many connections to one origin. */
  perOrigin: number;
  connectTimeoutMs: number;
  /** Origins whose connections stay open after an attempt: a process has only so many files, and 10,000 endpoints may each have an event in a minute. */
  mostKept: number;
  /** For tests with a certificate of their own. */
  trustedCertificates?: string;
  now?: () => number;
}

export interface PinnedConnection {
  /** To be used at once: when there are too many it is closed in the next turn of the event loop. */
  dispatcher: Dispatcher;
  /** The target is allowed only by WEBHOOK_ALLOWED_PRIVATE_RANGES: what it answers is not the app's to read. */
  isPrivate: boolean;
}

interface PinnedPool {
  pool: Pool;
  /** To the second. */
  usedAt: number;
}

const IDLE_MS = 60_000;
/** Used again so soon, it keeps its place: what moves in a Map a hundred times a second keeps V8 from small collections (`Bag`). */
const SAME_MS = 1_000;
/** Whatever a receiver offers: an idle connection is one of those files. */
const KEEP_ALIVE_MOST_MS = 30_000;

/**
 * Pooled connections that go only to addresses checked for this attempt, with the original name for TLS and `Host`.
 * A name is looked up once for each attempt, and the pool knows no other addresses than those it was opened for: a name
 * that changes between check and connect cannot lead elsewhere. Proxies of the environment are not used.
 */
export class PinnedConnections {
  /** The one used longest ago is first, to the second. */
  private readonly pools = new Map<string, PinnedPool>();
  private readonly now: () => number;
  private readonly resolve: ResolveName;

  constructor(private readonly options: PinnedConnectionsOptions) {
    this.now = options.now ?? Date.now;
    this.resolve = oneAtATime(options.resolve ?? resolveBySystem);
  }

  /** @throws AddressRefused, or the error of the name look-up */
  async to(target: URL): Promise<PinnedConnection> {
    const addresses = await resolveTarget(target.hostname, this.options.rules, this.resolve);
    const isPrivate = addresses.some(({ address }) => this.options.rules.isPrivate(address));
    const key = [target.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const known = this.pools.get(key);
    if (known !== undefined && this.now() - known.usedAt < SAME_MS)
      return { dispatcher: known.pool, isPrivate };
    const pool = known?.pool ?? this.open(target.origin, addresses);
    this.pools.delete(key);
    this.pools.set(key, { pool, usedAt: this.now() });
    this.closeUnused();
    return { dispatcher: pool, isPrivate };
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private open(origin: string, addresses: readonly ResolvedAddress[]): Pool {
    const { perOrigin, connectTimeoutMs, trustedCertificates } = this.options;
    return new Pool(origin, {
      connections: perOrigin,
      pipelining: 1,
      keepAliveMaxTimeout: KEEP_ALIVE_MOST_MS,
      connect: {
        timeout: connectTimeoutMs,
        lookup: answerWith(addresses),
        ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
      },
    });
  }

  private closeUnused(): void {
    const { mostKept } = this.options;
    const before = this.now() - IDLE_MS;
    for (const [key, { pool, usedAt }] of this.pools) {
      if (usedAt > before && this.pools.size <= mostKept) return;
      this.pools.delete(key);
      // Finishes what it is doing first, and what whoever was just given it is about to send.
      setImmediate(() => void pool.close().catch(() => undefined));
    }
  }
}

/**
 * Attempts that begin while a name is being looked up share its answer. The system looks names up in a few threads, and
 * a name server that hangs must not keep all of them.
 */
function oneAtATime(resolve: ResolveName): ResolveName {
  const underWay = new Map<string, ReturnType<ResolveName>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known !== undefined) return known;
    const asked = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
}

function answerWith(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all === true)
      callback(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    else callback(null, first?.address ?? '', first?.family);
  };
}
