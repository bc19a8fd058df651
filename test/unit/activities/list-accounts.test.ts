import { listAccounts } from '../../../activities/refresh/list-accounts.js';
import type { AccountListing, ProviderAccess } from '../../../providers/contract/provider.js';

const listed = (count: number) =>
  listAccounts(
    {
      fetchAccounts: () =>
        Promise.resolve({
          accounts: Array(count).fill({}),
          unreported: [],
        } as unknown as AccountListing),
    },
    {} as ProviderAccess,
    { incomplete: () => [] },
  );

describe('A list of accounts from a source', () => {
  it('holds at most 1,000, so that every list of the accounts of a link has a bound', async () => {
    expect((await listed(1_000)).accounts).toHaveLength(1_000);
    await expect(listed(1_001)).rejects.toMatchObject({
      message: 'The list of accounts does not end.',
    });
  });
});
