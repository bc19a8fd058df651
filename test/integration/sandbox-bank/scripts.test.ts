import { randomUUID } from 'node:crypto';
import type { ScriptStep } from '../../../domain/sandbox/sandbox-script.js';
import type { ProviderAccess } from '../../../providers/contract/provider.js';
import {
  createSandboxProvider,
  type SandboxProvider,
} from '../../../providers/sandbox/sandbox-provider.js';
import { createTestDatabase } from '../../support/services/embedded-services.js';
import { openSandboxBank, connectionTo, type TestSandboxBank } from './support/sandbox-bank.js';
import { asLinked, bankCustomer, rowsOf } from './bank-customer.js';

const BANK = 'sandbox-credentials-bank';
const NOW = new Date('2026-03-02T10:00:00Z');
const TODAY = '2026-03-02';
const WINDOW = { from: '2025-12-03', to: TODAY };

describe('Scripts at the sandbox banks', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let bank: TestSandboxBank;
  let provider: SandboxProvider;
  let access: ProviderAccess;
  let reference: string;
  let customerUserId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await openSandboxBank({ databaseUrl: database.url });
    provider = createSandboxProvider(connectionTo(bank));
  });
  afterAll(async () => {
    await bank.stop();
    await database.drop();
  });
  beforeEach(async () => {
    customerUserId = randomUUID();
    const outcome = await bankCustomer(provider, BANK).logIn('user_good', [], { customerUserId });
    access = { ...bankCustomer(provider, BANK).accessOf(outcome), worldTime: NOW };
    reference = asLinked(outcome).reference;
  });

  const run = (...script: ScriptStep[]) => provider.sandbox?.runScript(access, script);
  /** The rows that scripts wrote, by their names, as a fetch returns them. */
  async function fetched(refs: Record<string, string>) {
    const rows = await rowsOf(provider, access, WINDOW);
    return Object.fromEntries(
      Object.entries(refs).map(([ref, id]) => {
        const row = rows.find(({ providerTransactionId }) => providerTransactionId === id);
        return [
          ref,
          row === undefined
            ? null
            : {
                amount: row.amount.toNumber(),
                type: row.type,
                date: row.date,
                pending: row.pending,
              },
        ];
      }),
    );
  }
  async function idsOf(outcome: ReturnType<typeof run>): Promise<Record<string, string>> {
    const done = await outcome;
    if (done?.kind !== 'done') throw new Error(`the script was not done: ${JSON.stringify(done)}`);
    return Object.fromEntries(
      done.rows.map(({ ref, providerTransactionId }) => [ref, providerTransactionId]),
    );
  }
  async function checking() {
    const [account] = (await provider.fetchAccounts(access)).accounts;
    return [account?.available?.toNumber(), account?.current?.toNumber()];
  }

  it('write rows that a fetch returns with every given field', async () => {
    const ids = await idsOf(
      run({
        verb: 'authorize',
        ref: 'coffee',
        amount: 4.5,
        description: 'Corner Cafe',
        raw_description: 'POS CORNER CAFE',
        category: 'food_and_drink.coffee_shops',
      }),
    );
    const row = (await rowsOf(provider, access, WINDOW)).find(
      ({ providerTransactionId }) => providerTransactionId === ids['coffee'],
    );
    expect(row).toMatchObject({
      type: 'debit',
      currency: 'USD',
      date: TODAY,
      datetime: null,
      description: 'Corner Cafe',
      rawDescription: 'POS CORNER CAFE',
      pending: true,
      category: 'food_and_drink.coffee_shops',
    });
    const [account] = (await provider.fetchAccounts(access)).accounts;
    expect(row?.providerAccountId).toBe(account?.providerAccountId);
  });

  it('post a pending row under its id, with another amount', async () => {
    const ids = await idsOf(
      run(
        { verb: 'authorize', ref: 'coffee', amount: 4.5 },
        { verb: 'post', ref: 'coffee', amount: 5.25 },
      ),
    );
    expect(await fetched(ids)).toEqual({
      coffee: { amount: 5.25, type: 'debit', date: TODAY, pending: false },
    });
  });

  it('support all six verbs', async () => {
    const ids = await idsOf(
      run(
        { verb: 'post', ref: 'pay', amount: 100, type: 'credit', date: '2026-02-20' },
        { verb: 'authorize', ref: 'hold', amount: 7 },
        { verb: 'post', ref: 'shop', amount: 20, date: '2026-02-27' },
        { verb: 'amend', ref: 'shop', amount: 21, description: 'Shop & Co', date: '2026-02-26' },
        { verb: 'reverse', ref: 'shop' },
        { verb: 'drop', ref: 'hold' },
        { verb: 'backdate', ref: 'pay', date: '2026-02-10' },
        { verb: 'backdate', ref: 'late', amount: 3, date: '2026-01-05' },
      ),
    );
    expect(await fetched(ids)).toEqual({
      pay: { amount: 100, type: 'credit', date: '2026-02-10', pending: false },
      hold: null,
      shop: { amount: 21, type: 'debit', date: '2026-02-26', pending: false },
      'shop.reversal': { amount: 21, type: 'credit', date: TODAY, pending: false },
      late: { amount: 3, type: 'debit', date: '2026-01-05', pending: false },
    });
  });

  it('change the available balance by pending rows and the current balance by posted rows', async () => {
    expect(await checking()).toEqual([2210.52, 2350]);
    await run({ verb: 'authorize', ref: 'coffee', amount: 4.5 });
    expect(await checking()).toEqual([2206.02, 2350]);
    await run({ verb: 'post', ref: 'coffee', amount: 5.25 });
    expect(await checking()).toEqual([2205.27, 2344.75]);
    await run({ verb: 'post', ref: 'pay', amount: 100, type: 'credit' });
    expect(await checking()).toEqual([2305.27, 2444.75]);
    await run({ verb: 'drop', ref: 'pay' }, { verb: 'reverse', ref: 'coffee' });
    expect(await checking()).toEqual([2210.52, 2350]);
  });

  it('increase the amount owed on a card', async () => {
    const card = (await provider.fetchAccounts(access)).accounts.find(
      ({ accountType }) => accountType === 'liability.credit_card',
    );
    await run({
      verb: 'post',
      ref: 'shoes',
      amount: 80,
      account_id: card?.providerAccountId ?? '',
    });
    const after = (await provider.fetchAccounts(access)).accounts.find(
      ({ accountType }) => accountType === 'liability.credit_card',
    );
    expect({
      available: after?.available?.toNumber(),
      current: after?.current?.toNumber(),
    }).toEqual({ available: 4507.63, current: 492.37 });
  });

  const IMPOSSIBLE: readonly [string, ScriptStep[], number][] = [
    ['drop an unused ref', [{ verb: 'drop', ref: 'never' }], 0],
    [
      'amend an unused ref',
      [
        { verb: 'authorize', ref: 'a', amount: 1 },
        { verb: 'amend', ref: 'b', amount: 2 },
      ],
      1,
    ],
    ['reverse an unused ref', [{ verb: 'reverse', ref: 'never' }], 0],
    [
      'authorize a used ref',
      [
        { verb: 'authorize', ref: 'a', amount: 1 },
        { verb: 'authorize', ref: 'a', amount: 1 },
      ],
      1,
    ],
    [
      'post a row that is already posted',
      [
        { verb: 'post', ref: 'a', amount: 1 },
        { verb: 'post', ref: 'a' },
      ],
      1,
    ],
    [
      'use a row that was removed',
      [
        { verb: 'authorize', ref: 'a', amount: 1 },
        { verb: 'drop', ref: 'a' },
        { verb: 'post', ref: 'a', amount: 1 },
      ],
      2,
    ],
    [
      'reverse twice',
      [
        { verb: 'post', ref: 'a', amount: 1 },
        { verb: 'reverse', ref: 'a' },
        { verb: 'reverse', ref: 'a' },
      ],
      2,
    ],
    ['be born without an amount', [{ verb: 'post', ref: 'a' }], 0],
    [
      'use an account that does not exist',
      [{ verb: 'post', ref: 'a', amount: 1, account_id: 'acct_none' }],
      0,
    ],
    ['lie in the future', [{ verb: 'post', ref: 'a', amount: 1, date: '2026-03-03' }], 0],
    ['be backdated to today', [{ verb: 'backdate', ref: 'a', amount: 1, date: TODAY }], 0],
    [
      'be backdated to a later date',
      [
        { verb: 'post', ref: 'a', amount: 1, date: '2026-01-01' },
        { verb: 'backdate', ref: 'a', date: '2026-01-02' },
      ],
      1,
    ],
  ];
  it.each(IMPOSSIBLE)('cannot %s, and then change nothing', async (_what, script, index) => {
    expect(await run({ verb: 'post', ref: 'before', amount: 1 }, ...script)).toMatchObject({
      kind: 'impossible',
      index: index + 1,
    });
    expect(await run({ verb: 'authorize', ref: 'before', amount: 1 })).toMatchObject({
      kind: 'done',
    });
  });

  it('leave pending rows pending, and continue after a relink', async () => {
    const ids = await idsOf(run({ verb: 'authorize', ref: 'hold', amount: 7 }));
    const later = new Date('2026-03-20T10:00:00Z');
    access = { ...access, worldTime: later };
    expect(await fetched(ids)).toMatchObject({ hold: { pending: true } });
    const again = await bankCustomer(provider, BANK).logIn('user_good', [], {
      customerUserId,
      relink: { reference },
    });
    access = { ...bankCustomer(provider, BANK).accessOf(again), worldTime: later };
    expect(await idsOf(run({ verb: 'post', ref: 'hold' }))).toEqual(ids);
  });
});
