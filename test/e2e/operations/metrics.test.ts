import { LABELS } from '../../../apps/platform/src/metrics/label-table.js';
import { METRICS, metricsOf } from '../../../apps/platform/src/metrics/metric-table.js';
import type { MetricProcess, MetricRow } from '../../../apps/platform/src/metrics/metric-row.js';
import { AppBackEnd } from '../../support/actors/link-journey.js';
import { linkInstantBank, type LinkedBank } from '../../support/actors/link-instant-bank.js';
import { eventually } from '../../support/assertions/eventually.js';
import { service, serviceOfFile } from '../../support/fixtures/sandbox-service.js';
import { scrape, type Scrape } from '../../support/metrics/scrape.js';
import { WebhookReceiver } from '../../support/receivers/webhook-receiver.js';

serviceOfFile();

let receiver: WebhookReceiver;
let linked: LinkedBank;
beforeAll(async () => {
  receiver = await WebhookReceiver.start({ verify: service.info.base_url });
  receiver.respondWith({ status: 500 });
  const app = new AppBackEnd(service.info.base_url, service.app.sandbox);
  linked = await linkInstantBank(app, { webhook: receiver.url() });
  await app.untilRefreshed(linked.linkId, 'transactions');
});
afterAll(() => receiver?.stop());

const PROCESSES: MetricProcess[] = ['api', 'worker', 'webhooks'];

function metricsAt(name: MetricProcess): Promise<Scrape> {
  const { info } = service;
  return scrape(
    { api: info.metrics_url, worker: info.worker_metrics_url, webhooks: info.webhooks_metrics_url }[
      name
    ],
  );
}

describe('The metrics that Prometheus reads', () => {
  it.each(PROCESSES)('of the %s process are those in the table of metrics', async (name) => {
    const { types, labels } = await metricsAt(name);
    expect([...types.keys()].sort()).toEqual(metricsOf(name));
    const table: Record<string, MetricRow> = METRICS;
    for (const [metric, type] of types) {
      expect({ metric, type }).toEqual({ metric, type: table[metric]?.type });
      const known: string[] = [
        ...(table[metric]?.labels ?? []),
        ...(type === 'histogram' ? ['le'] : []),
      ];
      expect({
        metric,
        unknown: [...(labels.get(metric) ?? [])].filter((label) => !known.includes(label)),
      }).toEqual({ metric, unknown: [] });
      expect(known.filter((label) => !(label in LABELS))).toEqual([]);
    }
  });

  it('count product fetches and webhook attempts by outcome', async () => {
    await eventually(async () => {
      const [worker, webhooks] = [await metricsAt('worker'), await metricsAt('webhooks')];
      const completed =
        'tributary_refreshes_total{provider="sandbox",product="transactions",outcome="completed"}';
      expect(worker.series.get(completed)).toBeGreaterThan(0);
      const failed =
        'tributary_webhook_attempts_total{format="native",attempt="first",outcome="failed"}';
      expect(webhooks.series.get(failed)).toBeGreaterThan(0);
    });
  });

  it('include the state of the database: keys, sweeps and pending work', async () => {
    // On a busy machine a reading may fail, and the next one succeeds.
    await eventually(async () => {
      const { series } = await metricsAt('worker');
      const now = Date.now() / 1_000;
      for (const since of [
        'tributary_signing_key_since_timestamp_seconds{key_set="native"}',
        'tributary_master_key_since_timestamp_seconds',
        'tributary_master_key_oldest_timestamp_seconds',
        'tributary_sweep_succeeded_timestamp_seconds{task="sessions"}',
      ]) {
        const seconds = series.get(since) ?? Number.NaN;
        expect({ since, isRecent: now - seconds < 86_400 && seconds <= now }).toEqual({
          since,
          isRecent: true,
        });
      }
      expect([...series.keys()]).toContain('tributary_gauge_readings_failed_total{reading="work"}');
      expect(series.get('tributary_part_healthy{part="workers"}')).toBe(1);
      expect(series.get('tributary_links_due_late_seconds')).toBeLessThan(3_600);
    });
  });

  it('contain nothing that belongs to a customer: no id, token or address, and an app only if it is near a bound', async () => {
    const appId = service.app.app_id;
    const secret = [
      service.app.sandbox.client_id,
      linked.linkId,
      receiver.url(),
      new URL(receiver.url()).host,
    ];
    for (const name of PROCESSES) {
      const series = [...(await metricsAt(name)).series.keys()];
      const shown = series.join('\n');
      expect(secret.filter((text) => shown.includes(text))).toEqual([]);
      expect(
        series.filter(
          (text) => text.includes(`"${appId}"`) && !text.startsWith('tributary_app_use_ratio{'),
        ),
      ).toEqual([]);
    }
  });
});
