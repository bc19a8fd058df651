import { liabilityKindOf } from '../../../domain/liabilities/liability-kind.js';
import type { LiabilityKind } from '../../../domain/liabilities/liability.js';
import type { ProviderLiability } from '../../contract/provider.js';
import type { FdxInstitution } from '../settings.js';
import type { Noting } from './each-account.js';
import { toLiability } from './liabilities/to-liability.js';
import { readDetailsOf, type KindFacts } from './read-details.js';
import type { ReadResource } from './resource-reader.js';

/** For an account whose type is not that of a debt. */
const KINDS_OF_CATEGORY: Readonly<Record<string, LiabilityKind>> = {
  LOC_ACCOUNT: 'line_of_credit',
  LOAN_ACCOUNT: 'loan',
};

const kindOf = ({ accountType, category }: KindFacts): LiabilityKind | null =>
  liabilityKindOf(accountType) ??
  (Object.hasOwn(KINDS_OF_CATEGORY, category) ? (KINDS_OF_CATEGORY[category] ?? null) : null);

/** Reads the debt in the details of each card, credit line and loan. */
export function fetchLiabilities(
  read: ReadResource,
  institution: FdxInstitution,
  noting: Noting,
): Promise<ProviderLiability[]> {
  return readDetailsOf(
    (facts) => kindOf(facts) !== null,
    { read, institution, noting },
    (account, details) => {
      const kind = kindOf(account);
      const scope = { account: account.id, note: noting.note };
      return kind && toLiability(details, { ...account, kind, rates: institution.rates, scope });
    },
  );
}
