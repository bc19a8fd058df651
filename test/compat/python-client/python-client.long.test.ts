import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { PlaidApi } from 'plaid';
import { addDays, utcDay } from '../../../domain/api/timestamps.js';
import { INVESTMENT_TRANSACTION_TYPES } from '../../../domain/investments/investment-transaction-types.js';
import { SECURITY_TYPES } from '../../../domain/investments/security-types.js';
import { plaidClient } from '../../support/actors/plaid-client.js';
import { sandbox, service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { describeWithPython } from '../../support/receivers/python.js';

const HERE = 'test/compat/python-client';
const MAX_OUTPUT_BYTES = 10_000_000;

serviceOfFile();

type Response = Record<string, unknown> & { request_id: string };
type Responses = Record<'exchange' | Read, Response>;

interface Period {
  start_date: string;
  end_date: string;
}

const READS = {
  recurring: (plaid: PlaidApi, access_token: string) =>
    plaid.transactionsRecurringGet({ access_token }),
  holdings: (plaid: PlaidApi, access_token: string) =>
    plaid.investmentsHoldingsGet({ access_token }),
  trades: (plaid: PlaidApi, access_token: string, period: Period) =>
    plaid.investmentsTransactionsGet({ access_token, ...period }),
  liabilities: (plaid: PlaidApi, access_token: string) => plaid.liabilitiesGet({ access_token }),
};
type Read = keyof typeof READS;

/** A list with such an entry. */
const listOf = (...entries: object[]): unknown =>
  expect.arrayContaining(entries.map((entry) => expect.objectContaining(entry) as unknown));
const ANY = {};

/** A full Item, so that each field is compared with a value at least once. */
const FULL: Record<Read, object> = {
  recurring: { outflow_streams: listOf({ status: 'MATURE' }) },
  holdings: {
    holdings: listOf({ tax_lots: listOf({ position_type: 'LONG' }) }),
    securities: listOf(
      { option_contract: expect.objectContaining({ contract_type: 'call' }) },
      { fixed_income: expect.objectContaining({ face_value: expect.any(Number) }) },
    ),
  },
  trades: { investment_transactions: listOf({ type: 'buy' }), securities: listOf(ANY) },
  liabilities: {
    liabilities: { credit: listOf(ANY), mortgage: listOf(ANY), student: listOf(ANY) },
  },
};

const DEBTS = ['credit_card', 'mortgage', 'student_loan', 'loan', 'line_of_credit', 'other'];
/** A source can state all but two of the types; a security without a type has none of them. */
const STATED_TYPES = SECURITY_TYPES.filter((type) => type !== 'loan' && type !== 'other');
const SECURITIES = [{}, ...STATED_TYPES.map((type) => ({ type }))];

/** The source states only what it must. */
const sparseData = (today: string) => ({
  accounts: [
    { account_type: 'investment.brokerage', name: 'Broker', account_number: '1', balances: {} },
    ...DEBTS.map((kind, at) => ({
      account_type: `liability.${kind}`,
      name: kind,
      account_number: `${at + 2}`,
      balances: {},
    })),
  ],
  holdings: SECURITIES.map((security) => ({
    account: 0,
    security: { name: 'Example', ...security },
    quantity: '1',
    price: '2',
  })),
  investment_transactions: INVESTMENT_TRANSACTION_TYPES.map((type) => ({
    account: 0,
    type,
    date: today,
    amount: 1,
  })),
  liabilities: DEBTS.map((_, at) => ({ account: at + 1 })),
});
const SPARSE: Record<Read, object> = {
  recurring: { outflow_streams: [], inflow_streams: [] },
  holdings: { holdings: { length: SECURITIES.length } },
  trades: { investment_transactions: { length: INVESTMENT_TRANSACTION_TYPES.length } },
  liabilities: { liabilities: { credit: listOf(ANY), mortgage: listOf(ANY), student: null } },
};

async function createSparseItem(today: string): Promise<string> {
  const { exchangeable_token: token } = await sandbox.ask<{ exchangeable_token: string }>(
    'POST',
    '/sandbox/link',
    {
      result: 'exchangeable_token',
      username: 'user_custom',
      customer_user: { id: 'sparse' },
      settings: { products: ['accounts', 'transactions', 'investments', 'liabilities'] },
      custom_sandbox_data: sparseData(today),
    },
  );
  return token;
}

describeWithPython(
  "Plaid's client for Python",
  `${HERE}/requirements.txt`,
  (python) => {
    async function readWithPython(
      { start_date: start, end_date: end }: Period,
      ...publicToken: string[]
    ): Promise<Responses> {
      const { client_id: clientId, client_secret: secret } = service.app.sandbox;
      const { stdout } = await promisify(execFile)(
        python,
        [
          ...[`${HERE}/read_item.py`, service.info.base_url, clientId, secret],
          ...[start, end, ...publicToken],
        ],
        { maxBuffer: MAX_OUTPUT_BYTES },
      );
      return JSON.parse(stdout) as Responses;
    }

    it.each<[string, (period: Period) => Promise<Responses>, Record<Read, object>]>([
      ['an Item that it creates', readWithPython, FULL],
      [
        'an Item of whose figures the source states almost none',
        async (period) => readWithPython(period, await createSparseItem(period.end_date)),
        SPARSE,
      ],
    ])(
      "reads %s as Plaid's client for Node does, field by field",
      async (_what, read, expected) => {
        const today = utcDay(new Date());
        const period = { start_date: addDays(today, -365), end_date: today };
        const { exchange, ...responses } = await read(period);
        expect(exchange).toMatchObject({
          access_token: expect.stringMatching(/^access-sandbox-/),
          item_id: expect.stringMatching(/^mk_/),
        });
        const { client_id: clientId, client_secret: secret } = service.app.sandbox;
        const plaid = plaidClient(service.info.base_url, {
          'PLAID-CLIENT-ID': clientId,
          'PLAID-SECRET': secret,
        });
        for (const [name, call] of Object.entries(READS)) {
          const { data } = await call(plaid, String(exchange['access_token']), period);
          expect({ name, ...data }).toMatchObject(expected[name as Read]);
          expect({ name, ...comparable(responses[name as Read]) }).toEqual({
            name,
            ...comparable(data),
          });
        }
      },
    );
  },
  { modules: 'plaid', minVersion: [3, 8] },
);

/** Without the id of the request; times as instants, because the clients write them differently. */
function comparable({ request_id: _, ...fields }: object & { request_id: string }): object {
  return JSON.parse(JSON.stringify(fields), (_key, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)
      ? new Date(value).getTime()
      : value,
  ) as object;
}
