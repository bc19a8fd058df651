import type { EndUser } from '../domain/session/end-user.js';
import type { CredentialRenewals } from '../prisma/sources/permissions/credential-renewals.js';
import type { CredentialEdition } from '../prisma/sources/permissions/provider-credential.js';
import type { Provider, ProviderAccess, ProviderSecret } from '../providers/contract/provider.js';
import { quotaGate, type QuotaDeps } from './quota-gate.js';
import { ignoreFaults } from './source-faults.js';

export interface LinkAccessDeps extends QuotaDeps {
  renewals: Pick<CredentialRenewals, 'renew'>;
}

/** The permission of a link as read from its row, and the purpose of its calls. */
export type LinkAccessFacts = Omit<
  ProviderAccess,
  'renewCredential' | 'acquire' | 'endUser' | 'note' | 'signal'
> & {
  linkId: string;
  edition: CredentialEdition;
  isScheduled: boolean;
  /** The user who waits for the calls; no one if omitted. */
  endUser?: EndUser | null;
  /** Collects the faults of unreadable data; ignored if omitted. */
  note?: ProviderAccess['note'];
};

/**
 * Access with the permission of a link. Renewals are stored and single-flight across all processes,
 * and calls draw on the quotas of the source.
 */
export function linkAccess(
  deps: LinkAccessDeps,
  provider: Pick<Provider, 'name' | 'facts'>,
  {
    linkId,
    edition,
    isScheduled,
    credential,
    endUser = null,
    note = ignoreFaults,
    ...facts
  }: LinkAccessFacts,
  signal: AbortSignal,
): ProviderAccess {
  const { reference } = facts;
  let held: { credential: ProviderSecret; edition: CredentialEdition } = { credential, edition };
  let renewing: Promise<ProviderSecret> | undefined;
  return {
    ...facts,
    signal,
    endUser,
    note,
    get credential() {
      return held.credential;
    },
    // Concurrent calls of one access share one renewal, too.
    renewCredential(exchange) {
      renewing ??= deps.renewals
        .renew(
          { linkId, provider: provider.name, reference, edition: held.edition },
          exchange,
          signal,
        )
        .then((renewed) => {
          held = renewed;
          return renewed.credential;
        })
        .finally(() => {
          renewing = undefined;
        });
      return renewing;
    },
    acquire: quotaGate(deps, provider, { reference, endUser, isScheduled }),
  };
}
