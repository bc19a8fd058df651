import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { LogRow } from '../../../../domain/transactions/change-log-row.js';
import { changesOf } from '../../../../domain/plaid/change-view.js';
import {
  decodeStreamCursor,
  encodeStreamCursor,
  STREAM_START,
} from '../../../../apps/api/src/plaid/transactions/stream-cursor.js';

const ROW: LogRow = {
  transactionId: 'T',
  accountId: 'acc_1',
  firstSeq: 1n,
  postedSeq: 1n,
  seq: 1n,
  createdPending: false,
  removed: false,
  firstSeqAfterOrigin: 1n,
};
const row = (fields: Partial<LogRow>): LogRow => ({ ...ROW, ...fields });
const seen = (fields: Partial<LogRow>, base: bigint, origin = 0n) =>
  changesOf([row(fields)], { origin, base }).map(
    ({ kind, record, position }) => `${kind} ${record} ${position}`,
  );

describe('The change log as the Plaid layer shows it (plaid-compat 5.2, 5.3)', () => {
  const pending = { createdPending: true, postedSeq: null };
  const posted = { createdPending: true, postedSeq: 2n, seq: 2n };

  it.each([
    ['a row born posted', {}, 0n, ['added posted 3']],
    ['a row the client has', {}, 1n, []],
    ['a row that changed', { seq: 4n }, 1n, ['modified posted 9']],
    ['a row born and changed since', { seq: 4n }, 0n, ['added posted 9']],
    ['a row removed', { seq: 4n, removed: true }, 1n, ['removed posted 8']],
    ['a row born and removed since', { seq: 4n, removed: true }, 0n, []],
    ['a pending row', pending, 0n, ['added pending 3']],
    ['a pending row that changed', { ...pending, seq: 3n }, 1n, ['modified pending 7']],
    [
      'a pending row that vanished',
      { ...pending, seq: 3n, removed: true },
      1n,
      ['removed pending 6'],
    ],
    ['a pending row that posted', posted, 1n, ['removed pending 4', 'added posted 5']],
    ['a row born pending that posted since', posted, 0n, ['added posted 5']],
    [
      'a pending row that posted and changed',
      { ...posted, seq: 7n },
      1n,
      ['removed pending 4', 'added posted 15'],
    ],
    [
      'a posted row that was pending and changed',
      { ...posted, seq: 7n },
      2n,
      ['modified posted 15'],
    ],
    [
      'a pending row that posted and was removed',
      { ...posted, seq: 7n, removed: true },
      1n,
      ['removed pending 4'],
    ],
    [
      'a posted row that was pending and was removed',
      { ...posted, seq: 7n, removed: true },
      2n,
      ['removed posted 14'],
    ],
  ] as const)('%s', (_, fields, base, changes) => {
    expect(seen(fields, base)).toEqual(changes);
  });

  it('places a removal just before the posting that caused it, ahead of rows in between', () => {
    const rows = [
      row({ transactionId: 'A', createdPending: true, postedSeq: 5n, seq: 9n }),
      row({ transactionId: 'B', firstSeq: 6n, postedSeq: 6n, seq: 6n }),
    ];
    expect(
      changesOf(rows, { origin: 0n, base: 1n }).map(
        ({ kind, row: { transactionId } }) => `${kind} ${transactionId}`,
      ),
    ).toEqual(['removed A', 'added B', 'added A']);
  });

  describe('starting now (5.4 rule 8)', () => {
    it.each([
      [
        'an old row that changes is added',
        { seq: 6n, firstSeqAfterOrigin: 6n },
        5n,
        ['added posted 13'],
      ],
      [
        'its next change modifies it',
        { seq: 8n, firstSeqAfterOrigin: 6n },
        6n,
        ['modified posted 17'],
      ],
      [
        'an old row that is removed is removed',
        { seq: 6n, removed: true, firstSeqAfterOrigin: 6n },
        5n,
        ['removed posted 12'],
      ],
      [
        'an old pending row that posts',
        { createdPending: true, postedSeq: 6n, seq: 6n, firstSeqAfterOrigin: 6n },
        5n,
        ['removed pending 12', 'added posted 13'],
      ],
      [
        'a row that was posted before',
        { createdPending: true, postedSeq: 3n, seq: 6n, firstSeqAfterOrigin: 6n },
        5n,
        ['added posted 13'],
      ],
    ] as const)('%s', (_, fields, base, changes) => {
      expect(seen(fields, base, 5n)).toEqual(changes);
    });
  });
});

describe('The sync cursor of the Plaid layer (plaid-compat 5.4)', () => {
  const mac = (keyId: number, message: Uint8Array) =>
    createHmac('sha256', `key ${keyId}`).update(message).digest();
  const STREAM = { linkId: 'mk_1', accountId: null };
  const seq = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  const position = fc.bigInt({ min: 2n, max: 2n ** 64n - 1n });
  const cursors = fc.record({
    origin: seq,
    base: seq,
    inProgress: fc.option(fc.record({ position, horizon: seq }), { nil: null }),
  });

  it('decodes to the state it encodes, is equal for equal states, and has at most 256 characters', () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = encodeStreamCursor(cursor, STREAM, 3, mac);
        expect(text).toBe(encodeStreamCursor(cursor, STREAM, 3, mac));
        expect(text.length).toBeLessThanOrEqual(256);
        expect(decodeStreamCursor(text, STREAM, mac)).toEqual(cursor);
      }),
    );
  });

  it('is valid only for its own stream', () => {
    const text = encodeStreamCursor(STREAM_START, STREAM, 1, mac);
    expect(decodeStreamCursor(text, { linkId: 'mk_2', accountId: null }, mac)).toBeNull();
    expect(decodeStreamCursor(text, { linkId: 'mk_1', accountId: 'acc_1' }, mac)).toBeNull();
    const ofAccount = encodeStreamCursor(
      STREAM_START,
      { linkId: 'mk_1', accountId: 'acc_1' },
      1,
      mac,
    );
    expect({
      ofStream: decodeStreamCursor(ofAccount, STREAM, mac),
      ofAccount: decodeStreamCursor(ofAccount, { linkId: 'mk_1', accountId: 'acc_2' }, mac),
    }).toEqual({ ofStream: null, ofAccount: null });
  });
});
