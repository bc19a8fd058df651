import {
  KeysRefused,
  ProviderFailure,
  PROVIDER_CAUSES,
  QuotaUsedUp,
} from '../../../domain/errors/provider-failure.js';
import type { SourceFault } from '../../../domain/refresh/source-fault.js';
import { Unreadable } from '../../../providers/http/read-scope.js';
import { RemoteObject } from '../../../providers/http/remote-object.js';
import { readListing } from '../../../providers/rules/read-listing.js';
import { dayOfRow, isInWindow } from '../../../providers/rules/row-day.js';
import { readStatus } from '../../../providers/rules/row-status.js';

const faults: SourceFault[] = [];
const note = (fault: SourceFault) => void faults.push(fault);
const scope = { account: 'a1', note };
beforeEach(() => void faults.splice(0));
const incomplete = (field: string, reason: string) => ({
  scope: 'account',
  account: 'a1',
  resource: 'page',
  field,
  reason,
});

describe('The day of a row', () => {
  const posted = { pending: false, today: '2026-11-28' };
  it.each<[string, (string | null)[], string | null]>([
    ['the first one if it has come', ['2026-11-27', '2026-11-20'], '2026-11-27'],
    ['the current day', ['2026-11-28', '2026-11-20'], '2026-11-28'],
    [
      'the next one that has come if the first one is ahead',
      ['2026-12-18', '2026-11-20'],
      '2026-11-20',
    ],
    ['the first one if all are ahead', ['2026-12-18', '2026-12-01'], '2026-12-18'],
    ['the only one', [null, null, '2026-12-01'], '2026-12-01'],
    ['none without one', [null, null], null],
  ])('is %s: %j', (_what, days, day) => {
    expect(dayOfRow(days, posted)).toBe(day);
  });

  it('is the current one for a pending row without one', () => {
    expect(dayOfRow([null], { pending: true, today: '2026-11-28' })).toBe('2026-11-28');
  });

  it('is in a window up to today although it is ahead, and in no window that has ended', () => {
    const isIn = (to: string) => isInWindow('2026-12-18', { from: '2026-11-01', to }, '2026-11-28');
    expect(['2026-11-28', '2026-11-29', '2026-11-27'].map(isIn)).toEqual([true, true, false]);
    expect(isInWindow('2026-10-31', { from: '2026-11-01', to: '2026-11-28' }, '2026-11-28')).toBe(
      false,
    );
  });
});

describe('The status of a row', () => {
  const read = (status: unknown) =>
    readStatus(new RemoteObject({ status }, 'transaction', scope), 'status');

  it.each([
    ['posted', ['BOOK', 'Booked', 'POSTED', 'settled', 'CLEARED', null, undefined]],
    [
      'pending',
      [
        'PDNG',
        'pending',
        'HOLD',
        'MEMO',
        'AUTHORIZATION',
        'Authorised',
        'not posted',
        'UNBOOKED',
        'not_yet_booked',
        'pre-auth',
      ],
    ],
    [
      'none',
      [
        'SCHD',
        'scheduled',
        'FUTURE',
        'RJCT',
        'Rejected',
        'CNCL',
        'CANCELLED',
        'canceled',
        'declined',
        'VOIDED',
        'failed',
      ],
    ],
  ])('is %s for %j, without a fault', (status, words) => {
    expect(words.map(read)).toEqual(words.map(() => status));
    expect(faults).toEqual([]);
  });

  it.each(['Gebucht', 'CARD_CENTER_OK', '4711', '', 7, {}])(
    'is posted for %j, which its bank invented, and the word is noted',
    (word) => {
      expect(read(word)).toBe('posted');
      expect(faults).toMatchObject([{ scope: 'value', account: 'a1', field: 'status' }]);
    },
  );
});

