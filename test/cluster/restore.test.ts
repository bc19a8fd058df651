import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemporalClient } from '../../apps/platform/src/temporal/temporal-client.js';
import { call, ConnectVisit, INSTANT_BANK } from '../support/actors/link-journey.js';
import { linkInstantBank } from '../support/actors/link-instant-bank.js';
import { runCommand } from '../support/actors/operator.js';
import { SandboxCaller } from '../support/actors/sandbox-caller.js';
import { eventually } from '../support/assertions/eventually.js';
import { ClusterStage } from '../support/cluster/cluster-stage.js';
import { openWorkflows, temporalOf } from '../support/cluster/open-workflows.js';
import { POSTGRES_DATABASE } from '../../apps/standalone/src/postgres/postgres-cluster.js';
import { query, type ClusterPostgres } from '../support/cluster/cluster-postgres.js';

const BACKUP = 'backup';

/**
 * Keeps the database of the service in its current state, for `restoreDatabase`. It is a copy
 * inside the server, since npm installs no pg_dump. Connections to it end.
 */
async function backUpDatabase(postgres: ClusterPostgres): Promise<void> {
  const run = (statement: string) => query(postgres.urlOf('postgres'), statement);
  // Processes connect again at once.
  await run(`ALTER DATABASE ${POSTGRES_DATABASE} ALLOW_CONNECTIONS false`);
  await run(
    `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname = '${POSTGRES_DATABASE}'`,
  );
  await run(`CREATE DATABASE ${BACKUP} TEMPLATE ${POSTGRES_DATABASE}`);
  await run(`ALTER DATABASE ${POSTGRES_DATABASE} ALLOW_CONNECTIONS true`);
}

/**
 * Puts the backup in place of the database: its address stays the same, and it is another database.
 */
async function restoreDatabase(postgres: ClusterPostgres): Promise<void> {
  const run = (statement: string) => query(postgres.urlOf('postgres'), statement);
  await run(`DROP DATABASE ${POSTGRES_DATABASE} WITH (FORCE)`);
  await run(`CREATE DATABASE ${POSTGRES_DATABASE} TEMPLATE ${BACKUP}`);
}

/**
 * Sessions of the lost time end after it. Those of the backup must not end before they continue.
 */
const SESSION_LIFETIME = '2m';
const WITHIN_MS = 900_000;
const ALL_ENDED_WITHIN_MS = 240_000;
/** It waits for weeks until a key has left the published set. */
const LONG_RUNNING = /^signingKeyRotation /;

let stage: ClusterStage;
let temporal: TemporalClient;
let sandbox: SandboxCaller;
/** The data at the time of the backup. */
let inBackup: { kept: string; deletedLater: string; visit: ConnectVisit; events: string[] };
let cursorsInBackup: Cursor[];
/** The data added after the backup, which is lost. */
let lost: { link: string; cursors: string[]; accessToken: string; advanced: ConnectVisit };
let arrivedBefore: number;

/** The stored data of an app: the rows that it received until the cursor. */
interface Cursor {
  cursor: string;
  rows: ReadonlySet<string>;
}

beforeAll(async () => {
  stage = await ClusterStage.start({
    balancerLateMs: 0,
    env: {
      LINK_SESSION_TTL: SESSION_LIFETIME,
      CONNECT_IDLE: SESSION_LIFETIME,
      FETCH_RETRY_FOR_SANDBOX: '20m',
      WEBHOOK_ATTEMPTS_AT: '0s,2s,5s,10s,20s,40s,1m,2m,4m,8m,16m',
    },
  });
  temporal = temporalOf(stage.service);
  sandbox = new SandboxCaller(stage.app);
  await liveUntilBackup();
  await liveAfterBackup();
  for (const process of stage.service.processes) await process.stop('SIGINT');
  await restoreDatabase(stage.cluster.postgres);
}, WITHIN_MS);

afterAll(async () => {
  await temporal?.close();
  await stage?.stop();
});

