import type { z } from 'zod';
import type { LiabilityChange } from '../liabilities/scripted-liabilities.js';
import { applySteps, Impossible, type ImpossibleStep } from './apply-steps.js';
import type { LiabilitiesScript } from './change-forms.js';

/**
 * All changes after the script; or the impossible step, without any change.
 * @param accountIds the accounts with a debt
 */
export const applyLiabilitiesScript = (
  before: readonly LiabilityChange[],
  script: z.infer<typeof LiabilitiesScript>,
  accountIds: readonly string[],
): { after: LiabilityChange[] } | ImpossibleStep =>
  applySteps([...before], script, (changes, { account_id: accountId, fields }) => {
    if (!accountIds.includes(accountId)) throw new Impossible('The account has no debt.');
    return [...changes, { accountId, fields }];
  });
