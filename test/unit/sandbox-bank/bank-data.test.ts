import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { accountNumbersOf, accountsOf } from '../../../apps/sandbox-bank/src/accounts/accounts.js';
import { CustomData } from '../../../apps/sandbox-bank/src/customers/custom-data.js';
import type { Customer } from '../../../apps/sandbox-bank/src/customers/customer.js';
import { dynamicTransactions } from '../../../apps/sandbox-bank/src/transactions/dynamic-transactions.js';
import { dayNumberOf } from '../../../apps/sandbox-bank/src/transactions/day-number.js';
import { historyAt } from '../../../apps/sandbox-bank/src/transactions/history.js';
import { findInstitution } from '../../../apps/sandbox-bank/src/institutions/institutions.js';
import { ownersOf } from '../../../apps/sandbox-bank/src/accounts/owners.js';
import { transactionPage } from '../../../apps/sandbox-bank/src/transactions/transaction-page.js';
import {
  formatPageToken,
  parsePageToken,
} from '../../../apps/sandbox-bank/src/transactions/page-token.js';
import { SECRET_PICTURE } from '../../../apps/sandbox-bank/src/logins/secret-picture.js';

const NOW = new Date('2026-03-02T15:00:00Z');
const institution = findInstitution('sandbox-credentials-bank');
if (institution === null) throw new Error('Credentials Bank is gone');

function customerOf(userName: string, more: Partial<Customer> = {}): Customer {
  return {
    institution,
    worldId: 'default',
    worldSeed: '0',
    userName,
    customerReference: 'user-1',
    accountKeys: null,
    customData: null,
    ...more,
  } as Customer;
}

describe('The rows of a customer', () => {
  const DAY_MS = 86_400_000;
  const moments = fc.date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  const rowsAt = (customer: Customer, fetches: readonly Date[]) => {
    const now = fetches.at(-1) ?? NOW;
    const fetchDays = fetches.map(dayNumberOf);
    return transactionPage(
      customer,
      { ...historyAt(now), size: 1_000, after: null, fetchDays },
      now,
    ).transactions;
  };

  it.each(['user_good', 'user_dynamic', 'user_custom'])(
    'of %s have no date or time after now, at any time of any day',
    (userName) => {
      fc.assert(
        fc.property(
          moments,
          fc.uuid(),
          fc.array(fc.nat({ max: DAY_MS }), { maxLength: 3 }),
          fc.array(fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }), { maxLength: 5 }),
          (first, worldSeed, pauses, offsets) => {
            const fetches = pauses.reduce(
              (made, pause) => [...made, new Date((made.at(-1) ?? first).getTime() + pause)],
              [first],
            );
            const now = (fetches.at(-1) ?? first).toISOString();
            const transactions = offsets
              .map((offset) => new Date(Date.parse(now) + offset).toISOString())
              .map((at) => ({
                account: 0,
                date: at.slice(0, 10),
                datetime: at.slice(0, 19),
                amount: 1,
                type: 'debit',
              }));
            const accounts = [
              { account_type: 'depository.checking', name: 'Everyday', account_number: '1' },
            ];
            const customData = CustomData.parse({ accounts, transactions });
            const customer = customerOf(userName, { worldSeed, customData });
            for (const row of rowsAt(customer, fetches)) {
              expect(row.booking_date <= now.slice(0, 10)).toBe(true);
              expect(`${row.local_datetime ?? row.booking_date}` <= now).toBe(true);
            }
          },
        ),
      );
    },
  );

  it('of user_custom appear at their time', () => {
    const at = (time: string) => ({
      account: 0,
      date: time.slice(0, 10),
      datetime: time,
      amount: 1,
      type: 'debit',
    });
    const customData = CustomData.parse({
      accounts: [{ account_type: 'depository.checking', name: 'Everyday', account_number: '1' }],
      transactions: ['2026-03-02T14:59:59', '2026-03-02T15:00:00', '2026-03-02T15:00:01'].map(at),
    });
    const customer = customerOf('user_custom', { customData });
    expect(rowsAt(customer, [NOW])).toHaveLength(2);
    expect(rowsAt(customer, [new Date(NOW.getTime() + 1_000)])).toHaveLength(3);
  });
});

