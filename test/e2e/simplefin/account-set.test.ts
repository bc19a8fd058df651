import { BANK, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import {
  connectedFinanceApp,
  epoch,
  type FinanceApp,
  type SimplefinAccount,
} from './support/finance-app.js';

const USER = 'user/with ü';
const WINDOW = `?start-date=${epoch('2026-01-01')}&end-date=${epoch('2026-04-01')}`;

apiOfFile();

let linkId: string;
let app: FinanceApp;
beforeAll(async () => {
  await service.database.prisma.institution.update({
    where: { institutionId: BANK },
    data: { name: 'Instant Bank', domain: 'instant.example' },
  });
  linkId = await importAccounts(USER);
  app = await connectedFinanceApp(service, token, USER);
});

const accountOf = (id: string, type: string, currency: string, balances: object) => ({
  account_id: id,
  name: `Account ${id}`,
  type,
  mask: '1234',
  balances: { currency, balance_date: '2026-03-02T10:15:30', ...balances },
});
const rowOf = (accountId: string, amount: string, date: string, more: object = {}) => ({
  account_id: accountId,
  amount,
  date,
  transaction_id: `${accountId} ${amount} ${date}`,
  description: `Row ${amount}`,
  ...more,
});

async function importAccounts(userId: string): Promise<string> {
  const response = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: userId },
      institution_id: BANK,
      accounts: [
        accountOf('usd', 'checking', 'USD', { current: '1000', available: '12345678901234567.8' }),
        accountOf('jpy', 'savings', 'JPY', { current: '1000' }),
        accountOf('kwd', 'savings', 'KWD', { current: '-1.5' }),
        accountOf('card', 'credit card', 'USD', { current: '250.5', available: '749.5' }),
        accountOf('loan', 'mortgage', 'USD', { current: '100000' }),
        accountOf('none', 'savings', 'USD', {}),
      ],
      transactions: [
        rowOf('usd', '-4.5', '2026-03-01', {
          remittance: 'Table 7',
          merchant: { name: 'Cafe', mcc: '5812' },
          transacted_at: '2026-02-27T18:30:00',
        }),
        rowOf('usd', '12345678901234567.891', '2026-03-02'),
        rowOf('usd', '-1', '2026-03-03'),
        rowOf('usd', '-2', '2026-03-03'),
        rowOf('jpy', '-300', '2026-03-01'),
        rowOf('kwd', '0.25', '2026-03-01'),
        rowOf('card', '-19.99', '2026-03-01'),
      ],
    },
  });
  expect(response.status).toBe(200);
  const { link_id: imported } = response.body as { link_id: string };
  const { pk: linkPk } = await service.database.prisma.link.findUniqueOrThrow({
    where: { linkId: imported },
  });
  // An import has no pending rows, and is not connected until its user signs in.
  await forceLink(service, imported, { state: 'connected', errorCode: null });
  await service.database.prisma.transactionVersion.updateMany({
    where: { linkPk, originalId: 'usd -2 2026-03-03' },
    data: { pending: true },
  });
  return imported;
}

const named = (accounts: readonly SimplefinAccount[], id: string): SimplefinAccount => {
  const found = accounts.find(({ name }) => name === `Account ${id} (1234)`);
  if (found === undefined) throw new Error(`no account ${id}`);
  return found;
};

