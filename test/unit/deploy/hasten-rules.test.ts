import { readFileSync } from 'node:fs';
import { hastenRules, rulesOf } from '../../support/metrics/hasten-rules.js';

const RULES = `groups:
  - name: some
    rules:
      - alert: Age
        expr: max(one_oldest_seconds) > 3 * 3600
        for: 15m
      - alert: Moment
        expr: min by (a) (one_end_seconds) - time() < 14 * 86400
        for: 1h
      - alert: Share
        expr: |-
          sum(rate(failed_total[5m])) / sum(rate(one_seconds_count[5m])) > 0.01
          and
          sum(increase(failed_total[1h])) > 20
        for: 2m
`;

describe('rules that take effect sooner', () => {
  it('divide times, ranges and thresholds in seconds, and keep shares and counts', () => {
    const speeds: Record<string, number> = { Age: 60, Moment: 600, Share: 10 };
    expect(rulesOf(hastenRules(RULES, (alert) => speeds[alert] ?? 1))).toEqual([
      { alert: 'Age', expr: 'max(one_oldest_seconds) > 3 * 3600 / 60', for: '15000ms' },
      {
        alert: 'Moment',
        expr: 'min by (a) (one_end_seconds) - time() < 14 * 86400 / 600',
        for: '6000ms',
      },
      {
        alert: 'Share',
        expr: [
          'sum(rate(failed_total[30000ms])) / sum(rate(one_seconds_count[30000ms])) > 0.01',
          'and',
          'sum(increase(failed_total[360000ms])) > 20',
        ].join('\n'),
        for: '12000ms',
      },
    ]);
  });

  it('leave no time of the real alerts as it was', () => {
    const text = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
    const hastened = hastenRules(text, () => 60);
    expect(rulesOf(hastened).map(({ alert }) => alert)).toEqual(
      rulesOf(text).map(({ alert }) => alert),
    );
    expect(hastened).not.toMatch(/\[\d+[smh]\]|for: \d+[smh]\n/);
  });
});