describe('The rows of user_dynamic', () => {
  const customer = customerOf('user_dynamic');
  const days = (fetches: number) => Array.from({ length: fetches }, () => 20_514);

  it('are 10 posted and 2 pending in the first fetch', () => {
    const statuses = dynamicTransactions(customer, days(1)).map(({ status }) => status);
    expect(statuses).toHaveLength(12);
    expect(statuses.filter((status) => status === 'PENDING')).toHaveLength(2);
  });

  it('change by 2 created, 3 updated and 1 removed in every later fetch', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 }),
        (steps) => {
          const fetchDays = steps.reduce(
            (list, step) => [...list, (list.at(-1) ?? 0) + step],
            [20_514],
          );
          const before = new Map(
            dynamicTransactions(customer, fetchDays.slice(0, -1)).map((row) => [
              row.transaction_id,
              row,
            ]),
          );
          const after = new Map(
            dynamicTransactions(customer, fetchDays).map((row) => [row.transaction_id, row]),
          );
          const created = [...after.values()].filter((row) => !before.has(row.transaction_id));
          const removed = [...before.values()].filter((row) => !after.has(row.transaction_id));
          const updated = [...after.values()].filter((row) => {
            const old = before.get(row.transaction_id);
            return old !== undefined && JSON.stringify(old) !== JSON.stringify(row);
          });
          expect({
            created: created.length,
            updated: updated.length,
            removed: removed.length,
          }).toEqual({ created: 2, updated: 3, removed: 1 });
          expect(created.every(({ status }) => status === 'PENDING')).toBe(true);
          const wasPending = (id: string) => before.get(id)?.status === 'PENDING';
          const settled = updated.filter(({ transaction_id }) => wasPending(transaction_id));
          expect(settled.map(({ status }) => status)).toEqual(['BOOKED', 'BOOKED']);
          const [raised] = updated.filter(({ transaction_id }) => !wasPending(transaction_id));
          const old = before.get(raised?.transaction_id ?? '');
          expect(Number(raised?.amount) - Number(old?.amount)).toBeCloseTo(1, 6);
          const posted = [...before.values()]
            .filter(({ status }) => status === 'BOOKED')
            .map(({ booking_date }) => booking_date)
            .sort();
          expect(old?.booking_date).toBe(posted.at(-1));
          expect(removed[0]?.booking_date).toBe(posted[0]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('The accounts of Credentials Bank', () => {
  it('are the three of link-lifecycle 13.2', () => {
    const shown = accountsOf(customerOf('user_good'), NOW).map(
      ({ product, number_last4, balances }) => [
        product,
        number_last4,
        balances.available,
        balances.current,
        balances.credit_limit,
      ],
    );
    expect(shown).toEqual([
      ['CHECKING', '1101', '2210.52', '2350.00', null],
      ['SAVINGS', '2202', '8400.00', '8400.00', null],
      ['CREDIT_CARD', '3303', '4587.63', '412.37', '5000.00'],
    ]);
    const numbers = accountNumbersOf(customerOf('user_good')).map(
      ({ account_number, routing_number }) => [account_number, routing_number],
    );
    expect(numbers).toEqual([
      ['100020001101', '999000014'],
      ['100020002202', '999000014'],
    ]);
  });

  it('have one owner, the same in every fetch', () => {
    const [owner, ...others] = ownersOf(customerOf('user_good'));
    expect(others).toEqual([]);
    expect(owner?.account_ids).toHaveLength(3);
    expect(owner).toMatchObject({
      names: [expect.stringContaining(' ')],
      emails: [{ address: expect.stringContaining('@example.com') }],
    });
    expect(ownersOf(customerOf('user_good'))).toEqual([owner]);
  });

  it('keep their ids for one person, and share none with another person, world or bank', () => {
    const idsOf = (customer: Customer) =>
      accountsOf(customer, NOW).map(({ account_id }) => account_id);
    const mine = idsOf(customerOf('user_good'));
    expect(idsOf(customerOf('user_good', { accountKeys: ['rainy-day-savings'] }))).toEqual([
      mine[1],
    ]);
    const others = [
      customerOf('auth_expires'),
      customerOf('user_good', { worldId: 'wld_2' }),
      customerOf('user_good', { customerReference: 'user-2' }),
      customerOf('user_good', {
        institution: findInstitution('sandbox-oauth-bank') ?? institution,
      }),
    ];
    for (const other of others) expect(idsOf(other).filter((id) => mine.includes(id))).toEqual([]);
  });

  it('are empty for no_accounts, who has no rows and no owner either', () => {
    const no_one = customerOf('no_accounts');
    expect({
      accounts: accountsOf(no_one, NOW),
      owners: ownersOf(no_one),
      numbers: accountNumbersOf(no_one),
    }).toEqual({ accounts: [], owners: [], numbers: [] });
    expect(
      transactionPage(
        no_one,
        { first: 0, last: 30_000, size: 10, after: null, fetchDays: [] },
        NOW,
      ),
    ).toEqual({ transactions: [], end: null });
  });

  it('show rows only of shared accounts', () => {
    const request = { first: 20_000, last: 20_513, size: 1_000, after: null, fetchDays: [] };
    const all = transactionPage(customerOf('user_good'), request, NOW).transactions;
    const card = transactionPage(
      customerOf('user_good', { accountKeys: ['rewards-card'] }),
      request,
      NOW,
    ).transactions;
    const cardId = accountsOf(customerOf('user_good'), NOW)[2]?.account_id;
    expect(card.length).toBeGreaterThan(50);
    expect(card).toEqual(all.filter(({ account_id }) => account_id === cardId));
    expect(
      all
        .filter(({ account_id }) => account_id === cardId)
        .every(({ direction }) => direction === 'OUT'),
    ).toBe(true);
  });
});

describe('Custom data', () => {
  const account = {
    account_type: 'investment.brokerage',
    name: 'Broker',
    account_number: '9988-7766',
  };

  it('becomes accounts, numbers, owners and rows', () => {
    const customData = CustomData.parse({
      accounts: [
        account,
        {
          ...account,
          account_number: '1',
          routing_number: '021000021',
          balances: { currency: 'CAD', available: null, current: -12.5, limit: 0.1 },
        },
      ],
      owners: [{ names: ['Ann Example'], addresses: null }],
      transactions: [
        {
          account: 1,
          date: '2026-02-27',
          amount: 0.30000000000000004,
          type: 'credit',
          datetime: '2026-02-27T09:30:00',
          description: 'x',
        },
        {
          account: 0,
          date: '2026-02-27T00:00:00',
          amount: 1e-7,
          type: 'debit',
          pending: true,
          datetime: '2026-03-01T09:30:00Z',
        },
        { account: 0, date: '2019-01-01', amount: 7, type: 'debit' },
      ],
    });
    const customer = customerOf('user_custom', { customData });
    expect(accountsOf(customer, NOW)).toMatchObject([
      {
        product: 'BROKERAGE',
        display_name: 'Broker',
        number_last4: '7766',
        currency: 'USD',
        balances: { available: null, current: null },
      },
      { number_last4: '1', currency: 'CAD', balances: { current: '-12.5', credit_limit: '0.1' } },
    ]);
    expect(accountNumbersOf(customer).map(({ routing_number }) => routing_number)).toEqual([
      '999000014',
      '021000021',
    ]);
    expect(ownersOf(customer)).toMatchObject([
      { names: ['Ann Example'], addresses: [], phone_numbers: [], emails: [] },
    ]);
    const { transactions } = transactionPage(
      customer,
      { first: 20_000, last: 20_514, size: 10, after: null, fetchDays: [] },
      NOW,
    );
    expect(
      transactions
        .map(({ amount, direction, status, local_datetime }) => [
          amount,
          direction,
          status,
          local_datetime,
        ])
        .sort(),
    ).toEqual([
      ['0.0000001', 'OUT', 'PENDING', null],
      ['0.3', 'IN', 'BOOKED', '2026-02-27T09:30:00.000'],
    ]);
  });

  it('is used only by user_custom', () => {
    const customData = CustomData.parse({ accounts: [account] });
    expect(accountsOf(customerOf('user_good', { customData }), NOW)).toHaveLength(3);
    expect(accountsOf(customerOf('user_custom', { customData }), NOW)).toHaveLength(1);
    expect(accountsOf(customerOf('user_custom'), NOW)).toHaveLength(3);
  });

  it.each<[string, unknown]>([
    ['', null],
    ['', []],
    ['accounts', {}],
    ['accounts', { accounts: [] }],
    ['accounts', { accounts: Array.from({ length: 21 }, () => account) }],
    ['accounts.0.account_type', { accounts: [{ ...account, account_type: 'depository.sock' }] }],
    ['accounts.0.account_type', { accounts: [{ ...account, account_type: 'constructor' }] }],
    ['accounts.0.routing_number', { accounts: [{ ...account, routing_number: '021000022' }] }],
    ['accounts.0.name', { accounts: [{ ...account, name: 'a\u0000' }] }],
    ['accounts.0.balances.current', { accounts: [{ ...account, balances: { current: '7' } }] }],
    [
      'transactions',
      {
        accounts: [account],
        transactions: [{ account: 1, date: '2026-01-01', amount: 1, type: 'debit' }],
      },
    ],
    [
      'transactions.0.date',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-02-30', amount: 1, type: 'debit' }],
      },
    ],
    [
      'transactions.0.amount',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-01-01', amount: -1, type: 'debit' }],
      },
    ],
    [
      'transactions.0.type',
      {
        accounts: [account],
        transactions: [{ account: 0, date: '2026-01-01', amount: 1, type: 'gift' }],
      },
    ],
  ])('is reported as invalid at %j', (wrongAt, value) => {
    expect(CustomData.safeParse(value).error?.issues[0]?.path.join('.')).toBe(wrongAt);
  });
});

describe('A page token of the sandbox bank', () => {
  it('decodes to its position and is refused when changed', () => {
    const token = {
      first: 19_000,
      last: 20_000,
      fetches: 3,
      after: { bookingDate: '2026-01-02', transactionId: `tx_${'a1'.repeat(12)}` },
    };
    expect(parsePageToken(formatPageToken(token))).toEqual(token);
    for (const text of [
      '',
      'x',
      'ä',
      formatPageToken(token).slice(0, -4),
      formatPageToken({ ...token, first: 20_001 }),
    ])
      expect(parsePageToken(text)).toBeNull();
  });
});

describe('The security image', () => {
  it('is a small PNG whose size matches its header', () => {
    expect(SECRET_PICTURE.length).toBeLessThan(200_000);
    expect(SECRET_PICTURE.subarray(0, 8)).toEqual(
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    );
    const [width, height] = [SECRET_PICTURE.readUInt32BE(16), SECRET_PICTURE.readUInt32BE(20)];
    const dataLength = SECRET_PICTURE.readUInt32BE(33);
    expect(SECRET_PICTURE.toString('latin1', 37, 41)).toBe('IDAT');
    expect(inflateSync(SECRET_PICTURE.subarray(41, 41 + dataLength))).toHaveLength(
      height * (width + 1),
    );
  });
});
