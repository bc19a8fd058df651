import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { METRIC_GROUPS, METRICS } from '../../../apps/platform/src/metrics/metric-table.js';
import type { MetricRow } from '../../../apps/platform/src/metrics/metric-row.js';
import { readQuery } from './support/promql.js';

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
interface Panel {
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}

const FOLDER = 'deploy/prometheus';
const read = <T>(file: string): T => parse(readFileSync(file, 'utf8')) as T;
const rules = read<{ groups: { rules: Rule[] }[] }>(`${FOLDER}/alerts.yml`).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(readFileSync('deploy/grafana/tributary.json', 'utf8')) as {
  panels: Panel[];
};
const runbook = readFileSync('docs/operating/monitoring.md', 'utf8');
const tests = readdirSync(FOLDER).filter((file) => file.endsWith('.test.yml'));
const queries: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }, index): [string, string] => [`${title} ${index + 1}`, expr]),
  ),
];

/** Metrics of Prometheus itself, and of the blackbox exporter. */
const FOREIGN: Record<string, readonly string[]> = { up: [], probe_ssl_earliest_cert_expiry: [] };
const FROM_SCRAPE = ['job', 'instance'];

/** The labels of the series of a metric; undefined if there is no such metric. */
function labelsOf(name: string): readonly string[] | undefined {
  const table: Record<string, MetricRow> = METRICS;
  const histogram = table[name.replace(/_(bucket|sum|count)$/, '')];
  if (histogram?.type === 'histogram' && histogram !== table[name])
    return [...histogram.labels, ...(name.endsWith('_bucket') ? ['le'] : [])];
  return table[name]?.type === 'histogram' ? undefined : (table[name]?.labels ?? FOREIGN[name]);
}

describe('The reader of queries', () => {
  it('finds every metric with its labels, and the labels of groups', () => {
    expect(
      readQuery(
        '(sum by (a, b) (rate(one{c=~"x|y",job="z"}[5m])) or vector(0)) / max(two) > 1.5e3',
      ),
    ).toEqual({
      grouping: ['a', 'b'],
      selectors: [
        { metric: 'one', labels: ['c', 'job'], jobs: ['z'] },
        { metric: 'two', labels: [], jobs: [] },
      ],
    });
  });
});

describe.each(queries)('The query of %s', (_, query) => {
  const { selectors, grouping } = readQuery(query);

  it('names metrics and labels that exist', () => {
    expect(selectors.length).toBeGreaterThan(0);
    const unknown = selectors.flatMap(({ metric, labels }) => {
      const known = labelsOf(metric);
      if (known === undefined) return [metric];
      return labels
        .filter((label) => ![...known, ...FROM_SCRAPE].includes(label))
        .map((label) => `${metric}{${label}}`);
    });
    const grouped = selectors.flatMap(({ metric }) => labelsOf(metric) ?? []);
    const lost = grouping.filter((label) => ![...grouped, ...FROM_SCRAPE].includes(label));
    expect([...unknown, ...lost]).toEqual([]);
  });

  it('names jobs of the example that scrapes them', () => {
    const example = readFileSync(`${FOLDER}/prometheus.yml`, 'utf8');
    const jobs = [...example.matchAll(/job_name: (\S+)/g)].map(([, job = '']) => job);
    for (const pattern of selectors.flatMap((selector) => selector.jobs))
      expect(jobs.some((job) => new RegExp(`^(?:${pattern})$`).test(job))).toBe(true);
  });
});

describe.each(rules)('The alert $alert', ({ alert, for: since, labels, annotations }) => {
  it('has a severity, a time, a summary, and a section with the next steps', () => {
    expect(labels['severity']).toMatch(/^(critical|warning)$/);
    expect(since).toMatch(/^\d+[mh]$/);
    expect(annotations['summary']).toMatch(/\S/);
    const [page, anchor] = (annotations['runbook'] ?? '').split('#');
    expect(page).toBe('docs/operating/monitoring.md');
    const section = sections().get(anchor ?? '') ?? '';
    for (const part of ['**Meaning.**', '**Diagnose.**', '**Fix.**'])
      expect(section).toContain(part);
  });

  it('is triggered in a test of its own, and stays silent while everything is healthy', () => {
    const named = tests.filter((file) =>
      readFileSync(`${FOLDER}/${file}`, 'utf8').includes(`alertname: ${alert}`),
    );
    expect(named).toHaveLength(2);
    expect(named).toContain('alerts-quiet.test.yml');
  });
});

describe('The page of runbooks', () => {
  it('has no section without an alert', () => {
    const used = new Set(rules.map(({ annotations }) => annotations['runbook']?.split('#')[1]));
    expect([...sections().keys()].filter((anchor) => !used.has(anchor))).toEqual([]);
  });
});

describe('The dashboard', () => {
  it('has a row for each question of the table of metrics', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows.sort()).toEqual(Object.keys(METRIC_GROUPS).sort());
  });

  it('names series by labels that their query keeps', () => {
    const lost = panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) => {
        const { selectors, grouping } = readQuery(expr);
        const kept = /\b(by|topk|sum|max|min|count)\b/.test(expr)
          ? grouping
          : [...selectors.flatMap(({ metric }) => labelsOf(metric) ?? []), ...FROM_SCRAPE];
        return [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]
          .map(([, label = '']) => label)
          .filter((label) => !kept.includes(label))
          .map((label) => `${title}: ${label}`);
      }),
    );
    expect(lost).toEqual([]);
  });
});

// Part of Prometheus: `apt-get install prometheus`. If it is missing, these tests are counted as
// skipped.
const promtool = findPromtool();
(promtool ? describe : describe.skip)('promtool', () => {
  it.each([
    ['check', 'rules', 'alerts.yml'],
    ['check', 'config', 'prometheus.yml'],
    ...tests.map((file) => ['test', 'rules', file]),
  ])('accepts: %s %s %s', (...args) => {
    expect(run([...args.slice(0, 2), `${FOLDER}/${args[2]}`])).toBe('accepted');
  });
});

function run(args: readonly string[]): string {
  try {
    execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' });
    return 'accepted';
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}

function findPromtool(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('\n  promtool is missing: alerts are not checked by Prometheus itself.\n');
    return false;
  }
}

/** The second-level sections by their anchors. */
function sections(): Map<string, string> {
  return new Map(
    runbook
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [title = '', ...body] = section.split('\n');
        return [title.toLowerCase().replaceAll(/[^\w]+/g, '-'), body.join('\n')];
      }),
  );
}
