import { Decimal } from 'decimal.js';
import { readCsv, textOf } from '../../support/assertions/read-csv.js';
import { holding, investments, security } from '../../support/fixtures/listed-holdings.js';
import { refreshSteps } from '../../support/fixtures/refresh-steps.js';
import { attemptOf } from '../../support/fixtures/stored-link.js';
import { errorOf } from '../../support/services/api-client.js';
import { connectedLink, grantProducts } from '../../support/services/api-in-process.js';
import { apiOfFile, service, token } from '../../support/services/api-of-file.js';

apiOfFile({ RATE_LIMIT_API: 'off' });

const USER = 'investor';
const QUANTITY = '1234567890123456789.0000000000000000001';
const VALUE = '12345678901234567.89';
const OWED = '98765432109876543.21';
const MOVED = '-76543210987654321.09';
const RATES = ['29.99', '1.5']
  .map((rate) => `{"kind":"cash","percentage":${rate},"balance":null,"interest_charged":null}`)
  .join(',');
const LISTS = {
  holdings: 'holding',
  holding_days: 'holding_day',
  securities: 'security',
  investment_transactions: 'investment_transaction',
  liabilities: 'liability',
  recurring_streams: 'recurring_stream',
} as const;

interface Line extends Record<string, unknown> {
  type: string;
}

let linkId: string;
let accountId: string;
beforeAll(async () => {
  linkId = await connectedLink(service, token, { customer_user: { id: USER } });
  await grantProducts(service, linkId, ['investments', 'liabilities']);
  const { prisma } = service.database;
  const { pk, accounts } = await prisma.link.findUniqueOrThrow({
    where: { linkId },
    include: { accounts: { orderBy: { pk: 'asc' } } },
  });
  const [first] = accounts;
  if (first === undefined) throw new Error('the link has no account');
  ({ accountId } = first);
  const fund = holding('fund', {
    security: security({ symbol: null, isin: 'US0378331005', name: '=Fund', type: 'etf' }),
    quantity: QUANTITY,
    value: VALUE,
    lots: [
      {
        providerLotId: 'lot-1',
        acquiredOn: '2026-01-02',
        quantity: new Decimal(QUANTITY),
        pricePaid: null,
        costBasis: null,
        value: null,
      },
    ],
  });
  const sold = holding('sold', { security: security({ symbol: 'SOLD' }) });
  for (const held of [[fund, sold], [fund]]) await list(pk, first.providerAccountId, held);
  const version = (seq: number, id: string, body: string, more: object = {}) => ({
    linkPk: pk,
    seq,
    firstSeq: seq,
    bornPending: false,
    removed: body === '',
    transactionId: id,
    accountId,
    providerTransactionId: id,
    securityId: null,
    date: new Date('2026-03-04'),
    pending: false,
    contentHash: Buffer.alloc(32),
    body,
    ...more,
  });
  const body = (id: string, description: string) =>
    `{"investment_transaction_id":"${id}","account_id":"${accountId}","security_id":null,` +
    `"type":"buy","subtype":null,"source_code":"PURCHASED","quantity":"${QUANTITY}","price":null,` +
    `"price_factor":null,"amount":${MOVED},"amount_source":"reported","gross":null,"fees":null,` +
    `"taxes":null,"currency":"USD","date":"2026-03-04T00:00:00","datetime":null,"settled_on":null,` +
    `"description":"${description}","pending":false,"cancels":null,"transaction_id":null}`;
  await prisma.investmentTransactionVersion.createMany({
    data: [
      version(1, 'itx_JyJvhbvkDqH8EJ9nPcP6wA', body('itx_JyJvhbvkDqH8EJ9nPcP6wA', 'first'), {
        nextSeq: 2,
      }),
      version(2, 'itx_JyJvhbvkDqH8EJ9nPcP6wA', body('itx_JyJvhbvkDqH8EJ9nPcP6wA', '-second')),
      version(3, 'itx_JyJvhbvkDqH8EJ9nPcP6w2', body('itx_JyJvhbvkDqH8EJ9nPcP6w2', 'withdrawn'), {
        nextSeq: 4,
      }),
      version(4, 'itx_JyJvhbvkDqH8EJ9nPcP6w2', ''),
      // Stored after the position at which the export began.
      version(5, 'itx_JyJvhbvkDqH8EJ9nPcP6w3', body('itx_JyJvhbvkDqH8EJ9nPcP6w3', 'later')),
    ],
  });
  await prisma.link.update({ where: { pk }, data: { investmentSeq: 4 } });
  await prisma.liability.create({
    data: {
      accountPk: first.pk,
      updatedAt: new Date(),
      body:
        `{"account_id":"${accountId}","kind":"credit","currency":"USD","balance":${OWED},` +
        `"limit":null,"available":null,"statement":{"date":"2026-03-05","balance":0.10},` +
        `"minimum_payment":25,"next_payment":null,"last_payment":null,"past_due":null,` +
        `"is_overdue":null,"rates":[${RATES}],"interest_rate":null,"principal":null,` +
        `"originated_on":null,"matures_on":null,"term_months":null,"payments_total":null,` +
        `"payment_frequency":null,"escrow":null,"payoff_amount":null,"year_to_date":null}`,
    },
  });
  await prisma.recurringSearch.create({
    data: {
      linkPk: pk,
      headSeq: 0,
      day: new Date('2026-03-04'),
      searchedAt: new Date(),
      lastPlace: 1,
      streams: JSON.stringify([STREAM]),
    },
  });
});

