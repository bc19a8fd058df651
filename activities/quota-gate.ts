import { QuotaUsedUp } from '../domain/errors/provider-failure.js';
import type { EndUser } from '../domain/session/end-user.js';
import type { QuotaRepository } from '../prisma/sources/quotas/quota.repository.js';
import type { Provider, ProviderAccess, QuotaRule } from '../providers/contract/provider.js';

/** The caller whose calls are counted, and their purpose. */
export interface QuotaCaller {
  reference: string;
  endUser: EndUser | null;
  /** No app requested the calls, so they leave the reserve of each quota untouched. */
  isScheduled: boolean;
}

export interface QuotaDeps {
  quotas: Pick<QuotaRepository, 'take'>;
}

/** `ProviderAccess.acquire` for the calls of one permission. */
export function quotaGate(
  { quotas }: QuotaDeps,
  { name: provider, facts }: Pick<Provider, 'name' | 'facts'>,
  caller: QuotaCaller,
): ProviderAccess['acquire'] {
  return async (quota, account) => {
    const rule = facts.quotas.find(({ name }) => name === quota);
    if (rule === undefined) throw new Error(`${provider} has no quota "${quota}".`);
    if (rule.unattendedOnly && caller.endUser !== null) return;
    const { limit, windowSeconds } = rule;
    const { taken, waitMs } = await quotas.take({
      provider,
      quota,
      subject: subjectOf(rule, caller, account),
      limit,
      reserve: caller.isScheduled ? rule.reserve : 0,
      windowSeconds,
    });
    if (!taken) throw new QuotaUsedUp(quota, Math.ceil(waitMs / 1_000));
  };
}

function subjectOf(
  { name, per }: QuotaRule,
  { reference }: QuotaCaller,
  account: string | undefined,
): string {
  if (per === 'configuration') return '';
  if (per === 'permission') return reference;
  if (account === undefined) throw new Error(`The quota "${name}" is counted by account.`);
  return `${reference}/${account}`;
}
