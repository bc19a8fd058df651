import { callsOf } from '../../../apps/api/src/server/table-of-reads.js';
import { describeBound, type ReadBound } from '../../../apps/api/src/http/read-bound.js';
import { ALL_CONTROLLERS } from '../../../apps/api/src/server/api.module.js';
import { readFileSync } from 'node:fs';

const CALLS = callsOf(ALL_CONTROLLERS);

/** Calls of the Plaid-compatible layer are all POST: its reads are named so. */
const isRead = (call: string) =>
  call.startsWith('GET ') || /^POST \/\S+\/(?:get|get_by_id|search|sync)$/.test(call);

/** Whether a request with this value of the parameter, at the top or in `options`, is refused for it. */
function refuses(input: (typeof CALLS)[number]['input'], parameter: string, value: number) {
  const asText = String(value);
  return [value, asText].every((each) => {
    const options = { [parameter]: each };
    const issues = input?.safeParse({ ...options, options }).error?.issues ?? [];
    return issues.some(({ path }) => path.at(-1) === parameter);
  });
}

describe('The table of all reads', () => {
  it('has the bound of every call that reads, in every API', () => {
    expect(CALLS.length).toBeGreaterThan(90);
    expect(CALLS.filter(({ call, reads }) => isRead(call) && reads === null)).toEqual([]);
    expect(CALLS.filter(({ call, reads }) => !isRead(call) && reads !== null)).toEqual([]);
  });

  it('states the largest page that each call accepts', () => {
    const pages = CALLS.flatMap(({ call, reads, input }) =>
      reads?.by === 'page' ? [{ call, input, ...reads }] : [],
    );
    expect(pages.length).toBeGreaterThan(10);
    const wrong = pages.filter(
      ({ input, parameter, rows }) =>
        refuses(input, parameter, rows) || !refuses(input, parameter, rows + 1),
    );
    expect(wrong.map(({ call }) => call)).toEqual([]);
  });

  it('names every call that accepts the size of a page', () => {
    const sized = CALLS.filter(({ input }) =>
      ['limit', 'size', 'count'].some((name) => refuses(input, name, 0)),
    ).filter(({ call }) => isRead(call));
    expect(sized.filter(({ reads }) => reads?.by !== 'page').map(({ call }) => call)).toEqual([]);
  });

  it('states how long each call waits', () => {
    const waiting = CALLS.filter(({ input }) => refuses(input, 'wait', 10_000));
    expect(waiting.map(({ reads }) => reads?.waits)).toEqual([20, 25]);
    for (const { input, reads } of waiting)
      expect([
        refuses(input, 'wait', reads?.waits ?? 0),
        refuses(input, 'wait', (reads?.waits ?? 0) + 1),
      ]).toEqual([false, true]);
  });

  it('is that of the page on limits', () => {
    const page = readFileSync('docs/operating/limits.md', 'utf8');
    const missing = CALLS.filter(({ call, reads }) => {
      if (reads === null) return false;
      const { rows, bytes, time } = describeBound(reads satisfies ReadBound);
      return !page.includes(`| \`${call}\` | ${rows} | ${bytes} | ${time} |`);
    });
    expect(missing.map(({ call }) => call)).toEqual([]);
  });
});
