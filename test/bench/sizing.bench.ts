import { setTimeout as pause } from 'node:timers/promises';
import { AppBackEnd } from '../support/actors/link-journey.js';
import { linkInstantBank } from '../support/actors/link-instant-bank.js';
import { eventually } from '../support/assertions/eventually.js';
import { query } from '../support/cluster/cluster-postgres.js';
import { startServiceOnCluster } from '../support/cluster/service-on-cluster.js';
import { startWholeCluster } from '../support/cluster/whole-cluster.js';
import { WebhookReceiver } from '../support/receivers/webhook-receiver.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { readUsage, usageBetween, type MeasuredParts } from './support/usage.js';

// The cost of one scheduled refresh of two products, without any new data, for each process and
// each PostgreSQL, on a Temporal cluster of five processes: processor time, growth on disk and WAL.
// The cost of the same time without a refresh is subtracted.
const LINKS = 20;
const IDLE_MS = 15_000;
const WORKER_GOAL_MS = 50;
const TEMPORAL_WAL_GOAL_KB = 110;
/**
 * Temporal writes its visibility after the workflows, on a busy disk much later. Quiet means only
 * the schedule's tick.
 */
const QUIET = { lookEveryMs: 10_000, walBytes: 150_000 };

const options = readOptions();
const report = new Report('sizing');
const cluster = await startWholeCluster({ durable: true, apart: true });
const databaseUrl = cluster.postgres.urlOf();
/** Such as `--cpu-prof --cpu-prof-dir=FOLDER`. */
const workerFlags = process.env['WORKER_FLAGS']?.split(' ') ?? [];
const service = await startServiceOnCluster({
  folder: cluster.folder,
  databaseUrl,
  env: { ...cluster.temporal.env, AGGREGATION_TICK: '5s' },
  workerFlags,
  copies: 1,
});
const receiver = await WebhookReceiver.start();
const parts: MeasuredParts = {
  processes: [
    ...service.workers,
    ...service.apis,
    service.webhooks,
    service.bank,
    ...Object.values(cluster.temporal.processes),
  ],
  databases: {
    'PostgreSQL of the service': cluster.postgres.urlOf(),
    'PostgreSQL of Temporal': cluster.stores.temporal.urlOf('temporal'),
    'PostgreSQL of its visibility': cluster.stores.visibility.urlOf('temporal_visibility'),
  },
  servers: {
    'PostgreSQL of the service': cluster.postgres.process,
    'PostgreSQL of Temporal': cluster.stores.temporal.process,
    'PostgreSQL of its visibility': cluster.stores.visibility.process,
  },
};

report.progress(`linking ${LINKS} banks`);
const app = new AppBackEnd(service.balancer.url, service.pair);
for (let link = 0; link < LINKS; link += 1) await linkInstantBank(app, { webhook: receiver.url() });
await untilSettled();
// The first tick only plans a new link.
await query(databaseUrl, 'UPDATE links SET next_due_at = now()');
await untilNone('links without a plan', 'SELECT count(*) FROM links WHERE slow_due_at IS NULL');

report.progress('warming up');
await refreshAll();
await untilQuiet();
report.progress('measuring what the same costs without a refresh');
const idleFrom = await readUsage(parts);
await pause(IDLE_MS);
const idle = usageBetween(idleFrom, await readUsage(parts));

report.progress('measuring refreshes');
const from = await readUsage(parts);
const webhooksBefore = receiver.received.length;
for (let round = 0; round < options.rounds; round += 1) await refreshAll();
await untilQuiet();
const used = usageBetween(from, await readUsage(parts));
const refreshes = LINKS * options.rounds;
const webhooks = (receiver.received.length - webhooksBefore) / refreshes;

const perRefresh = (total: number, atRest: number) =>
  (total - (atRest * used.elapsedMs) / idle.elapsedMs) / refreshes;
const rows = Object.keys(used.cpuMs).map((name) => ({
  name,
  cpuMs: perRefresh(used.cpuMs[name] ?? 0, idle.cpuMs[name] ?? 0),
  walKb: perRefresh(used.walBytes[name] ?? 0, idle.walBytes[name] ?? 0) / 1_000,
  diskKb: perRefresh(used.diskBytes[name] ?? 0, idle.diskBytes[name] ?? 0) / 1_000,
}));
for (const { name, cpuMs, walKb, diskKb } of rows)
  report.note(
    name,
    { cpuMs, walKb, diskKb },
    `${name.padEnd(30)} ${cpuMs.toFixed(1).padStart(6)} ms CPU${
      name in used.walBytes
        ? `, ${walKb.toFixed(1)} kB of WAL, ${diskKb.toFixed(1)} kB on disk`
        : ''
    }`,
  );
report.note('webhooks', webhooks, `${webhooks.toFixed(1)} webhooks for a refresh`);
const worker = rows.find(({ name }) => name === 'worker-1')?.cpuMs ?? Number.NaN;
const temporalWal = rows
  .filter(({ name }) => name.endsWith('Temporal') || name.endsWith('visibility'))
  .reduce((sum, { walKb }) => sum + walKb, 0);
judge('worker', worker, WORKER_GOAL_MS, 'ms CPU');
judge('WAL of Temporal', temporalWal, TEMPORAL_WAL_GOAL_KB, 'kB');
report.end(options.json);

await service.stop();
await receiver.stop();
await cluster.stop();
process.exit(0);

/** Makes every link due at once, and waits until all of them are refreshed and announced. */
async function refreshAll(): Promise<void> {
  const [row] = await query(databaseUrl, 'SELECT clock_timestamp()::text AS now');
  await query(databaseUrl, 'UPDATE links SET next_due_at = now()');
  await untilNone(
    'products to refresh',
    `SELECT count(*) FROM link_products WHERE product IN ('accounts', 'transactions') AND refreshed_at < '${String(row?.['now'])}'`,
  );
  await untilSettled();
}

async function untilQuiet(): Promise<void> {
  const written = async () => {
    const { walBytes } = await readUsage(parts);
    return Object.values(walBytes).reduce((sum, bytes) => sum + bytes, 0);
  };
  let [before, after] = [-Infinity, await written()];
  while (after - before > QUIET.walBytes) {
    await pause(QUIET.lookEveryMs);
    [before, after] = [after, await written()];
  }
}

function untilSettled(): Promise<void> {
  return untilNone(
    'open deliveries, commands and products',
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') + (SELECT count(*) FROM outbox_commands)
          + (SELECT count(*) FROM link_products WHERE state IN ('pending', 'fetching')) AS count`,
  );
}

async function untilNone(what: string, statement: string): Promise<void> {
  await eventually(
    async () => {
      const [row] = await query(databaseUrl, statement);
      if (Number(row?.['count']) !== 0) throw new Error(`${String(row?.['count'])} ${what}`);
    },
    { within: 300_000, every: 500 },
  );
}

function judge(what: string, value: number, goal: number, unit: string): void {
  const verdict = value <= goal ? 'reached' : 'MISSED';
  report.note(
    `goal: ${what}`,
    { value, goal },
    `${what}: ${value.toFixed(1)} ${unit}  goal ${goal} ${verdict}`,
  );
}
