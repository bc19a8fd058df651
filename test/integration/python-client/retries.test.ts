import { execFileSync } from 'node:child_process';
import {
  CLIENT_VARIABLES,
  describeWithPythonClient,
} from '../../support/receivers/python-client.js';

/** Prints the waits after a 429 that asks for 7 seconds, and for more than a minute. */
const PROGRAM = `
import json
from tributary.calls import Call, nothing
from tributary.errors import RateLimitError
from tributary.retries import pause_before_retry

def pauses(seconds):
    error = RateLimitError("Later.", status=429, retry_after=seconds)
    return [pause_before_retry(error, Call("GET", "/links", nothing), 0) for _ in range(50)]

print(json.dumps([pauses(7), pauses(61)]))
`;

describeWithPythonClient('The wait of the Python client before a retry', (python) => {
  it('is what Retry-After says and a random time on top, and none at all beyond a minute', () => {
    const [short = [], long] = JSON.parse(
      execFileSync(python, ['-c', PROGRAM], { env: CLIENT_VARIABLES, encoding: 'utf8' }),
    ) as number[][];
    expect(Math.min(...short)).toBeGreaterThanOrEqual(7);
    expect(Math.max(...short)).toBeLessThanOrEqual(7.5);
    expect(new Set(short).size).toBeGreaterThan(40);
    expect(new Set(long)).toEqual(new Set([null]));
  });
});
