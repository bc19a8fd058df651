import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { day, list, single, wholeNumber } from '../../../apps/api/src/schemas/query.schema.js';
import { monogram } from '../../../apps/api/src/institutions/monogram.js';
import {
  decodeLinkCursor,
  encodeLinkCursor,
  type UserLists,
} from '../../../apps/api/src/users/user-links-cursor.js';
import { isReadable } from '../../../apps/api/src/links/readable.js';
import { listedDays } from '../../../apps/api/src/transactions/listed-days.js';
import { LINK_STATES } from '../../../domain/link/link-state.js';

describe('Query parameters', () => {
  const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

  it('accept whole numbers within their limits, or use the default', () => {
    const size = wholeNumber({ min: 1, max: 500, fallback: 50 });
    expect([size.parse(undefined), size.parse('1'), size.parse('500'), size.parse('007')]).toEqual([
      50, 1, 500, 7,
    ]);
    for (const wrong of [
      '',
      '0',
      '501',
      '-1',
      '1.0',
      '1e2',
      ' 1',
      '0x1',
      '٣',
      ['1', '2'],
      '9'.repeat(30),
    ])
      expect(accepts(size, wrong)).toBe(false);
  });

  it('accept lists, repeated or separated by commas', () => {
    expect([
      list.parse(undefined),
      list.parse('a'),
      list.parse('a,b'),
      list.parse(['a', 'b,c']),
      list.parse(''),
    ]).toEqual([undefined, ['a'], ['a', 'b'], ['a', 'b', 'c'], undefined]);
  });

  it('accept calendar days only', () => {
    expect(['2026-02-28', '1900-01-01'].map((value) => accepts(day, value))).toEqual([true, true]);
    expect(
      ['2026-02-29', '2026-2-1', '1899-12-31', '', '2026-02-01T00:00:00'].map((value) =>
        accepts(day, value),
      ),
    ).toEqual(Array(5).fill(false));
  });

  it('are refused when given twice', () => {
    expect(single.safeParse(['a', 'b']).error?.issues[0]?.message).toBe('Must be given once.');
  });
});

describe('The date range of a list', () => {
  const now = new Date('2026-03-02T23:59:59Z');
  it.each([
    [{}, { start: '2025-12-03', end: '2026-03-02' }],
    [{ end_date: '2026-01-31' }, { start: '2025-11-03', end: '2026-01-31' }],
    [{ start_date: '1900-01-01' }, { start: '1900-01-01', end: '2026-03-02' }],
    [
      { start_date: '2026-03-02', end_date: '2026-03-02' },
      { start: '2026-03-02', end: '2026-03-02' },
    ],
    [{ start_date: '2026-03-03' }, null],
  ])('is checked: %j', (given, days) => expect(listedDays(given, now)).toEqual(days));
});

describe('The cursor of a list of links', () => {
  it('decodes to its position for its user, and for no other', () => {
    const lists = (userId: string): UserLists => ({
      keys: {
        currentKeyId: 1,
        mac: (_key, message) => createHmac('sha256', 'key').update(message).digest(),
      },
      tenant: { appId: 'app', environment: 'sandbox' },
      userId,
    });
    for (const position of [{ linkPk: 1n }, { linkPk: 7n, accountPk: 2n ** 63n - 1n }]) {
      const cursor = encodeLinkCursor(lists('user-1'), position);
      expect(decodeLinkCursor(lists('user-1'), cursor)).toEqual(position);
      expect(decodeLinkCursor(lists('user-2'), cursor)).toBeNull();
    }
  });
});

describe('The response to a read of missing data', () => {
  it.each(LINK_STATES)('of a link in %s follows the contract', (state) => {
    const read = (everConnected: boolean, refreshedAt: Date | null) =>
      isReadable({ state, everConnected }, { refreshedAt });
    expect({
      fetched: read(true, new Date()),
      neverFetched: read(true, null),
      neverConnected: read(false, new Date()),
    }).toEqual({
      fetched: state === 'connected' || state === 'error',
      neverFetched: state === 'connected',
      neverConnected: state === 'connected',
    });
  });
});

describe('The monogram of an institution', () => {
  it('shows its initials on its color, readable and escaped', () => {
    expect(monogram({ name: 'Instant Bank', color: '#2255aa' })).toMatch(
      /fill="#2255aa".*fill="#ffffff".*>IB<\/text>/,
    );
    expect(monogram({ name: 'Überbank', color: '#ffee00' })).toMatch(/fill="#000000".*>Ü<\/text>/);
    const hostile = monogram({ name: '<script>"&\'', color: 'red"/><script>' });
    expect(hostile).toContain('aria-label="&lt;script&gt;&quot;&amp;&#39;"');
    expect(hostile).not.toContain('<script');
  });
});
