import { Decimal } from 'decimal.js';
import { listAccounts } from '../../../activities/refresh/list-accounts.js';
import type {
  AccountListing,
  ProviderAccess,
  ProviderAccount,
  SourceFault,
} from '../../../providers/contract/provider.js';
import { accountFacts } from '../../support/fixtures/account-facts.js';

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

describe('The balances of a listed account', () => {
  const noted = async (
    account: Partial<ProviderAccount>,
    hasCurrent: boolean,
  ): Promise<{ current: string | undefined; faults: SourceFault[] }> => {
    const faults: SourceFault[] = [];
    const facts = accountFacts('depository.checking', hasCurrent ? {} : { current: null });
    const listing = {
      accounts: [
        { providerAccountId: 'a', accountType: 'depository.checking', limit: null, ...account },
      ],
      unreported: [],
    } as unknown as AccountListing;
    const { accounts } = await listAccounts(
      { fetchAccounts: () => Promise.resolve(listing) },
      {
        accountFacts: new Map([['a', facts]]),
        note: (fault: SourceFault) => void faults.push(fault),
      } as unknown as ProviderAccess,
      { incomplete: () => [] },
    );
    return { current: accounts[0]?.current?.toFixed(), faults };
  };
  const [one, none] = [new Decimal(1), null];
  const MISSING = [
    { scope: 'value', account: 'a', resource: 'balance', field: '', reason: 'missing' },
  ];

  it('are noted as missing if the source shows none, or not the one that was known', async () => {
    expect(await noted({ current: none, available: none }, false)).toEqual({ faults: MISSING });
    const debt = { accountType: 'liability.loan', current: none, available: one };
    expect(await noted(debt, true)).toEqual({ faults: MISSING });
    expect(await noted(debt, false)).toEqual({ faults: [] });
    expect(await noted({ current: one, available: none }, true)).toEqual({
      current: '1',
      faults: [],
    });
  });

  it('have a current one that follows from what is available', async () => {
    expect(await noted({ current: none, available: one }, true)).toEqual({
      current: '1',
      faults: [],
    });
  });
});