const STREAM = {
  streamId: 'str_JyJvhbvkDqH8EJ9nPcP6wA',
  place: 1,
  accountId: 'acc_JyJvhbvkDqH8EJ9nPcP6wA',
  direction: 'out',
  label: 'Rent',
  interval: 'monthly',
  amounts: { last: '9', typical: '9', min: '9', max: '9', currency: 'USD', changedOn: null },
  firstDate: '2026-01-01',
  lastDate: '2026-03-01',
  status: 'mature',
  next: null,
  isTransfer: false,
  transactionIds: ['txn_JyJvhbvkDqH8EJ9nPcP6wA'],
  why: { key: 'merchant', hits: 3, gaps: 0, extras: 0, chance: '0.001' },
};

async function list(pk: bigint, account: string, held: ReturnType<typeof holding>[]) {
  const refresh = refreshSteps(service.ctx);
  await service.ctx.database.transaction((tx) =>
    refresh.requestProducts(tx, pk, ['investments'], 'scheduled'),
  );
  await refresh.storeInvestments(
    linkId,
    attemptOf(await refresh.beginRun(linkId), 'investments'),
    investments(
      held.map((each) => ({ ...each, providerAccountId: account })),
      [account],
      VALUE,
    ),
  );
}

const PATHS = { link: () => `/links/${linkId}/export`, user: () => `/users/${USER}/export` };
const exported = (query = '', path = PATHS.link()) => service.api.as(token).get(`${path}?${query}`);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function table(data: string): Promise<Record<string, string>[]> {
  const [names = [], ...rows] = readCsv((await exported(`format=csv&data=${data}`)).text);
  return rows.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])),
  );
}

