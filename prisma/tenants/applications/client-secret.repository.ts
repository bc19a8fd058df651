import { makeId } from '../../../domain/api/ids.js';
import type { Context } from '../../base/context.js';
import type { Tx } from '../../base/database/tx.js';
import type { ClientSecret } from '../../generated/client.js';
import { changeClient } from './change-client.js';

/** The number of secrets of one key pair that may work at the same time. */
export const MAX_SECRETS = 5;
/** Ended secrets are listed for this long. */
const ENDED_KEPT_MS = 90 * 86_400_000;

/** A secret without its hash. */
export type SecretRecord = Omit<ClientSecret, 'secretHash'>;

export interface NewSecret {
  secretHash: string;
  label: string | null;
  /** The time for which the earlier secrets continue to work. */
  overlapMs: number;
}

export type RotationOutcome =
  /** `othersEndAt`: null = there was no other one. */
  | { kind: 'rotated'; secret: SecretRecord; othersEndAt: Date | null }
  | { kind: 'too_many' }
  | { kind: 'unknown_client' };

export type SecretEnd =
  | { kind: 'ended'; secret: SecretRecord }
  | { kind: 'only_one' }
  | { kind: 'unknown' };

/** The secrets of key pairs. Source: native-api 3.1. */
export class ClientSecretRepository {
  constructor(private readonly ctx: Context) {}

  /**
   * Adds a secret. Each earlier one ends after the overlap, unless it ends sooner; its tokens work
   * until they expire. Concurrent rotations of a pair run one after the other.
   */
  async rotate(clientId: string, { secretHash, label, overlapMs }: NewSecret) {
    return this.ctx.database
      .transaction(async (tx): Promise<RotationOutcome> => {
        if (!(await lockClient(tx, clientId))) return { kind: 'unknown_client' };
        const now = this.ctx.clock();
        const endsAt = new Date(now.getTime() + overlapMs);
        const working = { clientId, OR: [{ endsAt: null }, { endsAt: { gt: now } }] };
        await tx.clientSecret.updateMany({
          where: { clientId, OR: [{ endsAt: null }, { endsAt: { gt: endsAt } }] },
          data: { endsAt },
        });
        const others = await tx.clientSecret.findMany({ where: working, select: { endsAt: true } });
        if (others.length >= MAX_SECRETS) throw new TooManySecrets();
        await tx.clientSecret.deleteMany({
          where: {
            clientId,
            endsAt: { lte: new Date(now.getTime() - ENDED_KEPT_MS) },
            // The row refuses them.
            tokensEndedAt: null,
          },
        });
        const secret = await tx.clientSecret.create({
          data: {
            secretId: makeId('clientSecret', this.ctx.random),
            clientId,
            secretHash,
            label,
            createdAt: now,
          },
          omit: { secretHash: true },
        });
        return { kind: 'rotated', secret, othersEndAt: latest(others) };
      })
      .catch((error: unknown): RotationOutcome => {
        if (error instanceof TooManySecrets) return { kind: 'too_many' };
        throw error;
      });
  }

  /** The newest first; null if the client is unknown. */
  async list(clientId: string): Promise<SecretRecord[] | null> {
    const client = await this.ctx.database.prisma.apiClient.findUnique({
      where: { clientId },
      select: { secrets: { orderBy: { createdAt: 'desc' }, omit: { secretHash: true } } },
    });
    return client?.secrets ?? null;
  }

  /**
   * Ends a secret immediately, but not the only one that works. With `tokensToo`, every process
   * refuses the tokens issued for it when this returns, also for one that ended before.
   */
  async end(
    clientId: string,
    secretId: string,
    { tokensToo }: { tokensToo: boolean },
  ): Promise<SecretEnd> {
    const outcome = await changeClient(this.ctx, clientId, async (tx): Promise<SecretEnd> => {
      const now = this.ctx.clock();
      if (!(await lockClient(tx, clientId))) return { kind: 'unknown' };
      const known = await tx.clientSecret.findFirst({ where: { clientId, secretId } });
      if (known === null) return { kind: 'unknown' };
      const isWorking = known.endsAt === null || known.endsAt > now;
      const others = await tx.clientSecret.count({
        where: {
          clientId,
          secretId: { not: secretId },
          OR: [{ endsAt: null }, { endsAt: { gt: now } }],
        },
      });
      if (isWorking && others === 0) return { kind: 'only_one' };
      const secret = await tx.clientSecret.update({
        where: { secretId },
        data: {
          ...(isWorking ? { endsAt: now } : {}),
          ...(tokensToo && known.tokensEndedAt === null ? { tokensEndedAt: now } : {}),
        },
        omit: { secretHash: true },
      });
      return { kind: 'ended', secret };
    });
    return outcome ?? { kind: 'unknown' };
  }

  /** Writes at most once a minute for each secret, however many processes note its use. */
  async noteUse(secretId: string, minute: Date): Promise<void> {
    await this.ctx.database.pool.query({
      name: 'note-secret-use',
      text: `UPDATE client_secrets SET last_used_at = $2
              WHERE secret_id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`,
      values: [secretId, minute],
    });
  }
}

/** Undoes the rotation. */
class TooManySecrets extends Error {}

/** Serializes changes of the secrets of a pair. False if it is unknown. */
async function lockClient(tx: Tx, clientId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM api_clients WHERE client_id = ${clientId} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

function latest(secrets: readonly { endsAt: Date | null }[]): Date | null {
  const ends = secrets.flatMap(({ endsAt }) => endsAt ?? []);
  return ends.length === 0 ? null : new Date(Math.max(...ends.map(Number)));
}
