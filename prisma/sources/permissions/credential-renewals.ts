import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ProviderFailure } from '../../../domain/errors/provider-failure.js';
import type { Context } from '../../base/context.js';
import type { SessionLocks } from '../../base/database/session-locks.js';
import { untilStored } from '../../base/database/until-stored.js';
import {
  openCredential,
  replaceRenewed,
  type LinkKey,
  type OpenedCredential,
} from './provider-credential.js';
import { renewForRevocation } from './renewed-revocation.js';

/** A credential as its user read it. */
export interface SeenCredential extends Omit<OpenedCredential, 'credential'> {
  linkId: string;
}

/** Requests a new credential from the source; `signal` fires at the deadline of the exchange. */
export type Exchange = (inForce: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

export interface RenewalLimits {
  /** The maximum duration of an exchange; longer than any call of an adapter. Milliseconds. */
  exchangeMs: number;
  /** The maximum wait for the exchange of another caller. */
  waitMs: number;
  /** The time limit for storing the credential that the source has issued. */
  storeMs: number;
}

const LIMITS: RenewalLimits = { exchangeMs: 150_000, waitMs: 160_000, storeMs: 60_000 };
const POLL_MS = { first: 25, max: 500 };

/**
 * Renews credentials once for all processes. A lock of this process's own connection marks a
 * renewal in progress: it holds neither a transaction nor a connection of the pool, and is released
 * when the process ends. docs/decisions/live/0030.
 */
export class CredentialRenewals {
  constructor(
    private readonly ctx: Context,
    private readonly locks: Pick<SessionLocks, 'tryLock'>,
    private readonly limits: RenewalLimits = LIMITS,
  ) {}

  /**
   * Returns a credential newer than the seen one: that of another renewal, or the result of
   * `exchange`, stored. `signal` ends only the wait for other callers.
   * @throws ProviderFailure as `exchange` does; `consent_expired` when the link no longer has this
   * permission
   */
  async renew(
    seen: SeenCredential,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<OpenedCredential> {
    const until = performance.now() + this.limits.waitMs;
    for (let pollMs = POLL_MS.first; ; pollMs = Math.min(POLL_MS.max, pollMs * 2)) {
      signal.throwIfAborted();
      const held = await this.current(seen);
      if (isNewer(held, seen)) return held;
      const unlock = await this.locks.tryLock(lockOf(seen.linkId));
      if (unlock !== null) return this.exchangeOnce(seen, exchange).finally(unlock);
      if (performance.now() > until)
        throw new ProviderFailure(
          'provider_down',
          'Another renewal of the permission does not finish.',
        );
      await pause(pollMs, undefined, { signal });
    }
  }

  private async exchangeOnce(seen: SeenCredential, exchange: Exchange): Promise<OpenedCredential> {
    const held = await this.current(seen);
    if (isNewer(held, seen)) return held;
    const deadline = AbortSignal.timeout(this.limits.exchangeMs);
    // A response that arrives after the deadline is still stored: the source may accept nothing
    // else from then on.
    const stored = exchange(held.credential, deadline).then((credential) =>
      this.store(held, credential),
    );
    stored.catch(() => undefined);
    return Promise.race([stored, failureAt(deadline)]);
  }

  private async store(held: Renewed, credential: Uint8Array): Promise<OpenedCredential> {
    if (Buffer.compare(held.credential, credential) === 0) return held;
    return untilStored(() => this.storeOnce(held, credential), this.limits.storeMs);
  }

  private async storeOnce(held: Renewed, credential: Uint8Array): Promise<OpenedCredential> {
    const { ctx } = this;
    const { link, provider, reference } = held;
    const stored = await ctx.database.transaction(async (tx) => {
      const edition = await replaceRenewed(ctx, tx, link, held, credential);
      if (edition !== null) return { provider, reference, credential, edition };
      const other = await openCredential(ctx, tx, link);
      if (other !== null && isSamePermission(other, held)) return other;
      // The link was deleted or changed its permission in the meantime, and this permission waits
      // for its revocation.
      await renewForRevocation(ctx, tx, { linkPk: link.pk, provider, reference }, credential);
      return null;
    });
    if (stored === null) throw permissionReplaced();
    return stored;
  }

  private async current(seen: SeenCredential): Promise<Renewed> {
    const { prisma } = this.ctx.database;
    const link = await prisma.link.findUnique({
      where: { linkId: seen.linkId },
      select: { pk: true, linkId: true },
    });
    const held = link === null ? null : await openCredential(this.ctx, prisma, link);
    if (link === null || held === null || !isSamePermission(held, seen)) throw permissionReplaced();
    return { ...held, link };
  }
}

interface Renewed extends OpenedCredential {
  link: LinkKey;
}

type Permission = Pick<OpenedCredential, 'provider' | 'reference'>;

function isSamePermission(one: Permission, other: Permission): boolean {
  return one.provider === other.provider && one.reference === other.reference;
}

function isNewer(held: OpenedCredential, { edition }: SeenCredential): boolean {
  return (
    held.edition.version !== edition.version ||
    held.edition.createdAt.getTime() !== edition.createdAt.getTime()
  );
}

/** After a relink, a fetch with the old permission fails, and starts again with the new one. */
function permissionReplaced(): ProviderFailure {
  return new ProviderFailure('consent_expired', 'The link no longer has this permission.');
}

function failureAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener(
      'abort',
      () => reject(new ProviderFailure('provider_down', 'The renewal timed out.')),
      { once: true },
    );
  });
}

function lockOf(linkId: string): bigint {
  return createHash('sha256').update(`credential-renewal/${linkId}`).digest().readBigInt64BE(0);
}
