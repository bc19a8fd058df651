import { FAILURE_MEANINGS } from '../../domain/errors/failure-mapping.js';
import { ProviderFailure } from '../../domain/errors/provider-failure.js';
import type {
  DeletionPlan,
  RevocationRepository,
} from '../../prisma/permissions/revocation.repository.js';
import type { ProviderRegistry } from '../../providers/registry.js';
import { withHeartbeats } from '../heartbeats.js';

export type { DeletionPlan };

export interface DeletionActivityDeps {
  revocations: Pick<RevocationRepository, 'plan' | 'giveUp'>;
}

/** Steps after the end of a link that only touch the database. */
export function createDeletionActivities({ revocations }: DeletionActivityDeps) {
  return {
    async planDeletion(linkId: string): Promise<DeletionPlan | null> {
      return revocations.plan(linkId);
    },

    /** The time is over: the credential is erased all the same, and the permission is recorded. */
    async giveUpRevocation({ revocationId }: { revocationId: string }): Promise<void> {
      await revocations.giveUp(revocationId);
    },
  };
}

export interface RevocationActivityDeps {
  revocations: Pick<RevocationRepository, 'beginAttempt' | 'settle'>;
  providers: Pick<ProviderRegistry, 'get'>;
}

/** `nothing_to_revoke`: it was done before, its time is over, or this provider knows no revocation. */
export type RevocationResult = { kind: 'revoked' } | { kind: 'nothing_to_revoke' };

/** Ending a permission at its bank; runs on the queue of its provider. Safe to repeat. */
export function createRevocationActivities({ revocations, providers }: RevocationActivityDeps) {
  return {
    async revokePermission({ revocationId }: { revocationId: string }): Promise<RevocationResult> {
      return withHeartbeats(async (signal) => {
        const access = await revocations.beginAttempt(revocationId);
        if (access === null) return { kind: 'nothing_to_revoke' };
        const kind = await revokeAt(access, signal);
        await revocations.settle(revocationId);
        return { kind };
      });
    },
  };

  async function revokeAt(
    {
      provider: name,
      remoteId,
      credential,
    }: NonNullable<Awaited<ReturnType<RevocationRepository['beginAttempt']>>>,
    signal: AbortSignal,
  ): Promise<RevocationResult['kind']> {
    const provider = providers.get(name);
    if (provider.revoke === undefined) return 'nothing_to_revoke';
    if (remoteId === null)
      throw new ProviderFailure(
        'internal',
        'The institution is not offered through this provider any more.',
      );
    try {
      await provider.revoke({ remoteId, credential, signal });
    } catch (error) {
      // What the bank does not know any more, or ended itself, has ended.
      if (
        !(error instanceof ProviderFailure) ||
        !FAILURE_MEANINGS[error.provider_cause].endsPermission
      )
        throw error;
    }
    return 'revoked';
  }
}

export type DeletionActivities = ReturnType<typeof createDeletionActivities>;
export type RevocationActivities = ReturnType<typeof createRevocationActivities>;