describe('An export of investments, debts and recurring payments (native-api 3.7)', () => {
  it('holds current and ended holdings, their days, securities, versions and debts', async () => {
    const { body, text } = await exported();
    expect(body).toMatchObject({
      holdings: [
        { quantity: QUANTITY, ended: null, lots: [{ lot_id: 'lot-1' }] },
        { quantity: '10', ended: expect.any(String) },
      ],
      holding_days: [{ account_id: accountId, holdings: [{ quantity: QUANTITY }] }],
      // In the order of their ids, which are random.
      securities: expect.arrayContaining([
        expect.objectContaining({ isin: 'US0378331005' }),
        expect.objectContaining({ symbol: 'SOLD' }),
      ]),
      investment_transactions: [
        {
          seq: 1,
          replaced: true,
          removed: false,
          investment_transaction_id: 'itx_JyJvhbvkDqH8EJ9nPcP6wA',
        },
        { seq: 2, replaced: false, investment_transaction: { description: '-second' } },
        { seq: 3, replaced: true, investment_transaction: { description: 'withdrawn' } },
        { seq: 4, replaced: false, removed: true, investment_transaction: null },
      ],
      liabilities: [{ kind: 'credit' }],
      recurring_streams: [{ stream_id: 'str_JyJvhbvkDqH8EJ9nPcP6wA' }],
    });
    expect((body as { investment_transactions: object[] }).investment_transactions).toHaveLength(4);
    for (const exact of [`"value":${VALUE}`, `"balance":${OWED}`, `"amount":${MOVED}`])
      expect(text).toContain(exact);
  });

  it('holds the same entries for the user of the link', async () => {
    const { exported_at: _, ...link } = (await exported()).body as Record<string, unknown>;
    expect((await exported('', PATHS.user())).body).toMatchObject({ links: [link] });
  });

  it('holds as JSON Lines what the document holds, each entry on a line of its type', async () => {
    const document = (await exported()).body as Record<string, object[]>;
    const lines = linesOf((await exported('format=jsonl')).text);
    for (const [member, type] of Object.entries(LISTS)) {
      const entries = lines.filter((line) => line.type === type);
      expect({ type, entries }).toEqual({
        type,
        entries: document[member]?.map((entry) => ({
          type,
          link_id: linkId,
          // A security has a type of its own.
          ...(type === 'security' ? { security: entry } : entry),
        })),
      });
    }
  });

  it.each([
    ['transactions:read', ['recurring_streams']],
    ['transactions:read liabilities:read', ['liabilities', 'recurring_streams']],
    [
      'transactions:read investments:read',
      Object.keys(LISTS).filter((member) => member !== 'liabilities'),
    ],
    ['products:read', Object.keys(LISTS)],
  ])('holds only what the scopes %s permit', async (scope, shown) => {
    const limited = service.api.as(await service.token('pocket-ledger', 'sandbox', scope));
    const { body } = await limited.get(PATHS.link());
    expect(Object.keys(LISTS).filter((member) => member in (body as object))).toEqual(shown);
    const types = linesOf((await limited.get(`${PATHS.link()}?format=jsonl`)).text).map(
      ({ type }) => type,
    );
    const expected = shown.map((member) => LISTS[member as keyof typeof LISTS]);
    expect(Object.values(LISTS).filter((type) => types.includes(type))).toEqual(expected);
  });
});

describe('An export as CSV', () => {
  it('has a table of the holdings that are held, with exact figures and inert texts', async () => {
    const rows = await table('holdings');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      link_id: linkId,
      account_id: accountId,
      account_name: expect.stringMatching(/./),
      security_name: "'=Fund",
      security_type: 'etf',
      quantity: QUANTITY,
      value: VALUE,
      cost_basis: '',
      lots: '1',
    });
  });

  it('has a table of the current investment transactions', async () => {
    const rows = await table('investment_transactions');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      investment_transaction_id: 'itx_JyJvhbvkDqH8EJ9nPcP6wA',
      amount: MOVED,
    });
    expect(textOf(rows[0]?.['description'] ?? '')).toBe('-second');
  });

  it('has a table of debts, with the first rate of each kind', async () => {
    expect(await table('liabilities')).toMatchObject([
      {
        kind: 'credit',
        balance: OWED,
        statement_date: '2026-03-05',
        statement_balance: '0.10',
        cash_rate: '29.99',
        purchase_rate: '',
      },
    ]);
  });

  it('has the table of transactions unless another one is named', async () => {
    const plain = await exported('format=csv');
    expect(plain.text).toMatch(/^link_id,[a-z_,]*,transaction_id,/);
    expect((await exported('format=csv&data=transactions')).text).toBe(plain.text);
  });

  it.each(['format=json&data=holdings', 'data=transactions', 'format=csv&data=accounts'])(
    'refuses %s',
    async (query) => {
      expect((await exported(query)).body).toMatchObject({
        error_code: 'api_error.request.validation_failed',
        validation_errors: [{ location: ['query', 'data'] }],
      });
    },
  );

  it.each([
    ['holdings', 'investments:read'],
    ['investment_transactions', 'investments:read'],
    ['liabilities', 'liabilities:read'],
  ])(
    'refuses the table %s to a token without %s, of a link and of its user',
    async (data, scope) => {
      const scopes = 'transactions:read users:read';
      const limited = service.api.as(await service.token('pocket-ledger', 'sandbox', scopes));
      for (const path of Object.values(PATHS)) {
        const response = await limited.get(`${path()}?format=csv&data=${data}`);
        expect({ ...errorOf(response), status: response.status }).toMatchObject({
          status: 401,
          code: 'api_error.auth.unauthorized',
        });
        expect(response.headers.get('www-authenticate')).toContain(`scope="${scope}"`);
      }
    },
  );
});
