import { setTimeout as pause } from 'node:timers/promises';
import { AppBackEnd, linkInstantBank } from '../support/actors/link-journey.js';
import { eventually } from '../support/assertions/eventually.js';
import { query } from '../support/cluster/cluster-postgres.js';
import { startServiceOnCluster } from '../support/cluster/service-on-cluster.js';
import { startWholeCluster } from '../support/cluster/whole-cluster.js';
import { WebhookReceiver } from '../support/receivers/webhook-receiver.js';
import { readOptions } from './support/options.js';
import { Report } from './support/report.js';
import { readUsage, usageBetween, type MeasuredParts } from './support/usage.js';

// What one scheduled refresh of two products costs each process and each PostgreSQL, on a Temporal cluster of five
// processes: processor time, growth on disk and WAL. What the same time without a refresh costs is subtracted.
const LINKS = 20;
const IDLE_MS = 15_000;
const WORKER_GOAL_MS = 50;
const TEMPORAL_WAL_GOAL_KB = 110;
/** Of the workflow of a refresh that is over: Temporal closes it a little after its last row is written. */
const SETTLE_MS = 3_000;

const options = readOptions();
const report = new Report('sizing');
const cluster = await startWholeCluster({ durable: true, apart: true });
const databaseUrl = cluster.postgres.urlOf();
const profiles = process.env['CPU_PROFILE_FOLDER'];
const service = await startServiceOnCluster({
  folder: cluster.folder,
  databaseUrl,
  env: {
    ...cluster.temporal.env,
    AGGREGATION_TICK: '5s',
    ...(profiles === undefined ? {} : { CPU_PROFILE_FOLDER: profiles }),
  },
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

report.progress('warming up');
await refreshAll();
report.progress('measuring what the same costs without a refresh');
const idleFrom = await readUsage(parts);
await pause(IDLE_MS);
const idle = usageBetween(idleFrom, await readUsage(parts));

report.progress('measuring refreshes');
const from = await readUsage(parts);
const webhooksBefore = receiver.received.length;
for (let round = 0; round < options.rounds; round += 1) await refreshAll();
await pause(SETTLE_MS);
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
  await eventually(
    async () => {
      const [left] = await query(
        databaseUrl,
        `SELECT count(*)::int AS left FROM link_products WHERE product IN ('accounts', 'transactions') AND refreshed_at < '${String(row?.['now'])}'`,
      );
      if (left?.['left'] !== 0) throw new Error(`${String(left?.['left'])} are not refreshed`);
    },
    { within: 300_000, every: 500 },
  );
  await untilSettled();
}

async function untilSettled(): Promise<void> {
  await eventually(
    async () => {
      const [open] = await query(
        databaseUrl,
        `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') + (SELECT count(*) FROM outbox_commands)
              + (SELECT count(*) FROM link_products WHERE state IN ('pending', 'fetching')) AS left`,
      );
      if (Number(open?.['left']) !== 0) throw new Error(`${String(open?.['left'])} are open`);
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