describe('A listing', () => {
  type Answer = [items: string[], next: string | null] | Error;

  /** Reads a listing whose first page is `first`, and each other the answer to its key. */
  async function read(first: Answer, answers: Readonly<Record<string, Answer | Answer[]>> = {}) {
    const asked: (string | null)[] = [];
    const items: string[] = [];
    const pages = readListing<string>({
      scope,
      keyField: 'key',
      readPage: (key) => {
        asked.push(key);
        const answer = key === null ? first : answers[key];
        if (answer === undefined) throw new Error(`no page ${key}`);
        if (answer instanceof Error) return Promise.reject(answer);
        const [its, next] = answer as [string[], string | null];
        return Promise.resolve({ items: its, next: () => next });
      },
    });
    let failure: unknown = null;
    try {
      for await (const page of pages) items.push(...page);
    } catch (error) {
      failure = error;
    }
    return { items, asked, failure };
  }

  const later = PROVIDER_CAUSES.map((cause) => new ProviderFailure(cause, cause));

  it.each(later.map((failure) => [failure.providerCause, failure] as const))(
    'that fails with %s after its first page ends there, keeps its items, and is incomplete',
    async (_cause, failure) => {
      const { items, failure: thrown } = await read([['x'], 'two'], { two: failure });
      expect({ items, thrown }).toEqual({ items: ['x'], thrown: null });
      expect(faults).toEqual([incomplete('', 'refused')]);
    },
  );

  it.each([
    ['the permission', new ProviderFailure('consent_expired', 'over')],
    ['the keys', new KeysRefused('refused')],
  ])(
    'reads its first page again after a later one refuses %s, and fails if that does, too',
    async (_what, failure) => {
      const once = await read([['x'], 'two'], { two: failure });
      expect(once).toEqual({ items: ['x'], asked: [null, 'two', null], failure: null });
      expect(faults).toEqual([incomplete('', 'refused')]);

      let calls = 0;
      const pages = readListing<string>({
        scope,
        keyField: 'key',
        readPage: () => {
          calls += 1;
          return calls === 1
            ? Promise.resolve({ items: ['x'], next: () => 'two' })
            : Promise.reject(failure);
        },
      });
      await expect(
        (async () => {
          for await (const _ of pages);
        })(),
      ).rejects.toBe(failure);
    },
  );

  it.each([
    ['our own quota is used up', new QuotaUsedUp('transactions', 60)],
    ['the caller aborts', new DOMException('aborted', 'AbortError')],
    ['the adapter has a defect', new TypeError('defect')],
  ])('fails when %s', async (_what, failure) => {
    expect(await read([['x'], 'two'], { two: failure })).toMatchObject({ failure });
    expect(faults).toEqual([]);
  });

  it.each(later.map((failure) => [failure.providerCause, failure] as const))(
    'fails with %s when its first page does',
    async (_cause, failure) => {
      expect(await read(failure)).toEqual({ items: [], asked: [null], failure });
    },
  );

  it('ends with a page that repeats its own key', async () => {
    expect(await read([['x'], 'two'], { two: [['y'], 'two'] })).toMatchObject({
      items: ['x', 'y'],
      asked: [null, 'two'],
    });
    expect(faults).toEqual([]);
  });

  it('that returns to an earlier key ends there, and is incomplete', async () => {
    const { items } = await read([['x'], 'two'], { two: [['y'], 'three'], three: [['z'], 'two'] });
    expect(items).toEqual(['x', 'y', 'z']);
    expect(faults).toEqual([incomplete('key', 'repeated')]);
  });

  it('whose next key cannot be read ends there, and is incomplete', async () => {
    const pages = readListing<string>({
      scope,
      keyField: 'key',
      readPage: () =>
        Promise.resolve({
          items: ['x'],
          next: () => {
            throw new Unreadable('page', 'key', 'wrong_type', 'text');
          },
        }),
    });
    for await (const items of pages) expect(items).toEqual(['x']);
    expect(faults).toEqual([incomplete('key', 'wrong_type')]);
  });
});

// cspell:ignore Authorised Gebucht
