import { z } from 'zod';
import { MAX_ROWS } from '../../../http/input/input-limits.js';
import { MAX_ACCOUNTS, MAX_HOLDINGS } from '../../../sandbox/custom-sandbox-data.schema.js';
import { overrideAccount } from './override-account.schema.js';

/** The most rows of all accounts together. */
const MAX_OF_ALL = {
  transactions: MAX_ROWS,
  holdings: MAX_HOLDINGS,
  investment_transactions: MAX_ROWS,
} as const;

/** The password of Plaid's custom user, without the fields that have no effect. Source: plaid-compat 9. */
export const customUser = z
  .object({
    override_accounts: z.array(overrideAccount).max(MAX_ACCOUNTS).default([]),
    force_error: z.literal('', 'Is not supported: use a user name that fails.').optional(),
  })
  .superRefine(({ override_accounts: accounts }, context) => {
    for (const [rows, max] of Object.entries(MAX_OF_ALL)) {
      const count = accounts.reduce(
        (sum, account) => sum + (account[rows as keyof typeof MAX_OF_ALL] ?? []).length,
        0,
      );
      if (count > max)
        context.addIssue({
          code: 'custom',
          path: ['override_accounts'],
          message: `Must have at most ${max} ${rows} in all accounts.`,
        });
    }
  });
export type CustomUser = z.output<typeof customUser>;