async function liveUntilBackup(): Promise<void> {
  const { app, receiver, truth, cluster } = stage;
  const [kept, deletedLater] = [await linkBank(), await linkBank()];
  cursorsInBackup = await walk(kept);
  const visit = await openSession();
  const advanced = await openSession();
  receiver.respondWith({ status: 503 });
  await post(kept, 'pending-in-backup');
  const pending = () =>
    truth.rows<{ idempotency_key: string }>(
      "SELECT idempotency_key FROM webhook_events e WHERE EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_pk = e.pk AND d.status = 'pending' AND d.attempts > 0)",
    );
  const found = await eventually(async () => {
    const rows = await pending();
    expect(rows.length).toBeGreaterThan(0);
    return rows;
  });
  await backUpDatabase(cluster.postgres);
  const events = found.map(({ idempotency_key: key }) => key);
  inBackup = { kept, deletedLater, visit, events };
  lost = { link: '', cursors: [], accessToken: '', advanced };
  await eventually(() => app.link(kept));
}

async function liveAfterBackup(): Promise<void> {
  const { app, receiver } = stage;
  receiver.respondWith({ status: 204 });
  for (const ref of ['lost-1', 'lost-2', 'lost-3']) await post(inBackup.kept, ref);
  const known = new Set(cursorsInBackup.map(({ cursor }) => cursor));
  const later = [...(await walk(inBackup.kept)), ...(await walk(inBackup.kept, lastInBackup()))];
  lost.cursors = later.map(({ cursor }) => cursor).filter((cursor) => !known.has(cursor));
  expect(lost.cursors.length).toBeGreaterThan(0);
  lost.link = await linkBank();
  lost.accessToken = (await app.fetchToken()).body.access_token;
  await lost.advanced.select();
  await lost.advanced.finish();
  expect((await app.call('DELETE', `/links/${inBackup.deletedLater}`)).status).toBeLessThan(300);
  await eventually(() => expect(deletionsOf(inBackup.deletedLater)).toHaveLength(1));
  // The work in progress when the service is stopped: a session, refreshes whose bank fails, and
  // webhooks.
  await openSession();
  receiver.respondWith({ status: 503 });
  await post(lost.link, 'lost-4');
  await sandbox.fault(INSTANT_BANK, {
    operation: 'transactions',
    kind: 'server_error',
    count: null,
  });
  for (const linkId of [inBackup.kept, lost.link]) expect((await refresh(linkId)).status).toBe(202);
  await eventually(async () => {
    const types = (await openWorkflows(temporal)).map((each) => each.split(' ')[0]);
    expect(types.filter((type) => type === 'productRefresh')).toHaveLength(2);
    expect(types).toEqual(expect.arrayContaining(['linkSession', 'webhookDelivery']));
  });
}

const linkBank = async () => {
  const { linkId } = await linkInstantBank(stage.app, { webhook: stage.receiver.url() });
  await stage.app.untilRefreshed(linkId, 'transactions');
  return linkId;
};
const openSession = async () => {
  const session = await stage.app.createSession({ webhook: stage.receiver.url() });
  return ConnectVisit.open(stage.app.baseUrl, session.link_session_token);
};
const refresh = (linkId: string) =>
  stage.app.call('POST', `/links/${linkId}/products`, { body: { products: ['transactions'] } });
const post = (linkId: string, ref: string) =>
  eventually(() => sandbox.script(linkId, [{ verb: 'post', ref, amount: 1, description: ref }]));
const sync = (linkId: string, cursor: string) =>
  stage.app.call('GET', `/links/${linkId}/transactions/sync?cursor=${encodeURIComponent(cursor)}`);
const deletionsOf = (linkId: string) =>
  stage.receiver.verified.filter(
    (event) =>
      event.webhook_event === 'link.state_changed' &&
      event.link_id === linkId &&
      event['state'] === 'deleted',
  );
const lastInBackup = (): Cursor => cursorsInBackup.at(-1) ?? { cursor: '', rows: new Set() };

/**
 * Every intermediate cursor, with the app's data at that time. No row of these links is removed.
 */
async function walk(linkId: string, from: Cursor = { cursor: '', rows: new Set() }) {
  const { pages } = await stage.app.walk(linkId, { cursor: from.cursor, size: 25 });
  const held = new Set(from.rows);
  return pages.map(({ transactions: { created, updated }, cursor }): Cursor => {
    for (const { transaction_id: id } of [...created, ...updated]) held.add(id);
    return { cursor: cursor.next, rows: new Set(held) };
  });
}

