import { BANK, forceLink } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';
import { connectedFinanceApp, epoch, type AccountSet } from './support/finance-app.js';

const USER = 'user who pays abroad';
const WINDOW = `?start-date=${epoch('2026-01-01')}&end-date=${epoch('2026-04-01')}&pending=1`;

apiOfFile();

const rowOf = (accountId: string, id: string, amount: string, more: object = {}) => ({
  account_id: accountId,
  amount,
  date: '2026-03-01',
  transaction_id: id,
  description: id,
  ...more,
});
const accountOf = (id: string, currency: string) => ({
  account_id: id,
  name: id,
  type: 'checking',
  balances: { currency, current: '100' },
});

let first: AccountSet;
let second: AccountSet;
beforeAll(async () => {
  await service.database.prisma.institution.update({
    where: { institutionId: BANK },
    data: { name: 'Meridian Bank' },
  });
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER },
      institution_id: BANK,
      accounts: [accountOf('everyday', 'EUR'), accountOf('yen', 'JPY'), accountOf('tidy', 'EUR')],
      transactions: [
        rowOf('everyday', 'own', '-4.5'),
        rowOf('everyday', 'abroad', '-4.5', { original: { amount: '5', currency: 'USD' } }),
        rowOf('everyday', 'converted', '-12345678901234567.891', {
          original: { amount: '12345678901234567.12', currency: 'EUR', rate: '1.1' },
        }),
        rowOf('everyday', 'unconverted', '-12.5'),
        rowOf('everyday', 'refund', '100', { original: { amount: '90', currency: 'GBP' } }),
        rowOf('yen', 'in yen', '-300'),
        rowOf('yen', 'in dinars', '-0.25'),
        rowOf('tidy', 'tidy', '-1'),
      ],
    },
  });
  const { link_id: linkId } = body as { link_id: string };
  await service.database.prisma.linkProduct.updateMany({
    where: { link: { linkId } },
    data: { refreshedAt: new Date() },
  });
  await forceLink(service, linkId, { state: 'connected', errorCode: null });
  // An import has no currency per row. Sources do.
  for (const [originalId, currency] of Object.entries({
    converted: 'USD',
    unconverted: 'USD',
    refund: 'CHF',
    'in dinars': 'KWD',
  }))
    await service.database.pool.query(
      `UPDATE transaction_versions SET currency = $2, body = regexp_replace(body, '"currency":"[A-Z]{3}"', '"currency":"' || $2 || '"')
        WHERE original_id = $1`,
      [originalId, currency],
    );
  const app = await connectedFinanceApp(service, token, USER);
  first = await app.accounts(WINDOW);
  second = await app.accounts(`${WINDOW}&version=2`);
});

const rows = () =>
  Object.fromEntries(
    first.accounts
      .flatMap(({ transactions }) => transactions)
      .map(({ payee, amount, description, extra }) => [payee, { amount, description, extra }]),
  );

describe('A transaction in another currency than its account, in a finance app', () => {
  it('has the amount that the bank converted, with every digit, and its own beside it', () => {
    expect(rows()['converted']).toEqual({
      amount: '-12345678901234567.12',
      description: 'converted',
      extra: { amount: '-12345678901234567.891', currency: 'USD' },
    });
  });

  it('counts as zero and has amount and currency in its text where the bank converted nothing', () => {
    const { unconverted, refund, 'in dinars': dinars } = rows();
    expect([unconverted, refund, dinars]).toEqual([
      {
        amount: '0.00',
        description: '-12.50 USD unconverted',
        extra: { amount: '-12.50', currency: 'USD' },
      },
      {
        amount: '0.00',
        description: '100.00 CHF refund',
        extra: { amount: '100.00', currency: 'CHF' },
      },
      {
        amount: '0',
        description: '-0.250 KWD in dinars',
        extra: { amount: '-0.250', currency: 'KWD' },
      },
    ]);
  });

  it('is named by an error once per account, with its currencies, in both versions', () => {
    const texts = [
      'Meridian Bank reports transactions of everyday in CHF, USD without their value in EUR. They count as zero, and their descriptions have their amounts.',
      'Meridian Bank reports transactions of yen in KWD without their value in JPY. They count as zero, and their descriptions have their amounts.',
    ];
    expect(first.errors).toEqual(texts);
    const [everyday, yen] = first.accounts;
    expect(second.errlist).toEqual([
      { code: 'act.missingdata', msg: texts[0], account_id: everyday?.id },
      { code: 'act.missingdata', msg: texts[1], account_id: yen?.id },
    ]);
  });

  it('leaves rows in the currency of their account as they are, even if they were paid in another', () => {
    const { own, abroad, tidy } = rows();
    for (const [row, amount] of [
      [own, '-4.50'],
      [abroad, '-4.50'],
      [tidy, '-1.00'],
    ] as const)
      expect(row).toMatchObject({ amount });
    expect([own?.description, abroad?.description]).toEqual(['own', 'abroad']);
    expect(abroad?.extra).toBeUndefined();
  });
});
