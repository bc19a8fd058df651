import { readFileSync } from 'node:fs';
import { eventually } from '../../support/assertions/eventually.js';
import { causesOfAlerts } from './support/alert-causes.js';
import { findPrometheus, PrometheusServer } from './support/prometheus-server.js';
import {
  findBlackboxExporter,
  watchCertificate,
  type WatchedCertificate,
} from './support/watched-certificate.js';
import { startWatchedService, type WatchedService } from './support/watched-service.js';
import { parse, stringify } from 'yaml';

interface AlertRule {
  alert: string;
  expr: string;
  for: string;
}
interface RuleFile {
  groups: { name: string; rules: AlertRule[] }[];
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const RANGE = /\[(\d+)([smh])\]/g;
/** A threshold for an age or a time, at the end of a line of a rule. */
const SECONDS = /(_seconds\)(?: - time\(\))? [<>]) (\d+(?: \* \d+)*)$/gm;

/** The rules of a file of alerts. */
const rulesOf = (text: string): AlertRule[] =>
  (parse(text) as RuleFile).groups.flatMap(({ rules }) => rules);

/**
 * Rules of which each takes effect sooner by a factor: `for`, ranges, and thresholds in seconds are
 * divided, and their expressions stay the same.
 * @param text a file of alerts
 * @param speedOf the factor, by the name of the alert
 */
function hastenRules(text: string, speedOf: (alert: string) => number): string {
  const file = parse(text) as RuleFile;
  for (const rule of file.groups.flatMap(({ rules }) => rules)) {
    const speed = speedOf(rule.alert);
    const sooner = (count: string, unit: string) =>
      `${Math.round((Number(count) * (UNIT_MS[unit] ?? Number.NaN)) / speed)}ms`;
    rule.for = rule.for.replace(/^(\d+)([smh])$/, (_, count: string, unit: string) =>
      sooner(count, unit),
    );
    rule.expr = rule.expr
      .replaceAll(RANGE, (_, count: string, unit: string) => `[${sooner(count, unit)}]`)
      .replaceAll(SECONDS, `$1 $2 / ${speed}`);
  }
  return stringify(file, { lineWidth: 0 });
}

const RULES = readFileSync('deploy/prometheus/alerts.yml', 'utf8');

/** The factor by which rules take effect sooner than in production: a minute becomes a second. */
const SPEED = 60;
/** Rules that wait for at least a quarter of an hour, and compare no rates. */
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
const SPEEDS: Readonly<Record<string, number>> = {
  // Its range of six hours becomes a minute.
  TributarySourceUnreadable: 6 * SPEED,
  // A lock holds each request for eight seconds.
  TributaryApiSlow: 30,
  // Gauges are read every 15 seconds, and more than three readings must fail.
  TributaryGaugesUnreadable: 6,
};
const speedOf = (alert: string): number =>
  SPEEDS[alert] ?? (PATIENT.has(alert) ? 10 * SPEED : SPEED);

const FIRES_WITHIN_MS = 300_000;

let watched: WatchedService;
let prometheus: PrometheusServer;
let certificate: WatchedCertificate | undefined;
const causes = causesOfAlerts(() => ({ watched, prometheus, certificate }));
const hasPrometheus = findPrometheus();
const hasProbe = hasPrometheus && findBlackboxExporter();

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

it('Each alert has a cause here', () => {
  const named = new Set(causes.flatMap(({ alerts }) => alerts));
  expect([...named].sort()).toEqual(
    rulesOf(RULES)
      .map(({ alert }) => alert)
      .sort(),
  );
});

(hasPrometheus ? describe : describe.skip)('At a running service, Prometheus', () => {
  beforeAll(async () => {
    watched = await startWatchedService();
    const { info } = watched.service;
    if (hasProbe) certificate = await watchCertificate();
    prometheus = await PrometheusServer.start(
      hastenRules(RULES, speedOf),
      {
        'tributary-api': [info.metrics_url],
        'tributary-worker': [info.worker_metrics_url],
        'tributary-webhooks': [info.webhooks_metrics_url],
      },
      certificate === undefined ? [] : [certificate.job],
    );
    await untilQuiet();
  });

  afterAll(async () => {
    await prometheus?.stop();
    await certificate?.stop();
    await watched?.dispose();
  });

  for (const { title, alerts, isProbed = false, begin } of causes)
    (isProbed && !hasProbe ? it.skip : it)(
      `fires ${alerts.join(', ')} when ${title}, and nothing afterwards`,
      async () => {
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
