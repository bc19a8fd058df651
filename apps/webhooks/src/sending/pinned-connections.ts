import type { LookupFunction } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import type { AddressRules } from '../../../../domain/addresses/address-rules.js';
import {
  resolveBySystem,
  resolveTarget,
  type ResolvedAddress,
  type ResolveName,
} from '../../../platform/src/addresses/resolve-target.js';

export interface PinnedConnectionsOptions {
  rules: AddressRules;
  resolve?: ResolveName;
  /** Connections per origin. */
  perOrigin: number;
  connectTimeoutMs: number;
  /** Origins whose connections stay open after an attempt: 10,000 endpoints may each have an event in a minute, and a process has a limited number of files. */
  maxKept: number;
  /** For tests with a certificate of their own. */
  trustedCertificates?: string;
  now?: () => number;
}

export interface PinnedConnection {
  /** To be used immediately: a pool beyond `maxKept` is closed in the next turn of the event loop. */
  dispatcher: Dispatcher;
  /** Allowed only by WEBHOOK_ALLOWED_PRIVATE_RANGES: the app must not read the response of the target. */
  isPrivate: boolean;
}

interface PinnedPool {
  pool: Pool;
  usedAt: number;
}

const IDLE_MS = 60_000;
/** A limit on any keep-alive that a receiver offers: an idle connection is an open file. */
const MAX_KEEP_ALIVE_MS = 30_000;

/**
 * Pooled connections that go only to addresses checked for this attempt, with the original name for TLS and `Host`.
 * A name is looked up once for each attempt, and the pool has only the addresses it was opened for: a name
 * that changes between check and connect cannot lead elsewhere. Proxies of the environment are not used. HTTP/1.1 to every
 * receiver: `perOrigin` counts requests.
 */
export class PinnedConnections {
  /** The least recently used is first. */
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
    const pool = this.pools.get(key)?.pool ?? this.open(target.origin, addresses);
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
      allowH2: false,
      keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
      connect: {
        timeout: connectTimeoutMs,
        lookup: answerWith(addresses),
        ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
      },
    });
  }

  private closeUnused(): void {
    const { maxKept } = this.options;
    const before = this.now() - IDLE_MS;
    for (const [key, { pool, usedAt }] of this.pools) {
      if (usedAt > before && this.pools.size <= maxKept) return;
      this.pools.delete(key);
      // The pool finishes its requests first, including one that its last user is about to send.
      setImmediate(() => void pool.close().catch(() => undefined));
    }
  }
}

/**
 * Attempts that start while a name is being looked up share the result. The system resolves names in a few threads, and a
 * name server that hangs must not block all of them.
 */
function oneAtATime(resolve: ResolveName): ResolveName {
  const pending = new Map<string, ReturnType<ResolveName>>();
  return (hostname) => {
    const known = pending.get(hostname);
    if (known !== undefined) return known;
    const lookup = resolve(hostname).finally(() => pending.delete(hostname));
    pending.set(hostname, lookup);
    return lookup;
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