describe('A restored backup beside a Temporal that continued', () => {
  it(
    'is neither served nor written to before `operator recover`, and is ready after it without a restart',
    async () => {
      const { service, truth, cluster } = stage;
      const restored = await truth.dump();
      const { bank, processes } = service;
      for (const process of processes) process.begin();
      const guarded = processes.filter((process) => process !== bank);
      for (const process of guarded)
        await eventually(() => expect(process.output()).toContain('"database_identity"'));
      for (const process of guarded) expect(await process.isReady()).toBe(false);
      // A process names the cause before it listens.
      await eventually(async () => {
        const refused = await sync(inBackup.kept, '');
        expect(refused.status).toBe(503);
        expect(refused.headers.get('retry-after')).not.toBeNull();
        expect(await call(service.balancer.url, 'GET', '/health/ready')).toMatchObject({
          status: 503,
          body: { parts: { database_identity: 'down' } },
        });
      });
      expect(await truth.dump()).toEqual(restored);

      stage.receiver.respondWith({ status: 204 });
      arrivedBefore = stage.receiver.received.length;
      const deleted = join(cluster.folder, 'deleted.txt');
      writeFileSync(deleted, `${inBackup.deletedLater}\n`);
      const recovered = await runCommand(['recover', '--deleted', deleted, '--json'], service.env);
      expect(recovered).toMatchObject({ status: 0, stderr: '' });
      expect(JSON.parse(recovered.stdout)).toMatchObject({
        recovered: true,
        differences: ['database'],
        deleted: 1,
        unknown: [],
      });
      await Promise.all(processes.map((process) => process.untilReady()));
    },
    WITHIN_MS,
  );

  it('returns all new data to cursors of the backup, and refuses later ones', async () => {
    const { kept } = inBackup;
    await post(kept, 'after-the-restore');
    const all = (await walk(kept)).at(-1)?.rows;
    const described = await stage.app.walk(kept, { size: 500 });
    const texts = described.pages.flatMap(({ transactions }) =>
      transactions.created.map(({ description }) => description),
    );
    expect(texts).toEqual(expect.arrayContaining(['pending-in-backup', 'after-the-restore']));
    for (const held of cursorsInBackup) {
      // A walk in progress ends where it ended before. The next walk has the newer data.
      const rest = await walk(kept, held);
      expect((await walk(kept, rest.at(-1))).at(-1)?.rows).toEqual(all);
    }
    for (const cursor of lost.cursors) expect((await sync(kept, cursor)).status).toBe(422);
  });

  it('has neither links nor access tokens of the lost time, and deletes again what was deleted in it', async () => {
    const { app } = stage;
    expect((await sync(lost.link, '')).status).toBe(404);
    const call = app.call('GET', '/links', { bearer: lost.accessToken });
    expect((await call).status).toBe(401);
    expect((await sync(inBackup.deletedLater, '')).status).toBe(410);
    await eventually(() => expect(deletionsOf(inBackup.deletedLater)).toHaveLength(2));
  });

  it('lets a user continue a session of the backup, and lets others link banks', async () => {
    const view = await inBackup.visit.select();
    expect(view.step.kind).toBe('success');
    const { body } = await stage.app.exchange((await inBackup.visit.finish()).exchangeable_token);
    await stage.app.untilRefreshed(body.link_id, 'transactions');
    await stage.untilNormal();
  });

  it(
    'leaves no workflow that runs forever, and delivers each webhook event at least once',
    async () => {
      await eventually(
        async () =>
          expect(
            (await openWorkflows(temporal)).filter((each) => !LONG_RUNNING.test(each)),
          ).toEqual([]),
        { within: ALL_ENDED_WITHIN_MS, every: 1_000 },
      );
      const stored = await stage.truth.rows<{ idempotency_key: string; status: string }>(
        'SELECT e.idempotency_key, d.status FROM webhook_events e JOIN webhook_deliveries d ON d.event_pk = e.pk',
      );
      expect(stored.filter(({ status }) => status !== 'delivered')).toEqual([]);
      const arrived = new Set(
        stage.receiver.verified.map(({ webhook_idempotency_key: key }) => key),
      );
      expect(stored.filter(({ idempotency_key: key }) => !arrived.has(key))).toEqual([]);
      const again = stage.receiver.received
        .slice(arrivedBefore)
        .map(({ body }) => body.webhook_idempotency_key);
      expect(again).toEqual(expect.arrayContaining(inBackup.events));
    },
    WITHIN_MS,
  );
});
