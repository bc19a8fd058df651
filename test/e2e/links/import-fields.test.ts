import { errorOf } from '../../support/services/api-client.js';
import { BANK } from '../../support/services/api-in-process.js';
import {
  accountsOf,
  CHECKING,
  COFFEE,
  imported,
  importLink,
  rowsOf,
  SAVINGS,
  service,
  startImports,
  WAGES,
} from './support/import-requests.js';

startImports();

describe('POST /links/import', () => {
  it.each([
    ['no configuration has', BANK, 'elsewhere'],
    ['has no route to the institution', BANK, 'other-source'],
    ['has no route to the institution of another provider', `sandbox.${BANK}`, 'other-source'],
    ['is spelled in another way', BANK, 'Sandbox'],
  ])('refuses a provider that %s, and stores nothing', async (_what, institutionId, provider) => {
    const { prisma } = service.database;
    await prisma.providerConfiguration.upsert({
      where: { name: 'other-source' },
      create: {
        name: 'other-source',
        adapter: 'simplefin',
        environment: 'sandbox',
        settings: {},
        enabled: false,
      },
      update: {},
    });
    const user = { id: `user-of-${provider}` };
    const refused = await importLink({
      institution_id: institutionId,
      provider,
      customer_user: user,
      transactions: [COFFEE],
    });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      error_code: 'api_error.request.validation_failed',
      validation_errors: [
        {
          location: ['body', 'provider'],
          message: 'The institution has no route through this provider.',
        },
      ],
    });
    expect(await prisma.link.count({ where: { provider } })).toBe(0);
    expect(await prisma.customerUser.count({ where: { userId: user.id } })).toBe(0);
  });

  it.each(['no-such-bank', 'live-bank', `elsewhere.${BANK}`, 'sandbox.', '.'])(
    'refuses the unknown institution %s',
    async (institutionId) => {
      expect(errorOf(await importLink({ institution_id: institutionId }))).toMatchObject({
        status: 404,
        code: 'institution_error.not_found',
      });
    },
  );

  it.each<[string, string]>([
    ['depository.checking', 'depository.checking'],
    ['DEPOSITORY.MONEY_MARKET', 'depository.money_market'],
    ['Money Market', 'depository.money_market'],
    ['credit_card', 'liability.credit_card'],
    ['loan.general', 'liability.loan'],
    ['loan.mortgage', 'liability.mortgage'],
    ['loan.other', 'liability.other'],
    ['investment', 'investment.other'],
    ['other', 'other.other'],
    ['Credit Card', 'liability.credit_card'],
    ['401k', 'investment.retirement'],
    ['something else', 'unknown'],
    ['unknown', 'unknown'],
  ])('reads the account type %s as %s', async (type, expected) => {
    expect(await accountsOf(await imported({ accounts: [{ ...CHECKING, type }] }))).toMatchObject([
      { account_type: expected },
    ]);
  });

  it.each<[string, unknown, Record<string, unknown>]>([
    ['an amount of zero', 0, { amount: 0, type: 'credit' }],
    ['an amount of minus zero', '-0.00', { amount: 0, type: 'credit' }],
    [
      'an amount with more digits than a number holds',
      '-123456789012345678.1234567891',
      { type: 'debit' },
    ],
  ])('derives the direction of %s', async (_what, amount, expected) => {
    const linkId = await imported({ transactions: [{ ...COFFEE, amount }] });
    expect(await rowsOf(linkId)).toMatchObject([expected]);
    const [stored] = await service.database.prisma.transactionVersion.findMany({
      where: { transactionId: String((await rowsOf(linkId))[0]?.['transaction_id']) },
    });
    expect(stored?.amount.toFixed()).toBe(
      String(amount)
        .replace(/^-/, '')
        .replace(/^0\.00$/, '0'),
    );
  });

  it.each<[string, Record<string, unknown>, (string | number)[], string]>([
    ['a missing user', { customer_user: undefined }, ['body', 'customer_user'], 'missing'],
    ['a missing institution', { institution_id: undefined }, ['body', 'institution_id'], 'missing'],
    ['missing accounts', { accounts: undefined }, ['body', 'accounts'], 'missing'],
    ['an empty list of accounts', { accounts: [] }, ['body', 'accounts'], 'too_small'],
    [
      'an account without balances',
      { accounts: [{ ...CHECKING, balances: undefined }] },
      ['body', 'accounts', 0, 'balances'],
      'missing',
    ],
    [
      'an account without type',
      { accounts: [CHECKING, { ...SAVINGS, type: undefined }] },
      ['body', 'accounts', 1, 'type'],
      'missing',
    ],
    [
      'a currency that is not a code',
      { accounts: [{ ...CHECKING, balances: { currency: 'us$' } }] },
      ['body', 'accounts', 0, 'balances', 'currency'],
      'invalid_format',
    ],
    [
      'a balance that is not a number',
      { accounts: [{ ...CHECKING, balances: { currency: 'USD', current: 'much' } }] },
      ['body', 'accounts', 0, 'balances', 'current'],
      'invalid',
    ],
    [
      'an account twice',
      { accounts: [CHECKING, SAVINGS, CHECKING] },
      ['body', 'accounts', 2, 'account_id'],
      'invalid',
    ],
    [
      'two rows of an account under one id',
      {
        transactions: [
          COFFEE,
          { ...COFFEE, account_id: SAVINGS.account_id },
          { ...COFFEE, amount: 1 },
        ],
      },
      ['body', 'transactions', 2, 'transaction_id'],
      'invalid',
    ],
    [
      'a row of no account',
      { transactions: [COFFEE, { ...WAGES, account_id: 'no_one' }] },
      ['body', 'transactions', 1, 'account_id'],
      'invalid',
    ],
    [
      'a row without amount',
      { transactions: [{ ...COFFEE, amount: undefined }] },
      ['body', 'transactions', 0, 'amount'],
      'missing',
    ],
    [
      'an amount that is a list',
      { transactions: [{ ...COFFEE, amount: [1] }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid_type',
    ],
    [
      'an amount in exponent form',
      { transactions: [{ ...COFFEE, amount: '1e3' }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid',
    ],
    [
      'an amount beyond measure',
      { transactions: [{ ...COFFEE, amount: 1e300 }] },
      ['body', 'transactions', 0, 'amount'],
      'invalid',
    ],
    ...[
      [
        'a merchant code of three digits',
        { merchant: { mcc: '581' } },
        ['merchant', 'mcc'],
        'invalid_format',
      ],
      [
        'an unknown kind of party',
        { counterparty: { kind: 'bank' } },
        ['counterparty', 'kind'],
        'invalid_value',
      ],
      [
        'an empty name of a party',
        { counterparty: { name: '' } },
        ['counterparty', 'name'],
        'invalid',
      ],
      [
        'a number of a party that is a number',
        { counterparty: { numbers: { iban: 42 } } },
        ['counterparty', 'numbers', 'iban'],
        'invalid_type',
      ],
      ['a text of 501 characters', { remittance: 'x'.repeat(501) }, ['remittance'], 'invalid'],
      [
        'a reference that is a list',
        { references: { mandate: ['M'] } },
        ['references', 'mandate'],
        'invalid_type',
      ],
      [
        'a negative original amount',
        { original: { amount: '-4.10', currency: 'EUR' } },
        ['original', 'amount'],
        'invalid',
      ],
      [
        'an original amount without currency',
        { original: { amount: '4.10' } },
        ['original', 'currency'],
        'missing',
      ],
      ['a time that does not exist', { transacted_at: '2026-02-30' }, ['transacted_at'], 'invalid'],
    ].map(
      ([what, fields, place, type]) =>
        [
          what,
          { transactions: [COFFEE, { ...COFFEE, ...(fields as object) }] },
          ['body', 'transactions', 1, ...(place as string[])],
          type,
        ] as [string, Record<string, unknown>, (string | number)[], string],
    ),
    [
      'a day that does not exist',
      { transactions: [{ ...COFFEE, date: '2026-02-30' }] },
      ['body', 'transactions', 0, 'date'],
      'invalid',
    ],
    [
      'an hour that does not exist',
      { transactions: [{ ...COFFEE, date: '2026-02-03T25:00:00' }] },
      ['body', 'transactions', 0, 'date'],
      'invalid',
    ],
    [
      'an address that may not receive',
      { webhook: 'http://10.0.0.1/hook' },
      ['body', 'webhook'],
      'address_refused',
    ],
    ['a bad tag', { tags: ['-x'] }, ['body', 'tags', 0], 'invalid'],
  ])('refuses %s, and stores nothing', async (_what, over, location, type) => {
    const before = await service.database.prisma.link.count();
    const { body, status } = await importLink(over);
    expect({ status, body }).toEqual({
      status: 422,
      body: expect.objectContaining({
        error_code: 'api_error.request.validation_failed',
        validation_errors: [expect.objectContaining({ location, type })],
      }),
    });
    expect(await service.database.prisma.link.count()).toBe(before);
  });
});