describe('GET /simplefin/accounts', () => {
  it('lists an account of version 1 with one org, its balance and its rows in order of their day', async () => {
    const { accounts, ...rest } = await app.accounts(`${WINDOW}&pending=1`);
    const id = expect.stringMatching(/^acc_\w{22}$/);
    const txn = expect.stringMatching(/^txn_\w{22}$/);
    expect(rest).toEqual({ errors: ['Instant Bank reports no balance of Account none.'] });
    expect(accounts).toHaveLength(5);
    expect(named(accounts, 'usd')).toEqual({
      org: {
        id: BANK,
        name: 'Instant Bank',
        domain: 'instant.example',
        url: 'https://instant.example',
        'sfin-url': expect.stringMatching(/\/simplefin$/),
      },
      id,
      name: 'Account usd (1234)',
      currency: 'USD',
      balance: '1000.00',
      'available-balance': '12345678901234567.80',
      'balance-date': epoch('2026-03-02', '10:15:30'),
      extra: { account_type: 'depository.checking' },
      transactions: [
        {
          id: txn,
          posted: epoch('2026-03-01', '12:00:00'),
          amount: '-4.50',
          description: 'Row -4.5',
          payee: 'Row -4.5',
          memo: 'Table 7',
          transacted_at: epoch('2026-02-27', '18:30:00'),
          mcc: '5812',
          extra: { category: expect.any(String) },
        },
        expect.objectContaining({ amount: '12345678901234567.891' }),
        expect.objectContaining({ amount: expect.stringMatching(/^-[12]\.00$/) }),
        expect.objectContaining({ amount: expect.stringMatching(/^-[12]\.00$/) }),
      ],
      holdings: [],
    });
  });

  it('writes every amount with the minor digits of its currency, and debt as a negative balance', async () => {
    const { accounts } = await app.accounts(WINDOW);
    const written = ['usd', 'jpy', 'kwd', 'card', 'loan'].map((id) => {
      const { balance, transactions } = named(accounts, id);
      return [balance, transactions[0]?.amount];
    });
    expect(written).toEqual([
      ['1000.00', '-4.50'],
      ['1000', '-300'],
      ['-1.500', '0.250'],
      ['-250.50', '-19.99'],
      ['-100000.00', undefined],
    ]);
  });

  it('names connections in version 2, and errors by code', async () => {
    const { accounts, ...rest } = await app.accounts(`${WINDOW}&version=2`);
    expect(rest).toEqual({
      errlist: [
        {
          code: 'act.missingdata',
          msg: 'Instant Bank reports no balance of Account none.',
          account_id: expect.stringMatching(/^acc_/),
        },
      ],
      connections: [
        {
          conn_id: linkId,
          name: 'Instant Bank',
          org_id: BANK,
          org_name: 'Instant Bank',
          org_url: 'https://instant.example',
          sfin_url: expect.stringMatching(/\/simplefin$/),
        },
      ],
    });
    expect(accounts.map(({ conn_id: id, org }) => [id, org])).toEqual(
      accounts.map(() => [linkId, undefined]),
    );
  });

  it('marks a pending row by its flag, posted 0 and the time of its day, and lists it only on request', async () => {
    const rows = async (query: string) =>
      named((await app.accounts(WINDOW + query)).accounts, 'usd').transactions;
    const pending = (await rows('&pending=1')).filter((row) => row.pending === true);
    expect(pending).toEqual([
      expect.objectContaining({
        amount: '-2.00',
        posted: 0,
        pending: true,
        transacted_at: epoch('2026-03-03', '12:00:00'),
      }),
    ]);
    expect((await rows('')).map(({ amount }) => amount)).toEqual([
      '-4.50',
      '12345678901234567.891',
      '-1.00',
    ]);
    expect(await rows('&pending=0')).toHaveLength(3);
  });

  it.each([
    ['2026-03-01', '2026-03-02', ['-4.50']],
    ['2026-03-02', '2026-03-03', ['12345678901234567.891']],
    ['2026-03-03', '2026-04-01', ['-1.00']],
  ])('lists the rows from %s and before %s', async (start, end, amounts) => {
    const { accounts } = await app.accounts(`?start-date=${epoch(start)}&end-date=${epoch(end)}`);
    expect(named(accounts, 'usd').transactions.map(({ amount }) => amount)).toEqual(amounts);
  });

  it('lists chosen accounts, balances alone, and says that an account is unknown', async () => {
    const { accounts } = await app.accounts(`${WINDOW}&balances-only=1`);
    expect(accounts.flatMap(({ transactions }) => transactions)).toEqual([]);
    const [usd, jpy] = [named(accounts, 'usd').id, named(accounts, 'jpy').id];
    const chosen = await app.accounts(`?account=${usd}&account=${jpy}&account=acc_unknown`);
    expect(chosen.accounts.map(({ id }) => id)).toEqual([usd, jpy]);
    expect(chosen.errors).toEqual(['An account that was asked for is not shared here.']);
  });

  it.each(['start-date', 'end-date'])('refuses a %s that is not a timestamp', async (name) => {
    expect(await app.send(`?${name}=2026-03-01`)).toMatchObject({
      status: 400,
      text: `${name} must be a Unix epoch timestamp.`,
    });
    expect((await app.send(`?${name}=1767225600.5`)).status).toBe(200);
  });

  it('keeps the data of a bank that needs its user, and says so in words that Actual recognizes', async () => {
    const user = 'user with a failing bank';
    const failing = await importAccounts(user);
    const theirs = await connectedFinanceApp(service, token, user);
    await service.database.prisma.linkProduct.updateMany({
      where: { link: { linkId: failing } },
      data: { refreshedAt: new Date() },
    });
    await forceLink(service, failing, { state: 'error', errorCode: 'auth_expired' });
    const first = await theirs.accounts(WINDOW);
    expect(first.errors?.[0]).toBe('Connection to Instant Bank may need attention');
    expect(named(first.accounts, 'usd').transactions).toHaveLength(3);
    const second = await theirs.accounts(`${WINDOW}&version=2`);
    expect(second.errlist?.[0]).toEqual({
      code: 'con.auth',
      msg: 'Connection to Instant Bank may need attention',
      conn_id: failing,
    });
  });

  it('never shows accounts of another user, app or environment, or of a deleted link', async () => {
    const user = 'user of a deleted link';
    const deleted = await importAccounts(user);
    await service.api.as(token).delete(`/links/${deleted}`);
    const empty = await Promise.all(
      [
        await connectedFinanceApp(service, token, user),
        await connectedFinanceApp(service, token, 'another user'),
        await connectedFinanceApp(service, await service.token('rival'), USER),
        await connectedFinanceApp(service, await service.token('pocket-ledger', 'live'), USER),
      ].map((other) => other.accounts(WINDOW)),
    );
    expect(empty).toEqual(empty.map(() => ({ errors: [], accounts: [] })));
  });
});
