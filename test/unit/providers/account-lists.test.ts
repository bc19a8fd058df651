import { fetchAccountNumbers } from '../../../providers/sandbox/data/fetch-account-numbers.js';
import { fetchAccounts } from '../../../providers/sandbox/data/fetch-accounts.js';
import type { BankClient } from '../../../providers/sandbox/client/bank-client.js';
import { encodeCredential } from '../../../providers/sandbox/client/credential.js';
import { fetchIdentity } from '../../../providers/sandbox/data/fetch-identity.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { accessWith } from '../../support/fixtures/provider-calls.js';

const faults: SourceFault[] = [];
beforeEach(() => void faults.splice(0));
const access = {
  ...accessWith(
    {
      credential: encodeCredential({ connectionId: 'con_1', accessToken: 'at_1' }),
      reference: 'con_1',
    },
    'sandbox-instant-bank',
  ),
  note: (fault: SourceFault) => void faults.push(fault),
};

const account = (id: string) => ({
  account_id: id,
  product: 'CHECKING',
  display_name: 'A',
  number_last4: '1101',
  currency: 'USD',
  balances: {
    available: null,
    current: '1.00',
    credit_limit: null,
    as_of: '2026-03-02T10:15:30.120Z',
  },
});
const number = (id: string) => ({
  account_id: id,
  account_number: '1',
  routing_number: '999000014',
});
const owner = (...ids: string[]) => ({
  account_ids: ids,
  names: ['Robin Vale'],
  addresses: [],
  phone_numbers: [],
  emails: [],
});

const LISTS = [
  {
    name: 'accounts',
    fetch: async (...call: Parameters<typeof fetchAccounts>) =>
      (await fetchAccounts(...call)).accounts,
    path: 'accounts',
    answer: (ids: string[]): unknown => ({ accounts: ids.map(account) }),
  },
  {
    name: 'account numbers',
    fetch: fetchAccountNumbers,
    path: 'account-numbers',
    answer: (ids: string[]): unknown => ({ account_numbers: ids.map(number) }),
  },
  {
    name: 'owners',
    fetch: fetchIdentity,
    path: 'owners',
    answer: (ids: string[]): unknown => ({ owners: [owner(...ids)] }),
  },
] as const;

describe.each(LISTS)('$name of the sandbox bank', ({ fetch, path, answer }) => {
  const bank =
    (body: unknown): BankClient =>
    () =>
      Promise.resolve(body);
  const many = Array.from({ length: 201 }, (_, index) => `acct_${index}`);

  it('are requested with the token of the connection', async () => {
    const calls: unknown[] = [];
    const brought = await fetch((call) => {
      calls.push({ path: call.path.join('/'), headers: call.headers });
      return Promise.resolve(answer(['acct_1', 'acct_2']));
    }, access);
    expect(brought.map(({ providerAccountId }) => providerAccountId)).toEqual(['acct_1', 'acct_2']);
    expect(calls).toEqual([
      {
        path: `v1/connections/con_1/${path}`,
        headers: { authorization: 'Bearer at_1' },
      },
    ]);
  });

  it('may be empty', async () => {
    expect(await fetch(bank(answer([])), access)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['no list', {}],
    ['a list that is an object', { accounts: {}, account_numbers: {}, owners: {} }],
    ['nothing', null],
    ['no JSON', undefined],
    ['a text', 'accounts'],
  ])('are malformed with %s', async (_, body) => {
    await expect(fetch(bank(body), access)).rejects.toMatchObject({
      name: 'ProviderFailure',
      providerCause: 'malformed',
    });
  });

  it('are read beside an entry that is null, which makes any account incomplete', async () => {
    const [field, entries] = Object.entries(answer(['acct_1']) as object)[0] as [string, unknown[]];
    const brought = await fetch(bank({ [field]: [null, ...entries] }), access);
    expect(brought.map(({ providerAccountId }) => providerAccountId)).toEqual(['acct_1']);
    expect(faults).toMatchObject([{ scope: 'account', account: null, reason: 'missing' }]);
  });

  it('are read only up to a number of accounts that no user has', async () => {
    const brought = await fetch(bank(answer(many)), access).catch(
      ({ providerCause }) => providerCause,
    );
    expect({ brought, scopes: faults.map(({ scope }) => scope) }).toEqual(
      path === 'owners'
        ? { brought: [], scopes: ['account'] }
        : { brought: 'malformed', scopes: [] },
    );
  });

  it('contain each account once', async () => {
    const brought = await fetch(bank(answer(['acct_1', 'acct_1'])), access);
    expect(brought.map(({ providerAccountId }) => providerAccountId)).toEqual(['acct_1']);
  });
});
