import { liveMemory } from '../../support/assertions/live-memory.js';
import { representatives } from '../../support/runner/representatives.js';
import {
  BANK,
  forceLink,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';
import { queryAt } from '../../support/services/postgres.mjs';

/** `EXPORTED_ROWS=1000000` sets the number that the contract promises. */
const ROWS = Number(
  process.env['EXPORTED_ROWS'] ?? (process.env['LONG_RUNS'] ? 1_000_000 : 25_000),
);
/** Few rows are long ones, so that they are as much text. */
const DESCRIPTION = 'A row of the usual length, with words that a bank would write. '.repeat(
  ROWS < 100_000 ? 6 : 1,
);
const MEGABYTE = 1024 * 1024;
/** Far less than an export of this test as text, so that none could be held whole. */
const MAX_GROWTH = (ROWS < 100_000 ? 16 : 64) * MEGABYTE;
const BYTES_PER_MEASUREMENT = 4 * MEGABYTE;
/** Far behind the first bytes. */
const BROKEN_ROW = 10_000;
const USER = 'ann';

let service: ApiInProcess;
let token: string;
let imported: string;
beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: USER },
      institution_id: BANK,
      accounts: [
        { account_id: 'a', name: 'Savings', type: 'savings', balances: { currency: 'USD' } },
      ],
      transactions: [
        {
          account_id: 'a',
          amount: '-4.50',
          date: '2026-02-01',
          transaction_id: 'first',
          description: DESCRIPTION,
          merchant: { name: 'Corner Cafe', mcc: '5814' },
        },
      ],
    },
  });
  imported = (body as { link_id: string }).link_id;
  await onOwnConnection(`
    UPDATE links SET head_seq = ${ROWS};
    INSERT INTO transaction_versions (link_pk, seq, first_seq, posted_seq, born_pending, removed, transaction_id, account_id, provider_transaction_id, amount, type, currency, date, pending, content_hash, body)
    SELECT link_pk, n, n, n, false, false, transaction_id || n, account_id, 'row-' || n, amount, type, currency, date, false, content_hash, replace(body, transaction_id, transaction_id || n)
      FROM transaction_versions, generate_series(2, ${ROWS}) AS n WHERE seq = 1;
    ANALYZE transaction_versions`);
}, 600_000);
afterAll(() => service?.close());

/** Not by the pool, whose statements have a short time limit. */
const onOwnConnection = (statement: string) =>
  queryAt(service.environment['DATABASE_URL'] ?? '', statement);

async function request(path: string): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(`${service.api.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  if (response.body === null) throw new Error('no body');
  return response.body;
}

/** The number of lines, and the growth of the memory of this process, which serves and reads. */
async function read(path: string): Promise<{ lines: number; growth: number }> {
  const before = liveMemory();
  let [lines, unmeasured, largest] = [0, 0, before];
  for await (const chunk of await request(path)) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    unmeasured += chunk.length;
    if (unmeasured < BYTES_PER_MEASUREMENT) continue;
    unmeasured = 0;
    largest = Math.max(largest, liveMemory());
  }
  return { lines, growth: largest - before };
}

describe('An export of many rows', () => {
  it('shows the transactions of a link as they were when it began, whatever changes while it is read', async () => {
    const body = (await request(`/links/${imported}/export?format=csv`)).getReader();
    let text = Buffer.from((await body.read()).value ?? []).toString();
    // A correction of the last row, the removal of the one before, and a new row.
    await onOwnConnection(`
      WITH changed AS (
        UPDATE transaction_versions SET next_seq = seq + 2 WHERE seq > ${ROWS - 2}
        RETURNING link_pk, seq, transaction_id, account_id, amount, type, currency, date, content_hash, body),
      written AS (
        INSERT INTO transaction_versions (link_pk, seq, first_seq, posted_seq, born_pending, removed, transaction_id, account_id, provider_transaction_id, amount, type, currency, date, pending, content_hash, body)
        SELECT link_pk, seq + 2, seq, seq, false, seq = ${ROWS - 1}, transaction_id, account_id, 'row-' || seq, amount, type, currency, date, false, content_hash, replace(body, 'Corner Cafe', 'Corrected') FROM changed
        UNION ALL
        SELECT link_pk, seq + 3, seq + 3, seq + 3, false, false, transaction_id || 'new', account_id, 'new', amount, type, currency, date, false, content_hash, replace(body, 'Corner Cafe', 'New') FROM changed WHERE seq = ${ROWS})
      UPDATE links SET head_seq = ${ROWS + 3} WHERE link_id = '${imported}'`);
    for (;;) {
      const { done, value } = await body.read();
      if (done) break;
      text = text.slice(-10_000) + Buffer.from(value).toString();
    }
    await onOwnConnection(`
      DELETE FROM transaction_versions WHERE seq > ${ROWS};
      UPDATE transaction_versions SET next_seq = NULL WHERE next_seq IS NOT NULL;
      UPDATE links SET head_seq = ${ROWS} WHERE link_id = '${imported}'`);
    for (const row of [ROWS - 1, ROWS]) expect(text).toContain(`${row},2026-02-01T00:00:00`);
    expect(text).not.toMatch(/Corrected|,New,/);
  }, 600_000);

  it('closes the connection when it fails after its first byte', async () => {
    const setBody = (from: string, to: string) =>
      onOwnConnection(
        `UPDATE transaction_versions SET body = replace(body, '${from}', '${to}') WHERE seq = ${BROKEN_ROW}`,
      );
    await setBody('{"transaction_id', '}{"transaction_id');
    await expect(read(`/links/${imported}/export?format=csv`)).rejects.toThrow('terminated');
    await setBody('}{"transaction_id', '{"transaction_id');
  }, 600_000);

  it('closes the connection when its link is erased meanwhile', async () => {
    const body = (await request(`/links/${imported}/export?format=csv`)).getReader();
    await body.read();
    const [before = {}] = await onOwnConnection(
      `SELECT state, error_code FROM links WHERE link_id = '${imported}'`,
    );
    await forceLink(service, imported, { state: 'deleted', errorCode: null });
    const rest = (async () => {
      while (!(await body.read()).done);
    })();
    await expect(rest).rejects.toThrow('terminated');
    const { state = '', error_code: errorCode = null } = before as {
      state?: string;
      error_code?: string | null;
    };
    await forceLink(service, imported, { state, errorCode });
  }, 600_000);

  it.each(
    representatives<[format: string, lines: number]>(
      [
        ['csv', ROWS + 1],
        // Besides the rows: export, user, link, account, event and end.
        ['jsonl', ROWS + 6],
      ],
      ([format]) => format === 'csv',
    ),
  )(
    `as %s is complete, and takes less than ${MAX_GROWTH / MEGABYTE} MiB`,
    async (format, lines) => {
      const { growth, ...counted } = await read(`/users/${USER}/export?format=${format}`);
      expect(counted).toEqual({ lines });
      expect(growth).toBeLessThan(MAX_GROWTH);
    },
    1_200_000,
  );
});
