import type {
  DeletionActivities,
  RevocationActivities,
  RevocationResult,
} from '../../../activities/deletion/deletion-activities.js';
import { failureOf } from '../../../activities/failures.js';
import { withHeartbeats } from '../../../activities/heartbeats.js';
import type { DeletionPlan } from '../../../prisma/sources/permissions/revocation.repository.js';

export const REVOKE_PROVIDER = 'fake-revoke';

export type RevokeBehavior = (signal: AbortSignal) => RevocationResult | Promise<RevocationResult>;

export const revoked: RevokeBehavior = () => ({ kind: 'revoked' });

/**
 * The permissions that a link left behind, as the database would keep them, and its bank as a
 * script.
 */
export class FakeDeletion {
  deleted = true;
  /** The permissions that are still to be revoked, and the deadlines. */
  readonly left = new Map<string, { provider: string; giveUpInMs: number }>();
  readonly calls: string[] = [];
  bank: RevokeBehavior[] = [revoked];

  constructor(readonly linkId: string) {}

  leave(
    revocationId: string,
    {
      provider = REVOKE_PROVIDER,
      giveUpInMs = 60_000,
    }: { provider?: string; giveUpInMs?: number } = {},
  ): void {
    this.left.set(revocationId, { provider, giveUpInMs });
  }

  plan(): DeletionPlan {
    const revocations = [...this.left].map(([revocationId, facts]) => ({ revocationId, ...facts }));
    return {
      deleted: this.deleted,
      appId: 'demo',
      environment: 'sandbox',
      institutionId: 'fake-bank',
      revocations,
    };
  }
}

export function createFakeDeletionActivities(links: Map<string, FakeDeletion>): {
  links: DeletionActivities;
  bank: RevocationActivities;
} {
  const leaving = (revocationId: string): FakeDeletion | undefined =>
    [...links.values()].find(({ left }) => left.has(revocationId));
  return {
    links: {
      async planDeletion(linkId) {
        links.get(linkId)?.calls.push('plan');
        return links.get(linkId)?.plan() ?? null;
      },
      async giveUpRevocation({ revocationId }) {
        const link = leaving(revocationId);
        link?.calls.push(`give up ${revocationId}`);
        link?.left.delete(revocationId);
      },
    },
    bank: {
      async revokePermission({ revocationId }) {
        const link = leaving(revocationId);
        if (link === undefined) return { kind: 'nothing_to_revoke' };
        link.calls.push(`revoke ${revocationId}`);
        const [behavior] = link.bank;
        if (behavior === undefined) throw new Error('the bank has no script');
        if (link.bank.length > 1) link.bank.shift();
        return withHeartbeats(async (signal) => {
          try {
            const result = await behavior(signal);
            link.left.delete(revocationId);
            return result;
          } catch (error) {
            throw failureOf(error);
          }
        });
      },
    },
  };
}
