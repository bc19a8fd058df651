import { readFileSync } from 'node:fs';
import {
  GaugeRepository,
  type WorkGauges,
} from '../../../prisma/operations/gauges/gauge.repository.js';
import { MasterKeyRepository } from '../../../prisma/base/master-keys/master-key.repository.js';
import { SigningKeys } from '../../../prisma/base/keys/signing-key.repository.js';
import { openStorage, storeLink, type Storage } from '../../support/fixtures/stored-link.js';

const NOW = new Date('2026-03-02T10:15:30Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1_000);

const NOTHING: WorkGauges = {
  outboxCommands: 0,
  outboxOldestAt: null,
  linksDue: 0,
  linksDueSince: null,
  requestsWaiting: 0,
  requestsOldestAt: null,
  webhooksDue: 0,
  webhooksDueSince: null,
  webhooksOldestAt: null,
  endpointsRefusing: 0,
  openRetries: 0,
  openSessions: 0,
  openFetches: 0,
  openRevocations: 0,
  openErasures: 0,
};

describe('The gauges of the database', () => {
  let storage: Storage;
  let now = NOW;
  beforeEach(async () => (storage = await openStorage(() => now)));
  afterEach(async () => {
    now = NOW;
    await storage.close();
  });

  const work = async () => (await new GaugeRepository(storage.ctx).read()).work;
  const run = (text: string, values: unknown[] = []) =>
    storage.ctx.database.pool.query(text, values);

  it('are zero in a new installation', async () => {
    expect(await new GaugeRepository(storage.ctx).read()).toEqual({
      at: NOW,
      work: NOTHING,
      sessionEnds: [],
      keyAges: [],
    });
  });

  it('show a command of the outbox by its age, regardless of the number of attempts', async () => {
    await run(
      `INSERT INTO outbox_commands (kind, payload, attempts, available_at, created_at)
       VALUES ('startProductRefresh', '{}', 9, $1::timestamptz + interval '10 s', $1::timestamptz - interval '1 hour')`,
      [NOW],
    );
    expect(await work()).toEqual({
      ...NOTHING,
      outboxCommands: 1,
      outboxOldestAt: ago(3_600),
    });
  });

  it('count links that are due, and not those that are due later', async () => {
    const [late, later] = [await storeLink(storage), await storeLink(storage)];
    await run('UPDATE links SET next_due_at = $2 WHERE pk = $1', [late.pk, ago(90)]);
    await run('UPDATE links SET next_due_at = $2 WHERE pk = $1', [later.pk, ago(-90)]);
    expect(await work()).toEqual({ ...NOTHING, linksDue: 1, linksDueSince: ago(90) });
  });

  it('show the oldest fetch that no run has claimed, except for links that are not connected yet', async () => {
    const waits = await storeLink(storage);
    const connecting = await storeLink(storage, { state: 'connecting' });
    for (const [{ pk }, seconds] of [
      [waits, 60],
      [connecting, 600],
    ] as const)
      await run(
        `INSERT INTO refresh_requests (link_pk, product, cause, created_at) VALUES ($1, 'accounts', 'scheduled', $2)`,
        [pk, ago(seconds)],
      );
    expect(await work()).toMatchObject({ requestsWaiting: 2, requestsOldestAt: ago(60) });
  });

  it('distinguish webhooks that wait for a first attempt from those that an endpoint refuses', async () => {
    await addDelivery({ endpoint: 'https://a.example:443', attempts: 0, due: ago(5) });
    await addDelivery({ endpoint: 'https://a.example:443', attempts: 0, due: ago(-5) });
    await addDelivery({ endpoint: 'https://b.example:443', attempts: 1, due: ago(-5) });
    await addDelivery({ endpoint: 'https://c.example:443', attempts: 3, due: ago(-60) });
    await addDelivery({ endpoint: 'https://c.example:443', attempts: 1, due: ago(-5) });
    await addDelivery({ endpoint: 'https://d.example:443', attempts: 9, status: 'exhausted' });
    expect(await work()).toEqual({
      ...NOTHING,
      webhooksDue: 1,
      webhooksDueSince: ago(5),
      webhooksOldestAt: NOW,
      endpointsRefusing: 1,
      openRetries: 3,
    });
  });

  it('show the age of the keys in use: for signing, for sealing, and the oldest that a value needs', async () => {
    const ages = async () =>
      Object.fromEntries(
        (await new GaugeRepository(storage.ctx).read()).keyAges.map(({ kind, keySet, since }) => [
          `${kind} ${keySet}`.trim(),
          since,
        ]),
      );
    await new SigningKeys(storage.ctx).ensure();
    await run(`INSERT INTO master_keys (key_id, canary, created_at) VALUES ('old', '', $1)`, [
      ago(9_000),
    ]);
    await new MasterKeyRepository(storage.ctx).check();
    const used = { 'signing native': NOW, master: NOW, oldest_master: NOW };
    expect(await ages()).toEqual(used);

    await run(`INSERT INTO data_keys (owner, master_key_id, wrapped) VALUES ('link/x', 'old', '')`);
    expect(await ages()).toEqual({ ...used, oldest_master: ago(9_000) });
  });

  it('are explained by statements in the page of runbooks, which run', async () => {
    const page = readFileSync('docs/operating/monitoring.md', 'utf8');
    const statements = [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, text = '']) => text);
    expect(statements.length).toBeGreaterThan(3);
    await addDelivery({ endpoint: 'https://a.example:443', attempts: 4, due: ago(-5) });
    const rows = await Promise.all(statements.map(async (text) => (await run(text)).rows));
    expect(rows.flat()).toEqual([
      { endpoint: 'https://a.example:443', count: '1', attempts: 4, oldest: NOW },
    ]);
  });

  async function addDelivery({
    endpoint,
    attempts,
    due = null,
    status = 'pending',
  }: {
    endpoint: string;
    attempts: number;
    due?: Date | null;
    status?: string;
  }): Promise<void> {
    await run(
      `WITH event AS (
         INSERT INTO webhook_events (event_id, app_id, environment, link_id, webhook_event, idempotency_key, origin, body, body_sha256)
         VALUES (gen_random_uuid(), 'pocket-ledger', 'sandbox', 'mk_1', 'link.state_changed', gen_random_uuid(), 'change', '{}', '') RETURNING pk)
       INSERT INTO webhook_deliveries (delivery_id, event_pk, app_id, environment, endpoint, reason, status, attempts, in_workflow, next_attempt_at, created_at)
       SELECT gen_random_uuid(), pk, 'pocket-ledger', 'sandbox', $1, 'event', $2, $3, $3 > 0, $4, $5 FROM event`,
      [endpoint, status, attempts, due, NOW],
    );
  }
});
