import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type {
  DeletionPlan,
  RevocationRepository,
} from '../../prisma/sources/permissions/revocation.repository.js';
import type { RevocationOutcome } from '../../providers/contract/provider.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';
import { unmanagedAccess } from '../unmanaged-access.js';

export type { DeletionPlan };

export interface DeletionActivityDeps {
  revocations: Pick<RevocationRepository, 'plan' | 'giveUp'>;
}

/** Activities that follow the end of a link and touch only the database. */
export function createDeletionActivities({ revocations }: DeletionActivityDeps) {
  return {
    async planDeletion(linkId: string): Promise<DeletionPlan | null> {
      return revocations.plan(linkId);
    },

    /**
     * The retry period has expired: erases the credential anyway and records that the permission
     * may still exist.
     */
    async giveUpRevocation({ revocationId }: { revocationId: string }): Promise<void> {
      await revocations.giveUp(revocationId);
    },
  };
}

export interface RevocationActivityDeps {
  revocations: Pick<RevocationRepository, 'beginAttempt' | 'giveUp' | 'keepRenewed' | 'settle'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

/**
 * `nothing_to_revoke`: already revoked, retry period expired, or the source does not support
 * revocation.
 */
export type RevocationResult = { kind: 'revoked' } | { kind: 'nothing_to_revoke' };

/** Revokes permissions at the bank. Runs on the task queue of the provider; safe to repeat. */
export function createRevocationActivities({ revocations, providers }: RevocationActivityDeps) {
  return {
    async revokePermission({ revocationId }: { revocationId: string }): Promise<RevocationResult> {
      return withHeartbeats(async (signal) => {
        const access = await revocations.beginAttempt(revocationId);
        if (access === null) return { kind: 'nothing_to_revoke' };
        const outcome = await revokeAt(revocationId, access, signal);
        if (outcome === 'not_offered') {
          await revocations.giveUp(revocationId, 'not_offered');
          return { kind: 'nothing_to_revoke' };
        }
        await revocations.settle(revocationId);
        return { kind: 'revoked' };
      });
    },
  };

  async function revokeAt(
    revocationId: string,
    {
      provider: name,
      remoteId,
      ...permission
    }: NonNullable<Awaited<ReturnType<RevocationRepository['beginAttempt']>>>,
    signal: AbortSignal,
  ): Promise<RevocationOutcome> {
    const provider = providers.get(name);
    if (provider.revoke === undefined) return 'not_offered';
    if (remoteId === null)
      throw new ProviderFailure(
        'internal',
        'The institution is no longer available through this provider.',
      );
    try {
      return await provider.revoke(
        unmanagedAccess({ remoteId, ...permission, signal }, (renewed) =>
          revocations.keepRenewed(revocationId, renewed),
        ),
      );
    } catch (error) {
      // A permission that the bank no longer knows, or ended itself, counts as revoked.
      if (
        !(error instanceof ProviderFailure) ||
        !FAILURE_MEANINGS[error.providerCause].endsPermission
      )
        throw error;
    }
    return 'revoked';
  }
}

export type DeletionActivities = ReturnType<typeof createDeletionActivities>;
export type RevocationActivities = ReturnType<typeof createRevocationActivities>;
