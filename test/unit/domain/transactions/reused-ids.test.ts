import { Decimal } from 'decimal.js';
import type { KnownRow, UnknownRow } from '../../../../domain/transactions/match-transactions.js';
import { findReusedIds } from '../../../../domain/transactions/reused-ids.js';

const UNRELIABLE = { postedIdsDiffer: true, anyIdDiffers: true, otherSource: false };
const COMPLETE = () => false;
const INCOMPLETE = () => true;

const content = (text: string, amount: number) => ({
  accountId: 'acc_1',
  type: 'debit' as const,
  currency: 'USD',
  date: '2026-02-10',
  pending: false,
  texts: [text],
  amount: new Decimal(amount),
});
type Content = ReturnType<typeof content>;
const CAFE = content('Corner Cafe', 4.5);
const RENT = content('Rent April', 900);

const known = (id: string, row: Content): KnownRow => ({ id, ...row, imported: false });
const fetched = (id: string, row: Content): UnknownRow => ({ id, ...row, replaces: null });

/** `stored` and `answer` contain rows by their place, which is their id. */
function judge(stored: Content[], answer: Content[], mayLackRows: () => boolean) {
  const ours = stored.map((row, place) => known(`${place}`, row));
  const theirs = answer.map((row, place) => fetched(`${place}`, row));
  const { moved, unknown, displaced } = findReusedIds(
    ours.flatMap((row, place) => {
      const other = theirs[place];
      return other === undefined ? [] : [{ known: row, row: other }];
    }),
    ours.slice(theirs.length),
    theirs.slice(ours.length),
    UNRELIABLE,
    mayLackRows,
  );
  return {
    moved: Object.fromEntries(moved),
    unknown: unknown.map(({ id }) => id),
    displaced: displaced.map(({ id }) => id),
  };
}

const NOTHING = { moved: {}, unknown: [], displaced: [] };

describe('A known id whose row has another amount or text', () => {
  it.each([
    ['complete', COMPLETE],
    ['incomplete', INCOMPLETE],
  ])(
    'belongs to the row now in its place, in a response that has both and is %s',
    (_, mayLackRows) => {
      expect(judge([CAFE], [RENT, CAFE], mayLackRows)).toEqual({
        moved: { '1': '0' },
        unknown: ['0'],
        displaced: [],
      });
    },
  );

  it('is followed to its new place when its row is posted in the same response', () => {
    const hold = { ...CAFE, pending: true };
    expect(judge([hold], [RENT, CAFE], COMPLETE)).toMatchObject({ moved: { '1': '0' } });
  });

  it('names the same row, changed, when the response has no other row for it', () => {
    expect(judge([CAFE], [RENT], COMPLETE)).toEqual(NOTHING);
  });

  it('names a new row when the response may lack the stored one', () => {
    expect(judge([CAFE], [RENT], INCOMPLETE)).toEqual({
      moved: {},
      unknown: ['0'],
      displaced: ['0'],
    });
  });

  it('names the same row in an incomplete response when only the amount differs', () => {
    expect(judge([CAFE], [{ ...CAFE, amount: new Decimal(5) }], INCOMPLETE)).toEqual(NOTHING);
  });
});
