import { execFileSync } from 'node:child_process';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';

type Outcome = readonly [ended: string, seconds: number];

/** Far above the limit, for a busy computer; without it, these servers are waited for without end. */
const GRACE_SECONDS = 15;

describeWithPythonClient('The time limit of the Python client', (python) => {
  let report: { limit: number; results: Record<string, Record<string, Outcome>> };
  beforeAll(() => {
    report = JSON.parse(
      execFileSync(python, ['test/integration/python-client/check_time_limits.py'], {
        env: CLIENT_VARIABLES,
        encoding: 'utf8',
        timeout: 120_000,
      }),
    ) as typeof report;
  }, 130_000);

  it.each([
    'headers_a_byte_at_a_time',
    'body_a_byte_at_a_time',
    'interim_responses',
    'silence',
    'a_reader_of_a_byte_at_a_time',
    'no_free_connection',
  ])('ends a call at %s, with threads and with asyncio', (phase) => {
    const outcomes = Object.entries(report.results[phase] ?? {});
    expect(outcomes).not.toEqual([]);
    for (const [client, [ended, seconds]] of outcomes) {
      expect({ client, ended }).toEqual({ client, ended: 'ServiceConnectionError timeout' });
      expect(seconds).toBeGreaterThan(report.limit * 0.9);
      expect(seconds).toBeLessThan(report.limit + GRACE_SECONDS);
    }
  });
});
