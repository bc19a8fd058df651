import { ENVIRONMENTS, type Environment } from '../../../domain/api/environment.js';
import type { Context } from '../../base/context.js';
import type { PublishedKey } from '../../base/keys/new-signing-key.js';
import { SigningKeys, type SigningKeyPair } from '../../base/keys/signing-key.repository.js';

export interface VerificationKey {
  published: PublishedKey;
  createdAt: Date;
  /** The time at which another key replaced it; null = it is the current key, or a future one. */
  expiredAt: Date | null;
}

/** The keys behind `Plaid-Verification`: one set per environment. Keys are never deleted. Source: plaid-compat 8.2. */
export class PlaidWebhookKeys {
  private readonly sets: Record<Environment, SigningKeys>;

  constructor(private readonly ctx: Context) {
    this.sets = {
      sandbox: new SigningKeys(ctx, 'plaid-sandbox'),
      live: new SigningKeys(ctx, 'plaid-live'),
    };
  }

  async ensure(): Promise<void> {
    for (const environment of ENVIRONMENTS) await this.sets[environment].ensure();
  }

  current(environment: Environment): Promise<SigningKeyPair> {
    return this.sets[environment].current();
  }

  /** Null for an unknown key, and for one of the other environment. */
  async find(environment: Environment, kid: string): Promise<VerificationKey | null> {
    const { signingKey } = this.ctx.database.prisma;
    const keySet = `plaid-${environment}`;
    const key = await signingKey.findFirst({ where: { kid, keySet } });
    if (key === null) return null;
    const next = await signingKey.findFirst({
      where: { keySet, activeFrom: { gt: key.activeFrom, lte: this.ctx.clock() } },
      orderBy: { activeFrom: 'asc' },
      select: { activeFrom: true },
    });
    // Only addSigningKey writes this column.
    return {
      published: key.publicJwk as unknown as PublishedKey,
      createdAt: key.createdAt,
      expiredAt: next?.activeFrom ?? null,
    };
  }
}
