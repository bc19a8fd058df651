import type { Registry } from 'prom-client';
import type {
  GaugeReading,
  KeyAge,
  WorkGauges,
} from '../../../../prisma/operations/gauges/gauge.repository.js';
import type { Reading } from '../../../platform/src/metrics/cached-reading.js';
import { createGauge } from '../../../platform/src/metrics/create-metric.js';

const COUNTS = {
  tributary_outbox_commands: 'outboxCommands',
  tributary_links_due: 'linksDue',
  tributary_refresh_requests_waiting: 'requestsWaiting',
  tributary_webhooks_due: 'webhooksDue',
  tributary_webhook_endpoints_refusing: 'endpointsRefusing',
} as const satisfies Record<string, keyof WorkGauges>;

const AGES = {
  tributary_outbox_oldest_seconds: 'outboxOldestAt',
  tributary_links_due_late_seconds: 'linksDueSince',
  tributary_refresh_requests_oldest_seconds: 'requestsOldestAt',
  tributary_webhooks_due_late_seconds: 'webhooksDueSince',
  tributary_webhooks_oldest_undelivered_seconds: 'webhooksOldestAt',
} as const satisfies Record<string, keyof WorkGauges>;

const OPEN = {
  session: 'openSessions',
  fetch: 'openFetches',
  webhook_retry: 'openRetries',
  permission_end: 'openRevocations',
  user_erasure: 'openErasures',
} as const satisfies Record<string, keyof WorkGauges>;

/** Shows the waiting work in the database with its age, and the age of keys. */
export function collectWorkMetrics(registry: Registry, read: Reading<GaugeReading>): void {
  for (const [name, count] of entries(COUNTS))
    createGauge(registry, name, async function () {
      const reading = await read();
      this.remove();
      if (reading !== null) this.set(reading.work[count]);
    });
  for (const [name, since] of entries(AGES))
    createGauge(registry, name, async function () {
      const reading = await read();
      this.remove();
      if (reading !== null) this.set(secondsBetween(reading.work[since], reading.at));
    });
  createGauge(registry, 'tributary_open_work', async function () {
    const reading = await read();
    this.reset();
    if (reading === null) return;
    for (const [kind, count] of entries(OPEN)) this.set({ kind }, reading.work[count]);
  });
  createGauge(registry, 'tributary_sessions_ended_recently', async function () {
    const reading = await read();
    this.reset();
    for (const { sessions, ...labels } of reading?.sessionEnds ?? []) this.set(labels, sessions);
  });
  collectKeyMetrics(registry, read);
}

function collectKeyMetrics(registry: Registry, read: Reading<GaugeReading>): void {
  const sinceOf = async (kind: KeyAge['kind']): Promise<KeyAge[]> =>
    ((await read())?.keyAges ?? []).filter((age) => age.kind === kind);
  createGauge(registry, 'tributary_signing_key_since_timestamp_seconds', async function () {
    const ages = await sinceOf('signing');
    this.reset();
    for (const { keySet, since } of ages) this.set({ key_set: keySet }, since.getTime() / 1_000);
  });
  for (const [name, kind] of [
    ['tributary_master_key_since_timestamp_seconds', 'master'],
    ['tributary_master_key_oldest_timestamp_seconds', 'oldest_master'],
  ] as const)
    createGauge(registry, name, async function () {
      const ages = await sinceOf(kind);
      this.remove();
      for (const { since } of ages) this.set(since.getTime() / 1_000);
    });
}

function secondsBetween(since: Date | null, at: Date): number {
  return since === null ? 0 : Math.max(0, (at.getTime() - since.getTime()) / 1_000);
}

function entries<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}
