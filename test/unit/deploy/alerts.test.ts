import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { METRIC_GROUPS, METRICS } from '../../../apps/platform/src/metrics/metric-table.js';
import type { MetricRow } from '../../../apps/platform/src/metrics/metric-row.js';

/** The names in a query of Prometheus. */
interface NamedByQuery {
  /** Metrics, with the labels their selectors name. */
  selectors: { metric: string; labels: string[]; jobs: string[] }[];
  /** Labels in `by (…)`. */
  grouping: string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'bool', 'offset']);

/**
 * Reads the queries of alerts and dashboards: names outside of strings that are neither a function
 * nor a keyword of the language.
 */
function readQuery(query: string): NamedByQuery {
  const grouping: string[] = [];
  const selectors: NamedByQuery['selectors'] = [];
  const rest = query
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, list: string) => {
      grouping.push(...list.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g, (_, metric: string, matchers: string) => {
      const found = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)];
      const labels = found.map(([, label = '']) => label);
      const jobs = found.flatMap(([, label, value = '']) => (label === 'job' ? [value] : []));
      selectors.push({ metric, labels, jobs });
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ');
  for (const [, metric = ''] of rest.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g))
    if (!WORDS.has(metric)) selectors.push({ metric, labels: [], jobs: [] });
  return { selectors, grouping };
}

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
interface AlertmanagerExample {
  route: { receiver: string; group_by: string[]; routes: { receiver: string }[] };
  inhibit_rules: { source_matchers: string[]; target_matchers: string[] }[];
  receivers: { name: string }[];
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
const PAGE = 'docs/operating/monitoring.md';
const page = readFileSync(PAGE, 'utf8');
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
    expect(annotations['runbook_url']).toBe(`${PAGE}#${alert.toLowerCase()}`);
    const section = sections().get(alert) ?? '';
    for (const part of ['**Meaning.**', '**Diagnose.**', '**Fix.**', '**Reproduce.**'])
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
  it('has one section for each alert, under its name and in the order of the rules', () => {
    expect([...sections().keys()]).toEqual(rules.map(({ alert }) => alert));
  });

  it('routes alerts by labels and names that exist', () => {
    const [, example = ''] = /```yaml\n([^]+?)```/.exec(page) ?? [];
    const { route, inhibit_rules: inhibitions, receivers } = parse(example) as AlertmanagerExample;
    const known = receivers.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining([route, ...route.routes].map((r) => r.receiver)));
    const named = inhibitions
      .flatMap((each) => [...each.source_matchers, ...each.target_matchers])
      .flatMap((matcher) => /^alertname=~?"(.+)"$/.exec(matcher)?.[1]?.split('|') ?? []);
    expect(named.length).toBeGreaterThan(3);
    const alerts = rules.map(({ alert }) => alert);
    expect(named.filter((name) => !alerts.includes(name))).toEqual([]);
    const { global } = read<{ global: { external_labels: Record<string, string> } }>(
      `${FOLDER}/prometheus.yml`,
    );
    const labels = ['alertname', 'environment', ...Object.keys(global.external_labels)];
    expect(route.group_by.filter((label) => !labels.includes(label))).toEqual([]);
  });
});

describe('The example of the scrape configuration', () => {
  it('waits for a process of which a part does not respond', () => {
    const { global } = read<{ global: { scrape_timeout: string } }>(`${FOLDER}/prometheus.yml`);
    expect(Number(/^(\d+)s$/.exec(global.scrape_timeout)?.[1])).toBeGreaterThanOrEqual(5);
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

/** The third-level sections by their titles. */
function sections(): Map<string, string> {
  return new Map(
    page
      .split(/^(?=##)/m)
      .filter((section) => section.startsWith('### '))
      .map((section) => {
        const [title = '', ...body] = section.slice('### '.length).split('\n');
        return [title, body.join('\n')];
      }),
  );
}
