import { readFileSync } from 'node:fs';
import { eventually } from '../../support/assertions/eventually.js';
import { causesOfAlerts, NOT_CAUSED, type Cause } from '../../support/metrics/alert-causes.js';
import { hastenRules, rulesOf } from '../../support/metrics/hasten-rules.js';
import { findPrometheus, PrometheusServer } from '../../support/metrics/prometheus-server.js';
import { startWatchedService, type WatchedService } from '../../support/metrics/watched-service.js';

const RULES = readFileSync('deploy/prometheus/alerts.yml', 'utf8');

/** How many times sooner than at an operator's: what takes a minute takes a second. */
const SPEED = 60;
/** Rules that wait for a quarter of an hour or longer, and compare no rates. */
const PATIENT = new Set([
  'TributaryVersionsDiffer',
  'TributarySessionsFail',
  'TributaryRefreshWaits',
  'TributaryProviderBroken',
  'TributaryEndpointRefusing',
  'TributarySigningKeyOld',
  'TributaryMasterKeyOld',
  'TributaryCredentialsEnding',
]);
/** A lock holds each request for eight seconds. */
const SPEEDS: Readonly<Record<string, number>> = { TributaryApiSlow: 30 };
const speedOf = (alert: string): number =>
  SPEEDS[alert] ?? (PATIENT.has(alert) ? 10 * SPEED : SPEED);

const FIRES_WITHIN_MS = 180_000;

let watched: WatchedService;
let prometheus: PrometheusServer;
const causes = causesOfAlerts(() => ({ watched, prometheus }));

/** Waits until each of them has fired. */
const untilFiring = (expected: readonly string[]) => {
  const seen = new Set<string>();
  return eventually(
    async () => {
      for (const alert of await prometheus.firing()) seen.add(alert);
      const missing = expected.filter((alert) => !seen.has(alert));
      if (missing.length > 0) throw new Error(`these do not fire: ${missing.join(', ')}`);
    },
    { within: FIRES_WITHIN_MS, every: 250 },
  );
};
const untilQuiet = () =>
  eventually(async () => expect(await prometheus.firing()).toEqual([]), {
    within: FIRES_WITHIN_MS,
    every: 250,
  });

it('Each alert has a cause here, or a reason why it cannot be caused on one machine', () => {
  const named = [...causes.flatMap(({ alerts }) => alerts), ...Object.keys(NOT_CAUSED)];
  expect(named.sort()).toEqual(
    rulesOf(RULES)
      .map(({ alert }) => alert)
      .sort(),
  );
});

(findPrometheus() ? describe : describe.skip)('At a running service, Prometheus', () => {
  beforeAll(async () => {
    watched = await startWatchedService();
    const { info } = watched.service;
    prometheus = await PrometheusServer.start(hastenRules(RULES, speedOf), {
      'tributary-api': [info.metrics_url],
      'tributary-worker': [info.worker_metrics_url],
      'tributary-webhooks': [info.webhooks_metrics_url],
    });
    await untilQuiet();
  });

  afterAll(async () => {
    await prometheus?.stop();
    await watched?.dispose();
  });

  it.each(causes)(
    'fires $alerts when $title, and nothing once that is over',
    async ({ alerts, begin }: Cause) => {
      const end = await begin();
      try {
        await untilFiring(alerts);
      } finally {
        await end();
      }
      await untilQuiet();
    },
    2 * FIRES_WITHIN_MS,
  );
});
