import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '../../support/assertions/eventually.js';
import {
  BANK,
  startApiInProcess,
  type ApiInProcess,
} from '../../support/services/api-in-process.js';

/** More text than the buffers of both ends of a connection hold. */
const ROWS = 25_000;
const DESCRIPTION = 'A row of the usual length, with words that a bank would write. '.repeat(6);
/** The turns of an app. */
const READERS = 2;

let service: ApiInProcess;
let token: string;
let imported: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startApiInProcess();
  token = await service.token('pocket-ledger');
  const { body } = await service.api.as(token).post('/links/import', {
    json: {
      customer_user: { id: 'ann' },
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
        },
      ],
    },
  });
  imported = (body as { link_id: string }).link_id;
  await service.database.pool.query(
    `INSERT INTO transaction_versions (link_pk, seq, first_seq, posted_seq, born_pending, removed, transaction_id, account_id, provider_transaction_id, amount, type, currency, date, pending, content_hash, body)
     SELECT link_pk, n, n, n, false, false, transaction_id || n, account_id, 'row-' || n, amount, type, currency, date, false, content_hash, body
       FROM transaction_versions, generate_series(2, ${ROWS}) AS n WHERE seq = 1`,
  );
  await service.database.pool.query(`UPDATE links SET head_seq = ${ROWS}`);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service?.close();
});

/** Requests an export and reads nothing of it. */
async function stalledExport(): Promise<void> {
  const { hostname, port } = new URL(service.api.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  socket.on('error', () => undefined).pause();
  await once(socket, 'connect');
  socket.write(
    `GET /links/${imported}/export?format=csv HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await once(socket, 'readable');
}

const exportOf = async (bearer: string, path: string) => {
  const response = await fetch(`${service.api.baseUrl}${path}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  return { status: response.status, text: await response.text() };
};

const endedExports = () =>
  service.log().match(/"route":"\/links\/:id\/export","status":499/g)?.length ?? 0;

describe('Exports that are not read', () => {
  it('hold no transaction, and leave the exports of other apps as they are', async () => {
    for (let reader = 0; reader < READERS; reader += 1) await stalledExport();
    await eventually(async () => {
      const { rows } = await service.database.pool.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
      );
      expect(rows[0]?.open).toBe(0);
    });
    const rival = await exportOf(
      await service.token('rival'),
      '/users/unknown/export?format=jsonl',
    );
    expect([rival.status, rival.text.split('\n').length]).toEqual([200, 3]);
    expect(endedExports()).toBe(0);
  });

  it('lose their turn to another export of their app', async () => {
    await eventually(async () => {
      const { status } = await exportOf(token, '/users/unknown/export?format=jsonl');
      expect(status).toBe(200);
    });
    expect(endedExports()).toBeGreaterThan(0);
  });
});
