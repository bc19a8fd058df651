import { errorOf, type ApiResponse } from '../../support/services/api-client.js';
import { BANK, startApiInProcess, type ApiInProcess } from '../../support/services/api-in-process.js';

/** Far below the defaults, and each met by its own calls. */
const ROWS = 60;

let service: ApiInProcess;
let token: string;

beforeAll(async () => {
  service = await startApiInProcess({ ROWS_PER_APP: String(ROWS) });
  token = await service.token('pocket-ledger');
});

afterAll(async () => {
  await service?.close();
});

const rowsOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    account_id: 'a',
    amount: index + 1,
    date: '2026-02-01',
    transaction_id: `row-${from + index}`,
  }));

const importLink = (rows: number): Promise<ApiResponse> =>
  service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: 'user-1' },
      institution_id: BANK,
      accounts: [{ account_id: 'a', name: 'A', type: 'checking', balances: { currency: 'USD' } }],
      transactions: rowsOf(rows),
    },
  });

describe('One key pair', () => {
  it('cannot grow the database past ROWS_PER_APP with imports', async () => {
    const answers: ApiResponse[] = [];
    for (let call = 0; call < 10; call += 1) answers.push(await importLink(10));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array.from({ length: ROWS / 10 }, () => 200),
      ...Array.from({ length: 10 - ROWS / 10 }, () => 429),
    ]);
    expect(errorOf(answers.at(-1) as ApiResponse)).toMatchObject({
      code: 'api_error.rate_limit_exceeded',
    });
  });
});
